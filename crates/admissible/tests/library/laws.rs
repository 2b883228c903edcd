//! The laws catch spaces and heuristics that break them.

use admissible::laws::{check_backward, check_goals, check_incremental, check_space};
use admissible::{AbilityVisitor, Backward, Cost, Estimate, Heuristic, Indexed, Invertible, Keyed, StateSpace};

/// The flaw of a [`Ring`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Flaw {
    None,
    UnpacksWrongly,
    UnpacksWronglyAfterMove,
    IndexTooLarge,
    FreeMove,
    OmitsAnotherMove,
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

/// Ten states in a ring, with moves up and down, and one flaw.
#[derive(Debug)]
struct Ring {
    flaw: Flaw,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum RingMove {
    Up,
    Down,
    Jump,
}

impl StateSpace for Ring {
    type State = u32;
    type Packed = u32;
    type Move = RingMove;
    type Moves = Vec<RingMove>;
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

    fn moves(&self, _state: &u32) -> Vec<RingMove> {
        vec![RingMove::Up, RingMove::Down]
    }

    fn apply(&self, state: &mut u32, m: RingMove) -> u32 {
        let before = *state;
        *state = match m {
            RingMove::Up => (before + 1) % SIZE,
            RingMove::Down => (before + SIZE - 1) % SIZE,
            RingMove::Jump => (before + SIZE / 2) % SIZE,
        };
        before
    }

    fn undo(&self, state: &mut u32, _m: RingMove, before: u32) {
        *state = if self.flaw == Flaw::UndoesWrongly { before + 1 } else { before };
    }

    fn cost(&self, before: &u32, m: RingMove) -> Cost {
        match m {
            RingMove::Up if self.flaw == Flaw::FreeMove => 0,
            _ => 1 + *before,
        }
    }

    fn abilities<'a, V: AbilityVisitor<'a, Self>>(&'a self, visitor: V) -> V {
        visitor.indexed(self).invertible(self)
    }
}

impl Invertible for Ring {
    fn inverse(&self, m: RingMove) -> Option<RingMove> {
        match (self.flaw, m) {
            (Flaw::InverseIsNoMove, _) => Some(RingMove::Jump),
            (Flaw::InverseLeadsElsewhere, _) => Some(m),
            (_, RingMove::Up) => Some(RingMove::Down),
            (_, RingMove::Down) => Some(RingMove::Up),
            (_, RingMove::Jump) => None,
        }
    }

