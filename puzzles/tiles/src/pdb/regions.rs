//! The regions of the gap: the cells that it can reach without moving a tile of the pattern.

use std::sync::Arc;

use crate::memo::Memo;

use super::pattern::{Numbering, Pattern, members};

/// The connected components of the free cells, each a set of cells, numbered by their first cells.
#[derive(Debug, Clone)]
pub(super) struct Regions {
    grid: Grid,
    /// The free cells that are in no region yet.
    left: u64,
}

/// The adjacency of the cells of a board.
#[derive(Debug, Clone, Copy)]
pub(super) struct Grid {
    columns: usize,
    all: u64,
    first_column: u64,
}

impl Grid {
    pub(super) fn of(pattern: &Pattern) -> Self {
        let first_column = (0..pattern.rows).map(|row| 1 << (row * pattern.columns)).sum();
        Grid { columns: pattern.columns, all: (1 << pattern.cells()) - 1, first_column }
    }

    /// The neighbours of the cells of a set.
    pub(super) fn neighbours(self, cells: u64) -> u64 {
        let last_column = self.first_column << (self.columns - 1);
        let across = (cells & !last_column) << 1 | (cells & !self.first_column) >> 1;
        (cells << self.columns | cells >> self.columns | across) & self.all
    }

    /// The regions around these occupied cells.
    pub(super) fn regions(self, occupied: u64) -> Regions {
        Regions { grid: self, left: !occupied & self.all }
    }
}

impl Regions {
    /// The number of the region of a free cell.
    pub(super) fn number(mut self, cell: usize) -> usize {
        self.position(|region| region >> cell & 1 == 1).expect("the cell is free")
    }
}

impl Iterator for Regions {
    type Item = u64;

    fn next(&mut self) -> Option<u64> {
        let mut region = self.left & self.left.wrapping_neg();
        loop {
            let wider = (region | self.grid.neighbours(region)) & self.left;
            if wider == region {
                break;
            }
            region = wider;
        }
        self.left &= !region;
        (region != 0).then_some(region)
    }
}

/// The number of regions that a table distinguishes; the last of them stands for all others.
pub(super) const DISTINGUISHED: usize = 4;

/// The region of the gap, given the key of a placement in a sparse table.
#[derive(Debug)]
pub(super) struct GapRegions {
    /// By the lower and by the upper digits of a key: the cells of their tiles.
    occupied: [Vec<u32>; 2],
    numbering: Numbering,
    /// By set of occupied cells: two bits for each cell, its region.
    regions: Vec<u64>,
}

/// The most cells of a board whose tables distinguish regions.
pub(super) const MOST_CELLS_WITH_REGIONS: usize = 32;

/// By rows, columns and the number of tiles.
static GAP_REGIONS: Memo<(usize, usize, usize), GapRegions> = Memo::new();

impl GapRegions {
    pub(super) fn of(pattern: &Pattern) -> Arc<Self> {
        GAP_REGIONS.get((pattern.rows, pattern.columns, pattern.tiles()), || GapRegions::new(pattern))
    }

    fn new(pattern: &Pattern) -> Self {
        let (cells, lower) = (pattern.cells(), pattern.tiles().div_ceil(2));
        let occupied = [lower, pattern.tiles() - lower].map(|digits| {
            let digit = |key: usize, at: usize| key / cells.pow(at as u32) % cells;
            let cells_of = |key: usize| (0..digits).fold(0, |set, at| set | 1 << digit(key, at));
            (0..cells.pow(digits as u32)).map(cells_of).collect()
        });
        let numbering = Numbering::new(cells, pattern.tiles());
        let grid = Grid::of(pattern);
        let regions_of = |&set: &u64| {
            grid.regions(set).enumerate().fold(0, |word, (number, region)| {
                let number = number.min(DISTINGUISHED - 1) as u64;
                members(region).fold(word, |word, cell| word | number << (2 * cell))
            })
        };
        let regions = numbering.sets.iter().map(regions_of).collect();
        GapRegions { occupied, numbering, regions }
    }

    /// The region of a free cell, below [`DISTINGUISHED`].
    #[inline]
    pub(super) fn number(&self, key: u64, cell: usize) -> usize {
        let [lower, upper] = &self.occupied;
        // Keys have at most 28 bits, and 32-bit divisions are faster.
        let (key, size) = (key as u32, lower.len() as u32);
        let occupied = lower[(key % size) as usize] | upper[(key / size) as usize];
        self.regions[self.numbering.set(occupied.into())] as usize >> (2 * cell) & 3
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The free cells that a flood fill reaches from a cell.
    fn reached(pattern: &Pattern, occupied: u64, from: usize) -> u64 {
        let (mut seen, mut todo) = (1u64 << from, vec![from]);
        while let Some(cell) = todo.pop() {
            let (row, column) = (cell / pattern.columns, cell % pattern.columns);
            let beside =
                [(row.wrapping_sub(1), column), (row + 1, column), (row, column.wrapping_sub(1)), (row, column + 1)];
            for (row, column) in
                beside.into_iter().filter(|&(row, column)| row < pattern.rows && column < pattern.columns)
            {
                let next = row * pattern.columns + column;
                if (occupied | seen) >> next & 1 == 0 {
                    seen |= 1 << next;
                    todo.push(next);
                }
            }
        }
        seen
    }

    #[test]
    fn regions_agree_with_a_flood_fill() {
        for (rows, columns, tiles) in
            [(2, 2, 2), (2, 3, 3), (3, 3, 4), (3, 4, 6), (4, 4, 5), (5, 3, 6), (2, 13, 4), (5, 5, 5)]
        {
            let pattern = Pattern { rows, columns, homes: (1 << tiles) - 1, gap: rows * columns - 1 };
            let (numbers, grid) = (GapRegions::new(&pattern), Grid::of(&pattern));
            for &occupied in Numbering::new(pattern.cells(), tiles).sets.iter().step_by(7) {
                let all: Vec<u64> = grid.regions(occupied).collect();
                assert!(all.is_sorted_by_key(|region| region.trailing_zeros()));
                let cells = (0..pattern.cells()).filter(|&cell| occupied >> cell & 1 == 1);
                let key: usize = cells.zip(0..).map(|(cell, at)| cell * pattern.cells().pow(at)).sum();
                for cell in (0..pattern.cells()).filter(|&cell| occupied >> cell & 1 == 0) {
                    let number = grid.regions(occupied).number(cell);
                    assert_eq!(all[number], reached(&pattern, occupied, cell), "{rows}x{columns} {occupied:b} {cell}");
                    assert_eq!(numbers.number(key as u64, cell), number.min(DISTINGUISHED - 1));
                }
            }
        }
    }
}
