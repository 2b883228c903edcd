//! How far a solve is: what a checkpoint of it says, and who writes it.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use admissible::platform::Timestamp;
use admissible::search::{Observer, Snapshot, Stats, Stop};
use serde_json::{Value, json};

use crate::checkpoint::CheckpointWriter;
use crate::error::PlanError;

/// Where a solve stands: between its searches, or within one.
#[derive(Debug, Clone, Default)]
pub(crate) struct SolveProgress {
    /// The algorithm and the heuristic at work.
    pub(crate) algorithm: String,
    pub(crate) heuristic: String,
    /// After how many expansions which heuristic takes over.
    pub(crate) then: Option<(u64, String)>,
    /// What the searches before have proved.
    pub(crate) lower_bound: u32,
    /// How long the searches before took, and this one in earlier runs.
    pub(crate) seconds: f64,
    /// Where the search stands, if it has begun.
    pub(crate) snapshot: Option<Snapshot>,
}

impl SolveProgress {
    /// What a checkpoint says.
    fn json(&self, stopped: Option<Stop>) -> Value {
        json!({
            "algorithm": self.algorithm,
            "heuristic": self.heuristic,
            "then": self.then,
            "lower_bound": self.lower_bound,
            "seconds": self.seconds,
            "snapshot": self.snapshot.as_ref().map(Snapshot::words),
            "stopped": stopped.map(Stop::name),
        })
    }

    /// What a checkpoint has said.
    pub(crate) fn from_json(value: &Value) -> Result<Self, PlanError> {
        let text = |value: &Value| value.as_str().map(String::from);
        let read = || {
            let snapshot = match &value["snapshot"] {
                Value::Null => None,
                words => {
                    let words = words.as_array()?.iter().map(Value::as_u64).collect::<Option<Vec<u64>>>()?;
                    Some(Snapshot::from_words(&words)?)
                }
            };
            let then = match &value["then"] {
                Value::Null => None,
                then => Some((then[0].as_u64()?, text(&then[1])?)),
            };
            Some(SolveProgress {
                algorithm: text(&value["algorithm"])?,
                heuristic: text(&value["heuristic"])?,
                then,
                lower_bound: u32::try_from(value["lower_bound"].as_u64()?).ok()?,
                seconds: value["seconds"].as_f64().filter(|seconds| (0.0..1e12).contains(seconds))?,
                snapshot,
            })
        };
        read().ok_or_else(|| PlanError::Checkpoint("this program did not write what it says".into()))
    }
}

/// An observer that has the search written down now and then.
pub(crate) struct CheckpointObserver<'a> {
    observer: &'a mut dyn Observer,
    checkpoints: &'a CheckpointWriter,
    progress: SolveProgress,
    begin: Timestamp,
    /// Why the search is about to stop, if it is.
    stopping: Option<Stop>,
    /// Whether another search follows when the limit on expansions is reached.
    others_follow: bool,
}

impl<'a> CheckpointObserver<'a> {
    /// Begins with a checkpoint, so that whatever is in the way is told before the work and not after it.
    pub(crate) fn begin(
        observer: &'a mut dyn Observer,
        checkpoints: &'a CheckpointWriter,
        progress: SolveProgress,
    ) -> Result<Self, PlanError> {
        let failed = |error| PlanError::Checkpoint(format!("{}: {error}", checkpoints.path().display()));
        checkpoints.write(&progress.json(None)).map_err(failed)?;
        let others_follow = progress.then.is_some();
        Ok(CheckpointObserver {
            observer,
            checkpoints,
            progress,
            begin: Timestamp::now(),
            stopping: None,
            others_follow,
        })
    }
}

impl Observer for CheckpointObserver<'_> {
    fn tick(&mut self, stats: &Stats) -> ControlFlow<Stop> {
        self.observer.tick(stats)
    }

    fn preparing(&mut self, done: u64, of: u64) -> ControlFlow<Stop> {
        self.observer.preparing(done, of)
    }

    fn layer(&mut self, bound: u32, stats: &Stats) -> ControlFlow<Stop> {
        self.observer.layer(bound, stats)
    }

    fn flag(&self) -> Option<Arc<AtomicBool>> {
        self.observer.flag()
    }

    fn checkpoint_due(&mut self, why: Option<Stop>) -> bool {
        self.stopping = why;
        match why {
            None => self.checkpoints.is_due(),
            Some(Stop::Nodes) => !self.others_follow,
            Some(_) => true,
        }
    }

    fn save_checkpoint(&mut self, snapshot: &Snapshot) {
        let seconds = self.progress.seconds + self.begin.elapsed().as_secs_f64();
        let progress = SolveProgress { seconds, snapshot: Some(snapshot.clone()), ..self.progress.clone() };
        self.checkpoints.save(&progress.json(self.stopping));
    }
}
