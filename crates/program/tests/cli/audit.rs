//! `audit`.

use serde_json::Value;

use crate::support::{ANSWERED, Folder, REFUTED};

fn audit(words: &str, exit: i32) -> Vec<Value> {
    let run = Folder::new().run(&format!("audit {words} --format json"));
    run.prints(exit);
    serde_json::from_str(&run.out).unwrap_or_else(|error| panic!("{words}: {error}\n{}", run.out))
}

/// The documented fields, in order.
const FIELDS: [&str; 11] = [
    "puzzle",
    "heuristic",
    "scope",
    "states",
    "edges",
    "admissible",
    "consistent",
    "overestimates",
    "worst_overestimate",
    "inconsistent_edges",
    "counterexample",
];

/// The report on Klotski claims that blockers dominates manhattan; it does not do so strictly.
#[test]
fn ties_and_zeros_are_counted() {
    let run = Folder::new().run("audit klotski --scope classic --dominance -H manhattan,blockers");
    let line = "  blockers dominates manhattan: not strictly (ties: 29,796, of them goals: 24,780)\n";
    assert!(run.prints(REFUTED).contains(line), "{run}");
    assert_eq!(run.out.matches("  h > 0 elsewhere   yes\n").count(), 2, "{run}");
    let run = Folder::new().run("audit tiles --scope 2x3 --dominance -H zero,manhattan,misplaced --format json");
    let found: Value = serde_json::from_str(run.prints(ANSWERED)).expect("it is JSON");
    assert_eq!(found[0]["positive_except_at_goals"], false, "{found}");
    assert_eq!(found[0]["zeros_that_are_no_goals"], 359, "{found}");
    assert!(found[0]["zero"]["state"].is_array(), "{found}");
    assert_eq!(found[1]["positive_except_at_goals"], true, "{found}");
    assert_eq!(found[1]["strictly_dominates"], serde_json::json!(["zero"]), "{found}");
    assert_eq!(found[1]["ties"]["misplaced"], serde_json::json!({ "states": 25, "goals": 1 }), "{found}");
}

#[test]
fn json_is_an_array_with_an_object_a_heuristic() {
    let reports = audit("tiles --scope 2x3 --heuristic manhattan,linear-conflict", ANSWERED);
    assert_eq!(reports.len(), 2);
    for (report, name) in reports.iter().zip(["manhattan", "linear-conflict"]) {
        let keys: Vec<&String> = report.as_object().expect("an object").keys().collect();
        assert_eq!(keys[..FIELDS.len()], FIELDS);
        assert_eq!(report["puzzle"], "tiles");
        assert_eq!(report["heuristic"], name);
        assert_eq!(report["scope"], "exhaustive");
        assert_eq!((&report["states"], &report["edges"]), (&Value::from(360), &Value::from(840)));
        assert_eq!((&report["admissible"], &report["consistent"]), (&Value::from(true), &Value::from(true)));
        assert_eq!(report["counterexample"], Value::Null);
        assert_eq!(report["farthest"], 21);
    }
}

#[test]
fn all_3x3_boards_are_audited() {
    for report in audit("tiles", ANSWERED) {
        assert_eq!((&report["states"], &report["farthest"]), (&Value::from(181_440), &Value::from(31)));
        assert_eq!(report["verdict"], "admissible and consistent");
    }
}

#[test]
fn a_counterexample_ends_with_exit_code_1() {
    let reports = audit("die --heuristic all", REFUTED);
    let of = |name: &str| reports.iter().find(|report| report["heuristic"] == name).expect("every heuristic");
    let verdict = |name: &str| (of(name)["admissible"].clone(), of(name)["consistent"].clone());
    for name in ["zero", "euclidean", "manhattan", "open-board"] {
        assert_eq!(verdict(name), (true.into(), true.into()), "{name}");
        assert_eq!(of(name)["counterexample"], Value::Null, "{name}");
    }
    assert_eq!(verdict("die-roll"), (true.into(), false.into()));
    assert_eq!(verdict("oriented"), (false.into(), false.into()));
    let found = &of("oriented")["counterexample"];
    assert_eq!((&found["h"], &found["distance"]), (&Value::from(3), &Value::from(1)));
    assert_eq!(found["actions"].as_array().map(Vec::len), Some(1));
    audit("die --heuristic open-board", ANSWERED);
}

