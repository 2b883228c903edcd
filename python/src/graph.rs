//! The explicit graph of a problem: successor lists and estimates, filled in by calling Python once a state.

use std::sync::Arc;

use pyo3::prelude::*;
use rustc_hash::FxHashMap;

use crate::problem::{Cost, Problem, Takes};
use crate::states::{Id, States};
use crate::value::{Reading, Value, gcd, repr};

/// A move: where it leads, what it costs and what it is called. Cost and name are numbers in tables.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Edge {
    pub(crate) to: Id,
    pub(crate) cost: u32,
    pub(crate) action: u32,
}

/// The action of a move without a name.
pub(crate) const NO_ACTION: u32 = u32::MAX;

/// The successors of a state: a range of edges, or unknown.
#[derive(Debug, Clone, Copy)]
struct Range {
    begin: u32,
    end: u32,
}

const UNEXPANDED: Range = Range { begin: u32::MAX, end: u32::MAX };

/// The distinct costs of moves.
#[derive(Default)]
pub(crate) struct Costs {
    pub(crate) values: Vec<Value>,
    pub(crate) objects: Vec<Option<Py<PyAny>>>,
    by_bits: FxHashMap<(u64, i64), u32>,
    last: Option<(usize, u32)>,
}

impl Costs {
    fn intern(&mut self, cost: Cost<'_>) -> PyResult<u32> {
        let object = match cost {
            Cost::One => {
                let index = self.insert(Value::Exact(1, 1), || None);
                return Ok(index);
            }
            Cost::Given(object) => object,
        };
        // Most moves cost the same object: a small integer of the interpreter. The table keeps it alive.
        let address = object.as_ptr() as usize;
        if let Some((last, index)) = self.last
            && last == address
        {
            return Ok(index);
        }
        let value = crate::problem::cost_value(&object)?;
        let index = self.insert(value, || Some(object.clone().unbind()));
        if self.objects[index as usize].as_ref().is_some_and(|kept| kept.is(&object)) {
            self.last = Some((address, index));
        }
        Ok(index)
    }

    fn insert(&mut self, value: Value, object: impl FnOnce() -> Option<Py<PyAny>>) -> u32 {
        let bits = match value {
            Value::Exact(numerator, denominator) => (numerator as u64, denominator),
            Value::Float(number) => (number.to_bits(), 0),
        };
        *self.by_bits.entry(bits).or_insert_with(|| {
            self.values.push(value);
            self.objects.push(object());
            self.values.len() as u32 - 1
        })
    }
}

/// The distinct actions.
#[derive(Default)]
struct Actions {
    objects: Vec<Py<PyAny>>,
    by_address: FxHashMap<usize, u32>,
}

impl Actions {
    fn intern(&mut self, action: Option<Bound<'_, PyAny>>) -> u32 {
        let Some(action) = action else { return NO_ACTION };
        // The table keeps every object alive, so an address names one object.
        *self.by_address.entry(action.as_ptr() as usize).or_insert_with(|| {
            self.objects.push(action.unbind());
            self.objects.len() as u32 - 1
        })
    }
}

/// A heuristic's answer for one state.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Estimate {
    /// Not yet asked.
    Unknown,
    Number(Value),
    /// Infinity: no goal can be reached.
    DeadEnd,
    /// Not a number.
    Nan,
    /// `None`.
    Missing,
}

/// A heuristic and its answers by state.
pub(crate) struct Heuristic {
    pub(crate) callable: Py<PyAny>,
    pub(crate) takes: Takes,
    pub(crate) estimates: Vec<Estimate>,
}

/// A callback that changed the state it was given.
pub(crate) struct Change {
    pub(crate) callback: &'static str,
    pub(crate) state: Id,
    pub(crate) times: u64,
}

