//! Boards as text: numbers, one row a line, and optionally the goal after an empty line.
//!
//! Blanks, commas, semicolons, bars and quotes separate numbers. The end of a line, a slash and a bracket end a row, so
//! that `1,2,3`, `[[1,2,3],[4,5,6],[7,8,0]]` and `123/456/780` are rows of three. Rows of digits without separators are
//! read digit by digit; they may stand on one line. A first row of one number, or of two, is the size of the board.

use super::MOST_CELLS;
use admissible_front::text::{Faults, Inspector, Line, check_length, paragraphs};

/// A word of a board and its place.
#[derive(Debug, Clone, Copy)]
pub(super) struct Token<'a> {
    line: usize,
    column: usize,
    pub(super) word: &'a str,
}

impl<'a> Token<'a> {
    /// The character at an index of bytes as a word of its own. The word is ASCII.
    fn character(&self, at: usize) -> Token<'a> {
        Token { line: self.line, column: self.column + at, word: &self.word[at..=at] }
    }

    fn end(&self) -> usize {
        self.column + self.word.chars().count()
    }

    /// The tile; an underscore is the gap. `+3` is not a number.
    pub(super) fn tile(&self) -> Option<u64> {
        let is_number = self.word.bytes().all(|byte| byte.is_ascii_digit());
        if self.word == GAP { Some(0) } else { is_number.then(|| self.word.parse().ok())? }
    }

    /// Whether several numbers are joined by other characters, as in `1-2-3`.
    fn is_joined(&self) -> bool {
        let is_digit = |c: char| c.is_ascii_digit();
        self.word.split(is_digit).filter(|part| !part.is_empty()).all(|part| !part.contains(char::is_alphabetic))
            && self.word.starts_with(is_digit)
            && self.word.trim_start_matches(is_digit).contains(is_digit)
    }

    /// Whether every character is a digit or a gap.
    fn is_compact(&self) -> bool {
        self.word.bytes().all(|byte| byte.is_ascii_digit() || byte == GAP.as_bytes()[0])
    }
}

/// The gap, beside 0.
const GAP: &str = "_";

type Row<'a> = Vec<Token<'a>>;

/// The rows of some lines.
pub(super) fn rows<'a>(lines: &[Line<'a>]) -> Vec<Row<'a>> {
    let mut rows = Vec::new();
    for line in lines {
        let mut row = Vec::new();
        let (mut column, mut word) = (0, None);
        for (at, c) in line.text.char_indices().chain([(line.text.len(), '\n')]) {
            column += 1;
            let ends_row = matches!(c, '/' | '[' | ']' | '(' | ')' | '\n');
            if ends_row || c.is_whitespace() || matches!(c, ',' | ';' | '|' | '"' | '\'') {
                if let Some((first, column)) = word.take() {
                    row.push(Token { line: line.number, column, word: &line.text[first..at] });
                }
                if ends_row && !row.is_empty() {
                    rows.push(std::mem::take(&mut row));
                }
            } else {
                word = word.or(Some((at, column)));
            }
        }
    }
    rows
}

/// The boards of a text: its paragraphs, without sizes and with rows of digits split into digits.
pub(super) fn boards<'a>(text: &'a str, inspector: &mut Inspector) -> Vec<Vec<Row<'a>>> {
    let mut boards: Vec<Vec<Row<'a>>> = paragraphs(text).iter().map(|lines| rows(lines)).collect();
    boards.retain(|rows| !rows.is_empty());
    // An empty line may follow the size.
    if let [size, board, ..] = &mut boards[..]
        && let [row] = &mut size[..]
        && row.len() == 1
        && !board.is_empty()
        && row[0].word.len() <= 2
    {
        let size = boards.remove(0);
        boards[0].splice(0..0, size);
    }
    for board in &mut boards {
        if is_rows_on_a_line(board) {
            *board = board[0].iter().map(|&token| vec![token]).collect();
        } else if has_sides(board) {
            board.remove(0);
        } else if is_size(board) {
            let size = board.remove(0)[0];
            let cells = board.iter().map(Vec::len).sum::<usize>() as u64;
            if !size.tile().is_some_and(|side| side == board.len() as u64 || side * side == cells) {
                let message =
                    format!("expected the number of rows below ({}), or no size, found '{}'", board.len(), size.word);
                inspector.fault(size.line, size.column, message);
            }
        }
        split_compact(board);
    }
    boards
}

fn last<'a>(row: &Row<'a>) -> Token<'a> {
    *row.last().expect("a row has words")
}

