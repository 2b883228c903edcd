//! States that are permutations, ranked in lexicographic order.

use crate::ranking::Ranking;
use crate::space::StateSpace;

/// The ranking of a space whose states are all permutations of up to 16 items, and in which every move can be reversed
/// by a move.
#[derive(Debug, Clone, Copy)]
pub struct Permutations<I, M> {
    /// The number of items; the items are `0..count`.
    pub count: usize,
    /// The item at a place of a state.
    pub item: I,
    /// Makes the state with these items.
    pub make: M,
}

impl<S, I, M> Ranking<S> for Permutations<I, M>
where
    S: StateSpace,
    I: Fn(&S::State, usize) -> usize + Sync,
    M: Fn(&[usize]) -> S::State + Sync,
{
    const REVERSIBLE: bool = true;

    fn size(&self) -> usize {
        count_of(self.count)
    }

    #[inline]
    fn unrank(&self, _space: &S, rank: usize) -> S::State {
        let mut items = [0; 16];
        unrank(self.count, rank, |place, item| items[place] = item);
        (self.make)(&items[..self.count])
    }

    #[inline]
    fn rank(&self, _space: &S, state: &S::State) -> Option<usize> {
        Some(rank(self.count, |place| (self.item)(state, place)))
    }
}

/// The rank of a permutation of `0..count`, given the item at each place.
///
/// ```
/// use admissible::permutation::{rank, unrank};
/// assert_eq!(rank(3, |place| [2, 0, 1][place]), 4);
/// let mut items = [0; 3];
/// unrank(3, 4, |place, item| items[place] = item);
/// assert_eq!(items, [2, 0, 1]);
/// ```
#[inline]
pub fn rank(count: usize, item: impl Fn(usize) -> usize) -> usize {
    let (mut rank, mut seen) = (0, 0_u64);
    for place in 0..count {
        let item = item(place);
        let smaller_left = item - (seen & ((1 << item) - 1)).count_ones() as usize;
        rank = rank * (count - place) + smaller_left;
        seen |= 1 << item;
    }
    rank
}

/// Calls `put` with every place and its item, for the permutation of `0..count` with this rank; at most 16 items.
#[inline]
pub fn unrank(count: usize, rank: usize, mut put: impl FnMut(usize, usize)) {
    debug_assert!(count <= 16, "four bits an item");
    // The unused items in ascending order, four bits each.
    let mut left: u64 = 0xFEDC_BA98_7654_3210;
    let (mut rest, mut weight) = (rank, count_of(count));
    for place in 0..count {
        weight /= count - place;
        let digit = 4 * (rest / weight);
        rest %= weight;
        put(place, (left >> digit & 15) as usize);
        let lower = (1 << digit) - 1;
        left = left & lower | left >> 4 & !lower;
    }
}

/// The number of permutations of `count` items.
#[inline]
pub fn count_of(count: usize) -> usize {
    (1..=count).product()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_are_dense_and_in_order() {
        for count in 1..=7 {
            let mut last = Vec::new();
            for expected in 0..count_of(count) {
                let mut items = vec![0; count];
                unrank(count, expected, |place, item| items[place] = item);
                assert!(items > last, "{items:?} comes after {last:?}");
                assert_eq!(rank(count, |place| items[place]), expected);
                last = items;
            }
        }
        let mut items = [0; 16];
        unrank(16, count_of(16) - 1, |place, item| items[place] = item);
        assert!(items.iter().rev().copied().eq(0..16), "the last one is reversed");
    }
}
