//! Tables as they are used and kept: bytes, and how to find a placement in them.
//!
//! With few tiles a placement is found by adding up, for each tile, its cell times a weight: then a move is one
//! addition, and the holes (two tiles in one cell) cost memory and no time. Where that would be too much memory a table
//! has no holes: the place is computed from the set of occupied cells and the number of the tiles' order, and a move
//! changes the order only if the tile passes others in between.
//!
//! A table does not tell how many moves a placement takes but how many *detours*: pairs of moves more than its tiles
//! are far from home along the grid. These are few, so that half a byte is enough for them, and tables with holes use
//! the other half for where the gap is. The tiles of a placement may cut the board into regions; for each of four of
//! them a bit tells whether from there it takes a detour more than from the best one.

use std::ops::ControlFlow;
use std::sync::{Arc, OnceLock};

use admissible::audit::Interrupted;
use admissible::memory::{OnHugePages, is_on_large_pages};
use bytes::Bytes;

use super::super::made::Made;
use super::Watch;
use super::build::{Building, NEVER};
use super::pattern::{MOST_TILES, Numbering, Pattern, members};
use super::regions::{GapRegions, MOST_CELLS, Shape, TOLD_APART};

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
        let placements = self.placements();
        if self.has_holes() { (5 * placements).max(2 * placements + self.table_bytes()) } else { 4 * placements }
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
        let (mut entries, late) = building.into_values();
        let mut holes = if self.has_holes() { vec![NEVER; self.table_bytes()] } else { Vec::new() };
        let blocks = Blocks::new(self);
        let orders = blocks.numbering.orders;
        for (number, block) in entries.chunks_mut(orders).enumerate() {
            // Some hundreds of sets are a few milliseconds.
            if number.is_multiple_of(256) && watch(0) == ControlFlow::Break(()) {
                return Err(Interrupted);
            }
            let regions =
                if late.is_empty() { 0 } else { Shape::of(self).regions(blocks.numbering.sets[number]).count() };
            let set = blocks.set(number);
            for (order, entry) in block.iter_mut().enumerate().filter(|(_, entry)| **entry != NEVER) {
                let detours =
                    ((usize::from(*entry) - set.distance(&blocks.orders[order])) / 2).min(usize::from(MOST_DETOURS));
                *entry = detours as u8 | late.get(number * orders + order).map_or(0, |&late| told(late, regions) << 4);
                if self.has_holes() {
                    holes[set.place(&blocks.orders[order])] = *entry;
                }
            }
        }
        let bytes = if self.has_holes() { holes } else { entries };
        Ok(Table { pattern: self.clone(), bytes: bytes.into() })
    }

    /// Whether the table of this pattern tells the regions of the gap apart.
    pub(super) fn tells_regions(&self) -> bool {
        self.has_holes() && self.cells() <= MOST_CELLS
    }
}

/// More detours are not told.
const MOST_DETOURS: u8 = 15;

/// The detours of an entry from the best region.
#[inline]
pub(super) fn least_detours(entry: u8) -> u8 {
    entry & MOST_DETOURS
}

/// Whether an entry has regions that take a detour more.
#[inline]
pub(super) fn has_late_regions(entry: u8) -> bool {
    entry > MOST_DETOURS
}

/// Whether it takes a detour more from that region.
#[inline]
pub(super) fn is_late(entry: u8, region: usize) -> bool {
    entry >> (4 + region) & 1 == 1
}

/// Of the regions that take longer, those of which that is told. The last one that is told apart stands for all others,
/// and takes longer only if they all do.
fn told(late: u8, regions: usize) -> u8 {
    let last = TOLD_APART - 1;
    let others = ((1u16 << regions) - 1) as u8 >> last;
    let single = late & ((1 << last) - 1);
    single | if others != 0 && late >> last == others { 1 << last } else { 0 }
}

/// The placements of a pattern, by the set of cells that they occupy.
struct Blocks<'a> {
    pattern: &'a Pattern,
    numbering: Numbering,
    orders: Vec<[u8; MOST_TILES]>,
}

/// The placements on one set of cells: by tile and by its place among these cells.
struct Block {
    tiles: usize,
    /// The distance of the tile from home along the grid.
    distances: [[usize; MOST_TILES]; MOST_TILES],
    /// What it adds to the place in a table with holes.
    places: [[usize; MOST_TILES]; MOST_TILES],
}

impl<'a> Blocks<'a> {
    fn new(pattern: &'a Pattern) -> Self {
        let numbering = Numbering::new(pattern.cells(), pattern.tiles());
        let orders = (0..numbering.orders).map(|order| numbering.order(order)).collect();
        Blocks { pattern, numbering, orders }
    }

    fn set(&self, number: usize) -> Block {
        let Pattern { columns, .. } = *self.pattern;
        let (tiles, cells) = (self.pattern.tiles(), self.pattern.cells());
        let mut block =
            Block { tiles, distances: [[0; MOST_TILES]; MOST_TILES], places: [[0; MOST_TILES]; MOST_TILES] };
        for (tile, home) in self.pattern.home_cells().into_iter().enumerate() {
            for (place, cell) in members(self.numbering.sets[number]).enumerate() {
                let (down, across) =
                    ((cell / columns).abs_diff(home / columns), (cell % columns).abs_diff(home % columns));
                block.distances[tile][place] = down + across;
                block.places[tile][place] = cell.wrapping_mul(cells.wrapping_pow(tile as u32));
            }
        }
        block
    }
}

impl Block {
    /// How far the tiles in that order are from home along the grid.
    fn distance(&self, order: &[u8; MOST_TILES]) -> usize {
        Self::sum(&self.distances[..self.tiles], order)
    }

