//! Estimates of the cost still to come.
//!
//! A heuristic is *admissible* when it never says more than the true cost to the goal: only then is the first solution
//! of A* a shortest one. It is *consistent* when `h(s) <= cost + h(s')` along every move: then A* never has to expand a
//! state twice. What travels down a path ([`Heuristic::Eval`]) lives beside the state and not in it, so that a state
//! has one packed form whatever the heuristic.

use crate::search::subtree::SearchesSubtrees;
use crate::space::{Cost, StateSpace};

/// A heuristic's estimate, in units of `1 / scale` of the cost (see [`Heuristic::scale`]).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Estimate(u32);

impl Estimate {
    /// No goal can be reached from here.
    pub const DEAD_END: Estimate = Estimate(u32::MAX);

    /// The largest estimate that is not a dead end.
    pub const MAX: Estimate = Estimate(u32::MAX - 1);

    /// An estimate of so many units, at most [`Estimate::MAX`]: a smaller estimate is as admissible and as consistent.
    #[inline]
    pub fn new(units: u32) -> Self {
        Estimate(units.min(Self::MAX.0))
    }

    /// The estimate in units of `1 / scale`, or `None` for a dead end.
    #[inline]
    pub fn units(self) -> Option<u32> {
        (self != Self::DEAD_END).then_some(self.0)
    }

    /// The estimate as a number of costs, fractions included; `None` for a dead end.
    pub fn in_costs(self, scale: u32) -> Option<f64> {
        self.units().map(|units| f64::from(units) / f64::from(scale))
    }

    /// The estimate in whole costs, rounded up: costs are whole, so that keeps an admissible estimate admissible and a
    /// consistent one consistent.
    #[inline]
    pub fn rounded_up(self, scale: u32) -> Option<Cost> {
        self.units().map(|units| if scale == 1 { units } else { units.div_ceil(scale) })
    }
}

impl From<u16> for Estimate {
    /// An estimate that is small by its type, so that no search has to ask whether it is a dead end.
    #[inline]
    fn from(units: u16) -> Self {
        Estimate(units.into())
    }
}

/// What is known to be true of a heuristic on a space. Whoever states it vouches for it: a search says `optimal` only
/// where the heuristic is known to be admissible.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Properties {
    /// Never more than the true cost, and a dead end only where no goal can be reached.
    pub admissible: bool,
    /// Never falls by more than a move costs.
    pub consistent: bool,
}

impl Properties {
    /// Nothing is known.
    pub const UNKNOWN: Properties = Properties { admissible: false, consistent: false };
    /// Admissible, and known or feared to be inconsistent.
    pub const ADMISSIBLE: Properties = Properties { admissible: true, consistent: false };
    /// Consistent, and admissible therefore (with 0 at the goals).
    pub const CONSISTENT: Properties = Properties { admissible: true, consistent: true };

    /// What holds of the larger of two heuristics.
    pub fn and(self, other: Properties) -> Properties {
        Properties { admissible: self.admissible && other.admissible, consistent: self.consistent && other.consistent }
    }
}

/// Estimates the cost from a state to the nearest goal (or, for the backward half of a bidirectional search, from the
/// start to the state).
pub trait Heuristic<S: StateSpace>: Sync {
    /// What is carried from a state to its successors, so that [`Heuristic::advance`] can be incremental.
    type Eval: Copy + Send;

    /// How many units of an [`Estimate`] make a cost of 1. More than 1 serves heuristics that are not whole numbers:
    /// the straight-line distance is kept in fixed point, rounded down.
    #[inline]
    fn scale(&self) -> u32 {
        1
    }

    /// Looks at a state from scratch.
    fn evaluate(&self, space: &S, state: &S::State) -> Self::Eval;

    /// Looks at the state that a move led to, given what was found before it.
    #[inline]
    fn advance(&self, space: &S, _parent: Self::Eval, after: &S::State, _m: S::Move) -> Self::Eval {
        self.evaluate(space, after)
    }

    /// The estimate.
    fn estimate(&self, eval: Self::Eval) -> Estimate;

    /// [`Heuristic::evaluate`] for a state whose estimate is known to be `units`, where that is faster.
    #[inline]
    fn eval_from_h(&self, space: &S, state: &S::State, _units: u32) -> Self::Eval {
        self.evaluate(space, state)
    }

    /// What is known to hold on this space; nothing unless you say so.
    fn properties(&self, _space: &S) -> Properties {
        Properties::UNKNOWN
    }

