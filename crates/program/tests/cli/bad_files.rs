//! Files that are not puzzles, or cannot be read.

use std::fs::{self, File};
use std::time::{Duration, Instant};

use crate::puzzles::*;
use crate::support::{Folder, assert_text, solve};

#[test]
fn a_file_of_another_kind_shows_only_its_first_faults() {
    let run = solve("a letter\nto a friend\n", "--puzzle die");
    let faults: Vec<&str> = run.refuses().lines().filter(|line| line.starts_with("error: puzzle:")).collect();
    assert_eq!(faults.len(), 8, "{run}");
    assert!(run.err.ends_with("\n... and 11 more\n"), "{run}");
}

#[test]
fn a_file_that_is_not_a_puzzle_gets_one_message() {
    let unrecognised = "1:1: expected one of the known formats (see: admissible list), found something else\n";
    let empty = "1:1: expected a puzzle, found an empty file\n";
    let binary = "this looks like a binary file";
    for (content, expected) in [
        (&b""[..], empty.to_string()),
        (b" \n\t\r\n  ", empty.into()),
        (b"hello, world\n", unrecognised.into()),
        (b"S.\n\xff.G\n", "2:1: expected text in UTF-8, found the byte 0xff\n".into()),
        (b"\x7fELF\x02\x01\x01\0\0", format!("1:8: expected text, found a NUL byte: {binary}\n")),
        ("1 2\nü \0".as_bytes(), format!("2:3: expected text, found a NUL byte: {binary}\n")),
    ] {
        let run = Folder::with("puzzle", content).run("solve puzzle");
        assert_text(run.refuses(), &format!("error: puzzle:{expected}"));
    }
}

#[test]
fn a_byte_order_mark_alone_is_an_empty_file() {
    for text in ["\u{feff}", "\u{feff}\r\n"] {
        assert_text(solve(text, "").refuses(), "error: puzzle:1:1: expected a puzzle, found an empty file\n");
    }
}

#[test]
fn a_missing_file_or_a_directory_is_refused() {
    let folder = Folder::new();
    fs::create_dir(folder.path().join("folder")).unwrap();
    for (name, expected) in [
        ("folder", "error: folder: expected a file, found a directory\n"),
        ("missing", "error: missing: No such file or directory (os error 2)\n"),
        ("folder/missing", "error: folder/missing: No such file or directory (os error 2)\n"),
    ] {
        assert_text(folder.run(&format!("solve {name}")).refuses(), expected);
        assert_text(folder.run(&format!("verify {name} {name}")).refuses(), expected);
    }
}

#[test]
fn a_file_that_is_far_too_large_is_refused_without_reading_it() {
    let folder = Folder::new();
    File::create(folder.path().join("huge")).and_then(|file| file.set_len(1 << 30)).unwrap();
    let begin = Instant::now();
    let run = folder.run("solve huge");
    assert_text(run.refuses(), "error: huge: expected a puzzle of at most 256 MiB, found 1024 MiB\n");
    assert!(begin.elapsed() < Duration::from_secs(20));
}

#[test]
fn a_typing_error_does_not_hide_the_kind_of_puzzle() {
    for (puzzle, from, to) in
        [("die", ".", "o"), ("tiles", "5", "S"), ("klotski", ">", "]"), ("chexers", "[[0, -1]]", "[[0, -l]]")]
    {
        let (_, text, _) = SOLVABLE.into_iter().find(|(name, ..)| *name == puzzle).expect("one of each kind");
        let run = solve(&text.replacen(from, to, 1), "");
        assert!(run.refuses().contains(&format!("(read as a {puzzle} puzzle;")), "{run}");
    }
}

#[test]
fn a_letter_among_the_digits_does_not_hide_a_klotski_board() {
    let run = solve(&KLOTSKI_DIGITS.replacen('0', "o", 1), "");
    assert!(run.refuses().contains("(read as a klotski puzzle;"), "{run}");
}
