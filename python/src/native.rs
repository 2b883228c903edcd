//! The class `Graph` of the extension module: a problem, interned. The package builds its functions on it.

use std::sync::atomic::AtomicU8;
use std::sync::{Mutex, MutexGuard, TryLockError};
use std::time::{Duration, Instant};

use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::gc::{PyTraverseError, PyVisit};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};

use crate::audit::{Audit, Findings, Matrix, ODDITIES, dominance};
use crate::distances::{Distances, INFINITE, Predecessors, Scale};
use crate::graph::{Estimate, Graph, Heuristic};
use crate::problem::{MoveCost, Moves, Problem, Takes};
use crate::search::SearchPlan;
use crate::states::{Helpers, Id, States};
use crate::value::{Reading, Value};
use crate::watch::Pulse;

/// The states of a problem and its moves, as far as they have been asked for.
#[pyclass(module = "admissible_search._native", name = "Graph", frozen)]
pub(crate) struct PyGraph {
    graph: Mutex<Graph>,
}

impl PyGraph {
    fn graph(&self) -> PyResult<MutexGuard<'_, Graph>> {
        match self.graph.try_lock() {
            Ok(graph) => Ok(graph),
            Err(TryLockError::WouldBlock) => {
                Err(PyRuntimeError::new_err("the graph is in use: a callback or another thread may not call it"))
            }
            // An exception of a callback leaves a valid graph.
            Err(TryLockError::Poisoned(poisoned)) => Ok(poisoned.into_inner()),
        }
    }
}

/// The number of states that Python is asked about together, so that a batch takes a few milliseconds.
struct BatchSize {
    size: u32,
    begin: Instant,
    last: Instant,
    seconds: f64,
}

impl BatchSize {
    fn new(seconds: f64) -> Self {
        let now = Instant::now();
        BatchSize { size: 2, begin: now, last: now, seconds }
    }

    /// Adapts the size to the time of the last batch. Returns whether the time is up.
    fn is_late(&mut self) -> bool {
        let now = Instant::now();
        match now - self.last {
            short if short < Duration::from_millis(2) => self.size = (2 * self.size).min(64),
            long if long > Duration::from_millis(8) => self.size = (self.size / 2).max(1),
            _ => {}
        }
        self.last = now;
        (now - self.begin).as_secs_f64() > self.seconds
    }
}

fn takes(name: &str) -> PyResult<Takes> {
    match name {
        "state" => Ok(Takes::State),
        "node" => Ok(Takes::Node),
        "state, problem" => Ok(Takes::StateAndProblem),
        _ => Err(PyValueError::new_err(format!(
            "expected heuristic_takes to be 'state', 'node' or 'state, problem', found '{name}'"
        ))),
    }
}

#[pymethods]
impl PyGraph {
    /// `moves` is `("actions", actions, result, cost, kind of cost)`, `("plain", successors, form_of, form)` or
    /// `("pacman", getSuccessors)`.
    #[new]
    fn new(
        moves: (String, Vec<Py<PyAny>>),
        is_goal: Py<PyAny>,
        itself: Py<PyAny>,
        helpers: (Py<PyAny>, Py<PyAny>, Py<PyAny>),
        batches: (Py<PyAny>, Py<PyAny>),
        copies: bool,
        form: u8,
    ) -> PyResult<Self> {
        let (kind, callbacks) = moves;
        let mut callbacks = callbacks.into_iter();
        let mut next = || callbacks.next().ok_or_else(|| PyValueError::new_err("a callback is missing"));
        let moves = match kind.as_str() {
            "plain" => Moves::Plain { successors: next()?, form_of: next()?, form: AtomicU8::new(form) },
            "pacman" => Moves::Pacman(next()?),
            _ => {
                let (actions, result) = (next()?, next()?);
                let cost = match kind.as_str() {
                    "path_cost" => MoveCost::Path(next()?),
                    "step_cost" => MoveCost::Step(next()?),
                    _ => MoveCost::Unit,
                };
                Moves::ByAction { actions, result, cost }
            }
        };
        let (freeze, copy, kind) = helpers;
        let (moves_of_many, are_goals) = batches;
        let states = States::new(Helpers { freeze, copy, kind }, copies);
        Ok(PyGraph {
            graph: Mutex::new(Graph::new(Problem { moves, is_goal, itself, moves_of_many, are_goals }, states)),
        })
    }

    /// The number of a state.
    fn intern(&self, state: &Bound<'_, PyAny>) -> PyResult<Id> {
        self.graph()?.intern(state)
    }

