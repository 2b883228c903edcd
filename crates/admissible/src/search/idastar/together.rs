//! An iteration of IDA* on several threads.
//!
//! Threads live for one call of [`Search::advance`](crate::search::Search::advance) and no longer, some milliseconds. In
//! between the whole search is in one hand: then whoever has nothing left takes over the moves at the top of another's path.
//! So there is nothing to lock, and each state is expanded once, by somebody.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

use super::IdaStar;
use super::walker::{Guide, MOST_AT_ONCE, Walked, Walker};
use crate::heuristic::Heuristic;
use crate::search::spread::Team;
use crate::search::steer::Steer;
use crate::space::{Cost, StateSpace};

/// An iteration is worth the threads if the one before it had so many times the states that have to be at hand for a
/// thread: it is several times as large.
const WORTH_SHARING: u64 = 16;
/// Fewer expansions than this at a time are not worth it.
pub(super) const LEAST: u64 = 4 * MOST_AT_ONCE;
/// Expansions that are, in ticks.
pub(super) const STRIDE: u64 = 64;

impl<S: StateSpace, H: Heuristic<S>, P: Steer<S>> IdaStar<'_, S, H, P> {
    /// Whether all threads are to work on an iteration, given what the one before it took.
    pub(super) fn is_worth_sharing(&self, expanded_last: u64) -> bool {
        // Where somebody else has proved the first bound, the first iteration is not small.
        let begins_large = self.stats.iterations == 1 && self.begins_at.is_some();
        let Team { threads, worth_it, .. } = self.team;
        threads > 1 && (expanded_last >= worth_it.saturating_mul(WORTH_SHARING) || begins_large)
    }

    /// Gives those that have nothing left something to do.
    pub(super) fn share_out(&mut self) {
        while self.walkers.len() < self.team.threads {
            let mut walker = Walker::new(self.start.clone(), self.heuristic.dive(self.space, self.steer.machine()));
            walker.depth = self.walkers[0].depth.clone();
            self.walkers.push(walker);
        }
        for idle in 0..self.walkers.len() {
            if !self.walkers[idle].is_idle() {
                continue;
            }
            let trail = self.waiting.pop().or_else(|| {
                let branches = self.walkers.iter().enumerate();
                let (_, richest) = branches.filter_map(|(at, walker)| Some((walker.first_branch()?, at))).min()?;
                self.walkers[richest].split(self.space, &self.start, self.bound)
            });
            let Some(trail) = trail else { return };
            self.walkers[idle].take(trail);
        }
    }

    /// Every walker has a thread, until one of them has nothing left.
    pub(super) fn walk_together(&mut self, expansions: u64) -> Option<(usize, Cost)> {
        self.share_out();
        self.stats.threads = self.walkers.len() as u64;
        let guide = Guide { space: self.space, heuristic: self.heuristic, steer: &self.steer };
        let shift = Shift { left: AtomicU64::new(expansions), over: AtomicBool::new(false) };
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

/// What the threads of one call share.
struct Shift {
    /// Expansions that may still be made.
    left: AtomicU64,
    over: AtomicBool,
}

impl Shift {
    /// One thread's share: what was left of the bound at a goal, if it came upon one.
    fn walk<'a, S: StateSpace, H: Heuristic<S>, P: Steer<S>>(
        &self,
        walker: &mut Walker<'a, S, H, P>,
        guide: Guide<'a, '_, S, H, P>,
    ) -> Option<Cost> {
        while !self.over.load(Relaxed) {
            let take = |left: u64| (left > 0).then(|| left.saturating_sub(MOST_AT_ONCE));
            let left = self.left.fetch_update(Relaxed, Relaxed, take).ok()?;
            match walker.advance(guide, left.min(MOST_AT_ONCE)) {
                Walked::Partly => {}
                Walked::Through => self.over.store(true, Relaxed),
                Walked::Goal { room } => {
                    self.over.store(true, Relaxed);
                    return Some(room);
                }
            }
        }
        None
    }
}
