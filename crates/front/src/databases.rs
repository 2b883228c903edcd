//! Pattern databases: what a puzzle tells of its tables, so that they can be built ahead of time.

use std::fmt;
use std::ops::ControlFlow;

use admissible_files::FileError;

use crate::checkpoint::{Checkpoint, CheckpointWriter};
use crate::store::Store;

/// A set of tables that can be built.
pub struct DatabaseSet {
    /// The board, rows x columns.
    pub board: String,
    /// The name of the partition, e.g. `6-6-3`.
    pub name: &'static str,
    /// What it is, in a few words.
    pub summary: &'static str,
    /// Its tables.
    pub tables: Vec<Box<dyn Database>>,
}

/// One table of a set.
pub trait Database {
    /// The name under which it is kept.
    fn name(&self) -> &str;
    /// Its size.
    fn bytes(&self) -> u64;
    /// The number of entries to work out.
    fn entries(&self) -> u64;
    /// About how much memory that takes.
    fn build_bytes(&self) -> u64;
    /// Whether the table is kept and fits.
    fn is_kept(&self, store: &Store) -> bool;
    /// Builds the table on `threads` threads and keeps it. `watch` hears of entries as they are found, and may stop it.
    ///
    /// # Errors
    /// If it was stopped, or the table cannot be kept.
    fn build(
        &self,
        store: &Store,
        threads: usize,
        watch: &mut dyn FnMut(u64) -> ControlFlow<()>,
    ) -> Result<(), BuildError>;
    /// Builds the table with checkpoints, from where one stood if `resumed` is one of this table.
    ///
    /// # Errors
    /// If it was stopped, the table cannot be kept, or the checkpoint is none of this table.
    fn build_checkpointed(
        &self,
        store: &Store,
        threads: usize,
        checkpoints: &CheckpointWriter,
        resumed: Option<&Checkpoint>,
        watch: &mut dyn FnMut(u64) -> ControlFlow<()>,
    ) -> Result<(), BuildError>;
    /// How many placements take how many moves.
    ///
    /// # Errors
    /// If the table is not kept or cannot be used.
    fn histogram(&self, store: &Store) -> Result<Vec<u64>, FileError>;
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
