//! Distances in as few bits as tell the way.

use std::fmt;
use std::io::{self, Write};
use std::sync::atomic::{AtomicU8, Ordering::Relaxed};

use crate::ranking::Ranking;
use crate::space::StateSpace;

/// How the distance of a state is written down: its *level*.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Packing {
    /// Modulo 3 in two bits: enough where the distances of neighbours differ by at most 1.
    ModuloThree,
    /// In a byte: for spaces with moves that cannot be taken back.
    Bytes,
}

impl Packing {
    /// What the states of a ranking need.
    pub const fn of<S: StateSpace, R: Ranking<S>>() -> Self {
        if R::REVERSIBLE { Packing::ModuloThree } else { Packing::Bytes }
    }

    /// What the levels of so many states take.
    pub const fn bytes(self, states: u64) -> u64 {
        match self {
            Packing::ModuloThree => states.div_ceil(4),
            Packing::Bytes => states,
        }
    }

    /// The byte with the level of a state in it.
    #[inline]
    pub const fn place(self, number: usize) -> usize {
        match self {
            Packing::ModuloThree => number / 4,
            Packing::Bytes => number,
        }
    }

    /// The level of a state in its byte; `None` if no goal can be reached from it.
    #[inline]
    pub fn level(self, number: usize, byte: u8) -> Option<u8> {
        match self {
            Packing::ModuloThree => Some(byte >> (number % 4 * 2) & 3).filter(|&level| level != 3),
            Packing::Bytes => Some(byte).filter(|&level| level != u8::MAX),
        }
    }

    /// The greatest distance that can be written down.
    const fn most(self) -> usize {
        match self {
            Packing::ModuloThree => usize::MAX,
            Packing::Bytes => u8::MAX as usize - 1,
        }
    }

    /// The level one nearer to the goal.
    fn nearer(self, level: u8) -> Option<u8> {
        match self {
            Packing::ModuloThree => Some((level + 2) % 3),
            Packing::Bytes => level.checked_sub(1),
        }
    }
}

/// The levels of all states while they are found.
#[derive(Debug)]
pub(super) struct Levels {
    packing: Packing,
    states: usize,
    bytes: Vec<AtomicU8>,
}

/// Bytes that are written at once.
const PART: usize = 1 << 16;

impl Levels {
    pub(super) fn new(packing: Packing, size: usize) -> Self {
        let bytes = packing.bytes(size as u64) as usize;
        Levels { packing, states: size, bytes: std::iter::repeat_with(|| AtomicU8::new(u8::MAX)).take(bytes).collect() }
    }

    pub(super) fn packing(&self) -> Packing {
        self.packing
    }

    /// How many states there are.
    pub(super) fn len(&self) -> usize {
        self.states
    }

    /// Takes the levels that were written down for as many states.
    pub(super) fn fill(&mut self, bytes: Vec<u8>) {
        assert_eq!(bytes.len(), self.bytes.len(), "they are levels of as many states");
        self.bytes = bytes.into_iter().map(AtomicU8::new).collect();
    }

    /// Writes the levels down.
    pub(super) fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        let mut part = Vec::with_capacity(PART);
        for bytes in self.bytes.chunks(PART) {
            part.clear();
            part.extend(bytes.iter().map(|byte| byte.load(Relaxed)));
            out.write_all(&part)?;
        }
        Ok(())
    }

    #[inline]
    pub(super) fn is_known(&self, number: usize) -> bool {
        let byte = self.bytes[self.packing.place(number)].load(Relaxed);
        self.packing.level(number, byte).is_some()
    }

    /// Writes down the distance of a state for the first time. No other thread may be at work on a number that shares
    /// the byte. Distances that cannot be written down all become the greatest that can: they are as good as known, and
    /// the levels are then of no use but for that.
    #[inline]
    pub(super) fn set(&self, number: usize, distance: usize) {
        let byte = &self.bytes[self.packing.place(number)];
        match self.packing {
            Packing::ModuloThree => {
                let erased = (3 ^ (distance % 3) as u8) << (number % 4 * 2);
                byte.store(byte.load(Relaxed) & !erased, Relaxed);
            }
            Packing::Bytes => byte.store(distance.min(self.packing.most()) as u8, Relaxed),
        }
    }

    /// The levels, if every distance up to this one could be written down.
    pub(super) fn into_bytes(self, greatest: usize) -> Option<Vec<u8>> {
        (greatest <= self.packing.most()).then(|| self.bytes.into_iter().map(AtomicU8::into_inner).collect())
    }

    /// The level of a state.
    pub(super) fn get(&self, number: usize) -> Option<u8> {
        self.packing.level(number, self.bytes[self.packing.place(number)].load(Relaxed))
    }
}

/// The levels lead nowhere: they are those of another space.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Lost;

impl fmt::Display for Lost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("no neighbour is nearer to the goal")
    }
}

impl std::error::Error for Lost {}

/// A shortest way to a goal by the levels of an atlas, which `look` reads; `None` if there is no way, or the ranking does
/// not know the state.
///
/// # Errors
/// What `look` says, or that the levels lead nowhere.
pub fn descend<S: StateSpace, R: Ranking<S>, E: From<Lost>>(
    space: &S,
    ranking: &R,
    start: S::State,
    mut look: impl FnMut(usize) -> Result<Option<u8>, E>,
) -> Result<Option<Vec<S::Move>>, E> {
    let packing = Packing::of::<S, R>();
    let mut look = |state: &S::State| ranking.rank(space, state).map_or(Ok(None), &mut look);
    let mut state = start;
    let Some(mut level) = look(&state)? else { return Ok(None) };
    let mut way = Vec::new();
    while !space.is_goal(&state) {
        let nearer = packing.nearer(level).filter(|_| way.len() < ranking.size()).ok_or(Lost)?;
        let mut found = None;
        for m in space.moves(&state) {
            let undo = space.apply(&mut state, m);
            let is_nearer = look(&state)? == Some(nearer);
            space.undo(&mut state, m, undo);
            if is_nearer {
                found = Some(m);
                break;
            }
        }
        let m = found.ok_or(Lost)?;
        space.apply(&mut state, m);
        way.push(m);
        level = nearer;
    }
    Ok(Some(way))
}
