//! Additive pattern databases: the tiles are split into groups, and for every placement of a group's tiles a table has
//! the fewest moves of these tiles that bring them home. No move counts in two groups, so the sum is a lower bound.

mod build;
mod heuristic;
mod key;
mod partition;
mod pattern;
mod regions;
mod subtree;
mod table;

use std::ops::ControlFlow;

use admissible::audit::Interrupted;

pub use build::Building;
pub use heuristic::{PatternSums, Sums};
pub(super) use partition::MOST_GROUPS;
pub use partition::{PRESETS, Partition, Preset};
pub use pattern::Pattern;
pub use table::Table;

use admissible_front::table_cache::TableCache;

/// Hears now and then of so many placements more that have their value, and may stop the work.
pub type Watch<'a> = dyn FnMut(u64) -> ControlFlow<()> + 'a;

/// The table of a pattern from a table_cache, if it is there.
pub fn find(pattern: &Pattern, table_cache: &dyn TableCache) -> Option<Table> {
    Table::from_bytes(pattern.clone(), table_cache.find(&pattern.name(), pattern.table_bytes())?)
}

/// The tables of a partition: those on the table_cache, and the others built now and put there.
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
            table_cache.store(&pattern.name(), table.bytes());
            Ok(table)
        }
    };
    partition.tables().iter().map(&mut table).collect()
}
