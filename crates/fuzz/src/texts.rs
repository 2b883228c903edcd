//! Texts that people write: boards, solutions, states, expressions, options.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use admissible_front::{Card, Limits, OpenError, Plan, PlanError, ReadOptions, Task, Verdict};
use admissible_lab::select::{Heuristics, read_algorithms};
use admissible_lab::vary::Varied;
use admissible_puzzles::PUZZLES;
use serde_json::Value;

use crate::Target;

/// Words that no example has: typing errors, and characters of other editors.
const COMMON_WORDS: [&str; 12] = ["0", "7", "39", "40", "-1", "\n", "\n\n", "\r", "\r\n", "\t", "\u{feff}", "é"];
/// Longer words of an example are rows of a board.
const LONGEST_WORD: usize = 12;
pub(crate) const JSON_DICTIONARY: &[&str] = &[
    "{",
    "}",
    "[",
    "]",
    ",",
    ":",
    "\"colour\"",
    "\"red\"",
    "\"green\"",
    "\"blue\"",
    "\"pieces\"",
    "\"blocks\"",
    "[0,0]",
    "[3,-3]",
    "[-3,0]",
    "null",
    "true",
    "\\u0000",
    "\\ud800",
    "\"row\"",
    "\"col\"",
    "\"top\"",
    "\"north\"",
    "\"east\"",
    "-0",
    "1.5",
    "[[[[[[[[",
];
pub(crate) const SOLUTION_DICTIONARY: &[&str] = &[
    "N",
    "E",
    "S",
    "W",
    "LEFT\n",
    "UP\n",
    "RIGHT\n",
    "DOWN\n",
    "UNSOLVABLE",
    "No solution",
    "Cost of the solution: ",
    "(3,1) down\n",
    "(4,0) right left\n",
    "MOVE from (0, -1) to (0, 0).\n",
    "JUMP from (0, 1) to (-2, 3).\n",
    "EXIT from (-2, 3).\n",
    "# ",
    "{\"actions\": [",
    "\"outcome\": \"unsolvable\"",
    "]}",
    "\"",
    ",",
];
/// The syntax of expressions.
const SYNTAX: [&str; 29] = [
    "+", "-", "*", "/", "(", ")", "min(", "max(", "abs(", "floor(", "ceil(", ",", "<", "<=", "==", "!=", "and", "or",
    "not", "if ", " then ", " else ", "1e308", "0.5", "1/0", "0/0", ":", "((((((((", "zero",
];
pub(crate) const OPTION_DICTIONARY: &[&str] = &[
    "pieces=",
    "size=",
    "density=",
    "scramble=",
    "empties=",
    "..",
    "/",
    ",",
    "3x3",
    "x",
    "all",
    "astar",
    "bfs",
    "manhattan",
    "0.1",
    "1..5",
    "10..50/10",
];

/// The bytes as text; the program refuses other bytes before it reads a file.
fn text_of(bytes: &[u8]) -> Option<&str> {
    std::str::from_utf8(bytes).ok().filter(|text| !text.contains('\0'))
}

/// Opens a board and checks the task or the error.
fn opened(text: &str, puzzle: Option<&str>, options: &ReadOptions) -> String {
    match PUZZLES.open(text, puzzle, options) {
        Ok(task) => {
            check_task(&task, options);
            format!("{} {:?}", task.card().name, task.solvability())
        }
        Err(error) => {
            check_error(&error, text);
            error.to_string().lines().next().unwrap_or_default().to_string()
        }
    }
}

fn check_error(error: &OpenError, text: &str) {
    assert!(!error.to_string().is_empty(), "an error without a message");
    let OpenError::Faults { faults, .. } = error else { return };
    assert!(faults.iter().next().is_some(), "an empty list of faults");
    // A missing part is reported at the line after the last.
    let lines = text.split(['\n', '\r']).count() + 1;
    for fault in faults.iter() {
        assert!(!fault.message.is_empty(), "a fault without a message");
        // A fault of an option has line 0.
        assert!(fault.line <= lines, "line {} of {lines}: {}", fault.line, fault.message);
        assert!(fault.line == 0 || fault.column > 0, "columns count from 1: {}", fault.message);
    }
}

