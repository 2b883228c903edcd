//! Features of a board, for heuristics written as expressions.

use super::board::{Board, Tiles};
use super::heuristics::LinearConflict;
use super::word::{Cell, Word};
use admissible_front::puzzle::{Feature, FeatureCard};

pub(super) const CARDS: &[FeatureCard] = &[
    FeatureCard { name: "conflicts", summary: "tiles that must leave their line to let others pass" },
    FeatureCard { name: "out_of_row", summary: "tiles that are not in their row" },
    FeatureCard { name: "out_of_column", summary: "tiles that are not in their column" },
    FeatureCard { name: "swapped", summary: "pairs of neighbours that lie in each other's place" },
    FeatureCard { name: "inversions", summary: "pairs of tiles in another order than in the goal, read row by row" },
    FeatureCard { name: "gap_row", summary: "the row of the gap, from 0" },
    FeatureCard { name: "gap_column", summary: "the column of the gap, from 0" },
    FeatureCard { name: "gap_distance", summary: "the distance of the gap to its place along the grid" },
];

pub(super) fn named<W: Word>(space: &Tiles<W>, name: &str) -> Option<Feature<Tiles<W>>> {
    let home = Home::new(space);
    Some(match name {
        "conflicts" => {
            let conflict = LinearConflict::new(space, &space.goal);
            Box::new(move |space, board| conflict.leaving(space, board).into())
        }
        "out_of_row" => Box::new(move |space, board| home.count(space, board, |(row, _), (own, _)| row != own)),
        "out_of_column" => {
            Box::new(move |space, board| home.count(space, board, |(_, column), (_, own)| column != own))
        }
        "swapped" => Box::new(move |space, board| home.swapped(space, board)),
        "inversions" => Box::new(move |space, board| home.inversions(space, board)),
        "gap_row" => Box::new(|space, board| place(space, board.gap().number()).0 as f64),
        "gap_column" => Box::new(|space, board| place(space, board.gap().number()).1 as f64),
        "gap_distance" => Box::new(|space, board| {
            let [(row, column), (own_row, own_column)] =
                [board, &space.goal].map(|board| place(space, board.gap().number()));
            (row.abs_diff(own_row) + column.abs_diff(own_column)) as f64
        }),
        _ => return None,
    })
}

type Place = (usize, usize);

/// Row and column of a cell.
fn place<W>(space: &Tiles<W>, cell: usize) -> Place {
    (cell / space.columns, cell % space.columns)
}

/// The goal cell of each tile.
struct Home(Vec<usize>);

impl Home {
    fn new<W: Word>(space: &Tiles<W>) -> Self {
        let mut home = vec![0; space.cells()];
        for (cell, tile) in space.list(&space.goal).into_iter().enumerate() {
            home[usize::from(tile)] = cell;
        }
        Home(home)
    }

    /// The goal cell of the tile in a cell; `None` for the gap.
    fn of<W: Word>(&self, board: &Board<W>, cell: usize) -> Option<usize> {
        let tile = board.tiles.get(Cell::new(cell));
        (tile != 0).then(|| self.0[usize::from(tile)])
    }

    /// The number of tiles that satisfy a predicate of their place and their goal place.
    fn count<W: Word>(&self, space: &Tiles<W>, board: &Board<W>, is: impl Fn(Place, Place) -> bool) -> f64 {
        let counts =
            |&cell: &usize| self.of(board, cell).is_some_and(|home| is(place(space, cell), place(space, home)));
        (0..space.cells()).filter(counts).count() as f64
    }

    fn swapped<W: Word>(&self, space: &Tiles<W>, board: &Board<W>) -> f64 {
        let is_swapped =
            |cell: usize, other: usize| self.of(board, cell) == Some(other) && self.of(board, other) == Some(cell);
        let pairs = |&cell: &usize| {
            let right = (cell + 1) % space.columns != 0 && is_swapped(cell, cell + 1);
            let below = cell + space.columns < space.cells() && is_swapped(cell, cell + space.columns);
            // Not both: a tile has only one goal cell.
            right || below
        };
        (0..space.cells()).filter(pairs).count() as f64
    }

    fn inversions<W: Word>(&self, space: &Tiles<W>, board: &Board<W>) -> f64 {
        let homes = |from: usize| (from..space.cells()).filter_map(|cell| self.of(board, cell));
        let after = |(cell, home): (usize, usize)| homes(cell + 1).filter(|&later| later < home).count();
        let tiles = (0..space.cells()).filter_map(|cell| Some((cell, self.of(board, cell)?)));
        tiles.map(after).sum::<usize>() as f64
    }
}