    /// The number of a state, or None if it has not been found.
    fn find(&self, state: &Bound<'_, PyAny>) -> PyResult<Option<Id>> {
        self.graph()?.states.find(state)
    }

    /// A copy of a state, or the state itself if nothing can change it.
    fn state<'py>(&self, py: Python<'py>, id: Id) -> PyResult<Bound<'py, PyAny>> {
        let graph = self.graph()?;
        known(&graph, id)?;
        Ok(graph.states.lend(py, id)?.0)
    }

    /// The moves of a state: `(action, number of the next state, cost)`.
    fn moves<'py>(&self, py: Python<'py>, id: Id) -> PyResult<Bound<'py, PyList>> {
        let graph = &mut *self.graph()?;
        known(graph, id)?;
        graph.expand(py, id)?;
        let list = PyList::empty(py);
        for edge in graph.range(id).unwrap_or(0..0) {
            list.append((graph.action(py, edge), graph.edges[edge as usize].to, graph.cost(py, edge)?))?;
        }
        Ok(list)
    }

    /// Whether a state is a goal.
    fn is_goal(&self, id: Id) -> PyResult<bool> {
        let graph = self.graph()?;
        known(&graph, id)?;
        Ok(graph.goals[id as usize])
    }

    /// States, expanded states, moves, and whether all has been explored.
    fn size(&self) -> PyResult<(usize, u64, usize, bool)> {
        let graph = self.graph()?;
        Ok((graph.len(), graph.expanded, graph.edges.len(), graph.is_complete))
    }

    /// Adds a heuristic; returns its number.
    fn add_heuristic(&self, callable: Py<PyAny>, takes_what: &str, batch: Py<PyAny>) -> PyResult<usize> {
        let heuristic = Heuristic { callable, takes: takes(takes_what)?, estimates: Vec::new(), of_many: batch };
        let mut graph = self.graph()?;
        graph.heuristics.push(heuristic);
        Ok(graph.heuristics.len() - 1)
    }

    /// Explores breadth-first, at most to a number of states and for a time. Returns whether that was all.
    #[pyo3(signature = (max_states, seconds, progress))]
    fn explore_all(
        &self,
        py: Python<'_>,
        max_states: usize,
        seconds: f64,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<bool> {
        let graph = &mut *self.graph()?;
        let mut pulse = Pulse::new(progress.as_ref());
        let mut batch = BatchSize::new(seconds);
        let mut at: Id = 0;
        graph.ask_goals(py)?;
        while (at as usize) < graph.len() && !graph.is_complete {
            at = graph.expand_many(py, at, batch.size)?;
            pulse.beat(py, "states found so far", at.into(), graph.len() as u64)?;
            let is_limited = batch.is_late() || graph.len() > max_states;
            if is_limited && (at as usize) < graph.len() {
                return Ok(false);
            }
        }
        graph.is_complete = true;
        Ok(true)
    }

    /// Looks for states with a known distance in a space that is too large: follows the heuristic to a goal, and
    /// explores around the end of that path.
    #[pyo3(signature = (heuristic, more_states, seconds, progress))]
    fn explore_around_goals(
        &self,
        py: Python<'_>,
        heuristic: usize,
        more_states: usize,
        seconds: f64,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<()> {
        let graph = &mut *self.graph()?;
        let mut pulse = Pulse::new(progress.as_ref());
        crate::sample::around_goals(py, graph, heuristic, more_states, Duration::from_secs_f64(seconds), &mut pulse)
    }

    /// Asks a heuristic about every state that has been found. Returns whether there was time for all.
    #[pyo3(signature = (heuristic, seconds, progress))]
    fn estimate_all(
        &self,
        py: Python<'_>,
        heuristic: usize,
        seconds: f64,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<bool> {
        let graph = &mut *self.graph()?;
        let mut pulse = Pulse::new(progress.as_ref());
        let mut batch = BatchSize::new(seconds);
        let mut at: Id = 0;
        while (at as usize) < graph.len() {
            at = graph.estimate_many(py, heuristic, at, batch.size)?;
            pulse.beat(py, "estimates", at.into(), graph.len() as u64)?;
            if batch.is_late() {
                return Ok((at as usize) == graph.len());
            }
        }
        Ok(true)
    }

    /// One estimate, as the heuristic gave it.
    fn estimate(&self, py: Python<'_>, heuristic: usize, id: Id) -> PyResult<Py<PyAny>> {
        let graph = &mut *self.graph()?;
        known(graph, id)?;
        let estimate = graph.estimate(py, heuristic, id)?;
        estimate_object(py, estimate)
    }

    /// The findings about a heuristic.
    fn audit<'py>(
        &self,
        py: Python<'py>,
        heuristic: usize,
        tolerance: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyDict>> {
        let graph = &*self.graph()?;
        let Reading::Number(tolerance) = Reading::of(tolerance)? else {
            return Err(PyValueError::new_err("expected a finite tolerance"));
        };
        if tolerance.is_negative() {
            return Err(PyValueError::new_err("expected a tolerance of at least 0"));
        }
        let scale = scale_of(graph)?;
        let predecessors = Predecessors::of(graph);
        let distances = Distances::to(graph, &scale, &predecessors, |id| graph.goals[id as usize]);
        let exits =
            (!graph.is_complete).then(|| Distances::to(graph, &scale, &predecessors, |id| graph.range(id).is_none()));
        let farthest = distances.keys.iter().copied().filter(|&key| key != INFINITE).max().unwrap_or(0);
        let rounding = scale.rounding(farthest, graph.len());
        let estimates = &graph.heuristics[heuristic].estimates;
        let audit = Audit {
            graph,
            scale: &scale,
            distances: &distances,
            exits: exits.as_ref(),
            estimates,
            tolerance,
            rounding,
        };
        let findings = audit.run();
        findings_dict(py, &audit, &findings)
    }

    /// `less[i][j]`: on how many states heuristic i is less than j; and the same for ties.
    fn dominance(&self, heuristics: Vec<usize>) -> PyResult<(Matrix, Matrix)> {
        let graph = self.graph()?;
        let estimates: Vec<&[Estimate]> =
            heuristics.iter().map(|&at| graph.heuristics[at].estimates.as_slice()).collect();
        Ok(dominance(&estimates))
    }

    /// The exact distance of a state, over what has been explored, and a path of `(action, state, cost)`.
    fn distance<'py>(&self, py: Python<'py>, id: Id) -> PyResult<Option<(Py<PyAny>, Bound<'py, PyList>)>> {
        let graph = &*self.graph()?;
        known(graph, id)?;
        let scale = scale_of(graph)?;
        let predecessors = Predecessors::of(graph);
        let distances = Distances::to(graph, &scale, &predecessors, |id| graph.goals[id as usize]);
        let key = distances.keys[id as usize];
        if key == INFINITE {
            return Ok(None);
        }
        Ok(Some((scale.value(key).to_python(py)?, path_list(py, graph, &distances.path(graph, id))?)))
    }

    /// The number of states at every depth from a start, or distance to the goals; the farthest states; goals; moves.
    fn layers<'py>(&self, py: Python<'py>, start: Option<Id>) -> PyResult<Bound<'py, PyDict>> {
        let graph = &*self.graph()?;
        crate::search::layers(py, graph, start)
    }

    /// The callbacks that changed a state they were given: name, a state, and how often.
    fn changes<'py>(&self, py: Python<'py>) -> PyResult<Vec<(&'static str, Bound<'py, PyAny>, u64)>> {
        let graph = self.graph()?;
        graph
            .changes
            .iter()
            .map(|change| Ok((change.callback, graph.states.lend(py, change.state)?.0, change.times)))
            .collect()
    }

    /// Searches from a state. `heuristic` is a number, or None for the blind one.
    #[pyo3(signature = (start, algorithm, heuristic, known, options, progress))]
    #[expect(clippy::too_many_arguments, reason = "the package is the only caller")]
    fn solve<'py>(
        &self,
        py: Python<'py>,
        start: Id,
        algorithm: &str,
        heuristic: Option<usize>,
        known: (bool, bool),
        options: &Bound<'py, PyDict>,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<Bound<'py, PyDict>> {
        let graph = &mut *self.graph()?;
        graph.ask_goals(py)?;
        let plan = SearchPlan::new(algorithm, start, heuristic, known, options)?;
        plan.solve(py, graph, progress.as_ref())
    }

    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        let Ok(graph) = self.graph.try_lock() else { return Ok(()) };
        visit.call(&graph.problem.itself)?;
        visit.call(&graph.problem.is_goal)?;
        for heuristic in &graph.heuristics {
            visit.call(&heuristic.callable)?;
        }
        graph.states.traverse(&visit)
    }

    fn __clear__(&self) {
        if let Ok(mut graph) = self.graph.try_lock() {
            graph.states.clear();
            graph.heuristics.clear();
        }
    }
}

