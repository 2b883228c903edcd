//! The proof that an instance is unsolvable.
//!
//! IDA* detects no duplicates, so on an unsolvable instance it would raise the bound for ever. After a few million
//! expansions a breadth-first search runs beside it. If that expands all reachable states without a goal, there is no
//! solution.

use super::walker::MOST_AT_ONCE;
use crate::search::Search as _;
use crate::search::bfs::{BfsSearch, bfs};
use crate::search::report::{Limits, Outcome, Solution, Stop};
use crate::search::signal::Signal;
use crate::space::{Cost, StateSpace};

/// Expansions before the proof begins: by then most solvable instances are solved.
const AFTER: u64 = 1 << 22;
/// The expansions of IDA* for each expansion of the proof: `.0` for the first [`SMALL`] expansions of the proof, then
/// `.1`. An expansion of the proof can take thirty times as long as one of IDA*: a constant share would either
/// slow down IDA* or delay the proof in small spaces.
const SHARES: (u64, u64) = (8, 256);
/// The number of states of a small space.
const SMALL: u64 = 1 << 15;
/// The bytes that the proof may take, unless the limit on memory is tighter.
const MOST_BYTES: u64 = 1 << 30;

/// A breadth-first search that may prove that there is no solution.
pub(super) struct Proof<'a, S: StateSpace> {
    stage: Stage<'a, S>,
    /// The bytes that it takes.
    pub(super) bytes: u64,
    /// The cost of a solution that it found, and the solution unless it was found before a snapshot.
    pub(super) known: Option<Cost>,
    pub(super) solution: Option<Solution<S::Move>>,
}

enum Stage<'a, S: StateSpace> {
    NotNeeded,
    Later(Limits),
    Running(Box<BfsSearch<'a, S>>, Limits),
}

impl<'a, S: StateSpace> Proof<'a, S> {
    /// A proof that has not begun.
    pub(super) fn new(limits: Limits, most_bytes: u64) -> Self {
        let stage = Stage::Later(Limits { bytes: Some(most_bytes.min(MOST_BYTES)), ..limits });
        Proof { stage, bytes: 0, known: None, solution: None }
    }

    /// Ends the proof: it is not needed any more.
    pub(super) fn end(&mut self) {
        (self.stage, self.bytes) = (Stage::NotNeeded, 0);
    }

    /// Whether the proof is not needed any more.
    pub(super) fn is_over(&self) -> bool {
        matches!(self.stage, Stage::NotNeeded)
    }

    /// The expansions by which the proof is behind its share, given those of IDA*. The share counts in units of
    /// [`MOST_AT_ONCE`], so that a search ends at the same state however its expansions are divided into calls.
    pub(super) fn owed(&self, expanded: u64) -> u64 {
        let whole = expanded / MOST_AT_ONCE * MOST_AT_ONCE;
        let searched = whole.saturating_sub(AFTER);
        let share = (searched / SHARES.0).min(SMALL + searched / SHARES.1);
        match &self.stage {
            Stage::NotNeeded => 0,
            Stage::Later(_) => share,
            Stage::Running(search, _) => share.saturating_sub(search.stats().expanded),
        }
    }

    /// Continues the proof; true if it shows that there is no solution.
    #[cold]
    pub(super) fn advance(&mut self, space: &'a S, start: &S::State, signal: &Signal, expansions: u64) -> bool {
        if let Stage::Later(limits) = self.stage {
            self.stage = Stage::Running(Box::new(bfs(space, start.clone(), &limits)), limits);
        }
        let Stage::Running(search, limits) = &mut self.stage else { return false };
        search.set_signal(signal);
        let until = search.stats().expanded + expansions;
        while search.outcome().is_none() && search.stats().expanded < until {
            search.advance(until - search.stats().expanded);
        }
        self.bytes = search.stats().bytes;
        match search.outcome() {
            None => false,
            Some(Outcome::Unsolvable) => true,
            // The whole search stops; if it is resumed, the proof starts again.
            Some(Outcome::Stopped { why: Stop::Time | Stop::Interrupted, .. }) => {
                self.stage = Stage::Later(*limits);
                false
            }
            // The proof found a goal, or ran out of memory.
            Some(outcome) => {
                self.known = outcome.cost();
                self.solution = outcome.solution().cloned();
                self.end();
                false
            }
        }
    }
}
