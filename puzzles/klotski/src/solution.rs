//! Solutions as text: the course output and its reader.
//!
//! The output lists the boards from the start to the goal in the notation of the file, with an empty line after each.
//! For files in digits it begins with the cost, and the digits differ from those of the file: 0 empty, 1 the 2x2 piece,
//! 2 lying, 3 standing, 4 single.

use admissible::StateSpace as _;
use admissible::search::Outcome;

use crate::board::{Board, Klotski, Notation, Planes, Step};
use crate::referee::{Cell, NamedDirection, PlainBoard, after, parse_run, parse_step};
use admissible_front::puzzle::{Claim, Illegal};
use admissible_front::text::{Faults, Line, paragraphs};

const COST: &str = "Cost of the solution:";
const NO_SOLUTION: &str = "No solution";

/// The course output for the outcome of a search.
pub(crate) fn write<P: Planes>(klotski: &Klotski<P>, outcome: &Outcome<Step>) -> String {
    let solution = match outcome {
        Outcome::Solved(solution) => solution,
        Outcome::Unsolvable => return format!("{NO_SOLUTION}\n"),
        Outcome::Stopped { why, lower_bound } => {
            return format!("Stopped {}: every solution has at least {lower_bound} steps\n", why.phrase());
        }
    };
    let mut text = match klotski.notation {
        Notation::Digits => format!("{COST} {}\n", solution.cost),
        Notation::Symbols => String::new(),
    };
    let mut board = klotski.start;
    let mut write = |board: &Board| {
        for row in klotski.frame.symbols(board) {
            text.extend(row.into_iter().map(|symbol| match klotski.notation {
                Notation::Digits => digit(symbol),
                Notation::Symbols => symbol,
            }));
            text.push('\n');
        }
        text.push('\n');
    };
    write(&board);
    for &step in &solution.moves {
        klotski.apply(&mut board, step);
        write(&board);
    }
    text
}

fn digit(symbol: char) -> char {
    match symbol {
        '1' => '1',
        '<' | '>' => '2',
        '^' | 'v' => '3',
        '2' => '4',
        _ => '0',
    }
}

/// A board of a log, and the title above it, if there is one.
struct TitledBoard<'a> {
    title: Option<&'a Line<'a>>,
    lines: Vec<&'a Line<'a>>,
}

/// Whether a line of a log is a title such as `Initial state:`, and not a row of a board.
fn is_title(line: &Line<'_>) -> bool {
    let letters = line.text.chars().filter(|&c| c.is_alphabetic() && c != 'v').count();
    letters > 2 || line.text.contains([':', '#']) || line.text.trim().chars().all(|c| "-=_".contains(c))
}

