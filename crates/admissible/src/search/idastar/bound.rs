//! The bound on `g + h`, and what an iteration learns about the next bound.

use crate::space::Cost;

/// The bound of the current iteration.
#[derive(Debug)]
pub(super) struct Bound {
    pub(super) cost: Cost,
    /// The first bound, if the caller has proved it.
    pub(super) given: Option<Cost>,
    /// The least amount by which the `f` of a pruned state exceeds the bound; `u64::MAX` if none was pruned.
    pub(super) least_excess: u64,
    /// Whether the heuristic called a state a dead end.
    pub(super) dead_ends: bool,
    /// Whether the next bound would exceed the largest cost.
    pub(super) overflowed: bool,
}

impl Bound {
    pub(super) fn new(cost: Cost) -> Self {
        Bound { cost, given: None, least_excess: u64::MAX, dead_ends: false, overflowed: false }
    }

    /// Adds the result of a part of the tree.
    pub(super) fn note(&mut self, least_excess: u64, dead_ends: bool) {
        self.least_excess = self.least_excess.min(least_excess);
        self.dead_ends |= dead_ends;
    }

    /// Raises the bound after an iteration; false if no state is beyond it.
    pub(super) fn raise(&mut self) -> bool {
        let Ok(cost) = Cost::try_from(u64::from(self.cost).saturating_add(self.least_excess)) else {
            // A bound above the largest cost would allow paths whose cost does not fit.
            self.overflowed = self.least_excess < u64::MAX;
            return false;
        };
        self.cost = cost;
        true
    }
}
