//! The pattern databases that an instance has at hand, and how it comes by them.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use admissible::audit::{Interrupted, Watcher};

use super::board::{Tiles, Word};
use super::pdb::{self, Partition, PatternSums, Table};
use crate::puzzle::WithHeuristic;
use crate::shelf::{NoShelf, Shelf};

/// Where tables come from, and those that have come.
#[derive(Debug)]
pub(super) struct Databases {
    pub(super) shelf: Arc<dyn Shelf>,
    /// By the name of the partition.
    loaded: Mutex<HashMap<String, Arc<Vec<Table>>>>,
}

impl Default for Databases {
    fn default() -> Self {
        Databases { shelf: Arc::new(NoShelf), loaded: Mutex::default() }
    }
}

/// The name of the partition in the name of a heuristic: none in `pdb`, the part after the colon in `pdb:7-8`.
pub(super) fn partition_name(heuristic: &str) -> Option<Option<&str>> {
    match heuristic.strip_prefix("pdb")? {
        "" => Some(None),
        rest => rest.strip_prefix(':').map(Some),
    }
}

impl<W: Word> Tiles<W> {
    /// The same board with a place where its tables are kept.
    pub(super) fn with_shelf(mut self, shelf: Option<Arc<dyn Shelf>>) -> Self {
        if let Some(shelf) = shelf {
            self.databases.shelf = shelf;
        }
        self
    }

    /// The partition that the name of a heuristic means on this board.
    pub(super) fn partition(&self, heuristic: &str) -> Option<Partition> {
        Partition::named(self.rows, self.columns, self.goal.gap().number(), partition_name(heuristic)?)
    }

    /// The entries of the tables that are not at hand.
    pub(super) fn entries_to_build(&self, partition: &Partition) -> u64 {
        if self.loaded().contains_key(partition.name()) {
            return 0;
        }
        let missing =
            partition.tables().into_iter().filter(|pattern| pdb::find(pattern, &*self.databases.shelf).is_none());
        missing.map(|pattern| pattern.placements() as u64).sum()
    }

    fn loaded(&self) -> std::sync::MutexGuard<'_, HashMap<String, Arc<Vec<Table>>>> {
        self.databases.loaded.lock().expect("nobody panics with the list in hand")
    }

    /// Loads or builds the tables of a partition.
    pub(super) fn load(
        &self,
        partition: &Partition,
        threads: usize,
        watcher: &dyn Watcher,
    ) -> Result<Arc<Vec<Table>>, Interrupted> {
        if let Some(tables) = self.loaded().get(partition.name()) {
            return Ok(Arc::clone(tables));
        }
        let tables = Arc::new(pdb::tables(partition, &*self.databases.shelf, threads, watcher)?);
        self.loaded().insert(partition.name().into(), Arc::clone(&tables));
        Ok(tables)
    }

    /// Hands over the heuristic on a partition: what is carried along a path has room for as many groups as there are.
    pub(super) fn with_pattern_sums<U: WithHeuristic<Self>>(&self, partition: &Partition, user: U) -> U::Out {
        let threads = std::thread::available_parallelism().map_or(1, usize::from);
        let tables = self.load(partition, threads, &()).expect("nobody interrupts");
        match partition.patterns().len() {
            1 => user.call(PatternSums::<1>::new(self, partition, &tables)),
            2 => user.call(PatternSums::<2>::new(self, partition, &tables)),
            3 => user.call(PatternSums::<3>::new(self, partition, &tables)),
            4 | 5 => user.call(PatternSums::<5>::new(self, partition, &tables)),
            _ => user.call(PatternSums::<10>::new(self, partition, &tables)),
        }
    }
}
