//! The parts of each heuristic on a board: the tiles that are away from their places, the tiles that conflict in a
//! line, the halves of the walking distance, the values of the pattern databases.

use std::ops::ControlFlow;

use admissible_front::{Explanation, Part};

use crate::board::{Board, Tiles};
use crate::heuristics::WalkingDistance;
use crate::pdb::{MOST_GROUPS, PatternSums};
use crate::word::Word;

/// Explains a heuristic of the card other than `zero`.
pub(crate) fn explain<W: Word>(space: &Tiles<W>, heuristic: &str, board: &Board<W>) -> Option<Explanation> {
    let grid = Grid { columns: space.columns, tiles: space.list(board), goal: space.list(&space.goal) };
    Some(match heuristic {
        "misplaced" => {
            let misplaced = grid.away().into_iter().map(|(tile, _)| Part::new(format!("tile {tile}"), 1));
            Explanation::new("1 for each tile that is not in its place", misplaced)
        }
        "manhattan" => Explanation::new("the distance of each tile to its place along the grid", grid.distances()),
        "linear-conflict" => {
            let rule = "manhattan, and 2 for each tile that must leave a line so that the others can pass";
            Explanation::new(rule, grid.distances().into_iter().chain(grid.conflicts()))
        }
        "walking-distance" => {
            let [rows, columns] = WalkingDistance::new(space, &space.goal).halves(board);
            let parts = [
                Part::new("the fewest vertical moves that bring every tile into its row", rows),
                Part::new("the fewest horizontal moves that bring every tile into its column", columns),
            ];
            Explanation::new("the fewest vertical moves plus the fewest horizontal moves", parts)
        }
        name => pattern_databases(space, name, board, &grid)?,
    })
}

fn pattern_databases<W: Word>(space: &Tiles<W>, heuristic: &str, board: &Board<W>, grid: &Grid) -> Option<Explanation> {
    let partition = space.partition(heuristic)?;
    let tables = space.load(&partition, &mut |_| ControlFlow::Continue(())).expect("the watcher never stops it");
    let views = PatternSums::<MOST_GROUPS, u64>::new(space, &partition, &tables).groups(space, board);
    let parts = views.into_iter().map(|groups| {
        let part = |(mut tiles, beyond): (Vec<u8>, u8)| {
            tiles.sort_unstable();
            let distance: usize = tiles.iter().map(|&tile| grid.distance(tile)).sum();
            let value = distance + usize::from(beyond);
            let tiles: Vec<String> = tiles.iter().map(u8::to_string).collect();
            Part::new(format!("the table of tiles {} ({distance} + {beyond})", tiles.join(" ")), value as u32)
        };
        Explanation::new("", groups.into_iter().map(part))
    });
    let views: Vec<Explanation> = parts.collect();
    let totals: Vec<f64> = views.iter().map(Explanation::total).collect();
    let rule = match totals[..] {
        [board, mirror] if mirror > board => {
            format!("the sum over the groups on the mirror image, {mirror}, which is more than {board} on the board")
        }
        [board, mirror] => format!("the sum over the groups on the board, {board}; on its mirror image it is {mirror}"),
        _ => "the sum over the groups".into(),
    };
    let is_mirrored = totals.len() == 2 && totals[1] > totals[0];
    let parts = views.into_iter().nth(usize::from(is_mirrored)).map_or_else(Vec::new, |view| view.parts);
    let parity = if space.is_solvable(board) { "" } else { "; no table has a true entry for an unsolvable board" };
    Some(Explanation { rule: format!("{rule}; in brackets manhattan + the moves beyond it{parity}"), parts })
}

/// A board and its goal as lists of tiles.
struct Grid {
    columns: usize,
    tiles: Vec<u8>,
    goal: Vec<u8>,
}

impl Grid {
    fn place(&self, tiles: &[u8], tile: u8) -> (usize, usize) {
        let cell = tiles.iter().position(|&other| other == tile).expect("a board has every tile");
        (cell / self.columns, cell % self.columns)
    }

    fn distance(&self, tile: u8) -> usize {
        let ((row, column), (home_row, home_column)) = (self.place(&self.tiles, tile), self.place(&self.goal, tile));
        row.abs_diff(home_row) + column.abs_diff(home_column)
    }

    /// The tiles that are not in their places, and their distances.
    fn away(&self) -> Vec<(u8, usize)> {
        let tiles = 1..self.tiles.len() as u8;
        tiles.map(|tile| (tile, self.distance(tile))).filter(|&(_, distance)| distance > 0).collect()
    }

    fn distances(&self) -> Vec<Part> {
        self.away().into_iter().map(|(tile, distance)| Part::new(format!("tile {tile}"), distance as u32)).collect()
    }

    /// The lines with conflicts.
    fn conflicts(&self) -> Vec<Part> {
        let (rows, columns) = (self.tiles.len() / self.columns, self.columns);
        let row = |row: usize| self.line(format!("row {}", row + 1), (0..columns).map(|at| row * columns + at));
        let column =
            |column: usize| self.line(format!("column {}", column + 1), (0..rows).map(|at| at * columns + column));
        (0..rows).filter_map(row).chain((0..columns).filter_map(column)).collect()
    }

