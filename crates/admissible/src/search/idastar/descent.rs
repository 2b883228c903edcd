//! The recursion of IDA*, and the stack that it leaves behind when it pauses.

use crate::heuristic::Heuristic;
use crate::search::move_pruning::MovePruning;
use crate::search::restore::Restore;
use crate::search::subtree::{SubtreePolicy, SubtreeProgress, SubtreeSearch, Top};
use crate::space::{Cost, StateSpace};

/// How to resume at the end of the path.
pub(super) enum Resume<S: StateSpace, E, M> {
    /// Try the moves left; the state is expanded.
    Moves(TopFrame<S, E, M>),
    /// Continue a subtree search, or try all moves if that finds a goal; the state is not expanded yet.
    Subtree(TopFrame<S, E, M>),
}

/// The top frame of the stack: the end of the path.
pub(super) struct TopFrame<S: StateSpace, E, M> {
    /// The moves still to try.
    pub(super) moves: <S::Moves as IntoIterator>::IntoIter,
    pub(super) eval: E,
    pub(super) memory: M,
    /// The bound minus `g`: what the rest of the path may cost.
    pub(super) room: Cost,
}

/// A lower frame of the stack: a move of the path, and the state of the search before it.
pub(super) struct Frame<S: StateSpace, E, M> {
    pub(super) m: S::Move,
    pub(super) undo: S::Undo,
    pub(super) moves: <S::Moves as IntoIterator>::IntoIter,
    pub(super) eval: E,
    pub(super) memory: M,
}

/// The recursion: searches everything below a state, within the bound, until the expansions are used up. It is twice as
/// fast as a loop over an explicit stack. The state is passed by value, down and back, so that a small one stays in
/// registers. A descent that pauses leaves its frames in `unwound`, last first, and the next one resumes from there.
pub(super) struct Descent<'a, 'd, S: StateSpace, H: Heuristic<S>, P: MovePruning<S>> {
    pub(super) space: &'a S,
    pub(super) heuristic: &'a H,
    pub(super) pruning: &'d P,
    pub(super) subtree: Option<&'d mut (dyn SubtreeSearch<S, H::Eval> + 'a)>,
    pub(super) policy: &'d mut SubtreePolicy,
    /// The least amount by which the `f` of a pruned state exceeds the bound.
    pub(super) least_excess: u64,
    /// The least room (bound minus `g`) at any expanded state.
    pub(super) least_room: Cost,
    /// Successors beyond the bound, and dead ends; the others were expanded or are the goal.
    pub(super) pruned: u64,
    /// Expansions left. Each level of recursion takes one, so this limits the depth as well.
    pub(super) left: u64,
    pub(super) subtrees: SubtreeCounts,
    pub(super) dead_ends: bool,
    /// Why it ended early, if it did.
    pub(super) end: Option<End<S, H::Eval, P::Memory>>,
    pub(super) unwound: Vec<Frame<S, H::Eval, P::Memory>>,
}

/// The counts of the subtree searches in one descent.
#[derive(Default)]
pub(super) struct SubtreeCounts {
    pub(super) expanded: u64,
    pub(super) generated: u64,
    /// Counts of earlier descents that are discarded, because a subtree search found a goal.
    pub(super) void_expanded: u64,
    pub(super) void_generated: u64,
}

/// Why and where a descent ended early.
pub(super) enum End<S: StateSpace, E, M> {
    Goal { room: Cost },
    Paused(Resume<S, E, M>),
}

