//! The iterations of IDA*: one bound after the other, and the proof that runs beside them.

use super::IdaStar;
use super::descent::Todo;
use super::snapshot::Snapshot;
use super::together;
use super::trees::{Next, Trees};
use super::walker::{Guide, LEAST_FOR_SUBTREES, MOST_AT_ONCE, Trail, Walked, Walker};
use crate::heuristic::{HasTables, Heuristic, HeuristicVisitor, Properties};
use crate::search::bfs::{Bfs, bfs};
use crate::search::hdastar::Team;
use crate::search::move_pruning::MovePruning;
use crate::search::report::{Guarantee, Limits, Outcome, Solution, Stats, Stop};
use crate::search::signal::Signal;
use crate::search::subtree::subtree_search;
use crate::search::{Progress, Search, Visit};
use crate::space::{Cost, StateSpace};

/// Expansions before the search for a proof of unsolvability begins: by then most solvable instances are solved.
const PROOF_AFTER: u64 = 1 << 22;
/// One expansion for the proof in so many.
const PROOF_SHARE: u64 = 8;
/// What the proof may hold, unless the limit on memory is tighter.
const PROOF_BYTES: u64 = 1 << 30;

/// A tree is cut that takes more than such a part of an iteration, but not if it takes fewer expansions than the
/// second.
const MOST_TREES: (u64, u64) = (1 << 14, 1 << 7);
/// The same where trees are walked through in piles, which small trees would not fill.
const MOST_PILES: (u64, u64) = (1 << 10, 1 << 13);

/// Of the memory limit, trees may have such a part: they are some megabytes.
const TREES_SHARE: u64 = 8;

/// Expansions after which more of them are to be expected than it takes to bring a heuristic's tables into a better
/// place.
const COPY_AFTER: u64 = 1 << 28;

/// IDA* under way.
pub(super) struct Iterations<'a, S: StateSpace, H: Heuristic<S>, P: MovePruning<S>> {
    pub(super) space: &'a S,
    pub(super) heuristic: &'a H,
    pub(super) pruning: P,
    /// Whether trees may be searched in another order than that of their moves.
    pub(super) may_reorder: bool,
    pub(super) properties: Properties,
    pub(super) start: S::State,
    /// One for each thread; the first is the only one until an iteration is worth more.
    pub(super) walkers: Vec<Walker<'a, S, H, P>>,
    /// The trees of this iteration that nobody has begun to walk through, and those that somebody has.
    pub(super) trees: Trees<S::Move, H::Eval>,
    /// What somebody has to do yet in trees that were begun.
    pub(super) waiting: Vec<Trail<S, H::Eval, P::Memory>>,
    pub(super) team: Team,
    /// The first bound, if somebody else has proved it.
    pub(super) begins_at: Option<Cost>,
    /// Whether all threads work on this iteration.
    pub(super) together: bool,
    pub(super) bound: Cost,
    /// What the walks through this iteration have found out that are over and done with.
    pub(super) least_excess: u64,
    pub(super) dead_ends: bool,
    /// Expansions and successors that no walker has counted.
    pub(super) expanded_beside: u64,
    pub(super) generated_beside: u64,
    pub(super) expanded_before_iteration: u64,
    pub(super) overflowed: bool,
    pub(super) proof: Proof<'a, S>,
    pub(super) proof_bytes: u64,
    /// What proof and heuristic may take together.
    pub(super) most_bytes: u64,
    /// What the heuristic took for itself when the search had lasted.
    pub(super) copied_bytes: Option<u64>,
    /// The cost of a solution that the proof came upon, and the solution unless that was in an earlier run.
    pub(super) known: Option<Cost>,
    pub(super) best: Option<Solution<S::Move>>,
    pub(super) signal: Signal,
    pub(super) stats: Stats,
    pub(super) outcome: Option<Outcome<S::Move>>,
}

/// The breadth-first search that may prove that there is no solution.
pub(super) enum Proof<'a, S: StateSpace> {
    NotNeeded,
    Later(Limits),
    Running(Box<Bfs<'a, S>>, Limits),
}

