//! A short trial with the program with faults.

use std::path::Path;

use admissible_trials::{Tally, allocations};

fn faulty() -> &'static Path {
    Path::new(env!("CARGO_BIN_EXE_faulty"))
}

#[track_caller]
fn check(tally: &Tally, most: u64) {
    assert!(tally.wrong.is_empty(), "{tally}\n{}", tally.wrong.join("\n"));
    assert!(tally.figures.first().is_some_and(|(_, runs)| *runs >= most), "{tally}");
}

#[test]
fn memory_that_ends_ends_in_order() {
    let tally = allocations::run(faulty(), 3).expect("the program starts");
    check(&tally, 36);
    assert!(tally.figure("stopped with statistics") > 0, "{tally}");
}
