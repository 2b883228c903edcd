//! The runner: mutates inputs, keeps those with a new output, and collects findings.

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
use crate::mutate::mutated;

/// Measures the memory that an input takes.
#[global_allocator]
static MEMORY: PeakAlloc = PeakAlloc;

/// An input that takes more bytes of memory is a finding.
const MOST_MEMORY: usize = 256 << 20;
/// An input that takes longer is a finding, even on a busy machine.
const MOST_TIME: Duration = Duration::from_secs(20);
/// The most bytes of an input.
const MOST_BYTES: usize = 4096;
/// The most inputs in the pool.
const POOL_SIZE: usize = 4096;

/// The end of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Budget {
    /// After this number of executions.
    Executions(u64),
    /// After this time.
    Time(Duration),
}

/// An input with which a property fails.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// The input.
    pub input: Vec<u8>,
    /// The panic message, or the excess of memory or time.
    pub what: String,
}

/// The result of a run.
#[derive(Debug, Clone, Default)]
pub struct Outcome {
    /// The number of executions.
    pub executions: u64,
    /// The number of outputs with different signatures.
    pub distinct_outputs: usize,
    /// The time of the run.
    pub time: Duration,
    /// The time of the slowest execution.
    pub slowest: Duration,
    /// The findings, one for each signature.
    pub findings: Vec<Finding>,
}

/// The panic messages of all threads since the last execution.
static PANICS: Mutex<Vec<String>> = Mutex::new(Vec::new());

/// Runs `run` while panics are collected instead of printed. Calls exclude each other.
pub fn collect_panics<T>(run: impl FnOnce() -> T) -> T {
    static ONE: Mutex<()> = Mutex::new(());
    let _one = ONE.lock().unwrap_or_else(PoisonError::into_inner);
    let before = panic::take_hook();
    panic::set_hook(Box::new(|info| {
        let place = info.location().map_or(String::new(), |place| format!("{}:{}: ", place.file(), place.line()));
        let mut panics = PANICS.lock().unwrap_or_else(PoisonError::into_inner);
        panics.push(format!("{place}{}", panic_message(info.payload())));
    }));
    let out = panic::catch_unwind(AssertUnwindSafe(run));
    drop(panic::take_hook());
    panic::set_hook(before);
    out.unwrap_or_else(|payload| panic::resume_unwind(payload))
}

fn panic_message(payload: &dyn Any) -> &str {
    let text = payload.downcast_ref::<&str>().copied();
    text.or_else(|| payload.downcast_ref::<String>().map(String::as_str)).unwrap_or("a panic without a message")
}

/// Runs a target on one input, within [`collect_panics`]; returns its output or the failure, and the time.
pub fn replay(target: &Target, input: &[u8]) -> (Result<String, String>, Duration) {
    let begin = Instant::now();
    let held = MEMORY.current_usage();
    MEMORY.reset_peak_usage();
    let output = panic::catch_unwind(|| (target.run)(input));
    let taken = MEMORY.peak_usage().saturating_sub(held);
    let time = begin.elapsed();
    let panics = std::mem::take(&mut *PANICS.lock().unwrap_or_else(PoisonError::into_inner));
    let result = match output {
        _ if !panics.is_empty() => Err(panics.join("; ")),
        Err(payload) => Err(panic_message(&*payload).into()),
        Ok(_) if taken > MOST_MEMORY => Err(format!("it took {} MiB of memory", taken >> 20)),
        Ok(output) => Ok(output),
    };
    (result, time)
}

/// A hash of the first few words of an output, without names, numbers and quotations from the input.
fn signature(output: &str) -> u64 {
    let is_word = |word: &&str| word.len() > 1 && word.bytes().all(|byte| byte.is_ascii_lowercase());
    let words: Vec<&str> = output.split([' ', ':', ',', '.', '(', ')', '{', '}']).filter(is_word).take(8).collect();
    xxh3_64(words.join(" ").as_bytes())
}

/// Runs a target on mutated inputs; the same ones for the same seed.
pub fn fuzz(target: &Target, seed: u64, budget: Budget) -> Outcome {
    let mut random = ChaCha8Rng::seed_from_u64(seed ^ xxh3_64(target.name.as_bytes()));
    let mut pool = target.corpus();
    let mut outcome = Outcome::default();
    let mut known = HashSet::new();
    let mut found = HashSet::new();
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
        // The unchanged corpus comes first.
        let (input, is_new) = match first.next() {
            Some(input) => (input, false),
            None => {
                let mut pick = || random.random_range(0..pool.len());
                let (one, other) = (pick(), pick());
                (mutated(&mut random, &pool[one], &pool[other], &target.dictionary, MOST_BYTES), true)
            }
        };
        let (result, time) = replay(target, &input);
        outcome.executions += 1;
        outcome.slowest = outcome.slowest.max(time);
        // A run with a fixed number of executions must not depend on the speed of the machine.
        let slow = matches!(budget, Budget::Time(_)) && time > MOST_TIME;
        let result = result
            .and_then(|output| if slow { Err(format!("it took {:.1} s", time.as_secs_f64())) } else { Ok(output) });
        match result {
            Ok(output) => {
                if known.insert(signature(&output)) && is_new && pool.len() < POOL_SIZE {
                    pool.push(input);
                }
            }
            Err(what) => {
                // The first word is the file and line.
                let place = what.split(' ').next().unwrap_or_default().to_string();
                if found.insert((place, signature(&what))) {
                    outcome.findings.push(Finding { input, what });
                }
            }
        }
    }
    outcome.distinct_outputs = known.len();
    outcome.time = begin.elapsed();
    outcome
}
