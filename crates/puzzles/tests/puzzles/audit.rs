//! Audits of every heuristic against its card, brute force and published figures.

use std::collections::BTreeMap;
use std::path::Path;

use admissible_front::{Audit, AuditError, AuditPlan, ReadOptions, Task, Truth};
use admissible_oracle::{chexers, die, klotski, tiles};
use admissible_puzzles::PUZZLES;

fn plan(scope: Option<&str>, heuristics: &[&str]) -> AuditPlan {
    let heuristics = heuristics.iter().map(ToString::to_string).collect();
    AuditPlan { heuristics, scope: scope.map(Into::into), seed: 1, dominance: false, threads: 2 }
}

fn audit(puzzle: &str, scope: Option<&str>, heuristics: &[&str]) -> Audit {
    let entry = PUZZLES.entry(puzzle).expect("the registry has the puzzle");
    entry.audit(&plan(scope, heuristics), &()).unwrap_or_else(|error| panic!("{puzzle} {scope:?}: {error}"))
}

fn instance(path: &str) -> (String, Task) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../instances").join(path);
    let text = std::fs::read_to_string(&path).expect("the instance ships with the project");
    let task = PUZZLES.open(&text, None, &ReadOptions::default()).expect("it can be read");
    (text, task)
}

/// The number of states at each distance, from an audit of the zero heuristic.
fn audited_distances(audit: &Audit) -> BTreeMap<u32, u64> {
    assert!(audit.exhaustive);
    audit.reports[0].errors.iter().map(|&(error, states)| (error.unsigned_abs() as u32, states)).collect()
}

fn counted(distances: impl IntoIterator<Item = u32>) -> BTreeMap<u32, u64> {
    let mut counts = BTreeMap::new();
    distances.into_iter().for_each(|distance| *counts.entry(distance).or_default() += 1);
    counts
}

#[test]
fn every_card_agrees_with_the_audit() {
    // Scopes in which every property that fails somewhere does fail.
    let mut scopes =
        vec![("die", None), ("tiles", None), ("tiles", Some("2x4")), ("klotski", Some("empties:3")), ("chexers", None)];
    let others: Vec<_> = PUZZLES.cards().filter(|card| scopes.iter().all(|(puzzle, _)| *puzzle != card.name)).collect();
    scopes.extend(others.iter().map(|card| (card.name, None)));
    for (puzzle, scope) in scopes {
        let audit = audit(puzzle, scope, &[]);
        let card = PUZZLES.entry(puzzle).unwrap().card();
        assert_eq!(audit.reports.len(), card.heuristics.len());
        for (report, card) in audit.reports.iter().zip(card.heuristics) {
            assert_eq!(report.heuristic, card.name);
            let found = format!("{puzzle} {scope:?} {}: {}", card.name, report.verdict());
            assert_eq!(report.admissible(), card.admissible == Truth::Yes, "{found}");
            // Other tests cover properties that hold on some instances only.
            let sometimes = matches!(card.consistent, Truth::Sometimes(_));
            assert!(sometimes || report.consistent() == (card.consistent == Truth::Yes), "{found}");
            assert_eq!(report.overestimate.is_none(), report.admissible(), "{found}");
            assert_eq!(report.inconsistency.is_none(), report.inconsistent_edges == 0, "{found}");
        }
    }
}

#[test]
fn distances_equal_those_of_brute_force() {
    let (text, task) = instance("die/course_puzzle2.txt");
    let grid: Vec<&str> = text.lines().collect();
    let truth = counted(die::distances(&grid).into_values());
    assert_eq!(audited_distances(&task.audit(&plan(None, &["zero"]), &()).unwrap()), truth);
    let reachable = task.audit(&plan(Some("reachable"), &["zero"]), &()).unwrap();
    assert_eq!(reachable.reports[0].states, die::reachable(&grid).len() as u64);

    let goal: Vec<u8> = (1..8).chain([0]).collect();
    let truth = counted(tiles::distances(2, 4, &goal).into_values());
    assert_eq!(audited_distances(&audit("tiles", Some("2x4"), &["zero"])), truth);

    let (_, task) = instance("chexers/random_green.json");
    let json: serde_json::Value =
        serde_json::from_str(&instance("chexers/random_green.json").0).expect("the instance is JSON");
    let hexes =
        |key: &str| -> Vec<(i8, i8)> { serde_json::from_value(json[key].clone()).expect("hexes are pairs of numbers") };
    let truth = chexers::distances(json["colour"].as_str().unwrap(), &hexes("blocks"), hexes("pieces").len());
    assert_eq!(audited_distances(&task.audit(&plan(None, &["zero"]), &()).unwrap()), counted(truth.into_values()));
}