impl<'a, S: StateSpace, H: Heuristic<S>, P: MovePruning<S>> Iterations<'a, S, H, P> {
    pub(super) fn new(door: IdaStar<'a, S, H>, start: S::State, pruning: P) -> Self {
        let IdaStar { space, heuristic, limits, team, is_pruned, is_solvable } = door;
        let eval = heuristic.evaluate(space, &start);
        let bound = heuristic.estimate(eval).rounded_up(H::SCALE);
        let all_bytes = limits.bytes.unwrap_or(u64::MAX);
        let trees_bytes = all_bytes / TREES_SHARE;
        let most_bytes = all_bytes - trees_bytes;
        let proof = match is_solvable {
            true => Proof::NotNeeded,
            false => Proof::Later(Limits { bytes: Some(most_bytes.min(PROOF_BYTES)), ..limits }),
        };
        let subtree = subtree_search(space, heuristic, pruning.automaton());
        let mut search = Iterations {
            space,
            heuristic,
            properties: heuristic.properties(space),
            walkers: vec![Walker::new(start.clone(), subtree)],
            trees: Trees::new(eval, trees_bytes),
            waiting: Vec::new(),
            team,
            begins_at: None,
            together: false,
            start,
            pruning,
            may_reorder: is_pruned,
            bound: bound.unwrap_or(0),
            least_excess: u64::MAX,
            dead_ends: false,
            expanded_beside: 0,
            generated_beside: 0,
            expanded_before_iteration: 0,
            overflowed: false,
            proof,
            proof_bytes: 0,
            most_bytes,
            copied_bytes: None,
            known: None,
            best: None,
            signal: Signal::default(),
            stats: Stats::default(),
            outcome: None,
        };
        if bound.is_none() {
            search.dead_ends = true;
            search.exhausted();
        } else if space.is_goal(&search.start) {
            let guarantee = search.guarantee();
            search.outcome = Some(Outcome::Solved(Solution { cost: 0, moves: Vec::new(), guarantee }));
        }
        search
    }

    fn guarantee(&self) -> Guarantee {
        if self.properties.admissible { Guarantee::Optimal } else { Guarantee::None }
    }

    #[cold]
    fn exhausted(&mut self) -> Progress {
        let why = if self.overflowed {
            Some(Stop::CostOverflow)
        } else if self.dead_ends && !self.properties.admissible {
            Some(Stop::Unproved)
        } else {
            None
        };
        self.stats.expanded_before_last_layer = self.expanded_before_iteration;
        self.outcome =
            Some(why.map_or(Outcome::Unsolvable, |why| Outcome::Stopped { why, lower_bound: self.stats.layer }));
        Progress::Ended
    }

    /// How many expansions the proof is behind. It has its share of every [`MOST_AT_ONCE`] expansions, so that the same
    /// search ends at the same state however it is asked for them.
    fn proof_is_owed(&self) -> u64 {
        let whole = self.stats.expanded / MOST_AT_ONCE * MOST_AT_ONCE;
        let share = whole.saturating_sub(PROOF_AFTER) / PROOF_SHARE;
        match &self.proof {
            Proof::NotNeeded => 0,
            Proof::Later(_) => share,
            Proof::Running(proof, _) => share.saturating_sub(proof.stats().expanded),
        }
    }

    /// Goes on with the proof; true if there is no solution.
    #[cold]
    fn prove(&mut self, expansions: u64) -> bool {
        if let Proof::Later(limits) = self.proof {
            self.proof = Proof::Running(Box::new(bfs(self.space, self.start.clone(), &limits)), limits);
        }
        let Proof::Running(proof, limits) = &mut self.proof else { return false };
        proof.heed(&self.signal);
        let until = proof.stats().expanded + expansions;
        while proof.outcome().is_none() && proof.stats().expanded < until {
            proof.advance(until - proof.stats().expanded);
        }
        self.proof_bytes = proof.stats().bytes;
        match proof.outcome() {
            None => false,
            Some(Outcome::Unsolvable) => true,
            // The whole search is to end; if it is taken up again, so is the proof.
            Some(Outcome::Stopped { why: Stop::Time | Stop::Interrupted, .. }) => {
                self.proof = Proof::Later(*limits);
                false
            }
            // There is a goal, or the space is too large to tell.
            Some(outcome) => {
                self.known = outcome.cost();
                self.best = outcome.solution().cloned();
                self.proof = Proof::NotNeeded;
                self.proof_bytes = 0;
                false
            }
        }
    }

    #[cold]
    fn proved_unsolvable(&mut self) -> Progress {
        self.stats.expanded_before_last_layer = self.expanded_before_iteration;
        self.outcome = Some(Outcome::Unsolvable);
        Progress::Ended
    }

