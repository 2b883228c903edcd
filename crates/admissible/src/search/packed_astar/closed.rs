//! The closed list of packed A*: a set of states, each with the code of the move that led to it.
//!
//! The table is open-addressed, and a slot is a [`Key`]. Slots are grouped into cache lines: the hash of a state gives
//! its home line, all slots of which are compared together, and a state whose line is full goes to the next line. So a
//! lookup costs one cache miss, which can be prefetched ([`Closed::prefetch`]).
//!
//! A full table grows in place: the home line rises with the hash, in the old table as in the new one, so if lines are
//! rehashed from last to first, every state moves into free space. The peak is one table and not two.
//!
//! Where keys are dense ([`Keyed::DENSE_KEYS`]), the table is a plain array of move codes by key, of half a byte or a
//! byte each.

#[cfg(test)]
mod tests;

use std::hint::{cold_path, select_unpredictable};
use std::ops::Range;

use super::key::{EMPTY, Key};
use crate::keyed::Keyed;
use crate::memory::{self, Line, Lines};
use crate::search::Signal;
use crate::search::closed::Full;

/// The most states that are inserted together.
pub(super) const MOST_AT_ONCE: usize = 64;
/// Lines that are rehashed between two polls of the signal: some milliseconds.
const POLL_EVERY: usize = 1 << 14;
/// The first table: 64 KiB.
const FIRST_LINES: usize = 1024;
/// The bits of a cache line.
const LINE_BITS: u32 = u8::BITS * size_of::<Line>() as u32;
/// The most states for a plain table.
const MOST_PLAIN: u64 = 1 << 29;
/// The factors by which a table grows, in quarters; the first that the memory limit allows is taken.
const GROWTHS: [usize; 3] = [8, 6, 5];
/// The same for the first table, and from the second on for other small tables: rehashing those takes longer than
/// clearing memory.
const FIRST_GROWTHS: [usize; 5] = [32, 16, 8, 6, 5];
/// The lines of the largest small table: 512 KiB.
const SMALL_LINES: usize = 8192;

#[derive(Debug)]
pub(super) struct Closed<const N: usize> {
    lines: Lines,
    states: usize,
    /// The number of states at which the table must grow.
    room: usize,
    /// The state bits of a key's first word.
    mask: u64,
    /// The bits of each state in a plain table; 0 if the table is hashed.
    plain_bits: u32,
}

/// The bits of each state in a plain table, given those of a move code.
const fn plain_bits(code_bits: u32) -> u32 {
    if code_bits <= 4 { 4 } else { 8 }
}

/// A line in which all slots have the same words. This and all other functions of the innermost loops use `for` instead
/// of `map`, `from_fn` and `fold`: those are inlined only if the crate is a single codegen unit.
#[inline]
fn repeated<const N: usize>(slot: [u64; N]) -> [u64; 8] {
    let mut line = [0; 8];
    for at in 0..8 {
        line[at] = slot[at % N];
    }
    line
}

/// The words of a slot: the first word, and one for all others.
#[inline]
fn first_and_others<const N: usize>(first: u64, others: u64) -> [u64; N] {
    let mut slot = [others; N];
    slot[0] = first;
    slot
}

impl<const N: usize> Closed<N> {
    const SLOTS: usize = 8 / N;

    /// An empty table for the keys of a space: plain if keys are dense and it takes at most half of `most_bytes`.
    pub(super) fn new<S: Keyed>(space: &S, most_bytes: u64) -> Self {
        let plain_bits = plain_bits(S::CODE_BITS);
        let lines = |bound: u64| bound.div_ceil(u64::from(LINE_BITS / plain_bits));
        let fits = |bound: &u64| {
            let bytes = lines(*bound) * size_of::<Line>() as u64;
            N == 1 && S::CODE_BITS <= 8 && *bound <= MOST_PLAIN && bytes <= most_bytes / 2
        };
        let bound = S::DENSE_KEYS.then(|| space.key_bound());
        match bound.filter(fits) {
            Some(bound) => Closed {
                lines: Lines::new(lines(bound) as usize),
                states: 0,
                room: usize::MAX,
                mask: u64::MAX >> S::CODE_BITS,
                plain_bits,
            },
            None => Self::hashed(S::CODE_BITS),
        }
    }

