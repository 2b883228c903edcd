//! Options that are refused, with messages that name valid values.

use std::fs;

use crate::puzzles::*;
use crate::support::{Folder, assert_text, solve};

/// Checks the whole of standard error for options to `solve` on a small board of tiles.
#[track_caller]
fn assert_refused(options: &str, expected: &str) {
    assert_text(solve(TILES, options).refuses(), &format!("error: {expected}\n"));
}

/// The line that clap adds to a message.
const HINT: &str = "\n\nFor more information, try '--help'.";

#[test]
fn unknown_names_come_with_the_nearest_known_one() {
    assert_refused("--puzzle tile", "unknown puzzle 'tile', did you mean 'tiles'?");
    assert_refused("--puzzle sudoku", "unknown puzzle 'sudoku' (see: admissible list)");
    assert_refused("--heuristic manhatten", "unknown heuristic 'manhatten' for tiles, did you mean 'manhattan'?");
    assert_refused("--heuristic Manhattan", "unknown heuristic 'Manhattan' for tiles, did you mean 'manhattan'?");
    assert_refused("-H die-roll", "unknown heuristic 'die-roll' for tiles (see: admissible list tiles)");
    assert_refused("--algorithm a-star", "unknown algorithm 'a-star', did you mean 'astar'?");
    assert_refused("-a IDAstar", "unknown algorithm 'IDAstar', did you mean 'idastar'?");
    assert_refused("-a dijkstra", "unknown algorithm 'dijkstra' (see: admissible list)");
    let folder = Folder::new();
    for command in ["list klotsky", "generate klotsky --seed 1"] {
        assert_text(folder.run(command).refuses(), "error: unknown puzzle 'klotsky', did you mean 'klotski'?\n");
    }
}

#[test]
fn invalid_numbers_are_refused() {
    let options = [
        (
            "--weight",
            "<W>",
            "expected a number from 1 to 10 with at most three decimals",
            &["0", "0.999", "10.001", "1.2345", "-1", "x", "nan", "inf", "1,5"][..],
        ),
        (
            "--time-limit",
            "<TIME>",
            "expected a time such as 500ms, 30s, 5m or 2h",
            &["x", "-5s", "5y", "1e3", "s", "5 s 6"],
        ),
        ("--time-limit", "<TIME>", "expected a shorter time", &["99999999999999999999h"]),
        ("--memory-limit", "<SIZE>", "expected a size such as 500M or 4G", &["x", "-1", "5y", "M", "1.2.3G"]),
        ("--memory-limit", "<SIZE>", "expected at least one byte", &["0", "0G", "0.5"]),
        ("--node-limit", "<N>", "expected a number such as 1000000 or 20M", &["x", "-1", "1.5", "10nodes"]),
    ];
    let folder = Folder::with("puzzle", TILES);
    for (name, placeholder, expected, values) in options {
        for value in values {
            let run = folder.run_with(&["solve", "puzzle", name, value], "");
            let message = format!("error: invalid value '{value}' for '{name} {placeholder}': {expected}{HINT}\n");
            assert_text(run.refuses(), &message);
        }
    }
    for size in ["5", "5x", "x5", "5x5x5", "-2x3", "2.5x3", "99999x1"] {
        let run = folder.run_with(&["generate", "die", &format!("--size={size}")], "");
        let expected = "expected rows x columns, such as 20x30";
        assert_text(run.refuses(), &format!("error: invalid value '{size}' for '--size <RxC>': {expected}{HINT}\n"));
    }
}

#[test]
fn invalid_choices_are_refused_with_the_list() {
    for (option, placeholder, values) in [
        ("--tie-break", "<TIE_BREAK>", "fifo, lifo, low-h"),
        ("--format", "<FORMAT>", "text, json, course"),
        ("--color", "<COLOR>", "auto, always, never"),
    ] {
        let message = format!("invalid value 'zzz' for '{option} {placeholder}'\n  [possible values: {values}]{HINT}");
        assert_refused(&format!("{option} zzz"), &message);
    }
}

#[test]
fn a_move_order_has_every_move_once() {
    let expected = |order: &str| format!("--move-order: expected each of DOWN,RIGHT,LEFT,UP once, found '{order}'");
    for order in ["UP", "UP,UP,LEFT,RIGHT", "UP,DOWN,LEFT,RIGHT,UP", "N,E,S,W", "UPDOWNLEFTRIGHT"] {
        assert_refused(&format!("--move-order {order}"), &expected(order));
    }
    let run = solve(MAZE, "--move-order NESS");
    assert_text(run.refuses(), "error: --move-order: expected each of NESW once, found 'NESS'\n");
}

#[test]
fn a_goal_is_chosen_only_where_there_is_a_choice() {
    assert_refused("--goal middle", "--goal: expected blank-first or blank-last, found 'middle'");
    let own_goal = "1 2\n3 0\n\n1 2\n0 3\n";
    for (puzzle, expected) in [
        (own_goal, "the file has a goal of its own"),
        (MAZE, "a die maze has its goal in the file"),
        (KLOTSKI, "a klotski file gives its goal as a second board"),
        (CHEXERS, "the goal of Chexers is always the empty board"),
    ] {
        assert_text(solve(puzzle, "--goal blank-first").refuses(), &format!("error: --goal: {expected}\n"));
    }
}

#[test]
fn a_trace_needs_a_known_extension_and_an_existing_folder() {
    for name in ["trace", "trace.txt", "jsonl", ".yaml", "trace.jsonl.gz"] {
        let expected = format!("--trace: expected a name that ends in .jsonl or .yaml, found '{name}'");
        assert_refused(&format!("--trace {name}"), &expected);
    }
    assert_refused("--trace nowhere/trace.yaml", "--trace: nowhere/trace.yaml: No such file or directory (os error 2)");
    assert_refused("--trace puzzle/trace.yaml", "--trace: puzzle/trace.yaml: Not a directory (os error 20)");
    assert_refused("--trace trace.yaml --format course", "--trace: not with the course format");
    let folder = Folder::with("puzzle", TILES);
    fs::create_dir(folder.path().join("trace.yaml")).unwrap();
    let run = folder.run("solve puzzle --trace trace.yaml");
    assert_text(run.refuses(), "error: --trace: trace.yaml: is a directory\n");
    assert_eq!(folder.names(), ["puzzle", "trace.yaml"]);
}

#[test]
fn missing_and_surplus_arguments_are_refused() {
    let folder = Folder::with("puzzle", TILES);
    for (words, first_line) in [
        ("solve", "error: the following required arguments were not provided:"),
        ("verify puzzle", "error: the following required arguments were not provided:"),
        ("generate", "error: the following required arguments were not provided:"),
        ("completions", "error: the following required arguments were not provided:"),
        ("solve puzzle puzzle", "error: unexpected argument 'puzzle' found"),
        ("solve puzzle --boards --borads", "error: unexpected argument '--borads' found"),
        ("solve puzzle --trace-limit 5", "error: the following required arguments were not provided:"),
        ("sovle puzzle", "error: unrecognized subcommand 'sovle'"),
        ("completions tcsh", "error: invalid value 'tcsh' for '<SHELL>'"),
        ("verify - -", "error: only one of FILE and SOLUTION can be standard input"),
    ] {
        let run = folder.run(words);
        assert_eq!(run.refuses().lines().next(), Some(first_line), "{run}");
    }
    assert!(folder.run("").refuses().contains("Usage: admissible"), "without arguments there is help");
}
