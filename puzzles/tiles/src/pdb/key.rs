//! What finds a placement in a table, in as few bits as will do: a search carries several for every board.

use std::fmt::Debug;

/// A key of a table, which changes with a move by addition.
pub trait Key: Copy + Default + PartialEq + Debug + Send + Sync + 'static {
    /// How many bits it has.
    const BITS: u32;
    /// The key with these bits.
    fn from_bits(bits: u64) -> Self;
    /// Its bits.
    fn bits(self) -> u64;
    /// The bits of a change that may be negative.
    fn signed_bits(self) -> u64;
    /// The key after a change.
    #[must_use]
    fn plus(self, change: Self) -> Self;
}

macro_rules! key {
    ($key:ty, $signed:ty) => {
        impl Key for $key {
            const BITS: u32 = <$key>::BITS;

            #[inline]
            fn from_bits(bits: u64) -> Self {
                bits as $key
            }

            #[inline]
            fn bits(self) -> u64 {
                self as u64
            }

            fn signed_bits(self) -> u64 {
                i64::from(self as $signed) as u64
            }

            #[inline]
            fn plus(self, change: Self) -> Self {
                self.wrapping_add(change)
            }
        }
    };
}

key!(u32, i32);
key!(u64, i64);
