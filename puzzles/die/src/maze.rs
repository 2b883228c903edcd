//! The maze as a state space.
//!
//! A row takes a power of two of cells, so a shift and a mask give row and column. A rim of obstacles surrounds the
//! maze, so a roll needs no test for the edge. A packed state is `cell * 20 + orientation`, which is its own perfect
//! hash and its key. Each cell stores the directions in which its neighbour is free.

use std::hint::cold_path;

use admissible::{AbilityVisitor, Backward, Indexed, Invertible, Keyed, StateSpace};

use super::orientation::{COUNT, Faces, Orientations};
use admissible_front::grid::{Direction, Directions};

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
    /// A row is `1 << shift` cells long, with the rim and the padding.
    pub(super) shift: u32,
    /// By direction: the difference to the next cell, modulo 2^32.
    offsets: [u32; 4],
    /// By cell: [`FREE`] if it is free, and a bit for each direction in which the next cell is free.
    cells: Vec<u8>,
    pub(super) start: u32,
    /// The orientation at the start, [`Faces::START`] in every file.
    pub(super) start_faces: Faces,
    pub(super) goal: u32,
    /// By set of directions: its members in move order.
    ordered: [Directions; 16],
    pub(super) orientations: Orientations,
}

/// The bit of a cell that is free.
const FREE: u8 = 1 << 4;

impl Maze {
    /// A maze in which no cell is free yet; `None` if its states do not fit into 32 bits.
    pub(super) fn new(rows: usize, columns: usize, order: [Direction; 4]) -> Option<Self> {
        let shift = (columns + 2).next_power_of_two().trailing_zeros();
        let cells = (rows + 2).checked_mul(1 << shift)?;
        if cells.checked_mul(COUNT)? > u32::MAX as usize {
            return None;
        }
        let of_set = |set: usize| order.into_iter().filter(|&direction| set >> direction as usize & 1 == 1).collect();
        let offsets = [1_u32.wrapping_shl(shift).wrapping_neg(), 1, 1 << shift, 1_u32.wrapping_neg()];
        let orientations = Orientations::new();
        Some(Maze {
            rows,
            columns,
            shift,
            offsets,
            cells: vec![0; cells],
            start: 0,
            start_faces: Faces::START,
            goal: 0,
            ordered: std::array::from_fn(of_set),
            orientations,
        })
    }

    pub(super) fn cell(&self, row: usize, column: usize) -> u32 {
        ((row + 1) << self.shift | (column + 1)) as u32
    }

    pub(super) fn set_free(&mut self, cell: u32) {
        self.cells[cell as usize] |= FREE;
        for direction in Direction::ALL {
            let beside = self.neighbour(cell, direction) as usize;
            self.cells[beside] |= 1 << direction.opposite() as u8;
        }
    }

    pub(super) fn is_free(&self, cell: u32) -> bool {
        self.cells[cell as usize] & FREE != 0
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
        (0..self.cells.len() as u32).filter(|&cell| self.is_free(cell))
    }

    #[inline]
    fn neighbour(&self, cell: u32, direction: Direction) -> u32 {
        cell.wrapping_add(self.offsets[direction as usize])
    }

    /// The legal rolls, a bit for each direction.
    #[inline]
    fn legal_rolls(&self, die: &Die) -> usize {
        let sides = self.cells[die.cell as usize];
        usize::from(sides & self.orientations.rollable(die.orientation)) % 16
    }

    #[inline]
    fn roll(&self, die: Die, direction: Direction) -> Die {
        Die {
            cell: self.neighbour(die.cell, direction),
            orientation: self.orientations.rolled(die.orientation, direction),
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
        self.ordered[self.legal_rolls(die)]
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
    fn abilities<'a, V: AbilityVisitor<'a, Self>>(&'a self, visitor: V) -> V {
        visitor.keyed(self).indexed(self).invertible(self).backward(self)
    }
}

impl Invertible for Maze {
    const OMITS_INVERSE: bool = true;

    #[inline]
    fn inverse(&self, direction: Direction) -> Option<Direction> {
        Some(direction.opposite())
    }

    #[inline]
    fn moves_after(&self, die: &Die, came_by: Direction) -> Directions {
        self.ordered[self.legal_rolls(die) & !(1 << came_by.opposite() as usize)]
    }
}

/// The packed state is the key and the index.
impl Keyed for Maze {
    const KEY_WORDS: usize = 1;
    const CODE_BITS: u32 = 3;

    #[inline]
    fn key(&self, die: &Die) -> [u64; 2] {
        [self.pack(die).into(), 0]
    }

    const DENSE_KEYS: bool = true;

    fn key_bound(&self) -> u64 {
        self.index_bound().into()
    }

    #[inline]
    fn state_of_key(&self, [word, _]: [u64; 2]) -> Die {
        self.unpack(word as u32)
    }

    const MAX_VISITS: usize = 4;

    #[inline]
    fn each_move(&self, die: &Die, came_by: Option<Direction>, mut visit: impl FnMut(Direction, bool)) -> u32 {
        let all = self.legal_rolls(die);
        let Some(came_by) = came_by else {
            cold_path();
            self.ordered[all].for_each(|direction| visit(direction, true));
            return all.count_ones();
        };
        // `^ 2` is the opposite direction without a branch that the processor may mispredict.
        let rolls = all & !(1 << (came_by as usize ^ 2));
        self.ordered[rolls].first_three(visit);
        all.count_ones()
    }

    #[inline]
    fn code(&self, direction: Direction) -> u32 {
        direction as u32
    }

    #[inline]
    fn move_of_code(&self, code: u32) -> Direction {
        Direction::from_bits(code as u16)
    }

    #[inline]
    fn retrace(&self, die: &mut Die, direction: Direction) {
        *die = self.roll(*die, direction.opposite());
    }
}

impl Indexed for Maze {
    fn index_bound(&self) -> u32 {
        (self.cells.len() * COUNT) as u32
    }

    #[inline]
    fn index(&self, packed: u32) -> u32 {
        packed
    }
}

/// The inverse of a roll is a roll: predecessors are successors.
impl Backward for Maze {
    fn goals(&self) -> Option<Vec<Die>> {
        let one_up = (0..COUNT as u8).filter(|&number| self.orientations.faces[usize::from(number)].up == 1);
        Some(one_up.map(|orientation| Die { cell: self.goal, orientation }).collect())
    }
}
