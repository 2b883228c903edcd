//! `solve --certificate` and `verify --certificate`.

use std::fs;
use std::ops::ControlFlow;

use admissible_certificate::{Certificate, Claim, Cost, Number, Rules, Sorter, StateKind, write};
use serde::Deserialize;

use crate::puzzles::*;
use crate::support::{ANSWERED, Folder, REFUTED, Run, STOPPED};

#[derive(Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
struct Verdict {
    certificate: String,
    puzzle: String,
    claim: String,
    metric: Option<String>,
    cost: Option<u32>,
    heuristic: String,
    holds: bool,
    why: Option<String>,
    states: Option<u64>,
    given: Option<String>,
}

/// A folder with a puzzle and a certificate of it, and the run that wrote it.
fn certified(puzzle: &str, options: &str) -> (Folder, Run) {
    let folder = Folder::with("puzzle", puzzle);
    let run = folder.run(&format!("solve puzzle --certificate proof {options}"));
    assert!(run.err.starts_with("certificate: proof, "), "{run}");
    assert_eq!(folder.names(), ["proof", "puzzle"], "nothing else is left: {run}");
    (folder, run)
}

#[track_caller]
fn assert_optimal(puzzle: &str, options: &str, expected: &str) {
    let (folder, run) = certified(puzzle, options);
    assert_eq!(run.code, Some(ANSWERED), "{run}");
    let metric = if options.contains("--metric") { "--metric moves" } else { "" };
    for check in ["", "puzzle", "--memory-limit 1"] {
        let run = folder.run(&format!("verify --certificate proof {check} {metric}"));
        assert!(run.prints(ANSWERED).contains(&format!("\nOptimal: {expected}. ")), "{run}");
    }
    assert_eq!(folder.names(), ["proof", "puzzle"]);
}

#[test]
fn every_puzzle_has_certificates_by_every_algorithm_that_closes_states() {
    for (_, puzzle, cost) in SOLVABLE {
        for algorithm in ["astar", "ucs", "bfs"] {
            assert_optimal(puzzle, &format!("--algorithm {algorithm}"), &format!("{cost} steps"));
        }
        assert_optimal(puzzle, "", &format!("{cost} steps"));
    }
    // Heuristics that are not whole numbers, or not consistent.
    assert_optimal(MAZES[4], "--heuristic euclidean --algorithm astar", "26 steps");
    assert_optimal(MAZES[4], "--heuristic die-roll --algorithm astar", "26 steps");
    assert_optimal(MAZES[3], "--tie-break fifo", "21 steps");
    assert_optimal(CHEXERS_EXAMPLE, "", "10 steps");
    assert_optimal(KLOTSKI_GOAL, "", "1 step");
    assert_optimal(KLOTSKI_CLASSIC, "--heuristic blockers --algorithm astar", "116 steps");
    assert_optimal(KLOTSKI_CLASSIC, "--metric moves", "81 moves");
    // Large enough for the engine that keeps no costs.
    assert_optimal("8 6 7\n2 5 4\n3 0 1\n", "--heuristic manhattan --algorithm astar", "31 steps");
    assert_optimal("8 6 7\n2 5 4\n3 0 1\n", "--heuristic linear-conflict --algorithm astar", "31 steps");
    assert_optimal("1 2 3\n4 5 6\n7 8 0\n", "", "0 steps");
}

#[test]
fn unsolvability_is_certified_too() {
    for (_, puzzle) in UNSOLVABLE {
        let (folder, run) = certified(puzzle, "");
        assert_eq!(run.code, Some(REFUTED), "{run}");
        let run = folder.run("verify --certificate proof puzzle");
        assert!(run.prints(ANSWERED).contains("\nUnsolvable: "), "{run}");
    }
}

#[test]
fn a_verdict_names_its_assumptions() {
    let (folder, _) = certified(MIXED_TILES, "--heuristic manhattan --algorithm astar");
    let run = folder.run("verify --certificate proof");
    let given = "This is so given that manhattan is admissible (as an audit finds on every board of 3 x 3).";
    assert!(run.prints(ANSWERED).contains(given), "{run}");
    let run = folder.run("verify --certificate proof --format json");
    let verdict: Verdict = serde_json::from_str(run.prints(ANSWERED)).expect("one object");
    assert_eq!((verdict.claim.as_str(), verdict.cost, verdict.holds), ("optimal", Some(14), true));
    assert!(verdict.states.is_some_and(|states| states > 10), "{verdict:?}");
    let (folder, _) = certified(KLOTSKI, "--heuristic blockers --algorithm astar");
    let given = "given that blockers is admissible (on every layout with exactly two empty cells).";
    assert!(folder.run("verify --certificate proof").prints(ANSWERED).contains(given));
    let (folder, _) = certified(MIXED_TILES, "--algorithm ucs");
    assert!(!folder.run("verify --certificate proof").prints(ANSWERED).contains("given that"));
}

