//! The closed list of packed A*: a set of states, each with the code of the move that led to it.
//!
//! A slot is a [`Key`] and nothing else. Slots lie in lines of 64 bytes, which the processor fetches as a whole: the
//! hash of a state gives the line, all of whose slots are compared together, and only a state that finds its line full
//! goes to the next one. So a look costs one fetch, which can be prefetched ([`Closed::prefetch`]).
//!
//! When the table is full it grows in place. A larger hash gives a later line, in the old table as in the new one, so
//! going through the lines backwards every state moves to where nothing is in its way: old and new never stand in
//! memory together.
//!
//! Where keys are dense ([`Keyed::DENSE_KEYS`]), the table is a plain array: half a byte for each key, or a whole one,
//! with the code of the move, in the same lines.

use std::hint::{cold_path, select_unpredictable};
use std::ops::Range;

use super::key::{EMPTY, Key};
use crate::keyed::Keyed;
use crate::memory::{self, Line, Lines};
use crate::search::Signal;
use crate::search::closed::Full;

/// So many states are inserted together at the most.
pub(super) const MOST_AT_ONCE: usize = 64;
/// Lines that are moved between two looks at the signal: some milliseconds.
const LOOK_EVERY: usize = 1 << 14;
/// The first table: 64 KiB.
const FIRST_LINES: usize = 1024;
/// The bits of a line.
const LINE_BITS: u32 = u8::BITS * size_of::<Line>() as u32;
/// Plain tables are used up to this many states.
const MOST_PLAIN: u64 = 1 << 29;
/// How much larger a table becomes, in quarters; the first growth that the memory limit allows is taken.
const GROWTHS: [usize; 3] = [8, 6, 5];
/// The same for a table that is no larger than a cache: to move its states takes longer than to clear some memory. The
/// first one begins with the first of these, one that is larger with the second.
const FIRST_GROWTHS: [usize; 5] = [32, 16, 8, 6, 5];
/// What counts as small then, in lines: 512 KiB.
const SMALL_LINES: usize = 8192;

#[derive(Debug)]
pub(super) struct Closed<const N: usize> {
    lines: Lines,
    states: usize,
    /// How many states fit before the table has to grow.
    room: usize,
    /// The bits of a key's first word that are the state.
    mask: u64,
    /// The bits that each state has in a plain table; 0 if the table is not plain.
    plain_bits: u32,
}

/// The bits that a state has in a plain table, for codes of so many bits.
const fn plain_bits(code_bits: u32) -> u32 {
    if code_bits <= 4 { 4 } else { 8 }
}

/// A line of slots with the same words. Here and in all that the innermost loops call, loops stand where `map`,
/// `from_fn` and `fold` would do: those are inlined only if the compiler sees a whole crate at once, which takes long.
#[inline]
fn repeated<const N: usize>(slot: [u64; N]) -> [u64; 8] {
    let mut line = [0; 8];
    for at in 0..8 {
        line[at] = slot[at % N];
    }
    line
}

/// The words of a slot: the first, and another one for all others.
#[inline]
fn first_and_others<const N: usize>(first: u64, others: u64) -> [u64; N] {
    let mut slot = [others; N];
    slot[0] = first;
    slot
}

impl<const N: usize> Closed<N> {
    const SLOTS: usize = 8 / N;

    /// An empty table for the keys of a space, within so many bytes.
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

    /// Whether so many states that are new need no larger table.
    #[inline]
    pub(super) fn has_room(&self, more: usize) -> bool {
        more <= self.room.saturating_sub(self.states)
    }

    /// Whether so many states fit into the table as it is.
    pub(super) fn has_room_for(&self, states: u64) -> bool {
        states <= self.room as u64
    }

    /// Whether there is a place for every state.
    #[inline]
    pub(super) fn is_plain(&self) -> bool {
        self.plain_bits > 0
    }

