//! Eager best-first search: A* and its relatives, which differ only in the key of the open list.
//!
//! Hart, Nilsson and Raphael (1968). Every successor is looked up when it is generated. A closed state to which a
//! cheaper path is found is reopened, so an inconsistent heuristic costs time but never optimality. Nodes store no `h`:
//! it is computed again when a node is expanded, which is cheaper than the memory; successors get theirs incrementally.

use super::closed::{Full, Lookup, NodeId, Nodes};
use super::open::{Open, TieBreak};
use super::report::{Guarantee, LayerCounts, Limits, Outcome, Solution, Stats, Stop, Weight};
use super::{Progress, Search, Signal, Visit, moves_along};
use crate::heuristic::{Heuristic, Properties, Zero};
use crate::space::{Cost, StateSpace};

/// A* that never reopens a closed state, as it is often taught: a cheapest path only if the heuristic is consistent. It
/// is here for comparison.
pub fn astar_without_reopening<'a, S: StateSpace, H: Heuristic<S>>(
    space: &'a S,
    start: S::State,
    heuristic: &'a H,
    tie: TieBreak,
    limits: &Limits,
) -> BestFirst<'a, S, H> {
    let mut search = BestFirst::new(space, start, heuristic, Order::Weighted(Weight::ONE), tie, limits);
    search.reopens = false;
    // Without reopening, admissibility proves nothing unless the heuristic is also consistent.
    search.properties.admissible &= search.properties.consistent;
    search
}

/// Uniform-cost search (Dijkstra's algorithm): A* without a heuristic.
pub fn ucs<'a, S: StateSpace>(space: &'a S, start: S::State, tie: TieBreak, limits: &Limits) -> BestFirst<'a, S, Zero> {
    BestFirst::new(space, start, &Zero, Order::Weighted(Weight::ONE), tie, limits)
}

/// Weighted A*: ordered by `g + weight * h`. With an admissible heuristic the path costs at most `weight` times the
/// optimum.
pub fn wastar<'a, S: StateSpace, H: Heuristic<S>>(
    space: &'a S,
    start: S::State,
    heuristic: &'a H,
    weight: Weight,
    tie: TieBreak,
    limits: &Limits,
) -> BestFirst<'a, S, H> {
    BestFirst::new(space, start, heuristic, Order::Weighted(weight), tie, limits)
}

/// Greedy best-first search: ordered by `h` alone. Fast, but without a guarantee.
pub fn greedy<'a, S: StateSpace, H: Heuristic<S>>(
    space: &'a S,
    start: S::State,
    heuristic: &'a H,
    tie: TieBreak,
    limits: &Limits,
) -> BestFirst<'a, S, H> {
    BestFirst::new(space, start, heuristic, Order::Greedy, tie, limits)
}

/// The bytes by which the open list may grow in one expansion.
pub(super) const MARGIN: u64 = 4096;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Order {
    Weighted(Weight),
    Greedy,
}

/// A best-first search under way; see [`eager_astar`](super::eager_astar), [`ucs`], [`wastar`] and [`greedy`].
pub struct BestFirst<'a, S: StateSpace, H: Heuristic<S>> {
    space: &'a S,
    heuristic: &'a H,
    properties: Properties,
    order: Order,
    reopens: bool,
    /// Bytes that open and closed list may take together.
    limit: u64,
    nodes: Nodes<S::Packed>,
    open: Open,
    frontier: u64,
    stats: Stats,
    layers: LayerCounts,
    /// The largest key that does not raise the lower bound.
    layer_end: u64,
    /// Whether successors were skipped because their `g` does not fit into [`Cost`].
    overflowed: bool,
    /// Whether successors were skipped because the heuristic called them dead ends.
    dead_ends: bool,
    last: Option<NodeId>,
    outcome: Option<Outcome<S::Move>>,
}

