//! Heuristics without pattern databases: misplaced tiles, Manhattan distance, linear conflict, walking distance.
//!
//! Each estimates the distance to a target board: the goal, or the start for a backward search.

mod batched_subtree;
mod walking_distance;

use std::sync::Arc;

use admissible::heuristic::HeuristicVisitor;
use admissible::pruning::MoveAutomaton;
use admissible::search::subtree::{SearchesSubtrees, SubtreeSearch};
use admissible::{Estimate, Heuristic, Properties};

use crate::board::{Board, PADDED_CELLS, Slide, Tiles};
use crate::word::{Cell, Word};
use admissible_front::grid::Direction;

use batched_subtree::batched_search;
pub(crate) use batched_subtree::{NoPruning, PathPruning, UnitChange};
pub use walking_distance::{Walk, WalkingDistance};

/// The items that the consistent heuristics share whose evaluation is the estimate.
macro_rules! eval_is_estimate {
    () => {
        #[inline]
        fn estimate(&self, eval: u16) -> Estimate {
            Estimate::from(eval)
        }

        #[inline]
        fn eval_from_h(&self, _space: &Tiles<W>, _board: &Board<W>, units: u32) -> u16 {
            units as u16
        }

        fn properties(&self, _space: &Tiles<W>) -> Properties {
            Properties::CONSISTENT
        }
    };
}

/// The subtree search of a heuristic that every move changes by one.
macro_rules! batched_subtrees {
    ($heuristic:ty) => {
        impl<W: Word> SearchesSubtrees<Tiles<W>> for $heuristic {
            fn subtree_search<'a>(
                &'a self,
                space: &'a Tiles<W>,
                automaton: Option<Arc<MoveAutomaton>>,
            ) -> Box<dyn SubtreeSearch<Tiles<W>, <Self as Heuristic<Tiles<W>>>::Eval> + 'a> {
                batched_search(space, self, automaton)
            }
        }
    };
}

batched_subtrees!(Manhattan);
batched_subtrees!(LinearConflict);
batched_subtrees!(WalkingDistance);

/// The number of tiles that are not in their place.
#[derive(Debug)]
pub struct Misplaced {
    /// By cell: its tile in the target.
    target: Vec<u8>,
}

impl Misplaced {
    /// The number of tiles that are in another cell than in `target`.
    pub fn new<W: Word>(space: &Tiles<W>, target: &Board<W>) -> Self {
        Misplaced { target: space.list(target) }
    }

    fn is_misplaced(&self, tile: u8, cell: Cell) -> u16 {
        u16::from(tile != 0 && self.target[cell.number()] != tile)
    }
}

impl<W: Word> Heuristic<Tiles<W>> for Misplaced {
    type Eval = u16;

    fn evaluate(&self, space: &Tiles<W>, board: &Board<W>) -> u16 {
        (0..space.cells()).map(Cell::new).map(|cell| self.is_misplaced(board.tiles.get(cell), cell)).sum()
    }

    #[inline]
    fn advance(&self, _space: &Tiles<W>, parent: u16, after: &Board<W>, slide: Slide) -> u16 {
        let (from, to) = (after.gap(), slide.destination(after.gap()));
        let tile = after.moved();
        parent + self.is_misplaced(tile, to) - self.is_misplaced(tile, from)
    }

    eval_is_estimate!();
}

/// The sum of every tile's distance to its place along the grid.
#[derive(Debug)]
pub struct Manhattan {
    /// By tile and cell: the distance.
    distance: [u8; PADDED_CELLS * PADDED_CELLS],
    /// By tile, cell and direction: the change of the distance by a move from that cell.
    change: [i8; PADDED_CELLS * PADDED_CELLS * 4],
}

/// The index of a tile and a cell in the table of distances.
#[inline]
fn entry(tile: u8, cell: Cell) -> usize {
    usize::from(tile) % PADDED_CELLS * PADDED_CELLS + cell.number()
}

/// The index of a tile's move in the table of changes.
#[inline]
fn move_entry(tile: u8, from: Cell, direction: Direction) -> usize {
    usize::from(tile) % PADDED_CELLS * PADDED_CELLS * 4 + from.with(direction)
}

impl Manhattan {
    /// The distances to the cells of the tiles in `target`.
    pub fn new<W: Word>(space: &Tiles<W>, target: &Board<W>) -> Self {
        let cells = space.cells();
        let place = |cell: usize| (cell / space.columns, cell % space.columns);
        let mut home = vec![0; cells];
        for (cell, tile) in space.list(target).into_iter().enumerate() {
            home[usize::from(tile)] = cell;
        }
        let distance_of = |tile: usize, (row, column): (usize, usize)| {
            let (home_row, home_column) = place(home[tile]);
            if tile == 0 { 0 } else { (row.abs_diff(home_row) + column.abs_diff(home_column)) as u8 }
        };
        let mut table =
            Manhattan { distance: [0; PADDED_CELLS * PADDED_CELLS], change: [0; PADDED_CELLS * PADDED_CELLS * 4] };
        for (tile, cell) in (0..cells).flat_map(|tile| (0..cells).map(move |cell| (tile, cell))) {
            let (tile_number, cell_number) = (tile as u8, Cell::new(cell));
            let (row, column) = place(cell);
            let distance = distance_of(tile, (row, column));
            table.distance[entry(tile_number, cell_number)] = distance;
            for direction in Direction::ALL {
                let (down, right) = direction.step();
                let to = (row.wrapping_add_signed(down), column.wrapping_add_signed(right));
                if to.0 < space.rows && to.1 < space.columns {
                    table.change[move_entry(tile_number, cell_number, direction)] =
                        distance_of(tile, to) as i8 - distance as i8;
                }
            }
        }
        table
    }

