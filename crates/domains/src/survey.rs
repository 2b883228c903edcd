//! What an audit looks at: every state of some instances, or a sample of those of one.

use std::fmt;

use admissible::audit::{Census, Listed, TooMany};
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
    pub(crate) fn unknown(scope: &str, known: &[ScopeCard], of_file: bool) -> Self {
        let names: Vec<&str> = known.iter().filter(|card| card.of_file == of_file).map(|card| card.name).collect();
        ScopeError(format!("unknown scope '{scope}', expected {}", names.join(" or ")))
    }
}

/// A scope as it was written: a word, perhaps with a number after a colon.
pub(crate) fn parse_scope(scope: &str) -> Result<(&str, Option<usize>), ScopeError> {
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
    type Puzzle: Puzzle + Backward;
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
    /// Looks at about so many states of an instance that has too many to look at all of them.
    fn sample<P: Puzzle + Backward>(self, puzzle: &P, states: usize) -> Self::Out;
}

/// One instance with some of its states listed.
pub(crate) struct Single<'a, P: StateSpace> {
    pub(crate) title: String,
    pub(crate) puzzle: &'a P,
    pub(crate) states: Listed<P::Packed>,
}

impl<P> Territory for Single<'_, P>
where
    P: Puzzle + Backward + StateSpace<Packed: Sync>,
{
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
}

/// Instances that are made when they are looked at, with the states that a function lists.
pub(crate) struct Many<R, P: StateSpace> {
    pub(crate) title: String,
    /// What the instances are made from, small boards first, with the number of cells.
    pub(crate) recipes: Vec<(usize, R)>,
    pub(crate) states: u64,
    pub(crate) make: fn(&R) -> (P, Listed<P::Packed>),
}

impl<R: Sync, P> Territory for Many<R, P>
where
    P: Puzzle + Backward + StateSpace<Packed: Sync>,
{
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

    fn cells(&self, part: usize) -> usize {
        self.recipes[part].0
    }
}
