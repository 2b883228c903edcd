//! The open list of arena A*: entries by `f`, then by least `h`, then last in, first out.
//!
//! An entry is a state and its parent's id. `f` and `h` are those of the stack that holds it, so an entry stores
//! neither. A stack is a list of chunks of [`CHUNK`] entries, and empty chunks are reused, so large stacks are never
//! copied. Stacks pay while each holds many entries. If keys are sparse, all entries move to a binary heap for good;
//! the order stays the same, except among entries with equal `f` and `h`.

use std::cmp::Ordering;
use std::collections::{BinaryHeap, VecDeque};

use crate::search::closed::{Full, NodeId};

/// A state that waits to be expanded.
#[derive(Debug)]
pub(super) struct OpenEntry<K> {
    pub(super) key: K,
    pub(super) parent: NodeId,
}

/// The entries of a chunk.
const CHUNK: usize = 64;
/// The initial entries of the first chunk of a stack.
const FEW: usize = 8;
/// Stacks may always take this many bytes.
const ALWAYS_STACKS: usize = 1 << 20;
/// Beyond that they may take at most this many times the bytes of their entries.
const SPARSE: usize = 4;

#[derive(Debug)]
pub(super) struct ArenaOpen<K> {
    queue: Queue<K>,
    len: usize,
    bytes: usize,
}

#[derive(Debug)]
enum Queue<K> {
    Stacks(Stacks<K>),
    Heap(BinaryHeap<HeapEntry<K>>),
}

impl<K> ArenaOpen<K> {
    pub(super) fn new() -> Self {
        ArenaOpen {
            queue: Queue::Stacks(Stacks { layers: VecDeque::new(), first: 0, free: Vec::new() }),
            len: 0,
            bytes: 0,
        }
    }

    pub(super) fn len(&self) -> usize {
        self.len
    }

    #[inline]
    pub(super) fn bytes(&self) -> u64 {
        self.bytes as u64
    }

    /// Adds an entry, unless the list would grow beyond `most` bytes.
    #[inline]
    pub(super) fn push(&mut self, f: u64, h: u32, entry: OpenEntry<K>, most: u64) -> Result<(), Full> {
        if let Queue::Stacks(stacks) = &mut self.queue
            && let Some(layer) = stacks.layers.get_mut(f.wrapping_sub(stacks.first) as usize)
            && let Some(stack) = layer.stacks.get_mut(h as usize)
            && stack.top.len() < stack.top.capacity()
        {
            stack.top.push(entry);
            layer.least = layer.least.min(h as usize);
            self.len += 1;
            return Ok(());
        }
        self.push_with_growth(f, h, entry, most)
    }

    #[cold]
    fn push_with_growth(&mut self, f: u64, h: u32, entry: OpenEntry<K>, most: u64) -> Result<(), Full> {
        if let Queue::Stacks(stacks) = &mut self.queue {
            let more = stacks.growth(f, h);
            let allowed = ALWAYS_STACKS.saturating_add(SPARSE * self.len * size_of::<OpenEntry<K>>()) as u64;
            if let Some(more) = more.filter(|more| (self.bytes + more) as u64 <= allowed.min(most)) {
                stacks.grow(f, h)?;
                self.bytes += more;
                return self.push(f, h, entry, most);
            }
            self.become_heap(most)?;
        }
        let Queue::Heap(heap) = &mut self.queue else { unreachable!("stacks have become a heap") };
        if heap.len() == heap.capacity() {
            let more = (heap.len() / 4).max(CHUNK);
            if ((heap.capacity() + more) * size_of::<HeapEntry<K>>()) as u64 > most {
                return Err(Full);
            }
            heap.try_reserve_exact(more).map_err(|_| Full)?;
            self.bytes = heap.capacity() * size_of::<HeapEntry<K>>();
        }
        heap.push(HeapEntry { f, h, entry });
        self.len += 1;
        Ok(())
    }

