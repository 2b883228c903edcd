//! `verify`.

use serde::Deserialize;

use crate::puzzles::*;
use crate::support::{ANSWERED, Folder, REFUTED, Run, STOPPED, assert_text};

#[derive(Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
struct Verdict {
    file: String,
    claim: String,
    cost: Option<u32>,
    holds: Option<bool>,
    step: Option<usize>,
    why: Option<String>,
    shortest: Option<bool>,
    optimal_cost: Option<u32>,
}

fn verify(puzzle: &str, solution: &str, options: &str) -> Run {
    let folder = Folder::with("puzzle", puzzle).and("solution", solution);
    folder.run(&format!("verify puzzle solution {options}"))
}

#[track_caller]
fn assert_says(puzzle: &str, solution: &str, code: i32, expected: &str) {
    assert_text(verify(puzzle, solution, "").prints(code), &format!("{expected}\n"));
}

#[test]
fn logs_are_read() {
    let log = |heuristic: &str| {
        format!(
            "{heuristic}\n------ Visited States ------\nPosition: (1, 0)\n\n------ Solution ------\nStarting at:\n\
             Position: (1, 0)\n\nMove left to:\nPosition: (0, 0)\n\nMove down to:\nPosition: (0, 1)\n\n\
             Move right to:\nPosition: (1, 1)\nGoal!\n\n"
        )
    };
    assert_says(".S\n.G\n", &(log("Euclidian") + &log("Manhattan")), ANSWERED, "Legal and shortest: 3 actions.");
    let boards = "Initial state:\n11.\n11.\n...\n\n...\n11.\n11.\n";
    assert_says("11.\n11.\n...\n", boards, ANSWERED, "Legal and shortest: 1 action.");
    assert_says("123456708", "Initial state:\n123/456/708\nLEFT\n", ANSWERED, "Legal and shortest: 1 action.");
    let twice = verify("1 2 3\n4 5 6\n8 7 0\n", "UNSOLVABLE\nUNSOLVABLE\n", "");
    assert!(
        twice.refuses().contains("solution:2:1: expected UNSOLVABLE once, found it again (first at line 1)"),
        "{twice}"
    );
}

#[test]
fn a_solution_above_the_limit_is_rejected() {
    let folder = Folder::with("board", "8 6 7\n2 5 4\n3 0 1\n");
    let solution = folder.run("solve board --format course");
    folder.write("moves", solution.prints(ANSWERED));
    let run = folder.run("verify board moves --at-most 30");
    assert_eq!(run.prints(REFUTED), "Too long: legal, but 31 actions; at most 30 are allowed.\n");
    let run = folder.run("verify board moves --at-most 30 --format json");
    assert!(run.prints(REFUTED).contains("\"holds\":false"), "{run}");
    assert_eq!(folder.run("verify board moves --at-most 31").prints(ANSWERED), "Legal and shortest: 31 actions.\n");
}

#[test]
fn the_output_of_solve_is_legal_and_shortest() {
    for puzzle in [MAZE, MAZES[4], TILES, MIXED_TILES, KLOTSKI, KLOTSKI_DIGITS, KLOTSKI_GOAL, CHEXERS, CHEXERS_EXAMPLE]
    {
        let folder = Folder::with("puzzle", puzzle);
        for options in ["--format course", "--format json", "--format json --algorithm bidirectional"] {
            let solution = folder.run(&format!("solve puzzle {options}"));
            let run = folder.run_with(&["verify", "puzzle", "-"], solution.prints(ANSWERED));
            let verdict = run.prints(ANSWERED);
            assert!(verdict.starts_with("Legal and shortest: "), "{run}");
            folder.write("solution", &solution.out);
            assert_text(folder.run("verify puzzle solution").prints(ANSWERED), verdict);
            let run = folder.run_with(&["verify", "-", "solution"], puzzle);
            assert_text(run.prints(ANSWERED), verdict);
        }
    }
}

#[test]
fn a_legal_solution_may_be_longer_than_needed() {
    assert_says(MAZE, "S E W E E E E N", ANSWERED, "Legal, not shortest: 8 actions; the shortest has 6.");
    assert_says(TILES, "LEFT\nUP\nDOWN\nUP\n", ANSWERED, "Legal, not shortest: 4 actions; the shortest has 2.");
    let there_and_back = "(4,1) left\n(4,0) right\n(4,1) left\n(3,2) left\n";
    assert_says(KLOTSKI, there_and_back, ANSWERED, "Legal, not shortest: 4 actions; the shortest has 2.");
    let all_the_way = "MOVE from (0, -1) to (1, -1).\nMOVE from (1, -1) to (1, 0).\nMOVE from (1, 0) to (1, 1).\n\
                       MOVE from (1, 1) to (1, 2).\nMOVE from (1, 2) to (0, 3).\nEXIT from (0, 3).\n";
    assert_says(CHEXERS, all_the_way, ANSWERED, "Legal, not shortest: 6 actions; the shortest has 4.");
}

