//! The clock and threads of the platform.
//!
//! Nothing else in the library, the puzzles and the front reads a clock or starts a thread. So they compile for targets
//! that have neither, such as WebAssembly: there the program sets a clock ([`set_clock`]), and one thread does all
//! work.

use std::panic::resume_unwind;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

static CLOCK: OnceLock<fn() -> Duration> = OnceLock::new();

/// Sets the clock that [`Timestamp::now`] reads; it returns the time since any fixed moment. Only the first call has an
/// effect, and only before the clock is first read. Without it the system clock is used; if the target has none, time
/// stands still.
pub fn set_clock(clock: fn() -> Duration) {
    let _ = CLOCK.set(clock);
}

#[cfg(not(all(target_family = "wasm", not(target_os = "wasi"))))]
#[allow(clippy::disallowed_methods, reason = "the one place that reads the clock")]
fn system_clock() -> Duration {
    use std::time::Instant;

    static BEGIN: OnceLock<Instant> = OnceLock::new();
    BEGIN.get_or_init(Instant::now).elapsed()
}

#[cfg(all(target_family = "wasm", not(target_os = "wasi")))]
fn system_clock() -> Duration {
    Duration::ZERO
}

/// A point in time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Timestamp(Duration);

impl Timestamp {
    /// The current time.
    pub fn now() -> Self {
        Timestamp(CLOCK.get_or_init(|| system_clock)())
    }

    /// The time since this moment.
    pub fn elapsed(self) -> Duration {
        Timestamp::now().since(self)
    }

    /// The time from an earlier moment to this one; zero if it is not earlier.
    pub fn since(self, earlier: Timestamp) -> Duration {
        self.0.saturating_sub(earlier.0)
    }

    /// The moment `time` after this one; `None` if it is out of range.
    pub fn after(self, time: Duration) -> Option<Self> {
        self.0.checked_add(time).map(Timestamp)
    }
}

/// Whether the target has threads.
pub const HAS_THREADS: bool = cfg!(not(all(target_family = "wasm", not(target_feature = "atomics"))));

/// Whether a program has to be small rather than fast, since it is loaded over a network: then less code is compiled
/// for single types.
pub const IS_SMALL: bool = cfg!(target_family = "wasm");

/// The number of threads that can run at the same time.
#[allow(clippy::disallowed_methods, reason = "the one place that asks for threads")]
pub fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// Runs closures in parallel and waits for all: `here` on the calling thread, each of the others on a new one. Returns
/// the results, that of `here` first. On targets without threads the closures run one after the other, so none may wait
/// for another; HDA* runs on one thread there.
///
/// # Panics
/// If one of the closures does.
///
/// ```
/// use admissible::platform::together;
/// let squares = together(|| 0, (1..4).map(|number| move || number * number));
/// assert_eq!(squares, [0, 1, 4, 9]);
/// ```
pub fn together<R, F>(here: impl FnOnce() -> R, others: impl IntoIterator<Item = F>) -> Vec<R>
where
    R: Send,
    F: FnOnce() -> R + Send,
{
    let others: Vec<F> = others.into_iter().collect();
    let mut results: Vec<Option<R>> = (0..=others.len()).map(|_| None).collect();
    let (first, rest) = results.split_first_mut().expect("the results include that of `here`");
    let others =
        rest.iter_mut().zip(others).map(|(result, other)| -> BoxedTask<'_> { Box::new(|| *result = Some(other())) });
    let mut here = Some(here);
    run_together(&mut || *first = here.take().map(|here| here()), others.collect());
    results.into_iter().map(|result| result.expect("every closure has run")).collect()
}

/// Calls `work` with every number below `count`, on up to `threads` threads, until one call fails.
///
/// # Errors
/// The error of the call that failed; the first one if several did.
///
/// # Panics
/// If `work` does.
#[allow(clippy::disallowed_methods, reason = "one of the two functions that start threads")]
pub fn for_each<E: Send>(count: usize, threads: usize, work: impl Fn(usize) -> Result<(), E> + Sync) -> Result<(), E> {
    let next = AtomicUsize::new(0);
    let work_on = || loop {
        let number = next.fetch_add(1, Ordering::Relaxed);
        if number >= count {
            return Ok(());
        }
        work(number).inspect_err(|_| next.store(count, Ordering::Relaxed))?;
    };
    let threads = if HAS_THREADS { threads.min(count) } else { 1 };
    std::thread::scope(|scope| {
        let others: Vec<_> = (1..threads).map(|_| scope.spawn(work_on)).collect();
        let here = work_on();
        let results = others.into_iter().map(|other| other.join().unwrap_or_else(|panic| resume_unwind(panic)));
        results.fold(here, Result::and)
    })
}

/// A closure that stores its result itself.
type BoxedTask<'a> = Box<dyn FnOnce() + Send + 'a>;

/// [`together`] with erased types, so that starting threads is compiled once.
#[allow(clippy::disallowed_methods, reason = "one of the two functions that start threads")]
fn run_together(here: &mut dyn FnMut(), others: Vec<BoxedTask<'_>>) {
    if !HAS_THREADS {
        here();
        others.into_iter().for_each(|other| other());
        return;
    }
    std::thread::scope(|scope| {
        let others: Vec<_> = others.into_iter().map(|other| scope.spawn(other)).collect();
        here();
        for other in others {
            other.join().unwrap_or_else(|panic| resume_unwind(panic));
        }
    });
}
