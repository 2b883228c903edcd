//! The work of an iteration, on one thread or several.
//!
//! The tree below the start is cut into trees; a walker takes one after the other. Threads live for one call of
//! [`Search::advance`](crate::search::Search::advance) and no longer, some milliseconds. In between the whole search is
//! in one hand: then a walker that has nothing left takes over the moves at the top of another's path. So there is
//! nothing to lock but the list of trees that are left, and each state is expanded once, by one of them.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::trees::{Next, Trees};
use super::walker::{Guide, LEAST_FOR_SUBTREES, MOST_AT_ONCE, Trail, Walked, Walker};
use crate::heuristic::{Heuristic, Properties};
use crate::search::hdastar::Team;
use crate::search::move_pruning::MovePruning;
use crate::search::subtree::subtree_search;
use crate::space::{Cost, StateSpace};

/// An iteration is worth the threads if the one before it had so many times the states that have to be at hand for a
/// thread: it is several times as large.
const WORTH_SHARING: u64 = 16;
/// Fewer expansions than this at a time are not worth it.
const LEAST: u64 = 4 * MOST_AT_ONCE;
/// Expansions that are, in ticks.
const STRIDE: u64 = 64;

/// A tree is cut that takes more than such a part of an iteration, but not if it takes fewer expansions than the
/// second.
const MOST_TREES: (u64, u64) = (1 << 14, 1 << 7);
/// The same where trees are searched in piles, which small trees would not fill.
const MOST_PILES: (u64, u64) = (1 << 10, 1 << 13);

/// What is searched, and by what.
pub(super) struct Problem<'a, S: StateSpace, H, P> {
    pub(super) space: &'a S,
    pub(super) heuristic: &'a H,
    pub(super) pruning: P,
    pub(super) start: S::State,
    pub(super) properties: Properties,
}

impl<'a, S: StateSpace, H, P> Problem<'a, S, H, P> {
    pub(super) fn guide(&self) -> Guide<'a, '_, S, H, P> {
        Guide { space: self.space, heuristic: self.heuristic, pruning: &self.pruning }
    }
}

/// The walkers, and the trees and paths that are left for them in this iteration.
pub(super) struct Work<'a, S: StateSpace, H: Heuristic<S>, P: MovePruning<S>> {
    /// One for each thread; the first is the only one until an iteration is worth more.
    pub(super) walkers: Vec<Walker<'a, S, H, P>>,
    /// The trees of this iteration that no walker has begun, and those that one has.
    pub(super) trees: Trees<S::Move, H::Eval>,
    /// Paths with moves that are left to try in trees that were begun.
    pub(super) waiting: Vec<Trail<S, H::Eval, P::Memory>>,
    team: Team,
    /// Whether all threads work on this iteration.
    pub(super) is_shared: bool,
    /// Whether trees may be searched in another order than that of their moves.
    may_reorder: bool,
    /// Expansions and successors of an earlier run, which no walker has counted.
    pub(super) earlier: Counted,
}

/// Expansions and successors.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Counted {
    pub(super) expanded: u64,
    pub(super) generated: u64,
}

impl<'a, S: StateSpace, H: Heuristic<S>, P: MovePruning<S>> Work<'a, S, H, P> {
    pub(super) fn new(problem: &Problem<'a, S, H, P>, team: Team, may_reorder: bool, trees_bytes: u64) -> Self {
        let Problem { space, heuristic, pruning, start, .. } = problem;
        let subtree = subtree_search(*space, *heuristic, pruning.automaton());
        Work {
            walkers: vec![Walker::new(start.clone(), subtree)],
            trees: Trees::new(heuristic.evaluate(space, start), trees_bytes),
            waiting: Vec::new(),
            team,
            is_shared: false,
            may_reorder,
            earlier: Counted::default(),
        }
    }

    /// Whether all threads are to work on an iteration, given what the one before it took, or that it is large for
    /// another reason.
    pub(super) fn is_worth_sharing(&self, expanded_last: u64, is_large: bool) -> bool {
        let Team { threads, worth_it, .. } = self.team;
        threads > 1 && (expanded_last >= worth_it.saturating_mul(WORTH_SHARING) || is_large)
    }

