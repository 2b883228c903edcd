//! Checkpoints of several processes: each writes its own file, and all resume from the same moment.
//!
//! Process 0 writes to the given file, process 1 to that name with the suffix `.1`, and so on. A new checkpoint has the
//! suffix `.new` until all processes have written theirs; then it replaces the old one.

use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::Instant;

use admissible_cluster::{BEGINNING, CheckpointStore, Offers};
use admissible_front::{Checkpoint, CheckpointWriter, Stop};
use serde_json::{Value, json};

use admissible_front::files::{follow_links, operation};

use crate::args::CheckpointArguments;
use crate::session::{Session, check_free};
use crate::{Failure, tell};

/// The most threads of a process, and the most processes.
const MOST_WORKERS: u64 = 1024;

/// The configuration of a run that has to stay the same when it is resumed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ClusterConfig {
    pub(super) heuristic: String,
    pub(super) threads: usize,
    pub(super) processes: usize,
}

impl ClusterConfig {
    /// The configuration in a checkpoint. `None` if it is not one of several processes.
    pub(super) fn read(checkpoint: &Checkpoint) -> Option<Self> {
        let config = &checkpoint.progress["cluster"];
        // A forged number must not exceed the limits of the options.
        let number = |name: &str| config[name].as_u64().filter(|number| (1..=MOST_WORKERS).contains(number));
        let heuristic = config["heuristic"].as_str()?.into();
        Some(ClusterConfig {
            heuristic,
            threads: number("threads")? as usize,
            processes: number("processes")? as usize,
        })
    }
}

/// The checkpoints of this process.
#[derive(Debug)]
pub(super) struct FileStore {
    path: PathBuf,
    /// Writes new checkpoints, with the suffix `.new`.
    writer: CheckpointWriter,
    config: ClusterConfig,
    begin: Instant,
    /// Seconds that earlier runs took.
    earlier: f64,
    /// The checkpoints of an earlier run, with their numbers.
    found: Vec<(u64, Arc<Checkpoint>)>,
    /// The checkpoint to resume from.
    chosen: Mutex<Option<Arc<Checkpoint>>>,
}

/// The checkpoint file of a process.
pub(super) fn path_of(path: &Path, process: usize) -> PathBuf {
    if process == 0 { path.into() } else { with_end(path, &process.to_string()) }
}

fn with_end(path: &Path, end: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".");
    name.push(end);
    name.into()
}

/// Whether a checkpoint stands for the start of a search of several processes: nothing is lost without it.
pub(crate) fn is_beginning(checkpoint: &Checkpoint) -> bool {
    number_of(checkpoint) == Some(BEGINNING) && !checkpoint.has_body()
}

fn number_of(checkpoint: &Checkpoint) -> Option<u64> {
    checkpoint.progress["cluster"]["number"].as_u64()
}

impl FileStore {
    /// Creates the file, or finds the checkpoints of an earlier run. `None` if no checkpoints are wanted.
    pub(super) fn open(
        session: &Session,
        arguments: &CheckpointArguments,
        process: usize,
        input: &str,
        config: ClusterConfig,
    ) -> Result<Option<Self>, Failure> {
        let (path, found) = match (session.resumed(), &arguments.checkpoint) {
            (None, None) => return Ok(None),
            (None, Some(path)) => {
                let path = path_of(path, process);
                check_free(&path)?;
                check_free(&with_end(&path, "new"))?;
                (path, Vec::new())
            }
            (Some((path, checkpoint)), _) => {
                // If other processes died while it was written, it may be useless or incomplete.
                let newer = Checkpoint::read(&with_end(path, "new")).ok().map(Arc::new);
                let newer = newer.filter(|newer| ClusterConfig::read(newer).as_ref() == Some(&config));
                let all = [Some(checkpoint.clone()), newer].into_iter().flatten();
                (path.to_path_buf(), all.filter_map(|one| Some((number_of(&one)?, one))).collect())
            }
        };
        // The file that a link points to is replaced and removed; the link stays.
        let path = follow_links(&path).unwrap_or(path);
        let earlier = found.first().and_then(|(_, checkpoint)| checkpoint.progress["seconds"].as_f64()).unwrap_or(0.0);
        let writer_at = |path| session.checkpoint_writer_at(path, arguments.checkpoint_every, Some(input.into()));
        let store = FileStore {
            writer: writer_at(with_end(&path, "new")),
            config,
            begin: Instant::now(),
            earlier,
            chosen: Mutex::new(None),
            found,
            path,
        };
        if store.found.is_empty() {
            // Report a file that cannot be written before the work, not after it.
            let written = writer_at(store.path.clone()).write(&store.progress(BEGINNING, None));
            written.map_err(|error| Failure::at(&store.path, error))?;
        }
        Ok(Some(store))
    }

    fn progress(&self, number: u64, why: Option<Stop>) -> Value {
        let ClusterConfig { heuristic, threads, processes } = &self.config;
        json!({
            "cluster": { "number": number, "heuristic": heuristic, "threads": threads, "processes": processes },
            "seconds": self.earlier + self.begin.elapsed().as_secs_f64(),
            "stopped": why.map(Stop::name),
        })
    }

    /// The checkpoints that this process can resume from.
    pub(super) fn offers(&self) -> Offers {
        let number = |at: usize| self.found.get(at).map(|(number, _)| *number);
        [Some(number(0).unwrap_or(BEGINNING)), number(1)]
    }

    /// Chooses the checkpoint that all processes resume from, by its number.
    pub(super) fn choose(&self, number: u64) {
        let chosen = self.found.iter().find(|(of, _)| *of == number).map(|(_, checkpoint)| checkpoint.clone());
        *self.chosen.lock().expect("no thread panics while it holds the lock") =
            chosen.filter(|chosen| chosen.has_body());
        // The other checkpoint must not be found again.
        match self.found.iter().position(|(of, _)| *of == number) {
            Some(1) => self.commit(),
            _ => drop(std::fs::remove_file(self.writer.path())),
        }
    }

    /// Seconds that earlier runs took.
    pub(super) fn earlier(&self) -> f64 {
        self.earlier
    }

    /// The file of this process.
    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Removes a file that was created in vain, because the processes did not connect.
    pub(super) fn abandon(&self) {
        if self.found.is_empty() {
            self.remove();
        }
    }

    /// Removes all checkpoints, once there is an answer.
    pub(super) fn remove(&self) {
        self.writer.remove();
        let _ = std::fs::remove_file(&self.path);
    }
}

impl CheckpointStore for FileStore {
    fn is_due(&self) -> bool {
        self.writer.is_due()
    }

    fn write(&self, number: u64, why: Option<Stop>, body: &mut dyn FnMut(&mut dyn Write) -> io::Result<()>) -> bool {
        let written = self.writer.write_with(&self.progress(number, why), body);
        if let Err(error) = &written {
            tell(format_args!("warning: {}: the checkpoint was not written: {error}", self.writer.path().display()));
        }
        written.is_ok()
    }

    fn commit(&self) {
        if let Err(error) = operation().and_then(|()| std::fs::rename(self.writer.path(), &self.path)) {
            tell(format_args!("warning: {}: {error}", self.path.display()));
        }
    }

    fn resumed(&self) -> io::Result<Option<Box<dyn Read + '_>>> {
        let chosen = self.chosen.lock().expect("no thread panics while it holds the lock").take();
        chosen.map(|chosen| Ok(Box::new(chosen.body()?) as Box<dyn Read>)).transpose()
    }
}
