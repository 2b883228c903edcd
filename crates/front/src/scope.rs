//! Scopes: the states that an audit looks at and an exploration walks through.
//!
//! A scope has parts: instances between which no move leads, each with its states ranked. Where states have no ranks, a
//! scope is what the start reaches. [`Puzzle::scope`] gives the scopes of an instance,
//! [`Family::scope`](crate::puzzle::Family::scope) those of a puzzle where no file is given.

use std::fmt;

use admissible::Ranking;
use admissible::audit::Watcher;
use rand::SeedableRng as _;
use rand_chacha::ChaCha8Rng;

use crate::parameters::{Parameters, Purpose};
use crate::puzzle::{Card, Puzzle, ReadOptions};

/// A scope by its name, for the help.
#[derive(Debug)]
pub struct ScopeCard {
    /// The name on the command line; an `N` in it stands for a number.
    pub name: &'static str,
    /// The states in it.
    pub summary: &'static str,
    /// Whether it takes a file.
    pub of_file: bool,
}

/// What a start reaches: every puzzle whose card has it gets it from the front.
pub const REACHABLE: ScopeCard =
    ScopeCard { name: "reachable", summary: "every state that the start can reach", of_file: true };

/// A sample, for audits: every puzzle whose card has it gets it from the front.
pub const SAMPLE: ScopeCard =
    ScopeCard { name: "sample:N", summary: "about N states near the goal and on shortest ways", of_file: true };

/// A scope that does not exist or does not fit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ScopeError(pub String);

impl fmt::Display for ScopeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for ScopeError {}

impl ScopeError {
    /// The name is none of those on the card.
    fn unknown(scope: &str, known: &[ScopeCard], of_file: bool) -> Self {
        let names: Vec<&str> = known.iter().filter(|card| card.of_file == of_file).map(|card| card.name).collect();
        let numbered = |name: &&str| scope.split(':').next() == name.strip_suffix(":N") && scope.contains(':');
        if let Some(name) = names.iter().find(|name| numbered(name)) {
            return ScopeError(format!("the number N of the scope {name} is out of range in '{scope}'"));
        }
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

/// Checks that a scope of a file is on the card.
///
/// # Errors
/// If it is not.
pub(crate) fn check_name(scope: Option<&str>, known: &[ScopeCard]) -> Result<(), ScopeError> {
    let Some(scope) = scope else { return Ok(()) };
    let (word, number) = parse_scope(scope)?;
    let fits = |card: &ScopeCard| match card.name.split_once(':') {
        None => number.is_none() && card.name == word,
        Some((name, _)) => number.is_some() && name == word,
    };
    let is_known = known.iter().any(|card| card.of_file && fits(card));
    if is_known { Ok(()) } else { Err(ScopeError::unknown(scope, known, true)) }
}

/// A scope of a puzzle without a file.
#[derive(Debug, Clone)]
pub struct ScopeRequest {
    /// What it is for.
    pub purpose: Purpose,
    /// One of the card's scopes; the default if there is none.
    pub name: Option<String>,
    /// Sizes and pieces, [complete](Parameters::complete).
    pub parameters: Parameters,
    /// Goal and metric.
    pub reading: ReadOptions,
    /// Leads to the same random instances every time.
    pub seed: u64,
}

impl ScopeRequest {
    /// The default scope of a puzzle.
    pub fn new(card: &Card, purpose: Purpose) -> Self {
        let parameters = Parameters::default().complete(card, purpose).expect("defaults are in range");
        ScopeRequest { purpose, name: None, parameters, reading: ReadOptions::default(), seed: 0 }
    }

    /// The name of the scope in its parts.
    ///
    /// # Errors
    /// If no number follows the colon.
    pub fn parsed(&self) -> Result<Option<(&str, Option<usize>)>, ScopeError> {
        self.name.as_deref().map(parse_scope).transpose()
    }

    /// The name is none of those on the card.
    pub fn unknown(&self, known: &[ScopeCard]) -> ScopeError {
        ScopeError::unknown(self.name.as_deref().unwrap_or_default(), known, false)
    }

    /// The random numbers of the seed.
    pub fn random(&self) -> ChaCha8Rng {
        ChaCha8Rng::seed_from_u64(self.seed)
    }
}

/// Observes an audit or an exploration.
pub trait ScopeObserver: Watcher {
    /// Called once before the work begins, with the title of the scope, the number of states that will be reported to
    /// [`Watcher::watch`], and the bytes that it will take; `None` where a number is not known.
    fn begin(&self, _title: &str, _states: Option<u64>, _bytes: Option<u64>) {}
}

impl ScopeObserver for () {}

/// Instances of a puzzle between which no move leads, with their states ranked. Every move costs 1.
pub trait Scope: Sync {
    /// The puzzle.
    type Puzzle: Puzzle;
    /// The states of one instance.
    type Ranking: Ranking<Self::Puzzle>;

    /// Its name on the card; empty if it goes by several names.
    fn name(&self) -> &'static str {
        ""
    }
    /// What it is, in words.
    fn title(&self) -> String;
    /// The number of instances. Those with small boards come before those with larger ones.
    fn parts(&self) -> usize {
        1
    }
    /// The number of states of a part, known without making it; the largest number stands for any larger one.
    fn states(&self, part: usize) -> u128;
    /// The name of the atlas of a part, if it can have one. The name also stands for the ranking: another ranking has
    /// another name.
    fn atlas(&self, _part: usize) -> Option<String> {
        None
    }
    /// The size of a part's board: of two counterexamples the one on the smaller board is shown.
    fn cells(&self, _part: usize) -> usize {
        0
    }
    /// Makes a part and hands it over. It is called only for parts whose states fit into memory.
    fn part<Out>(&self, part: usize, user: impl FnOnce(&Self::Puzzle, &Self::Ranking) -> Out) -> Out;
}

/// Uses a scope whose types are known only here.
pub trait ScopeVisitor {
    /// The result.
    type Out;
    /// The states have ranks.
    fn ranked<S: Scope>(self, scope: &S) -> Self::Out;
    /// They have none: the scope is what the start reaches.
    fn reachable<P: Puzzle>(self, title: &str, puzzle: &P) -> Self::Out;
}

/// Uses the ranking of an instance's states.
pub trait WithRanking<P: Puzzle> {
    /// The result.
    type Out;
    /// Uses it.
    fn call<R: Ranking<P>>(self, ranking: &R) -> Self::Out;
}

/// One instance with its states ranked.
pub struct Single<'a, P, M> {
    /// Its name on the card.
    pub name: &'static str,
    /// What it is, in words.
    pub title: String,
    /// The name of its atlas.
    pub atlas: String,
    /// The number of states.
    pub states: u128,
    /// The instance.
    pub puzzle: &'a P,
    /// Makes the ranking.
    pub make: M,
}

