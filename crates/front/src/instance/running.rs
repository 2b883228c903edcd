//! Searches with their types erased.

use std::cell::OnceCell;

use admissible::Cost;
use admissible::search::{Outcome, Progress, Search, Signal, Snapshot, Solution, Stats, Stop, Visit};
use admissible_certificate::Number;

use super::{ErasedSpace, MoveIndex, Typed};
use crate::puzzle::Puzzle;

/// A search on a puzzle with its types erased.
pub(super) struct Running<'a, P: Puzzle> {
    pub(super) typed: &'a Typed<P>,
    pub(super) search: Box<dyn Search<P> + 'a>,
    pub(super) outcome: OnceCell<Outcome<MoveIndex>>,
}

impl<P: Puzzle> Running<'_, P> {
    fn number(&self, packed: P::Packed) -> Number {
        self.typed.number(&self.typed.0.unpack(packed))
    }
}

impl<P: Puzzle> Search<ErasedSpace<'static>> for Running<'_, P> {
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

/// The search for an answer that is known without one: the puzzle knows that no goal can be reached.
pub(crate) struct Unreachable;

impl Search<ErasedSpace<'static>> for Unreachable {
    fn advance(&mut self, _expansions: u64) -> Progress {
        Progress::Ended
    }

    fn stats(&self) -> Stats {
        Stats::default()
    }

    fn outcome(&self) -> Option<&Outcome<MoveIndex>> {
        Some(&Outcome::Unsolvable)
    }

    fn stop(&mut self, _why: Stop) {}

    fn last_visit(&self) -> Option<Visit<Number>> {
        None
    }

    /// The proof needs no states.
    fn each_closed(&self, _visit: &mut dyn FnMut(Number, Cost)) -> bool {
        true
    }
}