#[test]
fn depth_first_solutions_are_legal() {
    for puzzle in [MAZE, KLOTSKI, CHEXERS] {
        let folder = Folder::with("puzzle", puzzle);
        for format in ["course", "json"] {
            let solution = folder.run(&format!("solve puzzle --algorithm dfs --format {format}"));
            let run = folder.run_with(&["verify", "puzzle", "-"], solution.prints(ANSWERED));
            assert!(run.prints(ANSWERED).starts_with("Legal, not shortest: "), "{run}");
        }
    }
}

#[test]
fn one_action_is_singular() {
    assert_says(KLOTSKI_GOAL, "(3,0) right\n", ANSWERED, "Legal and shortest: 1 action.");
    assert_says("1 2\n3 0\n", "", ANSWERED, "Legal and shortest: 0 actions.");
    assert_says(KLOTSKI_GOAL, "No solution\n", REFUTED, "Wrong: there is a solution of 1 action.");
}

#[test]
fn an_illegal_action_is_reported_by_number() {
    for (puzzle, solution, expected) in [
        (MAZE, "E E W N", "action 2 of 4: rolling E brings the 6 up"),
        (MAZE, "north", "action 1 of 1: rolling N leaves the maze"),
        (MAZES[1], "E E S", "action 2 of 3: rolling E brings the 6 up"),
        (TILES, "LEFT UP UP", "action 3 of 3: no tile can move UP into the gap at row 2, column 2"),
        (KLOTSKI, "(4,1) left\n(4,0) down", "action 2 of 2: (4,0) down leaves the board"),
        (KLOTSKI, "(4,1) right", "action 1 of 1: (4,1) right runs into another piece"),
        (KLOTSKI, "(3,3) up", "action 1 of 1: no piece has its upper left cell at row 3, column 3"),
        (
            CHEXERS,
            "MOVE from (0, -1) to (0, 0).\nMOVE from (0, 0) to (0, 2).",
            "action 2 of 2: a block stands on (0, 2)",
        ),
        (CHEXERS, "JUMP from (0, -1) to (0, 1).", "action 1 of 1: nothing stands on (0, 0) to jump over"),
    ] {
        assert_says(puzzle, solution, REFUTED, &format!("Not legal: {expected}."));
    }
}

#[test]
fn an_incomplete_solution_is_refuted() {
    for (puzzle, solution, expected) in [
        (MAZE, "S E E", "the die does not end on the goal"),
        (MAZE, "", "the die does not end on the goal"),
        (TILES, "LEFT", "the last board is not the goal"),
        (KLOTSKI, "(4,1) left", "the 2x2 piece does not end at row 3, column 1"),
        (KLOTSKI_GOAL, "", "the last board is not the goal"),
        (CHEXERS, "MOVE from (0, -1) to (0, 0).", "a piece is left on the board"),
    ] {
        assert_says(puzzle, solution, REFUTED, &format!("Not a solution: after the last action {expected}."));
    }
}

#[test]
fn claims_that_there_is_no_solution_are_checked() {
    for (puzzle, text) in UNSOLVABLE {
        let folder = Folder::with("puzzle", text);
        for format in ["course", "json"] {
            let claim = folder.run(&format!("solve puzzle --format {format}"));
            let run = folder.run_with(&["verify", "puzzle", "-"], claim.prints(REFUTED));
            assert_text(run.prints(ANSWERED), "Right: there is no solution.\n");
        }
        let (_, solvable, cost) = SOLVABLE.into_iter().find(|(name, ..)| *name == puzzle).expect("one of each kind");
        let claim = folder.run("solve puzzle --format course").out;
        let expected = match puzzle {
            "tiles" => "Wrong: parity says that there is a solution.".to_string(),
            _ => format!("Wrong: there is a solution of {cost} actions."),
        };
        assert_says(solvable, &claim, REFUTED, &expected);
    }
}

/// Every section of a report has a solution, and each one is checked.
#[test]
fn every_section_of_a_report_is_checked() {
    let report = Folder::with("puzzle", MAZE).run("solve puzzle --format course").out;
    let forged = report.replacen("Rolls: S E E E E N", "Rolls: E E E E E N", 1);
    assert!(verify(MAZE, &forged, "").code != Some(ANSWERED), "{}", verify(MAZE, &forged, ""));
}