    #[inline]
    fn change(&self, tile: u8, from: Cell, slide: Slide) -> u16 {
        self.change[move_entry(tile, from, slide.direction())] as u16
    }
}

impl<W: Word> Heuristic<Tiles<W>> for Manhattan {
    type Eval = u16;

    #[inline]
    fn evaluate(&self, space: &Tiles<W>, board: &Board<W>) -> u16 {
        let of = |cell: Cell| self.distance[entry(board.tiles.get(cell), cell)];
        (0..space.cells()).map(|cell| u16::from(of(Cell::new(cell)))).sum()
    }

    #[inline]
    fn advance(&self, _space: &Tiles<W>, parent: u16, after: &Board<W>, slide: Slide) -> u16 {
        parent.wrapping_add(self.change(after.moved(), after.gap(), slide))
    }

    eval_is_estimate!();

    fn abilities<'a, V: HeuristicVisitor<'a, Tiles<W>, Self>>(&'a self, visitor: V) -> V {
        visitor.subtree_search(self)
    }
}

impl<W: Word> UnitChange<W> for Manhattan {
    type Eval = u16;
    type Carried = ();
    /// The tiles whose distance grows, a bit each.
    type MoveData<'a> = u64;

    fn split(&self, eval: u16) -> ((), u32) {
        ((), eval.into())
    }

    fn move_data(&self, from: Cell, slide: Slide) -> u64 {
        (0..PADDED_CELLS as u8).map(|tile| u64::from(self.change(tile, from, slide) == 1) << tile).sum()
    }

    #[inline]
    fn advance(&self, farther: u64, _board: W, tile: u8, (): ()) -> ((), bool) {
        ((), farther >> tile & 1 == 1)
    }
}

/// Manhattan distance, plus two moves for each tile that must leave its line so that the others of the line can pass
/// (Hansson, Mayer and Yung 1992).
///
/// Of the tiles of a line whose goal is in that line, a longest increasing subsequence can stay; the rest must leave. A
/// move along a line does not change the order in it. Across lines it matters only if the tile leaves or enters its
/// goal line, so most moves cost no more than those of Manhattan distance.
#[derive(Debug)]
pub struct LinearConflict {
    manhattan: Manhattan,
    rows: ConflictLines,
    columns: ConflictLines,
    /// By tile, cell and direction: the tile's goal line if the move leaves or enters it, else `NO_LINE`.
    touched: [u8; PADDED_CELLS * PADDED_CELLS * 4],
}

const NO_LINE: u8 = u8::MAX;

/// The rows or the columns of a board.
#[derive(Debug)]
struct ConflictLines {
    /// The number of cells in a line.
    length: usize,
    /// The offset from the first cell of a line to that of the next line.
    first: usize,
    /// The offset from a cell to the next one in its line.
    next: usize,
    /// By tile: its goal line, and the position in it. The line of the gap is `u8::MAX`.
    home: Vec<(u8, u8)>,
    /// By the goal positions of a line's tiles, as digits of a number: the number of tiles that must leave. Empty if
    /// lines are too long for a table.
    table: Vec<u8>,
}

/// The longest lines with a table, which has at most 7^6 = 117,649 entries.
const LONGEST_IN_TABLE: usize = 6;

impl LinearConflict {
    /// The conflicts with respect to the cells of the tiles in `target`.
    pub fn new<W: Word>(space: &Tiles<W>, target: &Board<W>) -> Self {
        let (rows, columns) = (space.rows, space.columns);
        let tiles = space.list(target);
        let row_of = |cell: usize| (cell / columns, cell % columns);
        let mut conflict = LinearConflict {
            manhattan: Manhattan::new(space, target),
            rows: ConflictLines::new(columns, columns, 1, &tiles, row_of),
            columns: ConflictLines::new(rows, 1, columns, &tiles, |cell| (cell % columns, cell / columns)),
            touched: [NO_LINE; PADDED_CELLS * PADDED_CELLS * 4],
        };
        for (tile, cell) in (1..tiles.len()).flat_map(|tile| (0..tiles.len()).map(move |cell| (tile, cell))) {
            for direction in Direction::ALL {
                let (down, right) = direction.step();
                let (lines, line, step) = match direction {
                    Direction::North | Direction::South => (&conflict.rows, cell / columns, down),
                    Direction::East | Direction::West => (&conflict.columns, cell % columns, right),
                };
                let home = lines.home[tile].0;
                if usize::from(home) == line || usize::from(home) == line.wrapping_add_signed(step) {
                    conflict.touched[move_entry(tile as u8, Cell::new(cell), direction)] = home;
                }
            }
        }
        conflict
    }

