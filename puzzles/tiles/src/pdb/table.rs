//! Finished tables: bytes, and the index of a placement in them.
//!
//! With few tiles a table is *sparse*: the index of a placement is the sum of each tile's cell times a weight. A move
//! is one addition; the unused entries (two tiles in one cell) cost memory but no time. Larger tables are *compact*:
//! the index combines the rank of the set of occupied cells and that of the order of the tiles, which changes only if
//! the moved tile passes others.
//!
//! An entry does not hold the moves of a placement but its *detours*: half the moves beyond the Manhattan distance of
//! its tiles. Half a byte is enough for them, and sparse tables use the other half for the gap. The tiles of a
//! placement may divide the free cells into regions; for each of four regions a bit is set if it is *late*: if the gap
//! there takes at least one detour more than in the best region.

use std::ops::ControlFlow;
use std::sync::Arc;

use admissible::audit::Interrupted;
use admissible::memory::large_vec;
use bytes::Bytes;

use super::Watch;
use super::build::{Building, UNREACHABLE};
use super::pattern::{MOST_TILES, Numbering, Pattern, members};
use super::regions::{DISTINGUISHED, GapRegions, Grid, MOST_CELLS_WITH_REGIONS};
use crate::memo::Memo;

/// The bytes of a finished table.
#[derive(Debug, Clone)]
pub struct Table {
    /// The pattern of the table.
    pub pattern: Pattern,
    /// The bytes of the entries.
    pub bytes: Bytes,
}

/// The most bytes of a sparse table.
const MOST_SPARSE_BYTES: usize = 1 << 28;
/// The most tiles of a sparse table: with more, most entries are unused, and the cache holds fewer useful ones.
const MOST_SPARSE_TILES: usize = 6;
/// The most bytes of a compact table: enough for seven tiles on 25 cells.
const MOST_COMPACT_BYTES: usize = 5 << 29;

impl Pattern {
    /// Whether the table of this pattern is sparse.
    fn is_sparse(&self) -> bool {
        let size = self.cells().checked_pow(self.tiles() as u32);
        self.tiles() <= MOST_SPARSE_TILES && size.is_some_and(|size| size <= MOST_SPARSE_BYTES)
    }

    /// Whether the pattern has few enough tiles, cells and placements for a table.
    pub fn is_possible(&self) -> bool {
        (1..=MOST_TILES).contains(&self.tiles())
            && self.cells() <= super::pattern::MOST_CELLS
            && (self.is_sparse() || self.placements() <= MOST_COMPACT_BYTES)
    }

    /// The size of the table in bytes.
    pub fn table_bytes(&self) -> usize {
        if self.is_sparse() { self.cells().pow(self.tiles() as u32) } else { self.placements() }
    }

    /// An estimate of the memory for building the table.
    pub fn build_bytes(&self) -> usize {
        let placements = self.placements();
        if self.is_sparse() { (5 * placements).max(2 * placements + self.table_bytes()) } else { 4 * placements }
    }

    /// Builds the table on `threads` threads.
    ///
    /// # Errors
    /// If `watch` stops it.
    pub fn build(&self, threads: usize, watch: &mut Watch<'_>) -> Result<Table, Interrupted> {
        let mut building = Building::new(self);
        building.advance(threads, watch)?;
        self.finish(building, watch)
    }

    /// Converts a finished build into a table.
    ///
    /// # Errors
    /// If `watch` stops it.
    pub fn finish(&self, building: Building, watch: &mut Watch<'_>) -> Result<Table, Interrupted> {
        let (mut entries, late) = building.into_values();
        let mut sparse = Vec::new();
        if self.is_sparse() {
            sparse = large_vec(self.table_bytes());
            sparse.resize(self.table_bytes(), UNREACHABLE);
        }
        let blocks = Blocks::new(self);
        let orders = blocks.numbering.orders;
        for (number, block) in entries.chunks_mut(orders).enumerate() {
            // 256 sets take a few milliseconds.
            if number.is_multiple_of(256) && watch(0) == ControlFlow::Break(()) {
                return Err(Interrupted);
            }
            let regions =
                if late.is_empty() { 0 } else { Grid::of(self).regions(blocks.numbering.sets[number]).count() };
            let set = blocks.set(number);
            for (order, entry) in block.iter_mut().enumerate().filter(|(_, entry)| **entry != UNREACHABLE) {
                let detours =
                    ((usize::from(*entry) - set.distance(&blocks.orders[order])) / 2).min(usize::from(MOST_DETOURS));
                let late = late.get(number * orders + order).map_or(0, |&late| late_bits(late, regions));
                *entry = detours as u8 | late << 4;
                if self.is_sparse() {
                    sparse[set.index(&blocks.orders[order])] = *entry;
                }
            }
        }
        let bytes = if self.is_sparse() { sparse } else { entries };
        Ok(Table { pattern: self.clone(), bytes: bytes.into() })
    }

