//! The laws catch spaces and heuristics that break them.

use admissible::laws::{check_backward, check_goals, check_incremental, check_space};
use admissible::{Backward, Cost, Estimate, Heuristic, StateSpace};

/// What is wrong with a [`Ring`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Flaw {
    None,
    UnpacksWrongly,
    UnpacksWronglyAfterMove,
    IndexTooLarge,
    FreeMove,
    OnwardLeavesOutAnotherMove,
    InverseIsNoMove,
    InverseLeadsElsewhere,
    UndoesWrongly,
    ForgetsPredecessor,
    InventsPredecessor,
    ListsAnotherGoal,
    PredecessorAtAnotherCost,
}

const SIZE: u32 = 10;
const START: u32 = 3;

/// Ten places in a ring, one step up or down, and one flaw.
#[derive(Debug)]
struct Ring {
    flaw: Flaw,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Step {
    Up,
    Down,
    Jump,
}

impl StateSpace for Ring {
    type State = u32;
    type Packed = u32;
    type Move = Step;
    type Moves = Vec<Step>;
    type Undo = u32;

    fn pack(&self, state: &u32) -> u32 {
        *state
    }

    fn unpack(&self, packed: u32) -> u32 {
        match self.flaw {
            Flaw::UnpacksWrongly => packed + 1,
            Flaw::UnpacksWronglyAfterMove if packed != START => packed + 1,
            _ => packed,
        }
    }

    fn is_goal(&self, state: &u32) -> bool {
        *state == 0
    }

    fn moves(&self, _state: &u32) -> Vec<Step> {
        vec![Step::Up, Step::Down]
    }

    fn apply(&self, state: &mut u32, m: Step) -> u32 {
        let before = *state;
        *state = match m {
            Step::Up => (before + 1) % SIZE,
            Step::Down => (before + SIZE - 1) % SIZE,
            Step::Jump => (before + SIZE / 2) % SIZE,
        };
        before
    }

    fn undo(&self, state: &mut u32, _m: Step, before: u32) {
        *state = if self.flaw == Flaw::UndoesWrongly { before + 1 } else { before };
    }

    fn cost(&self, before: &u32, m: Step) -> Cost {
        match m {
            Step::Up if self.flaw == Flaw::FreeMove => 0,
            _ => 1 + *before,
        }
    }

    fn inverse(&self, m: Step) -> Option<Step> {
        match (self.flaw, m) {
            (Flaw::InverseIsNoMove, _) => Some(Step::Jump),
            (Flaw::InverseLeadsElsewhere, _) => Some(m),
            (_, Step::Up) => Some(Step::Down),
            (_, Step::Down) => Some(Step::Up),
            (_, Step::Jump) => None,
        }
    }

    fn onward(&self, _state: &u32, came_by: Step) -> Vec<Step> {
        match self.flaw {
            Flaw::OnwardLeavesOutAnotherMove => Vec::new(),
            Flaw::InverseIsNoMove | Flaw::InverseLeadsElsewhere => vec![Step::Up, Step::Down],
            _ => vec![came_by],
        }
    }

    fn index_size(&self) -> Option<u32> {
        Some(SIZE)
    }

    fn index(&self, packed: u32) -> u32 {
        if self.flaw == Flaw::IndexTooLarge { packed + SIZE } else { packed }
    }
}

impl Backward for Ring {
    fn goals(&self) -> Option<Vec<u32>> {
        Some(vec![u32::from(self.flaw == Flaw::ListsAnotherGoal)])
    }

    fn predecessors(&self, state: &u32, mut visit: impl FnMut(u32, Cost)) {
        let (below, above) = ((state + SIZE - 1) % SIZE, (state + 1) % SIZE);
        visit(below, if self.flaw == Flaw::PredecessorAtAnotherCost { 2 + below } else { 1 + below });
        if self.flaw != Flaw::ForgetsPredecessor {
            visit(above, 1 + above);
        }
        if self.flaw == Flaw::InventsPredecessor {
            visit((state + 2) % SIZE, 1);
        }
    }
}

/// Counts down to 0 along the ring, correctly or not.
#[derive(Debug)]
struct Countdown {
    forgets_to_count: bool,
}

impl Heuristic<Ring> for Countdown {
    type Eval = u32;

    fn evaluate(&self, _space: &Ring, state: &u32) -> u32 {
        *state
    }

    fn advance(&self, _space: &Ring, parent: u32, after: &u32, _m: Step) -> u32 {
        if self.forgets_to_count { parent } else { *after }
    }

    fn estimate(&self, eval: u32) -> Estimate {
        Estimate::new(eval)
    }
}

fn check(flaw: Flaw) {
    check_space(&Ring { flaw }, &START);
}

#[test]
fn a_space_without_a_flaw_passes() {
    for state in 0..SIZE {
        check_space(&Ring { flaw: Flaw::None }, &state);
        check_backward(&Ring { flaw: Flaw::None }, &state);
        check_incremental(&Ring { flaw: Flaw::None }, &Countdown { forgets_to_count: false }, &state);
    }
}

#[test]
#[should_panic(expected = "unpack after pack is the same state")]
fn unpacking_another_state_is_caught() {
    check(Flaw::UnpacksWrongly);
}

#[test]
#[should_panic(expected = "unpack after pack is the same state, after Up")]
fn unpacking_another_state_after_a_move_is_caught() {
    check(Flaw::UnpacksWronglyAfterMove);
}

#[test]
#[should_panic(expected = "the index of 3 is below index_size()")]
fn an_index_out_of_range_is_caught() {
    check(Flaw::IndexTooLarge);
}

#[test]
#[should_panic(expected = "the cost of Up is at least 1")]
fn a_move_that_costs_nothing_is_caught() {
    check(Flaw::FreeMove);
}

#[test]
#[should_panic(expected = "onward() leaves out only the way back, not Up")]
fn leaving_out_more_than_the_way_back_is_caught() {
    check(Flaw::OnwardLeavesOutAnotherMove);
}

#[test]
#[should_panic(expected = "the way back of Up is a move")]
fn an_inverse_that_cannot_be_played_is_caught() {
    check(Flaw::InverseIsNoMove);
}

#[test]
#[should_panic(expected = "leads back to where Up came from")]
fn an_inverse_that_leads_elsewhere_is_caught() {
    check(Flaw::InverseLeadsElsewhere);
}

#[test]
#[should_panic(expected = "undo after Up restores the state")]
fn undoing_to_another_state_is_caught() {
    check(Flaw::UndoesWrongly);
}

#[test]
#[should_panic(expected = "the state before Down is among the predecessors")]
fn a_forgotten_predecessor_is_caught() {
    check_backward(&Ring { flaw: Flaw::ForgetsPredecessor }, &START);
}

#[test]
#[should_panic(expected = "every predecessor has a move to the state")]
fn an_invented_predecessor_is_caught() {
    check_backward(&Ring { flaw: Flaw::InventsPredecessor }, &START);
}

#[test]
#[should_panic(expected = "what is listed as a goal is one")]
fn a_goal_that_is_none_is_caught() {
    check_goals(&Ring { flaw: Flaw::ListsAnotherGoal });
}

#[test]
#[should_panic(expected = "the state before Up is among the predecessors")]
fn a_predecessor_at_another_cost_is_caught() {
    check_backward(&Ring { flaw: Flaw::PredecessorAtAnotherCost }, &START);
}

#[test]
#[should_panic(expected = "advance() by Up gives what evaluate() gives")]
fn an_incremental_estimate_that_differs_is_caught() {
    check_incremental(&Ring { flaw: Flaw::None }, &Countdown { forgets_to_count: true }, &START);
}
