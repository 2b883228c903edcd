//! This process as one of several.

use std::ffi::OsString;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use admissible_cluster::{BEGINNING, Cluster, ConnectError, Handshake, Hosts, Links, config_hash};

use super::ClusterArguments;
use super::log::{Log, Terms, path_of};
use crate::args::{CheckpointArguments, ReadArguments};
use crate::input::{read, shown};
use crate::progress::is_interrupted;
use crate::session::{Session, foreign, resume_command};
use crate::{Exit, Failure, tell};

/// How long processes that were started here have for their last words.
const LAST_WORDS: Duration = Duration::from_secs(10);

/// This process as one of several.
pub(super) struct Member {
    pub(super) cluster: Arc<Cluster>,
    process: usize,
    of: usize,
    children: Children,
    log: Option<Arc<Log>>,
    /// The file with the hosts, if there is one.
    hosts: Option<PathBuf>,
    /// Whether this process was started by another one, which says what there is to say.
    is_started: bool,
}

/// The terms on which the work was begun that goes on here, if it was.
pub(super) fn terms(session: &Session) -> Result<Option<Terms>, Failure> {
    let Some((path, checkpoint)) = session.resumed() else { return Ok(None) };
    Terms::read(checkpoint).map(Some).ok_or_else(|| foreign(path))
}

/// What has to be the same everywhere, beside the hosts.
pub(super) struct SharedConfig<'a> {
    pub(super) command: &'static str,
    pub(super) text: &'a str,
    pub(super) heuristic: &'a str,
    pub(super) reading: &'a ReadArguments,
    pub(super) threads: usize,
    /// Whether the text was read from standard input, which processes that are started do not have.
    pub(super) is_standard_input: bool,
}

impl SharedConfig<'_> {
    fn config_hash(&self, hosts: &Hosts) -> u64 {
        let word = |option: &Option<String>| option.clone().unwrap_or_default();
        let ReadArguments { puzzle, goal, move_order, metric } = self.reading;
        let options = [puzzle, goal, move_order, metric].map(word).join("\n");
        let (threads, hosts) = (self.threads.to_string(), hosts.text());
        let version = env!("CARGO_PKG_VERSION");
        config_hash([version, self.command, self.text, self.heuristic, &options, &threads, &hosts])
    }
}

impl Member {
    /// Comes together with the others; or says why not, and how the program ends.
    pub(super) fn join(
        arguments: &ClusterArguments,
        shared: &SharedConfig<'_>,
        session: &Session,
        checkpoint: &CheckpointArguments,
    ) -> Result<Result<Self, Exit>, Failure> {
        let (hosts, process) = hosts(arguments)?;
        let terms = Terms { heuristic: shared.heuristic.into(), threads: shared.threads, processes: hosts.count() };
        if let Some(before) = self::terms(session)?.filter(|before| before.processes != terms.processes) {
            let (before, now) = (before.processes, terms.processes);
            return Err(Failure::new(format!("the checkpoint is one of {before} processes, and there are {now}")));
        }
        let log = Log::open(session, checkpoint, process, shared.text, terms)?.map(Arc::new);
        let joined = Self::join_with(arguments, shared, session, (hosts, process), log.as_ref());
        if let Some(log) = log.filter(|_| !matches!(joined, Ok(Ok(_)))) {
            log.abandon();
        }
        joined
    }

