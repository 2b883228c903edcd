//! Stopped work is resumed with the same answer and the same counts.
#![cfg(unix)]

use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use admissible_front::files::{CHECKPOINT, HeaderWriter};
use assert_cmd::cargo::cargo_bin;
use serde_json::{Value, json};

use crate::puzzles::*;
use crate::support::{ANSWERED, BAD_INPUT, Folder, INTERRUPTED, STOPPED};

const SEARCH: &str = "solve puzzle --goal blank-first --algorithm idastar --heuristic manhattan --format json";

fn without_time(text: &str) -> Value {
    let mut answer: Value = serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}: {text}"));
    answer["stats"].as_object_mut().expect("it has counts").remove("seconds");
    answer
}

#[test]
fn a_stopped_search_resumes_with_the_same_counts() {
    for algorithm in ["idastar", "idastar-pruned"] {
        let folder = Folder::with("puzzle", KORF_2);
        let search = format!("{} --algorithm {algorithm}", SEARCH.replace(" --algorithm idastar", ""));
        let whole = without_time(folder.run(&search).prints(ANSWERED));
        let stopped = folder.run(&format!("{search} --node-limit 1M --checkpoint night"));
        assert_eq!(
            (stopped.code, stopped.err.as_str()),
            (Some(STOPPED), "note: to continue: admissible resume night\n")
        );
        // The board is in the checkpoint.
        folder.write("puzzle", "something else");
        let further = folder.run("resume night --node-limit 3M");
        assert_eq!(further.code, Some(STOPPED), "{further}");
        let expanded = without_time(&further.out)["stats"]["expanded"].clone();
        assert_eq!(expanded, 3_000_000, "the limit counts from the beginning");
        assert_eq!(without_time(folder.run("resume night").prints(ANSWERED)), whole);
        assert_eq!(folder.names(), ["puzzle"], "the checkpoint is removed once there is an answer");
    }
}

#[test]
fn checkpoints_during_a_search_change_nothing() {
    let folder = Folder::with("puzzle", KORF_2);
    let whole = without_time(folder.run(SEARCH).prints(ANSWERED));
    let kept = folder.run(&format!("{SEARCH} --checkpoint night --checkpoint-every 0s"));
    assert_eq!(without_time(kept.prints(ANSWERED)), whole);
    assert_eq!(folder.names(), ["puzzle"]);
}

#[test]
fn default_algorithms_can_be_resumed() {
    let folder = Folder::with("maze", MAZES[4]).and("classic", KLOTSKI_CLASSIC);
    for (file, most) in [("maze", 10), ("classic", 2000)] {
        let stopped = folder.run(&format!("solve {file} --node-limit {most} --checkpoint night --format json"));
        assert_eq!(stopped.code, Some(STOPPED), "{stopped}");
        let answer = without_time(&stopped.out);
        assert_eq!((&answer["algorithm"], &answer["stats"]["expanded"]), (&"idastar-pruned".into(), &most.into()));
        let further = folder.run(&format!("resume night --node-limit {}", 2 * most));
        assert_eq!(without_time(&further.out)["stats"]["expanded"], 2 * most, "{further}");
        std::fs::remove_file(folder.path().join("night")).expect("it exists");
    }
}

#[test]
fn impossible_checkpoints_are_refused_before_the_search() {
    let folder = Folder::with("puzzle", KORF_2);
    for (words, message) in [
        ("solve puzzle --algorithm astar --checkpoint night", "astar has too much in memory to save"),
        ("solve puzzle --checkpoint puzzle", "puzzle exists already and is not overwritten"),
        ("solve puzzle --checkpoint none/night", "none/night"),
        ("solve puzzle --checkpoint night --trace trace.jsonl", "--trace"),
        ("solve puzzle --checkpoint night --certificate proof", "--certificate"),
        ("solve puzzle --checkpoint night --format course", "--checkpoint"),
        ("solve puzzle --checkpoint-every 5s", "--checkpoint <FILE>"),
        ("resume puzzle", "puzzle: this is not a checkpoint"),
        ("resume missing", "missing: No such file"),
    ] {
        let run = folder.run(words);
        assert_eq!((run.code, run.out.as_str()), (Some(BAD_INPUT), ""), "{run}");
        assert!(run.err.contains(message), "{run}");
        assert_eq!(folder.names(), ["puzzle"], "{words}");
    }
    folder.run(&format!("{SEARCH} --node-limit 10 --checkpoint night"));
    let twice = folder.run(&format!("{SEARCH} --checkpoint night"));
    assert!(twice.refuses().contains("is a checkpoint already: admissible resume night"), "{twice}");
}

