//! Arena A*: A* for any space, with duplicate detection at expansion.
//!
//! *Closed* is an arena of nodes (state, `g`, parent) in the order of their first expansion, and a hash table of node
//! ids. *Open* holds states and parent ids. A state is looked up only when it is taken from open: one access to a large
//! table for each expansion instead of one for each successor. So open may hold a state several times
//! ([`Stats::frontier_duplicates`]). Entries wait in a queue of [`AHEAD`], in which their table slots are prefetched.
//!
//! Invariant: all queued entries have the same `f`, and no open entry has a smaller one. As long as `f` never falls
//! along a move, states are expanded in the order of `f`, and the first expansion of a state has its least `g`. Once
//! `f` falls, the heuristic is inconsistent: from then on `g` is compared, and a state with a smaller `g` is reopened.
//!
//! With a fractional heuristic `f` is compared in halves (see [`key`]): all fractions between two whole costs are
//! equivalent, since a solution costs a whole number. Hart, Nilsson and Raphael (1968); Dial (1969) for the buckets.

mod closures;
mod open;
mod space;

use std::collections::VecDeque;
use std::hash::Hash;

pub use closures::AstarFn;
pub(super) use space::SpaceProblem;

use super::closed::{Full, Lookup, NO_PARENT, NodeId, Nodes};
use super::report::{Guarantee, LayerCounts, Limits, Outcome, Solution, Stats, Stop};
use super::{Progress, Search, Signal, Visit};
use crate::heuristic::{Estimate, Properties};
use crate::space::{Cost, StateSpace};
use open::{ArenaOpen, OpenEntry};

/// The length of the queue between open and closed.
const AHEAD: usize = 64;
/// The position in the queue at which the slot has arrived, and the node that it names is prefetched.
const HALFWAY: usize = AHEAD / 2;
/// Smaller closed lists stay in the cache: there entries are taken one by one, in the exact order.
const CACHED: usize = 1 << 14;

/// The interface of a problem to this engine.
pub(super) trait ArenaProblem {
    /// Names the types of a report.
    type Space: StateSpace;
    /// A state as both lists hold it.
    type Key: Eq + Hash;

    fn properties(&self) -> Properties;
    /// The units of an estimate that make a cost of 1.
    fn scale(&self) -> u32 {
        1
    }
    /// The index of a state, if the problem has indexes.
    fn index(&self, key: &Self::Key) -> u32;
    /// Calls `visit` with every successor except `back`, the cost of the move and the estimate. Returns the number of
    /// successors including `back`, or `None` if the state is a goal.
    fn expand(
        &mut self,
        key: &Self::Key,
        h: u32,
        back: Option<&Self::Key>,
        visit: impl FnMut(Self::Key, Cost, Estimate) -> Result<(), Full>,
    ) -> Result<Option<u64>, Full>;
    /// A state in a [`Visit`].
    fn name(&self, id: NodeId, key: &Self::Key) -> <Self::Space as StateSpace>::Packed;
    /// The estimate in a [`Visit`].
    fn estimate(&self, key: &Self::Key) -> Estimate;
    /// The moves along a path, and their cost.
    fn moves(
        &self,
        nodes: &Nodes<Self::Key>,
        path: &[NodeId],
    ) -> (Vec<<Self::Space as StateSpace>::Move>, Option<Cost>);
}

/// An entry that was taken from open and waits in the queue.
struct QueuedEntry<K> {
    entry: OpenEntry<K>,
    h: u32,
    /// See [`Nodes::spot`].
    spot: u64,
}

/// A search under way.
pub(super) struct ArenaAstar<P: ArenaProblem> {
    problem: P,
    properties: Properties,
    /// Bytes that open and closed list may take together.
    limit: u64,
    nodes: Nodes<P::Key>,
    open: ArenaOpen<P::Key>,
    queue: VecDeque<QueuedEntry<P::Key>>,
    /// The `f` of all queued entries.
    f: u64,
    /// The largest `f` that does not raise the lower bound.
    layer_end: u64,
    /// Whether `f` ever fell along a move.
    is_inconsistent: bool,
    /// Whether successors were skipped because their `g` does not fit into [`Cost`].
    overflowed: bool,
    /// Whether successors were skipped because the heuristic called them dead ends.
    dead_ends: bool,
    stats: Stats,
    layers: LayerCounts,
    /// The node that was expanded last, or the goal.
    last: Option<NodeId>,
    outcome: Option<Outcome<<P::Space as StateSpace>::Move>>,
}

/// The keys of open: `f` and `h` in whole costs, rounded down. With fractions `f` is doubled, plus one if it was
/// rounded: so a goal, which has no fraction, comes after all states with a smaller exact `f`.
#[inline]
fn key(scale: u32, g: Cost, h: u32) -> (u64, u32) {
    let whole = h / scale;
    let f = u64::from(g) + u64::from(whole);
    if scale == 1 { (f, whole) } else { (2 * f + u64::from(!h.is_multiple_of(scale)), whole) }
}

