//! The prefetch queue: entries that were taken off the open list and not yet looked up in the closed list.

use super::key::Key;
use super::open::{BLOCK, PackedOpen};

/// A state that was taken off the open list.
#[derive(Debug, Clone, Copy)]
pub(super) struct Taken<const N: usize> {
    pub(super) key: Key<N>,
    pub(super) h: u32,
}

/// The most entries in the queue.
pub(super) const MOST: usize = 128;
/// The slots of the queue: a few times [`MOST`], so that entries rarely move to the front.
const PLACES: usize = 4 * MOST;

/// Entries in their order. Keys and estimates are in separate arrays, so that a block is copied as a whole.
#[derive(Debug)]
pub(super) struct PrefetchQueue<const N: usize> {
    keys: [Key<N>; PLACES],
    h: [u32; PLACES],
    /// The range of the entries.
    first: usize,
    end: usize,
}

impl<const N: usize> PrefetchQueue<N> {
    pub(super) fn new() -> Self {
        PrefetchQueue { keys: [Key::default(); PLACES], h: [0; PLACES], first: 0, end: 0 }
    }

    pub(super) fn len(&self) -> usize {
        self.end - self.first
    }

    /// Takes entries of the current layer off the open list until the queue has `most`, or the layer is empty.
    #[inline]
    pub(super) fn fill(&mut self, open: &mut PackedOpen<Key<N>>, most: usize) {
        debug_assert!(most <= MOST, "the queue has room");
        // A block is copied as a whole, even if not all of its entries count.
        if self.first + most + BLOCK > PLACES {
            self.keys.copy_within(self.first..self.end, 0);
            self.h.copy_within(self.first..self.end, 0);
            (self.first, self.end) = (0, self.len());
        }
        let PrefetchQueue { keys, h: estimates, first, end } = self;
        open.take_some(most.saturating_sub(*end - *first) as u32, |block, h, count| {
            let (keys, estimates) = (&mut keys[*end..*end + BLOCK], &mut estimates[*end..*end + BLOCK]);
            for at in 0..BLOCK {
                keys[at] = block[BLOCK - 1 - at];
                estimates[at] = h;
            }
            *end += count as usize;
        });
    }

    /// Replaces all entries by these, at most [`MOST`].
    pub(super) fn replace(&mut self, entries: &[Taken<N>]) {
        (self.first, self.end) = (0, entries.len());
        for (at, taken) in entries.iter().enumerate() {
            (self.keys[at], self.h[at]) = (taken.key, taken.h);
        }
    }

    /// The entries, the next one first.
    #[inline]
    pub(super) fn each(&self) -> impl DoubleEndedIterator<Item = Taken<N>> {
        self.keys().iter().zip(&self.h[self.first..self.end]).map(|(&key, &h)| Taken { key, h })
    }

    #[inline]
    pub(super) fn keys(&self) -> &[Key<N>] {
        &self.keys[self.first..self.end]
    }

    /// Drops the first `count` entries.
    #[inline]
    pub(super) fn drop_first(&mut self, count: usize) {
        self.first += count;
        debug_assert!(self.first <= self.end, "the queue has this many");
    }
}
