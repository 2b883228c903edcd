//! Solving a board, and tracing the search.

use std::time::Duration;

use admissible_front::{Answer, Plan, TieBreak, TraceEvent, Tracer, Weight};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::boards::Board;
use crate::job::{Job, SearchObserver};
use crate::refusal::Refusal;
use crate::{Prepared, Settings, read};

/// Options of a search; the puzzle's advice where they are missing.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct SearchOptions {
    algorithm: Option<String>,
    heuristic: Option<String>,
    /// For `wastar`, from 1 to 10.
    weight: Option<f64>,
    /// `fifo`, `lifo` or `low-h`.
    tie_break: Option<String>,
    /// Seconds, if less than the server allows.
    time_limit: Option<f64>,
    /// The most expansions.
    node_limit: Option<u64>,
}

impl SearchOptions {
    pub(crate) fn plan(&self, job: &Job) -> Result<Plan, Refusal> {
        let weight = self.weight.map(|weight| {
            let thousandths = Some((weight * 1000.0).round()).filter(|&thousandths| thousandths <= 10_000.0);
            let weight = thousandths.and_then(|thousandths| Weight::new(thousandths as u32, 1000));
            weight.ok_or_else(|| Refusal::unprocessable("weight: expected a number from 1 to 10"))
        });
        let tie = self.tie_break.as_deref().map(|tie| match tie {
            "fifo" => Ok(TieBreak::Fifo),
            "lifo" => Ok(TieBreak::Lifo),
            "low-h" => Ok(TieBreak::LowH),
            other => Err(Refusal::unprocessable(format!("tie_break: expected fifo, lifo or low-h, found '{other}'"))),
        });
        let time = self.time_limit.map(|seconds| {
            let refusal = || Refusal::unprocessable("time_limit: expected a number of seconds");
            Duration::try_from_secs_f64(seconds).map_err(|_| refusal())
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

/// A board and the options of a search.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct SolveRequest {
    pub(crate) board: Board,
    #[serde(default)]
    pub(crate) search: SearchOptions,
}

/// The object of `solve --format json`, with the reason for the choice of heuristic and algorithm.
pub(crate) fn answer_json(answer: &Answer, name: &str) -> Value {
    let mut object = answer.json(name);
    object["chosen"] = json!(answer.chosen);
    object
}

/// Solves a board. Events: `progress`, then `answer`.
pub(crate) fn solve(settings: &Settings, body: &[u8]) -> Result<Prepared, Refusal> {
    let SolveRequest { board, search } = read(body)?;
    let task = board.open(settings)?;
    Ok(Prepared::Events(
        "answer",
        Box::new(move |job| {
            let answer = task.solve(&search.plan(job)?, &mut SearchObserver::new(job), None)?;
            Ok(answer_json(&answer, &board.name))
        }),
    ))
}

/// The most states of a trace, as in the program.
const MOST_TRACED: u64 = 100_000;
/// The most lines of an event.
const MOST_LINES: usize = 500;

/// Sends a trace in events of many lines.
struct TraceSender<'a> {
    job: &'a Job,
    waiting: Vec<Value>,
    left: u64,
}

impl TraceSender<'_> {
    fn flush(&mut self) -> bool {
        self.waiting.is_empty() || self.job.send("lines", &Value::Array(std::mem::take(&mut self.waiting)))
    }
}

impl Tracer for TraceSender<'_> {
    fn event(&mut self, event: &TraceEvent) -> bool {
        if self.left == 0 {
            return false;
        }
        self.left -= 1;
        self.waiting.push(event.json());
        self.waiting.len() < MOST_LINES || self.flush()
    }
}

/// Sends the states that a search visits, in order. Events: `lines`, `progress`, then `answer`.
pub(crate) fn trace(settings: &Settings, body: &[u8]) -> Result<Prepared, Refusal> {
    let SolveRequest { board, search } = read(body)?;
    let task = board.open(settings)?;
    Ok(Prepared::Events(
        "answer",
        Box::new(move |job| {
            let mut sender = TraceSender { job, waiting: Vec::new(), left: MOST_TRACED };
            let answer = task.solve(&search.plan(job)?, &mut SearchObserver::new(job), Some(&mut sender))?;
            sender.flush();
            Ok(answer_json(&answer, &board.name))
        }),
    ))
}
