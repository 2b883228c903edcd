//! The keys of placements in tables. A search carries several for every board, so they are as short as possible.

use std::fmt::Debug;

/// A key of a table. A move changes it by an addition.
pub trait Key: Copy + Default + PartialEq + Debug + Send + Sync + 'static {
    /// The number of bits.
    const BITS: u32;
    /// The key with these bits.
    fn from_bits(bits: u64) -> Self;
    /// Its bits.
    fn bits(self) -> u64;
    /// The bits of a change, sign-extended.
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
