//! The explicit graph of a problem: successor lists and estimates, filled in by calling Python once a state.

use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;

use pyo3::prelude::*;
use pyo3::types::PyList;
use rustc_hash::FxHashMap;

use crate::problem::{Cost, Form, Moves, Node, Problem, Step, Takes, no_result, pacman_step, plain_step};
use crate::states::{Guess, Id, States};
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
    /// The estimates of a list of states or nodes.
    pub(crate) of_many: Py<PyAny>,
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
    /// The number of states that have been asked whether they are goals: all but where a callback failed.
    asked: usize,
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
            asked: 0,
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
            self.ranges.push(UNEXPANDED);
            self.goals.push(false);
            self.ask_goals(state.py())?;
        }
        Ok(id)
    }

    /// Asks whether states are goals that have not been asked yet.
    pub(crate) fn ask_goals(&mut self, py: Python<'_>) -> PyResult<()> {
        while self.asked < self.len() {
            let begin = self.asked as Id;
            let shared = (begin..self.len() as Id).take_while(|&id| self.states.is_shared(id)).count();
            if shared > 1 {
                let states = (begin..begin + shared as Id).map(|id| self.states.get(py, id));
                let states = PyList::new(py, states.collect::<Vec<_>>())?;
                let answers = self.problem.are_goals.bind(py).call1((states,))?.cast_into::<PyList>()?;
                for (at, answer) in answers.iter().enumerate().take(shared) {
                    self.goals[begin as usize + at] = answer.is_truthy()?;
                }
                self.asked += shared;
                continue;
            }
            let (lent, is_copy) = self.states.lend(py, begin)?;
            self.goals[begin as usize] = self.problem.is_goal.bind(py).call1((&lent,))?.is_truthy()?;
            self.asked += 1;
            if is_copy {
                self.check(&lent, begin, "the goal test")?;
            }
        }
        Ok(())
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
        let is_checked = self.expanded < 64 || self.expanded.is_multiple_of(64);
        self.expand_checked(py, id, is_checked)
    }

    /// Lists the successors of a state; `is_checked` tries whether a `path_cost` is additive.
    fn expand_checked(&mut self, py: Python<'_>, id: Id, is_checked: bool) -> PyResult<()> {
        if self.ranges[id as usize].begin != u32::MAX {
            return Ok(());
        }
        let begin = self.edges.len() as u32;
        let expanded = self.list_successors(py, id, is_checked);
        if let Err(error) = expanded {
            self.edges.truncate(begin as usize);
            return Err(error);
        }
        self.ranges[id as usize] = Range { begin, end: self.edges.len() as u32 };
        self.expanded += 1;
        Ok(())
    }

    /// Lists the successors of some of the states from `begin` on, at most `most` of them, with one call of Python
    /// where no callback could change a state. Returns the next state.
    pub(crate) fn expand_many(&mut self, py: Python<'_>, begin: Id, most: u32) -> PyResult<Id> {
        let end = (begin + most).min(self.len() as Id);
        let is_ready = |id: Id| self.states.is_shared(id) && self.ranges[id as usize].begin == u32::MAX;
        let shared = (begin..end).take_while(|&id| is_ready(id)).count() as u32;
        // The first states are looked at one by one, for what is checked there and for the form of plain successors.
        let is_unknown =
            matches!(&self.problem.moves, Moves::Plain { form, .. } if Form::of(form.load(Relaxed)) == Form::Unknown);
        if self.expanded < 64 || shared < 2 || is_unknown {
            self.expand(py, begin)?;
            return Ok(begin + 1);
        }
        let end = begin + shared;
        // One state of each batch is checked like the first ones.
        self.expand_checked(py, begin, true)?;
        let begin = begin + 1;
        let states = (begin..end).map(|id| self.states.get(py, id)).collect::<Vec<_>>();
        let listed = self.problem.moves_of_many.bind(py).call1((PyList::new(py, states)?,))?;
        let (counts, actions, items, costs): (Vec<usize>, Option<Bound<'_, PyList>>, Bound<'_, PyList>, _) =
            listed.extract()?;
        let costs: Option<Bound<'_, PyList>> = costs;
        let step_at = |at: usize, id: Id| -> PyResult<Step<'_>> {
            let item = items.get_item(at)?;
            match &self.problem.moves {
                Moves::ByAction { .. } => {
                    let action = actions.as_ref().map(|actions| actions.get_item(at)).transpose()?;
                    let cost = costs.as_ref().map(|costs| costs.get_item(at)).transpose()?;
                    if let (true, Some(action)) = (item.is_none(), &action) {
                        return Err(no_result(&self.states.get(py, id), action));
                    }
                    Ok(Step { action, state: item, cost: cost.map_or(Cost::One, Cost::Given) })
                }
                Moves::Plain { form, .. } => plain_step(item, Form::of(form.load(Relaxed))),
                Moves::Pacman(_) => pacman_step(item),
            }
        };
        let befores = (begin..end).zip(&counts).flat_map(|(id, &count)| std::iter::repeat_n(id, count));
        let mut failure = None;
        let steps = befores.enumerate().map_while(|(at, id)| {
            let step = step_at(at, id).map_err(|error| failure = Some(error)).ok()?;
            Some((id, step))
        });
        let steps: Vec<(Id, Step<'_>)> = steps.collect();
        let guesses = self.states.guess(py, steps.iter().map(|(_, step)| &step.state));
        let mut first = self.edges.len();
        for ((id, step), guess) in steps.into_iter().zip(guesses) {
            if let Err(error) = self.add_edge(py, id, step, guess) {
                failure = Some(error);
                break;
            }
        }
        // After a failure, the states before it are complete.
        for (id, count) in (begin..end).zip(counts) {
            if first + count > self.edges.len() {
                self.edges.truncate(first);
                break;
            }
            self.ranges[id as usize] = Range { begin: first as u32, end: (first + count) as u32 };
            self.expanded += 1;
            first += count;
        }
        if let Some(error) = failure {
            return Err(error);
        }
        self.ask_goals(py)?;
        Ok(end)
    }

    /// Adds a move out of a state. Whether a new state is a goal is still to be asked.
    fn add_edge<'py>(&mut self, py: Python<'py>, from: Id, step: Step<'py>, guess: Guess) -> PyResult<()> {
        let (to, is_new) = self.states.intern_guessed(&step.state, guess)?;
        if is_new {
            self.ranges.push(UNEXPANDED);
            self.goals.push(false);
        }
        let cost = match self.costs.intern(step.cost) {
            Ok(cost) => cost,
            Err(error) => return Err(at_move(py, error, &self.states.get(py, from), step.action.as_ref())),
        };
        let action = self.actions.intern(step.action);
        self.edges.push(Edge { to, cost, action });
        Ok(())
    }

    fn list_successors(&mut self, py: Python<'_>, id: Id, is_checked: bool) -> PyResult<()> {
        // The problem is taken out while its callbacks fill in the graph.
        let graph = std::cell::RefCell::new(self);
        let problem = Arc::clone(&graph.borrow().problem);
        let (first, is_copy) = graph.borrow().states.lend(py, id)?;
        let mut lend = || if is_copy { Ok(graph.borrow().states.lend(py, id)?.0) } else { Ok(first.clone()) };
        let mut check = |copy: &Bound<'_, PyAny>, callback| {
            if is_copy { graph.borrow_mut().check(copy, id, callback) } else { Ok(()) }
        };
        problem.each_step(py, &mut lend, &mut check, is_checked, &mut |step| {
            let graph = &mut *graph.borrow_mut();
            graph.add_edge(py, id, step, Guess::NONE)?;
            graph.ask_goals(py)
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
        let estimate = self.read_estimate(py, id, &answer)?;
        self.heuristics[heuristic].estimates[id as usize] = estimate;
        if is_copy {
            self.check(&lent, id, "the heuristic")?;
        }
        Ok(estimate)
    }

    /// Asks a heuristic about some of the states from `begin` on, at most `most` of them, with one call of Python where
    /// it cannot change a state. Returns the next state.
    pub(crate) fn estimate_many(&mut self, py: Python<'_>, heuristic: usize, begin: Id, most: u32) -> PyResult<Id> {
        let end = (begin + most).min(self.len() as Id);
        let known = &mut self.heuristics[heuristic];
        known.estimates.resize(self.states.len(), Estimate::Unknown);
        let is_ready = |id: Id| self.states.is_shared(id) && known.estimates[id as usize] == Estimate::Unknown;
        let shared = (begin..end).take_while(|&id| is_ready(id)).count() as u32;
        if shared < 2 {
            self.estimate(py, heuristic, begin)?;
            return Ok(begin + 1);
        }
        let states = (begin..begin + shared).map(|id| self.states.get(py, id));
        let arguments: Vec<Bound<'_, PyAny>> = match known.takes {
            Takes::Node => {
                let nodes = states.map(|state| Bound::new(py, Node::new(state.unbind())).map(Bound::into_any));
                nodes.collect::<PyResult<_>>()?
            }
            Takes::State | Takes::StateAndProblem => states.collect(),
        };
        let answers = known.of_many.bind(py).call1((PyList::new(py, arguments)?,))?.cast_into::<PyList>()?;
        for (id, answer) in (begin..begin + shared).zip(answers.iter()) {
            let estimate = self.read_estimate(py, id, &answer)?;
            self.heuristics[heuristic].estimates[id as usize] = estimate;
        }
        Ok(begin + shared)
    }

    fn read_estimate(&self, py: Python<'_>, id: Id, answer: &Bound<'_, PyAny>) -> PyResult<Estimate> {
        Ok(match Reading::of(answer) {
            Ok(Reading::Number(value)) => Estimate::Number(value),
            Ok(Reading::Infinite) => Estimate::DeadEnd,
            Ok(Reading::Nan | Reading::MinusInfinite) => Estimate::Nan,
            Ok(Reading::Missing) => Estimate::Missing,
            Err(error) => {
                let state = repr(&self.states.get(py, id));
                let message = format!("the heuristic's value for state {state}: {}", error.value(py));
                return Err(PyErr::from_type(error.get_type(py), message));
            }
        })
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
