//! Patterns, and the ranks of placements.
//!
//! A pattern is a set of cells: the goal cells, or homes, of its tiles. A board whose goal has the gap in another
//! corner is reflected until the gap is in the last cell, so one table serves them all.
//!
//! A placement of the pattern's tiles is the set of cells that they occupy, and their order in it. Sets are ranked by
//! their bits, orders by the number of earlier tiles before each tile. Both ranks together are the index of a placement
//! in a compact table ([`Numbering`]).

use std::fmt;

use super::regions::Grid;

/// The tiles of a pattern on a board of a certain size.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Pattern {
    /// Rows of the board.
    pub rows: usize,
    /// Columns of the board.
    pub columns: usize,
    /// The homes of the tiles, a bit for each cell in reading order.
    pub homes: u64,
    /// The home of the gap.
    pub gap: usize,
}

/// The largest board that a pattern can be on.
pub(super) const MOST_CELLS: usize = 40;
/// The most tiles of a pattern.
pub(super) const MOST_TILES: usize = 8;

impl Pattern {
    /// The number of cells of the board.
    pub fn cells(&self) -> usize {
        self.rows * self.columns
    }

    /// The number of tiles.
    pub fn tiles(&self) -> usize {
        self.homes.count_ones() as usize
    }

    /// The homes in reading order; the index is the number of the tile in the pattern.
    pub fn home_cells(&self) -> Vec<usize> {
        (0..self.cells()).filter(|&cell| self.homes >> cell & 1 == 1).collect()
    }

    /// The name of its table in a cache.
    pub fn name(&self) -> String {
        let tiles: Vec<String> = self.home_cells().into_iter().map(|cell| (cell + 1).to_string()).collect();
        let gap = if self.gap == self.cells() - 1 { String::new() } else { format!("-gap{}", self.gap + 1) };
        format!("tiles-{}x{}{gap}-{}", self.rows, self.columns, tiles.join("-"))
    }

    /// The number of placements.
    pub fn placements(&self) -> usize {
        (0..self.tiles()).map(|taken| self.cells() - taken).product()
    }

    /// The representative of all patterns that are symmetric to this one, whose table they share; and by cell, its
    /// image under the symmetry.
    pub fn canonical(&self) -> (Pattern, Vec<usize>) {
        let image = |cells: Vec<usize>| {
            let homes = self.home_cells().into_iter().map(|cell| 1 << cells[cell]).sum();
            let image = Pattern { homes, gap: cells[self.gap], ..*self };
            // If the gap reaches every free cell, its home does not matter.
            let is_free = Grid::of(self).regions(self.homes).count() == 1;
            let gap = if is_free { (!homes & ((1 << self.cells()) - 1)).ilog2() as usize } else { image.gap };
            (Pattern { gap, ..image }, cells)
        };
        symmetries(self.rows, self.columns).map(image).min().expect("the identity is a symmetry")
    }
}

/// The symmetries of a board, by cell its image. The identity comes first.
fn symmetries(rows: usize, columns: usize) -> impl Iterator<Item = Vec<usize>> {
    let count = if rows == columns { 8 } else { 4 };
    (0..count).map(move |symmetry| {
        let image = |cell: usize| {
            let (row, column) = (cell / columns, cell % columns);
            let row = if symmetry & 1 == 0 { row } else { rows - 1 - row };
            let column = if symmetry & 2 == 0 { column } else { columns - 1 - column };
            if symmetry & 4 == 0 { row * columns + column } else { column * columns + row }
        };
        (0..rows * columns).map(image).collect()
    })
}

impl fmt::Display for Pattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Tiles are named as on a board with the gap last: the tile of the first cell is 1.
        let tiles: Vec<String> = self.home_cells().into_iter().map(|cell| (cell + 1).to_string()).collect();
        write!(f, "{}x{}: {}", self.rows, self.columns, tiles.join(" "))
    }
}

/// The ranks of the placements of some tiles on some cells.
#[derive(Debug)]
pub(super) struct Numbering {
    pub(super) tiles: usize,
    /// The number of orders.
    pub(super) orders: usize,
    /// The rank of a set is the sum of an entry for each byte of it: by the number of members before the byte, and the
    /// bits of the byte.
    byte_ranks: Vec<[u32; (MOST_TILES + 1) << BYTE]>,
    /// The sets by rank.
    pub(super) sets: Vec<u64>,
}

/// The bits of a byte.
const BYTE: usize = 8;

fn choose(many: usize, few: usize) -> u64 {
    if few > many { 0 } else { (0..few).fold(1, |ways, at| ways * (many - at) as u64 / (at as u64 + 1)) }
}

pub(super) fn members(set: u64) -> impl Iterator<Item = usize> {
    let rest = |set: &u64| set.checked_sub(1).map(|less| set & less);
    std::iter::successors(Some(set), rest).take_while(|&set| set != 0).map(|set| set.trailing_zeros() as usize)
}

impl Numbering {
    pub(super) fn new(cells: usize, tiles: usize) -> Self {
        // The combinatorial number system: the i-th lowest cell adds the number of sets of i cells below it.
        let entry = |first: usize, before: usize, bits: u64| {
            let ways = members(bits).enumerate().map(|(at, cell)| choose(first + cell, before + at + 1));
            // The sum may overflow for sets of more cells than tiles, which do not occur.
            ways.sum::<u64>() as u32
        };
        let byte = |first: usize| std::array::from_fn(|at| entry(first, at >> BYTE, at as u64 & ((1 << BYTE) - 1)));
        // The next larger word with the same number of bits.
        let next = |set: &u64| {
            let lowest = set & set.wrapping_neg();
            let carried = set + lowest;
            Some(carried | ((set ^ carried) / lowest) >> 2)
        };
        let sets = std::iter::successors(Some((1 << tiles) - 1), next).take_while(|set| set >> cells == 0);
        Numbering {
            tiles,
            orders: (1..=tiles).product(),
            byte_ranks: (0..cells).step_by(BYTE).map(byte).collect(),
            sets: sets.collect(),
        }
    }

