//! A heuristic whose type is erased.
//!
//! A search is compiled once for each type of heuristic, so that its innermost loop can inline the heuristic. Where
//! that loop rarely evaluates the heuristic, or the speed of the search does not matter, one [`Erased`] type for all
//! heuristics saves most of the build time of a program with many heuristics.

use std::fmt;
use std::ops::Deref;
use std::sync::Arc;

use crate::heuristic::{Estimate, Heuristic, HeuristicVisitor, Properties};
use crate::keyed::has_keys;
use crate::platform::IS_SMALL;
use crate::pruning::MoveAutomaton;
use crate::search::distributed::{Processes, distributed_astar};
use crate::search::subtree::{SearchesSubtrees, SubtreeProgress, SubtreeSearch, Tally, Top, subtree_search};
use crate::search::{
    Idastar, IdastarSettings, Limits, Observer, Report, Search, Team, TieBreak, astar, beam, hdastar, packed_astar,
};
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
        Self::held(Held::<D, NONE>(heuristic))
    }

    /// Like [`Erased::new`], but compiles A* and IDA* for the type of the heuristic, so that they inline it and
    /// evaluate it incrementally: [`Erased::astar`] and [`Erased::idastar`]. Where programs have to be small
    /// ([`IS_SMALL`]) this is [`Erased::new`].
    pub fn compiled<D: Deref<Target: Heuristic<S> + Sized> + Sync + 'a>(heuristic: D) -> Self {
        if const { IS_SMALL } { Self::new(heuristic) } else { Self::held(Held::<D, ANY_SPACE>(heuristic)) }
    }

    /// The same for a space with keys ([`Keyed`](crate::Keyed)): compiles packed A*, HDA* and distributed A* for the
    /// type of the heuristic ([`Erased::astar`], [`Erased::hdastar`] and [`Erased::distributed_astar`]).
    pub fn compiled_packed<D: Deref<Target: Heuristic<S> + Sized> + Sync + 'a>(heuristic: D) -> Self {
        if const { IS_SMALL } { Self::new(heuristic) } else { Self::held(Held::<D, KEYED>(heuristic)) }
    }

    /// Like [`Erased::new`], but compiles beam search for the type of the heuristic: [`Erased::beam`].
    pub fn compiled_beam<D: Deref<Target: Heuristic<S> + Sized> + Sync + 'a>(heuristic: D) -> Self {
        if const { IS_SMALL } { Self::new(heuristic) } else { Self::held(Held::<D, BEAM>(heuristic)) }
    }

    fn held<D: Deref<Target: Heuristic<S> + Sized> + Sync + 'a, const ENGINES: u8>(held: Held<D, ENGINES>) -> Self {
        Erased { scale: held.0.scale(), heuristic: Box::new(held) }
    }

    /// [`astar`] with ties towards low `h`.
    pub fn astar<'s>(&'s self, space: &'s S, start: S::State, limits: &Limits) -> Box<dyn Search<S> + 's> {
        let compiled = self.heuristic.astar(space, &start, limits);
        compiled.unwrap_or_else(|| astar(space, start, self, TieBreak::LowH, limits))
    }

    /// [`Idastar`] with these settings.
    pub fn idastar<'s>(&'s self, space: &'s S, start: S::State, settings: &IdastarSettings) -> Box<dyn Search<S> + 's> {
        let compiled = self.heuristic.idastar(space, &start, settings);
        compiled.unwrap_or_else(|| Idastar::new(space, self).settings(*settings).search(start))
    }

    /// [`beam`] with this heuristic.
    pub fn beam<'s>(&'s self, space: &'s S, start: S::State, limits: &Limits) -> Box<dyn Search<S> + 's> {
        let compiled = self.heuristic.beam(space, &start, limits);
        compiled.unwrap_or_else(|| Box::new(beam(space, start, self, limits)))
    }

    /// [`hdastar`] with this heuristic; A* in a small program ([`IS_SMALL`]), which has one thread.
    pub fn hdastar<'s>(
        &'s self,
        space: &'s S,
        start: S::State,
        team: Team,
        limits: &Limits,
    ) -> Option<Box<dyn Search<S> + 's>> {
        if const { IS_SMALL } {
            // On one thread, it is A*.
            return has_keys(space).then(|| self.astar(space, start, limits));
        }
        match self.heuristic.hdastar(space, &start, team, limits) {
            Some(compiled) => compiled,
            None => hdastar(space, start, self, team, limits),
        }
    }

    /// [`distributed_astar`] with this heuristic; `None` in a small program ([`IS_SMALL`]), which runs alone.
    pub fn distributed_astar(
        &self,
        space: &S,
        start: &S::State,
        processes: &dyn Processes,
        limits: Limits,
        observer: &mut dyn Observer,
    ) -> Option<Report<S::Move>> {
        if const { IS_SMALL } {
            return None;
        }
        match self.heuristic.distributed_astar(space, start, processes, limits, observer) {
            Some(compiled) => compiled,
            None => distributed_astar(space, start, self, processes, limits, observer),
        }
    }
}

