//! The duplicate filter: a small lossy cache of recently opened states.
//!
//! Two moves of different pieces lead to the same state in either order, shortly after each other. Without the filter
//! packed A* would open that state twice and look it up twice. A state overwrites another one in its slot, so the
//! filter misses some duplicates, but never drops a state that is new.

use super::key::Key;
use crate::space::Cost;

/// The initial and the largest number of slots: small enough for a near cache.
const FIRST: usize = 1 << 12;
const MOST: usize = 1 << 14;

/// States by hash, each with its `g` in the bits where a key has its move code. A state whose `g` does not fit there is
/// not recorded.
#[derive(Debug)]
pub(super) struct DuplicateFilter<const N: usize> {
    slots: Vec<[u64; N]>,
    /// The bits of the first word that are the state.
    mask: u64,
}

impl<const N: usize> DuplicateFilter<N> {
    /// A filter for keys whose first word has a state in the bits of `mask`.
    pub(super) fn new(mask: u64) -> Self {
        DuplicateFilter { slots: Self::empty(FIRST), mask }
    }

    /// Empty slots: no state is opened with `g` 0. The state of all zeros would match the first slot, so that one has
    /// the largest `g`, which is never recorded.
    fn empty(count: usize) -> Vec<[u64; N]> {
        let mut slots = vec![[0; N]; count];
        slots[0][0] = u64::MAX;
        slots
    }

    /// Doubles the filter, and empties it, if it is small for a search with this many states.
    #[inline]
    pub(super) fn fit(&mut self, states: usize) {
        if 4 * states > self.slots.len() && self.slots.len() < MOST {
            self.slots = Self::empty(2 * self.slots.len());
        }
    }

    /// False if the filter knows that the state was opened with this `g` or a smaller one. Records the state.
    #[inline]
    pub(super) fn is_new(&mut self, key: Key<N>, g: Cost) -> bool {
        let bits = self.mask.count_ones();
        let most = self.slots.len() - 1;
        let slot = &mut self.slots[(key.hash(self.mask) >> 40) as usize & most];
        let (g, largest) = (u64::from(g), u64::MAX >> bits);
        let was_opened = Key(*slot).is_state_of(key, self.mask) & (slot[0] >> bits <= g);
        *slot = key.0;
        slot[0] = key.0[0] & self.mask | g.min(largest) << bits;
        !was_opened | (g >= largest)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_state_is_new_unless_it_was_opened_with_a_g_no_larger() {
        let mut filter = DuplicateFilter::<1>::new(u64::MAX >> 8);
        let mut is_new = |state: u64, g| filter.is_new(Key([state | 77 << 56]), g);
        for state in [0, 1, 12_345, u64::MAX >> 8] {
            assert!(is_new(state, 9), "nothing was opened yet");
            assert!(!is_new(state, 9));
            assert!(!is_new(state, 10), "it was cheaper before");
            assert!(is_new(state, 8), "it is cheaper now");
            assert!(is_new(state, 255) && is_new(state, 255), "too large to be recorded");
            assert!(is_new(state, 1_000) && is_new(state, 256));
            assert!(is_new(state, 254) && !is_new(state, 254));
        }
        assert!((0..100_000).all(|state| is_new(state + 99, 3)), "others take their slots");
        filter.fit(FIRST + 1);
        assert_eq!(filter.slots.len(), 2 * FIRST);
    }
}