    /// An empty hash table.
    pub(super) fn hashed(code_bits: u32) -> Self {
        let lines = Lines::new(FIRST_LINES);
        Closed { room: Self::room_in(lines.len()), lines, states: 0, mask: u64::MAX >> code_bits, plain_bits: 0 }
    }

    fn room_in(lines: usize) -> usize {
        // Seven tenths full.
        lines * Self::SLOTS / 10 * 7
    }

    pub(super) fn len(&self) -> usize {
        self.states
    }

    pub(super) fn bytes(&self) -> u64 {
        (self.lines.len() * size_of::<Line>()) as u64
    }

    /// Whether `more` new states fit without growing.
    #[inline]
    pub(super) fn has_room(&self, more: usize) -> bool {
        more <= self.room.saturating_sub(self.states)
    }

    /// Whether `states` states in all fit without growing.
    pub(super) fn has_room_for(&self, states: u64) -> bool {
        states <= self.room as u64
    }

    /// Whether the table is a plain array.
    #[inline]
    pub(super) fn is_plain(&self) -> bool {
        self.plain_bits > 0
    }

    /// The line where the lookup of a state begins. Without dense keys the compiler removes the test for a plain table.
    #[inline]
    pub(super) fn line_of<S: Keyed>(&self, key: Key<N>) -> usize {
        if S::DENSE_KEYS && self.is_plain() {
            ((key.0[0] & self.mask) / u64::from(LINE_BITS / plain_bits(S::CODE_BITS))) as usize
        } else {
            self.home(key)
        }
    }

    /// The home line of a state in a hashed table.
    #[inline]
    pub(super) fn home(&self, key: Key<N>) -> usize {
        ((u128::from(key.hash(self.mask)) * self.lines.len() as u128) >> 64) as usize
    }

    #[inline]
    pub(super) fn prefetch(&self, line: usize) {
        memory::prefetch(&self.lines, line);
    }

    /// Inserts the states that are new, and sets `is_new` for each of them. The table has room for all.
    #[inline]
    pub(super) fn insert_several<S: Keyed>(&mut self, keys: &[Key<N>], is_new: &mut [bool]) {
        if S::DENSE_KEYS && self.is_plain() {
            let words = self.lines.words_mut();
            for (key, is_new) in keys.iter().zip(&mut *is_new) {
                *is_new = Self::insert_into_words::<S>(words, key.0[0]);
            }
        } else {
            self.insert_hashed(keys, is_new);
        }
        for &is_new in &*is_new {
            self.states += usize::from(is_new);
        }
    }

    /// The same in a hashed table, without counting the states.
    #[inline]
    fn insert_hashed(&mut self, keys: &[Key<N>], is_new: &mut [bool]) {
        // States whose home line is full are deferred until the next line has been fetched.
        let (mut deferred, mut count) = ([0; MOST_AT_ONCE], 0);
        for (at, (&key, is_new)) in keys.iter().zip(&mut *is_new).enumerate() {
            let home = self.home(key);
            if let Some(found) = self.insert_at(home, key) {
                *is_new = found;
            } else {
                cold_path();
                self.prefetch(self.line_after(home));
                deferred[count] = at;
                count += 1;
            }
        }
        for &at in &deferred[..count] {
            is_new[at] = self.insert_from(self.line_after(self.home(keys[at])), keys[at]);
        }
    }

    /// Inserts a state; true if it is new. The table has room.
    pub(super) fn insert<S: Keyed>(&mut self, key: Key<N>) -> bool {
        let mut is_new = [false];
        self.insert_several::<S>(&[key], &mut is_new);
        is_new[0]
    }

