//! Packed boards: three bit planes of a bit for each cell.
//!
//! Singles, lying and standing dominoes share two planes (a single has the first bit, a lying domino the second, a
//! standing one both); the 2x2 pieces have the third. Planes have a fixed width, so packing is a few constant shifts.

use std::fmt::Debug;
use std::hash::Hash;

/// One or two words that hold a packed board.
pub trait Planes: Copy + Eq + Hash + Debug + Send + Sync + 'static {
    /// The most cells that fit.
    const MOST_CELLS: usize;
    /// Packs three planes.
    fn from_planes(planes: [u64; 3]) -> Self;
    /// Unpacks three planes.
    fn planes(self) -> [u64; 3];
    /// The board with the piece at one anchor moved to another.
    #[must_use]
    #[inline]
    fn with_piece_moved(self, from: u8, to: u8) -> Self {
        let mut planes = self.planes();
        for plane in &mut planes {
            let piece = *plane >> from & 1;
            *plane ^= piece << from ^ piece << to;
        }
        Self::from_planes(planes)
    }

    /// The words of a key of two planes.
    const KEY_WORDS: usize;
    /// Packs two planes into a key whose first word has eight bits free.
    fn key(planes: [u64; 2]) -> [u64; 2];
    /// The planes of a key.
    fn of_key(key: [u64; 2]) -> [u64; 2];
    /// The packed board of a key, given its 2x2 pieces.
    #[inline]
    fn pieces_of_key(key: [u64; 2], big: u64) -> Self {
        let [first, second] = Self::of_key(key);
        Self::from_planes([first & !(big << 1), second, big])
    }
    /// The key after a piece moves to another anchor, given the board by [`Planes::pieces_of_key`].
    #[inline]
    fn key_after_move(self, key: [u64; 2], from: u8, to: u8) -> [u64; 2] {
        let [narrow, flat, big] = self.planes();
        let piece = |plane: u64| plane >> (from & 63) & 1;
        let (narrow, flat, big) = (piece(narrow), piece(flat), piece(big));
        let [first, second] = Self::of_key(key);
        let moved = |plane: u64, piece: u64| plane ^ piece << (from & 63) ^ piece << (to & 63);
        Self::key([moved(first, narrow | big << 1), moved(second, flat)])
    }
}

impl Planes for u64 {
    const MOST_CELLS: usize = 21;

    #[inline]
    fn from_planes([first, second, third]: [u64; 3]) -> Self {
        first | second << 21 | third << 42
    }

    #[inline]
    fn planes(self) -> [u64; 3] {
        let plane = (1 << 21) - 1;
        [self & plane, self >> 21 & plane, self >> 42]
    }

    #[inline]
    fn with_piece_moved(self, from: u8, to: u8) -> Self {
        let piece = self >> from & (1 | 1 << 21 | 1 << 42);
        self ^ piece << from ^ piece << to
    }

    const KEY_WORDS: usize = 1;

    #[inline]
    fn key([first, second]: [u64; 2]) -> [u64; 2] {
        [first | second << 21, 0]
    }

    #[inline]
    fn of_key([word, _]: [u64; 2]) -> [u64; 2] {
        [word & ((1 << 21) - 1), word >> 21]
    }

    #[inline]
    fn key_after_move(self, [word, _]: [u64; 2], from: u8, to: u8) -> [u64; 2] {
        let piece = self >> (from & 63);
        let in_key = piece & (1 | 1 << 21) | piece >> 41 & 2;
        [word ^ in_key << (from & 63) ^ in_key << (to & 63), 0]
    }
}

/// Two words, for boards of up to 42 cells. Unlike `u128` they are aligned to 8 bytes, so a node of a closed list takes
/// 24 bytes instead of 32.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct TwoWords(u64, u64);

impl Planes for TwoWords {
    const MOST_CELLS: usize = 42;

    #[inline]
    fn from_planes([first, second, third]: [u64; 3]) -> Self {
        // The third plane is split: 22 bits above the first plane, the other 20 above the second.
        TwoWords(first | third << 42, second | third >> 22 << 42)
    }

    #[inline]
    fn planes(self) -> [u64; 3] {
        let plane = (1 << 42) - 1;
        [self.0 & plane, self.1 & plane, self.0 >> 42 | self.1 >> 42 << 22]
    }

    const KEY_WORDS: usize = 2;

    #[inline]
    fn key(planes: [u64; 2]) -> [u64; 2] {
        planes
    }

    #[inline]
    fn of_key(key: [u64; 2]) -> [u64; 2] {
        key
    }
}
