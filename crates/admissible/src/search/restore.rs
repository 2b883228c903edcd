//! Backtracking: the state before a move.

use std::mem::needs_drop;

use crate::space::StateSpace;

/// Restores the state before a move: from a copy if the state is small, else by [`StateSpace::undo`]. Undoing takes
/// longer than copying a small state, and the next move depends on its result.
pub(super) struct Restore<S: StateSpace>(Option<S::State>);

impl<S: StateSpace> Restore<S> {
    /// A state that fits into two registers is small.
    const COPIES: bool = size_of::<S::State>() <= 16 && !needs_drop::<S::State>();

    /// Must be called before the move.
    #[inline]
    pub(super) fn of(state: &S::State) -> Self {
        Restore(Self::COPIES.then(|| state.clone()))
    }

    #[inline]
    pub(super) fn after(self, space: &S, state: &mut S::State, m: S::Move, undo: S::Undo) {
        match self.0 {
            Some(before) => *state = before,
            None => space.undo(state, m, undo),
        }
    }
}