    /// Whether the table of this pattern distinguishes the regions of the gap.
    pub(super) fn distinguishes_regions(&self) -> bool {
        self.is_sparse() && self.cells() <= MOST_CELLS_WITH_REGIONS
    }
}

/// The most detours of an entry; larger values are capped.
const MOST_DETOURS: u8 = 15;

/// The detours of an entry from the best region.
#[inline]
pub(super) fn least_detours(entry: u8) -> u8 {
    entry & MOST_DETOURS
}

/// Whether an entry has late regions.
#[inline]
pub(super) fn has_late_regions(entry: u8) -> bool {
    entry > MOST_DETOURS
}

/// Whether a region is late.
#[inline]
pub(super) fn is_late(entry: u8, region: usize) -> bool {
    entry >> (4 + region) & 1 == 1
}

/// The bits of an entry for its late regions. The last distinguished region stands for all others, and is late only if
/// they all are.
fn late_bits(late: u8, regions: usize) -> u8 {
    let last = DISTINGUISHED - 1;
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
    /// The Manhattan distance of the tile.
    distances: [[usize; MOST_TILES]; MOST_TILES],
    /// The summand of the tile in the index of a sparse table.
    indices: [[usize; MOST_TILES]; MOST_TILES],
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
            Block { tiles, distances: [[0; MOST_TILES]; MOST_TILES], indices: [[0; MOST_TILES]; MOST_TILES] };
        for (tile, home) in self.pattern.home_cells().into_iter().enumerate() {
            for (place, cell) in members(self.numbering.sets[number]).enumerate() {
                let (down, across) =
                    ((cell / columns).abs_diff(home / columns), (cell % columns).abs_diff(home % columns));
                block.distances[tile][place] = down + across;
                block.indices[tile][place] = cell.wrapping_mul(cells.wrapping_pow(tile as u32));
            }
        }
        block
    }
}

impl Block {
    /// The Manhattan distance of the tiles in an order.
    fn distance(&self, order: &[u8; MOST_TILES]) -> usize {
        Self::sum(&self.distances[..self.tiles], order)
    }

    /// The index of an order in a sparse table.
    fn index(&self, order: &[u8; MOST_TILES]) -> usize {
        Self::sum(&self.indices[..self.tiles], order)
    }

    fn sum(table: &[[usize; MOST_TILES]], order: &[u8; MOST_TILES]) -> usize {
        table.iter().zip(order).map(|(by_place, &place)| by_place[usize::from(place) % MOST_TILES]).sum()
    }
}

impl Table {
    /// A table from its bytes, if they have the right length.
    pub fn from_bytes(pattern: Pattern, bytes: Bytes) -> Option<Table> {
        (bytes.len() == pattern.table_bytes()).then_some(Table { pattern, bytes })
    }

