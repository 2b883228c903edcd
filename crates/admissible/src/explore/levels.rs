//! Levels: distances in as few bits as finding a shortest path needs.

use std::fmt;
use std::io::{self, Write};
use std::sync::atomic::{AtomicU8, Ordering::Relaxed};

use crate::ranking::Ranking;
use crate::space::StateSpace;

/// The encoding of a distance: a *level*.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Packing {
    /// Modulo 3 in two bits: enough if the distances of neighbours differ by at most 1.
    ModuloThree,
    /// In a byte: for spaces with irreversible moves.
    Bytes,
}

impl Packing {
    /// The packing for the states of a ranking.
    pub const fn of<S: StateSpace, R: Ranking<S>>() -> Self {
        if R::REVERSIBLE { Packing::ModuloThree } else { Packing::Bytes }
    }

    /// The bytes that the levels of `states` states take.
    pub const fn bytes(self, states: u64) -> u64 {
        match self {
            Packing::ModuloThree => states.div_ceil(4),
            Packing::Bytes => states,
        }
    }

    /// The index of the byte that holds the level of a state.
    #[inline]
    pub const fn place(self, rank: usize) -> usize {
        match self {
            Packing::ModuloThree => rank / 4,
            Packing::Bytes => rank,
        }
    }

    /// The level of a state in its byte; `None` if no goal can be reached from it.
    #[inline]
    pub fn level(self, rank: usize, byte: u8) -> Option<u8> {
        match self {
            Packing::ModuloThree => Some(byte >> (rank % 4 * 2) & 3).filter(|&level| level != 3),
            Packing::Bytes => Some(byte).filter(|&level| level != u8::MAX),
        }
    }

    /// The greatest distance that has a level.
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

/// Bytes that are written at a time.
const PART: usize = 1 << 16;

impl Levels {
    pub(super) fn new(packing: Packing, size: usize) -> Self {
        let bytes = packing.bytes(size as u64) as usize;
        Levels { packing, states: size, bytes: std::iter::repeat_with(|| AtomicU8::new(u8::MAX)).take(bytes).collect() }
    }

    pub(super) fn packing(&self) -> Packing {
        self.packing
    }

    /// The number of states.
    pub(super) fn len(&self) -> usize {
        self.states
    }

    /// Replaces all levels by those of a checkpoint.
    pub(super) fn fill(&mut self, bytes: Vec<u8>) {
        assert_eq!(bytes.len(), self.bytes.len(), "the checkpoint has levels for all states");
        self.bytes = bytes.into_iter().map(AtomicU8::new).collect();
    }

    /// Writes the levels.
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
    pub(super) fn is_known(&self, rank: usize) -> bool {
        let byte = self.bytes[self.packing.place(rank)].load(Relaxed);
        self.packing.level(rank, byte).is_some()
    }

    /// Sets the level of a state for the first time. No other thread may set a level in the same byte meanwhile. A
    /// distance above the greatest with a level gets that level: then levels only show which states are known.
    #[inline]
    pub(super) fn set(&self, rank: usize, distance: usize) {
        let byte = &self.bytes[self.packing.place(rank)];
        match self.packing {
            Packing::ModuloThree => {
                let erased = (3 ^ (distance % 3) as u8) << (rank % 4 * 2);
                byte.store(byte.load(Relaxed) & !erased, Relaxed);
            }
            Packing::Bytes => byte.store(distance.min(self.packing.most()) as u8, Relaxed),
        }
    }

    /// The levels, if every distance up to `greatest` has one.
    pub(super) fn into_bytes(self, greatest: usize) -> Option<Vec<u8>> {
        (greatest <= self.packing.most()).then(|| self.bytes.into_iter().map(AtomicU8::into_inner).collect())
    }

    /// The level of a state.
    pub(super) fn get(&self, rank: usize) -> Option<u8> {
        self.packing.level(rank, self.bytes[self.packing.place(rank)].load(Relaxed))
    }
}

/// No neighbour is nearer to the goal: the levels belong to another space.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Lost;

impl fmt::Display for Lost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("no neighbour is nearer to the goal")
    }
}

impl std::error::Error for Lost {}

/// A shortest path to a goal by the levels of an atlas with `states` states, which `look` reads; `None` if the start
/// has no level.
///
/// # Errors
/// An error of `look`, or [`Lost`] if the levels belong to another space.
pub fn descend<S: StateSpace, E: From<Lost>>(
    space: &S,
    packing: Packing,
    states: usize,
    start: S::State,
    mut look: impl FnMut(&S::State) -> Result<Option<u8>, E>,
) -> Result<Option<Vec<S::Move>>, E> {
    let mut state = start;
    let Some(mut level) = look(&state)? else { return Ok(None) };
    let mut path = Vec::new();
    while !space.is_goal(&state) {
        let nearer = packing.nearer(level).filter(|_| path.len() < states).ok_or(Lost)?;
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
        path.push(m);
        level = nearer;
    }
    Ok(Some(path))
}
