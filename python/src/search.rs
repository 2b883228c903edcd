//! Searches on the graph of a Python problem: chooses the space, the engine and the scale of the costs.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};

use admissible::search::{
    Guarantee, Limits, Observer, Outcome, Report, Search, Solution, Stats, Stop, TieBreak, Weight, astar,
    astar_without_reopening, bfs, bidirectional, dfs, greedy, idastar, run, ucs, wastar,
};
use admissible::{AbilityVisitor, Backward, Heuristic, Properties, StateSpace, heuristic::Zero};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::distances::{Distances, INFINITE, Predecessors, Scale};
use crate::graph::Graph;
use crate::native::path_list;
use crate::real::{Ended, Order, RealSearch};
use crate::space::{Asked, Explicit, Failure, Known, Lazy};
use crate::states::Id;
use crate::watch::{FreeMemory, Pulse, Watching, watched};

/// What to search, and how.
pub(crate) struct SearchPlan {
    algorithm: String,
    start: Id,
    heuristic: Option<usize>,
    properties: Properties,
    weight: Weight,
    depth_limit: Option<u32>,
    tie: TieBreak,
    limits: Limits,
}

/// A search that has ended, however it was made.
struct Finished {
    /// The edges of the path.
    path: Option<Vec<u32>>,
    guarantee: &'static str,
    /// Why there is neither a path nor a proof that there is none.
    why: Option<Stop>,
    /// In units of `1 / denominator`.
    lower_bound: Option<u32>,
    stats: Stats,
}

impl SearchPlan {
    pub(crate) fn new(
        algorithm: &str,
        start: Id,
        heuristic: Option<usize>,
        (admissible, consistent): (bool, bool),
        options: &Bound<'_, PyDict>,
    ) -> PyResult<Self> {
        let get = |name: &str| options.get_item(name).map(|value| value.filter(|value| !value.is_none()));
        let weight = match get("weight")? {
            None => (3, 2),
            Some(weight) => weight.extract()?,
        };
        let weight = Weight::new(weight.0, weight.1)
            .ok_or_else(|| PyValueError::new_err("expected a weight from 1 to 10000, with at most 4 decimals"))?;
        let tie = match get("tie_break")?.map(|tie| tie.extract::<String>()).transpose()?.as_deref() {
            None | Some("low-h") => TieBreak::LowH,
            Some("fifo") => TieBreak::Fifo,
            Some("lifo") => TieBreak::Lifo,
            Some(other) => {
                let message = format!("expected tie_break to be 'low-h', 'fifo' or 'lifo', found '{other}'");
                return Err(PyValueError::new_err(message));
            }
        };
        let seconds = get("time_limit")?.map(|seconds| seconds.extract::<f64>()).transpose()?;
        let time = seconds.map(|seconds| {
            Duration::try_from_secs_f64(seconds)
                .map_err(|_| PyValueError::new_err("expected a time limit of at least 0"))
        });
        let limits = Limits {
            expanded: get("node_limit")?.map(|most| most.extract()).transpose()?,
            bytes: get("memory_limit")?.map(|most| most.extract()).transpose()?,
            time: time.transpose()?,
        };
        Ok(SearchPlan {
            algorithm: algorithm.into(),
            start,
            heuristic,
            properties: Properties { admissible, consistent },
            weight,
            depth_limit: get("depth_limit")?.map(|most| most.extract()).transpose()?,
            tie,
            limits,
        })
    }

    /// Whether the search takes no notice of costs.
    fn by_moves(&self) -> bool {
        matches!(self.algorithm.as_str(), "bfs" | "dfs")
    }

