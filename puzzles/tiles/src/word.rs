//! Boards in the bits of a word.
//!
//! Tiles lie in reading order: 4 bits a tile up to 16 cells, 5 bits up to 25, 6 bits up to 40. The gap is 0.

use std::fmt::Debug;
use std::hash::Hash;

use admissible::AbilityVisitor;

use super::board::Tiles;
use admissible_front::grid::Direction;

/// A cell of the board, stored as four times its number in reading order: that is the shift of its tile in a word of
/// four bits a tile, and leaves two bits for a direction in tables by cell and direction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cell(pub(super) u8);

impl Cell {
    /// The cell with a number below 64.
    #[inline]
    pub fn new(number: usize) -> Self {
        Cell((number * 4) as u8)
    }

    /// Its number.
    #[inline]
    pub fn number(self) -> usize {
        usize::from(self.0 / 4)
    }

    /// The index of a cell and a direction in a table by both, below `4 * PADDED_CELLS`.
    #[inline]
    pub(super) fn with(self, direction: Direction) -> usize {
        usize::from(self.0 | direction as u8)
    }
}

/// A word that holds a whole board.
pub trait Word: Copy + Eq + Hash + Debug + Default + Send + Sync + 'static {
    /// The most cells that fit.
    const CELLS: usize;
    /// The largest number that a cell can hold.
    const LARGEST: u8;
    /// The tile in a cell.
    fn get(self, cell: Cell) -> u8;
    /// The board with `tile` moved to the empty cell `to`.
    #[must_use]
    #[inline]
    fn slide(self, tile: u8, from: Cell, to: Cell) -> Self {
        self.flip(from, tile).flip(to, tile)
    }
    /// The empty cell of a board with this many cells.
    fn gap(self, cells: usize) -> Cell {
        (0..cells).map(Cell::new).find(|&cell| self.get(cell) == 0).expect("a board has a gap")
    }
    /// The board of these tiles.
    fn of(tiles: &[u8]) -> Self {
        let put = |board: Self, (cell, &tile): (usize, &u8)| board.flip(Cell::new(cell), tile);
        tiles.iter().enumerate().fold(Self::default(), put)
    }
    /// The board with some bits of a cell inverted.
    #[must_use]
    fn flip(self, cell: Cell, bits: u8) -> Self;
    /// The board with the contents of two cells exchanged.
    #[must_use]
    #[inline]
    fn swap(self, one: Cell, other: Cell) -> Self {
        let bits = self.get(one) ^ self.get(other);
        self.flip(one, bits).flip(other, bits)
    }
    /// The board with 1 subtracted from a cell if `one`.
    #[must_use]
    #[inline]
    fn subtract(self, cell: Cell, one: bool) -> Self {
        let held = self.get(cell);
        self.flip(cell, held ^ held.wrapping_sub(one.into()))
    }

    /// The abilities of boards of this word, such as [`Keyed`](admissible::Keyed) for a [`KeyedWord`].
    #[inline]
    fn abilities<'a, V: AbilityVisitor<'a, Tiles<Self>>>(_tiles: &'a Tiles<Self>, visitor: V) -> V {
        visitor
    }
}

/// A word that serves as a key and leaves bits for the code of a move.
pub trait KeyedWord: Word {
    /// The words of a key.
    const KEY_WORDS: usize;
    /// The unused bits of a key's first word, which hold the code of a move.
    const CODE_BITS: u32;
    /// The board as a key.
    fn key(self) -> [u64; 2];
    /// The board with a key, given the number of cells.
    fn of_key(key: [u64; 2], cells: usize) -> Self;
    /// The cells of four tiles, which most moves leave unchanged; `None` for boards too small to gain from it.
    fn abstraction(self, cells: usize) -> Option<u64>;
}

