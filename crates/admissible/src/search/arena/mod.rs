//! A* for a space of which nothing more is known than its moves.
//!
//! *Closed* is an arena of nodes (state, `g`, parent) in the order of their first expansion, and a hash table of node
//! numbers. *Open* holds states and the numbers of their parents, and a state is looked up only when it is taken from
//! open: one access to a large table for each expansion instead of one for each successor. Open may therefore hold a
//! state several times ([`Stats::frontier_duplicates`]). Entries are taken [`AHEAD`] before they are needed and their
//! table slots are prefetched, so that the search does not wait for memory.
//!
//! Invariant: entries taken ahead all have the same `f`, and no entry has a smaller one. As long as `f` never falls
//! along a move, the heuristic has shown no inconsistent step, states come off in the order of their `f`, and the first
//! expansion of a state has its least `g`. Once `f` falls, `g` is compared and a cheaper state is expanded again.
//!
//! `f` is compared in halves where a heuristic has fractions (see [`key`]): all fractions between two whole costs are
//! alike, since a solution costs a whole number. Hart, Nilsson and Raphael (1968); Dial (1969) for the buckets.

mod closures;
mod open;
mod space;

use std::collections::VecDeque;
use std::hash::Hash;

pub use closures::AstarFn;
pub(super) use space::InSpace;

use super::closed::{Full, Met, NO_PARENT, NodeId, Nodes};
use super::report::{Guarantee, LayerCounts, Limits, Outcome, Solution, Stats, Stop};
use super::{Progress, Search, Signal, Visit};
use crate::heuristic::{Estimate, Properties};
use crate::space::{Cost, StateSpace};
use open::{Entry, Open};

/// Entries that are taken from open before they are looked up.
const AHEAD: usize = 64;
/// The place in the queue at which the slot has arrived and the node that it names is prefetched.
const HALFWAY: usize = AHEAD / 2;
/// Smaller closed lists stay in the cache: there entries are taken one by one, in the exact order.
const CACHED: usize = 1 << 14;

/// What the engine asks of a problem.
pub(super) trait Problem {
    /// Names the types of a report.
    type Space: StateSpace;
    /// A state as both lists hold it.
    type Key: Eq + Hash;

    fn properties(&self) -> Properties;
    /// The heuristic's units for a cost of 1.
    fn scale(&self) -> u32 {
        1
    }
    /// The index of a state, where the problem has promised indexes.
    fn index(&self, key: &Self::Key) -> u32;
    /// Calls `visit` with every successor but `back`, its cost and its estimate. Returns the number of successors,
    /// `back` included, or `None` if the state is a goal.
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

/// An entry that was taken from open.
struct Taken<K> {
    entry: Entry<K>,
    h: u32,
    /// Where the closed list looks for it.
    spot: u64,
}

/// A search under way.
pub(super) struct Arena<P: Problem> {
    problem: P,
    properties: Properties,
    /// Bytes that open and closed list may take together.
    limit: u64,
    nodes: Nodes<P::Key>,
    open: Open<P::Key>,
    /// The entries taken ahead.
    queue: VecDeque<Taken<P::Key>>,
    /// Their `f`.
    f: u64,
    /// The largest `f` that does not raise the lower bound.
    layer_end: u64,
    /// Whether `f` ever fell along a move.
    is_inconsistent: bool,
    /// Successors whose cost did not fit were left out.
    overflowed: bool,
    /// Successors were left out because the heuristic called them dead ends.
    dead_ends: bool,
    stats: Stats,
    layers: LayerCounts,
    /// The node that was expanded last, or the goal.
    last: Option<NodeId>,
    outcome: Option<Outcome<<P::Space as StateSpace>::Move>>,
}

/// The keys of open: `f` and `h` in whole costs, rounded down. With fractions `f` is doubled, and one more if it was
/// rounded: a goal has no fraction and follows on all states with an exact `f` below its own.
#[inline]
fn key(scale: u32, g: Cost, h: u32) -> (u64, u32) {
    let whole = h / scale;
    let f = u64::from(g) + u64::from(whole);
    if scale == 1 { (f, whole) } else { (2 * f + u64::from(!h.is_multiple_of(scale)), whole) }
}

impl<P: Problem> Arena<P> {
    /// Halves in which `f` is kept.
    fn parts(&self) -> u64 {
        if self.problem.scale() == 1 { 1 } else { 2 }
    }

