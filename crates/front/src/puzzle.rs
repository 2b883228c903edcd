//! What every puzzle offers beyond its moves.

use std::ops::ControlFlow;
use std::sync::Arc;

use admissible::audit::Interrupted;
use admissible::heuristic::Zero;
use admissible::search::{Outcome, Stats, Visit};
use admissible::{Erased, Listed, StateSpace};
use rand::Rng;
use serde_json::Value;

use crate::databases::DatabaseSet;
use crate::page::{Example, Page};
use crate::parameters::{Parameter, ParameterError, Parameters};
use crate::scope::{REACHABLE, Scope, ScopeCard, ScopeError, ScopeRequest, ScopeVisitor, Single, WithRanking};
use crate::sets::BenchSet;
use crate::solution;
use crate::table_cache::TableCache;
use crate::text::Faults;

/// What the registry shows of a puzzle.
#[derive(Debug)]
pub struct Card {
    /// The name on the command line.
    pub name: &'static str,
    /// One line that says what it is.
    pub summary: &'static str,
    /// How its files look, for `list` and the help.
    pub format: &'static str,
    /// Boards to begin with, the first of them first of all.
    pub examples: &'static [Example],
    /// How the page draws it; without one, the page shows the drawing in text.
    pub page: Option<Page>,
    /// The words of `--move-order`, in the default order.
    pub moves: &'static [&'static str],
    /// Its heuristics, weakest first.
    pub heuristics: &'static [HeuristicCard],
    /// What an expression can be made of beside the heuristics.
    pub features: &'static [FeatureCard],
    /// What can be said of a random instance, or of a space to explore: the one place that declares it.
    pub parameters: &'static [Parameter],
    /// The counts of moves to choose from, the default first; none where there is one only.
    pub metrics: &'static [&'static str],
    /// The heuristics that a course report prints a section for.
    pub course_heuristics: &'static [&'static str],
    /// What an audit can look at.
    pub scopes: &'static [ScopeCard],
    /// What an audit looks at if nobody says.
    pub audited: &'static str,
    /// Layouts with names: for each a line `# name steps moves Chinese English` and the rows of the board.
    pub classics: &'static str,
    /// Sets of instances that the field measures itself by.
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
            moves: &[],
            heuristics: &[ZERO_CARD],
            features: &[],
            parameters: &[],
            metrics: &[],
            course_heuristics: &[],
            scopes: &[],
            audited: "every state that the start can reach",
            classics: "",
            bench_sets: &[],
        }
    }
}

/// What is said, and what is true, of a heuristic.
#[derive(Debug)]
pub struct HeuristicCard {
    /// The name on the command line.
    pub name: &'static str,
    /// Its definition in a line.
    pub summary: &'static str,
    /// What its source claims.
    pub claim: &'static str,
    /// Whether it never overestimates.
    pub admissible: Truth,
    /// Whether it never falls by more than a move costs.
    pub consistent: Truth,
}

impl HeuristicCard {
    /// A heuristic that is claimed to be consistent, and is.
    pub const fn consistent(name: &'static str, summary: &'static str) -> Self {
        let claim = "admissible, consistent";
        HeuristicCard { name, summary, claim, admissible: Truth::Yes, consistent: Truth::Yes }
    }
}

/// A number that can be read off every state, to write heuristics with.
#[derive(Debug)]
pub struct FeatureCard {
    /// The name in expressions.
    pub name: &'static str,
    /// Its definition in a line.
    pub summary: &'static str,
}

/// Reads a feature off a state.
pub type Feature<P> = Box<dyn Fn(&P, &<P as StateSpace>::State) -> f64 + Sync>;

/// What checking every state has shown of a property.
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
    HeuristicCard::consistent("zero", "0 everywhere: A* with it is uniform-cost search");

/// What to do with an instance when nobody says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Advice {
    /// The algorithm's name.
    pub algorithm: &'static str,
    /// The heuristic's name.
    pub heuristic: &'static str,
    /// Why these two, in half a sentence.
    pub why: &'static str,
    /// What to do if that takes too long.
    pub then: Option<Then>,
}

impl Advice {
    /// A*, with no second choice.
    pub const fn astar(heuristic: &'static str, why: &'static str) -> Self {
        Advice { algorithm: "astar", heuristic, why, then: None }
    }
}

/// A second choice that takes some preparation, for instances that turn out to be hard.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Then {
    /// The first choice may expand so many states.
    pub expansions: u64,
    /// The heuristic to go on with, by the same algorithm.
    pub heuristic: &'static str,
    /// Why, in half a sentence.
    pub why: &'static str,
}

