//! The maze as a state space.
//!
//! Cells lie in rows of a power of two, with a rim of obstacles, so that row and column come from a shift and a mask
//! and no roll has to look for the edge. A packed state is `cell * 20 + orientation`, which is its own perfect hash.

use admissible::{Backward, Cost, StateSpace};

use super::orientation::{COUNT, FORBIDDEN, Faces, Orientations};
use crate::grid::{Direction, Directions};

/// A die on a cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Die {
    pub(super) cell: u32,
    pub(super) orientation: u8,
}

/// A rolling-die maze.
#[derive(Debug, Clone)]
pub struct Maze {
    pub(super) rows: usize,
    pub(super) columns: usize,
    /// A row is `1 << shift` cells long.
    shift: u32,
    free: Vec<bool>,
    pub(super) start: u32,
    /// How the die lies at the start; in every file the same way.
    pub(super) start_faces: Faces,
    pub(super) goal: u32,
    order: [Direction; 4],
    pub(super) orientations: Orientations,
}

impl Maze {
    /// A maze of so many rows and columns in which nothing is free yet, or `None` if its states cannot be numbered.
    pub(super) fn new(rows: usize, columns: usize, order: [Direction; 4]) -> Option<Self> {
        let shift = (columns + 2).next_power_of_two().trailing_zeros();
        let cells = (rows + 2).checked_mul(1 << shift)?;
        if cells.checked_mul(COUNT)? > u32::MAX as usize {
            return None;
        }
        let free = vec![false; cells];
        let orientations = Orientations::new();
        Some(Maze { rows, columns, shift, free, start: 0, start_faces: Faces::START, goal: 0, order, orientations })
    }

    pub(super) fn cell(&self, row: usize, column: usize) -> u32 {
        ((row + 1) << self.shift | (column + 1)) as u32
    }

    pub(super) fn set_free(&mut self, cell: u32) {
        self.free[cell as usize] = true;
    }

    pub(super) fn is_free(&self, cell: u32) -> bool {
        self.free[cell as usize]
    }

    /// Row and column of a cell, from 0.
    #[inline]
    pub(super) fn place(&self, cell: u32) -> (i32, i32) {
        ((cell >> self.shift) as i32 - 1, (cell & ((1 << self.shift) - 1)) as i32 - 1)
    }

    pub(super) fn faces(&self, die: Die) -> Faces {
        self.orientations.faces[usize::from(die.orientation)]
    }

    pub(super) fn die(&self, cell: u32, faces: Faces) -> Die {
        let number = self.orientations.faces.iter().position(|&f| f == faces);
        Die { cell, orientation: number.expect("the 6 is not up") as u8 }
    }

    /// The free cells in reading order.
    pub(super) fn free_cells(&self) -> impl Iterator<Item = u32> {
        (0..self.free.len() as u32).filter(|&cell| self.is_free(cell))
    }

    /// The die on every free cell in every orientation that does not show the 6 on top.
    pub(super) fn every_state(&self) -> impl Iterator<Item = Die> {
        self.free_cells().flat_map(|cell| (0..COUNT as u8).map(move |orientation| Die { cell, orientation }))
    }

    #[inline]
    fn neighbour(&self, cell: u32, direction: Direction) -> u32 {
        let row = 1 << self.shift;
        match direction {
            Direction::North => cell - row,
            Direction::East => cell + 1,
            Direction::South => cell + row,
            Direction::West => cell - 1,
        }
    }

    #[inline]
    fn roll(&self, die: Die, direction: Direction) -> Die {
        Die {
            cell: self.neighbour(die.cell, direction),
            orientation: self.orientations.rolled[usize::from(die.orientation)][direction as usize],
        }
    }
}

impl StateSpace for Maze {
    type State = Die;
    type Packed = u32;
    type Move = Direction;
    type Moves = Directions;
    type Undo = ();

    #[inline]
    fn pack(&self, die: &Die) -> u32 {
        die.cell * COUNT as u32 + u32::from(die.orientation)
    }

    #[inline]
    fn unpack(&self, packed: u32) -> Die {
        Die { cell: packed / COUNT as u32, orientation: (packed % COUNT as u32) as u8 }
    }

    #[inline]
    fn is_goal(&self, die: &Die) -> bool {
        die.cell == self.goal && self.faces(*die).up == 1
    }

    #[inline]
    fn moves(&self, die: &Die) -> Directions {
        let rolled = &self.orientations.rolled[usize::from(die.orientation)];
        let allowed = |direction: &Direction| {
            rolled[*direction as usize] != FORBIDDEN && self.is_free(self.neighbour(die.cell, *direction))
        };
        self.order.into_iter().filter(allowed).collect()
    }

    #[inline]
    fn apply(&self, die: &mut Die, direction: Direction) {
        *die = self.roll(*die, direction);
    }

    #[inline]
    fn undo(&self, die: &mut Die, direction: Direction, (): ()) {
        *die = self.roll(*die, direction.opposite());
    }

    #[inline]
    fn inverse(&self, direction: Direction) -> Option<Direction> {
        Some(direction.opposite())
    }

    const KEY_WORDS: usize = 1;
    const CODE_BITS: u32 = 3;

    #[inline]
    fn key(&self, die: &Die) -> [u64; 2] {
        [self.pack(die).into(), 0]
    }

    #[inline]
    fn of_key(&self, [word, _]: [u64; 2]) -> Die {
        self.unpack(word as u32)
    }

    #[inline]
    fn code(&self, direction: Direction) -> u32 {
        direction as u32
    }

    #[inline]
    fn decode(&self, code: u32) -> Direction {
        Direction::from_bits(code as u16)
    }

    fn index_size(&self) -> Option<u32> {
        Some((self.free.len() * COUNT) as u32)
    }

    #[inline]
    fn index(&self, packed: u32) -> u32 {
        packed
    }
}

impl Backward for Maze {
    fn goals(&self) -> Option<Vec<Die>> {
        let one_up = (0..COUNT as u8).filter(|&number| self.orientations.faces[usize::from(number)].up == 1);
        Some(one_up.map(|orientation| Die { cell: self.goal, orientation }).collect())
    }

    /// Rolling back is rolling: the states before are the states after.
    fn predecessors(&self, die: &Die, mut visit: impl FnMut(Die, Cost)) {
        for direction in self.moves(die) {
            visit(self.roll(*die, direction), 1);
        }
    }
}
