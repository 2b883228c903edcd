//! Finding the pieces on a board of characters.

use super::board::Notation;
use super::read::{BLOT, Sheet};
use admissible_front::grid::Direction;
use admissible_front::text::{Inspector, shown};

/// What a piece covers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Shape {
    Single,
    Lying,
    Standing,
    Big,
}

/// A piece by its upper left cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Piece {
    pub(super) shape: Shape,
    pub(super) row: usize,
    pub(super) column: usize,
}

type Cell = (usize, usize);

/// The pieces of a board; what belongs to none is a fault.
pub(super) fn find_pieces(sheet: &Sheet, notation: Notation, inspector: &mut Inspector) -> Vec<Piece> {
    let taken = vec![vec![false; sheet.width()]; sheet.height()];
    let mut finder = Finder { sheet, taken, pieces: Vec::new(), inspector };
    for row in 0..sheet.height() {
        for column in 0..sheet.width() {
            match (notation, sheet.rows[row][column]) {
                (_, '1') => finder.square((row, column)),
                (Notation::Symbols, symbol) => finder.symbol((row, column), symbol),
                (Notation::Digits, digit) => finder.digit((row, column), digit),
            }
        }
    }
    finder.pieces
}

struct Finder<'a> {
    sheet: &'a Sheet,
    /// The cells that were made part of a piece, or given up.
    taken: Vec<Vec<bool>>,
    pieces: Vec<Piece>,
    inspector: &'a mut Inspector,
}

impl Finder<'_> {
    fn at(&self, (row, column): Cell) -> Option<char> {
        self.sheet.rows.get(row)?.get(column).copied()
    }

    fn is_free(&self, cell: Cell, symbol: char) -> bool {
        self.at(cell) == Some(symbol) && !self.taken[cell.0][cell.1]
    }

    fn piece(&mut self, shape: Shape, (row, column): Cell) {
        self.pieces.push(Piece { shape, row, column });
    }

    fn fault(&mut self, (row, column): Cell, message: String) {
        self.sheet.fault(row, column, message, self.inspector);
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

    /// Whether the other half of a domino is where it has to be.
    fn expect_half(&mut self, cell: Cell, side: Direction, other: char) -> bool {
        let found = self.at(neighbours(cell)[side as usize]);
        if found != Some(other) && found != Some(BLOT) {
            let half = self.sheet.rows[cell.0][cell.1];
            let side = ["above", "to the right of", "below", "to the left of"][side as usize];
            let found = found.map_or("the edge of the board".into(), shown);
            self.fault(cell, format!("expected '{other}' {side} '{half}', found {found}"));
        }
        found == Some(other)
    }

    fn digit(&mut self, cell: Cell, digit: char) {
        match digit {
            '0' | BLOT => {}
            '7' => self.piece(Shape::Single, cell),
            label if self.is_free(cell, label) => self.dominoes(cell, label),
            _ => {}
        }
    }

    /// The cells of every 2x2 piece come first in reading order at its upper left one, so what does not begin a square
    /// there is part of none.
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
        if !self.is_blotted(&group) {
            let message = format!("expected '1' in squares of 2 by 2 cells, found {} outside of one", group.len());
            self.fault(cell, message);
        }
    }

    /// The dominoes with one label that touch each other; usually there is only one.
    fn dominoes(&mut self, cell: Cell, label: char) {
        let group = self.take_group(cell, label);
        if let Some(pairs) = pair_off(&group) {
            for (half, other) in pairs {
                let shape = if half.0 == other.0 { Shape::Lying } else { Shape::Standing };
                self.piece(shape, half.min(other));
            }
        } else if !self.is_blotted(&group) {
            let message = match group.len() {
                1 => format!("expected a second '{label}' beside it, found none"),
                count if count % 2 == 1 => format!("expected a domino of two cells, found {count} with '{label}'"),
                count => format!("expected '{label}' to pair off in one way into dominoes, found {count} that do not"),
            };
            self.fault(cell, message);
        }
    }

    /// Takes the free cells with the same character that hang together with this one.
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

    fn is_blotted(&self, group: &[Cell]) -> bool {
        group.iter().flat_map(|&cell| neighbours(cell)).any(|cell| self.at(cell) == Some(BLOT))
    }
}

/// In the order of [`Direction::ALL`]. Off the upper and left edge the index wraps around to one that no board has.
fn neighbours((row, column): Cell) -> [Cell; 4] {
    [(row.wrapping_sub(1), column), (row, column + 1), (row + 1, column), (row, column.wrapping_sub(1))]
}

/// Pairs cells with neighbours if there is exactly one way to do so: then some cell has one free neighbour only, as in
/// every bipartite graph with one perfect matching, and that is so again when the two are taken away.
fn pair_off(group: &[Cell]) -> Option<Vec<(Cell, Cell)>> {
    let mut left = group.to_vec();
    let mut pairs = Vec::new();
    while !left.is_empty() {
        let pair = left.iter().find_map(|&cell| {
            let mut beside = left.iter().copied().filter(|other| neighbours(cell).contains(other));
            let other = beside.next()?;
            beside.next().is_none().then_some((cell, other))
        })?;
        left.retain(|&cell| cell != pair.0 && cell != pair.1);
        pairs.push(pair);
    }
    Some(pairs)
}
