//! Every puzzle, heuristic and algorithm of the registry against the claims of its card.

use admissible_front::{
    ALGORITHMS, AnswerOutcome, AuditPlan, Limits, OpenError, Parameters, Plan, PlanError, ReadOptions, Setting,
    SolvedAnswer, Task, Truth, generate,
};
use admissible_puzzles::PUZZLES;

use crate::small_parameters;

/// Instances that blind search solves in a moment, recognised by their content.
fn instances(puzzle: &'static str) -> impl Iterator<Item = Task> {
    (0..6).map(move |seed| {
        let parameters = match puzzle {
            "die" => Parameters::from([("size", Setting::Size(6, 6))]),
            "tiles" => Parameters::from([("size", Setting::Size(2, 4))]),
            "chexers" => Parameters::from([("pieces", Setting::Count(3)), ("blocks", Setting::Count(5))]),
            // Some of its heuristics are admissible with two empty cells only.
            "klotski" => Parameters::from([("empties", Setting::Count(2 + seed as usize % 2))]),
            _ => small_parameters(puzzle),
        };
        let entry = PUZZLES.entry(puzzle).expect("the registry has the puzzle");
        let text = generate(entry, &parameters, seed, &mut ()).expect("a solvable instance is found");
        let task = PUZZLES.open(&text, None, &ReadOptions::default()).unwrap_or_else(|error| panic!("{text}\n{error}"));
        assert_eq!(task.card().name, puzzle, "{text}");
        task
    })
}

/// The solution of an algorithm with a heuristic, unless it takes too long.
fn solve(task: &Task, algorithm: &str, heuristic: &str) -> Option<SolvedAnswer> {
    let limits = Limits { expanded: Some(500_000), ..Limits::default() };
    let plan = Plan { algorithm: Some(algorithm.into()), heuristic: Some(heuristic.into()), limits, ..Plan::default() };
    let start = task.draw();
    match task.solve(&plan, &mut (), None) {
        Ok(answer) => {
            let guided = ALGORITHMS.iter().any(|card| card.name == algorithm && card.guided);
            assert_eq!((answer.algorithm, &*answer.heuristic), (algorithm, if guided { heuristic } else { "zero" }));
            match answer.outcome {
                AnswerOutcome::Solved(solved) => Some(solved),
                AnswerOutcome::Stopped { .. } => None,
                AnswerOutcome::Unsolvable { .. } => {
                    panic!("{algorithm} {heuristic}: the instance is solvable\n{start}")
                }
            }
        }
        Err(PlanError::NotBackward(_)) if algorithm == "bidirectional" => None,
        Err(PlanError::NotShared(_)) if algorithm == "hdastar" => None,
        Err(error) => panic!("{algorithm} {heuristic}: {error}\n{start}"),
    }
}

#[test]
fn boards_of_the_wrong_parity_are_refused_without_a_search() {
    // Five rows of five tiles, with 23 and 24 swapped.
    let tile = |tile: usize| [24, 23].get(tile.wrapping_sub(23)).copied().unwrap_or(tile) % 25;
    let row = |row: usize| (1..=5).map(|column| tile(5 * row + column).to_string()).collect::<Vec<_>>().join(" ");
    let text = (0..5).map(row).collect::<Vec<_>>().join("\n");
    let task = PUZZLES.open(&text, None, &ReadOptions::default()).unwrap_or_else(|error| panic!("{text}\n{error}"));
    for algorithm in ALGORITHMS.iter().map(|card| card.name) {
        let plan = Plan { algorithm: Some(algorithm.into()), ..Plan::default() };
        let answer = task.solve(&plan, &mut (), None).unwrap_or_else(|error| panic!("{algorithm}: {error}"));
        assert!(matches!(answer.outcome, AnswerOutcome::Unsolvable { .. }), "{algorithm}");
        assert_eq!(answer.stats.expanded, 0, "{algorithm}");
    }
}

/// The guarantee of an algorithm with a heuristic that is admissible or consistent, or not.
fn expected_guarantee(algorithm: &str, admissible: bool, consistent: bool) -> &'static str {
    match algorithm {
        "ucs" | "bfs" => "optimal",
        "astar" | "hdastar" | "idastar" | "idastar-pruned" | "bidirectional" if admissible => "optimal",
        "astar-no-reopen" if consistent => "optimal",
        "wastar" if admissible => "within 1.5",
        _ => "none",
    }
}

#[test]
fn guarantees_follow_from_the_cards_and_hold() {
    for card in PUZZLES.cards() {
        for task in instances(card.name) {
            let least = solve(&task, "ucs", "zero").expect("the instance is small").cost;
            for (heuristic, algorithm) in
                card.heuristics.iter().flat_map(|h| ALGORITHMS.iter().map(move |a| (h, a.name)))
            {
                let what = format!("{} {algorithm} {}\n{}", card.name, heuristic.name, task.draw());
                let Some(solved) = solve(&task, algorithm, heuristic.name) else { continue };
                let text = solved.guarantee_text();
                // A heuristic that is consistent on some instances is consistent here if the search proves optimality.
                let sometimes = matches!(heuristic.consistent, Truth::Sometimes(_)) && text == "optimal";
                let consistent = heuristic.consistent == Truth::Yes || sometimes;
                let expected = |admissible| expected_guarantee(algorithm, admissible, consistent);
                match heuristic.admissible {
                    Truth::Yes => assert_eq!(text, expected(true), "{what}"),
                    Truth::No(_) => assert_eq!(text, expected(false), "{what}"),
                    Truth::Sometimes(_) => {
                        assert!([expected(true), expected(false)].contains(&&*text), "{what}: {text}");
                    }
                }
                let most = match &*text {
                    "optimal" => least,
                    "within 1.5" => least * 3 / 2,
                    _ => u32::MAX,
                };
                assert!((least..=most).contains(&solved.cost), "{what}: {text} says {}, not {least}", solved.cost);
            }
        }
    }
}

