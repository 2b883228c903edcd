//! Caches of tables that take long to build, from one run to the next.

use std::fmt::Debug;

use bytes::Bytes;

/// Stores tables by name. It gives back a table as it was stored, whole, or nothing.
pub trait TableCache: Debug + Send + Sync {
    /// Whether the cache seems to have the table of that name and size. It may turn out to be damaged.
    fn has(&self, name: &str, size: usize) -> bool {
        self.find(name, size).is_some()
    }
    /// The table of that name and size, if the cache has it.
    fn find(&self, name: &str, size: usize) -> Option<Bytes>;
    /// Stores a table, if it can.
    fn store(&self, name: &str, table: &Bytes);
}

/// A cache that stores nothing.
#[derive(Debug)]
pub struct NoTableCache;

impl TableCache for NoTableCache {
    fn find(&self, _name: &str, _size: usize) -> Option<Bytes> {
        None
    }

    fn store(&self, _name: &str, _table: &Bytes) {}
}
