//! Estimates from how far each tile is from its place.
//!
//! A heuristic aims at a board, so each serves both ways: at the goal, and at the start for the half of a bidirectional
//! search that comes from the goal.

use std::sync::Arc;

use admissible::heuristic::HeuristicVisitor;
use admissible::pruning::MoveAutomaton;
use admissible::search::subtree::{SearchesSubtrees, SubtreeSearch};
use admissible::{Estimate, Heuristic, Properties};

use super::board::{Board, MOST_CELLS, Slide, Tiles};
use super::subtree::{Guide, by_ones};
use super::word::{Cell, Word};
use admissible_front::grid::Direction;

pub use super::walking::{Walk, WalkingDistance};

/// The tiles that are not in their place.
#[derive(Debug)]
pub struct Misplaced {
    /// The tile that belongs into each cell.
    target: Vec<u8>,
}

impl Misplaced {
    /// The number of tiles that lie elsewhere than in `target`.
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
}

/// The sum of every tile's distance to its place along the grid.
#[derive(Debug)]
pub struct Manhattan {
    /// The distance of each tile in each cell.
    distance: [u8; MOST_CELLS * MOST_CELLS],
    /// What a step of a tile from a cell changes in its distance, for each direction.
    change: [i8; MOST_CELLS * MOST_CELLS * 4],
}

/// The place of a tile and a cell in the table of distances.
#[inline]
fn entry(tile: u8, cell: Cell) -> usize {
    usize::from(tile) % MOST_CELLS * MOST_CELLS + cell.number()
}

/// The place of a tile's step in the table of changes.
#[inline]
fn step_entry(tile: u8, from: Cell, direction: Direction) -> usize {
    usize::from(tile) % MOST_CELLS * MOST_CELLS * 4 + from.with(direction)
}

impl Manhattan {
    /// The distances to where the tiles lie in `target`.
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
        let mut table = Manhattan { distance: [0; MOST_CELLS * MOST_CELLS], change: [0; MOST_CELLS * MOST_CELLS * 4] };
        for (tile, cell) in (0..cells).flat_map(|tile| (0..cells).map(move |cell| (tile, cell))) {
            let (tile_number, cell_number) = (tile as u8, Cell::new(cell));
            let (row, column) = place(cell);
            let distance = distance_of(tile, (row, column));
            table.distance[entry(tile_number, cell_number)] = distance;
            for direction in Direction::ALL {
                let (down, right) = direction.step();
                let to = (row.wrapping_add_signed(down), column.wrapping_add_signed(right));
                if to.0 < space.rows && to.1 < space.columns {
                    table.change[step_entry(tile_number, cell_number, direction)] =
                        distance_of(tile, to) as i8 - distance as i8;
                }
            }
        }
        table
    }

    #[inline]
    fn change(&self, tile: u8, from: Cell, slide: Slide) -> u16 {
        self.change[step_entry(tile, from, slide.direction())] as u16
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

    fn abilities<'a, V: HeuristicVisitor<'a, Tiles<W>, Self>>(&'a self, visitor: V) -> V {
        visitor.subtree_search(self)
    }
}

impl<W: Word> SearchesSubtrees<Tiles<W>> for Manhattan {
    fn subtree_search<'a>(
        &'a self,
        space: &'a Tiles<W>,
        automaton: Option<Arc<MoveAutomaton>>,
    ) -> Box<dyn SubtreeSearch<Tiles<W>, u16> + 'a> {
        by_ones(space, self, automaton)
    }
}

impl<W: Word> Guide<W> for Manhattan {
    type Eval = u16;
    type Carried = ();
    /// The tiles that come farther from their place, a bit each.
    type Step<'a> = u64;

    fn split(&self, eval: u16) -> ((), u32) {
        ((), eval.into())
    }

    fn step(&self, from: Cell, slide: Slide) -> u64 {
        (0..MOST_CELLS as u8).map(|tile| u64::from(self.change(tile, from, slide) == 1) << tile).sum()
    }

    #[inline]
    fn advance(&self, farther: u64, _board: W, tile: u8, (): ()) -> ((), bool) {
        ((), farther >> tile & 1 == 1)
    }
}