#[test]
fn the_classic_layout_has_its_known_figures() {
    let (text, task) = instance("klotski/classic.txt");
    let component = task.audit(&plan(None, &["zero"]), &()).unwrap();
    let report = &component.reports[0];
    assert_eq!((report.states, report.solvable, report.goals, report.farthest), (25_955, 25_955, 964, 126));
    assert_eq!(report.edges, 2 * 41_948);
    let start: Vec<String> = text.lines().map(String::from).collect();
    assert_eq!(klotski::component(&start).len() as u64, report.states);

    for audit in [
        audit("klotski", Some("classic"), &["blockers"]),
        task.audit(&plan(Some("pieces"), &["blockers"]), &()).unwrap(),
    ] {
        let report = &audit.reports[0];
        assert_eq!((report.states, report.solvable, report.goals, report.farthest), (363_480, 267_115, 24_780, 179));
        assert_eq!((report.edges, report.inconsistent_edges), (1_122_092, 10_131));
        assert!(report.admissible() && !report.consistent());
    }
}

#[test]
fn blockers_is_admissible_with_two_empty_cells_and_not_in_general() {
    let two = audit("klotski", Some("empties:2"), &["blockers"]);
    assert_eq!((two.reports[0].states, two.reports[0].overestimates), (1_588_914, 0));
    let all = audit("klotski", None, &["blockers"]);
    let report = &all.reports[0];
    assert_eq!((report.states, report.solvable, report.farthest), (29_334_498, 28_913_089, 179));
    assert_eq!((report.overestimates, report.worst_overestimate), (104_908, 1.0));
    let smallest = report.overestimate.as_ref().expect("it overestimates");
    assert_eq!((smallest.h, smallest.distance), (Some(3.0), 2));
}

#[test]
fn pattern_databases_are_consistent_only_where_one_table_holds_all_tiles() {
    assert!(audit("tiles", Some("3x3"), &["pdb"]).reports[0].consistent());
    let strips = audit("tiles", Some("2x5"), &["pdb"]);
    assert!(strips.reports[0].admissible(), "{}", strips.reports[0].verdict());
    assert_eq!(strips.reports[0].states, 1_814_400);
}

#[test]
fn the_smallest_counterexample_to_oriented_is_one_roll_from_the_goal() {
    let audit = audit("die", None, &["die-roll", "oriented"]);
    let [die_roll, oriented] = &audit.reports[..] else { panic!("the plan names two heuristics") };
    assert!(die_roll.admissible() && !die_roll.consistent());
    assert_eq!(die_roll.verdict(), "admissible, NOT consistent");
    let smallest = oriented.overestimate.as_ref().expect("it overestimates");
    assert_eq!((smallest.h, smallest.distance, smallest.actions.len()), (Some(3.0), 1, 1));
    assert_eq!(smallest.boards.len(), 2);
    assert_eq!(oriented.json()["counterexample"]["kind"], "overestimate");
    assert_eq!(die_roll.json()["counterexample"]["kind"], "inconsistency");
}

/// The faces on top, north and east after a roll, by the rules.
fn rolled([up, north, east]: [u64; 3], roll: &str) -> [u64; 3] {
    match roll {
        "N" => [7 - north, up, east],
        "S" => [north, 7 - up, east],
        "E" => [7 - east, north, up],
        _ => [east, north, 7 - up],
    }
}