    /// A search from a state, of states with indexes below a bound if one is given.
    pub(super) fn new(problem: P, start: P::Key, index_bound: Option<u32>, limits: &Limits) -> Self {
        let limit = limits.bytes.unwrap_or(u64::MAX);
        let estimate = problem.estimate(&start);
        let mut search = Arena {
            properties: problem.properties(),
            problem,
            limit,
            nodes: Nodes::with_indexes(index_bound, limit),
            open: Open::new(),
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
                if search.open.push(f, h, Entry { key: start, parent: NO_PARENT }, left).is_err() {
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
        self.stats.stored = self.nodes.len() as u64 + self.frontier();
        self.stats.bytes = self.nodes.bytes() + self.open.bytes();
        self.stats.peak_bytes = self.stats.peak_bytes.max(self.stats.bytes);
    }

    /// What every solution costs at least if no entry has a smaller `f`.
    fn bound_of(&self, f: u64) -> Cost {
        if self.properties.admissible { f.div_ceil(self.parts()).min(Cost::MAX.into()) as Cost } else { 0 }
    }

    /// Goes on to the next `f`; true if that raises the lower bound.
    fn raise_bound(&mut self, f: u64) -> bool {
        let bound = self.bound_of(f);
        let is_bound = self.properties.admissible && bound < Cost::MAX;
        self.layer_end = if is_bound { u64::from(bound) * self.parts() } else { u64::MAX };
        let raised = bound > self.stats.layer;
        self.stats.layer = self.stats.layer.max(bound);
        raised
    }

    /// Takes entries ahead.
    #[inline]
    fn refill(&mut self) {
        let ahead = if self.nodes.len() < CACHED { 1 } else { AHEAD };
        while self.queue.len() < ahead
            && let Some((h, entry)) = self.open.take(self.f)
        {
            let spot = self.nodes.spot(&entry.key, |key| self.problem.index(key));
            self.nodes.prefetch_slot(spot);
            self.nodes.prefetch_node(entry.parent);
            self.queue.push_back(Taken { entry, h, spot });
        }
        if let Some(taken) = self.queue.get(HALFWAY) {
            self.nodes.prefetch_named(taken.spot);
        }
    }

    /// The node of an entry that is to be expanded; none if its state was expanded as cheaply before.
    #[inline]
    fn close(&mut self, Taken { entry, h, spot }: Taken<P::Key>) -> Result<Option<NodeId>, Full> {
        let g = (self.f / self.parts() - u64::from(h)) as Cost;
        match self.nodes.meet_at(spot, entry.key, g, entry.parent)? {
            Met::Now(id) => Ok(Some(id)),
            Met::Before(id) if self.is_inconsistent && g < self.nodes.g(id) => {
                self.nodes.improve(id, g, entry.parent);
                self.stats.reopened += 1;
                Ok(Some(id))
            }
            Met::Before(_) => Ok(None),
        }
    }

    /// Opens the successors of a node; false if it is a goal.
    #[inline]
    fn expand(&mut self, id: NodeId, h: u32) -> Result<bool, Full> {
        let Arena { problem, nodes, open, overflowed, dead_ends, .. } = self;
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
            open.push(f, h, Entry { key: successor, parent: id }, left)
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

    /// Goes on with a smaller `f`: what was taken ahead has to wait.
    #[cold]
    fn fall_to(&mut self, f: u64) -> Result<(), Full> {
        let left = self.limit.saturating_sub(self.nodes.bytes());
        while let Some(Taken { entry, h, .. }) = self.queue.pop_back() {
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

    /// Stops for want of memory, or of time to make room. What is open gives no bound: some successors are missing.
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
        let why = if self.overflowed {
            Some(Stop::CostOverflow)
        } else {
            (self.dead_ends && !self.properties.admissible).then_some(Stop::Unproved)
        };
        let stopped = |why| Outcome::Stopped { why, lower_bound: self.stats.layer };
        self.outcome = Some(why.map_or(Outcome::Unsolvable, stopped));
        Progress::Ended
    }

    /// Expands one state, if any has the present `f`; `None` to go on.
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

impl<P: Problem> Search<P::Space> for Arena<P> {
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

    fn heed(&mut self, signal: &Signal) {
        self.nodes.heed(signal);
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
