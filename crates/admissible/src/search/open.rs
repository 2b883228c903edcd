//! The open list of the eager best-first searches: a priority queue of node ids.
//!
//! Entries are ordered by key, then by the chosen [`TieBreak`]. Those that come in the order of their pushes share a
//! bucket. An id may be pushed again with a smaller key; when its older entry is popped, the search finds the node
//! closed and drops the entry.

use std::collections::{BTreeMap, VecDeque};

/// Which of several nodes with equal keys comes first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum TieBreak {
    /// The one pushed first.
    Fifo,
    /// The one pushed last.
    Lifo,
    /// The one with the least `h`, and among those the one pushed last.
    #[default]
    LowH,
}

#[derive(Debug)]
pub(crate) struct Open {
    tie: TieBreak,
    /// By key and, with [`TieBreak::LowH`], `h`: ids in the order of their pushes. None is empty.
    buckets: BTreeMap<(u64, u32), VecDeque<u32>>,
    /// A bucket that has become empty, whose memory the next one takes.
    spare: VecDeque<u32>,
    /// The slots of all buckets.
    slots: usize,
    /// The most slots that a bucket has had.
    widest: usize,
}

/// The approximate bytes of a bucket in the map, without its slots.
const BUCKET: usize = 80;

impl Open {
    pub(crate) fn new(tie: TieBreak) -> Self {
        Open { tie, buckets: BTreeMap::new(), spare: VecDeque::new(), slots: 0, widest: 0 }
    }

    #[inline]
    pub(crate) fn push(&mut self, key: u64, h: u32, id: u32) {
        let h = if self.tie == TieBreak::LowH { h } else { 0 };
        let bucket = self.buckets.entry((key, h)).or_insert_with(|| std::mem::take(&mut self.spare));
        if bucket.len() == bucket.capacity() {
            let before = bucket.capacity();
            bucket.reserve_exact((before / 4).max(4));
            self.slots += bucket.capacity() - before;
            self.widest = self.widest.max(bucket.capacity());
        }
        bucket.push_back(id);
    }

    /// The key and id that [`Open::pop`] would return.
    #[inline]
    pub(crate) fn peek(&self) -> Option<(u64, u32)> {
        let (&(key, _), bucket) = self.buckets.first_key_value()?;
        let id = if self.tie == TieBreak::Fifo { bucket.front() } else { bucket.back() };
        Some((key, *id?))
    }

    #[inline]
    pub(crate) fn pop(&mut self) -> Option<(u64, u32)> {
        let mut first = self.buckets.first_entry()?;
        let (key, bucket) = (first.key().0, first.get_mut());
        let id = if self.tie == TieBreak::Fifo { bucket.pop_front() } else { bucket.pop_back() };
        if bucket.is_empty() {
            self.slots -= self.spare.capacity();
            self.spare = first.remove();
        }
        Some((key, id?))
    }

    pub(crate) fn bytes(&self) -> u64 {
        (self.buckets.len() * BUCKET + self.slots * size_of::<u32>()) as u64
    }

    /// An upper bound of [`Open::bytes`] after an expansion, up to the margin of a search: its successors may fill up
    /// to four buckets, and a full one grows by a quarter.
    pub(crate) fn bytes_to_come(&self) -> u64 {
        self.bytes() + (self.widest * size_of::<u32>()) as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ties_are_broken_by_the_chosen_rule() {
        for (tie, expected) in
            [(TieBreak::Fifo, [0, 1, 2, 3]), (TieBreak::Lifo, [3, 2, 1, 0]), (TieBreak::LowH, [3, 1, 2, 0])]
        {
            let mut open = Open::new(tie);
            for (id, h) in [(0, 5), (1, 2), (2, 5), (3, 2)] {
                open.push(7, h, id);
            }
            let order: Vec<u32> = std::iter::from_fn(|| open.pop().map(|(_, id)| id)).collect();
            assert_eq!(order, expected, "{tie:?}");
        }
    }

    #[test]
    fn keys_may_be_far_apart() {
        let mut open = Open::new(TieBreak::Fifo);
        open.push(3, 0, 0);
        open.push(u64::MAX, 0, 1);
        open.push(3, 0, 2);
        assert_eq!(open.pop(), Some((3, 0)));
        assert_eq!(open.pop(), Some((3, 2)));
        assert_eq!(open.pop(), Some((u64::MAX, 1)));
        assert_eq!(open.pop(), None);
    }
}