    /// The least `f`.
    pub(super) fn least(&mut self) -> Option<u64> {
        match &mut self.queue {
            Queue::Stacks(stacks) => {
                self.bytes -= stacks.drop_empty_layers();
                (!stacks.layers.is_empty()).then_some(stacks.first)
            }
            Queue::Heap(heap) => heap.peek().map(|entry| entry.f),
        }
    }

    /// Takes the next entry of this `f`, which must be the least; returns its `h` as well.
    #[inline]
    pub(super) fn take(&mut self, f: u64) -> Option<(u32, OpenEntry<K>)> {
        let taken = match &mut self.queue {
            Queue::Stacks(stacks) => stacks.take(f),
            Queue::Heap(heap) if heap.peek().is_some_and(|entry| entry.f == f) => {
                heap.pop().map(|entry| (entry.h, entry.entry))
            }
            Queue::Heap(_) => None,
        };
        self.len -= usize::from(taken.is_some());
        taken
    }

    #[cold]
    fn become_heap(&mut self, most: u64) -> Result<(), Full> {
        let Queue::Stacks(stacks) = &mut self.queue else { return Ok(()) };
        // Both are in memory until the last entry has moved.
        let heap_bytes = (self.len + 1) * size_of::<HeapEntry<K>>();
        if (self.bytes + heap_bytes) as u64 > most {
            return Err(Full);
        }
        let mut entries: Vec<HeapEntry<K>> = Vec::new();
        entries.try_reserve_exact(self.len + 1).map_err(|_| Full)?;
        for (f, layer) in (stacks.first..).zip(&mut stacks.layers) {
            for (h, stack) in layer.stacks.iter_mut().enumerate() {
                let chunks = stack.full.drain(..).chain([std::mem::take(&mut stack.top)]);
                entries.extend(chunks.flatten().map(|entry| HeapEntry { f, h: h as u32, entry }));
            }
        }
        self.queue = Queue::Heap(BinaryHeap::from(entries));
        self.bytes = heap_bytes;
        Ok(())
    }
}

/// Stacks by `f` and `h`, for dense keys.
#[derive(Debug)]
struct Stacks<K> {
    layers: VecDeque<Layer<K>>,
    /// The `f` of the first layer.
    first: u64,
    /// Empty chunks.
    free: Vec<Vec<OpenEntry<K>>>,
}

/// The entries with the same `f`.
#[derive(Debug)]
struct Layer<K> {
    /// By `h`; those below `least` are empty.
    stacks: Vec<Stack<K>>,
    least: usize,
}

#[derive(Debug)]
struct Stack<K> {
    full: Vec<Vec<OpenEntry<K>>>,
    /// The last chunk; empty only if the stack is.
    top: Vec<OpenEntry<K>>,
}

impl<K> Stacks<K> {
    /// The number of layers missing before and after the present ones.
    fn missing_layers(&self, f: u64) -> (u64, u64) {
        if self.layers.is_empty() {
            return (0, 1);
        }
        let end = self.first + self.layers.len() as u64;
        (self.first.saturating_sub(f), (f + 1).saturating_sub(end))
    }

    /// The bytes that one more entry takes; `None` on overflow.
    fn growth(&self, f: u64, h: u32) -> Option<usize> {
        let (before, after) = self.missing_layers(f);
        let layers = usize::try_from(before + after).ok()?.checked_mul(size_of::<Layer<K>>())?;
        let layer = self.layers.get(f.wrapping_sub(self.first) as usize);
        let stacks = (h as usize + 1).saturating_sub(layer.map_or(0, |layer| layer.stacks.len()));
        let stack = layer.and_then(|layer| layer.stacks.get(h as usize));
        let entry = size_of::<OpenEntry<K>>();
        let chunks = match stack.map_or(0, |stack| stack.top.capacity()) {
            0 if self.free.is_empty() => FEW * entry,
            top @ 1..CHUNK => (CHUNK - top) * entry,
            CHUNK if self.free.is_empty() => CHUNK * entry + size_of::<Vec<OpenEntry<K>>>(),
            _ => 0,
        };
        layers.checked_add(stacks.checked_mul(size_of::<Stack<K>>())?)?.checked_add(chunks)
    }

