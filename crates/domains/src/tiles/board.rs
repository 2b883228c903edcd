//! The board as a state space.
//!
//! Tiles lie in reading order in the bits of a word: 4 bits a tile up to 16 cells, 5 bits up to 25, 6 bits up to 40.
//! The gap is 0, and its cell is kept beside the word while a state is worked on. A move names the way the *tile*
//! goes, so the gap goes the other way.

use std::fmt::Debug;
use std::hash::Hash;
use std::hint::cold_path;
use std::sync::Arc;

use admissible::pruning::{Pruning, words_after};
use admissible::{Backward, Cost, StateSpace};

use super::databases::Databases;
use super::made::Made;
use crate::grid::Direction;

/// A cell of the board. It is kept as four times its number in reading order: that is the place of a tile in a word of
/// four bits a tile, and leaves two bits free for a direction wherever a table goes by both.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cell(u8);

impl Cell {
    /// The cell of that number, which is below 64.
    #[inline]
    pub fn new(number: usize) -> Self {
        Cell((number * 4) as u8)
    }

    /// Its number.
    #[inline]
    pub fn number(self) -> usize {
        usize::from(self.0 / 4)
    }

    /// Its place in a table that goes by cell and direction, below `4 * MOST_CELLS`.
    #[inline]
    pub(super) fn with(self, direction: Direction) -> usize {
        usize::from(self.0 | direction as u8)
    }
}

/// A word that holds a whole board.
pub trait Word: Copy + Eq + Hash + Debug + Default + Send + Sync + 'static {
    /// How many cells fit.
    const CELLS: usize;
    /// The largest number that a cell can hold.
    const LARGEST: u8;
    /// The tile in a cell.
    fn get(self, cell: Cell) -> u8;
    /// The board with `tile` moved to the empty cell `to`.
    #[must_use]
    fn slide(self, tile: u8, from: Cell, to: Cell) -> Self;
    /// The empty cell of a board of so many cells.
    fn gap(self, cells: usize) -> Cell {
        (0..cells).map(Cell::new).find(|&cell| self.get(cell) == 0).expect("a board has a gap")
    }
    /// The board of these tiles.
    fn of(tiles: &[u8]) -> Self {
        let put = |board: Self, (cell, &tile): (usize, &u8)| board.put(tile, Cell::new(cell));
        tiles.iter().enumerate().fold(Self::default(), put)
    }
    /// The board with a tile put on an empty cell.
    #[must_use]
    fn put(self, tile: u8, cell: Cell) -> Self {
        self.flip(cell, tile)
    }
    /// The board with some bits of a cell changed.
    #[must_use]
    fn flip(self, cell: Cell, bits: u8) -> Self;
    /// The board with what two cells hold exchanged.
    #[must_use]
    #[inline]
    fn swap(self, one: Cell, other: Cell) -> Self {
        let bits = self.get(one) ^ self.get(other);
        self.flip(one, bits).flip(other, bits)
    }
    /// The board with 1 taken from a cell, or nothing.
    #[must_use]
    #[inline]
    fn less(self, cell: Cell, one: bool) -> Self {
        let held = self.get(cell);
        self.flip(cell, held ^ held.wrapping_sub(one.into()))
    }

    /// The words of a key, 0 if there is no room for the number of a move.
    const KEY_WORDS: usize = 0;
    /// The bits of a key's first word that are left for that.
    const CODE_BITS: u32 = 0;
    /// The board as a key.
    fn key(self) -> [u64; 2] {
        unreachable!("these boards have no keys")
    }
    /// The board of so many cells with that key.
    fn of_key(_key: [u64; 2], _cells: usize) -> Self {
        unreachable!("these boards have no keys")
    }
    /// The places of four tiles, which most moves leave where they are; `None` for boards on which that is not worth it.
    fn neighbourhood(self, _cells: usize) -> Option<u64> {
        None
    }
}

