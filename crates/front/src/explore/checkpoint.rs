//! Checkpoints of an exploration: the parts that are done, and the layers of one that is not.

use std::sync::Mutex;

use admissible::explore::{CompleteLayers, LayerCheckpoints, Packing, SavedLayers};
use serde_json::{Value, json};

use super::{ExploreError, ExplorePlan, Found};
use crate::checkpoint::{Checkpoint, CheckpointWriter};

impl Found {
    fn json(&self) -> Value {
        json!({
            "depths": self.depths, "goals": self.goals, "moves": self.moves, "unmet": self.unmet,
            "farthest": self.farthest, "boards": self.boards, "components": self.components, "saved": self.saved,
        })
    }

    fn from_json(value: &Value) -> Option<Self> {
        let numbers = |name: &str| value[name].as_array()?.iter().map(Value::as_u64).collect::<Option<Vec<u64>>>();
        let text = |value: &Value| value.as_str().map(String::from);
        let saved = match &value["saved"] {
            Value::Null => None,
            saved => Some((text(&saved[0])?, saved[1].as_u64()?)),
        };
        Some(Found {
            depths: numbers("depths")?,
            goals: value["goals"].as_u64()?,
            moves: value["moves"].as_u64()?,
            unmet: value["unmet"].as_u64()?,
            farthest: value["farthest"].as_array()?.clone(),
            boards: value["boards"].as_array()?.iter().map(text).collect::<Option<_>>()?,
            components: numbers("components")?,
            saved,
        })
    }
}

/// The parts that are explored, with their checkpoints.
pub(super) struct FoundParts<'a> {
    found: Mutex<Vec<(usize, Found)>>,
    checkpoints: Option<&'a CheckpointWriter>,
    /// The part that was being explored when the checkpoint was written, with its layers.
    resumed: Option<(usize, &'a Checkpoint)>,
}

impl<'a> FoundParts<'a> {
    pub(super) fn new(plan: &'a ExplorePlan) -> Result<Self, ExploreError> {
        let (mut found, mut resumed) = (Vec::new(), None);
        if let Some(checkpoint) = &plan.resumed {
            let wrong = || ExploreError::Plan("the checkpoint is one of another program".into());
            let part = |value: &Value| value.as_u64().map(|part| part as usize);
            for pair in checkpoint.progress["parts"].as_array().ok_or_else(wrong)? {
                found.push((part(&pair[0]).ok_or_else(wrong)?, Found::from_json(&pair[1]).ok_or_else(wrong)?));
            }
            resumed = part(&checkpoint.progress["part"]).filter(|_| checkpoint.has_body()).zip(Some(&**checkpoint));
        }
        Ok(FoundParts { found: Mutex::new(found), checkpoints: plan.checkpoints.as_deref(), resumed })
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Vec<(usize, Found)>> {
        self.found.lock().expect("no worker has panicked")
    }

    pub(super) fn has(&self, part: usize) -> bool {
        self.lock().iter().any(|(known, _)| *known == part)
    }

    pub(super) fn add(&self, part: usize, found: Found) {
        self.lock().push((part, found));
    }

    /// What was found, in the order of the parts.
    pub(super) fn into_sorted(self) -> Vec<Found> {
        let mut found = self.found.into_inner().expect("no worker has panicked");
        found.sort_by_key(|(part, _)| *part);
        found.into_iter().map(|(_, found)| found).collect()
    }
}

/// Checkpoints of one part: its layers, beside what is known of the other parts.
pub(super) struct PartCheckpoints<'a> {
    pub(super) parts: &'a FoundParts<'a>,
    pub(super) part: usize,
}

impl LayerCheckpoints for PartCheckpoints<'_> {
    fn load(&self, packing: Packing, states: usize) -> Option<SavedLayers> {
        let (part, checkpoint) = self.parts.resumed?;
        // It was checked from end to end; if it is none of this space after all, there is nothing to go on from.
        let read = || SavedLayers::read(packing, states, &mut checkpoint.body().ok()?).ok();
        (part == self.part).then(read).flatten()
    }

    fn is_due(&self, stopping: bool) -> bool {
        self.parts.checkpoints.is_some_and(|checkpoints| stopping || checkpoints.is_due())
    }

    fn save(&self, layers: &CompleteLayers<'_>) {
        let Some(checkpoints) = self.parts.checkpoints else { return };
        // Held until it is written: one checkpoint at a time.
        let found = self.parts.lock();
        let parts: Vec<Value> = found.iter().map(|(part, found)| json!([part, found.json()])).collect();
        checkpoints.save_with(&json!({ "parts": parts, "part": self.part }), &mut |out| layers.write(out));
    }
}
