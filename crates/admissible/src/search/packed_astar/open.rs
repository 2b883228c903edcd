//! The open list of packed A*: stacks by `f` and `h`, in chunks from a common pool.
//!
//! Entries come off by least `f`, then by least `h`, then last in, first out. A stack is represented by its top: the
//! index in the pool of its next entry. The tops of *near* stacks, with small `h` and one of the next few `f`, are in
//! an array, and most searches need no others. The tops of *far* stacks are in a map, and move to the array when their
//! layer comes near.
//!
//! Short stacks have unpredictable lengths. To avoid branches on them, entries are taken in blocks of a fixed size, of
//! which some count; a bit set shows the next stack that has entries; and a near stack keeps its last chunk until its
//! layer is done.

use std::collections::BTreeMap;
use std::hint::cold_path;
use std::ops::Range;

use crate::memory::{prefetch, prefetch_after};
use crate::search::closed::Full;

/// The slots of a chunk. The first stays unused, so that a stack can own a chunk and have no entries.
const CHUNK: usize = 128;
/// The entries of a block, whether all of them count or not.
pub(super) const BLOCK: usize = 8;
/// The least chunks by which the pool grows.
const LEAST_CHUNKS: usize = 32;
/// The number of near `f`.
const WINDOW: u64 = 8;
/// The most bits of a near `h`.
const MOST_BITS: u32 = 14;

#[derive(Debug)]
pub(super) struct PackedOpen<E> {
    pool: Pool<E>,
    stacks: StackTops,
    /// The most bits of a near `h` in this search.
    bits: u32,
    /// The current, least `f`.
    f: u64,
    /// Near stacks of `f` with a smaller `h` are empty.
    least: u32,
    entries: u64,
}

/// The tops of all stacks.
#[derive(Debug)]
struct StackTops {
    /// By place; 0 for a near stack without a chunk.
    near: Vec<u32>,
    /// One bit for each near stack: whether it has entries.
    filled: Vec<u64>,
    /// The far stacks that have entries.
    far: Far,
}

/// Tops of far stacks by `f` and `h`.
type Far = BTreeMap<(u64, u32), u32>;

fn bytes_of_stacks(near: &[u32], filled: &[u64], far: &Far) -> u64 {
    // The approximate bytes of an entry of the map.
    const FAR: usize = 32;
    (size_of_val(near) + size_of_val(filled) + far.len() * FAR) as u64
}

/// The chunks of all stacks.
#[derive(Debug)]
struct Pool<E> {
    entries: Vec<E>,
    /// For each chunk, the top of the stack below it.
    below: Vec<u32>,
    /// Unused chunks.
    free: Vec<u32>,
}

impl<E: Copy + Default> Pool<E> {
    fn bytes(&self) -> u64 {
        let numbers = self.below.capacity() + self.free.capacity();
        (self.entries.capacity() * size_of::<E>() + numbers * size_of::<u32>()) as u64
    }

    /// The top of a stack after adding an empty chunk to it; `None` if the pool would exceed `most_bytes`.
    #[cold]
    fn chunk_above(&mut self, top: u32, most_bytes: u64) -> Option<u32> {
        let has_room = !self.free.is_empty() || self.entries.len() + CHUNK <= self.entries.capacity();
        if !has_room {
            self.grow(most_bytes).ok()?;
        }
        let chunk = self.free.pop().unwrap_or_else(|| {
            self.entries.resize(self.entries.len() + CHUNK, E::default());
            self.below.push(0);
            self.below.len() as u32 - 1
        });
        self.below[chunk as usize] = top;
        Some(chunk * CHUNK as u32 + 1)
    }

