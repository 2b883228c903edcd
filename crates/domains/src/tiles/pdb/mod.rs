//! Additive pattern databases: the tiles are split into groups, and for every placement of a group's tiles a table has the
//! fewest moves of these tiles that bring them home. No move counts in two groups, so the sum is a lower bound.

mod build;
mod heuristic;
mod partition;
mod pattern;
mod table;

use admissible::audit::{Interrupted, Watcher};

pub use heuristic::{PatternSums, Sums};
pub use partition::{PRESETS, Partition, Preset};
pub use pattern::Pattern;
pub use table::Table;

use crate::shelf::Shelf;

/// The table of a pattern from a shelf, if it is there.
pub fn find(pattern: &Pattern, shelf: &dyn Shelf) -> Option<Table> {
    Table::from_bytes(pattern.clone(), shelf.find(&pattern.name(), pattern.table_bytes())?)
}

/// The tables of a partition: those on the shelf, and the others built now and put there.
///
/// # Errors
/// If the watcher stops it.
pub fn tables(
    partition: &Partition,
    shelf: &dyn Shelf,
    threads: usize,
    watcher: &dyn Watcher,
) -> Result<Vec<Table>, Interrupted> {
    let table = |pattern: &Pattern| match find(pattern, shelf) {
        Some(table) => Ok(table),
        None => {
            let table = pattern.build(threads, watcher)?;
            shelf.keep(&pattern.name(), table.bytes());
            Ok(table)
        }
    };
    partition.tables().iter().map(table).collect()
}
