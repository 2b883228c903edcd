//! The graph as state spaces of the library: [`Explicit`], which is complete and needs no Python, and [`Lazy`], which
//! calls Python for the successors and estimates that a search asks for.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard};

use admissible::{AbilityVisitor, Backward, Cost, Estimate as Units, Heuristic, Indexed, Properties, StateSpace};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::distances::Predecessors;
use crate::graph::{Estimate, Graph};
use crate::states::Id;
use crate::value::{Value, repr};

/// The cost of a move in units of `1 / denominator`; `None` if the library cannot hold it.
fn cost_units(value: Value, denominator: u64) -> Option<Cost> {
    let Value::Exact(_, parts) = value else { return None };
    if !denominator.is_multiple_of(parts as u64) {
        return None;
    }
    value.scaled_up(denominator).and_then(|units| Cost::try_from(units).ok()).filter(|&units| units > 0)
}

/// An estimate in units of `1 / denominator`, rounded up: costs are whole units, so it stays admissible.
fn units(h: Value, denominator: u64) -> Units {
    if h.is_negative() {
        return Units::new(0);
    }
    Units::new(h.scaled_up(denominator).map_or(u32::MAX, |units| u32::try_from(units).unwrap_or(u32::MAX)))
}

/// A graph in which every state has been expanded.
pub(crate) struct Explicit<'g> {
    graph: &'g Graph,
    costs: Vec<Cost>,
    predecessors: Option<Predecessors>,
    goals: Vec<Id>,
}

impl<'g> Explicit<'g> {
    /// `None` if the library cannot hold the costs.
    pub(crate) fn new(graph: &'g Graph, denominator: u64, by_moves: bool, backward: bool) -> Option<Self> {
        let costs = graph.costs.values.iter();
        let costs: Option<Vec<Cost>> =
            costs.map(|&value| if by_moves { Some(1) } else { cost_units(value, denominator) }).collect();
        let predecessors = backward.then(|| Predecessors::of(graph));
        let goals = (0..graph.len() as Id).filter(|&id| graph.goals[id as usize]);
        let goals = if backward { goals.collect() } else { Vec::new() };
        Some(Explicit { graph, costs: costs?, predecessors, goals })
    }
}

impl StateSpace for Explicit<'_> {
    type State = Id;
    type Packed = Id;
    type Move = u32;
    type Moves = std::ops::Range<u32>;
    type Undo = Id;

    #[inline]
    fn pack(&self, state: &Id) -> Id {
        *state
    }

    #[inline]
    fn unpack(&self, packed: Id) -> Id {
        packed
    }

    #[inline]
    fn is_goal(&self, state: &Id) -> bool {
        self.graph.goals[*state as usize]
    }

    #[inline]
    fn moves(&self, state: &Id) -> std::ops::Range<u32> {
        self.graph.range(*state).unwrap_or(0..0)
    }

    #[inline]
    fn apply(&self, state: &mut Id, m: u32) -> Id {
        std::mem::replace(state, self.graph.edges[m as usize].to)
    }

    #[inline]
    fn undo(&self, state: &mut Id, _m: u32, before: Id) {
        *state = before;
    }

    #[inline]
    fn cost(&self, _before: &Id, m: u32) -> Cost {
        self.costs[self.graph.edges[m as usize].cost as usize]
    }

    fn abilities<'a, V: AbilityVisitor<'a, Self>>(&'a self, visitor: V) -> V {
        let visitor = visitor.indexed(self);
        if self.predecessors.is_some() { visitor.backward(self) } else { visitor }
    }
}

impl Indexed for Explicit<'_> {
    fn index_bound(&self) -> u32 {
        self.graph.len() as u32
    }

    #[inline]
    fn index(&self, packed: Id) -> u32 {
        packed
    }
}

impl Backward for Explicit<'_> {
    fn goals(&self) -> Option<Vec<Id>> {
        Some(self.goals.clone())
    }

    fn predecessors(&self, state: &Id, mut visit: impl FnMut(Id, Cost)) {
        let predecessors = self.predecessors.as_ref().expect("only a space with predecessors names this ability");
        for &(before, edge) in predecessors.of_state(*state) {
            visit(before, self.cost(&before, edge));
        }
    }
}

/// The known estimates of an explicit graph.
pub(crate) struct Known {
    units: Vec<Units>,
    properties: Properties,
}

impl Known {
    /// Estimates of every state; `None` for the blind heuristic.
    pub(crate) fn new(estimates: Option<&[Estimate]>, denominator: u64, properties: Properties) -> Self {
        let of = |estimate: &Estimate| match *estimate {
            Estimate::Number(h) => units(h, denominator),
            Estimate::DeadEnd => Units::DEAD_END,
            Estimate::Unknown | Estimate::Nan | Estimate::Missing => Units::new(0),
        };
        Known { units: estimates.map_or_else(Vec::new, |estimates| estimates.iter().map(of).collect()), properties }
    }
}

impl Heuristic<Explicit<'_>> for Known {
    type Eval = Units;

    #[inline]
    fn evaluate(&self, _space: &Explicit<'_>, state: &Id) -> Units {
        self.units.get(*state as usize).copied().unwrap_or(Units::new(0))
    }

    #[inline]
    fn estimate(&self, eval: Units) -> Units {
        eval
    }

    fn properties(&self, _space: &Explicit<'_>) -> Properties {
        self.properties
    }
}

