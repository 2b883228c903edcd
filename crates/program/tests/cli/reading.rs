//! Reading puzzles from files and standard input, with all line endings.

use serde_json::Value;

use crate::puzzles::*;
use crate::support::{ANSWERED, Folder, assert_text, solve};

fn cost(run: &crate::support::Run) -> u32 {
    run.solved::<Value>().cost
}

#[test]
fn a_puzzle_may_come_from_standard_input() {
    let folder = Folder::new();
    for (puzzle, text, expected) in SOLVABLE {
        let run = folder.run_with(&["solve", "-", "--format", "json"], text);
        assert_eq!((run.solved::<Value>().puzzle.as_str(), cost(&run)), (puzzle, expected));
    }
    let run = folder.run_with(&["solve", "-"], TILES);
    assert!(run.prints(ANSWERED).starts_with("tiles  standard input\n"), "{run}");
    let run = folder.run_with(&["solve", "-"], "S.\nGG\n");
    let message = "error: standard input:2:2: expected one goal 'G', found a second (the first is at 2:1)\n";
    assert!(run.refuses().starts_with(message), "{run}");
    assert_eq!(folder.names(), [""; 0]);
}

#[test]
fn all_line_endings_are_accepted() {
    for (puzzle, text, expected) in SOLVABLE {
        let variants = [
            text.replace('\n', "\r\n"),
            text.replace('\n', "\r"),
            text.trim_end().to_string(),
            text.trim_end().replace('\n', "\r\n"),
            format!("{}\r", text.trim_end()),
            format!("\u{feff}{text}"),
            format!("\u{feff}{}", text.replace('\n', "\r\n")),
            format!("\n\n{text}\n\n \t\n"),
            text.replace('\n', "  \t\n"),
        ];
        for variant in variants {
            let run = solve(&variant, "--format json");
            assert_eq!((run.solved::<Value>().puzzle.as_str(), cost(&run)), (puzzle, expected), "{variant:?}");
        }
    }
}

#[test]
fn cells_of_a_maze_and_numbers_of_a_board_may_be_spread_out() {
    assert_eq!(cost(&solve("S . . . G\n. . . . .\n", "--format json")), 6);
    assert_eq!(cost(&solve("  1   2  3\n\t4 0\t5\n 7 8 6", "--format json")), 2);
}

#[test]
fn a_fault_is_found_in_the_same_place_however_lines_end() {
    let faults = |text: &str| solve(text, "").refuses().to_string();
    let text = "S..\n..x\n..G\n";
    let expected = "error: puzzle:2:3: expected 'S', 'G', '.' or '*', found 'x'\n 2 | ..x\n   |   ^\n\
                    (read as a die puzzle; choose another with --puzzle)\n";
    for variant in [text.to_string(), text.replace('\n', "\r\n"), text.replace('\n', "\r"), format!("\u{feff}{text}")] {
        assert_text(&faults(&variant), expected);
    }
}

#[test]
fn the_kind_of_puzzle_is_recognised_and_may_be_given() {
    for (puzzle, text, expected) in SOLVABLE {
        let run = solve(text, &format!("--format json --puzzle {puzzle}"));
        assert_eq!((run.solved::<Value>().puzzle.as_str(), cost(&run)), (puzzle, expected));
    }
}

#[test]
fn moves_are_tried_in_the_order_that_was_given() {
    let expanded = |order: &str| {
        let run = solve(MAZES[1], &format!("--format json --algorithm dfs --move-order {order}"));
        run.solved::<Value>().actions[0].clone()
    };
    assert_eq!((expanded("ESWN").as_str(), expanded("s,e,w,n").as_str()), ("E", "S"));
}

#[test]
fn of_two_puzzles_that_cannot_read_a_file_the_one_that_reads_farther_tells_why() {
    let expected = "\
error: puzzle:1:5: expected each size from 1 to 5 once, found 'x'
 1 | 3 1 x 5 4
   |     ^
(read as a pancake puzzle; choose another with --puzzle)
";
    assert_text(solve("3 1 x 5 4\n", "").refuses(), expected);
    // It is a stack; only the option is wrong.
    let expected = "error: --move-order: pancake tries moves in one order only\n";
    assert_text(solve("3 1 2 5 4\n", "--move-order 2,3").refuses(), expected);
}
