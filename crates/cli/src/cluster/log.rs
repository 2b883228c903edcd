//! Checkpoints of several processes: each writes its own share, and all go on from the same moment.
//!
//! Process 0 writes to the file that was named, process 1 to that name with `.1` at its end, and so on. A new
//! checkpoint is written beside the old one, with `.new` at its end, and takes its name when all processes have written
//! theirs.

use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::Instant;

use admissible_cluster::{BEGINNING, CheckpointStore, Offers};
use admissible_front::{Checkpoint, CheckpointWriter, Stop};
use serde_json::{Value, json};

use admissible_front::files::follow_links;

use crate::args::CheckpointArguments;
use crate::session::{Session, check_free};
use crate::{Failure, tell};

/// The most threads of a process, and the most processes.
const MOST_WORKERS: u64 = 1024;

/// What has to be the same when the work goes on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Terms {
    pub(super) heuristic: String,
    pub(super) threads: usize,
    pub(super) processes: usize,
}

impl Terms {
    /// The terms on which a checkpoint was written. `None` for what is no checkpoint of several processes.
    pub(super) fn read(checkpoint: &Checkpoint) -> Option<Self> {
        let terms = &checkpoint.progress["cluster"];
        // A forged number must not ask for more than the options could.
        let number = |name: &str| terms[name].as_u64().filter(|number| (1..=MOST_WORKERS).contains(number));
        let heuristic = terms["heuristic"].as_str()?.into();
        Some(Terms { heuristic, threads: number("threads")? as usize, processes: number("processes")? as usize })
    }
}

/// The checkpoints of this process.
#[derive(Debug)]
pub(super) struct Log {
    path: PathBuf,
    /// Writes beside them.
    checkpoints: CheckpointWriter,
    terms: Terms,
    begin: Instant,
    /// How long earlier runs took.
    earlier: f64,
    /// What there was, by its number.
    found: Vec<(u64, Arc<Checkpoint>)>,
    chosen: Mutex<Option<Arc<Checkpoint>>>,
}

/// The file of one of the processes.
pub(super) fn path_of(path: &Path, process: usize) -> PathBuf {
    if process == 0 { path.into() } else { with_end(path, &process.to_string()) }
}

fn with_end(path: &Path, end: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".");
    name.push(end);
    name.into()
}

fn number_of(checkpoint: &Checkpoint) -> Option<u64> {
    checkpoint.progress["cluster"]["number"].as_u64()
}

impl Log {
    /// Begins a file, or finds what an earlier run has written; nothing if nothing is to be written.
    pub(super) fn open(
        session: &Session,
        arguments: &CheckpointArguments,
        process: usize,
        input: &str,
        terms: Terms,
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
                // It may have been written while the other processes died: then it is of no use, or not even whole.
                let newer = Checkpoint::read(&with_end(path, "new")).ok().map(Arc::new);
                let newer = newer.filter(|newer| Terms::read(newer).as_ref() == Some(&terms));
                let all = [Some(checkpoint.clone()), newer].into_iter().flatten();
                (path.to_path_buf(), all.filter_map(|one| Some((number_of(&one)?, one))).collect())
            }
        };
        // The file that a link points to is replaced and removed; the link stays.
        let path = follow_links(&path).unwrap_or(path);
        let earlier = found.first().and_then(|(_, checkpoint)| checkpoint.progress["seconds"].as_f64()).unwrap_or(0.0);
        let checkpoints = |path| session.checkpoint_writer_at(path, arguments.checkpoint_every, Some(input.into()));
        let log = Log {
            checkpoints: checkpoints(with_end(&path, "new")),
            terms,
            begin: Instant::now(),
            earlier,
            chosen: Mutex::new(None),
            found,
            path,
        };
        if log.found.is_empty() {
            // Whatever is in the way is told before the work and not after it.
            let failed = |error| Failure::new(format!("{}: {error}", log.path.display()));
            checkpoints(log.path.clone()).write(&log.progress(BEGINNING, None)).map_err(failed)?;
        }
        Ok(Some(log))
    }

    fn progress(&self, number: u64, why: Option<Stop>) -> Value {
        let Terms { heuristic, threads, processes } = &self.terms;
        json!({
            "cluster": { "number": number, "heuristic": heuristic, "threads": threads, "processes": processes },
            "seconds": self.earlier + self.begin.elapsed().as_secs_f64(),
            "stopped": why.map(Stop::name),
        })
    }

    /// What this process can go on from.
    pub(super) fn offers(&self) -> Offers {
        let number = |at: usize| self.found.get(at).map(|(number, _)| *number);
        [Some(number(0).unwrap_or(BEGINNING)), number(1)]
    }

    /// All go on from what has this number.
    pub(super) fn choose(&self, number: u64) {
        let chosen = self.found.iter().find(|(of, _)| *of == number).map(|(_, checkpoint)| checkpoint.clone());
        *self.chosen.lock().expect("nobody panics with it") = chosen.filter(|chosen| chosen.has_body());
        // What was not chosen must not be found once more.
        match self.found.iter().position(|(of, _)| *of == number) {
            Some(1) => self.settle(),
            _ => drop(std::fs::remove_file(self.checkpoints.path())),
        }
    }

    /// How long earlier runs took.
    pub(super) fn earlier(&self) -> f64 {
        self.earlier
    }

    /// The file of this process.
    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// The others did not come: a file that was begun for nothing is not left behind.
    pub(super) fn abandon(&self) {
        if self.found.is_empty() {
            self.remove();
        }
    }

    /// There is an answer, and nothing to go on from.
    pub(super) fn remove(&self) {
        self.checkpoints.remove();
        let _ = std::fs::remove_file(&self.path);
    }
}

impl CheckpointStore for Log {
    fn is_due(&self) -> bool {
        self.checkpoints.is_due()
    }

    fn write(&self, number: u64, why: Option<Stop>, body: &mut dyn FnMut(&mut dyn Write) -> io::Result<()>) -> bool {
        let written = self.checkpoints.write_with(&self.progress(number, why), body);
        if let Err(error) = &written {
            tell(format_args!(
                "warning: {}: the checkpoint was not written: {error}",
                self.checkpoints.path().display()
            ));
        }
        written.is_ok()
    }

    fn settle(&self) {
        if let Err(error) = std::fs::rename(self.checkpoints.path(), &self.path) {
            tell(format_args!("warning: {}: {error}", self.path.display()));
        }
    }

    fn resumed(&self) -> io::Result<Option<Box<dyn Read + '_>>> {
        let chosen = self.chosen.lock().expect("nobody panics with it").take();
        chosen.map(|chosen| Ok(Box::new(chosen.body()?) as Box<dyn Read>)).transpose()
    }
}
