//! Beam search with growing width: some solution soon, better ones later.
//!
//! A beam search goes through the states layer by layer, a move at a time, and keeps only the `width` states of a layer
//! with the least `g + h`. When a beam ends, a beam of four times the width begins. The incumbent, the best solution so
//! far, prunes: a state whose `g + h` is not below its cost is left out if the heuristic is admissible.
//!
//! A beam that was wide enough for every layer has left out nothing that could be better, so the search ends with a
//! proof. Most searches are stopped earlier; [`Search::best`] is the incumbent.

use super::best_first::MARGIN;
use super::closed::{Full, Lookup, NodeId, Nodes};
use super::report::{Guarantee, Limits, Outcome, Solution, Stats, Stop};
use super::{Progress, Search, Signal, Visit, moves_along};
use crate::heuristic::{Heuristic, Properties};
use crate::space::{Cost, StateSpace};

/// The width of the first beam.
const FIRST_WIDTH: usize = 64;
/// The width of a beam is that of the beam before, times this.
const GROWTH: usize = 4;

/// Beam search with growing width.
///
/// ```
/// use admissible::example::{Doublings, Steps};
/// use admissible::search::{Guarantee, Limits, beam, run};
///
/// let space = Steps { goal: 100 };
/// let report = run(&mut beam(&space, 3, &Doublings, &Limits::default()), &Limits::default(), &mut ());
/// let solution = report.outcome.solution().expect("there is one");
/// assert_eq!((solution.cost, solution.guarantee), (6, Guarantee::Optimal));
/// ```
pub fn beam<'a, S: StateSpace, H: Heuristic<S>>(
    space: &'a S,
    start: S::State,
    heuristic: &'a H,
    limits: &Limits,
) -> Beam<'a, S, H> {
    beam_of_width(space, start, heuristic, FIRST_WIDTH, limits)
}

/// The same with a chosen width of the first beam, at least 1.
pub fn beam_of_width<'a, S: StateSpace, H: Heuristic<S>>(
    space: &'a S,
    start: S::State,
    heuristic: &'a H,
    width: usize,
    limits: &Limits,
) -> Beam<'a, S, H> {
    let properties = heuristic.properties(space);
    let estimate = heuristic.estimate(heuristic.evaluate(space, &start));
    let at_least = estimate.rounded_up(heuristic.scale()).filter(|_| properties.admissible).unwrap_or(0);
    let mut search = Beam {
        space,
        heuristic,
        properties,
        start: space.pack(&start),
        width: width.max(1),
        limit: limits.bytes.unwrap_or(u64::MAX),
        nodes: Nodes::new(space, limits.bytes),
        layer: Vec::new(),
        at: 0,
        next: Vec::new(),
        left_out: false,
        overflowed: false,
        dead_ends: false,
        signal: Signal::default(),
        stats: Stats { layer: at_least, frontier_duplicates: true, ..Stats::default() },
        best: None,
        outcome: None,
    };
    if space.is_goal(&start) {
        let guarantee = Guarantee::Optimal;
        search.outcome = Some(Outcome::Solved(Solution { cost: 0, moves: Vec::new(), guarantee }));
    } else if estimate.units().is_none() {
        search.dead_ends = true;
    } else {
        search.begin();
    }
    search
}

/// A beam search under way; see [`beam`].
pub struct Beam<'a, S: StateSpace, H: Heuristic<S>> {
    space: &'a S,
    heuristic: &'a H,
    properties: Properties,
    start: S::Packed,
    /// The width of the present beam.
    width: usize,
    /// Bytes that all lists may take together.
    limit: u64,
    /// The states of the present beam.
    nodes: Nodes<S::Packed>,
    /// The present layer, expanded up to `at`.
    layer: Vec<NodeId>,
    at: usize,
    /// The next layer so far: `g + h`, `h` and the node.
    next: Vec<(u64, u32, NodeId)>,
    /// Whether the present beam left out states because a layer was wider.
    left_out: bool,
    /// Whether successors were skipped because their `g` does not fit into [`Cost`].
    overflowed: bool,
    /// Whether successors were skipped because the heuristic called them dead ends.
    dead_ends: bool,
    signal: Signal,
    stats: Stats,
    best: Option<Solution<S::Move>>,
    outcome: Option<Outcome<S::Move>>,
}

