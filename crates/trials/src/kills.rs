//! The program killed at random moments, and what goes on from what it left.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use admissible_oracle::Random;
use serde_json::Value;

use crate::Tally;
use crate::program::{Program, Run};

/// Work that lasts, and what is to be the same however often it was killed.
struct Work {
    name: &'static str,
    words: &'static [&'static str],
    /// Whether it writes checkpoints; otherwise it begins again.
    kept: bool,
    same: fn(&Program, &Run) -> io::Result<Value>,
}

const BOARD: &str = "14 13 15 7\n11 12 9 5\n6 0 2 1\n4 8 10 3\n";
/// An easier one, so that the small trial is small.
const EASY: &str = "13 5 4 10\n9 12 8 14\n2 3 7 1\n0 15 11 6\n";

const ALL: [Work; 7] = [
    Work {
        name: "idastar",
        words: &["solve", "board", "--goal", "blank-first", "-a", "idastar", "-H", "manhattan", "--format", "json"],
        kept: true,
        same: answer,
    },
    Work {
        name: "idastar-pruned",
        words: &[
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
        kept: true,
        same: answer,
    },
    Work {
        name: "solve by itself",
        // With a checkpoint one thread does it, so one does it without: what several do in the last iteration varies.
        words: &["solve", "board", "--goal", "blank-first", "--threads", "1", "--format", "json"],
        kept: true,
        same: answer,
    },
    Work { name: "pdb build", words: &["pdb", "build", "6-6-3", "--again"], kept: true, same: tables },
    Work {
        name: "explore",
        words: &["explore", "tiles", "--size", "2x5", "--components", "--format", "json"],
        kept: true,
        same: explored,
    },
    Work {
        name: "explore --save with checkpoints",
        words: &["explore", "chexers", "--pieces", "4", "--save", "--format", "json"],
        kept: true,
        same: explored,
    },
    Work {
        name: "explore --save",
        words: &["explore", "tiles", "--size", "2x5", "--save", "--format", "json"],
        kept: false,
        same: explored,
    },
];

/// What a solve comes to, without how long it took.
fn answer(_program: &Program, run: &Run) -> io::Result<Value> {
    let mut answer = run.json();
    if let Some(stats) = answer["stats"].as_object_mut() {
        stats.remove("seconds");
        stats.remove("peak_bytes");
    }
    Ok(answer)
}

/// Every byte of the tables.
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

/// What an exploration comes to, and the atlases.
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

/// Kills the program so many times. A small trial has small work.
///
/// # Errors
/// If the program does not start.
pub fn run(binary: &Path, seed: u64, count: u64, small: bool) -> io::Result<Tally> {
    let (mut random, mut tally) = (Random::new(seed), Tally::default());
    let work: Vec<&Work> = ALL.iter().filter(|work| !small || work.name != "pdb build").collect();
    let board = if small { EASY } else { BOARD };
    let mut references = Vec::new();
    for work in &work {
        let (_folder, program) = place(binary, board)?;
        let whole = program.run(work.words)?;
        tally.check(whole.code() == Some(0), || format!("{}: {:?} {}", work.name, whole.status, whole.err));
        references.push(((work.same)(&program, &whole)?, whole.seconds));
    }
    while tally.figure("kills") < count {
        let at = random.below(work.len());
        let (reference, seconds) = &references[at];
        one(binary, board, work[at], reference, *seconds, &mut random, &mut tally)?;
        if small && tally.figure("undertakings") >= 4 * count {
            break;
        }
    }
    Ok(tally)
}

fn place(binary: &Path, board: &str) -> io::Result<(tempfile::TempDir, Program)> {
    let folder = tempfile::tempdir()?;
    fs::write(folder.path().join("board"), board)?;
    let program = Program::new(binary, folder.path())?;
    Ok((folder, program))
}

/// One undertaking, with kills until it is let through.
fn one(
    binary: &Path,
    board: &str,
    work: &Work,
    reference: &Value,
    seconds: f64,
    random: &mut Random,
    tally: &mut Tally,
) -> io::Result<()> {
    let (folder, program) = place(binary, board)?;
    let file = folder.path().join("checkpoint");
    tally.count("undertakings", 1);
    let begin: Vec<&str> = match work.kept {
        true => [work.words, &["--checkpoint", "checkpoint", "--checkpoint-every", "20ms"]].concat(),
        false => work.words.to_vec(),
    };
    let most_kills = 1 + random.below(6);
    let (mut kills, mut resumed) = (0, false);
    let ended = loop {
        let moment = Duration::from_secs_f64(seconds * 1.1 * random.below(10_000) as f64 / 10_000.0);
        let words = if resumed { vec!["resume", "checkpoint"] } else { begin.clone() };
        let run = if kills < most_kills { program.run_for(&words, moment)? } else { program.run(&words)? };
        if !run.killed {
            break run;
        }
        kills += 1;
        tally.count("kills", 1);
        tally.count(&format!("kills during {}", work.name), 1);
        // The file is removed when the answer is out: then it was killed on its last steps, and there it is.
        if work.kept && !file.exists() && !run.out.trim().is_empty() {
            tally.count("killed after the answer", 1);
            break run;
        }
        resumed = file.exists();
        tally.count("resumed", u64::from(resumed));
        tally.count("begun again", u64::from(!resumed));
        if resumed {
            refuses_damage(&program, &file, random, tally)?;
        }
        check_tables(&program, tally)?;
    };
    let right = ended.killed || ended.code() == Some(0);
    tally.check(right, || format!("{} after {kills} kills: {:?} {}", work.name, ended.status, ended.err));
    let found = (work.same)(&program, &ended)?;
    tally.check(found == *reference, || format!("{} after {kills} kills: {found} instead of {reference}", work.name));
    tally.check(!file.exists(), || format!("{}: the checkpoint is still there", work.name));
    tally.count("answers compared", 1);
    Ok(())
}

/// A checkpoint with one byte changed, or cut off, is refused.
fn refuses_damage(program: &Program, file: &PathBuf, random: &mut Random, tally: &mut Tally) -> io::Result<()> {
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

/// Tables and atlases that have their name are whole.
fn check_tables(program: &Program, tally: &mut Tally) -> io::Result<()> {
    let run = program.run(&["pdb", "verify"])?;
    tally.check(run.code() == Some(0), || format!("after a kill: {}", run.out));
    Ok(())
}