macro_rules! integer_word {
    ($word:ty, $bits:expr, { $($special:tt)* }) => {
        impl Word for $word {
            const CELLS: usize = <$word>::BITS as usize / $bits;
            const LARGEST: u8 = (1 << $bits) - 1;

            #[inline]
            fn get(self, cell: Cell) -> u8 {
                (self >> (u32::from(cell.0) * $bits / 4)) as u8 & ((1 << $bits) - 1)
            }

            #[inline]
            fn slide(self, tile: u8, from: Cell, to: Cell) -> Self {
                let tile = <$word>::from(tile);
                self ^ (tile << (u32::from(from.0) * $bits / 4)) ^ (tile << (u32::from(to.0) * $bits / 4))
            }

            #[inline]
            fn flip(self, cell: Cell, bits: u8) -> Self {
                self ^ <$word>::from(bits) << (u32::from(cell.0) * $bits / 4)
            }

            #[inline]
            fn swap(self, one: Cell, other: Cell) -> Self {
                // One multiplication takes the bits to both cells.
                let place = |cell: Cell| <$word>::from(1u8) << (u32::from(cell.0) * $bits / 4);
                self ^ <$word>::from(self.get(one) ^ self.get(other)) * (place(one) | place(other))
            }

            #[inline]
            fn less(self, cell: Cell, one: bool) -> Self {
                self.wrapping_sub(<$word>::from(one) << (u32::from(cell.0) * $bits / 4))
            }

            $($special)*
        }
    };
}

integer_word!(u64, 4, {
    /// Taking 1 from every cell borrows from its highest bit only if the cell is empty, or above one that is.
    #[inline]
    fn gap(self, _cells: usize) -> Cell {
        let ones = 0x1111_1111_1111_1111;
        let borrowed = self.wrapping_sub(ones) & !self & (ones << 3);
        Cell(borrowed.trailing_zeros() as u8 & !3)
    }

    const KEY_WORDS: usize = 1;
    const CODE_BITS: u32 = 4;

    /// The last of sixteen cells holds what the others do not.
    #[inline]
    fn key(self) -> [u64; 2] {
        [self & u64::MAX >> 4, 0]
    }

    /// All sixteen tiles, combined by exclusive or, are 0, so fifteen of them are the one that is missing.
    #[inline]
    fn of_key([word, _]: [u64; 2], cells: usize) -> Self {
        let halves = word ^ word >> 32;
        let quarters = halves ^ halves >> 16;
        let bytes = quarters ^ quarters >> 8;
        let missing = (bytes ^ bytes >> 4) & 15;
        if cells == Self::CELLS { word | missing << 60 } else { word }
    }

    /// The tiles from 12 on.
    #[inline]
    fn neighbourhood(self, cells: usize) -> Option<u64> {
        let there = self >> 3 & self >> 2 & 0x1111_1111_1111_1111;
        (cells == Self::CELLS).then_some(self & (there * 15))
    }
});
integer_word!(u128, 5, {
    const KEY_WORDS: usize = 2;
    const CODE_BITS: u32 = 3;

    #[inline]
    fn key(self) -> [u64; 2] {
        [self as u64 & u64::MAX >> 3, (self >> 61) as u64]
    }

    #[inline]
    fn of_key([low, high]: [u64; 2], _cells: usize) -> Self {
        u128::from(low) | u128::from(high) << 61
    }

    /// The tiles from 20 to 23.
    #[inline]
    fn neighbourhood(self, cells: usize) -> Option<u64> {
        const ONES: u128 = ((1 << 125) - 1) / 31;
        let there = self >> 4 & !(self >> 3) & self >> 2 & ONES;
        let tiles = self & (there * 31);
        (cells == Self::CELLS).then_some(tiles as u64 ^ ((tiles >> 64) as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15))
    }
});

impl Word for [u64; 4] {
    const CELLS: usize = 40;
    const LARGEST: u8 = 63;

    #[inline]
    fn get(self, cell: Cell) -> u8 {
        let number = cell.number();
        (self[number / 10] >> (number % 10 * 6)) as u8 & 63
    }

    #[inline]
    fn slide(mut self, tile: u8, from: Cell, to: Cell) -> Self {
        for number in [from.number(), to.number()] {
            self[number / 10] ^= u64::from(tile) << (number % 10 * 6);
        }
        self
    }

    #[inline]
    fn flip(mut self, cell: Cell, bits: u8) -> Self {
        let number = cell.number();
        self[number / 10] ^= u64::from(bits) << (number % 10 * 6);
        self
    }
}

/// A move: the way the tile goes in the two lowest bits, and above them how many cells the tile lies from the gap. Having
/// the distance in the move spares the innermost loop a look into a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Slide(i8);

impl Slide {
    fn new(direction: Direction, columns: usize) -> Self {
        let row = columns as i8;
        let offset = [row, -1, -row, 1][direction as usize];
        Slide(offset << 2 | direction as i8)
    }

