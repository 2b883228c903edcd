//! The open list of a lazy search: stacks by `f` and `h`, of chunks from a common pool.
//!
//! Entries are taken from the least `f`, of those from the least `h`, of those the last one first. A stack is known by
//! where its next entry goes. The stacks of the next few `f` and of small `h`, which are all that most searches use, lie
//! in an array; whatever is beyond is found in a map and moved to the array when its time comes.

use std::collections::BTreeMap;

use crate::search::closed::Full;

/// Entries of a chunk.
const CHUNK: usize = 128;
/// Chunks of the first pool.
const FIRST_CHUNKS: usize = 32;
/// How many `f` are near.
const WINDOW: u64 = 8;
/// The largest number of bits of an `h` that is near.
const MOST_BITS: u32 = 14;

#[derive(Debug)]
pub(super) struct Open<E> {
    pool: Vec<E>,
    /// For each chunk, where the stack below it ends.
    below: Vec<u32>,
    /// Chunks that are not used.
    free: Vec<u32>,
    /// Where the next entry goes, for each near stack; 0 if it is empty.
    near: Vec<u32>,
    /// The same for the others that are not empty.
    far: BTreeMap<(u64, u32), u32>,
    /// An `h` is near if it has no more bits.
    bits: u32,
    /// The least `f`.
    f: u64,
    /// No near stack of `f` with a smaller `h` has anything.
    least: u32,
    entries: u64,
}

impl<E: Copy + Default> Open<E> {
    /// An empty list from some `f` on, where `h` is a typical one.
    pub(super) fn new(f: u64, h: u32) -> Self {
        // The other estimates are seldom more than twice that.
        let bits = (u32::BITS - h.leading_zeros() + 1).clamp(6, MOST_BITS);
        let near = vec![0; (WINDOW as usize) << bits];
        Open {
            pool: Vec::new(),
            below: Vec::new(),
            free: Vec::new(),
            near,
            far: BTreeMap::new(),
            bits,
            f,
            least: 0,
            entries: 0,
        }
    }

    pub(super) fn len(&self) -> u64 {
        self.entries
    }

    /// The `f` that entries are taken from.
    pub(super) fn f(&self) -> u64 {
        self.f
    }

    pub(super) fn bytes(&self) -> u64 {
        // An entry of the map, and what the map adds to it.
        const FAR: usize = 32;
        let tables = (self.near.len() + self.below.capacity() + self.free.capacity()) * size_of::<u32>();
        (self.pool.capacity() * size_of::<E>() + tables + self.far.len() * FAR) as u64
    }

    /// The place of a near stack in the array.
    #[inline]
    fn place(&self, f: u64, h: u32) -> Option<usize> {
        let is_near = f.wrapping_sub(self.f) < WINDOW && h >> self.bits == 0;
        is_near.then_some(((f % WINDOW) as usize) << self.bits | h as usize)
    }

    /// Adds an entry with an `f` that is not below the least, within so many bytes.
    #[inline(always)]
    pub(super) fn push(&mut self, f: u64, h: u32, entry: E, most_bytes: u64) -> Result<(), Full> {
        debug_assert!(f >= self.f, "layers are not gone back to");
        let Some(place) = self.place(f, h) else { return self.push_far(f, h, entry, most_bytes) };
        let mut top = self.near[place];
        if (top as usize).is_multiple_of(CHUNK) {
            top = self.chunk_above(top, most_bytes)?;
        }
        self.pool[top as usize] = entry;
        self.near[place] = top + 1;
        self.entries += 1;
        if f == self.f {
            self.least = self.least.min(h);
        }
        Ok(())
    }

    #[cold]
    fn push_far(&mut self, f: u64, h: u32, entry: E, most_bytes: u64) -> Result<(), Full> {
        let mut top = self.far.get(&(f, h)).copied().unwrap_or(0);
        if (top as usize).is_multiple_of(CHUNK) {
            top = self.chunk_above(top, most_bytes)?;
        }
        self.pool[top as usize] = entry;
        self.far.insert((f, h), top + 1);
        self.entries += 1;
        Ok(())
    }

