//! The board as a state space.
//!
//! A board is four sets of cells, a bit a cell: the upper left cells (the *anchors*) of the singles, of the lying
//! dominoes, of the standing ones and of the 2x2 pieces. That is all that is kept, so pieces of one shape are
//! interchangeable. Which pieces can step in a direction comes from a few shifts of the set of empty cells, for all
//! pieces at once; and as no two pieces share an anchor, one set of anchors a direction is the list of moves.

use std::marker::PhantomData;

use admissible::{AbilityVisitor, Backward, Batch, BulkSuccessors, Invertible, Keyed, StateSpace};

use super::arrange::{Loose, arrangements};
use super::onward;
use super::pieces::{Piece, Shape};
use super::planes::Planes;
use admissible_front::grid::Direction;

/// The pieces of a board by shape, each as the set of their upper left cells.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Board {
    pub(super) singles: u64,
    pub(super) lying: u64,
    pub(super) standing: u64,
    pub(super) big: u64,
}

impl Board {
    /// How many pieces there are of each shape.
    pub(super) fn counts(&self) -> [u32; 4] {
        [self.singles, self.lying, self.standing, self.big].map(u64::count_ones)
    }

    /// Moves the piece with this anchor.
    #[inline]
    pub(super) fn carry(&mut self, from: u8, to: u8) {
        let both = 1 << from | 1 << to;
        for anchors in [&mut self.singles, &mut self.lying, &mut self.standing, &mut self.big] {
            // All ones for the shape that the piece has and zero for the others: no branch to predict.
            let is_shape = (*anchors >> from & 1).wrapping_neg();
            *anchors ^= both & is_shape;
        }
    }
}

/// One piece moves by one cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Step {
    /// The upper left cell of the piece before the step.
    pub(super) anchor: u8,
    pub(super) direction: Direction,
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

/// The size of a board, and what follows from it. Cells are numbered in reading order.
#[derive(Debug, Clone, Copy)]
pub(super) struct Frame {
    pub(super) width: u32,
    pub(super) height: u32,
    pub(super) inside: u64,
    pub(super) not_first_column: u64,
    pub(super) not_last_column: u64,
    /// What leads to the next cell in each direction, modulo 256.
    offsets: [u8; 4],
}