#[test]
fn searches_that_prove_nothing_are_refused_before_they_start() {
    let folder = Folder::with("maze", MAZE).and("tiles", TILES);
    let refused = |words: &str, expected: &str| {
        let run = folder.run(&format!("{words} --certificate proof"));
        assert!(run.refuses().contains(expected), "{run}");
        assert_eq!(folder.names(), ["maze", "tiles"]);
    };
    refused(
        "solve maze --heuristic oriented --algorithm astar",
        "it would rest on oriented, which is not admissible: one roll",
    );
    refused(
        "solve maze --heuristic manhattan*2 --algorithm astar",
        "nothing proves that this expression is admissible",
    );
    for algorithm in ["idastar", "idastar-pruned", "bidirectional", "dfs", "greedy", "wastar", "astar-no-reopen"] {
        refused(
            &format!("solve tiles --algorithm {algorithm}"),
            "has no such states (try --algorithm astar, ucs, bfs)",
        );
    }
    refused("solve maze --format course", "--certificate: not with the course format");
    let run = folder.run("solve maze --certificate nowhere/proof");
    assert!(run.refuses().contains("nowhere/proof: No such file or directory"), "{run}");
}

#[test]
fn with_a_certificate_the_default_algorithm_stores_closed_states() {
    let board = "1 2 3 4\n5 6 7 8\n9 10 0 12\n13 14 11 15\n";
    let (folder, run) = certified(board, "");
    assert!(run.out.contains("astar with "), "{run}");
    assert!(run.out.contains("chosen because a certificate consists of closed states"), "{run}");
    assert!(folder.run("verify --certificate proof puzzle").prints(ANSWERED).contains("Optimal: 2 steps."));
}

#[test]
fn without_an_answer_there_is_no_certificate() {
    let folder = Folder::with("puzzle", KLOTSKI_CLASSIC);
    let run = folder.run("solve puzzle --certificate proof --node-limit 100");
    assert_eq!((run.code, folder.names()), (Some(STOPPED), vec!["puzzle".to_string()]), "{run}");
    assert!(run.err.contains("no certificate was written"), "{run}");
}

#[test]
fn damaged_and_foreign_certificates_are_told_apart() {
    let (folder, _) = certified(MIXED_TILES, "--heuristic manhattan --algorithm astar");
    let good = fs::read(folder.path().join("proof")).expect("it was written");
    let refused = |bytes: &[u8], expected: &str| {
        folder.write("bad", bytes);
        let run = folder.run("verify --certificate bad");
        assert!(run.refuses().starts_with("error: bad: ") && run.err.contains(expected), "{expected}: {run}");
    };
    for at in (0..good.len()).step_by(23).chain([good.len() - 1]) {
        let mut bad = good.clone();
        bad[at] ^= 0x20;
        refused(&bad, "");
        refused(&good[..at], "it is cut off after ");
    }
    refused(b"1 2 3\n4 5 6\n7 8 0\n", "this is not a certificate");
    refused(&[b"adm.atls", &good[8..]].concat(), "this is an atlas, not a certificate");
    refused(&[&good[..8], &[0; 4], &good[12..]].concat(), "an older version of this program wrote it");
    refused(&[&good[..8], &[9, 0, 0, 0], &good[12..]].concat(), "a newer version of this program wrote it");
    refused(&[&good[..], b"\n"].concat(), "it goes on after its end");
    folder.write("other", TILES);
    let run = folder.run("verify --certificate proof other");
    assert!(run.refuses().contains("proof: it is a certificate of another board than other"), "{run}");
    assert!(folder.run("verify --certificate none").refuses().contains("none: No such file"));
}

/// Rules without states or moves, for writing files that prove nothing.
struct NoRules;

impl Rules for NoRules {
    fn start(&self) -> Number {
        Number::default()
    }

    fn estimate(&self, _state: Number) -> Option<Cost> {
        Some(0)
    }

    fn expand(&self, _state: Number, _successor: &mut dyn FnMut(Number, Cost, Option<Cost>)) -> StateKind {
        StateKind::Invalid
    }
}

