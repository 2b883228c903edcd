//! Jobs: long searches that send events.
//!
//! A job has a share of the memory and a deadline. It ends when its client leaves: the search checks
//! [`Job::stop_reason`] every few thousand states.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use admissible::platform::Timestamp;
use admissible_front::{Limits, Observer, ScopeObserver, Stats, Stop, Watcher};
use admissible_lab::run::Watch;
use serde_json::{Value, json};

use crate::Settings;
use crate::refusal::Refusal;

/// The time between two progress events.
const PROGRESS_INTERVAL: Duration = Duration::from_millis(50);

/// The receiver of a job's events.
pub trait Client: Send + Sync {
    /// Sends an event that must arrive; false if the client has left.
    fn send(&self, name: &str, data: &Value) -> bool;
    /// Sends an event, unless the client has fallen behind.
    fn offer(&self, name: &str, data: &Value);
    /// Whether the client has left.
    fn has_left(&self) -> bool;
}

/// A running job.
pub struct Job {
    client: Box<dyn Client>,
    begin: Timestamp,
    time: Duration,
    memory: u64,
    /// The time of the last progress event, in milliseconds since the beginning.
    reported: AtomicU64,
}

impl Job {
    /// A job that begins now.
    pub fn new(settings: &Settings, client: impl Client + 'static) -> Self {
        Job {
            client: Box::new(client),
            begin: Timestamp::now(),
            time: settings.time,
            memory: settings.memory_of_job(),
            reported: AtomicU64::new(0),
        }
    }

    /// Does the work and sends its answer, or `error` if it fails.
    pub fn run(&self, last: &str, work: impl FnOnce(&Job) -> Result<Value, Refusal>) {
        match work(self) {
            Ok(value) => self.send(last, &value),
            Err(refusal) => self.send("error", &refusal.json()),
        };
    }

    /// The limits of a search: those of the job, or smaller ones from the request.
    pub(crate) fn limits(&self, time: Option<Duration>, expanded: Option<u64>) -> Limits {
        let left = self.time.saturating_sub(self.begin.elapsed());
        Limits { time: Some(time.map_or(left, |time| time.min(left))), bytes: Some(self.memory), expanded }
    }

    pub(crate) fn memory(&self) -> u64 {
        self.memory
    }

    /// The reason to stop, if any: the client has left, or the time is up.
    pub(crate) fn stop_reason(&self) -> Option<Stop> {
        if self.client.has_left() {
            return Some(Stop::Interrupted);
        }
        (self.begin.elapsed() >= self.time).then_some(Stop::Time)
    }

    fn control_flow(&self) -> ControlFlow<Stop> {
        self.stop_reason().map_or(ControlFlow::Continue(()), ControlFlow::Break)
    }

    /// Sends an event that must arrive; false if the client has left.
    pub(crate) fn send(&self, name: &str, data: &Value) -> bool {
        self.client.send(name, data)
    }

    /// Whether progress is due; true at most twenty times a second.
    pub(crate) fn is_due(&self) -> bool {
        let now = self.begin.elapsed().as_millis() as u64;
        let last = self.reported.load(Ordering::Relaxed);
        let due = now >= last + PROGRESS_INTERVAL.as_millis() as u64;
        due && self.reported.compare_exchange(last, now, Ordering::Relaxed, Ordering::Relaxed).is_ok()
    }

    /// Sends progress if it is due and the client keeps up.
    pub(crate) fn progress(&self, data: impl FnOnce() -> Value) {
        if self.is_due() {
            self.client.offer("progress", &data());
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
