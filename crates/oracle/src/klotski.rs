//! Sliding blocks.
//!
//! A board is its rows in the symbols `.` empty, `1` a quarter of a 2x2 piece, `2` a 1x1 piece, `<>` a horizontal
//! domino and `^` above `v` a vertical one. A step moves one piece by one cell. Pieces of one shape have the same
//! symbols, so boards that differ only by exchanging such pieces are equal.

use std::collections::HashMap;

use crate::{depths, distance};

type Cell = (usize, usize);

/// Least number of steps from `start` to `goal`, matched cell for cell; without a goal, until a 2x2 piece lies at the
/// bottom centre of a board 4 wide and 5 high: rows 3 and 4, columns 1 and 2.
#[must_use]
pub fn cost(start: &[String], goal: Option<&[String]>) -> Option<u32> {
    let is_goal = |board: &Vec<String>| match goal {
        Some(goal) => board == goal,
        None => pieces(&cells(board)).contains(&vec![(3, 1), (3, 2), (4, 1), (4, 2)]),
    };
    distance(start.to_vec(), |board| steps(board), is_goal)
}

/// Least number of moves to the default goal of [`cost`]: a move is any number of consecutive steps of one piece.
#[must_use]
pub fn cost_in_moves(start: &[String]) -> Option<u32> {
    let is_goal = |board: &Vec<String>| pieces(&cells(board)).contains(&vec![(3, 1), (3, 2), (4, 1), (4, 2)]);
    distance(start.to_vec(), |board| moves(board), is_goal)
}

/// Depth in moves of every board that can be reached from `start`.
#[must_use]
pub fn component_in_moves(start: &[String]) -> HashMap<Vec<String>, u32> {
    depths(vec![start.to_vec()], |board| moves(board))
}

/// Depth of every board that can be reached from `start`.
#[must_use]
pub fn component(start: &[String]) -> HashMap<Vec<String>, u32> {
    depths(vec![start.to_vec()], |board| steps(board))
}

fn cells(board: &[String]) -> Vec<Vec<char>> {
    board.iter().map(|row| row.chars().collect()).collect()
}

/// The cells of every piece, in reading order.
fn pieces(cells: &[Vec<char>]) -> Vec<Vec<Cell>> {
    let mut pieces: Vec<Vec<Cell>> = Vec::new();
    for (row, line) in cells.iter().enumerate() {
        for (column, symbol) in line.iter().enumerate() {
            let (right, below) = (column + 1, row + 1);
            let piece = match symbol {
                // In reading order, a quarter that no earlier piece has is the upper left one.
                '1' if pieces.iter().any(|piece| piece.contains(&(row, column))) => continue,
                '1' => vec![(row, column), (row, right), (below, column), (below, right)],
                '2' => vec![(row, column)],
                '<' => vec![(row, column), (row, right)],
                '^' => vec![(row, column), (below, column)],
                _ => continue,
            };
            pieces.push(piece);
        }
    }
    pieces
}

fn steps(board: &[String]) -> Vec<Vec<String>> {
    let cells = cells(board);
    pieces(&cells).into_iter().flat_map(|piece| steps_of(&cells, &piece)).map(|(next, _)| next).collect()
}

fn moves(board: &[String]) -> Vec<Vec<String>> {
    let mut boards = Vec::new();
    for piece in pieces(&cells(board)) {
        let mut seen = vec![piece[0]];
        let mut open = vec![(board.to_vec(), piece)];
        while let Some((from, piece)) = open.pop() {
            for (next, moved) in steps_of(&cells(&from), &piece) {
                if !seen.contains(&moved[0]) {
                    seen.push(moved[0]);
                    boards.push(next.clone());
                    open.push((next, moved));
                }
            }
        }
    }
    boards
}

/// The boards after the steps of one piece, and its cells there.
fn steps_of(cells: &[Vec<char>], piece: &[Cell]) -> Vec<(Vec<String>, Vec<Cell>)> {
    let mut boards = Vec::new();
    let mut without = cells.to_vec();
    for &(row, column) in piece {
        without[row][column] = '.';
    }
    for (down, right) in [(-1, 0), (1, 0), (0, -1), (0, 1)] {
        // Off the upper or left edge the index wraps around to one that no board has.
        let shifted: Vec<Cell> = piece
            .iter()
            .map(|(row, column)| (row.wrapping_add_signed(down), column.wrapping_add_signed(right)))
            .collect();
        let is_free = |&(row, column): &Cell| {
            let line: Option<&Vec<char>> = without.get(row);
            line.is_some_and(|line| line.get(column) == Some(&'.'))
        };
        if shifted.iter().all(is_free) {
            let mut next = without.clone();
            for (from, to) in piece.iter().zip(&shifted) {
                next[to.0][to.1] = cells[from.0][from.1];
            }
            boards.push((next.iter().map(|line| line.iter().collect()).collect(), shifted));
        }
    }
    boards
}

#[cfg(test)]
mod tests {
    use super::*;

    fn board(rows: &str) -> Vec<String> {
        rows.split(' ').map(String::from).collect()
    }

    #[test]
    fn the_classic_layout_has_its_known_component() {
        let start = board("^11^ v11v ^<>^ v22v 2..2");
        assert_eq!(cost(&start, None), Some(116));
        let component = component(&start);
        assert_eq!(component.len(), 25_955);
        assert_eq!(component.values().max(), Some(&167));
        let goals = component.keys().filter(|rows| &rows[3][1..3] == "11" && &rows[4][1..3] == "11");
        assert_eq!(goals.count(), 964);
    }

    #[test]
    fn the_classic_layout_has_its_known_cost_in_moves() {
        let start = board("^11^ v11v ^<>^ v22v 2..2");
        assert_eq!(cost_in_moves(&start), Some(81));
        assert_eq!(component_in_moves(&start).len(), 25_955);
        assert_eq!(cost_in_moves(&board("11.. 11.. .... .... ....")), Some(1), "around a corner");
    }

    #[test]
    fn goal_boards_are_matched_cell_for_cell() {
        let start = board("2^22 2v<> <><> 11.^ 11.v");
        assert_eq!(cost(&start, Some(&board("2^22 2v<> <><> .11^ .11v"))), Some(1));
        assert_eq!(cost(&start, Some(&start)), Some(0));
        let start = board("2^22 2v<> 11<> 11.^ <>.v");
        assert_eq!(cost(&start, Some(&board("^^22 vv22 11<> 11<> .<>."))), None);
    }

    #[test]
    fn adjacent_2x2_pieces_are_distinguished() {
        // The cells at the bottom centre are all `1`, but they belong to two pieces.
        assert_eq!(cost(&board(".... .... .... 1111 1111"), None), Some(3));
    }
}
