//! Watching a search: Ctrl-C stops it, and what lasts longer than a second says how it goes on standard error.

use std::io::IsTerminal as _;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, Once};
use std::time::{Duration, Instant};

use admissible_front::{AuditObserver, Observer, Stats, Stop, Watcher};
use admissible_lab::numbers::{bytes, count};
use admissible_lab::run::Watch;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::growth::Growth;

static INTERRUPTED: AtomicBool = AtomicBool::new(false);

/// The first interruption is noted, so that the search can end with what it knows; the second ends at once.
fn catch_interruption() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let handler = || {
            if INTERRUPTED.swap(true, Ordering::Relaxed) {
                std::process::exit(crate::Exit::Interrupted as i32);
            }
        };
        // Without the handler Ctrl-C ends the program at once, which is no reason not to search.
        let _ = ctrlc::set_handler(handler);
    });
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
        if INTERRUPTED.load(Ordering::Relaxed) {
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

    fn tick(&mut self, stats: &Stats) -> ControlFlow<Stop> {
        if INTERRUPTED.load(Ordering::Relaxed) {
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
        !INTERRUPTED.load(Ordering::Relaxed)
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
        INTERRUPTED.load(Ordering::Relaxed)
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
                let template = "{bar:40} {percent:>3} %  {human_pos} of {human_len} states  {per_sec}  {eta} left";
                let style = ProgressStyle::with_template(template).expect("the template is right");
                let work = self.work.load(Ordering::Relaxed);
                ProgressBar::with_draw_target(Some(work), ProgressDrawTarget::stderr()).with_style(style)
            });
            bar.set_position(done);
        }
        let too_long = self.most.is_some_and(|most| self.begin.elapsed() > most);
        if too_long || INTERRUPTED.load(Ordering::Relaxed) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}

impl AuditObserver for WorkBar {
    fn begin(&self, _looked_at: &str, states: u64) {
        self.expect(states);
    }
}
