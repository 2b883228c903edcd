//! Where tables that take long to build are kept from one run to the next.

use std::fmt::Debug;

use bytes::Bytes;

/// Keeps tables by their names. What it gives back is what was put there, whole, or nothing.
pub trait Shelf: Debug + Send + Sync {
    /// The table of that name and size, if it is there.
    fn find(&self, name: &str, size: usize) -> Option<Bytes>;
    /// Keeps a table. That this may fail is no reason not to use it.
    fn keep(&self, name: &str, table: &Bytes);
}

/// A shelf on which nothing stays.
#[derive(Debug)]
pub struct NoShelf;

impl Shelf for NoShelf {
    fn find(&self, _name: &str, _size: usize) -> Option<Bytes> {
        None
    }

    fn keep(&self, _name: &str, _table: &Bytes) {}
}
