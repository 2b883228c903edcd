//! The pattern databases that an instance has at hand, and how it comes by them.

use std::collections::HashMap;
use std::ops::ControlFlow;
use std::sync::{Arc, Mutex};

use admissible::audit::Interrupted;
use admissible::platform::cores;

use super::board::Tiles;
use super::pdb::{self, MOST_GROUPS, PRESETS, Partition, PatternSums, Preset, Table};
use super::word::Word;
use admissible::Erased;
use admissible_front::puzzle::{Fallback, TableBytes};
use admissible_front::table_cache::{NoTableCache, TableCache};

/// Where tables come from, and those that have come.
#[derive(Debug)]
pub(super) struct Databases {
    pub(super) table_cache: Arc<dyn TableCache>,
    /// By the name of the partition.
    loaded: Mutex<HashMap<String, Arc<Vec<Table>>>>,
}

impl Clone for Databases {
    fn clone(&self) -> Self {
        let loaded = self.loaded.lock().expect("nobody panics with the tables in hand").clone();
        Databases { table_cache: Arc::clone(&self.table_cache), loaded: Mutex::new(loaded) }
    }
}

impl Default for Databases {
    fn default() -> Self {
        Databases { table_cache: Arc::new(NoTableCache), loaded: Mutex::default() }
    }
}

/// A search that has expanded so many boards without tables would probably take longer than to build the small ones.
const WORTH_AFTER: u64 = 1_500_000;

/// The name of the partition in the name of a heuristic: none in `pdb`, the part after the colon in `pdb:7-8`.
pub(super) fn partition_name(heuristic: &str) -> Option<Option<&str>> {
    match heuristic.strip_prefix("pdb")? {
        "" => Some(None),
        rest => rest.strip_prefix(':').map(Some),
    }
}

impl<W: Word> Tiles<W> {
    /// The same board with a place where its tables are kept.
    pub(super) fn with_table_cache(mut self, table_cache: Option<Arc<dyn TableCache>>) -> Self {
        if let Some(table_cache) = table_cache {
            self.databases.table_cache = table_cache;
        }
        self
    }

    /// The partition that the name of a heuristic means on this board.
    pub(super) fn partition(&self, heuristic: &str) -> Option<Partition> {
        Partition::named(self.rows, self.columns, self.goal.gap().number(), partition_name(heuristic)?)
    }

    /// The best preset of those whose tables are on the table_cache and take at most so many bytes.
    pub(super) fn best_at_hand(&self, most_bytes: u64) -> Option<&'static Preset> {
        let at_hand = |preset: &&Preset| {
            self.partition(preset.heuristic).is_some_and(|partition| {
                self.entries_to_build(&partition) == 0 && self.table_bytes(&partition).held <= most_bytes
            })
        };
        let fitting = PRESETS.iter().filter(|preset| preset.size == (self.rows, self.columns));
        fitting.filter(at_hand).max_by_key(|preset| preset.rank)
    }

    /// The tables that are worth waiting for if the board turns out to be hard, within so many bytes.
    pub(super) fn worth_building(&self, most_bytes: u64) -> Option<Fallback> {
        let preset = PRESETS.iter().find(|preset| preset.size == (self.rows, self.columns))?;
        let partition = self.partition(preset.heuristic)?;
        if self.table_bytes(&partition).peak > most_bytes {
            return None;
        }
        Some(Fallback {
            expansions: WORTH_AFTER,
            heuristic: preset.heuristic,
            why: "the board is hard, and pattern databases prune far more (larger ones still more: admissible pdb list)",
        })
    }

    /// The entries of the tables that are not at hand.
    pub(super) fn entries_to_build(&self, partition: &Partition) -> u64 {
        if self.loaded().contains_key(partition.name()) {
            return 0;
        }
        let missing =
            partition.tables().into_iter().filter(|pattern| pdb::find(pattern, &*self.databases.table_cache).is_none());
        missing.map(|pattern| pattern.placements() as u64).sum()
    }

    /// What the tables of a partition take.
    pub(super) fn table_bytes(&self, partition: &Partition) -> TableBytes {
        let (mut held, mut peak) = (0, 0);
        for pattern in partition.tables() {
            if pdb::find(&pattern, &*self.databases.table_cache).is_none() {
                peak = peak.max(held + pattern.build_bytes() as u64);
            }
            held += pattern.table_bytes() as u64;
        }
        TableBytes { held, peak: peak.max(held) }
    }

    fn loaded(&self) -> std::sync::MutexGuard<'_, HashMap<String, Arc<Vec<Table>>>> {
        self.databases.loaded.lock().expect("nobody panics with the list in hand")
    }

    /// Loads or builds the tables of a partition.
    pub(super) fn load(
        &self,
        partition: &Partition,
        watch: &mut pdb::Watch<'_>,
    ) -> Result<Arc<Vec<Table>>, Interrupted> {
        if let Some(tables) = self.loaded().get(partition.name()) {
            return Ok(Arc::clone(tables));
        }
        let tables = Arc::new(pdb::tables(partition, &*self.databases.table_cache, cores(), watch)?);
        self.loaded().insert(partition.name().into(), Arc::clone(&tables));
        Ok(tables)
    }

    /// The heuristic on a partition: what is carried along a path is small where there are few groups.
    pub(super) fn pattern_sums(&self, partition: &Partition) -> Erased<'static, Self> {
        let tables = self.load(partition, &mut |_| ControlFlow::Continue(())).expect("nobody interrupts");
        match (partition.patterns().len(), partition.key_bits()) {
            (..=4, ..=32) if const { W::CELLS <= u128::CELLS } => {
                Erased::compiled(Box::new(PatternSums::<4, u32>::new(self, partition, &tables)))
            }
            _ if const { W::CELLS > u64::CELLS } => {
                Erased::compiled(Box::new(PatternSums::<MOST_GROUPS, u64>::new(self, partition, &tables)))
            }
            // Small boards have few groups, unless somebody draws them.
            _ => Erased::new(Box::new(PatternSums::<MOST_GROUPS, u64>::new(self, partition, &tables))),
        }
    }
}