macro_rules! integer_word {
    ($word:ty, $bits:expr, { $($special:tt)* }) => {
        impl Word for $word {
            const CELLS: usize = <$word>::BITS as usize / $bits;
            const LARGEST: u8 = (1 << $bits) - 1;

            #[inline]
            fn get(self, cell: Cell) -> u8 {
                (self >> (u32::from(cell.0) * $bits / 4)) as u8 & ((1 << $bits) - 1)
            }

            #[inline]
            fn flip(self, cell: Cell, bits: u8) -> Self {
                self ^ <$word>::from(bits) << (u32::from(cell.0) * $bits / 4)
            }

            #[inline]
            fn swap(self, one: Cell, other: Cell) -> Self {
                // One multiplication copies the bits to both cells.
                let place = |cell: Cell| <$word>::from(1u8) << (u32::from(cell.0) * $bits / 4);
                self ^ <$word>::from(self.get(one) ^ self.get(other)) * (place(one) | place(other))
            }

            #[inline]
            fn subtract(self, cell: Cell, one: bool) -> Self {
                self.wrapping_sub(<$word>::from(one) << (u32::from(cell.0) * $bits / 4))
            }

            $($special)*
        }
    };
}

integer_word!(u64, 4, {
    /// Subtracting 1 from every cell sets its highest bit only if the cell is empty, or above an empty one.
    #[inline]
    fn gap(self, _cells: usize) -> Cell {
        let ones = 0x1111_1111_1111_1111;
        let borrowed = self.wrapping_sub(ones) & !self & (ones << 3);
        Cell(borrowed.trailing_zeros() as u8 & !3)
    }

    #[inline]
    fn abilities<'a, V: AbilityVisitor<'a, Tiles<Self>>>(tiles: &'a Tiles<Self>, visitor: V) -> V {
        visitor.keyed(tiles)
    }
});
integer_word!(u128, 5, {
    #[inline]
    fn abilities<'a, V: AbilityVisitor<'a, Tiles<Self>>>(tiles: &'a Tiles<Self>, visitor: V) -> V {
        visitor.keyed(tiles)
    }
});

impl KeyedWord for u64 {
    const KEY_WORDS: usize = 1;
    const CODE_BITS: u32 = 4;

    /// The tile in the last of sixteen cells follows from the others, so the key omits it.
    #[inline]
    fn key(self) -> [u64; 2] {
        [self & u64::MAX >> 4, 0]
    }

    /// The exclusive or of all sixteen tiles is 0, so that of fifteen tiles is the missing one.
    #[inline]
    fn of_key([word, _]: [u64; 2], cells: usize) -> Self {
        let halves = word ^ word >> 32;
        let quarters = halves ^ halves >> 16;
        let bytes = quarters ^ quarters >> 8;
        let missing = (bytes ^ bytes >> 4) & 15;
        if cells == Self::CELLS { word | missing << 60 } else { word }
    }

    /// The tiles from 12 on.
    #[inline]
    fn abstraction(self, cells: usize) -> Option<u64> {
        let selected = self >> 3 & self >> 2 & 0x1111_1111_1111_1111;
        (cells == Self::CELLS).then_some(self & (selected * 15))
    }
}

impl KeyedWord for u128 {
    const KEY_WORDS: usize = 2;
    const CODE_BITS: u32 = 3;

    #[inline]
    fn key(self) -> [u64; 2] {
        [self as u64 & u64::MAX >> 3, (self >> 61) as u64]
    }

    #[inline]
    fn of_key([low, high]: [u64; 2], _cells: usize) -> Self {
        u128::from(low) | u128::from(high) << 61
    }

    /// The tiles from 20 to 23.
    #[inline]
    fn abstraction(self, cells: usize) -> Option<u64> {
        const ONES: u128 = ((1 << 125) - 1) / 31;
        let selected = self >> 4 & !(self >> 3) & self >> 2 & ONES;
        let tiles = self & (selected * 31);
        (cells == Self::CELLS).then_some(tiles as u64 ^ ((tiles >> 64) as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15))
    }
}

impl Word for [u64; 4] {
    const CELLS: usize = 40;
    const LARGEST: u8 = 63;

    #[inline]
    fn get(self, cell: Cell) -> u8 {
        let number = cell.number();
        (self[number / 10] >> (number % 10 * 6)) as u8 & 63
    }

    #[inline]
    fn flip(mut self, cell: Cell, bits: u8) -> Self {
        let number = cell.number();
        self[number / 10] ^= u64::from(bits) << (number % 10 * 6);
        self
    }
}
