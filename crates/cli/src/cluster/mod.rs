//! `solve` and `explore` with several processes, and `admissible cluster`.

mod checkpoints;
mod explore;
mod member;
mod plan;
mod solve;

use std::num::NonZeroU64;
use std::path::PathBuf;
use std::time::Duration;

use admissible_front::Registry;
use clap::{Args, Subcommand};

use crate::args::{free_memory, parse_time, threads};
use crate::{Exit, Failure};

pub(crate) use checkpoints::is_beginning;
pub(crate) use explore::run as explore;
pub(crate) use member::kill_started;
pub(crate) use solve::run as solve;

/// The processes of the cluster.
#[derive(Debug, Args)]
pub(crate) struct ClusterArguments {
    /// Search with a process on every host of this file, one host:port a line. Start the same command on each host,
    /// with its own --process; the first prints the answer
    #[arg(long, value_name = "FILE", requires = "process", conflicts_with = "processes")]
    hosts: Option<PathBuf>,
    /// The number of this process among the hosts, from 0
    #[arg(long, value_name = "I")]
    process: Option<usize>,
    /// Search with this many processes on this machine; the first starts the others
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    processes: Option<u16>,
    /// How long to wait for the other processes
    #[arg(long, value_name = "TIME", value_parser = parse_time, default_value = "60s")]
    connect_limit: Duration,
    /// The addresses of all processes, for a process that another one started
    #[arg(long, value_name = "LIST", hide = true)]
    peers: Option<String>,
}

impl ClusterArguments {
    pub(crate) fn is_wanted(&self) -> bool {
        self.hosts.is_some() || self.processes.is_some() || self.process.is_some() || self.peers.is_some()
    }

    /// Whether it names addresses of other processes.
    pub(crate) fn has_addresses(&self) -> bool {
        self.hosts.is_some() || self.peers.is_some()
    }

    /// Sets the addresses for a resumed run: a checkpoint has none.
    ///
    /// # Errors
    /// If the addresses are missing, or given for a run that is not over several machines.
    pub(crate) fn set_addresses(&mut self, hosts: Option<PathBuf>, peers: Option<String>) -> Result<(), &'static str> {
        let is_missing = peers.is_none() && hosts.is_none();
        match (self.process, self.processes) {
            (Some(_), Some(_)) if peers.is_none() => {
                return Err("another process started this one: resume the file without a number");
            }
            (Some(_), None) if is_missing => {
                return Err("this is a run over several machines: name them with --hosts FILE");
            }
            (None, _) if hosts.is_some() => {
                return Err("this is not a run over several machines, so --hosts has no effect");
            }
            _ => (self.hosts, self.peers) = (hosts, peers),
        }
        Ok(())
    }

    /// Whether another process started this one.
    fn is_started(&self) -> bool {
        self.peers.is_some()
    }

    /// Whether this process prints an answer that is known before the processes connect.
    fn is_first(&self) -> bool {
        self.process.unwrap_or(0) == 0
    }

    /// The memory limit of this process, by default its share of the free memory.
    fn bytes(&self, limit: Option<NonZeroU64>, bytes: Option<u64>) -> Option<u64> {
        match limit {
            Some(_) => bytes,
            None => free_memory().map(|free| free / u64::from(self.processes.unwrap_or(1))),
        }
    }

    /// The number of threads of this process, by default its share of the cores.
    fn threads(&self, asked: Option<u16>) -> usize {
        let share = threads(None) / usize::from(self.processes.unwrap_or(1));
        asked.map_or(share.max(1), usize::from)
    }
}

#[derive(Debug, Subcommand)]
pub(crate) enum ClusterCommand {
    /// Estimate from a sample how many states, how much memory and how many hosts an instance takes
    Plan(Box<plan::PlanArguments>),
}

pub(crate) fn run(command: &ClusterCommand, puzzles: Registry) -> Result<Exit, Failure> {
    let ClusterCommand::Plan(arguments) = command;
    plan::run(arguments, puzzles)
}
