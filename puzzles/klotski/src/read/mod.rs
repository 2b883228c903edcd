//! Reading files: a board, or a start and a goal with an empty line between them, in digits or in symbols.
//!
//! Text becomes a rectangle of characters, then a list of pieces and, if there are no faults, a board. An unknown or
//! missing character is reported once and becomes unreadable; an incomplete piece beside it is not reported.

mod pieces;

use crate::board::{Board, Frame, Goal, Klotski, Notation, Planes, TwoWords};
use admissible_front::grid::Direction;
use admissible_front::text::{Faults, Inspector, Line, check_length, paragraphs, shown};
use pieces::find_pieces;
pub(crate) use pieces::{Piece, Shape};

/// Replaces a character that cannot be read.
const UNREADABLE: char = '?';

/// The characters of a board, padded to a rectangle.
struct CharGrid {
    rows: Vec<Vec<char>>,
    /// By row: the number of its line.
    lines: Vec<usize>,
    /// By row and character: its column in the line.
    columns: Vec<Vec<usize>>,
}

impl CharGrid {
    fn read(lines: &[Line<'_>], notation: Notation, inspector: &mut Inspector) -> Self {
        let (alphabet, expected) = match notation {
            Notation::Symbols => (".12<>^v", "expected '.', '1', '2', '<', '>', '^' or 'v'"),
            Notation::Digits => ("0123456789", "expected a digit"),
        };
        let width = lines[0].cells().len();
        let mut grid = CharGrid { rows: Vec::new(), lines: Vec::new(), columns: Vec::new() };
        for line in lines {
            let cells = line.cells();
            for &(column, c) in cells.iter().filter(|(_, c)| !alphabet.contains(*c)) {
                inspector.fault(line.number, column, format!("{expected}, found {}", shown(c)));
            }
            if cells.len() != width {
                let column = cells.get(width).map_or(line.end(), |&(column, _)| column);
                let message = format!("expected {width} cells as in the first row, found {}", cells.len());
                inspector.fault(line.number, column, message);
            }
            let readable = |&(_, c): &(usize, char)| if alphabet.contains(c) { c } else { UNREADABLE };
            let mut row: Vec<char> = cells.iter().map(readable).collect();
            row.resize(width, UNREADABLE);
            grid.rows.push(row);
            grid.lines.push(line.number);
            grid.columns.push(cells.iter().map(|&(column, _)| column).collect());
        }
        grid
    }

    pub(crate) fn width(&self) -> usize {
        self.rows[0].len()
    }

    pub(crate) fn height(&self) -> usize {
        self.rows.len()
    }

    /// The size in words.
    fn size(&self) -> String {
        let plural = |count: usize, word: &str| format!("{count} {word}{}", if count == 1 { "" } else { "s" });
        format!("{} of {}", plural(self.height(), "row"), plural(self.width(), "cell"))
    }

    /// Whether the size of the board is in bounds.
    fn expect_size_in_bounds(&self, inspector: &mut Inspector) -> bool {
        let message = if self.height() < 2 || self.width() < 2 {
            format!("expected at least 2 rows of 2 cells, found {}", self.size())
        } else if self.height() * self.width() > TwoWords::MOST_CELLS {
            format!("expected at most {} cells, found {}", TwoWords::MOST_CELLS, self.size())
        } else {
            return true;
        };
        inspector.fault(self.lines[0], 1, message);
        false
    }

    /// Whether the board has the size of another.
    fn expect_size_of(&self, start: &CharGrid, inspector: &mut Inspector) -> bool {
        let same = (self.height(), self.width()) == (start.height(), start.width());
        if !same {
            let message = format!("expected {} as in the start, found {}", start.size(), self.size());
            inspector.fault(self.lines[0], 1, message);
        }
        same
    }

    fn expect_one_big(&self, pieces: &[Piece], inspector: &mut Inspector) {
        let mut big = pieces.iter().filter(|piece| piece.shape == Shape::Big);
        let Some(first) = big.next() else {
            // A '1' outside of a square is already reported.
            if !self.rows.iter().flatten().any(|&c| c == '1' || c == UNREADABLE) {
                inspector.fault(
                    self.lines[0],
                    1,
                    "expected a 2x2 piece, or a goal board below the start, found neither",
                );
            }
            return;
        };
        let (line, column) = self.place(first.row, first.column);
        for other in big {
            let message = format!("expected one 2x2 piece, found a second (the first is at {line}:{column})");
            self.fault(other.row, other.column, message, inspector);
        }
    }

    /// Line and column of a cell.
    fn place(&self, row: usize, column: usize) -> (usize, usize) {
        (self.lines[row], self.columns[row][column])
    }

    pub(crate) fn fault(&self, row: usize, column: usize, message: String, inspector: &mut Inspector) {
        let (line, column) = self.place(row, column);
        inspector.fault(line, column, message);
    }
}

/// A file without faults.
pub(crate) struct Layout {
    frame: Frame,
    notation: Notation,
    start: Board,
    goal: Goal,
}

impl Layout {
    pub(crate) fn read(text: &str) -> Result<Self, Faults> {
        check_length(text)?;
        let notation = notation(text);
        let mut inspector = Inspector::default();
        let paragraphs = paragraphs(text);
        let Some(first) = paragraphs.first() else {
            return Err(Faults::one(1, 1, "expected a board in symbols or digits, found nothing"));
        };
        for third in paragraphs.iter().skip(2) {
            inspector.fault(third[0].number, 1, "expected a start and a goal at the most, found another board");
        }
        let grid = CharGrid::read(first, notation, &mut inspector);
        let goal_grid = paragraphs.get(1).map(|second| CharGrid::read(second, notation, &mut inspector));
        let mut in_bounds = grid.expect_size_in_bounds(&mut inspector);
        if let Some(goal_grid) = &goal_grid {
            in_bounds &= goal_grid.expect_size_of(&grid, &mut inspector);
        }
        // A board out of bounds may have millions of cells, so its pieces are not searched.
        let (start, goal) = match &goal_grid {
            _ if !in_bounds => Default::default(),
            None => {
                let start = find_pieces(&grid, notation, &mut inspector);
                grid.expect_one_big(&start, &mut inspector);
                (start, None)
            }
            Some(goal_grid) => {
                let [start, goal] = [&grid, goal_grid].map(|grid| find_pieces(grid, notation, &mut inspector));
                (start, Some(goal))
            }
        };
        inspector.pass(())?;
        let (width, height) = (grid.width(), grid.height());
        let frame = Frame::new(width, height);
        let goal = match goal {
            Some(goal) => Goal::Board(frame.board(&goal)),
            // If the width is odd, the left one of the two middle places.
            None => Goal::BigAt(frame.cell(height - 2, (width - 2) / 2)),
        };
        Ok(Layout { frame, notation, start: frame.board(&start), goal })
    }

