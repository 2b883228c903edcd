//! The pattern databases of an instance: loaded from a cache, or built.

use std::collections::HashMap;
use std::ops::ControlFlow;
use std::sync::{Arc, Mutex};

use admissible::audit::Interrupted;
use admissible::platform::{IS_SMALL, cores};

use super::{MOST_GROUPS, MeanOfSums, PRESETS, Partition, PatternSums, Preset, Table, Watch, is_kept, tables};
use crate::board::Tiles;
use crate::word::Word;
use admissible::Erased;
use admissible_front::puzzle::{Fallback, TableBytes};
use admissible_front::table_cache::{NoTableCache, TableCache};

/// The table cache, and the tables loaded so far. Clones share both.
#[derive(Debug, Clone)]
pub(crate) struct Databases {
    pub(crate) table_cache: Arc<dyn TableCache>,
    /// By the name of the partition.
    loaded: Arc<Mutex<HashMap<String, Arc<Vec<Table>>>>>,
}

impl Default for Databases {
    fn default() -> Self {
        Databases { table_cache: Arc::new(NoTableCache), loaded: Arc::default() }
    }
}

/// After this many expansions without tables, building the small tables probably takes less time than the search.
const SMALL_WORTH_AFTER: u64 = 1_500_000;
/// The same of the large tables, after expansions with the small ones: some six seconds on two cores.
const LARGE_WORTH_AFTER: u64 = 60_000_000;

/// The name of the partition in the name of a heuristic: `None` in `pdb`, the part after the colon in `pdb:7-8`.
pub(crate) fn partition_name(heuristic: &str) -> Option<Option<&str>> {
    match heuristic.strip_prefix("pdb")? {
        "" => Some(None),
        rest => rest.strip_prefix(':').map(Some),
    }
}

impl<W: Word> Tiles<W> {
    /// The same puzzle with a table cache.
    pub(crate) fn with_table_cache(mut self, table_cache: Option<Arc<dyn TableCache>>) -> Self {
        if let Some(table_cache) = table_cache {
            self.databases.table_cache = table_cache;
        }
        self
    }

    /// The partition that a heuristic names on this board.
    pub(crate) fn partition(&self, heuristic: &str) -> Option<Partition> {
        Partition::named(self.rows, self.columns, self.goal.gap().number(), partition_name(heuristic)?)
    }

