//! States as numbers of up to 192 bits: enough for sliding-tile boards of 40 tiles.

/// The number of a state, as 64-bit words, the most significant first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Number(pub [u64; 3]);

impl Number {
    /// The difference to a number that is not larger.
    pub(crate) fn minus(self, smaller: Number) -> Number {
        let mut words = [0; 3];
        let mut borrow = false;
        for at in (0..3).rev() {
            let (word, first) = self.0[at].overflowing_sub(smaller.0[at]);
            let (word, second) = word.overflowing_sub(borrow.into());
            words[at] = word;
            borrow = first | second;
        }
        debug_assert!(!borrow, "the other number is not larger");
        Number(words)
    }

    /// The sum, if it fits.
    pub(crate) fn plus(self, other: Number) -> Option<Number> {
        let mut words = [0; 3];
        let mut carry = false;
        for at in (0..3).rev() {
            let (word, first) = self.0[at].overflowing_add(other.0[at]);
            let (word, second) = word.overflowing_add(carry.into());
            words[at] = word;
            carry = first | second;
        }
        (!carry).then_some(Number(words))
    }

    /// Appends the number in LEB128: seven bits a byte, the lowest first; every byte but the last has its high bit set.
    pub(crate) fn put(mut self, bytes: &mut Vec<u8>) {
        while self > Number([0, 0, 0x7F]) {
            bytes.push(self.0[2] as u8 | 0x80);
            let [high, middle, low] = self.0;
            self.0 = [high >> 7, middle >> 7 | high << 57, low >> 7 | middle << 57];
        }
        bytes.push(self.0[2] as u8);
    }

    /// Reads the next number in LEB128 and advances `bytes`; `None` if it is incomplete or does not fit.
    pub(crate) fn take(bytes: &mut &[u8]) -> Option<Number> {
        let mut words = [0; 3];
        for place in 0..28_usize {
            let (&byte, rest) = bytes.split_first()?;
            *bytes = rest;
            let bits = u64::from(byte & 0x7F);
            let (word, shift) = (place * 7 / 64, place * 7 % 64);
            words[2 - word] |= bits << shift;
            let above = if shift > 57 { bits >> (64 - shift) } else { 0 };
            match word {
                2 if above != 0 => return None,
                2 => {}
                _ => words[1 - word] |= above,
            }
            if byte < 0x80 {
                return Some(Number(words));
            }
        }
        None
    }
}

impl From<u64> for Number {
    fn from(low: u64) -> Self {
        Number([0, 0, low])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn samples() -> Vec<Number> {
        let words = [0, 1, 0x7F, 0x80, 0x3FFF, 1 << 57, u64::MAX - 1, u64::MAX];
        let mut numbers = Vec::new();
        for high in words {
            for middle in words {
                numbers.extend(words.map(|low| Number([high, middle, low])));
            }
        }
        numbers
    }

    #[test]
    fn numbers_survive_a_round_trip_through_bytes() {
        for number in samples() {
            let mut bytes = Vec::new();
            number.put(&mut bytes);
            let mut rest = &bytes[..];
            assert_eq!(Number::take(&mut rest), Some(number));
            assert_eq!(rest, [0; 0]);
            for length in 0..bytes.len() {
                assert_eq!(Number::take(&mut &bytes[..length]), None, "cut off");
            }
        }
        let mut bytes = Vec::new();
        Number::from(300).put(&mut bytes);
        assert_eq!(bytes, [0xAC, 2]);
        assert_eq!(Number::take(&mut &[0x80; 40][..]), None, "no last byte");
        assert_eq!(Number::take(&mut &[&[0xFF; 27][..], &[8]].concat()[..]), None, "193 bits");
    }

    #[test]
    fn plus_undoes_minus() {
        let numbers = samples();
        for &one in &numbers {
            for &other in &numbers {
                let (less, more) = (one.min(other), one.max(other));
                assert_eq!(less.plus(more.minus(less)), Some(more));
            }
        }
        assert_eq!(Number([u64::MAX; 3]).plus(Number::from(1)), None);
    }
}