    /// Grows by a quarter: the system remaps large blocks instead of copying them, so small steps are cheap and waste
    /// little.
    #[cold]
    fn grow(&mut self, most_bytes: u64) -> Result<(), Full> {
        let more = (self.below.len() / 4).max(LEAST_CHUNKS);
        // A chunk has two numbers beside its entries.
        let bytes = more * (CHUNK * size_of::<E>() + 2 * size_of::<u32>());
        let places = (self.below.len() + more) * CHUNK;
        if self.bytes() + bytes as u64 > most_bytes || places > u32::MAX as usize {
            return Err(Full);
        }
        self.entries.reserve_exact(more * CHUNK);
        self.below.reserve_exact(more);
        self.free.reserve_exact(self.below.len() + more - self.free.len());
        Ok(())
    }

    /// Frees the chunks of the empty near stacks at these places.
    #[cold]
    fn free_unused(&mut self, near: &mut [u32], filled: &[u64], places: Range<usize>) {
        for place in places {
            let is_filled = filled[place / 64] >> (place % 64) & 1 == 1;
            if near[place] != 0 && !is_filled {
                self.free.push(near[place] / CHUNK as u32);
                near[place] = 0;
            }
        }
    }

    /// The top of a stack after entries of its last chunk, which begins at `begin`, were taken: if the chunk is empty
    /// and there is one below, the top of that one.
    #[inline]
    fn end_of(&mut self, top: u32, begin: u32) -> u32 {
        let is_empty = top == begin + 1;
        let chunk = (begin / CHUNK as u32) as usize;
        if is_empty & (self.below[chunk] != 0) {
            cold_path();
            self.free.push(chunk as u32);
            return self.below[chunk];
        }
        top
    }
}

impl<E: Copy + Default> PackedOpen<E> {
    /// An empty list that begins at `f`; `h` is a typical estimate.
    pub(super) fn new(f: u64, h: u32) -> Self {
        // Other estimates are seldom more than twice that.
        let bits = (u32::BITS - h.leading_zeros() + 1).clamp(6, MOST_BITS);
        let near = vec![0; (WINDOW as usize) << bits];
        PackedOpen {
            // The first chunk belongs to no stack.
            pool: Pool { entries: vec![E::default(); CHUNK], below: vec![0], free: Vec::new() },
            stacks: StackTops { filled: vec![0; near.len() / 64], near, far: Far::new() },
            bits,
            f,
            least: 0,
            entries: 0,
        }
    }

    pub(super) fn len(&self) -> u64 {
        self.entries
    }

    /// The current `f`.
    pub(super) fn f(&self) -> u64 {
        self.f
    }

    pub(super) fn bytes(&self) -> u64 {
        let StackTops { near, filled, far } = &self.stacks;
        self.pool.bytes() + bytes_of_stacks(near, filled, far)
    }

    /// The place of a stack in the array; `None` if it is far.
    #[inline]
    fn place(least_f: u64, bits: u32, f: u64, h: u32) -> Option<usize> {
        let is_near = f.wrapping_sub(least_f) < WINDOW && h >> bits == 0;
        is_near.then_some(((f % WINDOW) as usize) << bits | h as usize)
    }

    /// Adds an entry with an `f` no less than the current one, within `most_bytes`.
    #[inline]
    pub(super) fn push(&mut self, f: u64, h: u32, entry: E, most_bytes: u64) -> Result<(), Full> {
        let least_h = if f == self.f { h } else { self.least };
        let mut opening = self.opening(least_h, most_bytes);
        opening.push(f, h, entry)?;
        opening.count(1);
        Ok(())
    }

