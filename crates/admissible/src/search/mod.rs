//! The algorithms.
//!
//! Most searches begin with a builder: [`Astar`], [`AstarFn`] for states of any type, [`Idastar`] or [`Bfs`]. Its
//! `solve` runs a search to its end. Below it every algorithm is a [`Search`], which expands as many states as it is
//! asked for, so that its driver can watch, limit, stop, or step through it; [`run`] is such a driver.
//!
//! | function | finds | needs |
//! |---|---|---|
//! | [`astar`] | a cheapest path, with an admissible heuristic | memory for every state it meets |
//! | [`eager_astar`] | the same, and takes every count | more memory and time |
//! | [`astar_without_reopening`] | a cheapest path, with a consistent heuristic | the same |
//! | [`ucs`] | a cheapest path | the same; A* without a heuristic |
//! | [`wastar`] | a path at most `w` times too dear | usually far less |
//! | [`greedy`] | some path | usually little |
//! | [`bfs`] | a path of fewest moves | memory for every state it meets |
//! | [`dfs`] | some path | memory for every state it meets |
//! | [`idastar`] | a cheapest path, with an admissible heuristic | almost no memory |
//! | [`idastar_pruned`] | the same from fewer states | the same |
//! | [`hdastar`] | what [`astar`] does, on several cores | a space with keys |
//! | [`bidirectional`] | a cheapest path | a space that can be walked backwards |

mod arena;
mod astar;
mod best_first;
mod bfs;
mod bidirectional;
mod builders;
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
pub use astar::{AstarSearch, astar, eager_astar, packed_astar};
pub use best_first::{BestFirst, astar_without_reopening, greedy, ucs, wastar};
pub use bfs::bfs;
pub use bidirectional::{NoGoals, bidirectional};
pub use builders::{Astar, Bfs};
pub use dfs::dfs;
pub use hdastar::{Team, hdastar};
pub use idastar::{Idastar, IdastarSettings, Snapshot, idastar, idastar_pruned};
pub use open::TieBreak;
pub use packed_astar::Sharing;
pub use report::{Guarantee, Limits, Observer, Outcome, Report, Solution, Stats, Stop, Weight};
pub use signal::Signal;

use crate::platform::Timestamp;
use crate::space::{Cost, StateSpace};

/// What a search did with the expansions that it was given.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Progress {
    /// Used them; there is more to do.
    Running,
    /// Stopped early to say that no solution costs less than this; there is more to do.
    Layer(Cost),
    /// Ended: [`Search::outcome`] is there.
    Ended,
}

/// One state on the way of a search, for traces and animations.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Visit<P> {
    /// The state.
    pub state: P,
    /// Where the search came from.
    pub parent: Option<P>,
    /// The cost of the path to it (from the goal, if `backward`).
    pub g: Cost,
    /// The estimate of what is still to come, in units of `scale`; 0 for searches without a heuristic.
    pub h: u32,
    /// Units of `h` that make a cost of 1.
    pub scale: u32,
    /// Whether it was expanded by the half that starts at the goal.
    pub backward: bool,
}

impl<P> Visit<P> {
    /// The same visit with the states in another form.
    pub fn map<Q>(self, mut form: impl FnMut(P) -> Q) -> Visit<Q> {
        let Visit { state, parent, g, h, scale, backward } = self;
        Visit { state: form(state), parent: parent.map(form), g, h, scale, backward }
    }
}

/// A search that can be stepped from outside.
pub trait Search<S: StateSpace> {
    /// Expands so many states more, unless it ends or a layer is completed before that.
    fn advance(&mut self, expansions: u64) -> Progress;
    /// What it took so far.
    fn stats(&self) -> Stats;
    /// How it ended, once it has.
    fn outcome(&self) -> Option<&Outcome<S::Move>>;
    /// Ends it where it stands.
    fn stop(&mut self, why: Stop);
    /// The state that was expanded last.
    fn last_visit(&self) -> Option<Visit<S::Packed>>;
    /// Calls `visit` with the states that a proof of the outcome is made of, in any order, and what the cheapest path
    /// to each costs that was found: all that were expanded, and perhaps others that are no goals. False, without a
    /// call, where the search keeps no such states.
    fn each_closed(&self, _visit: &mut dyn FnMut(S::Packed, Cost)) -> bool {
        false
    }
    /// Hands over what steps that take long are to look at; [`run`] does.
    fn heed(&mut self, _signal: &Signal) {}
    /// A solution that was found and is not proved to be cheapest, where the search goes on to look for a cheaper one.
    fn best(&self) -> Option<Solution<S::Move>> {
        None
    }
    /// Where it stands, for searches that can be written down; not once they have ended.
    fn snapshot(&mut self) -> Option<Snapshot> {
        None
    }
    /// Goes on where a search of the same kind on the same instance stood; false if that cannot be.
    fn restore(&mut self, _snapshot: &Snapshot) -> bool {
        false
    }
    /// By how much more than usual it wants to be asked for at a time, a power of two: a search with threads begins
    /// them anew each time.
    fn stride(&self) -> u64 {
        1
    }
    /// Takes somebody's word that no solution costs less than this, before anything is expanded.
    fn begin_at(&mut self, _bound: Cost) {}
}

