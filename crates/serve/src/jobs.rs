//! Jobs: searches that last, each with a stream of events that somebody reads.
//!
//! A job has a permit, of which there are few; a share of the memory; a deadline; and a reader. It ends when the reader
//! goes away: whoever searches asks [`Job::over`] every few thousand states.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use admissible_front::{Limits, Observer, ScopeObserver, Stats, Stop, Watcher};
use admissible_lab::run::Watch;
use axum::extract::{Request, State};
use axum::http::{HeaderValue, StatusCode};
use axum::middleware::Next;
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use serde_json::{Value, json};
use tokio::runtime::Handle;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, mpsc};
use tokio_stream::StreamExt as _;
use tokio_stream::wrappers::ReceiverStream;

use crate::Settings;
use crate::error::ApiError;

/// Requests that are read and answered at once; the bodies of all of them have to fit into memory.
const MOST_REQUESTS: usize = 64;
/// Events that wait for a slow reader.
const MOST_WAITING: usize = 64;
/// How long an event that must arrive may wait for room.
const PATIENCE: Duration = Duration::from_secs(30);
/// A reader gets at most twenty summaries a second.
pub(crate) const EVERY: Duration = Duration::from_millis(50);

/// The permits of a server.
#[derive(Debug, Clone)]
pub(crate) struct Jobs {
    permits: Arc<Semaphore>,
    requests: Arc<Semaphore>,
    count: usize,
    time: Duration,
    memory: u64,
}

/// The right to run one job.
#[derive(Debug)]
pub(crate) struct Permit {
    _held: OwnedSemaphorePermit,
    time: Duration,
    memory: u64,
}

impl Jobs {
    pub(crate) fn new(settings: &Settings) -> Self {
        let count = settings.jobs.max(1);
        Jobs {
            permits: Arc::new(Semaphore::new(count)),
            requests: Arc::new(Semaphore::new(MOST_REQUESTS)),
            count,
            time: settings.time,
            memory: settings.memory / count as u64,
        }
    }

    /// A permit, if there is one.
    pub(crate) fn permit(&self) -> Result<Permit, ApiError> {
        let held = Arc::clone(&self.permits).try_acquire_owned().map_err(|_| {
            let message = match self.count {
                1 => {
                    "another search is running, and this server runs one at a time: try again when it has ended".into()
                }
                count => format!("{count} searches are running, which is the limit: try again when one has ended"),
            };
            ApiError::new(StatusCode::SERVICE_UNAVAILABLE, message)
        })?;
        Ok(Permit { _held: held, time: self.time, memory: self.memory })
    }
}

impl Permit {
    fn job(&self, events: mpsc::Sender<Event>) -> Job {
        let begin = Instant::now();
        Job {
            events,
            begin,
            deadline: begin + self.time,
            memory: self.memory,
            reported: AtomicU64::new(0),
            runtime: Handle::current(),
        }
    }

    /// Runs a job on a thread of its own and answers with its events. The last one is `error` if it failed.
    pub(crate) fn stream(self, work: impl FnOnce(&Job) -> Result<(), ApiError> + Send + 'static) -> Response {
        let (events, receiver) = mpsc::channel(MOST_WAITING);
        let job = self.job(events);
        tokio::task::spawn_blocking(move || {
            if let Err(error) = work(&job) {
                job.send("error", &error.json());
            }
            drop(self);
        });
        let events = ReceiverStream::new(receiver).map(Ok::<Event, std::convert::Infallible>);
        let mut response =
            Sse::new(events).keep_alive(KeepAlive::new().interval(Duration::from_secs(5))).into_response();
        response.headers_mut().insert("x-accel-buffering", HeaderValue::from_static("no"));
        response
    }

    /// Runs a short job and waits for it. When the request goes away, `over` says so.
    pub(crate) async fn wait<R: Send + 'static>(
        self,
        work: impl FnOnce(&Job) -> Result<R, ApiError> + Send + 'static,
    ) -> Result<R, ApiError> {
        let (events, receiver) = mpsc::channel(1);
        let job = self.job(events);
        let done = tokio::task::spawn_blocking(move || {
            let done = work(&job);
            drop(self);
            done
        });
        let answer = done.await;
        drop(receiver);
        answer.map_err(|_| ApiError::internal())?
    }
}

/// A running job.
pub(crate) struct Job {
    events: mpsc::Sender<Event>,
    begin: Instant,
    deadline: Instant,
    memory: u64,
    /// When progress was last told, in milliseconds since the beginning.
    reported: AtomicU64,
    runtime: Handle,
}

impl Job {
    /// What a search may take of time and memory, and less of either if somebody asks for less.
    pub(crate) fn limits(&self, time: Option<Duration>, expanded: Option<u64>) -> Limits {
        let left = self.deadline.saturating_duration_since(Instant::now());
        Limits { time: Some(time.map_or(left, |time| time.min(left))), bytes: Some(self.memory), expanded }
    }