    /// Inserts a state into a hashed table, probing from this line on, without counting it; true if it is new.
    #[inline]
    fn insert_from(&mut self, line: usize, key: Key<N>) -> bool {
        let mut at = line;
        loop {
            if let Some(is_new) = self.insert_at(at, key) {
                return is_new;
            }
            cold_path();
            at = self.line_after(at);
        }
    }

    /// The next line to probe.
    #[inline]
    fn line_after(&self, line: usize) -> usize {
        if line + 1 == self.lines.len() { 0 } else { line + 1 }
    }

    /// Inserts a state into one line; returns whether it is new. `None` if the line is full and does not have the
    /// state, which may be in the next line.
    #[inline]
    fn insert_at(&mut self, at: usize, key: Key<N>) -> Option<bool> {
        // The state of all zeros matches an empty slot, so it takes a slow path.
        if key.difference(Key::default(), self.mask) == 0 {
            cold_path();
            return Some(self.place_of(key).is_none() && (self.put(at, key) || self.put(0, key)));
        }
        let line = &mut self.lines[at];
        // All slots at once: a few more comparisons cost less than an unpredictable branch.
        let same = line.matches(repeated(key.0), repeated(first_and_others::<N>(self.mask, u64::MAX)));
        // One bit for the first word of each slot.
        let firsts = u8::MAX / ((1 << N) - 1);
        let known = if N == 1 { same } else { same & same >> 1 & firsts };
        let free = line.matches([EMPTY; 8], repeated(first_and_others::<N>(u64::MAX, 0))) & firsts;
        if known | free == 0 {
            return None;
        }
        // Without an unpredictable branch: a known state changes no bits of a slot.
        let is_new = known == 0;
        let first = if free == 0 { known } else { free }.trailing_zeros() as usize % 8;
        let added = u64::from(is_new).wrapping_neg();
        for at in 0..N {
            line.0[first + at] |= key.0[at] & added;
        }
        Some(is_new)
    }

    /// Where a plain table has the code of a state: the word, the shift and the mask.
    #[inline]
    fn code_at(state: u64, bits: u32) -> (usize, u32, u64) {
        let of_word = u64::from(u64::BITS / bits);
        ((state / of_word) as usize, (state % of_word) as u32 * bits, u64::MAX >> (u64::BITS - bits))
    }

    /// Inserts a state, given the first word of its key, into the words of a plain table; true if it is new.
    #[inline]
    fn insert_into_words<S: Keyed>(words: &mut [u64], key: u64) -> bool {
        let (word, shift, codes) = Self::code_at(key & u64::MAX >> S::CODE_BITS, plain_bits(S::CODE_BITS));
        let word = &mut words[word];
        let is_new = *word >> shift & codes == EMPTY;
        *word |= select_unpredictable(is_new, key >> (u64::BITS - S::CODE_BITS), 0) << shift;
        is_new
    }

    /// Puts a new state into the first free slot from its home line on, without counting it and without wrapping
    /// around; false if there is none.
    #[inline]
    fn put(&mut self, home: usize, key: Key<N>) -> bool {
        // Slot by slot: a vector load of a line whose slot was just written stalls.
        let mut slots = self.lines[home..].iter_mut().flat_map(|line| line.0.chunks_exact_mut(N));
        let Some(free) = slots.find(|slot| slot[0] == EMPTY) else { return false };
        free.copy_from_slice(&key.0);
        true
    }

    /// The stored key of a state, if it is closed.
    pub(super) fn find(&self, key: Key<N>) -> Option<Key<N>> {
        self.at(self.place_of(key)?)
    }

    /// The number of places.
    pub(super) fn places(&self) -> usize {
        self.lines.len() * if self.is_plain() { (LINE_BITS / self.plain_bits) as usize } else { Self::SLOTS }
    }

