//! Walking distance (Ken'ichiro Takahashi): the fewest moves between rows plus the fewest between columns.
//!
//! The row view of a board is an abstraction: for each row, the number of its tiles whose goal is in each row, and the
//! row of the gap. A vertical move carries one tile between adjacent rows; a horizontal move changes nothing. Views are
//! few, 24,964 for 4 x 4, and one breadth-first search from the goal gives all distances. The column view is
//! alike. No move counts in both, so the sum is admissible. The moves of each tile count, so it is at least manhattan.
//!
//! A search carries the numbers of both views, and a move looks up the next number of one of them. Every such move
//! changes the distance by one, since the gap alternates between odd and even lines: the lowest bit of an entry is set
//! if the distance grows, the rest is the number.

use std::sync::Arc;

use admissible::heuristic::HeuristicVisitor;
use admissible::{Estimate, Heuristic, Properties};
use rustc_hash::FxHashSet;

use super::UnitChange;
use crate::board::{Board, PADDED_CELLS, Slide, Tiles};
use crate::memo::Memo;
use crate::word::{Cell, Word};
use admissible_front::grid::Direction;

/// The number of a view takes fifteen bits, beside the bit for a growing distance.
const MOST_VIEWS: usize = 1 << 15;

/// The fewest vertical moves plus the fewest horizontal ones.
#[derive(Debug)]
pub struct WalkingDistance {
    /// Rows and columns.
    lines: [Lines; 2],
}

/// The evaluation of a board.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Walk {
    /// The numbers of the row view and the column view.
    views: [u16; 2],
    distance: u16,
}

/// By the number of lines, their length, and the goal line of the gap.
static TABLES: Memo<(usize, usize, usize), ViewTable> = Memo::new();

impl WalkingDistance {
    /// Whether the tables of this board size are small enough: 3 x 5 would have 352,560 views.
    pub fn serves(rows: usize, columns: usize) -> bool {
        let (shorter, longer) = (rows.min(columns), rows.max(columns));
        longer <= 4 || (shorter, longer) == (2, 5)
    }

    /// The distances to the cells of the tiles in `target`.
    ///
    /// # Panics
    /// On boards of a size that it does not [serve](WalkingDistance::serves).
    pub fn new<W: Word>(space: &Tiles<W>, target: &Board<W>) -> Self {
        let (rows, columns) = (space.rows, space.columns);
        assert!(Self::serves(rows, columns), "{rows} x {columns} is not among the sizes that have tables");
        let tiles = space.list(target);
        let gap = target.gap().number();
        let (gap_row, gap_column) = (gap / columns, gap % columns);
        let table = |lines, length, gap| TABLES.get((lines, length, gap), || ViewTable::new(lines, length, gap));
        let (row_table, column_table) = (table(rows, columns, gap_row), table(columns, rows, gap_column));
        let rows = Lines::new(row_table, &tiles, |cell| cell / columns);
        let columns = Lines::new(column_table, &tiles, |cell| cell % columns);
        WalkingDistance { lines: [rows, columns] }
    }

    /// The fewest vertical moves and the fewest horizontal moves of a board.
    pub(crate) fn halves<W: Word>(&self, board: &Board<W>) -> [u16; 2] {
        self.lines.each_ref().map(|lines| lines.table.distances[usize::from(lines.view(board.tiles))].into())
    }
}

/// The lines that a move crosses, 0 for rows and 1 for columns, and the direction of the gap as an index of
/// [`GAP_STEPS`], which is opposite to that of the tile.
fn crossed(slide: Slide) -> (usize, usize) {
    match slide.direction() {
        Direction::South => (0, 0),
        Direction::North => (0, 1),
        Direction::East => (1, 0),
        Direction::West => (1, 1),
    }
}

/// The rows or the columns of a board.
#[derive(Debug)]
struct Lines {
    table: Arc<ViewTable>,
    /// By cell: its line.
    of_cell: Vec<u8>,
    /// By tile: its goal line.
    home: [u8; PADDED_CELLS],
}

