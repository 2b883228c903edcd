//! The board as a state space.
//!
//! A packed board is a [`Word`]; a state adds the cell of the gap. A move is named by the direction of the *tile*, so
//! the gap moves in the opposite direction.

use std::hint::cold_path;
use std::sync::Arc;

use admissible::pruning::{MoveAutomaton, length_after};
use admissible::{AbilityVisitor, Backward, Invertible, Keyed, Prunable, StateSpace};

use super::memo::Memo;
use super::pdb::Databases;
use super::word::{Cell, KeyedWord, Word};
use admissible_front::grid::Direction;

/// A move: the direction of the tile in the two lowest bits, and above them the offset of the tile from the gap.
/// Storing the offset saves the innermost loop a table lookup.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Slide(i8);

impl Slide {
    fn new(direction: Direction, columns: usize) -> Self {
        let row = columns as i8;
        let offset = [row, -1, -row, 1][direction as usize];
        Slide(offset << 2 | direction as i8)
    }

    /// The direction of the tile.
    #[inline]
    pub fn direction(self) -> Direction {
        Direction::from_bits(self.0 as u16)
    }

    /// The cell of the tile, given that of the gap before the move.
    #[inline]
    pub(super) fn origin(self, gap: Cell) -> Cell {
        Cell(gap.0.wrapping_add(self.0 as u8 & !3))
    }

    /// The cell that the tile moves to, given the cell that it comes from.
    #[inline]
    pub(super) fn destination(self, from: Cell) -> Cell {
        Cell(from.0.wrapping_sub(self.0 as u8 & !3))
    }
}

/// At most four moves in order: a byte each, the first one lowest. A zero byte is no move, since no offset is 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Slides(u32);

impl FromIterator<Slide> for Slides {
    fn from_iter<I: IntoIterator<Item = Slide>>(slides: I) -> Self {
        let mut bytes = [0; 4];
        for (byte, slide) in bytes.iter_mut().zip(slides) {
            *byte = slide.0 as u8;
        }
        Slides(u32::from_le_bytes(bytes))
    }
}

impl Iterator for Slides {
    type Item = Slide;

    #[inline]
    fn next(&mut self) -> Option<Slide> {
        let slide = Slide(self.0 as i8);
        let found = self.0 != 0;
        self.0 >>= 8;
        found.then_some(slide)
    }
}

/// A board with the cell of its gap and the tile that moved last. These two share a field: a struct of two fields is
/// passed in registers.
#[derive(Debug, Clone, Copy)]
pub struct Board<W> {
    pub(super) tiles: W,
    gap_and_moved: u16,
}

impl<W: Word> Board<W> {
    #[inline]
    fn new(tiles: W, gap: Cell, moved: u8) -> Self {
        Board { tiles, gap_and_moved: u16::from_le_bytes([gap.0, moved]) }
    }

    /// The board of these tiles.
    fn of(list: &[u8]) -> Self {
        let tiles = W::of(list);
        Board::new(tiles, tiles.gap(list.len()), 0)
    }

    /// The cell of the gap.
    #[inline]
    pub(super) fn gap(&self) -> Cell {
        Cell(self.gap_and_moved.to_le_bytes()[0])
    }

    /// The tile that moved last; valid only directly after a move. Heuristics need not search for it.
    #[inline]
    pub(super) fn moved(&self) -> u8 {
        self.gap_and_moved.to_le_bytes()[1]
    }
}

/// The length of tables by cell: a power of two, so that an index needs a mask and no bounds check.
pub(super) const PADDED_CELLS: usize = 64;

/// A sliding-tile puzzle.
#[derive(Debug)]
pub struct Tiles<W> {
    pub(super) rows: usize,
    pub(super) columns: usize,
    pub(super) start: Board<W>,
    pub(super) goal: Board<W>,
    /// The moves by direction.
    slides: [Slide; 4],
    /// By cell of the gap: the moves in move order.
    moves: [Slides; PADDED_CELLS],
    /// By cell of the gap and last move: the moves without its inverse.
    moves_without_inverse: [Slides; PADDED_CELLS * 4],
    pub(super) databases: Databases,
}

