//! Spaces that name the move that leads back.

use crate::space::StateSpace;

/// A space in which a move may have an inverse: a move that leads back to the state before it. Depth-first searches
/// leave it out without a look at the state that it leads to.
pub trait Invertible: StateSpace {
    /// Whether [`Invertible::moves_after`] omits the inverse, so that searches need not compare every move with it.
    const OMITS_INVERSE: bool = false;

    /// The move that leads straight back, if there is one.
    fn inverse(&self, m: Self::Move) -> Option<Self::Move>;

    /// The moves of a state that `came_by` led to. A space with a table of moves may omit the inverse of `came_by`.
    #[inline]
    fn moves_after(&self, state: &Self::State, _came_by: Self::Move) -> Self::Moves {
        self.moves(state)
    }
}