    /// The first place of a chunk that goes on where a stack ends.
    #[cold]
    fn chunk_above(&mut self, top: u32, most_bytes: u64) -> Result<u32, Full> {
        let chunk = match self.free.pop() {
            Some(chunk) => chunk,
            None => {
                if self.pool.len() + CHUNK > self.pool.capacity() {
                    self.grow(most_bytes)?;
                }
                self.pool.resize(self.pool.len() + CHUNK, E::default());
                self.below.push(0);
                self.below.len() as u32 - 1
            }
        };
        self.below[chunk as usize] = top;
        Ok(chunk * CHUNK as u32)
    }

    /// Grows by a quarter: large blocks move by remapping pages and not by copying, so small steps are cheap and leave
    /// little unused.
    #[cold]
    fn grow(&mut self, most_bytes: u64) -> Result<(), Full> {
        let more = (self.below.len() / 4).max(FIRST_CHUNKS);
        // A chunk has two numbers beside its entries.
        let bytes = more * (CHUNK * size_of::<E>() + 2 * size_of::<u32>());
        let places = (self.below.len() + more) * CHUNK;
        if self.bytes() + bytes as u64 > most_bytes || places > u32::MAX as usize {
            return Err(Full);
        }
        self.pool.reserve_exact(more * CHUNK);
        self.below.reserve_exact(more);
        self.free.reserve_exact(self.below.len() + more - self.free.len());
        Ok(())
    }

    /// Takes the last entry below the end of a stack: the entry, and where the stack ends now.
    #[inline]
    fn take(&mut self, top: u32) -> (E, u32) {
        let last = top - 1;
        self.entries -= 1;
        let entry = self.pool[last as usize];
        if !(last as usize).is_multiple_of(CHUNK) {
            return (entry, last);
        }
        (entry, self.given_back(last))
    }

    /// The next entry with the present `f`, and its `h`.
    #[inline]
    pub(super) fn pop(&mut self) -> Option<(E, u32)> {
        let row = ((self.f % WINDOW) as usize) << self.bits;
        while self.least >> self.bits == 0 {
            let h = self.least;
            let top = self.near[row | h as usize];
            if top != 0 {
                let (entry, below) = self.take(top);
                self.near[row | h as usize] = below;
                return Some((entry, h));
            }
            self.least += 1;
        }
        if self.far.is_empty() { None } else { self.pop_far() }
    }

    /// Takes up to so many of the next entries with the present `f`, each with its `h`.
    #[inline]
    pub(super) fn take_some(&mut self, mut most: u32, mut visit: impl FnMut(E, u32)) {
        let row = ((self.f % WINDOW) as usize) << self.bits;
        while most > 0 && self.least >> self.bits == 0 {
            let h = self.least;
            let top = self.near[row | h as usize];
            if top == 0 {
                self.least += 1;
                continue;
            }
            // What is left of the chunk, or as much as is wanted.
            let begin = (top - 1) / CHUNK as u32 * CHUNK as u32;
            let rest = begin.max(top.saturating_sub(most));
            self.pool[rest as usize..top as usize].iter().rev().for_each(|&entry| visit(entry, h));
            most -= top - rest;
            self.entries -= u64::from(top - rest);
            self.near[row | h as usize] = if rest > begin { rest } else { self.given_back(begin) };
        }
        if !self.far.is_empty() {
            (0..most).map_while(|_| self.pop_far()).for_each(|(entry, h)| visit(entry, h));
        }
    }

    /// Where a stack ends whose last chunk begins here and is empty.
    #[inline]
    fn given_back(&mut self, begin: u32) -> u32 {
        let chunk = begin / CHUNK as u32;
        self.free.push(chunk);
        self.below[chunk as usize]
    }

    #[cold]
    fn pop_far(&mut self) -> Option<(E, u32)> {
        let (&(f, h), &top) = self.far.first_key_value()?;
        if f > self.f {
            return None;
        }
        let (entry, below) = self.take(top);
        if below == 0 {
            self.far.pop_first();
        } else {
            self.far.insert((f, h), below);
        }
        Some((entry, h))
    }