#[test]
fn the_solution_of_a_counterexample_is_legal() {
    let audit = audit("die", Some("random:60"), &["oriented"]);
    let found = &audit.reports[0].json()["counterexample"];
    assert!(found["h"].as_u64() > found["distance"].as_u64());
    let board: Vec<Vec<String>> = serde_json::from_value::<Vec<String>>(found["board"].clone())
        .expect("a board is a list of lines")
        .iter()
        .map(|line| line.split(' ').map(String::from).collect())
        .collect();
    let state = |key: &str| found["state"][key].as_u64().expect("numbers");
    let mut faces = ["top", "north", "east"].map(state);
    let (mut row, mut column) = (state("row") as usize, state("col") as usize);
    assert_eq!(board[row][column], faces[0].to_string(), "the die is drawn where it stands");
    let actions = found["actions"].as_array().expect("a list");
    for action in actions {
        let roll = action.as_str().expect("a letter");
        faces = rolled(faces, roll);
        match roll {
            "N" => row -= 1,
            "S" => row += 1,
            "E" => column += 1,
            _ => column -= 1,
        }
        assert!(faces[0] != 6 && board[row][column] != "*", "neither a 6 on top nor an obstacle");
    }
    assert_eq!((board[row][column].as_str(), faces[0]), ("G", 1));
    assert_eq!(Some(actions.len() as u64), found["distance"].as_u64());
}

#[test]
fn dominance_agrees_with_the_definitions() {
    let plan = AuditPlan { dominance: true, ..plan(None, &["manhattan", "die-roll", "open-board", "euclidean"]) };
    let audit = PUZZLES.entry("die").unwrap().audit(&plan, &()).unwrap();
    let dominance = audit.dominance.expect("the plan asks for dominance");
    let names = ["manhattan", "die-roll", "open-board", "euclidean"];
    assert_eq!(dominance.heuristics, names);
    for (other, name) in names.iter().enumerate() {
        assert!(dominance.dominates(2, other), "open-board is at least {name}");
        assert_eq!(dominance.less[other][other], 0);
    }
    assert!(dominance.dominates(0, 3) && !dominance.dominates(3, 0), "manhattan is at least euclidean");
    assert!(!dominance.dominates(1, 2));
}

#[test]
fn an_audit_does_not_depend_on_the_number_of_threads() {
    for (puzzle, scope) in [("klotski", Some("empties:4")), ("tiles", Some("2x4")), ("chexers", None)] {
        let with = |threads| {
            let plan = AuditPlan { threads, dominance: true, ..plan(scope, &[]) };
            let audit = PUZZLES.entry(puzzle).unwrap().audit(&plan, &()).unwrap();
            let reports: Vec<_> = audit.reports.iter().map(admissible_front::AuditReport::json).collect();
            (reports, audit.dominance)
        };
        assert_eq!(with(1), with(3), "{puzzle}");
    }
}

#[test]
fn a_sample_proves_nothing() {
    let (_, task) = instance("tiles/scrambled_4x4.txt");
    let audit = task.audit(&plan(Some("sample:300"), &["zero", "manhattan"]), &()).unwrap();
    assert!(!audit.exhaustive);
    for report in &audit.reports {
        assert_eq!(report.states, 300);
        assert_eq!(report.verdict(), "sampled, no counterexample found in 300");
        assert_eq!(report.json()["scope"], "sampled");
    }
    // No distance occurs more often than in the whole space by brute force.
    let (_, small) = instance("tiles/random_2x5.txt");
    let sampled = small.audit(&plan(Some("sample:200"), &["zero"]), &()).unwrap();
    let goal: Vec<u8> = (1..10).chain([0]).collect();
    let truth = counted(tiles::distances(2, 5, &goal).into_values());
    for (distance, states) in
        sampled.reports[0].errors.iter().map(|&(error, states)| (error.unsigned_abs() as u32, states))
    {
        assert!(truth.get(&distance).is_some_and(|&all| all >= states), "{states} states at {distance}");
    }
}

#[test]
fn unknown_scopes_and_unknown_heuristics_are_different_errors() {
    let ask = |puzzle: &str, scope, heuristics: &[&str]| {
        PUZZLES.entry(puzzle).unwrap().audit(&plan(scope, heuristics), &()).map(|_| ()).unwrap_err()
    };
    assert!(matches!(ask("die", None, &["manhatan"]), AuditError::Plan(_)));
    for (puzzle, scope) in
        [("die", "open:99"), ("die", "maze"), ("tiles", "4y4"), ("klotski", "empties:99"), ("chexers", "pieces:38")]
    {
        assert!(matches!(ask(puzzle, Some(scope), &[]), AuditError::Scope(_)), "{puzzle} {scope}");
    }
    assert!(matches!(ask("chexers", Some("pieces:20"), &[]), AuditError::TooMany(_)));
    assert_eq!(
        ask("klotski", Some("empties:x"), &[]).to_string(),
        "--scope: expected a number from 1 after 'empties:', found 'x'"
    );
}
