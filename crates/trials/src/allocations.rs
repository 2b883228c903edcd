//! Memory ends at every stage of every kind of work: an allocation fails as soon as so many bytes are in use, and so do
//! all later ones until some are freed.
//!
//! Each run gives the right answer or a clear end: exit code 3 with statistics or a message, and a lower bound that
//! holds.

use std::fs;
use std::io;
use std::path::Path;

use crate::program::Program;
use crate::{MOST_ALLOCATED, Tally, fault_figures};

const HARD: &str = "14 13 15 7\n11 12 9 5\n6 0 2 1\n4 8 10 3\n";
const HARD_COST: u64 = 57;
const BOARD: &str = "5 1 4 8\n9 6 3 12\n2 10 7 11\n13 14 15 0\n";

/// Open and closed lists of every engine, pattern tables, certificates, and the tables of whole spaces.
const ALL: [&str; 12] = [
    "solve hard --goal blank-first --format json -a astar -H manhattan --node-limit 300000",
    "solve hard --goal blank-first --format json -a hdastar -H manhattan --threads 2 --node-limit 300000",
    "solve hard --goal blank-first --format json -a astar -H manhattan*1.5 --node-limit 200000",
    "solve hard --goal blank-first --format json -a bfs --node-limit 200000",
    "solve hard --goal blank-first --format json -a greedy --node-limit 200000",
    "solve hard --goal blank-first --format json -a bidirectional --node-limit 200000",
    "solve hard --goal blank-first --format json -a idastar-pruned -H manhattan --node-limit 200000",
    "solve board --format json -H pdb:5-5-5",
    "solve board --format json -a astar -H misplaced --certificate proof",
    "verify board --certificate good",
    "explore tiles --size 2x4 --components --format json",
    "audit tiles --scope 2x4 -H manhattan,linear-conflict",
];

/// Runs `faulty`, the program with faults, with `count` limits on its memory for each kind of work.
///
/// # Errors
/// If the program does not start.
pub fn run(faulty: &Path, count: u64) -> io::Result<Tally> {
    let mut tally = Tally::default();
    let folder = tempfile::tempdir()?;
    let program = Program::new(faulty, folder.path())?;
    fs::write(folder.path().join("hard"), HARD)?;
    fs::write(folder.path().join("board"), BOARD)?;
    let good = program.run(&split("solve board --format json -a astar -H misplaced --certificate good"))?;
    tally.check(good.code() == Some(0), || format!("a certificate: {:?} {}", good.status, good.err));
    // What every command takes before it begins, its reserve included.
    let least = program.run(&["list"])?;
    let Some((_, least)) = fault_figures(&least.err) else {
        tally.check(false, || format!("no figures: {}", least.err));
        return Ok(tally);
    };
    for words in ALL {
        let whole = program.run(&split(words))?;
        let cost = if words.contains("hard") { Some(HARD_COST) } else { whole.json()["cost"].as_u64() };
        let Some((_, most)) = fault_figures(&whole.err) else {
            tally.check(false, || format!("{words}: no figures: {:?} {}", whole.status, whole.err));
            continue;
        };
        for number in 0..count {
            let limit = least + most.saturating_sub(least) * number / count;
            end(&program, words, cost, limit, &mut tally)?;
        }
    }
    Ok(tally)
}

fn split(words: &str) -> Vec<&str> {
    words.split(' ').collect()
}

/// Runs a command whose allocations fail beyond so many bytes.
fn end(program: &Program, words: &str, cost: Option<u64>, limit: u64, tally: &mut Tally) -> io::Result<()> {
    // A table of an earlier run would not be built again.
    fs::remove_dir_all(&program.cache)?;
    fs::create_dir_all(&program.cache)?;
    let mut command = program.command(&split(words));
    command.env(MOST_ALLOCATED, limit.to_string());
    let run = program.watch(command, None)?;
    let what = |why: &str| format!("{words}, {limit} bytes: {why}: {:?}\n{}\n{}", run.status, run.out, run.err);
    tally.count("ends of memory", 1);
    tally.check(!run.err.contains("panicked"), || what("panicked"));
    let (code, answer) = (run.code(), run.json());
    tally.check(matches!(code, Some(0 | 3)), || what("exit code"));
    tally.count("answered", u64::from(code == Some(0)));
    let is_told = !answer.is_null() || run.err.contains("memory");
    tally.check(code != Some(3) || is_told, || what("nothing said"));
    tally.count("stopped with statistics", u64::from(code == Some(3) && !answer["stats"].is_null()));
    let bound =
        answer["lower_bound"].as_u64().or_else(|| answer["cost"].as_u64().filter(|_| answer["guarantee"] == "optimal"));
    tally.check(cost.is_none_or(|cost| bound.is_none_or(|bound| bound <= cost)), || what("the bound"));
    let left = fs::read_dir(&program.folder)?.chain(fs::read_dir(&program.cache)?);
    let left =
        left.filter_map(Result::ok).filter(|entry| entry.file_name().to_string_lossy().starts_with(".unfinished"));
    tally.check(left.count() == 0, || what("a file left behind"));
    let _ = fs::remove_file(program.folder.join("proof"));
    Ok(())
}
