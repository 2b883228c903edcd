//! Whole subtrees at a time.
//!
//! A walk through a tree takes one state after the other, and each waits for the one before it. Where many states of one
//! kind are at hand a processor can work on several of them at once, and fetch from memory for some while it works on
//! others. So IDA* hands the trees near the leaves to a [`Dive`], if the heuristic has one: in whatever order it likes, it
//! expands exactly the states that the walk would, and counts them. Only if there is a goal in the tree is the work thrown
//! away, and the walk goes on inside with smaller dives: then counts and solution are those of the walk.

use crate::pruning::Mark;
use crate::space::{Cost, StateSpace};

/// Goes through the tree below a state, within a bound, in an order of its own.
pub trait Dive<S: StateSpace, E> {
    /// Begins at a state; false if it cannot go through that tree.
    fn begin(&mut self, top: Top<'_, S, E>) -> bool;
    /// Goes on with at most so many expansions.
    fn advance(&mut self, expansions: u64) -> Dived;
    /// What it took since it began.
    fn tally(&self) -> Tally;
}

/// Where a dive begins.
#[derive(Debug)]
pub struct Top<'a, S: StateSpace, E> {
    /// The state, which is no goal.
    pub state: &'a S::State,
    /// The move that led to it.
    pub came_by: S::Move,
    /// The mark after that move; 0 for a search without a machine.
    pub mark: Mark,
    /// What the heuristic has found there.
    pub eval: E,
    /// What the bound leaves for the rest of the path: at least the estimate.
    pub room: Cost,
}

/// How far a dive is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Dived {
    /// There is more to do.
    Partly,
    /// Through: there is no goal within the bound.
    Through,
    /// There is a goal.
    Goal,
}

/// What a dive took.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Tally {
    /// States expanded, the first one among them.
    pub expanded: u64,
    /// Their successors.
    pub generated: u64,
    /// By how much the cheapest path that was cut off exceeds the bound; `u64::MAX` if none was.
    pub least_excess: u64,
}

impl Default for Tally {
    fn default() -> Self {
        Tally { expanded: 0, generated: 0, least_excess: u64::MAX }
    }
}

/// Chooses where to dive: at states with so much room that their trees are worth it, and fit into the caches.
#[derive(Debug)]
pub(super) struct Depth {
    /// Dives begin at states with less room than this.
    below: Cost,
    dives: u64,
    expanded: u64,
}

/// What a dive should take on average.
const AIM: u64 = 1 << 17;
/// Dives to look at before a change.
const TRIALS: u64 = 8;

impl Depth {
    /// The first dives begin near the leaves; none at all where there is nobody to dive.
    pub(super) fn new(possible: bool) -> Self {
        Depth { below: if possible { FIRST_ROOM } else { 0 }, dives: 0, expanded: 0 }
    }

    #[inline]
    pub(super) fn is_deep_enough(&self, room: Cost) -> bool {
        room < self.below
    }

    /// Learns what a dive took.
    #[cold]
    pub(super) fn learn(&mut self, expanded: u64) {
        self.dives += 1;
        self.expanded += expanded;
        if self.dives < TRIALS && self.expanded < TRIALS * AIM {
            return;
        }
        let average = self.expanded / self.dives;
        if average < AIM / 2 {
            self.below += 1;
        } else if average > 2 * AIM {
            self.below = (self.below - 1).max(1);
        }
        (self.dives, self.expanded) = (0, 0);
    }
}

/// The room of the first dives.
const FIRST_ROOM: Cost = 16;
