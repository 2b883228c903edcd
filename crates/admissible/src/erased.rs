//! A heuristic whose type is erased.
//!
//! A search is compiled once for each type of heuristic, so that its innermost loop can inline the heuristic. Where
//! that loop rarely evaluates the heuristic, or the speed of the search does not matter, one [`Erased`] type for all
//! heuristics saves most of the build time of a program with many heuristics.

use std::fmt;
use std::ops::Deref;
use std::sync::Arc;

use crate::heuristic::{Estimate, HasTables, Heuristic, HeuristicVisitor, Properties, copy_to_huge_pages};
use crate::pruning::MoveAutomaton;
use crate::search::distributed::{Processes, distributed_astar};
use crate::search::subtree::{SearchesSubtrees, SubtreeProgress, SubtreeSearch, Tally, Top, subtree_search};
use crate::search::{Limits, Observer, Report, Search, Team, hdastar, packed_astar};
use crate::space::{Cost, StateSpace};

/// Any heuristic of a space.
///
/// It evaluates every state from scratch, through a pointer. If the heuristic has a subtree search
/// ([`SearchesSubtrees`]), IDA* is as fast with it as with the heuristic itself.
///
/// ```
/// use admissible::example::{Doublings, Steps};
/// use admissible::heuristic::Zero;
/// use admissible::search::Astar;
/// use admissible::Erased;
///
/// let heuristics: [Erased<'_, Steps>; 2] = [Erased::new(&Zero), Erased::new(Box::new(Doublings))];
/// for heuristic in &heuristics {
///     let report = Astar::new(&Steps { goal: 100 }, heuristic).solve(3);
///     assert_eq!(report.outcome.cost(), Some(6));
/// }
/// ```
pub struct Erased<'a, S> {
    heuristic: Box<dyn AnyHeuristic<S> + 'a>,
    scale: u32,
}

impl<'a, S: StateSpace> Erased<'a, S> {
    /// Erases the type of the heuristic behind a pointer. Only the evaluation is compiled for that type.
    pub fn new<D: Deref<Target: Heuristic<S> + Sized> + Sync + 'a>(heuristic: D) -> Self {
        let scale = heuristic.scale();
        Erased { heuristic: Box::new(Held::<D, false>(heuristic)), scale }
    }

    /// Like [`Erased::new`], but compiles packed A* and HDA* for the type of the heuristic:
    /// [`Erased::packed_astar`], [`Erased::hdastar`] and [`Erased::distributed_astar`] inline it.
    pub fn compiled<D: Deref<Target: Heuristic<S> + Sized> + Sync + 'a>(heuristic: D) -> Self {
        let scale = heuristic.scale();
        Erased { heuristic: Box::new(Held::<D, true>(heuristic)), scale }
    }

    fn engines(&self) -> &dyn Engines<S> {
        self.heuristic.engines(self)
    }

    /// [`packed_astar`](crate::search::packed_astar) with this heuristic.
    pub fn packed_astar<'s>(
        &'s self,
        space: &'s S,
        start: &S::State,
        limits: &Limits,
    ) -> Option<Box<dyn Search<S> + 's>> {
        self.engines().packed_astar(space, start, limits)
    }

    /// [`hdastar`](crate::search::hdastar) with this heuristic.
    pub fn hdastar<'s>(
        &'s self,
        space: &'s S,
        start: S::State,
        team: Team,
        limits: &Limits,
    ) -> Option<Box<dyn Search<S> + 's>> {
        self.engines().hdastar(space, start, team, limits)
    }

    /// [`distributed_astar`](crate::search::distributed::distributed_astar) with this heuristic.
    pub fn distributed_astar(
        &self,
        space: &S,
        start: &S::State,
        processes: &dyn Processes,
        limits: Limits,
        observer: &mut dyn Observer,
    ) -> Option<Report<S::Move>> {
        self.engines().distributed_astar(space, start, processes, limits, observer)
    }
}

/// The searches that are compiled for a type of heuristic.
trait Engines<S: StateSpace> {
    fn packed_astar<'a>(&'a self, space: &'a S, start: &S::State, limits: &Limits) -> Option<Box<dyn Search<S> + 'a>>;
    fn hdastar<'a>(
        &'a self,
        space: &'a S,
        start: S::State,
        team: Team,
        limits: &Limits,
    ) -> Option<Box<dyn Search<S> + 'a>>;
    fn distributed_astar(
        &self,
        space: &S,
        start: &S::State,
        processes: &dyn Processes,
        limits: Limits,
        observer: &mut dyn Observer,
    ) -> Option<Report<S::Move>>;
}

impl<S: StateSpace, H: Heuristic<S>> Engines<S> for H {
    fn packed_astar<'a>(&'a self, space: &'a S, start: &S::State, limits: &Limits) -> Option<Box<dyn Search<S> + 'a>> {
        packed_astar(space, start, self, limits)
    }

    fn hdastar<'a>(
        &'a self,
        space: &'a S,
        start: S::State,
        team: Team,
        limits: &Limits,
    ) -> Option<Box<dyn Search<S> + 'a>> {
        hdastar(space, start, self, team, limits)
    }

    fn distributed_astar(
        &self,
        space: &S,
        start: &S::State,
        processes: &dyn Processes,
        limits: Limits,
        observer: &mut dyn Observer,
    ) -> Option<Report<S::Move>> {
        distributed_astar(space, start, self, processes, limits, observer)
    }
}

impl<S> fmt::Debug for Erased<'_, S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Erased").finish_non_exhaustive()
    }
}