impl<'a, S: StateSpace, H: Heuristic<S>> BestFirst<'a, S, H> {
    pub(super) fn new(
        space: &'a S,
        start: S::State,
        heuristic: &'a H,
        order: Order,
        tie: TieBreak,
        limits: &Limits,
    ) -> Self {
        let mut search = BestFirst {
            space,
            heuristic,
            properties: heuristic.properties(space),
            order,
            reopens: order != Order::Greedy,
            limit: limits.bytes.unwrap_or(u64::MAX),
            nodes: Nodes::new(space, limits.bytes),
            open: Open::new(tie),
            frontier: 0,
            stats: Stats::default(),
            layers: LayerCounts::default(),
            layer_end: 0,
            overflowed: false,
            dead_ends: false,
            last: None,
            outcome: None,
        };
        let estimate = heuristic.estimate(heuristic.evaluate(space, &start));
        match (estimate.units(), search.nodes.find_or_insert(space, space.pack(&start), 0, None)) {
            (Some(h), Err(Full)) => search.stop_at(Stop::Memory, search.bound_of(search.key(0, h))),
            (None, Err(Full)) => search.stop_at(Stop::Memory, 0),
            (Some(h), Ok(Lookup::New(id) | Lookup::Known(id))) => {
                search.frontier = 1;
                search.open.push(search.key(0, h), h, id);
            }
            (None, Ok(_)) => search.dead_ends = true,
        }
        search.measure();
        search
    }

    #[inline]
    fn key(&self, g: Cost, h: u32) -> u64 {
        match self.order {
            Order::Weighted(weight) => {
                u64::from(g) * u64::from(self.heuristic.scale()) * weight.denominator()
                    + u64::from(h) * weight.numerator()
            }
            Order::Greedy => h.into(),
        }
    }

    /// The key of the next open node, after dropping entries of nodes that were closed in the meantime.
    #[inline]
    fn least_key(&mut self) -> Option<u64> {
        while let Some((key, id)) = self.open.peek() {
            if !self.nodes.is_closed(id) {
                return Some(key);
            }
            self.open.pop();
        }
        None
    }

    /// A lower bound of the cost of every solution, if no open node has a smaller key: some open node lies on a
    /// cheapest path, so its `g + h` is at most the optimal cost, and `key <= weight * (g + h)`.
    fn bound_of(&self, key: u64) -> Cost {
        match self.order {
            Order::Weighted(weight) if self.properties.admissible => {
                let bound = key.div_ceil(weight.numerator() * u64::from(self.heuristic.scale()));
                bound.min(Cost::MAX.into()) as Cost
            }
            _ => 0,
        }
    }

    /// Raises the lower bound, given that no open node has a key below this; true if it rose.
    #[cold]
    fn raise_bound(&mut self, key: u64) -> bool {
        let bound = self.bound_of(key);
        self.layer_end = match self.order {
            Order::Weighted(weight) if self.properties.admissible && bound < Cost::MAX => {
                u64::from(bound) * weight.numerator() * u64::from(self.heuristic.scale())
            }
            _ => u64::MAX,
        };
        let raised = bound > self.stats.layer;
        self.stats.layer = self.stats.layer.max(bound);
        raised
    }

    fn stop_at(&mut self, why: Stop, lower_bound: Cost) {
        self.measure();
        self.stats.expanded_before_last_layer =
            self.layers.below(u64::from(lower_bound) * u64::from(self.heuristic.scale()));
        self.outcome = Some(Outcome::Stopped { why, lower_bound });
    }

    fn measure(&mut self) {
        self.stats.max_frontier = self.stats.max_frontier.max(self.frontier);
        self.stats.hold(self.nodes.len(), self.nodes.bytes() + self.open.bytes());
    }

    fn guarantee(&self) -> Guarantee {
        match self.order {
            Order::Weighted(weight) if self.properties.admissible => {
                if weight.numerator() == weight.denominator() {
                    Guarantee::Optimal
                } else {
                    Guarantee::Within(weight)
                }
            }
            _ => Guarantee::None,
        }
    }

    #[cold]
    fn solved(&mut self, id: NodeId) -> Progress {
        let cost = self.nodes.g(id);
        let (moves, walked) = moves_along(self.space, &self.nodes.path_to(id));
        debug_assert!(walked.is_some_and(|walked| walked <= cost), "the path costs what the goal's g says");
        let cost = walked.unwrap_or(cost);
        self.stats.expanded_before_last_layer = self.layers.below(u64::from(cost) * u64::from(self.heuristic.scale()));
        self.outcome = Some(Outcome::Solved(Solution { cost, moves, guarantee: self.guarantee() }));
        Progress::Ended
    }

    #[cold]
    fn exhausted(&mut self) -> Progress {
        self.stats.expanded_before_last_layer = self.stats.expanded;
        let unproved = self.dead_ends && !self.properties.admissible;
        self.outcome = Some(Outcome::exhausted(self.overflowed, unproved, self.stats.layer));
        Progress::Ended
    }