    /// The key at a place, unless that is empty.
    pub(super) fn at(&self, place: usize) -> Option<Key<N>> {
        if self.is_plain() {
            let (word, shift, codes) = Self::code_at(place as u64, self.plain_bits);
            let code = self.lines[word / 8].0[word % 8] >> shift & codes;
            let mut key = Key::default();
            key.0[0] = place as u64 | code << self.mask.count_ones();
            return (code != EMPTY).then_some(key);
        }
        let key = Key::at(&self.lines[place / Self::SLOTS].0, place % Self::SLOTS);
        (key.0[0] != EMPTY).then_some(key)
    }

    /// The place of a state, if it is closed.
    pub(super) fn place_of(&self, key: Key<N>) -> Option<usize> {
        if self.is_plain() {
            let place = (key.0[0] & self.mask) as usize;
            return self.at(place).map(|_| place);
        }
        let mut at = self.home(key);
        loop {
            let line = &self.lines[at].0;
            for slot in 0..Self::SLOTS {
                let stored = Key::<N>::at(line, slot);
                if stored.0[0] == EMPTY {
                    return None;
                }
                if stored.is_state_of(key, self.mask) {
                    return Some(at * Self::SLOTS + slot);
                }
            }
            at = if at + 1 == self.lines.len() { 0 } else { at + 1 };
        }
    }

    /// Grows the table within `most_bytes`. If the signal stops it, the table is unusable.
    #[cold]
    pub(super) fn grow(&mut self, most_bytes: u64, signal: &Signal) -> Result<(), Full> {
        let old = self.lines.len();
        let fits = |lines: &usize| (lines * size_of::<Line>()) as u64 <= most_bytes;
        let growths = match old {
            0..=FIRST_LINES => &FIRST_GROWTHS[..],
            _ if old <= SMALL_LINES => &FIRST_GROWTHS[1..],
            _ => &GROWTHS,
        };
        let new = growths.iter().map(|quarters| old / 4 * quarters).find(fits).ok_or(Full)?;
        self.lines = self.lines.moved_into(new, || signal.stop().is_some()).ok_or(Full)?;
        let times = new / old;
        self.room = Self::room_in(new);
        let mut rest = Vec::new();
        for at in (0..old).rev() {
            if at.is_multiple_of(POLL_EVERY) && signal.stop().is_some() {
                return Err(Full);
            }
            let line = std::mem::replace(&mut self.lines[at], Line([EMPTY; 8]));
            if times * old == new {
                self.spread(&line, at * times..(at + 1) * times, &mut rest);
                continue;
            }
            for key in Self::keys(&line) {
                // The few states whose new home is a line not yet rehashed wait for the end.
                let home = self.home(key);
                if home <= at || !self.put(home, key) {
                    rest.push(key);
                }
            }
        }
        for key in rest {
            self.insert_from(self.home(key), key);
        }
        Ok(())
    }

    /// Distributes the states of an old line over the empty new lines that replace it. A state that overflowed into it
    /// from an earlier line goes to `rest`, until that line is rehashed.
    #[inline]
    fn spread(&mut self, line: &Line, into: Range<usize>, rest: &mut Vec<Key<N>>) {
        const { assert!(FIRST_GROWTHS[0] <= 4 * 8, "a word has a byte for each new line") };
        // The number of states in each new line, a byte each: reading a line that was just written would stall.
        let mut counts = 0_u64;
        let waiting = rest.len();
        for key in Self::keys(line) {
            let home = self.home(key);
            if !into.contains(&home) {
                cold_path();
                rest.push(key);
                continue;
            }
            let byte = (home - into.start) * 8;
            let count = (counts >> byte) as usize % 8;
            self.lines[home].0[count * N..][..N].copy_from_slice(&key.0);
            counts += 1 << byte;
        }
        for at in (0..waiting).rev() {
            if into.contains(&self.home(rest[at])) {
                let key = rest.swap_remove(at);
                self.insert_from(self.home(key), key);
            }
        }
    }

    /// The keys of a line.
    #[inline]
    fn keys(line: &Line) -> impl Iterator<Item = Key<N>> {
        (0..Self::SLOTS).map(|slot| Key::at(&line.0, slot)).take_while(|key| key.0[0] != EMPTY)
    }
}
