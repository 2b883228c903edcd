//! A tiny state space for the examples of this documentation and the tests of the algorithms.

use crate::backward::Backward;
use crate::heuristic::{Estimate, Heuristic, Properties};
use crate::space::{Cost, StateSpace};

/// The positive numbers; a move adds one or doubles.
#[derive(Debug, Clone, Copy)]
pub struct Steps {
    /// The number to reach.
    pub goal: u32,
}

/// A move of [`Steps`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    /// Adds one.
    AddOne,
    /// Doubles.
    Double,
}

impl StateSpace for Steps {
    type State = u32;
    type Packed = u32;
    type Move = Step;
    type Moves = [Step; 2];
    type Undo = ();

    fn pack(&self, state: &u32) -> u32 {
        *state
    }

    fn unpack(&self, packed: u32) -> u32 {
        packed
    }

    fn is_goal(&self, state: &u32) -> bool {
        *state == self.goal
    }

    fn moves(&self, _state: &u32) -> [Step; 2] {
        [Step::AddOne, Step::Double]
    }

    fn apply(&self, state: &mut u32, m: Step) {
        match m {
            Step::AddOne => *state += 1,
            Step::Double => *state *= 2,
        }
    }

    fn undo(&self, state: &mut u32, m: Step, (): ()) {
        match m {
            Step::AddOne => *state -= 1,
            Step::Double => *state /= 2,
        }
    }
}

impl Backward for Steps {
    fn goals(&self) -> Option<Vec<u32>> {
        Some(vec![self.goal])
    }

    fn predecessors(&self, state: &u32, mut visit: impl FnMut(u32, Cost)) {
        if *state > 1 {
            visit(*state - 1, 1);
        }
        if *state > 1 && state.is_multiple_of(2) {
            visit(*state / 2, 1);
        }
    }
}

/// The least number of doublings that brings a number up to the goal; numbers above the goal are dead ends.
#[derive(Debug, Clone, Copy)]
pub struct Doublings;

impl Heuristic<Steps> for Doublings {
    type Eval = Estimate;

    fn evaluate(&self, space: &Steps, state: &u32) -> Estimate {
        if *state > space.goal {
            return Estimate::DEAD_END;
        }
        let doublings = (0..).find(|&k| u64::from(*state) << k >= u64::from(space.goal));
        Estimate::new(doublings.expect("some power of two is large enough"))
    }

    fn estimate(&self, eval: Estimate) -> Estimate {
        eval
    }

    fn properties(&self, _space: &Steps) -> Properties {
        Properties::CONSISTENT
    }
}
