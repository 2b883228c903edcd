//! The states that were opened last, so that most of those that come up again at once are not opened again.
//!
//! Two moves of different pieces lead to the same state in either order, soon after each other. A lazy search would put it
//! onto the open list twice, and look for it in the closed list twice. What is remembered here is not everything: a state takes
//! the place of another one, so a look costs the same whether it helps or not.

use crate::space::Cost;

/// How many are remembered: what a cache that is near has room for.
const PLACES: usize = 1 << 12;

/// States by hash, each with the cost of the path by which it was opened.
#[derive(Debug)]
pub(super) struct Recent<const N: usize> {
    places: Box<[([u64; N], Cost)]>,
}

impl<const N: usize> Recent<N> {
    pub(super) fn new() -> Self {
        Recent { places: vec![([0; N], Cost::MAX); PLACES].into() }
    }

    /// Whether a state is not known to have been opened at that cost or a lower one. From now on it is.
    #[inline]
    pub(super) fn is_new(&mut self, state: [u64; N], hash: u64, g: Cost) -> bool {
        let place = &mut self.places[(hash >> (u64::BITS - PLACES.ilog2())) as usize % PLACES];
        let is_new = (place.0 != state) | (place.1 > g);
        *place = (state, g);
        is_new
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_opened_as_cheaply_is_not_new() {
        let mut recent = Recent::<1>::new();
        assert!(recent.is_new([0], 0, 9), "nothing was opened yet");
        assert!(!recent.is_new([0], 0, 9));
        assert!(!recent.is_new([0], 0, 10), "it was cheaper before");
        assert!(recent.is_new([0], 0, 8), "it is cheaper now");
        assert!(recent.is_new([1], 0, 8), "another one with that hash");
        assert!(recent.is_new([0], 0, 8), "which has its place");
        assert!(recent.is_new([2], u64::MAX, 8));
    }
}
