//! Where the gap can go while the tiles of a pattern stay where they are.

use std::sync::Arc;

use super::super::made::Made;
use super::pattern::{Numbering, Pattern, members};

/// The regions that the gap can be in, each a set of cells: from a cell of a region it comes to every other one without
/// moving a tile of the pattern. They are numbered by their first cells.
#[derive(Debug, Clone)]
pub(super) struct Regions {
    shape: Shape,
    /// The free cells that are in no region yet.
    left: u64,
}

/// A board, as far as its cells have neighbours.
#[derive(Debug, Clone, Copy)]
pub(super) struct Shape {
    columns: usize,
    all: u64,
    first_column: u64,
}

impl Shape {
    pub(super) fn of(pattern: &Pattern) -> Self {
        let first_column = (0..pattern.rows).map(|row| 1 << (row * pattern.columns)).sum();
        Shape { columns: pattern.columns, all: (1 << pattern.cells()) - 1, first_column }
    }

    /// The cells beside those of a set.
    pub(super) fn neighbours(self, cells: u64) -> u64 {
        let last_column = self.first_column << (self.columns - 1);
        let across = (cells & !last_column) << 1 | (cells & !self.first_column) >> 1;
        (cells << self.columns | cells >> self.columns | across) & self.all
    }

    /// The regions around these occupied cells.
    pub(super) fn regions(self, occupied: u64) -> Regions {
        Regions { shape: self, left: !occupied & self.all }
    }
}

impl Regions {
    /// The number of the region of a free cell.
    pub(super) fn number(mut self, cell: usize) -> usize {
        self.position(|region| region >> cell & 1 == 1).expect("no tile lies there")
    }
}

impl Iterator for Regions {
    type Item = u64;

    fn next(&mut self) -> Option<u64> {
        let mut region = self.left & self.left.wrapping_neg();
        loop {
            let wider = (region | self.shape.neighbours(region)) & self.left;
            if wider == region {
                break;
            }
            region = wider;
        }
        self.left &= !region;
        (region != 0).then_some(region)
    }
}

/// Regions that are told apart; the last of them stands for all others.
pub(super) const TOLD_APART: usize = 4;

/// Which region the gap is in, given the key of a placement in a table with holes.
#[derive(Debug)]
pub(super) struct GapRegions {
    /// By the lower and by the upper digits of a key: the cells of their tiles.
    occupied: [Vec<u32>; 2],
    numbering: Numbering,
    /// By set of occupied cells: the region of each cell, in two bits.
    regions: Vec<u64>,
}

/// Boards of more cells have no such table.
pub(super) const MOST_CELLS: usize = 32;

/// By rows, columns and the number of tiles.
static MADE: Made<(usize, usize, usize), GapRegions> = Made::new();

impl GapRegions {
    pub(super) fn of(pattern: &Pattern) -> Arc<Self> {
        MADE.get((pattern.rows, pattern.columns, pattern.tiles()), || GapRegions::new(pattern))
    }

    fn new(pattern: &Pattern) -> Self {
        let (cells, lower) = (pattern.cells(), pattern.tiles().div_ceil(2));
        let occupied = [lower, pattern.tiles() - lower].map(|digits| {
            let digit = |key: usize, at: usize| key / cells.pow(at as u32) % cells;
            let cells_of = |key: usize| (0..digits).fold(0, |set, at| set | 1 << digit(key, at));
            (0..cells.pow(digits as u32)).map(cells_of).collect()
        });
        let numbering = Numbering::new(cells, pattern.tiles());
        let shape = Shape::of(pattern);
        let regions_of =
            |&set: &u64| {
                let told = |(number, region): (usize, u64)| (number.min(TOLD_APART - 1) as u64, region);
                shape.regions(set).enumerate().map(told).fold(0, |word, (number, region)| {
                    members(region).fold(word, |word, cell| word | number << (2 * cell))
                })
            };
        let regions = numbering.sets.iter().map(regions_of).collect();
        GapRegions { occupied, numbering, regions }
    }

    /// The region of a cell that the placement leaves free, below [`TOLD_APART`].
    #[inline]
    pub(super) fn number(&self, key: u64, cell: usize) -> usize {
        let [lower, upper] = &self.occupied;
        // Keys have at most 28 bits, and dividing small numbers is faster.
        let (key, size) = (key as u32, lower.len() as u32);
        let occupied = lower[(key % size) as usize] | upper[(key / size) as usize];
        self.regions[self.numbering.set(occupied.into())] as usize >> (2 * cell) & 3
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The free cells that can be reached from one, by a walk over neighbours.
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
    fn regions_are_what_a_walk_reaches() {
        for (rows, columns, tiles) in
            [(2, 2, 2), (2, 3, 3), (3, 3, 4), (3, 4, 6), (4, 4, 5), (5, 3, 6), (2, 13, 4), (5, 5, 5)]
        {
            let pattern = Pattern { rows, columns, homes: (1 << tiles) - 1, gap: rows * columns - 1 };
            let (numbers, shape) = (GapRegions::new(&pattern), Shape::of(&pattern));
            for &occupied in Numbering::new(pattern.cells(), tiles).sets.iter().step_by(7) {
                let all: Vec<u64> = shape.regions(occupied).collect();
                assert!(all.is_sorted_by_key(|region| region.trailing_zeros()));
                let cells = (0..pattern.cells()).filter(|&cell| occupied >> cell & 1 == 1);
                let key: usize = cells.zip(0..).map(|(cell, at)| cell * pattern.cells().pow(at)).sum();
                for cell in (0..pattern.cells()).filter(|&cell| occupied >> cell & 1 == 0) {
                    let number = shape.regions(occupied).number(cell);
                    assert_eq!(all[number], reached(&pattern, occupied, cell), "{rows}x{columns} {occupied:b} {cell}");
                    assert_eq!(numbers.number(key as u64, cell), number.min(TOLD_APART - 1));
                }
            }
        }
    }
}
