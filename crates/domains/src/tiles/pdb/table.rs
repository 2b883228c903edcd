//! Tables as they are used and kept: bytes, and how to find a placement in them.
//!
//! With few tiles a placement is found by adding up, for each tile, its cell times a weight: then a move is one addition,
//! and the holes (two tiles in one cell) cost memory and no time. Where that would be too much memory a table has no
//! holes: the place is computed from the set of occupied cells and the number of the tiles' order, and a move changes the
//! order only if the tile passes others in between.

use std::ops::ControlFlow;
use std::sync::{Arc, OnceLock};

use admissible::audit::Interrupted;
use admissible::memory::Settled;
use bytes::Bytes;

use super::super::made::Made;
use super::Watch;
use super::build::{Building, NEVER};
use super::pattern::{MOST_TILES, Numbering, Pattern};

/// The bytes of a finished table.
#[derive(Debug, Clone)]
pub struct Table {
    pattern: Pattern,
    bytes: Bytes,
}

/// Tables with holes have at most this many bytes.
const MOST_WITH_HOLES: usize = 1 << 28;
/// And at most this many tiles: with more of them most of a table is holes, and the cache holds less of it.
const MOST_TILES_WITH_HOLES: usize = 6;
/// Larger tables without holes than those of seven tiles on a board of 25 cells would not fit into memory.
const MOST_WITHOUT_HOLES: usize = 5 << 29;

impl Pattern {
    /// Whether the table of this pattern has holes.
    fn has_holes(&self) -> bool {
        let size = self.cells().checked_pow(self.tiles() as u32);
        self.tiles() <= MOST_TILES_WITH_HOLES && size.is_some_and(|size| size <= MOST_WITH_HOLES)
    }

    /// Whether there can be a table: not too many tiles, on not too many cells, and few enough placements.
    pub fn is_possible(&self) -> bool {
        (1..=MOST_TILES).contains(&self.tiles())
            && self.cells() <= super::pattern::MOST_CELLS
            && (self.has_holes() || self.placements() <= MOST_WITHOUT_HOLES)
    }

    /// The size of the table in bytes.
    pub fn table_bytes(&self) -> usize {
        if self.has_holes() { self.cells().pow(self.tiles() as u32) } else { self.placements() }
    }

    /// About how many bytes building the table takes.
    pub fn build_bytes(&self) -> usize {
        4 * self.placements() + if self.has_holes() { self.table_bytes() } else { 0 }
    }

    /// Builds the table on so many threads.
    ///
    /// # Errors
    /// If `watch` stops it.
    pub fn build(&self, threads: usize, watch: &mut Watch<'_>) -> Result<Table, Interrupted> {
        let mut building = Building::new(self);
        building.advance(threads, watch)?;
        self.finish(building, watch)
    }

    /// The table, once every value is known.
    ///
    /// # Errors
    /// If `watch` stops it.
    pub fn finish(&self, building: Building, watch: &mut Watch<'_>) -> Result<Table, Interrupted> {
        let dense = building.into_values();
        let bytes = if self.has_holes() { self.with_holes(&dense, watch)? } else { dense };
        Ok(Table { pattern: self.clone(), bytes: bytes.into() })
    }

    fn with_holes(&self, dense: &[u8], watch: &mut Watch<'_>) -> Result<Vec<u8>, Interrupted> {
        let numbering = Numbering::new(self.cells(), self.tiles());
        let orders: Vec<[u8; MOST_TILES]> = (0..numbering.orders).map(|order| numbering.order(order)).collect();
        let weights: Vec<usize> = (0..self.tiles()).map(|tile| self.cells().pow(tile as u32)).collect();
        let mut table = vec![NEVER; self.table_bytes()];
        for (number, (&set, block)) in numbering.sets.iter().zip(dense.chunks(numbering.orders)).enumerate() {
            // Some hundreds of sets are a few milliseconds.
            if number.is_multiple_of(256) && watch(0) == ControlFlow::Break(()) {
                return Err(Interrupted);
            }
            let mut cells = [0; MOST_TILES];
            let occupied = (0..self.cells()).filter(|&cell| set >> cell & 1 == 1);
            cells.iter_mut().zip(occupied).for_each(|(place, cell)| *place = cell);
            for (order, &value) in orders.iter().zip(block) {
                let place = |(weight, &place): (&usize, &u8)| weight * cells[usize::from(place)];
                table[weights.iter().zip(order).map(place).sum::<usize>()] = value;
            }
        }
        Ok(table)
    }
}