    /// By how much more than usual the search wants to be asked for at a time.
    pub(super) fn stride(&self) -> u64 {
        if self.is_shared { STRIDE * self.team.threads.next_power_of_two() as u64 } else { 1 }
    }

    /// Gives every walker a subtree search anew, since the automaton or the tables have changed.
    pub(super) fn renew_subtree_searches(&mut self, problem: &Problem<'a, S, H, P>) {
        for walker in &mut self.walkers {
            walker.subtree = subtree_search(problem.space, problem.heuristic, problem.pruning.automaton());
        }
    }

    /// Begins an iteration after one that took so many expansions.
    pub(super) fn begin(&mut self, problem: &Problem<'a, S, H, P>, bound: Cost, expanded_last: u64, is_large: bool) {
        self.is_shared = self.is_worth_sharing(expanded_last, is_large);
        for walker in &mut self.walkers {
            walker.depth.begin(expanded_last);
        }
        self.trees.begin(self.cut_above(expanded_last));
        if let Some(Next::Tree(trail) | Next::Cut(trail)) = self.next_tree(problem, bound) {
            self.walkers[0].take(trail);
        }
    }

    /// Trees that took more than this in the last iteration are to be cut.
    fn cut_above(&self, expanded_last: u64) -> u64 {
        let in_piles = self.walkers[0].subtree.as_ref().is_some_and(|subtree| subtree.is_in_piles());
        let (most, least) = if in_piles { MOST_PILES } else { MOST_TREES };
        if self.may_reorder { (expanded_last / most).max(least) } else { u64::MAX }
    }

    /// Takes the next tree of this iteration, or cuts it; `None` if there is none. Either expands one state.
    fn next_tree(&mut self, problem: &Problem<'a, S, H, P>, bound: Cost) -> Option<Next<S, H::Eval, P::Memory>> {
        self.trees.next(problem.guide(), &problem.start, bound)
    }

    /// Whether nothing is left to do in this iteration, or none has begun.
    pub(super) fn is_through(&self) -> bool {
        self.waiting.is_empty() && self.trees.ahead.is_empty() && self.walkers.iter().all(Walker::is_idle)
    }

    /// What was expanded and generated in all.
    pub(super) fn counted(&self) -> Counted {
        let Counted { expanded, generated } = self.earlier;
        Counted {
            expanded: expanded + self.trees.expanded + self.walkers.iter().map(|walker| walker.expanded).sum::<u64>(),
            generated: generated
                + self.trees.generated
                + self.walkers.iter().map(|walker| walker.generated).sum::<u64>(),
        }
    }

