//! Pattern databases that a puzzle offers, so that they can be built ahead of time.

use std::ops::ControlFlow;

use admissible_files::FileError;
use thiserror::Error;

use crate::checkpoint::{Checkpoint, CheckpointWriter};
use crate::store::Store;

/// A set of tables: the partition of an additive pattern database.
pub struct DatabaseSet {
    /// The board, rows x columns.
    pub board: String,
    /// The name of the partition, e.g. `6-6-3`.
    pub name: &'static str,
    /// A short description.
    pub summary: &'static str,
    /// Its tables.
    pub tables: Vec<Box<dyn Database>>,
}

/// One table of a set.
pub trait Database {
    /// Its name in the store.
    fn name(&self) -> &str;
    /// Its size in bytes.
    fn bytes(&self) -> u64;
    /// The number of entries to compute.
    fn entries(&self) -> u64;
    /// About how many bytes of memory building it takes.
    fn build_bytes(&self) -> u64;
    /// Whether the store has the table, with the right size. It may be damaged nevertheless.
    fn is_kept(&self, store: &Store) -> bool;
    /// Builds the table on `threads` threads and stores it, with checkpoints if there is a writer of them; continues
    /// from `resumed` if that is given. `watch` is called with the number of new entries, and may stop it.
    ///
    /// # Errors
    /// If it was stopped, the table cannot be stored, or the checkpoint belongs to another table.
    fn build(
        &self,
        store: &Store,
        threads: usize,
        checkpoints: Option<&CheckpointWriter>,
        resumed: Option<&Checkpoint>,
        watch: &mut dyn FnMut(u64) -> ControlFlow<()>,
    ) -> Result<(), BuildError>;
    /// The number of placements for each distance.
    ///
    /// # Errors
    /// If the store does not have the table, or it cannot be used.
    fn histogram(&self, store: &Store) -> Result<Vec<u64>, FileError>;
}

/// Why a set of tables was not built.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum BuildError {
    /// The table could not be stored.
    #[error(transparent)]
    Store(FileError),
    /// `watch` stopped it.
    #[error("interrupted")]
    Interrupted,
}