/// Writes a checkpoint with valid checksums and any content.
fn forge(folder: &Folder, content: &Value) {
    let empty_body = xxhash_rust::xxh3::xxh3_64(b"");
    let header = HeaderWriter::new(&CHECKPOINT).text(&content.to_string()).number(0).number(empty_body);
    folder.write("forged", header.close());
}

#[test]
fn a_forged_checkpoint_runs_nothing_and_writes_nothing() {
    let folder = Folder::with("puzzle", TILES).and("victim.jsonl", "precious");
    let work = |kind: &str, target: &str, options: Value| json!({ "kind": kind, "target": target, "text": TILES, "options": options });
    let plain = work("solve", "puzzle", json!({}));
    let forged = [
        work("serve", "0.0.0.0", json!({ "host": "0.0.0.0" })),
        work("bench", "korf100", json!({ "save": "victim.jsonl" })),
        work("resume", "forged", json!({})),
        work("pdb remove", "6-6-3", json!({})),
        work("solve", "puzzle", json!({ "trace": "victim.jsonl" })),
        work("solve", "puzzle", json!({ "certificate": "victim.jsonl" })),
        work("solve", "puzzle", json!({ "boards --trace=victim.jsonl": null })),
        work("solve", "puzzle", json!({ "hosts": "puzzle", "process": "0" })),
        work("explore", "puzzle", json!({ "report": "." })),
        work("solve", "puzzle", json!({ "threads": "60000" })),
        // The format of an older version.
        json!({ "words": ["bench", "korf100", "--save", "victim.jsonl"], "input": null }),
    ];
    for work in forged {
        for content in [json!({ "work": work, "progress": null }), work.clone(), json!([work]), json!(1), json!("x")] {
            forge(&folder, &content);
            let run = folder.run("resume forged");
            let messages = ["this program did not write what it says", "it is damaged in its header"];
            assert!(messages.iter().any(|message| run.refuses().contains(message)), "{content}: {run}");
            assert_eq!(folder.names(), ["forged", "puzzle", "victim.jsonl"], "{content}: {run}");
            assert_eq!(folder.read("victim.jsonl"), "precious");
        }
    }
    // A file that a checkpoint names is not read.
    let mut unread = plain.clone();
    unread["text"] = Value::Null;
    forge(&folder, &json!({ "work": unread, "progress": null }));
    assert!(folder.run("resume forged").refuses().contains("this program did not write what it says"));
    // Numbers have the same limits as those of the options.
    let cluster = json!({ "number": 0, "heuristic": "manhattan", "threads": u64::MAX / 2, "processes": 1 });
    let together = work("solve", "puzzle", json!({ "processes": "1" }));
    forge(&folder, &json!({ "work": together, "progress": { "cluster": cluster } }));
    assert!(folder.run("resume forged").refuses().contains("this program did not write what it says"));
    // A forged checkpoint with valid content is resumed: the others fail for their content only.
    let progress = json!({
        "algorithm": "idastar", "heuristic": "manhattan", "then": null, "lower_bound": 0, "seconds": 0.0,
        "snapshot": null, "stopped": null,
    });
    forge(&folder, &json!({ "work": plain, "progress": progress }));
    let run = folder.run("resume forged");
    assert_eq!(run.code, Some(ANSWERED), "{run}");
}

