//! The harness for libFuzzer: one target, which the environment variable `TARGET` names, guided by coverage.
//!
//! An input is a finding if its target panics on any thread, or takes too much memory or processor time. Mutations are
//! libFuzzer's own, those of the runner with the dictionary and the examples of the target, and repaired checksums.
#![no_main]

use std::env;
use std::process::abort;
use std::time::Duration;

use admissible_fuzz::{Target, collect_panics, mutated, replay, reseal, targets};
use libfuzzer_sys::{Corpus, fuzz_mutator, fuzz_target, fuzzer_mutate};
use nix::time::{ClockId, clock_gettime};
use rand::{RngExt as _, SeedableRng as _};
use rand_chacha::ChaCha8Rng;

/// An input that takes more processor time is a finding. Honest ones take milliseconds, and a megabyte less than a
/// second, in this slow build.
const MOST_TIME: Duration = Duration::from_secs(5);

/// The target and its seeds.
struct Chosen(Target, Vec<Vec<u8>>);

thread_local! {
    static CHOSEN: Chosen = {
        let name = env::var("TARGET").expect("TARGET names a target");
        let target = targets().into_iter().find(|target| target.name == name).expect("TARGET names a target");
        let seeds = target.corpus();
        Chosen(target, seeds)
    };
}

/// The processor time of this process.
fn time() -> Duration {
    clock_gettime(ClockId::CLOCK_PROCESS_CPUTIME_ID).expect("the system has this clock").into()
}

fuzz_target!(|input: &[u8]| -> Corpus {
    CHOSEN.with(|Chosen(target, _)| {
        let begin = time();
        let (output, _) = collect_panics(|| replay(target, input));
        let taken = time() - begin;
        let what = match output {
            Ok(_) if taken <= MOST_TIME => return Corpus::Keep,
            Ok(_) => format!("it took {:.1} s", taken.as_secs_f64()),
            Err(what) => what,
        };
        eprintln!("FOUND by {}: {what}", target.name);
        abort()
    })
});

fuzz_mutator!(|data: &mut [u8], size: usize, most: usize, seed: u32| {
    let mut random = ChaCha8Rng::seed_from_u64(seed.into());
    CHOSEN.with(|Chosen(target, seeds)| {
        let mut bytes = match random.random_range(0..16) {
            0..8 => {
                let size = fuzzer_mutate(data, size, most);
                data[..size].to_vec()
            }
            8..15 => {
                let other = &seeds[random.random_range(0..seeds.len())];
                mutated(&mut random, &data[..size], other, &target.dictionary, most)
            }
            _ => seeds[random.random_range(0..seeds.len())].clone(),
        };
        if let Some(begin) = target.file_at.filter(|&begin| begin <= bytes.len() && random.random()) {
            reseal(&mut bytes, begin);
        }
        bytes.truncate(most);
        data[..bytes.len()].copy_from_slice(&bytes);
        bytes.len()
    })
});
