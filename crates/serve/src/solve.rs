//! Solving a board, and the trace of it.

use std::time::Duration;

use admissible_front::{Answer, Plan, TieBreak, TraceEvent, Tracer, Weight};
use axum::extract::State;
use axum::response::Response;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::Shared;
use crate::boards::Board;
use crate::error::{ApiError, Body};
use crate::jobs::{Job, SearchWatch};

/// How to search; the puzzle's advice where nothing is said.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Wanted {
    algorithm: Option<String>,
    heuristic: Option<String>,
    /// For `wastar`, from 1 to 10.
    weight: Option<f64>,
    /// `fifo`, `lifo` or `low-h`.
    tie_break: Option<String>,
    /// Seconds, if less than the server allows.
    time_limit: Option<f64>,
    /// States to expand.
    node_limit: Option<u64>,
}

impl Wanted {
    pub(crate) fn plan(&self, job: &Job) -> Result<Plan, ApiError> {
        let weight = self.weight.map(|weight| {
            let thousandths = Some((weight * 1000.0).round()).filter(|&thousandths| thousandths <= 10_000.0);
            let weight = thousandths.and_then(|thousandths| Weight::new(thousandths as u32, 1000));
            weight.ok_or_else(|| ApiError::unprocessable("weight: expected a number from 1 to 10"))
        });
        let tie = self.tie_break.as_deref().map(|tie| match tie {
            "fifo" => Ok(TieBreak::Fifo),
            "lifo" => Ok(TieBreak::Lifo),
            "low-h" => Ok(TieBreak::LowH),
            other => Err(ApiError::unprocessable(format!("tie_break: expected fifo, lifo or low-h, found '{other}'"))),
        });
        let time = self.time_limit.map(|seconds| {
            let short = || ApiError::unprocessable("time_limit: expected a number of seconds");
            Duration::try_from_secs_f64(seconds).map_err(|_| short())
        });
        Ok(Plan {
            algorithm: self.algorithm.clone(),
            heuristic: self.heuristic.clone(),
            weight: weight.transpose()?,
            tie: tie.transpose()?,
            limits: job.limits(time.transpose()?, self.node_limit),
            ..Plan::default()
        })
    }
}

/// A board and how to search it.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Request {
    pub(crate) board: Board,
    #[serde(default)]
    pub(crate) search: Wanted,
}

/// The object of `solve --format json`, and why heuristic and algorithm were chosen.
pub(crate) fn answer_json(answer: &Answer, name: &str) -> Value {
    let mut object = answer.json(name);
    object["chosen"] = json!(answer.chosen);
    object
}

/// Solves a board: `progress` now and then, then `answer`.
pub(crate) async fn solve(State(shared): State<Shared>, Body(request): Body<Request>) -> Result<Response, ApiError> {
    let permit = shared.jobs.permit()?;
    let (name, task) = open(&shared, request.board).await?;
    Ok(permit.stream(move |job| {
        let answer = task.solve(&request.search.plan(job)?, &mut SearchWatch::new(job), None)?;
        job.send("answer", &answer_json(&answer, &name));
        Ok(())
    }))
}

/// Reads a board where it keeps nobody waiting.
pub(crate) async fn open(shared: &Shared, board: Board) -> Result<(String, admissible_front::Task), ApiError> {
    let (name, shared) = (board.name.clone(), shared.clone());
    let read = tokio::task::spawn_blocking(move || board.open(&shared));
    Ok((name, read.await.map_err(|_| ApiError::internal())??))
}

/// The most states of a trace, as in the program.
const MOST_TRACED: u64 = 100_000;
/// Lines that are sent in one piece.
const LINES: usize = 500;

/// Sends the lines of a trace.
struct Lines<'a> {
    job: &'a Job,
    waiting: Vec<Value>,
    left: u64,
}

impl Lines<'_> {
    fn flush(&mut self) -> bool {
        self.waiting.is_empty() || self.job.send("lines", &Value::Array(std::mem::take(&mut self.waiting)))
    }
}

impl Tracer for Lines<'_> {
    fn event(&mut self, event: &TraceEvent) -> bool {
        if self.left == 0 {
            return false;
        }
        self.left -= 1;
        self.waiting.push(event.json());
        self.waiting.len() < LINES || self.flush()
    }
}

/// The states that a search visits in order: `lines` of JSON, then `answer`.
pub(crate) async fn trace(State(shared): State<Shared>, Body(request): Body<Request>) -> Result<Response, ApiError> {
    let permit = shared.jobs.permit()?;
    let (name, task) = open(&shared, request.board).await?;
    Ok(permit.stream(move |job| {
        let mut lines = Lines { job, waiting: Vec::new(), left: MOST_TRACED };
        let answer = task.solve(&request.search.plan(job)?, &mut SearchWatch::new(job), Some(&mut lines))?;
        lines.flush();
        job.send("answer", &answer_json(&answer, &name));
        Ok(())
    }))
}
