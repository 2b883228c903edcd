//! Rolling-die mazes.
//!
//! A grid has rows of `S` start, `G` goal, `.` free and `*` obstacle. The die starts on S with 1 up, 2 north and 3 east
//! (opposite faces add to 7) and rolls onto free cells; 6 may never be up. The goal is to stand on G with 1 up.

use std::collections::HashMap;

use crate::{depths, distance};

/// Row (0 is north), column, and the faces up, north and east.
pub type State = (usize, usize, u8, u8, u8);

/// Least number of rolls from the start to the goal.
///
/// # Panics
///
/// If the grid has no `S` or no `G`.
#[must_use]
pub fn cost(grid: &[&str]) -> Option<u32> {
    let goal = find(grid, 'G');
    distance(start(grid), |&state| rolls(grid, state), |&(row, column, up, ..)| (row, column) == goal && up == 1)
}

/// Distance to the goal of every state that can reach it, whether or not the start leads there.
///
/// # Panics
///
/// If the grid has no `G`.
#[must_use]
pub fn distances(grid: &[&str]) -> HashMap<State, u32> {
    let (row, column) = find(grid, 'G');
    // With 1 up, the faces 2, 3, 5, 4 follow one another clockwise around the die.
    let goals = [(2, 3), (3, 5), (5, 4), (4, 2)].map(|(north, east)| (row, column, 1, north, east));
    // Every roll is reversible, so the predecessors of a state are its successors.
    depths(goals.to_vec(), |&state| rolls(grid, state))
}

/// Every state that can be reached from the start, sorted.
///
/// # Panics
///
/// If the grid has no `S`.
#[must_use]
pub fn reachable(grid: &[&str]) -> Vec<State> {
    let mut states: Vec<State> = depths(vec![start(grid)], |&state| rolls(grid, state)).into_keys().collect();
    states.sort_unstable();
    states
}

pub(crate) fn start(grid: &[&str]) -> State {
    let (row, column) = find(grid, 'S');
    (row, column, 1, 2, 3)
}

pub(crate) fn find(grid: &[&str], symbol: char) -> (usize, usize) {
    let columns = grid.iter().map(|line| line.find(symbol));
    columns
        .enumerate()
        .find_map(|(row, column)| Some((row, column?)))
        .unwrap_or_else(|| panic!("the grid has no {symbol}"))
}

pub(crate) fn rolls(grid: &[&str], (row, column, up, north, east): State) -> Vec<State> {
    let (down, south, west) = (7 - up, 7 - north, 7 - east);
    // Off the north or west edge the index wraps around to one that no grid has.
    let candidates = [
        (row.wrapping_sub(1), column, south, up, east),
        (row + 1, column, north, down, east),
        (row, column + 1, west, north, up),
        (row, column.wrapping_sub(1), east, north, down),
    ];
    let is_free = |row: usize, column: usize| {
        let cell = grid.get(row).and_then(|line| line.as_bytes().get(column));
        cell.is_some_and(|cell| b"SG.".contains(cell))
    };
    candidates.into_iter().filter(|&(row, column, up, ..)| up != 6 && is_free(row, column)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The five course puzzles with their least costs and numbers of reachable states.
    const COURSE: [(&[&str], Option<u32>, usize); 5] = [
        (&["S...G", "....."], Some(6), 72),
        (&["S....", "..***", ".*..G", ".....", "*...."], Some(16), 134),
        (&["S.....", ".****.", ".*....", ".*....", ".....G"], None, 3),
        (&[".G*.S.", "...*..", ".*...*", "......", "...*.."], Some(21), 210),
        (
            &[
                "...........S",
                "............",
                "............",
                "............",
                "....*.......",
                "...*........",
                "..*.........",
                "............",
                "....*.......",
                "...*........",
                "..*.........",
                "G...........",
            ],
            Some(26),
            1284,
        ),
    ];

    #[test]
    fn course_puzzles_have_their_known_costs() {
        for (grid, expected, states) in COURSE {
            assert_eq!(cost(grid), expected, "{grid:?}");
            assert_eq!(reachable(grid).len(), states, "{grid:?}");
        }
    }

    #[test]
    fn distances_agree_with_cost() {
        for (grid, expected, _) in COURSE {
            assert_eq!(distances(grid).get(&start(grid)).copied(), expected, "{grid:?}");
        }
    }

    #[test]
    fn open_board_distances_follow_the_offset() {
        let distances = distances(&[".......", ".......", ".......", "...G...", ".......", ".......", "......."]);
        // Where the 1 faces away from an edge beside it, the die can only roll along that edge.
        assert_eq!(distances.len(), 20 * 49 - 4 * 28);
        for ((row, column, up, ..), distance) in distances {
            let offset = u32::try_from(row.abs_diff(3) + column.abs_diff(3)).unwrap();
            let detour = match (row, column) {
                (3, 3) => 0,
                (3, _) | (_, 3) => 2,
                _ => 4,
            };
            if up == 1 {
                assert_eq!(distance, offset + detour, "row {row}, column {column}");
            }
        }
    }
}