#[cfg(test)]
mod tests {
    use admissible_oracle::Random;

    use super::*;
    use admissible_front::grid::Direction;

    fn shuffled(random: &mut Random, cells: usize) -> Vec<u8> {
        let mut tiles: Vec<u8> = (0..cells as u8).collect();
        for last in (1..cells).rev() {
            tiles.swap(last, random.below(last + 1));
        }
        tiles
    }

    /// The least number of items to remove so that the others are sorted, by trying every subset.
    fn least_leaving(positions: &[usize]) -> usize {
        let in_order = |kept: u32| {
            let kept: Vec<usize> =
                (0..positions.len()).filter(|at| kept >> at & 1 == 1).map(|at| positions[at]).collect();
            kept.is_sorted()
        };
        let most = (0..1_u32 << positions.len()).filter(|&kept| in_order(kept)).map(u32::count_ones).max();
        positions.len() - most.expect("the empty subset is sorted") as usize
    }

    /// The feature computed from the lists of tiles alone.
    fn by_hand(name: &str, columns: usize, tiles: &[u8], goal: &[u8]) -> usize {
        let home = |tile: u8| goal.iter().position(|&other| other == tile).expect("the goal has every tile");
        let away: Vec<(usize, usize)> =
            tiles.iter().enumerate().filter(|(_, tile)| **tile != 0).map(|(cell, &tile)| (cell, home(tile))).collect();
        let gap = tiles.iter().position(|&tile| tile == 0).expect("there is a gap");
        let apart = |one: usize, other: usize| {
            (one / columns).abs_diff(other / columns) + (one % columns).abs_diff(other % columns)
        };
        match name {
            "conflicts" => {
                let line = |of: &dyn Fn(usize) -> (usize, usize), line: usize| {
                    let inside = away.iter().filter(|(cell, home)| of(*cell).0 == line && of(*home).0 == line);
                    let mut inside: Vec<(usize, usize)> =
                        inside.map(|(cell, home)| (of(*cell).1, of(*home).1)).collect();
                    inside.sort_unstable();
                    least_leaving(&inside.into_iter().map(|(_, home)| home).collect::<Vec<_>>())
                };
                let rows = (0..tiles.len() / columns).map(|row| line(&|cell| (cell / columns, cell % columns), row));
                let columns = (0..columns).map(|column| line(&|cell| (cell % columns, cell / columns), column));
                rows.chain(columns).sum()
            }
            "out_of_row" => away.iter().filter(|(cell, home)| cell / columns != home / columns).count(),
            "out_of_column" => away.iter().filter(|(cell, home)| cell % columns != home % columns).count(),
            "swapped" => {
                let swapped = |&&(cell, home): &&(usize, usize)| {
                    cell < home && apart(cell, home) == 1 && away.contains(&(home, cell))
                };
                away.iter().filter(swapped).count()
            }
            "inversions" => {
                away.iter().map(|one| away.iter().filter(|other| one.0 < other.0 && one.1 > other.1).count()).sum()
            }
            "gap_row" => gap / columns,
            "gap_column" => gap % columns,
            "gap_distance" => apart(gap, home(0)),
            other => panic!("the test has no rule for {other}"),
        }
    }

    fn check<W: Word>(random: &mut Random, rows: usize, columns: usize) {
        let cells = rows * columns;
        for round in 0..60 {
            let mut goal: Vec<u8> = (1..cells as u8).chain([0]).collect();
            let mut tiles = shuffled(random, cells);
            if round % 3 == 0 {
                goal = shuffled(random, cells);
            } else if round % 3 == 1 {
                // Boards near the goal have pairs that are swapped.
                tiles.clone_from(&goal);
                let cell = random.below(cells - 1);
                tiles.swap(cell, cell + 1);
            }
            let space = Tiles::<W>::new(rows, columns, &tiles, &goal, Direction::ALL);
            for card in CARDS {
                let feature = named(&space, card.name).unwrap_or_else(|| panic!("{} is on the card", card.name));
                let expected = by_hand(card.name, columns, &tiles, &goal) as f64;
                assert_eq!(feature(&space, &space.start), expected, "{} {tiles:?} {goal:?}", card.name);
            }
            assert!(named(&space, "manhattan").is_none());
        }
    }

    #[test]
    fn features_agree_with_their_definitions() {
        let mut random = Random::new(1);
        for (rows, columns) in [(2, 2), (2, 3), (3, 2), (3, 3), (3, 4), (4, 4)] {
            check::<u64>(&mut random, rows, columns);
        }
        check::<u128>(&mut random, 5, 5);
        check::<[u64; 4]>(&mut random, 8, 5);
    }
}
