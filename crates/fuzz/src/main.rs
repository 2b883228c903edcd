//! The long run: every target for its share of the time, and what was found.

use std::fmt::Write as _;
use std::fs;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use admissible_fuzz::{Budget, Outcome, Target, fuzz, quietly, replay, targets};
use clap::Parser;

/// Feed hostile input to everything that reads, and count what breaks
#[derive(Debug, Parser)]
struct Arguments {
    /// How long in all, a share for each target
    #[arg(long, default_value_t = 1.0)]
    minutes: f64,
    /// Only these targets
    #[arg(long, value_delimiter = ',')]
    targets: Vec<String>,
    /// Where the pseudo-random numbers begin
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Go on in turns of so many minutes a target, each with the next seed
    #[arg(long, default_value_t = 1.0)]
    turn: f64,
    /// Write the inputs that break something into this folder
    #[arg(long, value_name = "DIR")]
    findings: Option<PathBuf>,
    /// Run a target on the inputs in these files instead: TARGET FILE...
    #[arg(long, num_args = 2.., value_names = ["TARGET", "FILE"])]
    replay: Vec<String>,
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    if let [name, files @ ..] = &arguments.replay[..] {
        return again(name, files);
    }
    let mut targets = targets();
    let known: Vec<&str> = targets.iter().map(|target| target.name).collect();
    if let Some(name) = arguments.targets.iter().find(|name| !known.contains(&name.as_str())) {
        eprintln!("error: unknown target '{name}' (there are: {})", known.join(", "));
        return ExitCode::from(2);
    }
    targets.retain(|target| arguments.targets.is_empty() || arguments.targets.iter().any(|n| n == target.name));
    let share = arguments.minutes / targets.len() as f64;
    let turns = (share / arguments.turn).ceil().max(1.0);
    let time = Duration::from_secs_f64(share * 60.0 / turns);
    let mut totals = vec![Outcome::default(); targets.len()];
    for turn in 0..turns as u64 {
        for (target, total) in targets.iter().zip(&mut totals) {
            let outcome = quietly(|| fuzz(target, arguments.seed + turn, Budget::Time(time)));
            for finding in &outcome.findings {
                println!("FOUND by {} with {:?}: {}", target.name, shown(&finding.input), finding.what);
                if let Some(folder) = &arguments.findings {
                    let file = folder.join(format!("{}-{}-{}", target.name, turn, total.findings.len()));
                    let kept = fs::create_dir_all(folder).and_then(|()| fs::write(&file, &finding.input));
                    kept.unwrap_or_else(|error| eprintln!("error: {}: {error}", file.display()));
                }
            }
            total.executions += outcome.executions;
            total.said = total.said.max(outcome.said);
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

fn again(name: &str, files: &[String]) -> ExitCode {
    let targets = targets();
    let Some(target) = targets.iter().find(|target| target.name == name) else {
        eprintln!("error: unknown target '{name}'");
        return ExitCode::from(2);
    };
    let mut broken = false;
    for file in files {
        match fs::read(file) {
            Ok(input) => {
                let (said, time) = quietly(|| replay(target, &input));
                broken |= said.is_err();
                println!("{file}: {said:?} ({time:.1?})");
            }
            Err(error) => {
                eprintln!("error: {file}: {error}");
                return ExitCode::from(2);
            }
        }
    }
    ExitCode::from(u8::from(broken))
}

fn shown(input: &[u8]) -> String {
    input.escape_ascii().to_string().chars().take(300).collect()
}

fn table(targets: &[Target], totals: &[Outcome]) -> String {
    let mut text = String::new();
    let _ = writeln!(
        text,
        "\n{:12} {:>12} {:>8} {:>8} {:>9} {:>8}",
        "target", "executions", "a second", "said", "slowest", "findings"
    );
    let mut line = |name: &str, outcome: &Outcome| {
        let rate = outcome.executions as f64 / outcome.time.as_secs_f64().max(1e-9);
        let Outcome { executions, said, slowest, findings, .. } = outcome;
        let slowest = slowest.as_millis();
        let _ = writeln!(text, "{name:12} {executions:12} {rate:8.0} {said:8} {slowest:6} ms {:8}", findings.len());
    };
    let mut sum = Outcome::default();
    for (target, total) in targets.iter().zip(totals) {
        line(target.name, total);
        sum.executions += total.executions;
        sum.said += total.said;
        sum.time += total.time;
        sum.slowest = sum.slowest.max(total.slowest);
        sum.findings.extend(total.findings.iter().cloned());
    }
    line("all", &sum);
    text
}
