//! The class `Puzzle` of the extension module: an instance of one of our puzzles. Answers are JSON, which the package
//! reads; searches run without Python's lock.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use admissible_front::{
    AuditError, AuditPlan, Drawing, ExploreDirection, ExploreError, ExplorePlan, Limits, OpenError, Parameters, Plan,
    Purpose, ReadOptions, Store, TableCache, Task, TieBreak, Weight,
};
use admissible_puzzles::PUZZLES;
use pyo3::exceptions::{PyKeyError, PyMemoryError, PyValueError};
use pyo3::prelude::*;
use serde_json::{Value, json};

use crate::watch::{Watching, watched};

/// An instance of a puzzle.
#[pyclass(module = "admissible_search._native", name = "Puzzle", frozen)]
pub(crate) struct PyPuzzle {
    task: Task,
}

fn parse(json: &str) -> PyResult<Value> {
    serde_json::from_str(json).map_err(|error| PyValueError::new_err(error.to_string()))
}

/// The cache of tables that the program uses too.
fn cache() -> Option<Arc<dyn TableCache>> {
    Store::of_user().map(|store| Arc::new(store) as Arc<dyn TableCache>)
}

fn opened(error: &OpenError) -> PyErr {
    let text = match error {
        OpenError::Ambiguous(names) => format!("it could be {}: say which with puzzle=", names.join(" or ")),
        error => error.to_string(),
    };
    PyValueError::new_err(text)
}

/// The value of a field of the options; `None` if it is absent.
fn text<'a>(options: &'a Value, name: &str) -> Option<&'a str> {
    options.get(name).and_then(Value::as_str)
}

/// The limit of the options, or else the free memory.
fn memory_limit(options: &Value) -> Option<u64> {
    options.get("memory_limit").and_then(Value::as_u64).or_else(admissible_cli::free_memory)
}

fn limits(options: &Value) -> PyResult<Limits> {
    let time = options.get("time_limit").and_then(Value::as_f64).map(Duration::try_from_secs_f64).transpose();
    Ok(Limits {
        expanded: options.get("node_limit").and_then(Value::as_u64),
        bytes: memory_limit(options),
        time: time.map_err(|_| PyValueError::new_err("expected a time limit of at least 0"))?,
    })
}

fn plan(options: &Value) -> PyResult<Plan> {
    let number = |name: &str| options.get(name).and_then(Value::as_u64).and_then(|number| u32::try_from(number).ok());
    let weight = match options.get("weight").and_then(Value::as_array).map(Vec::as_slice) {
        Some([numerator, denominator]) => {
            let part = |value: &Value| value.as_u64().and_then(|part| u32::try_from(part).ok()).unwrap_or(0);
            let weight = Weight::new(part(numerator), part(denominator));
            Some(weight.ok_or_else(|| PyValueError::new_err("expected a weight from 1 to 10000"))?)
        }
        _ => None,
    };
    let tie = match text(options, "tie_break") {
        None => None,
        Some("low-h") => Some(TieBreak::LowH),
        Some("fifo") => Some(TieBreak::Fifo),
        Some("lifo") => Some(TieBreak::Lifo),
        Some(other) => {
            let message = format!("expected tie_break to be 'low-h', 'fifo' or 'lifo', found '{other}'");
            return Err(PyValueError::new_err(message));
        }
    };
    Ok(Plan {
        algorithm: text(options, "algorithm").map(String::from),
        heuristic: text(options, "heuristic").map(String::from),
        weight,
        tie,
        depth_limit: number("depth_limit"),
        limits: limits(options)?,
        threads: number("threads").map(|threads| threads as usize),
        drawing: Drawing::Nothing,
        hands_over: true,
        ..Plan::default()
    })
}

fn threads(options: &Value) -> usize {
    let asked = options.get("threads").and_then(Value::as_u64).map(|threads| threads as usize);
    asked.unwrap_or_else(admissible::platform::cores)
}