/// Checks that a board, written and read again, is the same.
fn check_task(task: &Task, options: &ReadOptions) {
    assert!(!task.draw().is_empty(), "a board that cannot be drawn");
    let position = task.position();
    let again = task.beginning_at(&position.state).expect("the start is a state");
    assert_eq!(again.position(), position, "the start, from its JSON");
    let Some(file) = task.file() else { return };
    let plain = ReadOptions { goal: None, ..options.clone() };
    let again = PUZZLES.open(&file, Some(task.card().name), &plain);
    let again = again.unwrap_or_else(|error| panic!("its own file cannot be read: {error}\n{file}"));
    assert_eq!(again.position(), position, "its own file has another start:\n{file}");
    assert_eq!(again.board(), task.board(), "its own file has another board:\n{file}");
    assert_eq!(again.file().as_ref(), Some(&file));
}

/// Words and characters of the examples of some puzzles, and common words.
fn board_dictionary(cards: impl Iterator<Item = &'static Card>) -> Vec<&'static str> {
    let mut words = BTreeSet::from(COMMON_WORDS);
    for example in cards.flat_map(|card| card.examples) {
        words.extend(example.text.split_whitespace().filter(|word| word.len() <= LONGEST_WORD));
        words.extend(example.text.char_indices().map(|(at, c)| &example.text[at..at + c.len_utf8()]));
    }
    words.into_iter().collect()
}

/// A file of any puzzle.
pub(crate) fn any_target() -> Target {
    let any = |bytes: &[u8]| text_of(bytes).map_or(String::new(), |text| opened(text, None, &ReadOptions::default()));
    let examples = PUZZLES.cards().flat_map(|card| card.examples);
    Target {
        name: "any",
        summary: "a file of any puzzle",
        run: Box::new(any),
        dictionary: board_dictionary(PUZZLES.cards()),
        examples: examples.map(|example| example.text.into()).collect(),
        file_at: None,
    }
}

/// A file of one puzzle; the first byte selects the options.
pub(crate) fn board_target(card: &'static Card) -> Target {
    let run = move |bytes: &[u8]| {
        let Some((&choice, rest)) = bytes.split_first() else { return String::new() };
        text_of(rest).map_or(String::new(), |text| opened(text, Some(card.name), &options_of(card, choice)))
    };
    Target {
        name: card.name,
        summary: card.summary,
        run: Box::new(run),
        dictionary: board_dictionary([card].into_iter()),
        examples: card.examples.iter().map(|example| [&[0], example.text.as_bytes()].concat()).collect(),
        file_at: None,
    }
}

/// The lower half of a byte selects the metric, the upper half the goal; 0 is the default.
fn options_of(card: &Card, choice: u8) -> ReadOptions {
    let (metric, goal) = (usize::from(choice) % 16, usize::from(choice) / 16);
    let metric = (metric % (card.metrics.len() + 1)).checked_sub(1).map(|at| card.metrics[at].into());
    let goal = [None, Some("blank-first"), Some("blank-last"), Some("x")][goal % 4].map(String::from);
    ReadOptions { metric, goal, ..ReadOptions::default() }
}

/// Heuristics, features and the syntax of expressions.
pub(crate) fn expression_dictionary() -> Vec<&'static str> {
    let names = |card: &'static Card| {
        let features = card.features.iter().map(|feature| feature.name);
        card.heuristics.iter().map(|heuristic| heuristic.name).chain(features)
    };
    PUZZLES.cards().flat_map(names).chain(SYNTAX).collect::<BTreeSet<_>>().into_iter().collect()
}

/// Small boards, and the first example of each puzzle.
pub(crate) static BOARDS: LazyLock<Vec<Task>> = LazyLock::new(|| {
    let moves = ReadOptions { metric: Some("moves".into()), ..ReadOptions::default() };
    let plain = ReadOptions::default();
    let boards = [
        ("S...G\n.....\n", &plain),
        ("8 1 3\n4 0 2\n7 6 5\n", &plain),
        ("<><>\n2^^2\n^vv2\nv.11\n.211\n", &plain),
        ("<><>\n2^^2\n^vv2\nv.11\n.211\n", &moves),
        ("7277\n7204\n3304\n1156\n1156\n", &plain),
        ("{\"colour\": \"green\", \"pieces\": [[0, -1]], \"blocks\": [[-2, 2], [-1, 2], [0, 2]]}\n", &plain),
        ("1 2 3 4\n5 6 7 8\n9 10 0 12\n13 14 11 15\n", &plain),
    ];
    let examples = PUZZLES.cards().filter_map(|card| Some((card.examples.first()?.text, &plain)));
    let all = boards.into_iter().chain(examples);
    all.map(|(text, options)| PUZZLES.open(text, None, options).expect("a good board")).collect()
});

