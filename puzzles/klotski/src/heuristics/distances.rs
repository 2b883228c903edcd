//! Distances of boards from a set of goals, by breadth-first search from the goals.
//!
//! The search stops between layers once the table is large enough: every board outside the table is then farther than
//! every board in it.

use std::hash::BuildHasher as _;
use std::hint::cold_path;

use admissible::{Estimate, StateSpace as _};
use rustc_hash::FxBuildHasher;

use crate::board::{Board, Klotski, Planes};

/// The bounds of a table.
#[derive(Debug, Clone, Copy)]
pub(crate) struct TableSize {
    /// The table has at least this many boards, if as many are reachable.
    pub(crate) least: usize,
    /// No layer begins beyond this many boards.
    pub(crate) most: usize,
}

/// Distances by packed board.
#[derive(Debug)]
pub(crate) struct Distances<P> {
    /// An open-addressed hash table: its length is a power of two, at most half full.
    slots: Vec<(P, u16)>,
    len: usize,
    /// The least distance of a board outside the table.
    beyond: Estimate,
}

/// The distance in a free slot.
const FREE: u16 = u16::MAX;

impl<P: Planes> Distances<P> {
    /// A table without boards.
    pub(crate) fn empty() -> Self {
        Distances { slots: Self::free_slots(1 << 12), len: 0, beyond: Estimate::new(0) }
    }

    /// Searches from `goals` until a board is `wanted`, then half as many layers again.
    pub(crate) fn from(
        klotski: &Klotski<P>,
        goals: Vec<Board>,
        size: TableSize,
        wanted: impl Fn(&Board) -> bool,
    ) -> Self {
        let mut distances = Self::empty();
        let mut layer = goals;
        layer.retain(|board| distances.insert(klotski.pack(board), 0));
        let mut last = layer.iter().any(&wanted).then_some(0);
        let mut next = Vec::new();
        for distance in 1.. {
            if layer.is_empty() {
                distances.beyond = Estimate::DEAD_END;
                break;
            }
            distances.beyond = Estimate::new(distance.into());
            let is_enough = last.is_some_and(|last| distance > last) && distances.len >= size.least;
            if is_enough || distances.len > size.most || distance == FREE {
                break;
            }
            for board in &layer {
                for step in klotski.moves(board) {
                    let mut successor = *board;
                    klotski.apply(&mut successor, step);
                    if distances.insert(klotski.pack(&successor), distance) {
                        next.push(successor);
                    }
                }
            }
            (layer, next) = (next, layer);
            next.clear();
            if last.is_none() && layer.iter().any(&wanted) {
                last = Some(distance + distance / 2);
            }
        }
        distances
    }

    /// The distance of a board, if the table has it.
    #[inline]
    pub(crate) fn get(&self, packed: P) -> Option<u16> {
        let (_, distance) = self.slots[self.slot(packed)];
        (distance != FREE).then_some(distance)
    }

    /// The least distance of a board outside the table.
    #[inline]
    pub(crate) fn beyond(&self) -> Estimate {
        self.beyond
    }

    fn free_slots(count: usize) -> Vec<(P, u16)> {
        vec![(P::from_planes([0; 3]), FREE); count]
    }

    /// The slot of a board, or the free slot for it.
    #[inline]
    fn slot(&self, packed: P) -> usize {
        let last = self.slots.len() - 1;
        let mut at = FxBuildHasher.hash_one(packed) as usize & last;
        while (self.slots[at].1 != FREE) & (self.slots[at].0 != packed) {
            cold_path();
            at = (at + 1) & last;
        }
        at
    }

    /// Inserts a board; false if the table has it already.
    #[inline]
    fn insert(&mut self, packed: P, distance: u16) -> bool {
        let at = self.slot(packed);
        if self.slots[at].1 != FREE {
            return false;
        }
        self.slots[at] = (packed, distance);
        self.len += 1;
        if 2 * self.len > self.slots.len() {
            self.grow();
        }
        true
    }

    #[cold]
    fn grow(&mut self) {
        let twice = Self::free_slots(2 * self.slots.len());
        for (packed, distance) in std::mem::replace(&mut self.slots, twice) {
            if distance != FREE {
                let at = self.slot(packed);
                self.slots[at] = (packed, distance);
            }
        }
    }
}