    /// The way the tile goes.
    #[inline]
    pub fn direction(self) -> Direction {
        Direction::from_bits(self.0 as u16)
    }

    /// The cell of the tile, given that of the gap before the move.
    #[inline]
    pub(super) fn origin(self, gap: Cell) -> Cell {
        Cell(gap.0.wrapping_add(self.0 as u8 & !3))
    }

    /// The cell that the tile goes to, given where it comes from.
    #[inline]
    pub(super) fn destination(self, from: Cell) -> Cell {
        Cell(from.0.wrapping_sub(self.0 as u8 & !3))
    }
}

/// At most four moves, in an order: a byte each, the first one lowest. No move is 0, since none has the offset 0.
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

/// A board with the cell of its gap and the tile that moved last. A pair of fields and no more is handed from function
/// to function in registers, so the two marks share one.
#[derive(Debug, Clone, Copy)]
pub struct Board<W> {
    pub(super) tiles: W,
    marks: u16,
}

impl<W: Word> Board<W> {
    #[inline]
    fn new(tiles: W, gap: Cell, moved: u8) -> Self {
        Board { tiles, marks: u16::from_le_bytes([gap.0, moved]) }
    }

    /// The board of these tiles.
    fn of(list: &[u8]) -> Self {
        let tiles = W::of(list);
        Board::new(tiles, tiles.gap(list.len()), 0)
    }

    /// The cell of the gap.
    #[inline]
    pub(super) fn gap(&self) -> Cell {
        Cell(self.marks.to_le_bytes()[0])
    }

    /// The tile that moved last, which spares heuristics looking for it; only good right after a move.
    #[inline]
    pub(super) fn moved(&self) -> u8 {
        self.marks.to_le_bytes()[1]
    }
}

/// Tables by cell have this many entries, so that an index needs a mask and no comparison.
pub(super) const MOST_CELLS: usize = 64;

/// A sliding-tile puzzle.
#[derive(Debug)]
pub struct Tiles<W> {
    pub(super) rows: usize,
    pub(super) columns: usize,
    pub(super) start: Board<W>,
    pub(super) goal: Board<W>,
    /// The moves by direction.
    slides: [Slide; 4],
    /// The moves for each cell of the gap, in the order of the search.
    moves: [Slides; MOST_CELLS],
    /// The same without the way back, for each cell of the gap and last move.
    onward: [Slides; MOST_CELLS * 4],
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
        let moves = |gap: usize, but: Option<Direction>| {
            let directions = order.into_iter().filter(|&d| possible(gap, d) && Some(d) != but);
            directions.map(|d| Slide::new(d, columns)).collect::<Slides>()
        };
        let mut tables = ([Slides::default(); MOST_CELLS], [Slides::default(); MOST_CELLS * 4]);
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
            onward: tables.1,
            databases: Databases::default(),
        }
    }

    /// The same puzzle with other tiles to begin with, and the tables that have come so far.
    pub(super) fn beginning_with(&self, tiles: &[u8]) -> Self {
        let tiles = W::of(tiles);
        let start = Board::new(tiles, tiles.gap(self.cells()), 0);
        Tiles { start, databases: self.databases.clone(), ..*self }
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

    /// The moves without the way back, with the gap in a cell after a move.
    #[inline]
    pub(super) fn onward_from(&self, gap: Cell, last: Direction) -> Slides {
        self.onward[gap.with(last)]
    }

    #[inline]
    fn play(board: &mut Board<W>, slide: Slide) {
        let from = slide.origin(board.gap());
        let tile = board.tiles.get(from);
        *board = Board::new(board.tiles.slide(tile, from, board.gap()), from, tile);
    }
}

/// By rows, columns, and the length of the longest words.
static MACHINES: Made<(usize, usize, usize), Option<Arc<Pruning>>> = Made::new();

impl<W: Word> StateSpace for Tiles<W> {
    type State = Board<W>;
    type Packed = W;
    type Move = Slide;
    type Moves = Slides;
    /// The board before: putting it back is cheaper than sliding back.
    type Undo = (W, Cell);

    const ONWARD_IS_ONWARD: bool = true;

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
    fn onward(&self, board: &Board<W>, came_by: Slide) -> Slides {
        self.onward_from(board.gap(), came_by.direction())
    }

    /// What a sequence of slides does depends only on where the gap is.
    fn pruning(&self, longest: usize) -> Option<Arc<Pruning>> {
        self.pruning_unless(longest, &mut || false)
    }

