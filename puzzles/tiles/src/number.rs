//! Boards as numbers: the lexicographic rank of a board among all permutations of its tiles. Every number below the
//! number of permutations is a board, so a number from a file needs no further check.

use super::board::{Board, Tiles};
use super::word::{Cell, Word};

/// A number of three words, the highest first.
type Words = [u64; 3];

/// Multiplies by a small number and adds another.
fn multiply_add(words: &mut Words, factor: u64, term: u64) {
    let mut carry = term;
    for word in words.iter_mut().rev() {
        let product = u128::from(*word) * u128::from(factor) + u128::from(carry);
        (*word, carry) = (product as u64, (product >> 64) as u64);
    }
    debug_assert_eq!(carry, 0, "permutations of 40 tiles fit into 192 bits");
}

/// Divides by a number of at most 32 bits; returns the remainder.
fn divide(words: &mut Words, divisor: u64) -> u64 {
    let mut rest = 0;
    for word in words {
        if (rest, *word) == (0, 0) {
            continue;
        }
        // Half a word at a time, so that 64-bit divisions are enough.
        let high = rest << 32 | *word >> 32;
        let low = (high % divisor) << 32 | *word & u64::from(u32::MAX);
        *word = ((high / divisor) << 32) | (low / divisor);
        rest = low % divisor;
    }
    rest
}

impl<W: Word> Tiles<W> {
    pub(super) fn rank(&self, board: &Board<W>) -> Words {
        let mut words = [0; 3];
        let mut unused: u64 = (1 << self.cells()) - 1;
        for cell in 0..self.cells() {
            let tile = 1 << board.tiles.get(Cell::new(cell));
            multiply_add(&mut words, (self.cells() - cell) as u64, (unused & (tile - 1)).count_ones().into());
            unused &= !tile;
        }
        words
    }

    pub(super) fn unrank(&self, mut words: Words) -> Option<Board<W>> {
        let cells = self.cells();
        let mut digits = [0; 40];
        for cell in (0..cells).rev() {
            digits[cell] = divide(&mut words, (cells - cell) as u64);
        }
        if words != [0; 3] {
            return None;
        }
        let mut unused: u64 = (1 << cells) - 1;
        let mut tiles = [0; 40];
        for (tile, digit) in tiles.iter_mut().zip(&digits[..cells]) {
            let mut larger = unused;
            (0..*digit).for_each(|_| larger &= larger - 1);
            *tile = larger.trailing_zeros() as u8;
            unused &= !(1 << *tile);
        }
        Some(self.board(&tiles[..cells]))
    }
}
