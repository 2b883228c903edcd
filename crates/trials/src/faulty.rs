//! The program, with faults that the environment asks for: a file operation that fails, and memory that ends.
//!
//! A last line on standard error tells how many file operations there were, and the most bytes that were allocated.

use std::alloc::System;
use std::process::ExitCode;

use admissible_front::files::{fail_operation, operations};
use admissible_puzzles::PUZZLES;
use admissible_trials::{FAILING_OPERATION, MOST_ALLOCATED};
use cap::Cap;

#[global_allocator]
static MEMORY: Cap<System> = Cap::new(System, usize::MAX);

fn asked<T: std::str::FromStr>(name: &str) -> Option<T> {
    std::env::var(name).ok()?.parse().ok()
}

fn main() -> ExitCode {
    if let Some(number) = asked(FAILING_OPERATION) {
        fail_operation(number);
    }
    if let Some(bytes) = asked(MOST_ALLOCATED) {
        MEMORY.set_limit(bytes).expect("nothing much is allocated yet");
    }
    let code = admissible_cli::run(PUZZLES);
    eprintln!("faulty: {} operations, {} bytes", operations(), MEMORY.max_allocated());
    code
}
