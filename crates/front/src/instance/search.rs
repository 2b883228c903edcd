//! Searches on a puzzle as searches on an [`ErasedSpace`].

use std::cell::OnceCell;

use admissible::Cost;
use admissible::search::{Outcome, Progress, Search, Signal, Snapshot, Solution, Stats, Stop, Visit};
use admissible_certificate::Number;

use super::{ErasedSpace, MoveIndex, TypedInstance};
use crate::puzzle::Puzzle;

/// A search on a puzzle, seen as a search on an [`ErasedSpace`].
pub(super) struct TypedSearch<'a, P: Puzzle> {
    pub(super) typed: &'a TypedInstance<'a, P>,
    pub(super) search: Box<dyn Search<P> + 'a>,
    pub(super) outcome: OnceCell<Outcome<MoveIndex>>,
}

impl<P: Puzzle> TypedSearch<'_, P> {
    fn number(&self, packed: P::Packed) -> Number {
        self.typed.number(&self.typed.0.unpack(packed))
    }
}

impl<P: Puzzle> Search<ErasedSpace<'static>> for TypedSearch<'_, P> {
    fn advance(&mut self, expansions: u64) -> Progress {
        self.search.advance(expansions)
    }

    fn stats(&self) -> Stats {
        self.search.stats()
    }

    fn outcome(&self) -> Option<&Outcome<MoveIndex>> {
        let outcome = self.search.outcome()?;
        Some(self.outcome.get_or_init(|| self.typed.erase_outcome(outcome)))
    }

    fn stop(&mut self, why: Stop) {
        self.search.stop(why);
    }

    fn last_visit(&self) -> Option<Visit<Number>> {
        self.search.last_visit().map(|visit| visit.map(|packed| self.number(packed)))
    }

    fn each_closed(&self, visit: &mut dyn FnMut(Number, Cost)) -> bool {
        self.search.each_closed(&mut |packed, g| visit(self.number(packed), g))
    }

    fn each_expanded(&self, visit: &mut dyn FnMut(Number)) -> bool {
        self.search.each_expanded(&mut |packed| visit(self.number(packed)))
    }

    fn set_signal(&mut self, signal: &Signal) {
        self.search.set_signal(signal);
    }

    fn best(&self) -> Option<Solution<MoveIndex>> {
        self.search.best().map(|solution| self.typed.erase_solution(&solution))
    }

    fn snapshot(&mut self) -> Option<Snapshot> {
        self.search.snapshot()
    }

    fn restore(&mut self, snapshot: &Snapshot) -> bool {
        self.search.restore(snapshot)
    }

    fn stride(&self) -> u64 {
        self.search.stride()
    }

    fn begin_at(&mut self, bound: Cost) {
        self.search.begin_at(bound);
    }
}
