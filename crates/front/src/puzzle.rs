//! The traits that a puzzle implements beyond [`StateSpace`]: [`Puzzle`] for an instance, [`Family`] for the puzzle.

use std::ops::ControlFlow;
use std::sync::Arc;

use admissible::audit::Interrupted;
use admissible::heuristic::Zero;
use admissible::search::{Outcome, Stats, Visit};
use admissible::{Erased, StateSpace};
use rand::Rng;
use serde_json::Value;
use thiserror::Error;

use crate::bench_sets::BenchSet;
use crate::counting::CountingRule;
use crate::databases::DatabaseSet;
use crate::explain::Explanation;
use crate::page::{Example, Page};
pub use crate::parameters::ParameterError;
use crate::parameters::{Parameter, Parameters};
use crate::scope::{FamilyScope, Held, REACHABLE, Scope, ScopeCard, ScopeError, ScopeRequest};
use crate::solution;
use crate::table_cache::TableCache;
use crate::text::Faults;

/// The description of a puzzle in the registry.
#[derive(Debug)]
pub struct Card {
    /// The name on the command line.
    pub name: &'static str,
    /// A one-line description.
    pub summary: &'static str,
    /// The format of its files, for `list` and the help.
    pub format: &'static str,
    /// Example boards, the default one first.
    pub examples: &'static [Example],
    /// The page's code for it; without any, the page shows the text drawing.
    pub page: Option<Page>,
    /// Why `--goal` is refused; empty if the puzzle has a choice of goals.
    pub fixed_goal: &'static str,
    /// The words of `--move-order`, in the default order; empty if there is only one order.
    pub moves: &'static [&'static str],
    /// Its heuristics, weakest first.
    pub heuristics: &'static [HeuristicCard],
    /// The features that expressions can use, in addition to the heuristics.
    pub features: &'static [FeatureCard],
    /// The parameters of random instances and of spaces to explore. Only the card declares them.
    pub parameters: &'static [Parameter],
    /// The metrics for the number of moves, the default first; empty if there is only one.
    pub metrics: &'static [&'static str],
    /// The heuristics that a course report prints a section for.
    pub course_heuristics: &'static [&'static str],
    /// The counting rule of the course's format; by default that of the literature.
    pub course_counting: Option<&'static str>,
    /// The counting rules of published reports on it.
    pub counting_rules: &'static [CountingRule],
    /// The scopes of audits and explorations.
    pub scopes: &'static [ScopeCard],
    /// The default scope of an audit, in words.
    pub audited: &'static str,
    /// Classic layouts: for each a line `# name steps moves Chinese English` and the rows of the board.
    pub classics: &'static str,
    /// Standard benchmark sets of the literature.
    pub bench_sets: &'static [BenchSet],
}

impl Card {
    /// A card with a name, a summary, the format of the files and the blind heuristic; the rest is empty.
    pub const fn new(name: &'static str, summary: &'static str, format: &'static str) -> Self {
        Card {
            name,
            summary,
            format,
            examples: &[],
            page: None,
            fixed_goal: "this puzzle has one goal",
            moves: &[],
            heuristics: &[ZERO_CARD],
            features: &[],
            parameters: &[],
            metrics: &[],
            course_heuristics: &[],
            course_counting: None,
            counting_rules: &[],
            scopes: &[],
            audited: "every state that the start can reach",
            classics: "",
            bench_sets: &[],
        }
    }
}

/// The description of a heuristic: the claim of its source, and its properties as audited.
#[derive(Debug)]
pub struct HeuristicCard {
    /// The name on the command line.
    pub name: &'static str,
    /// Its definition in a line.
    pub summary: &'static str,
    /// Its exact rules, one a line; empty if the summary says all.
    pub rules: &'static str,
    /// The claim of its source.
    pub claim: &'static str,
    /// Whether it never overestimates.
    pub admissible: Truth,
    /// Whether it never falls by more than the cost of a move.
    pub consistent: Truth,
}

impl HeuristicCard {
    /// A heuristic that is claimed to be consistent and is consistent.
    pub const fn consistent(name: &'static str, summary: &'static str) -> Self {
        let claim = "admissible, consistent";
        HeuristicCard { name, summary, rules: "", claim, admissible: Truth::Yes, consistent: Truth::Yes }
    }