/// Whether the first row is a size: one number above rows of several numbers or digits.
fn is_size(board: &[Row<'_>]) -> bool {
    let [first, rest @ ..] = board else { return false };
    let is_wide = |row: &Row<'_>| row.len() > 1 || row[0].word.len() > 1 && row[0].is_compact();
    first.len() == 1
        && first[0].word.len() <= 2
        && first[0].tile().is_some()
        && !rest.is_empty()
        && rest.iter().all(is_wide)
        && !(rest.iter().all(|row| row.len() == 1) && first[0].word.len() == rest[0][0].word.len())
}

/// Whether the first row is the number of rows and that of columns, above a board of that size. A board of two columns
/// has to be without faults: its own first row may look like a size.
fn has_sides(board: &[Row<'_>]) -> bool {
    let [first, rest @ ..] = board else { return false };
    let [Some(rows), Some(columns)] = first.iter().map(Token::tile).collect::<Vec<_>>()[..] else { return false };
    let mut rest = rest.to_vec();
    split_compact(&mut rest);
    let mut tiles: Vec<Option<u64>> = rest.iter().flatten().map(Token::tile).collect();
    tiles.sort_unstable();
    !rest.is_empty()
        && rest.len() as u64 == rows
        && rest.iter().all(|row| row.len() as u64 == columns)
        && (columns > 2 || tiles.into_iter().eq((0..rows * columns).map(Some)))
}

/// Whether the one row has rows of digits without separators: `123 456 780`.
fn is_rows_on_a_line(board: &[Row<'_>]) -> bool {
    let [row] = board else { return false };
    let length = row[0].word.len();
    if row.len() < 2 || length < 2 || row.len() * length > MOST_COMPACT {
        return false;
    }
    let digits = row.iter().map(|token| token.word).collect::<String>().replace(GAP, "0");
    row.iter().all(|token| token.is_compact() && token.word.len() == length)
        && (0..digits.len()).all(|digit| digits.contains(&digit.to_string()))
}

/// Splits digits without separators.
pub(super) fn split_compact(board: &mut [Row<'_>]) {
    if is_compact(board) {
        for row in board {
            *row = (0..row[0].word.len()).map(|at| row[0].character(at)).collect();
        }
    }
}

/// Whether a board is of digits without separators.
fn is_compact(board: &[Row<'_>]) -> bool {
    board.iter().all(|row| row.len() == 1 && row[0].is_compact()) && board.iter().any(|row| row[0].word.len() > 1)
}

/// A board in reading order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Layout {
    pub(super) rows: usize,
    pub(super) columns: usize,
    pub(super) tiles: Vec<u8>,
}

impl Layout {
    /// The start of a file, and the goal if the file has one.
    pub(super) fn read(text: &str) -> Result<(Layout, Option<Layout>), Faults> {
        check_length(text)?;
        let mut inspector = Inspector::default();
        let boards = boards(text, &mut inspector);
        let Some(first) = boards.first() else {
            return Err(Faults::one(1, 1, "expected a board of numbers, 0 for the gap, found nothing"));
        };
        if let Some(third) = boards.get(2) {
            let message = "expected at most two boards (start, empty line, goal), found a third";
            return Err(Faults::one(third[0][0].line, 1, message));
        }
        let start = Layout::board(first, &mut inspector);
        let goal = boards.get(1).map(|rows| Layout::board(rows, &mut inspector));
        if let Some(goal) = goal.as_ref().filter(|_| inspector.is_clean())
            && (goal.rows, goal.columns) != (start.rows, start.columns)
        {
            let message = format!(
                "expected a goal of {} x {} like the start, found {} x {}",
                start.rows, start.columns, goal.rows, goal.columns
            );
            inspector.fault(boards[1][0][0].line, 1, message);
        }
        inspector.pass((start, goal))
    }

    fn board(lines: &[Row<'_>], inspector: &mut Inspector) -> Layout {
        if let [row] = lines
            && let [token] = row[..]
            && !token.is_compact()
        {
            let message =
                format!("expected numbers with blanks or commas between them (1 2 3 ...), found '{}'", token.word);
            inspector.fault(token.line, token.column, message);
            return Layout { rows: 0, columns: 0, tiles: Vec::new() };
        }
        let (first, cells) = (lines[0][0].line, lines.iter().map(Vec::len).sum::<usize>());
        let side = cells.isqrt();
        let (rows, columns) = match lines.len() {
            1 if side * side == cells => (side, side),
            rows => (rows, lines[0].len()),
        };
        let has_gap = lines.iter().flatten().any(|token| token.tile() == Some(0));
        if lines.len() > 1 {
            for row in lines.iter().filter(|row| row.len() != columns) {
                let column = row.get(columns).map_or(last(row).end(), |token| token.column);
                let gap = if row.len() < columns && !has_gap { " (the gap is 0 or _)" } else { "" };
                let message = format!("expected {columns} numbers as in the first row, found {}{gap}", row.len());
                inspector.fault(last(row).line, column, message);
            }
        }
        if rows < 2 || columns < 2 {
            inspector.fault(first, 1, format!("expected a board of at least 2 x 2, found {rows} x {columns}"));
        }
        if cells > MOST_CELLS {
            inspector.fault(first, 1, format!("expected a board of at most {MOST_CELLS} cells, found {cells}"));
            return Layout { rows, columns, tiles: Vec::new() };
        }
        let mut tiles = Vec::with_capacity(cells);
        let mut seen: Vec<Option<Token<'_>>> = vec![None; cells];
        for token in lines.iter().flatten() {
            let Some(tile) = token.tile().filter(|&tile| tile < cells as u64) else {
                let hint = if token.is_joined() { " (blanks or commas separate numbers)" } else { "" };
                let message = format!("expected a number from 0 to {}, found '{}'{hint}", cells - 1, token.word);
                inspector.fault(token.line, token.column, message);
                continue;
            };
            let tile = tile as usize;
            match seen[tile] {
                Some(Token { line, column, .. }) => inspector.fault(
                    token.line,
                    token.column,
                    format!("expected every number once, found {tile} again (first at {line}:{column})"),
                ),
                None => seen[tile] = Some(*token),
            }
            tiles.push(tile as u8);
        }
        let missing: Vec<String> =
            (0..cells).filter(|&tile| seen[tile].is_none()).map(|tile| tile.to_string()).collect();
        if !missing.is_empty() {
            let end = last(lines.last().expect("a board has rows"));
            inspector.fault(end.line, end.end(), format!("expected every number once, missing {}", missing.join(", ")));
        }
        Layout { rows, columns, tiles }
    }
}

/// Whether a text looks like a board, perhaps with a typo.
pub(super) fn recognises(text: &str) -> bool {
    if text.contains(['<', '>', '^', '{', '*']) {
        return false;
    }
    let boards: Vec<Vec<Row<'_>>> = paragraphs(text).iter().map(|lines| rows(lines)).collect();
    let tokens = || boards.iter().flatten().flatten();
    let numbers = tokens().filter(|token| token.tile().is_some()).count();
    // A shorter list is another kind of JSON.
    if text.contains('[') && tokens().take(4).count() < 4 {
        return false;
    }
    // Most words are numbers, and some row has several.
    let are_joined = tokens().all(|token| token.is_joined() && !token.word.contains('.')) && tokens().next().is_some();
    are_joined
        || are_numerals(text.trim())
        || numbers * 2 > tokens().count() && boards.iter().flatten().any(|row| row.len() > 1)
        || boards.iter().find(|board| !board.is_empty()).is_some_and(|board| looks_compact(board))
}

/// Whether a text is a board with a digit or a letter for each tile, such as `123456789ABCDEF0`.
fn are_numerals(text: &str) -> bool {
    let is_square = text.len() == 16 || text.len() == 25;
    let mut numerals = text.to_ascii_lowercase().into_bytes();
    numerals.sort_unstable();
    numerals.dedup();
    is_square
        && numerals.len() == text.len()
        && numerals.iter().all(u8::is_ascii_alphanumeric)
        && numerals.starts_with(b"0123456789")
}

/// Whether rows of digits without separators have almost every digit once. Klotski boards repeat digits.
fn looks_compact(board: &[Row<'_>]) -> bool {
    let board = if is_size(board) { &board[1..] } else { board };
    if !is_compact(board) {
        return false;
    }
    let cells = board.iter().map(|row| row[0].word.len()).sum::<usize>();
    let mut digits: Vec<u8> = board.iter().flat_map(|row| row[0].word.bytes()).take(MOST_COMPACT + 1).collect();
    digits.sort_unstable();
    digits.dedup();
    (4..=MOST_COMPACT).contains(&cells) && digits.len() + 1 >= cells
}

/// The most cells of a board of digits without separators.
const MOST_COMPACT: usize = 10;
