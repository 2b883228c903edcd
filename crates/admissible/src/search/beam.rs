//! Beam search with growing width: some solution soon, better ones later.
//!
//! A beam search goes through the states layer by layer, a move at a time. Of the successors of a layer it keeps the
//! `width` ones with the least `g + h`; those that were met before are left out when they are taken. When a beam ends,
//! a beam of four times the width begins. The incumbent, the best solution so far, prunes: a state whose `g + h` is not
//! below its cost is left out if the heuristic is admissible.
//!
//! A beam that was wide enough for every layer has left out nothing that could be better, so the search ends with a
//! proof. Most searches are stopped earlier; [`Search::best`] is the incumbent.

use super::best_first::MARGIN;
use super::closed::{Full, Lookup, NO_PARENT, NodeId, Nodes, index_of};
use super::report::{Guarantee, Limits, Outcome, Solution, Stats, Stop};
use super::{Progress, Search, Signal, Visit, moves_along};
use crate::heuristic::{Heuristic, Properties};
use crate::space::{Cost, StateSpace};

/// The width of the first beam.
const FIRST_WIDTH: usize = 64;
/// The width of a beam is that of the beam before, times this.
const GROWTH: usize = 4;

/// The candidates between the expansion of one and the prefetch of another.
const PREFETCHED: usize = 16;

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
        h_of_start: estimate.units().unwrap_or(0),
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
    /// The expanded states of the present beam, and the goals found.
    nodes: Nodes<S::Packed>,
    /// The present layer, expanded up to `at`.
    layer: Vec<Candidate<S::Packed>>,
    at: usize,
    /// The next layer so far.
    next: Vec<Candidate<S::Packed>>,
    h_of_start: u32,
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

/// A state that was generated for the next layer.
#[derive(Clone, Copy)]
struct Candidate<P> {
    packed: P,
    /// `g + h`, in the units of the heuristic.
    f: u64,
    h: u32,
    parent: NodeId,
}

impl<S: StateSpace, H: Heuristic<S>> Beam<'_, S, H> {
    /// Begins a beam at the start.
    fn begin(&mut self) {
        self.nodes = Nodes::new(self.space, Some(self.limit));
        self.nodes.set_signal(&self.signal);
        self.layer.clear();
        self.next.clear();
        (self.at, self.left_out) = (0, false);
        let h = self.h_of_start;
        self.layer.push(Candidate { packed: self.start, f: h.into(), h, parent: NO_PARENT });
    }

    fn end(&mut self, why: Stop) {
        self.measure();
        self.outcome = Some(Outcome::Stopped { why, lower_bound: self.stats.layer });
    }

    /// Moves to the next layer; false if it is empty.
    fn descend(&mut self) -> bool {
        if self.next.len() > self.width {
            self.left_out = true;
            self.next.select_nth_unstable_by_key(self.width, |candidate| (candidate.f, candidate.h));
            self.next.truncate(self.width);
        }
        std::mem::swap(&mut self.layer, &mut self.next);
        self.next.clear();
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
            return Progress::Running;
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
        ((self.layer.capacity() + self.next.capacity()) * size_of::<Candidate<S::Packed>>()) as u64
    }

    /// The bytes that the nodes may take.
    fn bytes_left(&self) -> u64 {
        self.limit.saturating_sub(self.bytes_of_layers() + MARGIN)
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

    /// Generates the successors of a state of the layer, unless it was met before or is pruned.
    fn expand(&mut self, candidate: Candidate<S::Packed>) -> Result<(), Full> {
        let (space, heuristic) = (self.space, self.heuristic);
        let scale = u64::from(heuristic.scale());
        let Candidate { packed, f, h, parent } = candidate;
        // The difference is the cost of a path, so it fits.
        let g = ((f - u64::from(h)) / scale) as Cost;
        if self.is_pruned(g, h) {
            return Ok(());
        }
        let Some(id) = self.reach(packed, g, parent)? else { return Ok(()) };
        self.stats.expanded += 1;
        let before = self.nodes.parent(id).map(|parent| *self.nodes.get(parent));
        let mut state = space.unpack(packed);
        let eval = heuristic.evaluate(space, &state);
        for m in space.moves(&state) {
            self.stats.generated += 1;
            let Some(next_g) = g.checked_add(space.cost(&state, m)) else {
                self.overflowed = true;
                continue;
            };
            let undo = space.apply(&mut state, m);
            let packed = space.pack(&state);
            let is_back = before == Some(packed);
            let estimate = if is_back { None } else { Some(heuristic.advance(space, eval, &state, m)) };
            let is_goal = space.is_goal(&state);
            space.undo(&mut state, m, undo);
            let Some(estimate) = estimate else { continue };
            let h = match heuristic.estimate(estimate).units() {
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
            if !is_goal {
                self.reserve()?;
                self.next.push(Candidate { packed, f: u64::from(next_g) * scale + u64::from(h), h, parent: id });
            } else if let Some(goal) = self.reach(packed, next_g, id)? {
                self.improve(goal);
            }
        }
        Ok(())
    }

    /// The node of a state, unless it was met before at no more cost.
    fn reach(&mut self, packed: S::Packed, g: Cost, parent: NodeId) -> Result<Option<NodeId>, Full> {
        let spot = self.spot(&packed);
        Ok(match self.nodes.find_or_insert_at(spot, packed, g, parent)? {
            Lookup::New(id) => Some(id),
            Lookup::Known(id) if g < self.nodes.g(id) => {
                self.nodes.improve(id, g, parent);
                Some(id)
            }
            Lookup::Known(_) => None,
        })
    }

    fn spot(&self, packed: &S::Packed) -> u64 {
        self.nodes.spot(packed, |packed| index_of(self.space, *packed))
    }

    /// Makes room for a candidate.
    fn reserve(&mut self) -> Result<(), Full> {
        if self.next.len() < self.next.capacity() {
            return Ok(());
        }
        let more = self.next.len().max(64);
        let bytes = (more * size_of::<Candidate<S::Packed>>()) as u64;
        if self.nodes.bytes() + self.bytes_of_layers() + bytes > self.limit {
            return Err(Full);
        }
        self.next.try_reserve_exact(more).map_err(|_| Full)?;
        self.nodes.set_limit(self.bytes_left());
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
            let left = self.bytes_left();
            self.nodes.set_limit(left);
            if let Some(ahead) = self.layer.get(self.at + PREFETCHED) {
                self.nodes.prefetch_slot(self.spot(&ahead.packed));
            }
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