impl Frame {
    /// At most 42 cells, and at least two rows and columns.
    pub(super) fn new(width: usize, height: usize) -> Self {
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

    pub(super) fn cell(&self, row: usize, column: usize) -> u8 {
        (row * self.width as usize + column) as u8
    }

    /// A board with these pieces.
    pub(super) fn board(&self, pieces: &[Piece]) -> Board {
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
    pub(super) fn place(&self, cell: u8) -> (usize, usize) {
        let (cell, width) = (usize::from(cell), self.width as usize);
        (cell / width, cell % width)
    }

    #[inline]
    pub(super) fn neighbour(&self, cell: u8, direction: Direction) -> u8 {
        cell.wrapping_add(self.offsets[direction as usize])
    }

    /// The cells on which nothing lies.
    #[inline]
    pub(super) fn empty(&self, board: &Board) -> u64 {
        let Board { singles, lying, standing, big } = *board;
        let upper = singles | lying | standing | big | (lying | big) << 1;
        let lower = (standing | big | big << 1) << self.width;
        self.inside & !(upper | lower)
    }

    /// Whether all pieces lie on the board, and none on another.
    pub(super) fn is_board(&self, board: &Board) -> bool {
        let Board { singles, lying, standing, big } = *board;
        let [some, lain, stood, large] = board.counts();
        let not_last_row = self.inside >> self.width;
        let fits = (singles | lying | standing | big) & !self.inside == 0
            && (lying | big) & !self.not_last_column == 0
            && (standing | big) & !not_last_row == 0;
        fits && (self.inside & !self.empty(board)).count_ones() == some + 2 * (lain + stood) + 4 * large
    }

    /// The anchors of the pieces that can step north, east, south and west.
    #[inline]
    pub(super) fn movable(&self, board: &Board) -> [u64; 4] {
        self.movable_into(board, self.empty(board))
    }

    /// The same for pieces that come to some of the empty cells only.
    #[inline]
    pub(super) fn movable_into(&self, board: &Board, empty: u64) -> [u64; 4] {
        let Board { singles, lying, standing, big } = *board;
        // Sets of the cells that have an empty cell in that direction, next to them or one further on.
        let north = empty << self.width;
        let south = empty >> self.width;
        let further_south = south >> self.width;
        let west = (empty & self.not_last_column) << 1;
        let east = (empty & self.not_first_column) >> 1;
        let further_east = east >> 1;
        // Of those, the ones for which the same holds of the cell to their right, or of the one below.
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
    pub(super) fn symbols(&self, board: &Board) -> Vec<Vec<char>> {
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
pub(super) fn members(mut cells: u64) -> impl Iterator<Item = u8> {
    std::iter::from_fn(move || {
        let first = (cells != 0).then(|| cells.trailing_zeros() as u8)?;
        cells &= cells - 1;
        Some(first)
    })
}

/// What has to be reached.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Goal {
    /// The only 2x2 piece has its upper left cell here.
    BigAt(u8),
    /// This board.
    Board(Board),
}

/// How the pieces are written, in the file and in the course's output.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Notation {
    Digits,
    Symbols,
}

/// A sliding-block puzzle whose boards are packed into `P`.
#[derive(Debug)]
pub struct Klotski<P> {
    pub(super) frame: Frame,
    pub(super) start: Board,
    pub(super) goal: Goal,
    pub(super) notation: Notation,
    order: [Direction; 4],
    packed: PhantomData<P>,
}

impl<P> Klotski<P> {
    pub(super) fn new(frame: Frame, start: Board, goal: Goal, notation: Notation, order: [Direction; 4]) -> Self {
        Klotski { frame, start, goal, notation, order, packed: PhantomData }
    }

    /// The same instance with another board to begin with.
    pub(super) fn beginning_with(&self, start: Board) -> Self {
        Klotski::new(self.frame, start, self.goal, self.notation, self.order)
    }

    /// The steps of the pieces that can go north, east, south and west.
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
        board.carry(step.anchor, self.frame.neighbour(step.anchor, step.direction));
    }

    #[inline]
    fn undo(&self, board: &mut Board, step: Step, (): ()) {
        board.carry(self.frame.neighbour(step.anchor, step.direction), step.anchor);
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
        // Boards of 21 cells leave room for a second one in a word, so two directions go together.
        if P::MOST_CELLS > 32 {
            for &packed in states {
                let movable = self.frame.movable(&self.unpack(packed));
                for (anchors, offset) in movable.into_iter().zip(self.frame.offsets) {
                    for anchor in members(anchors) {
                        found.push(packed.carried(anchor, anchor.wrapping_add(offset)));
                    }
                }
            }
            return;
        }
        let [up, right, down, left] = self.frame.offsets;
        let mut pairs = [[0; AT_ONCE]; 2];
        for some in states.chunks(AT_ONCE) {
            // Nothing but arithmetic on words, so the compiler takes several boards at a time.
            let [along_columns, along_rows] = &mut pairs;
            for ((&packed, columns), rows) in some.iter().zip(along_columns).zip(along_rows) {
                let [north, east, south, west] = self.frame.movable(&self.unpack(packed));
                (*columns, *rows) = (north | south << 32, east | west << 32);
            }
            for (at, &packed) in some.iter().enumerate() {
                step_pair(packed, pairs[0][at], [up, down], found);
                step_pair(packed, pairs[1][at], [right, left], found);
            }
        }
    }
}

impl<P: Planes> Keyed for Klotski<P> {
    const KEY_WORDS: usize = P::KEY_WORDS;
    const CODE_BITS: u32 = 8;

    /// Two planes are enough. A lying domino covers the cell to its right, so a single there, which no board has, can
    /// stand for the 2x2 piece.
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

    const MAX_VISITS: usize = onward::most_visits(P::MOST_CELLS);

    #[inline]
    fn each_successor(
        &self,
        key: [u64; 2],
        _board: &Board,
        came_by: Option<Step>,
        mut visit: impl FnMut(Step, [u64; 2], bool),
    ) -> u32 {
        self.steps_onward(1, |_| (key, came_by), |_, step, key, is_one| visit(step, key, is_one)) as u32
    }

    #[inline]
    fn each_successor_of_many(
        &self,
        count: usize,
        state: impl Fn(usize) -> ([u64; 2], Option<Step>),
        visit: impl FnMut(usize, Step, [u64; 2], bool),
    ) -> u64 {
        self.steps_onward(count, state, visit)
    }

    /// Of two pieces that do not get in each other's way, the one that lay further on goes last.
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

/// Boards of which it is found out together which pieces can step.
const AT_ONCE: usize = 32;
/// The steps along rows, or along columns, that few boards have more of.
const FEW: usize = 3;

/// Adds the boards after the steps of a pair of directions, the anchors for the second of them 32 bits up.
#[inline]
fn step_pair<P: Planes>(packed: P, anchors: u64, offsets: [u8; 2], found: &mut Batch<P>) {
    each_member::<FEW>(anchors, |bit, is_one| {
        let anchor = bit & 31;
        let to = anchor.wrapping_add(offsets[usize::from(bit >> 5 & 1)]) & 31;
        found.push_if(packed.carried(anchor, to), is_one);
    });
}

/// Calls `visit` with the members of a set. How many there are cannot be predicted: it is called a few times in any
/// case, and told whether there was one.
#[inline]
pub(super) fn each_member<const FEW: usize>(mut cells: u64, mut visit: impl FnMut(u8, bool)) {
    for _ in 1..FEW {
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

/// More goals than this are not listed: they take 64 MB, and a search from so many places at once finds little.
const MOST_GOALS: usize = 2_000_000;

/// A step back is a step: predecessors are successors.
impl<P: Planes> Backward for Klotski<P> {
    fn goals(&self) -> Option<Vec<Board>> {
        match self.goal {
            Goal::Board(board) => Some(vec![board]),
            Goal::BigAt(cell) => arrangements(&self.frame, Loose::of(&self.frame, &self.start), 1 << cell, MOST_GOALS),
        }
    }
}
