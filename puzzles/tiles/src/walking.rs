//! Walking distance, after Ken'ichiro Takahashi: the fewest moves between rows plus the fewest between columns.
//!
//! Look at a board through its rows only: of each row one sees how many of its tiles belong into each row, and whether
//! the gap is there. A move up or down carries one tile from a row to the next; a move to the side changes nothing. The
//! boards seen so are few, 24,964 for 4 x 4, and the distance of each from the goal comes from one breadth-first
//! search. The same for columns. No move counts in both, so the sum never exceeds the true cost; and as a tile's own
//! steps are among those counted, it is never below manhattan.
//!
//! A search carries the numbers of the two views along, and a move looks up the next number of one of them. Every such
//! move leads one step nearer or one step farther, for the gap changes between odd and even lines; so the lowest bit of
//! an entry tells which, and the rest is the number.

use std::sync::Arc;

use admissible::heuristic::HeuristicVisitor;
use admissible::pruning::MoveAutomaton;
use admissible::search::subtree::{SearchesSubtrees, SubtreeSearch};
use admissible::{Estimate, Heuristic, Properties};
use rustc_hash::FxHashSet;

use super::board::{Board, MOST_CELLS, Slide, Tiles};
use super::made::Made;
use super::subtree::{Guide, by_ones};
use super::word::{Cell, Word};
use admissible_front::grid::Direction;

/// Numbers of views have fifteen bits, beside the one that says nearer or farther.
const MOST_VIEWS: usize = 1 << 15;

/// The moves up and down, and those to the side, each counted by what they must at least do.
#[derive(Debug)]
pub struct WalkingDistance {
    /// Rows and columns.
    lines: [Lines; 2],
}

/// What of a board counts for walking distance.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Walk {
    /// The numbers of the board's views through rows and through columns.
    views: [u16; 2],
    distance: u16,
}

/// By the number of lines, their length, and the line of the gap's home.
static TABLES: Made<(usize, usize, usize), Table> = Made::new();

impl WalkingDistance {
    /// Whether boards of that size have tables that are small enough: those of 3 x 5 would have 352,560 views.
    pub fn serves(rows: usize, columns: usize) -> bool {
        let (shorter, longer) = (rows.min(columns), rows.max(columns));
        longer <= 4 || (shorter, longer) == (2, 5)
    }

    /// The distances to where the tiles lie in `target`, on a board of a size that it serves.
    ///
    /// # Panics
    /// On boards of other sizes.
    pub fn new<W: Word>(space: &Tiles<W>, target: &Board<W>) -> Self {
        let (rows, columns) = (space.rows, space.columns);
        assert!(Self::serves(rows, columns), "{rows} x {columns} is not among the sizes that have tables");
        let tiles = space.list(target);
        let gap = target.gap().number();
        let (gap_row, gap_column) = (gap / columns, gap % columns);
        let table = |lines, length, gap| TABLES.get((lines, length, gap), || Table::new(lines, length, gap));
        let (row_table, column_table) = (table(rows, columns, gap_row), table(columns, rows, gap_column));
        let rows = Lines::new(row_table, &tiles, |cell| cell / columns);
        let columns = Lines::new(column_table, &tiles, |cell| cell % columns);
        WalkingDistance { lines: [rows, columns] }
    }
}

/// The lines that a move goes across, 0 for rows and 1 for columns, and the way that the gap goes.
fn across(slide: Slide) -> (usize, usize) {
    // The gap goes the other way than the tile.
    match slide.direction() {
        Direction::South => (0, 0),
        Direction::North => (0, 1),
        Direction::East => (1, 0),
        Direction::West => (1, 1),
    }
}

/// The lines of one way, rows or columns.
#[derive(Debug)]
struct Lines {
    table: Arc<Table>,
    /// The line of each cell, and the line that each tile belongs into.
    of_cell: Vec<u8>,
    home: [u8; MOST_CELLS],
}

impl Lines {
    fn new(table: Arc<Table>, target: &[u8], line: impl Fn(usize) -> usize) -> Self {
        let of_cell: Vec<u8> = (0..target.len()).map(|cell| line(cell) as u8).collect();
        let mut home = [0; MOST_CELLS];
        for (&tile, &line) in target.iter().zip(&of_cell) {
            home[usize::from(tile)] = line;
        }
        Lines { table, of_cell, home }
    }

    /// The number of a board's view.
    fn view<W: Word>(&self, board: W) -> u16 {
        let tiles = self.of_cell.iter().enumerate().map(|(cell, &line)| (board.get(Cell::new(cell)), line));
        let tiles = tiles.filter(|&(tile, _)| tile != 0);
        let one = |(tile, line): (u8, u8)| self.table.shape.one(line.into(), self.home[usize::from(tile)].into());
        self.table.number(tiles.map(one).sum())
    }
}

/// All views of a board through its lines.
#[derive(Debug)]
pub(super) struct Table {
    shape: Shape,
    /// Every view with its number, in order.
    views: Vec<(u64, u16)>,
    /// The distance of each view to the goal.
    distances: Vec<u8>,
    /// By the way that the gap goes and by [`Shape::entry`]: twice the number of the view that a move leads to, plus 1
    /// if that is farther from the goal. Views with the gap in the same line lie together, for a subtree search goes
    /// through many boards with the same gap at a time.
    next: [Vec<u16>; WAYS.len()],
}