    /// The exact rules, one a line.
    pub fn exact_rules(&self) -> impl Iterator<Item = &'static str> {
        (if self.rules.is_empty() { self.summary } else { self.rules }).lines()
    }

    /// The same card with exact rules.
    pub const fn with_rules(self, rules: &'static str) -> Self {
        HeuristicCard { rules, ..self }
    }
}

/// The description of a feature: a number computed from a state, for expressions.
#[derive(Debug)]
pub struct FeatureCard {
    /// The name in expressions.
    pub name: &'static str,
    /// Its definition in a line.
    pub summary: &'static str,
}

/// Computes a feature of a state.
pub type Feature<P> = Box<dyn Fn(&P, &<P as StateSpace>::State) -> f64 + Sync>;

/// The result of checking a property on every state.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Truth {
    /// It holds.
    Yes,
    /// There is a counterexample; the text says which.
    No(&'static str),
    /// It holds on some instances; the text says on which.
    Sometimes(&'static str),
}

/// The blind heuristic, which every puzzle has.
pub const ZERO_CARD: HeuristicCard =
    HeuristicCard::consistent("zero", "0 everywhere: A* with it is uniform-cost search").with_rules("h = 0.");

/// The algorithm and the heuristic for an instance if the plan names none.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Advice {
    /// The algorithm's name.
    pub algorithm: &'static str,
    /// The heuristic's name.
    pub heuristic: &'static str,
    /// Why these two, as half a sentence.
    pub why: &'static str,
    /// The heuristics to continue with, one after the other, if that takes too long.
    pub fallbacks: Vec<Fallback>,
}

impl Advice {
    /// A* without fallbacks.
    pub const fn astar(heuristic: &'static str, why: &'static str) -> Self {
        Advice { algorithm: "astar", heuristic, why, fallbacks: Vec::new() }
    }
}

/// A stronger heuristic that takes time to build, for instances that prove to be hard.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Fallback {
    /// The expansions of the search before, after which the fallback takes over.
    pub expansions: u64,
    /// The time to build its tables, in seconds on two cores of 2020. It is passed over if less time is left.
    pub seconds: u32,
    /// The heuristic to continue with, with the same algorithm.
    pub heuristic: &'static str,
    /// Why, as half a sentence.
    pub why: &'static str,
}

/// The memory of a heuristic's tables.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct TableBytes {
    /// Bytes while they are used.
    pub held: u64,
    /// The most bytes while they are built.
    pub peak: u64,
}

/// Options that change how a file is read.
#[derive(Debug, Clone, Default)]
pub struct ReadOptions {
    /// The goal, for puzzles that have a choice.
    pub goal: Option<String>,
    /// The order in which moves are tried, in the puzzle's own words.
    pub move_order: Option<String>,
    /// One of the card's metrics.
    pub metric: Option<String>,
    /// The cache of large tables, if there is one.
    pub table_cache: Option<Arc<dyn TableCache>>,
}

/// Why a JSON value is not a state of an instance.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{0}")]
pub struct BadState(pub String);

impl BadState {
    /// The message "expected ..., found ...", with a long JSON value shortened.
    pub fn new(expected: &str, found: &Value) -> Self {
        let mut found = found.to_string();
        if found.chars().count() > 80 {
            found = found.chars().take(77).chain("...".chars()).collect();
        }
        BadState(format!("expected {expected}, found {found}"))
    }
}

/// A visitor of an instance whose type only the puzzle's crate knows.
pub trait WithPuzzle {
    /// The result.
    type Out;
    /// Visits the instance.
    fn call<P: Puzzle>(self, puzzle: P) -> Self::Out;
}

/// A finished search, to be printed in the format of a course.
#[derive(Debug)]
pub struct CourseRun<'a, P: StateSpace> {
    /// The name of the heuristic.
    pub heuristic: &'a str,
    /// How the search ended.
    pub outcome: &'a Outcome<P::Move>,
    /// The statistics of the search.
    pub stats: &'a Stats,
    /// The states in the order in which they were taken off the open list, the goal included.
    pub visited: &'a [Visit<P::Packed>],
}

/// A submitted solution.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Claim {
    /// These actions, as in the JSON output.
    Actions(Vec<String>),
    /// The claim that there is no solution.
    Unsolvable,
    /// A solution that breaks a rule before it can be translated to actions.
    Broken {
        /// The number of actions that it claims to have.
        actions: u32,
        /// The error.
        illegal: Illegal,
    },
}

