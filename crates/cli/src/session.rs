//! The checkpoints of one run of the program: the one that it resumes, and those that it writes.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use admissible_front::{Checkpoint, CheckpointWriter, Registry, Task, Work};
use clap::ArgMatches;

use crate::args::{CheckpointArguments, Command, LimitArguments, ReadArguments, ResumeArguments};
use crate::cluster::is_beginning;
use crate::input::{named_or_read, shown};
use crate::work::{command, describe};
use crate::{Exit, Failure, invocation, tell};

/// The work of this run, if it writes checkpoints, and the checkpoint that it resumes.
#[derive(Debug)]
pub(crate) struct Session {
    pub(crate) puzzles: Registry,
    work: Option<Work>,
    resumed: Option<(PathBuf, Arc<Checkpoint>)>,
}

impl Session {
    /// The session of a command line.
    pub(crate) fn typed(puzzles: Registry, typed: &ArgMatches) -> Self {
        Session { puzzles, work: describe(puzzles, typed), resumed: None }
    }

    /// The checkpoint that is resumed, and its file.
    pub(crate) fn resumed(&self) -> Option<(&Path, &Arc<Checkpoint>)> {
        self.resumed.as_ref().map(|(path, checkpoint)| (&**path, checkpoint))
    }

    /// The text of the puzzle, from the checkpoint or else from the file. A file that a checkpoint names is not read.
    pub(crate) fn text(&self, file: &str) -> Result<String, Failure> {
        match self.resumed() {
            Some((path, checkpoint)) => checkpoint.work.text.clone().ok_or_else(|| foreign(path)),
            None => named_or_read(file, self.puzzles),
        }
    }

    /// The writer of checkpoints, if they are wanted. `text` is the content of the puzzle's file.
    pub(crate) fn checkpoint_writer(
        &self,
        arguments: &CheckpointArguments,
        text: Option<String>,
    ) -> Result<Option<Arc<CheckpointWriter>>, Failure> {
        let Some(path) = &arguments.checkpoint else { return Ok(None) };
        if self.resumed.is_none() {
            check_free(path)?;
        }
        Ok(Some(Arc::new(self.checkpoint_writer_at(path.clone(), arguments.checkpoint_every, text))))
    }

    /// Writes the checkpoint of another process of the same run, which has none, if the run is still at its beginning.
    /// False if it is not.
    pub(crate) fn restore_beginning(
        &self,
        checkpoint: &Checkpoint,
        process: usize,
        path: &Path,
    ) -> Result<bool, Failure> {
        if !is_beginning(checkpoint) {
            return Ok(false);
        }
        let mut work = checkpoint.work.clone();
        work.options.insert("process".into(), Some(process.to_string()));
        let writer = CheckpointWriter::new(path.into(), work, Duration::MAX, Box::new(|_| ()));
        writer.write(&checkpoint.progress).map_err(|error| Failure::at(path, error))?;
        Ok(true)
    }

    /// A writer of checkpoints to a file, which may exist.
    pub(crate) fn checkpoint_writer_at(
        &self,
        path: PathBuf,
        every: Duration,
        text: Option<String>,
    ) -> CheckpointWriter {
        let work = self.work.clone().expect("commands with --checkpoint are kinds of resumable work");
        let complain = Box::new(|message: String| tell(format_args!("warning: {message}")));
        CheckpointWriter::new(path, Work { text, ..work }, every, complain)
    }
}

/// The error for a checkpoint with valid checksums and invalid content.
pub(crate) fn foreign(checkpoint: &Path) -> Failure {
    Failure::new(format!("{}: this program did not write what it says", shown(&checkpoint.to_string_lossy())))
}

/// The command that resumes the work of a checkpoint, with the name of the program as it was typed.
pub(crate) fn resume_command(checkpoint: &Path) -> String {
    let program = invocation::arguments().into_iter().next().unwrap_or_default();
    let name = Path::new(&program).file_stem().unwrap_or("admissible".as_ref());
    format!("{} resume {}", name.display(), checkpoint.display())
}

/// Refuses to overwrite a file.
pub(crate) fn check_free(path: &Path) -> Result<(), Failure> {
    if !path.exists() {
        return Ok(());
    }
    let name = path.display();
    Err(Failure::new(match Checkpoint::read(path) {
        // A process was killed before the search began.
        Ok(found) if is_beginning(&found) => return Ok(()),
        Ok(_) => {
            format!("--checkpoint: {name} is a checkpoint already: {}, or remove it", resume_command(path))
        }
        Err(_) => format!("--checkpoint: {name} exists already and is not overwritten"),
    }))
}

/// `admissible resume`.
pub(crate) fn resume(arguments: &ResumeArguments, puzzles: Registry) -> Result<Exit, Failure> {
    let path = &arguments.file;
    let name = shown(&path.to_string_lossy());
    let read = Checkpoint::read(path);
    let checkpoint = Arc::new(read.map_err(|error| Failure::new(format!("{name}: {error}")))?);
    let mut command = command(puzzles, &checkpoint.work, path).ok_or_else(|| foreign(path))?;
    let stopped = checkpoint.progress["stopped"].as_str().map(String::from);
    let (cluster, report) = match &mut command {
        Command::Solve(solve) => {
            relimit(&mut solve.search.tuning.limits, &arguments.limits, stopped.as_deref());
            (Some(&mut solve.cluster), None)
        }
        Command::Explore(explore) => {
            explore.relimit(&arguments.limits);
            (Some(&mut explore.cluster), Some(&mut explore.report))
        }
        _ => (None, None),
    };
    match (report, &arguments.report) {
        (Some(report), given) => report.clone_from(given),
        (None, Some(_)) => {
            return Err(Failure::new(format!("--report: {name} is not the checkpoint of an exploration")));
        }
        (None, None) => {}
    }
    match (cluster, &arguments.hosts) {
        (Some(cluster), hosts) => cluster
            .set_addresses(hosts.clone(), arguments.peers.clone())
            .map_err(|why| Failure::new(format!("{name}: {why}")))?,
        (None, Some(_)) => return Err(Failure::new(format!("--hosts: {name} is a run of one process"))),
        (None, None) => {}
    }
    let session = Session { puzzles, work: Some(checkpoint.work.clone()), resumed: Some((path.clone(), checkpoint)) };
    crate::dispatch(&command, &session)
}

/// Replaces limits by those given now, and drops the old one that stopped the work.
fn relimit(limits: &mut LimitArguments, given: &LimitArguments, stopped: Option<&str>) {
    let kept = |name: &str| stopped != Some(name);
    limits.time_limit = given.time_limit.or(limits.time_limit.filter(|_| kept("time limit")));
    limits.node_limit = given.node_limit.or(limits.node_limit.filter(|_| kept("node limit")));
    limits.memory_limit = given.memory_limit.or(limits.memory_limit);
}

/// An instance, and the writer of its checkpoints.
type Opened = (Task, Option<Arc<CheckpointWriter>>);

/// Opens the instance of a command.
pub(crate) fn open(
    session: &Session,
    file: &str,
    reading: &ReadArguments,
    checkpoint: &CheckpointArguments,
) -> Result<Opened, Failure> {
    let text = session.text(file)?;
    let task = crate::input::open_text(file, &text, reading, session.puzzles)?;
    Ok((task, session.checkpoint_writer(checkpoint, Some(text))?))
}
