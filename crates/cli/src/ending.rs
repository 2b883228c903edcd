//! How the program ends when it has to: at the time limit, at Ctrl-C, or because the work is done.
//!
//! From its first moment on, the program is in a [`Stage`], which says what may end it by force and what is printed
//! then. Most work notices a limit or an interruption by itself. What does not, such as reading a large file or drawing
//! a large board, is ended after a short grace, with whatever is known by then.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, LazyLock, Mutex, MutexGuard, Once, PoisonError};
use std::time::{Duration, Instant};

use admissible_front::{Stop, files, on_exhaustion};

use crate::{Exit, tell};

static INTERRUPTED: LazyLock<Arc<AtomicBool>> = LazyLock::new(Arc::default);

/// When the work began: once the command line was read.
static BEGIN: LazyLock<Instant> = LazyLock::new(Instant::now);

/// How long work may take to react to a stop.
pub(crate) const GRACE: Duration = Duration::from_millis(50);
/// How long it may take if partial results follow. They usually follow at once; on a busy machine they are worth the
/// wait.
pub(crate) const GRACE_TO_SUM_UP: Duration = Duration::from_secs(2);
/// How long the last output may take when there is no more memory.
const GRACE_WITHOUT_MEMORY: Duration = Duration::from_millis(300);
/// How long it may take if it has a checkpoint to write.
pub(crate) const GRACE_TO_WRITE: Duration = Duration::from_secs(20);
/// How often a stopped program is looked at.
const POLL: Duration = Duration::from_millis(2);

/// Prints what is known and returns the exit code.
type LastOutput = Box<dyn FnOnce(Stop) -> Exit + Send>;

/// What may end the program by force.
enum Stage {
    /// Nothing but a second Ctrl-C.
    Safe,
    /// A limit or an interruption that the work does not react to.
    Working(LastOutput),
    /// An interruption: the answer is complete, and nothing but printing it is left.
    Printing,
}

struct Present {
    stage: Stage,
    since: Moment,
    grace: Duration,
}

/// A point in time.
#[derive(Clone, Copy)]
struct Moment {
    at: Instant,
    /// The time that the main thread had waited for a processor by then.
    waited: Duration,
}

impl Moment {
    fn now() -> Self {
        // Time on a processor and time waiting for one, in nanoseconds.
        let times = std::fs::read_to_string("/proc/self/schedstat").ok();
        let waited = times.and_then(|times| times.split_whitespace().nth(1)?.parse().ok());
        Moment { at: Instant::now(), waited: Duration::from_nanos(waited.unwrap_or(0)) }
    }

    /// The time since then, without the time that other programs kept the main thread from running: on a busy machine
    /// the work deserves longer to react.
    fn elapsed(self) -> Duration {
        let now = Moment::now();
        (now.at - self.at).saturating_sub(now.waited.saturating_sub(self.waited))
    }
}

/// Taken by the thread that ends the program by force.
static PRESENT: Mutex<Option<Present>> = Mutex::new(None);

/// The time limit of the program, if there is one.
static DEADLINE: Mutex<Option<Instant>> = Mutex::new(None);

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn enter(stage: Stage, grace: Duration) {
    *lock(&PRESENT) = Some(Present { stage, since: Moment::now(), grace });
}

/// Called first of all: from here on Ctrl-C is handled.
pub(crate) fn begin() {
    enter(Stage::Working(Box::new(|why| incomplete("no result", why))), GRACE);
    let handler = || {
        if INTERRUPTED.swap(true, Ordering::Relaxed) {
            end(Exit::Interrupted);
        }
        std::thread::spawn(|| end_by_force(Stop::Interrupted));
    };
    // Without the handler Ctrl-C ends the program at once, which is acceptable.
    let _ = ctrlc::set_handler(handler);
    on_exhaustion(RESERVE, out_of_memory);
    let show = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |info| {
        let message = info.to_string();
        if EXHAUSTIONS.iter().any(|words| message.contains(words)) {
            // Like an allocation that fails: this thread stands still while the program ends.
            std::process::abort();
        }
        show(info);
    }));
}

/// Memory for the last output of a program that has no more.
const RESERVE: usize = 8 << 20;

/// Panics that mean that there is no more memory: for the stack of a thread, and for a table.
const EXHAUSTIONS: [&str; 2] = ["failed to spawn thread", "fit into memory"];

