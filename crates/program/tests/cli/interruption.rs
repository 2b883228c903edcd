//! Ctrl-C and closed pipes.
#![cfg(unix)]

use std::io::{BufRead as _, BufReader};
use std::process::{Child, Command, Output, Stdio};
use std::sync::mpsc;
use std::thread::spawn;
use std::time::Duration;

use crate::answers::Stopped;
use crate::puzzles::*;
use crate::support::{ANSWERED, BAD_INPUT, Folder, INTERRUPTED, Run, has_escape_codes};

/// Starts a search that would take hours, interrupts it after its first line of progress, and returns its output.
fn interrupted(folder: &Folder, words: &str) -> Run {
    let child = folder.process(words).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn();
    let mut child = child.expect("the program starts");
    let errors = BufReader::new(child.stderr.take().expect("it is piped"));
    let (sender, receiver) = mpsc::channel();
    let reader = spawn(move || {
        let mut text = String::new();
        for line in errors.lines() {
            text += &(line.expect("it is text") + "\n");
            // The receiver waits for the first line only.
            let _ = sender.send(());
        }
        text
    });
    receiver.recv_timeout(TIMEOUT).expect("a long search prints its progress");
    interrupt(&child);
    let mut output = child.wait_with_output().expect("the program ends");
    output.stderr = reader.join().expect("it reads to the end").into_bytes();
    Run::new(words.into(), output)
}

/// A program that takes longer hangs.
const TIMEOUT: Duration = Duration::from_secs(120);

pub(crate) fn interrupt(child: &Child) {
    let done = Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert!(done.is_ok_and(|status| status.success()), "kill sends signals");
}

#[test]
fn ctrl_c_ends_a_search_with_its_statistics() {
    let folder = Folder::with("puzzle", KORF_24_1);
    let run = interrupted(&folder, "solve puzzle --goal blank-first --algorithm idastar --heuristic manhattan");
    assert_eq!(run.code, Some(INTERRUPTED), "{run}");
    assert!(run.out.contains("\nInterrupted; every solution has a cost of at least "), "{run}");
    for figure in ["expanded", "generated", "iterations", "time", "memory"] {
        assert!(run.out.contains(&format!("\n  {figure} ")), "{run}");
    }
    assert_eq!(run.err, "", "nothing but progress: {run}");
    assert!(run.progress[0].contains("  expanded ") && run.progress[0].contains("  memory "), "{:?}", run.progress);
    assert!(!has_escape_codes(&run.progress[0]) && !has_escape_codes(&run.out), "{run}");
}

#[test]
fn ctrl_c_ends_a_search_with_json() {
    let folder = Folder::with("puzzle", KORF_24_1);
    let words = "solve puzzle --goal blank-first --algorithm astar --format json --trace trace.jsonl --trace-limit 5";
    let run = interrupted(&folder, words);
    assert_eq!(run.code, Some(INTERRUPTED), "{run}");
    let answer: Stopped = serde_json::from_str(&run.out).unwrap_or_else(|error| panic!("{error}: {run}"));
    assert_eq!(answer.why, "interrupted");
    assert!((70..=95).contains(&answer.lower_bound) && answer.stats.expanded > 0, "{run}");
    assert_eq!(folder.names(), ["puzzle", "trace.jsonl"]);
    assert_eq!(folder.read("trace.jsonl").lines().count(), 5);
}

#[test]
fn ctrl_c_leaves_a_claim_undecided() {
    let folder = Folder::with("puzzle", KORF_24_1);
    let solution = folder.run("solve puzzle --goal blank-first --algorithm greedy --format course");
    folder.write("solution", solution.prints(ANSWERED));
    let run = interrupted(&folder, "verify puzzle solution --goal blank-first");
    assert_eq!(run.code, Some(INTERRUPTED), "{run}");
    let legal = format!("Legal: {} actions. ", solution.out.lines().count());
    let undecided = "Whether it is shortest was not decided before the interruption; every solution has at least ";
    assert!(run.out.starts_with(&(legal + undecided)), "{run}");
}

#[test]
fn ctrl_c_ends_a_comparison_with_the_runs_so_far() {
    let folder = Folder::with("easy", MAZE).and("hard", KORF_24_1);
    let words = "compare easy hard hard --heuristics manhattan --report report";
    let run = interrupted(&folder, words);
    assert_eq!(run.code, Some(INTERRUPTED), "{run}");
    assert!(run.out.contains("stopped by an interruption, cost at least "), "{run}");
    assert!(run.out.ends_with("\nInterrupted: the remaining combinations did not run.\n"), "{run}");
    assert_eq!(folder.names(), ["easy", "hard", "report"]);
    assert!(folder.read("report/index.html").contains("It was interrupted"));
}

#[test]
fn ctrl_c_ends_a_sweep_with_the_runs_so_far() {
    let folder = Folder::new();
    let words = "sweep tiles --vary size=2,5 --samples 3 -H manhattan --format json --time-limit 1h";
    let run = interrupted(&folder, words);
    assert_eq!(run.code, Some(INTERRUPTED), "{run}");
    let swept: serde_json::Value = serde_json::from_str(&run.out).unwrap_or_else(|error| panic!("{error}: {run}"));
    assert_eq!(swept["runs"].as_array().map(Vec::len), Some(3), "those of 2x2: {run}");
}

/// Runs the program with one of its outputs closed before it can write to it.
fn with_closed(folder: &Folder, words: &str, close: fn(&mut Child)) -> Output {
    let child = folder.process(words).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn();
    let mut child = child.expect("the program starts");
    close(&mut child);
    child.wait_with_output().expect("the program ends")
}

#[test]
fn a_closed_pipe_is_a_quiet_success() {
    let folder = Folder::with("puzzle", MAZES[4]);
    // Output that fits into the pipe before it is closed ends with the command's own code, so each has to succeed.
    for words in [
        "solve puzzle",
        "solve puzzle --boards",
        "solve puzzle --format json",
        "solve puzzle --format course",
        "generate die --size 200x200 --seed 1",
        "list",
        "list --format json",
        "compare puzzle",
        "sweep die --vary size=4 --samples 1",
        "reproduce",
        "completions zsh",
        "man",
        "--help",
        "--version",
    ] {
        let output = with_closed(&folder, words, |child| drop(child.stdout.take()));
        let run = Run::new(words.into(), output);
        assert_eq!((run.code, run.err.as_str()), (Some(ANSWERED), ""), "{run}");
    }
}

#[test]
fn a_closed_standard_error_is_no_reason_to_panic() {
    let folder = Folder::with("puzzle", MAZE).and("bad", "S\n");
    for (words, code) in [
        ("solve missing", BAD_INPUT),
        ("solve bad", BAD_INPUT),
        ("solve puzzle --trace trace.jsonl --trace-limit 1", ANSWERED),
        ("generate die", ANSWERED),
    ] {
        let output = with_closed(&folder, words, |child| drop(child.stderr.take()));
        assert_eq!(output.status.code(), Some(code), "{words}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_reported() {
    let folder = Folder::with("puzzle", MAZE);
    for words in ["solve puzzle", "solve puzzle --format json", "solve puzzle --format course", "list", "man"] {
        let full = std::fs::File::options().write(true).open("/dev/full").expect("it exists");
        let output = folder.process(words).stdout(full).stderr(Stdio::piped()).output().expect("the program starts");
        let run = Run::new(words.into(), output);
        let expected = "error: cannot write: No space left on device (os error 28)\n";
        assert_eq!((run.code, run.err.as_str()), (Some(BAD_INPUT), expected), "{run}");
    }
}