    /// For adding several entries, within `most_bytes`. Entries of the current layer must not have an `h` below
    /// `least_h`.
    #[inline]
    pub(super) fn opening(&mut self, least_h: u32, most_bytes: u64) -> Opening<'_, E> {
        self.least = self.least.min(least_h);
        let PackedOpen { pool, stacks: StackTops { near, filled, far }, bits, f, entries, .. } = self;
        Opening { pool, near, filled, far, entries, f: *f, bits: *bits, most_bytes }
    }

    /// Where the last chunk of a stack begins.
    #[inline]
    fn chunk_of(top: u32) -> u32 {
        (top - 1) / CHUNK as u32 * CHUNK as u32
    }

    /// The least `h` of the current `f` with a near stack that has entries.
    #[inline]
    fn least_filled(&mut self) -> Option<u32> {
        let row = ((self.f % WINDOW) as usize) << self.bits;
        while self.least >> self.bits == 0 {
            let rest = self.stacks.filled[(row | self.least as usize) / 64] >> (self.least % 64);
            if rest != 0 {
                self.least += rest.trailing_zeros();
                return Some(self.least);
            }
            cold_path();
            self.least = (self.least | 63) + 1;
        }
        None
    }

    /// Takes the next entry of the current `f`; returns its `h` as well.
    pub(super) fn pop(&mut self) -> Option<(E, u32)> {
        let mut popped = None;
        self.take_some(1, |block, h, _| popped = Some((block[BLOCK - 1], h)));
        popped
    }

    /// Takes up to `most` entries of the current `f`. Calls `visit` with a block, its `h`, and the number of entries of
    /// the block that count, from its end; the last one comes first.
    #[inline]
    pub(super) fn take_some(&mut self, mut most: u32, mut visit: impl FnMut(&[E; BLOCK], u32, u32)) {
        let row = ((self.f % WINDOW) as usize) << self.bits;
        while most > 0
            && let Some(h) = self.least_filled()
        {
            let place = row | h as usize;
            let top = self.stacks.near[place];
            let begin = Self::chunk_of(top);
            let count = (top - 1 - begin).min(most).min(BLOCK as u32);
            let block = self.pool.entries[..top as usize].last_chunk().expect("the first chunk belongs to no stack");
            visit(block, h, count);
            // Entries pushed long ago have left the cache.
            prefetch(&self.pool.entries, (top as usize).wrapping_sub(2 * BLOCK));
            most -= count;
            self.entries -= u64::from(count);
            let end = self.pool.end_of(top - count, begin);
            self.stacks.near[place] = end;
            self.stacks.filled[place / 64] &= !(u64::from(end == begin + 1) << (place % 64));
        }
        if most > 0 && !self.stacks.far.is_empty() {
            self.take_far(most, &mut visit);
        }
    }

    #[cold]
    fn take_far(&mut self, most: u32, visit: &mut dyn FnMut(&[E; BLOCK], u32, u32)) {
        for _ in 0..most {
            let Some((entry, h)) = self.pop_far() else { return };
            visit(&[entry; BLOCK], h, 1);
        }
    }

    fn pop_far(&mut self) -> Option<(E, u32)> {
        let (&(f, h), &top) = self.stacks.far.first_key_value()?;
        if f > self.f {
            return None;
        }
        let entry = self.pool.entries[top as usize - 1];
        self.entries -= 1;
        let begin = Self::chunk_of(top);
        let end = self.pool.end_of(top - 1, begin);
        if end == begin + 1 {
            self.pool.free.push(begin / CHUNK as u32);
            self.stacks.far.pop_first();
        } else {
            self.stacks.far.insert((f, h), end);
        }
        Some((entry, h))
    }

    /// Every stack that has a chunk: its `f`, `h` and top.
    fn each_stack(&self) -> impl Iterator<Item = (u64, u32, u32)> {
        let row = |f: u64| &self.stacks.near[((f % WINDOW) as usize) << self.bits..][..1 << self.bits];
        let rows = (self.f..self.f + WINDOW).map(move |f| (f, row(f)));
        let near = rows.flat_map(|(f, row)| row.iter().enumerate().map(move |(h, &top)| (f, h as u32, top)));
        let far = self.stacks.far.iter().map(|(&(f, h), &top)| (f, h, top));
        near.chain(far).filter(|&(_, _, top)| top > 0)
    }

    /// The ranges of a stack's entries in the pool, the last ones first.
    fn pieces(&self, top: u32) -> impl Iterator<Item = Range<usize>> {
        let below = |&top: &u32| Some(self.pool.below[Self::chunk_of(top) as usize / CHUNK]).filter(|&below| below > 0);
        std::iter::successors(Some(top), below).map(|top| Self::chunk_of(top) as usize + 1..top as usize)
    }

    /// Calls `visit` with all entries, each with its `f` and `h`; pushed in this order they make the same list.
    pub(super) fn each<X>(&self, mut visit: impl FnMut(u64, u32, E) -> Result<(), X>) -> Result<(), X> {
        for (f, h, top) in self.each_stack() {
            let pieces: Vec<Range<usize>> = self.pieces(top).collect();
            for piece in pieces.into_iter().rev() {
                self.pool.entries[piece].iter().try_for_each(|&entry| visit(f, h, entry))?;
            }
        }
        Ok(())
    }

    /// Counts the entries again, after some were added without [`Opening::count`].
    #[cold]
    pub(super) fn recount(&mut self) {
        let pieces = self.each_stack().flat_map(|(_, _, top)| self.pieces(top));
        self.entries = pieces.map(|piece| piece.len() as u64).sum();
    }

    /// The least `f` that has entries.
    pub(super) fn least(&self) -> Option<u64> {
        let words = (1 << self.bits) / 64;
        let is_used =
            |f: &u64| self.stacks.filled[(f % WINDOW) as usize * words..][..words].iter().any(|&bits| bits != 0);
        let near = (self.f..self.f + WINDOW).find(is_used);
        let far = self.stacks.far.first_key_value().map(|(&(f, _), _)| f);
        near.into_iter().chain(far).min()
    }

    /// Sets the current `f`, below which there must be no entries.
    pub(super) fn go_to(&mut self, f: u64) {
        for past in self.f..f.min(self.f + WINDOW) {
            let row = ((past % WINDOW) as usize) << self.bits;
            self.pool.free_unused(&mut self.stacks.near, &self.stacks.filled, row..row + (1 << self.bits));
        }
        self.f = f;
        self.least = 0;
        let end = self.f.saturating_add(WINDOW);
        let come_near: Vec<(u64, u32)> =
            self.stacks.far.range(..(end, 0)).map(|(&stack, _)| stack).filter(|(_, h)| h >> self.bits == 0).collect();
        for (f, h) in come_near {
            let place = Self::place(self.f, self.bits, f, h).expect("a near stack has a place");
            self.stacks.near[place] = self.stacks.far.remove(&(f, h)).expect("the stack was listed above");
            self.stacks.filled[place / 64] |= 1 << (place % 64);
        }
    }
}

