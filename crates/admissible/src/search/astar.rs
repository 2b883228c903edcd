//! A*: eager at first, and packed where that is as good.

use super::best_first::{BestFirst, Order};
use super::closed::Nodes;
use super::open::TieBreak;
use super::report::{Limits, Outcome, Stats, Stop, Weight};
use super::{Progress, Search, Signal, Visit};
use crate::heuristic::{Heuristic, Properties};
use crate::keyed::has_keys;
use crate::space::{Cost, StateSpace};

/// A*: a cheapest path if the heuristic is admissible, and that is claimed only if it is known to be.
///
/// Where the heuristic is known to be consistent, ties go to the lowest `h` and the space has keys
/// ([`Keyed`](crate::Keyed)), a search that becomes large goes on in an engine that is several times as fast and takes
/// half the memory. It finds the same cost and expands the same states before the last layer. In the last layer the order
/// differs a little, and some counts are not taken
/// ([`Stats::generated_not_closed`]): [`eager_astar`] takes them all.
///
/// ```
/// use admissible::search::{Limits, TieBreak, astar, run};
/// # use admissible::example::{Doublings, Steps};
/// let space = Steps { goal: 100 };
/// let mut search = astar(&space, 3, &Doublings, TieBreak::LowH, &Limits::default());
/// let report = run(&mut search, &Limits::default(), &mut ());
/// assert_eq!(report.outcome.cost(), Some(6));
/// ```
pub fn astar<'a, S: StateSpace, H: Heuristic<S>>(
    space: &'a S,
    start: S::State,
    heuristic: &'a H,
    tie: TieBreak,
    limits: &Limits,
) -> Astar<'a, S, H> {
    let is_known = heuristic.properties(space) == Properties::CONSISTENT;
    let may_be_packed = is_known && H::SCALE == 1 && tie == TieBreak::LowH;
    let small = (has_keys(space) && may_be_packed).then_some(Small { expanded: EAGER_FOR, generated: EAGER_UNTIL });
    let nodes = if small.is_some() { Nodes::few(limits.bytes) } else { Nodes::new(space, limits.bytes) };
    let eager = BestFirst::with(nodes, space, start, heuristic, Order::Weighted(Weight::ONE), tie, limits);
    let eager = if small.is_some() { eager.keep_moves() } else { eager };
    Astar { engine: Engine::Eager(Box::new(eager)), small, signal: Signal::default() }
}

/// A* that looks up every successor as soon as it is produced, and opens a closed state again that turns out to be
/// cheaper: right with every admissible heuristic, and all counts are taken.
pub fn eager_astar<'a, S: StateSpace, H: Heuristic<S>>(
    space: &'a S,
    start: S::State,
    heuristic: &'a H,
    tie: TieBreak,
    limits: &Limits,
) -> BestFirst<'a, S, H> {
    BestFirst::new(space, start, heuristic, Order::Weighted(Weight::ONE), tie, limits)
}

/// The expansions after which a search counts as large. Small ones are over before it matters, and keep their order.
const EAGER_FOR: u64 = 512;
/// The successors with which it does, even if it has expanded fewer states.
const EAGER_UNTIL: u64 = 4096;
/// How many states are expanded between two looks at their successors.
const LOOK_EVERY: u64 = 8;

/// How much a search may have done to count as small.
#[derive(Debug, Clone, Copy)]
struct Small {
    expanded: u64,
    generated: u64,
}

/// A* under way; see [`astar`].
pub struct Astar<'a, S: StateSpace, H: Heuristic<S>> {
    engine: Engine<'a, S, H>,
    /// Beyond this the packed engine takes over, if it may.
    small: Option<Small>,
    signal: Signal,
}

enum Engine<'a, S: StateSpace, H: Heuristic<S>> {
    Eager(Box<BestFirst<'a, S, H>>),
    /// Its type depends on the size of the keys.
    Packed(Box<dyn Search<S> + 'a>),
}

impl<'a, S: StateSpace, H: Heuristic<S>> Astar<'a, S, H> {
    /// Changes how many states are expanded before the search counts as large: unless you say so 512, or as many as have about
    /// four thousand successors. It makes no difference where the other engine cannot take over.
    #[must_use]
    pub fn eager_for(self, expansions: u64) -> Self {
        Astar { small: self.small.map(|_| Small { expanded: expansions, generated: u64::MAX }), ..self }
    }

    fn search(&self) -> &(dyn Search<S> + 'a) {
        match &self.engine {
            Engine::Eager(search) => &**search,
            Engine::Packed(search) => &**search,
        }
    }

    fn search_mut(&mut self) -> &mut (dyn Search<S> + 'a) {
        match &mut self.engine {
            Engine::Eager(search) => &mut **search,
            Engine::Packed(search) => &mut **search,
        }
    }

    /// Has the packed engine take over, unless its tables do not fit.
    fn hand_over(&mut self) {
        self.small = None;
        let Engine::Eager(eager) = &mut self.engine else { return };
        if let Some(mut packed) = eager.packed() {
            packed.heed(&self.signal);
            self.engine = Engine::Packed(packed);
        } else {
            eager.forget_moves();
        }
    }

    /// How many states the eager engine expands before it is asked again whether the search is still small; none if it is not. The
    /// engines change after a fixed number of expansions, however they are asked for.
    fn while_small(&self) -> Option<u64> {
        let small = self.small.filter(|_| self.outcome().is_none())?;
        let Stats { expanded, generated, .. } = self.stats();
        let is_large = expanded.is_multiple_of(LOOK_EVERY) && generated >= small.generated;
        let left = if is_large { 0 } else { small.expanded.saturating_sub(expanded) };
        Some(left.min(LOOK_EVERY - expanded % LOOK_EVERY))
    }
}

impl<S: StateSpace, H: Heuristic<S>> Search<S> for Astar<'_, S, H> {
    fn advance(&mut self, expansions: u64) -> Progress {
        let mut left = expansions;
        while let Some(small) = self.while_small() {
            if small == 0 {
                self.hand_over();
                break;
            }
            let some = small.min(left);
            let progress = self.search_mut().advance(some);
            left -= some;
            if progress != Progress::Running || left == 0 {
                return progress;
            }
        }
        self.search_mut().advance(left)
    }

    fn stats(&self) -> Stats {
        self.search().stats()
    }

    fn outcome(&self) -> Option<&Outcome<S::Move>> {
        self.search().outcome()
    }

    fn stop(&mut self, why: Stop) {
        self.search_mut().stop(why);
    }

    fn last_visit(&self) -> Option<Visit<S::Packed>> {
        self.search().last_visit()
    }

    fn each_closed(&self, visit: &mut dyn FnMut(S::Packed, Cost)) -> bool {
        self.search().each_closed(visit)
    }

    fn heed(&mut self, signal: &Signal) {
        self.signal = signal.clone();
        self.search_mut().heed(signal);
    }
}
