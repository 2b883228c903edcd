//! Progress on standard error for work that lasts longer than a second.

use std::io::IsTerminal as _;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use admissible_front::{Observer, ScopeObserver, SolveEvents, SolvedAnswer, Stats, Stop, TableBuilding, Watcher};
use admissible_lab::numbers::{bytes, count, grouped};
use admissible_lab::run::Watch;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::ending::{flag, is_interrupted};
use crate::iterations::IterationGrowth;

/// The statistics of the last tick, and when the work began.
static LATEST: Mutex<Option<(Stats, Instant)>> = Mutex::new(None);

/// The best solution of the present solve so far, not proved optimal.
static BEST: Mutex<Option<SolvedAnswer>> = Mutex::new(None);

/// Keeps the best solution for the progress line, and announces tables that take long to build.
#[derive(Debug)]
pub(crate) struct SolveNews;

impl SolveEvents for SolveNews {
    fn improved(&self, best: &SolvedAnswer) {
        *lock(&BEST) = Some(best.clone());
    }

    fn building(&self, tables: &TableBuilding<'_>) {
        if tables.seconds < WORTH_A_NOTE {
            return;
        }
        let TableBuilding { heuristic, why, seconds, bytes: memory } = *tables;
        let (held, peak) = (bytes(memory.held), bytes(memory.peak));
        let kept = if crate::args::table_cache().is_some() { "; they are kept for later runs" } else { "" };
        crate::tell(format_args!(
            "note: {why}: building the tables of {heuristic} takes about {seconds} s and {peak} of memory \
             ({held} when they are done){kept}"
        ));
    }
}

/// The seconds from which on the building of tables is announced.
const WORTH_A_NOTE: u32 = 10;

/// The best solution of the present solve so far, not proved optimal.
pub(crate) fn best_so_far() -> Option<SolvedAnswer> {
    lock(&BEST).clone()
}

/// Forgets the statistics and the solution of an earlier search: another one begins.
pub(crate) fn begin_search() {
    *lock(&LATEST) = Some((Stats::default(), Instant::now()));
    *lock(&BEST) = None;
}