impl<S: StateSpace, H: Heuristic<S>, P: MovePruning<S>> Descent<'_, '_, S, H, P> {
    /// Searches everything below a state.
    pub(super) fn search_below(
        &mut self,
        mut state: S::State,
        came_by: Option<S::Move>,
        top: TopFrame<S, H::Eval, P::Memory>,
    ) -> S::State {
        let (space, heuristic) = (self.space, self.heuristic);
        let TopFrame { mut moves, eval, memory, room } = top;
        self.least_room = self.least_room.min(room);
        while let Some(m) = moves.next() {
            let cost = space.cost(&state, m);
            debug_assert!(cost > 0, "moves cost at least 1");
            let restore = Restore::of(&state);
            let followed = self.pruning.follow(space, memory, came_by, &mut state, m);
            let Some((undo, next_memory)) = followed else { continue };
            let next = heuristic.advance(space, eval, &state, m);
            let Some(h) = heuristic.estimate(next).rounded_up(heuristic.scale()) else {
                self.dead_ends = true;
                self.pruned += 1;
                restore.after(space, &mut state, m, undo);
                continue;
            };
            let needed = u64::from(cost) + u64::from(h);
            if needed > u64::from(room) {
                self.pruned += 1;
                // Rarely true, so a branch is cheaper than an unconditional minimum.
                let excess = needed - u64::from(room);
                if excess < self.least_excess {
                    self.least_excess = excess;
                }
                restore.after(space, &mut state, m, undo);
                continue;
            }
            let parent_room = room;
            let room = room - cost;
            if space.is_goal(&state) {
                self.end = Some(End::Goal { room });
            } else {
                let top = TopFrame {
                    moves: self.pruning.moves(space, &state, m).into_iter(),
                    eval: next,
                    memory: next_memory,
                    room,
                };
                match self.subtree(&state, m, &top) {
                    SubtreeProgress::Through => {
                        restore.after(space, &mut state, m, undo);
                        if self.left == 0 {
                            let rest = TopFrame { moves, eval, memory, room: parent_room };
                            self.end = Some(End::Paused(Resume::Moves(rest)));
                            return state;
                        }
                        continue;
                    }
                    SubtreeProgress::Partly => self.end = Some(End::Paused(Resume::Subtree(top))),
                    SubtreeProgress::Goal => {
                        self.left -= 1;
                        if self.left == 0 {
                            self.end = Some(End::Paused(Resume::Moves(top)));
                        } else {
                            state = self.search_below(state, Some(m), top);
                        }
                    }
                }
            }
            if self.end.is_some() {
                self.unwound.push(Frame { m, undo, moves, eval, memory });
                return state;
            }
            restore.after(space, &mut state, m, undo);
        }
        state
    }

    /// Searches the subtree below a state if that is deep enough. `Goal` means that the recursion must enter the
    /// subtree: it has a goal, or was not searched.
    #[inline]
    fn subtree(
        &mut self,
        state: &S::State,
        came_by: S::Move,
        top: &TopFrame<S, H::Eval, P::Memory>,
    ) -> SubtreeProgress {
        if self.policy.is_deep_enough(top.room) {
            // A reference would keep the state of the recursion in memory.
            self.begin_subtree(state.clone(), came_by, top)
        } else {
            SubtreeProgress::Goal
        }
    }

    #[cold]
    #[inline(never)]
    fn begin_subtree(
        &mut self,
        state: S::State,
        came_by: S::Move,
        top: &TopFrame<S, H::Eval, P::Memory>,
    ) -> SubtreeProgress {
        let Some(subtree) = &mut self.subtree else { return SubtreeProgress::Goal };
        let root = Top { state: &state, came_by, mark: P::mark(top.memory), eval: top.eval, room: top.room };
        if !subtree.begin(root) {
            return SubtreeProgress::Goal;
        }
        // The recursion generated the root of the subtree.
        self.subtrees.generated += 1;
        let progress = self.continue_subtree(top.room);
        if progress == SubtreeProgress::Goal {
            self.subtrees.generated -= 1;
        }
        progress
    }

    /// Continues a subtree search that began with `room`. If it finds a goal, its counts are discarded.
    pub(super) fn continue_subtree(&mut self, room: Cost) -> SubtreeProgress {
        let subtree = self.subtree.as_mut().expect("a subtree search has begun");
        let before = subtree.tally();
        let progress = subtree.advance(self.left);
        let tally = subtree.tally();
        if progress == SubtreeProgress::Goal {
            self.subtrees.void_expanded += before.expanded;
            self.subtrees.void_generated += before.generated;
            return progress;
        }
        self.left -= tally.expanded - before.expanded;
        self.subtrees.expanded += tally.expanded - before.expanded;
        self.subtrees.generated += tally.generated - before.generated;
        if progress == SubtreeProgress::Through {
            self.least_excess = self.least_excess.min(tally.least_excess);
            self.least_room = self.least_room.min(subtree.least_room().unwrap_or(Cost::MAX));
            self.policy.learn(room, tally.expanded);
        }
        progress
    }
}
