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
pub trait Dive<S: StateSpace, E>: Send {
    /// Begins at a state; false if it cannot go through that tree.
    fn begin(&mut self, top: Top<'_, S, E>) -> bool;
    /// Goes on with at most so many expansions.
    fn advance(&mut self, expansions: u64) -> Dived;
    /// What it took since it began.
    fn tally(&self) -> Tally;
    /// What the bound left at the farthest state that was expanded since it began, for dives that know that: always, or never.
    fn least_room(&self) -> Option<Cost> {
        None
    }
    /// Whether it is fast only where many states come together, so that trees should be large.
    fn is_in_piles(&self) -> bool {
        false
    }
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

/// Chooses where to dive: as high as it can, so that many states of a kind come together, but not so high that a dive
/// overflows the caches, or is much of an iteration: if it comes upon the goal it is void.
#[derive(Debug, Clone)]
pub(super) struct Depth {
    /// Dives begin at states with less room than this.
    below: Cost,
    /// What a dive should take on average.
    aim: u64,
    /// Dives since the last change, and what they took.
    dives: u64,
    expanded: u64,
}

/// What a dive should take at the least and at the most.
const AIMS: (u64, u64) = (1 << 8, 1 << 16);
/// Of the iteration before, which was several times smaller, a dive should take such a part.
const PART: u64 = 8;
/// Where nothing is known of the trees, dives begin at states with less room than this.
const CAUTIOUS: Cost = 16;
/// Dives to look at before they begin higher.
const TRIALS: u64 = 16;

impl Depth {
    /// The first dives begin at the root: the trees of the first iterations are small. None at all where there is nobody to
    /// dive.
    pub(super) fn new(possible: bool) -> Self {
        Depth { below: if possible { Cost::MAX } else { 0 }, aim: AIMS.0, dives: 0, expanded: 0 }
    }

    /// For a first iteration that is not small: a dive from the root would have all of it in its piles.
    pub(super) fn be_cautious(&mut self) {
        self.below = self.below.min(CAUTIOUS);
    }

    /// What it has learnt, as plain numbers.
    pub(super) fn words(&self) -> [u64; 4] {
        [self.below.into(), self.aim, self.dives, self.expanded]
    }

    /// What was learnt, if the numbers can be that.
    pub(super) fn from_words([below, aim, dives, expanded]: [u64; 4]) -> Option<Self> {
        (aim > 0).then_some(Depth { below: Cost::try_from(below).ok()?, aim, dives, expanded })
    }

    #[inline]
    pub(super) fn is_deep_enough(&self, room: Cost) -> bool {
        room < self.below
    }

    /// Begins an iteration after one that took so many expansions.
    pub(super) fn begin(&mut self, expanded_last: u64) {
        self.aim = (expanded_last / PART).clamp(AIMS.0, AIMS.1);
    }

    /// Learns what a dive took that began with so much room.
    #[cold]
    pub(super) fn learn(&mut self, room: Cost, expanded: u64) {
        self.dives += 1;
        self.expanded += expanded;
        let average = self.expanded / self.dives;
        if expanded > 16 * self.aim || (self.dives >= TRIALS && average > 2 * self.aim) {
            // A move less of room makes a tree about a third smaller.
            self.below = room.min(self.below).saturating_sub((average / self.aim).max(2).ilog2()).max(1);
        } else if self.dives >= TRIALS && average < self.aim {
            self.below = self.below.saturating_add(1);
        } else if self.dives < TRIALS {
            return;
        }
        (self.dives, self.expanded) = (0, 0);
    }
}
