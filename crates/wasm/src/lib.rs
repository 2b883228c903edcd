//! The engine of the static site: the API of the page as a WebAssembly module.
//!
//! A worker of the page writes a request, its path and its body, to the place that `reserve` returns, and calls
//! `answer`. Events come back through the function `send` that the worker provides, with a clock and a source of random
//! numbers. There are no threads, no files, and no shared memory: a request runs to its end unless the page ends the
//! worker.

use std::marker::PhantomData;
use std::time::Duration;

use admissible::platform::set_clock;
use admissible_api::{Client, Settings, answer};
use admissible_puzzles::PUZZLES;
use serde_json::Value;

/// The most searches at a time, each in a worker with a memory of its own: as many as `workers.js` has.
const JOBS: usize = 4;
/// The most time of a search, as in the program.
const TIME: Duration = Duration::from_secs(60);
/// The most bytes of a search. Its tables double as they grow, and a module has 4 GiB at most, a phone much less.
const MEMORY_OF_JOB: u64 = 512 << 20;

/// What the worker provides.
pub trait Page: Send + Sync + 'static {
    /// The milliseconds since a fixed moment.
    fn now() -> f64;
    /// A random number from 0 to 1.
    fn random() -> f64;
    /// Receives the name of an event and its data as JSON.
    fn send(name: &str, text: &str);
}

/// Answers a request: its path of `path_bytes` bytes, and its body.
pub fn answer_request<P: Page>(request: &[u8], path_bytes: usize) {
    set_clock(|| Duration::from_secs_f64(P::now() / 1000.0));
    let (path, body) = request.split_at(path_bytes.min(request.len()));
    let settings = Settings {
        puzzles: PUZZLES,
        jobs: JOBS,
        time: TIME,
        memory: JOBS as u64 * MEMORY_OF_JOB,
        table_cache: None,
        seed: || (P::random() * 1e6) as u64,
    };
    answer(&settings, std::str::from_utf8(path).unwrap_or_default(), body, Receiver::<P>(PhantomData));
}

/// The page as the receiver of events. It never leaves: a cancelled job ends with its worker.
struct Receiver<P>(PhantomData<P>);

impl<P: Page> Client for Receiver<P> {
    fn send(&self, name: &str, data: &Value) -> bool {
        P::send(name, &data.to_string());
        true
    }

    fn offer(&self, name: &str, data: &Value) {
        self.send(name, data);
    }

    fn has_left(&self) -> bool {
        false
    }
}

#[cfg(target_family = "wasm")]
mod exports;
#[cfg(test)]
mod tests;
