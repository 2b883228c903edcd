//! Search of whole subtrees at a time.
//!
//! The recursion of IDA* takes one state after the other, and each waits for the one before it. Where many states of
//! one kind are at hand a processor can work on several of them at once, and fetch from memory for some while it works
//! on others. So IDA* hands the trees near the leaves to a [`SubtreeSearch`], if the heuristic has one: in any order,
//! it expands exactly the states that the recursion would, and counts them. Only if there is a goal in the tree is the
//! work thrown away, and the recursion goes on inside with smaller subtrees: then counts and solution are those of the
//! recursion.

use std::sync::Arc;

use crate::heuristic::{Heuristic, HeuristicVisitor};
use crate::pruning::{Mark, MoveAutomaton};
use crate::space::{Cost, StateSpace};

/// A heuristic with a subtree search of its own.
pub trait SearchesSubtrees<S: StateSpace>: Heuristic<S> {
    /// The subtree search, which leaves out what the automaton prunes if there is one, and else the move straight back.
    fn subtree_search<'a>(
        &'a self,
        space: &'a S,
        automaton: Option<Arc<MoveAutomaton>>,
    ) -> Box<dyn SubtreeSearch<S, Self::Eval> + 'a>;
}

/// The subtree search of a heuristic that has one.
pub(crate) fn subtree_search<'a, S: StateSpace, H: Heuristic<S>>(
    space: &'a S,
    heuristic: &'a H,
    automaton: Option<Arc<MoveAutomaton>>,
) -> Option<Box<dyn SubtreeSearch<S, H::Eval> + 'a>> {
    struct Make<'a, S: StateSpace, E> {
        space: &'a S,
        automaton: Option<Arc<MoveAutomaton>>,
        search: Option<Box<dyn SubtreeSearch<S, E> + 'a>>,
    }
    impl<'a, S: StateSpace, H: Heuristic<S>> HeuristicVisitor<'a, S, H> for Make<'a, S, H::Eval> {
        fn subtree_search(self, heuristic: &'a H) -> Self
        where
            H: SearchesSubtrees<S>,
        {
            Make { search: Some(heuristic.subtree_search(self.space, self.automaton.clone())), ..self }
        }
    }
    heuristic.abilities(Make { space, automaton, search: None }).search
}

/// Searches the tree below a state, within a bound, in an order of its own.
pub trait SubtreeSearch<S: StateSpace, E>: Send {
    /// Begins at a state; false if it cannot search that tree.
    fn begin(&mut self, top: Top<'_, S, E>) -> bool;
    /// Continues with at most `expansions` expansions.
    fn advance(&mut self, expansions: u64) -> SubtreeProgress;
    /// The counts since it began.
    fn tally(&self) -> Tally;
    /// The least room that the bound left at an expanded state since the search began. A subtree search knows it always
    /// or never.
    fn least_room(&self) -> Option<Cost> {
        None
    }
    /// Whether it is fast only where many states come together, so that trees should be large.
    fn is_in_piles(&self) -> bool {
        false
    }
}

/// Where a subtree search begins.
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

/// How far a subtree search is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SubtreeProgress {
    /// There is more to do.
    Partly,
    /// Through: there is no goal within the bound.
    Through,
    /// There is a goal.
    Goal,
}

/// The counts of a subtree search.
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

/// Chooses the roots of subtree searches. Large subtrees bring many states of a kind together, but must not overflow
/// the caches or be a large part of an iteration: the work on a subtree with a goal is thrown away.
#[derive(Debug, Clone)]
pub(super) struct Depth {
    /// Subtree searches begin at states with less room than this.
    below: Cost,
    /// The expansions that a subtree search should take on average.
    aim: u64,
    /// Subtree searches since the last change, and their expansions.
    subtrees: u64,
    expanded: u64,
}

/// The least and the most expansions that a subtree search should take.
const AIMS: (u64, u64) = (1 << 8, 1 << 16);
/// A subtree search should take one in `PART` of the expansions of the iteration before, which was several times
/// smaller.
const PART: u64 = 8;
/// Where the sizes of subtrees are not known yet, subtree searches begin at states with less room than this.
const CAUTIOUS: Cost = 16;
/// Subtree searches to measure before they begin higher.
const TRIALS: u64 = 16;

impl Depth {
    /// The first subtree searches begin at the root: the trees of the first iterations are small. There are none where
    /// the heuristic has no subtree search.
    pub(super) fn new(possible: bool) -> Self {
        Depth { below: if possible { Cost::MAX } else { 0 }, aim: AIMS.0, subtrees: 0, expanded: 0 }
    }

    /// For a first iteration that is not small: a subtree search from the root would hold all of it.
    pub(super) fn be_cautious(&mut self) {
        self.below = self.below.min(CAUTIOUS);
    }

    /// What it has learnt, as plain numbers.
    pub(super) fn words(&self) -> [u64; 4] {
        [self.below.into(), self.aim, self.subtrees, self.expanded]
    }

    /// What was learnt, if the numbers can be that.
    pub(super) fn from_words([below, aim, subtrees, expanded]: [u64; 4]) -> Option<Self> {
        (aim > 0).then_some(Depth { below: Cost::try_from(below).ok()?, aim, subtrees, expanded })
    }

    #[inline]
    pub(super) fn is_deep_enough(&self, room: Cost) -> bool {
        room < self.below
    }

    /// Begins an iteration after one that took so many expansions.
    pub(super) fn begin(&mut self, expanded_last: u64) {
        self.aim = (expanded_last / PART).clamp(AIMS.0, AIMS.1);
    }

    /// Learns what a subtree search took that began with so much room.
    #[cold]
    pub(super) fn learn(&mut self, room: Cost, expanded: u64) {
        self.subtrees += 1;
        self.expanded += expanded;
        let average = self.expanded / self.subtrees;
        if expanded > 16 * self.aim || (self.subtrees >= TRIALS && average > 2 * self.aim) {
            // A move less of room makes a tree about a third smaller.
            self.below = room.min(self.below).saturating_sub((average / self.aim).max(2).ilog2()).max(1);
        } else if self.subtrees >= TRIALS && average < self.aim {
            self.below = self.below.saturating_add(1);
        } else if self.subtrees < TRIALS {
            return;
        }
        (self.subtrees, self.expanded) = (0, 0);
    }
}
