//! Spaces whose states are numbered without gaps.

use crate::space::{AbilityVisitor, StateSpace};

/// A space with a perfect hash: [`Ranked::rank`] maps packed states one to one into `0..size`. Closed lists are plain
/// arrays then, and not hash tables.
pub trait Ranked: StateSpace {
    /// A number that every rank is below.
    fn size(&self) -> u32;
    /// The rank of a packed state, below [`Ranked::size`].
    fn rank(&self, packed: Self::Packed) -> u32;
}

/// [`Ranked::size`] of a space that has ranks.
pub(crate) fn ranking_size<S: StateSpace>(space: &S) -> Option<u32> {
    struct Size(Option<u32>);
    impl<'a, S: StateSpace> AbilityVisitor<'a, S> for Size {
        fn ranked(self, space: &'a S) -> Self
        where
            S: Ranked,
        {
            Size(Some(space.size()))
        }
    }
    space.abilities(Size(None)).0
}

/// [`Ranked::rank`] of a space that has ranks. Which it is, the compiler knows: nothing is left of the visitor.
#[inline]
pub(crate) fn rank<S: StateSpace>(space: &S, packed: S::Packed) -> Option<u32> {
    struct Rank<P>(P, Option<u32>);
    impl<'a, S: StateSpace> AbilityVisitor<'a, S> for Rank<S::Packed> {
        #[inline]
        fn ranked(self, space: &'a S) -> Self
        where
            S: Ranked,
        {
            Rank(self.0, Some(space.rank(self.0)))
        }
    }
    space.abilities(Rank(packed, None)).1
}