impl Lines {
    fn new(table: Arc<ViewTable>, target: &[u8], line: impl Fn(usize) -> usize) -> Self {
        let of_cell: Vec<u8> = (0..target.len()).map(|cell| line(cell) as u8).collect();
        let mut home = [0; PADDED_CELLS];
        for (&tile, &line) in target.iter().zip(&of_cell) {
            home[usize::from(tile)] = line;
        }
        Lines { table, of_cell, home }
    }

    /// The number of a board's view.
    fn view<W: Word>(&self, board: W) -> u16 {
        let tiles = self.of_cell.iter().enumerate().map(|(cell, &line)| (board.get(Cell::new(cell)), line));
        let tiles = tiles.filter(|&(tile, _)| tile != 0);
        let one = |(tile, line): (u8, u8)| self.table.code.one(line.into(), self.home[usize::from(tile)].into());
        self.table.number(tiles.map(one).sum())
    }
}

/// All row views or all column views of a board size.
#[derive(Debug)]
struct ViewTable {
    code: ViewCode,
    /// Every view with its number, sorted.
    views: Vec<(u64, u16)>,
    /// By number: the distance to the goal.
    distances: Vec<u8>,
    /// By direction of the gap and by [`ViewCode::entry`]: twice the number of the view after the move, plus 1 if the
    /// distance grows. Views with the gap in the same line are adjacent, since a batched search expands many
    /// boards with the same gap at once.
    next: [Vec<u16>; GAP_STEPS.len()],
}

/// The encoding of a view as a number: a digit for each line and goal line, the number of such tiles.
#[derive(Debug, Clone, Copy)]
struct ViewCode {
    lines: usize,
    /// Bits of a digit.
    bits: usize,
    /// Bits of the number of a line.
    home_bits: u32,
}

impl ViewCode {
    /// The view of a single tile in `line` with the goal line `home`.
    fn one(self, line: usize, home: usize) -> u64 {
        1 << ((line * self.lines + home) * self.bits)
    }

    /// The number of tiles in `line` with the goal line `home`.
    fn count(self, view: u64, line: usize, home: usize) -> u64 {
        (view / self.one(line, home)) & ((1 << self.bits) - 1)
    }

    /// The index of a move from a view, by the goal line of the tile. A view has a power of two of entries, so the
    /// index is a concatenation of bits.
    fn entry(self, view: usize, home: usize) -> usize {
        view << self.home_bits | home
    }
}

/// The gap moves to the previous line or to the next one.
const GAP_STEPS: [isize; 2] = [-1, 1];

impl ViewTable {
    fn new(lines: usize, length: usize, goal_gap: usize) -> Self {
        let bits = (usize::BITS - length.leading_zeros()) as usize;
        let code = ViewCode { lines, bits, home_bits: lines.next_power_of_two().trailing_zeros() };
        let in_goal = |line: usize| (length - usize::from(line == goal_gap)) as u64;
        let goal = (0..lines).map(|line| in_goal(line) * code.one(line, line)).sum();
        let moves = |view: u64, gap: usize| {
            GAP_STEPS.into_iter().enumerate().flat_map(move |(direction, step)| {
                let from = gap.wrapping_add_signed(step);
                let homes = (0..lines).filter(move |&home| from < lines && code.count(view, from, home) > 0);
                homes.map(move |home| (direction, home, view - code.one(from, home) + code.one(gap, home), from))
            })
        };
        // Every view with the line of its gap and its distance, in the order of a breadth-first search.
        let mut reached = vec![(goal, goal_gap, 0)];
        let mut seen = FxHashSet::from_iter([goal]);
        let mut at = 0;
        while let Some(&(view, gap, distance)) = reached.get(at) {
            let new = moves(view, gap).filter(|&(_, _, after, _)| seen.insert(after));
            let new: Vec<(u64, usize, u8)> = new.map(|(_, _, after, from)| (after, from, distance + 1)).collect();
            reached.extend(new);
            at += 1;
        }
        assert!(at <= MOST_VIEWS, "{lines} lines of {length} have {at} views");
        reached.sort_by_cached_key(|&(_, gap, _)| gap);
        let mut views: Vec<(u64, u16)> = reached.iter().zip(0..).map(|(&(view, ..), number)| (view, number)).collect();
        views.sort_unstable();
        let distances = reached.iter().map(|&(_, _, distance)| distance).collect();
        let next = GAP_STEPS.map(|_| vec![0; code.entry(reached.len(), 0)]);
        let mut table = ViewTable { code, views, distances, next };
        for (at, &(view, gap, distance)) in reached.iter().enumerate() {
            for (direction, home, after, _) in moves(view, gap) {
                let number = table.number(after);
                let farther = table.distances[usize::from(number)] > distance;
                table.next[direction][code.entry(at, home)] = number << 1 | u16::from(farther);
            }
        }
        table
    }

