//! The states that a start can reach, in the order of their distance from it.
//!
//! For spaces whose states have no numbers, or of which a start reaches only a small part. The states are a list, layer
//! after layer, and a state's number is its place in it. An open-addressed table by packed state holds them once more;
//! a slot that is free holds the start, which nobody has to look for.

use std::fmt;
use std::hash::{BuildHasher as _, Hash};
use std::ops::ControlFlow;

use rustc_hash::FxBuildHasher;

use super::chart::Chart;
use crate::audit::{Census, WATCH_EVERY, Watcher};
use crate::space::{Backward, StateSpace};

/// What a start can reach.
#[derive(Debug)]
pub struct Reached<P> {
    /// In the order in which they were met, the start first.
    states: Vec<P>,
    /// Where each layer ends.
    ends: Vec<usize>,
    edges: u64,
    /// A power of two, at most half full.
    slots: Vec<P>,
    /// The number of the state in each slot.
    numbers: Vec<u32>,
}

/// Why not everything was reached.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReachError {
    /// The next states do not fit.
    TooLarge {
        /// How many there were by then.
        states: u64,
        /// What the lists would have taken next.
        bytes: u64,
    },
    /// The watcher stopped it.
    Interrupted,
}

impl fmt::Display for ReachError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ReachError::TooLarge { states, bytes } => {
                write!(f, "there are more than {states} states, and to go on would take {bytes} bytes")
            }
            ReachError::Interrupted => f.write_str("interrupted"),
        }
    }
}

impl std::error::Error for ReachError {}

const FIRST_SLOTS: usize = 1 << 10;

impl<P: Copy + Eq + Hash> Reached<P> {
    /// Everything that can be reached from a state, if the lists take at most `most` bytes.
    ///
    /// # Errors
    /// If there is more, or the watcher stops it.
    pub fn from<S: StateSpace<Packed = P>>(
        space: &S,
        start: &S::State,
        most: Option<u64>,
        watcher: &dyn Watcher,
    ) -> Result<Self, ReachError> {
        let start = space.pack(start);
        let mut reached = Reached {
            states: vec![start],
            ends: vec![1],
            edges: 0,
            slots: vec![start; FIRST_SLOTS],
            numbers: vec![0; FIRST_SLOTS],
        };
        let mut next = 0;
        let mut unwatched = 0;
        loop {
            let end = reached.states.len();
            while next < end {
                let mut state = space.unpack(reached.states[next]);
                next += 1;
                for m in space.moves(&state) {
                    let undo = space.apply(&mut state, m);
                    reached.edges += 1;
                    reached.meet(space.pack(&state));
                    space.undo(&mut state, m, undo);
                }
                if 2 * reached.states.len() > reached.slots.len() {
                    reached.grow(most)?;
                }
                unwatched += 1;
                if unwatched == WATCH_EVERY {
                    unwatched = 0;
                    if watcher.watch(WATCH_EVERY) == ControlFlow::Break(()) {
                        return Err(ReachError::Interrupted);
                    }
                }
            }
            if reached.states.len() == end {
                return Ok(reached);
            }
            reached.ends.push(reached.states.len());
        }
    }

    /// Adds a state unless it is there.
    #[inline]
    fn meet(&mut self, packed: P) {
        let start = self.states[0];
        let last = self.slots.len() - 1;
        let mut at = hash(packed) & last;
        // Both ends of a search are looked for at once: which one it will be cannot be predicted, that it is one can.
        while (self.slots[at] != packed) & (self.slots[at] != start) {
            at = (at + 1) & last;
        }
        if (self.slots[at] != packed) & (packed != start) {
            self.slots[at] = packed;
            self.numbers[at] = self.states.len() as u32;
            self.states.push(packed);
        }
    }

    /// Four times as many slots. A state has fewer successors than are free then.
    #[cold]
    fn grow(&mut self, most: Option<u64>) -> Result<(), ReachError> {
        let slots = 4 * self.slots.len();
        let bytes = (slots * (size_of::<P>() + 4) + slots / 2 * size_of::<P>()) as u64;
        if most.is_some_and(|most| bytes > most) || slots / 2 > u32::MAX as usize {
            return Err(ReachError::TooLarge { states: self.states.len() as u64, bytes });
        }
        let (start, last) = (self.states[0], slots - 1);
        self.slots = Vec::new();
        self.slots = vec![start; slots];
        self.numbers = vec![0; slots];
        self.states.reserve(slots / 2 - self.states.len());
        for (number, &packed) in self.states.iter().enumerate().skip(1) {
            let mut at = hash(packed) & last;
            while self.slots[at] != start {
                at = (at + 1) & last;
            }
            self.slots[at] = packed;
            self.numbers[at] = number as u32;
        }
        Ok(())
    }

    /// How many states have each distance from the start.
    pub fn depths(&self) -> Vec<u64> {
        let begins = std::iter::once(0).chain(self.ends.iter().copied());
        begins.zip(&self.ends).map(|(begin, end)| (end - begin) as u64).collect()
    }

    /// How many moves were looked at.
    pub fn edges(&self) -> u64 {
        self.edges
    }

    /// The numbers of the states with the greatest distance from the start.
    pub fn farthest(&self) -> std::ops::Range<usize> {
        let begin = self.ends.len().checked_sub(2).map_or(0, |before| self.ends[before]);
        begin..self.states.len()
    }

    /// What the lists take.
    pub fn bytes(&self) -> u64 {
        (self.states.capacity() * size_of::<P>() + self.slots.len() * (size_of::<P>() + 4)) as u64
    }
}

#[inline]
fn hash<P: Hash>(packed: P) -> usize {
    FxBuildHasher.hash_one(packed) as usize
}

impl<P, S> Census<S> for Reached<P>
where
    P: Copy + Eq + Hash + Sync,
    S: StateSpace<Packed = P>,
{
    fn size(&self) -> usize {
        self.states.len()
    }

    #[inline]
    fn state(&self, space: &S, number: usize) -> S::State {
        space.unpack(self.states[number])
    }

    #[inline]
    fn number(&self, space: &S, state: &S::State) -> Option<usize> {
        let (packed, start) = (space.pack(state), self.states[0]);
        if packed == start {
            return Some(0);
        }
        let last = self.slots.len() - 1;
        let mut at = hash(packed) & last;
        while (self.slots[at] != packed) & (self.slots[at] != start) {
            at = (at + 1) & last;
        }
        (self.slots[at] == packed).then_some(self.numbers[at] as usize)
    }
}

impl<P, S> Chart<S> for Reached<P>
where
    P: Copy + Eq + Hash + Sync,
    S: Backward + StateSpace<Packed = P>,
{
    /// Nothing is known of the space.
    const REVERSIBLE: bool = false;

    /// Few of the goals may be in reach, and there may be many.
    fn goals(&self, space: &S, visit: impl FnMut(usize)) {
        (0..self.states.len()).filter(|&number| space.is_goal(&space.unpack(self.states[number]))).for_each(visit);
    }
}