#[test]
fn valid_files_with_false_claims_prove_nothing() {
    let (folder, _) = certified(MAZE, "--heuristic manhattan --algorithm astar");
    let path = folder.path().join("proof");
    let claim = Certificate::open(&path).expect("it is whole").claim().clone();
    let refuted = |claim: Claim, states: &[(u64, Cost)], expected: &str| {
        let mut sorter = Sorter::new(1 << 20, folder.path());
        for &(state, g) in states {
            sorter.push(state.into(), g).expect("there is room");
        }
        write(&path, &claim, sorter.finish().expect("it is in memory"), &NoRules, &mut |_| ControlFlow::Continue(()))
            .expect("there is room");
        let run = folder.run("verify --certificate proof");
        assert!(run.prints(REFUTED).contains(expected), "{expected}: {run}");
        let run = folder.run("verify --certificate proof --format json");
        let verdict: Verdict = serde_json::from_str(run.prints(REFUTED)).expect("one object");
        assert!(!verdict.holds && verdict.why.is_some(), "{verdict:?}");
    };
    refuted(claim.clone(), &[], "Not proved: a state that can be reached at a cost of 0 was left out.");
    refuted(claim.clone(), &[(1 << 40, 0)], "Not proved: state 1 of it is no state of this board.");
    let unsolvable = Claim { cost: None, actions: Vec::new(), ..claim.clone() };
    refuted(unsolvable.clone(), &[], "was left out.");
    refuted(Claim { hopeless: true, ..unsolvable }, &[], "Not proved: unsolvability cannot be shown");
    refuted(Claim { cost: Some(5), ..claim.clone() }, &[], "Not proved: its solution costs 6 and not 5.");
    let mut illegal = claim.clone();
    illegal.actions[0] = "N".into();
    refuted(illegal, &[], "Not proved: action 1: ");
    refuted(Claim { heuristic: "oriented".into(), ..claim.clone() }, &[], "which is not admissible");
    refuted(Claim { heuristic: "manhattan * 3".into(), ..claim.clone() }, &[], "nothing proves that this expression");
    // A claim about an unknown board, puzzle or heuristic counts as damage.
    for (claim, expected) in [
        (Claim { board: "S..".into(), ..claim.clone() }, "it is damaged in what it says of its board: 1:1: "),
        (Claim { puzzle: "chess".into(), ..claim.clone() }, "unknown puzzle 'chess'"),
        (Claim { metric: Some("moves".into()), ..claim.clone() }, "counts in one way only"),
        (Claim { heuristic: "no-such".into(), ..claim.clone() }, "unknown heuristic 'no-such'"),
    ] {
        let sorter = Sorter::new(1 << 20, folder.path());
        write(&path, &claim, sorter.finish().expect("it is in memory"), &NoRules, &mut |_| ControlFlow::Continue(()))
            .expect("there is room");
        let run = folder.run("verify --certificate proof");
        assert!(run.refuses().contains(expected), "{run}");
    }
}

#[test]
fn a_certificate_holds_for_one_metric() {
    for (metric, other, cost) in [("moves", "steps", 81), ("steps", "moves", 116)] {
        let (folder, _) = certified(KLOTSKI_CLASSIC, &format!("--metric {metric}"));
        for board in ["", "puzzle"] {
            let run = folder.run(&format!("verify --certificate proof {board} --metric {other}"));
            let expected = format!("error: proof: it certifies a cost in {metric}, not in {other} (--metric)\n");
            assert_eq!(run.refuses(), expected);
            let run = folder.run(&format!("verify --certificate proof {board} --format json"));
            let verdict: Verdict = serde_json::from_str(run.prints(ANSWERED)).expect("one object");
            assert_eq!((verdict.metric.as_deref(), verdict.cost, verdict.holds), (Some(metric), Some(cost), true));
        }
    }
    // A claim without a metric certifies nothing.
    let (folder, _) = certified(KLOTSKI_CLASSIC, "");
    let path = folder.path().join("proof");
    let claim = Certificate::open(&path).expect("it is whole").claim().clone();
    let claim = Claim { metric: None, ..claim };
    let states = Sorter::new(1 << 20, folder.path()).finish().expect("it is in memory");
    write(&path, &claim, states, &NoRules, &mut |_| ControlFlow::Continue(())).expect("there is room");
    let run = folder.run("verify --certificate proof");
    assert!(run.refuses().contains("it names no metric"), "{run}");
}

#[test]
fn options_that_contradict_a_certificate_are_refused() {
    let (folder, _) = certified(TILES, "");
    let message = |options: &str| folder.run(&format!("verify --certificate proof {options}")).refuses().to_string();
    assert!(message("--puzzle klotski").contains("proof: it is a certificate of tiles, not of klotski (--puzzle)"));
    assert!(message("--goal blank-first").contains("--goal: a certificate contains the goal of its board"));
    assert!(message("puzzle --goal blank-first").contains("of another board"));
    assert!(message("--metric steps").contains("--metric: tiles counts in one way only"));
    assert_eq!(folder.run("verify --certificate proof puzzle --goal blank-last --puzzle tiles").code, Some(ANSWERED));
}