#[test]
fn the_default_plan_is_optimal_and_gives_its_reason() {
    for card in PUZZLES.cards() {
        for task in instances(card.name) {
            let answer = task.solve(&Plan::default(), &mut (), None).expect("the default plan runs");
            let AnswerOutcome::Solved(solved) = answer.outcome else { panic!("the instance is solvable") };
            assert_eq!(solved.guarantee_text(), "optimal", "{}", card.name);
            assert!(answer.chosen.is_some_and(|why| why.contains(&answer.heuristic)), "{}", card.name);
        }
    }
}

#[test]
fn cards_give_a_reason_for_every_property_that_fails() {
    for heuristic in PUZZLES.entries().flat_map(|entry| entry.card().heuristics) {
        let reasons = [heuristic.admissible, heuristic.consistent].map(|truth| match truth {
            Truth::Yes => None,
            Truth::No(why) | Truth::Sometimes(why) => Some(why),
        });
        assert!(reasons.into_iter().flatten().all(|why| !why.is_empty()), "{}", heuristic.name);
        // A consistent heuristic that is 0 at the goals is admissible.
        assert!(heuristic.consistent != Truth::Yes || heuristic.admissible == Truth::Yes, "{}", heuristic.name);
    }
}

#[test]
fn a_heuristic_that_does_not_fit_the_instance_is_refused_with_the_reason() {
    let board = "1 2 3 4 5\n6 7 8 9 10\n11 12 13 0 14\n";
    let task = PUZZLES.open(board, None, &ReadOptions::default()).expect("it is a board of 3 x 5");
    let plan = Plan { heuristic: Some("walking-distance".into()), ..Plan::default() };
    let why =
        "the heuristic 'walking-distance' does not support this instance: its tables for 3 x 5 would be too large";
    assert_eq!(task.solve(&plan, &mut (), None).unwrap_err().to_string(), why);
    let plan = |heuristics: &[&str]| AuditPlan {
        heuristics: heuristics.iter().map(ToString::to_string).collect(),
        scope: Some("sample:10".into()),
        seed: 1,
        dominance: false,
        threads: 1,
    };
    assert_eq!(task.audit(&plan(&["walking-distance"]), &()).unwrap_err().to_string(), why);
    let audit = task.audit(&plan(&[]), &()).expect("the other heuristics fit");
    assert!(audit.reports.len() > 3 && audit.reports.iter().all(|report| report.heuristic != "walking-distance"));
}

#[test]
fn unknown_names_are_refused_with_the_nearest_name() {
    let task = PUZZLES.open("S.G\n...\n", None, &ReadOptions::default()).expect("it is a die maze");
    let error = |algorithm: &str, heuristic: &str| {
        let plan = Plan { algorithm: Some(algorithm.into()), heuristic: Some(heuristic.into()), ..Plan::default() };
        task.solve(&plan, &mut (), None).unwrap_err().to_string()
    };
    assert_eq!(error("astra", "zero"), "unknown algorithm 'astra', did you mean 'astar'?");
    assert_eq!(error("astar", "manhatan"), "unknown heuristic 'manhatan' for die, did you mean 'manhattan'?");
    assert_eq!(
        error("astar", "linear-conflict"),
        "unknown heuristic 'linear-conflict' for die (see: admissible list die)"
    );
    let opened = |text: &str, puzzle: Option<&str>| PUZZLES.open(text, puzzle, &ReadOptions::default()).err();
    let unknown = OpenError::UnknownPuzzle { name: "tile".into(), nearest: Some("tiles") };
    assert_eq!(opened("", Some("tile")), Some(unknown));
    assert_eq!(opened(" \n", None), Some(OpenError::Empty));
    assert_eq!(opened("{", None).map(|error| error.to_string().is_empty()), Some(false));
    assert_eq!(opened("hello, world", None), Some(OpenError::Unrecognised));
}

#[test]
fn a_notation_belongs_to_one_puzzle() {
    for (puzzle, texts) in [
        (
            "tiles",
            &[
                "1,2,3\n4,5,6\n7,8,0\n",
                "[[1,2,3],[4,5,6],[7,8,0]]",
                "(1, 2, 3, 4, 5, 6, 7, 8, 0)",
                "123456780",
                "12345678_",
                "123/456/780",
                "123\n456\n780\n",
                "3\n 1 2 3\n 4 5 6\n 7 8 0\n",
                "10\n23\n",
            ][..],
        ),
        ("klotski", &["22\n70\n\n22\n07\n", "700\n110\n110\n000\n", "11\n11\n00\n", "2 1 1 3\n2 1 1 3\n7 0 0 7\n"]),
        ("pancake", &["3 1 2 5 4", "2 1", "4 3 2 1"]),
    ] {
        for text in texts {
            let task = PUZZLES.open(text, None, &ReadOptions::default()).unwrap_or_else(|e| panic!("{text}\n{e}"));
            assert_eq!(task.card().name, puzzle, "{text}");
        }
    }
}
