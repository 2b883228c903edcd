//! The board as a state space.
//!
//! A board is four bitboards: the upper left cells (the *anchors*) of the singles, of the lying dominoes, of the
//! standing ones and of the 2x2 pieces. So pieces of one shape are interchangeable. A few shifts of the set of empty
//! cells give all pieces that can step in a direction. No two pieces share an anchor, so a set of anchors for each
//! direction is the list of moves.

mod planes;
mod successors;

use std::marker::PhantomData;

use admissible::{AbilityVisitor, Backward, Batch, BulkSuccessors, Invertible, Keyed, StateSpace};

use crate::ranking::{PieceCounts, arrangements};
use crate::read::{Piece, Shape};
use admissible_front::grid::Direction;

pub use planes::{Planes, TwoWords};

/// The pieces of a board by shape, each as the set of their upper left cells.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Board {
    pub(crate) singles: u64,
    pub(crate) lying: u64,
    pub(crate) standing: u64,
    pub(crate) big: u64,
}

impl Board {
    /// The number of pieces of each shape.
    pub(crate) fn counts(&self) -> [u32; 4] {
        [self.singles, self.lying, self.standing, self.big].map(u64::count_ones)
    }

    /// Moves the piece with this anchor.
    #[inline]
    pub(crate) fn move_piece(&mut self, from: u8, to: u8) {
        let both = 1 << from | 1 << to;
        for anchors in [&mut self.singles, &mut self.lying, &mut self.standing, &mut self.big] {
            // All ones for the shape of the piece and zero for the others, to avoid a branch.
            let is_shape = (*anchors >> from & 1).wrapping_neg();
            *anchors ^= both & is_shape;
        }
    }
}

/// One piece moves by one cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Step {
    /// The upper left cell of the piece before the step.
    pub(crate) anchor: u8,
    pub(crate) direction: Direction,
}

/// The steps of one board: direction by direction, the pieces of a direction in reading order.
#[derive(Debug, Clone, Copy)]
pub struct Steps {
    anchors: [u64; 4],
    order: [Direction; 4],
    at: usize,
}

impl Iterator for Steps {
    type Item = Step;

    #[inline]
    fn next(&mut self) -> Option<Step> {
        loop {
            let anchors = self.anchors.get_mut(self.at)?;
            if *anchors != 0 {
                let anchor = anchors.trailing_zeros() as u8;
                *anchors &= *anchors - 1;
                return Some(Step { anchor, direction: self.order[self.at] });
            }
            self.at += 1;
        }
    }
}

/// The size of a board, and masks that follow from it. Cells are numbered in reading order.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Frame {
    pub(crate) width: u32,
    pub(crate) height: u32,
    pub(crate) inside: u64,
    pub(crate) not_first_column: u64,
    pub(crate) not_last_column: u64,
    /// By direction: the difference to the next cell, modulo 256.
    offsets: [u8; 4],
}

impl Frame {
    /// At most 42 cells, and at least two rows and columns.
    pub(crate) fn new(width: usize, height: usize) -> Self {
        let (width, height) = (width as u32, height as u32);
        let first_column: u64 = (0..height).map(|row| 1 << (row * width)).sum();
        let inside = (1 << (width * height)) - 1;
        let not_last_column = inside & !(first_column << (width - 1));
        let row = width as u8;
        Frame {
            width,
            height,
            inside,
            not_first_column: inside & !first_column,
            not_last_column,
            offsets: [row.wrapping_neg(), 1, row, 1u8.wrapping_neg()],
        }
    }

    pub(crate) fn cell(&self, row: usize, column: usize) -> u8 {
        (row * self.width as usize + column) as u8
    }

    /// A board with these pieces.
    pub(crate) fn board(&self, pieces: &[Piece]) -> Board {
        let mut board = Board::default();
        for piece in pieces {
            let anchors = match piece.shape {
                Shape::Single => &mut board.singles,
                Shape::Lying => &mut board.lying,
                Shape::Standing => &mut board.standing,
                Shape::Big => &mut board.big,
            };
            *anchors |= 1 << self.cell(piece.row, piece.column);
        }
        board
    }

    /// Row and column of a cell, from 0.
    pub(crate) fn place(&self, cell: u8) -> (usize, usize) {
        let (cell, width) = (usize::from(cell), self.width as usize);
        (cell / width, cell % width)
    }

