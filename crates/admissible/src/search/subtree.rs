//! Search of whole subtrees at a time.
//!
//! The recursion of IDA* expands one state after the other, and each expansion waits for the one before. With many
//! similar states at hand, a processor can work on several at once and overlap memory accesses. So IDA* hands subtrees
//! near the leaves to a [`SubtreeSearch`], if the heuristic has one. It expands exactly the states that the recursion
//! would, in any order, and counts them. If the subtree has a goal, its work is discarded and the recursion enters the
//! subtree itself: so counts and solution are those of the recursion.

use std::sync::Arc;

use crate::heuristic::{Heuristic, HeuristicVisitor};
use crate::pruning::{Mark, MoveAutomaton};
use crate::space::{Cost, StateSpace};

/// A heuristic with a subtree search of its own.
pub trait SearchesSubtrees<S: StateSpace>: Heuristic<S> {
    /// A subtree search that prunes by the automaton if there is one, and else only the move straight back.
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

/// Searches the subtree below a state, within a bound, in any order.
pub trait SubtreeSearch<S: StateSpace, E>: Send {
    /// Begins at a state; false if it cannot search that subtree.
    fn begin(&mut self, top: Top<'_, S, E>) -> bool;
    /// Continues with at most `expansions` expansions.
    fn advance(&mut self, expansions: u64) -> SubtreeProgress;
    /// The counts since it began.
    fn tally(&self) -> Tally;
    /// The least room (bound minus `g`) at any state expanded since it began. A subtree search knows it always or
    /// never.
    fn least_room(&self) -> Option<Cost> {
        None
    }
    /// Whether it is fast only with many states at a time, so that subtrees should be large.
    fn wants_large_subtrees(&self) -> bool {
        false
    }
}

/// The root of a subtree search.
#[derive(Debug)]
pub struct Top<'a, S: StateSpace, E> {
    /// The state, which is no goal.
    pub state: &'a S::State,
    /// The move that led to it.
    pub came_by: S::Move,
    /// The mark after that move; 0 for a search without an automaton.
    pub mark: Mark,
    /// The heuristic's evaluation of the state.
    pub eval: E,
    /// The bound minus `g`: what the rest of the path may cost, at least the estimate.
    pub room: Cost,
}

/// The progress of a subtree search.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SubtreeProgress {
    /// It has not ended.
    Partly,
    /// It has ended: no goal is within the bound.
    Through,
    /// It found a goal.
    Goal,
}

/// The counts of a subtree search.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Tally {
    /// States expanded, including the root.
    pub expanded: u64,
    /// Successors generated.
    pub generated: u64,
    /// The least amount by which the `f` of a pruned state exceeds the bound; `u64::MAX` if none was pruned.
    pub least_excess: u64,
}

impl Default for Tally {
    fn default() -> Self {
        Tally { expanded: 0, generated: 0, least_excess: u64::MAX }
    }
}

/// Chooses the roots of subtree searches. Large subtrees have many similar states, but must not overflow the caches or
/// be a large part of an iteration: the work on a subtree with a goal is discarded.
#[derive(Debug, Clone)]
pub(super) struct SubtreePolicy {
    /// Subtree searches begin at states with less room than this.
    room_below: Cost,
    /// The expansions that a subtree search should take on average.
    target: u64,
    /// Subtree searches since the last change, and their expansions.
    subtrees: u64,
    expanded: u64,
}

/// The range of targets.
const TARGETS: (u64, u64) = (1 << 8, 1 << 16);
/// The target is the expansions of the last iteration, which was several times smaller, divided by this.
const PART: u64 = 8;
/// While the sizes of subtrees are unknown, subtree searches begin at states with less room than this.
const CAUTIOUS: Cost = 16;
/// Subtree searches to measure before they begin higher in the tree.
const TRIALS: u64 = 16;

impl SubtreePolicy {
    /// The first subtree searches begin at the root, since the first iterations are small; none begins if `possible` is
    /// false.
    pub(super) fn new(possible: bool) -> Self {
        SubtreePolicy { room_below: if possible { Cost::MAX } else { 0 }, target: TARGETS.0, subtrees: 0, expanded: 0 }
    }

    /// For a first iteration that is not small: a subtree search from the root would hold all of it.
    pub(super) fn be_cautious(&mut self) {
        self.room_below = self.room_below.min(CAUTIOUS);
    }

    /// The policy as plain numbers, for a snapshot.
    pub(super) fn words(&self) -> [u64; 4] {
        [self.room_below.into(), self.target, self.subtrees, self.expanded]
    }

    /// The policy from plain numbers; `None` if they are invalid.
    pub(super) fn from_words([room_below, target, subtrees, expanded]: [u64; 4]) -> Option<Self> {
        (target > 0).then_some(SubtreePolicy {
            room_below: Cost::try_from(room_below).ok()?,
            target,
            subtrees,
            expanded,
        })
    }

    #[inline]
    pub(super) fn is_deep_enough(&self, room: Cost) -> bool {
        room < self.room_below
    }

    /// Begins an iteration, given the expansions of the last one.
    pub(super) fn begin(&mut self, expanded_last: u64) {
        self.target = (expanded_last / PART).clamp(TARGETS.0, TARGETS.1);
    }

    /// Adapts to a subtree search that began with `room` and took `expanded` expansions.
    #[cold]
    pub(super) fn learn(&mut self, room: Cost, expanded: u64) {
        self.subtrees += 1;
        self.expanded += expanded;
        let average = self.expanded / self.subtrees;
        if expanded > 16 * self.target || (self.subtrees >= TRIALS && average > 2 * self.target) {
            // One unit less of room makes a subtree about a third smaller.
            self.room_below = room.min(self.room_below).saturating_sub((average / self.target).max(2).ilog2()).max(1);
        } else if self.subtrees >= TRIALS && average < self.target {
            self.room_below = self.room_below.saturating_add(1);
        } else if self.subtrees < TRIALS {
            return;
        }
        (self.subtrees, self.expanded) = (0, 0);
    }
}
