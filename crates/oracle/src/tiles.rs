//! The sliding-tile puzzle on any rectangle.
//!
//! A board is its numbers in reading order, 0 the gap; an action slides a neighbour of the gap into it.

use std::collections::HashMap;

use crate::depths;

/// Distance to `goal` of every board that can reach it.
///
/// # Panics
///
/// If `goal` does not have `rows * columns` numbers with a 0 among them.
#[must_use]
pub fn distances(rows: usize, columns: usize, goal: &[u8]) -> HashMap<Vec<u8>, u32> {
    assert_eq!(goal.len(), rows * columns, "the goal does not fill the board");
    // Every slide is reversible, so the predecessors of a board are its successors.
    depths(vec![goal.to_vec()], |board| slides(columns, board))
}

fn slides(columns: usize, board: &[u8]) -> Vec<Vec<u8>> {
    let gap = board.iter().position(|&tile| tile == 0).expect("a board has a gap");
    let mut tiles = Vec::new();
    if gap >= columns {
        tiles.push(gap - columns);
    }
    if gap + columns < board.len() {
        tiles.push(gap + columns);
    }
    if gap % columns > 0 {
        tiles.push(gap - 1);
    }
    if gap % columns + 1 < columns {
        tiles.push(gap + 1);
    }
    let slide = |tile| {
        let mut next = board.to_vec();
        next.swap(gap, tile);
        next
    };
    tiles.into_iter().map(slide).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_boards_have_their_known_eccentricities() {
        for (rows, columns, goal, eccentricity) in
            [(2, 2, vec![1, 2, 3, 0], 6), (2, 3, vec![1, 2, 3, 4, 5, 0], 21), (3, 2, vec![0, 1, 2, 3, 4, 5], 21)]
        {
            let distances = distances(rows, columns, &goal);
            assert_eq!(distances.values().max(), Some(&eccentricity), "{goal:?}");
        }
    }

    #[test]
    fn half_of_the_3x3_boards_can_be_solved() {
        let distances = distances(3, 3, &[1, 2, 3, 4, 5, 6, 7, 8, 0]);
        assert_eq!(distances.len(), 181_440);
        assert_eq!(distances.values().max(), Some(&31));
        assert_eq!(distances[&vec![2, 3, 6, 1, 5, 8, 4, 7, 0]], 8);
        assert_eq!(distances.get(&vec![1, 2, 3, 4, 5, 6, 8, 7, 0]), None);
    }
}
