//! Jobs: long searches, each with a stream of events for its client.
//!
//! A job holds one of a few permits and has a share of the memory and a deadline. It ends when its client disconnects:
//! the search checks [`Job::stop_reason`] every few thousand states.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use admissible_front::{Limits, Observer, ScopeObserver, Stats, Stop, Watcher};
use admissible_lab::run::Watch;
use axum::http::{HeaderValue, StatusCode};
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use serde_json::{Value, json};
use tokio::runtime::Handle;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, mpsc};
use tokio_stream::StreamExt as _;
use tokio_stream::wrappers::ReceiverStream;

use crate::Settings;
use crate::error::ApiError;

/// The most boards that are read at a time. Others wait, unless their clients disconnect.
const MOST_READERS: usize = 4;
/// The most events queued for a slow client.
const MOST_QUEUED: usize = 64;
/// The longest wait for room in the queue.
const SEND_TIMEOUT: Duration = Duration::from_secs(30);
/// The time between two progress events.
pub(crate) const PROGRESS_INTERVAL: Duration = Duration::from_millis(50);

/// The permits of a server.
#[derive(Debug, Clone)]
pub(crate) struct Jobs {
    permits: Arc<Semaphore>,
    readers: Arc<Semaphore>,
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
            readers: Arc::new(Semaphore::new(MOST_READERS)),
            count,
            time: settings.time,
            memory: settings.memory / count as u64,
        }
    }

    /// Reads a board on a blocking thread, once it is its turn. If the client disconnects before, nothing is read.
    pub(crate) async fn read<R: Send + 'static>(
        &self,
        work: impl FnOnce() -> R + Send + 'static,
    ) -> Result<R, ApiError> {
        let turn = Arc::clone(&self.readers).acquire_owned().await.map_err(|_| ApiError::internal())?;
        let read = tokio::task::spawn_blocking(move || {
            let read = work();
            drop(turn);
            read
        });
        read.await.map_err(|_| ApiError::internal())
    }

    /// A permit, if one is free.
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

    /// Runs a job on a blocking thread and responds with its events. The last one is `error` if it fails.
    pub(crate) fn stream(self, work: impl FnOnce(&Job) -> Result<(), ApiError> + Send + 'static) -> Response {
        let (events, receiver) = mpsc::channel(MOST_QUEUED);
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

    /// Runs a short job and waits for it. If the client disconnects, `stop_reason` says so.
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
    /// The time of the last progress event, in milliseconds since the beginning.
    reported: AtomicU64,
    runtime: Handle,
}

impl Job {
    /// The limits of a search: those of the job, or smaller ones from the request.
    pub(crate) fn limits(&self, time: Option<Duration>, expanded: Option<u64>) -> Limits {
        let left = self.deadline.saturating_duration_since(Instant::now());
        Limits { time: Some(time.map_or(left, |time| time.min(left))), bytes: Some(self.memory), expanded }
    }

    pub(crate) fn memory(&self) -> u64 {
        self.memory
    }

    /// The reason to stop, if any: the client disconnected, or the time is up.
    pub(crate) fn stop_reason(&self) -> Option<Stop> {
        if self.events.is_closed() {
            return Some(Stop::Interrupted);
        }
        (Instant::now() >= self.deadline).then_some(Stop::Time)
    }

    fn control_flow(&self) -> ControlFlow<Stop> {
        self.stop_reason().map_or(ControlFlow::Continue(()), ControlFlow::Break)
    }

    /// Sends an event that must arrive; false if the client has disconnected.
    pub(crate) fn send(&self, name: &str, data: &Value) -> bool {
        let event = Event::default().event(name).data(data.to_string());
        let sent = self.runtime.block_on(async { tokio::time::timeout(SEND_TIMEOUT, self.events.send(event)).await });
        matches!(sent, Ok(Ok(())))
    }

    /// Whether progress is due; true at most twenty times a second.
    pub(crate) fn is_due(&self) -> bool {
        let now = self.begin.elapsed().as_millis() as u64;
        let last = self.reported.load(Ordering::Relaxed);
        let due = now >= last + PROGRESS_INTERVAL.as_millis() as u64;
        due && self.reported.compare_exchange(last, now, Ordering::Relaxed, Ordering::Relaxed).is_ok()
    }

    /// Sends progress if it is due and the client has caught up.
    pub(crate) fn progress(&self, data: impl FnOnce() -> Value) {
        if self.is_due() {
            let _ = self.events.try_send(Event::default().event("progress").data(data().to_string()));
        }
    }

    fn seconds(&self) -> f64 {
        self.begin.elapsed().as_secs_f64()
    }
}

/// Reports the progress of one search, or of several in a row, and stops it with its job.
pub(crate) struct SearchObserver<'a> {
    job: &'a Job,
    /// The number of the run, the number of runs, and its title.
    run: Option<(usize, usize, String)>,
}

impl<'a> SearchObserver<'a> {
    pub(crate) fn new(job: &'a Job) -> Self {
        SearchObserver { job, run: None }
    }

    fn report(&self, stats: &Stats) -> ControlFlow<Stop> {
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
        self.job.control_flow()
    }
}

impl Observer for SearchObserver<'_> {
    fn tick(&mut self, stats: &Stats) -> ControlFlow<Stop> {
        self.report(stats)
    }

    fn preparing(&mut self, done: u64, of: u64) -> ControlFlow<Stop> {
        self.job.progress(|| json!({ "preparing": { "done": done, "of": of }, "seconds": self.job.seconds() }));
        self.job.control_flow()
    }

    fn layer(&mut self, _bound: u32, stats: &Stats) -> ControlFlow<Stop> {
        self.report(stats)
    }
}

impl Watch for SearchObserver<'_> {
    fn begin(&mut self, at: usize, of: usize, title: &str) -> bool {
        self.run = Some((at, of, title.to_string()));
        self.job.stop_reason().is_none()
    }
}

/// Reports the progress of an audit, and stops it with its job.
pub(crate) struct AuditObserver<'a> {
    job: &'a Job,
    done: AtomicU64,
    of: AtomicU64,
}

impl<'a> AuditObserver<'a> {
    pub(crate) fn new(job: &'a Job) -> Self {
        AuditObserver { job, done: AtomicU64::new(0), of: AtomicU64::new(0) }
    }
}

impl Watcher for AuditObserver<'_> {
    fn watch(&self, states: u64) -> ControlFlow<()> {
        let done = self.done.fetch_add(states, Ordering::Relaxed) + states;
        self.job.progress(|| {
            let of = self.of.load(Ordering::Relaxed);
            json!({ "done": done.min(of), "of": of, "seconds": self.job.seconds() })
        });
        if self.job.stop_reason().is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}

impl ScopeObserver for AuditObserver<'_> {
    fn begin(&self, _title: &str, states: Option<u64>, _bytes: Option<u64>) {
        self.of.store(states.unwrap_or(0), Ordering::Relaxed);
    }
}
