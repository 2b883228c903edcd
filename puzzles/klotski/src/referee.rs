//! The rules of the board once more, on rows of symbols: a piece is the list of its cells, and a step moves each.

use serde_json::{Value, json};

use admissible_front::puzzle::{Illegal, Referee};

pub(super) type Cell = (usize, usize);

/// The name of a direction, and where it leads by row and column.
pub(super) type Way = (&'static str, (isize, isize));

const WAYS: [Way; 4] = [("up", (-1, 0)), ("left", (0, -1)), ("right", (0, 1)), ("down", (1, 0))];

/// A board in the symbol alphabet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct PlainBoard(pub(super) Vec<Vec<char>>);

impl PlainBoard {
    /// The cells of every piece, its upper left one first.
    pub(super) fn pieces(&self) -> Vec<Vec<Cell>> {
        let mut pieces: Vec<Vec<Cell>> = Vec::new();
        for (row, line) in self.0.iter().enumerate() {
            for (column, symbol) in line.iter().enumerate() {
                let (cell, right, below) = ((row, column), (row, column + 1), (row + 1, column));
                match symbol {
                    // In reading order, a quarter that no piece has yet is the upper left one of the next.
                    '1' if pieces.iter().any(|piece| piece.contains(&cell)) => {}
                    '1' => pieces.push(vec![cell, right, below, (row + 1, column + 1)]),
                    '2' => pieces.push(vec![cell]),
                    '<' => pieces.push(vec![cell, right]),
                    '^' => pieces.push(vec![cell, below]),
                    _ => {}
                }
            }
        }
        pieces
    }

    fn at(&self, (row, column): Cell) -> Option<char> {
        self.0.get(row)?.get(column).copied()
    }

    /// The board after one piece has moved by one cell, or what keeps it from moving.
    fn stepped(&self, piece: &[Cell], (down, right): (isize, isize)) -> Result<PlainBoard, &'static str> {
        let mut board = self.clone();
        for &(row, column) in piece {
            board.0[row][column] = '.';
        }
        let mut after = board.clone();
        for &cell in piece {
            // Off the upper and left edge the index wraps around to one that no board has.
            let to = (cell.0.wrapping_add_signed(down), cell.1.wrapping_add_signed(right));
            match board.at(to) {
                None => return Err("leaves the board"),
                Some('.') => after.0[to.0][to.1] = self.0[cell.0][cell.1],
                Some(_) => return Err("runs into another piece"),
            }
        }
        Ok(after)
    }

    /// Every step by name, and the board after it.
    pub(super) fn steps(&self) -> Vec<(String, PlainBoard)> {
        let mut steps = Vec::new();
        for piece in self.pieces() {
            let (row, column) = piece[0];
            let possible = WAYS.iter().filter_map(|(word, way)| Some((word, self.stepped(&piece, *way).ok()?)));
            steps.extend(possible.map(|(word, after)| (format!("({row},{column}) {word}"), after)));
        }
        steps
    }
}

/// The upper left cell of a piece and its way, from words like `(3,1) down`.
pub(super) fn parse_step(text: &str) -> Option<(Cell, Way)> {
    let (cell, ways) = parse_run(text)?;
    (ways.len() == 1).then_some((cell, ways[0]))
}

/// The upper left cell of a piece and the steps that it takes, from words like `(3,1) down right`.
pub(super) fn parse_run(text: &str) -> Option<(Cell, Vec<Way>)> {
    let (place, words) = text.trim().strip_prefix('(')?.split_once(')')?;
    let (row, column) = place.split_once(',')?;
    let cell = (row.trim().parse().ok()?, column.trim().parse().ok()?);
    let way = |word: &str| WAYS.into_iter().find(|(known, _)| known.eq_ignore_ascii_case(word));
    let ways: Vec<Way> = words.split_whitespace().map(way).collect::<Option<_>>()?;
    (!ways.is_empty()).then_some((cell, ways))
}

/// The cell that a step leads to.
pub(super) fn after((row, column): Cell, (_, (down, right)): Way) -> Cell {
    (row.wrapping_add_signed(down), column.wrapping_add_signed(right))
}

/// What the last board has to be.
pub(super) enum End {
    /// One with a 2x2 piece whose upper left cell is this one.
    BigAt(Cell),
    /// This one.
    Board(PlainBoard),
}

pub(super) struct BoardReferee {
    pub(super) start: PlainBoard,
    pub(super) end: End,
    /// Whether an action is a run of steps of one piece, or a single one.
    pub(super) runs: bool,
}

impl Referee for BoardReferee {
    fn replay(&self, actions: &[String]) -> Result<Vec<Value>, Illegal> {
        let show = |board: &PlainBoard| json!(board.0.iter().map(String::from_iter).collect::<Vec<String>>());
        let mut board = self.start.clone();
        let mut states = vec![show(&board)];
        for (at, action) in actions.iter().enumerate() {
            let illegal = |reason: String| Illegal { step: at + 1, reason };
            let expected = if self.runs { "a move like (3,1) down right" } else { "a step like (3,1) down" };
            let run = parse_run(action).filter(|(_, ways)| self.runs || ways.len() == 1);
            let (mut cell, ways) = run.ok_or_else(|| illegal(format!("'{action}' is not {expected}")))?;
            for way in ways {
                let pieces = board.pieces();
                let piece = pieces.iter().find(|piece| piece[0] == cell).ok_or_else(|| {
                    illegal(format!("no piece has its upper left cell at row {}, column {}", cell.0, cell.1))
                })?;
                board = board.stepped(piece, way.1).map_err(|why| illegal(format!("{action} {why}")))?;
                cell = after(cell, way);
            }
            states.push(show(&board));
        }
        let solved = match &self.end {
            End::BigAt(cell) => board.pieces().iter().any(|piece| piece.len() == 4 && piece[0] == *cell),
            End::Board(goal) => board == *goal,
        };
        if solved {
            return Ok(states);
        }
        let reason = match self.end {
            End::BigAt((row, column)) => format!("the 2x2 piece does not end at row {row}, column {column}"),
            End::Board(_) => "the last board is not the goal".into(),
        };
        Err(Illegal { step: actions.len() + 1, reason })
    }
}
