//! The search algorithms.
//!
//! Start with a builder: [`Astar`] or [`Idastar`], or [`AstarFn`] for states of any type. Its `solve` runs the
//! search and returns a [`Report`]: the [`Outcome`] and the [`Stats`]. [`Limits`] bound time, memory and expansions; an
//! [`Observer`] shows progress and may stop the search.
//!
//! Every algorithm is also a function that returns a [`Search`], which [`run`] drives to its end, or which you step
//! yourself, some expansions at a time:
//!
//! | function | finds | needs |
//! |---|---|---|
//! | [`astar`] | a cheapest path, with an admissible heuristic | memory for every state it generates |
//! | [`idastar`] | a cheapest path, with an admissible heuristic | almost no memory |
//! | [`Idastar::pruned`] | the same, with fewer expansions | a space with [`Prunable`](crate::Prunable) |
//! | [`hdastar`] | the same as [`astar`], on several cores | a space with [`Keyed`](crate::Keyed) |
//! | [`bidirectional`] | a cheapest path | a space with [`Backward`](crate::Backward) |
//! | [`ucs`] | a cheapest path, without a heuristic | memory for every state it generates |
//! | [`bfs`] | a path of fewest moves | memory for every state it generates |
//! | [`wastar`] | a path that costs at most `w` times the optimum | usually far less memory than [`astar`] |
//! | [`greedy`] | some path | usually little memory |
//! | [`beam`] | some path soon, better ones later | as much memory as it is given |
//! | [`dfs`] | some path | memory for every state it generates |
//! | [`eager_astar`] | the same as [`astar`], with each state once in the open list | more memory and time |
//! | [`astar_without_reopening`] | a cheapest path, only with a consistent heuristic | as [`eager_astar`] |

mod arena;
mod astar;
mod beam;
mod best_first;
mod bfs;
mod bidirectional;
pub(crate) mod closed;
mod dfs;
pub mod distributed;
mod hdastar;
mod idastar;
mod move_pruning;
mod open;
mod packed_astar;
mod report;
mod restore;
mod signal;
pub mod subtree;

use std::ops::ControlFlow;
use std::time::Duration;

pub use arena::AstarFn;
pub use astar::{Astar, astar, eager_astar, packed_astar};
pub use beam::{Beam, beam, beam_of_width};
pub use best_first::{BestFirst, astar_without_reopening, greedy, ucs, wastar};
pub use bfs::bfs;
pub use bidirectional::{NoGoals, bidirectional};
pub use dfs::dfs;
pub use hdastar::{Team, hdastar};
pub use idastar::{Idastar, IdastarSettings, Snapshot, idastar};
pub use open::TieBreak;
pub use report::{Guarantee, Limits, Observer, Outcome, Report, Solution, Stats, Stop, Weight};
pub use signal::Signal;

use crate::platform::Timestamp;
use crate::space::{Cost, StateSpace};

/// The result of [`Search::advance`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Progress {
    /// The expansions are used up; the search has not ended.
    Running,
    /// The search returned early, having proved that no solution costs less than this; it has not ended.
    Layer(Cost),
    /// The search has ended: [`Search::outcome`] returns its outcome.
    Ended,
}

/// One expanded state, for traces and animations.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Visit<P> {
    /// The state.
    pub state: P,
    /// Its parent in the search; `None` for the start.
    pub parent: Option<P>,
    /// The cost of the path to it (from the goal, if `backward`).
    pub g: Cost,
    /// Its estimate, in units of `1 / scale`; 0 for searches without a heuristic.
    pub h: u32,
    /// The units of `h` that make a cost of 1.
    pub scale: u32,
    /// Whether the backward half of a bidirectional search expanded it.
    pub backward: bool,
}

impl<P> Visit<P> {
    /// The same visit with the states in another form.
    pub fn map<Q>(self, mut form: impl FnMut(P) -> Q) -> Visit<Q> {
        let Visit { state, parent, g, h, scale, backward } = self;
        Visit { state: form(state), parent: parent.map(form), g, h, scale, backward }
    }
}