impl Table {
    /// A table that was kept, if it has the right size.
    pub fn from_bytes(pattern: Pattern, bytes: Bytes) -> Option<Table> {
        (bytes.len() == pattern.table_bytes()).then_some(Table { pattern, bytes })
    }

    /// The pattern that it is about.
    pub fn pattern(&self) -> &Pattern {
        &self.pattern
    }

    /// The bytes, as they are kept.
    pub fn bytes(&self) -> &Bytes {
        &self.bytes
    }

    /// How many placements have each value; holes and what cannot be reached are left out.
    pub fn histogram(&self) -> Vec<u64> {
        let mut counts = vec![0; 256];
        self.bytes.iter().for_each(|&value| counts[usize::from(value)] += 1);
        counts.truncate(usize::from(NEVER));
        while counts.last() == Some(&0) {
            counts.pop();
        }
        counts
    }
}

/// A table ready to be looked into. A placement is found by its key.
#[derive(Debug)]
pub(super) struct Lookup {
    table: Table,
    /// For tables without holes.
    numbering: Option<Arc<Numbering>>,
    /// A copy that is found faster, once a search has lasted.
    settled: OnceLock<Settled>,
}

/// By the numbers of cells and tiles.
static NUMBERINGS: Made<(usize, usize), Numbering> = Made::new();

/// In a table without holes the set of occupied cells stands so far up in a key, above the number of the order.
const SET_SHIFT: u32 = 16;

impl Pattern {
    /// The bits of the largest key.
    pub(super) fn key_bits(&self) -> u32 {
        if self.has_holes() {
            usize::BITS - self.table_bytes().leading_zeros()
        } else {
            SET_SHIFT + self.cells() as u32
        }
    }
}

impl Lookup {
    pub(super) fn new(table: Table) -> Self {
        let pattern = &table.pattern;
        let numbering = |(cells, tiles)| NUMBERINGS.get((cells, tiles), || Numbering::new(cells, tiles));
        let numbering = (!pattern.has_holes()).then(|| numbering((pattern.cells(), pattern.tiles())));
        Lookup { table, numbering, settled: OnceLock::new() }
    }

    #[inline]
    pub(super) fn bytes(&self) -> &[u8] {
        self.settled.get().map_or(&self.table.bytes, |settled| settled)
    }

    /// Copies the table to where it is found faster, unless `stop` says to give up; a table in a file is mapped by small
    /// pages.
    pub(super) fn settle(&self, stop: &mut dyn FnMut() -> bool) -> Option<()> {
        if self.settled.get().is_none() {
            // Should another search be faster, its copy is used.
            let _ = self.settled.set(Settled::copy(&self.table.bytes, stop)?);
        }
        Some(())
    }

    /// The key of a placement, given the cells of the tiles in the order of the pattern.
    pub(super) fn key(&self, cells: &[usize]) -> u64 {
        let places = cells.iter().enumerate().map(|(tile, &cell)| self.weight(tile, cell)).sum::<u64>();
        let order =
            |numbering: &Numbering| numbering.placement(cells.iter().map(|&cell| cell as u32)) % numbering.orders;
        places + self.numbering.as_ref().map_or(0, |numbering| order(numbering) as u64)
    }

    /// What a tile of the pattern in a cell adds to the key of a placement.
    pub(super) fn weight(&self, tile: usize, cell: usize) -> u64 {
        match self.numbering {
            None => (cell * self.table.pattern.cells().pow(tile as u32)) as u64,
            Some(_) => 1 << (SET_SHIFT + cell as u32),
        }
    }

    /// What is added to the key if a tile passes another one of the pattern on its way to a later cell: the order of
    /// the two changes. The number of an order is a sum over the tiles, of how many earlier tiles lie before each.
    pub(super) fn passing(&self, tile: usize, other: usize) -> i64 {
        let weight = |tile: usize| (1..=tile as i64).product::<i64>();
        match self.numbering {
            None => 0,
            Some(_) if other < tile => weight(tile),
            Some(_) => -weight(other),
        }
    }

    /// Whether tiles that pass each other change the key.
    pub(super) fn has_order(&self) -> bool {
        self.numbering.is_some()
    }

    /// The place of a placement in the table, given its key.
    #[inline]
    pub(super) fn place(&self, key: u64) -> usize {
        match &self.numbering {
            None => key as usize,
            Some(numbering) => {
                numbering.set(key >> SET_SHIFT) * numbering.orders + (key & ((1 << SET_SHIFT) - 1)) as usize
            }
        }
    }

    /// The value of a placement, given its key.
    #[inline]
    pub(super) fn value(&self, key: u64) -> u8 {
        self.bytes()[self.place(key)]
    }
}