    /// The line where the search for a state begins. That the table is plain is asked only where it may be: the
    /// compiler knows.
    #[inline]
    pub(super) fn line_of<S: Keyed>(&self, key: Key<N>) -> usize {
        if S::DENSE_KEYS && self.is_plain() {
            ((key.0[0] & self.mask) / u64::from(LINE_BITS / plain_bits(S::CODE_BITS))) as usize
        } else {
            self.home(key)
        }
    }

    /// The same in a table that is not plain.
    #[inline]
    pub(super) fn home(&self, key: Key<N>) -> usize {
        ((u128::from(key.hash(self.mask)) * self.lines.len() as u128) >> 64) as usize
    }

    #[inline]
    pub(super) fn prefetch(&self, line: usize) {
        memory::prefetch(&self.lines, line);
    }

    /// Adds those of some states that are not there, and tells which these are. The table has room for all of them.
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

    /// The same in a table that is not plain; they are not counted.
    #[inline]
    fn insert_hashed(&mut self, keys: &[Key<N>], is_new: &mut [bool]) {
        // Those whose line is full are looked for in the next line when that has come.
        let (mut elsewhere, mut count) = ([0; MOST_AT_ONCE], 0);
        for (at, (&key, is_new)) in keys.iter().zip(&mut *is_new).enumerate() {
            let home = self.home(key);
            if let Some(found) = self.insert_at(home, key) {
                *is_new = found;
            } else {
                cold_path();
                self.prefetch(self.line_after(home));
                elsewhere[count] = at;
                count += 1;
            }
        }
        for &at in &elsewhere[..count] {
            is_new[at] = self.insert_from(self.line_after(self.home(keys[at])), keys[at]);
        }
    }

    /// Adds a state unless it is there; true if it was not. The table has room.
    pub(super) fn insert<S: Keyed>(&mut self, key: Key<N>) -> bool {
        let mut is_new = [false];
        self.insert_several::<S>(&[key], &mut is_new);
        is_new[0]
    }

    /// Adds a state unless it is in this line or a later one, in a table that is not plain, and does not count it; true
    /// if it was not there.
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

    /// The line where the search for a state goes on that is not in this one, which is full.
    #[inline]
    fn line_after(&self, line: usize) -> usize {
        if line + 1 == self.lines.len() { 0 } else { line + 1 }
    }

    /// Looks at one line only: adds a state to it unless it is there, and tells whether it was not. `None` if the state
    /// may be in the next line, since this one is full.
    #[inline]
    fn insert_at(&mut self, at: usize, key: Key<N>) -> Option<bool> {
        // A free slot looks like this one.
        if key.difference(Key::default(), self.mask) == 0 {
            cold_path();
            return Some(self.place_of(key).is_none() && (self.put(at, key) || self.put(0, key)));
        }
        let line = &mut self.lines[at];
        // All slots at once: a few comparisons more cost less than a branch that nobody can predict.
        let same = line.alike(repeated(key.0), repeated(first_and_others::<N>(self.mask, u64::MAX)));
        // The bits of first words.
        let firsts = u8::MAX / ((1 << N) - 1);
        let known = if N == 1 { same } else { same & same >> 1 & firsts };
        let free = line.alike([EMPTY; 8], repeated(first_and_others::<N>(u64::MAX, 0))) & firsts;
        if known | free == 0 {
            return None;
        }
        // Whether it is known cannot be predicted: then nothing is added to what is in a slot.
        let is_new = known == 0;
        let first = if free == 0 { known } else { free }.trailing_zeros() as usize % 8;
        let added = u64::from(is_new).wrapping_neg();
        for at in 0..N {
            line.0[first + at] |= key.0[at] & added;
        }
        Some(is_new)
    }

    /// The word of a plain table that has a state's code, by how much that is shifted, and the bits of a code.
    #[inline]
    fn code_at(state: u64, bits: u32) -> (usize, u32, u64) {
        let of_word = u64::from(u64::BITS / bits);
        ((state / of_word) as usize, (state % of_word) as u32 * bits, u64::MAX >> (u64::BITS - bits))
    }

