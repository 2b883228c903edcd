//! IDA*: depth-first searches with a growing bound on `g + h`.
//!
//! Korf (1985). A search changes one state in place and keeps a stack of frames, one for each move of the path, with
//! the moves still to try and the evaluation. Where the order of subtrees is free, the tree is cut into some thousand
//! subtrees, the most promising first ([`trees`]). Threads take one subtree after the other, and split the stack of
//! another thread when none is left ([`iteration`]). If the heuristic has a
//! [`SubtreeSearch`](super::subtree::SubtreeSearch), it searches the subtrees near the leaves.
//!
//! IDA* detects no duplicates, so on an unsolvable instance it would raise the bound for ever: after a few million
//! expansions a breadth-first search runs beside it, which may prove that no solution exists ([`proof`]).

mod bound;
mod descent;
mod iteration;
mod proof;
mod search;
mod snapshot;
mod trees;
mod walker;

use super::hdastar::Team;
use super::move_pruning::{ByAutomaton, ByGrandparent, ByInverse};
use super::report::{Limits, Observer, Report};
use super::{Search, run};
use crate::heuristic::Heuristic;
use crate::invertible::Invertible;
use crate::pruning::Prunable;
use crate::space::{AbilityVisitor, StateSpace};
use search::IdastarSearch;
pub use snapshot::Snapshot;

/// IDA*: a cheapest path if the heuristic is admissible, in almost no memory. It omits only the move straight back, so
/// its counts are those of the literature.
///
/// It proves that an instance is unsolvable if all reachable states fit into the memory limit (at most one gibibyte);
/// otherwise it continues until a limit stops it.
pub fn idastar<'a, S: StateSpace, H: Heuristic<S>>(
    space: &'a S,
    start: S::State,
    heuristic: &'a H,
    limits: &Limits,
) -> Box<dyn Search<S> + 'a> {
    Idastar::new(space, heuristic).limits(*limits).search(start)
}

/// How IDA* searches.
#[derive(Debug, Clone, Copy)]
pub struct IdastarSettings {
    /// Limits the search.
    pub limits: Limits,
    /// The threads that share an iteration.
    pub team: Team,
    /// Whether redundant sequences of moves are omitted, if the space is [`Prunable`].
    pub is_pruned: bool,
    /// Whether the caller knows that a solution exists; then the search does not try to prove the contrary.
    pub is_solvable: bool,
}

/// IDA*: a cheapest path, if the heuristic is admissible; see [`idastar`].
///
/// ```
/// use admissible::example::{Doublings, Steps};
/// use admissible::search::Idastar;
///
/// let report = Idastar::new(&Steps { goal: 100 }, &Doublings).solve(3);
/// assert_eq!(report.outcome.cost(), Some(6));
/// ```
#[derive(Debug)]
pub struct Idastar<'a, S, H> {
    space: &'a S,
    heuristic: &'a H,
    settings: IdastarSettings,
}

impl<'a, S: StateSpace, H: Heuristic<S>> Idastar<'a, S, H> {
    /// IDA* on one thread without limits.
    pub fn new(space: &'a S, heuristic: &'a H) -> Self {
        let (limits, team) = (Limits::default(), Team::of(1));
        let settings = IdastarSettings { limits, team, is_pruned: false, is_solvable: false };
        Idastar { space, heuristic, settings }
    }

    /// Replaces all settings.
    #[must_use]
    pub fn settings(self, settings: IdastarSettings) -> Self {
        Idastar { settings, ..self }
    }

    /// Limits the search.
    #[must_use]
    pub fn limits(self, limits: Limits) -> Self {
        Idastar { settings: IdastarSettings { limits, ..self.settings }, ..self }
    }

    /// Omits redundant sequences of moves, if the space is [`Prunable`].
    ///
    /// It also reorders subtrees: those in which the last iteration came closest to a goal come first, so that the
    /// final iteration ends early. Within a small subtree moves are tried in the order of the space.
    #[must_use]
    pub fn pruned(self) -> Self {
        Idastar { settings: IdastarSettings { is_pruned: true, ..self.settings }, ..self }
    }

    /// Searches long iterations with several threads. The solution costs the same, and every iteration but the last
    /// expands the same states; in the last one the count depends on which thread finds a goal first.
    #[must_use]
    pub fn threads(self, team: Team) -> Self {
        Idastar { settings: IdastarSettings { team, ..self.settings }, ..self }
    }

    /// If true, the caller knows that a solution exists, and the search does not try to prove the contrary.
    #[must_use]
    pub fn solvable(self, is_solvable: bool) -> Self {
        Idastar { settings: IdastarSettings { is_solvable, ..self.settings }, ..self }
    }

    /// Searches until it ends or a limit is reached.
    pub fn solve(&self, start: S::State) -> Report<S::Move> {
        self.watch(start, &mut ())
    }

    /// Solves with an observer, which may stop the search.
    pub fn watch(&self, start: S::State, observer: &mut dyn Observer) -> Report<S::Move> {
        run(&mut *self.search(start), &self.settings.limits, observer)
    }

    /// The search, ready to be advanced.
    pub fn search(&self, start: S::State) -> Box<dyn Search<S> + 'a> {
        type Make<'a, S, H> = fn(&Idastar<'a, S, H>, <S as StateSpace>::State) -> Box<dyn Search<S> + 'a>;
        struct Choose<'a, S: StateSpace, H> {
            make: Make<'a, S, H>,
            wants_automaton: bool,
            has_automaton: bool,
        }
        impl<'a, S: StateSpace, H: Heuristic<S>> AbilityVisitor<'a, S> for Choose<'a, S, H> {
            fn invertible(self, _space: &'a S) -> Self
            where
                S: Invertible,
            {
                if self.has_automaton {
                    return self;
                }
                Choose { make: |builder, start| Box::new(IdastarSearch::new(builder, start, ByInverse)), ..self }
            }

            fn prunable(self, _space: &'a S) -> Self
            where
                S: Prunable,
            {
                if !self.wants_automaton {
                    return self;
                }
                let make: Make<'a, S, H> =
                    |builder, start| Box::new(IdastarSearch::new(builder, start, ByAutomaton::default()));
                Choose { make, has_automaton: true, ..self }
            }
        }
        let by_grandparent: Make<'a, S, H> =
            |builder, start| Box::new(IdastarSearch::new(builder, start, ByGrandparent));
        let choose = Choose { make: by_grandparent, wants_automaton: self.settings.is_pruned, has_automaton: false };
        (self.space.abilities(choose).make)(self, start)
    }
}
