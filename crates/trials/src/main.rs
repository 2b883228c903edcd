//! The trials as a program: each prints its counters, and exits with 1 if a check failed.

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use admissible_trials::{Tally, cluster, faults, kills, memory, soak};
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
    let begin = Instant::now();
    let result = match arguments.trial {
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

fn exit_code(tally: &Tally) -> ExitCode {
    if tally.wrong.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
