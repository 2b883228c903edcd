//! Watching a search: Ctrl-C stops it, and what lasts longer than a second says how it goes on standard error.

use std::io::IsTerminal as _;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, LazyLock, Mutex, MutexGuard, Once, PoisonError};
use std::time::{Duration, Instant};

use admissible_front::{Observer, ScopeObserver, Stats, Stop, Watcher, files};
use admissible_lab::numbers::{bytes, count};
use admissible_lab::run::Watch;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::growth::Growth;

static INTERRUPTED: LazyLock<Arc<AtomicBool>> = LazyLock::new(Arc::default);

pub(crate) fn is_interrupted() -> bool {
    INTERRUPTED.load(Ordering::Relaxed)
}

/// The first interruption is noted, so that the work can end with what it knows; the second ends at once.
fn catch_interruption() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let handler = || {
            if INTERRUPTED.swap(true, Ordering::Relaxed) {
                end(crate::Exit::Interrupted);
            }
            std::thread::spawn(|| lose_patience(Stop::Interrupted));
        };
        // Without the handler Ctrl-C ends the program at once, which is no reason not to search.
        let _ = ctrlc::set_handler(handler);
    });
}

/// Ends the program where it stands. Nothing half-written stays.
fn end(exit: crate::Exit) -> ! {
    files::remove_unfinished();
    std::process::exit(exit as i32)
}

/// How long work may take to notice that it is to end.
pub(crate) const GRACE: Duration = Duration::from_millis(50);
/// The same where it has something to write down.
pub(crate) const GRACE_TO_WRITE: Duration = Duration::from_secs(20);

/// What is said if the work does not end by itself in time.
struct Insistence {
    grace: Duration,
    say: Box<dyn FnOnce(Stop) -> crate::Exit + Send>,
}

/// Taken by whoever speaks the last words, be it the work or whoever has lost patience with it.
static INSISTENCE: Mutex<Option<Insistence>> = Mutex::new(None);
/// What the last tick has told, and when the work began.
static LATEST: Mutex<Option<(Stats, Instant)>> = Mutex::new(None);

/// Makes sure that the program ends some time after an interruption or a deadline, whatever the work is busy with: then
/// `say` has the last words. Most work ends by itself long before.
pub(crate) fn insist(
    grace: Duration,
    time_limit: Option<Duration>,
    say: impl FnOnce(Stop) -> crate::Exit + Send + 'static,
) {
    catch_interruption();
    *lock(&INSISTENCE) = Some(Insistence { grace, say: Box::new(say) });
    *lock(&LATEST) = Some((Stats::default(), Instant::now()));
    if let Some(limit) = time_limit {
        std::thread::spawn(move || {
            std::thread::sleep(limit);
            lose_patience(Stop::Time);
        });
    }
}

/// Called by the work before it says anything: nobody interrupts it from here on.
pub(crate) fn speak() {
    drop(lock(&INSISTENCE).take());
}

fn lose_patience(why: Stop) {
    let Some(grace) = lock(&INSISTENCE).as_ref().map(|insistence| insistence.grace) else { return };
    std::thread::sleep(grace);
    let mut insistence = lock(&INSISTENCE);
    if let Some(Insistence { say, .. }) = insistence.take() {
        // The list stays locked, so that the work cannot say anything now.
        end(say(why));
    }
}

