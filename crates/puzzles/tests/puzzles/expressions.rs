//! Heuristics written as expressions.

use admissible_front::{
    Answer, AnswerOutcome, Limits, Parameters, Plan, PlanError, ReadOptions, Setting, Stats, Task, TieBreak, generate,
};
use admissible_puzzles::PUZZLES;

use crate::small_parameters;

fn instance(puzzle: &str, parameters: &Parameters, seed: u64) -> Task {
    let entry = PUZZLES.entry(puzzle).expect("the registry has the puzzle");
    let text = generate(entry, parameters, seed, &mut ()).expect("a solvable instance is found");
    PUZZLES.open(&text, Some(puzzle), &ReadOptions::default()).expect("a generated instance can be read")
}

fn instances(puzzle: &str) -> impl Iterator<Item = Task> {
    let parameters = match puzzle {
        "die" => Parameters::from([("size", Setting::Size(9, 9))]),
        "tiles" => Parameters::from([("size", Setting::Size(3, 3))]),
        "chexers" => Parameters::from([("pieces", Setting::Count(3))]),
        "klotski" => Parameters::default(),
        _ => small_parameters(puzzle),
    };
    (0..4).map(move |seed| instance(puzzle, &parameters, seed))
}

fn answer(task: &Task, algorithm: &str, tie: TieBreak, heuristic: &str) -> Result<Answer, PlanError> {
    let plan = Plan {
        algorithm: Some(algorithm.into()),
        heuristic: Some(heuristic.into()),
        tie: Some(tie),
        limits: Limits { expanded: Some(200_000), ..Limits::default() },
        ..Plan::default()
    };
    task.solve(&plan, &mut (), None)
}

/// The counters of a search, without its memory.
fn counts(stats: &Stats) -> [u64; 6] {
    let Stats { expanded, generated, reopened, expanded_before_last_layer, max_frontier, stored, .. } = *stats;
    [expanded, generated, reopened, expanded_before_last_layer, max_frontier, stored]
}

/// Heuristics of the puzzles, written as expressions.
const WRITTEN: [(&str, &str, &str); 5] = [
    (
        "die",
        "die-roll",
        "if m == 0 and up == 1 then 0 else if m == 0 then 4 \
         else if up == 1 and (dx == 0 or dy == 0) then m + 2 \
         else if up != 1 and (dx == 1 or dy == 1) then m \
         else if up == 1 then m + 4 else m + 2",
    ),
    (
        "die",
        "open-board",
        "if one_up == 1 then (if m == 0 then 0 else if min(dx, dy) == 0 then m + 2 else m + 4) \
         else if one_ahead == -1 then m else if one_ahead < -1 then m + 2 else m + 4",
    ),
    ("tiles", "linear-conflict", "manhattan + 2*conflicts"),
    ("klotski", "blockers", "manhattan + in_the_way"),
    ("chexers", "relaxed-jumps", "max(relaxed_jumps, rows_left/2 + pieces - on_exit, pieces)"),
];

#[test]
fn an_expression_searches_like_the_heuristic_it_describes() {
    for (puzzle, name, text) in WRITTEN {
        for task in instances(puzzle) {
            for algorithm in ["astar", "astar-no-reopen", "wastar", "greedy", "idastar"] {
                for tie in [TieBreak::Fifo, TieBreak::Lifo, TieBreak::LowH] {
                    let own = answer(&task, algorithm, tie, name).expect("is a name");
                    let written = answer(&task, algorithm, tie, text).expect("is an expression");
                    assert_eq!(written.heuristic, text);
                    let what = format!("{algorithm} {tie:?} {name}\n{}", task.draw());
                    // With ties by h, the engine chooses the order in the last layer, and a heuristic may have its own.
                    let has_order = algorithm != "astar" || tie != TieBreak::LowH;
                    if has_order {
                        assert_eq!(counts(&written.stats), counts(&own.stats), "{what}");
                    }
                    let proved = |stats: &Stats| (stats.expanded_before_last_layer, stats.reopened);
                    assert_eq!(proved(&written.stats), proved(&own.stats), "{what}");
                    match (written.outcome, own.outcome) {
                        (AnswerOutcome::Solved(written), AnswerOutcome::Solved(own)) => {
                            assert_eq!(written.cost, own.cost, "{what}");
                            assert!(!has_order || written.actions == own.actions, "{what}");
                            assert_eq!(written.guarantee_text(), "none", "an expression guarantees nothing: {what}");
                        }
                        (AnswerOutcome::Stopped { .. }, AnswerOutcome::Stopped { .. }) => {}
                        (written, own) => panic!("{what}: {written:?}, {own:?}"),
                    }
                }
            }
        }
    }
}

