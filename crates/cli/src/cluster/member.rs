//! This process as one of several: connecting, reporting, and starting the others on this machine.

use std::ffi::OsString;
use std::io::Write as _;
use std::path::PathBuf;
use std::process::{Child, Stdio};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use admissible_cluster::{BEGINNING, Cluster, ConnectError, Handshake, Hosts, Links, config_hash};

use super::ClusterArguments;
use super::checkpoints::{ClusterConfig, FileStore, path_of};
use crate::args::{CheckpointArguments, ReadArguments};
use crate::ending::is_interrupted;
use crate::input::{read, shown};
use crate::session::{Session, foreign, resume_command};
use crate::{Exit, Failure, invocation, tell};

/// How long the processes started here may take to exit.
const EXIT_TIMEOUT: Duration = Duration::from_secs(10);
/// The same if one of them is lost, or the search was interrupted.
const EXIT_TIMEOUT_AFTER_LOSS: Duration = Duration::from_millis(100);
/// How long a process waits for the first one to leave when they cannot work together.
const FIRST_EXIT_TIMEOUT: Duration = Duration::from_secs(10);

/// The processes started here. They do not outlive this one, however it ends, unless it is killed.
static STARTED: Mutex<Vec<Child>> = Mutex::new(Vec::new());

/// Kills the processes started here.
pub(crate) fn kill_started() {
    for child in &mut *started() {
        let _ = child.kill();
    }
}

fn started() -> MutexGuard<'static, Vec<Child>> {
    STARTED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// This process as one of several.
pub(super) struct Member {
    pub(super) cluster: Arc<Cluster>,
    process: usize,
    of: usize,
    children: Children,
    store: Option<Arc<FileStore>>,
    /// The file with the hosts, if there is one.
    hosts: Option<PathBuf>,
    /// Whether another process started this one; that one then prints the messages.
    is_started: bool,
}

/// The configuration of the run that is resumed, if one is.
pub(super) fn resumed_config(session: &Session) -> Result<Option<ClusterConfig>, Failure> {
    let Some((path, checkpoint)) = session.resumed() else { return Ok(None) };
    ClusterConfig::read(checkpoint).map(Some).ok_or_else(|| foreign(path))
}

/// The configuration that has to be the same in all processes, beside the hosts.
pub(super) struct SharedConfig<'a> {
    pub(super) command: &'static str,
    pub(super) text: &'a str,
    pub(super) heuristic: &'a str,
    pub(super) reading: &'a ReadArguments,
    pub(super) threads: usize,
    /// Whether the text was read from standard input, which started processes do not share.
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
    /// Connects with the other processes; or prints why that failed and returns the exit code.
    pub(super) fn join(
        arguments: &ClusterArguments,
        shared: &SharedConfig<'_>,
        session: &Session,
        checkpoint: &CheckpointArguments,
    ) -> Result<Result<Self, Exit>, Failure> {
        let (hosts, process) = hosts(arguments)?;
        let config =
            ClusterConfig { heuristic: shared.heuristic.into(), threads: shared.threads, processes: hosts.count() };
        if let Some(before) = resumed_config(session)?.filter(|before| before.processes != config.processes) {
            let (before, now) = (before.processes, config.processes);
            return Err(Failure::new(format!("the checkpoint is one of {before} processes, and there are {now}")));
        }
        let store = FileStore::open(session, checkpoint, process, shared.text, config)?.map(Arc::new);
        let joined = Self::join_with(arguments, shared, session, (hosts, process), store.as_ref());
        if let Some(store) = store.filter(|_| !matches!(joined, Ok(Ok(_)))) {
            store.abandon();
        }
        joined
    }

    fn join_with(
        arguments: &ClusterArguments,
        shared: &SharedConfig<'_>,
        session: &Session,
        (hosts, process): (Hosts, usize),
        store: Option<&Arc<FileStore>>,
    ) -> Result<Result<Self, Exit>, Failure> {
        let children = match arguments.processes {
            Some(_) if !arguments.is_started() => Children::start(&hosts, shared, session)?,
            _ => Children,
        };
        let offers = store.map_or([Some(BEGINNING), None], |store| store.offers());
        let handshake = Handshake { process, config_hash: shared.config_hash(&hosts), offers };
        let parent = parent();
        // A process does not wait for others once the one that started it is gone.
        let is_orphan = || arguments.is_started() && self::parent() != parent;
        let give_up = || is_interrupted() || children.has_one_ended() || is_orphan();
        let connected = Links::connect(&hosts, handshake, arguments.connect_limit, &give_up);
        let links = match connected {
            Ok(links) => links,
            // A started process has ended, and has printed the reason.
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
            links.await_first_exit(FIRST_EXIT_TIMEOUT);
            // One process prints the message.
            return if arguments.is_started() { Ok(Err(Exit::BadInput)) } else { Err(Failure::new(why)) };
        };
        let mut cluster = Cluster::new(links, shared.threads);
        if let Some(store) = store {
            store.choose(agreed);
            cluster = cluster.with_checkpoints(store.clone());
        }
        Ok(Ok(Member {
            cluster: Arc::new(cluster),
            process,
            of: hosts.count(),
            children,
            store: store.cloned(),
            hosts: arguments.hosts.clone(),
            is_started: arguments.is_started(),
        }))
    }

    /// Time that earlier runs took.
    pub(super) fn earlier(&self) -> Duration {
        let seconds = self.store.as_ref().map_or(0.0, |store| store.earlier());
        Duration::try_from_secs_f64(seconds).unwrap_or_default()
    }

    /// Whether this process prints the answer.
    pub(super) fn is_first(&self) -> bool {
        self.process == 0
    }

    /// Reports a lost process, and in processes that do not print the answer the statistics of this one.
    pub(super) fn report(&self, end: &str) {
        if let Some(lost) = self.cluster.lost() {
            tell(format_args!("error: {} is gone", lost.named));
        }
        if !self.is_first() {
            let stats = self.cluster.local_stats();
            let (states, bytes) =
                (admissible_lab::numbers::grouped(stats.expanded), admissible_lab::numbers::bytes(stats.peak_bytes));
            tell(format_args!(
                "process {} of {}: {end}; {states} states expanded here, {bytes}",
                self.process, self.of
            ));
        }
    }

    /// Removes the checkpoint if there is an answer, otherwise prints how to resume, with the options to give again.
    /// Then waits for the processes started here.
    pub(super) fn finish(self, is_answered: bool, given_again: &str) {
        let hosts = self.hosts.as_ref().map_or_else(String::new, |hosts| format!(" --hosts {}", hosts.display()));
        match &self.store {
            Some(store) if is_answered => store.remove(),
            Some(store) if !self.is_started => {
                tell(format_args!("note: to continue: {}{hosts}{given_again}", resume_command(store.path())));
            }
            _ => {}
        }
        let timeout =
            if self.cluster.lost().is_some() || is_interrupted() { EXIT_TIMEOUT_AFTER_LOSS } else { EXIT_TIMEOUT };
        self.children.await_exit(timeout);
    }
}

