//! Every cell and orientation of a maze by number.

use admissible::audit::Census;
use admissible::explore::Chart;
use xxhash_rust::xxh3::xxh3_128;

use super::maze::{Die, Maze};
use super::orientation::COUNT;

/// The free cells of a maze, numbered without holes: 20 states each.
#[derive(Debug)]
pub(super) struct FreeCells {
    cells: Vec<u32>,
    /// By cell.
    numbers: Vec<u32>,
}

impl FreeCells {
    pub(super) fn new(maze: &Maze) -> Self {
        let cells: Vec<u32> = maze.free_cells().collect();
        let mut numbers = vec![u32::MAX; cells.last().map_or(0, |&last| last as usize + 1)];
        for (number, &cell) in cells.iter().enumerate() {
            numbers[cell as usize] = number as u32;
        }
        FreeCells { cells, numbers }
    }
}

impl Census<Maze> for FreeCells {
    fn size(&self) -> usize {
        self.cells.len() * COUNT
    }

    #[inline]
    fn state(&self, _maze: &Maze, number: usize) -> Die {
        Die { cell: self.cells[number / COUNT], orientation: (number % COUNT) as u8 }
    }

    #[inline]
    fn number(&self, _maze: &Maze, die: &Die) -> Option<usize> {
        let cell = *self.numbers.get(die.cell as usize).filter(|&&number| number != u32::MAX)?;
        Some(cell as usize * COUNT + usize::from(die.orientation))
    }
}

impl Chart<Maze> for FreeCells {
    const REVERSIBLE: bool = true;
}

impl Maze {
    /// How many states there are.
    pub(super) fn states(&self) -> u128 {
        (self.free_cells().count() * COUNT) as u128
    }

    /// The name of an atlas of the maze: its size, and a hash of its goal and its free cells, wide enough that no two mazes
    /// share it. The start is none of it.
    pub(super) fn atlas_name(&self) -> String {
        let words = std::iter::once(self.goal).chain(self.free_cells());
        let bytes: Vec<u8> = words.flat_map(u32::to_le_bytes).collect();
        format!("die-{}x{}-{:032x}", self.rows, self.columns, xxh3_128(&bytes))
    }
}
