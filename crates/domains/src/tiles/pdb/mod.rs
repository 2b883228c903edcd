//! Additive pattern databases: the tiles are split into groups, and for every placement of a group's tiles a table has the
//! fewest moves of these tiles that bring them home. No move counts in two groups, so the sum is a lower bound.

mod build;
mod heuristic;
mod partition;
mod pattern;
mod table;

pub use heuristic::{PatternSums, Sums};
pub use partition::{PRESETS, Partition, Preset};
pub use pattern::Pattern;
pub use table::Table;
