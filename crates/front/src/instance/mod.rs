//! One instance of a puzzle with its types erased.
//!
//! Searches are compiled for the type of each puzzle. The code around them (plans, stages, answers, certificates,
//! traces, the page) is compiled once for all puzzles: it represents a state by its number ([`Puzzle::number_of`]), a
//! move by its index among the moves of its state, and an instance as a space of such states ([`ErasedSpace`]).

mod heuristic;
mod replayed;
mod search;
mod typed;

use std::ops::{ControlFlow, Deref, Range};

use admissible::audit::{Findings, Interrupted};
use admissible::search::distributed::Processes;
use admissible::search::{Limits, Observer, Report, Search};
use admissible::{Cost, Estimate, Properties, StateSpace};
use admissible_certificate::{Number, Rules};
use serde_json::Value;

use crate::error::PlanError;
use crate::explain::Explanation;
use crate::explore::{Exploration, ExploreError, ExplorePlan};
use crate::heuristic_spec::HeuristicSpec;
use crate::plan::Plan;
use crate::puzzle::{Advice, BadState, BranchingBound, Claim, CourseRun, Referee, TableBytes};
use crate::sample::Sampled;
use crate::scope::{Scope, ScopeError};
use crate::text::Faults;
pub(crate) use typed::TypedInstance;

#[cfg(doc)]
use crate::puzzle::Puzzle;

/// A move: its index among the moves of the state before it.
pub(crate) type MoveIndex = u32;

/// A search with its types erased.
pub(crate) type ErasedSearch<'a> = dyn Search<ErasedSpace<'static>> + 'a;

/// One instance of a puzzle, with states as numbers and moves as indices.
pub(crate) trait Instance: Send + Sync {
    fn unit(&self) -> &'static str;
    fn start(&self) -> Number;
    /// The goals, if the puzzle can list them.
    fn goals(&self) -> Vec<Number>;
    fn solvable(&self) -> Option<bool>;
    /// What decides [`Instance::solvable`].
    fn solvable_by(&self) -> &'static str;
    /// [`Puzzle::note`].
    fn note(&self) -> Option<String>;
    fn branching_bound(&self) -> Option<BranchingBound>;
    fn has_keys(&self) -> bool;
    fn is_goal(&self, state: Number) -> bool;
    fn count_moves(&self, state: Number) -> MoveIndex;
    /// The state after a move, and the cost of the move.
    fn after(&self, state: Number, m: MoveIndex) -> (Number, Cost);
    /// Calls `visit` with every successor of a state, in the order of the moves.
    fn each_successor(&self, state: Number, visit: &mut dyn FnMut(Successor));
    fn move_name(&self, before: Number, m: MoveIndex) -> String;
    fn state_json(&self, state: Number) -> Value;
    fn board_json(&self) -> Value;
    fn beginning_at(&self, state: &Value) -> Result<Box<dyn Instance>, BadState>;
    fn draw(&self, state: Number) -> String;
    /// The start with a path from it drawn into it; see [`Puzzle::draw_path`].
    fn draw_path(&self, path: &[MoveIndex]) -> Option<String>;
    /// Further numbers about a solution, by name.
    fn solution_extras(&self, solution: &[MoveIndex]) -> Vec<(&'static str, u64)>;
    fn place(&self, state: Number) -> Option<(i64, i64)>;
    fn file(&self, state: Number) -> Option<String>;
    fn advice(&self, bytes: Option<u64>) -> Advice;
    fn tables(&self, heuristic: &str) -> TableBytes;
    fn prepare(&self, heuristic: &str, watch: &mut dyn FnMut(u64, u64) -> ControlFlow<()>) -> Result<(), Interrupted>;
    fn lacks(&self, heuristic: &str) -> Option<String>;
    fn explain(&self, heuristic: &str, state: Number) -> Option<Explanation>;
    /// A heuristic of the instance.
    fn heuristic(&self, heuristic: &HeuristicSpec) -> Result<Box<dyn InstanceHeuristic + '_>, PlanError>;
    fn course(&self, run: &CourseRun<'_, ErasedSpace<'static>>) -> String;
    fn read_solution(&self, text: &str) -> Result<Claim, Faults>;
    fn referee(&self) -> Box<dyn Referee>;
    /// Whether the start reaches at most `most` states; false if `go_on` stopped the count.
    fn reaches_at_most(&self, most: u64, go_on: &mut dyn FnMut() -> bool) -> bool;
    /// [`Puzzle::scope`].
    fn scope(&self, name: Option<&str>) -> Result<Scope<'_>, ScopeError>;
    /// The scope of the states that the start reaches.
    fn reachable(&self) -> Scope<'_>;
    /// [`Puzzle::atlases`].
    fn atlases(&self) -> Vec<String>;
    /// [`Puzzle::atlas`].
    fn atlas(&self, name: &str) -> Option<Scope<'_>>;
    fn explore_distributed(
        &self,
        puzzle: &'static str,
        processes: &dyn Processes,
        plan: &ExplorePlan,
        limits: Limits,
        observer: &mut dyn Observer,
    ) -> Result<Exploration, ExploreError>;
    fn ranked_scope(&self) -> Option<&'static str>;
}

/// A value that is owned or borrowed.
pub enum Held<'a, T> {
    /// Owned.
    Owned(T),
    /// Borrowed.
    Borrowed(&'a T),
}

impl<T> Deref for Held<'_, T> {
    type Target = T;

    fn deref(&self) -> &T {
        match self {
            Held::Owned(value) => value,
            Held::Borrowed(value) => value,
        }
    }
}

/// The state after a move.
#[derive(Clone, Copy)]
pub(crate) struct Successor {
    pub(crate) state: Number,
    /// The cost of the move.
    pub(crate) cost: Cost,
    /// The position on the board; see [`Puzzle::place`].
    pub(crate) place: Option<(i64, i64)>,
}

/// A heuristic on an instance, with its types erased: its estimates, and the searches that use it.
pub(crate) trait InstanceHeuristic: Rules {
    fn properties(&self) -> Properties;
    fn scale(&self) -> u32;
    /// The estimate of a state.
    fn h(&self, state: Number) -> Estimate;
    /// Audits the heuristic on a sample of states.
    fn audit(&self, sample: &[Sampled]) -> Findings<Number>;
    /// The search of a plan, not yet begun; `None` where its first tables do not fit into memory. Only this function
    /// matches the names of the algorithms.
    fn search<'a>(
        &'a self,
        algorithm: &str,
        plan: &Plan,
        limits: &Limits,
    ) -> Result<Option<Box<ErasedSearch<'a>>>, PlanError>;
    /// Distributed A* together with other processes.
    fn distributed_astar(
        &self,
        processes: &dyn Processes,
        limits: Limits,
        observer: &mut dyn Observer,
    ) -> Report<MoveIndex>;
}

/// An instance as a space. Every access converts a state from or to its number, so it is for code that visits few
/// states: the page, traces, certificates. Searches run on the puzzle itself.
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
