//! A puzzle as an [`Instance`]: converts states to numbers, and moves to indices.

use std::cell::OnceCell;
use std::collections::HashSet;
use std::ops::ControlFlow;

use admissible::audit::Interrupted;
use admissible::platform::IS_SMALL;
use admissible::search::distributed::Processes;
use admissible::search::{Limits, Observer, Outcome, Solution, Visit};
use admissible::{Cost, has_keys, listed_goals};
use admissible_certificate::Number;
use serde_json::Value;

use super::heuristic::TypedHeuristic;
use super::{ErasedSpace, Held, Instance, InstanceHeuristic, MoveIndex, Successor};
use crate::error::PlanError;
use crate::explain::Explanation;
use crate::explore::{Exploration, ExploreError, ExplorePlan};
use crate::heuristic_spec::HeuristicSpec;
use crate::puzzle::{Advice, BadState, BranchingBound, Claim, CourseRun, Puzzle, Referee, TableBytes};
use crate::scope::{REACHABLE, Scope, ScopeError};
use crate::text::Faults;

/// A puzzle as an [`Instance`].
pub(crate) struct TypedInstance<'a, P>(pub(crate) Held<'a, P>);

impl<P: Puzzle> TypedInstance<'_, P> {
    pub(crate) fn state(&self, number: Number) -> P::State {
        self.0.of_number(number.0).expect("the number is that of a state")
    }

    pub(crate) fn number(&self, state: &P::State) -> Number {
        Number(self.0.number_of(state))
    }

    fn nth_move(&self, state: &P::State, m: MoveIndex) -> P::Move {
        self.0.moves(state).into_iter().nth(m as usize).expect("the index is that of a move")
    }

    /// The indices of the moves of a path from the start.
    fn indices(&self, moves: &[P::Move]) -> Vec<MoveIndex> {
        let mut state = self.0.start();
        let mut indices = Vec::with_capacity(moves.len());
        for &m in moves {
            let index = self.0.moves(&state).into_iter().position(|offered| offered == m);
            indices.push(index.expect("a path is made of moves") as MoveIndex);
            self.0.apply(&mut state, m);
        }
        indices
    }

    /// The moves of a path from the start, given their indices.
    fn moves(&self, indices: &[MoveIndex]) -> Vec<P::Move> {
        let mut state = self.0.start();
        let mut moves = Vec::with_capacity(indices.len());
        for &index in indices {
            let m = self.nth_move(&state, index);
            self.0.apply(&mut state, m);
            moves.push(m);
        }
        moves
    }

    pub(super) fn erase_solution(&self, solution: &Solution<P::Move>) -> Solution<MoveIndex> {
        let &Solution { cost, guarantee, ref moves } = solution;
        Solution { cost, guarantee, moves: self.indices(moves) }
    }

    pub(super) fn erase_outcome(&self, outcome: &Outcome<P::Move>) -> Outcome<MoveIndex> {
        match outcome {
            Outcome::Solved(solution) => Outcome::Solved(self.erase_solution(solution)),
            Outcome::Unsolvable => Outcome::Unsolvable,
            &Outcome::Stopped { why, lower_bound } => Outcome::Stopped { why, lower_bound },
        }
    }
}

/// Passes calls on to the puzzle.
macro_rules! pass_on {
    ($(fn $name:ident($($argument:ident: $type:ty),*) -> $out:ty;)*) => {
        $(fn $name(&self $(, $argument: $type)*) -> $out {
            self.0.$name($($argument),*)
        })*
    };
}

