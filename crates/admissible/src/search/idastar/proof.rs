//! The proof that there is no solution.
//!
//! A tree search cannot see that it goes in circles, so an unsolvable instance would raise the bound for ever. After a
//! few million expansions a breadth-first search runs beside it, and if that expands the whole space without a goal
//! there is none.

use super::walker::MOST_AT_ONCE;
use crate::search::Search as _;
use crate::search::bfs::{Bfs, bfs};
use crate::search::report::{Limits, Outcome, Solution, Stop};
use crate::search::signal::Signal;
use crate::space::{Cost, StateSpace};

/// Expansions before the proof begins: by then most solvable instances are solved.
const AFTER: u64 = 1 << 22;
/// The expansions of the search for one of the proof: few until the proof has made [`SMALL`] expansions, then many. An
/// expansion of the proof can take thirty times as long as one of the search: a constant share would either slow down
/// the search or leave small spaces unproved for long.
const SHARES: (u64, u64) = (8, 256);
/// The states of a small space.
const SMALL: u64 = 1 << 15;
/// The bytes that the proof may take, unless the limit on memory is tighter.
const MOST_BYTES: u64 = 1 << 30;

/// A breadth-first search that may prove that there is no solution.
pub(super) struct Proof<'a, S: StateSpace> {
    stage: Stage<'a, S>,
    /// The bytes that it takes.
    pub(super) bytes: u64,
    /// The cost of a solution that it found, and the solution unless that was in an earlier run.
    pub(super) known: Option<Cost>,
    pub(super) solution: Option<Solution<S::Move>>,
}

enum Stage<'a, S: StateSpace> {
    NotNeeded,
    Later(Limits),
    Running(Box<Bfs<'a, S>>, Limits),
}

impl<'a, S: StateSpace> Proof<'a, S> {
    /// A proof within some limits that has not begun.
    pub(super) fn new(limits: Limits, most_bytes: u64) -> Self {
        let stage = Stage::Later(Limits { bytes: Some(most_bytes.min(MOST_BYTES)), ..limits });
        Proof { stage, bytes: 0, known: None, solution: None }
    }

    /// No proof is needed any more.
    pub(super) fn end(&mut self) {
        (self.stage, self.bytes) = (Stage::NotNeeded, 0);
    }

    /// Whether no proof is needed any more.
    pub(super) fn is_over(&self) -> bool {
        matches!(self.stage, Stage::NotNeeded)
    }

    /// The expansions that the proof is behind, given those of the search. It has its share of every [`MOST_AT_ONCE`],
    /// so that the same search ends at the same state however it is asked for them.
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

    /// Goes on with the proof; true if there is no solution.
    #[cold]
    pub(super) fn advance(&mut self, space: &'a S, start: &S::State, signal: &Signal, expansions: u64) -> bool {
        if let Stage::Later(limits) = self.stage {
            self.stage = Stage::Running(Box::new(bfs(space, start.clone(), &limits)), limits);
        }
        let Stage::Running(search, limits) = &mut self.stage else { return false };
        search.heed(signal);
        let until = search.stats().expanded + expansions;
        while search.outcome().is_none() && search.stats().expanded < until {
            search.advance(until - search.stats().expanded);
        }
        self.bytes = search.stats().bytes;
        match search.outcome() {
            None => false,
            Some(Outcome::Unsolvable) => true,
            // The whole search is to end; if it is resumed, so is the proof.
            Some(Outcome::Stopped { why: Stop::Time | Stop::Interrupted, .. }) => {
                self.stage = Stage::Later(*limits);
                false
            }
            // There is a goal, or the space is too large to tell.
            Some(outcome) => {
                self.known = outcome.cost();
                self.solution = outcome.solution().cloned();
                self.end();
                false
            }
        }
    }
}
