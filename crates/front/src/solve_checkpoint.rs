//! Checkpoints of a solve: its progress as JSON, and the observer that writes them.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use admissible::platform::Timestamp;
use admissible::search::{Observer, Snapshot, Stats, Stop};
use serde_json::{Value, json};

use crate::error::PlanError;
use crate::plan::Plan;

/// The progress of a solve: its current search and the results of the searches before.
#[derive(Debug, Clone, Default)]
pub(crate) struct SolveProgress {
    /// The current algorithm and heuristic.
    pub(crate) algorithm: String,
    pub(crate) heuristic: String,
    /// The heuristics of the fallbacks that are left, each with the limit on expansions of the search before it.
    pub(crate) fallbacks: Vec<(u64, String)>,
    /// The lower bound that the searches before have proved.
    pub(crate) lower_bound: u32,
    /// Whether this search continues one that ran out of memory, so that it begins at the lower bound. A search with a
    /// stronger heuristic begins at the start: its first iterations are small, and IDA* learns from them how to split
    /// the later ones. No checkpoint is written of such a search.
    pub(crate) is_handover: bool,
    /// The time of the searches before, and of this one in earlier runs.
    pub(crate) seconds: f64,
    /// The state of the search, if it has begun.
    pub(crate) snapshot: Option<Snapshot>,
}

impl SolveProgress {
    /// The progress as JSON, with the reason if the search is stopping.
    fn json(&self, stopped: Option<Stop>) -> Value {
        json!({
            "algorithm": self.algorithm,
            "heuristic": self.heuristic,
            "then": self.fallbacks,
            "lower_bound": self.lower_bound,
            "seconds": self.seconds,
            "snapshot": self.snapshot.as_ref().map(Snapshot::words),
            "stopped": stopped.map(Stop::name),
        })
    }

    /// Reads the JSON of a checkpoint.
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
            let pair = |then: &Value| Some((then[0].as_u64()?, text(&then[1])?));
            let fallbacks = match &value["then"] {
                Value::Null => Vec::new(),
                // Checkpoints of earlier versions have one pair at most.
                then if then[0].is_u64() => vec![pair(then)?],
                then => then.as_array()?.iter().map(pair).collect::<Option<_>>()?,
            };
            Some(SolveProgress {
                algorithm: text(&value["algorithm"])?,
                heuristic: text(&value["heuristic"])?,
                fallbacks,
                lower_bound: u32::try_from(value["lower_bound"].as_u64()?).ok()?,
                is_handover: false,
                seconds: value["seconds"].as_f64().filter(|seconds| (0.0..1e12).contains(seconds))?,
                snapshot,
            })
        };
        read().ok_or_else(|| PlanError::Checkpoint("this program did not write what it says".into()))
    }
}

/// The observer of one search: it writes checkpoints, and stops the search once its lower bound exceeds the move limit.
pub(crate) struct StageObserver<'a> {
    pub(crate) observer: &'a mut dyn Observer,
    plan: &'a Plan,
    progress: &'a SolveProgress,
    begin: Timestamp,
    /// Why the search is about to stop, if it is.
    stopping: Option<Stop>,
}

impl<'a> StageObserver<'a> {
    /// Writes a first checkpoint, so that an error in writing it comes before the work.
    pub(crate) fn begin(
        observer: &'a mut dyn Observer,
        plan: &'a Plan,
        progress: &'a SolveProgress,
    ) -> Result<Self, PlanError> {
        if let Some(checkpoints) = &plan.checkpoints {
            let failed = |error| PlanError::Checkpoint(format!("{}: {error}", checkpoints.path().display()));
            checkpoints.write(&progress.json(None)).map_err(failed)?;
        }
        Ok(StageObserver { observer, plan, progress, begin: Timestamp::now(), stopping: None })
    }
}

impl Observer for StageObserver<'_> {
    fn tick(&mut self, stats: &Stats) -> ControlFlow<Stop> {
        self.observer.tick(stats)
    }

    fn preparing(&mut self, done: u64, of: u64) -> ControlFlow<Stop> {
        self.observer.preparing(done, of)
    }

    fn layer(&mut self, bound: u32, stats: &Stats) -> ControlFlow<Stop> {
        if self.plan.move_limit.is_some_and(|limit| bound > limit) {
            return ControlFlow::Break(Stop::MoveLimit);
        }
        self.observer.layer(bound, stats)
    }

    fn flag(&self) -> Option<Arc<AtomicBool>> {
        self.observer.flag()
    }

    fn checkpoint_due(&mut self, why: Option<Stop>) -> bool {
        let Some(checkpoints) = &self.plan.checkpoints else { return self.observer.checkpoint_due(why) };
        self.stopping = why;
        match why {
            None => checkpoints.is_due(),
            // A fallback follows when the limit on expansions is reached.
            Some(Stop::Nodes) => self.progress.fallbacks.is_empty(),
            Some(_) => true,
        }
    }

    fn save_checkpoint(&mut self, snapshot: &Snapshot) {
        let Some(checkpoints) = &self.plan.checkpoints else { return self.observer.save_checkpoint(snapshot) };
        let seconds = self.progress.seconds + self.begin.elapsed().as_secs_f64();
        let progress = SolveProgress { seconds, snapshot: Some(snapshot.clone()), ..self.progress.clone() };
        checkpoints.save_with(&progress.json(self.stopping), &mut |_| Ok(()));
    }
}
