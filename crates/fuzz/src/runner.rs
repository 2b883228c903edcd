//! The runner: changes inputs, keeps those that made a target say something new, and catches what goes wrong.

use std::any::Any;
use std::collections::HashSet;
use std::panic::{self, AssertUnwindSafe};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use peak_alloc::PeakAlloc;
use rand::{RngExt as _, SeedableRng as _};
use rand_chacha::ChaCha8Rng;
use xxhash_rust::xxh3::xxh3_64;

use crate::Target;
use crate::mutate::changed;

/// Counts what is allocated, so that a small input that takes much memory is noticed.
#[global_allocator]
static MEMORY: PeakAlloc = PeakAlloc;

/// A small input that takes more bytes than this is a finding.
const MOST_MEMORY: usize = 256 << 20;
/// One that takes longer than this is a finding too, on a machine that does other things at the same time.
const MOST_TIME: Duration = Duration::from_secs(20);
/// Inputs that are kept to go on from.
const MOST_KEPT: usize = 4096;

/// How long to go on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Budget {
    /// So many executions.
    Executions(u64),
    /// So long.
    Time(Duration),
}

/// An input that breaks a promise.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// The input.
    pub input: Vec<u8>,
    /// What it broke.
    pub what: String,
}

/// What came of a run.
#[derive(Debug, Clone, Default)]
pub struct Outcome {
    /// How often the target ran.
    pub executions: u64,
    /// How many different things were said.
    pub said: usize,
    /// How long it took.
    pub time: Duration,
    /// How long the slowest execution took.
    pub slowest: Duration,
    /// What went wrong, each thing once.
    pub findings: Vec<Finding>,
}

/// The panics since somebody last looked, on whatever thread.
static PANICS: Mutex<Vec<String>> = Mutex::new(Vec::new());

/// Runs something while panics are collected and not printed. One such run at a time.
pub fn quietly<T>(run: impl FnOnce() -> T) -> T {
    static ONE: Mutex<()> = Mutex::new(());
    let _one = ONE.lock().unwrap_or_else(PoisonError::into_inner);
    let before = panic::take_hook();
    panic::set_hook(Box::new(|info| {
        let place = info.location().map_or(String::new(), |place| format!("{}:{}: ", place.file(), place.line()));
        let mut panics = PANICS.lock().unwrap_or_else(PoisonError::into_inner);
        panics.push(format!("{place}{}", words_of(info.payload())));
    }));
    let out = panic::catch_unwind(AssertUnwindSafe(run));
    drop(panic::take_hook());
    panic::set_hook(before);
    out.unwrap_or_else(|payload| panic::resume_unwind(payload))
}

fn words_of(payload: &dyn Any) -> &str {
    let text = payload.downcast_ref::<&str>().copied();
    text.or_else(|| payload.downcast_ref::<String>().map(String::as_str)).unwrap_or("a panic without words")
}

/// Runs a target on one input, within [`quietly`]: what it said, or what it broke; and how long it took.
pub fn replay(target: &Target, input: &[u8]) -> (Result<String, String>, Duration) {
    let begin = Instant::now();
    let held = MEMORY.current_usage();
    MEMORY.reset_peak_usage();
    let said = panic::catch_unwind(|| (target.run)(input));
    let taken = MEMORY.peak_usage().saturating_sub(held);
    let time = begin.elapsed();
    let panics = std::mem::take(&mut *PANICS.lock().unwrap_or_else(PoisonError::into_inner));
    let result = match said {
        _ if !panics.is_empty() => Err(panics.join("; ")),
        Err(payload) => Err(words_of(&*payload).into()),
        Ok(_) if taken > MOST_MEMORY => Err(format!("it took {} MiB of memory", taken >> 20)),
        Ok(said) => Ok(said),
    };
    (result, time)
}

/// The words of what was said, without names, numbers and what was quoted from the input: the first few of them.
fn gist(said: &str) -> u64 {
    let is_word = |word: &&str| word.len() > 1 && word.bytes().all(|byte| byte.is_ascii_lowercase());
    let words: Vec<&str> = said.split([' ', ':', ',', '.', '(', ')', '{', '}']).filter(is_word).take(8).collect();
    xxh3_64(words.join(" ").as_bytes())
}

/// Runs a target on changed inputs; the same ones for the same seed.
pub fn fuzz(target: &Target, seed: u64, budget: Budget) -> Outcome {
    let mut random = ChaCha8Rng::seed_from_u64(seed ^ xxh3_64(target.name.as_bytes()));
    let mut pool = target.corpus();
    let mut outcome = Outcome::default();
    let mut known = HashSet::new();
    let mut broken = HashSet::new();
    let begin = Instant::now();
    let mut first = pool.clone().into_iter();
    loop {
        let over = match budget {
            Budget::Executions(most) => outcome.executions >= most,
            Budget::Time(most) => begin.elapsed() >= most,
        };
        if over {
            break;
        }
        // The corpus as it is comes first.
        let (input, is_new) = match first.next() {
            Some(input) => (input, false),
            None => {
                let mut pick = || random.random_range(0..pool.len());
                let (one, other) = (pick(), pick());
                (changed(&mut random, &pool[one], &pool[other], &target.words), true)
            }
        };
        let (result, time) = replay(target, &input);
        outcome.executions += 1;
        outcome.slowest = outcome.slowest.max(time);
        // Not where executions are counted: how long they take says more about the machine than about the target.
        let slow = matches!(budget, Budget::Time(_)) && time > MOST_TIME;
        let result =
            result.and_then(|said| if slow { Err(format!("it took {:.1} s", time.as_secs_f64())) } else { Ok(said) });
        match result {
            Ok(said) => {
                if known.insert(gist(&said)) && is_new && pool.len() < MOST_KEPT {
                    pool.push(input);
                }
            }
            Err(what) => {
                // The place is the first word.
                let place = what.split(' ').next().unwrap_or_default().to_string();
                if broken.insert((place, gist(&what))) {
                    outcome.findings.push(Finding { input, what });
                }
            }
        }
    }
    outcome.said = known.len();
    outcome.time = begin.elapsed();
    outcome
}
