//! Bidirectional search: near-optimal bidirectional search (NBS), front to end.
//!
//! Chen, Holte, Zilles and Sturtevant (2017). Let `u` and `v` be open states, one on each side, with
//! `lb(u, v) = max(f(u), f(v), g(u) + g(v) + least cost of a move)`. If `lb(u, v)` is below the optimum, any algorithm
//! must expand one of the two. NBS expands both states of a pair with the least `lb`, so it expands at most twice as
//! many as it must. Each side keeps the states whose `f` is within the bound in a queue by `g` (*ready*) and the others
//! in a queue by `f` (*waiting*). The bound only rises; when it reaches the cost of the best path found, that path is
//! optimal.

use super::best_first::MARGIN;
use super::closed::{Full, Lookup, NodeId, Nodes};
use super::open::{Open, TieBreak};
use super::report::{Guarantee, LayerCounts, Limits, Outcome, Solution, Stats, Stop};
use super::{Progress, Search, Signal, Visit, moves_along};
use crate::backward::Backward;
use crate::heuristic::{Estimate, Heuristic};
use crate::space::{Cost, StateSpace};

/// The space has too many goals to list, so it cannot be searched backward.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NoGoals;

impl std::fmt::Display for NoGoals {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("the goal states are too many to start from")
    }
}

impl std::error::Error for NoGoals {}

/// Bidirectional search: a cheapest path, if both heuristics are admissible. `to_goal` estimates the cost from a state
/// to a goal, `from_start` the cost from the start to a state; use [`Zero`](crate::heuristic::Zero) if you have none.
///
/// # Errors
/// If the space cannot list its goals.
pub fn bidirectional<'a, S: Backward, F: Heuristic<S>, B: Heuristic<S>>(
    space: &'a S,
    start: S::State,
    to_goal: &'a F,
    from_start: &'a B,
    limits: &Limits,
) -> Result<Bidirectional<'a, S, F, B>, NoGoals> {
    let admissible = to_goal.properties(space).admissible && from_start.properties(space).admissible;
    let half = limits.bytes.map(|bytes| bytes / 2);
    let mut search = Bidirectional {
        space,
        to_goal,
        from_start,
        admissible,
        limit: limits.bytes.unwrap_or(u64::MAX),
        forward: Side::new(Nodes::new(space, half)),
        backward: Side::new(Nodes::new(space, half)),
        bound: 0,
        best: None,
        pending: None,
        overflowed: false,
        dead_ends: false,
        layers: LayerCounts::default(),
        last: None,
        stats: Stats::default(),
        outcome: None,
    };
    let goals = space.goals().ok_or(NoGoals)?;
    let mut reach = || -> Result<(), Full> {
        search.reach(Direction::Forward, &start, 0, None)?;
        goals.iter().try_for_each(|goal| search.reach(Direction::Backward, goal, 0, None))
    };
    if reach() == Err(Full) {
        search.stop(Stop::Memory);
    }
    search.measure();
    Ok(search)
}

/// A bidirectional search under way; see [`bidirectional`].
pub struct Bidirectional<'a, S: StateSpace, F, B> {
    space: &'a S,
    to_goal: &'a F,
    from_start: &'a B,
    admissible: bool,
    /// Bytes that all lists may take together.
    limit: u64,
    forward: Side<S::Packed>,
    backward: Side<S::Packed>,
    /// No solution costs less.
    bound: u64,
    /// The cheapest path so far: its cost, and the node on either side where the two halves meet.
    best: Option<(u64, NodeId, NodeId)>,
    /// The second state of a pair whose first has been expanded.
    pending: Option<NodeId>,
    overflowed: bool,
    dead_ends: bool,
    layers: LayerCounts,
    last: Option<(Direction, NodeId)>,
    stats: Stats,
    outcome: Option<Outcome<S::Move>>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Direction {
    Forward,
    Backward,
}