    /// Generates the successors of a node that was just popped.
    #[inline]
    fn expand(&mut self, id: NodeId, state: &mut S::State) -> Result<(), Full> {
        let (space, heuristic) = (self.space, self.heuristic);
        let g = self.nodes.g(id);
        let eval = heuristic.evaluate(space, state);
        let h = heuristic.estimate(eval).units().unwrap_or(0);
        self.layers.count(u64::from(g) * u64::from(self.heuristic.scale()) + u64::from(h));
        self.stats.expanded += 1;
        for m in space.moves(state) {
            self.stats.generated += 1;
            let cost = space.cost(state, m);
            debug_assert!(cost > 0, "moves cost at least 1");
            let Some(next_g) = g.checked_add(cost) else {
                self.overflowed = true;
                continue;
            };
            let undo = space.apply(state, m);
            let estimate = heuristic.estimate(heuristic.advance(space, eval, state, m));
            let packed = space.pack(state);
            space.undo(state, m, undo);
            let Some(next_h) = estimate.units() else {
                self.dead_ends = true;
                continue;
            };
            match self.nodes.find_or_insert(space, packed, next_g, Some(id))? {
                Lookup::New(next) => {
                    self.frontier += 1;
                    self.open.push(self.key(next_g, next_h), next_h, next);
                }
                Lookup::Known(next) => {
                    let closed = self.nodes.is_closed(next);
                    if next_g >= self.nodes.g(next) || self.order == Order::Greedy || (closed && !self.reopens) {
                        continue;
                    }
                    if closed {
                        self.stats.reopened += 1;
                        self.frontier += 1;
                    }
                    self.nodes.improve(next, next_g, id);
                    self.open.push(self.key(next_g, next_h), next_h, next);
                }
            }
        }
        Ok(())
    }
}

impl<S: StateSpace, H: Heuristic<S>> Search<S> for BestFirst<'_, S, H> {
    fn advance(&mut self, expansions: u64) -> Progress {
        if self.outcome.is_some() {
            return Progress::Ended;
        }
        for _ in 0..expansions {
            let Some(key) = self.least_key() else {
                self.measure();
                return self.exhausted();
            };
            if key > self.layer_end && self.raise_bound(key) {
                self.measure();
                return Progress::Layer(self.stats.layer);
            }
            let (_, id) = self.open.pop().expect("something is open");
            self.frontier -= 1;
            self.last = Some(id);
            let mut state = self.space.unpack(self.nodes.packed(id));
            if self.space.is_goal(&state) {
                self.measure();
                return self.solved(id);
            }
            self.nodes.close(id);
            // Reserve what the open list may grow by in this expansion.
            let left = self.limit.saturating_sub(self.open.bytes_to_come() + MARGIN);
            self.nodes.set_limit(left);
            if self.nodes.bytes() > left || self.expand(id, &mut state) == Err(Full) {
                // The open nodes give no bound: successors that did not fit are missing.
                self.stop_at(self.nodes.why_full(), self.stats.layer);
                return Progress::Ended;
            }
            self.stats.max_frontier = self.stats.max_frontier.max(self.frontier);
        }
        self.measure();
        Progress::Running
    }

    fn stats(&self) -> Stats {
        self.stats
    }

    fn outcome(&self) -> Option<&Outcome<S::Move>> {
        self.outcome.as_ref()
    }

    fn stop(&mut self, why: Stop) {
        if self.outcome.is_none() {
            let of_open = self.least_key().map_or(0, |key| self.bound_of(key));
            self.stop_at(why, of_open.max(self.stats.layer));
        }
    }

    fn set_signal(&mut self, signal: &Signal) {
        self.nodes.set_signal(signal);
    }

    fn last_visit(&self) -> Option<Visit<S::Packed>> {
        let id = self.last?;
        let state = self.space.unpack(self.nodes.packed(id));
        let estimate = self.heuristic.estimate(self.heuristic.evaluate(self.space, &state));
        Some(self.nodes.visit(id, estimate, self.heuristic.scale()))
    }

    fn each_closed(&self, visit: &mut dyn FnMut(S::Packed, Cost)) -> bool {
        self.nodes.each(Nodes::is_closed, visit);
        true
    }
}
