//! Playing an instance by hand: where one can go from a state, and what it takes to draw it.

use std::collections::HashSet;

use crate::puzzle::{BadState, Puzzle};
use admissible::search::Observer;
use serde_json::Value;

use crate::answer::Answer;
use crate::error::PlanError;
use crate::keeping::Standing;
use crate::named::Named;
use crate::plan::Plan;
use crate::task::{Opened, Task};
use crate::watch::{Spectator, Watched};

/// States between two questions whether to go on.
const ASK_EVERY: u64 = 1 << 14;

/// A state, and where one can go from there.
#[derive(Debug, Clone, PartialEq)]
pub struct Position {
    /// The state as in the JSON output.
    pub state: Value,
    /// Whether it solves the puzzle.
    pub solved: bool,
    /// The actions by name, each with the state that it leads to.
    pub moves: Vec<(String, Value)>,
}

/// What a [`Task`] offers to whoever plays it or watches a search.
pub trait Play {
    /// What stays the same in all states: the size of the board, its walls, its goal.
    fn board(&self) -> Value;
    /// The start.
    fn position(&self) -> Position;
    /// The same instance with another start.
    ///
    /// # Errors
    /// If the JSON is no state of this instance.
    fn beginning_at(&self, state: &Value) -> Result<Box<dyn Task>, BadState>;
    /// Why a heuristic does not serve this instance, if it does not.
    fn lacks(&self, heuristic: &str) -> Option<String>;
    /// Whether at most so many states can be reached from the start. Asks now and then whether to go on; where not, the
    /// answer is no.
    fn reaches_at_most(&self, most: u64, go_on: &mut dyn FnMut() -> bool) -> bool;
    /// Carries out a plan and shows every step of the search.
    ///
    /// # Errors
    /// If the plan names what does not exist.
    fn watch(
        &self,
        plan: &Plan,
        observer: &mut dyn Observer,
        spectator: &mut dyn Spectator,
    ) -> Result<Answer, PlanError>;
}

impl<P: Puzzle> Play for Opened<P> {
    fn board(&self) -> Value {
        self.puzzle.board_json()
    }

    fn position(&self) -> Position {
        let puzzle = &self.puzzle;
        let mut state = puzzle.start();
        let here = puzzle.state_json(&state);
        let solved = puzzle.is_goal(&state);
        let mut moves = Vec::new();
        for m in puzzle.moves(&state) {
            let name = puzzle.move_name(&state, m);
            let undo = puzzle.apply(&mut state, m);
            moves.push((name, puzzle.state_json(&state)));
            puzzle.undo(&mut state, m, undo);
        }
        Position { state: here, solved, moves }
    }

    fn beginning_at(&self, state: &Value) -> Result<Box<dyn Task>, BadState> {
        let puzzle = self.puzzle.beginning_at(state)?;
        Ok(Box::new(Opened { card: self.card, puzzle }))
    }

    fn lacks(&self, heuristic: &str) -> Option<String> {
        Named::parse(self.card, heuristic)
            .and_then(|named| named.fits(&self.puzzle))
            .err()
            .map(|error| error.to_string())
    }

    fn reaches_at_most(&self, most: u64, go_on: &mut dyn FnMut() -> bool) -> bool {
        let puzzle = &self.puzzle;
        let start = puzzle.pack(&puzzle.start());
        let (mut met, mut waiting) = (HashSet::from([start]), vec![start]);
        let mut expanded = 0_u64;
        while let Some(packed) = waiting.pop() {
            expanded += 1;
            if met.len() as u64 > most || expanded.is_multiple_of(ASK_EVERY) && !go_on() {
                return false;
            }
            let mut state = puzzle.unpack(packed);
            for m in puzzle.moves(&state) {
                let undo = puzzle.apply(&mut state, m);
                let next = puzzle.pack(&state);
                puzzle.undo(&mut state, m, undo);
                if met.insert(next) {
                    waiting.push(next);
                }
            }
        }
        true
    }

    fn watch(
        &self,
        plan: &Plan,
        observer: &mut dyn Observer,
        spectator: &mut dyn Spectator,
    ) -> Result<Answer, PlanError> {
        let mut watched = Watched::new(&self.puzzle);
        let standing = Standing::default();
        let ran =
            self.drive_choice(self.choose(plan)?, &standing, plan, observer, &mut |search, limits, observer| {
                watched.drive(search, limits, observer, spectator)
            })?;
        self.answer(ran, plan.drawing)
    }
}
