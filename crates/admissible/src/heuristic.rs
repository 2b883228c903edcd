//! Heuristics: estimates of the cost from a state to the nearest goal.
//!
//! A heuristic is *admissible* if it never exceeds the true cost: then the first solution of A* is a cheapest one. It
//! is *consistent* if `h(s) <= cost + h(s')` along every move: then A* never expands a state twice. The data of an
//! incremental heuristic ([`Heuristic::Eval`]) lies beside the state and not in it, so a state has the same packed form
//! under every heuristic.

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

    /// An estimate of `units`, or [`Estimate::MAX`] if that is less: capping keeps an estimate admissible and
    /// consistent.
    #[inline]
    pub fn new(units: u32) -> Self {
        Estimate(units.min(Self::MAX.0))
    }

    /// The estimate in units of `1 / scale`, or `None` for a dead end.
    #[inline]
    pub fn units(self) -> Option<u32> {
        (self != Self::DEAD_END).then_some(self.0)
    }

    /// The estimate as a cost, with its fraction; `None` for a dead end.
    pub fn in_costs(self, scale: u32) -> Option<f64> {
        self.units().map(|units| f64::from(units) / f64::from(scale))
    }

    /// The estimate as a whole cost, rounded up; `None` for a dead end. Costs are integers, so rounding up keeps an
    /// estimate admissible and consistent.
    #[inline]
    pub fn rounded_up(self, scale: u32) -> Option<Cost> {
        self.units().map(|units| if scale == 1 { units } else { units.div_ceil(scale) })
    }
}

impl From<u16> for Estimate {
    /// An estimate of 16 bits is never a dead end, so the compiler removes the test for one.
    #[inline]
    fn from(units: u16) -> Self {
        Estimate(units.into())
    }
}

/// What is known about a heuristic on a space. Searches trust it: they report `optimal` only if the heuristic is known
/// to be admissible.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Properties {
    /// Never more than the true cost, and a dead end only where no goal can be reached.
    pub admissible: bool,
    /// Never falls by more than the cost of a move.
    pub consistent: bool,
}

impl Properties {
    /// Nothing is known.
    pub const UNKNOWN: Properties = Properties { admissible: false, consistent: false };
    /// Admissible, but not known to be consistent.
    pub const ADMISSIBLE: Properties = Properties { admissible: true, consistent: false };
    /// Consistent, and 0 at the goals: therefore admissible.
    pub const CONSISTENT: Properties = Properties { admissible: true, consistent: true };

    /// What is known about the maximum of two heuristics.
    pub fn and(self, other: Properties) -> Properties {
        Properties { admissible: self.admissible && other.admissible, consistent: self.consistent && other.consistent }
    }
}

/// Estimates the cost from a state to the nearest goal (or, for the backward half of a bidirectional search, from the
/// start to the state).
pub trait Heuristic<S: StateSpace>: Sync {
    /// The evaluation of a state, from which [`Heuristic::advance`] derives that of a successor.
    type Eval: Copy + Send;

    /// The units of an [`Estimate`] that make a cost of 1. A scale above 1 is for fractional heuristics, such as the
    /// straight-line distance in fixed point, rounded down.
    #[inline]
    fn scale(&self) -> u32 {
        1
    }

    /// Evaluates a state from scratch.
    fn evaluate(&self, space: &S, state: &S::State) -> Self::Eval;

    /// Evaluates the state `after` a move, given the evaluation of the state before it.
    #[inline]
    fn advance(&self, space: &S, _parent: Self::Eval, after: &S::State, _m: S::Move) -> Self::Eval {
        self.evaluate(space, after)
    }

    /// The estimate of an evaluated state.
    fn estimate(&self, eval: Self::Eval) -> Estimate;

    /// Like [`Heuristic::evaluate`], for a state whose estimate is known to be `units`. Override it if that is faster.
    #[inline]
    fn eval_from_h(&self, space: &S, state: &S::State, _units: u32) -> Self::Eval {
        self.evaluate(space, state)
    }

    /// What is known about the heuristic on this space; by default nothing.
    fn properties(&self, _space: &S) -> Properties {
        Properties::UNKNOWN
    }

    /// Names the ability that the heuristic may have beyond the items above: `visitor.subtree_search(self)`. IDA* uses
    /// it.
    fn abilities<'a, V: HeuristicVisitor<'a, S, Self>>(&'a self, visitor: V) -> V
    where
        Self: Sized,
    {
        visitor
    }
}

/// Receives the abilities that a heuristic names, as [`AbilityVisitor`](crate::AbilityVisitor) does for spaces.
pub trait HeuristicVisitor<'a, S: StateSpace, H: Heuristic<S>>: Sized {
    /// The heuristic has a subtree search of its own.
    fn subtree_search(self, _heuristic: &'a H) -> Self
    where
        H: SearchesSubtrees<S>,
    {
        self
    }
}

/// The heuristic that is 0 everywhere. A* with it is uniform-cost search.
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

/// The maximum of two heuristics: admissible or consistent if both are.
#[derive(Debug, Clone, Copy)]
pub struct Max<A, B>(pub A, pub B);

impl<S: StateSpace, A: Heuristic<S>, B: Heuristic<S>> Heuristic<S> for Max<A, B> {
    type Eval = (A::Eval, B::Eval);

    #[inline]
    fn scale(&self) -> u32 {
        debug_assert_eq!(self.0.scale(), self.1.scale(), "the maximum of two heuristics needs one scale for both");
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
