//! The rules, written a second time on rows of symbols: a piece is the list of its cells, and a step moves each.

use serde_json::{Value, json};

use admissible_front::puzzle::{Illegal, Referee};

pub(crate) type Cell = (usize, usize);

/// The name of a direction, and its offset in rows and columns.
pub(crate) type NamedDirection = (&'static str, (isize, isize));

const DIRECTIONS: [NamedDirection; 4] = [("up", (-1, 0)), ("left", (0, -1)), ("right", (0, 1)), ("down", (1, 0))];

/// A board in the symbol alphabet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct PlainBoard(pub(crate) Vec<Vec<char>>);

impl PlainBoard {
    /// The cells of every piece, its upper left one first.
    pub(crate) fn pieces(&self) -> Vec<Vec<Cell>> {
        let mut pieces: Vec<Vec<Cell>> = Vec::new();
        for (row, line) in self.0.iter().enumerate() {
            for (column, symbol) in line.iter().enumerate() {
                let (cell, right, below) = ((row, column), (row, column + 1), (row + 1, column));
                match symbol {
                    // In reading order, the first free quarter is the upper left one of the next piece.
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

    /// The board after one piece has moved by one cell, or why it cannot move.
    fn stepped(&self, piece: &[Cell], (down, right): (isize, isize)) -> Result<PlainBoard, &'static str> {
        let mut board = self.clone();
        for &(row, column) in piece {
            board.0[row][column] = '.';
        }
        let mut after = board.clone();
        for &cell in piece {
            // Beyond the upper and left edge the index wraps around to one outside the board.
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
    pub(crate) fn steps(&self) -> Vec<(String, PlainBoard)> {
        let mut steps = Vec::new();
        for piece in self.pieces() {
            let (row, column) = piece[0];
            let possible =
                DIRECTIONS.iter().filter_map(|(word, offset)| Some((word, self.stepped(&piece, *offset).ok()?)));
            steps.extend(possible.map(|(word, after)| (format!("({row},{column}) {word}"), after)));
        }
        steps
    }
}

/// Parses the upper left cell of a piece and its direction, such as `(3,1) down`.
pub(crate) fn parse_step(text: &str) -> Option<(Cell, NamedDirection)> {
    let (cell, directions) = parse_run(text)?;
    (directions.len() == 1).then_some((cell, directions[0]))
}

/// Parses the upper left cell of a piece and its steps, such as `(3,1) down right`.
pub(crate) fn parse_run(text: &str) -> Option<(Cell, Vec<NamedDirection>)> {
    let (place, words) = text.trim().strip_prefix('(')?.split_once(')')?;
    let (row, column) = place.split_once(',')?;
    let cell = (row.trim().parse().ok()?, column.trim().parse().ok()?);
    let direction = |word: &str| DIRECTIONS.into_iter().find(|(known, _)| known.eq_ignore_ascii_case(word));
    let directions: Vec<NamedDirection> = words.split_whitespace().map(direction).collect::<Option<_>>()?;
    (!directions.is_empty()).then_some((cell, directions))
}

/// The cell after a step.
pub(crate) fn after((row, column): Cell, (_, (down, right)): NamedDirection) -> Cell {
    (row.wrapping_add_signed(down), column.wrapping_add_signed(right))
}

/// The goal on plain boards.
pub(crate) enum PlainGoal {
    /// A 2x2 piece has this upper left cell.
    BigAt(Cell),
    /// This board.
    Board(PlainBoard),
}

pub(crate) struct BoardReferee {
    pub(crate) start: PlainBoard,
    pub(crate) goal: PlainGoal,
    /// Whether an action is a run of steps of one piece, or a single step.
    pub(crate) by_moves: bool,
}

impl Referee for BoardReferee {
    fn replay(&self, actions: &[String]) -> Result<Vec<Value>, Illegal> {
        let show = |board: &PlainBoard| json!(board.0.iter().map(String::from_iter).collect::<Vec<String>>());
        let mut board = self.start.clone();
        let mut states = vec![show(&board)];
        for (at, action) in actions.iter().enumerate() {
            let illegal = |reason: String| Illegal { step: at + 1, reason };
            let expected = if self.by_moves { "a move like (3,1) down right" } else { "a step like (3,1) down" };
            let run = parse_run(action).filter(|(_, directions)| self.by_moves || directions.len() == 1);
            let (mut cell, directions) = run.ok_or_else(|| illegal(format!("'{action}' is not {expected}")))?;
            for direction in directions {
                let pieces = board.pieces();
                let piece = pieces.iter().find(|piece| piece[0] == cell).ok_or_else(|| {
                    illegal(format!("no piece has its upper left cell at row {}, column {}", cell.0, cell.1))
                })?;
                board = board.stepped(piece, direction.1).map_err(|why| illegal(format!("{action} {why}")))?;
                cell = after(cell, direction);
            }
            states.push(show(&board));
        }
        let solved = match &self.goal {
            PlainGoal::BigAt(cell) => board.pieces().iter().any(|piece| piece.len() == 4 && piece[0] == *cell),
            PlainGoal::Board(goal) => board == *goal,
        };
        if solved {
            return Ok(states);
        }
        let reason = match self.goal {
            PlainGoal::BigAt((row, column)) => format!("the 2x2 piece does not end at row {row}, column {column}"),
            PlainGoal::Board(_) => "the last board is not the goal".into(),
        };
        Err(Illegal { step: actions.len() + 1, reason })
    }
}
