//! `solve` and `explore` with several processes, and `cluster plan`.

use serde_json::Value;

use crate::puzzles::KORF_2;
use crate::support::{ANSWERED, Folder, REFUTED, Run, STOPPED};

const BOARD: &str = "5 1 4 8\n9 6 3 12\n2 10 7 11\n13 14 15 0\n";
const MAZE: &str = "G*..\n....\n....\n..S.\n";

/// The answer as JSON; the other processes may have written to standard error.
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
fn several_processes_find_the_same_answer() {
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
fn several_processes_prove_unsolvability() {
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
fn a_limit_stops_all_processes() {
    let folder = folder();
    folder.write("hard", "15 14 8 12\n10 11 9 13\n2 6 5 1\n3 7 4 0\n");
    let run =
        folder.run("solve hard --goal blank-first --format json -H zero --processes 2 --threads 1 --node-limit 200000");
    let answer = object(&run, STOPPED);
    assert_eq!(answer["why"], "node limit");
    assert!(answer["lower_bound"].as_u64().is_some_and(|bound| bound > 0 && bound <= 80), "{answer}");
}

#[test]
fn an_exploration_counts_every_state_once() {
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
fn faults_of_the_hosts_are_reported() {
    let folder = folder();
    folder.write("hosts", "# two\nalpha:2101\nbeta\n");
    let message = |words: &str| folder.run(words).refuses().to_string();
    assert!(message("solve maze --hosts hosts --process 0").contains("hosts:3: expected host:port, found 'beta'"));
    assert!(message("solve maze --hosts missing --process 0").contains("missing"));
    folder.write("hosts", "127.0.0.1:2101\n127.0.0.1:2102\n");
    assert!(message("solve maze --hosts hosts --process 2").contains("expected a number from 0 to 1, found 2"));
    message("solve maze --hosts hosts");
    message("solve maze --process 0");
    message("solve maze --processes 2 --hosts hosts --process 0");
    assert!(message("solve maze --processes 2 --algorithm astar").contains("hdastar"));
    assert!(message("solve maze --processes 2 --trace t.jsonl").contains("--trace"));
    assert!(message("explore maze --processes 2 --backward").contains("--backward"));
    assert!(message("explore tiles --processes 2").contains("file"));
}

#[test]
fn one_process_of_a_cluster_is_killed() {
    let program = assert_cmd::cargo::cargo_bin!("admissible");
    let tally = admissible_trials::cluster::run(program, 3, 3, true).expect("the program starts");
    assert!(tally.wrong.is_empty(), "{tally}\n{}", tally.wrong.join("\n"));
    assert_eq!(tally.figure("kills"), 3);
}

/// The fields of an answer that are the same in every run.
fn reproducible(answer: &Value) -> [Value; 4] {
    let stats = &answer["stats"];
    [&answer["cost"], &answer["guarantee"], &answer["outcome"], &stats["expanded_before_last_layer"]].map(Value::clone)
}

#[test]
fn a_search_with_several_processes_resumes() {
    let search = "solve korf --goal blank-first -H manhattan --format json --processes 2 --threads 1";
    let folder = Folder::with("korf", KORF_2);
    let whole = object(&folder.run(search), ANSWERED);
    let stopped = folder.run(&format!("{search} --node-limit 200k --checkpoint night"));
    assert_eq!(object(&stopped, STOPPED)["why"], "node limit");
    assert!(stopped.err.contains("note: to continue: admissible resume night\n"), "{stopped}");
    assert_eq!(folder.names(), ["korf", "night", "night.1"]);
    // The board is in the checkpoints.
    folder.write("korf", "something else");
    let further = object(&folder.run("resume night --node-limit 600k"), STOPPED);
    assert!(further["stats"]["expanded"].as_u64() >= Some(600_000), "the limit counts from the beginning: {further}");
    let answer = object(&folder.run("resume night"), ANSWERED);
    assert_eq!(reproducible(&answer), reproducible(&whole));
    assert_eq!(folder.names(), ["korf"], "the checkpoints are removed once there is an answer");
}

#[test]
fn frequent_checkpoints_change_nothing() {
    let search = "solve board --format json -H misplaced --processes 2 --threads 1";
    let folder = Folder::with("board", BOARD);
    let whole = object(&folder.run(search), ANSWERED);
    let kept = object(&folder.run(&format!("{search} --checkpoint night --checkpoint-every 1ms")), ANSWERED);
    assert_eq!(reproducible(&kept), reproducible(&whole));
    assert_eq!(folder.names(), ["board"]);
}

#[test]
fn an_exploration_with_several_processes_resumes() {
    let folder = Folder::with("small", "1 2 3\n4 5 6\n7 8 0\n");
    let words = "explore small --format json --processes 3 --threads 1";
    let explored = |text: &str| {
        let mut explored: Value = serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}: {text}"));
        let object = explored.as_object_mut().expect("an object");
        ["seconds", "bytes", "farthest"].iter().for_each(|&varies| drop(object.remove(varies)));
        explored
    };
    let whole = explored(&folder.run(words).out);
    let stopped = folder.run(&format!("{words} --time-limit 50ms --checkpoint half"));
    if stopped.code == Some(ANSWERED) {
        return assert_eq!(explored(&stopped.out), whole, "it ended within the time limit");
    }
    assert_eq!(stopped.code, Some(STOPPED), "{stopped}");
    assert_eq!(folder.names(), ["half", "half.1", "half.2", "small"]);
    let run = folder.run("resume half");
    assert_eq!(run.code, Some(ANSWERED), "{run}");
    assert_eq!(explored(&run.out), whole);
    assert_eq!(folder.names(), ["small"]);
}

#[test]
fn checkpoints_that_do_not_belong_together_are_refused() {
    let folder = Folder::with("korf", KORF_2);
    let search = "solve korf --goal blank-first -H manhattan --processes 2 --threads 1 --node-limit 100k";
    for name in ["one", "two"] {
        let stopped = folder.run(&format!("{search} --checkpoint {name}"));
        assert_eq!(stopped.code, Some(STOPPED), "{stopped}");
    }
    let message = |words: &str| folder.run(words).refuses().to_string();
    assert!(message(&format!("{search} --checkpoint one")).contains("is a checkpoint already: admissible resume one"));
    assert!(message("resume one.1").contains("resume the file without a number"));
    std::fs::rename(folder.path().join("two.1"), folder.path().join("one.1")).expect("both exist");
    assert!(message("resume two").contains("two.1: there is no such file"));
    assert!(message("resume one").contains("were not written together"));
    folder.write("one.1", "something else");
    assert!(message("resume one").contains("one.1"), "the damaged file is named");
    assert_eq!(folder.names(), ["korf", "one", "one.1", "two"], "no checkpoint is removed");
}

#[test]
fn a_plan_is_estimated_from_a_sample() {
    let folder = folder();
    let run = folder.run("cluster plan maze --format json");
    let plan: Value = run.one_object(ANSWERED);
    assert!(plan["outcome"].as_str().is_some_and(|how| how.starts_with("solved in")), "{plan}");
    folder.write("hard", "15 14 8 12\n10 11 9 13\n2 6 5 1\n3 7 4 0\n");
    let run = folder.run("cluster plan hard --goal blank-first -H zero --sample 4s --format json");
    let plan = object(&run, ANSWERED);
    let estimates = plan["estimates"].as_array().expect("estimates");
    assert!(!estimates.is_empty(), "{plan}");
    let most = |row: &Value| row["states"][1].as_f64().expect("a number");
    assert!(estimates.windows(2).all(|pair| most(&pair[0]) < most(&pair[1])), "{plan}");
}
