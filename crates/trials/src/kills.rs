//! Kills of the program at random moments; resumed from its checkpoints, it ends with the same answer.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use admissible_oracle::Random;
use serde_json::Value;

use crate::Tally;
use crate::program::{Program, Run};

/// A long command, and the part of its result that kills must not change.
struct Work {
    name: &'static str,
    arguments: &'static [&'static str],
    /// Whether it writes checkpoints; otherwise it starts again after a kill.
    checkpoints: bool,
    result: fn(&Program, &Run) -> io::Result<Value>,
}

const BOARD: &str = "14 13 15 7\n11 12 9 5\n6 0 2 1\n4 8 10 3\n";
/// An easier board, for small trials.
const EASY: &str = "13 5 4 10\n9 12 8 14\n2 3 7 1\n0 15 11 6\n";

const ALL: [Work; 7] = [
    Work {
        name: "idastar",
        arguments: &["solve", "board", "--goal", "blank-first", "-a", "idastar", "-H", "manhattan", "--format", "json"],
        checkpoints: true,
        result: answer,
    },
    Work {
        name: "idastar-pruned",
        arguments: &[
            "solve",
            "board",
            "--goal",
            "blank-first",
            "-a",
            "idastar-pruned",
            "-H",
            "linear-conflict",
            "--format",
            "json",
        ],
        checkpoints: true,
        result: answer,
    },
    Work {
        name: "solve by itself",
        // One thread, as with checkpoints: the node counts of several vary in the last iteration.
        arguments: &["solve", "board", "--goal", "blank-first", "--threads", "1", "--format", "json"],
        checkpoints: true,
        result: answer,
    },
    Work { name: "pdb build", arguments: &["pdb", "build", "6-6-3", "--again"], checkpoints: true, result: tables },
    Work {
        name: "explore",
        arguments: &["explore", "tiles", "--size", "2x5", "--components", "--format", "json"],
        checkpoints: true,
        result: explored,
    },
    Work {
        name: "explore --save with checkpoints",
        arguments: &["explore", "chexers", "--pieces", "4", "--save", "--format", "json"],
        checkpoints: true,
        result: explored,
    },
    Work {
        name: "explore --save",
        arguments: &["explore", "tiles", "--size", "2x5", "--save", "--format", "json"],
        checkpoints: false,
        result: explored,
    },
];

/// The answer of a search without its time and memory.
fn answer(_program: &Program, run: &Run) -> io::Result<Value> {
    let mut answer = run.json();
    if let Some(stats) = answer["stats"].as_object_mut() {
        stats.remove("seconds");
        stats.remove("peak_bytes");
    }
    Ok(answer)
}

/// The checksums of the tables.
fn tables(program: &Program, _run: &Run) -> io::Result<Value> {
    let mut sums = Vec::new();
    for entry in fs::read_dir(&program.cache)? {
        let path = entry?.path();
        if path.extension().is_some_and(|ending| ending == "table") {
            let sum = fs::read(&path)?.iter().fold(0_u64, |sum, &byte| sum.wrapping_mul(31).wrapping_add(byte.into()));
            sums.push((path.file_name().map(|name| name.to_string_lossy().into_owned()), sum));
        }
    }
    sums.sort();
    Ok(serde_json::json!(sums))
}

/// The result of an exploration without its time and memory, and the checksums of the atlases.
fn explored(program: &Program, run: &Run) -> io::Result<Value> {
    let mut explored = run.json();
    if let Some(object) = explored.as_object_mut() {
        object.remove("seconds");
        object.remove("bytes");
    }
    let mut sums = Vec::new();
    for entry in fs::read_dir(&program.cache)? {
        let path = entry?.path();
        if path.extension().is_some_and(|ending| ending == "atlas") {
            sums.push(fs::read(&path)?.iter().fold(0_u64, |sum, &byte| sum.wrapping_mul(31).wrapping_add(byte.into())));
        }
    }
    Ok(serde_json::json!([explored, sums]))
}