/// The process that started this one.
fn parent() -> u32 {
    #[cfg(unix)]
    return std::os::unix::process::parent_id();
    #[cfg(not(unix))]
    return 0;
}

/// The addresses of all processes, and the number of this one.
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
                return Err(Failure::new("--process: not with --processes, which starts and numbers the others"));
            }
            let found = Hosts::on_loopback(processes.into());
            found.map_err(|error| Failure::new(format!("--processes: no free ports: {error}")))?
        }
        (None, None, None) => {
            return Err(Failure::new("--process: needs --hosts FILE, in which it is the number of a host"));
        }
    };
    let process = arguments.process.unwrap_or(0);
    if process >= hosts.count() {
        let last = hosts.count() - 1;
        return Err(Failure::new(format!("--process: expected a number from 0 to {last}, found {process}")));
    }
    Ok((hosts, process))
}

/// Waits for the processes started here when it is dropped.
struct Children;

impl Children {
    /// Whether one of them has ended.
    fn has_one_ended(&self) -> bool {
        started().iter_mut().any(|child| !matches!(child.try_wait(), Ok(None)))
    }

    /// Waits until all have ended, and kills those that take longer than `timeout`.
    fn await_exit(&self, timeout: Duration) {
        let deadline = Instant::now() + timeout;
        loop {
            let mut children = started();
            children.retain_mut(|child| matches!(child.try_wait(), Ok(None)));
            if children.is_empty() {
                return;
            }
            if Instant::now() >= deadline {
                for child in &mut *children {
                    let _ = child.kill();
                    let _ = child.wait();
                }
            }
            drop(children);
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    /// Starts this program for each of the other processes, with the same arguments; when resuming, each with its own
    /// checkpoint.
    fn start(hosts: &Hosts, shared: &SharedConfig<'_>, session: &Session) -> Result<Self, Failure> {
        let failed = |error| Failure::new(format!("--processes: cannot start another process: {error}"));
        let resumed = session.resumed().map(|(path, _)| path);
        if let Some((path, checkpoint)) = session.resumed() {
            for process in 1..hosts.count() {
                let path = path_of(path, process);
                // A process that was killed before it wrote anything begins anew, if the others are at the beginning.
                if !path.exists() && !session.restore_beginning(checkpoint, process, &path)? {
                    return Err(Failure::at(&path, "there is no such file"));
                }
            }
        }
        let children = Children;
        for process in 1..hosts.count() {
            let mut command = invocation::restart().map_err(failed)?;
            // Skip the command `resume`, which may equal the name of the file.
            let own = |(at, word): (usize, OsString)| match resumed.filter(|path| at > 0 && path.as_os_str() == word) {
                Some(path) => path_of(path, process).into(),
                None => word,
            };
            command.args(invocation::arguments().into_iter().skip(1).enumerate().map(own));
            command.args(["--peers", &hosts.text().replace('\n', ",")]);
            if resumed.is_none() {
                command.args(["--process", &process.to_string()]);
            }
            command.stdin(if shared.is_standard_input { Stdio::piped() } else { Stdio::null() }).stdout(Stdio::null());
            let mut child = command.spawn().map_err(failed)?;
            let input = child.stdin.take();
            started().push(child);
            if let Some(mut input) = input {
                input.write_all(shared.text.as_bytes()).map_err(failed)?;
            }
        }
        Ok(children)
    }
}

impl Drop for Children {
    fn drop(&mut self) {
        self.await_exit(EXIT_TIMEOUT);
    }
}
