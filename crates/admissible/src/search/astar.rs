//! A*, with one of three engines, chosen at the start of a search.
//!
//! Packed A* ([`super::packed_astar`]) needs a space with keys, a heuristic that is known to be consistent and has no
//! fractions, and [`TieBreak::LowH`]. Arena A* ([`super::arena`]) takes every other space and heuristic with that
//! tie-break. The other tie-breaks need the eager engine ([`super::best_first`]).

use super::arena::{ArenaAstar, SpaceProblem};
use super::best_first::{BestFirst, Order};
use super::open::TieBreak;
use super::packed_astar::PackedAstar;
use super::report::{Limits, Observer, Report, Weight};
use super::{Search, run};
use crate::heuristic::{Heuristic, Properties};
use crate::indexed::index_bound;
use crate::keyed::Keyed;
use crate::space::{AbilityVisitor, StateSpace};

/// A*: a cheapest path if the heuristic is admissible. The report says `optimal` only if it is known to be.
///
/// The fastest engine needs a space with keys ([`Keyed`]), a consistent heuristic and [`TieBreak::LowH`].
///
/// With [`TieBreak::LowH`], states are looked up when they are expanded and not when they are generated: the open list
/// may hold a state twice ([`Stats::frontier_duplicates`]). If a heuristic that is not known to be consistent turns out
/// inconsistent, states are reopened ([`Stats::reopened`]).
///
/// [`Stats::frontier_duplicates`]: super::Stats::frontier_duplicates
/// [`Stats::reopened`]: super::Stats::reopened
///
/// ```
/// use admissible::search::{Limits, TieBreak, astar, run};
/// # use admissible::example::{Doublings, Steps};
/// let space = Steps { goal: 100 };
/// let mut search = astar(&space, 3, &Doublings, TieBreak::LowH, &Limits::default());
/// let report = run(&mut *search, &Limits::default(), &mut ());
/// assert_eq!(report.outcome.cost(), Some(6));
/// ```
pub fn astar<'a, S: StateSpace, H: Heuristic<S>>(
    space: &'a S,
    start: S::State,
    heuristic: &'a H,
    tie: TieBreak,
    limits: &Limits,
) -> Box<dyn Search<S> + 'a> {
    match tie {
        TieBreak::LowH => packed_astar(space, &start, heuristic, limits).unwrap_or_else(|| {
            let problem = SpaceProblem { space, heuristic };
            Box::new(ArenaAstar::new(problem, space.pack(&start), index_bound(space), limits))
        }),
        TieBreak::Fifo | TieBreak::Lifo => Box::new(eager_astar(space, start, heuristic, tie, limits)),
    }
}

/// A*: a cheapest path, if the heuristic is admissible; see [`astar`]. The builder borrows the space and the heuristic
/// and holds the settings.
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

/// The fastest engine of [`astar`]; `None` unless the space has keys ([`Keyed`]), and the heuristic is known to be
/// consistent and has no fractions. For programs that compile no other engine for a type of heuristic.
pub fn packed_astar<'a, S: StateSpace, H: Heuristic<S>>(
    space: &'a S,
    start: &S::State,
    heuristic: &'a H,
    limits: &Limits,
) -> Option<Box<dyn Search<S> + 'a>> {
    struct Choice<'s, 'a, S: StateSpace, H> {
        start: &'s S::State,
        heuristic: &'a H,
        limits: &'s Limits,
        engine: Option<Box<dyn Search<S> + 'a>>,
    }
    impl<'a, S: StateSpace, H: Heuristic<S>> AbilityVisitor<'a, S> for Choice<'_, 'a, S, H> {
        fn keyed(self, space: &'a S) -> Self
        where
            S: Keyed,
        {
            let Choice { start, heuristic, limits, .. } = self;
            let engine: Box<dyn Search<S> + 'a> = if const { S::KEY_WORDS == 1 } {
                Box::new(PackedAstar::<S, H, 1>::from_start(space, heuristic, start, limits))
            } else {
                Box::new(PackedAstar::<S, H, 2>::from_start(space, heuristic, start, limits))
            };
            Choice { engine: Some(engine), ..self }
        }
    }
    let is_known = heuristic.properties(space) == Properties::CONSISTENT && heuristic.scale() == 1;
    is_known.then(|| space.abilities(Choice { start, heuristic, limits, engine: None }).engine)?
}

/// A* that looks up every successor when it is generated, so that its open list holds a state once, and reopens a
/// closed state to which it finds a cheaper path: optimal with every admissible heuristic.
pub fn eager_astar<'a, S: StateSpace, H: Heuristic<S>>(
    space: &'a S,
    start: S::State,
    heuristic: &'a H,
    tie: TieBreak,
    limits: &Limits,
) -> BestFirst<'a, S, H> {
    BestFirst::new(space, start, heuristic, Order::Weighted(Weight::ONE), tie, limits)
}