    /// Adds a state, given the first word of its key, to a plain table of these words unless it is there; true if it
    /// was not.
    #[inline]
    fn insert_into_words<S: Keyed>(words: &mut [u64], key: u64) -> bool {
        let (word, shift, codes) = Self::code_at(key & u64::MAX >> S::CODE_BITS, plain_bits(S::CODE_BITS));
        let word = &mut words[word];
        let is_new = *word >> shift & codes == EMPTY;
        // Whether it is new cannot be predicted.
        *word |= select_unpredictable(is_new, key >> (u64::BITS - S::CODE_BITS), 0) << shift;
        is_new
    }

    /// Puts a state that is new into the first line from its home on that has room, and does not count it; false if
    /// there is none.
    #[inline]
    fn put(&mut self, home: usize, key: Key<N>) -> bool {
        // One after the other: to look at all of a line just after one of its slots was written takes longer.
        let mut slots = self.lines[home..].iter_mut().flat_map(|line| line.0.chunks_exact_mut(N));
        let Some(free) = slots.find(|slot| slot[0] == EMPTY) else { return false };
        free.copy_from_slice(&key.0);
        true
    }

    /// The key under which a state was added, if it was.
    pub(super) fn find(&self, key: Key<N>) -> Option<Key<N>> {
        self.at(self.place_of(key)?)
    }

    /// All keys are at places below this.
    pub(super) fn places(&self) -> usize {
        self.lines.len() * if self.is_plain() { (LINE_BITS / self.plain_bits) as usize } else { Self::SLOTS }
    }

    /// The key at a place, if there is one.
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

    /// The place of a state, if it was added.
    pub(super) fn place_of(&self, key: Key<N>) -> Option<usize> {
        if self.is_plain() {
            let place = (key.0[0] & self.mask) as usize;
            return self.at(place).map(|_| place);
        }
        let mut at = self.home(key);
        loop {
            let line = &self.lines[at].0;
            for slot in 0..Self::SLOTS {
                let there = Key::<N>::at(line, slot);
                if there.0[0] == EMPTY {
                    return None;
                }
                if there.is_state_of(key, self.mask) {
                    return Some(at * Self::SLOTS + slot);
                }
            }
            at = if at + 1 == self.lines.len() { 0 } else { at + 1 };
        }
    }