/// How a view is written as a number: for each line, how many of its tiles belong into each line, as digits.
#[derive(Debug, Clone, Copy)]
struct Shape {
    lines: usize,
    /// Bits of a digit.
    bits: usize,
    /// Bits of the number of a line.
    home_bits: u32,
}

impl Shape {
    /// The view of a single tile that lies in `line` and belongs into `home`.
    fn one(self, line: usize, home: usize) -> u64 {
        1 << ((line * self.lines + home) * self.bits)
    }

    /// How many tiles of `line` belong into `home`.
    fn count(self, view: u64, line: usize, home: usize) -> u64 {
        (view / self.one(line, home)) & ((1 << self.bits) - 1)
    }

    /// The place of a move from a view, by the line that the moved tile belongs into: a view has a power of two of
    /// entries, so that a place is put together from bits.
    fn entry(self, view: usize, home: usize) -> usize {
        view << self.home_bits | home
    }
}

/// The two ways that the gap can go across lines.
const WAYS: [isize; 2] = [-1, 1];

impl Table {
    fn new(lines: usize, length: usize, goal_gap: usize) -> Self {
        let bits = (usize::BITS - length.leading_zeros()) as usize;
        let shape = Shape { lines, bits, home_bits: lines.next_power_of_two().trailing_zeros() };
        let in_goal = |line: usize| (length - usize::from(line == goal_gap)) as u64;
        let goal = (0..lines).map(|line| in_goal(line) * shape.one(line, line)).sum();
        let steps = |view: u64, gap: usize| {
            WAYS.into_iter().enumerate().flat_map(move |(way, step)| {
                let from = gap.wrapping_add_signed(step);
                let homes = (0..lines).filter(move |&home| from < lines && shape.count(view, from, home) > 0);
                homes.map(move |home| (way, home, view - shape.one(from, home) + shape.one(gap, home), from))
            })
        };
        // Every view with the gap's line and its distance, nearest first.
        let mut reached = vec![(goal, goal_gap, 0)];
        let mut met = FxHashSet::from_iter([goal]);
        let mut at = 0;
        while let Some(&(view, gap, distance)) = reached.get(at) {
            let new = steps(view, gap).filter(|&(_, _, after, _)| met.insert(after));
            let new: Vec<(u64, usize, u8)> = new.map(|(_, _, after, from)| (after, from, distance + 1)).collect();
            reached.extend(new);
            at += 1;
        }
        assert!(at <= MOST_VIEWS, "{lines} lines of {length} have {at} views");
        reached.sort_by_key(|&(_, gap, _)| gap);
        let mut views: Vec<(u64, u16)> = reached.iter().zip(0..).map(|(&(view, ..), number)| (view, number)).collect();
        views.sort_unstable();
        let distances = reached.iter().map(|&(_, _, distance)| distance).collect();
        let next = WAYS.map(|_| vec![0; shape.entry(reached.len(), 0)]);
        let mut table = Table { shape, views, distances, next };
        for (at, &(view, gap, distance)) in reached.iter().enumerate() {
            for (way, home, after, _) in steps(view, gap) {
                let number = table.number(after);
                let farther = table.distances[usize::from(number)] > distance;
                table.next[way][shape.entry(at, home)] = number << 1 | u16::from(farther);
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
        let (across, way) = across(slide);
        let lines = &self.lines[across];
        let home = lines.home[usize::from(after.moved())];
        let next = lines.table.next[way][lines.table.shape.entry(parent.views[across].into(), home.into())];
        let mut walk = Walk { distance: parent.distance + 2 * (next & 1) - 1, ..parent };
        walk.views[across] = next >> 1;
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

impl<W: Word> SearchesSubtrees<Tiles<W>> for WalkingDistance {
    fn subtree_search<'a>(
        &'a self,
        space: &'a Tiles<W>,
        automaton: Option<Arc<MoveAutomaton>>,
    ) -> Box<dyn SubtreeSearch<Tiles<W>, Walk> + 'a> {
        by_ones(space, self, automaton)
    }
}

/// A step across the lines that a tile's move goes across.
#[derive(Debug, Clone, Copy)]
pub(super) struct Crossing<'a> {
    /// The moves of that way in [`Table::next`].
    next: &'a [u16],
    home_bits: u32,
    /// By tile: the line that it belongs into.
    home: &'a [u8; MOST_CELLS],
    /// Where the number of the view stands in the word.
    shift: u32,
}

impl<W: Word> Guide<W> for WalkingDistance {
    type Eval = Walk;
    /// The numbers of both views in one word: it is shifted in a register, where a pair would go through memory.
    type Carried = u32;
    type Step<'a> = Crossing<'a>;

    fn split(&self, walk: Walk) -> (u32, u32) {
        let [rows, columns] = walk.views.map(u32::from);
        (rows | columns << u16::BITS, walk.distance.into())
    }

    fn step(&self, _from: Cell, slide: Slide) -> Crossing<'_> {
        let (across, way) = across(slide);
        let Lines { table, home, .. } = &self.lines[across];
        let home_bits = table.shape.home_bits;
        Crossing { next: &table.next[way], home_bits, home, shift: across as u32 * u16::BITS }
    }

    #[inline]
    fn advance(&self, step: Crossing<'_>, _board: W, tile: u8, views: u32) -> (u32, bool) {
        let home = step.home[usize::from(tile) % MOST_CELLS];
        let view = views >> step.shift & u32::from(u16::MAX);
        let next = u32::from(step.next[(view as usize) << step.home_bits | usize::from(home)]);
        (views ^ (view ^ next >> 1) << step.shift, next & 1 == 1)
    }
}
