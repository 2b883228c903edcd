//! One instance of a puzzle with its types erased.
//!
//! Searches know their types; what goes around them (plans, stages, answers, certificates, traces, the page) does not
//! need to and is compiled once for all puzzles. To it, a state is its number ([`Puzzle::number_of`]), a move is its
//! index among the moves of its state, and a puzzle with such states is a space like any other ([`ErasedSpace`]).

mod guided;
mod running;
mod typed;

use std::ops::{ControlFlow, Range};

use admissible::audit::Interrupted;
use admissible::search::distributed::Processes;
use admissible::search::{Limits, Observer, Report, Search, Solution};
use admissible::{Cost, Estimate, Properties, StateSpace};
use admissible_certificate::{Number, Rules};
use serde_json::Value;

use crate::answer::SolvedAnswer;
use crate::audit::{Audit, AuditError, Auditor};
use crate::difficulty::{Picked, Picker};
use crate::error::PlanError;
use crate::explore::{Exploration, ExploreError, ExplorePlan, Explorer};
use crate::named::Named;
use crate::plan::{Drawing, Plan};
use crate::puzzle::{Advice, BadState, Claim, CourseRun, Referee, TableBytes};
use crate::store::Store;
use crate::text::Faults;
pub(crate) use running::Unreachable;
pub(crate) use typed::Typed;

#[cfg(doc)]
use crate::puzzle::Puzzle;

/// A move: its index among the moves of the state before it.
pub(crate) type MoveIndex = u32;

/// A search with its types erased.
pub(crate) type AnySearch<'a> = dyn Search<ErasedSpace<'static>> + 'a;

/// One instance of a puzzle, with states as numbers and moves as indices.
pub(crate) trait Instance: Send + Sync {
    fn unit(&self) -> &'static str;
    fn start(&self) -> Number;
    fn solvable(&self) -> Option<bool>;
    fn has_keys(&self) -> bool;
    fn is_goal(&self, state: Number) -> bool;
    fn count_moves(&self, state: Number) -> MoveIndex;
    /// The state after a move, and what the move costs.
    fn after(&self, state: Number, m: MoveIndex) -> (Number, Cost);
    /// Calls `visit` with every successor of a state, in the order of the moves.
    fn each_successor(&self, state: Number, visit: &mut dyn FnMut(Successor));
    fn move_name(&self, before: Number, m: MoveIndex) -> String;
    fn state_json(&self, state: Number) -> Value;
    fn board_json(&self) -> Value;
    fn beginning_at(&self, state: &Value) -> Result<Box<dyn Instance>, BadState>;
    fn draw(&self, state: Number) -> String;
    fn place(&self, state: Number) -> Option<(i64, i64)>;
    fn file(&self, state: Number) -> Option<String>;
    fn advice(&self, bytes: Option<u64>) -> Advice;
    fn tables(&self, heuristic: &str) -> TableBytes;
    fn prepare(&self, heuristic: &str, watch: &mut dyn FnMut(u64, u64) -> ControlFlow<()>) -> Result<(), Interrupted>;
    fn lacks(&self, heuristic: &str) -> Option<String>;
    /// A heuristic of the instance.
    fn guide(&self, heuristic: &Named) -> Result<Box<dyn Guide + '_>, PlanError>;
    /// A solution in words, after the referee has replayed it and come to the same states.
    fn replayed(&self, solution: &Solution<MoveIndex>, drawing: Drawing) -> Result<SolvedAnswer, PlanError>;
    fn course(&self, run: &CourseRun<'_, ErasedSpace<'static>>) -> String;
    fn read_solution(&self, text: &str) -> Result<Claim, Faults>;
    fn referee(&self) -> Box<dyn Referee>;
    /// A shortest way by an atlas, or that there is none; see [`consult`].
    fn consult(&self, store: &Store, refused: &mut Vec<String>) -> Option<Option<Vec<MoveIndex>>>;
    /// Whether at most so many states can be reached from the start.
    fn reaches_at_most(&self, most: u64, go_on: &mut dyn FnMut() -> bool) -> bool;
    fn audit(&self, auditor: &Auditor<'_>) -> Result<Audit, AuditError>;
    fn explore(&self, scope: Option<&str>, explorer: &Explorer<'_>) -> Result<Exploration, ExploreError>;
    fn pick(&self, picker: &mut Picker<'_>) -> Result<Picked, ExploreError>;
    fn explore_together(
        &self,
        puzzle: &'static str,
        processes: &dyn Processes,
        plan: &ExplorePlan,
        limits: Limits,
        observer: &mut dyn Observer,
    ) -> Result<Exploration, ExploreError>;
    fn ranked_scope(&self) -> Option<&'static str>;
}

/// The state after a move.
#[derive(Clone, Copy)]
pub(crate) struct Successor {
    pub(crate) state: Number,
    /// What the move costs.
    pub(crate) cost: Cost,
    /// Where the state is on the board; see [`Puzzle::place`].
    pub(crate) place: Option<(i64, i64)>,
}

/// A heuristic on an instance: what it says, and the searches that it guides.
pub(crate) trait Guide: Rules {
    fn properties(&self) -> Properties;
    fn scale(&self) -> u32;
    /// What the heuristic says of a state.
    fn h(&self, state: Number) -> Estimate;
    /// The search of a plan, ready to begin; `None` where its first tables do not fit. The names of the algorithms are
    /// matched here and nowhere else.
    fn search<'a>(
        &'a self,
        algorithm: &str,
        plan: &Plan,
        limits: &Limits,
    ) -> Result<Option<Box<AnySearch<'a>>>, PlanError>;
    /// A* together with other processes.
    fn search_together(
        &self,
        processes: &dyn Processes,
        limits: Limits,
        observer: &mut dyn Observer,
    ) -> Report<MoveIndex>;
}

/// An instance as a space. Every step ranks and unranks a state, so it is for what looks at a few states: a page, a
/// trace, a proof. The searches that users wait for run on the puzzle itself.
#[derive(Clone, Copy)]
pub(crate) struct ErasedSpace<'a>(pub(crate) &'a dyn Instance);

impl ErasedSpace<'_> {
    pub(crate) fn start(self) -> Number {
        self.0.start()
    }

    pub(crate) fn after(self, state: Number, m: MoveIndex) -> Number {
        self.0.after(state, m).0
    }
}

impl StateSpace for ErasedSpace<'_> {
    type State = Number;
    type Packed = Number;
    type Move = MoveIndex;
    type Moves = Range<MoveIndex>;
    type Undo = Number;

    fn pack(&self, state: &Number) -> Number {
        *state
    }

    fn unpack(&self, packed: Number) -> Number {
        packed
    }

    fn is_goal(&self, state: &Number) -> bool {
        self.0.is_goal(*state)
    }

    fn moves(&self, state: &Number) -> Range<MoveIndex> {
        0..self.0.count_moves(*state)
    }

    fn apply(&self, state: &mut Number, m: MoveIndex) -> Number {
        std::mem::replace(state, self.0.after(*state, m).0)
    }

    fn undo(&self, state: &mut Number, _m: MoveIndex, before: Number) {
        *state = before;
    }

    fn cost(&self, before: &Number, m: MoveIndex) -> Cost {
        self.0.after(*before, m).1
    }
}
