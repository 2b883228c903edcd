//! The open list of the eager best-first searches: a priority queue of node ids.
//!
//! Entries are ordered by key, then by the chosen [`TieBreak`]. Small keys index an array of buckets. As soon as a key
//! is too large for that (fractional heuristics, large costs), everything moves to a binary heap, which pops in exactly
//! the same order. An id may be pushed again with a smaller key; when its older entry is popped, the search finds the
//! node closed and drops the entry.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};

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

/// A larger key turns the buckets into a heap: this many empty buckets take two megabytes.
const MOST_BUCKETS: u64 = 1 << 16;
/// More stacks, empty ones included, turn the buckets into a heap: this many take six megabytes.
const MOST_STACKS: usize = 1 << 18;

#[derive(Debug)]
pub(crate) struct Open {
    tie: TieBreak,
    queue: Queue,
    /// Bytes allocated by the buckets.
    bucket_bytes: usize,
}

#[derive(Debug)]
enum Queue {
    /// `stacks` is the number of stacks in all buckets.
    Buckets {
        buckets: Vec<Bucket>,
        first: usize,
        stacks: usize,
    },
    Heap {
        heap: BinaryHeap<Reverse<HeapEntry>>,
        pushed: u64,
    },
}

/// An entry of the heap; the derived order of the fields is that of the queue.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
struct HeapEntry {
    key: u64,
    tie: u32,
    turn: i64,
    id: u32,
}

/// The ids of one key.
#[derive(Debug)]
enum Bucket {
    Queue(VecDeque<u32>),
    Stack(Vec<u32>),
    /// A stack for each `h`; those below `least` are empty.
    StackByH {
        stacks: Vec<Vec<u32>>,
        least: usize,
    },
}

impl Open {
    pub(crate) fn new(tie: TieBreak) -> Self {
        Open { tie, queue: Queue::Buckets { buckets: Vec::new(), first: 0, stacks: 0 }, bucket_bytes: 0 }
    }

    pub(crate) fn push(&mut self, key: u64, h: u32, id: u32) {
        let by_h = self.tie == TieBreak::LowH;
        if key >= MOST_BUCKETS || (by_h && self.stacks_with(h) > MOST_STACKS) {
            self.become_heap();
        }
        match &mut self.queue {
            Queue::Buckets { buckets, first, stacks } => {
                let key = key as usize;
                if key >= buckets.len() {
                    buckets.resize_with(key + 1, || Bucket::new(self.tie));
                }
                let more = buckets[key].push(h, id);
                *stacks += more.stacks;
                self.bucket_bytes += more.bytes;
                *first = key.min(*first);
            }
            Queue::Heap { heap, pushed } => {
                *pushed += 1;
                let turn = if self.tie == TieBreak::Fifo { *pushed as i64 } else { -(*pushed as i64) };
                heap.push(Reverse(HeapEntry { key, tie: if by_h { h } else { 0 }, turn, id }));
            }
        }
    }

    /// The key and id that [`Open::pop`] would return.
    pub(crate) fn peek(&mut self) -> Option<(u64, u32)> {
        match &mut self.queue {
            Queue::Buckets { buckets, first, stacks } => {
                while *first < buckets.len() {
                    if let Some(id) = buckets[*first].peek() {
                        return Some((*first as u64, id));
                    }
                    // An empty layer is rarely needed again: free its memory.
                    *stacks -= buckets[*first].stacks();
                    self.bucket_bytes -= buckets[*first].bytes();
                    buckets[*first] = Bucket::new(self.tie);
                    *first += 1;
                }
                None
            }
            Queue::Heap { heap, .. } => heap.peek().map(|Reverse(entry)| (entry.key, entry.id)),
        }
    }

    pub(crate) fn pop(&mut self) -> Option<(u64, u32)> {
        let next = self.peek()?;
        match &mut self.queue {
            Queue::Buckets { buckets, first, .. } => buckets[*first].pop(),
            Queue::Heap { heap, .. } => drop(heap.pop()),
        }
        Some(next)
    }

    pub(crate) fn bytes(&self) -> u64 {
        match &self.queue {
            Queue::Buckets { buckets, .. } => (buckets.capacity() * size_of::<Bucket>() + self.bucket_bytes) as u64,
            Queue::Heap { heap, .. } => (heap.capacity() * size_of::<HeapEntry>()) as u64,
        }
    }

    /// An upper bound of the number of stacks after a push with this `h`.
    #[inline]
    fn stacks_with(&self, h: u32) -> usize {
        match self.queue {
            Queue::Buckets { stacks, .. } => stacks + h as usize + 1,
            Queue::Heap { .. } => 0,
        }
    }

    #[cold]
    fn become_heap(&mut self) {
        let Queue::Buckets { buckets, .. } = &mut self.queue else { return };
        let mut heap = BinaryHeap::new();
        let mut pushed = 0;
        for (key, bucket) in std::mem::take(buckets).into_iter().enumerate() {
            for (tie, id) in bucket.oldest_first() {
                pushed += 1;
                let turn = if self.tie == TieBreak::Fifo { pushed } else { -pushed };
                heap.push(Reverse(HeapEntry { key: key as u64, tie, turn, id }));
            }
        }
        self.queue = Queue::Heap { heap, pushed: pushed as u64 };
        self.bucket_bytes = 0;
    }
}

