//! The states that a start can reach, in the order of their distance from it.
//!
//! For spaces whose states have no numbers, or of which a start reaches only a small part. The states are a list, layer
//! after layer, and a state's number is its place in it. An open-addressed table by packed state holds them once more;
//! a slot that is free holds the start, which nobody has to look for.

use std::fmt;
use std::hash::{BuildHasher as _, Hash};
use std::hint::cold_path;
use std::ops::ControlFlow;
use std::sync::OnceLock;

use rustc_hash::FxBuildHasher;

use crate::Batch;
use crate::audit::{WATCH_EVERY, Watcher};
use crate::bulk::{self, BulkSuccessors};
use crate::ranking::Ranking;
use crate::space::{AbilityVisitor, StateSpace};

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
    /// The number of the state in each slot, once somebody asks for one.
    numbers: OnceLock<Vec<u32>>,
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

/// Room for the states of a classic Klotski component, four times over: then one in ten finds its first slot taken, and
/// one in five would in half of that. Where that is too much, fewer.
const FIRST_SLOTS: usize = 1 << 17;
const LEAST_SLOTS: usize = 1 << 10;
/// States that are expanded before anything is looked up: the lookups of their successors do not wait for each other.
const BATCH: usize = 32;

/// The states while they are found.
struct Finding<P> {
    start: P,
    slots: Vec<P>,
    /// Those found, and room for those to come.
    states: Vec<P>,
    count: usize,
    most_bytes: Option<u64>,
}

impl<P: Copy + Eq + Hash> Finding<P> {
    fn new(start: P, most_bytes: Option<u64>) -> Result<Self, ReachError> {
        let mut finding = Finding { start, slots: Vec::new(), states: vec![start], count: 1, most_bytes };
        let mut slots = FIRST_SLOTS;
        while slots > LEAST_SLOTS && finding.fitting(slots).is_err() {
            slots /= 2;
        }
        finding.fitting(slots)?;
        finding.make_slots(slots);
        Ok(finding)
    }

    /// Refuses a table of so many slots if it does not fit, with the numbers that somebody may ask for.
    fn fitting(&self, slots: usize) -> Result<(), ReachError> {
        let bytes = (slots * (size_of::<P>() + 4) + slots / 2 * size_of::<P>()) as u64;
        if self.most_bytes.is_some_and(|most| bytes > most) || slots / 2 > u32::MAX as usize {
            return Err(ReachError::TooLarge { states: self.count as u64, bytes });
        }
        Ok(())
    }

    fn make_slots(&mut self, slots: usize) {
        self.slots = Vec::new();
        self.slots = vec![self.start; slots];
        self.states.resize(slots / 2 + 1, self.start);
        for number in 1..self.count {
            let packed = self.states[number];
            let at = find(&self.slots, self.start, packed);
            self.slots[at] = packed;
        }
    }

    /// Makes sure that so many more states leave the table half empty.
    #[inline]
    fn make_room(&mut self, more: usize) -> Result<(), ReachError> {
        if 2 * (self.count + more) > self.slots.len() { self.grow(more) } else { Ok(()) }
    }

    #[cold]
    fn grow(&mut self, more: usize) -> Result<(), ReachError> {
        let slots = (2 * (self.count + more)).next_power_of_two().max(4 * self.slots.len());
        self.fitting(slots)?;
        self.make_slots(slots);
        Ok(())
    }

    /// Adds a state unless it is there. Nothing here depends on which it is but a number, since nobody could predict
    /// it.
    #[inline]
    fn meet(&mut self, packed: P) {
        let at = find(&self.slots, self.start, packed);
        let is_new = self.slots[at] != packed;
        self.slots[at] = packed;
        self.states[self.count] = packed;
        self.count += usize::from(is_new);
    }
}

/// The slot that holds a state, or the first free one that could.
#[inline]
fn find<P: Copy + Eq + Hash>(slots: &[P], start: P, packed: P) -> usize {
    let last = slots.len() - 1;
    let mut at = FxBuildHasher.hash_one(packed) as usize & last;
    while (slots[at] != packed) & (slots[at] != start) {
        // Whether a state is known cannot be predicted, and that its slot is taken by another one is rare. Told so, the
        // compiler makes one branch of the two comparisons.
        cold_path();
        at = (at + 1) & last;
    }
    at
}