/// The first error in a solution.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Illegal {
    /// The number of the action, from 1; one past the last if the last state is not a goal.
    pub step: usize,
    /// What is wrong with it.
    pub reason: String,
}

/// Replays solutions by the published rules on a plain board. Shares no code with the search.
pub trait Referee {
    /// The states from the start to the goal, as in the JSON output.
    ///
    /// # Errors
    /// If an action breaks a rule, or the last state is not a goal.
    fn replay(&self, actions: &[String]) -> Result<Vec<Value>, Illegal>;
}

/// One instance of a puzzle.
pub trait Puzzle: StateSpace<State: Send, Packed: Send + Sync, Move: Send> + Send + Sync + Sized + 'static {
    /// The unit of the cost.
    const UNIT: &'static str = "step";

    /// What decides [`Puzzle::solvable`].
    const SOLVABLE_BY: &'static str = "parity";

    /// The start.
    fn start(&self) -> Self::State;
    /// Whether a goal can be reached from a state; `None` if only a search can tell. Sliding tiles know it by parity.
    fn solvable(&self, _state: &Self::State) -> Option<bool> {
        None
    }
    /// A note on the instance for the user, such as why it has no solution.
    fn note(&self) -> Option<String> {
        None
    }
    /// A state, as in the JSON output.
    fn state_json(&self, state: &Self::State) -> Value;
    /// The constant part of all states, for the drawing of the board: its size, walls and goal.
    fn board_json(&self) -> Value;
    /// The same instance with another start.
    ///
    /// # Errors
    /// If the JSON is not a state of this instance.
    fn beginning_at(&self, state: &Value) -> Result<Self, BadState>;
    /// The name of a move, as in the JSON output.
    fn move_name(&self, before: &Self::State, m: Self::Move) -> String;
    /// The board in a few lines of text with terminal colours.
    fn draw(&self, state: &Self::State) -> String;
    /// The start with the whole solution drawn into it, if that makes a good picture.
    fn draw_path(&self, _moves: &[Self::Move]) -> Option<String> {
        None
    }
    /// A published bound on the successors of every state, to show beside the largest branching that a search met.
    fn branching_bound(&self) -> Option<BranchingBound> {
        None
    }
    /// The row and column of a state, for puzzles in which one thing moves. Traces are drawn there.
    fn place(&self, _state: &Self::State) -> Option<(i64, i64)> {
        None
    }
    /// Further numbers about a solution, by name.
    fn solution_extras(&self, _moves: &[Self::Move]) -> Vec<(&'static str, u64)> {
        Vec::new()
    }
    /// The algorithm and the heuristic to use if the plan names none.
    fn advice(&self) -> Advice;
    /// The same within a limit on bytes of memory.
    fn advice_within(&self, _bytes: u64) -> Advice {
        self.advice()
    }
    /// The memory of a heuristic's tables, in addition to the memory of the search.
    fn tables(&self, _heuristic: &str) -> TableBytes {
        TableBytes::default()
    }
    /// Builds or loads the tables of a heuristic before its first use. `watch` is called with the work done and the
    /// total work, and may stop it.
    ///
    /// # Errors
    /// If it was stopped.
    fn prepare(
        &self,
        _heuristic: &str,
        _watch: &mut dyn FnMut(u64, u64) -> ControlFlow<()>,
    ) -> Result<(), Interrupted> {
        Ok(())
    }
    /// The heuristic of that name; `None` if there is none. Never called for a heuristic that the instance
    /// [lacks](Puzzle::lacks).
    fn heuristic(&self, name: &str) -> Option<Erased<'static, Self>>;
    /// The rule of a heuristic other than `zero` that applies to a state, and the parts that add up to its estimate;
    /// `None` if there is nothing to add to the card. [`check_explanation`](crate::check_explanation) compares the
    /// two.
    fn explain(&self, _heuristic: &str, _state: &Self::State) -> Option<Explanation> {
        None
    }
    /// What guides the anytime search beside an exact one with a heuristic: an admissible heuristic that tells more
    /// states apart. `None` for the heuristic itself.
    fn guide(&self, _name: &str) -> Option<Erased<'static, Self>> {
        None
    }
    /// The counterpart of a heuristic for bidirectional search: it estimates the cost from the start.
    fn heuristic_from_start(&self, _name: &str) -> Erased<'static, Self> {
        Erased::new(Box::new(Zero))
    }
    /// Why this instance does not support a heuristic of the card; `None` if it does.
    fn lacks(&self, _heuristic: &str) -> Option<String> {
        None
    }
    /// The feature of that name; `None` if there is none. Need not include heuristics.
    fn feature(&self, _name: &str) -> Option<Feature<Self>> {
        None
    }
    /// The whole space of this instance, if its states have ranks.
    fn ranked(&self) -> Option<Scope<'_>> {
        None
    }
    /// A scope of this instance: by default the ranked one, else the reachable states. The name is one of the card's,
    /// but never `reachable` or `sample:N`: the front provides them for cards that list [`REACHABLE`] or
    /// [`SAMPLE`](crate::scope::SAMPLE).
    ///
    /// # Errors
    /// If the scope does not fit the instance.
    fn scope(&self, name: Option<&str>) -> Result<Scope<'_>, ScopeError> {
        match self.ranked() {
            Some(scope) if name.is_none_or(|name| name == scope.name) => Ok(scope),
            None if name.is_none() => Ok(Scope::reachable(REACHABLE.summary, Held::Borrowed(self))),
            _ => Err(ScopeError(format!("the scope '{}' does not fit this instance", name.unwrap_or_default()))),
        }
    }
    /// The name of the scope whose states have ranks, if that is not the default scope.
    fn ranked_scope(&self) -> Option<&'static str> {
        None
    }
    /// The names of the atlases that may contain the start, the smallest first.
    fn atlases(&self) -> Vec<String> {
        self.ranked().and_then(|scope| scope.first_part()?.atlas.clone()).into_iter().collect()
    }
    /// The states of the atlas of that name, one of [`Puzzle::atlases`].
    fn atlas(&self, _name: &str) -> Option<Scope<'_>> {
        self.ranked()
    }
    /// The number of a state, as 64-bit words, the most significant first. Files store states as numbers. Different
    /// states have different numbers.
    fn number_of(&self, state: &Self::State) -> [u64; 3];
    /// The state with that number; `None` if no state of this instance has it. The number may come from an untrusted
    /// file.
    fn of_number(&self, number: [u64; 3]) -> Option<Self::State>;
    /// The text of the file of this instance with another start, if a file can express it.
    fn file(&self, _state: &Self::State) -> Option<String> {
        None
    }
    /// A finished search in the exact format of the course; by default one action per line.
    fn course(&self, run: &CourseRun<'_, Self>) -> String {
        solution::write(self, run.outcome)
    }
    /// Reads a solution in the course's format.
    ///
    /// # Errors
    /// If the text is malformed.
    fn read_solution(&self, text: &str) -> Result<Claim, Faults> {
        solution::read(text)
    }
    /// The independent judge of solutions.
    fn referee(&self) -> Box<dyn Referee>;
}