impl<W: Word> Tiles<W> {
    pub(super) fn new(rows: usize, columns: usize, start: &[u8], goal: &[u8], order: [Direction; 4]) -> Self {
        let cells = rows * columns;
        // A tile can go north into the gap if there is a row below the gap.
        let possible = |gap: usize, direction: Direction| match direction {
            Direction::North => gap / columns + 1 < rows,
            Direction::East => !gap.is_multiple_of(columns),
            Direction::South => gap / columns > 0,
            Direction::West => gap % columns + 1 < columns,
        };
        let moves = |gap: usize, except: Option<Direction>| {
            let directions = order.into_iter().filter(|&d| possible(gap, d) && Some(d) != except);
            directions.map(|d| Slide::new(d, columns)).collect::<Slides>()
        };
        let mut tables = ([Slides::default(); PADDED_CELLS], [Slides::default(); PADDED_CELLS * 4]);
        for gap in 0..cells {
            tables.0[gap] = moves(gap, None);
            for last in Direction::ALL {
                tables.1[Cell::new(gap).with(last)] = moves(gap, Some(last.opposite()));
            }
        }
        Tiles {
            rows,
            columns,
            start: Board::of(start),
            goal: Board::of(goal),
            slides: Direction::ALL.map(|direction| Slide::new(direction, columns)),
            moves: tables.0,
            moves_without_inverse: tables.1,
            databases: Databases::default(),
        }
    }

    /// The same puzzle with another start; it shares the tables loaded so far.
    pub(super) fn beginning_with(&self, tiles: &[u8]) -> Self {
        Tiles { start: Board::of(tiles), databases: self.databases.clone(), ..*self }
    }

    pub(super) fn cells(&self) -> usize {
        self.rows * self.columns
    }

    /// The board of these tiles.
    pub(super) fn board(&self, list: &[u8]) -> Board<W> {
        Board::of(list)
    }

    pub(super) fn list(&self, board: &Board<W>) -> Vec<u8> {
        (0..self.cells()).map(|cell| board.tiles.get(Cell::new(cell))).collect()
    }

    /// Every move, with the cell of the gap before it.
    pub(super) fn slides(&self) -> impl Iterator<Item = (Cell, Slide)> {
        (0..self.cells()).map(Cell::new).flat_map(|gap| self.moves[gap.number()].map(move |slide| (gap, slide)))
    }

    /// The moves of boards with the gap in a cell, without the inverse of the last move.
    #[inline]
    pub(super) fn moves_without_inverse(&self, gap: Cell, last: Direction) -> Slides {
        self.moves_without_inverse[gap.with(last)]
    }

    /// Every move swaps the gap with a tile, so it changes the parity of the permutation and the colour of the gap's
    /// cell on a chessboard. A board is solvable exactly if both parities agree with those of the goal.
    pub(super) fn is_solvable(&self, board: &Board<W>) -> bool {
        let goal = self.list(&self.goal);
        let place = |tile: u8| goal.iter().position(|&t| t == tile).expect("start and goal have the same tiles");
        let permutation: Vec<usize> = self.list(board).into_iter().map(place).collect();
        let mut seen = vec![false; permutation.len()];
        let mut swaps = 0;
        for first in 0..permutation.len() {
            let mut at = first;
            while !seen[at] {
                seen[at] = true;
                at = permutation[at];
                swaps += usize::from(at != first);
            }
        }
        let colour = |gap: Cell| gap.number() / self.columns + gap.number() % self.columns;
        (swaps + colour(board.gap()) + colour(self.goal.gap())).is_multiple_of(2)
    }

    #[inline]
    fn move_tile(board: &mut Board<W>, slide: Slide) {
        let from = slide.origin(board.gap());
        let tile = board.tiles.get(from);
        *board = Board::new(board.tiles.slide(tile, from, board.gap()), from, tile);
    }
}

/// By rows, columns, and the length of the longest sequences.
static AUTOMATA: Memo<(usize, usize, usize), Option<Arc<MoveAutomaton>>> = Memo::new();

impl<W: Word> StateSpace for Tiles<W> {
    type State = Board<W>;
    type Packed = W;
    type Move = Slide;
    type Moves = Slides;
    /// The board before the move: restoring it is cheaper than the inverse move.
    type Undo = (W, Cell);

    #[inline]
    fn pack(&self, board: &Board<W>) -> W {
        board.tiles
    }

    #[inline]
    fn unpack(&self, tiles: W) -> Board<W> {
        Board::new(tiles, tiles.gap(self.cells()), 0)
    }

    #[inline]
    fn is_goal(&self, board: &Board<W>) -> bool {
        board.tiles == self.goal.tiles
    }

    #[inline]
    fn moves(&self, board: &Board<W>) -> Slides {
        self.moves[board.gap().number()]
    }

    #[inline]
    fn apply(&self, board: &mut Board<W>, slide: Slide) -> (W, Cell) {
        let before = (board.tiles, board.gap());
        Self::move_tile(board, slide);
        before
    }

