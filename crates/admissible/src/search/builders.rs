//! The builder of A*: a search that is configured once and solves from any number of starts.
//!
//! It borrows the space and the heuristic and holds the settings. `solve` runs a search to its end, `watch` does so
//! with an [`Observer`], which may stop it, and `search` returns the [`Search`] itself, to be advanced step by step.

use super::open::TieBreak;
use super::report::{Limits, Observer, Report};
use super::{Search, astar, run};
use crate::heuristic::Heuristic;
use crate::space::StateSpace;

/// A*: a cheapest path, if the heuristic is admissible; see [`astar`].
///
/// ```
/// use admissible::example::{Doublings, Steps};
/// use admissible::search::Astar;
///
/// // From 3 to 100 by adding one or doubling: 3 6 12 24 25 50 100.
/// let report = Astar::new(&Steps { goal: 100 }, &Doublings).solve(3);
/// assert_eq!(report.outcome.cost(), Some(6));
/// ```
#[derive(Debug)]
pub struct Astar<'a, S, H> {
    space: &'a S,
    heuristic: &'a H,
    tie: TieBreak,
    limits: Limits,
}

impl<'a, S: StateSpace, H: Heuristic<S>> Astar<'a, S, H> {
    /// A search without limits that breaks ties towards low `h`.
    pub fn new(space: &'a S, heuristic: &'a H) -> Self {
        Astar { space, heuristic, tie: TieBreak::LowH, limits: Limits::default() }
    }

    /// Limits the search.
    #[must_use]
    pub fn limits(self, limits: Limits) -> Self {
        Astar { limits, ..self }
    }

    /// Sets the tie-breaking among states with equal `f`.
    #[must_use]
    pub fn tie_break(self, tie: TieBreak) -> Self {
        Astar { tie, ..self }
    }

    /// The search, ready to be advanced. It enforces the limit on bytes; its driver enforces the other limits.
    pub fn search(&self, start: S::State) -> Box<dyn Search<S> + 'a> {
        astar(self.space, start, self.heuristic, self.tie, &self.limits)
    }

    /// Searches until it ends or a limit is reached.
    pub fn solve(&self, start: S::State) -> Report<S::Move> {
        self.watch(start, &mut ())
    }

    /// Solves with an observer, which may stop the search.
    pub fn watch(&self, start: S::State, observer: &mut dyn Observer) -> Report<S::Move> {
        run(&mut *self.search(start), &self.limits, observer)
    }
}