#[test]
fn verdicts_as_json() {
    let verdict = |puzzle, solution, code| verify(puzzle, solution, "--format json").one_object::<Verdict>(code);
    let solved = Verdict {
        file: "puzzle".into(),
        claim: "solved".into(),
        cost: Some(2),
        holds: Some(true),
        step: None,
        why: None,
        shortest: Some(true),
        optimal_cost: Some(2),
    };
    assert_eq!(verdict(TILES, "LEFT UP", ANSWERED), solved);
    let longer = Verdict { cost: Some(4), shortest: Some(false), ..solved };
    assert_eq!(verdict(TILES, "LEFT UP DOWN UP", ANSWERED), longer);
    let illegal = Verdict {
        holds: Some(false),
        step: Some(2),
        why: Some("no tile can move LEFT into the gap at row 1, column 2".into()),
        shortest: None,
        optimal_cost: None,
        ..longer
    };
    assert_eq!(verdict(TILES, "LEFT LEFT UP UP", REFUTED), illegal);
    let wrong = Verdict { claim: "unsolvable".into(), cost: None, step: None, why: None, ..illegal };
    assert_eq!(verdict(TILES, "UNSOLVABLE", REFUTED), wrong);
    assert_eq!(verdict(SWAPPED_TILES, "UNSOLVABLE", ANSWERED), Verdict { holds: Some(true), ..wrong });
}

#[test]
fn an_undecided_solution_is_neither_right_nor_wrong() {
    let limits = "--node-limit 10";
    let run = verify(MAZES[4], "No solution", limits);
    assert_text(run.prints(STOPPED), "Whether there is a solution was not decided within the limits.\n");
    let optimal = Folder::with("puzzle", MIXED_TILES).run("solve puzzle --format course");
    let run = verify(MIXED_TILES, optimal.prints(ANSWERED), limits);
    let expected = "Legal: 14 actions. Whether it is shortest was not decided within the limits; \
                    every solution has at least 12.\n";
    assert_text(run.prints(STOPPED), expected);
    let run = verify(MIXED_TILES, &optimal.out, &format!("{limits} --format json"));
    let verdict = run.one_object::<Verdict>(STOPPED);
    assert_eq!((verdict.holds, verdict.shortest, verdict.optimal_cost), (Some(true), None, None));
}

#[test]
fn an_undecided_claim_does_not_hold() {
    let run = verify(MAZES[4], "No solution", "--node-limit 10 --format json");
    assert_eq!(run.one_object::<Verdict>(STOPPED).holds, None, "{run}");
}

#[test]
fn malformed_solutions_are_refused() {
    for (puzzle, solution, expected) in [
        (MAZE, "E E\nS x", "2:3: expected a roll (N, E, S or W), found 'x'\n 2 | S x\n   |   ^\n"),
        (
            TILES,
            "UP\nUPWARDS\n",
            "2:1: expected LEFT, RIGHT, UP, DOWN or UNSOLVABLE, found 'UPWARDS'\n 2 | UPWARDS\n   | ^\n",
        ),
        (KLOTSKI, KLOTSKI_GOAL, "1:1: expected the start, found another board\n 1 | 2^22\n   | ^\n"),
        (
            KLOTSKI,
            "(4,1) left\n(3,2) sideways\n",
            "2:1: expected a step like (3,1) down, found '(3,2) sideways'\n 2 | (3,2) sideways\n   | ^\n",
        ),
        (
            CHEXERS,
            "MOVE from (0, -1) to nowhere",
            "1:22: expected '(', found 'nowhere'\n 1 | MOVE from (0, -1) to nowhere\n   |                      ^\n",
        ),
        (
            TILES,
            "{\"outcome\": \"solved\"}",
            "1:1: expected a JSON answer with \"actions\", an array of strings\n 1 | {\"outcome\": \"solved\"}\n   | ^\n",
        ),
    ] {
        assert_text(verify(puzzle, solution, "").refuses(), &format!("error: solution:{expected}"));
    }
}

#[test]
fn a_truncated_json_solution_is_refused_where_it_ends() {
    let solution = "{\"outcome\": \"solved\",\n \"actions\": [\"UP\"";
    let run = verify(TILES, solution, "");
    assert!(run.refuses().starts_with("error: solution:2:17: expected "), "{run}");
    let run = verify(TILES, "{\"actions\":\n", "");
    assert!(!run.refuses().contains(":2:0:"), "columns count from 1: {run}");
}

#[test]
fn a_binary_solution_is_refused() {
    for content in [&b"\xff\xfe\0U\0P"[..], b"UP\0DOWN", &[0x80; 5000]] {
        let folder = Folder::with("puzzle", TILES).and("solution", content);
        let run = folder.run("verify puzzle solution");
        assert!(run.refuses().starts_with("error: solution:1:"), "{run}");
    }
    let run = Folder::with("puzzle", TILES).run("verify puzzle missing");
    assert_text(run.refuses(), "error: missing: No such file or directory (os error 2)\n");
}

/// Between the second and the third board two pieces move.
#[test]
fn boards_that_are_two_steps_apart_are_an_illegal_action() {
    let boards = "<><>\n2^^2\n^vv2\nv.11\n.211\n\n<><>\n2^^2\n^vv2\nv.11\n2.11\n\n<><>\n2^^2\n^vv2\n.11.\n.11.\n\n";
    let run = verify(KLOTSKI, boards, "");
    assert_eq!(run.code, Some(REFUTED), "{run}");
    assert!(run.out.starts_with("Not legal: action 2"), "{run}");
}
