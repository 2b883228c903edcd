//! `solve` and `explore` by several processes, and `cluster plan`.

use serde_json::Value;

use crate::support::{ANSWERED, Folder, REFUTED, Run, STOPPED};

const BOARD: &str = "5 1 4 8\n9 6 3 12\n2 10 7 11\n13 14 15 0\n";
const MAZE: &str = "S..*\n.*..\n...G\n";

/// The answer, whatever the other processes have said on standard error.
#[track_caller]
fn object(run: &Run, code: i32) -> Value {
    assert_eq!(run.code, Some(code), "{run}");
    serde_json::from_str(&run.out).unwrap_or_else(|error| panic!("{error}: {run}"))
}

fn folder() -> Folder {
    let folder = Folder::new();
    folder.write("board", BOARD);
    folder.write("maze", MAZE);
    folder
}

#[test]
fn several_processes_find_the_same() {
    let folder = folder();
    for file in ["board", "maze"] {
        let heuristic = "-H manhattan";
        let alone: Value = folder.run(&format!("solve {file} --format json -a astar {heuristic}")).one_object(ANSWERED);
        for processes in [1, 2, 3] {
            let words = format!("solve {file} --format json {heuristic} --processes {processes} --threads 1");
            let answer = object(&folder.run(&words), ANSWERED);
            assert_eq!(answer["algorithm"], "hdastar");
            for same in ["cost", "guarantee", "outcome"] {
                assert_eq!(answer[same], alone[same], "{file} {processes}");
            }
            let before = "expanded_before_last_layer";
            assert_eq!(answer["stats"][before], alone["stats"][before], "{file} {processes}");
        }
    }
}

#[test]
fn no_solution_is_proved_together() {
    let folder = Folder::new();
    folder.write("walled", "S.*.\n..*G\n");
    folder.write("odd", "2 1 3\n4 5 6\n7 8 0\n");
    for file in ["walled", "odd"] {
        let run = folder.run(&format!("solve {file} --format json --processes 2 --threads 1"));
        let answer = object(&run, REFUTED);
        assert_eq!(answer["outcome"], "unsolvable");
    }
}

#[test]
fn a_limit_of_one_ends_all() {
    let folder = folder();
    folder.write("hard", "15 14 8 12\n10 11 9 13\n2 6 5 1\n3 7 4 0\n");
    let run = folder.run("solve hard --format json -H zero --processes 2 --threads 1 --node-limit 200000");
    let answer = object(&run, STOPPED);
    assert_eq!(answer["why"], "node limit");
    assert!(answer["lower_bound"].as_u64().is_some_and(|bound| bound > 0 && bound <= 80), "{answer}");
}

#[test]
fn every_state_is_met_once() {
    let folder = folder();
    folder.write("small", "1 2 3\n4 5 6\n7 8 0\n");
    let alone: Value = folder.run("explore small --format json").one_object(ANSWERED);
    let together = object(&folder.run("explore small --format json --processes 2 --threads 1"), ANSWERED);
    for same in ["states", "goals", "depths", "max_depth", "direction", "farthest_states", "moves"] {
        assert_eq!(together[same], alone[same], "{same}");
    }
    let farthest = |explored: &Value| {
        let mut states: Vec<String> = explored["farthest"].as_array().unwrap().iter().map(Value::to_string).collect();
        states.sort();
        states
    };
    assert_eq!(farthest(&together), farthest(&alone));
}

#[test]
fn what_is_wrong_with_the_hosts_is_told() {
    let folder = folder();
    folder.write("hosts", "# two\nalpha:2101\nbeta\n");
    let told = |words: &str| folder.run(words).refuses().to_string();
    assert!(told("solve maze --hosts hosts --process 0").contains("hosts:3: expected host:port, found 'beta'"));
    assert!(told("solve maze --hosts missing --process 0").contains("missing"));
    folder.write("hosts", "127.0.0.1:2101\n127.0.0.1:2102\n");
    assert!(told("solve maze --hosts hosts --process 2").contains("expected a number from 0 to 1, found 2"));
    told("solve maze --hosts hosts");
    told("solve maze --process 0");
    told("solve maze --processes 2 --hosts hosts --process 0");
    assert!(told("solve maze --processes 2 --algorithm astar").contains("hdastar"));
    assert!(told("solve maze --processes 2 --trace t.jsonl").contains("--trace"));
    assert!(told("explore maze --processes 2 --backward").contains("--backward"));
    assert!(told("explore tiles --processes 2").contains("file"));
}

#[test]
fn one_process_of_a_cluster_is_killed() {
    let program = assert_cmd::cargo::cargo_bin!("admissible");
    let tally = admissible_trials::cluster::run(program, 3, 3, true).expect("the program starts");
    assert!(tally.wrong.is_empty(), "{tally}\n{}", tally.wrong.join("\n"));
    assert_eq!(tally.figure("kills"), 3);
}

#[test]
fn a_plan_is_made_from_a_sample() {
    let folder = folder();
    let run = folder.run("cluster plan maze --format json");
    let plan: Value = run.one_object(ANSWERED);
    assert!(plan["outcome"].as_str().is_some_and(|how| how.starts_with("solved in")), "{plan}");
    folder.write("hard", "15 14 8 12\n10 11 9 13\n2 6 5 1\n3 7 4 0\n");
    let run = folder.run("cluster plan hard -H zero --sample 1s --format json");
    let plan = object(&run, ANSWERED);
    let estimates = plan["estimates"].as_array().expect("estimates");
    assert!(!estimates.is_empty(), "{plan}");
    let most = |row: &Value| row["states"][1].as_f64().expect("a number");
    assert!(estimates.windows(2).all(|pair| most(&pair[0]) < most(&pair[1])), "{plan}");
}
