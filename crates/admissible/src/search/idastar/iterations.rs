//! The iterations of IDA*: one bound after the other.

use super::bound::Bound;
use super::descent::Todo;
use super::proof::Proof;
use super::snapshot::Snapshot;
use super::walker::MOST_AT_ONCE;
use super::work::{Counted, Problem, Work};
use super::{Idastar, IdastarSettings};
use crate::heuristic::{Heuristic, copy_to_huge_pages};
use crate::search::move_pruning::MovePruning;
use crate::search::report::{Guarantee, Outcome, Solution, Stats, Stop};
use crate::search::signal::Signal;
use crate::search::{Progress, Search, Visit};
use crate::space::{Cost, StateSpace};

/// Of the memory limit, trees may have such a part: they are some megabytes.
const TREES_SHARE: u64 = 8;

/// Expansions after which more are to be expected than it takes to copy a heuristic's tables to huge pages.
const COPY_AFTER: u64 = 1 << 28;

/// IDA* under way.
pub(super) struct Iterations<'a, S: StateSpace, H: Heuristic<S>, P: MovePruning<S>> {
    pub(super) problem: Problem<'a, S, H, P>,
    pub(super) bound: Bound,
    pub(super) work: Work<'a, S, H, P>,
    pub(super) proof: Proof<'a, S>,
    pub(super) expanded_before_iteration: u64,
    /// The bytes that proof and tables may take together.
    most_bytes: u64,
    /// The bytes of the heuristic's tables that were copied to huge pages, once the search has proved long.
    copied_bytes: Option<u64>,
    signal: Signal,
    pub(super) stats: Stats,
    pub(super) outcome: Option<Outcome<S::Move>>,
}