    /// Carries out the plan. A search that meets a cost beyond its scale begins again with another one: what Python has
    /// answered is known by then.
    pub(crate) fn solve<'py>(
        &self,
        py: Python<'py>,
        graph: &mut Graph,
        progress: Option<&Py<PyAny>>,
    ) -> PyResult<Bound<'py, PyDict>> {
        let begin = Instant::now();
        loop {
            let denominator = graph.denominator();
            let by_library = match denominator {
                _ if self.by_moves() => self.by_library(py, graph, 1, progress)?,
                Some(denominator) => self.by_library(py, graph, denominator, progress)?,
                None => None,
            };
            let finished = match by_library {
                Some(finished) => finished,
                // The lazy search has met a cost with another denominator.
                None if graph.denominator() != denominator => continue,
                None => match self.by_floats(py, graph, begin, progress)? {
                    Some(finished) => finished,
                    None => continue,
                },
            };
            let denominator = if self.by_moves() { None } else { graph.denominator() };
            return self.dict(py, graph, &finished, denominator, begin);
        }
    }

    /// A search of the library; `None` if it cannot hold the costs.
    fn by_library(
        &self,
        py: Python<'_>,
        graph: &mut Graph,
        denominator: u64,
        progress: Option<&Py<PyAny>>,
    ) -> PyResult<Option<Finished>> {
        let backward = self.algorithm == "bidirectional";
        let has_estimates = self.heuristic.is_none_or(|at| {
            let estimates = &graph.heuristics[at].estimates;
            estimates.len() == graph.len() && !estimates.contains(&crate::graph::Estimate::Unknown)
        });
        let report = if graph.is_complete && has_estimates {
            let Some(space) = Explicit::new(graph, denominator, self.by_moves(), backward) else { return Ok(None) };
            let estimates = self.heuristic.map(|at| graph.heuristics[at].estimates.as_slice());
            let heuristic = Known::new(estimates, denominator, self.properties);
            watched(py, progress, |watch| {
                let mut search = self.begin(&space, &heuristic)?;
                Ok(run(&mut *search, &self.limits, &mut Watching(watch)))
            })?
        } else {
            let stop = Arc::new(AtomicBool::new(false));
            let space = Lazy::new(graph, denominator, self.by_moves(), Arc::clone(&stop));
            let heuristic = Asked { heuristic: self.heuristic, properties: self.properties };
            let memory = FreeMemory::new();
            let mut observer = Attached { py, stop, pulse: Pulse::new(progress), memory, failure: None };
            let report = self.begin(&space, &heuristic).map(|mut search| {
                let search = &mut *search;
                run(search, &self.limits, &mut observer)
            });
            if let Some(error) = observer.failure {
                return Err(error);
            }
            match space.into_failure() {
                Some(Failure::Python(error)) => return Err(error),
                Some(Failure::Rescale) => return Ok(None),
                None => report,
            }
        };
        let report = report.map_err(PyValueError::new_err)?;
        if matches!(report.outcome, Outcome::Stopped { why: Stop::CostOverflow, .. }) {
            return Ok(None);
        }
        Ok(Some(self.finished(report)))
    }

    fn finished(&self, Report { outcome, stats }: Report<u32>) -> Finished {
        match outcome {
            Outcome::Solved(Solution { moves, guarantee, .. }) => Finished {
                path: Some(moves),
                guarantee: self.guarantee(guarantee),
                why: None,
                lower_bound: None,
                stats,
            },
            Outcome::Unsolvable => Finished { path: None, guarantee: "proved", why: None, lower_bound: None, stats },
            Outcome::Stopped { why, lower_bound } => {
                Finished { path: None, guarantee: "none", why: Some(why), lower_bound: Some(lower_bound), stats }
            }
        }
    }

    /// What is proved. A heuristic that has not been audited proves as much as its admissibility.
    fn guarantee(&self, guarantee: Guarantee) -> &'static str {
        match (guarantee, self.algorithm.as_str()) {
            (Guarantee::Optimal, "bfs") => "fewest moves",
            (Guarantee::Optimal, _) => "optimal",
            (Guarantee::Within(_), _) => "within the weight",
            (Guarantee::None, "astar" | "idastar" | "bidirectional") => "optimal if h is admissible",
            (Guarantee::None, "astar-no-reopen") => "optimal if h is consistent",
            (Guarantee::None, "wastar") => "within the weight if h is admissible",
            (Guarantee::None, _) => "none",
        }
    }

    /// The search of a name.
    fn begin<'a, S, H>(&self, space: &'a S, heuristic: &'a H) -> Result<Box<dyn Search<S> + 'a>, String>
    where
        S: StateSpace<State = Id, Move = u32>,
        H: Heuristic<S>,
    {
        let (start, limits, tie) = (self.start, &self.limits, self.tie);
        Ok(match self.algorithm.as_str() {
            "astar" => astar(space, start, heuristic, tie, limits),
            "astar-no-reopen" => Box::new(astar_without_reopening(space, start, heuristic, tie, limits)),
            "ucs" => Box::new(ucs(space, start, tie, limits)),
            "bfs" => Box::new(bfs(space, start, limits)),
            "dfs" => Box::new(dfs(space, start, self.depth_limit, limits)),
            "greedy" => Box::new(greedy(space, start, heuristic, tie, limits)),
            "wastar" => Box::new(wastar(space, start, heuristic, self.weight, tie, limits)),
            "idastar" => idastar(space, start, heuristic, limits),
            "bidirectional" => {
                let make = FromBothEnds { start, heuristic, limits, search: None };
                let search = space.abilities(make).search;
                search.ok_or("bidirectional: the whole space must be explored first, and it exceeds the limits")?
            }
            other => return Err(format!("unknown algorithm '{other}'")),
        })
    }

    /// A search with float costs; `None` if another scale is needed.
    fn by_floats(
        &self,
        py: Python<'_>,
        graph: &mut Graph,
        begin: Instant,
        progress: Option<&Py<PyAny>>,
    ) -> PyResult<Option<Finished>> {
        let mut pulse = Pulse::new(progress);
        let denominator = graph.denominator();
        let mut tick = |stats: &Stats| pulse.beat(py, "states expanded", stats.expanded, 0);
        let weight = self.weight.numerator() as f64 / self.weight.denominator() as f64;
        let uninformed = self.algorithm == "ucs";
        let mut search = RealSearch {
            graph,
            heuristic: self.heuristic.filter(|_| !uninformed),
            denominator,
            limits: self.limits,
            begin,
            stats: Stats::default(),
            memory: FreeMemory::new(),
            tick: &mut tick,
        };
        let ended = match self.algorithm.as_str() {
            "astar" | "ucs" => search.best_first(py, self.start, Order::Weighted(1.0), true)?,
            "astar-no-reopen" => search.best_first(py, self.start, Order::Weighted(1.0), false)?,
            "wastar" => search.best_first(py, self.start, Order::Weighted(weight), true)?,
            "greedy" => search.best_first(py, self.start, Order::Greedy, false)?,
            "idastar" => search.idastar(py, self.start)?,
            other => {
                let message = format!("{other} needs positive costs that are integers or fractions; use astar");
                return Err(PyValueError::new_err(message));
            }
        };
        let stats = search.stats;
        let Properties { admissible, consistent } = self.properties;
        let guarantee = match self.algorithm.as_str() {
            "ucs" => "optimal",
            "astar" | "idastar" if admissible => "optimal",
            "astar-no-reopen" if consistent => "optimal",
            "wastar" if admissible => "within the weight",
            _ => self.guarantee(Guarantee::None),
        };
        let finished = |path, guarantee, why| Finished { path, guarantee, why, lower_bound: None, stats };
        Ok(match ended {
            Ended::Solved(path) => Some(finished(Some(path), guarantee, None)),
            // A dead end of a heuristic that is wrong proves nothing.
            Ended::Unsolvable if self.heuristic.is_some() && !uninformed && !admissible => {
                Some(finished(None, "none", Some(Stop::Unproved)))
            }
            Ended::Unsolvable => Some(finished(None, "proved", None)),
            Ended::Stopped(why) => Some(finished(None, "none", Some(why))),
            Ended::Rescale => None,
        })
    }

    fn dict<'py>(
        &self,
        py: Python<'py>,
        graph: &Graph,
        finished: &Finished,
        denominator: Option<u64>,
        begin: Instant,
    ) -> PyResult<Bound<'py, PyDict>> {
        let dict = PyDict::new(py);
        let outcome = match (&finished.path, finished.why) {
            (Some(_), _) => "solved",
            (None, Some(_)) => "stopped",
            (None, None) => "unsolvable",
        };
        dict.set_item("outcome", outcome)?;
        dict.set_item("guarantee", finished.guarantee)?;
        dict.set_item("why", finished.why.map(Stop::name))?;
        let bound = finished
            .lower_bound
            .zip(denominator)
            .map(|(bound, denominator)| crate::value::Value::ratio(bound.into(), denominator as i64).to_python(py));
        dict.set_item("lower_bound", bound.transpose()?)?;
        dict.set_item("float_costs", graph.has_float_costs())?;
        dict.set_item("start", graph.states.lend(py, self.start)?.0)?;
        if let Some(path) = &finished.path {
            dict.set_item("path", path_list(py, graph, path)?)?;
        }
        dict.set_item("seconds", begin.elapsed().as_secs_f64())?;
        let stats = &finished.stats;
        let counts = PyDict::new(py);
        counts.set_item("expanded", stats.expanded)?;
        counts.set_item("generated", stats.generated)?;
        counts.set_item("reopened", stats.reopened)?;
        counts.set_item("expanded_before_last_layer", stats.expanded_before_last_layer)?;
        counts.set_item("max_frontier", stats.max_frontier)?;
        counts.set_item("frontier_duplicates", stats.frontier_duplicates)?;
        counts.set_item("stored", stats.stored)?;
        counts.set_item("iterations", stats.iterations)?;
        counts.set_item("peak_bytes", stats.peak_bytes)?;
        dict.set_item("stats", counts)?;
        Ok(dict)
    }
}