    fn pruning_unless(&self, longest: usize, give_up: &mut dyn FnMut() -> bool) -> Option<Arc<Pruning>> {
        let solved: Vec<u8> = (1..self.cells() as u8).collect();
        let with_gap = |gap: usize| {
            let tiles = [&solved[..gap], &[0], &solved[gap..]].concat();
            Board::new(W::of(&tiles), Cell::new(gap), 0)
        };
        let boards: Vec<Board<W>> = (0..self.cells()).map(with_gap).collect();
        let find = || Some(Pruning::find_unless(self, &boards, longest, give_up).ok()?.map(Arc::new));
        (*MACHINES.get_if((self.rows, self.columns, longest), find)?).clone()
    }

    fn words_after(&self, expanded: u64) -> usize {
        // On larger boards finding words of twelve moves takes a tenth of a second, and the machine more of the cache: it is as
        // fast as that of ten moves at first, and a little faster in the end.
        match self.cells() {
            ..=16 => words_after(&[(1 << 16, 8), (1 << 20, 12)], expanded),
            _ => words_after(&[(1 << 16, 8), (1 << 20, 10), (1 << 24, 12)], expanded),
        }
    }

    fn class(&self, board: &Board<W>) -> usize {
        board.gap().number()
    }

    #[inline]
    fn letter(&self, slide: Slide) -> usize {
        slide.direction() as usize
    }

    #[inline]
    fn apply(&self, board: &mut Board<W>, slide: Slide) -> (W, Cell) {
        let before = (board.tiles, board.gap());
        Self::play(board, slide);
        before
    }

    #[inline]
    fn undo(&self, board: &mut Board<W>, _slide: Slide, (tiles, gap): (W, Cell)) {
        *board = Board::new(tiles, gap, 0);
    }

    #[inline]
    fn inverse(&self, slide: Slide) -> Option<Slide> {
        Some(Slide::new(slide.direction().opposite(), self.columns))
    }

    const KEY_WORDS: usize = W::KEY_WORDS;
    const CODE_BITS: u32 = W::CODE_BITS;

    #[inline]
    fn key(&self, board: &Board<W>) -> [u64; 2] {
        board.tiles.key()
    }

    #[inline]
    fn of_key(&self, key: [u64; 2]) -> Board<W> {
        self.unpack(W::of_key(key, self.cells()))
    }

    #[inline]
    fn neighbourhood(&self, board: &Board<W>) -> Option<u64> {
        board.tiles.neighbourhood(self.cells())
    }

    const MOST_ONWARD: usize = 4;

    #[inline]
    fn list_onward(&self, board: &Board<W>, came_by: Option<Slide>, mut visit: impl FnMut(Slide, bool)) -> u32 {
        let gap = board.gap();
        let Some(came_by) = came_by else {
            cold_path();
            return self.moves[gap.number()].map(|slide| visit(slide, true)).count() as u32;
        };
        // There are one, two or three.
        let Slides(slides) = self.onward_from(gap, came_by.direction());
        let bytes = slides.to_le_bytes().map(|byte| byte as i8);
        bytes[..3].iter().for_each(|&byte| visit(Slide(byte), byte != 0));
        (u32::BITS - slides.leading_zeros()).div_ceil(u8::BITS) + 1
    }

    #[inline]
    fn code(&self, slide: Slide) -> u32 {
        slide.direction() as u32
    }

    #[inline]
    fn decode(&self, code: u32) -> Slide {
        self.slides[code as usize % 4]
    }

    /// Every move is a swap of the gap with a tile, so the parity of the permutation changes with the colour of the
    /// gap's cell on a chessboard; both parities must come out right, and then every board can be reached.
    fn solvable(&self, board: &Board<W>) -> Option<bool> {
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
        Some((swaps + colour(board.gap()) + colour(self.goal.gap())).is_multiple_of(2))
    }
}

impl<W: Word> Backward for Tiles<W> {
    fn goals(&self) -> Option<Vec<Board<W>>> {
        Some(vec![self.goal])
    }

    /// Sliding back is sliding: the boards before are the boards after.
    fn predecessors(&self, board: &Board<W>, mut visit: impl FnMut(Board<W>, Cost)) {
        for slide in self.moves(board) {
            let mut before = *board;
            Self::play(&mut before, slide);
            visit(before, 1);
        }
    }
}