#[test]
fn every_name_on_a_card_is_a_feature_and_unique() {
    for card in PUZZLES.cards() {
        let own = card.heuristics.iter().map(|card| card.name);
        let names: Vec<String> =
            own.chain(card.features.iter().map(|card| card.name)).map(|name| name.replace('_', "-")).collect();
        let task = instances(card.name).next().expect("there are some");
        for name in &names {
            let text = format!("0 * {name}");
            let found = answer(&task, "bidirectional", TieBreak::Fifo, &text).map(|answer| answer.heuristic);
            assert_eq!(found, Ok(text), "{}", card.name);
            assert_eq!(names.iter().filter(|other| *other == name).count(), 1, "{} {name}", card.name);
            // No name reads as a difference of two others.
            let minus = names.iter().any(|left| {
                name.strip_prefix(&format!("{left}-")).is_some_and(|right| names.iter().any(|other| other == right))
            });
            assert!(!minus, "{} {name}", card.name);
        }
        assert!(card.features.iter().all(|card| !card.summary.is_empty()));
    }
}

#[test]
fn an_underscore_may_stand_for_a_hyphen_in_a_name_alone() {
    let task = instances("tiles").next().expect("there are some");
    for text in ["linear_conflict", "linear-conflict", " linear-conflict "] {
        let answer = answer(&task, "astar", TieBreak::LowH, text).expect("is a name");
        assert_eq!(answer.heuristic, "linear-conflict");
        let AnswerOutcome::Solved(solved) = answer.outcome else { panic!("the instance is solvable") };
        assert_eq!(solved.guarantee_text(), "optimal");
    }
}

#[test]
fn dead_ends_of_an_expression_prove_nothing() {
    let task = instances("tiles").next().expect("there are some");
    let found = |text: &str| answer(&task, "astar", TieBreak::LowH, text).expect("is an expression").outcome;
    assert!(matches!(found("1 / 0"), AnswerOutcome::Stopped { .. }));
    // Negative values and NaN count as 0; a huge finite value is not a dead end.
    for text in ["0 / 0", "-1 / 0", "-manhattan", "99999999999", "manhattan - 1000"] {
        assert!(matches!(found(text), AnswerOutcome::Solved(_)), "{text}");
    }
}

#[test]
fn expressions_are_refused_with_their_place_and_single_words_with_the_nearest_name() {
    let task = instances("tiles").next().expect("there are some");
    let error = |text: &str| answer(&task, "astar", TieBreak::LowH, text).expect_err("is refused");
    for word in ["manhatten", "die-roll", "conflict", "then", "Zero"] {
        assert!(matches!(error(word), PlanError::UnknownHeuristic { .. }), "{word}");
    }
    assert_eq!(error("conflict").to_string(), "unknown heuristic 'conflict' for tiles, did you mean 'conflicts'?");
    for text in ["", "max", "manhattan-nothing", "2 * nothing", "manhattan > 1", "7 7"] {
        assert!(matches!(error(text), PlanError::Expression(_)), "{text}");
    }
    assert_eq!(error("manhattan-nothing").to_string(), "heuristic:1:11: unknown feature 'nothing'");
    // A blind algorithm also refuses a wrong expression.
    assert!(answer(&task, "bfs", TieBreak::LowH, "1 +").is_err());
    let blind = answer(&task, "bfs", TieBreak::LowH, "manhattan + 1").expect("is an expression");
    assert_eq!(blind.heuristic, "zero");
}