fn known(graph: &Graph, id: Id) -> PyResult<()> {
    if (id as usize) < graph.len() { Ok(()) } else { Err(PyValueError::new_err("no state has this number")) }
}

fn scale_of(graph: &Graph) -> PyResult<Scale> {
    Scale::of(graph).map_err(|_| {
        pyo3::exceptions::PyOverflowError::new_err("the costs do not fit: their common denominator is too large")
    })
}

pub(crate) fn estimate_object(py: Python<'_>, estimate: Estimate) -> PyResult<Py<PyAny>> {
    match estimate {
        Estimate::Number(value) => value.to_python(py),
        Estimate::DeadEnd => Ok(f64::INFINITY.into_pyobject(py)?.into_any().unbind()),
        Estimate::Nan => Ok(f64::NAN.into_pyobject(py)?.into_any().unbind()),
        Estimate::Unknown | Estimate::Missing => Ok(py.None()),
    }
}

/// The moves of a path: `(action, state after it, cost)`.
pub(crate) fn path_list<'py>(py: Python<'py>, graph: &Graph, path: &[u32]) -> PyResult<Bound<'py, PyList>> {
    let list = PyList::empty(py);
    for &edge in path {
        let state = graph.states.lend(py, graph.edges[edge as usize].to)?.0;
        list.append((graph.action(py, edge), state, graph.cost(py, edge)?))?;
    }
    Ok(list)
}