/// Adds several entries to an open list. It borrows the fields one by one, for the innermost loop.
pub(super) struct Opening<'a, E> {
    pool: &'a mut Pool<E>,
    near: &'a mut [u32],
    filled: &'a mut [u64],
    far: &'a mut Far,
    entries: &'a mut u64,
    f: u64,
    bits: u32,
    most_bytes: u64,
}

impl<E: Copy + Default> Opening<'_, E> {
    /// Counts entries that were added; call it once after all of them, or else [`PackedOpen::recount`].
    #[inline]
    pub(super) fn count(&mut self, added: usize) {
        *self.entries += added as u64;
    }

    /// Adds an entry with an `f` no less than the current one, without counting it ([`Opening::count`]).
    #[inline(always)]
    pub(super) fn push(&mut self, f: u64, h: u32, entry: E) -> Result<(), Full> {
        debug_assert!(f >= self.f, "earlier layers are done");
        let Some(place) = PackedOpen::<E>::place(self.f, self.bits, f, h) else {
            return self.push_far(f, h, entry);
        };
        let mut top = self.near[place];
        if (top as usize).is_multiple_of(CHUNK) {
            top = self.chunk_above(top)?;
        }
        let free = &mut self.pool.entries[top as usize];
        *free = entry;
        // A write to a line that is not in the cache would stall.
        prefetch_after(free, BLOCK);
        self.near[place] = top + 1;
        self.filled[place / 64] |= 1 << (place % 64);
        Ok(())
    }

    #[cold]
    fn push_far(&mut self, f: u64, h: u32, entry: E) -> Result<(), Full> {
        let mut top = self.far.get(&(f, h)).copied().unwrap_or(0);
        if (top as usize).is_multiple_of(CHUNK) {
            top = self.chunk_above(top)?;
        }
        self.pool.entries[top as usize] = entry;
        self.far.insert((f, h), top + 1);
        Ok(())
    }

    /// The top of a stack after adding an empty chunk to it.
    #[cold]
    fn chunk_above(&mut self, top: u32) -> Result<u32, Full> {
        let most_bytes = self.most_bytes.saturating_sub(bytes_of_stacks(self.near, self.filled, self.far));
        if let Some(first) = self.pool.chunk_above(top, most_bytes) {
            return Ok(first);
        }
        self.pool.free_unused(self.near, self.filled, 0..self.near.len());
        self.pool.chunk_above(top, most_bytes).ok_or(Full)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Pushes and pops at random beside a list that is searched from end to end.
    #[test]
    fn entries_come_by_f_then_by_h_then_last_first() {
        for seed in 0..40_u64 {
            let mut random = seed;
            let mut below = |most: u64| {
                random = random.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
                (random >> 33) % most
            };
            let (spread, largest) = [(3, 20), (5, 300), (40, 30), (100_000, 1_000_000)][seed as usize % 4];
            let mut open = PackedOpen::<u64>::new(10, 8);
            let mut plain: Vec<(u64, u32, u64)> = Vec::new();
            for id in 0..3_000 {
                let (f, h) = (open.f() + below(spread), below(largest) as u32);
                open.push(f, h, id, u64::MAX).expect("memory suffices");
                plain.push((f, h, id));
                while plain.len() as u64 > below(400) {
                    let best = plain.iter().enumerate().min_by_key(|(_, (f, h, id))| (*f, *h, u64::MAX - id));
                    let (at, &(f, h, id)) = best.expect("the list is not empty");
                    let popped = open.pop().or_else(|| {
                        assert_eq!(open.least(), Some(f));
                        open.go_to(f);
                        open.pop()
                    });
                    assert_eq!(popped, Some((id, h)), "seed {seed}");
                    assert_eq!(open.f(), f);
                    plain.remove(at);
                }
                assert_eq!(open.len(), plain.len() as u64);
            }
            open.recount();
            assert_eq!(open.len(), plain.len() as u64);
            let mut again = PackedOpen::<u64>::new(open.f(), 8);
            let pushed = open.each(|f, h, id| again.push(f, h, id, u64::MAX));
            pushed.expect("memory suffices");
            assert_eq!(again.len(), open.len());
            loop {
                let next = open.pop();
                assert_eq!(again.pop(), next, "seed {seed}");
                if next.is_none() {
                    assert_eq!(again.least(), open.least());
                    let Some(layer) = open.least() else { break };
                    [&mut open, &mut again].into_iter().for_each(|open| open.go_to(layer));
                }
            }
        }
    }

    #[test]
    fn the_pool_keeps_within_its_bytes_and_uses_chunks_again() {
        let mut open = PackedOpen::<u64>::new(0, 0);
        let most = 100_000;
        let mut pushed = 0;
        while open.push(0, 0, pushed, most).is_ok() {
            pushed += 1;
            assert!(open.bytes() <= most);
        }
        assert!(pushed > 4_000, "{pushed}");
        open.recount();
        assert_eq!(open.len(), pushed);
        for id in (0..pushed).rev() {
            assert_eq!(open.pop(), Some((id, 0)));
        }
        let bytes = open.bytes();
        (0..pushed).for_each(|id| open.push(0, 1, id, most).expect("there is as much room as before"));
        assert_eq!((open.len(), open.bytes()), (pushed, bytes));
    }
}
