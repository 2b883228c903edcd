//! Searches with random memory limits: the process stays within them, and its answers and bounds hold.

use std::fs;
use std::io;
use std::path::Path;

use admissible_oracle::Random;
use serde_json::Value;

use crate::Tally;
use crate::instances::random_instance;
use crate::program::{Program, Run};

const MEBIBYTE: u64 = 1 << 20;
/// The smallest limit in MiB, and the number of doublings to the largest.
const LEAST: f64 = 32.0;
const DOUBLINGS: f64 = 5.0;
/// What the process may take beyond its limit, in addition to a twentieth of it.
const ALLOWANCE: u64 = 64 * MEBIBYTE;

const ALGORITHMS: [&str; 9] =
    ["astar", "astar-no-reopen", "ucs", "bfs", "dfs", "greedy", "wastar", "idastar", "bidirectional"];

/// Boards that fill memory: file name, text and options.
const HARD: [(&str, &str, &str); 4] = [
    ("korf-1.txt", "14 13 15 7\n11 12 9 5\n6 0 2 1\n4 8 10 3\n", "--goal blank-first --heuristic manhattan"),
    (
        "korf-24.txt",
        "14 5 9 2 18\n8 23 19 12 17\n15 0 10 20 4\n6 11 21 1 7\n24 3 16 22 13\n",
        "--goal blank-first --heuristic linear-conflict",
    ),
    ("classic.txt", "^11^\nv11v\n^<>^\nv22v\n2..2\n", ""),
    (
        "chexers.json",
        "{\"colour\":\"red\",\"pieces\":[[-3,0],[-3,1],[-3,2],[-3,3],[-2,-1],[-2,3]],\"blocks\":[]}",
        "--heuristic relaxed-jumps",
    ),
];

/// Runs `count` searches, each for at most `seconds`.
///
/// # Errors
/// If the program does not start.
pub fn run(binary: &Path, seed: u64, count: u64, seconds: u64) -> io::Result<Tally> {
    let folder = tempfile::tempdir()?;
    let program = Program::new(binary, folder.path())?;
    let (mut random, mut tally) = (Random::new(seed), Tally::default());
    for number in 0..count {
        let (file, options) = instance(&program, &mut random, seed.wrapping_add(number))?;
        // Log-uniform, so that many limits are small enough to be reached.
        let limit = (LEAST * 2_f64.powf(DOUBLINGS * random.below(1001) as f64 / 1000.0)) as u64;
        let algorithm = ALGORITHMS[random.below(ALGORITHMS.len())];
        let words = format!(
            "solve {file} {options} --algorithm {algorithm} --memory-limit {limit}M \
             --time-limit {seconds}s --format json"
        );
        let run = program.run(&words.split_whitespace().collect::<Vec<_>>())?;
        judge(&program, &file, &options, limit, &words, &run, &mut tally)?;
    }
    Ok(tally)
}

/// Writes a board that fills memory, or a random one; returns its file and options.
fn instance(program: &Program, random: &mut Random, seed: u64) -> io::Result<(String, String)> {
    if random.below(3) < 2 {
        let (name, text, options) = HARD[random.below(HARD.len())];
        fs::write(program.folder.join(name), text)?;
        return Ok((name.into(), options.into()));
    }
    let (entry, text) = random_instance(seed, random);
    let name = format!("random-{seed}.txt");
    fs::write(program.folder.join(&name), text)?;
    Ok((name, format!("--puzzle {}", entry.card().name)))
}

/// Checks the memory of a run, its exit code, and its answer against a run without a memory limit.
fn judge(
    program: &Program,
    file: &str,
    options: &str,
    limit: u64,
    words: &str,
    run: &Run,
    tally: &mut Tally,
) -> io::Result<()> {
    let answer = run.json();
    let outcome = answer["outcome"].as_str().unwrap_or("none").to_string();
    let most = limit * MEBIBYTE + limit * MEBIBYTE / 20 + ALLOWANCE;
    let (resident, handed_over) = (run.resident / MEBIBYTE, !answer["handover"].is_null());
    eprintln!(
        "{words}: {outcome}, {resident} MiB, {:.1} s{}",
        run.seconds,
        if handed_over { ", handed over" } else { "" }
    );
    tally.count("searches", 1);
    tally.count(&outcome, 1);
    tally.count("handed over", u64::from(handed_over));
    tally.count("used up their memory", u64::from(handed_over || answer["why"] == "memory limit"));
    tally.check(run.resident <= most, || format!("{words}: {resident} MiB in memory"));
    let expected = match outcome.as_str() {
        "solved" => Some(0),
        "unsolvable" => Some(1),
        "stopped" => Some(3),
        _ => None,
    };
    tally.check(expected.is_some() && run.code() == expected, || format!("{words}: {:?}, {}", run.status, run.err));
    // A reference answer, without a limit on memory.
    let words = format!("solve {file} {options} --time-limit 20s --format json");
    let free = program.run(&words.split_whitespace().collect::<Vec<_>>())?.json();
    let right = match (free["outcome"].as_str(), outcome.as_str()) {
        (Some("solved"), "solved") if answer["guarantee"] == "optimal" && free["guarantee"] == "optimal" => {
            answer["cost"] == free["cost"]
        }
        (Some("solved"), "solved") => {
            free["guarantee"] != "optimal" || number(&answer["cost"]) >= number(&free["cost"])
        }
        (Some("solved"), "stopped") => number(&answer["lower_bound"]) <= number(&free["cost"]),
        (Some("solved"), "unsolvable") | (Some("unsolvable"), "solved") => false,
        _ => true,
    };
    tally.check(right, || format!("{words}: {answer}, but without a limit {free}"));
    Ok(())
}

fn number(value: &Value) -> u64 {
    value.as_u64().unwrap_or(0)
}
