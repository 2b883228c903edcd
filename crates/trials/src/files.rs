//! Every file operation of every command that writes fails, one in each run: opening, creating, reading, writing,
//! syncing, renaming.
//!
//! Each run gives the right answer or a clear end: its exit code is in the table, an answer that was found is printed,
//! an older file of the same name stays as it was, and no half-written file has a name.

use std::fs;
use std::io;
use std::path::Path;

use serde_json::Value;

use crate::program::{Program, Run};
use crate::{FAILING_OPERATION, Tally, fault_figures};

const BOARD: &str = "5 1 4 8\n9 6 3 12\n2 10 7 11\n13 14 15 0\n";
const SMALL: &str = "1 2 3\n4 0 5\n";

/// A command that writes, the files that it leaves, and whether the program may go on without them.
struct Writer {
    words: &'static str,
    leaves: &'static [&'static str],
    /// What it writes is a help and not asked for: it warns and goes on.
    goes_on: bool,
}

const fn asked(words: &'static str, leaves: &'static [&'static str]) -> Writer {
    Writer { words, leaves, goes_on: false }
}

const WRITERS: [Writer; 13] = [
    asked("solve board -a astar -H manhattan --format json --certificate proof", &["proof"]),
    asked("verify board --certificate good --format json", &[]),
    asked("solve board -a astar -H misplaced --format json --trace states.jsonl", &["states.jsonl"]),
    asked("solve board -a astar -H misplaced --format json --trace states.yaml", &["states.yaml"]),
    asked("compare board -H manhattan,misplaced --algorithms astar --format json --report report", &["report"]),
    asked("sweep die --vary size=4,5 --samples 2 --format json --report report", &["report"]),
    asked("explore tiles --size 2x3 --format json --report report", &["report"]),
    asked("explore tiles --size 2x3 --format json --save", &[]),
    asked("bench korf100 --only 79 --format json -H linear-conflict --save saved", &["saved"]),
    asked("pdb build 5-5-5", &[]),
    Writer {
        words: "explore tiles --size 2x4 --format json --checkpoint night --checkpoint-every 0s",
        leaves: &[],
        goes_on: true,
    },
    Writer {
        words: "solve board -a idastar -H zero --format json --checkpoint night --checkpoint-every 1ms",
        leaves: &[],
        goes_on: true,
    },
    Writer { words: "solve small --format json --processes 2 --checkpoint night", leaves: &[], goes_on: true },
];

/// Every operation fails up to this number; of later ones, as many again do.
const EACH: u64 = 40;

/// Runs `faulty`, the program with faults, on every command. A brief trial has a few operations of each fail.
///
/// # Errors
/// If the program does not start.
pub fn run(faulty: &Path, brief: bool) -> io::Result<Tally> {
    let mut tally = Tally::default();
    let folder = tempfile::tempdir()?;
    fs::write(folder.path().join("board"), BOARD)?;
    let words = split("solve board -a astar -H manhattan --certificate good");
    Program::new(faulty, folder.path())?.run(&words)?;
    let good = fs::read(folder.path().join("good"))?;
    for writer in &WRITERS {
        if brief && writer.words.starts_with("pdb") {
            continue;
        }
        let (_folder, program) = prepared(faulty, &good)?;
        let whole = program.run(&split(writer.words))?;
        let right = whole.code() == Some(0);
        tally.check(right, || format!("{}: {:?}\n{}", writer.words, whole.status, whole.err));
        let operations = fault_figures(&whole.err).map_or(0, |(operations, _)| operations);
        tally.check(operations > 0, || format!("{}: no file operations: {}", writer.words, whole.err));
        let each = if brief { 2 } else { EACH };
        let step = (operations.saturating_sub(each) / each).max(1);
        let some = (each..operations).step_by(step as usize);
        for number in (0..operations.min(each)).chain(some) {
            fail(faulty, &good, writer, &whole, number, &mut tally)?;
        }
    }
    Ok(tally)
}

fn split(words: &str) -> Vec<&str> {
    words.split(' ').collect()
}

/// The program in a new folder, with boards, a certificate to verify, and older files of the names that it writes.
fn prepared(faulty: &Path, good: &[u8]) -> io::Result<(tempfile::TempDir, Program)> {
    let folder = tempfile::tempdir()?;
    let program = Program::new(faulty, folder.path())?;
    fs::write(folder.path().join("board"), BOARD)?;
    fs::write(folder.path().join("small"), SMALL)?;
    fs::write(folder.path().join("good"), good)?;
    for name in ["proof", "states.jsonl", "states.yaml", "saved"] {
        fs::write(folder.path().join(name), OLD)?;
    }
    Ok((folder, program))
}

/// The content of a file that was there before.
const OLD: &str = "an older file\n";

/// The part of an answer that a fault must not change.
fn essence(run: &Run) -> Value {
    let mut answer = run.json();
    for name in ["seconds", "bytes", "stats", "peak_bytes", "certificate", "report", "saved", "runs", "when"] {
        if let Some(object) = answer.as_object_mut() {
            object.remove(name);
        }
    }
    // Lists of runs have times in each row.
    if answer.is_array() { Value::from(answer.as_array().map_or(0, Vec::len)) } else { answer }
}

/// Runs a command whose file operation of this number fails.
fn fail(faulty: &Path, good: &[u8], writer: &Writer, whole: &Run, number: u64, tally: &mut Tally) -> io::Result<()> {
    let (folder, program) = prepared(faulty, good)?;
    let mut command = program.command(&split(writer.words));
    command.env(FAILING_OPERATION, number.to_string());
    let run = program.watch(command, None)?;
    let what =
        |why: &str| format!("{}, operation {number}: {why}: {:?}\n{}\n{}", writer.words, run.status, run.out, run.err);
    tally.count("operations that failed", 1);
    tally.check(!run.err.contains("panicked"), || what("panicked"));
    let code = run.code();
    tally.check(matches!(code, Some(0 | 2)) || code == Some(3) && writer.goes_on, || what("exit code"));
    let is_whole = code == Some(0);
    tally.count("nevertheless answered", u64::from(is_whole));
    // An answer is right, and only an error at the beginning may keep it back.
    let has_answer = !run.out.trim().is_empty();
    tally.check(!has_answer || essence(&run) == essence(whole), || what("another answer"));
    tally.check(has_answer || !is_whole || whole.out.trim().is_empty(), || what("no answer"));
    tally.count("ended with an answer and an error", u64::from(has_answer && !is_whole));
    // Whatever is left is the file from before, or a whole one.
    for name in writer.leaves {
        let path = folder.path().join(name);
        let is_old = fs::read_to_string(&path).is_ok_and(|text| text == OLD) || !path.exists();
        tally.check(is_old != is_whole, || what(&format!("what {name} is")));
    }
    let names = |folder: &Path| -> io::Result<Vec<String>> {
        fs::read_dir(folder)?.map(|entry| Ok(entry?.file_name().to_string_lossy().into_owned())).collect()
    };
    let mut left = [names(folder.path())?, names(&program.cache)?].concat();
    left.retain(|name| name.starts_with(".unfinished") || name.starts_with("night"));
    // What could not be removed is a warning's matter; a checkpoint may stay where the program ended early.
    left.retain(|name| !(code == Some(3) && name.starts_with("night")));
    tally.check(left.is_empty(), || what(&format!("left behind {left:?}")));
    if writer.words.contains("--save") || writer.words.starts_with("pdb") {
        let verified = program.run(&["pdb", "verify"])?;
        tally.check(verified.code() == Some(0), || what(&format!("a damaged table: {}", verified.out)));
    }
    Ok(())
}
