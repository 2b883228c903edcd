//! What an audit looks at: every state of some instances, or a sample of those of one.

use std::fmt;

use admissible::audit::{Census, Distances, Interrupted, Listed, TooMany, Watcher};
use admissible::{Backward, StateSpace};

use crate::puzzle::Puzzle;

/// A scope of an audit by its name, for the help.
#[derive(Debug)]
pub struct ScopeCard {
    /// The name on the command line; an `N` in it stands for a number.
    pub name: &'static str,
    /// What is looked at.
    pub summary: &'static str,
    /// Whether it takes a file.
    pub of_file: bool,
}

/// A scope that does not exist or does not fit, in words for whoever wrote it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ScopeError(pub String);

impl fmt::Display for ScopeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for ScopeError {}

impl From<TooMany> for ScopeError {
    fn from(error: TooMany) -> Self {
        ScopeError(format!("{error}: choose a smaller scope, or sample:N"))
    }
}

impl ScopeError {
    /// The name is none of those on the card.
    pub fn unknown(scope: &str, known: &[ScopeCard], of_file: bool) -> Self {
        let names: Vec<&str> = known.iter().filter(|card| card.of_file == of_file).map(|card| card.name).collect();
        if names.is_empty() {
            return ScopeError(format!("unknown scope '{scope}', expected none"));
        }
        ScopeError(format!("unknown scope '{scope}', expected {}", names.join(" or ")))
    }
}

/// A scope as it was written: a word, perhaps with a number after a colon.
pub fn parse_scope(scope: &str) -> Result<(&str, Option<usize>), ScopeError> {
    match scope.split_once(':') {
        None => Ok((scope, None)),
        Some((name, number)) => match number.parse() {
            Ok(number) if number > 0 => Ok((name, Some(number))),
            _ => Err(ScopeError(format!("expected a number from 1 after '{name}:', found '{number}'"))),
        },
    }
}

/// Some instances of a puzzle, and every state of each that is looked at.
pub trait Territory: Sync {
    /// The puzzle.
    type Puzzle: Puzzle;
    /// The states of one instance.
    type Census: Census<Self::Puzzle>;

    /// What is looked at, in words.
    fn title(&self) -> String;
    /// How many instances there are.
    fn parts(&self) -> usize;
    /// About how many states there are in all, for a progress bar.
    fn states(&self) -> u64;
    /// Hands over one instance with its states. Instances with small boards come before those with larger ones.
    fn part<R>(&self, number: usize, user: impl FnOnce(&Self::Puzzle, &Self::Census) -> R) -> R;
    /// The distances in one instance, by whatever way suits the puzzle.
    ///
    /// # Errors
    /// If the watcher stops it.
    fn distances(
        &self,
        puzzle: &Self::Puzzle,
        census: &Self::Census,
        watcher: &dyn Watcher,
    ) -> Result<Distances, Interrupted>;
    /// How large the board of an instance is: of two counterexamples the one on the smaller board is shown.
    fn cells(&self, _part: usize) -> usize {
        0
    }
}

/// Looks at states whose types are known only here.
pub trait WithSurvey {
    /// What comes out.
    type Out;
    /// Looks at every state of a territory.
    fn every<T: Territory>(self, territory: &T) -> Self::Out;
    /// Looks at about so many states of an instance that has too many to look at all of them, some of its goals among
    /// them.
    fn sample<P: Puzzle>(self, puzzle: &P, goals: Vec<P::State>, states: usize) -> Self::Out;
}

/// More states than this are not listed: they would take more than a gigabyte.
pub const MOST_LISTED: usize = 30_000_000;
/// States that are looked at where there are more.
pub const SAMPLE: usize = 5_000;

/// Every state that the start of a puzzle can reach, or a sample if there are too many.
pub fn reachable<P: Puzzle, V: WithSurvey>(puzzle: &P, visitor: V) -> V::Out {
    match Listed::reachable(puzzle, [puzzle.start()], MOST_LISTED) {
        Ok(states) => visitor.every(&Single::new("every state that the start can reach", puzzle, states)),
        Err(_) => visitor.sample(puzzle, Vec::new(), SAMPLE),
    }
}

/// How to work out distances.
type Measure<P> = fn(&P, &Listed<<P as StateSpace>::Packed>, &dyn Watcher) -> Result<Distances, Interrupted>;

/// One instance with some of its states listed.
pub struct Single<'a, P: StateSpace> {
    title: String,
    puzzle: &'a P,
    states: Listed<P::Packed>,
    measure: Measure<P>,
}

impl<'a, P: Puzzle> Single<'a, P> {
    /// For any puzzle.
    pub fn new(title: impl Into<String>, puzzle: &'a P, states: Listed<P::Packed>) -> Self {
        Single { title: title.into(), puzzle, states, measure: Distances::by_moves }
    }

    /// For puzzles that know the states before a state, which is faster.
    pub fn backward(title: impl Into<String>, puzzle: &'a P, states: Listed<P::Packed>) -> Self
    where
        P: Backward,
    {
        Single { measure: Distances::backward, ..Single::new(title, puzzle, states) }
    }
}

impl<P: Puzzle> Territory for Single<'_, P> {
    type Puzzle = P;
    type Census = Listed<P::Packed>;

    fn title(&self) -> String {
        self.title.clone()
    }

    fn parts(&self) -> usize {
        1
    }

    fn states(&self) -> u64 {
        Census::<P>::size(&self.states) as u64
    }

    fn part<R>(&self, _number: usize, user: impl FnOnce(&P, &Self::Census) -> R) -> R {
        user(self.puzzle, &self.states)
    }

    fn distances(&self, puzzle: &P, states: &Self::Census, watcher: &dyn Watcher) -> Result<Distances, Interrupted> {
        (self.measure)(puzzle, states, watcher)
    }
}

/// Instances that are made when they are looked at, with the states that a function lists.
pub struct Many<R, P: StateSpace> {
    /// What is looked at, in words.
    pub title: String,
    /// What the instances are made from, small boards first, with the number of cells.
    pub recipes: Vec<(usize, R)>,
    /// About how many states there are in all.
    pub states: u64,
    /// Makes an instance and lists its states.
    pub make: fn(&R) -> (P, Listed<P::Packed>),
}

impl<R: Sync, P: Puzzle + Backward> Territory for Many<R, P> {
    type Puzzle = P;
    type Census = Listed<P::Packed>;

    fn title(&self) -> String {
        self.title.clone()
    }

    fn parts(&self) -> usize {
        self.recipes.len()
    }

    fn states(&self) -> u64 {
        self.states
    }

    fn part<Out>(&self, number: usize, user: impl FnOnce(&P, &Self::Census) -> Out) -> Out {
        let (puzzle, states) = (self.make)(&self.recipes[number].1);
        user(&puzzle, &states)
    }

    fn distances(&self, puzzle: &P, states: &Self::Census, watcher: &dyn Watcher) -> Result<Distances, Interrupted> {
        Distances::backward(puzzle, states, watcher)
    }

    fn cells(&self, part: usize) -> usize {
        self.recipes[part].0
    }
}
