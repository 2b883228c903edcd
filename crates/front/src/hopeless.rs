//! The search for an answer that is known without one: there is no solution.

use admissible::StateSpace;
use admissible::search::{Outcome, Progress, Search, Stats, Stop, Visit};

/// A search that has ended before it began, since the puzzle knows that no goal can be reached.
pub(crate) struct Hopeless<M> {
    outcome: Outcome<M>,
}

impl<M> Hopeless<M> {
    pub(crate) fn new() -> Self {
        Hopeless { outcome: Outcome::Unsolvable }
    }
}

impl<S: StateSpace> Search<S> for Hopeless<S::Move> {
    fn advance(&mut self, _expansions: u64) -> Progress {
        Progress::Ended
    }

    fn stats(&self) -> Stats {
        Stats::default()
    }

    fn outcome(&self) -> Option<&Outcome<S::Move>> {
        Some(&self.outcome)
    }

    fn stop(&mut self, _why: Stop) {}

    fn last_visit(&self) -> Option<Visit<S::Packed>> {
        None
    }

    /// The proof needs no states.
    fn each_closed(&self, _visit: &mut dyn FnMut(S::Packed, u32)) -> bool {
        true
    }
}