impl<'a, S: StateSpace, H: Heuristic<S>, P: MovePruning<S>> Iterations<'a, S, H, P> {
    pub(super) fn new(builder: &Idastar<'a, S, H>, start: S::State, pruning: P) -> Self {
        let &Idastar { space, heuristic, settings } = builder;
        let IdastarSettings { limits, team, is_pruned, is_solvable } = settings;
        let estimate = heuristic.estimate(heuristic.evaluate(space, &start)).rounded_up(heuristic.scale());
        let all_bytes = limits.bytes.unwrap_or(u64::MAX);
        let trees_bytes = all_bytes / TREES_SHARE;
        let most_bytes = all_bytes - trees_bytes;
        let properties = heuristic.properties(space);
        let problem = Problem { space, heuristic, pruning, start, properties };
        let mut search = Iterations {
            bound: Bound::new(estimate.unwrap_or(0)),
            work: Work::new(&problem, team, is_pruned, trees_bytes),
            problem,
            proof: Proof::new(limits, most_bytes),
            expanded_before_iteration: 0,
            most_bytes,
            copied_bytes: None,
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
        let why = if self.bound.overflowed {
            Some(Stop::CostOverflow)
        } else if self.bound.dead_ends && !self.problem.properties.admissible {
            Some(Stop::Unproved)
        } else {
            None
        };
        let lower_bound = self.stats.layer;
        self.end(why.map_or(Outcome::Unsolvable, |why| Outcome::Stopped { why, lower_bound }))
    }

    /// Goes on with the proof that there is no solution.
    #[cold]
    fn prove(&mut self, expansions: u64) -> Progress {
        let Problem { space, start, .. } = &self.problem;
        let is_proved = self.proof.advance(space, start, &self.signal, expansions);
        if is_proved { self.end(Outcome::Unsolvable) } else { Progress::Running }
    }

    fn begin_iteration(&mut self) -> Progress {
        // A solution within the bound was passed over, so the heuristic has called a state on its path a dead end.
        if self.bound.dead_ends && self.proof.known.is_some_and(|cost| cost < self.bound.cost) {
            return self.exhausted();
        }
        // Without an answer it is to end: the iteration has not begun. Subtree searches use what was learnt, so they
        // come last.
        let Some(copied) = self.copy_tables() else { return Progress::Running };
        let Problem { space, pruning, .. } = &mut self.problem;
        let Some(learnt) = pruning.learn(space, self.stats.expanded + 1, &self.signal) else {
            return Progress::Running;
        };
        if learnt || copied {
            self.work.renew_subtree_searches(&self.problem);
        }
        let expanded_last = self.stats.expanded - self.expanded_before_iteration;
        self.stats.iterations += 1;
        self.expanded_before_iteration = self.stats.expanded;
        self.bound.least_excess = u64::MAX;
        self.work.begin(&self.problem, self.bound.cost, expanded_last, self.is_large());
        self.count();
        if self.problem.properties.admissible {
            self.stats.layer = self.bound.cost;
        }
        // What is left of the trees may be beyond this bound, or nothing at all.
        if self.work.is_through() && !self.bound.raise() {
            return self.exhausted();
        }
        Progress::Layer(self.stats.layer)
    }

    /// Whether the present iteration is large although none came before it: the caller has proved its bound.
    pub(super) fn is_large(&self) -> bool {
        self.stats.iterations == 1 && self.bound.given.is_some()
    }

    /// Copies the heuristic's tables to huge pages once the search proves long; true if it did, `None` if the search is
    /// to end.
    fn copy_tables(&mut self) -> Option<bool> {
        if self.copied_bytes.is_some() || self.stats.expanded < COPY_AFTER {
            return Some(false);
        }
        let most = self.most_bytes.saturating_sub(self.proof.bytes);
        let bytes = copy_to_huge_pages(self.problem.heuristic, most, &mut || self.signal.stop().is_some())?;
        self.copied_bytes = Some(bytes);
        Some(bytes > 0)
    }

    /// Adds up what the walkers say.
    fn count(&mut self) {
        for walker in &mut self.work.walkers {
            self.bound.note(std::mem::replace(&mut walker.least_excess, u64::MAX), walker.dead_ends);
        }
        let Work { trees, walkers, .. } = &self.work;
        self.bound.note(trees.least_excess, trees.dead_ends);
        let Counted { expanded, generated } = self.work.counted();
        let stats = &mut self.stats;
        (stats.expanded, stats.generated, stats.generated_not_closed) = (expanded, generated, generated);
        if walkers.len() > 1 {
            stats.threads = walkers.len() as u64;
        }
        stats.max_frontier = walkers.iter().map(|walker| walker.path.len() as u64).max().unwrap_or(0);
        stats.bytes = self.proof.bytes + self.copied_bytes.unwrap_or(0) + trees.bytes();
        stats.peak_bytes = stats.peak_bytes.max(stats.bytes);
    }

    #[cold]
    fn solved(&mut self, walker: usize, cost: Cost) -> Progress {
        let moves = self.work.walkers[walker].path.iter().map(|step| step.m).collect();
        let guarantee = self.guarantee();
        self.end(Outcome::Solved(Solution { cost, moves, guarantee }))
    }
}

impl<S: StateSpace, H: Heuristic<S>, P: MovePruning<S>> Search<S> for Iterations<'_, S, H, P> {
    fn advance(&mut self, expansions: u64) -> Progress {
        if self.outcome.is_some() {
            return Progress::Ended;
        }
        // The proof is behind only after the search was restored from a snapshot.
        let owed = self.proof.owed(self.stats.expanded);
        if owed > 0 {
            return self.prove(owed.min(MOST_AT_ONCE));
        }
        if self.work.is_through() {
            return self.begin_iteration();
        }
        let found = self.work.walk(&self.problem, self.bound.cost, expansions);
        self.count();
        if let Some((walker, room)) = found {
            return self.solved(walker, self.bound.cost - room);
        }
        if self.work.is_through() && !self.bound.raise() {
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

    fn heed(&mut self, signal: &Signal) {
        self.signal = signal.clone();
    }

    fn best(&self) -> Option<Solution<S::Move>> {
        self.proof.solution.clone()
    }

    fn snapshot(&mut self) -> Option<Snapshot> {
        self.written_down()
    }

    fn restore(&mut self, snapshot: &Snapshot) -> bool {
        self.taken_up(snapshot)
    }

    fn begin_at(&mut self, bound: Cost) {
        if self.problem.properties.admissible && self.stats.iterations == 0 && bound > self.bound.cost {
            (self.bound.cost, self.bound.given) = (bound, Some(bound));
            self.work.walkers[0].depth.be_cautious();
        }
    }

    fn stride(&self) -> u64 {
        self.work.stride()
    }

    fn last_visit(&self) -> Option<Visit<S::Packed>> {
        let walker = self.work.walkers.iter().find(|walker| !walker.is_idle())?;
        let Some(Todo::Walk(here)) = &walker.here else { return None };
        let parent = walker.path.last().map(|step| {
            let mut before = walker.state.clone();
            self.problem.space.undo(&mut before, step.m, step.undo);
            self.problem.space.pack(&before)
        });
        Some(Visit {
            state: self.problem.space.pack(&walker.state),
            parent,
            g: self.bound.cost - here.room,
            h: self.problem.heuristic.estimate(here.eval).units().unwrap_or(0),
            scale: self.problem.heuristic.scale(),
            backward: false,
        })
    }
}