    /// Goes on with the iteration: the walker that came upon a goal, if one did, and what was left of the bound.
    pub(super) fn walk(
        &mut self,
        problem: &Problem<'a, S, H, P>,
        bound: Cost,
        expansions: u64,
    ) -> Option<(usize, Cost)> {
        if self.is_shared && expansions >= LEAST {
            return self.walk_together(problem, bound, expansions);
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
                match self.next_tree(problem, bound)? {
                    Next::Cut(_) if left > 0 => {}
                    // A caller that asks for one expansion at a time wants to see each of them.
                    Next::Cut(trail) | Next::Tree(trail) => self.walkers[0].take(trail),
                }
                continue;
            };
            let walker = &mut self.walkers[at];
            let before = walker.expanded;
            match walker.advance(problem.guide(), left, in_steps) {
                Walked::Goal { room } => return Some((at, room)),
                Walked::Partly => return None,
                Walked::Through => self.trees.note(walker.tree, walker.reached),
            }
            // Work that turned out to be void is taken off what was expanded.
            left = left.saturating_sub(walker.expanded.saturating_sub(before));
        }
        None
    }

    /// Gives walkers that have nothing left something to do, which may take some of the expansions.
    fn share_out(&mut self, problem: &Problem<'a, S, H, P>, bound: Cost, left: &mut u64) {
        while self.walkers.len() < self.team.threads {
            let subtree = subtree_search(problem.space, problem.heuristic, problem.pruning.automaton());
            let mut walker = Walker::new(problem.start.clone(), subtree);
            walker.depth = self.walkers[0].depth.clone();
            self.walkers.push(walker);
        }
        for idle in 0..self.walkers.len() {
            if !self.walkers[idle].is_idle() {
                continue;
            }
            let trail = self.waiting.pop().or_else(|| self.walk_to_next_tree(problem, bound, left)).or_else(|| {
                let branches = self.walkers.iter().enumerate();
                let (_, richest) = branches.filter_map(|(at, walker)| Some((walker.first_branch()?, at))).min()?;
                self.walkers[richest].split(problem.guide(), &problem.start, bound)
            });
            let Some(trail) = trail else { return };
            self.walkers[idle].take(trail);
        }
    }

    /// The way to the next tree, with its top expanded, if the expansions are enough.
    fn walk_to_next_tree(
        &mut self,
        problem: &Problem<'a, S, H, P>,
        bound: Cost,
        left: &mut u64,
    ) -> Option<Trail<S, H::Eval, P::Memory>> {
        while *left > 0 {
            let next = self.next_tree(problem, bound)?;
            *left -= 1;
            if let Next::Tree(trail) = next {
                return Some(trail);
            }
        }
        None
    }

    /// Every walker has a thread, until one of them has nothing left.
    fn walk_together(
        &mut self,
        problem: &Problem<'a, S, H, P>,
        bound: Cost,
        mut expansions: u64,
    ) -> Option<(usize, Cost)> {
        self.share_out(problem, bound, &mut expansions);
        let guide = problem.guide();
        let supply = Mutex::new(Supply { trees: &mut self.trees, start: problem.start.clone() });
        let shift = Shift { supply, bound, left: AtomicU64::new(expansions), over: AtomicBool::new(false) };
        let shift = &shift;
        let mut working = self.walkers.iter_mut().enumerate().filter(|(_, walker)| !walker.is_idle());
        let (first, walker) = working.next()?;
        std::thread::scope(|scope| {
            let others: Vec<_> =
                working.map(|(at, walker)| (at, scope.spawn(move || shift.walk(walker, guide)))).collect();
            let mut found = shift.walk(walker, guide).map(|room| (first, room));
            for (at, thread) in others {
                let room = thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
                found = found.or(room.map(|room| (at, room)));
            }
            found
        })
    }
}

/// The trees that nobody walks through yet, and where the ways to them start.
struct Supply<'t, S: StateSpace, E> {
    trees: &'t mut Trees<S::Move, E>,
    start: S::State,
}

/// What the threads of one call share.
struct Shift<'t, S: StateSpace, E> {
    supply: Mutex<Supply<'t, S, E>>,
    bound: Cost,
    /// Expansions that may still be made.
    left: AtomicU64,
    over: AtomicBool,
}

impl<'t, S: StateSpace, E: Copy> Shift<'t, S, E> {
    fn supply(&self) -> MutexGuard<'_, Supply<'t, S, E>> {
        self.supply.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// One thread's share: what was left of the bound at a goal, if it came upon one.
    fn walk<'a, H: Heuristic<S, Eval = E>, P: MovePruning<S>>(
        &self,
        walker: &mut Walker<'a, S, H, P>,
        guide: Guide<'a, '_, S, H, P>,
    ) -> Option<Cost> {
        let mut left = 0;
        while !self.over.load(Relaxed) {
            if left == 0 {
                let take = |left: u64| (left > 0).then(|| left.saturating_sub(MOST_AT_ONCE));
                left = self.left.fetch_update(Relaxed, Relaxed, take).ok()?.min(MOST_AT_ONCE);
            }
            if walker.is_idle() {
                left -= 1;
                let Supply { trees, start } = &mut *self.supply();
                match trees.next(guide, start, self.bound) {
                    Some(Next::Cut(_)) => {}
                    Some(Next::Tree(trail)) => walker.take(trail),
                    None => self.over.store(true, Relaxed),
                }
                continue;
            }
            let before = walker.expanded;
            match walker.advance(guide, left, false) {
                Walked::Partly => {}
                Walked::Through => self.supply().trees.note(walker.tree, walker.reached),
                Walked::Goal { room } => {
                    self.over.store(true, Relaxed);
                    return Some(room);
                }
            }
            // Work that turned out to be void is taken off what was expanded.
            left = left.saturating_sub(walker.expanded.saturating_sub(before));
        }
        None
    }
}