    /// Makes the table larger, within so many bytes. If the signal comes meanwhile it is full, and of no use any more.
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
            if at.is_multiple_of(LOOK_EVERY) && signal.stop().is_some() {
                return Err(Full);
            }
            let line = std::mem::replace(&mut self.lines[at], Line([EMPTY; 8]));
            if times * old == new {
                self.spread(&line, at * times..(at + 1) * times, &mut rest);
                continue;
            }
            for key in Self::keys(&line) {
                // Those few that would come to where lines are yet to be emptied wait for that.
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

    /// Puts what a line held into those that come of it, which are empty. What does not belong there was in the line
    /// because that before it was full, and waits until it is the turn of that one.
    #[inline]
    fn spread(&mut self, line: &Line, into: Range<usize>, rest: &mut Vec<Key<N>>) {
        const { assert!(FIRST_GROWTHS[0] <= 4 * 8, "a word has a byte for each line") };
        // How many are in each, a byte for each. To look into a line just after it was written would take longer.
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

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::*;

    fn random(seed: u64) -> impl Iterator<Item = u64> {
        std::iter::successors(Some(seed), |x| {
            Some(x.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407))
        })
        .map(|x| x ^ x >> 29)
    }

    fn drill<const N: usize>(code_bits: u32, states: impl Fn(u64) -> [u64; N]) {
        let mut closed = Closed::<N>::hashed(code_bits);
        let mut expected = HashMap::new();
        let mask = u64::MAX >> code_bits;
        let state_of = |mut words: [u64; N]| {
            words[0] &= mask;
            words
        };
        let keys: Vec<Key<N>> = random(7)
            .enumerate()
            .take(200_000)
            .map(|(turn, number)| {
                let mut words = state_of(states(number));
                words[0] |= (1 + turn as u64 % 3) << (64 - code_bits);
                Key(words)
            })
            .collect();
        // One by one, and several at a time.
        let mut left = &keys[..];
        for count in (1..=MOST_AT_ONCE).cycle() {
            let (some, others) = left.split_at(count.min(left.len()));
            left = others;
            if some.is_empty() {
                break;
            }
            if !closed.has_room(MOST_AT_ONCE) {
                let before = closed.len();
                closed.grow(u64::MAX, &Signal::default()).expect("nothing is limited");
                assert_eq!(closed.len(), before);
            }
            let mut is_new = vec![false; some.len()];
            closed.insert_hashed(some, &mut is_new);
            for (key, is_new) in some.iter().zip(is_new) {
                assert_eq!(is_new, !expected.contains_key(&state_of(key.0)));
                closed.states += usize::from(is_new);
                expected.entry(state_of(key.0)).or_insert(key.0);
            }
        }
        assert_eq!(closed.len(), expected.len());
        assert_eq!((0..closed.places()).filter_map(|place| closed.at(place)).count(), expected.len());
        for (state, words) in &expected {
            assert_eq!(closed.find(Key(*state)).map(|key| key.0), Some(*words));
        }
        for number in random(8).take(1_000) {
            let state = state_of(states(number));
            assert_eq!(closed.find(Key(state)).map(|key| key.0), expected.get(&state).copied());
        }
    }

    #[test]
    fn a_table_keeps_what_is_put_in_through_every_growth() {
        drill::<1>(4, |number| [number]);
        drill::<1>(12, |number| [number % 50_000]);
        drill::<2>(3, |number| [number % 300, number >> 40]);
    }

    #[test]
    fn states_that_do_not_fit_into_the_last_line_go_on_with_the_first() {
        let mut closed = Closed::<1>::hashed(4);
        let keys = |closed: &Closed<1>| -> Vec<Key<1>> {
            let last = closed.lines.len() - 1;
            let keys = (1..1_u64 << 40).map(|state| Key([state | 1 << 60]));
            keys.filter(|&key| closed.home(key) == last).take(3 * 8).collect()
        };
        let keys = keys(&closed);
        for _ in 0..2 {
            let mut is_new = vec![false; keys.len()];
            closed.insert_hashed(&keys, &mut is_new);
            assert!(keys.iter().all(|&key| closed.find(key) == Some(key)));
            closed.grow(u64::MAX, &Signal::default()).expect("nothing is limited");
            assert!(keys.iter().all(|&key| closed.find(key) == Some(key)));
            assert_eq!((0..closed.places()).filter_map(|place| closed.at(place)).count(), keys.len());
        }
    }

    #[test]
    fn a_table_grows_as_far_as_it_may() {
        let mut closed = Closed::<1>::hashed(4);
        let bytes = closed.bytes();
        let mut grow = |most| (closed.grow(most, &Signal::default()), closed.bytes());
        assert_eq!(grow(bytes), (Err(Full), bytes));
        assert_eq!(grow(bytes * 3 / 2), (Ok(()), bytes * 3 / 2));
        assert_eq!(grow(bytes * 3), (Ok(()), bytes * 3));
        assert_eq!(grow(u64::MAX), (Ok(()), bytes * 12));
        assert_eq!(grow(u64::MAX), (Ok(()), bytes * 24), "it is not small any more");
    }

    #[test]
    fn a_table_that_is_told_to_stop_does_not_grow() {
        let raised = std::sync::Arc::new(true.into());
        let mut closed = Closed::<1>::hashed(4);
        assert_eq!(closed.grow(u64::MAX, &Signal::new(Some(raised), None)), Err(Full));
    }
}
