//! The states that can be reached from a start, in the order of their distance.
//!
//! For spaces without computed ranks, or of which a start reaches only a small part. The states are a list, layer after
//! layer, and the rank of a state is its position. An open-addressed hash table holds the packed states once more; an
//! empty slot holds the start, which needs no lookup.

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

/// All states that can be reached from a start.
#[derive(Debug)]
pub struct Reached<P> {
    /// In the order in which they were found, the start first.
    states: Vec<P>,
    /// Where each layer ends.
    ends: Vec<usize>,
    edges: u64,
    /// A power of two, at most half full.
    slots: Vec<P>,
    /// The rank of the state in each slot, computed when a rank is first needed.
    ranks: OnceLock<Vec<u32>>,
}

/// Why an exploration is incomplete.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReachError {
    /// The states do not fit into the memory limit.
    TooLarge {
        /// The number of states found by then.
        states: u64,
        /// The bytes that the lists would have needed next.
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

/// The initial slots: four times the states of a classic Klotski component. One state in ten then finds its first slot
/// taken; with half the slots it would be one in five. A tight memory limit halves them down to [`LEAST_SLOTS`].
const FIRST_SLOTS: usize = 1 << 17;
const LEAST_SLOTS: usize = 1 << 10;
/// States that are expanded before their successors are looked up, so that the lookups overlap.
const BATCH: usize = 32;

/// The states found so far.
struct StateTable<P> {
    start: P,
    slots: Vec<P>,
    /// The states, and room for more.
    states: Vec<P>,
    count: usize,
    most_bytes: Option<u64>,
}

impl<P: Copy + Eq + Hash> StateTable<P> {
    fn new(start: P, most_bytes: Option<u64>) -> Result<Self, ReachError> {
        let mut table = StateTable { start, slots: Vec::new(), states: vec![start], count: 1, most_bytes };
        let mut slots = FIRST_SLOTS;
        while slots > LEAST_SLOTS && table.check_limit(slots).is_err() {
            slots /= 2;
        }
        table.check_limit(slots)?;
        table.rehash(slots);
        Ok(table)
    }

    /// Refuses a table of `slots` slots that, with all ranks, exceeds the limit.
    fn check_limit(&self, slots: usize) -> Result<(), ReachError> {
        let bytes = (slots * (size_of::<P>() + 4) + slots / 2 * size_of::<P>()) as u64;
        if self.most_bytes.is_some_and(|most| bytes > most) || slots / 2 > u32::MAX as usize {
            return Err(ReachError::TooLarge { states: self.count as u64, bytes });
        }
        Ok(())
    }

    fn rehash(&mut self, slots: usize) {
        self.slots = Vec::new();
        self.slots = vec![self.start; slots];
        self.states.resize(slots / 2 + 1, self.start);
        for number in 1..self.count {
            let packed = self.states[number];
            let at = find(&self.slots, self.start, packed);
            self.slots[at] = packed;
        }
    }

    /// Makes sure that the table is at most half full with `more` states.
    #[inline]
    fn make_room(&mut self, more: usize) -> Result<(), ReachError> {
        if 2 * (self.count + more) > self.slots.len() { self.grow(more) } else { Ok(()) }
    }

    #[cold]
    fn grow(&mut self, more: usize) -> Result<(), ReachError> {
        let slots = (2 * (self.count + more)).next_power_of_two().max(4 * self.slots.len());
        self.check_limit(slots)?;
        self.rehash(slots);
        Ok(())
    }

    /// Inserts a state if it is new. Whether it is new is unpredictable, so no branch depends on it.
    #[inline]
    fn insert(&mut self, packed: P) {
        let at = find(&self.slots, self.start, packed);
        let is_new = self.slots[at] != packed;
        self.slots[at] = packed;
        self.states[self.count] = packed;
        self.count += usize::from(is_new);
    }
}

/// The slot that holds a state, or the empty one where it belongs.
#[inline]
fn find<P: Copy + Eq + Hash>(slots: &[P], start: P, packed: P) -> usize {
    let last = slots.len() - 1;
    let mut at = FxBuildHasher.hash_one(packed) as usize & last;
    while (slots[at] != packed) & (slots[at] != start) {
        // Whether a state is known is unpredictable, but a collision is rare. With this hint the compiler makes one
        // branch of the two comparisons.
        cold_path();
        at = (at + 1) & last;
    }
    at
}

impl<P: Copy + Eq + Hash> Reached<P> {
    /// Finds all states that can be reached from `start`, if the lists take at most `most_bytes`.
    ///
    /// # Errors
    /// If the lists exceed the limit, or the watcher stops it.
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

    /// [`Reached::from`], with a function that adds the successors of some states.
    fn by(
        start: P,
        successors: impl Fn(&[P], &mut Batch<P>),
        most_bytes: Option<u64>,
        watcher: &dyn Watcher,
    ) -> Result<Self, ReachError> {
        let mut table = StateTable::new(start, most_bytes)?;
        let mut ends = vec![1];
        let (mut edges, mut next, mut unwatched) = (0, 0, 0);
        let mut batch = Batch::default();
        loop {
            let end = table.count;
            while next < end {
                let some = next..end.min(next + BATCH);
                next = some.end;
                unwatched += some.len() as u64;
                successors(&table.states[some], &mut batch);
                edges += batch.items().len() as u64;
                table.make_room(batch.items().len())?;
                batch.items().iter().for_each(|&successor| table.insert(successor));
                batch.clear();
                if unwatched >= WATCH_EVERY {
                    if watcher.watch(unwatched) == ControlFlow::Break(()) {
                        return Err(ReachError::Interrupted);
                    }
                    unwatched = 0;
                }
            }
            if table.count == end {
                break;
            }
            ends.push(table.count);
        }
        let StateTable { slots, mut states, count, .. } = table;
        states.truncate(count);
        Ok(Reached { states, ends, edges, slots, ranks: OnceLock::new() })
    }

    fn ranks(&self) -> &[u32] {
        self.ranks.get_or_init(|| {
            let mut ranks = vec![0; self.slots.len()];
            for (rank, &packed) in self.states.iter().enumerate().skip(1) {
                ranks[find(&self.slots, self.states[0], packed)] = rank as u32;
            }
            ranks
        })
    }

    /// The number of states at each distance from the start.
    pub fn depths(&self) -> Vec<u64> {
        let begins = std::iter::once(0).chain(self.ends.iter().copied());
        begins.zip(&self.ends).map(|(begin, end)| (end - begin) as u64).collect()
    }

    /// The number of moves generated.
    pub fn edges(&self) -> u64 {
        self.edges
    }

    /// The ranks of the states with the greatest distance from the start.
    pub fn farthest(&self) -> std::ops::Range<usize> {
        let begin = self.ends.len().checked_sub(2).map_or(0, |before| self.ends[before]);
        begin..self.states.len()
    }

    /// The bytes that the lists take.
    pub fn bytes(&self) -> u64 {
        let ranks = self.ranks.get().map_or(0, |ranks| 4 * ranks.len());
        ((self.states.capacity() + self.slots.len()) * size_of::<P>() + ranks) as u64
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
        (self.slots[at] == packed).then(|| self.ranks()[at] as usize)
    }

    /// Tests all states: the space may have many goals of which few are reachable.
    fn goals(&self, space: &S, visit: impl FnMut(usize)) {
        (0..self.states.len()).filter(|&rank| space.is_goal(&space.unpack(self.states[rank]))).for_each(visit);
    }
}
