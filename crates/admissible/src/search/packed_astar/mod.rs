//! Packed A*: duplicate detection at expansion, and open and closed lists that hold only keys.
//!
//! With a consistent heuristic, a state has its least `g` when it is first expanded. So successors go onto the open
//! list without a lookup, and are looked up in the closed list when they come off: one access to a large table for each
//! expansion instead of one for each successor. The next states to come off are known in advance ([`PrefetchQueue`]),
//! so their cache lines are prefetched. States that are already closed are dropped.
//!
//! An entry is a [`Key`]: a state and the code of the move that led to it. Moves cost 1, so `g` and `h` follow from the
//! stack that holds the entry. The path is rebuilt from the goal backwards: take back the move of a state, look up its
//! parent, and so on.
//!
//! Within a layer of equal `f` the order is that of [`TieBreak::LowH`](super::TieBreak), except for the few entries in
//! the prefetch queue; a state that is generated again counts as generated last.
#![allow(
    clippy::manual_memcpy,
    clippy::needless_range_loop,
    reason = "loops are inlined in every build; see `repeated`"
)]

mod closed;
mod duplicate_filter;
mod key;
mod open;
mod prefetch_queue;
mod round;
mod route;
mod shard;

use super::closed::Full;
use super::report::{Guarantee, Limits, Outcome, Solution, Stats, Stop};
use super::{Progress, Search, Signal, Visit};
use crate::heuristic::Heuristic;
use crate::keyed::Keyed;
use crate::space::Cost;
use closed::Closed;
use key::Key;
use open::PackedOpen;
use prefetch_queue::PrefetchQueue;
use round::Round;
use route::{Route, SingleWorker};
pub use shard::{Before, Entry, Place, Shard, Worked, shard};

/// Larger estimates are capped to this, so that every `f` fits into 32 bits; capping keeps them consistent.
const MOST_H: u32 = 1 << 30;

/// Packed A* under way, with keys of `N` words: over all states, or over those of one worker.
pub(super) struct PackedAstar<'a, S: Keyed, H: Heuristic<S>, const N: usize, R = SingleWorker> {
    space: &'a S,
    heuristic: &'a H,
    /// Bytes that open and closed list may take together.
    limit: u64,
    open: PackedOpen<Key<N>>,
    closed: Closed<N>,
    queue: PrefetchQueue<N>,
    round: Round<S, H::Eval, N>,
    stats: Stats,
    before_layer: u64,
    signal: Signal,
    /// The state that was expanded last, or the goal, and its `g`.
    last: Option<(Key<N>, Cost)>,
    outcome: Option<Outcome<S::Move>>,
    route: R,
    /// Whether the heuristic called a state a dead end.
    dead_ends: bool,
    /// Whether goals are known to have `h` 0, so that only states with `h` 0 need a goal test.
    zero_at_goals: bool,
}

/// Why the work on a layer pauses.
enum Pause<const N: usize> {
    /// The expansions are used up.
    Used,
    /// The layer has no states left here.
    Dry,
    /// A goal was taken off the open list.
    Goal(Key<N>, Cost),
    /// A list cannot grow.
    Full,
}

impl<const N: usize> Default for Key<N> {
    fn default() -> Self {
        Key([0; N])
    }
}

impl<'a, S: Keyed, H: Heuristic<S>, const N: usize> PackedAstar<'a, S, H, N> {
    /// A search over all states.
    pub(super) fn from_start(space: &'a S, heuristic: &'a H, start: &S::State, limits: &Limits) -> Self {
        let estimate = heuristic.estimate(heuristic.evaluate(space, start)).units();
        let h = estimate.unwrap_or(0).min(MOST_H);
        let mut search = Self::routed(space, heuristic, limits.bytes.unwrap_or(u64::MAX), h, SingleWorker);
        let left = search.limit.saturating_sub(search.closed.bytes());
        if estimate.is_none() {
            search.outcome = Some(Outcome::Unsolvable);
        } else if !search.fits() || search.open.push(h.into(), h, Key::start(space, start), left).is_err() {
            search.outcome = Some(Outcome::Stopped { why: Stop::Memory, lower_bound: h });
        }
        search.measure();
        search
    }
}

