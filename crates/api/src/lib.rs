//! What the page asks for, answered: requests and events in JSON.
//!
//! A request has a path and a body. [`Call::prepare`] reads both and the board; what is left is the answer, or a job
//! that sends events to its [`Client`]. Nothing here starts a thread, opens a socket or reads the clock of the system,
//! so the server of the program and the module of the static page answer with the same code.
//!
//! This crate names no puzzle.
#![forbid(unsafe_code)]

mod audit;
mod boards;
mod compare;
mod explain;
mod generate;
mod job;
mod refusal;
mod solve;
mod watch;

use std::sync::Arc;
use std::time::Duration;

use admissible_front::{Registry, TableCache};
use serde::de::DeserializeOwned;
use serde_json::Value;

pub use job::{Client, Job};
pub use refusal::Refusal;

/// The puzzles, and what their jobs may use.
#[derive(Debug, Clone)]
pub struct Settings {
    /// The puzzles.
    pub puzzles: Registry,
    /// The most concurrent searches.
    pub jobs: usize,
    /// The most time of a search.
    pub time: Duration,
    /// The most bytes of all searches together.
    pub memory: u64,
    /// The cache for large tables.
    pub table_cache: Option<Arc<dyn TableCache>>,
    /// The seed of a random board whose request names none.
    pub seed: fn() -> u64,
}

impl Settings {
    /// The most bytes of one search.
    fn memory_of_job(&self) -> u64 {
        self.memory / self.jobs.max(1) as u64
    }
}

/// The largest body of a request: a maze of half a million cells.
pub const MOST_BODY: usize = 1 << 20;

/// The rest of a job, once its request and its board are read.
pub type Work = Box<dyn FnOnce(&Job) -> Result<Value, Refusal> + Send>;

/// A request that has been read.
pub enum Prepared {
    /// Its answer.
    Answer(Value),
    /// A job with an answer and no events.
    Quiet(Work),
    /// A job with events, and the name of the last one, which is its answer.
    Events(&'static str, Work),
}

/// What a request takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Takes {
    /// Nothing: it has no body.
    Nothing,
    /// The time to read a board.
    Reading,
    /// A job.
    Job,
}

/// A kind of request.
#[derive(Debug)]
pub struct Call {
    /// Its path.
    pub path: &'static str,
    /// What it takes.
    pub takes: Takes,
    prepare: fn(&Settings, &[u8]) -> Result<Prepared, Refusal>,
}

impl Call {
    /// Reads a body and the board in it. Large boards take long.
    ///
    /// # Errors
    /// If the body or the board cannot be read, or asks for what there is not.
    pub fn prepare(&self, settings: &Settings, body: &[u8]) -> Result<Prepared, Refusal> {
        (self.prepare)(settings, body)
    }
}

/// Every kind of request.
pub const CALLS: &[Call] = &[
    Call { path: "/api/puzzles", takes: Takes::Nothing, prepare: |settings, _| Ok(boards::puzzles(settings)) },
    Call { path: "/api/open", takes: Takes::Reading, prepare: boards::open_board },
    Call { path: "/api/generate", takes: Takes::Job, prepare: generate::generate_board },
    Call { path: "/api/solve", takes: Takes::Job, prepare: solve::solve },
    Call { path: "/api/trace", takes: Takes::Job, prepare: solve::trace },
    Call { path: "/api/watch", takes: Takes::Job, prepare: watch::watch },
    Call { path: "/api/compare", takes: Takes::Job, prepare: compare::compare },
    Call { path: "/api/audit", takes: Takes::Job, prepare: audit::audit },
    Call { path: "/api/explain", takes: Takes::Job, prepare: explain::explain },
];

/// Answers one request from beginning to end. The last event is the answer, or `error`.
pub fn answer(settings: &Settings, path: &str, body: &[u8], client: impl Client + 'static) {
    let job = Job::new(settings, client);
    match find(path).and_then(|call| call.prepare(settings, body)) {
        Ok(Prepared::Answer(value)) => job.run("answer", |_| Ok(value)),
        Ok(Prepared::Quiet(work)) => job.run("answer", work),
        Ok(Prepared::Events(last, work)) => job.run(last, work),
        Err(refusal) => job.run("error", |_| Err(refusal)),
    }
}

fn find(path: &str) -> Result<&'static Call, Refusal> {
    let not_found = || Refusal::new(Refusal::NOT_FOUND, "there is nothing here");
    CALLS.iter().find(|call| call.path == path).ok_or_else(not_found)
}

/// A request's body.
fn read<T: DeserializeOwned>(body: &[u8]) -> Result<T, Refusal> {
    Ok(serde_json::from_slice(body)?)
}

#[cfg(test)]
mod tests;