    /// Names the abilities that the heuristic has beyond the items above: `visitor.subtree_search(self)`. IDA* asks for
    /// them.
    fn abilities<'a, V: HeuristicVisitor<'a, S, Self>>(&'a self, visitor: V) -> V
    where
        Self: Sized,
    {
        visitor
    }
}

/// Takes notice of the abilities that a heuristic names, as [`AbilityVisitor`](crate::AbilityVisitor) does for spaces.
pub trait HeuristicVisitor<'a, S: StateSpace, H: Heuristic<S>>: Sized {
    /// The heuristic has a subtree search of its own.
    fn subtree_search(self, _heuristic: &'a H) -> Self
    where
        H: SearchesSubtrees<S>,
    {
        self
    }

    /// The heuristic looks into large tables.
    fn tables(self, _heuristic: &'a H) -> Self
    where
        H: HasTables,
    {
        self
    }
}

/// A heuristic with large tables.
pub trait HasTables {
    /// Called once a search proves long; may copy hot tables to huge pages, in at most `most` bytes. Returns the bytes
    /// that the copies take, or `None` if `stop`, which is called every few milliseconds, returns true.
    fn copy_to_huge_pages(&self, most: u64, stop: &mut dyn FnMut() -> bool) -> Option<u64>;
}

/// [`HasTables::copy_to_huge_pages`] of a heuristic that has tables; 0 bytes for others.
pub(crate) fn copy_to_huge_pages<S: StateSpace, H: Heuristic<S>>(
    heuristic: &H,
    most: u64,
    stop: &mut dyn FnMut() -> bool,
) -> Option<u64> {
    struct Copy<'v> {
        most: u64,
        stop: &'v mut dyn FnMut() -> bool,
        copied: Option<u64>,
    }
    impl<'a, S: StateSpace, H: Heuristic<S>> HeuristicVisitor<'a, S, H> for Copy<'_> {
        fn tables(self, heuristic: &'a H) -> Self
        where
            H: HasTables,
        {
            let copied = heuristic.copy_to_huge_pages(self.most, self.stop);
            Copy { copied, ..self }
        }
    }
    heuristic.abilities(Copy { most, stop, copied: Some(0) }).copied
}

/// The heuristic that knows nothing: 0 everywhere. A* with it is uniform-cost search.
#[derive(Debug, Clone, Copy, Default)]
pub struct Zero;

impl<S: StateSpace> Heuristic<S> for Zero {
    type Eval = ();

    #[inline]
    fn evaluate(&self, _space: &S, _state: &S::State) {}

    #[inline]
    fn estimate(&self, (): ()) -> Estimate {
        Estimate(0)
    }

    fn properties(&self, _space: &S) -> Properties {
        Properties::CONSISTENT
    }
}

/// A heuristic in whole costs, rounded up: as admissible and as consistent as it was, since costs are whole.
#[derive(Debug, Clone, Copy)]
pub struct RoundedUp<H>(pub H);

impl<S: StateSpace, H: Heuristic<S>> Heuristic<S> for RoundedUp<H> {
    type Eval = H::Eval;

    #[inline]
    fn evaluate(&self, space: &S, state: &S::State) -> Self::Eval {
        self.0.evaluate(space, state)
    }

    #[inline]
    fn advance(&self, space: &S, parent: Self::Eval, after: &S::State, m: S::Move) -> Self::Eval {
        self.0.advance(space, parent, after, m)
    }

    #[inline]
    fn estimate(&self, eval: Self::Eval) -> Estimate {
        self.0.estimate(eval).rounded_up(self.0.scale()).map_or(Estimate::DEAD_END, Estimate::new)
    }

    fn properties(&self, space: &S) -> Properties {
        self.0.properties(space)
    }
}

/// The larger of two heuristics: admissible or consistent if both are.
#[derive(Debug, Clone, Copy)]
pub struct Max<A, B>(pub A, pub B);

impl<S: StateSpace, A: Heuristic<S>, B: Heuristic<S>> Heuristic<S> for Max<A, B> {
    type Eval = (A::Eval, B::Eval);

    #[inline]
    fn scale(&self) -> u32 {
        debug_assert_eq!(self.0.scale(), self.1.scale(), "the larger of two heuristics needs one scale for both");
        self.0.scale()
    }

    #[inline]
    fn evaluate(&self, space: &S, state: &S::State) -> Self::Eval {
        (self.0.evaluate(space, state), self.1.evaluate(space, state))
    }

    #[inline]
    fn advance(&self, space: &S, parent: Self::Eval, after: &S::State, m: S::Move) -> Self::Eval {
        (self.0.advance(space, parent.0, after, m), self.1.advance(space, parent.1, after, m))
    }

    #[inline]
    fn estimate(&self, eval: Self::Eval) -> Estimate {
        self.0.estimate(eval.0).max(self.1.estimate(eval.1))
    }

    fn properties(&self, space: &S) -> Properties {
        self.0.properties(space).and(self.1.properties(space))
    }
}
