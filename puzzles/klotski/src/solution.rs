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

/// Reads the course output for a puzzle with this start, or steps such as `(3,1) down`, one a line.
pub(crate) fn read(text: &str, start: &PlainBoard, notation: Notation) -> Result<Claim, Faults> {
    let mut paragraphs = paragraphs(text);
    let lines = || paragraphs.iter().flatten();
    if lines().any(|line| line.text.trim().eq_ignore_ascii_case(NO_SOLUTION)) {
        return Ok(Claim::Unsolvable);
    }
    if lines().next().is_some_and(|line| line.text.trim_start().starts_with('(')) {
        return read_steps(lines());
    }
    let states_cost = |first: &&mut Vec<Line<'_>>| first[0].text.trim_start().starts_with(COST);
    let cost = paragraphs.first_mut().filter(states_cost).map(|first| first.remove(0));
    paragraphs.retain(|paragraph| !paragraph.is_empty());
    let claim = read_boards(&paragraphs, start, notation)?;
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
fn read_boards(boards: &[Vec<Line<'_>>], start: &PlainBoard, notation: Notation) -> Result<Claim, Faults> {
    let has_symbols = boards.iter().flatten().any(|line| line.text.contains(['.', '<', '>', '^', 'v']));
    let in_digits = notation == Notation::Digits && !has_symbols;
    let mut steps = Vec::new();
    let mut before: Option<PlainBoard> = None;
    for lines in boards {
        let rows = lines.iter().map(|line| line.cells().into_iter().map(|(_, c)| c).collect()).collect();
        let board = PlainBoard(if in_digits { symbols(rows) } else { rows });
        let line = lines[0].number;
        match &before {
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
