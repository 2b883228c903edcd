//! Limits and interruptions reach everything, and an answer that was found is printed whatever becomes of a file.
#![cfg(unix)]

use std::io::Read as _;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use crate::interruption::interrupt;
use crate::puzzles::*;
use crate::support::{ANSWERED, BAD_INPUT, Folder, INTERRUPTED, Run, STOPPED};

/// The program takes a fifth of a second; on a busy machine it may take seconds.
const SOON: Duration = Duration::from_secs(20);

fn start(folder: &Folder, words: &str) -> Child {
    let mut command = folder.process(words);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the program starts")
}

/// Waits for the end without reading the output.
fn ended(mut child: Child, words: &str) -> (Option<i32>, String) {
    let begin = Instant::now();
    while child.try_wait().expect("it is ours").is_none() {
        if begin.elapsed() >= SOON {
            let _ = child.kill();
            panic!("{words} does not end");
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    let mut errors = String::new();
    child.stderr.take().expect("it is piped").read_to_string(&mut errors).expect("text");
    (child.wait().expect("it has ended").code(), errors)
}

#[test]
fn limits_and_interruptions_reach_reading() {
    let folder = Folder::with("maze", MAZE);
    // Nothing is ever written to standard input.
    for (words, result) in [
        ("solve -", "no result"),
        ("verify maze -", "no result"),
        ("explain -", "no result"),
        ("explore -", "no result"),
        ("audit -", "audit incomplete; no verdict"),
    ] {
        let child = start(&folder, words);
        std::thread::sleep(Duration::from_millis(300));
        interrupt(&child);
        assert_eq!(ended(child, words), (Some(INTERRUPTED), format!("interrupted: {result}\n")), "{words}");
        let words = format!("{words} --time-limit 100ms");
        let child = start(&folder, &words);
        let expected = (Some(STOPPED), format!("stopped at the time limit: {result}\n"));
        assert_eq!(ended(child, &words), expected, "{words}");
    }
}

#[test]
fn an_interruption_reaches_printing() {
    let folder = Folder::new();
    // More than fits into a pipe, and nobody reads it.
    let words = "generate die --size 1500x1500 --density 0.1 --seed 1";
    let mut child = start(&folder, words);
    let mut first = [0; 100];
    child.stdout.as_mut().expect("it is piped").read_exact(&mut first).expect("it prints");
    std::thread::sleep(Duration::from_millis(200));
    interrupt(&child);
    assert_eq!(ended(child, words).0, Some(INTERRUPTED));
}

#[test]
fn audits_and_generators_have_time_limits() {
    let folder = Folder::new();
    for (words, expected) in [
        ("audit klotski --time-limit 200ms", "stopped at the time limit: audit incomplete; no verdict\n"),
        (
            "generate tiles --size 5x5 --difficulty 100 --seed 1 --time-limit 300ms",
            "stopped at the time limit: no instance was generated\n",
        ),
    ] {
        let run = folder.run(words);
        assert_eq!((run.code, run.out.as_str()), (Some(STOPPED), ""), "{run}");
        assert!(run.err.ends_with(expected), "{run}");
    }
    let run = folder.run("audit die --random 2 --time-limit 1h -H manhattan");
    assert_eq!(run.code, Some(ANSWERED), "{run}");
}

#[test]
fn a_long_listing_keeps_the_time_limit() {
    let side = 700;
    let mut rows = vec![".".repeat(side); side];
    rows[0].replace_range(..1, "S");
    rows[side - 1].replace_range(side - 1.., "G");
    let folder = Folder::with("wide", rows.join("\n") + "\n");
    let run = folder.run("solve wide --format course --heuristic euclidean --time-limit 300ms");
    assert_eq!(run.code, Some(STOPPED), "{}", run.err);
}

/// Runs the program where no file can be larger than this.
fn on_small_disk(folder: &Folder, kibibytes: u32, words: &str) -> Run {
    let script = format!("trap '' XFSZ; ulimit -f {kibibytes}; exec \"$0\" \"$@\"");
    let mut command = Command::new("bash");
    command.args(["-c", &script]).arg(assert_cmd::cargo::cargo_bin!("admissible")).args(words.split(' '));
    Run::new(words.into(), command.current_dir(folder.path()).output().expect("bash is installed"))
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_does_not_lose_the_answer() {
    for (words, answer) in [
        ("solve board -a astar -H misplaced --certificate proof", "Shortest solution: "),
        ("solve board -a astar -H misplaced --trace states.jsonl", "Shortest solution: "),
        ("compare board -H manhattan,misplaced --report report", "misplaced"),
        ("explore small --report report", "the farthest 2 states"),
        ("sweep die --vary size=4 --samples 1 --report report", "median"),
    ] {
        let folder = Folder::with("board", "5 1 4 8\n9 6 3 12\n2 10 7 11\n13 14 15 0\n");
        folder.write("small", "1 2 3\n4 5 6\n7 8 0\n");
        let run = on_small_disk(&folder, 2, words);
        assert_eq!(run.code, Some(BAD_INPUT), "{run}");
        assert!(run.out.contains(answer), "the answer is printed: {run}");
        assert!(run.err.contains("error: ") && run.err.contains("File too large"), "{run}");
        assert_eq!(folder.names(), ["board", "small"], "nothing half-written is left: {run}");
        let whole = on_small_disk(&folder, 100_000, words);
        assert_eq!(whole.code, Some(ANSWERED), "{whole}");
    }
}

#[test]
fn small_address_spaces_end_clearly() {
    let program = assert_cmd::cargo::cargo_bin!("admissible");
    let tally = admissible_trials::writes::spaces(program, true).expect("the program starts");
    assert!(tally.wrong.is_empty(), "{tally}\n{}", tally.wrong.join("\n"));
}

#[test]
fn every_write_may_fail() {
    let program = assert_cmd::cargo::cargo_bin!("admissible");
    let tally = admissible_trials::writes::run(program, true).expect("the program starts");
    assert!(tally.wrong.is_empty(), "{tally}\n{}", tally.wrong.join("\n"));
}

#[test]
fn every_command_ends_when_it_is_stopped() {
    let program = assert_cmd::cargo::cargo_bin!("admissible");
    let tally = admissible_trials::endings::run(program, 5, 24, SOON).expect("the program starts");
    assert!(tally.wrong.is_empty(), "{tally}\n{}", tally.wrong.join("\n"));
}

#[cfg(target_os = "linux")]
#[test]
fn a_process_that_stands_still_does_not_hold_up_a_cluster() {
    let program = assert_cmd::cargo::cargo_bin!("admissible");
    let tally = admissible_trials::stops::run(program, 4, 3, SOON).expect("the program starts");
    assert!(tally.wrong.is_empty(), "{tally}\n{}", tally.wrong.join("\n"));
}

#[test]
fn a_hostile_network_changes_no_answer() {
    let tally = admissible_trials::wire::run(9, 20, true);
    assert!(tally.wrong.is_empty(), "{tally}\n{}", tally.wrong.join("\n"));
}

/// A process that is killed at the very beginning leaves a checkpoint that can be resumed, and begun anew.
#[test]
fn a_kill_before_the_search_leaves_a_way_on() {
    let search = "solve board --format json -H manhattan --processes 2 --threads 1";
    for go_on in [format!("{search} --checkpoint night"), "resume night".into()] {
        let folder = Folder::with("board", "5 1 4 8\n9 6 3 12\n2 10 7 11\n13 14 15 0\n");
        folder.write("hosts", "127.0.0.1:1\n127.0.0.1:2\n");
        // Alone, the first process waits for the second.
        let mut child = start(&folder, &format!("{search} --checkpoint night"));
        let begin = Instant::now();
        while !folder.path().join("night").exists() && begin.elapsed() < SOON {
            std::thread::sleep(Duration::from_millis(1));
        }
        child.kill().expect("it is ours");
        child.wait().expect("it was killed");
        // Whatever the second process did by then.
        std::thread::sleep(Duration::from_millis(500));
        let _ = std::fs::remove_file(folder.path().join("night.1"));
        if !folder.path().join("night").exists() {
            continue;
        }
        let run = folder.run(&go_on);
        assert_eq!(run.code, Some(ANSWERED), "{run}");
        assert!(run.out.contains("\"guarantee\":\"optimal\""), "{run}");
        assert_eq!(folder.names(), ["board", "hosts"], "{run}");
    }
}
