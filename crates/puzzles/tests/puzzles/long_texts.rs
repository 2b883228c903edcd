//! Long texts of every shape: each reader takes time in proportion to their length, or refuses them by their size.

use std::sync::LazyLock;
use std::time::{Duration, Instant};

use admissible_front::{Plan, ReadOptions};
use admissible_puzzles::PUZZLES;

/// The length of the texts: the largest that the page's server accepts.
const BYTES: usize = 1 << 20;

/// The most processor time for one text, in a test build. A reader whose time grows with the square of the length takes
/// minutes.
const MOST: Duration = Duration::from_secs(10);

/// The processor time of this thread, or the time of day where the system does not tell: other programs then count.
fn now() -> Duration {
    static BEGIN: LazyLock<Instant> = LazyLock::new(Instant::now);
    let times = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let nanoseconds = times.and_then(|times| times.split(' ').next()?.parse().ok());
    nanoseconds.map_or_else(|| BEGIN.elapsed(), Duration::from_nanos)
}

/// `part` again and again, between two ends.
fn repeated(begin: &str, part: &str, end: &str) -> String {
    begin.to_string() + &part.repeat((BYTES - begin.len() - end.len()) / part.len()) + end
}

/// Texts that made readers slow, and relatives of them.
fn texts() -> Vec<String> {
    let numbers = |separator: &str| {
        let all: Vec<String> = (0..BYTES / 8).map(|number| number.to_string()).collect();
        all.join(separator)
    };
    let mut texts = vec![numbers(" "), numbers("\n"), numbers(",")];
    for (begin, part, end) in [
        ("", "7 ", "\n"),
        ("", "1 2 3 x\n", ""),
        ("", "1 2\n\n", ""),
        ("", "1/", "\n"),
        ("", "12345678", "\n"),
        ("", "123\n", ""),
        ("{\"colour\":\"red\",\"pieces\":[", "[0,0],", "[1,1]],\"blocks\":[]}"),
        ("{\"colour\":\"red\",\"pieces\":[", "[9,9],\n", "[1,1]],\"blocks\":[]}"),
        ("{\"colour\":\"red\",\"pieces\":[[0,0]],\"blocks\":[", "[1,0],", "[1,1]]}"),
        ("{", "\"pieces\":[],", "\"colour\":\"red\"}"),
        ("{", "\"colour\":7,", "\"pieces\":[]}"),
        ("{\"colour\":\"red\",\"pieces\":[[", "0,", "0]]}"),
        ("{\"colour\":\"", "red", "\",\"pieces\":[]}"),
        ("", "[", ""),
        ("", "[[1,2],[3,0]],", ""),
        ("", "{\"a\":", ""),
        ("", "\"", "\n"),
        ("", "é", "\n"),
        ("", "S", "G\n"),
        ("S\n", ".\n", "G\n"),
        ("SG\n", "...\n", ""),
        ("SG\n", "..\n\n", ""),
        ("SG", ".x", "\n"),
        ("", "^", "\n"),
        ("", "^^^^\nvvvv\n", ""),
        ("", "3333\n", ""),
        ("", "1111", "\n"),
        ("", "^v<>\n\n", ""),
        ("", "\r", ""),
        ("", "\n", "1 2\n3 0\n"),
    ] {
        texts.push(repeated(begin, part, end));
    }
    texts
}

#[test]
fn long_boards_are_read_or_refused_at_once() {
    let kinds: Vec<Option<&str>> = PUZZLES.cards().map(|card| Some(card.name)).chain([None]).collect();
    for text in texts() {
        for &kind in &kinds {
            let begin = now();
            let read = PUZZLES.open(&text, kind, &ReadOptions::default()).map(drop);
            let took = now() - begin;
            let shown: String = text.chars().take(40).collect();
            assert!(took < MOST, "{kind:?} took {took:?} for {shown:?}: {}", read.is_ok());
        }
    }
}

#[test]
fn long_solutions_are_read_or_refused_at_once() {
    let more = [
        ("", "LEFT ", "\n"),
        ("", "L", "\n"),
        ("", "E\n", ""),
        ("Rolls: ", "E W ", "\n"),
        ("", "Heuristic: x\n", ""),
        ("", "Heuristic: x\nNo solution\n", ""),
        ("", "Move down to:\n", ""),
        ("", "MOVE from (0, 0) to (0, 1).\n", ""),
        ("", "# no solution\n", ""),
        ("", "(3,1) down\n", ""),
        ("", "(3,1) down right left ", "\n"),
        ("", "^11^\nv11v\n^<>^\nv22v\n2..2\n\n", ""),
        ("{\"actions\":[", "\"LEFT\",", "\"LEFT\"]}"),
        ("{\"outcome\":\"solved\",\"actions\":[", "\"E\",", "\"E\"],\"cost\":1}"),
    ];
    let texts: Vec<String> = texts().into_iter().chain(more.map(|(a, b, c)| repeated(a, b, c))).collect();
    let plan =
        Plan { limits: admissible_front::Limits { expanded: Some(10), ..Default::default() }, ..Plan::default() };
    for card in PUZZLES.cards() {
        let board = card.examples.first().expect("every puzzle has an example").text;
        let task = PUZZLES.open(board, Some(card.name), &ReadOptions::default()).expect("examples are boards");
        for text in &texts {
            let begin = now();
            let judged = task.verify(text, &plan, &mut ()).expect("the plan can be carried out");
            let took = now() - begin;
            let shown: String = text.chars().take(40).collect();
            assert!(took < MOST, "{} took {took:?} for {shown:?}: {}", card.name, judged.is_ok());
        }
    }
}