#[pymethods]
impl PyPuzzle {
    /// Reads an instance from text.
    #[new]
    #[pyo3(signature = (text, puzzle=None, goal=None, move_order=None, metric=None))]
    fn new(
        text: &str,
        puzzle: Option<&str>,
        goal: Option<String>,
        move_order: Option<String>,
        metric: Option<String>,
    ) -> PyResult<Self> {
        let options = ReadOptions { goal, move_order, metric, table_cache: cache() };
        let task = PUZZLES.open(text, puzzle, &options).map_err(|error| opened(&error))?;
        Ok(PyPuzzle { task })
    }

    /// The name of the puzzle.
    #[getter]
    fn puzzle(&self) -> &'static str {
        self.task.card().name
    }

    /// The names of its heuristics, weakest first.
    #[getter]
    fn heuristics(&self) -> Vec<&'static str> {
        self.task.card().heuristics.iter().map(|card| card.name).collect()
    }

    /// The board as text.
    fn drawing(&self) -> String {
        self.task.drawing()
    }

    /// The constant part of all states, as JSON.
    fn board(&self) -> String {
        self.task.board().to_string()
    }

    /// The start, as JSON: state, solved, and moves as pairs of action and state.
    fn position(&self) -> String {
        let position = self.task.position();
        json!({ "state": position.state, "solved": position.solved, "moves": position.moves }).to_string()
    }

    /// The same instance from another state, given as JSON.
    fn beginning_at(&self, state: &str) -> PyResult<Self> {
        let task = self.task.beginning_at(&parse(state)?);
        Ok(PyPuzzle { task: task.map_err(|error| PyValueError::new_err(error.to_string()))? })
    }

    /// The estimate of the start by a heuristic of the puzzle or an expression; None for a dead end.
    fn estimate(&self, heuristic: &str) -> PyResult<Option<f64>> {
        self.task.estimate(heuristic).map_err(|error| PyKeyError::new_err(error.to_string()))
    }

    /// Why the instance does not support a heuristic; None if it does.
    fn lacks(&self, heuristic: &str) -> Option<String> {
        self.task.lacks(heuristic)
    }

    /// Solves it; the answer is that of `admissible solve --format json`.
    #[pyo3(signature = (options, progress))]
    fn solve(&self, py: Python<'_>, options: &str, progress: Option<Py<PyAny>>) -> PyResult<String> {
        let plan = plan(&parse(options)?)?;
        let answer = watched(py, progress.as_ref(), |watch| self.task.solve(&plan, &mut Watching(watch), None))?;
        let answer = answer.map_err(|error| PyValueError::new_err(error.to_string()))?;
        let mut json = answer.json("");
        json["notes"] = json!(answer.notes);
        json["unit"] = answer.unit.into();
        Ok(json.to_string())
    }

    /// Audits heuristics; the answer is that of `admissible audit --format json`, with the dominance.
    #[pyo3(signature = (options, progress))]
    fn audit(&self, py: Python<'_>, options: &str, progress: Option<Py<PyAny>>) -> PyResult<String> {
        let options = parse(options)?;
        let names = options.get("heuristics").and_then(Value::as_array).cloned().unwrap_or_default();
        let plan = AuditPlan {
            heuristics: names.iter().filter_map(Value::as_str).map(String::from).collect(),
            scope: text(&options, "scope").map(String::from),
            seed: options.get("seed").and_then(Value::as_u64).unwrap_or(0),
            dominance: true,
            threads: threads(&options),
        };
        let audit = watched(py, progress.as_ref(), |watch| self.task.audit(&plan, watch))?;
        let audit = audit.map_err(|error| match error {
            AuditError::TooMany(_) => PyMemoryError::new_err(error.to_string()),
            error => PyValueError::new_err(error.to_string()),
        })?;
        let reports: Vec<Value> = audit
            .reports
            .iter()
            .map(|report| {
                let mut json = report.json();
                json["joint"] = json!(report.joint);
                json
            })
            .collect();
        let dominance = audit.dominance.as_ref().map(admissible_front::Dominance::json);
        Ok(json!({ "reports": reports, "dominance": dominance, "seconds": audit.seconds }).to_string())
    }

    /// Explores its space; the answer is that of `admissible explore --format json`.
    #[pyo3(signature = (options, progress))]
    fn explore(&self, py: Python<'_>, options: &str, progress: Option<Py<PyAny>>) -> PyResult<String> {
        let options = parse(options)?;
        let direction = match text(&options, "direction") {
            Some("backward") => ExploreDirection::Backward,
            _ => ExploreDirection::Forward,
        };
        let plan = ExplorePlan {
            direction: Some(direction),
            scope: text(&options, "scope").map(String::from),
            threads: threads(&options),
            most_bytes: memory_limit(&options),
            ..ExplorePlan::default()
        };
        let found = watched(py, progress.as_ref(), |watch| self.task.explore(&plan, watch))?;
        let found = found.map_err(|error| match error {
            ExploreError::TooLarge { .. } => PyMemoryError::new_err(error.to_string()),
            error => PyValueError::new_err(error.to_string()),
        })?;
        Ok(found.json().to_string())
    }

    /// Explains the start by every heuristic; the answer is that of `admissible explain --format json`.
    #[pyo3(signature = (heuristics, options, progress))]
    fn explain(
        &self,
        py: Python<'_>,
        heuristics: Option<Vec<String>>,
        options: &str,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<String> {
        let plan = Plan { limits: limits(&parse(options)?)?, ..Plan::default() };
        let explained = watched(py, progress.as_ref(), |watch| {
            self.task.explain(heuristics.as_deref(), &plan, &mut Watching(watch))
        })?;
        Ok(explained.map_err(|error| PyValueError::new_err(error.to_string()))?.json().to_string())
    }
}

