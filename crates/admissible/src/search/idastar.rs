//! IDA*: depth-first searches with a growing bound on `g + h`.
//!
//! Korf (1985). One state is changed in place; beside it stands the path, each step with its moves still to try and
//! what the heuristic carries along. Little is allocated but the path: some thousand trees that the whole is cut into
//! where their order is free, and what a [`SubtreeSearch`](super::SubtreeSearch) works with where the heuristic has
//! one. With several threads, each walks through a part of the tree; whoever is through takes the next one, or takes
//! over moves from the top of another's path. A tree search cannot see that it goes in circles, so an unsolvable
//! instance would raise the bound for ever: after a few million expansions a breadth-first search runs beside it, and
//! if that goes through the whole space without a goal there is none.

mod bound;
mod descent;
mod iterations;
mod proof;
mod snapshot;
mod trees;
mod walker;
mod work;

use super::hdastar::Team;
use super::move_pruning::{ByAutomaton, ByGrandparent, ByInverse};
use super::report::{Limits, Observer, Report};
use super::{Search, run};
use crate::heuristic::Heuristic;
use crate::invertible::Invertible;
use crate::pruning::Prunable;
use crate::space::{AbilityVisitor, StateSpace};
use iterations::Iterations;
pub use snapshot::Snapshot;

/// IDA*: a cheapest path if the heuristic is admissible, in almost no memory. Only the move straight back is left out,
/// so that its counts are those of the literature.
///
/// An instance without a solution is proved to have none where every reachable state fits into the memory limit (one
/// gibibyte unless a tighter one is given); otherwise the search goes on until a limit stops it.
pub fn idastar<'a, S: StateSpace, H: Heuristic<S>>(
    space: &'a S,
    start: S::State,
    heuristic: &'a H,
    limits: &Limits,
) -> Box<dyn Search<S> + 'a> {
    Idastar::new(space, heuristic).limits(*limits).search(start)
}

/// IDA* that leaves out redundant sequences of moves, where the space knows of such ([`Prunable`]): as good an answer
/// from far fewer states. See [`Idastar::pruned`].
pub fn idastar_pruned<'a, S: StateSpace, H: Heuristic<S>>(
    space: &'a S,
    start: S::State,
    heuristic: &'a H,
    limits: &Limits,
) -> Box<dyn Search<S> + 'a> {
    Idastar::new(space, heuristic).pruned().limits(*limits).search(start)
}

/// How IDA* searches.
#[derive(Debug, Clone, Copy)]
pub struct IdastarSettings {
    /// Limits the search.
    pub limits: Limits,
    /// The threads that share an iteration.
    pub team: Team,
    /// Whether redundant sequences of moves are left out, where the space knows of such.
    pub is_pruned: bool,
    /// Whether the caller knows that there is a solution: then no proof to the contrary is looked for.
    pub is_solvable: bool,
}

/// What IDA* is to search, and how.
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

    /// Leaves out redundant sequences of moves, where the space knows of such.
    ///
    /// In the last iteration it looks first where the one before came farthest, and so finds a goal soon. Within a
    /// small tree moves are tried in the order of the space.
    #[must_use]
    pub fn pruned(self) -> Self {
        Idastar { settings: IdastarSettings { is_pruned: true, ..self.settings }, ..self }
    }

    /// Has several threads search the iterations that are long enough for that. The answer costs the same, and every
    /// iteration but the last expands the same states; in the last one it depends on which thread finds a goal first.
    #[must_use]
    pub fn threads(self, team: Team) -> Self {
        Idastar { settings: IdastarSettings { team, ..self.settings }, ..self }
    }

    /// Takes the caller's word that there is a solution: no proof to the contrary is looked for.
    #[must_use]
    pub fn solvable(self, is_solvable: bool) -> Self {
        Idastar { settings: IdastarSettings { is_solvable, ..self.settings }, ..self }
    }

    /// Searches until it ends or a limit is reached.
    pub fn solve(&self, start: S::State) -> Report<S::Move> {
        self.watch(start, &mut ())
    }

    /// The same with an observer, which may stop the search.
    pub fn watch(&self, start: S::State, observer: &mut dyn Observer) -> Report<S::Move> {
        run(&mut *self.search(start), &self.settings.limits, observer)
    }

    /// The search from a state.
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
                Choose { make: |builder, start| Box::new(Iterations::new(builder, start, ByInverse)), ..self }
            }

            fn prunable(self, _space: &'a S) -> Self
            where
                S: Prunable,
            {
                if !self.wants_automaton {
                    return self;
                }
                let make: Make<'a, S, H> =
                    |builder, start| Box::new(Iterations::new(builder, start, ByAutomaton::default()));
                Choose { make, has_automaton: true, ..self }
            }
        }
        let by_grandparent: Make<'a, S, H> = |builder, start| Box::new(Iterations::new(builder, start, ByGrandparent));
        let choose = Choose { make: by_grandparent, wants_automaton: self.settings.is_pruned, has_automaton: false };
        (self.space.abilities(choose).make)(self, start)
    }
}