    pub(crate) fn memory(&self) -> u64 {
        self.memory
    }

    /// Why the job should end, if it should.
    pub(crate) fn over(&self) -> Option<Stop> {
        if self.events.is_closed() {
            return Some(Stop::Interrupted);
        }
        (Instant::now() >= self.deadline).then_some(Stop::Time)
    }

    fn go_on(&self) -> ControlFlow<Stop> {
        self.over().map_or(ControlFlow::Continue(()), ControlFlow::Break)
    }

    /// Sends an event that must arrive; false if nobody reads any more.
    pub(crate) fn send(&self, name: &str, data: &Value) -> bool {
        let event = Event::default().event(name).data(data.to_string());
        let sent = self.runtime.block_on(async { tokio::time::timeout(PATIENCE, self.events.send(event)).await });
        matches!(sent, Ok(Ok(())))
    }

    /// Whether it is time to say something; true at most twenty times a second.
    pub(crate) fn is_due(&self) -> bool {
        let now = self.begin.elapsed().as_millis() as u64;
        let last = self.reported.load(Ordering::Relaxed);
        let due = now >= last + EVERY.as_millis() as u64;
        due && self.reported.compare_exchange(last, now, Ordering::Relaxed, Ordering::Relaxed).is_ok()
    }

    /// Tells how it goes, unless that was done a moment ago or the reader has not caught up.
    pub(crate) fn progress(&self, data: impl FnOnce() -> Value) {
        if self.is_due() {
            let _ = self.events.try_send(Event::default().event("progress").data(data().to_string()));
        }
    }

    fn seconds(&self) -> f64 {
        self.begin.elapsed().as_secs_f64()
    }
}

/// Watches one search, or several in a row, for a job.
pub(crate) struct SearchWatch<'a> {
    job: &'a Job,
    /// Which of how many, and its name.
    run: Option<(usize, usize, String)>,
}

impl<'a> SearchWatch<'a> {
    pub(crate) fn new(job: &'a Job) -> Self {
        SearchWatch { job, run: None }
    }

    fn tell(&self, stats: &Stats) -> ControlFlow<Stop> {
        self.job.progress(|| {
            let run = self.run.as_ref().map(|(at, of, title)| json!({ "at": at, "of": of, "title": title }));
            json!({
                "expanded": stats.expanded,
                "generated": stats.generated,
                "max_frontier": stats.max_frontier,
                "bound": stats.layer,
                "bytes": stats.bytes,
                "seconds": self.job.seconds(),
                "run": run,
            })
        });
        self.job.go_on()
    }
}

impl Observer for SearchWatch<'_> {
    fn tick(&mut self, stats: &Stats) -> ControlFlow<Stop> {
        self.tell(stats)
    }

    fn preparing(&mut self, done: u64, of: u64) -> ControlFlow<Stop> {
        self.job.progress(|| json!({ "preparing": { "done": done, "of": of }, "seconds": self.job.seconds() }));
        self.job.go_on()
    }

    fn layer(&mut self, _bound: u32, stats: &Stats) -> ControlFlow<Stop> {
        self.tell(stats)
    }
}

impl Watch for SearchWatch<'_> {
    fn begin(&mut self, at: usize, of: usize, title: &str) -> bool {
        self.run = Some((at, of, title.to_string()));
        self.job.over().is_none()
    }
}

/// Watches an audit for a job.
pub(crate) struct AuditWatch<'a> {
    job: &'a Job,
    done: AtomicU64,
    of: AtomicU64,
}

impl<'a> AuditWatch<'a> {
    pub(crate) fn new(job: &'a Job) -> Self {
        AuditWatch { job, done: AtomicU64::new(0), of: AtomicU64::new(0) }
    }
}

impl Watcher for AuditWatch<'_> {
    fn watch(&self, states: u64) -> ControlFlow<()> {
        let done = self.done.fetch_add(states, Ordering::Relaxed) + states;
        self.job.progress(|| {
            let of = self.of.load(Ordering::Relaxed);
            json!({ "done": done.min(of), "of": of, "seconds": self.job.seconds() })
        });
        if self.job.over().is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}

impl ScopeObserver for AuditWatch<'_> {
    fn begin(&self, _title: &str, states: Option<u64>, _bytes: Option<u64>) {
        self.of.store(states.unwrap_or(0), Ordering::Relaxed);
    }
}

/// Answers so many requests at once and refuses the rest, so that their bodies fit into memory.
pub(crate) async fn limit_requests(State(jobs): State<Jobs>, request: Request, next: Next) -> Response {
    match jobs.requests.try_acquire() {
        Ok(_held) => next.run(request).await,
        Err(_) => {
            let message = format!("{MOST_REQUESTS} requests are being answered, which is the limit: try again");
            ApiError::new(StatusCode::TOO_MANY_REQUESTS, message).into_response()
        }
    }
}
