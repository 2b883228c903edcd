//! What a command goes on from, and where it writes down how far it is.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use admissible_front::{Checkpoint, CheckpointCommand, Keeper, Task};
use clap::Parser as _;

use crate::args::{Arguments, CheckpointArguments, Command, LimitArguments, ReadArguments, ResumeArguments};
use crate::input::{named_or_read, shown};
use crate::{Exit, Failure, tell};

/// The words of the command, and the checkpoint that it goes on from.
#[derive(Debug, Default)]
pub(crate) struct Session {
    words: Vec<String>,
    resumed: Option<(PathBuf, Arc<Checkpoint>)>,
}

impl Session {
    /// The session of what was typed. Words that are no text cannot be written down, and are never needed.
    pub(crate) fn typed() -> Self {
        let words = std::env::args_os().skip(1).map(|word| word.to_string_lossy().into_owned()).collect();
        Session { words, resumed: None }
    }

    /// The checkpoint that it goes on from, and its file.
    pub(crate) fn resumed(&self) -> Option<(&Path, &Arc<Checkpoint>)> {
        self.resumed.as_ref().map(|(path, checkpoint)| (&**path, checkpoint))
    }

    /// The text of the puzzle: what the checkpoint has, or else what is in the file.
    pub(crate) fn text(&self, file: &str) -> Result<String, Failure> {
        match self.resumed().and_then(|(_, checkpoint)| checkpoint.command.input.clone()) {
            Some(text) => Ok(text),
            None => named_or_read(file),
        }
    }

    /// Whoever keeps the checkpoints, if they are wanted.
    pub(crate) fn keeper(
        &self,
        arguments: &CheckpointArguments,
        input: Option<String>,
    ) -> Result<Option<Arc<Keeper>>, Failure> {
        let path = match (&self.resumed, &arguments.checkpoint) {
            (Some((path, _)), _) => path.clone(),
            (None, None) => return Ok(None),
            (None, Some(path)) => {
                check_free(path)?;
                path.clone()
            }
        };
        Ok(Some(Arc::new(self.keeper_at(path, arguments.checkpoint_every, input))))
    }

    /// A keeper of this command's checkpoints in a file, whatever is there.
    pub(crate) fn keeper_at(&self, path: PathBuf, every: Duration, input: Option<String>) -> Keeper {
        let command = CheckpointCommand { words: self.words.clone(), input };
        let complain = Box::new(|message: String| tell(format_args!("warning: {message}")));
        Keeper::new(path, command, every, complain)
    }
}

/// Nobody's file is overwritten, be it a board or the work of a night.
pub(crate) fn check_free(path: &Path) -> Result<(), Failure> {
    if !path.exists() {
        return Ok(());
    }
    let name = path.display();
    Err(Failure::new(match Checkpoint::read(path) {
        Ok(_) => format!("--checkpoint: {name} is one already: go on with admissible resume {name}, or remove it"),
        Err(_) => format!("--checkpoint: {name} is there already, and is not overwritten"),
    }))
}

/// `admissible resume`.
pub(crate) fn resume(arguments: &ResumeArguments) -> Result<Exit, Failure> {
    let name = shown(&arguments.file.to_string_lossy());
    let read = Checkpoint::read(&arguments.file);
    let checkpoint = Arc::new(read.map_err(|error| Failure::new(format!("{name}: {error}")))?);
    let words = checkpoint.command.words.clone();
    let unknown = |_| Failure::new(format!("{name}: this program does not know the command '{}'", words.join(" ")));
    let typed = ["admissible"].into_iter().map(String::from).chain(words.iter().cloned());
    let mut command = Arguments::try_parse_from(typed).map_err(unknown)?.command;
    let stopped = checkpoint.progress["stopped"].as_str().map(String::from);
    let cluster = match &mut command {
        Command::Solve(solve) => {
            relimit(&mut solve.search.tuning.limits, &arguments.limits, stopped.as_deref());
            Some(&mut solve.cluster)
        }
        Command::Explore(explore) => {
            explore.relimit(&arguments.limits);
            Some(&mut explore.cluster)
        }
        _ => None,
    };
    if let Some(cluster) = cluster {
        cluster.meet_again(arguments.peers.clone()).map_err(|why| Failure::new(format!("{name}: {why}")))?;
    }
    let session = Session { words, resumed: Some((arguments.file.clone(), checkpoint)) };
    crate::run(&command, &session)
}

/// Limits that are given now count; of the others all but the one that has stopped it.
fn relimit(limits: &mut LimitArguments, given: &LimitArguments, stopped: Option<&str>) {
    let kept = |name: &str| stopped != Some(name);
    limits.time_limit = given.time_limit.or(limits.time_limit.filter(|_| kept("time limit")));
    limits.node_limit = given.node_limit.or(limits.node_limit.filter(|_| kept("node limit")));
    limits.memory_limit = given.memory_limit.or(limits.memory_limit);
}

/// An instance, and whoever keeps its checkpoints.
type Opened = (Box<dyn Task>, Option<Arc<Keeper>>);

/// Opens the instance of a command, and whoever keeps its checkpoints.
pub(crate) fn open(
    session: &Session,
    file: &str,
    reading: &ReadArguments,
    checkpoint: &CheckpointArguments,
) -> Result<Opened, Failure> {
    let text = session.text(file)?;
    let task = crate::input::open_text(file, &text, reading)?;
    Ok((task, session.keeper(checkpoint, Some(text))?))
}