    fn number(&self, view: u64) -> u16 {
        let found = self.views.binary_search_by_key(&view, |&(view, _)| view);
        self.views[found.expect("every view can be reached")].1
    }
}

impl<W: Word> Heuristic<Tiles<W>> for WalkingDistance {
    type Eval = Walk;

    fn evaluate(&self, _space: &Tiles<W>, board: &Board<W>) -> Walk {
        let views = self.lines.each_ref().map(|lines| lines.view(board.tiles));
        let distance = |(lines, view): (&Lines, u16)| u16::from(lines.table.distances[usize::from(view)]);
        Walk { views, distance: self.lines.iter().zip(views).map(distance).sum() }
    }

    #[inline]
    fn advance(&self, _space: &Tiles<W>, parent: Walk, after: &Board<W>, slide: Slide) -> Walk {
        let (crossed, direction) = crossed(slide);
        let lines = &self.lines[crossed];
        let home = lines.home[usize::from(after.moved())];
        let next = lines.table.next[direction][lines.table.code.entry(parent.views[crossed].into(), home.into())];
        let mut walk = Walk { distance: parent.distance + 2 * (next & 1) - 1, ..parent };
        walk.views[crossed] = next >> 1;
        walk
    }

    #[inline]
    fn estimate(&self, walk: Walk) -> Estimate {
        Estimate::from(walk.distance)
    }

    fn properties(&self, _space: &Tiles<W>) -> Properties {
        Properties::CONSISTENT
    }

    fn abilities<'a, V: HeuristicVisitor<'a, Tiles<W>, Self>>(&'a self, visitor: V) -> V {
        visitor.subtree_search(self)
    }
}

/// The tables for a move across lines.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Crossing<'a> {
    /// The entries of [`ViewTable::next`] for the direction of the gap.
    next: &'a [u16],
    home_bits: u32,
    /// By tile: its goal line.
    home: &'a [u8; PADDED_CELLS],
    /// The shift of the view's number in the carried word.
    shift: u32,
}

impl<W: Word> UnitChange<W> for WalkingDistance {
    type Eval = Walk;
    /// The numbers of both views in one word, which stays in a register; a pair would go through memory.
    type Carried = u32;
    type MoveData<'a> = Crossing<'a>;

    fn split(&self, walk: Walk) -> (u32, u32) {
        let [rows, columns] = walk.views.map(u32::from);
        (rows | columns << u16::BITS, walk.distance.into())
    }

    fn move_data(&self, _from: Cell, slide: Slide) -> Crossing<'_> {
        let (crossed, direction) = crossed(slide);
        let Lines { table, home, .. } = &self.lines[crossed];
        let home_bits = table.code.home_bits;
        Crossing { next: &table.next[direction], home_bits, home, shift: crossed as u32 * u16::BITS }
    }

    #[inline]
    fn advance(&self, crossing: Crossing<'_>, _board: W, tile: u8, views: u32) -> (u32, bool) {
        let home = crossing.home[usize::from(tile) % PADDED_CELLS];
        let view = views >> crossing.shift & u32::from(u16::MAX);
        let next = u32::from(crossing.next[(view as usize) << crossing.home_bits | usize::from(home)]);
        (views ^ (view ^ next >> 1) << crossing.shift, next & 1 == 1)
    }
}
