//! Single-player Chexers.
//!
//! The board is the 37 hexes `(q, r)` with |q|, |r| and |q + r| at most 3. A piece moves to a free neighbour, jumps
//! over an occupied neighbour to the free hex opposite, or exits from an exit hex of its colour. The goal is the board
//! without pieces. Blocks never move.

use std::collections::HashMap;

use crate::{depths, distance};

type Hex = (i8, i8);

const DIRECTIONS: [Hex; 6] = [(-1, 0), (0, -1), (1, -1), (1, 0), (0, 1), (-1, 1)];

/// Least number of actions that take every piece off the board.
///
/// # Panics
///
/// If `colour` is not red, green or blue.
#[must_use]
pub fn cost(colour: &str, pieces: &[Hex], blocks: &[Hex]) -> Option<u32> {
    let exits = exits(colour);
    let after = |pieces: &Vec<Hex>| {
        let mut boards = relocations(pieces, blocks);
        for &piece in pieces.iter().filter(|piece| exits.contains(piece)) {
            let others = pieces.iter().filter(|&&other| other != piece);
            boards.push(others.copied().collect());
        }
        boards
    };
    distance(sorted(pieces.to_vec()), after, Vec::is_empty)
}

/// Distance of every solvable placement of at most `max_pieces` pieces. The pieces of a placement are sorted.
///
/// # Panics
///
/// If `colour` is not red, green or blue.
#[must_use]
pub fn distances(colour: &str, blocks: &[Hex], max_pieces: usize) -> HashMap<Vec<Hex>, u32> {
    let exits = exits(colour);
    let before = |pieces: &Vec<Hex>| {
        // A move or jump reverses a move or jump, because the piece that was jumped over stays.
        let mut boards = relocations(pieces, blocks);
        if pieces.len() < max_pieces {
            for exit in exits {
                if !pieces.contains(&exit) && !blocks.contains(&exit) {
                    boards.push(sorted([pieces.as_slice(), &[exit]].concat()));
                }
            }
        }
        boards
    };
    depths(vec![Vec::new()], before)
}

fn exits(colour: &str) -> [Hex; 4] {
    match colour {
        "red" => [(3, -3), (3, -2), (3, -1), (3, 0)],
        "green" => [(-3, 3), (-2, 3), (-1, 3), (0, 3)],
        "blue" => [(-3, 0), (-2, -1), (-1, -2), (0, -3)],
        _ => panic!("no colour {colour}"),
    }
}

/// The placements after a move or a jump of one piece.
fn relocations(pieces: &[Hex], blocks: &[Hex]) -> Vec<Vec<Hex>> {
    let is_on_board = |(q, r): Hex| q.abs() <= 3 && r.abs() <= 3 && (q + r).abs() <= 3;
    let is_occupied = |hex| pieces.contains(&hex) || blocks.contains(&hex);
    let mut placements = Vec::new();
    for (index, &(q, r)) in pieces.iter().enumerate() {
        for (along_q, along_r) in DIRECTIONS {
            let neighbour = (q + along_q, r + along_r);
            let opposite = (q + 2 * along_q, r + 2 * along_r);
            let target = if is_occupied(neighbour) { opposite } else { neighbour };
            if is_on_board(target) && !is_occupied(target) {
                let mut placement = pieces.to_vec();
                placement[index] = target;
                placements.push(sorted(placement));
            }
        }
    }
    placements
}

fn sorted(mut pieces: Vec<Hex>) -> Vec<Hex> {
    pieces.sort_unstable();
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Random;

    #[test]
    fn course_files_have_their_known_costs() {
        let blocks = [(-1, 0), (-1, 1), (1, 1), (3, -1)];
        assert_eq!(cost("red", &[(0, 0), (0, -1), (-2, 1)], &blocks), Some(10));
        assert_eq!(cost("green", &[(0, -1)], &[(-2, 2), (-1, 2), (0, 2)]), Some(4));
        assert_eq!(cost("red", &[(0, 0)], &exits("red")), None);
        assert_eq!(cost("blue", &[], &[]), Some(0));
    }

    #[test]
    fn without_blocks_every_placement_can_be_solved() {
        for colour in ["red", "green", "blue"] {
            assert_eq!(distances(colour, &[], 2).len(), 1 + 37 + 37 * 36 / 2);
        }
    }

    #[test]
    fn distances_agree_with_cost() {
        let blocks = [(-1, 0), (-1, 1), (1, 1), (3, -1)];
        let distances = distances("red", &blocks, 3);
        assert_eq!(distances[&vec![(-2, 1), (0, -1), (0, 0)]], 10);
        let mut placements: Vec<_> = distances.keys().collect();
        placements.sort_unstable();
        let mut random = Random::new(1);
        for _ in 0..10 {
            let placement = placements[random.below(placements.len())];
            assert_eq!(cost("red", placement, &blocks), Some(distances[placement]), "{placement:?}");
        }
    }

    #[test]
    fn walled_in_pieces_have_no_distance() {
        // The corner (-3, 0) is shut in by its neighbours and the hexes that jumps would reach.
        let blocks = [(-2, -1), (-1, -2), (-2, 0), (-1, 0), (-3, 1), (-3, 2)];
        assert_eq!(cost("red", &[(-3, 0)], &blocks), None);
        let distances = distances("red", &blocks, 1);
        assert_eq!(distances.len(), 1 + 37 - blocks.len() - 1);
        assert!(!distances.contains_key(&vec![(-3, 0)]));
    }
}