    fn begin_iteration(&mut self) -> Progress {
        // A solution within the bound was passed over, so the heuristic has called a state on its path a dead end.
        if self.dead_ends && self.known.is_some_and(|cost| cost < self.bound) {
            return self.exhausted();
        }
        // Without an answer it is to end: the iteration has not begun. What was learnt has to reach the subtree
        // searches, so that comes last.
        let Some(copied) = self.copy_tables() else { return Progress::Running };
        let learnt = self.pruning.learn(self.space, self.stats.expanded + 1, &self.signal);
        let Some(learnt) = learnt else { return Progress::Running };
        if learnt || copied {
            for walker in &mut self.walkers {
                walker.subtree = subtree_search(self.space, self.heuristic, self.pruning.automaton());
            }
        }
        let expanded_last = self.stats.expanded - self.expanded_before_iteration;
        self.stats.iterations += 1;
        self.expanded_before_iteration = self.stats.expanded;
        self.least_excess = u64::MAX;
        self.together = self.is_worth_sharing(expanded_last);
        for walker in &mut self.walkers {
            walker.depth.begin(expanded_last);
        }
        self.trees.begin(self.cut_above(expanded_last));
        if let Some(Next::Tree(trail) | Next::Cut(trail)) = self.next_tree() {
            self.walkers[0].take(trail);
        }
        self.count();
        if self.properties.admissible {
            self.stats.layer = self.bound;
        }
        // What is left of the trees may be beyond this bound, or nothing at all.
        if self.is_through() && !self.raise_bound() {
            return self.exhausted();
        }
        Progress::Layer(self.stats.layer)
    }

    /// Trees that took more than this in the last iteration are to be cut.
    fn cut_above(&self, expanded_last: u64) -> u64 {
        let in_piles = self.walkers[0].subtree.as_ref().is_some_and(|subtree| subtree.is_in_piles());
        let (most, least) = if in_piles { MOST_PILES } else { MOST_TREES };
        if self.may_reorder { (expanded_last / most).max(least) } else { u64::MAX }
    }

    /// Takes the next tree of this iteration, or cuts it; `None` if there is none. Either expands one state.
    pub(super) fn next_tree(&mut self) -> Option<Next<S, H::Eval, P::Memory>> {
        let guide = Guide { space: self.space, heuristic: self.heuristic, pruning: &self.pruning };
        self.trees.next(guide, &self.start, self.bound)
    }

    /// Copies the heuristic's tables to huge pages once the search proves long; true if it did, `None` if the search is
    /// to end.
    fn copy_tables(&mut self) -> Option<bool> {
        if self.copied_bytes.is_some() || self.stats.expanded < COPY_AFTER {
            return Some(false);
        }
        let most = self.most_bytes.saturating_sub(self.proof_bytes);
        let bytes = copy_to_huge_pages(self.heuristic, most, &mut || self.signal.stop().is_some())?;
        self.copied_bytes = Some(bytes);
        Some(bytes > 0)
    }

    /// After an iteration: false if there is nothing beyond its bound.
    fn raise_bound(&mut self) -> bool {
        let Ok(bound) = Cost::try_from(u64::from(self.bound).saturating_add(self.least_excess)) else {
            // A bound above the largest cost would let paths in whose cost does not fit.
            self.overflowed = self.least_excess < u64::MAX;
            return false;
        };
        self.bound = bound;
        true
    }

    /// Whether nothing is left to do in this iteration, or none has begun.
    fn is_through(&self) -> bool {
        self.waiting.is_empty() && self.trees.ahead.is_empty() && self.walkers.iter().all(Walker::is_idle)
    }

    /// Goes on with the iteration: the walker that came upon a goal, if one did, and what was left of the bound.
    fn walk(&mut self, expansions: u64) -> Option<(usize, Cost)> {
        if self.together && expansions >= together::LEAST {
            return self.walk_together(expansions);
        }
        let in_steps = expansions < LEAST_FOR_SUBTREES;
        let mut left = expansions.min(MOST_AT_ONCE);
        while left > 0 {
            let Some(at) = self.walkers.iter().position(|walker| !walker.is_idle()) else {
                if let Some(trail) = self.waiting.pop() {
                    self.walkers[0].take(trail);
                    continue;
                }
                left -= 1;
                match self.next_tree()? {
                    Next::Cut(_) if left > 0 => {}
                    // Whoever asks for one expansion at a time wants to see each of them.
                    Next::Cut(trail) | Next::Tree(trail) => self.walkers[0].take(trail),
                }
                continue;
            };
            let guide = Guide { space: self.space, heuristic: self.heuristic, pruning: &self.pruning };
            let walker = &mut self.walkers[at];
            let before = walker.expanded;
            match walker.advance(guide, left, in_steps) {
                Walked::Goal { room } => return Some((at, room)),
                Walked::Partly => return None,
                Walked::Through => self.trees.note(walker.tree, walker.reached),
            }
            // Work that turned out to be void is taken off what was expanded.
            left = left.saturating_sub(walker.expanded.saturating_sub(before));
        }
        None
    }