fn findings_dict<'py>(py: Python<'py>, audit: &Audit<'_>, findings: &Findings) -> PyResult<Bound<'py, PyDict>> {
    let Audit { graph, scale, distances, .. } = audit;
    let dict = PyDict::new(py);
    let state = |id: Id| graph.states.lend(py, id).map(|(state, _)| state);
    let estimate = |id: Id| estimate_object(py, audit.estimates.get(id as usize).copied().unwrap_or(Estimate::Unknown));
    dict.set_item("states", findings.states)?;
    dict.set_item("edges", findings.edges)?;
    dict.set_item("goals", findings.goals)?;
    dict.set_item("solvable", findings.solvable)?;
    dict.set_item("proved", findings.proved)?;
    dict.set_item("exhaustive", graph.is_complete)?;
    dict.set_item("farthest", scale.value(findings.farthest).to_python(py)?)?;
    dict.set_item("overestimates", findings.overestimates)?;
    dict.set_item("false_dead_ends", findings.false_dead_ends)?;
    dict.set_item("within_tolerance", findings.within_tolerance)?;
    dict.set_item("worst_overestimate", Value::of_float(findings.worst_overestimate).to_python(py)?)?;
    dict.set_item("inconsistent_edges", findings.inconsistent_edges)?;
    dict.set_item("worst_fall", Value::of_float(findings.worst_fall).to_python(py)?)?;
    dict.set_item("exact_costs", scale.denominator.is_some())?;
    dict.set_item("rounding", audit.rounding)?;
    let zero = (0..graph.costs.values.len()).any(|cost| graph.costs.values[cost] == Value::ZERO);
    dict.set_item("has_zero_costs", zero)?;
    let odd = ODDITIES.iter().zip(findings.oddities).filter(|(_, (count, _))| *count > 0);
    let odd = odd.map(|((_, what), (count, id))| Ok((*what, count, state(id)?, estimate(id)?)));
    dict.set_item("oddities", odd.collect::<PyResult<Vec<_>>>()?)?;
    if let Some((key, id)) = findings.counterexample {
        let path = path_list(py, graph, &distances.path(graph, id))?;
        dict.set_item("counterexample", (state(id)?, estimate(id)?, scale.value(key).to_python(py)?, path))?;
    }
    if let Some((id, edge)) = findings.inconsistency {
        let to = graph.edges[edge as usize].to;
        let shown =
            (state(id)?, graph.action(py, edge), state(to)?, graph.cost(py, edge)?, estimate(id)?, estimate(to)?);
        dict.set_item("inconsistency", shown)?;
    }
    dict.set_item("compared", findings.compared)?;
    dict.set_item("sum_of_estimates", findings.sum_of_estimates)?;
    dict.set_item("sum_of_distances", findings.sum_of_distances)?;
    dict.set_item("sum_of_relative_errors", findings.sum_of_relative_errors)?;
    let rows = findings
        .by_distance
        .iter()
        .map(|&(key, count, least, mean, most)| Ok((scale.value(key).to_python(py)?, count, least, mean, most)));
    dict.set_item("by_distance", rows.collect::<PyResult<Vec<_>>>()?)?;
    Ok(dict)
}
