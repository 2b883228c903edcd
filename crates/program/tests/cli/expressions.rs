//! Heuristics given as expressions.

use serde_json::Value;

use crate::answers::Stats;
use crate::puzzles::*;
use crate::rules::{Die, Rows, Tiles};
use crate::support::{ANSWERED, Folder, REFUTED, Run, assert_text};

fn solve_with(puzzle: &str, heuristic: &str, options: &[&str]) -> Run {
    let words = [&["solve", "puzzle", "--heuristic", heuristic], options].concat();
    Folder::with("puzzle", puzzle).run_with(&words, "")
}

fn counts(stats: &Stats) -> [u64; 5] {
    let Stats { expanded, generated, reopened, expanded_before_last_layer, max_frontier, .. } = *stats;
    [expanded, generated, reopened, expanded_before_last_layer, max_frontier]
}

#[test]
fn linear_conflict_as_an_expression() {
    let text = "manhattan + 2*conflicts";
    for options in [
        &["--format", "json", "--algorithm", "astar"][..],
        &["--format", "json", "--algorithm", "astar", "--tie-break", "fifo"],
        &["--format", "json", "--algorithm", "astar", "--tie-break", "lifo"],
        &["--format", "json", "--algorithm", "idastar"],
    ] {
        for (board, cost) in [(MIXED_TILES, 14), (FAR_TILES, 21)] {
            let written = solve_with(board, text, options).solved::<Tiles>();
            let own = solve_with(board, "linear-conflict", options).solved::<Tiles>();
            assert_eq!((written.heuristic.as_str(), own.heuristic.as_str()), (text, "linear-conflict"));
            assert_eq!((written.cost, own.cost), (cost, cost));
            // An expression is not known to be consistent, so A* by low h uses another implementation, with another
            // order in the last layer.
            let [of_written, of_own] = [&written.stats, &own.stats].map(counts);
            assert_eq!(of_written[3], of_own[3], "{options:?}");
            if options.len() > 4 || options[3] != "astar" {
                assert_eq!(of_written, of_own, "{options:?}");
                assert_eq!(written.actions, own.actions);
            }
            assert_eq!((written.guarantee.as_str(), own.guarantee.as_str()), ("none", "optimal"));
        }
    }
}

#[test]
fn expressions_serve_every_format_and_algorithm() {
    let choice = "if one_up == 1 and dx > 0 and dy > 0 then m + 4 else m";
    let run = solve_with(MAZE, choice, &[]);
    assert_eq!(run.prints(ANSWERED).lines().nth(1), Some(format!("astar with {choice}").as_str()), "{run}");
    assert!(run.out.contains("\nSolution: 6 steps, not proved to be shortest.\n"), "{run}");
    let course = solve_with(MAZE, choice, &["--format", "course"]);
    assert!(course.prints(ANSWERED).starts_with(&format!("Heuristic: {choice}\n")), "{course}");
    for algorithm in ["astar", "astar-no-reopen", "greedy", "wastar", "idastar", "bidirectional"] {
        let options = ["--format", "json", "--algorithm", algorithm];
        assert!(solve_with(MAZE, choice, &options).solved::<Die>().cost >= 6, "{algorithm}");
        let blockers = solve_with(KLOTSKI, "max(manhattan, blockers - 1)", &options).solved::<Rows>();
        assert_eq!(blockers.heuristic, "max(manhattan, blockers - 1)");
    }
    let negative = solve_with(TILES, "-1 + manhattan", &["--format", "json"]).solved::<Tiles>();
    assert_eq!((negative.heuristic.as_str(), negative.cost), ("-1 + manhattan", 2));
}

