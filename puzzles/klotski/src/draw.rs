//! Drawings of a board: a box for every piece in the colour of its shape, and a dot for every empty cell.

use std::ops::Range;

use anstyle::{AnsiColor, Style};

use crate::referee::PlainBoard;

/// By the set of lines that meet in a corner: 1 from above, 2 from the right, 4 from below, 8 from the left.
const CORNERS: [&str; 16] = [" ", "╵", "╶", "└", "╷", "│", "┌", "├", "╴", "┘", "─", "┴", "┐", "┤", "┬", "┼"];

/// The board, with an opening in its frame below the columns `exit`.
pub(crate) fn draw(board: &PlainBoard, exit: Range<usize>) -> String {
    let (height, width) = (board.0.len(), board.0[0].len());
    let mut owners = vec![vec![Owner::Empty; width]; height];
    for (number, piece) in board.pieces().into_iter().enumerate() {
        for (row, column) in piece {
            owners[row][column] = Owner::Piece(number);
        }
    }
    let picture = Picture { board, owners, exit };
    let mut text = String::new();
    for row in 0..=height {
        for column in 0..width {
            text += &picture.corner(row, column);
            text += &picture.line_above(row, column);
        }
        text += &picture.corner(row, width);
        text.push('\n');
        if row < height {
            for column in 0..width {
                text += &picture.line_left(row, column);
                text += &picture.inside(row, column);
            }
            text += &picture.line_left(row, width);
            text.push('\n');
        }
    }
    text
}

/// The owner of a cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Owner {
    Outside,
    Empty,
    Piece(usize),
}

/// Lines separate cells with different owners. Above the first row and left of the first column the index wraps around
/// to one outside the board.
struct Picture<'a> {
    board: &'a PlainBoard,
    owners: Vec<Vec<Owner>>,
    exit: Range<usize>,
}

impl Picture<'_> {
    fn owner(&self, row: usize, column: usize) -> Owner {
        self.owners.get(row).and_then(|cells| cells.get(column)).copied().unwrap_or(Owner::Outside)
    }

    fn is_line_above(&self, row: usize, column: usize) -> bool {
        self.owner(row.wrapping_sub(1), column) != self.owner(row, column)
    }

    fn is_line_left(&self, row: usize, column: usize) -> bool {
        self.owner(row, column.wrapping_sub(1)) != self.owner(row, column)
    }

    fn is_opening(&self, row: usize, column: usize) -> bool {
        row == self.owners.len() && self.exit.contains(&column)
    }

    fn line_above(&self, row: usize, column: usize) -> String {
        match self.is_line_above(row, column) {
            true if self.is_opening(row, column) => "┄┄┄".into(),
            true => "───".into(),
            false => self.blank(row, column, "   "),
        }
    }

    fn line_left(&self, row: usize, column: usize) -> String {
        if self.is_line_left(row, column) { "│".into() } else { self.blank(row, column, " ") }
    }

    fn inside(&self, row: usize, column: usize) -> String {
        if self.owner(row, column) == Owner::Empty { " · ".into() } else { self.blank(row, column, "   ") }
    }

    fn corner(&self, row: usize, column: usize) -> String {
        let (above, left) = (row.wrapping_sub(1), column.wrapping_sub(1));
        let lines = usize::from(self.is_line_left(above, column))
            | usize::from(self.is_line_above(row, column)) << 1
            | usize::from(self.is_line_left(row, column)) << 2
            | usize::from(self.is_line_above(row, left)) << 3;
        match CORNERS[lines] {
            " " => self.blank(row, column, " "),
            "─" if self.is_opening(row, left) && self.is_opening(row, column) => "┄".into(),
            corner => corner.into(),
        }
    }

    /// Blanks in the colour of the piece on a cell.
    fn blank(&self, row: usize, column: usize, blanks: &str) -> String {
        let colour = match self.board.0[row][column] {
            '1' => AnsiColor::Red,
            '2' => AnsiColor::Yellow,
            '<' | '>' => AnsiColor::Blue,
            '^' | 'v' => AnsiColor::Cyan,
            _ => return blanks.into(),
        };
        let style = Style::new().bg_color(Some(colour.into()));
        format!("{style}{blanks}{style:#}")
    }
}