    /// The best preset whose tables are available and take at most `most_bytes`.
    pub(crate) fn best_available(&self, most_bytes: u64) -> Option<&'static Preset> {
        let is_available = |preset: &&Preset| {
            self.partition(preset.heuristic).is_some_and(|partition| {
                self.entries_to_build(&partition) == 0 && self.table_bytes(&partition).held <= most_bytes
            })
        };
        let fitting = PRESETS.iter().filter(|preset| preset.size == (self.rows, self.columns));
        fitting.filter(is_available).max_by_key(|preset| preset.rank)
    }

    /// The tables that are worth building for a hard board after a search with `heuristic`, if building them takes at
    /// most `most_bytes`: the small ones, then the strongest ones.
    pub(crate) fn worth_building(&self, heuristic: &str, most_bytes: u64) -> Vec<Fallback> {
        let presets = || PRESETS.iter().filter(|preset| preset.size == (self.rows, self.columns));
        let fits = |preset: &&Preset| {
            let partition = self.partition(preset.heuristic);
            partition.is_some_and(|partition| self.table_bytes(&partition).peak <= most_bytes)
        };
        let used = presets().find(|preset| preset.heuristic == heuristic).map_or(0, |preset| preset.rank);
        let small = presets().next().filter(fits).filter(|_| used == 0);
        let strongest = presets().filter(fits).max_by_key(|preset| preset.rank);
        let least = small.map_or(used, |preset| preset.rank);
        let large = strongest.filter(|preset| preset.rank > least);
        let fallback = |preset: &Preset, expansions, why| {
            let (heuristic, seconds) = (preset.heuristic, preset.seconds);
            Fallback { expansions, seconds, heuristic, why }
        };
        let small = small.map(|preset| {
            fallback(preset, SMALL_WORTH_AFTER, "the board is hard, and pattern databases prune far more")
        });
        let large_after = if small.is_none() && used == 0 { SMALL_WORTH_AFTER } else { LARGE_WORTH_AFTER };
        let large = large.map(|preset| {
            fallback(preset, large_after, "the board is very hard, and the largest pattern databases prune most")
        });
        small.into_iter().chain(large).collect()
    }

    /// The number of entries in the tables that have to be built.
    pub(crate) fn entries_to_build(&self, partition: &Partition) -> u64 {
        if self.loaded().contains_key(&partition.name) {
            return 0;
        }
        let missing = partition.tables().into_iter().filter(|pattern| !is_kept(pattern, &*self.databases.table_cache));
        missing.map(|pattern| pattern.placements() as u64).sum()
    }

    /// The memory for the tables of a partition.
    pub(crate) fn table_bytes(&self, partition: &Partition) -> TableBytes {
        let (mut held, mut peak) = (0, 0);
        for pattern in partition.tables() {
            if !is_kept(&pattern, &*self.databases.table_cache) {
                peak = peak.max(held + pattern.build_bytes() as u64);
            }
            held += pattern.table_bytes() as u64;
        }
        TableBytes { held, peak: peak.max(held) }
    }

    fn loaded(&self) -> std::sync::MutexGuard<'_, HashMap<String, Arc<Vec<Table>>>> {
        self.databases.loaded.lock().expect("no holder of the lock panics")
    }

    /// Loads or builds the tables of a partition.
    pub(crate) fn load(&self, partition: &Partition, watch: &mut Watch<'_>) -> Result<Arc<Vec<Table>>, Interrupted> {
        if let Some(tables) = self.loaded().get(&partition.name) {
            return Ok(Arc::clone(tables));
        }
        let tables = Arc::new(tables(partition, &*self.databases.table_cache, cores(), watch)?);
        self.loaded().insert(partition.name.clone(), Arc::clone(&tables));
        Ok(tables)
    }

    /// The heuristic of a partition; few groups with short keys get a small evaluation.
    pub(crate) fn pattern_sums(&self, partition: &Partition) -> Erased<'static, Self> {
        let tables = self.load(partition, &mut |_| ControlFlow::Continue(())).expect("the watcher never stops it");
        match (partition.patterns.len(), partition.key_bits()) {
            (..=4, ..=32) if const { W::CELLS <= u128::CELLS && !IS_SMALL } => {
                Erased::compiled_packed(Box::new(PatternSums::<4, u32>::new(self, partition, &tables)))
            }
            _ if const { W::CELLS == u128::CELLS } => {
                Erased::compiled_packed(Box::new(PatternSums::<MOST_GROUPS, u64>::new(self, partition, &tables)))
            }
            // Small boards have this many groups only in a drawn partition, and A* on larger ones is bound by memory.
            _ => Erased::new(Box::new(PatternSums::<MOST_GROUPS, u64>::new(self, partition, &tables))),
        }
    }

    /// The guide of a partition.
    pub(crate) fn mean_of_sums(&self, partition: &Partition) -> Erased<'static, Self> {
        let tables = self.load(partition, &mut |_| ControlFlow::Continue(())).expect("the watcher never stops it");
        match (partition.patterns.len(), partition.key_bits()) {
            (..=4, ..=32) if const { W::CELLS <= u128::CELLS } => {
                Erased::compiled_beam(Box::new(MeanOfSums::<4, u32>::new(self, partition, &tables)))
            }
            _ => Erased::compiled_beam(Box::new(MeanOfSums::<MOST_GROUPS, u64>::new(self, partition, &tables))),
        }
    }
}
