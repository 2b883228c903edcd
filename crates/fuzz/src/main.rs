//! The fuzzer as a program: runs every target for its share of the time, and prints a table of findings.

use std::fmt::Write as _;
use std::fs;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use admissible_fuzz::{Budget, Outcome, Target, collect_panics, fuzz, replay, targets};
use clap::Parser;

/// Fuzz every reader of admissible, and count the findings
#[derive(Debug, Parser)]
struct Arguments {
    /// The total time, shared equally by the targets
    #[arg(long, default_value_t = 1.0)]
    minutes: f64,
    /// Only these targets
    #[arg(long, value_delimiter = ',')]
    targets: Vec<String>,
    /// The seed of the mutations
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// The minutes of a turn of each target; every turn has the next seed
    #[arg(long, default_value_t = 1.0)]
    turn: f64,
    /// Write the inputs of findings into this folder
    #[arg(long, value_name = "DIR")]
    findings: Option<PathBuf>,
    /// Run a target on the inputs in these files instead: TARGET FILE...
    #[arg(long, num_args = 2.., value_names = ["TARGET", "FILE"])]
    replay: Vec<String>,
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    if let [name, files @ ..] = &arguments.replay[..] {
        return replay_files(name, files);
    }
    let mut targets = targets();
    let known: Vec<&str> = targets.iter().map(|target| target.name).collect();
    if let Some(name) = arguments.targets.iter().find(|name| !known.contains(&name.as_str())) {
        eprintln!("error: unknown target '{name}' (expected one of: {})", known.join(", "));
        return ExitCode::from(2);
    }
    targets.retain(|target| arguments.targets.is_empty() || arguments.targets.iter().any(|n| n == target.name));
    let share = arguments.minutes / targets.len() as f64;
    let turns = (share / arguments.turn).ceil().max(1.0);
    let time = Duration::from_secs_f64(share * 60.0 / turns);
    let mut totals = vec![Outcome::default(); targets.len()];
    for turn in 0..turns as u64 {
        for (target, total) in targets.iter().zip(&mut totals) {
            let outcome = collect_panics(|| fuzz(target, arguments.seed + turn, Budget::Time(time)));
            for finding in &outcome.findings {
                println!("FOUND by {} with {:?}: {}", target.name, escaped(&finding.input), finding.what);
                if let Some(folder) = &arguments.findings {
                    let file = folder.join(format!("{}-{}-{}", target.name, turn, total.findings.len()));
                    let written = fs::create_dir_all(folder).and_then(|()| fs::write(&file, &finding.input));
                    written.unwrap_or_else(|error| eprintln!("error: {}: {error}", file.display()));
                }
            }
            total.executions += outcome.executions;
            total.distinct_outputs = total.distinct_outputs.max(outcome.distinct_outputs);
            total.time += outcome.time;
            total.slowest = total.slowest.max(outcome.slowest);
            total.findings.extend(outcome.findings);
        }
        let sum: u64 = totals.iter().map(|total| total.executions).sum();
        println!("turn {} of {turns}: {sum} executions so far", turn + 1);
    }
    print!("{}", table(&targets, &totals));
    ExitCode::from(u8::from(totals.iter().any(|total| !total.findings.is_empty())))
}

fn replay_files(name: &str, files: &[String]) -> ExitCode {
    let targets = targets();
    let Some(target) = targets.iter().find(|target| target.name == name) else {
        eprintln!("error: unknown target '{name}'");
        return ExitCode::from(2);
    };
    let mut failed = false;
    for file in files {
        match fs::read(file) {
            Ok(input) => {
                let (output, time) = collect_panics(|| replay(target, &input));
                failed |= output.is_err();
                println!("{file}: {output:?} ({time:.1?})");
            }
            Err(error) => {
                eprintln!("error: {file}: {error}");
                return ExitCode::from(2);
            }
        }
    }
    ExitCode::from(u8::from(failed))
}

/// The first characters of an input, printable.
fn escaped(input: &[u8]) -> String {
    input.escape_ascii().to_string().chars().take(300).collect()
}

fn table(targets: &[Target], totals: &[Outcome]) -> String {
    let mut text = String::new();
    let _ = writeln!(
        text,
        "\n{:12} {:>12} {:>8} {:>8} {:>9} {:>8}",
        "target", "executions", "a second", "outputs", "slowest", "findings"
    );
    let mut line = |name: &str, outcome: &Outcome| {
        let rate = outcome.executions as f64 / outcome.time.as_secs_f64().max(1e-9);
        let Outcome { executions, distinct_outputs, slowest, findings, .. } = outcome;
        let slowest = slowest.as_millis();
        let _ = writeln!(
            text,
            "{name:12} {executions:12} {rate:8.0} {distinct_outputs:8} {slowest:6} ms {:8}",
            findings.len()
        );
    };
    let mut sum = Outcome::default();
    for (target, total) in targets.iter().zip(totals) {
        line(target.name, total);
        sum.executions += total.executions;
        sum.distinct_outputs += total.distinct_outputs;
        sum.time += total.time;
        sum.slowest = sum.slowest.max(total.slowest);
        sum.findings.extend(total.findings.iter().cloned());
    }
    line("all", &sum);
    text
}
