//! An iteration of IDA* on several threads.
//!
//! Threads live for one call of [`Search::advance`](crate::search::Search::advance) and no longer, some milliseconds.
//! In between the whole search is in one hand: then whoever has nothing left takes over the moves at the top of
//! another's path. So there is nothing to lock but the list of trees that are left, and each state is expanded once, by
//! somebody.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::iterations::Iterations;
use super::trees::{Next, Trees};
use super::walker::{Guide, MOST_AT_ONCE, Trail, Walked, Walker};
use crate::heuristic::Heuristic;
use crate::search::hdastar::Team;
use crate::search::move_pruning::MovePruning;
use crate::search::subtree::subtree_search;
use crate::space::{Cost, StateSpace};

/// An iteration is worth the threads if the one before it had so many times the states that have to be at hand for a
/// thread: it is several times as large.
const WORTH_SHARING: u64 = 16;
/// Fewer expansions than this at a time are not worth it.
pub(super) const LEAST: u64 = 4 * MOST_AT_ONCE;
/// Expansions that are, in ticks.
pub(super) const STRIDE: u64 = 64;

impl<S: StateSpace, H: Heuristic<S>, P: MovePruning<S>> Iterations<'_, S, H, P> {
    /// Whether all threads are to work on an iteration, given what the one before it took.
    pub(super) fn is_worth_sharing(&self, expanded_last: u64) -> bool {
        // Where somebody else has proved the first bound, the first iteration is not small.
        let begins_large = self.stats.iterations == 1 && self.begins_at.is_some();
        let Team { threads, worth_it, .. } = self.team;
        threads > 1 && (expanded_last >= worth_it.saturating_mul(WORTH_SHARING) || begins_large)
    }

    /// Gives those that have nothing left something to do, which may take some of the expansions.
    pub(super) fn share_out(&mut self, left: &mut u64) {
        while self.walkers.len() < self.team.threads {
            let mut walker =
                Walker::new(self.start.clone(), subtree_search(self.space, self.heuristic, self.pruning.automaton()));
            walker.depth = self.walkers[0].depth.clone();
            self.walkers.push(walker);
        }
        for idle in 0..self.walkers.len() {
            if !self.walkers[idle].is_idle() {
                continue;
            }
            let trail = self.waiting.pop().or_else(|| self.walk_to_next_tree(left)).or_else(|| {
                let branches = self.walkers.iter().enumerate();
                let (_, richest) = branches.filter_map(|(at, walker)| Some((walker.first_branch()?, at))).min()?;
                let guide = Guide { space: self.space, heuristic: self.heuristic, pruning: &self.pruning };
                self.walkers[richest].split(guide, &self.start, self.bound)
            });
            let Some(trail) = trail else { return };
            self.walkers[idle].take(trail);
        }
    }

    /// The way to the next tree, with its top expanded, if the expansions are enough.
    fn walk_to_next_tree(&mut self, left: &mut u64) -> Option<Trail<S, H::Eval, P::Memory>> {
        while *left > 0 {
            let next = self.next_tree()?;
            *left -= 1;
            if let Next::Tree(trail) = next {
                return Some(trail);
            }
        }
        None
    }

    /// Every walker has a thread, until one of them has nothing left.
    pub(super) fn walk_together(&mut self, mut expansions: u64) -> Option<(usize, Cost)> {
        self.share_out(&mut expansions);
        self.stats.threads = self.walkers.len() as u64;
        let guide = Guide { space: self.space, heuristic: self.heuristic, pruning: &self.pruning };
        let supply = Mutex::new(Supply { trees: &mut self.trees, start: self.start.clone() });
        let shift = Shift { supply, bound: self.bound, left: AtomicU64::new(expansions), over: AtomicBool::new(false) };
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
