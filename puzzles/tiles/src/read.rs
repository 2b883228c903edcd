//! Boards as text: numbers with blanks between them, one row a line, and optionally the goal after an empty line.

use super::MOST_CELLS;
use admissible_front::text::{Faults, Inspector, Line, paragraphs};

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
        let boards = paragraphs(text);
        let Some(first) = boards.first() else {
            return Err(Faults::one(1, 1, "expected a board of numbers, 0 for the gap, found nothing"));
        };
        if let Some(third) = boards.get(2) {
            let message = "expected at most two boards (start, empty line, goal), found a third";
            return Err(Faults::one(third[0].number, 1, message));
        }
        let mut inspector = Inspector::default();
        let start = Layout::board(first, &mut inspector);
        let goal = boards.get(1).map(|lines| Layout::board(lines, &mut inspector));
        if let Some(goal) = goal.as_ref().filter(|_| inspector.is_clean())
            && (goal.rows, goal.columns) != (start.rows, start.columns)
        {
            let message = format!(
                "expected a goal of {} x {} like the start, found {} x {}",
                start.rows, start.columns, goal.rows, goal.columns
            );
            inspector.fault(boards[1][0].number, 1, message);
        }
        inspector.pass((start, goal))
    }

    fn board(lines: &[Line<'_>], inspector: &mut Inspector) -> Layout {
        let words: Vec<Vec<(usize, &str)>> = lines.iter().map(Line::words).collect();
        let (first, cells) = (lines[0].number, words.iter().map(Vec::len).sum::<usize>());
        let side = cells.isqrt();
        let (rows, columns) = match lines.len() {
            1 if side * side == cells => (side, side),
            rows => (rows, words[0].len()),
        };
        if lines.len() > 1 {
            for (line, words) in lines.iter().zip(&words).filter(|(_, words)| words.len() != columns) {
                let column = words.get(columns).map_or(line.end(), |&(column, _)| column);
                let message = format!("expected {columns} numbers as in the first row, found {}", words.len());
                inspector.fault(line.number, column, message);
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
        let mut seen: Vec<Option<(usize, usize)>> = vec![None; cells];
        for (line, words) in lines.iter().zip(&words) {
            for &(column, word) in words {
                let Some(tile) = parse_number(word).filter(|&tile| tile < cells as u64) else {
                    let message = format!("expected a number from 0 to {}, found '{word}'", cells - 1);
                    inspector.fault(line.number, column, message);
                    continue;
                };
                let tile = tile as usize;
                match seen[tile] {
                    Some((line_before, column_before)) => inspector.fault(
                        line.number,
                        column,
                        format!(
                            "expected every number once, found {tile} again (first at {line_before}:{column_before})"
                        ),
                    ),
                    None => seen[tile] = Some((line.number, column)),
                }
                tiles.push(tile as u8);
            }
        }
        let missing: Vec<String> =
            (0..cells).filter(|&tile| seen[tile].is_none()).map(|tile| tile.to_string()).collect();
        if !missing.is_empty() {
            let last = lines.last().expect("a paragraph has lines");
            inspector.fault(
                last.number,
                last.end(),
                format!("expected every number once, missing {}", missing.join(", ")),
            );
        }
        Layout { rows, columns, tiles }
    }
}

/// Parses a number of digits only; `+3` is not one.
fn parse_number(word: &str) -> Option<u64> {
    word.bytes().all(|byte| byte.is_ascii_digit()).then(|| word.parse().ok())?
}