impl<S: StateSpace, T: Search<S> + ?Sized> Search<S> for Box<T> {
    fn advance(&mut self, expansions: u64) -> Progress {
        (**self).advance(expansions)
    }

    fn stats(&self) -> Stats {
        (**self).stats()
    }

    fn outcome(&self) -> Option<&Outcome<S::Move>> {
        (**self).outcome()
    }

    fn stop(&mut self, why: Stop) {
        (**self).stop(why);
    }

    fn last_visit(&self) -> Option<Visit<S::Packed>> {
        (**self).last_visit()
    }

    fn each_closed(&self, visit: &mut dyn FnMut(S::Packed, Cost)) -> bool {
        (**self).each_closed(visit)
    }

    fn heed(&mut self, signal: &Signal) {
        (**self).heed(signal);
    }

    fn best(&self) -> Option<Solution<S::Move>> {
        (**self).best()
    }

    fn snapshot(&mut self) -> Option<Snapshot> {
        (**self).snapshot()
    }

    fn restore(&mut self, snapshot: &Snapshot) -> bool {
        (**self).restore(snapshot)
    }

    fn stride(&self) -> u64 {
        (**self).stride()
    }

    fn begin_at(&mut self, bound: Cost) {
        (**self).begin_at(bound);
    }
}

/// Expansions between two looks at clock, memory and observer, at the most; a power of two.
const TICK: u64 = 4096;
/// If it takes less than the first, there are more the next time; if it takes longer than the second, there are fewer.
const TICK_TIMES: (Duration, Duration) = (Duration::from_millis(2), Duration::from_millis(10));
/// The same for searches that begin threads each time.
const STRIDE_TIMES: (Duration, Duration) = (Duration::from_millis(8), Duration::from_millis(30));
/// But never fewer than this, a power of two.
const LEAST_TICK: u64 = 16;

/// Drives a search until it ends, a limit is reached or the observer stops it.
///
/// The limit on bytes is given to the search when it is made, since it must hold *before* a table grows; here it is
/// only looked at between ticks.
pub fn run<S: StateSpace>(search: &mut dyn Search<S>, limits: &Limits, observer: &mut dyn Observer) -> Report<S::Move> {
    run_traced(search, limits, observer, &mut |_| ControlFlow::Break(()))
}

/// Like [`run`], and calls `trace` with every state that is expanded, in order, until it has had enough. A goal that is
/// taken off the open list counts too. Stepping costs time, so the search runs freely after the last call.
pub fn run_traced<S: StateSpace>(
    search: &mut dyn Search<S>,
    limits: &Limits,
    observer: &mut dyn Observer,
    trace: &mut dyn FnMut(Visit<S::Packed>) -> ControlFlow<()>,
) -> Report<S::Move> {
    let deadline = limits.time.and_then(|time| Timestamp::now().after(time));
    search.heed(&Signal::new(observer.flag(), deadline));
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
        // Ticks fall on multiples, so that a search that goes on from a snapshot has those of one that was never
        // stopped.
        let until_tick = tick - before % tick;
        let left = limits.expanded.map_or(until_tick, |most| most.saturating_sub(before).min(until_tick));
        if left == 0 {
            stop(search, Stop::Nodes, observer);
            continue;
        }
        let begin = Timestamp::now();
        let progress = search.advance(if tracing { 1 } else { left });
        let stats = search.stats();
        // A search that ends may have taken the goal off its open list, which is no expansion and a visit all the same.
        let at_goal = |visit: &Visit<S::Packed>| {
            search.outcome().and_then(Outcome::cost) == Some(visit.g) && traced != Some(*visit)
        };
        if tracing {
            match search.last_visit() {
                Some(visit) if stats.expanded > before || at_goal(&visit) => {
                    traced = Some(visit);
                    tracing = trace(visit).is_continue();
                }
                Some(_) => {}
                // It expands states in no order that could be told.
                None => tracing = stats.expanded == before,
            }
        }
        let mut verdict = match progress {
            Progress::Ended => continue,
            Progress::Layer(bound) => observer.layer(bound, &stats),
            Progress::Running => ControlFlow::Continue(()),
        };
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
            ControlFlow::Continue(()) => write_down(search, None, observer),
        }
    }
}

/// Stops a search, after it was written down if that is wanted.
fn stop<S: StateSpace>(search: &mut dyn Search<S>, why: Stop, observer: &mut dyn Observer) {
    write_down(search, Some(why), observer);
    search.stop(why);
}

fn write_down<S: StateSpace>(search: &mut dyn Search<S>, why: Option<Stop>, observer: &mut dyn Observer) {
    if observer.checkpoint_due(why)
        && let Some(snapshot) = search.snapshot()
    {
        observer.save_checkpoint(&snapshot);
    }
}

/// The moves that lead along a path of packed states; of several between the same two states a cheapest.
///
/// # Panics
/// If two states in a row are not joined by a move: paths come from searches that walked them.
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
        let there = space.pack(&state) == to;
        space.undo(&mut state, m, undo);
        if there && best.is_none_or(|(least, _)| cost < least) {
            best = Some((cost, m));
        }
    }
    best
}