    /// Makes room for an entry.
    fn grow(&mut self, f: u64, h: u32) -> Result<(), Full> {
        let (before, after) = self.missing_layers(f);
        self.layers.try_reserve((before + after) as usize).map_err(|_| Full)?;
        if self.layers.is_empty() {
            self.first = f;
        }
        for _ in 0..before {
            self.layers.push_front(Layer { stacks: Vec::new(), least: 0 });
        }
        self.first -= before;
        for _ in 0..after {
            self.layers.push_back(Layer { stacks: Vec::new(), least: 0 });
        }
        let layer = &mut self.layers[(f - self.first) as usize];
        let missing = (h as usize + 1).saturating_sub(layer.stacks.len());
        if missing > 0 {
            layer.stacks.try_reserve_exact(missing).map_err(|_| Full)?;
            layer.stacks.resize_with(h as usize + 1, || Stack { full: Vec::new(), top: Vec::new() });
        }
        let stack = &mut layer.stacks[h as usize];
        match stack.top.capacity() {
            0 => stack.top = self.free.pop().unwrap_or_default(),
            1..CHUNK => {}
            _ => {
                stack.full.try_reserve(1).map_err(|_| Full)?;
                stack.full.push(std::mem::replace(&mut stack.top, self.free.pop().unwrap_or_default()));
            }
        }
        let is_first = stack.full.is_empty() && stack.top.is_empty();
        let room = if is_first { FEW } else { CHUNK };
        stack.top.try_reserve_exact(room - stack.top.len()).map_err(|_| Full)
    }

    #[inline]
    fn take(&mut self, f: u64) -> Option<(u32, OpenEntry<K>)> {
        let layer = self.layers.get_mut(f.checked_sub(self.first)? as usize)?;
        while let Some(stack) = layer.stacks.get_mut(layer.least) {
            if let Some(entry) = stack.top.pop() {
                if stack.top.is_empty()
                    && let Some(full) = stack.full.pop()
                {
                    self.free.push(std::mem::replace(&mut stack.top, full));
                }
                return Some((layer.least as u32, entry));
            }
            layer.least += 1;
        }
        None
    }

    /// Drops empty layers at the front. Keeps full-size chunks for reuse; returns the bytes freed.
    fn drop_empty_layers(&mut self) -> usize {
        let mut dropped = 0;
        while let Some(layer) = self.layers.front_mut() {
            while layer.stacks.get(layer.least).is_some_and(|stack| stack.top.is_empty()) {
                layer.least += 1;
            }
            if layer.least < layer.stacks.len() {
                break;
            }
            dropped += size_of::<Layer<K>>() + layer.stacks.len() * size_of::<Stack<K>>();
            for top in layer.stacks.drain(..).map(|stack| stack.top) {
                if top.capacity() == CHUNK {
                    self.free.push(top);
                } else {
                    dropped += top.capacity() * size_of::<OpenEntry<K>>();
                }
            }
            self.layers.pop_front();
            self.first += 1;
        }
        dropped
    }
}

/// An entry of the heap.
#[derive(Debug)]
struct HeapEntry<K> {
    f: u64,
    h: u32,
    entry: OpenEntry<K>,
}

impl<K> Ord for HeapEntry<K> {
    /// The largest is taken first: least `f`, then least `h`.
    fn cmp(&self, other: &Self) -> Ordering {
        (other.f, other.h).cmp(&(self.f, self.h))
    }
}

impl<K> PartialOrd for HeapEntry<K> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl<K> PartialEq for HeapEntry<K> {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl<K> Eq for HeapEntry<K> {}

#[cfg(test)]
mod tests {
    use super::*;

