//! Scopes: the sets of states that audits check and explorations search.
//!
//! A scope has parts: instances that no move connects, each with its states ranked. If states have no ranks, the scope
//! is the set of reachable states. [`Puzzle::scope`] gives the scopes of an instance,
//! [`Family::scope`](crate::puzzle::Family::scope) those of a puzzle where no file is given.

use std::fmt;

use admissible::Ranking;
use admissible::audit::Watcher;
use rand::SeedableRng as _;
use rand_chacha::ChaCha8Rng;

use crate::parameters::{Parameters, Purpose};
use crate::puzzle::{Card, Puzzle, ReadOptions};

/// The description of a scope, for the help.
#[derive(Debug)]
pub struct ScopeCard {
    /// The name on the command line; an `N` in it stands for a number.
    pub name: &'static str,
    /// The states in it.
    pub summary: &'static str,
    /// Whether it needs a file.
    pub of_file: bool,
}

/// The states that the start reaches. The front provides it for every puzzle whose card lists it.
pub const REACHABLE: ScopeCard =
    ScopeCard { name: "reachable", summary: "every state that the start can reach", of_file: true };

/// A sample of states, for audits. The front provides it for every puzzle whose card lists it.
pub const SAMPLE: ScopeCard =
    ScopeCard { name: "sample:N", summary: "about N states near the goal and on shortest ways", of_file: true };

/// The error of a scope that does not exist or does not fit, in words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ScopeError(pub String);

impl fmt::Display for ScopeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for ScopeError {}

impl ScopeError {
    /// The error of a name that is not on the card.
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

/// Parses the name of a scope: a word, perhaps with a number after a colon.
pub fn parse_scope(scope: &str) -> Result<(&str, Option<usize>), ScopeError> {
    match scope.split_once(':') {
        None => Ok((scope, None)),
        Some((name, number)) => match number.parse() {
            Ok(number) if number > 0 => Ok((name, Some(number))),
            _ => Err(ScopeError(format!("expected a number from 1 after '{name}:', found '{number}'"))),
        },
    }
}

/// Checks that the card has a scope of that name for a file.
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

/// A request for a scope of a puzzle without a file.
#[derive(Debug, Clone)]
pub struct ScopeRequest {
    /// Its purpose.
    pub purpose: Purpose,
    /// One of the card's scopes; the default if `None`.
    pub name: Option<String>,
    /// Sizes and pieces, [complete](Parameters::complete).
    pub parameters: Parameters,
    /// Goal and metric.
    pub reading: ReadOptions,
    /// The seed of random instances.
    pub seed: u64,
}

impl ScopeRequest {
    /// The default scope of a puzzle.
    pub fn new(card: &Card, purpose: Purpose) -> Self {
        let parameters = Parameters::default().complete(card, purpose).expect("defaults are in range");
        ScopeRequest { purpose, name: None, parameters, reading: ReadOptions::default(), seed: 0 }
    }

    /// The word and the number of the scope's name.
    ///
    /// # Errors
    /// If no number follows the colon.
    pub fn parsed(&self) -> Result<Option<(&str, Option<usize>)>, ScopeError> {
        self.name.as_deref().map(parse_scope).transpose()
    }

    /// The error of a name that is not on the card.
    pub fn unknown(&self, known: &[ScopeCard]) -> ScopeError {
        ScopeError::unknown(self.name.as_deref().unwrap_or_default(), known, false)
    }

    /// A random number generator with the seed.
    pub fn random(&self) -> ChaCha8Rng {
        ChaCha8Rng::seed_from_u64(self.seed)
    }
}

/// Observes an audit or an exploration.
pub trait ScopeObserver: Watcher {
    /// Called once before the work begins, with the title of the scope, the number of states that will be reported to
    /// [`Watcher::watch`], and the bytes of memory; `None` where a number is unknown.
    fn begin(&self, _title: &str, _states: Option<u64>, _bytes: Option<u64>) {}
}

impl ScopeObserver for () {}

/// Instances of a puzzle that no move connects, with their states ranked. Every move costs 1.
pub trait Scope: Sync {
    /// The puzzle.
    type Puzzle: Puzzle;
    /// The ranking of one instance's states.
    type Ranking: Ranking<Self::Puzzle>;

    /// Its name on the card; empty if it has several names.
    fn name(&self) -> &'static str {
        ""
    }
    /// A description in words.
    fn title(&self) -> String;
    /// The number of instances. Smaller boards come before larger ones.
    fn parts(&self) -> usize {
        1
    }
    /// The number of states of a part, without making the part; saturates at the largest number.
    fn states(&self, part: usize) -> u128;
    /// The name of the atlas of a part, if it can have one. It identifies the ranking: another ranking needs another
    /// name.
    fn atlas(&self, _part: usize) -> Option<String> {
        None
    }
    /// The number of cells of a part's board. An audit shows the counterexample on the smallest board.
    fn cells(&self, _part: usize) -> usize {
        0
    }
    /// The instance of a scope that has only one: an audit samples its states if they are too many.
    fn single(&self) -> Option<&Self::Puzzle> {
        None
    }
    /// Makes a part and passes it to `user`. Called only for parts whose states fit into memory.
    fn part<Out>(&self, part: usize, user: impl FnOnce(&Self::Puzzle, &Self::Ranking) -> Out) -> Out;
}

/// A visitor of a scope whose types only the puzzle's crate knows.
pub trait ScopeVisitor {
    /// The result.
    type Out;
    /// Visits a scope whose states have ranks.
    fn ranked<S: Scope>(self, scope: &S) -> Self::Out;
    /// Visits the states that the start reaches, which have no ranks.
    fn reachable<P: Puzzle>(self, title: &str, puzzle: &P) -> Self::Out;
}

/// A visitor of the ranking of an instance's states.
pub trait WithRanking<P: Puzzle> {
    /// The result.
    type Out;
    /// Visits the ranking.
    fn call<R: Ranking<P>>(self, ranking: &R) -> Self::Out;
}

/// The scope of one instance with its states ranked.
pub struct Single<'a, P, M> {
    /// Its name on the card.
    pub name: &'static str,
    /// A description in words.
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

    fn single(&self) -> Option<&P> {
        Some(self.puzzle)
    }

    fn part<Out>(&self, _part: usize, user: impl FnOnce(&P, &R) -> Out) -> Out {
        user(self.puzzle, &(self.make)(self.puzzle))
    }
}

/// The scope of several instances, each made when it is needed.
pub struct Several<I, P, R> {
    /// A description in words.
    pub title: String,
    /// The data that each is made from, smaller boards first.
    pub instances: Vec<InstanceOf<I>>,
    /// Makes an instance and ranks its states.
    pub make: fn(&I) -> (P, R),
}

/// The data that an instance of [`Several`] is made from.
pub struct InstanceOf<I> {
    /// The cells of its board.
    pub cells: usize,
    /// The number of its states.
    pub states: u128,
    /// The argument of [`Several::make`].
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
