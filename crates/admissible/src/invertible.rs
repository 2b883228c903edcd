//! Spaces that name the inverse of a move.

use crate::space::StateSpace;

/// A space in which a move may have an inverse: a move that leads back to the state before it. IDA* omits the inverse
/// of the last move without applying it.
pub trait Invertible: StateSpace {
    /// Whether [`Invertible::moves_after`] omits the inverse, so that searches need not compare every move with it.
    const OMITS_INVERSE: bool = false;

    /// The inverse of a move, if it has one.
    fn inverse(&self, m: Self::Move) -> Option<Self::Move>;

    /// The moves of a state that `came_by` led to. A space with a table of moves may omit the inverse of `came_by`.
    #[inline]
    fn moves_after(&self, state: &Self::State, _came_by: Self::Move) -> Self::Moves {
        self.moves(state)
    }
}