    /// By number of moves from the best region of the gap: the number of placements. Unreachable ones do not count.
    pub fn histogram(&self) -> Vec<u64> {
        let blocks = Blocks::new(&self.pattern);
        let mut counts = vec![0; 256];
        for number in 0..blocks.numbering.sets.len() {
            let set = blocks.set(number);
            for (at, order) in blocks.orders.iter().enumerate() {
                let index = if self.pattern.is_sparse() { set.index(order) } else { number * blocks.orders.len() + at };
                let entry = self.bytes[index];
                if entry != UNREACHABLE {
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

/// A table with lookups by the key of a placement.
#[derive(Debug)]
pub(super) struct Lookup {
    table: Table,
    /// For compact tables.
    numbering: Option<Arc<Numbering>>,
    /// For tables that distinguish the regions of the gap.
    regions: Option<Arc<GapRegions>>,
}

/// By the numbers of cells and tiles.
static NUMBERINGS: Memo<(usize, usize), Numbering> = Memo::new();

/// The key of a compact table has the rank of the order in the lower bits, and the set of occupied cells above them.
const SET_SHIFT: u32 = 16;

impl Pattern {
    /// The bits of the largest key.
    pub(super) fn key_bits(&self) -> u32 {
        if self.is_sparse() {
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
        let numbering = (!pattern.is_sparse()).then(|| numbering((pattern.cells(), pattern.tiles())));
        let regions = pattern.distinguishes_regions().then(|| GapRegions::of(pattern));
        Lookup { table, numbering, regions }
    }

    #[inline]
    pub(super) fn bytes(&self) -> &[u8] {
        &self.table.bytes
    }

    /// The key of a placement, given the cells of the tiles in the order of the pattern.
    pub(super) fn key(&self, cells: &[usize]) -> u64 {
        let weights = cells.iter().enumerate().map(|(tile, &cell)| self.weight(tile, cell)).sum::<u64>();
        let order =
            |numbering: &Numbering| numbering.placement(cells.iter().map(|&cell| cell as u32)) % numbering.orders;
        weights + self.numbering.as_ref().map_or(0, |numbering| order(numbering) as u64)
    }

    /// The summand of a tile of the pattern in a cell in the key of a placement.
    pub(super) fn weight(&self, tile: usize, cell: usize) -> u64 {
        match self.numbering {
            None => (cell * self.table.pattern.cells().pow(tile as u32)) as u64,
            Some(_) => 1 << (SET_SHIFT + cell as u32),
        }
    }

    /// The change of the key if a tile passes another one of the pattern on its way to a later cell. The rank of an
    /// order is a weighted sum over the tiles of the number of earlier tiles before each.
    pub(super) fn passing(&self, tile: usize, other: usize) -> i64 {
        let weight = |tile: usize| (1..=tile as i64).product::<i64>();
        match self.numbering {
            None => 0,
            Some(_) if other < tile => weight(tile),
            Some(_) => -weight(other),
        }
    }

    /// Whether the key depends on the order of the tiles.
    pub(super) fn has_order(&self) -> bool {
        self.numbering.is_some()
    }

    /// The index of a placement in the table, given its key.
    #[inline]
    pub(super) fn index(&self, key: u64) -> usize {
        match &self.numbering {
            None => key as usize,
            Some(numbering) => {
                numbering.set(key >> SET_SHIFT) * numbering.orders + (key & ((1 << SET_SHIFT) - 1)) as usize
            }
        }
    }

    /// The regions of the gap, if the table distinguishes them.
    pub(super) fn regions(&self) -> Option<&GapRegions> {
        self.regions.as_deref()
    }

    /// The detours of a placement, given its key and the cell of the gap.
    #[inline]
    pub(super) fn detours(&self, key: u64, gap: usize) -> u8 {
        let entry = self.bytes()[self.index(key)];
        let late = |regions: &GapRegions| has_late_regions(entry) && is_late(entry, regions.number(key, gap));
        least_detours(entry) + u8::from(self.regions().is_some_and(late))
    }
}

#[cfg(test)]
mod tests {
    use super::super::build::tests::brute_force;
    use super::*;

    #[test]
    fn detours_and_late_regions_agree_with_brute_force() {
        let patterns = [
            (2, 2, 0b0111, 3),
            (2, 3, 0b00_1010, 2),
            (3, 3, 0b0_1111_0110, 0),
            (3, 3, 0b0_0010_1001, 8),
            (2, 4, 0b0110_0110, 7),
            (3, 4, 0b0010_0001_1011, 11),
            (4, 4, 0b0001_0110_0011_0000, 15),
            // Compact: seven tiles.
            (2, 4, 0b0111_1111, 7),
        ];
        for (rows, columns, homes, gap) in patterns {
            let pattern = Pattern { rows, columns, homes, gap };
            let table = pattern.build(1, &mut |_| ControlFlow::Continue(())).expect("the watcher never stops it");
            let (with_gap, least) = brute_force(&pattern);
            let manhattan = |tiles: &[usize]| {
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
                let region = Grid::of(&pattern).regions(occupied).number(*gap);
                let found = manhattan(tiles) + 2 * usize::from(lookup.detours(lookup.key(tiles), *gap));
                let (best, moves) = (usize::from(least[tiles]), usize::from(moves));
                assert!(found <= moves && found >= best, "{pattern}: {tiles:?} {gap}");
                if pattern.distinguishes_regions() && region + 1 < DISTINGUISHED {
                    assert_eq!(found, moves.min(best + 2), "{pattern}: {tiles:?} {gap}");
                }
                late += usize::from(found > best);
            }
            assert_eq!(late > 0, pattern.distinguishes_regions() && rows * columns > 4, "{pattern}");
        }
    }

    #[test]
    fn the_last_region_stands_for_all_others() {
        assert_eq!(late_bits(0b0101, 4), 0b0101);
        assert_eq!(late_bits(0b1101, 4), 0b1101);
        assert_eq!(late_bits(0b1101, 5), 0b0101);
        assert_eq!(late_bits(0b1_1101, 5), 0b1101);
        assert_eq!(late_bits(0b10, 2), 0b10);
        assert_eq!(late_bits(0, 0), 0);
    }
}