impl<P: ArenaProblem> ArenaAstar<P> {
    /// The units of `f` that make a cost of 1.
    fn parts(&self) -> u64 {
        if self.problem.scale() == 1 { 1 } else { 2 }
    }

    /// A search from `start`. If an index bound is given, all states have indexes below it.
    pub(super) fn new(problem: P, start: P::Key, index_bound: Option<u32>, limits: &Limits) -> Self {
        let limit = limits.bytes.unwrap_or(u64::MAX);
        let estimate = problem.estimate(&start);
        let mut search = ArenaAstar {
            properties: problem.properties(),
            problem,
            limit,
            nodes: Nodes::with_indexes(index_bound, limit),
            open: ArenaOpen::new(),
            queue: VecDeque::with_capacity(AHEAD),
            f: 0,
            layer_end: 0,
            is_inconsistent: false,
            overflowed: false,
            dead_ends: false,
            stats: Stats { frontier_duplicates: true, ..Stats::default() },
            layers: LayerCounts::default(),
            last: None,
            outcome: None,
        };
        match estimate.units() {
            Some(h) => {
                let (f, h) = key(search.problem.scale(), 0, h);
                let left = limit.saturating_sub(search.nodes.bytes());
                if search.open.push(f, h, OpenEntry { key: start, parent: NO_PARENT }, left).is_err() {
                    search.stop_at(Stop::Memory, search.bound_of(f));
                }
            }
            None => search.dead_ends = true,
        }
        search.stats.max_frontier = search.frontier();
        search.measure();
        search
    }

    fn frontier(&self) -> u64 {
        (self.open.len() + self.queue.len()) as u64
    }

    fn measure(&mut self) {
        self.stats.hold(self.nodes.len() + self.frontier() as usize, self.nodes.bytes() + self.open.bytes());
    }

    /// A lower bound of the cost of every solution, if no entry has a smaller `f`.
    fn bound_of(&self, f: u64) -> Cost {
        if self.properties.admissible { f.div_ceil(self.parts()).min(Cost::MAX.into()) as Cost } else { 0 }
    }

    /// Raises the lower bound, given that no entry has an `f` below this; true if it rose.
    fn raise_bound(&mut self, f: u64) -> bool {
        let bound = self.bound_of(f);
        let is_bound = self.properties.admissible && bound < Cost::MAX;
        self.layer_end = if is_bound { u64::from(bound) * self.parts() } else { u64::MAX };
        let raised = bound > self.stats.layer;
        self.stats.layer = self.stats.layer.max(bound);
        raised
    }

    /// Fills the queue from open.
    #[inline]
    fn refill(&mut self) {
        let ahead = if self.nodes.len() < CACHED { 1 } else { AHEAD };
        while self.queue.len() < ahead
            && let Some((h, entry)) = self.open.take(self.f)
        {
            let spot = self.nodes.spot(&entry.key, |key| self.problem.index(key));
            self.nodes.prefetch_slot(spot);
            self.nodes.prefetch_node(entry.parent);
            self.queue.push_back(QueuedEntry { entry, h, spot });
        }
        if let Some(taken) = self.queue.get(HALFWAY) {
            self.nodes.prefetch_candidate(taken.spot);
        }
    }

    /// The node to expand for an entry; `None` if its state was already expanded with a `g` no larger.
    #[inline]
    fn close(&mut self, QueuedEntry { entry, h, spot }: QueuedEntry<P::Key>) -> Result<Option<NodeId>, Full> {
        let g = (self.f / self.parts() - u64::from(h)) as Cost;
        match self.nodes.find_or_insert_at(spot, entry.key, g, entry.parent)? {
            Lookup::New(id) => Ok(Some(id)),
            Lookup::Known(id) if self.is_inconsistent && g < self.nodes.g(id) => {
                self.nodes.improve(id, g, entry.parent);
                self.stats.reopened += 1;
                Ok(Some(id))
            }
            Lookup::Known(_) => Ok(None),
        }
    }

    /// Adds the successors of a node to open; false if the node is a goal.
    #[inline]
    fn expand(&mut self, id: NodeId, h: u32) -> Result<bool, Full> {
        let ArenaAstar { problem, nodes, open, overflowed, dead_ends, .. } = self;
        let (g, scale) = (nodes.g(id), problem.scale());
        let back = nodes.parent(id).map(|parent| nodes.get(parent));
        let left = self.limit.saturating_sub(nodes.bytes());
        let mut least = self.f;
        let count = problem.expand(nodes.get(id), h, back, |successor, cost, estimate| {
            debug_assert!(cost > 0, "moves cost at least 1");
            let Some(g) = g.checked_add(cost) else {
                *overflowed = true;
                return Ok(());
            };
            let Some(h) = estimate.units() else {
                *dead_ends = true;
                return Ok(());
            };
            let (f, h) = key(scale, g, h);
            least = least.min(f);
            open.push(f, h, OpenEntry { key: successor, parent: id }, left)
        })?;
        let Some(count) = count else { return Ok(false) };
        nodes.close(id);
        self.layers.count(self.f);
        self.stats.expanded += 1;
        self.stats.generated += count;
        self.stats.max_frontier = self.stats.max_frontier.max(self.frontier());
        if least < self.f {
            self.fall_to(least)?;
        }
        Ok(true)
    }