    /// The change of the estimate by a move, given the board after it.
    #[inline]
    fn change<W: Word>(&self, tile: u8, from: Cell, slide: Slide, after: W) -> u16 {
        let change = self.manhattan.change(tile, from, slide);
        let home = self.touched[move_entry(tile, from, slide.direction())];
        if home == NO_LINE {
            return change;
        }
        let lines = match slide.direction() {
            Direction::North | Direction::South => &self.rows,
            Direction::East | Direction::West => &self.columns,
        };
        let before = after.slide(tile, slide.destination(from), from);
        change.wrapping_add(2 * lines.conflicts(after, home)).wrapping_sub(2 * lines.conflicts(before, home))
    }

    /// The number of tiles that must leave their line.
    pub(crate) fn leaving<W: Word>(&self, space: &Tiles<W>, board: &Board<W>) -> u16 {
        let rows: u16 = (0..space.rows).map(|row| self.rows.conflicts(board.tiles, row as u8)).sum();
        let columns: u16 = (0..space.columns).map(|column| self.columns.conflicts(board.tiles, column as u8)).sum();
        rows + columns
    }
}

impl ConflictLines {
    fn new(length: usize, first: usize, next: usize, target: &[u8], place: impl Fn(usize) -> (usize, usize)) -> Self {
        let mut home = vec![(u8::MAX, 0); target.len()];
        for (cell, &tile) in target.iter().enumerate().filter(|&(_, &tile)| tile != 0) {
            let (line, position) = place(cell);
            home[usize::from(tile)] = (line as u8, position as u8);
        }
        let table = if length <= LONGEST_IN_TABLE {
            let base = length + 1;
            let digits = |code: usize| (0..length).map(move |at| code / base.pow((length - 1 - at) as u32) % base);
            (0..base.pow(length as u32)).map(|code| leaving(digits(code).map(|digit| digit as u8))).collect()
        } else {
            Vec::new()
        };
        ConflictLines { length, first, next, home, table }
    }

    /// The number of tiles that must leave a line.
    fn conflicts<W: Word>(&self, board: W, line: u8) -> u16 {
        let digit = |at: usize| {
            let (home_line, position) =
                self.home[usize::from(board.get(Cell::new(usize::from(line) * self.first + at * self.next)))];
            if home_line == line { position + 1 } else { 0 }
        };
        let leave = if self.table.is_empty() {
            leaving((0..self.length).map(digit))
        } else {
            let code = (0..self.length).fold(0, |code, at| code * (self.length + 1) + usize::from(digit(at)));
            self.table[code]
        };
        u16::from(leave)
    }
}

/// The number of tiles outside a longest increasing subsequence; a position of 0 is a tile of another line.
fn leaving(positions: impl Iterator<Item = u8>) -> u8 {
    let mut longest: Vec<(u8, u8)> = Vec::new();
    for position in positions.filter(|&position| position != 0) {
        let before = longest.iter().filter(|&&(last, _)| last < position).map(|&(_, length)| length).max();
        longest.push((position, before.unwrap_or(0) + 1));
    }
    longest.len() as u8 - longest.iter().map(|&(_, length)| length).max().unwrap_or(0)
}

impl<W: Word> Heuristic<Tiles<W>> for LinearConflict {
    type Eval = u16;

    fn evaluate(&self, space: &Tiles<W>, board: &Board<W>) -> u16 {
        self.manhattan.evaluate(space, board) + 2 * self.leaving(space, board)
    }

    #[inline]
    fn advance(&self, _space: &Tiles<W>, parent: u16, after: &Board<W>, slide: Slide) -> u16 {
        parent.wrapping_add(self.change(after.moved(), after.gap(), slide, after.tiles))
    }

    eval_is_estimate!();

    fn abilities<'a, V: HeuristicVisitor<'a, Tiles<W>, Self>>(&'a self, visitor: V) -> V {
        visitor.subtree_search(self)
    }
}

/// The estimate is consistent and has the parity of the remaining moves, so every move changes it by one.
impl<W: Word> UnitChange<W> for LinearConflict {
    type Eval = u16;
    type Carried = ();
    type MoveData<'a> = (Cell, Slide);

    fn split(&self, eval: u16) -> ((), u32) {
        ((), eval.into())
    }

    fn move_data(&self, from: Cell, slide: Slide) -> (Cell, Slide) {
        (from, slide)
    }

    #[inline]
    fn advance(&self, (from, slide): (Cell, Slide), board: W, tile: u8, (): ()) -> ((), bool) {
        ((), self.change(tile, from, slide, board.slide(tile, from, slide.destination(from))) == 1)
    }
}