/// The growth of a bucket by one push.
struct Growth {
    stacks: usize,
    bytes: usize,
}

impl Bucket {
    fn new(tie: TieBreak) -> Self {
        match tie {
            TieBreak::Fifo => Bucket::Queue(VecDeque::new()),
            TieBreak::Lifo => Bucket::Stack(Vec::new()),
            TieBreak::LowH => Bucket::StackByH { stacks: Vec::new(), least: 0 },
        }
    }

    /// Adds an id; returns the growth of the bucket.
    #[inline]
    fn push(&mut self, h: u32, id: u32) -> Growth {
        let (before, after, lists) = match self {
            Bucket::Queue(queue) => {
                let before = queue.capacity();
                queue.push_back(id);
                (before, queue.capacity(), [0; 3])
            }
            Bucket::Stack(stack) => {
                let before = stack.capacity();
                stack.push(id);
                (before, stack.capacity(), [0; 3])
            }
            Bucket::StackByH { stacks, least } => {
                let h = h as usize;
                let (lists, room) = (stacks.len(), stacks.capacity());
                if h >= lists {
                    stacks.resize_with(h + 1, Vec::new);
                }
                let stack = &mut stacks[h];
                let before = stack.capacity();
                stack.push(id);
                let after = stack.capacity();
                *least = h.min(*least);
                (before, after, [stacks.len() - lists, stacks.capacity(), room])
            }
        };
        let [stacks, room, room_before] = lists;
        let bytes = (after - before) * size_of::<u32>() + (room - room_before) * size_of::<Vec<u32>>();
        Growth { stacks, bytes }
    }

    /// The bytes allocated.
    fn bytes(&self) -> usize {
        match self {
            Bucket::Queue(queue) => queue.capacity() * size_of::<u32>(),
            Bucket::Stack(stack) => stack.capacity() * size_of::<u32>(),
            Bucket::StackByH { stacks, .. } => {
                let ids: usize = stacks.iter().map(|stack| stack.capacity() * size_of::<u32>()).sum();
                ids + stacks.capacity() * size_of::<Vec<u32>>()
            }
        }
    }

    #[inline]
    fn stacks(&self) -> usize {
        match self {
            Bucket::Queue(_) | Bucket::Stack(_) => 0,
            Bucket::StackByH { stacks, .. } => stacks.len(),
        }
    }

    #[inline]
    fn peek(&mut self) -> Option<u32> {
        match self {
            Bucket::Queue(queue) => queue.front().copied(),
            Bucket::Stack(stack) => stack.last().copied(),
            Bucket::StackByH { stacks, least } => {
                while *least < stacks.len() {
                    if let Some(&id) = stacks[*least].last() {
                        return Some(id);
                    }
                    *least += 1;
                }
                None
            }
        }
    }

    /// Removes the id that `peek` returned.
    #[inline]
    fn pop(&mut self) {
        match self {
            Bucket::Queue(queue) => drop(queue.pop_front()),
            Bucket::Stack(stack) => drop(stack.pop()),
            Bucket::StackByH { stacks, least } => drop(stacks[*least].pop()),
        }
    }

    fn oldest_first(self) -> Box<dyn Iterator<Item = (u32, u32)>> {
        match self {
            Bucket::Queue(queue) => Box::new(queue.into_iter().map(|id| (0, id))),
            Bucket::Stack(stack) => Box::new(stack.into_iter().map(|id| (0, id))),
            Bucket::StackByH { stacks, .. } => Box::new(
                stacks.into_iter().enumerate().flat_map(|(h, stack)| stack.into_iter().map(move |id| (h as u32, id))),
            ),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A few thousand pushes and pops with keys that go up and down; returns the order of the pops.
    fn drill(tie: TieBreak, heap_after: usize) -> Vec<u32> {
        let mut open = Open::new(tie);
        let mut random = 12345_u64;
        let mut popped = Vec::new();
        for id in 0..4000_u32 {
            if id as usize == heap_after {
                open.become_heap();
            }
            random = random.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            let f = (random >> 33) % 50;
            open.push(f, ((random >> 45) % 8) as u32, id);
            if random >> 63 == 1 {
                let seen = open.peek();
                let (key, id) = open.pop().expect("something was just pushed");
                assert_eq!(seen, Some((key, id)));
                popped.push(id);
            }
        }
        while let Some((_, id)) = open.pop() {
            popped.push(id);
        }
        assert_eq!(popped.len(), 4000);
        popped
    }

    #[test]
    fn heap_and_buckets_pop_in_the_same_order() {
        for tie in [TieBreak::Fifo, TieBreak::Lifo, TieBreak::LowH] {
            let buckets_only = drill(tie, usize::MAX);
            for heap_after in [0, 1, 1000, 3999] {
                assert_eq!(drill(tie, heap_after), buckets_only, "{tie:?}, heap after {heap_after}");
            }
        }
    }

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
    fn a_large_key_turns_buckets_into_a_heap_with_the_same_order() {
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
