//! The recursion of IDA*, and what it leaves behind where it breaks off.

use crate::heuristic::Heuristic;
use crate::search::move_pruning::MovePruning;
use crate::search::restore::Restore;
use crate::search::subtree::{Depth, SubtreeProgress, SubtreeSearch, Top};
use crate::space::{Cost, StateSpace};

/// What is to be done at the end of the path.
pub(super) enum Todo<S: StateSpace, E, M> {
    /// The moves that are left; the state is expanded.
    Walk(Here<S, E, M>),
    /// The rest of a subtree search, or all moves if that finds a goal; the state is not expanded yet.
    Subtree(Here<S, E, M>),
}

/// The end of the path.
pub(super) struct Here<S: StateSpace, E, M> {
    /// The moves still to try.
    pub(super) moves: <S::Moves as IntoIterator>::IntoIter,
    pub(super) eval: E,
    pub(super) memory: M,
    /// What the bound leaves for the rest of the path.
    pub(super) room: Cost,
}

/// A step of the path: the move, and what was still to be done where it was made.
pub(super) struct Step<S: StateSpace, E, M> {
    pub(super) m: S::Move,
    pub(super) undo: S::Undo,
    pub(super) moves: <S::Moves as IntoIterator>::IntoIter,
    pub(super) eval: E,
    pub(super) memory: M,
}

/// The recursion: everything below a state, as far as the bound and the expansions allow. It is twice as fast as a
/// loop over a stack of its own. The state is handed down and back, not borrowed, so that a small one stays in
/// registers. A descent that breaks off leaves its steps behind, last first, and the next one goes on from there.
pub(super) struct Descent<'a, 'd, S: StateSpace, H: Heuristic<S>, P: MovePruning<S>> {
    pub(super) space: &'a S,
    pub(super) heuristic: &'a H,
    pub(super) pruning: &'d P,
    pub(super) subtree: Option<&'d mut (dyn SubtreeSearch<S, H::Eval> + 'a)>,
    pub(super) depth: &'d mut Depth,
    /// By how much the cheapest of the paths that were not followed exceeds the bound.
    pub(super) least_excess: u64,
    /// What the bound left at the farthest state.
    pub(super) least_room: Cost,
    /// Successors that were not followed; the others were expanded or the goal.
    pub(super) pruned: u64,
    /// Expansions that may still be made. Each level takes one, so this limits the depth as well.
    pub(super) left: u64,
    pub(super) subtrees: Subtrees,
    pub(super) dead_ends: bool,
    /// Where it broke off, if it did.
    pub(super) end: Option<End<S, H::Eval, P::Memory>>,
    pub(super) unwound: Vec<Step<S, H::Eval, P::Memory>>,
}

/// What subtree searches did in one descent.
#[derive(Default)]
pub(super) struct Subtrees {
    pub(super) expanded: u64,
    pub(super) generated: u64,
    /// Of the work of earlier descents, what counts no more because a subtree search came upon a goal.
    pub(super) void_expanded: u64,
    pub(super) void_generated: u64,
}

/// Why and where a descent broke off.
pub(super) enum End<S: StateSpace, E, M> {
    Goal { room: Cost },
    Paused(Todo<S, E, M>),
}

impl<S: StateSpace, H: Heuristic<S>, P: MovePruning<S>> Descent<'_, '_, S, H, P> {
    /// `room` is what the bound leaves for the rest of the path.
    pub(super) fn below(
        &mut self,
        mut state: S::State,
        came_by: Option<S::Move>,
        here: Here<S, H::Eval, P::Memory>,
    ) -> S::State {
        let (space, heuristic) = (self.space, self.heuristic);
        let Here { mut moves, eval, memory, room } = here;
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
                // Rarely true, so a branch is cheaper than always writing the smaller one.
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
                let here = Here {
                    moves: self.pruning.moves(space, &state, m).into_iter(),
                    eval: next,
                    memory: next_memory,
                    room,
                };
                match self.subtree(&state, m, &here) {
                    SubtreeProgress::Through => {
                        restore.after(space, &mut state, m, undo);
                        if self.left == 0 {
                            let rest = Here { moves, eval, memory, room: parent_room };
                            self.end = Some(End::Paused(Todo::Walk(rest)));
                            return state;
                        }
                        continue;
                    }
                    SubtreeProgress::Partly => self.end = Some(End::Paused(Todo::Subtree(here))),
                    SubtreeProgress::Goal => {
                        self.left -= 1;
                        if self.left == 0 {
                            self.end = Some(End::Paused(Todo::Walk(here)));
                        } else {
                            state = self.below(state, Some(m), here);
                        }
                    }
                }
            }
            if self.end.is_some() {
                self.unwound.push(Step { m, undo, moves, eval, memory });
                return state;
            }
            restore.after(space, &mut state, m, undo);
        }
        state
    }

    /// Searches the subtree below a state if it lies deep enough. As long as no subtree search has been there, there
    /// may be a goal.
    #[inline]
    fn subtree(&mut self, state: &S::State, came_by: S::Move, here: &Here<S, H::Eval, P::Memory>) -> SubtreeProgress {
        if self.depth.is_deep_enough(here.room) {
            // A reference would keep the state of the recursion in memory.
            self.begin_subtree(state.clone(), came_by, here)
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
        here: &Here<S, H::Eval, P::Memory>,
    ) -> SubtreeProgress {
        let Some(subtree) = &mut self.subtree else { return SubtreeProgress::Goal };
        let top = Top { state: &state, came_by, mark: P::mark(here.memory), eval: here.eval, room: here.room };
        if !subtree.begin(top) {
            return SubtreeProgress::Goal;
        }
        // The first state is a successor that the walk has produced.
        self.subtrees.generated += 1;
        let progress = self.go_on_in_subtree(here.room);
        if progress == SubtreeProgress::Goal {
            self.subtrees.generated -= 1;
        }
        progress
    }

    /// Goes on with a subtree search that began with so much room. If that comes upon a goal it has never been.
    pub(super) fn go_on_in_subtree(&mut self, room: Cost) -> SubtreeProgress {
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
            self.depth.learn(room, tally.expanded);
        }
        progress
    }
}
