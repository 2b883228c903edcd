//! Reading files: a board, or a start and a goal with an empty line between them, in digits or in symbols.
//!
//! Text becomes a rectangle of characters, then a list of pieces, and only when nothing is wrong with any of it a
//! board. A character that is unknown or missing is told of once; from then on it is a blot, and nobody complains about
//! an unfinished piece beside a blot.

use super::board::{Board, Frame, Goal, Klotski, Notation};
use super::pieces::{Piece, Shape, find_pieces};
use super::planes::{Planes, TwoWords};
use admissible_front::grid::Direction;
use admissible_front::text::{Faults, Inspector, Line, paragraphs, shown};

/// What stands for a character that could not be read.
pub(super) const BLOT: char = '?';

/// A board as it stands in the file, made a rectangle.
pub(super) struct Sheet {
    pub(super) rows: Vec<Vec<char>>,
    /// The numbers of the lines, and the columns of the characters in them.
    lines: Vec<usize>,
    columns: Vec<Vec<usize>>,
}

impl Sheet {
    fn read(lines: &[Line<'_>], notation: Notation, inspector: &mut Inspector) -> Self {
        let (alphabet, expected) = match notation {
            Notation::Symbols => (".12<>^v", "expected '.', '1', '2', '<', '>', '^' or 'v'"),
            Notation::Digits => ("0123456789", "expected a digit"),
        };
        let width = lines[0].cells().len();
        let mut sheet = Sheet { rows: Vec::new(), lines: Vec::new(), columns: Vec::new() };
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
            let readable = |&(_, c): &(usize, char)| if alphabet.contains(c) { c } else { BLOT };
            let mut row: Vec<char> = cells.iter().map(readable).collect();
            row.resize(width, BLOT);
            sheet.rows.push(row);
            sheet.lines.push(line.number);
            sheet.columns.push(cells.iter().map(|&(column, _)| column).collect());
        }
        sheet
    }

    pub(super) fn width(&self) -> usize {
        self.rows[0].len()
    }

    pub(super) fn height(&self) -> usize {
        self.rows.len()
    }

    /// The size in words.
    fn size(&self) -> String {
        let plural = |count: usize, word: &str| format!("{count} {word}{}", if count == 1 { "" } else { "s" });
        format!("{} of {}", plural(self.height(), "row"), plural(self.width(), "cell"))
    }

    /// Whether the board is neither too small nor too large.
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
    fn expect_size_of(&self, start: &Sheet, inspector: &mut Inspector) -> bool {
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
            // Quarters that make no square have been told of.
            if !self.rows.iter().flatten().any(|&c| c == '1' || c == BLOT) {
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

    fn expect_pieces_of(&self, start: &[Piece], goal: &[Piece], inspector: &mut Inspector) {
        let names = [
            (Shape::Single, "singles"),
            (Shape::Lying, "lying dominoes"),
            (Shape::Standing, "standing dominoes"),
            (Shape::Big, "2x2 pieces"),
        ];
        for (shape, name) in names {
            let count = |pieces: &[Piece]| pieces.iter().filter(|piece| piece.shape == shape).count();
            let (expected, found) = (count(start), count(goal));
            if expected != found {
                let message = format!("expected as many {name} as in the start ({expected}), found {found}");
                inspector.fault(self.lines[0], 1, message);
            }
        }
    }

    /// Line and column of a cell.
    fn place(&self, row: usize, column: usize) -> (usize, usize) {
        (self.lines[row], self.columns[row][column])
    }

    pub(super) fn fault(&self, row: usize, column: usize, message: String, inspector: &mut Inspector) {
        let (line, column) = self.place(row, column);
        inspector.fault(line, column, message);
    }
}

/// A file without faults.
pub(super) struct Layout {
    frame: Frame,
    notation: Notation,
    start: Board,
    goal: Goal,
}

impl Layout {
    pub(super) fn read(text: &str) -> Result<Self, Faults> {
        let notation = notation(text);
        let mut inspector = Inspector::default();
        let paragraphs = paragraphs(text);
        let Some(first) = paragraphs.first() else {
            return Err(Faults::one(1, 1, "expected a board in symbols or digits, found nothing"));
        };
        for third in paragraphs.iter().skip(2) {
            inspector.fault(third[0].number, 1, "expected a start and a goal at the most, found another board");
        }
        let sheet = Sheet::read(first, notation, &mut inspector);
        let goal_sheet = paragraphs.get(1).map(|second| Sheet::read(second, notation, &mut inspector));
        let mut in_bounds = sheet.expect_size_in_bounds(&mut inspector);
        if let Some(goal_sheet) = &goal_sheet {
            in_bounds &= goal_sheet.expect_size_of(&sheet, &mut inspector);
        }
        // Nobody looks for pieces on a board of a million cells.
        let (start, goal) = match &goal_sheet {
            _ if !in_bounds => Default::default(),
            None => {
                let start = find_pieces(&sheet, notation, &mut inspector);
                sheet.expect_one_big(&start, &mut inspector);
                (start, None)
            }
            Some(goal_sheet) => {
                let [start, goal] = [&sheet, goal_sheet].map(|sheet| find_pieces(sheet, notation, &mut inspector));
                if inspector.is_clean() {
                    goal_sheet.expect_pieces_of(&start, &goal, &mut inspector);
                }
                (start, Some(goal))
            }
        };
        inspector.pass(())?;
        let (width, height) = (sheet.width(), sheet.height());
        let frame = Frame::new(width, height);
        let goal = match goal {
            Some(goal) => Goal::Board(frame.board(&goal)),
            // Where the width is odd, the left of the two places in the middle.
            None => Goal::BigAt(frame.cell(height - 2, (width - 2) / 2)),
        };
        Ok(Layout { frame, notation, start: frame.board(&start), goal })
    }

    /// The board in these rows of symbols, if it has no fault and fits into the frame.
    pub(super) fn read_start(text: &str, frame: &Frame) -> Option<Board> {
        let lines: Vec<Line<'_>> = paragraphs(text).into_iter().flatten().collect();
        let mut inspector = Inspector::default();
        let sheet = lines.first().map(|_| Sheet::read(&lines, Notation::Symbols, &mut inspector))?;
        if (sheet.width(), sheet.height()) != (frame.width as usize, frame.height as usize) {
            return None;
        }
        let pieces = find_pieces(&sheet, Notation::Symbols, &mut inspector);
        inspector.pass(frame.board(&pieces)).ok()
    }

    pub(super) fn cells(&self) -> usize {
        self.frame.inside.count_ones() as usize
    }

    pub(super) fn puzzle<P: Planes>(&self, order: [Direction; 4]) -> Klotski<P> {
        Klotski::new(self.frame, self.start, self.goal, self.notation, order)
    }
}

/// Digits, if more characters are of that alphabet alone than of the other alone.
fn notation(text: &str) -> Notation {
    let count = |alphabet: &str| text.chars().filter(|&c| alphabet.contains(c)).count();
    if count("03456789") > count(".<>^v") { Notation::Digits } else { Notation::Symbols }
}

/// Whether a text looks like a board. Numbers with blanks between them are sliding tiles, unless there are four `1` in
/// a square: a slip of the pen can repeat a number on such a board, but hardly that.
pub(super) fn recognises(text: &str) -> bool {
    let has = |alphabet: &str| text.chars().any(|c| alphabet.contains(c));
    if has("{") {
        return false;
    }
    if has("<>^") {
        return true;
    }
    let letters = text.chars().filter(|&c| c.is_alphabetic() && c != 'v').count();
    let digits = text.chars().filter(char::is_ascii_digit).count();
    // A slip of the pen should not hide what it is.
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
