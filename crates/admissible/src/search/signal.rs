//! Cancellation: a stop flag and a deadline.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use super::report::Stop;
use crate::platform::Timestamp;

/// Asks a search to stop. The driver checks for that between two calls of [`Search::advance`](super::Search::advance);
/// a single step that may take long, such as growing a table of gigabytes, polls the signal every few milliseconds.
#[derive(Debug, Clone, Default)]
pub struct Signal {
    flag: Option<Arc<AtomicBool>>,
    deadline: Option<Timestamp>,
}

impl Signal {
    /// A signal to stop when the flag is raised, or at the deadline.
    pub fn new(flag: Option<Arc<AtomicBool>>, deadline: Option<Timestamp>) -> Self {
        Signal { flag, deadline }
    }

    /// Why the search must stop; `None` if it may continue.
    pub fn stop(&self) -> Option<Stop> {
        if self.flag.as_ref().is_some_and(|flag| flag.load(Relaxed)) {
            return Some(Stop::Interrupted);
        }
        self.deadline.filter(|&deadline| Timestamp::now() >= deadline).map(|_| Stop::Time)
    }
}