/// Why a lazy search cannot go on.
pub(crate) enum Failure {
    /// A callback raised an exception, or its answer is refused.
    Python(PyErr),
    /// A cost does not fit the scale of this search, or not the library.
    Rescale,
}

struct Growing<'g> {
    graph: &'g mut Graph,
    /// The units of every cost in the table so far.
    costs: Vec<Cost>,
    failure: Option<Failure>,
}

/// A graph that grows as a search asks for it. It is used by one thread, which is attached to Python.
pub(crate) struct Lazy<'g> {
    growing: Mutex<Growing<'g>>,
    denominator: u64,
    /// Whether every move counts 1, whatever it costs.
    by_moves: bool,
    stop: Arc<AtomicBool>,
}

impl<'g> Lazy<'g> {
    pub(crate) fn new(graph: &'g mut Graph, denominator: u64, by_moves: bool, stop: Arc<AtomicBool>) -> Self {
        let growing = Growing { graph, costs: Vec::new(), failure: None };
        Lazy { growing: Mutex::new(growing), denominator, by_moves, stop }
    }

    /// Ends the search; returns why it failed, if it did.
    pub(crate) fn into_failure(self) -> Option<Failure> {
        self.growing.into_inner().ok().and_then(|growing| growing.failure)
    }

    fn growing(&self) -> MutexGuard<'_, Growing<'g>> {
        self.growing.lock().expect("a search panics at most once")
    }

    fn fail(&self, growing: &mut Growing<'g>, failure: Failure) {
        self.stop.store(true, Relaxed);
        growing.failure.get_or_insert(failure);
    }
}

impl StateSpace for Lazy<'_> {
    type State = Id;
    type Packed = Id;
    type Move = u32;
    type Moves = std::ops::Range<u32>;
    type Undo = Id;

    fn pack(&self, state: &Id) -> Id {
        *state
    }

    fn unpack(&self, packed: Id) -> Id {
        packed
    }

    fn is_goal(&self, state: &Id) -> bool {
        self.growing().graph.goals[*state as usize]
    }

    fn moves(&self, state: &Id) -> std::ops::Range<u32> {
        let growing = &mut *self.growing();
        if growing.failure.is_none()
            && growing.graph.range(*state).is_none()
            && let Err(error) = Python::attach(|py| growing.graph.expand(py, *state))
        {
            self.fail(growing, Failure::Python(error));
        }
        while growing.failure.is_none() && growing.costs.len() < growing.graph.costs.values.len() {
            let value = growing.graph.costs.values[growing.costs.len()];
            match if self.by_moves { Some(1) } else { cost_units(value, self.denominator) } {
                Some(units) => growing.costs.push(units),
                None => self.fail(growing, Failure::Rescale),
            }
        }
        // After a failure the search may still ask for moves that it knows, before it looks at the stop flag.
        let range = growing.graph.range(*state).unwrap_or(0..0);
        let is_known = growing.graph.edges_of(*state).iter().all(|edge| (edge.cost as usize) < growing.costs.len());
        if is_known { range } else { 0..0 }
    }

    fn apply(&self, state: &mut Id, m: u32) -> Id {
        std::mem::replace(state, self.growing().graph.edges[m as usize].to)
    }

    fn undo(&self, state: &mut Id, _m: u32, before: Id) {
        *state = before;
    }

    fn cost(&self, _before: &Id, m: u32) -> Cost {
        let growing = self.growing();
        growing.costs[growing.graph.edges[m as usize].cost as usize]
    }
}

/// A heuristic of a lazy search.
pub(crate) struct Asked {
    /// Its number in the graph; `None` for the blind heuristic.
    pub(crate) heuristic: Option<usize>,
    pub(crate) properties: Properties,
}

impl Heuristic<Lazy<'_>> for Asked {
    type Eval = Units;

    fn evaluate(&self, space: &Lazy<'_>, state: &Id) -> Units {
        let Some(heuristic) = self.heuristic else { return Units::new(0) };
        let mut growing = space.growing();
        if growing.failure.is_some() {
            return Units::new(0);
        }
        match Python::attach(|py| usable(py, growing.graph, heuristic, *state)) {
            Ok(Some(h)) => units(h, space.denominator),
            Ok(None) => Units::DEAD_END,
            Err(error) => {
                space.fail(&mut growing, Failure::Python(error));
                Units::new(0)
            }
        }
    }

    fn estimate(&self, eval: Units) -> Units {
        eval
    }

    fn properties(&self, _space: &Lazy<'_>) -> Properties {
        self.properties
    }
}

/// An estimate that a search can use; `None` for a dead end.
pub(crate) fn usable(py: Python<'_>, graph: &mut Graph, heuristic: usize, state: Id) -> PyResult<Option<Value>> {
    let refused = |graph: &Graph, what: &str| {
        let state = repr(&graph.states.get(py, state));
        Err(PyValueError::new_err(format!("the heuristic's value for state {state} is {what}")))
    };
    match graph.estimate(py, heuristic, state)? {
        Estimate::Number(h) => Ok(Some(h)),
        Estimate::DeadEnd => Ok(None),
        Estimate::Missing => refused(graph, "None"),
        Estimate::Nan | Estimate::Unknown => refused(graph, "not a number"),
    }
}
