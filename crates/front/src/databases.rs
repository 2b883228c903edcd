//! Pattern databases by name: which there are, building them ahead of time, and what is in them.

use std::fmt;
use std::ops::ControlFlow;

use admissible_domains::tiles::pdb::{Building, PRESETS, Partition, Pattern, Table, find};
use admissible_files::FileError;
use serde_json::json;

use crate::checkpoint::{Checkpoint, Keeper};
use crate::store::Store;

/// A set of tables that can be built.
#[derive(Debug, Clone)]
pub struct DatabaseSet {
    /// The board, rows x columns.
    pub board: String,
    /// The name of the partition, e.g. `6-6-3`.
    pub name: &'static str,
    /// What it is, in a few words.
    pub summary: &'static str,
    /// Its tables.
    pub tables: Vec<DatabaseTable>,
}

/// One table of a set.
#[derive(Debug, Clone)]
pub struct DatabaseTable {
    /// The name under which it is kept.
    pub name: String,
    /// Its size.
    pub bytes: u64,
    /// How many entries have to be worked out.
    pub entries: u64,
    /// About how much memory that takes.
    pub build_bytes: u64,
    pattern: Pattern,
}

/// Why a set of tables was not built.
#[derive(Debug)]
#[non_exhaustive]
pub enum BuildError {
    /// The table could not be kept.
    Store(FileError),
    /// Somebody stopped it.
    Interrupted,
}

impl fmt::Display for BuildError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BuildError::Store(error) => error.fmt(f),
            BuildError::Interrupted => f.write_str("interrupted"),
        }
    }
}

impl std::error::Error for BuildError {}

/// Every set that ships with the program.
pub fn database_sets() -> Vec<DatabaseSet> {
    let table = |pattern: Pattern| DatabaseTable {
        name: pattern.name(),
        bytes: pattern.table_bytes() as u64,
        entries: pattern.placements() as u64,
        build_bytes: pattern.build_bytes() as u64,
        pattern,
    };
    let set = |preset: &admissible_domains::tiles::pdb::Preset| {
        let (rows, columns) = preset.size;
        let partition = Partition::named(rows, columns, rows * columns - 1, Some(preset.name)).expect("a preset");
        let tables = partition.tables().into_iter().map(table).collect();
        DatabaseSet { board: format!("{rows}x{columns}"), name: preset.name, summary: preset.summary, tables }
    };
    PRESETS.iter().map(set).collect()
}

impl DatabaseTable {
    /// Whether the table is kept and fits.
    pub fn is_kept(&self, store: &Store) -> bool {
        find(&self.pattern, store).is_some()
    }

    /// Builds the table on so many threads and keeps it. `watch` hears of entries as they are found, and may stop it.
    ///
    /// # Errors
    /// If it was stopped, or the table cannot be kept.
    pub fn build(
        &self,
        store: &Store,
        threads: usize,
        watch: &mut dyn FnMut(u64) -> ControlFlow<()>,
    ) -> Result<(), BuildError> {
        let table = self.pattern.build(threads, watch).map_err(|_| BuildError::Interrupted)?;
        store.save(&self.name, table.bytes()).map_err(BuildError::Store)
    }

    /// Builds the table with checkpoints, from where one stood if `resumed` is one of this table.
    ///
    /// # Errors
    /// If it was stopped, the table cannot be kept, or the checkpoint is none of this table.
    pub fn build_kept(
        &self,
        store: &Store,
        threads: usize,
        keeper: &Keeper,
        resumed: Option<&Checkpoint>,
        watch: &mut dyn FnMut(u64) -> ControlFlow<()>,
    ) -> Result<(), BuildError> {
        let resumed = resumed.filter(|checkpoint| checkpoint.progress["table"] == self.name && checkpoint.has_body());
        let mut building = match resumed {
            None => Building::new(&self.pattern),
            Some(checkpoint) => {
                let read = checkpoint.body().and_then(|mut body| Building::read(&self.pattern, &mut body));
                let building = read.map_err(|error| BuildError::Store(error.into()))?;
                // What was found before counts for whoever watches.
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
                if stopped || keeper.is_due() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            });
            if advanced.is_ok() {
                break;
            }
            keeper.keep_with(&progress, &mut |out| building.write(out));
            if stopped {
                return Err(BuildError::Interrupted);
            }
        }
        // From here on it is done again if it is stopped: the last checkpoint is there.
        let table = self.pattern.finish(building, watch).map_err(|_| BuildError::Interrupted)?;
        store.save(&self.name, table.bytes()).map_err(BuildError::Store)
    }

    /// How many placements of the tiles take so many moves.
    ///
    /// # Errors
    /// If the table is not kept or cannot be used.
    pub fn histogram(&self, store: &Store) -> Result<Vec<u64>, FileError> {
        let bytes = store.load(&self.name)?;
        FileError::check_length(bytes.len() as u64, self.bytes)?;
        Ok(Table::from_bytes(self.pattern.clone(), bytes).expect("its length is right").histogram())
    }
}