/// The graph as far as it is known.
pub(crate) struct Graph {
    pub(crate) problem: Arc<Problem>,
    pub(crate) states: States,
    ranges: Vec<Range>,
    pub(crate) edges: Vec<Edge>,
    pub(crate) costs: Costs,
    actions: Actions,
    /// Whether a state is a goal.
    pub(crate) goals: Vec<bool>,
    pub(crate) heuristics: Vec<Heuristic>,
    pub(crate) changes: Vec<Change>,
    /// States whose successors are known.
    pub(crate) expanded: u64,
    /// Whether every state that the start can reach has been expanded.
    pub(crate) is_complete: bool,
}

impl Graph {
    pub(crate) fn new(problem: Problem, states: States) -> Self {
        Graph {
            problem: Arc::new(problem),
            states,
            ranges: Vec::new(),
            edges: Vec::new(),
            costs: Costs::default(),
            actions: Actions::default(),
            goals: Vec::new(),
            heuristics: Vec::new(),
            changes: Vec::new(),
            expanded: 0,
            is_complete: false,
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.states.len()
    }

    /// The edges of a state that has been expanded.
    pub(crate) fn range(&self, id: Id) -> Option<std::ops::Range<u32>> {
        let Range { begin, end } = self.ranges[id as usize];
        (begin != u32::MAX).then_some(begin..end)
    }

    /// The edges of a state; none if it has not been expanded.
    pub(crate) fn edges_of(&self, id: Id) -> &[Edge] {
        self.range(id).map_or(&[], |range| &self.edges[range.start as usize..range.end as usize])
    }

    /// The number of a state. Asks whether a new state is a goal.
    pub(crate) fn intern(&mut self, state: &Bound<'_, PyAny>) -> PyResult<Id> {
        let (id, is_new) = self.states.intern(state)?;
        if is_new {
            // A call that fails must not leave a state without an answer.
            self.ranges.push(UNEXPANDED);
            self.goals.push(false);
            let py = state.py();
            let (lent, is_copy) = self.states.lend(py, id)?;
            let answer = self.problem.is_goal.bind(py).call1((&lent,))?.is_truthy()?;
            self.goals[id as usize] = answer;
            if is_copy {
                self.check(&lent, id, "the goal test")?;
            }
        }
        Ok(id)
    }

    /// Notices that a callback changed its copy of a state.
    fn check(&mut self, copy: &Bound<'_, PyAny>, id: Id, callback: &'static str) -> PyResult<()> {
        if !self.states.is_unchanged(copy, id)? {
            match self.changes.iter_mut().find(|change| change.callback == callback) {
                Some(change) => change.times += 1,
                None => self.changes.push(Change { callback, state: id, times: 1 }),
            }
        }
        Ok(())
    }

    /// Lists the successors of a state, once.
    pub(crate) fn expand(&mut self, py: Python<'_>, id: Id) -> PyResult<()> {
        if self.ranges[id as usize].begin != u32::MAX {
            return Ok(());
        }
        let begin = self.edges.len() as u32;
        let expanded = self.list_successors(py, id);
        if let Err(error) = expanded {
            self.edges.truncate(begin as usize);
            return Err(error);
        }
        self.ranges[id as usize] = Range { begin, end: self.edges.len() as u32 };
        self.expanded += 1;
        Ok(())
    }

    fn list_successors(&mut self, py: Python<'_>, id: Id) -> PyResult<()> {
        // The problem is taken out while its callbacks fill in the graph.
        let is_checked = self.expanded < 64 || self.expanded.is_multiple_of(64);
        let graph = std::cell::RefCell::new(self);
        let problem = Arc::clone(&graph.borrow().problem);
        let (first, is_copy) = graph.borrow().states.lend(py, id)?;
        let mut lend = || if is_copy { Ok(graph.borrow().states.lend(py, id)?.0) } else { Ok(first.clone()) };
        let mut check = |copy: &Bound<'_, PyAny>, callback| {
            if is_copy { graph.borrow_mut().check(copy, id, callback) } else { Ok(()) }
        };
        problem.each_step(py, &mut lend, &mut check, is_checked, &mut |step| {
            let graph = &mut **graph.borrow_mut();
            let to = graph.intern(&step.state)?;
            let cost = match graph.costs.intern(step.cost) {
                Ok(cost) => cost,
                Err(error) => return Err(at_move(py, error, &graph.states.get(py, id), step.action.as_ref())),
            };
            let action = graph.actions.intern(step.action);
            graph.edges.push(Edge { to, cost, action });
            Ok(())
        })
    }