    #[inline]
    pub(crate) fn neighbour(&self, cell: u8, direction: Direction) -> u8 {
        cell.wrapping_add(self.offsets[direction as usize])
    }

    /// The empty cells.
    #[inline]
    pub(crate) fn empty(&self, board: &Board) -> u64 {
        let Board { singles, lying, standing, big } = *board;
        let upper = singles | lying | standing | big | (lying | big) << 1;
        let lower = (standing | big | big << 1) << self.width;
        self.inside & !(upper | lower)
    }

    /// Whether all pieces are inside the board and do not overlap.
    pub(crate) fn is_board(&self, board: &Board) -> bool {
        let Board { singles, lying, standing, big } = *board;
        let [singles_count, lying_count, standing_count, big_count] = board.counts();
        let covered = singles_count + 2 * (lying_count + standing_count) + 4 * big_count;
        let not_last_row = self.inside >> self.width;
        let fits = (singles | lying | standing | big) & !self.inside == 0
            && (lying | big) & !self.not_last_column == 0
            && (standing | big) & !not_last_row == 0;
        fits && (self.inside & !self.empty(board)).count_ones() == covered
    }

    /// The anchors of the pieces that can step north, east, south and west.
    #[inline]
    pub(crate) fn movable(&self, board: &Board) -> [u64; 4] {
        self.movable_into(board, self.empty(board))
    }

    /// The anchors of the pieces that can step onto `empty` cells in each direction.
    #[inline]
    pub(crate) fn movable_into(&self, board: &Board, empty: u64) -> [u64; 4] {
        let Board { singles, lying, standing, big } = *board;
        // The cells with an empty cell in that direction, adjacent or one further on.
        let north = empty << self.width;
        let south = empty >> self.width;
        let further_south = south >> self.width;
        let west = (empty & self.not_last_column) << 1;
        let east = (empty & self.not_first_column) >> 1;
        let further_east = east >> 1;
        // Of those, the cells whose right or lower neighbour is in the set, too.
        let wide = |cells: u64| cells & cells >> 1;
        let high = |cells: u64| cells & cells >> self.width;
        [
            (singles | standing) & north | (lying | big) & wide(north),
            singles & east | lying & further_east | standing & high(east) | big & high(further_east),
            singles & south | lying & wide(south) | standing & further_south | big & wide(further_south),
            (singles | lying) & west | (standing | big) & high(west),
        ]
    }

    /// The rows in the symbol alphabet.
    pub(crate) fn symbols(&self, board: &Board) -> Vec<Vec<char>> {
        let mut rows = vec![vec!['.'; self.width as usize]; self.height as usize];
        for cell in members(self.inside) {
            let (row, column) = self.place(cell);
            let has = |anchors: u64| anchors >> cell & 1 == 1;
            if has(board.singles) {
                rows[row][column] = '2';
            } else if has(board.lying) {
                rows[row][column..column + 2].copy_from_slice(&['<', '>']);
            } else if has(board.standing) {
                rows[row][column] = '^';
                rows[row + 1][column] = 'v';
            } else if has(board.big) {
                rows[row][column..column + 2].fill('1');
                rows[row + 1][column..column + 2].fill('1');
            }
        }
        rows
    }
}

/// The cells of a set, in reading order.
#[inline]
pub(crate) fn members(mut cells: u64) -> impl Iterator<Item = u8> {
    std::iter::from_fn(move || {
        let first = (cells != 0).then(|| cells.trailing_zeros() as u8)?;
        cells &= cells - 1;
        Some(first)
    })
}

/// The goal of a puzzle.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Goal {
    /// The only 2x2 piece has its upper left cell here.
    BigAt(u8),
    /// This board.
    Board(Board),
}

/// The alphabet of the file and of the course output.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Notation {
    Digits,
    Symbols,
}

/// A sliding-block puzzle whose boards are packed into `P`.
#[derive(Debug)]
pub struct Klotski<P> {
    pub(crate) frame: Frame,
    pub(crate) start: Board,
    pub(crate) goal: Goal,
    pub(crate) notation: Notation,
    order: [Direction; 4],
    packed: PhantomData<P>,
}

