//! A set of numbers that several threads may insert into at once.
//!
//! One bit a number, and a flag for each block that is not empty: the members of a sparse set are found without
//! reading all bits.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

/// Numbers in a block, which has one flag.
pub(super) const BLOCK: usize = 4096;
const WORDS: usize = BLOCK / 64;

#[derive(Debug)]
pub(super) struct Bitmap {
    words: Vec<AtomicU64>,
    touched: Vec<AtomicBool>,
}

impl Bitmap {
    /// An empty set for numbers below `size`.
    pub(super) fn new(size: usize) -> Self {
        let blocks = size.div_ceil(BLOCK);
        // Zeroed pages take no memory until they are written.
        Bitmap {
            words: std::iter::repeat_with(AtomicU64::default).take(blocks * WORDS).collect(),
            touched: std::iter::repeat_with(AtomicBool::default).take(blocks).collect(),
        }
    }

    /// The bytes of a set for numbers below `size`.
    pub(super) const fn bytes(size: u64) -> u64 {
        size.div_ceil(BLOCK as u64) * (BLOCK as u64 / 8 + 1)
    }

    #[inline]
    pub(super) fn insert(&self, number: usize) {
        let (word, bit) = (&self.words[number / 64], 1 << (number % 64));
        // Most numbers are inserted several times; a load is cheaper than another write.
        if word.load(Relaxed) & bit == 0 {
            word.fetch_or(bit, Relaxed);
            let touched = &self.touched[number / BLOCK];
            if !touched.load(Relaxed) {
                touched.store(true, Relaxed);
            }
        }
    }

    /// The blocks that are not empty.
    pub(super) fn blocks(&self) -> Vec<usize> {
        (0..self.touched.len()).filter(|&block| self.touched[block].load(Relaxed)).collect()
    }

    /// The numbers in a block, in rising order.
    #[inline]
    pub(super) fn members(&self, block: usize) -> impl Iterator<Item = usize> {
        (block * WORDS..(block + 1) * WORDS).flat_map(|at| {
            let mut bits = self.words[at].load(Relaxed);
            std::iter::from_fn(move || {
                let first = (bits != 0).then(|| bits.trailing_zeros() as usize)?;
                bits &= bits - 1;
                Some(at * 64 + first)
            })
        })
    }

    /// Empties a block.
    pub(super) fn clear(&self, block: usize) {
        for word in &self.words[block * WORDS..(block + 1) * WORDS] {
            word.store(0, Relaxed);
        }
        self.touched[block].store(false, Relaxed);
    }
}
