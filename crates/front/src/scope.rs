//! Scopes: the sets of states that audits check and explorations search.
//!
//! A scope has parts: instances that no move connects, each with its states ranked. If states have no ranks, the scope
//! is the set of reachable states. [`Puzzle::scope`] gives the scopes of an instance,
//! [`Family::scope`](crate::puzzle::Family::scope) those of a puzzle where no file is given. A [`Scope`] is a value
//! whose types are erased, so audits and explorations are compiled once for all puzzles.

use std::sync::Arc;

use admissible::Ranking;
use admissible::audit::Watcher;
use admissible::explore::{Packing, ReachError, Reached};
use rand::SeedableRng as _;
use rand_chacha::ChaCha8Rng;
use thiserror::Error;

pub use crate::instance::Held;
use crate::instance::{Instance, TypedInstance};
use crate::parameters::{Parameters, Purpose};
use crate::part::{ErasedPart, ListedPart, RankedPart};
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
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{0}")]
pub struct ScopeError(pub String);

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

/// The states that an audit checks or an exploration searches.
pub struct Scope<'a> {
    /// Its name on the card; empty if it has several names.
    pub(crate) name: &'static str,
    pub(crate) title: String,
    pub(crate) unit: &'static str,
    pub(crate) packing: Packing,
    pub(crate) states: ScopeStates<'a>,
}

/// The states of a [`Scope`].
pub(crate) enum ScopeStates<'a> {
    /// The states of these parts, which have ranks. Smaller boards come before larger ones.
    Ranked(Vec<ScopePart<'a>>),
    /// The states that a start reaches. They have ranks once they are listed.
    Reachable(Box<dyn Reachable + 'a>),
}

/// A part of a [`Scope`]: an instance with its states ranked, made when it is needed.
pub(crate) struct ScopePart<'a> {
    /// The number of cells of its board. An audit shows the counterexample on the smallest board.
    pub(crate) cells: usize,
    /// The number of states; saturates at the largest number.
    pub(crate) states: u128,
    /// The name of its atlas, if it can have one.
    pub(crate) atlas: Option<String>,
    pub(crate) maker: Box<dyn MakePart + 'a>,
}

/// Makes a part of a scope.
pub(crate) trait MakePart: Send + Sync {
    /// Makes the part. Called only if its states fit into memory.
    fn make(&self) -> Arc<dyn ErasedPart + '_>;
}

impl<'a> ScopePart<'a> {
    /// The part of a listed space.
    pub(crate) fn listed(part: Arc<dyn ListedPart + 'a>) -> Self {
        ScopePart { cells: 0, states: part.size() as u128, atlas: None, maker: Box::new(part) }
    }
}

impl MakePart for Arc<dyn ListedPart + '_> {
    fn make(&self) -> Arc<dyn ErasedPart + '_> {
        self.clone()
    }
}

/// The states that the start of an instance reaches.
pub(crate) trait Reachable {
    /// Lists the states.
    fn list(&self, most_bytes: Option<u64>, watcher: &dyn Watcher) -> Result<Arc<dyn ListedPart + '_>, ReachError>;
}

impl<P: Puzzle> Reachable for Held<'_, P> {
    fn list(&self, most_bytes: Option<u64>, watcher: &dyn Watcher) -> Result<Arc<dyn ListedPart + '_>, ReachError> {
        let ranking = Reached::from(&**self, &self.start(), most_bytes, watcher)?;
        Ok(Arc::new(RankedPart::<_, _, false> { instance: TypedInstance(Held::Borrowed(&**self)), ranking }))
    }
}

/// The whole space of one instance, with its states ranked. Every move costs 1.
pub struct RankedStates<'a, P, M> {
    /// Its name on the card.
    pub name: &'static str,
    /// A description in words.
    pub title: String,
    /// The name of its atlas. It identifies the ranking: another ranking needs another name.
    pub atlas: String,
    /// The number of states, without making the ranking; saturates at the largest number.
    pub states: u128,
    /// The instance.
    pub puzzle: &'a P,
    /// Makes the ranking.
    pub make: M,
}

impl<P, R, M> MakePart for RankedStates<'_, P, M>
where
    P: Puzzle,
    R: Ranking<P> + Send + 'static,
    M: Fn(&P) -> R + Send + Sync,
{
    fn make(&self) -> Arc<dyn ErasedPart + '_> {
        let ranking = (self.make)(self.puzzle);
        Arc::new(RankedPart::<_, _, true> { instance: TypedInstance(Held::Borrowed(self.puzzle)), ranking })
    }
}

