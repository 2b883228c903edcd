//! Watching a search as a few thousand frames, however many states it visits.
//!
//! A frame summarises the visits since the last one: the counters, the places on the board of visited and generated
//! states, the number of states by `f`, and the last visited state. The first [`SINGLE_FRAMES`] states have a frame
//! each; every later one covers one [`SINGLE_FRAMES`]th of the states so far. A million states give some six thousand.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;

use admissible_front::{Moment, Spectator, Stats, Stop};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::boards::Board;
use crate::job::{Job, SearchObserver};
use crate::refusal::Refusal;
use crate::solve::{SearchOptions, answer_json};
use crate::{Prepared, Settings, read};

/// The number of visits with a frame each.
const SINGLE_FRAMES: u64 = 512;
/// The most frames of an event.
const MOST_FRAMES: usize = 256;
/// The most expansions of a watched search.
const MOST_WATCHED: u64 = 2_000_000;

/// A board, the options of a search, and the resolution of the frames.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct WatchRequest {
    board: Board,
    #[serde(default)]
    search: SearchOptions,
    /// The number of rows and columns of the board in one cell of the heat map.
    #[serde(default = "one")]
    cell: i64,
}

fn one() -> i64 {
    1
}

/// The visits since the last frame.
#[derive(Default)]
struct FrameSummary {
    layers: BTreeMap<u64, u64>,
    visited: BTreeMap<(i64, i64), u64>,
    reached: BTreeSet<(i64, i64)>,
}

/// The counters and the last visited state's `g` and `h`.
#[derive(Clone, Copy)]
struct Counters {
    stats: Stats,
    open: u64,
    g: u32,
    h: f64,
}

struct Frames<'a> {
    job: &'a Job,
    cell: i64,
    since: FrameSummary,
    /// The number of visits at which the next frame is due.
    next: u64,
    visits: u64,
    last: Option<Counters>,
    waiting: Vec<Value>,
}

impl<'a> Frames<'a> {
    fn new(job: &'a Job, cell: i64) -> Self {
        Frames { job, cell, since: FrameSummary::default(), next: 1, visits: 0, last: None, waiting: Vec::new() }
    }

    fn frame(&mut self, Counters { stats, open, g, h }: Counters, state: Value) {
        let since = std::mem::take(&mut self.since);
        let layers = since.layers.into_iter().flat_map(|(f, count)| [f, count]);
        let visited = since.visited.into_iter().flat_map(|((row, column), count)| [row, column, count as i64]);
        let reached = since.reached.into_iter().flat_map(|(row, column)| [row, column]);
        self.waiting.push(json!({
            "visits": self.visits,
            "expanded": stats.expanded,
            "generated": stats.generated,
            "reopened": stats.reopened,
            "open": open,
            "bound": stats.layer,
            "g": g,
            "h": h,
            "state": state,
            "layers": layers.collect::<Vec<u64>>(),
            "visited": visited.collect::<Vec<i64>>(),
            "reached": reached.collect::<Vec<i64>>(),
        }));
    }

    fn flush(&mut self) -> bool {
        self.waiting.is_empty() || self.job.send("frames", &Value::Array(std::mem::take(&mut self.waiting)))
    }

    /// Sends the rest; a frame for visits after the last one has no state.
    fn finish(&mut self) {
        if let Some(counters) = self.last.filter(|_| !self.since.layers.is_empty()) {
            self.frame(counters, Value::Null);
        }
        self.flush();
    }
}

impl Spectator for Frames<'_> {
    fn moment(&mut self, moment: &Moment<'_>) -> ControlFlow<Stop> {
        self.visits += 1;
        let f = f64::from(moment.g) + moment.h;
        *self.since.layers.entry(f as u64).or_default() += 1;
        let cell = |(row, column): (i64, i64)| (row / self.cell, column / self.cell);
        if let Some(place) = moment.place {
            *self.since.visited.entry(cell(place)).or_default() += 1;
        }
        self.since.reached.extend(moment.reached.iter().map(|&place| cell(place)));
        let counters = Counters { stats: *moment.stats, open: moment.open, g: moment.g, h: moment.h };
        self.last = Some(counters);
        if self.visits >= self.next || !moment.expanded {
            self.next = self.visits + (self.visits / SINGLE_FRAMES).max(1);
            self.frame(counters, moment.state());
            let full = self.waiting.len() >= MOST_FRAMES;
            if (full || self.job.is_due()) && !self.flush() {
                return ControlFlow::Break(Stop::Interrupted);
            }
        }
        ControlFlow::Continue(())
    }
}

/// Watches a search. Events: `frames`, `progress`, then `answer`.
pub(crate) fn watch(settings: &Settings, body: &[u8]) -> Result<Prepared, Refusal> {
    let WatchRequest { board, search, cell } = read(body)?;
    let task = board.open(settings)?;
    Ok(Prepared::Events(
        "answer",
        Box::new(move |job| {
            let mut plan = search.plan(job)?;
            plan.limits.expanded = Some(plan.limits.expanded.map_or(MOST_WATCHED, |most| most.min(MOST_WATCHED)));
            let mut frames = Frames::new(job, cell.max(1));
            let answer = task.watch(&plan, &mut SearchObserver::new(job), &mut frames)?;
            frames.finish();
            Ok(answer_json(&answer, &board.name))
        }),
    ))
}