/// The statistics of the last tick, and the seconds since the work began.
pub(crate) fn latest() -> (Stats, f64) {
    lock(&LATEST).map_or_else(Default::default, |(stats, begin)| (stats, begin.elapsed().as_secs_f64()))
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Shows the progress of a search, or of a series of searches, once the whole has lasted a second.
pub(crate) struct Progress {
    begin: Instant,
    next: Instant,
    bar: Option<ProgressBar>,
    /// The position of this run in a series, the length of the series, and the title of the run.
    place: Option<(usize, usize, String)>,
    growth: IterationGrowth,
    /// Whether the search deepens iteratively, so that its layers are iterations.
    iterates: bool,
}

/// Time between two updates on a terminal.
const REFRESH: Duration = Duration::from_millis(100);
/// Time between two lines elsewhere, such as in a log.
const LOG_EVERY: Duration = Duration::from_secs(10);
/// Shorter work shows no progress.
const DELAY: Duration = Duration::from_secs(1);

/// The bounds on the cost: `at most 91, at least 81`, or only the lower one.
fn costs(at_least: u32) -> String {
    match &*lock(&BEST) {
        Some(best) => format!("at most {}, at least {at_least}", best.cost),
        None => format!("bound {at_least}"),
    }
}

impl Progress {
    pub(crate) fn new() -> Self {
        let begin = Instant::now();
        Progress {
            begin,
            next: begin + DELAY,
            bar: None,
            place: None,
            growth: IterationGrowth::default(),
            iterates: false,
        }
    }

    /// The growth of the iterations of the search, if it has iterations.
    pub(crate) fn growth(&self) -> Option<&IterationGrowth> {
        self.iterates.then_some(&self.growth)
    }

    /// The layers of the search, each with the states expanded before it began.
    pub(crate) fn layers(&self) -> &[(u32, u64)] {
        &self.growth.0
    }

    /// Removes the line from the terminal.
    pub(crate) fn clear(&mut self) {
        if let Some(bar) = self.bar.take() {
            bar.finish_and_clear();
        }
    }

    #[cold]
    fn show(&mut self, now: Instant, stats: &Stats) {
        let seconds = (now - self.begin).as_secs_f64();
        let rate = count((stats.expanded as f64 / seconds) as u64);
        let done = self
            .growth()
            .and_then(|growth| growth.done(stats.expanded))
            .map(|done| format!(", about {:.0} % of it done", done * 100.0));
        let search = format!(
            "{seconds:.0} s  {}{}  expanded {} ({rate}/s)  memory {}",
            costs(stats.layer),
            done.unwrap_or_default(),
            count(stats.expanded),
            bytes(stats.bytes),
        );
        self.show_line(now, &search);
    }

    /// Shows a line, after the position of the run.
    fn show_line(&mut self, now: Instant, search: &str) {
        if std::io::stderr().is_terminal() {
            let of = self.place.as_ref().map(|&(_, of, _)| of as u64);
            let bar = self.bar.get_or_insert_with(|| {
                let template = if of.is_some() { "{bar:20} {pos}/{len} {wide_msg}" } else { "{spinner} {msg}" };
                let style = ProgressStyle::with_template(template).expect("the template is valid");
                ProgressBar::with_draw_target(of, ProgressDrawTarget::stderr()).with_style(style)
            });
            match &self.place {
                Some((at, _, title)) => {
                    bar.set_position(*at as u64);
                    bar.set_message(format!("{title}  {search}"));
                }
                None => bar.set_message(search.to_string()),
            }
            bar.tick();
            self.next = now + REFRESH;
        } else {
            match &self.place {
                Some((at, of, title)) => crate::tell(format_args!("{} of {of}: {title}  {search}", at + 1)),
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
            let best = lock(&BEST).as_ref().map(|best| format!("at most {}  ", best.cost)).unwrap_or_default();
            let message = format!("{seconds:.0} s  {best}building tables: {} of {} entries", count(done), count(of));
            self.show_line(now, &message);
        }
        ControlFlow::Continue(())
    }

    fn layer(&mut self, bound: u32, stats: &Stats) -> ControlFlow<Stop> {
        if self.iterates != (stats.iterations > 0) {
            // Another search goes on: its layers are no iterations, or the other way round.
            (self.iterates, self.growth) = (stats.iterations > 0, IterationGrowth::default());
        }
        self.growth.begin(bound, stats);
        ControlFlow::Continue(())
    }

    fn flag(&self) -> Option<Arc<AtomicBool>> {
        Some(flag())
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
        self.place = Some((at, of, title.to_string()));
        // Short runs never tick, so the bar also moves here; a log does not need it.
        if now >= self.next && std::io::stderr().is_terminal() {
            self.show_line(now, "");
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

/// A progress bar for work that lasts longer than a second. Several threads may report to it.
pub(crate) struct WorkBar {
    begin: Instant,
    work: AtomicU64,
    done: AtomicU64,
    bar: Mutex<Option<ProgressBar>>,
    limit: Option<Duration>,
    /// Whether the memory for a large space is announced before it is allocated.
    announces: bool,
}

/// Memory from this size on is announced on standard error.
const ANNOUNCED_BYTES: u64 = 16 << 20;

impl WorkBar {
    /// A bar for work with this time limit, if there is one.
    pub(crate) fn new(limit: Option<Duration>) -> Self {
        let (begin, bar) = (Instant::now(), Mutex::new(None));
        WorkBar { begin, work: 0.into(), done: 0.into(), bar, limit, announces: false }
    }

    /// A bar that also announces the memory for a large space.
    pub(crate) fn announcing(limit: Option<Duration>) -> Self {
        WorkBar { announces: true, ..WorkBar::new(limit) }
    }

    /// Sets the number of states to expect.
    pub(crate) fn expect(&self, states: u64) {
        self.work.store(states, Ordering::Relaxed);
    }

    /// Removes the bar from the terminal.
    pub(crate) fn clear(&self) {
        if let Some(bar) = self.bar.lock().expect("no thread panics while it draws").take() {
            bar.finish_and_clear();
        }
    }
}

impl Watcher for WorkBar {
    fn watch(&self, states: u64) -> ControlFlow<()> {
        let done = self.done.fetch_add(states, Ordering::Relaxed) + states;
        if self.begin.elapsed() >= DELAY
            && std::io::stderr().is_terminal()
            && let Ok(mut bar) = self.bar.try_lock()
        {
            let bar = bar.get_or_insert_with(|| {
                // If the size of the work is unknown, show no percentage.
                let work = Some(self.work.load(Ordering::Relaxed)).filter(|&work| work > 0);
                let template = match work {
                    Some(_) => "{bar:40} {percent:>3} %  {human_pos} of {human_len} states  {per_sec}  {eta} left",
                    None => "{spinner} {human_pos} states  {per_sec}",
                };
                let style = ProgressStyle::with_template(template).expect("the template is valid");
                ProgressBar::with_draw_target(work, ProgressDrawTarget::stderr()).with_style(style)
            });
            bar.set_position(done);
        }
        let too_long = self.limit.is_some_and(|limit| self.begin.elapsed() > limit);
        if too_long || is_interrupted() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}

impl ScopeObserver for WorkBar {
    fn begin(&self, title: &str, states: Option<u64>, needed: Option<u64>) {
        self.expect(states.unwrap_or(0));
        let large = states.zip(needed).filter(|&(_, needed)| self.announces && needed >= ANNOUNCED_BYTES);
        if let Some((states, needed)) = large {
            crate::tell(format_args!("note: {title}: {} states, {} of memory", grouped(states), bytes(needed)));
        }
    }
}