/// The boards of a log. An empty line or a title ends a board.
fn titled_boards<'a>(paragraphs: &'a [Vec<Line<'a>>]) -> Vec<TitledBoard<'a>> {
    let mut boards: Vec<TitledBoard<'a>> = Vec::new();
    let mut title = None;
    for paragraph in paragraphs {
        let mut goes_on = false;
        for line in paragraph {
            if is_title(line) {
                (title, goes_on) = (Some(line), false);
            } else if let (true, Some(board)) = (goes_on, boards.last_mut()) {
                board.lines.push(line);
            } else {
                boards.push(TitledBoard { title: title.take(), lines: vec![line] });
                goes_on = true;
            }
        }
    }
    boards
}

/// Reads the course output for a puzzle with this start, or steps such as `(3,1) down`, one a line. Titles such as
/// `Initial state:` may stand above the boards.
pub(crate) fn read(text: &str, start: &PlainBoard, notation: Notation) -> Result<Claim, Faults> {
    let paragraphs = paragraphs(text);
    let lines = || paragraphs.iter().flatten();
    if let Some(line) = lines().find(|line| line.text.trim().eq_ignore_ascii_case(NO_SOLUTION)) {
        let boards = titled_boards(&paragraphs).len();
        let message = "expected 'No solution' with at most the start and the goal above it, found more boards";
        return if boards <= 2 { Ok(Claim::Unsolvable) } else { Err(Faults::one(line.number, 1, message)) };
    }
    if lines().next().is_some_and(|line| line.text.trim_start().starts_with('(')) {
        return read_steps(lines());
    }
    let mut boards = titled_boards(&paragraphs);
    if let Some(line) = lines().next().filter(|_| boards.is_empty()) {
        let message = "expected the boards from the start to the goal, steps like (3,1) down, or 'No solution', \
                       found none";
        return Err(Faults::one(line.number, 1, message));
    }
    // A log may begin with the start and the goal, before the boards of the solution.
    if boards.len() > 2 && boards[1].title.is_some_and(|title| title.text.to_lowercase().contains("goal")) {
        boards.remove(1);
    }
    let claim = read_boards(&boards, start, notation)?;
    let cost = lines().find(|line| line.text.trim_start().starts_with(COST));
    if let (Some(line), Claim::Actions(steps)) = (cost, &claim) {
        let (column, claimed) = line.words().pop().expect("a line that states a cost has words");
        if claimed != steps.len().to_string() {
            let message = format!("expected {}, the steps between the boards, found '{claimed}'", steps.len());
            return Err(Faults::one(line.number, column, message));
        }
    }
    Ok(claim)
}

/// Like [`read`] for a puzzle that counts moves: consecutive steps of one piece are one move. A line such as
/// `(3,1) down right` is a move.
pub(crate) fn read_moves(text: &str, start: &PlainBoard, notation: Notation) -> Result<Claim, Faults> {
    let lines: Vec<Line<'_>> = paragraphs(text).into_iter().flatten().collect();
    let runs: Option<Vec<_>> = lines.iter().map(|line| parse_run(line.text)).collect();
    let runs = match runs.filter(|runs| !runs.is_empty()) {
        Some(runs) => runs,
        None => match read(text, start, notation)? {
            Claim::Actions(steps) => steps.iter().map(|step| parse_run(step).expect("`read` returns steps")).collect(),
            other => return Ok(other),
        },
    };
    let mut moves: Vec<(Cell, Vec<NamedDirection>)> = Vec::new();
    let mut end = None;
    for (cell, directions) in runs {
        let next = directions.iter().fold(cell, |cell, &direction| after(cell, direction));
        match moves.last_mut().filter(|_| end == Some(cell)) {
            Some((_, run)) => run.extend(directions),
            None => moves.push((cell, directions)),
        }
        end = Some(next);
    }
    let name = |((row, column), directions): (Cell, Vec<NamedDirection>)| {
        let words: Vec<&str> = directions.iter().map(|(word, _)| *word).collect();
        format!("({row},{column}) {}", words.join(" "))
    };
    Ok(Claim::Actions(moves.into_iter().map(name).collect()))
}

fn read_steps<'a>(lines: impl Iterator<Item = &'a Line<'a>>) -> Result<Claim, Faults> {
    let mut steps = Vec::new();
    for line in lines {
        let Some(((row, column), (word, _))) = parse_step(line.text) else {
            let message = format!("expected a step like (3,1) down, found '{}'", line.text.trim());
            return Err(Faults::one(line.number, 1, message));
        };
        steps.push(format!("({row},{column}) {word}"));
    }
    Ok(Claim::Actions(steps))
}

/// The steps between boards; the first board has to be the start.
fn read_boards(boards: &[TitledBoard<'_>], start: &PlainBoard, notation: Notation) -> Result<Claim, Faults> {
    let has_symbols =
        boards.iter().flat_map(|board| &board.lines).any(|line| line.text.contains(['.', '<', '>', '^', 'v']));
    let in_digits = notation == Notation::Digits && !has_symbols;
    let mut steps = Vec::new();
    let mut before: Option<PlainBoard> = None;
    for TitledBoard { title, lines } in boards {
        let rows = lines.iter().map(|line| line.cells().into_iter().map(|(_, c)| c).collect()).collect();
        let board = PlainBoard(if in_digits { symbols(rows) } else { rows });
        let line = lines[0].number;
        match &before {
            // A title may stand above the start, and another above the solution.
            Some(before) if title.is_some() && steps.is_empty() && *before == board => {}
            Some(before) => match before.steps().into_iter().find(|(_, after)| *after == board) {
                Some((step, _)) => steps.push(step),
                None => {
                    let step = steps.len() + 1;
                    let reason = format!("the board at line {line} is not one step from the one before");
                    let illegal = Illegal { step, reason };
                    return Ok(Claim::Broken { actions: boards.len() as u32 - 1, illegal });
                }
            },
            None if board != *start => return Err(Faults::one(line, 1, "expected the start, found another board")),
            None => {}
        }
        before = Some(board);
    }
    Ok(Claim::Actions(steps))
}

/// Replaces the digits of the course output by symbols. In reading order, the first free half of a domino begins the
/// next one.
fn symbols(mut rows: Vec<Vec<char>>) -> Vec<Vec<char>> {
    for row in 0..rows.len() {
        for column in 0..rows[row].len() {
            let digit = rows[row][column];
            let (symbol, other_half) = match digit {
                '0' => ('.', None),
                '2' => ('<', Some((row, column + 1, '>'))),
                '3' => ('^', Some((row + 1, column, 'v'))),
                '4' => ('2', None),
                _ => continue,
            };
            rows[row][column] = symbol;
            if let Some((row, column, symbol)) = other_half
                && let Some(other) = rows.get_mut(row).and_then(|cells| cells.get_mut(column))
                && *other == digit
            {
                *other = symbol;
            }
        }
    }
    rows
}
