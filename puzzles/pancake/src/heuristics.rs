//! Heuristics that count gaps.

use super::stack::Pancakes;
use admissible::{Estimate, Heuristic, Properties};

/// The gap heuristic (Helmert 2010): the neighbours, the plate among them, whose sizes are not consecutive. A flip
/// changes one pair of neighbours and removes at most one gap, so the heuristic is consistent.
/// With `TOP`, a stack counts one more if no flip removes a gap. It is consistent: a flip from there keeps all gaps,
/// and a flip that removes a gap begins at a stack without the extra one, so the estimate falls by at most 1.
#[derive(Debug, Clone, Copy)]
pub struct Gap<const TOP: bool>;

impl<const TOP: bool> Gap<TOP> {
    fn with_top(space: &Pancakes, stack: u64, gaps: u32) -> (u32, bool) {
        (gaps, TOP && gaps > 0 && !space.can_remove_gap(stack))
    }
}

impl<const TOP: bool> Heuristic<Pancakes> for Gap<TOP> {
    /// The gaps, and whether one more counts.
    type Eval = (u32, bool);
    fn evaluate(&self, space: &Pancakes, stack: &u64) -> (u32, bool) {
        Self::with_top(space, *stack, space.gaps(*stack))
    }
    fn advance(&self, space: &Pancakes, before: (u32, bool), after: &u64, flipped: u8) -> (u32, bool) {
        Self::with_top(space, *after, space.gaps_after(before.0, *after, flipped))
    }
    fn estimate(&self, (gaps, one_more): (u32, bool)) -> Estimate {
        Estimate::new(gaps + u32::from(one_more))
    }
    fn properties(&self, _space: &Pancakes) -> Properties {
        Properties::CONSISTENT
    }
}
