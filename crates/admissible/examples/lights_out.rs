//! A whole puzzle in sixty lines: Lights Out on a 4 x 4 board. Pressing a light toggles it and its neighbours; the goal
//! is to turn all lights off. Run it with `cargo run --release -p admissible --example lights_out`.

use admissible::search::Astar;
use admissible::{Estimate, Heuristic, Properties, StateSpace};

/// For each of the 16 lights, the lights that pressing it toggles, one bit each.
struct LightsOut([u16; 16]);

impl StateSpace for LightsOut {
    type State = u16;
    type Packed = u16;
    type Move = u8;
    type Moves = std::ops::Range<u8>;
    type Undo = ();

    fn pack(&self, lights: &u16) -> u16 {
        *lights
    }
    fn unpack(&self, packed: u16) -> u16 {
        packed
    }
    fn is_goal(&self, lights: &u16) -> bool {
        *lights == 0
    }
    fn moves(&self, _lights: &u16) -> Self::Moves {
        0..16
    }
    fn apply(&self, lights: &mut u16, press: u8) {
        *lights ^= self.0[usize::from(press)];
    }
    fn undo(&self, lights: &mut u16, press: u8, (): ()) {
        *lights ^= self.0[usize::from(press)];
    }
}

/// A press toggles at most five lights.
struct FiveAtATime;

impl Heuristic<LightsOut> for FiveAtATime {
    type Eval = u32;

    fn evaluate(&self, _space: &LightsOut, lights: &u16) -> u32 {
        lights.count_ones().div_ceil(5)
    }
    fn estimate(&self, eval: u32) -> Estimate {
        Estimate::new(eval)
    }
    fn properties(&self, _space: &LightsOut) -> Properties {
        Properties::CONSISTENT
    }
}

fn main() {
    let near = |a: usize, b: usize| (a / 4).abs_diff(b / 4) + (a % 4).abs_diff(b % 4) <= 1;
    let board =
        LightsOut(std::array::from_fn(|press| (0..16).filter(|&light| near(press, light)).map(|l| 1 << l).sum()));
    let report = Astar::new(&board, &FiveAtATime).solve(0xffff);
    let solution = report.outcome.solution().expect("all sixteen lights can be turned off");
    println!("press {:?}: {} presses, {:?}", solution.moves, solution.cost, solution.guarantee);
    println!("{} states expanded", report.stats.expanded);
    assert_eq!(solution.cost, 4);
}
