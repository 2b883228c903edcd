//! Audits a heuristic that looks plausible but is inadmissible, and prints a counterexample. Run it with
//! `cargo run --release -p admissible --example wrong_heuristic`.
//!
//! The puzzle: five cups in a row, some upside down; a move turns two neighbours over, and all must stand upright.

use admissible::audit::Audit;
use admissible::{Estimate, Heuristic, StateSpace};

struct Cups;

impl StateSpace for Cups {
    /// A bit a cup, set if it is upside down.
    type State = u8;
    type Packed = u8;
    type Move = u8;
    type Moves = std::ops::Range<u8>;
    type Undo = ();

    fn pack(&self, cups: &u8) -> u8 {
        *cups
    }
    fn unpack(&self, packed: u8) -> u8 {
        packed
    }
    fn is_goal(&self, cups: &u8) -> bool {
        *cups == 0
    }
    fn moves(&self, _cups: &u8) -> Self::Moves {
        0..4
    }
    fn apply(&self, cups: &mut u8, left: u8) {
        *cups ^= 0b11 << left;
    }
    fn undo(&self, cups: &mut u8, left: u8, (): ()) {
        *cups ^= 0b11 << left;
    }
}

/// Counts a move for each cup that is upside down, although a move turns two cups.
struct OneEach;

impl Heuristic<Cups> for OneEach {
    type Eval = u32;

    fn evaluate(&self, _cups: &Cups, state: &u8) -> u32 {
        state.count_ones()
    }
    fn estimate(&self, eval: u32) -> Estimate {
        Estimate::new(eval)
    }
}

fn main() {
    let findings = Audit::new(&Cups, &OneEach).run(0b00011).expect("sixteen rows fit into memory");
    println!("{findings}");

    assert!(!findings.admissible());
    let nearest = findings.overestimate.expect("two neighbours upside down are a counterexample");
    assert_eq!((nearest.state.count_ones(), nearest.distance, nearest.h.units()), (2, 1, Some(2)));
}