    /// The rank of a set of cells.
    #[inline]
    pub(super) fn set(&self, mut cells: u64) -> usize {
        let (mut rank, mut before) = (0, 0);
        for ranks in &self.byte_ranks {
            let bits = cells as usize & ((1 << BYTE) - 1);
            rank += ranks[before << BYTE | bits];
            before += bits.count_ones() as usize;
            cells >>= BYTE;
        }
        rank as usize
    }

    /// The rank of a placement, given the cells of the tiles in the order of the pattern.
    #[inline]
    pub(super) fn placement(&self, places: impl Iterator<Item = u32>) -> usize {
        let (mut set, mut order, mut weight) = (0u64, 0, 1);
        for (at, cell) in places.enumerate() {
            let before = set & ((1 << cell) - 1);
            order += before.count_ones() as usize * weight;
            weight *= at + 1;
            set |= 1 << cell;
        }
        self.set(set) * self.orders + order
    }

    /// By tile of the pattern: its place among the occupied cells, in the order of that rank.
    pub(super) fn order(&self, mut number: usize) -> [u8; MOST_TILES] {
        let mut places = [0; MOST_TILES];
        let mut weight = self.orders;
        let mut before = [0; MOST_TILES];
        for at in (0..self.tiles).rev() {
            weight /= at + 1;
            before[at] = number / weight;
            number %= weight;
        }
        // Inserting a later tile keeps the order of the earlier ones.
        for at in 0..self.tiles {
            for place in &mut places[..at] {
                *place += u8::from(usize::from(*place) >= before[at]);
            }
            places[at] = before[at] as u8;
        }
        places
    }

    /// The rank of an order.
    pub(super) fn order_rank(&self, places: &[u8]) -> usize {
        let mut weight = 1;
        let mut number = 0;
        for at in 0..self.tiles {
            number += places[..at].iter().filter(|&&place| place < places[at]).count() * weight;
            weight *= at + 1;
        }
        number
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_of_placements_are_distinct_and_dense() {
        for (cells, tiles) in [(4, 3), (6, 3), (8, 8), (9, 4), (14, 3), (16, 4), (25, 3), (40, 3)] {
            let numbering = Numbering::new(cells, tiles);
            let mut seen = vec![false; numbering.sets.len() * numbering.orders];
            for (number, &set) in numbering.sets.iter().enumerate() {
                assert_eq!(numbering.set(set), number);
                let occupied: Vec<usize> = members(set).collect();
                for order in 0..numbering.orders {
                    let places = numbering.order(order);
                    assert_eq!(numbering.order_rank(&places[..tiles]), order);
                    let cells = places[..tiles].iter().map(|&place| occupied[usize::from(place)] as u32);
                    let placement = numbering.placement(cells);
                    assert_eq!(placement, number * numbering.orders + order);
                    assert!(!std::mem::replace(&mut seen[placement], true));
                }
            }
            assert!(seen.iter().all(|&seen| seen));
        }
    }

    #[test]
    fn symmetric_patterns_share_a_table() {
        let top = Pattern { rows: 4, columns: 4, homes: 0b0000_0000_0000_1110, gap: 15 };
        let left = Pattern { homes: 0b0001_0001_0001_0000, ..top };
        let (kept, cells) = top.canonical();
        assert_eq!(kept, left.canonical().0);
        assert_eq!(kept, Pattern { gap: 7, ..left }.canonical().0);
        let images: u64 = top.home_cells().into_iter().map(|cell| 1 << cells[cell]).sum();
        assert_eq!(images, kept.homes);
        assert_eq!(top.to_string(), "4x4: 2 3 4");
        assert_eq!(top.placements(), 16 * 15 * 14);
        // The home of the gap matters if the pattern's tiles enclose it.
        let corner = Pattern { rows: 3, columns: 3, homes: 0b0_1010_0000, gap: 8 };
        assert_ne!(corner.canonical().0, Pattern { gap: 0, ..corner }.canonical().0);
        assert_eq!(corner.canonical().0, Pattern { homes: 0b0_0000_1010, gap: 0, ..corner }.canonical().0);
        // Only square boards have a symmetry along the diagonal.
        let wide = Pattern { rows: 2, columns: 3, homes: 0b000_011, gap: 5 };
        assert_ne!(wide.canonical().0, Pattern { homes: 0b001_001, ..wide }.canonical().0);
        assert_eq!(wide.canonical().0, Pattern { homes: 0b110_000, gap: 0, ..wide }.canonical().0);
    }

    #[test]
    fn symmetries_keep_neighbours_together() {
        for (rows, columns) in [(2, 2), (2, 3), (4, 3), (5, 5)] {
            let pattern = Pattern { rows, columns, homes: 1, gap: rows * columns - 1 };
            let grid = Grid::of(&pattern);
            let all: Vec<Vec<usize>> = symmetries(rows, columns).collect();
            for cells in &all {
                for (cell, &image) in cells.iter().enumerate() {
                    let neighbours: u64 = members(grid.neighbours(1 << cell)).map(|cell| 1 << cells[cell]).sum();
                    assert_eq!(neighbours, grid.neighbours(1 << image));
                }
            }
            assert!((1..all.len()).all(|at| !all[..at].contains(&all[at])));
        }
    }
}