    /// The conflicts of a line, given its cells in order.
    fn line(&self, name: String, cells: impl Iterator<Item = usize> + Clone) -> Option<Part> {
        // The tiles that belong to the line, each with its goal position in it.
        let home = |tile: u8| cells.clone().position(|cell| self.goal[cell] == tile);
        let tiles = cells.clone().map(|cell| self.tiles[cell]).filter(|&tile| tile != 0);
        let tiles: Vec<(u8, usize)> = tiles.filter_map(|tile| Some((tile, home(tile)?))).collect();
        // By tile: a longest sequence of tiles in order that ends with it.
        let mut stay: Vec<Vec<u8>> = Vec::new();
        for (at, &(tile, position)) in tiles.iter().enumerate() {
            let before = (0..at).filter(|&other| tiles[other].1 < position).map(|other| &stay[other]);
            let mut longest = before.max_by_key(|tiles| tiles.len()).cloned().unwrap_or_default();
            longest.push(tile);
            stay.push(longest);
        }
        let stay = stay.into_iter().max_by_key(Vec::len)?;
        let list = |tiles: Vec<u8>| tiles.iter().map(u8::to_string).collect::<Vec<_>>().join(" ");
        let order: Vec<u8> = tiles.iter().map(|&(tile, _)| tile).collect();
        let leaving: Vec<u8> = order.iter().copied().filter(|tile| !stay.contains(tile)).collect();
        let moves = 2 * leaving.len() as u32;
        let what = || format!("{name}: {} are out of order, {} must leave", list(order), list(leaving));
        (moves > 0).then(|| Part::new(what(), moves))
    }
}

/// The exact rules of the heuristics, for the card.
pub(crate) mod rules {
    pub(crate) const MISPLACED: &str = "h = the number of tiles that are not in their place. The gap does not count.";
    pub(crate) const MANHATTAN: &str = "\
A tile counts the rows plus the columns between its cell and its place. The gap does not count.
h = the sum over the tiles.";
    pub(crate) const LINEAR_CONFLICT: &str = "\
For each row and each column, take the tiles in it whose place is in that line, too. Those on a longest sequence in goal
order may stay; the others must leave the line and come back, which takes two moves that manhattan does not count.
h = manhattan + 2 * the number of tiles that must leave, summed over all rows and columns.";
    pub(crate) const WALKING_DISTANCE: &str = "\
The row view of a board: for each row, the number of its tiles whose place is in each row, and the row of the gap.
A vertical move exchanges the gap with any tile of the next row. The column view is alike for horizontal moves.
h = the fewest vertical moves to the row view of the goal + the fewest horizontal moves to its column view.";
    pub(crate) const PDB: &str = "\
The tiles are divided into groups. The table of a group has the fewest moves of its own tiles that bring them to their
places, for every placement of them and for the region of the gap; moves of other tiles do not count.
The sum over the groups is computed for the board and, if the goal allows it, for its mirror image at the diagonal.
h = the larger of the two sums.
pdb takes the default groups of the size; pdb:6-6-3 names others, pdb:aab/abb/cc. draws them.";
}

#[cfg(test)]
mod tests {
    use admissible_front::check_explanation;
    use admissible_front::grid::Direction;
    use admissible_front::puzzle::Puzzle as _;
    use admissible_oracle::Random;

    use super::*;

    fn board(size: (usize, usize), tiles: &[u8], goal: &[u8]) -> Tiles<u64> {
        Tiles::new(size.0, size.1, tiles, goal, Direction::ALL)
    }

    fn check_random_boards(size: (usize, usize), goal: &[u8], names: &[&str]) {
        let mut random = Random::new(1);
        let space = board(size, goal, goal);
        for _ in 0..200 {
            let mut tiles = goal.to_vec();
            for last in (1..tiles.len()).rev() {
                tiles.swap(last, random.below(last + 1));
            }
            let start = space.beginning_with(&tiles).start;
            for name in names {
                if space.is_solvable(&start) || *name != "pdb" {
                    check_explanation(&space, name, &start);
                }
            }
        }
    }

    #[test]
    fn parts_add_up_on_random_boards() {
        let names = ["misplaced", "manhattan", "linear-conflict", "walking-distance", "pdb"];
        check_random_boards((3, 3), &[1, 2, 3, 4, 5, 6, 7, 8, 0], &names);
        check_random_boards((3, 3), &[0, 1, 2, 3, 4, 5, 6, 7, 8], &names[1..3]);
        check_random_boards((2, 4), &[5, 1, 7, 3, 4, 0, 2, 6], &names[..4]);
        check_random_boards((3, 3), &[1, 2, 3, 4, 5, 6, 7, 8, 0], &["pdb:aab/acb/cc."]);
    }

    #[test]
    fn conflicts_are_named() {
        let goal = [1, 2, 3, 4, 5, 6, 7, 8, 0];
        let space = board((3, 3), &[3, 2, 1, 4, 5, 6, 7, 8, 0], &goal);
        let explained = space.explain("linear-conflict", &space.start).expect("an explanation");
        let last = explained.parts.last().expect("a conflict");
        assert_eq!((last.what.as_str(), last.value), ("row 1: 3 2 1 are out of order, 3 2 must leave", 4.0));
    }
}