/// The cards of the puzzles, as JSON.
#[pyfunction]
pub(crate) fn puzzle_cards() -> String {
    let cards = PUZZLES.cards().map(|card| {
        let heuristics = card.heuristics.iter().map(|h| json!({ "name": h.name, "summary": h.summary }));
        let parameters = card.parameters.iter().map(admissible_front::Parameter::json);
        json!({
            "name": card.name,
            "summary": card.summary,
            "format": card.format,
            "heuristics": heuristics.collect::<Vec<_>>(),
            "parameters": parameters.collect::<Vec<_>>(),
        })
    });
    Value::from(cards.collect::<Vec<_>>()).to_string()
}

/// The text of a random solvable instance.
#[pyfunction]
#[pyo3(signature = (puzzle, parameters, seed))]
pub(crate) fn generate(py: Python<'_>, puzzle: &str, parameters: Vec<(String, String)>, seed: u64) -> PyResult<String> {
    let entry = PUZZLES.entry(puzzle).map_err(|error| opened(&error))?;
    let parameters = Parameters::read(entry.card(), Purpose::Generate, &parameters)
        .map_err(|error| PyValueError::new_err(error.to_string()))?;
    let made = watched(py, None, |watch| admissible_front::generate(entry, &parameters, seed, &mut Watching(watch)))?;
    made.map_err(|error| PyValueError::new_err(error.to_string()))
}

/// Runs the program `admissible` and returns its exit code. The first argument is the name of the program.
#[pyfunction]
pub(crate) fn run_program(py: Python<'_>, arguments: Vec<PathBuf>, restart: Vec<PathBuf>) -> u8 {
    let words = |paths: Vec<PathBuf>| paths.into_iter().map(PathBuf::into_os_string).collect();
    let invocation = admissible_cli::Invocation { restart: words(restart), arguments: words(arguments) };
    py.detach(|| admissible_cli::run_invoked(PUZZLES, invocation))
}
