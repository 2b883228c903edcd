//! IDA* as a [`Search`]: one iteration after the other, with a growing bound.

use super::bound::Bound;
use super::descent::Resume;
use super::iteration::{Iteration, NodeCounts, Problem};
use super::proof::Proof;
use super::snapshot::Snapshot;
use super::walker::MOST_AT_ONCE;
use super::{Idastar, IdastarSettings};
use crate::heuristic::Heuristic;
use crate::platform::IS_SMALL;
use crate::search::move_pruning::MovePruning;
use crate::search::report::{Guarantee, Outcome, Solution, Stats, Stop};
use crate::search::signal::Signal;
use crate::search::{Progress, Search, Visit};
use crate::space::{Cost, StateSpace};

/// Trees may take the memory limit divided by this; they take some megabytes.
const TREES_SHARE: u64 = 8;

/// IDA* under way.
pub(super) struct IdastarSearch<'a, S: StateSpace, H: Heuristic<S>, P: MovePruning<S>> {
    pub(super) problem: Problem<'a, S, H, P>,
    pub(super) bound: Bound,
    pub(super) iteration: Iteration<'a, S, H, P>,
    pub(super) proof: Proof<'a, S>,
    pub(super) expanded_before_iteration: u64,
    signal: Signal,
    pub(super) stats: Stats,
    pub(super) outcome: Option<Outcome<S::Move>>,
}

impl<'a, S: StateSpace, H: Heuristic<S>, P: MovePruning<S>> IdastarSearch<'a, S, H, P> {
    pub(super) fn new(builder: &Idastar<'a, S, H>, start: S::State, pruning: P) -> Self {
        let &Idastar { space, heuristic, settings } = builder;
        let IdastarSettings { limits, team, is_pruned, is_solvable } = settings;
        let estimate = heuristic.estimate(heuristic.evaluate(space, &start)).rounded_up(heuristic.scale());
        let all_bytes = limits.bytes.unwrap_or(u64::MAX);
        let trees_bytes = all_bytes / TREES_SHARE;
        let properties = heuristic.properties(space);
        let problem = Problem { space, heuristic, pruning, start, properties };
        let mut search = IdastarSearch {
            bound: Bound::new(estimate.unwrap_or(0)),
            iteration: Iteration::new(&problem, team, is_pruned, trees_bytes),
            problem,
            proof: Proof::new(limits, all_bytes - trees_bytes),
            expanded_before_iteration: 0,
            signal: Signal::default(),
            stats: Stats::default(),
            outcome: None,
        };
        if is_solvable {
            search.proof.end();
        }
        if estimate.is_none() {
            search.bound.dead_ends = true;
            search.exhausted();
        } else if space.is_goal(&search.problem.start) {
            let guarantee = search.guarantee();
            search.outcome = Some(Outcome::Solved(Solution { cost: 0, moves: Vec::new(), guarantee }));
        }
        search
    }

    fn guarantee(&self) -> Guarantee {
        if self.problem.properties.admissible { Guarantee::Optimal } else { Guarantee::None }
    }

    fn end(&mut self, outcome: Outcome<S::Move>) -> Progress {
        self.stats.expanded_before_last_layer = self.expanded_before_iteration;
        self.outcome = Some(outcome);
        Progress::Ended
    }

    #[cold]
    fn exhausted(&mut self) -> Progress {
        let unproved = self.bound.dead_ends && !self.problem.properties.admissible;
        self.end(Outcome::exhausted(self.bound.overflowed, unproved, self.stats.layer))
    }

    /// Continues the proof that there is no solution.
    #[cold]
    fn prove(&mut self, expansions: u64) -> Progress {
        let Problem { space, start, .. } = &self.problem;
        let is_proved = self.proof.advance(space, start, &self.signal, expansions);
        if is_proved { self.end(Outcome::Unsolvable) } else { Progress::Running }
    }

    fn begin_iteration(&mut self) -> Progress {
        // No goal was found although the proof knows a solution below the bound: the heuristic called a state on its
        // path a dead end.
        if self.bound.dead_ends && self.proof.known.is_some_and(|cost| cost < self.bound.cost) {
            return self.exhausted();
        }
        let Problem { space, pruning, .. } = &mut self.problem;
        let Some(learnt) = pruning.learn(space, self.stats.expanded + 1, &self.signal) else {
            // The signal was raised, and the iteration has not begun.
            return Progress::Running;
        };
        if learnt {
            self.iteration.renew_subtree_searches(&self.problem);
        }
        let expanded_last = self.stats.expanded - self.expanded_before_iteration;
        self.stats.iterations += 1;
        self.expanded_before_iteration = self.stats.expanded;
        self.bound.least_excess = u64::MAX;
        self.iteration.begin(&self.problem, self.bound.cost, expanded_last, self.is_large());
        self.count();
        if self.problem.properties.admissible {
            self.stats.layer = self.bound.cost;
        }
        // All trees may be beyond this bound or pruned.
        if self.iteration.is_complete() && !self.bound.raise() {
            return self.exhausted();
        }
        Progress::Layer(self.stats.layer)
    }

