//! Spaces whose packed states index an array.

use crate::space::{AbilityVisitor, StateSpace};

/// A space with a perfect hash: packed states map one to one into `0..index_bound`. Closed lists are then plain arrays
/// instead of hash tables.
pub trait Indexed: StateSpace {
    /// An exclusive upper bound of all indexes.
    fn index_bound(&self) -> u32;
    /// The index of a packed state, below [`Indexed::index_bound`].
    fn index(&self, packed: Self::Packed) -> u32;
}

/// [`Indexed::index_bound`] of a space with that ability.
pub(crate) fn index_bound<S: StateSpace>(space: &S) -> Option<u32> {
    struct Bound(Option<u32>);
    impl<'a, S: StateSpace> AbilityVisitor<'a, S> for Bound {
        fn indexed(self, space: &'a S) -> Self
        where
            S: Indexed,
        {
            Bound(Some(space.index_bound()))
        }
    }
    space.abilities(Bound(None)).0
}

/// [`Indexed::index`] of a space with that ability. The compiler removes the visitor.
#[inline]
pub(crate) fn index<S: StateSpace>(space: &S, packed: S::Packed) -> Option<u32> {
    struct Index<P>(P, Option<u32>);
    impl<'a, S: StateSpace> AbilityVisitor<'a, S> for Index<S::Packed> {
        #[inline]
        fn indexed(self, space: &'a S) -> Self
        where
            S: Indexed,
        {
            Index(self.0, Some(space.index(self.0)))
        }
    }
    space.abilities(Index(packed, None)).1
}