/// A search that its driver advances step by step.
pub trait Search<S: StateSpace> {
    /// Expands up to `expansions` states; fewer if the search ends or completes a layer.
    fn advance(&mut self, expansions: u64) -> Progress;
    /// The counts so far.
    fn stats(&self) -> Stats;
    /// The outcome, once the search has ended.
    fn outcome(&self) -> Option<&Outcome<S::Move>>;
    /// Ends the search without a solution.
    fn stop(&mut self, why: Stop);
    /// The state that was expanded last; `None` if the search has no fixed expansion order.
    fn last_visit(&self) -> Option<Visit<S::Packed>>;
    /// Calls `visit` with the states that a certificate of the outcome needs, in any order, each with the least known
    /// cost of a path to it: all expanded states, and perhaps others that are no goals. Returns false, without a call,
    /// if the search does not keep its expanded states.
    fn each_closed(&self, _visit: &mut dyn FnMut(S::Packed, Cost)) -> bool {
        false
    }
    /// Calls `visit` with every expanded state, in any order. Goals may be among them. Returns false, without a call,
    /// if the search does not keep its expanded states.
    fn each_expanded(&self, visit: &mut dyn FnMut(S::Packed)) -> bool {
        self.each_closed(&mut |packed, _| visit(packed))
    }
    /// Sets the signal that long steps poll; [`run`] calls it.
    fn set_signal(&mut self, _signal: &Signal) {}
    /// The incumbent: a solution that is not yet proved to be cheapest, while the search continues.
    fn best(&self) -> Option<Solution<S::Move>> {
        None
    }
    /// A snapshot of the search, if it supports that and has not ended.
    fn snapshot(&mut self) -> Option<Snapshot> {
        None
    }
    /// Restores a snapshot of the same algorithm on the same instance, before anything is expanded; false if it does
    /// not fit.
    fn restore(&mut self, _snapshot: &Snapshot) -> bool {
        false
    }
    /// The factor, a power of two, by which each call of [`Search::advance`] should ask for more expansions than usual:
    /// a search with threads starts them in each call.
    fn stride(&self) -> u64 {
        1
    }
    /// Starts with a lower bound that the caller has proved, before anything is expanded.
    fn begin_at(&mut self, _bound: Cost) {}
}

/// The most expansions between two checks of clock, memory and observer (a tick); a power of two.
const TICK: u64 = 4096;
/// A tick shorter than the first time is doubled the next time; one longer than the second is halved.
const TICK_TIMES: (Duration, Duration) = (Duration::from_millis(2), Duration::from_millis(10));
/// The same for searches that start threads in each call.
const STRIDE_TIMES: (Duration, Duration) = (Duration::from_millis(8), Duration::from_millis(30));
/// The fewest expansions of a tick, a power of two.
const LEAST_TICK: u64 = 16;

/// Drives a search until it ends, a limit is reached or the observer stops it.
///
/// The search gets the limit on bytes when it is made, since the limit must hold *before* a table grows; this function
/// only checks it between ticks.
pub fn run<S: StateSpace>(search: &mut dyn Search<S>, limits: &Limits, observer: &mut dyn Observer) -> Report<S::Move> {
    run_traced(search, limits, observer, &mut |_, _| ControlFlow::Break(None))
}

/// Is called with every expanded state. Breaks to end the trace, or to stop the search.
pub type Trace<'a, P> = dyn FnMut(Visit<P>, &Stats) -> ControlFlow<Option<Stop>> + 'a;