/// An allocation has failed: prints what is known, and ends the program like a memory limit.
fn out_of_memory() {
    // The thread that stands still may hold a lock that the last output needs.
    let in_time = std::thread::Builder::new().stack_size(1 << 16).spawn(|| {
        std::thread::sleep(GRACE_WITHOUT_MEMORY);
        end(Exit::Stopped);
    });
    tell("out of memory");
    let present = PRESENT.try_lock().ok().and_then(|mut present| present.take());
    if let (Ok(_), Some(Present { stage: Stage::Working(last_output), .. })) = (in_time, present) {
        last_output(Stop::Memory);
    }
    end(Exit::Stopped);
}

/// The flag that Ctrl-C sets.
pub(crate) fn flag() -> Arc<AtomicBool> {
    Arc::clone(&INTERRUPTED)
}

/// Whether Ctrl-C was pressed.
pub(crate) fn is_interrupted() -> bool {
    INTERRUPTED.load(Ordering::Relaxed)
}

/// Returns once Ctrl-C was pressed.
pub(crate) fn await_interruption() {
    while !is_interrupted() {
        std::thread::sleep(10 * POLL);
    }
}

/// Prints that the work has no result, and returns the exit code.
pub(crate) fn incomplete(what: &str, why: Stop) -> Exit {
    let (how, exit) = match why {
        Stop::Interrupted => ("interrupted", Exit::Interrupted),
        Stop::Memory => ("out of memory", Exit::Stopped),
        _ => ("stopped at the time limit", Exit::Stopped),
    };
    tell(format_args!("{how}: {what}"));
    exit
}

/// What is left of a time limit, measured from the beginning of the work.
pub(crate) fn time_left(limit: Option<Duration>) -> Option<Duration> {
    limit.map(|limit| limit.saturating_sub(BEGIN.elapsed()))
}

/// Sets the time limit of everything that the program does, measured from its beginning.
pub(crate) fn set_time_limit(limit: Option<Duration>) {
    static ONCE: Once = Once::new();
    LazyLock::force(&BEGIN);
    let Some(deadline) = limit.and_then(|limit| BEGIN.checked_add(limit)) else { return };
    *lock(&DEADLINE) = Some(deadline);
    ONCE.call_once(|| _ = std::thread::spawn(await_deadline));
}

fn await_deadline() {
    loop {
        let Some(deadline) = *lock(&DEADLINE) else { return };
        let left = deadline.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return end_by_force(Stop::Time);
        }
        // A resumed run may get another deadline.
        std::thread::sleep(left.min(Duration::from_secs(1)));
    }
}

/// Ends the program by force if the work has not ended `grace` after an interruption or the time limit; `last_output`
/// then prints what is known.
pub(crate) fn force_end_after(grace: Duration, last_output: impl FnOnce(Stop) -> Exit + Send + 'static) {
    enter(Stage::Working(Box::new(last_output)), grace);
}

/// The work has ended, and writes files with its results: from here on nothing but a second Ctrl-C ends it by force.
pub(crate) fn cancel_forced_end() {
    enter(Stage::Safe, GRACE);
}

/// The answer is complete: no limit ends the program any more. Ctrl-C does, even if nobody reads what it prints.
pub(crate) fn print_to_the_end() {
    enter(Stage::Printing, 2 * GRACE);
}

fn end_by_force(why: Stop) {
    let stopped = Moment::now();
    loop {
        let mut present = lock(&PRESENT);
        let is_due = |present: &Present| {
            let since = if stopped.at > present.since.at { stopped } else { present.since };
            since.elapsed() >= present.grace
        };
        match present.take() {
            // The lock is held, so that the work cannot print its answer now.
            Some(due @ Present { stage: Stage::Working(_), .. }) if is_due(&due) => {
                let Stage::Working(last_output) = due.stage else { unreachable!("it matched") };
                end(last_output(why));
            }
            Some(due @ Present { stage: Stage::Printing, .. }) if is_due(&due) && why == Stop::Interrupted => {
                end(Exit::Interrupted);
            }
            early => *present = early,
        }
        drop(present);
        std::thread::sleep(POLL);
    }
}

/// Ends the program immediately, and removes unfinished files.
pub(crate) fn end(exit: Exit) -> ! {
    crate::cluster::kill_started();
    files::remove_unfinished();
    std::process::exit(exit as i32)
}