/// The board that the first byte selects, and the rest as text.
fn chosen(bytes: &[u8]) -> Option<(&'static Task, &str)> {
    let (&choice, rest) = bytes.split_first()?;
    let boards: &'static [Task] = &BOARDS;
    Some((&boards[usize::from(choice) % boards.len()], text_of(rest)?))
}

pub(crate) fn solution(bytes: &[u8]) -> String {
    let Some((task, text)) = chosen(bytes) else { return String::new() };
    let limits = Limits { expanded: Some(30), ..Limits::default() };
    let plan = Plan { limits, algorithm: Some("bfs".into()), ..Plan::default() };
    match task.verify(text, &plan, &mut ()).expect("the algorithm exists") {
        Ok(verdict) => {
            let Verdict { claimed, illegal, .. } = &verdict;
            // No solution of these boards is empty.
            assert!(!(illegal.is_none() && *claimed == Some(0)), "a solution without actions");
            let reason = illegal.as_ref().map_or("", |illegal| &illegal.reason);
            format!("{} {:?} {:?} {reason}", task.card().name, verdict.holds(), verdict.is_shortest())
        }
        Err(faults) => {
            assert!(faults.iter().all(|fault| !fault.message.is_empty() && fault.line > 0), "{faults}");
            faults.to_string()
        }
    }
}

pub(crate) fn state(bytes: &[u8]) -> String {
    let Some((task, text)) = chosen(bytes) else { return String::new() };
    let Ok(json) = serde_json::from_str::<Value>(text) else { return String::new() };
    match task.beginning_at(&json) {
        Ok(there) => {
            let position = there.position();
            let again = task.beginning_at(&position.state).expect("a state of the board");
            assert_eq!(again.position(), position);
            check_task(&there, &metric_of(task));
            format!("{} {} {}", task.card().name, position.solved, position.moves.len())
        }
        Err(bad) => {
            assert!(bad.to_string().starts_with("expected "), "{bad}");
            task.card().name.into()
        }
    }
}

fn metric_of(task: &Task) -> ReadOptions {
    let is_by_moves = std::ptr::addr_eq(task, &BOARDS[3]);
    ReadOptions { metric: is_by_moves.then(|| "moves".into()), ..ReadOptions::default() }
}

pub(crate) fn expression(bytes: &[u8]) -> String {
    let Some((task, text)) = chosen(bytes) else { return String::new() };
    // Tables take seconds to build, and do not matter to the language.
    if text.contains("pdb") || text.contains("walking") || text.contains("without") {
        return String::new();
    }
    match task.estimate(text) {
        Ok(value) => {
            assert!(value.is_none_or(|value| value >= 0.0 && value.is_finite()), "{value:?}");
            format!("{} {}", task.card().name, value.is_some())
        }
        Err(PlanError::Expression(error)) => {
            assert!(error.line > 0 && error.column > 0 && error.length > 0 && !error.message.is_empty(), "{error:?}");
            assert!(error.line <= text.lines().count().max(1) + 1, "{error:?}");
            error.message
        }
        Err(other) => other.to_string(),
    }
}

pub(crate) fn options(bytes: &[u8]) -> String {
    let Some((&choice, rest)) = bytes.split_first() else { return String::new() };
    let Some(text) = text_of(rest) else { return String::new() };
    let read = match choice % 3 {
        // Good if any puzzle knows the name.
        0 => {
            let read = PUZZLES.cards().map(|card| Varied::read(text, card).map(|_| ()));
            read.reduce(Result::or).expect("there are puzzles")
        }
        1 => Heuristics::read(text).map(|_| ()),
        _ => read_algorithms(text).map(|_| ()),
    };
    match read {
        Ok(()) => format!("{} good", choice % 3),
        Err(why) => {
            assert!(!why.is_empty(), "an error without a message");
            why
        }
    }
}
