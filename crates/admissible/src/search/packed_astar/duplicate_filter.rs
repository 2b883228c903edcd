//! The duplicate filter: the states that were opened last, so that most of those that come up again at once are not
//! opened again.
//!
//! Two moves of different pieces lead to the same state in either order, soon after each other. Packed A* would put it
//! onto the open list twice, and look for it in the closed list twice. The filter is lossy: a state takes the place of
//! another one, so a look costs the same whether it helps or not.

use super::key::Key;
use crate::space::Cost;

/// How many are remembered at first, and at the most: what a cache that is near has room for.
const FIRST: usize = 1 << 12;
const MOST: usize = 1 << 14;

/// States by hash, each with the cost of the path by which it was opened where a key has its move. Larger costs do not
/// fit there: such states are not remembered.
#[derive(Debug)]
pub(super) struct DuplicateFilter<const N: usize> {
    places: Vec<[u64; N]>,
    /// The bits of the first word that are the state.
    mask: u64,
}

impl<const N: usize> DuplicateFilter<N> {
    /// For keys whose first word has a state in these bits.
    pub(super) fn new(mask: u64) -> Self {
        DuplicateFilter { places: Self::empty(FIRST), mask }
    }

    /// Nothing is opened at a cost of 0. A state that is all zeros would be found in the first place, so that has the
    /// largest cost, which no state is opened at.
    fn empty(count: usize) -> Vec<[u64; N]> {
        let mut places = vec![[0; N]; count];
        places[0][0] = u64::MAX;
        places
    }

    /// Remembers more where so many states are known, and nothing of those before.
    #[inline]
    pub(super) fn fit(&mut self, states: usize) {
        if 4 * states > self.places.len() && self.places.len() < MOST {
            self.places = Self::empty(2 * self.places.len());
        }
    }

    /// Whether a state is not known to have been opened at that cost or a lower one. From now on it is.
    #[inline]
    pub(super) fn is_new(&mut self, key: Key<N>, g: Cost) -> bool {
        let bits = self.mask.count_ones();
        let most = self.places.len() - 1;
        let place = &mut self.places[(key.hash(self.mask) >> 40) as usize & most];
        let (g, largest) = (u64::from(g), u64::MAX >> bits);
        let was_opened = Key(*place).is_state_of(key, self.mask) & (place[0] >> bits <= g);
        *place = key.0;
        place[0] = key.0[0] & self.mask | g.min(largest) << bits;
        !was_opened | (g >= largest)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_opened_as_cheaply_is_not_new() {
        let mut recent = DuplicateFilter::<1>::new(u64::MAX >> 8);
        let mut is_new = |state: u64, g| recent.is_new(Key([state | 77 << 56]), g);
        for state in [0, 1, 12_345, u64::MAX >> 8] {
            assert!(is_new(state, 9), "nothing was opened yet");
            assert!(!is_new(state, 9));
            assert!(!is_new(state, 10), "it was cheaper before");
            assert!(is_new(state, 8), "it is cheaper now");
            assert!(is_new(state, 255) && is_new(state, 255), "more than there is room for");
            assert!(is_new(state, 1_000) && is_new(state, 256));
            assert!(is_new(state, 254) && !is_new(state, 254));
        }
        assert!((0..100_000).all(|state| is_new(state + 99, 3)), "others take their places");
        recent.fit(FIRST + 1);
        assert_eq!(recent.places.len(), 2 * FIRST);
    }
}