    fn moves_after(&self, _state: &u32, came_by: RingMove) -> Vec<RingMove> {
        match self.flaw {
            Flaw::OmitsAnotherMove => Vec::new(),
            Flaw::InverseIsNoMove | Flaw::InverseLeadsElsewhere => vec![RingMove::Up, RingMove::Down],
            _ => vec![came_by],
        }
    }
}

impl Indexed for Ring {
    fn index_bound(&self) -> u32 {
        SIZE
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

/// Counts down to 0 along the ring, with or without an error in `advance`.
#[derive(Debug)]
struct Countdown {
    is_wrong: bool,
}

impl Heuristic<Ring> for Countdown {
    type Eval = u32;

    fn evaluate(&self, _space: &Ring, state: &u32) -> u32 {
        *state
    }

    fn advance(&self, _space: &Ring, parent: u32, after: &u32, _m: RingMove) -> u32 {
        if self.is_wrong { parent } else { *after }
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
        check_incremental(&Ring { flaw: Flaw::None }, &Countdown { is_wrong: false }, &state);
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
#[should_panic(expected = "is below the bound")]
fn an_index_out_of_range_is_caught() {
    check(Flaw::IndexTooLarge);
}

#[test]
#[should_panic(expected = "the cost of Up is at least 1")]
fn a_move_that_costs_nothing_is_caught() {
    check(Flaw::FreeMove);
}

#[test]
#[should_panic(expected = "moves_after() omits only the inverse, not Up")]
fn omitting_more_than_the_inverse_is_caught() {
    check(Flaw::OmitsAnotherMove);
}

#[test]
#[should_panic(expected = "the inverse of Up is a move")]
fn an_inverse_that_is_not_legal_is_caught() {
    check(Flaw::InverseIsNoMove);
}

#[test]
#[should_panic(expected = "leads back to the state before Up")]
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
#[should_panic(expected = "every listed goal is a goal")]
fn a_false_goal_is_caught() {
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
    check_incremental(&Ring { flaw: Flaw::None }, &Countdown { is_wrong: true }, &START);
}

/// The flaw in the keys of a [`Circle`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum KeyFlaw {
    None,
    DearMove,
    CodeTooLarge,
    OneCodeForAll,
    NoRoomForCode,
    SecondWord,
    OneKeyForTwoStates,
    RetracesWrongly,
    ListsTooFew,
    ListsTooMany,
    CountsTooFew,
}

/// Ten states in a circle with keys, and a flaw in them.
#[derive(Debug)]
struct Circle {
    flaw: KeyFlaw,
}

impl StateSpace for Circle {
    type State = u32;
    type Packed = u32;
    type Move = u32;
    type Moves = [u32; 2];
    type Undo = u32;

    fn pack(&self, state: &u32) -> u32 {
        *state
    }

    fn unpack(&self, packed: u32) -> u32 {
        packed
    }

    fn is_goal(&self, state: &u32) -> bool {
        *state == 0
    }

    /// The moves are the numbers of states to advance.
    fn moves(&self, _state: &u32) -> [u32; 2] {
        [1, 4]
    }

    fn apply(&self, state: &mut u32, m: u32) -> u32 {
        std::mem::replace(state, (*state + m) % SIZE)
    }

    fn undo(&self, state: &mut u32, _m: u32, before: u32) {
        *state = before;
    }

    fn cost(&self, _before: &u32, m: u32) -> Cost {
        if self.flaw == KeyFlaw::DearMove { m } else { 1 }
    }

    fn abilities<'a, V: AbilityVisitor<'a, Self>>(&'a self, visitor: V) -> V {
        visitor.keyed(self)
    }
}

impl Keyed for Circle {
    const KEY_WORDS: usize = 1;
    const CODE_BITS: u32 = 3;

    fn key(&self, state: &u32) -> [u64; 2] {
        match self.flaw {
            KeyFlaw::NoRoomForCode => [u64::from(*state) << 60, 0],
            KeyFlaw::SecondWord => [0, (*state).into()],
            KeyFlaw::OneKeyForTwoStates => [u64::from(*state) / 2, 0],
            _ => [(*state).into(), 0],
        }
    }

    fn state_of_key(&self, [word, second]: [u64; 2]) -> u32 {
        match self.flaw {
            KeyFlaw::NoRoomForCode => (word >> 60) as u32,
            _ => (word + second) as u32,
        }
    }

    fn code(&self, m: u32) -> u32 {
        match self.flaw {
            KeyFlaw::CodeTooLarge => m + 2,
            KeyFlaw::OneCodeForAll => 1,
            _ => m,
        }
    }

    fn move_of_code(&self, code: u32) -> u32 {
        if self.flaw == KeyFlaw::CodeTooLarge { code - 2 } else { code }
    }

    const MAX_VISITS: usize = 4;

    fn each_move(&self, _state: &u32, _came_by: Option<u32>, mut visit: impl FnMut(u32, bool)) -> u32 {
        visit(4, true);
        visit(2, false);
        visit(1, self.flaw != KeyFlaw::ListsTooFew);
        visit(3, self.flaw == KeyFlaw::ListsTooMany);
        if self.flaw == KeyFlaw::CountsTooFew { 1 } else { 2 }
    }

    fn retrace(&self, state: &mut u32, m: u32) {
        *state = (*state + if self.flaw == KeyFlaw::RetracesWrongly { m } else { SIZE - m }) % SIZE;
    }
}

fn check_keys(flaw: KeyFlaw) {
    (0..SIZE).for_each(|state| check_space(&Circle { flaw }, &state));
}

#[test]
fn keys_without_a_flaw_pass() {
    check_keys(KeyFlaw::None);
}

#[test]
#[should_panic(expected = "with keys 4 costs 1")]
fn keys_with_costs_are_caught() {
    check_keys(KeyFlaw::DearMove);
}

#[test]
#[should_panic(expected = "the code of 4 leaves two numbers free")]
fn a_code_too_large_is_caught() {
    check_keys(KeyFlaw::CodeTooLarge);
}

#[test]
#[should_panic(expected = "move_of_code after code is the same move")]
fn a_code_for_two_moves_is_caught() {
    check_keys(KeyFlaw::OneCodeForAll);
}

#[test]
#[should_panic(expected = "a key leaves the bits of a code free")]
fn a_key_in_the_bits_of_the_code_is_caught() {
    check_keys(KeyFlaw::NoRoomForCode);
}

#[test]
#[should_panic(expected = "a key of one word has no second one")]
fn a_second_word_that_would_be_lost_is_caught() {
    check_keys(KeyFlaw::SecondWord);
}

#[test]
#[should_panic(expected = "state_of_key after key is the same state")]
fn a_key_for_two_states_is_caught() {
    check_keys(KeyFlaw::OneKeyForTwoStates);
}

#[test]
#[should_panic(expected = "each_move() has 1 after None")]
fn a_list_without_a_move_is_caught() {
    check_keys(KeyFlaw::ListsTooFew);
}

#[test]
#[should_panic(expected = "each_move() has no others after None: [3]")]
fn a_list_with_an_illegal_move_is_caught() {
    check_keys(KeyFlaw::ListsTooMany);
}

#[test]
#[should_panic(expected = "each_move() counts the moves of a state")]
fn moves_that_are_not_counted_are_caught() {
    check_keys(KeyFlaw::CountsTooFew);
}

#[test]
#[should_panic(expected = "restores the state before it")]
fn retracing_to_another_state_is_caught() {
    check_keys(KeyFlaw::RetracesWrongly);
}

/// A heuristic with a wrong `eval_from_h`.
#[derive(Debug)]
struct WrongFromH;

impl Heuristic<Ring> for WrongFromH {
    type Eval = u32;

    fn evaluate(&self, _space: &Ring, state: &u32) -> u32 {
        *state
    }

    fn estimate(&self, eval: u32) -> Estimate {
        Estimate::new(eval)
    }

    fn eval_from_h(&self, _space: &Ring, _state: &u32, units: u32) -> u32 {
        units + 1
    }
}

#[test]
#[should_panic(expected = "eval_from_h() gives what evaluate() gives")]
fn another_estimate_from_h_is_caught() {
    check_incremental(&Ring { flaw: Flaw::None }, &WrongFromH, &START);
}