/// The states reached from one end.
struct Side<P> {
    nodes: Nodes<P>,
    waiting: Open,
    ready: Open,
    frontier: u64,
}

impl<P: Copy + Eq + std::hash::Hash> Side<P> {
    fn new(nodes: Nodes<P>) -> Self {
        Side { nodes, waiting: Open::new(TieBreak::Fifo), ready: Open::new(TieBreak::Lifo), frontier: 0 }
    }

    /// The least waiting `f`, after dropping entries of closed nodes.
    fn least_waiting(&mut self) -> Option<u64> {
        while let Some((f, id)) = self.waiting.peek() {
            if !self.nodes.is_closed(id) {
                return Some(f);
            }
            self.waiting.pop();
        }
        None
    }

    /// The least ready `g`, after dropping entries of closed nodes and of nodes with a smaller `g` by now.
    fn least_ready(&mut self) -> Option<(u64, NodeId)> {
        while let Some((g, id)) = self.ready.peek() {
            if !self.nodes.is_closed(id) && u64::from(self.nodes.g(id)) == g {
                return Some((g, id));
            }
            self.ready.pop();
        }
        None
    }

    /// Moves all waiting states with an `f` of at most `bound` to `ready`, within `most_bytes`: that may be most
    /// states.
    fn ready_up_to(&mut self, bound: u64, most_bytes: u64) -> Result<(), Full> {
        while self.least_waiting().is_some_and(|f| f <= bound) {
            if self.nodes.bytes() + self.queued_bytes_to_come() > most_bytes {
                return Err(Full);
            }
            let (_, id) = self.waiting.pop().expect("something waits");
            self.ready.push(self.nodes.g(id).into(), 0, id);
        }
        Ok(())
    }

    fn bytes(&self) -> u64 {
        self.nodes.bytes() + self.queued_bytes()
    }

    fn queued_bytes(&self) -> u64 {
        self.waiting.bytes() + self.ready.bytes()
    }

    fn queued_bytes_to_come(&self) -> u64 {
        self.waiting.bytes_to_come() + self.ready.bytes_to_come()
    }
}