    fn join_with(
        arguments: &ClusterArguments,
        shared: &SharedConfig<'_>,
        session: &Session,
        (hosts, process): (Hosts, usize),
        log: Option<&Arc<Log>>,
    ) -> Result<Result<Self, Exit>, Failure> {
        let children = match arguments.processes {
            Some(_) if !arguments.is_started() => Children::start(&hosts, shared, session)?,
            _ => Children::default(),
        };
        let offers = log.map_or([Some(BEGINNING), None], |log| log.offers());
        let handshake = Handshake { process, config_hash: shared.config_hash(&hosts), offers };
        let give_up = || is_interrupted() || children.has_one_ended();
        let connected = Links::connect(&hosts, handshake, arguments.connect_limit, &give_up);
        let links = match connected {
            Ok(links) => links,
            // It has said why.
            Err(ConnectError::Interrupted) if !is_interrupted() => return Ok(Err(Exit::BadInput)),
            Err(error) => {
                tell(format_args!("error: {error}"));
                return Ok(Err(match error {
                    ConnectError::Interrupted => Exit::Interrupted,
                    ConnectError::Missing { .. } | ConnectError::Gone(_) => Exit::Stopped,
                    _ => Exit::BadInput,
                }));
            }
        };
        let Some(agreed) = links.agreed() else {
            let why = "the checkpoints of the processes were not written together: is one of another run, or missing?";
            links.outstay_first(LAST_WORDS);
            // One word about it is enough.
            return if arguments.is_started() { Ok(Err(Exit::BadInput)) } else { Err(Failure::new(why)) };
        };
        let mut cluster = Cluster::new(links, shared.threads);
        if let Some(log) = log {
            log.choose(agreed);
            cluster = cluster.with_log(log.clone());
        }
        Ok(Ok(Member {
            cluster: Arc::new(cluster),
            process,
            of: hosts.count(),
            children,
            log: log.cloned(),
            hosts: arguments.hosts.clone(),
            is_started: arguments.is_started(),
        }))
    }

    /// How long earlier runs took.
    pub(super) fn earlier(&self) -> Duration {
        let seconds = self.log.as_ref().map_or(0.0, |log| log.earlier());
        Duration::try_from_secs_f64(seconds).unwrap_or_default()
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

    /// Waits for the processes that were started here, and removes the checkpoint if there is an answer.
    /// Otherwise says how to resume the work, with the options that have to be given again.
    pub(super) fn part(self, is_answered: bool, given_again: &str) {
        let hosts = self.hosts.as_ref().map_or_else(String::new, |hosts| format!(" --hosts {}", hosts.display()));
        match &self.log {
            Some(log) if is_answered => log.remove(),
            Some(log) if !self.is_started => {
                tell(format_args!("note: to go on: {}{hosts}{given_again}", resume_command(log.path())));
            }
            _ => {}
        }
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
            let text = read(&name)?;
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
#[derive(Default)]
struct Children(Mutex<Vec<Child>>);

impl Children {
    /// Whether one of them has come to an end.
    fn has_one_ended(&self) -> bool {
        let mut children = self.0.lock().expect("nobody panics with them");
        children.iter_mut().any(|child| !matches!(child.try_wait(), Ok(None)))
    }

    /// Starts this program once more for each of the others, with the same words; where work goes on, each with its own
    /// checkpoint.
    fn start(hosts: &Hosts, shared: &SharedConfig<'_>, session: &Session) -> Result<Self, Failure> {
        let failed = |error| Failure::new(format!("--processes: cannot start another process: {error}"));
        let program = std::env::current_exe().map_err(failed)?;
        let resumed = session.resumed().map(|(path, _)| path);
        let missing = |path: &Path| Failure::new(format!("{}: there is no such file", path.display()));
        let paths = (1..hosts.count()).filter_map(|process| Some(path_of(resumed?, process)));
        paths.filter(|path| !path.exists()).try_for_each(|path| Err(missing(&path)))?;
        let children = Children::default();
        for process in 1..hosts.count() {
            let mut command = Command::new(&program);
            // After the word `resume`, which may be the name of a file as well.
            let own = |(at, word): (usize, OsString)| match resumed.filter(|path| at > 0 && path.as_os_str() == word) {
                Some(path) => path_of(path, process).into(),
                None => word,
            };
            command.args(std::env::args_os().skip(1).enumerate().map(own));
            command.args(["--peers", &hosts.text().replace('\n', ",")]);
            if resumed.is_none() {
                command.args(["--process", &process.to_string()]);
            }
            command.stdin(if shared.is_standard_input { Stdio::piped() } else { Stdio::null() }).stdout(Stdio::null());
            let mut child = command.spawn().map_err(failed)?;
            let input = child.stdin.take();
            children.0.lock().expect("nobody panics with them").push(child);
            if let Some(mut input) = input {
                input.write_all(shared.text.as_bytes()).map_err(failed)?;
            }
        }
        Ok(children)
    }
}

impl Drop for Children {
    fn drop(&mut self) {
        let deadline = Instant::now() + LAST_WORDS;
        for child in self.0.get_mut().expect("nobody panics with them") {
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
