//! The ranking of a maze: every free cell and orientation.

use admissible::Ranking;
use xxhash_rust::xxh3::xxh3_128;

use super::maze::{Die, Maze};
use super::orientation::COUNT;

/// The free cells of a maze, numbered without gaps: 20 states each.
#[derive(Debug)]
pub(super) struct FreeCells {
    cells: Vec<u32>,
    /// By cell; `u32::MAX` for obstacles.
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

impl Ranking<Maze> for FreeCells {
    const REVERSIBLE: bool = true;

    fn size(&self) -> usize {
        self.cells.len() * COUNT
    }

    #[inline]
    fn unrank(&self, _maze: &Maze, rank: usize) -> Die {
        Die { cell: self.cells[rank / COUNT], orientation: (rank % COUNT) as u8 }
    }

    #[inline]
    fn rank(&self, _maze: &Maze, die: &Die) -> Option<usize> {
        let cell = *self.numbers.get(die.cell as usize).filter(|&&number| number != u32::MAX)?;
        Some(cell as usize * COUNT + usize::from(die.orientation))
    }
}

impl Maze {
    /// The number of states.
    pub(super) fn states(&self) -> u128 {
        (self.free_cells().count() * COUNT) as u128
    }

    /// The name of an atlas of the maze: its size, and a hash of its goal and free cells, wide enough to exclude
    /// collisions. Mazes that differ only in the start share an atlas.
    pub(super) fn atlas_name(&self) -> String {
        let words = std::iter::once(self.goal).chain(self.free_cells());
        let bytes: Vec<u8> = words.flat_map(u32::to_le_bytes).collect();
        format!("die-{}x{}-{:032x}", self.rows, self.columns, xxh3_128(&bytes))
    }
}

#[cfg(test)]
mod tests {
    use admissible::explore::Layers;
    use rand_chacha::ChaCha8Rng;
    use rand_chacha::rand_core::SeedableRng as _;

    use super::super::read::Layout;
    use super::super::{ORDER, entry};
    use super::*;
    use admissible_front::{Parameters, Setting};

    #[test]
    fn depths_agree_with_brute_force() {
        for seed in 0..60 {
            let size = Setting::Size(2 + seed as usize % 7, 5);
            let parameters = Parameters::from([("size", size), ("density", Setting::Share(0.25))]);
            let text =
                entry().generate(&parameters, &mut ChaCha8Rng::seed_from_u64(seed)).expect("there are such mazes");
            let maze = Layout::read(&text).and_then(|layout| layout.maze(ORDER)).expect("it can be read");
            let cells = FreeCells::new(&maze);
            for rank in 0..cells.size() {
                assert_eq!(cells.rank(&maze, &cells.unrank(&maze, rank)), Some(rank), "{text}");
            }
            let rows: Vec<&str> = text.lines().collect();
            let expected = admissible_oracle::die::distances(&rows);
            let mut depths = vec![0; expected.values().max().map_or(0, |&depth| depth as usize + 1)];
            expected.values().for_each(|&depth| depths[depth as usize] += 1);
            let layers = Layers::backward(&maze, &cells, 2, &()).expect("the watcher never stops it");
            assert_eq!(layers.depths(), depths, "{text}");
        }
    }

    #[test]
    fn mazes_that_differ_have_different_atlas_names() {
        let name = |text: &str| Layout::read(text).and_then(|layout| layout.maze(ORDER)).expect("a maze").atlas_name();
        assert_eq!(name("S.G\n...\n"), name("..G\nS..\n"), "the start is not part of the name");
        let others = ["S.G\n...\n", "G.S\n...\n", "S.G\n.*.\n", "S.G...\n", "S.\nG.\n..\n"].map(name);
        for (at, first) in others.iter().enumerate() {
            assert!(others[..at].iter().all(|second| first != second), "{others:?}");
        }
    }
}
