//! The trials as a program: each prints its counters, and exits with 1 if a check failed.

use std::io;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use admissible_trials::{
    Tally, allocations, cluster, endings, faults, files, kills, memory, soak, stops, wire, writes,
};
use clap::{Parser, Subcommand};

/// Trials of the program: kills at random moments, full disks, memory limits, random instances
#[derive(Debug, Parser)]
struct Arguments {
    /// The program [default: the admissible that was built beside this one]
    #[arg(long, global = true)]
    program: Option<PathBuf>,
    /// The seed of everything random
    #[arg(long, global = true, default_value_t = 1)]
    seed: u64,
    #[command(subcommand)]
    trial: Trial,
}

#[derive(Debug, Subcommand)]
enum Trial {
    /// Kill it at random moments during searches, builds and explorations, and resume it from its checkpoints
    Kills {
        /// The number of kills
        #[arg(long, default_value_t = 200)]
        count: u64,
    },
    /// A full disk, folders that cannot be written to, files that vanish
    Faults,
    /// Searches with random limits on memory
    Memory {
        /// The number of searches
        #[arg(long, default_value_t = 50)]
        count: u64,
        /// The most seconds for each
        #[arg(long, default_value_t = 20)]
        seconds: u64,
    },
    /// Kill one process of a cluster at a random moment, and resume all from their checkpoints if they write any
    Cluster {
        /// The number of kills
        #[arg(long, default_value_t = 20)]
        count: u64,
    },
    /// Two processes of a cluster with a hostile proxy between them
    Wire {
        /// The number of runs
        #[arg(long, default_value_t = 200)]
        count: u64,
    },
    /// Stop one process of a cluster (SIGSTOP) at a random moment
    Stops {
        /// The number of stops
        #[arg(long, default_value_t = 20)]
        count: u64,
    },
    /// Limits and interruptions at random moments, for every command
    Endings {
        /// The number of runs
        #[arg(long, default_value_t = 300)]
        count: u64,
        /// The most milliseconds from a stop to the end
        #[arg(long, default_value_t = 200)]
        grace: u64,
    },
    /// Every command that writes, on disks of every small size
    Writes,
    /// Searches with small limits on address space
    Spaces,
    /// Every file operation of every command that writes fails in turn
    Files,
    /// Memory ends at every stage of every kind of work
    Allocations {
        /// The number of runs of each kind of work
        #[arg(long, default_value_t = 40)]
        count: u64,
    },
    /// All trials, and one table of their figures
    All {
        /// Small numbers of everything
        #[arg(long)]
        brief: bool,
    },
    /// Every algorithm against every other on random instances of all puzzles
    Soak {
        /// The time to run
        #[arg(long, default_value_t = 60.0)]
        minutes: f64,
    },
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let beside = || std::env::current_exe().ok().map(|own| own.with_file_name("admissible"));
    let program = arguments.program.clone().or_else(beside).unwrap_or_else(|| "admissible".into());
    // The program with faults is built beside this one.
    let faulty = program.with_file_name("faulty");
    let (begin, seed) = (Instant::now(), arguments.seed);
    let result = match arguments.trial {
        Trial::Wire { count } => Ok(wire::run(seed, count, false)),
        Trial::Stops { count } => stops::run(&program, seed, count, STOPPED_GRACE),
        Trial::Endings { count, grace } => endings::run(&program, seed, count, Duration::from_millis(grace)),
        Trial::Writes => writes::run(&program, false),
        Trial::Spaces => writes::spaces(&program, false),
        Trial::Files => files::run(&faulty, false),
        Trial::Allocations { count } => allocations::run(&faulty, count),
        Trial::All { brief } => return all(&program, &faulty, seed, brief),
        Trial::Kills { count } => kills::run(&program, arguments.seed, count, false),
        Trial::Cluster { count } => cluster::run(&program, arguments.seed, count, false),
        Trial::Faults => faults::run(&program),
        Trial::Memory { count, seconds } => memory::run(&program, arguments.seed, count, seconds),
        Trial::Soak { minutes } => Ok(soak::run(arguments.seed, u64::MAX, Duration::from_secs_f64(minutes * 60.0))),
    };
    match result {
        Ok(tally) => {
            println!("{tally}\n{:<44}{:>12.1}", "seconds", begin.elapsed().as_secs_f64());
            exit_code(&tally)
        }
        Err(error) => {
            eprintln!("error: {}: {error}", program.display());
            ExitCode::from(2)
        }
    }
}

/// The most time that the first process takes to end if another one stands still.
const STOPPED_GRACE: Duration = Duration::from_secs(1);
/// The most time from a limit or an interruption to the end of the program.
const GRACE: Duration = Duration::from_millis(200);

/// A trial by name.
type Named<'a> = (&'static str, Box<dyn Fn() -> io::Result<Tally> + 'a>);

/// Runs every trial, and prints a line for each.
fn all(program: &Path, faulty: &Path, seed: u64, brief: bool) -> ExitCode {
    let count = |whole: u64| if brief { whole.div_ceil(10) } else { whole };
    let soak = Duration::from_secs(if brief { 5 } else { 60 });
    let trials: [Named<'_>; 12] = [
        ("kills", Box::new(|| kills::run(program, seed, count(100), brief))),
        ("faults", Box::new(|| faults::run(program))),
        ("files", Box::new(|| files::run(faulty, brief))),
        ("allocations", Box::new(|| allocations::run(faulty, count(40)))),
        ("writes", Box::new(|| writes::run(program, brief))),
        ("memory", Box::new(|| memory::run(program, seed, count(30), 10))),
        ("spaces", Box::new(|| writes::spaces(program, brief))),
        ("endings", Box::new(|| endings::run(program, seed, count(300), GRACE))),
        ("cluster", Box::new(|| cluster::run(program, seed, count(20), brief))),
        ("stops", Box::new(|| stops::run(program, seed, count(20), STOPPED_GRACE))),
        ("wire", Box::new(|| Ok(wire::run(seed, count(200), brief)))),
        ("soak", Box::new(|| Ok(soak::run(seed, u64::MAX, soak)))),
    ];
    let mut table = format!("{:<12}{:>10}{:>10}{:>10}", "trial", "runs", "findings", "seconds");
    let mut exit = ExitCode::SUCCESS;
    for (name, trial) in trials {
        let begin = Instant::now();
        let (runs, findings) = match trial() {
            Ok(tally) => (tally.figures.first().map_or(0, |(_, runs)| *runs), tally.wrong.len()),
            Err(error) => {
                eprintln!("error: {}: {error}", program.display());
                return ExitCode::from(2);
            }
        };
        table += &format!("\n{name:<12}{runs:>10}{findings:>10}{:>10.1}", begin.elapsed().as_secs_f64());
        exit = if findings > 0 { ExitCode::FAILURE } else { exit };
    }
    println!("{table}");
    exit
}

fn exit_code(tally: &Tally) -> ExitCode {
    if tally.wrong.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