    /// The action of an edge; `None` if it has no name.
    pub(crate) fn action<'py>(&self, py: Python<'py>, edge: u32) -> Option<Bound<'py, PyAny>> {
        let action = self.edges[edge as usize].action;
        (action != NO_ACTION).then(|| self.actions.objects[action as usize].bind(py).clone())
    }

    /// The cost of an edge as the callback gave it.
    pub(crate) fn cost<'py>(&self, py: Python<'py>, edge: u32) -> PyResult<Bound<'py, PyAny>> {
        match &self.costs.objects[self.edges[edge as usize].cost as usize] {
            Some(cost) => Ok(cost.bind(py).clone()),
            None => Ok(1_i64.into_pyobject(py)?.into_any()),
        }
    }

    /// A heuristic's answer for a state, asked once.
    pub(crate) fn estimate(&mut self, py: Python<'_>, heuristic: usize, id: Id) -> PyResult<Estimate> {
        let known = &mut self.heuristics[heuristic];
        if known.estimates.len() <= id as usize {
            known.estimates.resize(self.states.len(), Estimate::Unknown);
        }
        let answer = known.estimates[id as usize];
        if answer != Estimate::Unknown {
            return Ok(answer);
        }
        let (lent, is_copy) = self.states.lend(py, id)?;
        let callable = known.callable.bind(py);
        let answer = match known.takes {
            Takes::State => callable.call1((&lent,))?,
            Takes::Node => callable.call1((crate::problem::Node::new(lent.clone().unbind()),))?,
            Takes::StateAndProblem => callable.call1((&lent, &self.problem.itself))?,
        };
        let estimate = match Reading::of(&answer) {
            Ok(Reading::Number(value)) => Estimate::Number(value),
            Ok(Reading::Infinite) => Estimate::DeadEnd,
            Ok(Reading::Nan | Reading::MinusInfinite) => Estimate::Nan,
            Ok(Reading::Missing) => Estimate::Missing,
            Err(error) => {
                let state = repr(&self.states.get(py, id));
                let message = format!("the heuristic's value for state {state}: {}", error.value(py));
                return Err(PyErr::from_type(error.get_type(py), message));
            }
        };
        self.heuristics[heuristic].estimates[id as usize] = estimate;
        if is_copy {
            self.check(&lent, id, "the heuristic")?;
        }
        Ok(estimate)
    }

    /// The least common denominator of all costs; `None` if some cost is a float, or the denominator is out of range.
    pub(crate) fn denominator(&self) -> Option<u64> {
        self.costs.values.iter().try_fold(1_u64, |common, value| match value {
            Value::Exact(_, denominator) => {
                let denominator = *denominator as u64;
                let product = u128::from(common / gcd(common, denominator)) * u128::from(denominator);
                u64::try_from(product).ok().filter(|&common| common < 1 << 40)
            }
            Value::Float(_) => None,
        })
    }

    /// Whether a cost is a float that is not whole.
    pub(crate) fn has_float_costs(&self) -> bool {
        self.costs.values.iter().any(|value| matches!(value, Value::Float(_)))
    }
}

/// An error in the cost of a move, with the move.
fn at_move(py: Python<'_>, error: PyErr, state: &Bound<'_, PyAny>, action: Option<&Bound<'_, PyAny>>) -> PyErr {
    let action = action.map_or(String::new(), |action| format!(", action {}", repr(action)));
    let message = format!("{} (state {}{action})", error.value(py), repr(state));
    PyErr::from_type(error.get_type(py), message)
}