/// What the tables of a heuristic take.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct TableBytes {
    /// As long as they are used.
    pub held: u64,
    /// At the most, while they are made.
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
    /// Where large tables are kept; nowhere if there is none.
    pub table_cache: Option<Arc<dyn TableCache>>,
}

/// Why there is no instance with some parameters, in words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GenerateError(pub String);

impl From<ParameterError> for GenerateError {
    fn from(error: ParameterError) -> Self {
        GenerateError(error.to_string())
    }
}

/// Why some JSON is no state of an instance.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BadState(pub String);

impl BadState {
    /// What was expected, and what is there instead.
    pub fn new(expected: &str, found: &Value) -> Self {
        let mut found = found.to_string();
        if found.chars().count() > 80 {
            found = found.chars().take(77).chain("...".chars()).collect();
        }
        BadState(format!("expected {expected}, found {found}"))
    }
}

impl std::fmt::Display for BadState {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for BadState {}

/// Uses an instance whose type is known only here.
pub trait WithPuzzle {
    /// What comes out.
    type Out;
    /// Uses it.
    fn call<P: Puzzle>(self, puzzle: P) -> Self::Out;
}

/// A finished search in what a course asks to be printed.
#[derive(Debug)]
pub struct CourseRun<'a, P: StateSpace> {
    /// The name of the heuristic.
    pub heuristic: &'a str,
    /// How the search ended.
    pub outcome: &'a Outcome<P::Move>,
    /// What it took.
    pub stats: &'a Stats,
    /// The states taken off the frontier in their order, the goal included.
    pub visited: &'a [Visit<P::Packed>],
}

/// A solution as somebody handed it in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Claim {
    /// These actions, in the words of the JSON output.
    Actions(Vec<String>),
    /// That there is none.
    Unsolvable,
    /// Something that breaks a rule before it can be put into actions.
    Broken {
        /// How many actions it claims to have.
        actions: u32,
        /// What is wrong with it.
        illegal: Illegal,
    },
}

/// The first thing that is wrong with a solution.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Illegal {
    /// The number of the action, from 1; one past the last where the end is not a goal.
    pub step: usize,
    /// What is wrong with it.
    pub reason: String,
}

/// Replays solutions by the rules as they are written, on a plain board, and shares no code with the search.
pub trait Referee {
    /// The states from the start to the goal, as in the JSON output.
    ///
    /// # Errors
    /// If an action breaks a rule or the last state is not solved.
    fn replay(&self, actions: &[String]) -> Result<Vec<Value>, Illegal>;
}

