//! Mutations of inputs: flipped bits, inserted, removed and copied parts, extreme numbers, dictionary words.

use rand::RngExt as _;
use rand_chacha::ChaCha8Rng;

/// The most repetitions of a part, as a power of two.
const MOST_REPETITIONS: u32 = 16;
/// Numbers at and beyond the limits of integer types and of boards.
const EXTREME_NUMBERS: [&str; 14] = [
    "0",
    "1",
    "-1",
    "7",
    "40",
    "41",
    "64",
    "255",
    "256",
    "65536",
    "4294967295",
    "4294967296",
    "18446744073709551616",
    "1e999",
];

/// A copy of one input with a few mutations, perhaps with parts of another. It has at most `most` bytes.
pub fn mutated(random: &mut ChaCha8Rng, input: &[u8], other: &[u8], dictionary: &[&str], most: usize) -> Vec<u8> {
    let mut bytes = input.to_vec();
    for _ in 0..1 + random.random_range(0..3) * random.random_range(0..3) {
        mutate(random, &mut bytes, other, dictionary);
    }
    if random.random_range(0..64) == 0 {
        repeat(random, &mut bytes, most);
    }
    bytes.truncate(most);
    bytes
}

/// Repeats a part many times: what takes time out of proportion shows in long inputs.
fn repeat(random: &mut ChaCha8Rng, bytes: &mut Vec<u8>, most: usize) {
    let at = random.random_range(0..=bytes.len());
    let part = bytes[at..bytes.len().min(at + random.random_range(1..64))].to_vec();
    let room = most.saturating_sub(bytes.len()) / part.len().max(1);
    let times = room.min(1 << random.random_range(0..=MOST_REPETITIONS));
    bytes.splice(at..at, part.repeat(times));
}

fn mutate(random: &mut ChaCha8Rng, bytes: &mut Vec<u8>, other: &[u8], dictionary: &[&str]) {
    let at = random.random_range(0..=bytes.len());
    let longest = 1 << random.random_range(0..7);
    let length = random.random_range(0..=longest.min(bytes.len() - at));
    match random.random_range(0..12) {
        0 if at < bytes.len() => bytes[at] ^= 1 << random.random_range(0..8),
        1 if at < bytes.len() => bytes[at] = random.random(),
        2 => bytes.insert(at, random.random()),
        3 => drop(bytes.drain(at..at + length)),
        4 => {
            let part = bytes[at..at + length].to_vec();
            let to = random.random_range(0..=bytes.len());
            bytes.splice(to..to, part);
        }
        5 => bytes.truncate(at),
        6 | 7 if !other.is_empty() => {
            let from = random.random_range(0..other.len());
            let copied = random.random_range(1..=(other.len() - from).min(64));
            bytes.splice(at..at + length, other[from..from + copied].iter().copied());
        }
        8 => {
            let number = EXTREME_NUMBERS[random.random_range(0..EXTREME_NUMBERS.len())];
            bytes.splice(at..at + length, number.bytes());
        }
        9 => {
            // A number in binary.
            let number: u64 = random.random::<u64>() >> random.random_range(0..64);
            let width = [1, 2, 4, 8][random.random_range(0..4)];
            let end = (at + width).min(bytes.len());
            bytes.splice(at..end, number.to_le_bytes()[..width].iter().copied());
        }
        _ if !dictionary.is_empty() => {
            let word = dictionary[random.random_range(0..dictionary.len())];
            let length = if random.random() { 0 } else { length };
            bytes.splice(at..at + length, word.bytes());
        }
        _ => bytes.insert(at, b"\n 0"[random.random_range(0..3)]),
    }
}
