//! A problem in Python: the callbacks that list successors, tell goals and estimate.

use std::sync::atomic::{AtomicU8, Ordering::Relaxed};

use pyo3::exceptions::{PyAttributeError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyInt, PyList, PyString};

use crate::value::{Reading, Value, repr, shown};

/// The node that AIMA's heuristics take: a state without a history.
#[pyclass(module = "admissible_search", frozen, dict, get_all)]
pub(crate) struct Node {
    pub(crate) state: Py<PyAny>,
    parent: Option<Py<PyAny>>,
    action: Option<Py<PyAny>>,
    path_cost: i64,
    depth: i64,
}

#[pymethods]
impl Node {
    #[new]
    #[pyo3(signature = (state))]
    pub(crate) fn new(state: Py<PyAny>) -> Self {
        Node { state, parent: None, action: None, path_cost: 0, depth: 0 }
    }

    fn __repr__(&self, py: Python<'_>) -> String {
        format!("<Node {}>", repr(self.state.bind(py)))
    }

    /// Called for attributes that a node does not have: the heuristic probably expects a state.
    fn __getattr__(&self, name: &str) -> PyResult<Py<PyAny>> {
        Err(PyAttributeError::new_err(format!("'Node' object has no attribute '{name}': {NODE_OR_STATE}")))
    }

    fn __getitem__(&self, _index: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        Err(PyTypeError::new_err(format!("'Node' object is not subscriptable: {NODE_OR_STATE}")))
    }

    fn __iter__(&self) -> PyResult<Py<PyAny>> {
        Err(PyTypeError::new_err(format!("'Node' object is not iterable: {NODE_OR_STATE}")))
    }
}

const NODE_OR_STATE: &str = "heuristics of AIMA's problems take a node, whose state is `node.state`; pass \
    heuristic_takes=\"state\" for one that takes a state";

/// How a problem lists the successors of a state.
pub(crate) enum Moves {
    /// `actions(state)`, `result(state, action)` and the cost of a move.
    ByAction { actions: Py<PyAny>, result: Py<PyAny>, cost: MoveCost },
    /// `successors(state)` yields states, `(action, state)` or `(action, state, cost)`.
    Plain { successors: Py<PyAny>, form_of: Py<PyAny>, form: AtomicU8 },
    /// `getSuccessors(state)` yields `(state, action, cost)`.
    Pacman(Py<PyAny>),
}

/// How a problem with actions tells the cost of a move.
pub(crate) enum MoveCost {
    /// `path_cost(cost so far, state, action, next state)`.
    Path(Py<PyAny>),
    /// `cost(state, action, next state)`.
    Step(Py<PyAny>),
    /// Every move costs 1.
    Unit,
}

/// What a heuristic is called with.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Takes {
    State,
    Node,
    StateAndProblem,
}

/// The callbacks of a problem.
pub(crate) struct Problem {
    pub(crate) moves: Moves,
    pub(crate) is_goal: Py<PyAny>,
    /// The problem itself, for heuristics that take it.
    pub(crate) itself: Py<PyAny>,
    /// The moves of a list of states, and whether each of them is a goal: the same callbacks in a loop of Python's.
    pub(crate) moves_of_many: Py<PyAny>,
    pub(crate) are_goals: Py<PyAny>,
}

/// One move out of a state, as the callbacks gave it.
pub(crate) struct Step<'py> {
    pub(crate) action: Option<Bound<'py, PyAny>>,
    pub(crate) state: Bound<'py, PyAny>,
    pub(crate) cost: Cost<'py>,
}

/// The cost of a move.
pub(crate) enum Cost<'py> {
    One,
    Given(Bound<'py, PyAny>),
}

impl Problem {
    /// Calls `visit` with every move out of a state. `lend` returns the state for each callback that takes it, and
    /// `check` looks at it afterwards, with the name of the callback.
    pub(crate) fn each_step<'py>(
        &self,
        py: Python<'py>,
        lend: &mut dyn FnMut() -> PyResult<Bound<'py, PyAny>>,
        check: &mut dyn FnMut(&Bound<'py, PyAny>, &'static str) -> PyResult<()>,
        is_checked: bool,
        visit: &mut dyn FnMut(Step<'py>) -> PyResult<()>,
    ) -> PyResult<()> {
        match &self.moves {
            Moves::ByAction { actions, result, cost } => {
                let state = lend()?;
                let listed = actions.bind(py).call1((&state,))?;
                check(&state, "actions")?;
                let result = result.bind(py);
                each(&listed, "actions(state)", &mut |action| {
                    let state = lend()?;
                    let next = result.call1((&state, &action))?;
                    check(&state, "result")?;
                    if next.is_none() {
                        return Err(no_result(&lend()?, &action));
                    }
                    let cost = match cost {
                        MoveCost::Unit => Cost::One,
                        MoveCost::Step(cost) => {
                            let state = lend()?;
                            let cost = cost.bind(py).call1((&state, &action, &next))?;
                            check(&state, "cost")?;
                            Cost::Given(cost)
                        }
                        MoveCost::Path(cost) => {
                            let state = lend()?;
                            let cost = cost.bind(py);
                            let step = cost.call1((0, &state, &action, &next))?;
                            if is_checked {
                                check_additive(cost, &state, &action, &next, &step)?;
                            }
                            check(&state, "path_cost")?;
                            Cost::Given(step)
                        }
                    };
                    visit(Step { action: Some(action), state: next, cost })
                })
            }
            Moves::Plain { successors, form_of, form } => {
                let state = lend()?;
                let listed = successors.bind(py).call1((&state,))?;
                each(&listed, "successors(state)", &mut |item| {
                    if Form::of(form.load(Relaxed)) == Form::Unknown {
                        form.store(form_of.bind(py).call1((lend()?, &item))?.extract()?, Relaxed);
                    }
                    visit(plain_step(item, Form::of(form.load(Relaxed)))?)
                })?;
                check(&state, "successors")
            }
            Moves::Pacman(successors) => {
                let state = lend()?;
                let listed = successors.bind(py).call1((&state,))?;
                check(&state, "getSuccessors")?;
                each(&listed, "getSuccessors(state)", &mut |item| visit(pacman_step(item)?))
            }
        }
    }
}