/// One instance of a puzzle.
pub trait Puzzle: StateSpace<State: Send, Packed: Send + Sync, Move: Send> + Send + Sync + Sized + 'static {
    /// What the cost counts.
    const UNIT: &'static str = "step";

    /// Where it starts.
    fn start(&self) -> Self::State;
    /// Whether a goal can be reached, where that is known without a search (the parity of a sliding puzzle).
    fn solvable(&self, _state: &Self::State) -> Option<bool> {
        None
    }
    /// A state as the JSON output has it.
    fn state_json(&self, state: &Self::State) -> Value;
    /// What stays the same in all states, for whoever draws the board: its size, walls and goal.
    fn board_json(&self) -> Value;
    /// The same instance with another state to begin with.
    ///
    /// # Errors
    /// If the JSON is no state of this instance.
    fn beginning_at(&self, state: &Value) -> Result<Self, BadState>;
    /// A move as the JSON output has it.
    fn move_name(&self, before: &Self::State, m: Self::Move) -> String;
    /// The board in a few lines of text with terminal colours.
    fn draw(&self, state: &Self::State) -> String;
    /// The start with the whole solution drawn into it, where that makes a good picture.
    fn draw_path(&self, _moves: &[Self::Move]) -> Option<String> {
        None
    }
    /// Where a state is on the board, row and column, for puzzles in which one thing moves: traces are drawn there.
    fn place(&self, _state: &Self::State) -> Option<(i64, i64)> {
        None
    }
    /// Further figures about a solution, by name.
    fn solution_extras(&self, _moves: &[Self::Move]) -> Vec<(&'static str, u64)> {
        Vec::new()
    }
    /// What to do when nobody says.
    fn advice(&self) -> Advice;
    /// The same where nothing may take more bytes than this.
    fn advice_within(&self, _bytes: u64) -> Advice {
        self.advice()
    }
    /// The tables that a heuristic needs beside what a search holds.
    fn tables(&self, _heuristic: &str) -> TableBytes {
        TableBytes::default()
    }
    /// Builds or loads what a heuristic needs, so that it is at hand when it is used. `watch` hears how much of how
    /// much is done, and may stop it.
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
    /// The heuristic of that name; `None` if there is none. It is not asked for one that the instance
    /// [lacks](Puzzle::lacks).
    fn heuristic(&self, name: &str) -> Option<Erased<'static, Self>>;
    /// The estimate of the cost from the start that goes with a heuristic, for bidirectional search.
    fn heuristic_from_start(&self, _name: &str) -> Erased<'static, Self> {
        Erased::new(Box::new(Zero))
    }
    /// Why a heuristic of the card does not serve this instance, if it does not.
    fn lacks(&self, _heuristic: &str) -> Option<String> {
        None
    }
    /// The feature of that name; `None` if there is none. Heuristics are found by [`Puzzle::heuristic`].
    fn feature(&self, _name: &str) -> Option<Feature<Self>> {
        None
    }
    /// The whole space around this instance, where its states have ranks.
    fn ranked(&self) -> Option<impl Scope<Puzzle = Self>> {
        None::<Single<'_, Self, fn(&Self) -> Listed<Self::Packed>>>
    }
    /// Hands over a scope of this instance; by default the ranked one, else what the start reaches. The name is one of
    /// the card's. `reachable` and `sample:N` do not come here: a card that lists
    /// [`REACHABLE`](crate::scope::REACHABLE) or [`SAMPLE`](crate::scope::SAMPLE) gets them from the front.
    ///
    /// # Errors
    /// If the scope does not fit the instance.
    fn scope<V: ScopeVisitor>(&self, name: Option<&str>, visitor: V) -> Result<V::Out, ScopeError> {
        match self.ranked() {
            Some(scope) if name.is_none_or(|name| name == scope.name()) => Ok(visitor.ranked(&scope)),
            None if name.is_none() => Ok(visitor.reachable(REACHABLE.summary, self)),
            _ => Err(ScopeError(format!("the scope '{}' does not fit this instance", name.unwrap_or_default()))),
        }
    }
    /// The scope whose states have ranks, if that is not the default.
    fn ranked_scope(&self) -> Option<&'static str> {
        None
    }
    /// The names of the atlases that would know the way from the start, the smallest first.
    fn atlases(&self) -> Vec<String> {
        self.ranked().and_then(|scope| scope.atlas(0)).into_iter().collect()
    }
    /// Hands over the ranking of the atlas of that name, which is one of [`Puzzle::atlases`].
    fn with_atlas<U: WithRanking<Self>>(&self, _name: &str, user: U) -> Option<U::Out> {
        Some(self.ranked()?.part(0, |_, ranking| user.call(ranking)))
    }
    /// The number of a state, in words, the highest first: files keep states so. Different states have different ones.
    fn number_of(&self, state: &Self::State) -> [u64; 3];
    /// The state with that number, which may come from anybody's file; `None` if no state of this instance has it.
    fn of_number(&self, number: [u64; 3]) -> Option<Self::State>;
    /// The file of an instance that differs from this one only in where it starts, if there can be such a file.
    fn file(&self, _state: &Self::State) -> Option<String> {
        None
    }
    /// Exactly what the course asks for: an action a line, unless the puzzle has a course that asks for more.
    fn course(&self, run: &CourseRun<'_, Self>) -> String {
        solution::write(self, run.outcome)
    }
    /// Reads a solution in the course's format.
    ///
    /// # Errors
    /// If it cannot be read as one.
    fn read_solution(&self, text: &str) -> Result<Claim, Faults> {
        solution::read(text)
    }
    /// The independent judge of solutions.
    fn referee(&self) -> Box<dyn Referee>;
}

/// A kind of puzzle: a row of the registry.
pub trait Family: Sync + 'static {
    /// What the registry shows.
    const CARD: Card;
    /// Whether a file looks like one of this kind, even if it has faults.
    fn recognises(text: &str) -> bool;
    /// Reads a file and hands the instance to the visitor.
    ///
    /// # Errors
    /// Every fault of the file.
    fn open<V: WithPuzzle>(text: &str, options: &ReadOptions, visitor: V) -> Result<V::Out, Faults>;
    /// Writes a random instance, which need not be solvable. The parameters are [complete](Parameters::complete).
    ///
    /// # Errors
    /// If there is no instance with these parameters, each of which is in range.
    fn generate(parameters: &Parameters, random: &mut dyn Rng) -> Result<String, GenerateError>;
    /// The pattern databases that can be built for its boards.
    fn databases() -> Vec<DatabaseSet> {
        Vec::new()
    }
    /// Hands over a scope where no file is given.
    ///
    /// # Errors
    /// If the scope is none of the card's.
    fn scope<V: ScopeVisitor>(_request: &ScopeRequest, _visitor: V) -> Result<V::Out, ScopeError> {
        Err(ScopeError(format!("{} has no default scope: give a file", Self::CARD.name)))
    }
}
