//! Checkpoints of an exploration: the reports of complete parts, and the layers of an incomplete part.

use std::sync::Mutex;

use admissible::explore::{CompleteLayers, LayerCheckpoints, Packing, SavedLayers};
use serde_json::json;

use super::{ExploreError, ExplorePlan, PartReport};
use crate::checkpoint::{Checkpoint, CheckpointWriter};

/// The reports of the explored parts, with their checkpoints.
pub(super) struct PartReports<'a> {
    reports: Mutex<Vec<(usize, PartReport)>>,
    checkpoints: Option<&'a CheckpointWriter>,
    /// The incomplete part of the checkpoint to resume, whose body has its layers.
    resumed: Option<(usize, &'a Checkpoint)>,
}

impl<'a> PartReports<'a> {
    pub(super) fn new(plan: &'a ExplorePlan) -> Result<Self, ExploreError> {
        let (mut reports, mut resumed) = (Vec::new(), None);
        if let Some(checkpoint) = &plan.resumed {
            let wrong = || ExploreError::Plan("another program wrote the checkpoint".into());
            reports = serde_json::from_value(checkpoint.progress["parts"].clone()).map_err(|_| wrong())?;
            let part = checkpoint.progress["part"].as_u64().map(|part| part as usize);
            resumed = part.filter(|_| checkpoint.has_body()).zip(Some(&**checkpoint));
        }
        Ok(PartReports { reports: Mutex::new(reports), checkpoints: plan.checkpoints.as_deref(), resumed })
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Vec<(usize, PartReport)>> {
        self.reports.lock().expect("no worker has panicked")
    }

    pub(super) fn has(&self, part: usize) -> bool {
        self.lock().iter().any(|(known, _)| *known == part)
    }

    pub(super) fn add(&self, part: usize, report: PartReport) {
        self.lock().push((part, report));
    }

    /// The reports in the order of the parts.
    pub(super) fn into_sorted(self) -> Vec<PartReport> {
        let mut reports = self.reports.into_inner().expect("no worker has panicked");
        reports.sort_by_key(|(part, _)| *part);
        reports.into_iter().map(|(_, report)| report).collect()
    }
}

/// Writes checkpoints of one part: its layers, with the reports of the complete parts.
pub(super) struct PartCheckpoints<'a> {
    pub(super) parts: &'a PartReports<'a>,
    pub(super) part: usize,
}

impl LayerCheckpoints for PartCheckpoints<'_> {
    fn load(&self, packing: Packing, states: usize) -> Option<SavedLayers> {
        let (part, checkpoint) = self.parts.resumed?;
        // The file was verified. If its layers do not fit this space, the part is explored from the beginning.
        let read = || SavedLayers::read(packing, states, &mut checkpoint.body().ok()?).ok();
        (part == self.part).then(read).flatten()
    }

    fn is_due(&self, stopping: bool) -> bool {
        self.parts.checkpoints.is_some_and(|checkpoints| stopping || checkpoints.is_due())
    }

    fn save(&self, layers: &CompleteLayers<'_>) {
        let Some(checkpoints) = self.parts.checkpoints else { return };
        // The lock is held during the write, so that checkpoints are written one at a time.
        let reports = self.parts.lock();
        checkpoints.save_with(&json!({ "parts": *reports, "part": self.part }), &mut |out| layers.write(out));
    }
}
