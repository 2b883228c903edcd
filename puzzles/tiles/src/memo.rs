//! Memoization: a value that depends only on the size of a board is computed once and shared by all boards.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{Arc, LazyLock, Mutex};

/// Values by key, computed on first use.
pub(super) struct Memo<K, T>(LazyLock<Mutex<HashMap<K, Arc<T>>>>);

impl<K: Eq + Hash, T> Memo<K, T> {
    pub(super) const fn new() -> Self {
        Memo(LazyLock::new(Mutex::default))
    }

    /// The value of a key; `compute` runs if there is none yet.
    pub(super) fn get(&self, key: K, compute: impl FnOnce() -> T) -> Arc<T> {
        let mut values = self.0.lock().expect("`compute` does not panic");
        Arc::clone(values.entry(key).or_insert_with(|| Arc::new(compute())))
    }

    /// Like [`Memo::get`], for a computation that may fail. A failure is not stored.
    pub(super) fn get_if(&self, key: K, compute: impl FnOnce() -> Option<T>) -> Option<Arc<T>> {
        let mut values = self.0.lock().expect("`compute` does not panic");
        if let Some(value) = values.get(&key) {
            return Some(Arc::clone(value));
        }
        let value = Arc::new(compute()?);
        values.insert(key, Arc::clone(&value));
        Some(value)
    }
}