    /// The board of these rows of symbols, if it has no fault and the size of the frame.
    pub(crate) fn read_start(text: &str, frame: &Frame) -> Option<Board> {
        let lines: Vec<Line<'_>> = paragraphs(text).into_iter().flatten().collect();
        let mut inspector = Inspector::default();
        let grid = lines.first().map(|_| CharGrid::read(&lines, Notation::Symbols, &mut inspector))?;
        if (grid.width(), grid.height()) != (frame.width as usize, frame.height as usize) {
            return None;
        }
        let pieces = find_pieces(&grid, Notation::Symbols, &mut inspector);
        inspector.pass(frame.board(&pieces)).ok()
    }

    pub(crate) fn cells(&self) -> usize {
        self.frame.inside.count_ones() as usize
    }

    pub(crate) fn puzzle<P: Planes>(&self, order: [Direction; 4]) -> Klotski<P> {
        Klotski::new(self.frame, self.start, self.goal, self.notation, order)
    }
}

/// Digits, if more characters belong only to that alphabet than only to the other.
fn notation(text: &str) -> Notation {
    let count = |alphabet: &str| text.chars().filter(|&c| alphabet.contains(c)).count();
    if count("03456789") > count(".<>^v") { Notation::Digits } else { Notation::Symbols }
}

/// Whether a text looks like a board. Numbers with blanks between them are sliding tiles, unless four `1` form a
/// square: a typo can repeat a number on such a board, but hardly produces that.
pub(crate) fn recognises(text: &str) -> bool {
    let has = |alphabet: &str| text.chars().any(|c| alphabet.contains(c));
    if has("{") {
        return false;
    }
    if has("<>^") {
        return true;
    }
    let letters = text.chars().filter(|&c| c.is_alphabetic() && c != 'v').count();
    let digits = text.chars().filter(char::is_ascii_digit).count();
    // A single typo does not hide a board.
    if letters * 4 > digits {
        return false;
    }
    if has(".") {
        return has("0123456789");
    }
    let paragraphs = paragraphs(text);
    let Some(board) = paragraphs.first() else { return false };
    let words: Vec<Vec<&str>> =
        board.iter().map(|line| line.words().into_iter().map(|(_, word)| word).collect()).collect();
    let is_digits = |word: &str| word.chars().filter(|c| !c.is_ascii_digit()).count() * 4 <= word.len();
    if words.iter().all(|line| line.len() == 1 && is_digits(line[0])) {
        return words.len() > 1 && words.iter().any(|line| line[0].len() > 1);
    }
    words.windows(2).any(|lines| {
        let is_one = |line: &[&str], column: usize| line.get(column) == Some(&"1");
        (1..lines[0].len()).any(|column| lines.iter().all(|line| is_one(line, column - 1) && is_one(line, column)))
    })
}