impl<'a, S: Keyed, H: Heuristic<S>, const N: usize, R: Route<S, N>> PackedAstar<'a, S, H, N, R> {
    /// A search without a start yet, for a start with estimate `h`.
    fn routed(space: &'a S, heuristic: &'a H, limit: u64, h: u32, route: R) -> Self {
        const {
            assert!(
                (S::KEY_WORDS == 1 || S::KEY_WORDS == 2) && S::MAX_VISITS > 0,
                "keys have one or two words, and MAX_VISITS is at least 1"
            );
        };
        let properties = heuristic.properties(space);
        PackedAstar {
            space,
            heuristic,
            limit,
            open: PackedOpen::new(h.into(), h),
            closed: Closed::new(space, limit),
            queue: PrefetchQueue::new(),
            round: Round::new(),
            stats: Stats { frontier_duplicates: true, ..Stats::default() },
            before_layer: 0,
            signal: Signal::default(),
            last: None,
            outcome: None,
            route,
            dead_ends: false,
            zero_at_goals: properties.admissible && properties.consistent,
        }
    }

    /// Whether the tables fit into memory.
    fn fits(&self) -> bool {
        self.open.bytes() + self.closed.bytes() <= self.limit
    }

    #[cold]
    fn grow(&mut self) -> Result<(), Full> {
        self.closed.grow(self.limit.saturating_sub(self.open.bytes()), &self.signal)?;
        self.measure();
        Ok(())
    }

    pub(super) fn measure(&mut self) {
        // During a round, the size of the frontier depends on how often the search is interrupted.
        if self.round.is_over() {
            self.stats.max_frontier = self.stats.max_frontier.max(self.frontier());
        }
        let bytes = self.open.bytes() + self.closed.bytes() + self.route.bytes();
        self.stats.hold(self.closed.len() + self.frontier() as usize, bytes);
    }

    #[inline]
    fn frontier(&self) -> u64 {
        self.open.len() + self.queue.len() as u64
    }

    /// The number of states of the current layer that were taken off the open list and not yet expanded.
    fn of_layer(&self) -> usize {
        self.queue.len() + self.round.left().len()
    }

    fn bound(&self) -> Cost {
        self.open.f().min(Cost::MAX.into()) as Cost
    }

    /// Begins the next layer, if there is one.
    #[cold]
    fn next_layer(&mut self) -> Progress {
        self.measure();
        let Some(f) = self.open.least() else {
            self.stats.expanded_before_last_layer = self.stats.expanded;
            self.outcome = Some(Outcome::Unsolvable);
            return Progress::Ended;
        };
        self.open.go_to(f);
        self.before_layer = self.stats.expanded;
        self.stats.layer = f.min(Cost::MAX.into()) as Cost;
        Progress::Layer(self.stats.layer)
    }

    /// The moves from the start to a state.
    fn path_to(&self, key: Key<N>) -> Vec<S::Move> {
        let mut state = key.state(self.space);
        let mut came_by = key.came_by(self.space);
        let mut moves = Vec::new();
        while let Some(m) = came_by {
            moves.push(m);
            self.space.retrace(&mut state, m);
            let before = self.closed.find(Key::start(self.space, &state)).expect("the parent of a state is closed");
            came_by = before.came_by(self.space);
        }
        moves.reverse();
        moves
    }

    /// The place of the parent of a closed state; `None` for the start.
    fn before(&self, place: usize) -> Option<usize> {
        let key = self.closed.at(place).expect("the place has a closed state");
        let m = key.came_by(self.space)?;
        let mut state = key.state(self.space);
        self.space.retrace(&mut state, m);
        let before = self.closed.place_of(Key::start(self.space, &state));
        Some(before.expect("the parent of a state is closed"))
    }