impl<S: StateSpace> Heuristic<S> for Erased<'_, S> {
    type Eval = Estimate;

    #[inline]
    fn scale(&self) -> u32 {
        self.scale
    }

    #[inline]
    fn evaluate(&self, space: &S, state: &S::State) -> Estimate {
        self.heuristic.evaluate(space, state)
    }

    #[inline]
    fn estimate(&self, eval: Estimate) -> Estimate {
        eval
    }

    #[inline]
    fn eval_from_h(&self, _space: &S, _state: &S::State, units: u32) -> Estimate {
        Estimate::new(units)
    }

    fn properties(&self, space: &S) -> Properties {
        self.heuristic.properties(space)
    }

    fn abilities<'a, V: HeuristicVisitor<'a, S, Self>>(&'a self, visitor: V) -> V {
        let Abilities { subtree_search, tables } = self.heuristic.abilities();
        let visitor = if subtree_search { visitor.subtree_search(self) } else { visitor };
        if tables { visitor.tables(self) } else { visitor }
    }
}

impl<S: StateSpace> SearchesSubtrees<S> for Erased<'_, S> {
    fn subtree_search<'a>(
        &'a self,
        space: &'a S,
        automaton: Option<Arc<MoveAutomaton>>,
    ) -> Box<dyn SubtreeSearch<S, Estimate> + 'a> {
        self.heuristic.subtree_search(space, automaton).expect("the heuristic named this ability")
    }
}

impl<S: StateSpace> HasTables for Erased<'_, S> {
    fn copy_to_huge_pages(&self, most: u64, stop: &mut dyn FnMut() -> bool) -> Option<u64> {
        self.heuristic.copy_to_huge_pages(most, stop)
    }
}

/// The abilities of a heuristic.
#[derive(Default)]
struct Abilities {
    subtree_search: bool,
    tables: bool,
}

impl<'a, S: StateSpace, H: Heuristic<S>> HeuristicVisitor<'a, S, H> for Abilities {
    fn subtree_search(self, _heuristic: &'a H) -> Self
    where
        H: SearchesSubtrees<S>,
    {
        Abilities { subtree_search: true, ..self }
    }

    fn tables(self, _heuristic: &'a H) -> Self
    where
        H: HasTables,
    {
        Abilities { tables: true, ..self }
    }
}

/// The object-safe part of a heuristic.
trait AnyHeuristic<S: StateSpace>: Sync {
    fn evaluate(&self, space: &S, state: &S::State) -> Estimate;
    fn properties(&self, space: &S) -> Properties;
    fn abilities(&self) -> Abilities;
    fn subtree_search<'a>(
        &'a self,
        space: &'a S,
        automaton: Option<Arc<MoveAutomaton>>,
    ) -> Option<Box<dyn SubtreeSearch<S, Estimate> + 'a>>;
    fn copy_to_huge_pages(&self, most: u64, stop: &mut dyn FnMut() -> bool) -> Option<u64>;
    /// The searches compiled for the heuristic, or else for `erased`, which holds it.
    fn engines<'s>(&'s self, erased: &'s Erased<'_, S>) -> &'s dyn Engines<S>;
}

/// A heuristic behind some pointer, and whether searches are compiled for its type.
struct Held<D, const COMPILED: bool>(D);

impl<S: StateSpace, D: Deref<Target: Heuristic<S> + Sized> + Sync, const COMPILED: bool> AnyHeuristic<S>
    for Held<D, COMPILED>
{
    fn evaluate(&self, space: &S, state: &S::State) -> Estimate {
        self.0.estimate(self.0.evaluate(space, state))
    }

    fn properties(&self, space: &S) -> Properties {
        self.0.properties(space)
    }

    fn abilities(&self) -> Abilities {
        self.0.abilities(Abilities::default())
    }

    fn subtree_search<'a>(
        &'a self,
        space: &'a S,
        automaton: Option<Arc<MoveAutomaton>>,
    ) -> Option<Box<dyn SubtreeSearch<S, Estimate> + 'a>> {
        let heuristic = &*self.0;
        let search = subtree_search(space, heuristic, automaton)?;
        Some(Box::new(FromScratch { space, heuristic, search }))
    }

    fn copy_to_huge_pages(&self, most: u64, stop: &mut dyn FnMut() -> bool) -> Option<u64> {
        copy_to_huge_pages(&*self.0, most, stop)
    }

    fn engines<'s>(&'s self, erased: &'s Erased<'_, S>) -> &'s dyn Engines<S> {
        if const { COMPILED } { &*self.0 } else { erased }
    }
}

/// The subtree search of a heuristic, which evaluates the root of each subtree from scratch.
struct FromScratch<'a, S: StateSpace, H: Heuristic<S>> {
    space: &'a S,
    heuristic: &'a H,
    search: Box<dyn SubtreeSearch<S, H::Eval> + 'a>,
}

impl<S: StateSpace, H: Heuristic<S>> SubtreeSearch<S, Estimate> for FromScratch<'_, S, H> {
    fn begin(&mut self, top: Top<'_, S, Estimate>) -> bool {
        let Top { state, came_by, mark, room, .. } = top;
        self.search.begin(Top { state, came_by, mark, eval: self.heuristic.evaluate(self.space, state), room })
    }

    fn advance(&mut self, expansions: u64) -> SubtreeProgress {
        self.search.advance(expansions)
    }

    fn tally(&self) -> Tally {
        self.search.tally()
    }

    fn least_room(&self) -> Option<Cost> {
        self.search.least_room()
    }

    fn wants_large_subtrees(&self) -> bool {
        self.search.wants_large_subtrees()
    }
}