/// What a plain function of successors yields.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Form {
    /// The first item decides.
    Unknown,
    States,
    /// `(action, state)`
    Pairs,
    /// `(action, state, cost)`
    Triples,
}

impl Form {
    pub(crate) fn of(code: u8) -> Form {
        [Form::Unknown, Form::States, Form::Pairs, Form::Triples][usize::from(code.min(3))]
    }
}

/// A successor as a plain function gives it.
pub(crate) fn plain_step(item: Bound<'_, PyAny>, form: Form) -> PyResult<Step<'_>> {
    let expected = |what: &str, item: &Bound<'_, PyAny>| {
        PyTypeError::new_err(format!("successors(state): expected {what}, found {}", shown(item)))
    };
    match form {
        Form::Unknown | Form::States => Ok(Step { action: None, state: item, cost: Cost::One }),
        Form::Pairs => {
            let (action, state) = item.extract().map_err(|_| expected("(action, state) like the first item", &item))?;
            Ok(Step { action: Some(action), state, cost: Cost::One })
        }
        Form::Triples => {
            let parts = item.extract().map_err(|_| expected("(action, state, cost) like the first item", &item))?;
            let (action, state, cost) = parts;
            Ok(Step { action: Some(action), state, cost: Cost::Given(cost) })
        }
    }
}

/// A successor as Pacman projects give it.
pub(crate) fn pacman_step(item: Bound<'_, PyAny>) -> PyResult<Step<'_>> {
    let (state, action, cost) = item.extract().map_err(|_| {
        PyTypeError::new_err(format!("getSuccessors(state): expected (state, action, cost), found {}", shown(&item)))
    })?;
    Ok(Step { action: Some(action), state, cost: Cost::Given(cost) })
}

/// A result that is no state.
pub(crate) fn no_result(state: &Bound<'_, PyAny>, action: &Bound<'_, PyAny>) -> PyErr {
    PyTypeError::new_err(format!(
        "result(state, action) returned None for state {} and action {}",
        repr(state),
        repr(action)
    ))
}

/// Calls `visit` with every item of a list or another iterable.
fn each<'py>(
    items: &Bound<'py, PyAny>,
    source: &str,
    visit: &mut dyn FnMut(Bound<'py, PyAny>) -> PyResult<()>,
) -> PyResult<()> {
    if let Ok(list) = items.cast_exact::<PyList>() {
        return list.iter().try_for_each(visit);
    }
    if items.is_none()
        || items.is_instance_of::<PyInt>()
        || (items.is_instance_of::<PyString>() && source != "actions(state)")
    {
        return Err(PyTypeError::new_err(format!(
            "{source}: expected a list or another iterable, found {}",
            shown(items)
        )));
    }
    for item in items.try_iter()? {
        visit(item?)?;
    }
    Ok(())
}

/// Refuses a `path_cost` whose result is not the cost so far plus the cost of the move.
fn check_additive<'py>(
    cost: &Bound<'py, PyAny>,
    state: &Bound<'py, PyAny>,
    action: &Bound<'py, PyAny>,
    next: &Bound<'py, PyAny>,
    step: &Bound<'py, PyAny>,
) -> PyResult<()> {
    const SO_FAR: i64 = 37;
    let total = cost.call1((SO_FAR, state, action, next))?;
    let (Reading::Number(step_value), Reading::Number(total_value)) = (Reading::of(step)?, Reading::of(&total)?) else {
        return Ok(());
    };
    let (from_zero, from_some) = (step_value.approximate(), total_value.approximate());
    let difference = from_some - SO_FAR as f64 - from_zero;
    if difference.abs() > 1e-9 * (SO_FAR as f64 + from_zero.abs()) {
        return Err(PyValueError::new_err(format!(
            "path_cost is not additive: for state {} and action {} it adds {} to a path of cost 0, but {} to a path of \
             cost {SO_FAR}; no algorithm can compare paths by it",
            repr(state),
            repr(action),
            repr(step),
            from_some - SO_FAR as f64,
        )));
    }
    Ok(())
}

/// The cost of a move as a number, or the reason why it is refused.
pub(crate) fn cost_value(cost: &Bound<'_, PyAny>) -> PyResult<Value> {
    let refused = |why: &str| Err(PyValueError::new_err(format!("the move costs {}, which is {why}", repr(cost))));
    match Reading::of(cost)? {
        Reading::Number(value) if value.is_negative() => refused("negative"),
        Reading::Number(value) => Ok(value),
        Reading::Nan => refused("not a number"),
        Reading::Infinite => refused("infinite: leave out moves that cannot be made"),
        Reading::MinusInfinite => refused("negative"),
        Reading::Missing => refused("not a number"),
    }
}