    #[cold]
    fn solved(&mut self, key: Key<N>, cost: Cost) -> Progress {
        let moves = self.path_to(key);
        debug_assert_eq!(moves.len(), cost as usize, "the path costs what the goal's g says");
        self.measure();
        self.stats.expanded_before_last_layer = self.before_layer;
        self.outcome = Some(Outcome::Solved(Solution { cost, moves, guarantee: Guarantee::Optimal }));
        Progress::Ended
    }

    fn stop_at(&mut self, why: Stop, lower_bound: Cost) {
        self.measure();
        let is_layer = lower_bound <= self.stats.layer;
        self.stats.expanded_before_last_layer = if is_layer { self.before_layer } else { self.stats.expanded };
        self.outcome = Some(Outcome::Stopped { why, lower_bound });
    }

    /// Stops because a list cannot grow. The open states give no bound: successors that did not fit are missing.
    #[cold]
    fn full(&mut self) -> Progress {
        let why = self.signal.stop().unwrap_or(Stop::Memory);
        self.stop_at(why, self.stats.layer);
        Progress::Ended
    }
}

impl<S: Keyed, H: Heuristic<S>, const N: usize> Search<S> for PackedAstar<'_, S, H, N> {
    fn advance(&mut self, expansions: u64) -> Progress {
        if self.outcome.is_some() {
            return Progress::Ended;
        }
        if self.stats.layer < self.bound() {
            self.stats.layer = self.bound();
            return Progress::Layer(self.stats.layer);
        }
        match self.work(expansions) {
            Pause::Used => Progress::Running,
            Pause::Dry => self.next_layer(),
            Pause::Goal(key, g) => self.solved(key, g),
            Pause::Full => self.full(),
        }
    }

    fn stats(&self) -> Stats {
        self.stats
    }

    fn outcome(&self) -> Option<&Outcome<S::Move>> {
        self.outcome.as_ref()
    }

    fn stop(&mut self, why: Stop) {
        if self.outcome.is_none() {
            self.stop_at(why, self.bound().max(self.stats.layer));
        }
    }

    fn set_signal(&mut self, signal: &Signal) {
        self.signal = signal.clone();
    }

    fn last_visit(&self) -> Option<Visit<S::Packed>> {
        let (key, g) = self.last?;
        let state = key.state(self.space);
        let estimate = self.heuristic.estimate(self.heuristic.evaluate(self.space, &state));
        let before = |m| {
            let mut before = state.clone();
            self.space.retrace(&mut before, m);
            self.space.pack(&before)
        };
        Some(Visit {
            state: self.space.pack(&state),
            parent: key.came_by(self.space).map(before),
            g,
            h: estimate.units().unwrap_or(0),
            scale: 1,
            backward: false,
        })
    }

    /// The closed list stores no `g`: it is the number of moves back to the start. Each path back is followed only as
    /// far as a state whose `g` is known.
    fn each_closed(&self, visit: &mut dyn FnMut(S::Packed, Cost)) -> bool {
        // `g` plus 1, or 0 if it is not known yet.
        let mut known: Vec<Cost> = vec![0; self.closed.places()];
        let mut path = Vec::new();
        for place in 0..known.len() {
            let Some(key) = self.closed.at(place) else { continue };
            let mut there = Some(place);
            while let Some(unknown) = there.filter(|&there| known[there] == 0) {
                path.push(unknown);
                there = self.before(unknown);
            }
            let mut moves = there.map_or(0, |there| known[there]);
            while let Some(unknown) = path.pop() {
                moves += 1;
                known[unknown] = moves;
            }
            let state = key.state(self.space);
            // The goal was closed when it was found, and perhaps other goals of the last layer.
            if !self.space.is_goal(&state) {
                visit(self.space.pack(&state), known[place] - 1);
            }
        }
        true
    }
}