#[test]
fn every_state_of_a_maze_is_audited() {
    let folder = Folder::with("maze.txt", "G*..\n....\n....\n..S.\n");
    let run = folder.run("audit maze.txt -H oriented");
    run.prints(REFUTED);
    let shown = &run.out;
    for expected in [
        "die  maze.txt\n",
        "every cell and orientation of the maze\n",
        "300 states",
        "oriented: NOT admissible, NOT consistent  (claimed: admissible, consistent)",
        "smallest counterexample to admissibility: h = 3, true distance 1",
        "h - distance",
    ] {
        assert!(shown.contains(expected), "{expected}\n{shown}");
    }
    let run = folder.run("audit maze.txt -H manhattan,open-board --dominance");
    run.prints(ANSWERED);
    let rows: Vec<Vec<&str>> = run.out.lines().map(|line| line.split_whitespace().collect()).collect();
    assert!(rows.contains(&vec!["open-board", "yes", "="]), "{}", run.out);
    let less = rows.iter().find(|row| row.first() == Some(&"manhattan") && row.get(1) == Some(&"=")).expect("a row");
    assert!(less[2].parse::<u32>().is_ok_and(|less| less > 0), "{}", run.out);
}

#[test]
fn the_number_of_random_mazes_can_be_given() {
    let [few, many] =
        ["die -H manhattan --random 3", "die -H manhattan --scope random:30"].map(|words| audit(words, ANSWERED));
    assert!(few[0]["states"].as_u64() < many[0]["states"].as_u64());
    assert_eq!(audit("die -H manhattan --random 3", ANSWERED), few, "the same seed, the same mazes");
    assert_ne!(audit("die -H manhattan --random 3 --seed 2", ANSWERED), few);
}

#[test]
fn a_sample_never_says_admissible() {
    let folder = Folder::with("board.txt", "1 2 3 4\n5 6 7 8\n9 10 11 12\n0 13 14 15\n");
    let run = folder.run("audit board.txt -H manhattan --scope sample:50");
    run.prints(ANSWERED);
    assert!(run.out.contains("manhattan: sampled, no counterexample found in 50"), "{}", run.out);
    let run = folder.run("audit board.txt -H manhattan --scope sample:50 --format json");
    let reports: Value = serde_json::from_str(&run.out).expect("JSON");
    assert_eq!(reports[0]["scope"], "sampled");
    assert_eq!(reports[0]["verdict"], "sampled, no counterexample found in 50");
}

#[test]
fn impossible_audits_are_refused() {
    let folder = Folder::with("bad.txt", "S.G\n.x.\n");
    for (words, expected) in [
        ("audit bad.txt", "bad.txt:2:2: expected 'S', 'G', '.' or '*', found 'x'"),
        ("audit none.txt", "none.txt: No such file"),
        ("audit die -H manhatan", "unknown heuristic 'manhatan' for die, did you mean 'manhattan'?"),
        ("audit die --scope nothing", "--scope: unknown scope 'nothing', expected open:N or random:N"),
        ("audit die --scope open:0", "expected a number from 1 after 'open:', found '0'"),
        ("audit die --threads 0", "0 is not in 1..=256"),
        ("audit die --random 3 --scope open:3", "cannot be used with"),
        ("audit chexers --scope pieces:30", "choose fewer"),
        ("audit pancake --scope pancakes:20", "the number N of the scope pancakes:N is out of range in 'pancakes:20'"),
    ] {
        let run = folder.run(words);
        assert!(run.refuses().contains(expected), "{run}");
    }
}