impl<S: Backward, F: Heuristic<S>, B: Heuristic<S>> Bidirectional<'_, S, F, B> {
    /// The estimate of a state on one side, and its scale.
    fn estimate(&self, direction: Direction, state: &S::State) -> (Estimate, u32) {
        let Bidirectional { space, to_goal, from_start, .. } = self;
        match direction {
            Direction::Forward => (to_goal.estimate(to_goal.evaluate(space, state)), to_goal.scale()),
            Direction::Backward => (from_start.estimate(from_start.evaluate(space, state)), from_start.scale()),
        }
    }

    /// Records that a state was reached from one end at cost `g`.
    fn reach(&mut self, direction: Direction, state: &S::State, g: Cost, parent: Option<NodeId>) -> Result<(), Full> {
        let (estimate, scale) = self.estimate(direction, state);
        let Some(h) = estimate.rounded_up(scale) else {
            self.dead_ends = true;
            return Ok(());
        };
        let packed = self.space.pack(state);
        let (side, other) = match direction {
            Direction::Forward => (&mut self.forward, &self.backward),
            Direction::Backward => (&mut self.backward, &self.forward),
        };
        let id = match side.nodes.find_or_insert(self.space, packed, g, parent)? {
            Lookup::New(id) => {
                side.frontier += 1;
                id
            }
            Lookup::Known(id) => {
                let closed = side.nodes.is_closed(id);
                let Some(parent) = parent.filter(|_| g < side.nodes.g(id)) else { return Ok(()) };
                if closed {
                    self.stats.reopened += 1;
                    side.frontier += 1;
                }
                side.nodes.improve(id, g, parent);
                id
            }
        };
        side.waiting.push(u64::from(g) + u64::from(h), 0, id);
        if let Some(meeting) = other.nodes.find(self.space, packed) {
            let cost = u64::from(g) + u64::from(other.nodes.g(meeting));
            if self.best.is_none_or(|(least, ..)| cost < least) {
                let (forward, backward) = if direction == Direction::Forward { (id, meeting) } else { (meeting, id) };
                self.best = Some((cost, forward, backward));
            }
        }
        Ok(())
    }

    /// The pair to expand next, after raising the bound as far as possible; `None` if one side has no open state, or
    /// the bound has reached the cost of the best path.
    fn next_pair(&mut self) -> Result<Option<(NodeId, NodeId)>, Full> {
        loop {
            if self.best.is_some_and(|(cost, ..)| self.bound >= cost) {
                return Ok(None);
            }
            self.forward.ready_up_to(self.bound, self.limit.saturating_sub(self.backward.bytes()))?;
            self.backward.ready_up_to(self.bound, self.limit.saturating_sub(self.forward.bytes()))?;
            let ready = self.forward.least_ready().zip(self.backward.least_ready());
            if let Some(((g, u), (other_g, v))) = ready
                && g + other_g < self.bound
            {
                return Ok(Some((u, v)));
            }
            // No pair is within the bound: raise it to the least that a pair can have.
            let waiting = [self.forward.least_waiting(), self.backward.least_waiting()];
            let both_open = [&mut self.forward, &mut self.backward]
                .into_iter()
                .all(|side| side.least_ready().is_some() || side.least_waiting().is_some());
            if !both_open {
                return Ok(None);
            }
            let of_ready = ready.map(|((g, _), (other_g, _))| g + other_g + 1);
            self.bound = waiting.into_iter().flatten().chain(of_ready).min().expect("both sides have something open");
        }
    }

    fn expand(&mut self, direction: Direction, id: NodeId) -> Result<(), Full> {
        let (side, other) = match direction {
            Direction::Forward => (&mut self.forward, &self.backward),
            Direction::Backward => (&mut self.backward, &self.forward),
        };
        if side.nodes.is_closed(id) {
            return Ok(());
        }
        // The nodes may take what all other lists leave, except what the queues may grow by meanwhile.
        let left = self.limit.saturating_sub(other.bytes() + side.queued_bytes_to_come() + MARGIN);
        side.nodes.set_limit(left);
        if side.nodes.bytes() > left {
            return Err(Full);
        }
        side.nodes.close(id);
        side.frontier -= 1;
        let g = side.nodes.g(id);
        let mut state = self.space.unpack(side.nodes.packed(id));
        self.last = Some((direction, id));
        self.layers.count(self.bound);
        self.stats.expanded += 1;
        let space = self.space;
        match direction {
            Direction::Forward => {
                for m in space.moves(&state) {
                    let cost = space.cost(&state, m);
                    let undo = space.apply(&mut state, m);
                    let reached = self.successor(direction, &state, g, cost, id);
                    space.undo(&mut state, m, undo);
                    reached?;
                }
                Ok(())
            }
            Direction::Backward => {
                let mut result = Ok(());
                space.predecessors(&state, |before, cost| {
                    if result.is_ok() {
                        result = self.successor(direction, &before, g, cost, id);
                    }
                });
                result
            }
        }
    }

    fn successor(
        &mut self,
        direction: Direction,
        state: &S::State,
        g: Cost,
        cost: Cost,
        parent: NodeId,
    ) -> Result<(), Full> {
        self.stats.generated += 1;
        match g.checked_add(cost) {
            Some(g) => self.reach(direction, state, g, Some(parent)),
            None => {
                self.overflowed = true;
                Ok(())
            }
        }
    }

    fn measure(&mut self) {
        self.stats.max_frontier = self.stats.max_frontier.max(self.forward.frontier + self.backward.frontier);
        let stored = self.forward.nodes.len() + self.backward.nodes.len();
        self.stats.hold(stored, self.forward.bytes() + self.backward.bytes());
    }

    #[cold]
    fn finish(&mut self) -> Progress {
        let Some((cost, forward, backward)) = self.best else {
            self.stats.expanded_before_last_layer = self.stats.expanded;
            let unproved = self.dead_ends && !self.admissible;
            self.outcome = Some(Outcome::exhausted(self.overflowed, unproved, self.lower_bound()));
            return Progress::Ended;
        };
        let (moves, walked) = moves_along(self.space, &self.path_over(forward, backward));
        self.stats.expanded_before_last_layer = self.layers.below(cost);
        match walked {
            Some(cost) => {
                let guarantee = if self.admissible { Guarantee::Optimal } else { Guarantee::None };
                self.outcome = Some(Outcome::Solved(Solution { cost, moves, guarantee }));
            }
            None => self.stop(Stop::CostOverflow),
        }
        Progress::Ended
    }

    /// The states from the start through a meeting state, given its nodes on both sides, to a goal.
    fn path_over(&self, forward: NodeId, backward: NodeId) -> Vec<S::Packed> {
        let mut path = self.forward.nodes.path_to(forward);
        path.extend(self.backward.nodes.path_to(backward).into_iter().rev().skip(1));
        path
    }

    fn lower_bound(&self) -> Cost {
        if self.admissible { self.bound.min(Cost::MAX.into()) as Cost } else { 0 }
    }
}