#[test]
fn an_exploration_resumes_with_the_same_result() {
    let folder = Folder::new();
    let words = "explore tiles --size 2x4 --format json";
    let explored = |text: &str| {
        let mut explored: Value = serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}: {text}"));
        explored.as_object_mut().expect("an object").remove("seconds");
        explored
    };
    let whole = explored(folder.run(words).prints(ANSWERED));
    let stopped = folder.run(&format!("{words} --time-limit 0s --checkpoint half"));
    assert_eq!((stopped.code, folder.names()), (Some(STOPPED), vec!["half".to_string()]), "{stopped}");
    assert_eq!(explored(folder.run("resume half").prints(ANSWERED)), whole);
    assert!(folder.names().is_empty());
    // A checkpoint does not name the folder of a report: it is given again, as the note says.
    let stopped = folder.run(&format!("{words} --time-limit 0s --checkpoint half --report page"));
    assert!(stopped.err.contains("note: to continue: admissible resume half --report page\n"), "{stopped}");
    assert!(folder.run("resume half --hosts none").refuses().contains("not a run over several machines"));
    assert_eq!(explored(folder.run("resume half --report page").prints(ANSWERED)), whole);
    assert_eq!(folder.names(), ["page"]);
}

/// The signal is sent as soon as a checkpoint exists.
#[test]
fn a_terminated_build_resumes_to_the_same_tables() {
    let folder = Folder::new();
    let run = |words: &str, cache: &str| {
        let mut command = folder.process(words);
        command.env("ADMISSIBLE_CACHE", folder.path().join(cache)).stdin(Stdio::null());
        command
    };
    let build = "pdb build 5-5-5 --threads 1";
    assert!(run(build, "whole").output().expect("it starts").status.success());
    let child =
        run(&format!("{build} --checkpoint half --checkpoint-every 1ms"), "pieces").stderr(Stdio::piped()).spawn();
    let mut child = child.expect("it starts");
    let begin = Instant::now();
    while !folder.path().join("half").exists() && child.try_wait().expect("it is ours").is_none() {
        assert!(begin.elapsed() < Duration::from_secs(120), "no checkpoint is written");
        sleep(Duration::from_millis(1));
    }
    let killed = Command::new("kill").args(["-TERM", &child.id().to_string()]).status();
    assert!(killed.is_ok());
    let output = child.wait_with_output().expect("it ends");
    if output.status.code() == Some(INTERRUPTED) {
        let message = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(message.ends_with("to continue: admissible resume half\n"), "{message}");
        assert!(run("resume half", "pieces").output().expect("it starts").status.success());
    } else {
        assert!(output.status.success(), "it ended before the signal: {output:?}");
    }
    assert_eq!(folder.names(), ["pieces", "whole"], "the checkpoint is removed");
    let tables = |cache: &str| {
        let entries = std::fs::read_dir(folder.path().join(cache)).expect("it exists");
        let mut tables: Vec<(String, Vec<u8>)> = entries
            .map(|entry| entry.expect("readable").path())
            .map(|path| {
                (path.file_name().expect("a name").to_string_lossy().into(), std::fs::read(&path).expect("whole"))
            })
            .collect();
        tables.sort();
        tables
    };
    assert!(tables("pieces") == tables("whole"), "both folders have the same files, byte for byte");
}

fn program() -> PathBuf {
    cargo_bin!("admissible").to_path_buf()
}

#[test]
fn killed_at_any_moment_it_resumes_to_the_same_answer() {
    let tally = admissible_trials::kills::run(&program(), 7, 6, true).expect("the program starts");
    assert!(tally.wrong.is_empty(), "{tally}\n{:?}", tally.wrong);
    assert!(tally.figure("answers compared") > 0, "{tally}");
}

#[test]
fn a_full_disk_or_a_vanished_file_is_reported_and_nothing_is_lost() {
    let tally = admissible_trials::faults::run(&program()).expect("the program starts");
    assert!(tally.wrong.is_empty(), "{tally}\n{:?}", tally.wrong);
}

#[test]
fn a_few_searches_keep_within_their_memory() {
    let tally = admissible_trials::memory::run(&program(), 3, 4, 5).expect("the program starts");
    assert!(tally.wrong.is_empty(), "{tally}\n{:?}", tally.wrong);
}

#[test]
fn a_short_soak_finds_nothing() {
    let tally = admissible_trials::soak::run(11, 12, Duration::from_secs(60));
    assert!(tally.wrong.is_empty(), "{tally}\n{:?}", tally.wrong);
    assert!(tally.figure("instances") > 0, "{tally}");
}
