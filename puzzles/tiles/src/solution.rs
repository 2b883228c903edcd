//! Solutions as text: the course output, a word a line, and its reader.

use admissible::search::Outcome;

use super::board::Slide;
use super::read::{rows, split_compact};
use super::{WORDS, word};
use admissible_front::grid::Direction;
use admissible_front::puzzle::{Claim, Illegal};
use admissible_front::text::{Faults, Line, paragraphs};

const UNSOLVABLE: &str = "UNSOLVABLE";

/// The words of a solution, or one word for the outcome.
pub(super) fn course(outcome: &Outcome<Slide>) -> String {
    match outcome {
        Outcome::Solved(solution) => solution.moves.iter().map(|&slide| format!("{}\n", word(slide))).collect(),
        Outcome::Unsolvable => format!("{UNSOLVABLE}\n"),
        Outcome::Stopped { .. } => "UNSOLVED\n".into(),
    }
}

/// Reads words in any case and punctuation, `UNSOLVABLE` alone, or a log: boards of numbers and titles such as `Initial
/// state:`. Several boards are the states from the start on; after a single one, words follow. The goal may stand after
/// the start.
pub(super) fn read(text: &str, start: &[u8], columns: usize) -> Result<Claim, Faults> {
    let paragraphs = paragraphs(text);
    let mut boards: Vec<(usize, Vec<u8>)> = Vec::new();
    let mut words = Vec::new();
    for paragraph in &paragraphs {
        let mut goes_on = false;
        for line in paragraph {
            let tiles = board_row(line).unwrap_or_default();
            match boards.last_mut() {
                _ if tiles.is_empty() => words.push(line),
                Some((_, board)) if goes_on && board.len() < start.len() => board.extend(&tiles),
                _ => boards.push((line.number, tiles.clone())),
            }
            goes_on = !tiles.is_empty();
        }
    }
    let is_titled = |line: &&Line<'_>| line.text.trim_start().to_ascii_lowercase().starts_with("goal");
    if words.iter().any(is_titled) && has_goal_second(&boards, start, columns) {
        boards.remove(1);
    }
    match &boards[..] {
        [] => read_words(&words, false),
        [(_, board)] if board == start => read_words(&words, true),
        boards => read_boards(boards, start, columns),
    }
}

/// Whether the goal stands after the start, under a title such as `Goal state:`, and the solution follows.
fn has_goal_second(boards: &[(usize, Vec<u8>)], start: &[u8], columns: usize) -> bool {
    let [(_, first), (_, second), rest @ ..] = boards else { return false };
    let is_last = rest.last().is_none_or(|(_, last)| last == second);
    first == start && second != start && is_last && slide(first, second, columns).is_none()
}

/// The numbers of a line, if it has nothing else.
fn board_row(line: &Line<'_>) -> Option<Vec<u8>> {
    let mut rows = rows(std::slice::from_ref(line));
    split_compact(&mut rows);
    rows.iter().flatten().map(|token| token.tile().and_then(|tile| u8::try_from(tile).ok())).collect()
}

/// Reads words. In a log, the text before a colon is a title.
fn read_words(lines: &[&Line<'_>], is_log: bool) -> Result<Claim, Faults> {
    let mut actions = Vec::new();
    let mut denial = None;
    for line in lines {
        let title = line.text.rfind(':').filter(|_| is_log).map_or(0, |at| line.text[..at].chars().count() + 1);
        for (column, word) in line.words().into_iter().filter(|&(column, _)| column > title) {
            for name in word.split(|c: char| !c.is_alphanumeric()).filter(|name| !name.is_empty()) {
                let message = if name.eq_ignore_ascii_case(UNSOLVABLE) {
                    match (denial.replace(line.number), actions.is_empty()) {
                        (None, true) => continue,
                        (Some(first), _) => {
                            format!("expected {UNSOLVABLE} once, found it again (first at line {first})")
                        }
                        (None, false) => format!("expected {UNSOLVABLE} to stand alone, found moves beside it"),
                    }
                } else if let Some(known) = WORDS.iter().find(|known| known.eq_ignore_ascii_case(name)) {
                    actions.push((*known).to_string());
                    if denial.is_none() {
                        continue;
                    }
                    format!("expected {UNSOLVABLE} to stand alone, found moves beside it")
                } else {
                    format!("expected LEFT, RIGHT, UP, DOWN or {UNSOLVABLE}, found '{name}'")
                };
                return Err(Faults::one(line.number, column, message));
            }
        }
    }
    Ok(if denial.is_some() { Claim::Unsolvable } else { Claim::Actions(actions) })
}

/// The moves between boards; the first board has to be the start.
fn read_boards(boards: &[(usize, Vec<u8>)], start: &[u8], columns: usize) -> Result<Claim, Faults> {
    let (line, first) = &boards[0];
    if first != start {
        return Err(Faults::one(*line, 1, "expected the start, found another board"));
    }
    let mut actions: Vec<String> = Vec::new();
    for (at, pair) in boards.windows(2).enumerate() {
        let (before, (line, after)) = (&pair[0].1, &pair[1]);
        match slide(before, after, columns) {
            Some(word) => actions.push(word.into()),
            // The start may stand under a title of its own.
            None if at == 0 && after == start => {}
            None => {
                let reason = format!("the board at line {line} is not one move from the one before");
                let illegal = Illegal { step: actions.len() + 1, reason };
                return Ok(Claim::Broken { actions: boards.len() as u32 - 1, illegal });
            }
        }
    }
    Ok(Claim::Actions(actions))
}

/// The word of the move between two boards.
fn slide(before: &[u8], after: &[u8], columns: usize) -> Option<&'static str> {
    let gap = |board: &[u8]| board.iter().position(|&tile| tile == 0);
    let (to, from) = (gap(before)?, gap(after)?);
    let mut moved = before.to_vec();
    if from >= moved.len() {
        return None;
    }
    moved.swap(from, to);
    let place = |cell: usize| ((cell / columns) as isize, (cell % columns) as isize);
    let ((row, column), (to_row, to_column)) = (place(from), place(to));
    let step = (to_row - row, to_column - column);
    let direction = Direction::ALL.into_iter().find(|direction| direction.step() == step)?;
    (moved == after).then_some(WORDS[direction as usize])
}
