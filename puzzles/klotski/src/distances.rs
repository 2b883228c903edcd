//! How far boards are from a set of goals, by breadth-first search from the goals.
//!
//! The search stops where the boards become too many, but only between layers: then every board that it has not met is
//! farther away than every board that it has.

use std::hash::BuildHasher as _;
use std::hint::cold_path;

use admissible::{Estimate, StateSpace as _};
use rustc_hash::FxBuildHasher;

use super::board::{Board, Klotski};
use super::planes::Planes;

/// When to stop.
#[derive(Debug, Clone, Copy)]
pub(super) struct Extent {
    /// So many boards are met in any case.
    pub(super) fewest: usize,
    /// No layer is begun with more boards than this.
    pub(super) most: usize,
}

/// Distances by packed board.
#[derive(Debug)]
pub(super) struct Distances<P> {
    /// An open-addressed table: a power of two, at most half full.
    slots: Vec<(P, u16)>,
    met: usize,
    beyond: Estimate,
}

/// The distance in a slot that nothing is in.
const FREE: u16 = u16::MAX;

impl<P: Planes> Distances<P> {
    /// No board is met, and nothing is known of any.
    pub(super) fn unknown() -> Self {
        Distances { slots: Self::free_slots(1 << 12), met: 0, beyond: Estimate::new(0) }
    }

    /// Meets the boards around `goals` in layers: until one is `wanted`, then half as many layers again.
    pub(super) fn from(
        klotski: &Klotski<P>,
        goals: Vec<Board>,
        extent: Extent,
        wanted: impl Fn(&Board) -> bool,
    ) -> Self {
        let mut distances = Self::unknown();
        let mut layer = goals;
        layer.retain(|board| distances.meet(klotski.pack(board), 0));
        let mut last = layer.iter().any(&wanted).then_some(0);
        let mut next = Vec::new();
        for distance in 1.. {
            if layer.is_empty() {
                distances.beyond = Estimate::DEAD_END;
                break;
            }
            distances.beyond = Estimate::new(distance.into());
            let is_enough = last.is_some_and(|last| distance > last) && distances.met >= extent.fewest;
            if is_enough || distances.met > extent.most || distance == FREE {
                break;
            }
            for board in &layer {
                for step in klotski.moves(board) {
                    let mut beside = *board;
                    klotski.apply(&mut beside, step);
                    if distances.meet(klotski.pack(&beside), distance) {
                        next.push(beside);
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

    /// The distance of a board, if it was met.
    #[inline]
    pub(super) fn get(&self, packed: P) -> Option<u16> {
        let (_, distance) = self.slots[self.slot(packed)];
        (distance != FREE).then_some(distance)
    }

    /// The least distance of a board that was not met.
    #[inline]
    pub(super) fn beyond(&self) -> Estimate {
        self.beyond
    }

    fn free_slots(count: usize) -> Vec<(P, u16)> {
        vec![(P::from_planes([0; 3]), FREE); count]
    }

    /// Where a board is, or would be.
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

    /// Whether a board is met for the first time.
    #[inline]
    fn meet(&mut self, packed: P, distance: u16) -> bool {
        let at = self.slot(packed);
        if self.slots[at].1 != FREE {
            return false;
        }
        self.slots[at] = (packed, distance);
        self.met += 1;
        if 2 * self.met > self.slots.len() {
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