/// The last tick's figures, and the seconds since the work began.
pub(crate) fn latest() -> (Stats, f64) {
    lock(&LATEST).map_or_else(Default::default, |(stats, begin)| (stats, begin.elapsed().as_secs_f64()))
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Shows how a search, or one of many, goes once the whole has lasted a second.
pub(crate) struct Progress {
    begin: Instant,
    next: Instant,
    bar: Option<ProgressBar>,
    /// Which of many runs this is.
    place: Option<Place>,
    growth: Growth,
}

struct Place {
    at: usize,
    of: usize,
    title: String,
}

/// A terminal is refreshed often; a log gets a line now and then.
const REFRESH: Duration = Duration::from_millis(100);
const LOG_EVERY: Duration = Duration::from_secs(10);
const PATIENCE: Duration = Duration::from_secs(1);

impl Progress {
    pub(crate) fn new() -> Self {
        catch_interruption();
        let begin = Instant::now();
        Progress { begin, next: begin + PATIENCE, bar: None, place: None, growth: Growth::default() }
    }

    /// How the iterations of the search have grown.
    pub(crate) fn growth(&self) -> &Growth {
        &self.growth
    }

    /// Takes the line off the screen.
    pub(crate) fn clear(&mut self) {
        if let Some(bar) = self.bar.take() {
            bar.finish_and_clear();
        }
    }

    #[cold]
    fn show(&mut self, now: Instant, stats: &Stats) {
        let seconds = (now - self.begin).as_secs_f64();
        let rate = count((stats.expanded as f64 / seconds) as u64);
        let done = self.growth.done(stats.expanded).map(|done| format!(", about {:.0} % of it done", done * 100.0));
        let search = format!(
            "{seconds:.0} s  bound {}{}  expanded {} ({rate}/s)  memory {}",
            stats.layer,
            done.unwrap_or_default(),
            count(stats.expanded),
            bytes(stats.bytes),
        );
        self.say(now, &search);
    }

    /// Shows a line, with the place of the run before it.
    fn say(&mut self, now: Instant, search: &str) {
        if std::io::stderr().is_terminal() {
            let of = self.place.as_ref().map(|place| place.of as u64);
            let bar = self.bar.get_or_insert_with(|| {
                let template = if of.is_some() { "{bar:20} {pos}/{len} {wide_msg}" } else { "{spinner} {msg}" };
                let style = ProgressStyle::with_template(template).expect("the template is right");
                ProgressBar::with_draw_target(of, ProgressDrawTarget::stderr()).with_style(style)
            });
            match &self.place {
                Some(Place { at, title, .. }) => {
                    bar.set_position(*at as u64);
                    bar.set_message(format!("{title}  {search}"));
                }
                None => bar.set_message(search.to_string()),
            }
            bar.tick();
            self.next = now + REFRESH;
        } else {
            match &self.place {
                Some(Place { at, of, title }) => crate::tell(format_args!("{} of {of}: {title}  {search}", at + 1)),
                None => crate::tell(search),
            }
            self.next = now + LOG_EVERY;
        }
    }
}

impl Observer for Progress {
    fn preparing(&mut self, done: u64, of: u64) -> ControlFlow<Stop> {
        if is_interrupted() {
            return ControlFlow::Break(Stop::Interrupted);
        }
        let now = Instant::now();
        if now >= self.next && of > 0 {
            let seconds = (now - self.begin).as_secs_f64();
            let message = format!("{seconds:.0} s  building tables: {} of {} entries", count(done), count(of));
            self.say(now, &message);
        }
        ControlFlow::Continue(())
    }

    fn layer(&mut self, bound: u32, stats: &Stats) -> ControlFlow<Stop> {
        // Only searches that begin again with every bound grow by their iterations.
        if stats.iterations > 0 {
            self.growth.begin(bound, stats);
        }
        ControlFlow::Continue(())
    }

    fn flag(&self) -> Option<Arc<AtomicBool>> {
        Some(Arc::clone(&INTERRUPTED))
    }

    fn tick(&mut self, stats: &Stats) -> ControlFlow<Stop> {
        if let Some((latest, _)) = &mut *lock(&LATEST) {
            *latest = *stats;
        }
        if is_interrupted() {
            return ControlFlow::Break(Stop::Interrupted);
        }
        let now = Instant::now();
        if now >= self.next {
            self.show(now, stats);
        }
        ControlFlow::Continue(())
    }
}

impl Watch for Progress {
    fn begin(&mut self, at: usize, of: usize, title: &str) -> bool {
        let now = Instant::now();
        self.place = Some(Place { at, of, title: title.to_string() });
        // Short runs never tick, so the bar moves here too; a log has no need of it.
        if now >= self.next && std::io::stderr().is_terminal() {
            self.say(now, "");
        }
        self.begin = now;
        !is_interrupted()
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.clear();
    }
}

/// A bar for work whose size is known, once it has lasted a second. Several threads may report to it.
pub(crate) struct WorkBar {
    begin: Instant,
    work: AtomicU64,
    done: AtomicU64,
    bar: Mutex<Option<ProgressBar>>,
    /// What it may take, if that is limited.
    most: Option<Duration>,
}

impl WorkBar {
    pub(crate) fn new() -> Self {
        catch_interruption();
        WorkBar { begin: Instant::now(), work: 0.into(), done: 0.into(), bar: Mutex::new(None), most: None }
    }

    /// The same for work that is given up after some time.
    pub(crate) fn until(self, most: Duration) -> Self {
        WorkBar { most: Some(most), ..self }
    }

    /// How many states there may be.
    pub(crate) fn expect(&self, states: u64) {
        self.work.store(states, Ordering::Relaxed);
    }

    /// Whether somebody has pressed Ctrl-C.
    pub(crate) fn was_interrupted(&self) -> bool {
        is_interrupted()
    }

    /// Takes the bar off the screen.
    pub(crate) fn clear(&self) {
        if let Some(bar) = self.bar.lock().expect("no thread panics while it draws").take() {
            bar.finish_and_clear();
        }
    }
}

impl Watcher for WorkBar {
    fn watch(&self, states: u64) -> ControlFlow<()> {
        let done = self.done.fetch_add(states, Ordering::Relaxed) + states;
        if self.begin.elapsed() >= PATIENCE
            && std::io::stderr().is_terminal()
            && let Ok(mut bar) = self.bar.try_lock()
        {
            let bar = bar.get_or_insert_with(|| {
                // Where nobody knows how much there is, there is no telling how much is left.
                let work = Some(self.work.load(Ordering::Relaxed)).filter(|&work| work > 0);
                let template = match work {
                    Some(_) => "{bar:40} {percent:>3} %  {human_pos} of {human_len} states  {per_sec}  {eta} left",
                    None => "{spinner} {human_pos} states  {per_sec}",
                };
                let style = ProgressStyle::with_template(template).expect("the template is right");
                ProgressBar::with_draw_target(work, ProgressDrawTarget::stderr()).with_style(style)
            });
            bar.set_position(done);
        }
        let too_long = self.most.is_some_and(|most| self.begin.elapsed() > most);
        if too_long || is_interrupted() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}

impl ScopeObserver for WorkBar {
    fn begin(&self, _title: &str, states: Option<u64>, _bytes: Option<u64>) {
        self.expect(states.unwrap_or(0));
    }
}