/// Manhattan, plus two moves for each tile that must leave its line so that the others of that line can pass.
///
/// In a line, take the tiles that belong into it. Those that can stay are the longest run of them that lies in the
/// right order, so the least number that must leave is the rest. A step along a line changes nothing in it, and in the
/// lines across it only that of the tile's own place, so most steps cost no more than manhattan.
#[derive(Debug)]
pub struct LinearConflict {
    manhattan: Manhattan,
    rows: Lines,
    columns: Lines,
    /// For each step of a tile the line across it that it leaves or enters and belongs to; `NO_LINE` for most.
    touched: [u8; MOST_CELLS * MOST_CELLS * 4],
}

const NO_LINE: u8 = u8::MAX;

/// The lines of one way, rows or columns.
#[derive(Debug)]
struct Lines {
    /// Cells in a line.
    length: usize,
    /// The first cell of each line, and the step to the next cell in it.
    first: usize,
    next: usize,
    /// For each tile the line and the position in it that it belongs to; a line that does not exist for the gap.
    home: Vec<(u8, u8)>,
    /// The tiles that must leave, by the positions that a line's tiles belong to, as digits of a number. Empty where
    /// lines are too long for a table.
    table: Vec<u8>,
}

/// Lines of up to six cells have a table, of 7^6 = 117,649 entries at the most.
const LONGEST_IN_TABLE: usize = 6;

impl LinearConflict {
    /// The conflicts with respect to where the tiles lie in `target`.
    pub fn new<W: Word>(space: &Tiles<W>, target: &Board<W>) -> Self {
        let (rows, columns) = (space.rows, space.columns);
        let tiles = space.list(target);
        let row_of = |cell: usize| (cell / columns, cell % columns);
        let mut conflict = LinearConflict {
            manhattan: Manhattan::new(space, target),
            rows: Lines::new(columns, columns, 1, &tiles, row_of),
            columns: Lines::new(rows, 1, columns, &tiles, |cell| (cell % columns, cell / columns)),
            touched: [NO_LINE; MOST_CELLS * MOST_CELLS * 4],
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
                    conflict.touched[step_entry(tile as u8, Cell::new(cell), direction)] = home;
                }
            }
        }
        conflict
    }

    /// What a step of a tile changes, given the board after it.
    #[inline]
    fn change<W: Word>(&self, tile: u8, from: Cell, slide: Slide, after: W) -> u16 {
        let change = self.manhattan.change(tile, from, slide);
        let home = self.touched[step_entry(tile, from, slide.direction())];
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
    pub(super) fn leaving<W: Word>(&self, space: &Tiles<W>, board: &Board<W>) -> u16 {
        let rows: u16 = (0..space.rows).map(|row| self.rows.conflicts(board.tiles, row as u8)).sum();
        let columns: u16 = (0..space.columns).map(|column| self.columns.conflicts(board.tiles, column as u8)).sum();
        rows + columns
    }
}

impl Lines {
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
        Lines { length, first, next, home, table }
    }

    /// How many tiles must leave a line.
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

/// The least number of tiles to take out so that the rest stand in order; 0 stands for a tile of another line.
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

    fn abilities<'a, V: HeuristicVisitor<'a, Tiles<W>, Self>>(&'a self, visitor: V) -> V {
        visitor.subtree_search(self)
    }
}

impl<W: Word> SearchesSubtrees<Tiles<W>> for LinearConflict {
    fn subtree_search<'a>(
        &'a self,
        space: &'a Tiles<W>,
        automaton: Option<Arc<MoveAutomaton>>,
    ) -> Box<dyn SubtreeSearch<Tiles<W>, u16> + 'a> {
        by_ones(space, self, automaton)
    }
}

/// A consistent estimate that is odd when the number of moves is odd changes by one with every move.
impl<W: Word> Guide<W> for LinearConflict {
    type Eval = u16;
    type Carried = ();
    type Step<'a> = (Cell, Slide);

    fn split(&self, eval: u16) -> ((), u32) {
        ((), eval.into())
    }

    fn step(&self, from: Cell, slide: Slide) -> (Cell, Slide) {
        (from, slide)
    }

    #[inline]
    fn advance(&self, (from, slide): (Cell, Slide), board: W, tile: u8, (): ()) -> ((), bool) {
        ((), self.change(tile, from, slide, board.slide(tile, from, slide.destination(from))) == 1)
    }
}