/// Which searches are compiled for the type of a heuristic.
const NONE: u8 = 0;
const ANY_SPACE: u8 = 1;
const KEYED: u8 = 2;
const BEAM: u8 = 3;

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
        if self.heuristic.searches_subtrees() { visitor.subtree_search(self) } else { visitor }
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

/// Whether a heuristic has a subtree search.
struct Searches(bool);

impl<'a, S: StateSpace, H: Heuristic<S>> HeuristicVisitor<'a, S, H> for Searches {
    fn subtree_search(self, _heuristic: &'a H) -> Self
    where
        H: SearchesSubtrees<S>,
    {
        Searches(true)
    }
}

/// The object-safe part of a heuristic.
trait AnyHeuristic<S: StateSpace>: Sync {
    fn evaluate(&self, space: &S, state: &S::State) -> Estimate;
    fn properties(&self, space: &S) -> Properties;
    fn searches_subtrees(&self) -> bool;
    fn subtree_search<'a>(
        &'a self,
        space: &'a S,
        automaton: Option<Arc<MoveAutomaton>>,
    ) -> Option<Box<dyn SubtreeSearch<S, Estimate> + 'a>>;
    // The searches that are compiled for the heuristic; `None` for the others.
    fn astar<'a>(&'a self, space: &'a S, start: &S::State, limits: &Limits) -> Compiled<'a, S>;
    fn idastar<'a>(&'a self, space: &'a S, start: &S::State, settings: &IdastarSettings) -> Compiled<'a, S>;
    fn beam<'a>(&'a self, space: &'a S, start: &S::State, limits: &Limits) -> Compiled<'a, S>;
    fn hdastar<'a>(&'a self, space: &'a S, start: &S::State, team: Team, limits: &Limits) -> Option<Compiled<'a, S>>;
    fn distributed_astar(
        &self,
        space: &S,
        start: &S::State,
        processes: &dyn Processes,
        limits: Limits,
        observer: &mut dyn Observer,
    ) -> Option<Option<Report<S::Move>>>;
}

/// A search, if it is compiled.
type Compiled<'a, S> = Option<Box<dyn Search<S> + 'a>>;

/// A heuristic behind some pointer, and the searches that are compiled for its type.
struct Held<D, const ENGINES: u8>(D);

impl<S: StateSpace, D: Deref<Target: Heuristic<S> + Sized> + Sync, const ENGINES: u8> AnyHeuristic<S>
    for Held<D, ENGINES>
{
    fn evaluate(&self, space: &S, state: &S::State) -> Estimate {
        self.0.estimate(self.0.evaluate(space, state))
    }

    fn properties(&self, space: &S) -> Properties {
        self.0.properties(space)
    }

    fn searches_subtrees(&self) -> bool {
        self.0.abilities(Searches(false)).0
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

    fn astar<'a>(&'a self, space: &'a S, start: &S::State, limits: &Limits) -> Compiled<'a, S> {
        if const { ENGINES == KEYED } {
            packed_astar(space, start, &*self.0, limits)
        } else if const { ENGINES == ANY_SPACE } {
            Some(astar(space, start.clone(), &*self.0, TieBreak::LowH, limits))
        } else {
            None
        }
    }

    fn idastar<'a>(&'a self, space: &'a S, start: &S::State, settings: &IdastarSettings) -> Compiled<'a, S> {
        if const { ENGINES == ANY_SPACE } {
            Some(Idastar::new(space, &*self.0).settings(*settings).search(start.clone()))
        } else {
            None
        }
    }

    fn beam<'a>(&'a self, space: &'a S, start: &S::State, limits: &Limits) -> Compiled<'a, S> {
        if const { ENGINES == BEAM } { Some(Box::new(beam(space, start.clone(), &*self.0, limits))) } else { None }
    }

    fn hdastar<'a>(&'a self, space: &'a S, start: &S::State, team: Team, limits: &Limits) -> Option<Compiled<'a, S>> {
        if const { ENGINES == KEYED } { Some(hdastar(space, start.clone(), &*self.0, team, limits)) } else { None }
    }

    fn distributed_astar(
        &self,
        space: &S,
        start: &S::State,
        processes: &dyn Processes,
        limits: Limits,
        observer: &mut dyn Observer,
    ) -> Option<Option<Report<S::Move>>> {
        if const { ENGINES == KEYED } {
            Some(distributed_astar(space, start, &*self.0, processes, limits, observer))
        } else {
            None
        }
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
