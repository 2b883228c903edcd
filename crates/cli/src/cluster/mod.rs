//! Processes that work together: who takes part, and `admissible solve` and `admissible explore` by all of them.

mod explore;
mod log;
mod member;
mod plan;
mod solve;

use std::num::NonZeroU64;
use std::path::PathBuf;
use std::time::Duration;

use admissible_front::Registry;
use clap::{Args, Subcommand};

use crate::args::{free_memory, parse_time};
use crate::{Exit, Failure};

pub(crate) use explore::{Asked, run as explore};
pub(crate) use solve::run as solve;

/// Who takes part.
#[derive(Debug, Args)]
pub(crate) struct ClusterArguments {
    /// Work together with other processes: a file with one host:port a line. Start the same command on every host,
    /// each with its --process; the first prints the answer
    #[arg(long, value_name = "FILE", requires = "process", conflicts_with = "processes")]
    hosts: Option<PathBuf>,
    /// Which of the hosts this process is, counted from 0
    #[arg(long, value_name = "I")]
    process: Option<usize>,
    /// Work with so many processes on this machine; the others are started
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    processes: Option<u16>,
    /// How long to wait for the other processes
    #[arg(long, value_name = "TIME", value_parser = parse_time, default_value = "60s")]
    connect_limit: Duration,
    /// The addresses of a process that was started by another one
    #[arg(long, value_name = "LIST", hide = true)]
    peers: Option<String>,
}

impl ClusterArguments {
    pub(crate) fn is_wanted(&self) -> bool {
        self.hosts.is_some() || self.processes.is_some() || self.process.is_some() || self.peers.is_some()
    }

    /// Continues with addresses that are given now: a checkpoint has none.
    ///
    /// # Errors
    /// If the addresses are missing, or there are some and the work is not that of several machines.
    pub(crate) fn meet_again(&mut self, hosts: Option<PathBuf>, peers: Option<String>) -> Result<(), &'static str> {
        let is_missing = peers.is_none() && hosts.is_none();
        match (self.process, self.processes) {
            (Some(_), Some(_)) if peers.is_none() => {
                return Err("this process was started by another one: resume the file without a number");
            }
            (Some(_), None) if is_missing => {
                return Err("this is work of several machines: name them with --hosts FILE");
            }
            (None, _) if hosts.is_some() => return Err("this is not work of several machines, so --hosts has no use"),
            _ => (self.hosts, self.peers) = (hosts, peers),
        }
        Ok(())
    }

    /// Whether this process was started by another one.
    fn is_started(&self) -> bool {
        self.peers.is_some()
    }

    /// Whether this process prints the answer, if it ends before the others have come.
    fn is_first(&self) -> bool {
        self.process.unwrap_or(0) == 0
    }

    /// What this process may take where nobody says: its share of what the machine has free.
    fn bytes(&self, limit: Option<NonZeroU64>, bytes: Option<u64>) -> Option<u64> {
        match limit {
            Some(_) => bytes,
            None => free_memory().map(|free| free / u64::from(self.processes.unwrap_or(1))),
        }
    }

    /// How many threads this process has where nobody says: its share of the cores.
    fn threads(&self, asked: Option<u16>) -> usize {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let share = cores / usize::from(self.processes.unwrap_or(1));
        asked.map_or(share.max(1), usize::from)
    }
}

/// `admissible cluster`.
#[derive(Debug, Args)]
pub(crate) struct ClusterCommand {
    #[command(subcommand)]
    command: ClusterSubcommand,
}

#[derive(Debug, Subcommand)]
enum ClusterSubcommand {
    /// Estimate from a sample how many states and how much memory an instance takes, and how many hosts of which size
    Plan(Box<plan::PlanArguments>),
}

pub(crate) fn run(command: &ClusterCommand, puzzles: Registry) -> Result<Exit, Failure> {
    match &command.command {
        ClusterSubcommand::Plan(arguments) => plan::run(arguments, puzzles),
    }
}