impl<P> Klotski<P> {
    pub(crate) fn new(frame: Frame, start: Board, goal: Goal, notation: Notation, order: [Direction; 4]) -> Self {
        Klotski { frame, start, goal, notation, order, packed: PhantomData }
    }

    /// The same instance with another start.
    pub(crate) fn beginning_with(&self, start: Board) -> Self {
        Klotski::new(self.frame, start, self.goal, self.notation, self.order)
    }

    /// The steps of these pieces in move order, given their anchors by direction.
    #[inline]
    fn in_order(&self, movable: [u64; 4]) -> Steps {
        let mut anchors = [0; 4];
        for (at, direction) in self.order.into_iter().enumerate() {
            anchors[at] = movable[direction as usize];
        }
        Steps { anchors, order: self.order, at: 0 }
    }
}

impl<P: Planes> StateSpace for Klotski<P> {
    type State = Board;
    type Packed = P;
    type Move = Step;
    type Moves = Steps;
    type Undo = ();

    #[inline]
    fn pack(&self, board: &Board) -> P {
        P::from_planes([board.singles | board.standing, board.lying | board.standing, board.big])
    }

    #[inline]
    fn unpack(&self, packed: P) -> Board {
        let [narrow, flat, big] = packed.planes();
        Board { singles: narrow & !flat, lying: flat & !narrow, standing: narrow & flat, big }
    }

    #[inline]
    fn is_goal(&self, board: &Board) -> bool {
        match self.goal {
            Goal::BigAt(cell) => board.big == 1 << cell,
            Goal::Board(goal) => *board == goal,
        }
    }

    #[inline]
    fn moves(&self, board: &Board) -> Steps {
        self.in_order(self.frame.movable(board))
    }

    #[inline]
    fn apply(&self, board: &mut Board, step: Step) {
        board.move_piece(step.anchor, self.frame.neighbour(step.anchor, step.direction));
    }

    #[inline]
    fn undo(&self, board: &mut Board, step: Step, (): ()) {
        board.move_piece(self.frame.neighbour(step.anchor, step.direction), step.anchor);
    }

    #[inline]
    fn abilities<'a, V: AbilityVisitor<'a, Self>>(&'a self, visitor: V) -> V {
        visitor.keyed(self).invertible(self).bulk_successors(self).backward(self)
    }
}

impl<P: Planes> Invertible for Klotski<P> {
    const OMITS_INVERSE: bool = true;

    #[inline]
    fn inverse(&self, step: Step) -> Option<Step> {
        let anchor = self.frame.neighbour(step.anchor, step.direction);
        Some(Step { anchor, direction: step.direction.opposite() })
    }

    #[inline]
    fn moves_after(&self, board: &Board, came_by: Step) -> Steps {
        let mut movable = self.frame.movable(board);
        let back = self.frame.neighbour(came_by.anchor, came_by.direction);
        movable[came_by.direction.opposite() as usize] &= !(1 << back);
        self.in_order(movable)
    }
}

impl<P: Planes> BulkSuccessors for Klotski<P> {
    #[inline]
    fn successors(&self, states: &[P], found: &mut Batch<P>) {
        // With up to 21 cells, a word holds the anchors of two directions.
        if P::MOST_CELLS > 32 {
            for &packed in states {
                let movable = self.frame.movable(&self.unpack(packed));
                for (anchors, offset) in movable.into_iter().zip(self.frame.offsets) {
                    for anchor in members(anchors) {
                        found.push(packed.with_piece_moved(anchor, anchor.wrapping_add(offset)));
                    }
                }
            }
            return;
        }
        let [up, right, down, left] = self.frame.offsets;
        let mut pairs = [[0; BATCH]; 2];
        for batch in states.chunks(BATCH) {
            // Plain arithmetic on words, which the compiler vectorizes.
            let [along_columns, along_rows] = &mut pairs;
            for ((&packed, columns), rows) in batch.iter().zip(along_columns).zip(along_rows) {
                let [north, east, south, west] = self.frame.movable(&self.unpack(packed));
                (*columns, *rows) = (north | south << 32, east | west << 32);
            }
            for (at, &packed) in batch.iter().enumerate() {
                step_pair(packed, pairs[0][at], [up, down], found);
                step_pair(packed, pairs[1][at], [right, left], found);
            }
        }
    }
}

impl<P: Planes> Keyed for Klotski<P> {
    const KEY_WORDS: usize = P::KEY_WORDS;
    const CODE_BITS: u32 = 8;