    /// Pushes and takes a few thousand entries with keys that go up and down; returns `f` and `h` of those taken.
    fn drill(h_factor: u32, f_factor: u64) -> (Vec<(u64, u32)>, bool) {
        let mut open = ArenaOpen::new();
        let mut random = 12345_u64;
        let (mut taken, mut held) = (Vec::new(), Vec::new());
        for id in 0..6000_u32 {
            random = random.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            let (f, h) = (f_factor * ((random >> 33) % 50), h_factor * ((random >> 45) % 8) as u32);
            open.push(f, h, OpenEntry { key: (f, h), parent: id }, u64::MAX).expect("memory suffices");
            held.push((f, h));
            if random >> 62 == 1 {
                let f = open.least().expect("something was just pushed");
                let (h, entry) = open.take(f).expect("it is the least");
                assert_eq!(entry.key, (f, h), "an entry keeps its place");
                assert_eq!(Some(&(f, h)), held.iter().min());
                held.swap_remove(held.iter().position(|&key| key == (f, h)).expect("it was pushed"));
                taken.push((f, h));
            }
            assert_eq!(open.len(), held.len());
        }
        while let Some(f) = open.least() {
            let (h, _) = open.take(f).expect("it is the least");
            taken.push((f, h));
        }
        assert_eq!((taken.len(), open.len()), (6000, 0));
        (taken, matches!(open.queue, Queue::Heap(_)))
    }

    #[test]
    fn entries_come_in_the_order_of_f_and_h_from_stacks_and_from_a_heap() {
        let (dense, is_heap) = drill(1, 1);
        assert!(!is_heap);
        for (h_factor, f_factor) in [(1_000_000, 1), (1, 1_000_000_000), (400_000_000, 1 << 55)] {
            let (sparse, is_heap) = drill(h_factor, f_factor);
            assert!(is_heap, "{h_factor} {f_factor}");
            let scaled: Vec<(u64, u32)> = dense.iter().map(|&(f, h)| (f * f_factor, h * h_factor)).collect();
            assert_eq!(sparse, scaled);
        }
    }

    #[test]
    fn a_stack_gives_the_last_entry_first_across_chunks() {
        let mut open = ArenaOpen::new();
        let count = 3 * CHUNK as u32 + 5;
        for key in 0..count {
            open.push(7, 2, OpenEntry { key, parent: key }, u64::MAX).expect("memory suffices");
        }
        let order: Vec<u32> = std::iter::from_fn(|| open.take(7).map(|(_, entry)| entry.key)).collect();
        assert!(order.into_iter().eq((0..count).rev()));
        assert_eq!(open.least(), None);
    }

    #[test]
    fn nothing_grows_beyond_the_limit_and_chunks_are_used_again() {
        let mut open = ArenaOpen::new();
        let pushed = (0..).take_while(|&key| open.push(9, 0, OpenEntry { key, parent: 0 }, 10_000).is_ok()).count();
        assert!(pushed >= CHUNK && open.bytes() <= 10_000, "{pushed} entries in {} bytes", open.bytes());
        let bytes = open.bytes();
        while open.take(9).is_some() {}
        for key in 0..pushed as i32 {
            open.push(9, 0, OpenEntry { key, parent: 0 }, 10_000).expect("there is as much room as before");
        }
        assert_eq!(open.bytes(), bytes);
    }

    #[test]
    fn bytes_cover_what_is_allocated() {
        let mut open = ArenaOpen::new();
        for key in 0..100_000_u64 {
            open.push(key % 70, (key % 13) as u32, OpenEntry { key, parent: 0 }, u64::MAX).expect("memory suffices");
        }
        let Queue::Stacks(stacks) = &open.queue else { panic!("keys are dense") };
        let chunks: usize =
            stacks.layers.iter().flat_map(|layer| &layer.stacks).map(|stack| stack.full.len() + 1).sum();
        assert!(open.bytes() >= (chunks * CHUNK * size_of::<OpenEntry<u64>>()) as u64);
        assert!(open.bytes() <= 3 * 16 * 100_000, "{}", open.bytes());
    }
}
