//! Additive pattern databases (Korf and Felner 2002). A partition splits the tiles into groups. For every placement of
//! a group's tiles, a table holds the fewest moves of these tiles that bring them home. No move counts in two groups,
//! so the sum over the groups is admissible.

mod build;
mod database_sets;
mod heuristic;
mod key;
mod loading;
mod mean;
mod partition;
mod pattern;
mod regions;
mod subtree;
mod table;

use std::ops::ControlFlow;

use admissible::audit::Interrupted;

pub use build::Building;
pub(super) use database_sets::database_sets;
pub use heuristic::{PatternSums, Sums};
pub(super) use loading::{Databases, partition_name};
pub(super) use mean::MeanOfSums;
pub(super) use partition::MOST_GROUPS;
pub use partition::{PRESETS, Partition, Preset};
pub use pattern::Pattern;
pub use table::Table;

use admissible_front::table_cache::TableCache;

/// Called from time to time with the number of new placements that have a value; may stop the work.
pub type Watch<'a> = dyn FnMut(u64) -> ControlFlow<()> + 'a;

/// The table of a pattern, if the cache has it.
pub fn find(pattern: &Pattern, table_cache: &dyn TableCache) -> Option<Table> {
    Table::from_bytes(pattern.clone(), table_cache.find(&pattern.name(), pattern.table_bytes())?)
}

/// Whether the cache seems to have the table of a pattern.
pub fn is_kept(pattern: &Pattern, table_cache: &dyn TableCache) -> bool {
    table_cache.has(&pattern.name(), pattern.table_bytes())
}

/// The tables of a partition. Those that the cache lacks are built and stored in it.
///
/// # Errors
/// If `watch` stops it.
pub fn tables(
    partition: &Partition,
    table_cache: &dyn TableCache,
    threads: usize,
    watch: &mut Watch<'_>,
) -> Result<Vec<Table>, Interrupted> {
    let mut table = |pattern: &Pattern| match find(pattern, table_cache) {
        Some(table) => Ok(table),
        None => {
            let table = pattern.build(threads, watch)?;
            table_cache.store(&pattern.name(), &table.bytes);
            Ok(table)
        }
    };
    partition.tables().iter().map(&mut table).collect()
}