/// The data that one of several instances is made from.
pub struct InstanceOf<I> {
    /// The cells of its board.
    pub cells: usize,
    /// The number of its states.
    pub states: u128,
    /// The name of its atlas, if it can have one.
    pub atlas: Option<String>,
    /// The data.
    pub from: I,
}

struct MadeFrom<I, P, R> {
    from: I,
    make: fn(&I) -> (P, R),
}

impl<I: Send + Sync, P: Puzzle, R: Ranking<P> + Send + 'static> MakePart for MadeFrom<I, P, R> {
    fn make(&self) -> Arc<dyn ErasedPart + '_> {
        let (puzzle, ranking) = (self.make)(&self.from);
        Arc::new(RankedPart::<_, _, true> { instance: TypedInstance(Held::Owned(puzzle)), ranking })
    }
}

impl<'a> Scope<'a> {
    /// The whole space of one instance.
    pub fn ranked<P, R, M>(ranked: RankedStates<'a, P, M>) -> Self
    where
        P: Puzzle,
        R: Ranking<P> + Send + 'static,
        M: Fn(&P) -> R + Send + Sync + 'a,
    {
        let (name, title) = (ranked.name, ranked.title.clone());
        let (states, atlas) = (ranked.states, Some(ranked.atlas.clone()));
        let part = ScopePart { cells: 0, states, atlas, maker: Box::new(ranked) };
        Scope { name, ..Scope::of_parts::<P, R>(title, vec![part]) }
    }

    /// Several instances that no move connects, smaller boards first. `make` makes an instance and ranks its states.
    /// Every move costs 1.
    pub fn several<I, P, R>(
        title: String,
        instances: impl IntoIterator<Item = InstanceOf<I>>,
        make: fn(&I) -> (P, R),
    ) -> Self
    where
        I: Send + Sync + 'a,
        P: Puzzle,
        R: Ranking<P> + Send + 'static,
    {
        let part = |InstanceOf { cells, states, atlas, from }| {
            let maker = Box::new(MadeFrom { from, make });
            ScopePart { cells, states, atlas, maker }
        };
        Scope::of_parts::<P, R>(title, instances.into_iter().map(part).collect())
    }

    /// The states that the start of an instance reaches.
    pub fn reachable<P: Puzzle>(title: &str, puzzle: Held<'a, P>) -> Self {
        Scope {
            name: "",
            title: title.into(),
            unit: P::UNIT,
            packing: Packing::of::<P, Reached<P::Packed>>(),
            states: ScopeStates::Reachable(Box::new(puzzle)),
        }
    }

    fn of_parts<P: Puzzle, R: Ranking<P>>(title: String, parts: Vec<ScopePart<'a>>) -> Self {
        let (unit, packing) = (P::UNIT, Packing::of::<P, R>());
        Scope { name: "", title, unit, packing, states: ScopeStates::Ranked(parts) }
    }

    /// The first part, if the states have ranks.
    pub(crate) fn first_part(&self) -> Option<&ScopePart<'a>> {
        match &self.states {
            ScopeStates::Ranked(parts) => parts.first(),
            ScopeStates::Reachable(_) => None,
        }
    }
}

/// A scope of a puzzle where no file is given.
pub struct FamilyScope(pub(crate) FamilyScopeKind);

pub(crate) enum FamilyScopeKind {
    /// The default scope of an instance.
    Instance(Box<dyn Instance>),
    Scope(Scope<'static>),
}

impl FamilyScope {
    /// The default scope of an instance.
    pub fn of<P: Puzzle>(puzzle: P) -> Self {
        FamilyScope(FamilyScopeKind::Instance(Box::new(TypedInstance(Held::Owned(puzzle)))))
    }
}

impl FamilyScopeKind {
    /// The scope, and the instance whose scope it is.
    pub(crate) fn scope(&self) -> Result<(Held<'_, Scope<'_>>, Option<&dyn Instance>), ScopeError> {
        Ok(match self {
            FamilyScopeKind::Instance(instance) => (Held::Owned(instance.scope(None)?), Some(&**instance)),
            FamilyScopeKind::Scope(scope) => (Held::Borrowed(scope), None),
        })
    }
}

impl From<Scope<'static>> for FamilyScope {
    fn from(scope: Scope<'static>) -> Self {
        FamilyScope(FamilyScopeKind::Scope(scope))
    }
}
