//! Finds the pieces on a grid of characters.

use super::{CharGrid, UNREADABLE};
use crate::board::Notation;
use admissible_front::grid::Direction;
use admissible_front::text::{Inspector, shown};

/// The shape of a piece.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Shape {
    Single,
    Lying,
    Standing,
    Big,
}

/// A piece by its upper left cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Piece {
    pub(crate) shape: Shape,
    pub(crate) row: usize,
    pub(crate) column: usize,
}

type Cell = (usize, usize);

/// The pieces of a board. A character that belongs to no piece is a fault.
pub(super) fn find_pieces(grid: &CharGrid, notation: Notation, inspector: &mut Inspector) -> Vec<Piece> {
    let taken = vec![vec![false; grid.width()]; grid.height()];
    let mut finder = Finder { grid, taken, pieces: Vec::new(), inspector };
    for row in 0..grid.height() {
        for column in 0..grid.width() {
            match (notation, grid.rows[row][column]) {
                (_, '1') => finder.square((row, column)),
                (Notation::Symbols, symbol) => finder.symbol((row, column), symbol),
                (Notation::Digits, digit) => finder.digit((row, column), digit),
            }
        }
    }
    finder.pieces
}

struct Finder<'a> {
    grid: &'a CharGrid,
    /// The cells that are part of a piece or of a fault.
    taken: Vec<Vec<bool>>,
    pieces: Vec<Piece>,
    inspector: &'a mut Inspector,
}

impl Finder<'_> {
    fn at(&self, (row, column): Cell) -> Option<char> {
        self.grid.rows.get(row)?.get(column).copied()
    }

    fn is_free(&self, cell: Cell, symbol: char) -> bool {
        self.at(cell) == Some(symbol) && !self.taken[cell.0][cell.1]
    }

    fn piece(&mut self, shape: Shape, (row, column): Cell) {
        self.pieces.push(Piece { shape, row, column });
    }

    fn fault(&mut self, (row, column): Cell, message: String) {
        self.grid.fault(row, column, message, self.inspector);
    }

    fn symbol(&mut self, cell: Cell, symbol: char) {
        match symbol {
            '2' => self.piece(Shape::Single, cell),
            '<' if self.expect_half(cell, Direction::East, '>') => self.piece(Shape::Lying, cell),
            '^' if self.expect_half(cell, Direction::South, 'v') => self.piece(Shape::Standing, cell),
            '>' => _ = self.expect_half(cell, Direction::West, '<'),
            'v' => _ = self.expect_half(cell, Direction::North, '^'),
            _ => {}
        }
    }

    /// Whether the other half of a domino is in its place; reports a fault if not.
    fn expect_half(&mut self, cell: Cell, side: Direction, other: char) -> bool {
        let found = self.at(neighbours(cell)[side as usize]);
        if found != Some(other) && found != Some(UNREADABLE) {
            let half = self.grid.rows[cell.0][cell.1];
            let side = ["above", "to the right of", "below", "to the left of"][side as usize];
            let found = found.map_or("the edge of the board".into(), shown);
            self.fault(cell, format!("expected '{other}' {side} '{half}', found {found}"));
        }
        found == Some(other)
    }

    fn digit(&mut self, cell: Cell, digit: char) {
        match digit {
            '0' | UNREADABLE => {}
            '7' => self.piece(Shape::Single, cell),
            label if self.is_free(cell, label) => self.dominoes(cell, label),
            _ => {}
        }
    }

    /// In reading order, the first cell of a 2x2 piece is its upper left one: a cell that starts no square is in none.
    fn square(&mut self, cell: Cell) {
        if !self.is_free(cell, '1') {
            return;
        }
        let (row, column) = cell;
        let square = [cell, (row, column + 1), (row + 1, column), (row + 1, column + 1)];
        if square.iter().all(|&quarter| self.is_free(quarter, '1')) {
            for (row, column) in square {
                self.taken[row][column] = true;
            }
            self.piece(Shape::Big, cell);
            return;
        }
        let group = self.take_group(cell, '1');
        if !self.touches_unreadable(&group) {
            let message = format!("expected '1' in squares of 2 by 2 cells, found {} outside of one", group.len());
            self.fault(cell, message);
        }
    }

    /// The dominoes of a connected group with one label; usually a single one.
    fn dominoes(&mut self, cell: Cell, label: char) {
        let group = self.take_group(cell, label);
        if let Some(pairs) = pair_off(&group) {
            for (half, other) in pairs {
                let shape = if half.0 == other.0 { Shape::Lying } else { Shape::Standing };
                self.piece(shape, half.min(other));
            }
        } else if !self.touches_unreadable(&group) {
            let message = match group.len() {
                1 => format!("expected a second '{label}' beside it, found none"),
                count if count % 2 == 1 => format!("expected a domino of two cells, found {count} with '{label}'"),
                count => format!("expected '{label}' to pair off in one way into dominoes, found {count} that do not"),
            };
            self.fault(cell, message);
        }
    }

    /// Takes the connected group of free cells with the same character.
    fn take_group(&mut self, cell: Cell, symbol: char) -> Vec<Cell> {
        let mut group = vec![cell];
        self.taken[cell.0][cell.1] = true;
        let mut next = 0;
        while next < group.len() {
            for cell in neighbours(group[next]) {
                if self.is_free(cell, symbol) {
                    self.taken[cell.0][cell.1] = true;
                    group.push(cell);
                }
            }
            next += 1;
        }
        group
    }

    fn touches_unreadable(&self, group: &[Cell]) -> bool {
        group.iter().flat_map(|&cell| neighbours(cell)).any(|cell| self.at(cell) == Some(UNREADABLE))
    }
}

/// In the order of [`Direction::ALL`]. Beyond the upper and left edge the index wraps around to one outside the board.
fn neighbours((row, column): Cell) -> [Cell; 4] {
    [(row.wrapping_sub(1), column), (row, column + 1), (row + 1, column), (row, column.wrapping_sub(1))]
}

/// The perfect matching of cells with neighbours, if it is unique. Then, as in every bipartite graph with a unique
/// perfect matching, some cell has exactly one free neighbour, also after the two are removed.
fn pair_off(group: &[Cell]) -> Option<Vec<(Cell, Cell)>> {
    let mut left = group.to_vec();
    let mut pairs = Vec::new();
    while !left.is_empty() {
        let pair = left.iter().find_map(|&cell| {
            let mut free_neighbours = left.iter().copied().filter(|other| neighbours(cell).contains(other));
            let other = free_neighbours.next()?;
            free_neighbours.next().is_none().then_some((cell, other))
        })?;
        left.retain(|&cell| cell != pair.0 && cell != pair.1);
        pairs.push(pair);
    }
    Some(pairs)
}
