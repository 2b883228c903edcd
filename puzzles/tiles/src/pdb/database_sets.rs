//! The pattern databases that `pdb` lists, builds ahead of time and describes.

use std::ops::ControlFlow;

use admissible_front::files::FileError;
use admissible_front::{BuildError, Checkpoint, CheckpointWriter, Database, DatabaseSet, Store};
use serde_json::json;

use super::{Building, PRESETS, Partition, Pattern, Preset, Table, is_kept};

/// The table of one pattern.
struct PatternDatabase {
    name: String,
    pattern: Pattern,
}

/// The sets of the presets.
pub(crate) fn database_sets() -> Vec<DatabaseSet> {
    let table = |pattern: Pattern| Box::new(PatternDatabase { name: pattern.name(), pattern }) as Box<dyn Database>;
    let set = |preset: &Preset| {
        let (rows, columns) = preset.size;
        let partition = Partition::named(rows, columns, rows * columns - 1, Some(preset.name)).expect("a preset");
        let tables = partition.tables().into_iter().map(table).collect();
        DatabaseSet { board: format!("{rows}x{columns}"), name: preset.name, summary: preset.summary, tables }
    };
    PRESETS.iter().map(set).collect()
}

impl Database for PatternDatabase {
    fn name(&self) -> &str {
        &self.name
    }

    fn bytes(&self) -> u64 {
        self.pattern.table_bytes() as u64
    }

    fn entries(&self) -> u64 {
        self.pattern.placements() as u64
    }

    fn build_bytes(&self) -> u64 {
        self.pattern.build_bytes() as u64
    }

    fn is_kept(&self, store: &Store) -> bool {
        is_kept(&self.pattern, store)
    }

    fn build(
        &self,
        store: &Store,
        threads: usize,
        checkpoints: Option<&CheckpointWriter>,
        resumed: Option<&Checkpoint>,
        watch: &mut dyn FnMut(u64) -> ControlFlow<()>,
    ) -> Result<(), BuildError> {
        let resumed = resumed.filter(|checkpoint| checkpoint.progress["table"] == self.name && checkpoint.has_body());
        let mut building = match resumed {
            None => Building::new(&self.pattern),
            Some(checkpoint) => {
                let read = checkpoint.body().and_then(|mut body| Building::read(&self.pattern, &mut body));
                let building = read.map_err(|error| BuildError::Store(error.into()))?;
                // Report the entries of the checkpoint to the watcher.
                if watch(building.found()).is_break() {
                    return Err(BuildError::Interrupted);
                }
                building
            }
        };
        let progress = json!({ "table": self.name });
        loop {
            let mut stopped = false;
            let advanced = building.advance(threads, &mut |found| {
                stopped = watch(found).is_break();
                let is_due = checkpoints.is_some_and(CheckpointWriter::is_due);
                if stopped || is_due { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            });
            if advanced.is_ok() {
                break;
            }
            if let Some(checkpoints) = checkpoints {
                checkpoints.save_with(&progress, &mut |out| building.write(out));
            }
            if stopped {
                return Err(BuildError::Interrupted);
            }
        }
        // An interruption from here on resumes from the last checkpoint.
        let table = self.pattern.finish(building, watch).map_err(|_| BuildError::Interrupted)?;
        store.save(&self.name, &table.bytes).map_err(BuildError::Store)
    }

    fn histogram(&self, store: &Store) -> Result<Vec<u64>, FileError> {
        let bytes = store.load(&self.name)?;
        FileError::check_length(bytes.len() as u64, self.bytes())?;
        Ok(Table::from_bytes(self.pattern.clone(), bytes).expect("its length is right").histogram())
    }
}
