//! The cost of communication between processes: `cargo bench -p admissible-program --bench processes`. One process
//! with two threads and two processes with one thread each run the same search in turns; prints the ratio of their best
//! rates and the target. Asserts cost and states before the last layer before it uses a time.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::Value;

const PROGRAM: &str = env!("CARGO_BIN_EXE_admissible");
/// Korf's first 15-puzzle, its optimal cost, and the states that every A* with manhattan expands before the last layer.
const BOARD: &str = "14 13 15 7\n11 12 9 5\n6 0 2 1\n4 8 10 3\n";
const COST: u64 = 57;
const BEFORE_LAST_LAYER: u64 = 11_719_123;
const ROUNDS: usize = 5;
/// The target: the least ratio.
const LEAST: f64 = 0.8;

/// States expanded per second.
fn rate(folder: &Path, words: &[&str]) -> f64 {
    let mut command = Command::new(PROGRAM);
    command.args(["solve", "board", "--goal", "blank-first", "-H", "manhattan", "--format", "json"]).args(words);
    let output = command.current_dir(folder).stderr(Stdio::null()).output().expect("the program starts");
    let answer: Value = serde_json::from_slice(&output.stdout).expect("the program prints JSON");
    let stats = &answer["stats"];
    assert_eq!((&answer["cost"], &answer["guarantee"]), (&COST.into(), &"optimal".into()), "{words:?}");
    assert_eq!(stats["expanded_before_last_layer"], BEFORE_LAST_LAYER, "{words:?}");
    let number = |name: &str| stats[name].as_f64().expect("a number");
    number("expanded") / number("seconds")
}

fn main() {
    let folder = tempfile::tempdir().expect("there is a place for temporary files");
    fs::write(folder.path().join("board"), BOARD).expect("it can be written to");
    let ways = [
        ("hdastar by two threads, no dataflow", ["--algorithm", "hdastar", "--threads", "2"]),
        ("one process with two threads", ["--processes", "1", "--threads", "2"]),
        ("two processes with one thread each", ["--processes", "2", "--threads", "1"]),
    ];
    let mut best = [0.0_f64; 3];
    for _ in 0..ROUNDS {
        for (best, (_, words)) in best.iter_mut().zip(&ways) {
            *best = best.max(rate(folder.path(), words));
        }
    }
    for (rate, (what, _)) in best.iter().zip(&ways) {
        println!("{what:<40} {:>6.2} million states a second", rate / 1e6);
    }
    let ratio = best[2] / best[1];
    println!("{:<40} {ratio:>6.2}x, promised {LEAST:.2}x", "two processes beside two threads");
    assert!(ratio >= LEAST, "a promise is not kept");
}
