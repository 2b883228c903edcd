//! Spaces that can be walked from their goals towards the start.

use crate::space::{Cost, StateSpace};

/// A space whose goals and predecessors can be listed, as [`crate::search::bidirectional`] needs it.
pub trait Backward: StateSpace {
    /// Every goal state, or `None` where there are too many to list.
    fn goals(&self) -> Option<Vec<Self::State>>;
    /// Calls `visit` with every state that has a move to `state`, and what that move costs.
    fn predecessors(&self, state: &Self::State, visit: impl FnMut(Self::State, Cost));
}