/// Makes the search from both ends, if the space has that ability.
struct FromBothEnds<'a, 'v, S: StateSpace, H> {
    start: S::State,
    heuristic: &'a H,
    limits: &'v Limits,
    search: Option<Box<dyn Search<S> + 'a>>,
}

impl<'a, S: StateSpace, H: Heuristic<S>> AbilityVisitor<'a, S> for FromBothEnds<'a, '_, S, H> {
    fn backward(self, space: &'a S) -> Self
    where
        S: Backward,
    {
        let search = bidirectional(space, self.start.clone(), self.heuristic, &Zero, self.limits).ok();
        FromBothEnds { search: search.map(|search| Box::new(search) as Box<dyn Search<S> + 'a>), ..self }
    }
}

/// The observer of a lazy search, on the thread that is attached to Python.
struct Attached<'py, 'a> {
    py: Python<'py>,
    stop: Arc<AtomicBool>,
    pulse: Pulse<'a>,
    memory: FreeMemory,
    failure: Option<PyErr>,
}

impl Observer for Attached<'_, '_> {
    fn tick(&mut self, stats: &Stats) -> ControlFlow<Stop> {
        if let Err(error) = self.pulse.beat(self.py, "states expanded", stats.expanded, 0) {
            self.failure = Some(error);
        }
        if self.failure.is_some() || self.stop.load(Relaxed) {
            return ControlFlow::Break(Stop::Interrupted);
        }
        if self.memory.is_low() { ControlFlow::Break(Stop::Memory) } else { ControlFlow::Continue(()) }
    }

    fn flag(&self) -> Option<Arc<AtomicBool>> {
        Some(Arc::clone(&self.stop))
    }
}

/// The states at every depth from `start`, or at every distance from the goals.
pub(crate) fn layers<'py>(py: Python<'py>, graph: &Graph, start: Option<Id>) -> PyResult<Bound<'py, PyDict>> {
    const FARTHEST: usize = 100;
    let mut depths: Vec<u64> = Vec::new();
    let mut farthest: Vec<Id> = Vec::new();
    let mut rows = Vec::new();
    match start {
        Some(start) => {
            let mut seen = vec![false; graph.len()];
            seen[start as usize] = true;
            let mut layer = vec![start];
            while !layer.is_empty() {
                depths.push(layer.len() as u64);
                rows.push((rows.len().into_pyobject(py)?.into_any().unbind(), layer.len() as u64));
                let mut next = Vec::new();
                for &id in &layer {
                    for edge in graph.edges_of(id) {
                        if !std::mem::replace(&mut seen[edge.to as usize], true) {
                            next.push(edge.to);
                        }
                    }
                }
                farthest = std::mem::replace(&mut layer, next);
            }
        }
        None => {
            let scale = Scale::of(graph).map_err(|_| PyValueError::new_err("the costs do not fit"))?;
            let distances = Distances::to(graph, &scale, &Predecessors::of(graph), |id| graph.goals[id as usize]);
            let mut counts = std::collections::BTreeMap::new();
            for &key in distances.keys.iter().filter(|&&key| key != INFINITE) {
                *counts.entry(key).or_insert(0_u64) += 1;
            }
            if let Some((&most, _)) = counts.last_key_value() {
                farthest = (0..graph.len() as Id).filter(|&id| distances.keys[id as usize] == most).collect();
            }
            for (key, count) in counts {
                rows.push((scale.value(key).to_python(py)?, count));
            }
        }
    }
    let dict = PyDict::new(py);
    let shown = farthest.iter().take(FARTHEST).map(|&id| Ok(graph.states.lend(py, id)?.0));
    dict.set_item("farthest", shown.collect::<PyResult<Vec<_>>>()?)?;
    dict.set_item("farthest_states", farthest.len())?;
    dict.set_item("states", graph.len())?;
    dict.set_item("goals", graph.goals.iter().filter(|&&is_goal| is_goal).count())?;
    dict.set_item("moves", graph.edges.len())?;
    dict.set_item("depths", rows)?;
    Ok(dict)
}