    /// Whether the first iteration is large, because the caller has proved its bound.
    pub(super) fn is_large(&self) -> bool {
        self.stats.iterations == 1 && self.bound.given.is_some()
    }

    /// Collects the results of walkers and trees.
    fn count(&mut self) {
        for walker in &mut self.iteration.walkers {
            self.bound.note(std::mem::replace(&mut walker.least_excess, u64::MAX), walker.dead_ends);
        }
        let Iteration { trees, walkers, .. } = &self.iteration;
        self.bound.note(trees.least_excess, trees.dead_ends);
        let NodeCounts { expanded, generated } = self.iteration.counts();
        let stats = &mut self.stats;
        (stats.expanded, stats.generated) = (expanded, generated);
        if walkers.len() > 1 {
            stats.threads = walkers.len() as u64;
        }
        stats.max_frontier = walkers.iter().map(|walker| walker.path.len() as u64).max().unwrap_or(0);
        stats.bytes = self.proof.bytes + trees.bytes();
        stats.peak_bytes = stats.peak_bytes.max(stats.bytes);
    }

    #[cold]
    fn solved(&mut self, walker: usize, cost: Cost) -> Progress {
        let moves = self.iteration.walkers[walker].path.iter().map(|frame| frame.m).collect();
        let guarantee = self.guarantee();
        self.end(Outcome::Solved(Solution { cost, moves, guarantee }))
    }
}

impl<S: StateSpace, H: Heuristic<S>, P: MovePruning<S>> Search<S> for IdastarSearch<'_, S, H, P> {
    fn advance(&mut self, expansions: u64) -> Progress {
        if self.outcome.is_some() {
            return Progress::Ended;
        }
        // The proof is behind here only after a snapshot was restored.
        let owed = self.proof.owed(self.stats.expanded);
        if owed > 0 {
            return self.prove(owed.min(MOST_AT_ONCE));
        }
        if self.iteration.is_complete() {
            return self.begin_iteration();
        }
        let found = self.iteration.walk(&self.problem, self.bound.cost, expansions);
        self.count();
        if let Some((walker, room)) = found {
            return self.solved(walker, self.bound.cost - room);
        }
        if self.iteration.is_complete() && !self.bound.raise() {
            return self.exhausted();
        }
        let owed = self.proof.owed(self.stats.expanded);
        if owed > 0 { self.prove(owed) } else { Progress::Running }
    }

    fn stats(&self) -> Stats {
        self.stats
    }

    fn outcome(&self) -> Option<&Outcome<S::Move>> {
        self.outcome.as_ref()
    }

    fn stop(&mut self, why: Stop) {
        if self.outcome.is_none() {
            self.end(Outcome::Stopped { why, lower_bound: self.stats.layer });
        }
    }

    fn set_signal(&mut self, signal: &Signal) {
        self.signal = signal.clone();
    }

    fn best(&self) -> Option<Solution<S::Move>> {
        self.proof.solution.clone()
    }

    fn snapshot(&mut self) -> Option<Snapshot> {
        // A small program keeps no files.
        if const { IS_SMALL } { None } else { self.make_snapshot() }
    }

    fn restore(&mut self, snapshot: &Snapshot) -> bool {
        if const { IS_SMALL } { false } else { self.restore_snapshot(snapshot) }
    }

    fn begin_at(&mut self, bound: Cost) {
        if self.problem.properties.admissible && self.stats.iterations == 0 && bound > self.bound.cost {
            (self.bound.cost, self.bound.given) = (bound, Some(bound));
            self.iteration.walkers[0].policy.be_cautious();
        }
    }

    fn stride(&self) -> u64 {
        self.iteration.stride()
    }

    fn last_visit(&self) -> Option<Visit<S::Packed>> {
        let walker = self.iteration.walkers.iter().find(|walker| !walker.is_idle())?;
        let Some(Resume::Moves(top)) = &walker.resume else { return None };
        let parent = walker.path.last().map(|frame| {
            let mut before = walker.state.clone();
            self.problem.space.undo(&mut before, frame.m, frame.undo);
            self.problem.space.pack(&before)
        });
        Some(Visit {
            state: self.problem.space.pack(&walker.state),
            parent,
            g: self.bound.cost - top.room,
            h: self.problem.heuristic.estimate(top.eval).units().unwrap_or(0),
            scale: self.problem.heuristic.scale(),
            backward: false,
        })
    }
}
