//! A state and the code of the move that led to it, in one word or two.

use std::hint::cold_path;

use crate::keyed::Keyed;

/// The first word of an empty slot; no key is 0, since stored codes begin with 1.
pub(super) const EMPTY: u64 = 0;

/// The state in the low bits of the first word and all of the second; the code of the move, plus 1, in the high bits of
/// the first. The start was reached by no move and has ones there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::search) struct Key<const N: usize>(pub(super) [u64; N]);

impl<const N: usize> Key<N> {
    /// The key of a state that a move led to.
    #[inline]
    pub(super) fn after<S: Keyed>(space: &S, state: &S::State, m: S::Move) -> Self {
        Self::reached_by(space, space.key(state), m)
    }

    /// The same, given the words of the space's key.
    #[inline]
    pub(super) fn reached_by<S: Keyed>(space: &S, words: [u64; 2], m: S::Move) -> Self {
        Self::new::<S>(words, u64::from(space.code(m)) + 1)
    }

    /// The key of the start.
    pub(super) fn start<S: Keyed>(space: &S, state: &S::State) -> Self {
        Self::new::<S>(space.key(state), u64::MAX >> (64 - S::CODE_BITS))
    }

    #[inline]
    fn new<S: Keyed>(words: [u64; 2], code: u64) -> Self {
        let mut key = [0; N];
        for at in 0..N {
            key[at] = words[at];
        }
        key[0] |= code << (64 - S::CODE_BITS);
        Key(key)
    }

    /// The state.
    #[inline]
    pub(super) fn state<S: Keyed>(self, space: &S) -> S::State {
        space.state_of_key(self.words::<S>())
    }

    /// The space's key of the state, without the code.
    #[inline]
    pub(super) fn words<S: Keyed>(self) -> [u64; 2] {
        let mut words = [0; 2];
        for at in 0..N {
            words[at] = self.0[at];
        }
        words[0] &= u64::MAX >> S::CODE_BITS;
        words
    }

    /// The move that led to the state; `None` for the start.
    #[inline]
    pub(super) fn came_by<S: Keyed>(self, space: &S) -> Option<S::Move> {
        let code = self.0[0] >> (64 - S::CODE_BITS);
        if code == u64::MAX >> (64 - S::CODE_BITS) {
            cold_path();
            return None;
        }
        Some(space.move_of_code(code as u32 - 1))
    }

    /// The key in a slot of a line.
    #[inline]
    pub(super) fn at(line: &[u64; 8], slot: usize) -> Self {
        let mut key = [0; N];
        for at in 0..N {
            key[at] = line[slot * N + at];
        }
        Key(key)
    }

    /// Whether two keys have the same state; `mask` has the state bits of the first word.
    #[inline]
    pub(super) fn is_state_of(self, other: Self, mask: u64) -> bool {
        self.difference(other, mask) == 0
    }

    /// 0 exactly if two keys have the same state.
    #[inline]
    pub(super) fn difference(self, other: Self, mask: u64) -> u64 {
        let mut difference = (self.0[0] ^ other.0[0]) & mask;
        for word in 1..N {
            difference |= self.0[word] ^ other.0[word];
        }
        difference
    }

    /// A hash of the state; its high bits are well mixed.
    #[inline]
    pub(super) fn hash(self, mask: u64) -> u64 {
        const ODD: u64 = 0x9E37_79B9_7F4A_7C15;
        let mut hash = self.0[0] & mask;
        for word in 1..N {
            hash = hash.wrapping_mul(ODD).rotate_left(29) ^ self.0[word];
        }
        (hash ^ hash >> 32).wrapping_mul(ODD)
    }
}