    /// Two planes are enough. A lying domino with a single on its right half, which no board has, encodes a 2x2 piece.
    #[inline]
    fn key(&self, board: &Board) -> [u64; 2] {
        let narrow = board.singles | board.standing | board.big << 1;
        P::key([narrow, board.lying | board.standing | board.big])
    }

    #[inline]
    fn state_of_key(&self, key: [u64; 2]) -> Board {
        let [narrow, flat] = P::of_key(key);
        let (singles, lying) = (narrow & !flat, flat & !narrow);
        let big = lying & singles >> 1;
        Board { singles: singles & !(big << 1), lying: lying & !big, standing: narrow & flat, big }
    }

    const SUCCESSORS_BY_KEY: bool = true;

    const MAX_VISITS: usize = successors::most_visits(P::MOST_CELLS);

    #[inline]
    fn each_successor(
        &self,
        key: [u64; 2],
        _board: &Board,
        came_by: Option<Step>,
        mut visit: impl FnMut(Step, [u64; 2], bool),
    ) -> u32 {
        self.batched_successors(1, |_| (key, came_by), |_, step, key, is_legal| visit(step, key, is_legal)) as u32
    }

    #[inline]
    fn each_successor_of_many(
        &self,
        count: usize,
        state: impl Fn(usize) -> ([u64; 2], Option<Step>),
        visit: impl FnMut(usize, Step, [u64; 2], bool),
    ) -> u64 {
        self.batched_successors(count, state, visit)
    }

    /// Of two independent steps, that of the piece with the later anchor comes last.
    #[inline]
    fn transposition_order(&self, step: Step) -> u32 {
        step.anchor.into()
    }

    #[inline]
    fn code(&self, step: Step) -> u32 {
        u32::from(step.anchor) << 2 | step.direction as u32
    }

    #[inline]
    fn move_of_code(&self, code: u32) -> Step {
        Step { anchor: (code >> 2) as u8, direction: Direction::from_bits(code as u16) }
    }

    #[inline]
    fn retrace(&self, board: &mut Board, step: Step) {
        self.undo(board, step, ());
    }
}

/// The most boards whose moves are generated together.
const BATCH: usize = 32;
/// The unconditional visits for the steps along rows, or along columns; few boards have more such steps.
const UNCONDITIONAL: usize = 3;

/// Adds the boards after the steps of a pair of directions; the anchors of the second one are 32 bits up.
#[inline]
fn step_pair<P: Planes>(packed: P, anchors: u64, offsets: [u8; 2], found: &mut Batch<P>) {
    each_member::<UNCONDITIONAL>(anchors, |bit, is_member| {
        let anchor = bit & 31;
        let to = anchor.wrapping_add(offsets[usize::from(bit >> 5 & 1)]) & 31;
        found.push_if(packed.with_piece_moved(anchor, to), is_member);
    });
}

/// Calls `visit` with the members of a set. The number of members is unpredictable, so the first `UNCONDITIONAL` calls
/// have no branch, and pass `false` once the set is empty.
#[inline]
fn each_member<const UNCONDITIONAL: usize>(mut cells: u64, mut visit: impl FnMut(u8, bool)) {
    for _ in 1..UNCONDITIONAL {
        visit(cells.trailing_zeros() as u8 & 63, cells != 0);
        cells &= cells.wrapping_sub(1);
    }
    loop {
        visit(cells.trailing_zeros() as u8 & 63, cells != 0);
        cells &= cells.wrapping_sub(1);
        if cells == 0 {
            return;
        }
    }
}

/// The most goals that are listed: they take 64 MB, and a backward search from more goals finds little.
const MOST_GOALS: usize = 2_000_000;

/// The inverse of a step is a step: predecessors are successors.
impl<P: Planes> Backward for Klotski<P> {
    fn goals(&self) -> Option<Vec<Board>> {
        match self.goal {
            // A goal of other pieces is not a state of this space.
            Goal::Board(board) if board.counts() != self.start.counts() => Some(Vec::new()),
            Goal::Board(board) => Some(vec![board]),
            Goal::BigAt(cell) => {
                arrangements(&self.frame, PieceCounts::of(&self.frame, &self.start), 1 << cell, MOST_GOALS)
            }
        }
    }
}