    /// Adds up what the walkers say.
    fn count(&mut self) {
        let walkers = &mut self.walkers;
        for walker in walkers.iter_mut() {
            self.least_excess = self.least_excess.min(std::mem::replace(&mut walker.least_excess, u64::MAX));
            self.dead_ends |= walker.dead_ends;
        }
        self.least_excess = self.least_excess.min(self.trees.least_excess);
        self.dead_ends |= self.trees.dead_ends;
        let stats = &mut self.stats;
        stats.expanded =
            self.expanded_beside + self.trees.expanded + walkers.iter().map(|walker| walker.expanded).sum::<u64>();
        stats.generated =
            self.generated_beside + self.trees.generated + walkers.iter().map(|walker| walker.generated).sum::<u64>();
        stats.generated_not_closed = stats.generated;
        stats.max_frontier = walkers.iter().map(|walker| walker.path.len() as u64).max().unwrap_or(0);
        stats.bytes = self.proof_bytes + self.copied_bytes.unwrap_or(0) + self.trees.bytes();
        stats.peak_bytes = stats.peak_bytes.max(stats.bytes);
    }

    #[cold]
    fn solved(&mut self, walker: usize, cost: Cost) -> Progress {
        let moves = self.walkers[walker].path.iter().map(|step| step.m).collect();
        self.stats.expanded_before_last_layer = self.expanded_before_iteration;
        self.outcome = Some(Outcome::Solved(Solution { cost, moves, guarantee: self.guarantee() }));
        Progress::Ended
    }
}

impl<S: StateSpace, H: Heuristic<S>, P: MovePruning<S>> Search<S> for Iterations<'_, S, H, P> {
    fn advance(&mut self, expansions: u64) -> Progress {
        if self.outcome.is_some() {
            return Progress::Ended;
        }
        // Behind is the proof only after the search was taken up from a snapshot.
        let owed = self.proof_is_owed();
        if owed > 0 {
            return if self.prove(owed.min(MOST_AT_ONCE)) { self.proved_unsolvable() } else { Progress::Running };
        }
        if self.is_through() {
            return self.begin_iteration();
        }
        let found = self.walk(expansions);
        self.count();
        if let Some((walker, room)) = found {
            return self.solved(walker, self.bound - room);
        }
        if self.is_through() && !self.raise_bound() {
            return self.exhausted();
        }
        let owed = self.proof_is_owed();
        if owed > 0 && self.prove(owed) { self.proved_unsolvable() } else { Progress::Running }
    }

    fn stats(&self) -> Stats {
        self.stats
    }

    fn outcome(&self) -> Option<&Outcome<S::Move>> {
        self.outcome.as_ref()
    }

    fn stop(&mut self, why: Stop) {
        if self.outcome.is_some() {
            return;
        }
        self.stats.expanded_before_last_layer = self.expanded_before_iteration;
        self.outcome = Some(Outcome::Stopped { why, lower_bound: self.stats.layer });
    }

    fn heed(&mut self, signal: &Signal) {
        self.signal = signal.clone();
    }

    fn best(&self) -> Option<Solution<S::Move>> {
        self.best.clone()
    }

    fn snapshot(&mut self) -> Option<Snapshot> {
        self.written_down()
    }

    fn restore(&mut self, snapshot: &Snapshot) -> bool {
        self.taken_up(snapshot)
    }

    fn begin_at(&mut self, bound: Cost) {
        if self.properties.admissible && self.stats.iterations == 0 && bound > self.bound {
            self.bound = bound;
            self.begins_at = Some(bound);
            self.walkers[0].depth.be_cautious();
        }
    }

    fn stride(&self) -> u64 {
        if self.together { together::STRIDE * self.team.threads.next_power_of_two() as u64 } else { 1 }
    }

    fn last_visit(&self) -> Option<Visit<S::Packed>> {
        let walker = self.walkers.iter().find(|walker| !walker.is_idle())?;
        let Some(Todo::Walk(here)) = &walker.here else { return None };
        let parent = walker.path.last().map(|step| {
            let mut before = walker.state.clone();
            self.space.undo(&mut before, step.m, step.undo);
            self.space.pack(&before)
        });
        Some(Visit {
            state: self.space.pack(&walker.state),
            parent,
            g: self.bound - here.room,
            h: self.heuristic.estimate(here.eval).units().unwrap_or(0),
            scale: H::SCALE,
            backward: false,
        })
    }
}

/// [`HasTables::copy_to_huge_pages`] of a heuristic that has tables; 0 bytes for others.
fn copy_to_huge_pages<S: StateSpace, H: Heuristic<S>>(
    heuristic: &H,
    most: u64,
    stop: &mut dyn FnMut() -> bool,
) -> Option<u64> {
    struct Copy<'v> {
        most: u64,
        stop: &'v mut dyn FnMut() -> bool,
        copied: Option<u64>,
    }
    impl<'a, S: StateSpace, H: Heuristic<S>> HeuristicVisitor<'a, S, H> for Copy<'_> {
        fn tables(self, heuristic: &'a H) -> Self
        where
            H: HasTables,
        {
            let copied = heuristic.copy_to_huge_pages(self.most, self.stop);
            Copy { copied, ..self }
        }
    }
    heuristic.abilities(Copy { most, stop, copied: Some(0) }).copied
}