impl<P: Copy + Eq + Hash> Reached<P> {
    /// Everything that can be reached from a state, if the lists take at most `most_bytes`.
    ///
    /// # Errors
    /// If there is more, or the watcher stops it.
    pub fn from<S: StateSpace<Packed = P>>(
        space: &S,
        start: &S::State,
        most_bytes: Option<u64>,
        watcher: &dyn Watcher,
    ) -> Result<Self, ReachError> {
        struct InBulk<'v, S: StateSpace> {
            start: &'v S::State,
            most_bytes: Option<u64>,
            watcher: &'v dyn Watcher,
            found: Option<Result<Reached<S::Packed>, ReachError>>,
        }
        impl<'a, S: StateSpace> AbilityVisitor<'a, S> for InBulk<'_, S> {
            fn bulk_successors(self, space: &'a S) -> Self
            where
                S: BulkSuccessors,
            {
                let successors = |states: &[S::Packed], found: &mut Batch<S::Packed>| space.successors(states, found);
                let found = Reached::by(space.pack(self.start), successors, self.most_bytes, self.watcher);
                InBulk { found: Some(found), ..self }
            }
        }
        let in_bulk = space.abilities(InBulk { start, most_bytes, watcher, found: None });
        in_bulk.found.unwrap_or_else(|| {
            let successors = |states: &[P], found: &mut Batch<P>| bulk::successors(space, states, found);
            Reached::by(space.pack(start), successors, most_bytes, watcher)
        })
    }

    /// The same, given what adds the successors of some states.
    fn by(
        start: P,
        successors: impl Fn(&[P], &mut Batch<P>),
        most_bytes: Option<u64>,
        watcher: &dyn Watcher,
    ) -> Result<Self, ReachError> {
        let mut finding = Finding::new(start, most_bytes)?;
        let mut ends = vec![1];
        let (mut edges, mut next, mut unwatched) = (0, 0, 0);
        let mut batch = Batch::default();
        loop {
            let end = finding.count;
            while next < end {
                let some = next..end.min(next + BATCH);
                next = some.end;
                unwatched += some.len() as u64;
                successors(&finding.states[some], &mut batch);
                edges += batch.items().len() as u64;
                finding.make_room(batch.items().len())?;
                batch.items().iter().for_each(|&successor| finding.meet(successor));
                batch.clear();
                if unwatched >= WATCH_EVERY {
                    if watcher.watch(unwatched) == ControlFlow::Break(()) {
                        return Err(ReachError::Interrupted);
                    }
                    unwatched = 0;
                }
            }
            if finding.count == end {
                break;
            }
            ends.push(finding.count);
        }
        let Finding { slots, mut states, count, .. } = finding;
        states.truncate(count);
        Ok(Reached { states, ends, edges, slots, numbers: OnceLock::new() })
    }

    fn numbers(&self) -> &[u32] {
        self.numbers.get_or_init(|| {
            let mut numbers = vec![0; self.slots.len()];
            for (number, &packed) in self.states.iter().enumerate().skip(1) {
                numbers[find(&self.slots, self.states[0], packed)] = number as u32;
            }
            numbers
        })
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
        let numbers = self.numbers.get().map_or(0, |numbers| 4 * numbers.len());
        ((self.states.capacity() + self.slots.len()) * size_of::<P>() + numbers) as u64
    }
}

impl<P, S> Ranking<S> for Reached<P>
where
    P: Copy + Eq + Hash + Sync,
    S: StateSpace<Packed = P>,
{
    fn size(&self) -> usize {
        self.states.len()
    }

    #[inline]
    fn unrank(&self, space: &S, rank: usize) -> S::State {
        space.unpack(self.states[rank])
    }

    #[inline]
    fn rank(&self, space: &S, state: &S::State) -> Option<usize> {
        let (packed, start) = (space.pack(state), self.states[0]);
        if packed == start {
            return Some(0);
        }
        let at = find(&self.slots, start, packed);
        (self.slots[at] == packed).then(|| self.numbers()[at] as usize)
    }

    /// Few of the goals may be in reach, and there may be many.
    fn goals(&self, space: &S, visit: impl FnMut(usize)) {
        (0..self.states.len()).filter(|&rank| space.is_goal(&space.unpack(self.states[rank]))).for_each(visit);
    }
}