impl<P: Puzzle> Instance for TypedInstance<'_, P> {
    pass_on! {
        fn note() -> Option<String>;
        fn branching_bound() -> Option<BranchingBound>;
        fn board_json() -> Value;
        fn tables(heuristic: &str) -> TableBytes;
        fn prepare(heuristic: &str, watch: &mut dyn FnMut(u64, u64) -> ControlFlow<()>) -> Result<(), Interrupted>;
        fn lacks(heuristic: &str) -> Option<String>;
        fn read_solution(text: &str) -> Result<Claim, Faults>;
        fn referee() -> Box<dyn Referee>;
        fn scope(name: Option<&str>) -> Result<Scope<'_>, ScopeError>;
        fn atlases() -> Vec<String>;
        fn atlas(name: &str) -> Option<Scope<'_>>;
        fn ranked_scope() -> Option<&'static str>;
    }

    fn unit(&self) -> &'static str {
        P::UNIT
    }

    fn start(&self) -> Number {
        self.number(&self.0.start())
    }

    fn goals(&self) -> Vec<Number> {
        listed_goals(&*self.0).unwrap_or_default().iter().map(|goal| self.number(goal)).collect()
    }

    fn solvable(&self) -> Option<bool> {
        self.0.solvable(&self.0.start())
    }

    fn solvable_by(&self) -> &'static str {
        P::SOLVABLE_BY
    }

    fn has_keys(&self) -> bool {
        has_keys(&*self.0)
    }

    fn is_goal(&self, state: Number) -> bool {
        self.0.is_goal(&self.state(state))
    }

    fn count_moves(&self, state: Number) -> MoveIndex {
        self.0.moves(&self.state(state)).into_iter().count() as MoveIndex
    }

    fn after(&self, state: Number, m: MoveIndex) -> (Number, Cost) {
        let mut state = self.state(state);
        let m = self.nth_move(&state, m);
        let cost = self.0.cost(&state, m);
        self.0.apply(&mut state, m);
        (self.number(&state), cost)
    }

    fn each_successor(&self, state: Number, visit: &mut dyn FnMut(Successor)) {
        let mut state = self.state(state);
        for m in self.0.moves(&state) {
            let cost = self.0.cost(&state, m);
            let undo = self.0.apply(&mut state, m);
            visit(Successor { state: self.number(&state), cost, place: self.0.place(&state) });
            self.0.undo(&mut state, m, undo);
        }
    }

    fn move_name(&self, before: Number, m: MoveIndex) -> String {
        let before = self.state(before);
        self.0.move_name(&before, self.nth_move(&before, m))
    }

    fn state_json(&self, state: Number) -> Value {
        self.0.state_json(&self.state(state))
    }

    fn beginning_at(&self, state: &Value) -> Result<Box<dyn Instance>, BadState> {
        Ok(Box::new(TypedInstance(Held::Owned(self.0.beginning_at(state)?))))
    }

    fn draw(&self, state: Number) -> String {
        self.0.draw(&self.state(state))
    }

    fn draw_path(&self, path: &[MoveIndex]) -> Option<String> {
        self.0.draw_path(&self.moves(path))
    }

    fn solution_extras(&self, solution: &[MoveIndex]) -> Vec<(&'static str, u64)> {
        self.0.solution_extras(&self.moves(solution))
    }

    fn place(&self, state: Number) -> Option<(i64, i64)> {
        self.0.place(&self.state(state))
    }

    fn file(&self, state: Number) -> Option<String> {
        self.0.file(&self.state(state))
    }

    fn advice(&self, bytes: Option<u64>) -> Advice {
        bytes.map_or_else(|| self.0.advice(), |bytes| self.0.advice_within(bytes))
    }

    fn explain(&self, heuristic: &str, state: Number) -> Option<Explanation> {
        self.0.explain(heuristic, &self.state(state))
    }

    fn heuristic(&self, heuristic: &HeuristicSpec) -> Result<Box<dyn InstanceHeuristic + '_>, PlanError> {
        let erased = heuristic.on(&*self.0)?;
        Ok(Box::new(TypedHeuristic {
            typed: self,
            name: heuristic.text().into(),
            heuristic: erased,
            from_start: OnceCell::new(),
            guide: OnceCell::new(),
        }))
    }

    fn course(&self, run: &CourseRun<'_, ErasedSpace<'static>>) -> String {
        let &CourseRun { heuristic, outcome, stats, visited } = run;
        let outcome = &match outcome {
            &Outcome::Solved(Solution { cost, guarantee, ref moves }) => {
                Outcome::Solved(Solution { cost, guarantee, moves: self.moves(moves) })
            }
            Outcome::Unsolvable => Outcome::Unsolvable,
            &Outcome::Stopped { why, lower_bound } => Outcome::Stopped { why, lower_bound },
        };
        let packed = |state: Number| self.0.pack(&self.state(state));
        let visited: Vec<Visit<P::Packed>> = visited.iter().map(|visit| visit.map(packed)).collect();
        self.0.course(&CourseRun { heuristic, outcome, stats, visited: &visited })
    }

    fn reaches_at_most(&self, most: u64, go_on: &mut dyn FnMut() -> bool) -> bool {
        /// Expansions between two calls of `go_on`.
        const ASK_EVERY: u64 = 1 << 14;
        let puzzle = &*self.0;
        let start = puzzle.pack(&puzzle.start());
        let (mut reached, mut open) = (HashSet::from([start]), vec![start]);
        let mut expanded = 0_u64;
        while let Some(packed) = open.pop() {
            expanded += 1;
            if reached.len() as u64 > most || expanded.is_multiple_of(ASK_EVERY) && !go_on() {
                return false;
            }
            let mut state = puzzle.unpack(packed);
            for m in puzzle.moves(&state) {
                let undo = puzzle.apply(&mut state, m);
                let next = puzzle.pack(&state);
                puzzle.undo(&mut state, m, undo);
                if reached.insert(next) {
                    open.push(next);
                }
            }
        }
        true
    }

    fn reachable(&self) -> Scope<'_> {
        Scope::reachable(REACHABLE.summary, Held::Borrowed(&*self.0))
    }

    fn explore_distributed(
        &self,
        puzzle: &'static str,
        processes: &dyn Processes,
        plan: &ExplorePlan,
        limits: Limits,
        observer: &mut dyn Observer,
    ) -> Result<Exploration, ExploreError> {
        if const { IS_SMALL } {
            return Err(ExploreError::Plan("this program runs alone".into()));
        }
        crate::distributed::explore(puzzle, &*self.0, processes, plan, limits, observer)
    }
}