    #[inline]
    fn undo(&self, board: &mut Board<W>, _slide: Slide, (tiles, gap): (W, Cell)) {
        *board = Board::new(tiles, gap, 0);
    }

    #[inline]
    fn abilities<'a, V: AbilityVisitor<'a, Self>>(&'a self, visitor: V) -> V {
        W::abilities(self, visitor.invertible(self).prunable(self).backward(self))
    }
}

impl<W: Word> Invertible for Tiles<W> {
    const OMITS_INVERSE: bool = true;

    #[inline]
    fn inverse(&self, slide: Slide) -> Option<Slide> {
        Some(Slide::new(slide.direction().opposite(), self.columns))
    }

    #[inline]
    fn moves_after(&self, board: &Board<W>, came_by: Slide) -> Slides {
        self.moves_without_inverse(board.gap(), came_by.direction())
    }
}

impl<W: Word> Prunable for Tiles<W> {
    /// The effect of a sequence of slides depends only on where the gap is.
    fn automaton(&self, longest: usize, give_up: &mut dyn FnMut() -> bool) -> Option<Arc<MoveAutomaton>> {
        let solved: Vec<u8> = (1..self.cells() as u8).collect();
        let with_gap = |gap: usize| {
            let tiles = [&solved[..gap], &[0], &solved[gap..]].concat();
            Board::new(W::of(&tiles), Cell::new(gap), 0)
        };
        let boards: Vec<Board<W>> = (0..self.cells()).map(with_gap).collect();
        let find = || Some(MoveAutomaton::find(self, &boards, longest, give_up).ok()?.map(Arc::new));
        (*AUTOMATA.get_if((self.rows, self.columns, longest), find)?).clone()
    }

    fn length_after(&self, expanded: u64) -> usize {
        // On larger boards finding sequences of twelve moves takes a tenth of a second, and the larger automaton
        // competes for the cache: only long searches gain from it.
        match self.cells() {
            ..=16 => length_after(&[(1 << 16, 8), (1 << 20, 12)], expanded),
            _ => length_after(&[(1 << 16, 8), (1 << 20, 10), (1 << 24, 12)], expanded),
        }
    }

    fn class(&self, board: &Board<W>) -> usize {
        board.gap().number()
    }

    #[inline]
    fn move_index(&self, slide: Slide) -> usize {
        slide.direction() as usize
    }
}

impl<W: KeyedWord> Keyed for Tiles<W> {
    const KEY_WORDS: usize = W::KEY_WORDS;
    const CODE_BITS: u32 = W::CODE_BITS;

    #[inline]
    fn key(&self, board: &Board<W>) -> [u64; 2] {
        board.tiles.key()
    }

    #[inline]
    fn state_of_key(&self, key: [u64; 2]) -> Board<W> {
        self.unpack(W::of_key(key, self.cells()))
    }

    #[inline]
    fn abstraction(&self, board: &Board<W>) -> Option<u64> {
        board.tiles.abstraction(self.cells())
    }

    const MAX_VISITS: usize = 4;

    #[inline]
    fn each_move(&self, board: &Board<W>, came_by: Option<Slide>, mut visit: impl FnMut(Slide, bool)) -> u32 {
        let gap = board.gap();
        let Some(came_by) = came_by else {
            cold_path();
            let slides = self.moves[gap.number()];
            for slide in slides {
                visit(slide, true);
            }
            return slides.count() as u32;
        };
        // One to three moves are legal; the others are visited as illegal candidates.
        let Slides(slides) = self.moves_without_inverse(gap, came_by.direction());
        for at in 0..3 {
            let byte = (slides >> (8 * at)) as i8;
            visit(Slide(byte), byte != 0);
        }
        (u32::BITS - slides.leading_zeros()).div_ceil(u8::BITS) + 1
    }

    #[inline]
    fn code(&self, slide: Slide) -> u32 {
        slide.direction() as u32
    }

    #[inline]
    fn move_of_code(&self, code: u32) -> Slide {
        self.slides[code as usize % 4]
    }

    #[inline]
    fn retrace(&self, board: &mut Board<W>, slide: Slide) {
        Self::move_tile(board, Slide::new(slide.direction().opposite(), self.columns));
    }
}

/// The inverse of a slide is a slide: predecessors are successors.
impl<W: Word> Backward for Tiles<W> {
    fn goals(&self) -> Option<Vec<Board<W>>> {
        Some(vec![self.goal])
    }
}