impl<S: Backward, F: Heuristic<S>, B: Heuristic<S>> Search<S> for Bidirectional<'_, S, F, B> {
    fn advance(&mut self, expansions: u64) -> Progress {
        if self.outcome.is_some() {
            return Progress::Ended;
        }
        let until = self.stats.expanded + expansions;
        while self.stats.expanded < until {
            let result = match self.pending.take() {
                Some(second) => self.expand(Direction::Backward, second),
                None => {
                    let (u, v) = match self.next_pair() {
                        Ok(Some(pair)) => pair,
                        Ok(None) => {
                            self.measure();
                            return self.finish();
                        }
                        Err(Full) => {
                            self.stop(self.forward.nodes.why_full());
                            return Progress::Ended;
                        }
                    };
                    if self.lower_bound() > self.stats.layer {
                        self.stats.layer = self.lower_bound();
                        self.measure();
                        return Progress::Layer(self.stats.layer);
                    }
                    self.pending = Some(v);
                    self.expand(Direction::Forward, u)
                }
            };
            if result == Err(Full) {
                self.stop(self.forward.nodes.why_full());
                return Progress::Ended;
            }
            self.stats.max_frontier = self.stats.max_frontier.max(self.forward.frontier + self.backward.frontier);
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
        if self.outcome.is_some() {
            return;
        }
        self.measure();
        self.stats.expanded_before_last_layer = self.layers.below(self.bound);
        let lower_bound = self.lower_bound();
        self.outcome = Some(Outcome::Stopped { why, lower_bound });
    }

    fn best(&self) -> Option<Solution<S::Move>> {
        let (_, forward, backward) = self.best.filter(|_| !matches!(self.outcome, Some(Outcome::Solved(_))))?;
        let (moves, cost) = moves_along(self.space, &self.path_over(forward, backward));
        Some(Solution { cost: cost?, moves, guarantee: Guarantee::None })
    }

    fn set_signal(&mut self, signal: &Signal) {
        self.forward.nodes.set_signal(signal);
        self.backward.nodes.set_signal(signal);
    }

    fn last_visit(&self) -> Option<Visit<S::Packed>> {
        let (direction, id) = self.last?;
        let side = if direction == Direction::Forward { &self.forward } else { &self.backward };
        let (estimate, scale) = self.estimate(direction, &self.space.unpack(side.nodes.packed(id)));
        Some(Visit { backward: direction == Direction::Backward, ..side.nodes.visit(id, estimate, scale) })
    }
}
