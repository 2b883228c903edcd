//! This process as one of several.

use std::io::Write as _;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

use admissible_cluster::{Cluster, ConnectError, Greeting, Hosts, Links, token};

use super::ClusterArguments;
use crate::args::ReadArguments;
use crate::input::{named_or_read, shown};
use crate::progress::is_interrupted;
use crate::{Exit, Failure, tell};

/// How long processes that were started here have for their last words.
const LAST_WORDS: Duration = Duration::from_secs(10);

/// This process as one of several.
pub(super) struct Member {
    pub(super) cluster: Arc<Cluster>,
    process: usize,
    of: usize,
    children: Children,
}

/// What has to be the same everywhere, beside the hosts.
pub(super) struct Work<'a> {
    pub(super) command: &'static str,
    pub(super) text: &'a str,
    pub(super) heuristic: &'a str,
    pub(super) reading: &'a ReadArguments,
    pub(super) threads: usize,
    /// Whether the text was read from standard input, which processes that are started do not have.
    pub(super) is_standard_input: bool,
}

impl Work<'_> {
    fn token(&self, hosts: &Hosts) -> u64 {
        let word = |option: &Option<String>| option.clone().unwrap_or_default();
        let ReadArguments { puzzle, goal, move_order, metric } = self.reading;
        let options = [puzzle, goal, move_order, metric].map(word).join("\n");
        let (threads, hosts) = (self.threads.to_string(), hosts.text());
        let version = env!("CARGO_PKG_VERSION");
        token([version, self.command, self.text, self.heuristic, &options, &threads, &hosts])
    }
}

impl Member {
    /// Comes together with the others; or says why not, and how the program ends.
    pub(super) fn join(arguments: &ClusterArguments, work: &Work<'_>) -> Result<Result<Self, Exit>, Failure> {
        let (hosts, process) = hosts(arguments)?;
        let children = match arguments.processes {
            Some(_) if arguments.peers.is_none() => Children::start(&hosts, work)?,
            _ => Children(Vec::new()),
        };
        let greeting = Greeting { process, token: work.token(&hosts) };
        let connected = Links::connect(&hosts, greeting, arguments.connect_limit, &is_interrupted);
        let links = match connected {
            Ok(links) => links,
            Err(error) => {
                tell(format_args!("error: {error}"));
                return Ok(Err(match error {
                    ConnectError::Interrupted => Exit::Interrupted,
                    ConnectError::Missing { .. } | ConnectError::Gone(_) => Exit::Stopped,
                    _ => Exit::BadInput,
                }));
            }
        };
        let cluster = Arc::new(Cluster::new(links, work.threads));
        Ok(Ok(Member { cluster, process, of: hosts.count(), children }))
    }

    /// Whether this process prints the answer.
    pub(super) fn is_first(&self) -> bool {
        self.process == 0
    }

    /// Says who is gone, if anybody is, and what this process did, unless it prints the answer.
    pub(super) fn report(&self, end: &str) {
        if let Some(lost) = self.cluster.lost() {
            tell(format_args!("error: {} is gone", lost.named));
        }
        if !self.is_first() {
            let here = self.cluster.here();
            let (states, bytes) =
                (admissible_lab::numbers::grouped(here.expanded), admissible_lab::numbers::bytes(here.peak_bytes));
            tell(format_args!(
                "process {} of {}: {end}; {states} states expanded here, {bytes}",
                self.process, self.of
            ));
        }
    }

    /// Waits for the processes that were started here.
    pub(super) fn part(self) {
        drop(self.children);
    }
}

/// The addresses of all, and which of them this process has.
fn hosts(arguments: &ClusterArguments) -> Result<(Hosts, usize), Failure> {
    let hosts = match (&arguments.peers, &arguments.hosts, arguments.processes) {
        (Some(list), _, _) => {
            let read = Hosts::read(&list.replace(',', "\n"));
            read.map_err(|fault| Failure::new(format!("--peers: {fault}")))?
        }
        (None, Some(path), _) => {
            let name = path.to_string_lossy();
            let text = named_or_read(&name)?;
            Hosts::read(&text).map_err(|fault| Failure::new(format!("{}:{fault}", shown(&name))))?
        }
        (None, None, Some(processes)) => {
            if arguments.process.is_some() {
                return Err(Failure::new("--process: with --processes the others are started, and have their numbers"));
            }
            let found = Hosts::on_loopback(processes.into());
            found.map_err(|error| Failure::new(format!("--processes: there are no ports: {error}")))?
        }
        (None, None, None) => {
            return Err(Failure::new("--process: a number among the hosts, which --hosts FILE names"));
        }
    };
    let process = arguments.process.unwrap_or(0);
    if process >= hosts.count() {
        let last = hosts.count() - 1;
        return Err(Failure::new(format!("--process: expected a number from 0 to {last}, found {process}")));
    }
    Ok((hosts, process))
}

/// Processes that were started here.
struct Children(Vec<Child>);

impl Children {
    /// Starts this program once more for each of the others, with the same words.
    fn start(hosts: &Hosts, work: &Work<'_>) -> Result<Self, Failure> {
        let failed = |error| Failure::new(format!("--processes: cannot start another process: {error}"));
        let program = std::env::current_exe().map_err(failed)?;
        let mut children = Children(Vec::new());
        for process in 1..hosts.count() {
            let mut command = Command::new(&program);
            command.args(std::env::args_os().skip(1));
            command.args(["--peers", &hosts.text().replace('\n', ","), "--process", &process.to_string()]);
            command.stdin(if work.is_standard_input { Stdio::piped() } else { Stdio::null() }).stdout(Stdio::null());
            let mut child = command.spawn().map_err(failed)?;
            let input = child.stdin.take();
            children.0.push(child);
            if let Some(mut input) = input {
                input.write_all(work.text.as_bytes()).map_err(failed)?;
            }
        }
        Ok(children)
    }
}

impl Drop for Children {
    fn drop(&mut self) {
        let deadline = Instant::now() + LAST_WORDS;
        for child in &mut self.0 {
            while matches!(child.try_wait(), Ok(None)) {
                if Instant::now() >= deadline {
                    let _ = child.kill();
                    let _ = child.wait();
                    break;
                }
                std::thread::sleep(Duration::from_millis(5));
            }
        }
    }
}