impl<S: StateSpace, H: Heuristic<S>> Beam<'_, S, H> {
    /// Begins a beam at the start.
    fn begin(&mut self) {
        self.nodes = Nodes::new(self.space, Some(self.limit));
        self.nodes.set_signal(&self.signal);
        self.layer.clear();
        self.next.clear();
        (self.at, self.left_out) = (0, false);
        match self.nodes.find_or_insert(self.space, self.start, 0, None) {
            Ok(Lookup::New(id) | Lookup::Known(id)) => self.layer.push(id),
            Err(Full) => self.end(self.nodes.why_full()),
        }
    }

    fn end(&mut self, why: Stop) {
        self.measure();
        self.outcome = Some(Outcome::Stopped { why, lower_bound: self.stats.layer });
    }

    /// Moves to the next layer; false if it is empty.
    fn descend(&mut self) -> bool {
        if self.next.len() > self.width {
            self.left_out = true;
            self.next.select_nth_unstable(self.width);
            self.next.truncate(self.width);
        }
        self.layer.clear();
        self.layer.extend(self.next.drain(..).map(|(_, _, id)| id));
        self.at = 0;
        self.stats.max_frontier = self.stats.max_frontier.max(self.layer.len() as u64);
        !self.layer.is_empty()
    }

    /// Begins a wider beam, or ends the search if the last one left out nothing.
    #[cold]
    fn widen(&mut self) -> Progress {
        self.measure();
        if self.left_out {
            self.width = self.width.saturating_mul(GROWTH);
            self.begin();
            return if self.outcome.is_some() { Progress::Ended } else { Progress::Running };
        }
        let proves = self.properties.admissible && !self.overflowed;
        self.outcome = Some(match self.best.clone() {
            Some(best) if proves => Outcome::Solved(Solution { guarantee: Guarantee::Optimal, ..best }),
            Some(best) => Outcome::Solved(best),
            None if self.overflowed => Outcome::Stopped { why: Stop::CostOverflow, lower_bound: self.stats.layer },
            None if self.dead_ends && !self.properties.admissible => {
                Outcome::Stopped { why: Stop::Unproved, lower_bound: self.stats.layer }
            }
            None => Outcome::Unsolvable,
        });
        Progress::Ended
    }

    fn bytes_of_layers(&self) -> u64 {
        let next = self.next.capacity() * size_of::<(u64, u32, NodeId)>();
        (next + self.layer.capacity() * size_of::<NodeId>()) as u64
    }

    fn measure(&mut self) {
        self.stats.stored = self.stats.stored.max(self.nodes.len() as u64);
        self.stats.bytes = self.nodes.bytes() + self.bytes_of_layers();
        self.stats.peak_bytes = self.stats.peak_bytes.max(self.stats.bytes);
    }

    /// Whether a state cannot be part of a solution that is better than the incumbent.
    fn is_pruned(&self, g: Cost, h: u32) -> bool {
        let Some(best) = &self.best else { return false };
        let scale = u64::from(self.heuristic.scale());
        let h = if self.properties.admissible { u64::from(h) } else { 0 };
        u64::from(g) * scale + h > (u64::from(best.cost) - 1) * scale
    }

    /// Makes the path to a goal the incumbent.
    #[cold]
    fn improve(&mut self, goal: NodeId) {
        let (moves, walked) = moves_along(self.space, &self.nodes.path_to(goal));
        let cost = walked.unwrap_or(self.nodes.g(goal));
        self.best = Some(Solution { cost, moves, guarantee: Guarantee::None });
    }

    /// Generates the successors of a state of the layer.
    fn expand(&mut self, id: NodeId) -> Result<(), Full> {
        let (space, heuristic) = (self.space, self.heuristic);
        let mut state = space.unpack(self.nodes.packed(id));
        let g = self.nodes.g(id);
        let eval = heuristic.evaluate(space, &state);
        self.stats.expanded += 1;
        for m in space.moves(&state) {
            self.stats.generated += 1;
            let Some(next_g) = g.checked_add(space.cost(&state, m)) else {
                self.overflowed = true;
                continue;
            };
            let undo = space.apply(&mut state, m);
            let estimate = heuristic.estimate(heuristic.advance(space, eval, &state, m));
            let (packed, is_goal) = (space.pack(&state), space.is_goal(&state));
            space.undo(&mut state, m, undo);
            let h = match estimate.units() {
                _ if is_goal => 0,
                Some(h) => h,
                None => {
                    self.dead_ends = true;
                    continue;
                }
            };
            if self.is_pruned(next_g, h) {
                continue;
            }
            let next = match self.nodes.find_or_insert(space, packed, next_g, Some(id))? {
                Lookup::New(next) => next,
                Lookup::Known(next) if next_g < self.nodes.g(next) => {
                    self.nodes.improve(next, next_g, id);
                    next
                }
                Lookup::Known(_) => continue,
            };
            if is_goal {
                self.improve(next);
            } else {
                self.next.push((u64::from(next_g) * u64::from(heuristic.scale()) + u64::from(h), h, next));
            }
        }
        Ok(())
    }
}

impl<S: StateSpace, H: Heuristic<S>> Search<S> for Beam<'_, S, H> {
    fn advance(&mut self, expansions: u64) -> Progress {
        if self.outcome.is_some() {
            return Progress::Ended;
        }
        for _ in 0..expansions {
            if self.at == self.layer.len() && !self.descend() {
                return self.widen();
            }
            let left = self.limit.saturating_sub(self.bytes_of_layers() + MARGIN);
            self.nodes.set_limit(left);
            if self.nodes.bytes() > left || self.expand(self.layer[self.at]) == Err(Full) {
                self.end(self.nodes.why_full());
                return Progress::Ended;
            }
            self.at += 1;
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
            self.end(why);
        }
    }

    fn set_signal(&mut self, signal: &Signal) {
        self.signal = signal.clone();
        self.nodes.set_signal(signal);
    }

    /// Beams begin again at the start, so a trace of them is no tree.
    fn last_visit(&self) -> Option<Visit<S::Packed>> {
        None
    }

    fn best(&self) -> Option<Solution<S::Move>> {
        self.best.clone()
    }
}