    /// Continues with a smaller `f`: queued entries go back to open.
    #[cold]
    fn fall_to(&mut self, f: u64) -> Result<(), Full> {
        let left = self.limit.saturating_sub(self.nodes.bytes());
        while let Some(QueuedEntry { entry, h, .. }) = self.queue.pop_back() {
            self.open.push(self.f, h, entry, left)?;
        }
        self.f = f;
        self.is_inconsistent = true;
        Ok(())
    }

    fn stop_at(&mut self, why: Stop, lower_bound: Cost) {
        self.measure();
        self.stats.expanded_before_last_layer = self.layers.below(u64::from(lower_bound) * self.parts());
        self.outcome = Some(Outcome::Stopped { why, lower_bound });
    }

    /// Stops because a list cannot grow. The open states give no bound: some successors are missing.
    #[cold]
    fn full(&mut self) -> Progress {
        self.stop_at(self.nodes.why_full(), self.stats.layer);
        Progress::Ended
    }

    #[cold]
    fn solved(&mut self, id: NodeId) -> Progress {
        self.measure();
        let (moves, walked) = self.problem.moves(&self.nodes, &self.nodes.ids_to(id));
        let cost = self.nodes.g(id);
        debug_assert!(walked.is_some_and(|walked| walked <= cost), "the path costs what the goal's g says");
        let cost = walked.unwrap_or(cost);
        let guarantee = if self.properties.admissible { Guarantee::Optimal } else { Guarantee::None };
        self.stats.expanded_before_last_layer = self.layers.below(u64::from(cost) * self.parts());
        self.outcome = Some(Outcome::Solved(Solution { cost, moves, guarantee }));
        Progress::Ended
    }

    #[cold]
    fn exhausted(&mut self) -> Progress {
        self.measure();
        self.stats.expanded_before_last_layer = self.stats.expanded;
        let unproved = self.dead_ends && !self.properties.admissible;
        self.outcome = Some(Outcome::exhausted(self.overflowed, unproved, self.stats.layer));
        Progress::Ended
    }

    /// Expands one state of the current `f`, or moves on to the next `f`; `None` to continue.
    #[inline]
    fn step(&mut self) -> Result<Option<Progress>, Full> {
        self.refill();
        let Some(taken) = self.queue.pop_front() else {
            let Some(f) = self.open.least() else { return Ok(Some(self.exhausted())) };
            self.f = f;
            if f > self.layer_end && self.raise_bound(f) {
                self.measure();
                return Ok(Some(Progress::Layer(self.stats.layer)));
            }
            return Ok(None);
        };
        self.nodes.set_limit(self.limit.saturating_sub(self.open.bytes()));
        let h = taken.h;
        if let Some(id) = self.close(taken)? {
            self.last = Some(id);
            if !self.expand(id, h)? {
                return Ok(Some(self.solved(id)));
            }
        }
        Ok(None)
    }
}

impl<P: ArenaProblem> Search<P::Space> for ArenaAstar<P> {
    fn advance(&mut self, expansions: u64) -> Progress {
        if self.outcome.is_some() {
            return Progress::Ended;
        }
        let until = self.stats.expanded.saturating_add(expansions);
        while self.stats.expanded < until {
            match self.step() {
                Ok(None) => {}
                Ok(Some(progress)) => return progress,
                Err(Full) => return self.full(),
            }
        }
        self.measure();
        Progress::Running
    }

    fn stats(&self) -> Stats {
        self.stats
    }

    fn outcome(&self) -> Option<&Outcome<<P::Space as StateSpace>::Move>> {
        self.outcome.as_ref()
    }

    fn stop(&mut self, why: Stop) {
        if self.outcome.is_none() {
            let least = if self.queue.is_empty() { self.open.least() } else { Some(self.f) };
            let bound = least.map_or(0, |f| self.bound_of(f));
            self.stop_at(why, bound.max(self.stats.layer));
        }
    }

    fn set_signal(&mut self, signal: &Signal) {
        self.nodes.set_signal(signal);
    }

    fn last_visit(&self) -> Option<Visit<<P::Space as StateSpace>::Packed>> {
        let id = self.last?;
        let name = |id| self.problem.name(id, self.nodes.get(id));
        Some(Visit {
            state: name(id),
            parent: self.nodes.parent(id).map(name),
            g: self.nodes.g(id),
            h: self.problem.estimate(self.nodes.get(id)).units().unwrap_or(0),
            scale: self.problem.scale(),
            backward: false,
        })
    }

    fn each_closed(&self, visit: &mut dyn FnMut(<P::Space as StateSpace>::Packed, Cost)) -> bool {
        for id in (0..self.nodes.len() as NodeId).filter(|&id| self.nodes.is_closed(id)) {
            visit(self.problem.name(id, self.nodes.get(id)), self.nodes.g(id));
        }
        true
    }
}