    /// Goes through all entries, each with its `f` and `h`; pushed in this order they make the same list.
    pub(super) fn each<X>(&self, mut visit: impl FnMut(u64, u32, E) -> Result<(), X>) -> Result<(), X> {
        let row_length = 1_usize << self.bits;
        let rows =
            (self.f..self.f + WINDOW).map(|f| (f, &self.near[(f % WINDOW) as usize * row_length..][..row_length]));
        let near = rows.flat_map(|(f, row)| row.iter().enumerate().map(move |(h, &top)| (f, h as u32, top)));
        let far = self.far.iter().map(|(&(f, h), &top)| (f, h, top));
        let mut pieces = Vec::new();
        for (f, h, mut top) in near.chain(far) {
            while top > 0 {
                let chunk = (top - 1) / CHUNK as u32;
                pieces.push(chunk as usize * CHUNK..top as usize);
                top = self.below[chunk as usize];
            }
            for piece in pieces.drain(..).rev() {
                self.pool[piece].iter().try_for_each(|&entry| visit(f, h, entry))?;
            }
        }
        Ok(())
    }

    /// The least `f` that has entries.
    pub(super) fn least(&self) -> Option<u64> {
        let row_length = 1 << self.bits;
        let is_used = |f: &u64| {
            let row = (f % WINDOW) as usize * row_length;
            self.near[row..row + row_length].iter().any(|&top| top != 0)
        };
        let near = (self.f..self.f + WINDOW).find(is_used);
        let far = self.far.first_key_value().map(|(&(f, _), _)| f);
        near.into_iter().chain(far).min()
    }

    /// Takes entries from an `f` from now on below which there are none.
    pub(super) fn go_to(&mut self, f: u64) {
        self.f = f;
        self.least = 0;
        let end = self.f.saturating_add(WINDOW);
        let come_near: Vec<(u64, u32)> =
            self.far.range(..(end, 0)).map(|(&stack, _)| stack).filter(|(_, h)| h >> self.bits == 0).collect();
        for (f, h) in come_near {
            let place = self.place(f, h).expect("what is near has a place");
            self.near[place] = self.far.remove(&(f, h)).expect("it was found there");
        }
    }

    /// Goes on to the least `f` that has entries; the present one has none left.
    pub(super) fn next_layer(&mut self) -> Option<u64> {
        let f = self.least()?;
        self.go_to(f);
        Some(f)
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
            let mut open = Open::<u64>::new(10, 8);
            let mut plain: Vec<(u64, u32, u64)> = Vec::new();
            for id in 0..3_000 {
                let (f, h) = (open.f() + below(spread), below(largest) as u32);
                open.push(f, h, id, u64::MAX).expect("nothing is limited");
                plain.push((f, h, id));
                while plain.len() as u64 > below(400) {
                    let best = plain.iter().enumerate().min_by_key(|(_, (f, h, id))| (*f, *h, u64::MAX - id));
                    let (at, &(f, h, id)) = best.expect("something is there");
                    let popped = open.pop().or_else(|| {
                        assert_eq!(open.next_layer(), Some(f));
                        open.pop()
                    });
                    assert_eq!(popped, Some((id, h)), "seed {seed}");
                    assert_eq!(open.f(), f);
                    plain.remove(at);
                }
                assert_eq!(open.len(), plain.len() as u64);
            }
            let mut again = Open::<u64>::new(open.f(), 8);
            let pushed = open.each(|f, h, id| again.push(f, h, id, u64::MAX));
            pushed.expect("nothing is limited");
            assert_eq!(again.len(), open.len());
            loop {
                let next = open.pop();
                assert_eq!(again.pop(), next, "seed {seed}");
                if next.is_none() {
                    let layer = open.next_layer();
                    assert_eq!(again.next_layer(), layer);
                    if layer.is_none() {
                        break;
                    }
                }
            }
        }
    }

    #[test]
    fn the_pool_keeps_within_its_bytes_and_uses_chunks_again() {
        let mut open = Open::<u64>::new(0, 0);
        let most = 100_000;
        let mut pushed = 0;
        while open.push(0, 0, pushed, most).is_ok() {
            pushed += 1;
            assert!(open.bytes() <= most);
        }
        assert!(pushed > 4_000, "{pushed}");
        for id in (0..pushed).rev() {
            assert_eq!(open.pop(), Some((id, 0)));
        }
        let bytes = open.bytes();
        (0..pushed).for_each(|id| open.push(0, 1, id, most).expect("there is as much room as before"));
        assert_eq!((open.len(), open.bytes()), (pushed, bytes));
    }
}