    /// The place of that order in a table with holes.
    fn place(&self, order: &[u8; MOST_TILES]) -> usize {
        Self::sum(&self.places[..self.tiles], order)
    }

    fn sum(table: &[[usize; MOST_TILES]], order: &[u8; MOST_TILES]) -> usize {
        table.iter().zip(order).map(|(by_place, &place)| by_place[usize::from(place) % MOST_TILES]).sum()
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

    /// How many placements take so many moves, from the best region of the gap; what cannot be reached is left out.
    pub fn histogram(&self) -> Vec<u64> {
        let blocks = Blocks::new(&self.pattern);
        let mut counts = vec![0; 256];
        for number in 0..blocks.numbering.sets.len() {
            let set = blocks.set(number);
            for (at, order) in blocks.orders.iter().enumerate() {
                let place = if self.pattern.has_holes() { set.place(order) } else { number * blocks.orders.len() + at };
                let entry = self.bytes[place];
                if entry != NEVER {
                    counts[set.distance(order) + 2 * usize::from(least_detours(entry))] += 1;
                }
            }
        }
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
    /// For tables that tell the regions of the gap apart.
    regions: Option<Arc<GapRegions>>,
    /// A copy that is found faster, once a search has lasted.
    copy: OnceLock<OnHugePages>,
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
        let regions = pattern.tells_regions().then(|| GapRegions::of(pattern));
        Lookup { table, numbering, regions, copy: OnceLock::new() }
    }

    #[inline]
    pub(super) fn bytes(&self) -> &[u8] {
        self.copy.get().map_or(&self.table.bytes, |copy| copy)
    }

    /// Copies the table to where it is found faster, unless it is there or `stop` says to give up; a table in a file
    /// may be mapped by small pages. How many bytes were copied.
    pub(super) fn copy_to_huge_pages(&self, stop: &mut dyn FnMut() -> bool) -> Option<u64> {
        if self.copy.get().is_some() || is_on_large_pages(&self.table.bytes) {
            return Some(0);
        }
        // Should another search be faster, its copy is used.
        let _ = self.copy.set(OnHugePages::copy(&self.table.bytes, stop)?);
        Some(self.table.bytes.len() as u64)
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

    /// The regions of the gap, if the table tells them apart.
    pub(super) fn regions(&self) -> Option<&GapRegions> {
        self.regions.as_deref()
    }

    /// The detours of a placement, given its key and the cell of the gap.
    #[inline]
    pub(super) fn detours(&self, key: u64, gap: usize) -> u8 {
        let entry = self.bytes()[self.place(key)];
        let late = |regions: &GapRegions| has_late_regions(entry) && is_late(entry, regions.number(key, gap));
        least_detours(entry) + u8::from(self.regions().is_some_and(late))
    }
}

#[cfg(test)]
mod tests {
    use super::super::build::tests::by_hand;
    use super::*;

    #[test]
    fn tables_tell_detours_and_where_the_gap_matters() {
        let patterns = [
            (2, 2, 0b0111, 3),
            (2, 3, 0b00_1010, 2),
            (3, 3, 0b0_1111_0110, 0),
            (3, 3, 0b0_0010_1001, 8),
            (2, 4, 0b0110_0110, 7),
            (3, 4, 0b0010_0001_1011, 11),
            (4, 4, 0b0001_0110_0011_0000, 15),
            // Without holes: more tiles than others have.
            (2, 4, 0b0111_1111, 7),
        ];
        for (rows, columns, homes, gap) in patterns {
            let pattern = Pattern { rows, columns, homes, gap };
            let table = pattern.build(1, &mut |_| ControlFlow::Continue(())).expect("nobody interrupts");
            let (with_gap, least) = by_hand(&pattern);
            let far = |tiles: &[usize]| {
                let apart = |(cell, home): (&usize, usize)| {
                    (cell / columns).abs_diff(home / columns) + (cell % columns).abs_diff(home % columns)
                };
                tiles.iter().zip(pattern.home_cells()).map(apart).sum::<usize>()
            };
            let mut counts = vec![0; table.histogram().len()];
            least.values().for_each(|&moves| counts[usize::from(moves)] += 1);
            assert_eq!(table.histogram(), counts, "{pattern}");
            let lookup = Lookup::new(table);
            let mut late = 0;
            for ((tiles, gap), &moves) in &with_gap {
                let occupied = tiles.iter().fold(0, |set, &cell| set | 1 << cell);
                let region = Shape::of(&pattern).regions(occupied).number(*gap);
                let said = far(tiles) + 2 * usize::from(lookup.detours(lookup.key(tiles), *gap));
                let (best, moves) = (usize::from(least[tiles]), usize::from(moves));
                assert!(said <= moves && said >= best, "{pattern}: {tiles:?} {gap}");
                if pattern.tells_regions() && region + 1 < TOLD_APART {
                    assert_eq!(said, moves.min(best + 2), "{pattern}: {tiles:?} {gap}");
                }
                late += usize::from(said > best);
            }
            assert_eq!(late > 0, pattern.tells_regions() && rows * columns > 4, "{pattern}");
        }
    }

    #[test]
    fn the_last_region_stands_for_all_others() {
        assert_eq!(told(0b0101, 4), 0b0101);
        assert_eq!(told(0b1101, 4), 0b1101);
        assert_eq!(told(0b1101, 5), 0b0101);
        assert_eq!(told(0b1_1101, 5), 0b1101);
        assert_eq!(told(0b10, 2), 0b10);
        assert_eq!(told(0, 0), 0);
    }
}