impl<P, R, M> Scope for Single<'_, P, M>
where
    P: Puzzle,
    R: Ranking<P>,
    M: Fn(&P) -> R + Sync,
{
    type Puzzle = P;
    type Ranking = R;

    fn name(&self) -> &'static str {
        self.name
    }

    fn title(&self) -> String {
        self.title.clone()
    }

    fn states(&self, _part: usize) -> u128 {
        self.states
    }

    fn atlas(&self, _part: usize) -> Option<String> {
        Some(self.atlas.clone())
    }

    fn part<Out>(&self, _part: usize, user: impl FnOnce(&P, &R) -> Out) -> Out {
        user(self.puzzle, &(self.make)(self.puzzle))
    }
}

/// Instances that are made when they are needed.
pub struct Several<I, P, R> {
    /// What they are, in words.
    pub title: String,
    /// What each is made from, small boards first.
    pub instances: Vec<InstanceOf<I>>,
    /// Makes an instance and ranks its states.
    pub make: fn(&I) -> (P, R),
}

/// What an instance is made from.
pub struct InstanceOf<I> {
    /// The cells of its board.
    pub cells: usize,
    /// The number of its states.
    pub states: u128,
    /// The rest.
    pub from: I,
}

impl<I: Sync, P: Puzzle, R: Ranking<P>> Scope for Several<I, P, R> {
    type Puzzle = P;
    type Ranking = R;

    fn title(&self) -> String {
        self.title.clone()
    }

    fn parts(&self) -> usize {
        self.instances.len()
    }

    fn states(&self, part: usize) -> u128 {
        self.instances[part].states
    }

    fn cells(&self, part: usize) -> usize {
        self.instances[part].cells
    }

    fn part<Out>(&self, part: usize, user: impl FnOnce(&P, &R) -> Out) -> Out {
        let (puzzle, ranking) = (self.make)(&self.instances[part].from);
        user(&puzzle, &ranking)
    }
}
