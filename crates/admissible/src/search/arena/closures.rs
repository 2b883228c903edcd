//! A* given by three closures, for states that do not pack: any `Clone + Eq + Hash`.
//!
//! A successor moves into the open list unchanged, beside its hash, and from there into the arena when it is first
//! expanded. A state is hashed once, compared only if hashes are equal, and cloned only into the solution.

use std::hash::{BuildHasher, Hash, Hasher};

use rustc_hash::FxBuildHasher;

use super::{ArenaAstar, ArenaProblem};
use crate::heuristic::{Estimate, Properties};
use crate::search::closed::{Full, NodeId, Nodes};
use crate::search::report::{Limits, Observer, Outcome, Report, Solution};
use crate::search::run;
use crate::space::{Cost, StateSpace};

/// A* for states of any type, given by three closures: the successors of a state and the costs of the moves to them (at
/// least 1), an estimate of the cost to a goal, and a goal test.
///
/// A solution's `moves` are the states after the start. The report says `optimal` only if [`AstarFn::properties`]
/// declares the estimate admissible. An inconsistent estimate costs time but never optimality. [`Limits::bytes`] counts
/// the states themselves, without memory that they point to.
///
/// ```
/// use admissible::Properties;
/// use admissible::search::{AstarFn, Guarantee};
///
/// // From "a" to "abba" by adding letters at either end.
/// let successors = |word: &String| {
///     ["a", "b"].into_iter().flat_map(|letter| [format!("{letter}{word}"), format!("{word}{letter}")])
///         .filter(|word| word.len() <= 4).map(|word| (word, 1)).collect::<Vec<_>>()
/// };
/// let missing_letters = |word: &String| 4 - word.len() as u32;
/// let report = AstarFn::new(successors, missing_letters, |word: &String| word == "abba")
///     .properties(Properties::CONSISTENT)
///     .solve("a".to_string());
///
/// let solution = report.outcome.solution().expect("abba can be reached");
/// assert_eq!((solution.cost, solution.guarantee), (3, Guarantee::Optimal));
/// assert_eq!(solution.moves.last().map(String::as_str), Some("abba"));
/// ```
#[derive(Debug, Clone)]
pub struct AstarFn<F, H, G> {
    successors: F,
    h: H,
    is_goal: G,
    properties: Properties,
    limits: Limits,
}

impl<F, H, G> AstarFn<F, H, G> {
    /// A search given by successors, estimate and goal test.
    pub fn new<T, I>(successors: F, h: H, is_goal: G) -> Self
    where
        F: Fn(&T) -> I,
        I: IntoIterator<Item = (T, Cost)>,
        H: Fn(&T) -> Cost,
        G: Fn(&T) -> bool,
    {
        AstarFn { successors, h, is_goal, properties: Properties::UNKNOWN, limits: Limits::default() }
    }

    /// Declares what is known about the estimate; by default nothing.
    #[must_use]
    pub fn properties(self, properties: Properties) -> Self {
        AstarFn { properties, ..self }
    }

    /// Limits the search.
    #[must_use]
    pub fn limits(self, limits: Limits) -> Self {
        AstarFn { limits, ..self }
    }

    /// Searches from a state until it ends or a limit is reached.
    pub fn solve<T, I>(&self, start: T) -> Report<T>
    where
        T: Clone + Eq + Hash,
        F: Fn(&T) -> I,
        I: IntoIterator<Item = (T, Cost)>,
        H: Fn(&T) -> Cost,
        G: Fn(&T) -> bool,
    {
        self.watch(start, &mut ())
    }

    /// Solves with an observer, which may stop the search.
    pub fn watch<T, I>(&self, start: T, observer: &mut dyn Observer) -> Report<T>
    where
        T: Clone + Eq + Hash,
        F: Fn(&T) -> I,
        I: IntoIterator<Item = (T, Cost)>,
        H: Fn(&T) -> Cost,
        G: Fn(&T) -> bool,
    {
        let mut search =
            ArenaAstar::new(ClosureProblem(self, std::marker::PhantomData), Hashed::new(start), None, &self.limits);
        let Report { outcome, stats } = run(&mut search, &self.limits, observer);
        let state = |id: u32| search.nodes.get(id).state.clone();
        let outcome = match outcome {
            Outcome::Solved(Solution { cost, moves, guarantee }) => {
                Outcome::Solved(Solution { cost, moves: moves.into_iter().map(state).collect(), guarantee })
            }
            Outcome::Unsolvable => Outcome::Unsolvable,
            Outcome::Stopped { why, lower_bound } => Outcome::Stopped { why, lower_bound },
        };
        Report { outcome, stats }
    }
}