#[test]
fn faults_are_marked() {
    for (heuristic, expected) in [
        (
            "max(manhattan, conflict - 1)",
            "\
error: heuristic:1:16: unknown feature 'conflict', did you mean 'conflicts'?
 1 | max(manhattan, conflict - 1)
   |                ^^^^^^^^
(the features are zero, misplaced, manhattan, linear-conflict, walking-distance, pdb, conflicts, out_of_row, out_of_column, swapped, inversions, gap_row, gap_column, gap_distance)
",
        ),
        (
            "manhattan + (conflicts > 2)",
            "\
error: heuristic:1:13: expected a number, found a condition
 1 | manhattan + (conflicts > 2)
   |             ^^^^^^^^^^^^^^^
",
        ),
        (
            "if conflicts then 1 else 2",
            "\
error: heuristic:1:4: expected a condition, found a number
 1 | if conflicts then 1 else 2
   |    ^^^^^^^^^
",
        ),
        (
            "max(manhattan, 3",
            "\
error: heuristic:1:17: expected an operator, ',' or ')', found the end
 1 | max(manhattan, 3
   |                 ^
",
        ),
        (
            "manhattan\n + * 2",
            "\
error: heuristic:2:4: expected a number, a feature or '(', found '*'
 2 |  + * 2
   |    ^
",
        ),
        (
            "6-6-3",
            "\
error: heuristic:1:1: expected a heuristic or a feature, found a constant
 1 | 6-6-3
   | ^^^^^
(a variant follows the name of its heuristic and a colon, as in NAME:6-6-3)
",
        ),
        ("manhatan", "error: unknown heuristic 'manhatan' for tiles, did you mean 'manhattan'?\n"),
    ] {
        assert_text(solve_with(TILES, heuristic, &[]).refuses(), expected);
    }
    let colours = solve_with(TILES, "manhattan +", &["--color", "always"]);
    assert!(colours.refuses().contains("\u{1b}[1m\u{1b}[31merror\u{1b}[0m: heuristic:1:12:"), "{colours}");
    let deep = "(".repeat(50_000);
    assert_text(
        solve_with(TILES, &deep, &[]).refuses(),
        "error: heuristic:1:101: expected at most 100 operands within each other, found more\n",
    );
}

#[test]
fn an_expression_is_audited_like_a_heuristic() {
    let audit = |heuristics: &str| {
        let words = ["audit", "tiles", "--scope", "2x3", "--format", "json", "--heuristic", heuristics];
        Folder::new().run_with(&words, "")
    };
    let reports = |run: &Run| -> Vec<Value> { serde_json::from_str(&run.out).unwrap_or_else(|_| panic!("{run}")) };
    let run = audit("linear-conflict, manhattan + 2*conflicts, max(manhattan, 2*conflicts, 1)");
    let [own, mut written, wrong]: [Value; 3] = reports(&run).try_into().expect("three are asked for");
    assert_eq!((run.code, wrong["overestimates"].as_u64()), (Some(REFUTED), Some(1)), "{run}");
    assert_eq!(written["heuristic"], "manhattan + 2*conflicts");
    for report in [&own, &written] {
        assert_eq!((report["states"].as_u64(), report["overestimates"].as_u64()), (Some(360), Some(0)), "{run}");
    }
    for key in ["heuristic", "claim"] {
        written[key] = own[key].clone();
    }
    assert_eq!(written, own);
    assert_eq!(
        audit("manhattan, misplaced +").refuses(),
        "error: heuristic:1:12: expected a number, a feature or '(', found the end\n 1 | misplaced +\n   |            ^\n"
    );
}

#[test]
fn only_some_heuristics_take_a_choice_after_a_colon() {
    for words in ["solve puzzle --algorithm astar", "audit puzzle", "compare puzzle"] {
        let option = if words.starts_with("compare") { "--heuristics" } else { "--heuristic" };
        let run = Folder::with("puzzle", TILES).run(&format!("{words} {option} manhattan:6-6-3"));
        let message =
            "the heuristic 'manhattan:6-6-3' does not support this instance: it leaves nothing to choose after a colon";
        assert!(run.refuses().contains(message), "{run}");
    }
}
