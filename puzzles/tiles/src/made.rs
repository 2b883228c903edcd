//! What depends on the size of a board alone and takes some milliseconds to make: made once, shared by all boards.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{Arc, LazyLock, Mutex};

/// Things by their keys, made when they are first asked for.
pub(super) struct Made<K, T>(LazyLock<Mutex<HashMap<K, Arc<T>>>>);

impl<K: Eq + Hash, T> Made<K, T> {
    pub(super) const fn new() -> Self {
        Made(LazyLock::new(Mutex::default))
    }

    /// The thing with that key, which is made if it is not there yet.
    pub(super) fn get(&self, key: K, make: impl FnOnce() -> T) -> Arc<T> {
        let mut things = self.0.lock().expect("nobody panics while making a thing");
        Arc::clone(things.entry(key).or_insert_with(|| Arc::new(make())))
    }

    /// The same for what cannot always be made; `None` if it could not.
    pub(super) fn get_if(&self, key: K, make: impl FnOnce() -> Option<T>) -> Option<Arc<T>> {
        let mut things = self.0.lock().expect("nobody panics while making a thing");
        if let Some(thing) = things.get(&key) {
            return Some(Arc::clone(thing));
        }
        let thing = Arc::new(make()?);
        things.insert(key, Arc::clone(&thing));
        Some(thing)
    }
}
