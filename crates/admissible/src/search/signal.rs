//! Being told from outside that it is time to end.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use super::report::Stop;
use crate::platform::Timestamp;

/// Tells a search at any moment that it is to end. Between two calls of [`Search::advance`](super::Search::advance)
/// whoever drives it looks at that; a step that may take long by itself, as when a table of gigabytes grows, looks
/// at it every few milliseconds.
#[derive(Debug, Clone, Default)]
pub struct Signal {
    raised: Option<Arc<AtomicBool>>,
    deadline: Option<Timestamp>,
}

impl Signal {
    /// A signal that is given when somebody raises the flag, or at the deadline.
    pub fn new(raised: Option<Arc<AtomicBool>>, deadline: Option<Timestamp>) -> Self {
        Signal { raised, deadline }
    }

    /// Why it is to end, if it is.
    pub fn stop(&self) -> Option<Stop> {
        if self.raised.as_ref().is_some_and(|raised| raised.load(Relaxed)) {
            return Some(Stop::Interrupted);
        }
        self.deadline.filter(|&deadline| Timestamp::now() >= deadline).map(|_| Stop::Time)
    }
}