/// A puzzle: a row of the registry.
pub trait Family: Sync + 'static {
    /// The description of the puzzle.
    const CARD: Card;
    /// Whether a file looks like an instance of this puzzle, perhaps with faults.
    fn recognises(text: &str) -> bool;
    /// Reads a file and passes the instance to a visitor.
    ///
    /// # Errors
    /// Every fault of the file.
    fn open<V: WithPuzzle>(text: &str, options: &ReadOptions, visitor: V) -> Result<V::Out, Faults>;
    /// Writes a random instance, which need not be solvable. The parameters are [complete](Parameters::complete).
    ///
    /// # Errors
    /// If no instance has these parameters, although each of them is in range.
    fn generate(parameters: &Parameters, random: &mut dyn Rng) -> Result<String, ParameterError>;
    /// The pattern databases that can be built for its boards.
    fn databases() -> Vec<DatabaseSet> {
        Vec::new()
    }
    /// A scope of the puzzle where no file is given.
    ///
    /// # Errors
    /// If the scope is not on the card.
    fn scope(_request: &ScopeRequest) -> Result<FamilyScope, ScopeError> {
        Err(ScopeError(format!("{} has no default scope: give a file", Self::CARD.name)))
    }
}

/// A published bound on the successors of every state of an instance.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BranchingBound {
    /// The formula as published, with its variables: `6p`.
    pub formula: &'static str,
    /// Its value for the instance.
    pub value: u32,
}