/// Like [`run`], and calls `trace` with every expanded state, in order, until `trace` breaks. A goal that is taken off
/// the open list counts too. After the last call the search runs at full speed.
pub fn run_traced<S: StateSpace>(
    search: &mut dyn Search<S>,
    limits: &Limits,
    observer: &mut dyn Observer,
    trace: &mut Trace<'_, S::Packed>,
) -> Report<S::Move> {
    let deadline = limits.time.and_then(|time| Timestamp::now().after(time));
    search.set_signal(&Signal::new(observer.flag(), deadline));
    let mut tracing = true;
    let mut traced = None;
    let mut tick = TICK;
    loop {
        if let Some(outcome) = search.outcome() {
            let outcome = outcome.clone();
            return Report { outcome, stats: search.stats() };
        }
        let before = search.stats().expanded;
        let stride = search.stride();
        tick = tick.min(TICK * stride);
        let (short_tick, long_tick) = if stride == 1 { TICK_TIMES } else { STRIDE_TIMES };
        // Ticks fall on multiples, so a search restored from a snapshot has the same ticks as an uninterrupted one.
        let until_tick = tick - before % tick;
        let left = limits.expanded.map_or(until_tick, |most| most.saturating_sub(before).min(until_tick));
        if left == 0 {
            stop(search, Stop::Nodes, observer);
            continue;
        }
        let begin = Timestamp::now();
        let progress = search.advance(if tracing { 1 } else { left });
        let stats = search.stats();
        // Taking the goal off the open list is not an expansion, but it is a visit.
        let at_goal = |visit: &Visit<S::Packed>| {
            search.outcome().and_then(Outcome::cost) == Some(visit.g) && traced != Some(*visit)
        };
        let mut verdict = ControlFlow::Continue(());
        if tracing {
            match search.last_visit() {
                Some(visit) if stats.expanded > before || at_goal(&visit) => {
                    traced = Some(visit);
                    if let ControlFlow::Break(why) = trace(visit, &stats) {
                        tracing = false;
                        verdict = why.map_or(ControlFlow::Continue(()), ControlFlow::Break);
                    }
                }
                Some(_) => {}
                // The search has no fixed expansion order.
                None => tracing = stats.expanded == before,
            }
        }
        match progress {
            Progress::Ended => continue,
            Progress::Layer(bound) if verdict.is_continue() => verdict = observer.layer(bound, &stats),
            Progress::Layer(_) | Progress::Running => {}
        }
        if stats.expanded / tick != before / tick || stats.expanded == before {
            if verdict.is_continue() {
                verdict = observer.tick(&stats);
            }
            let now = Timestamp::now();
            if deadline.is_some_and(|deadline| now >= deadline) {
                verdict = ControlFlow::Break(Stop::Time);
            }
            match now.since(begin) {
                long if long > long_tick && tick > LEAST_TICK => tick /= 2,
                short if short < short_tick && tick < TICK * stride => tick *= 2,
                _ => {}
            }
        }
        if limits.bytes.is_some_and(|most| stats.bytes > most) {
            verdict = ControlFlow::Break(Stop::Memory);
        }
        match verdict {
            ControlFlow::Break(why) => stop(search, why, observer),
            ControlFlow::Continue(()) => save_if_due(search, None, observer),
        }
    }
}

/// Stops a search, after a checkpoint if one is due.
fn stop<S: StateSpace>(search: &mut dyn Search<S>, why: Stop, observer: &mut dyn Observer) {
    save_if_due(search, Some(why), observer);
    search.stop(why);
}

fn save_if_due<S: StateSpace>(search: &mut dyn Search<S>, why: Option<Stop>, observer: &mut dyn Observer) {
    if observer.checkpoint_due(why)
        && let Some(snapshot) = search.snapshot()
    {
        observer.save_checkpoint(&snapshot);
    }
}

/// The moves along a path of packed states, and their cost; `None` if the cost overflows. Of several moves between the
/// same two states it takes a cheapest.
///
/// # Panics
/// If no move joins two consecutive states.
fn moves_along<S: StateSpace>(space: &S, path: &[S::Packed]) -> (Vec<S::Move>, Option<Cost>) {
    let mut total = Some(0 as Cost);
    let moves = path
        .windows(2)
        .map(|pair| {
            let (cost, m) = cheapest_move(space, pair[0], pair[1]).expect("a move joins the states of a path");
            total = total.and_then(|total| total.checked_add(cost));
            m
        })
        .collect();
    (moves, total)
}

/// A cheapest move from one state to another, and its cost.
pub fn cheapest_move<S: StateSpace>(space: &S, from: S::Packed, to: S::Packed) -> Option<(Cost, S::Move)> {
    let mut state = space.unpack(from);
    let mut best: Option<(Cost, S::Move)> = None;
    for m in space.moves(&state) {
        let cost = space.cost(&state, m);
        let undo = space.apply(&mut state, m);
        let leads_there = space.pack(&state) == to;
        space.undo(&mut state, m, undo);
        if leads_there && best.is_none_or(|(least, _)| cost < least) {
            best = Some((cost, m));
        }
    }
    best
}
