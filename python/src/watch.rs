//! Work without Python on a thread of its own, while the calling thread looks after Ctrl-C and progress.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use admissible::audit::Watcher;
use admissible::search::{Observer, Stats, Stop};
use admissible_front::ScopeObserver;
use pyo3::prelude::*;

/// The time between two looks at Ctrl-C.
const LOOK: Duration = Duration::from_millis(25);
/// The time between two calls of the progress function.
const SHOW: Duration = Duration::from_millis(100);
/// Searches recurse; the main thread of most systems has this much.
const STACK: usize = 16 << 20;

/// What the working thread tells the calling one.
#[derive(Default)]
pub(crate) struct Watch {
    stop: Arc<AtomicBool>,
    stats: Mutex<Option<Stats>>,
    prepared: AtomicU64,
    states: AtomicU64,
    of: AtomicU64,
}

/// The observer of the working thread.
pub(crate) struct Watching<'a>(pub(crate) &'a Watch);

impl Watching<'_> {
    fn verdict(&self) -> ControlFlow<Stop> {
        if self.0.stop.load(Relaxed) { ControlFlow::Break(Stop::Interrupted) } else { ControlFlow::Continue(()) }
    }
}

impl Observer for Watching<'_> {
    fn tick(&mut self, stats: &Stats) -> ControlFlow<Stop> {
        if let Ok(mut last) = self.0.stats.try_lock() {
            *last = Some(*stats);
        }
        self.verdict()
    }

    fn preparing(&mut self, done: u64, of: u64) -> ControlFlow<Stop> {
        self.0.prepared.store(done, Relaxed);
        self.0.of.store(of, Relaxed);
        self.verdict()
    }

    fn layer(&mut self, _bound: u32, stats: &Stats) -> ControlFlow<Stop> {
        self.tick(stats)
    }

    fn flag(&self) -> Option<Arc<AtomicBool>> {
        Some(Arc::clone(&self.0.stop))
    }
}

impl Watcher for Watch {
    fn watch(&self, states: u64) -> ControlFlow<()> {
        self.states.fetch_add(states, Relaxed);
        if self.stop.load(Relaxed) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}

impl ScopeObserver for Watch {
    fn begin(&self, _title: &str, states: Option<u64>, _bytes: Option<u64>) {
        self.of.store(states.unwrap_or(0), Relaxed);
    }
}

impl Watch {
    /// `phase`, `done` and `of` for the progress function.
    fn progress(&self) -> (&'static str, u64, u64) {
        let stats = self.stats.lock().ok().and_then(|stats| *stats);
        let (states, of) = (self.states.load(Relaxed), self.of.load(Relaxed));
        match stats {
            Some(stats) => ("states expanded", stats.expanded, 0),
            None if states > 0 => ("states", states, of),
            None => ("tables", self.prepared.load(Relaxed), of),
        }
    }
}

/// Runs `work` on another thread without holding Python's lock. Ctrl-C stops it and raises `KeyboardInterrupt`.
pub(crate) fn watched<T: Send>(
    py: Python<'_>,
    progress: Option<&Py<PyAny>>,
    work: impl FnOnce(&Watch) -> T + Send,
) -> PyResult<T> {
    let watch = Watch::default();
    let watch = &watch;
    py.detach(|| {
        std::thread::scope(|scope| {
            let (done, ended) = channel();
            let worker = std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, move || {
                let result = work(watch);
                // The receiver waits until this thread ends.
                let _ = done.send(());
                result
            })?;
            let mut failure = None;
            let mut shown = Instant::now();
            while ended.recv_timeout(LOOK) == Err(RecvTimeoutError::Timeout) {
                if failure.is_some() {
                    continue;
                }
                let looked = Python::attach(|py| {
                    py.check_signals()?;
                    if let Some(progress) = progress
                        && shown.elapsed() >= SHOW
                    {
                        shown = Instant::now();
                        progress.call1(py, watch.progress())?;
                    }
                    Ok(())
                });
                if let Err(error) = looked {
                    watch.stop.store(true, Relaxed);
                    failure = Some(error);
                }
            }
            let result = worker.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
            match failure {
                Some(error) => Err(error),
                None => Ok(result),
            }
        })
    })
}

/// Calls the progress function and looks after Ctrl-C now and then, on the calling thread.
pub(crate) struct Pulse<'a> {
    progress: Option<&'a Py<PyAny>>,
    last: Instant,
}

impl<'a> Pulse<'a> {
    pub(crate) fn new(progress: Option<&'a Py<PyAny>>) -> Self {
        Pulse { progress, last: Instant::now() }
    }

    pub(crate) fn beat(&mut self, py: Python<'_>, phase: &str, done: u64, of: u64) -> PyResult<()> {
        if self.last.elapsed() < LOOK {
            return Ok(());
        }
        py.check_signals()?;
        if let Some(progress) = self.progress
            && self.last.elapsed() >= SHOW
        {
            self.last = Instant::now();
            progress.call1(py, (phase, done, of))?;
        }
        Ok(())
    }
}

/// Notices that memory runs out. A search counts its own memory, but not that of Python's states.
pub(crate) struct FreeMemory {
    /// A tenth of what was free at the beginning.
    least: u64,
    looked: Instant,
}

impl FreeMemory {
    pub(crate) fn new() -> Self {
        FreeMemory { least: admissible_cli::free_memory().unwrap_or(0) / 10, looked: Instant::now() }
    }

    /// Whether almost nothing is free. It looks four times a second.
    pub(crate) fn is_low(&mut self) -> bool {
        if self.looked.elapsed() < Duration::from_millis(250) {
            return false;
        }
        self.looked = Instant::now();
        admissible_cli::free_memory().is_some_and(|free| free < self.least)
    }
}