/// Kills the program `count` times. A small trial takes an easier board and builds no tables.
///
/// # Errors
/// If the program does not start.
pub fn run(binary: &Path, seed: u64, count: u64, small: bool) -> io::Result<Tally> {
    let (mut random, mut tally) = (Random::new(seed), Tally::default());
    let works: Vec<&Work> = ALL.iter().filter(|work| !small || work.name != "pdb build").collect();
    let board = if small { EASY } else { BOARD };
    let mut references = Vec::new();
    for work in &works {
        let (_folder, program) = program_in_new_folder(binary, board)?;
        let whole = program.run(work.arguments)?;
        tally.check(whole.code() == Some(0), || format!("{}: {:?} {}", work.name, whole.status, whole.err));
        references.push(((work.result)(&program, &whole)?, whole.seconds));
    }
    while tally.figure("kills") < count {
        let at = random.below(works.len());
        let (reference, seconds) = &references[at];
        kill_and_resume(binary, board, works[at], reference, *seconds, &mut random, &mut tally)?;
        if small && tally.figure("tasks") >= 4 * count {
            break;
        }
    }
    Ok(tally)
}

fn program_in_new_folder(binary: &Path, board: &str) -> io::Result<(tempfile::TempDir, Program)> {
    let folder = tempfile::tempdir()?;
    fs::write(folder.path().join("board"), board)?;
    let program = Program::new(binary, folder.path())?;
    Ok((folder, program))
}

/// Runs a command with a random number of kills, resumes it after each, and compares its result with `reference`.
fn kill_and_resume(
    binary: &Path,
    board: &str,
    work: &Work,
    reference: &Value,
    seconds: f64,
    random: &mut Random,
    tally: &mut Tally,
) -> io::Result<()> {
    let (folder, program) = program_in_new_folder(binary, board)?;
    let file = folder.path().join("checkpoint");
    tally.count("tasks", 1);
    let start: Vec<&str> = match work.checkpoints {
        true => [work.arguments, &["--checkpoint", "checkpoint", "--checkpoint-every", "20ms"]].concat(),
        false => work.arguments.to_vec(),
    };
    let most_kills = 1 + random.below(6);
    let (mut kills, mut resumed) = (0, false);
    let ended = loop {
        let moment = Duration::from_secs_f64(seconds * 1.1 * random.below(10_000) as f64 / 10_000.0);
        let words = if resumed { vec!["resume", "checkpoint"] } else { start.clone() };
        let run = if kills < most_kills { program.run_for(&words, moment)? } else { program.run(&words)? };
        if !run.killed {
            break run;
        }
        kills += 1;
        tally.count("kills", 1);
        tally.count(&format!("kills during {}", work.name), 1);
        // The program prints its answer and then removes the checkpoint: it was killed after that.
        if work.checkpoints && !file.exists() && !run.out.trim().is_empty() {
            tally.count("killed after the answer", 1);
            break run;
        }
        resumed = file.exists();
        tally.count("resumed", u64::from(resumed));
        tally.count("started again", u64::from(!resumed));
        if resumed {
            check_damage(&program, &file, random, tally)?;
        }
        check_tables(&program, tally)?;
    };
    let right = ended.killed || ended.code() == Some(0);
    tally.check(right, || format!("{} after {kills} kills: {:?} {}", work.name, ended.status, ended.err));
    let found = (work.result)(&program, &ended)?;
    tally.check(found == *reference, || format!("{} after {kills} kills: {found} instead of {reference}", work.name));
    tally.check(!file.exists(), || format!("{}: the checkpoint is still there", work.name));
    tally.count("answers compared", 1);
    Ok(())
}

/// Checks that a checkpoint with a flipped bit, or cut off, is refused.
fn check_damage(program: &Program, file: &PathBuf, random: &mut Random, tally: &mut Tally) -> io::Result<()> {
    let good = fs::read(file)?;
    let mut bad = good.clone();
    let at = random.below(bad.len());
    if random.below(2) == 0 {
        bad[at] ^= 1 << random.below(8);
    } else {
        bad.truncate(at);
    }
    fs::write(program.folder.join("damaged"), bad)?;
    let run = program.run(&["resume", "damaged"])?;
    tally.count("damaged checkpoints", 1);
    tally.check(run.code() == Some(2), || format!("a damaged checkpoint: {:?} {}", run.status, run.err));
    Ok(())
}

/// Checks that every table and atlas in the cache is whole.
fn check_tables(program: &Program, tally: &mut Tally) -> io::Result<()> {
    let run = program.run(&["pdb", "verify"])?;
    tally.check(run.code() == Some(0), || format!("after a kill: {}", run.out));
    Ok(())
}