/// A state and its hash; most lookups compare only the hash.
struct Hashed<T> {
    state: T,
    hash: u32,
}

impl<T: Hash> Hashed<T> {
    #[inline]
    fn new(state: T) -> Self {
        let hash = FxBuildHasher.hash_one(&state);
        Hashed { state, hash: (hash ^ hash >> 32) as u32 }
    }
}

impl<T: Eq> PartialEq for Hashed<T> {
    #[inline]
    fn eq(&self, other: &Self) -> bool {
        self.hash == other.hash && self.state == other.state
    }
}

impl<T: Eq> Eq for Hashed<T> {}

impl<T> Hash for Hashed<T> {
    #[inline]
    fn hash<A: Hasher>(&self, state: &mut A) {
        state.write_u32(self.hash);
    }
}

struct ClosureProblem<'a, F, H, G, T>(&'a AstarFn<F, H, G>, std::marker::PhantomData<fn(&T)>);

impl<T, I, F, H, G> ArenaProblem for ClosureProblem<'_, F, H, G, T>
where
    T: Clone + Eq + Hash,
    F: Fn(&T) -> I,
    I: IntoIterator<Item = (T, Cost)>,
    H: Fn(&T) -> Cost,
    G: Fn(&T) -> bool,
{
    type Space = NodeNumbers;
    type Key = Hashed<T>;

    fn properties(&self) -> Properties {
        self.0.properties
    }

    fn index(&self, _key: &Hashed<T>) -> u32 {
        0
    }

    #[inline]
    fn expand(
        &mut self,
        key: &Hashed<T>,
        _h: u32,
        back: Option<&Hashed<T>>,
        mut visit: impl FnMut(Hashed<T>, Cost, Estimate) -> Result<(), Full>,
    ) -> Result<Option<u64>, Full> {
        if (self.0.is_goal)(&key.state) {
            return Ok(None);
        }
        let mut count = 0;
        for (state, cost) in (self.0.successors)(&key.state) {
            count += 1;
            let successor = Hashed::new(state);
            if back != Some(&successor) {
                let h = Estimate::new((self.0.h)(&successor.state));
                visit(successor, cost, h)?;
            }
        }
        Ok(Some(count))
    }

    fn name(&self, id: NodeId, _key: &Hashed<T>) -> u32 {
        id
    }

    fn estimate(&self, key: &Hashed<T>) -> Estimate {
        Estimate::new((self.0.h)(&key.state))
    }

    fn moves(&self, nodes: &Nodes<Hashed<T>>, path: &[NodeId]) -> (Vec<u32>, Option<Cost>) {
        let cheapest = |pair: &[NodeId]| {
            let successors = (self.0.successors)(&nodes.get(pair[0]).state).into_iter();
            let costs = successors.filter(|(state, _)| *state == nodes.get(pair[1]).state).map(|(_, cost)| cost);
            costs.min()
        };
        let cost = path.windows(2).try_fold(0, |sum: Cost, pair| sum.checked_add(cheapest(pair)?));
        (path[1..].to_vec(), cost)
    }
}

/// A space that only names the types of a report on node ids. It has no moves: the closures generate successors.
struct NodeNumbers;

impl StateSpace for NodeNumbers {
    type State = u32;
    type Packed = u32;
    type Move = u32;
    type Moves = Option<u32>;
    type Undo = u32;

    fn pack(&self, state: &u32) -> u32 {
        *state
    }

    fn unpack(&self, packed: u32) -> u32 {
        packed
    }

    fn is_goal(&self, _state: &u32) -> bool {
        false
    }

    fn moves(&self, _state: &u32) -> Option<u32> {
        None
    }

    fn apply(&self, state: &mut u32, to: u32) -> u32 {
        std::mem::replace(state, to)
    }

    fn undo(&self, state: &mut u32, _to: u32, before: u32) {
        *state = before;
    }
}
