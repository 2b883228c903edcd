//! Watching a search: a few thousand frames, however long it takes.
//!
//! A frame sums up what happened since the last one: how the counts stand, where on the board states were visited and
//! met, how many had which `f`, and the state that was visited last. The first [`FINE`] states have a frame each; after
//! that a frame stands for a [`FINE`]th of all states so far, so that a million of them make some six thousand frames.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;

use admissible_front::{Moment, Spectator, Stats, Stop};
use axum::extract::State;
use axum::response::Response;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::Shared;
use crate::boards::Board;
use crate::error::{ApiError, Body};
use crate::jobs::{Job, SearchWatch};
use crate::solve::{Wanted, answer_json, open};

const FINE: u64 = 512;
/// Frames that are sent in one piece.
const MOST_FRAMES: usize = 256;
/// States that are watched at the most; the search is stopped there.
const MOST_WATCHED: u64 = 2_000_000;

/// A board, how to search it, and how to look at it.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Request {
    board: Board,
    #[serde(default)]
    search: Wanted,
    /// So many rows and columns of the board are one cell of the picture.
    #[serde(default = "one")]
    cell: i64,
}

fn one() -> i64 {
    1
}

/// What happened since the last frame.
#[derive(Default)]
struct Since {
    layers: BTreeMap<u64, u64>,
    visited: BTreeMap<(i64, i64), u64>,
    reached: BTreeSet<(i64, i64)>,
}

/// How the search stands.
#[derive(Clone, Copy)]
struct Figures {
    stats: Stats,
    open: u64,
    g: u32,
    h: f64,
}

struct Frames<'a> {
    job: &'a Job,
    cell: i64,
    since: Since,
    /// The number of the visit that the next frame comes after.
    next: u64,
    visits: u64,
    last: Option<Figures>,
    waiting: Vec<Value>,
}

impl<'a> Frames<'a> {
    fn new(job: &'a Job, cell: i64) -> Self {
        Frames { job, cell, since: Since::default(), next: 1, visits: 0, last: None, waiting: Vec::new() }
    }

    fn frame(&mut self, Figures { stats, open, g, h }: Figures, state: Value) {
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

    /// Sends what is left, with nothing to show for a state if the search ended between two frames.
    fn finish(&mut self) {
        if let Some(figures) = self.last.filter(|_| !self.since.layers.is_empty()) {
            self.frame(figures, Value::Null);
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
        let figures = Figures { stats: *moment.stats, open: moment.open, g: moment.g, h: moment.h };
        self.last = Some(figures);
        if self.visits >= self.next || !moment.expanded {
            self.next = self.visits + (self.visits / FINE).max(1);
            self.frame(figures, moment.state());
            let full = self.waiting.len() >= MOST_FRAMES;
            if (full || self.job.is_due()) && !self.flush() {
                return ControlFlow::Break(Stop::Interrupted);
            }
        }
        ControlFlow::Continue(())
    }
}

/// Watches a search: `frames` as it goes, then `answer`.
pub(crate) async fn watch(State(shared): State<Shared>, Body(request): Body<Request>) -> Result<Response, ApiError> {
    let permit = shared.jobs.permit()?;
    let (name, task) = open(&shared, request.board).await?;
    let cell = request.cell.max(1);
    Ok(permit.stream(move |job| {
        let mut plan = request.search.plan(job)?;
        plan.limits.expanded = Some(plan.limits.expanded.map_or(MOST_WATCHED, |most| most.min(MOST_WATCHED)));
        let mut frames = Frames::new(job, cell);
        let answer = task.watch(&plan, &mut SearchWatch::new(job), &mut frames)?;
        frames.finish();
        job.send("answer", &answer_json(&answer, &name));
        Ok(())
    }))
}
