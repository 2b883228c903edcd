//! One search of an experiment as plain figures, without its solution.

use admissible_front::{
    AlgorithmCard, Answer, AnswerOutcome, BranchingBound, CountingRule, Observer, Plan, PlanError, Stats, Stop, Task,
    mark_duplicates,
};
use serde_json::{Map, Value, json};

use crate::numbers::effective_branching;

/// An algorithm, and a heuristic if it is guided.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Combination {
    /// The algorithm's name.
    pub algorithm: &'static str,
    /// The name or expression of the heuristic; `None` for unguided algorithms.
    pub heuristic: Option<String>,
}

impl Combination {
    /// Every guided algorithm with every heuristic, and each of the others once.
    pub fn all(algorithms: &[&'static AlgorithmCard], heuristics: &[String]) -> Vec<Self> {
        let with = |algorithm: &'static AlgorithmCard, heuristic| Combination { algorithm: algorithm.name, heuristic };
        let of = |&algorithm: &&'static AlgorithmCard| -> Vec<Combination> {
            if algorithm.guided {
                heuristics.iter().map(|heuristic| with(algorithm, Some(heuristic.clone()))).collect()
            } else {
                vec![with(algorithm, None)]
            }
        };
        algorithms.iter().flat_map(of).collect()
    }

    /// Both names.
    pub fn title(&self) -> String {
        match &self.heuristic {
            Some(heuristic) => format!("{} {heuristic}", self.algorithm),
            None => self.algorithm.to_string(),
        }
    }

    /// A name for each combination, without the algorithm if all have the same one.
    pub fn names(combinations: &[&Combination]) -> Vec<String> {
        let same = combinations.windows(2).all(|pair| pair[0].algorithm == pair[1].algorithm);
        let name = |combination: &&Combination| match &combination.heuristic {
            Some(heuristic) if same => heuristic.clone(),
            _ => combination.title(),
        };
        combinations.iter().map(name).collect()
    }

    /// The plan with this algorithm and heuristic.
    pub(crate) fn plan(&self, plan: &Plan) -> Plan {
        let (algorithm, heuristic) = (Some(self.algorithm.to_string()), self.heuristic.clone());
        Plan { algorithm, heuristic, finds_branching: true, ..plan.clone() }
    }

    /// Runs it on an instance, with the limits and tie-breaking of a plan.
    ///
    /// # Errors
    /// If a name is unknown, or the referee refuses the solution. A space that cannot be searched backward is an
    /// outcome, not an error.
    pub fn run(&self, task: &Task, plan: &Plan, observer: &mut dyn Observer) -> Result<Run, PlanError> {
        match task.solve(&self.plan(plan), observer, None) {
            Ok(answer) => {
                let mut run = Run::new(self.clone(), answer);
                run.branching_bound = task.branching_bound();
                // After the run, which builds the tables and can be stopped.
                if let (Some(heuristic), false) = (&self.heuristic, run.stopped_in_preparation()) {
                    run.h_start = task.estimate(heuristic)?;
                }
                Ok(run)
            }
            Err(error @ PlanError::NotBackward(_)) => Ok(Run {
                combination: self.clone(),
                counting: None,
                outcome: Outcome::Impossible(error.to_string()),
                stats: Stats::default(),
                seconds: 0.0,
                h_start: None,
                largest_branching: None,
                branching_bound: None,
            }),
            Err(error) => Err(error),
        }
    }
}

/// A finished search.
#[derive(Debug, Clone)]
pub struct Run {
    /// The algorithm and heuristic.
    pub combination: Combination,
    /// The counting rule; `None` for that of the literature.
    pub counting: Option<&'static CountingRule>,
    /// The outcome.
    pub outcome: Outcome,
    /// The counters of the search.
    pub stats: Stats,
    /// The wall time.
    pub seconds: f64,
    /// The estimate of the start, in units of cost; `None` without a heuristic, and for a dead end.
    pub h_start: Option<f64>,
    /// The most successors of an expanded state; `None` for algorithms that do not keep those states.
    pub largest_branching: Option<u32>,
    /// A published bound on the successors of every state, if the puzzle has one.
    pub branching_bound: Option<BranchingBound>,
}

/// The outcome of a run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    /// It found a solution.
    Solved {
        /// Its cost.
        cost: u32,
        /// The proved quality: `optimal`, `within` a factor, or `none`.
        guarantee: String,
    },
    /// It proved that no solution exists.
    Unsolvable,
    /// It was stopped before either.
    Stopped {
        /// What stopped it.
        why: Stop,
        /// A lower bound on the cost of every solution.
        lower_bound: u32,
    },
    /// It could not start, for this reason.
    Impossible(String),
}

impl Run {
    fn new(combination: Combination, answer: Answer) -> Self {
        let outcome = match answer.outcome {
            AnswerOutcome::Solved(solved) => Outcome::Solved { cost: solved.cost, guarantee: solved.guarantee_text() },
            AnswerOutcome::Unsolvable { .. } => Outcome::Unsolvable,
            AnswerOutcome::Stopped { why, lower_bound } => Outcome::Stopped { why, lower_bound },
        };
        Run {
            combination,
            counting: answer.counting,
            outcome,
            stats: answer.stats,
            seconds: answer.seconds,
            h_start: None,
            largest_branching: answer.largest_branching,
            branching_bound: None,
        }
    }

    /// The cost of the solution.
    pub fn cost(&self) -> Option<u32> {
        match self.outcome {
            Outcome::Solved { cost, .. } => Some(cost),
            _ => None,
        }
    }

    /// The cost of the solution, if this run proves it optimal.
    pub fn proved_optimum(&self) -> Option<u32> {
        match &self.outcome {
            Outcome::Solved { cost, guarantee } if guarantee == "optimal" => Some(*cost),
            _ => None,
        }
    }

    /// Expanded states and the goal, as reports count them.
    pub fn visited(&self) -> u64 {
        self.stats.expanded + u64::from(self.cost().is_some())
    }

    /// The effective branching factor, if it found a solution.
    pub fn effective_branching(&self) -> Option<f64> {
        effective_branching(self.stats.generated, self.cost()?)
    }

    /// The mean number of successors of an expanded state.
    pub fn mean_branching(&self) -> Option<f64> {
        (self.stats.expanded > 0).then(|| self.stats.generated as f64 / self.stats.expanded as f64)
    }

    /// The relative error `(h* - h) / h*` at the start, given the cost `h*` of a cheapest solution.
    pub fn relative_error(&self, optimum: Option<u32>) -> Option<f64> {
        let optimum = f64::from(optimum.filter(|&cost| cost > 0)?);
        Some((optimum - self.h_start?) / optimum)
    }

    /// Whether it was stopped before it expanded a state, perhaps while tables were built.
    fn stopped_in_preparation(&self) -> bool {
        matches!(self.outcome, Outcome::Stopped { .. }) && self.stats.expanded == 0
    }

    /// Whether the user stopped it.
    pub fn interrupted(&self) -> bool {
        matches!(self.outcome, Outcome::Stopped { why: Stop::Interrupted, .. })
    }

    /// Whether a limit stopped it.
    pub fn stopped(&self) -> bool {
        matches!(self.outcome, Outcome::Stopped { .. }) && !self.interrupted()
    }

    /// The name of the outcome in JSON, as `solve` prints it.
    pub fn outcome_name(&self) -> &'static str {
        match self.outcome {
            Outcome::Solved { .. } => "solved",
            Outcome::Unsolvable => "unsolvable",
            Outcome::Stopped { .. } => "stopped",
            Outcome::Impossible(_) => "impossible",
        }
    }

    /// The fields of the JSON output, with the keys of `solve`.
    pub fn json(&self) -> Map<String, Value> {
        let mut object = Map::new();
        let mut set = |key: &str, value: Value| object.insert(key.into(), value);
        set("algorithm", self.combination.algorithm.into());
        set("heuristic", json!(self.combination.heuristic));
        if let Some(rule) = self.counting {
            set("counting", rule.name.into());
        }
        set("outcome", self.outcome_name().into());
        set("cost", json!(self.cost()));
        match &self.outcome {
            Outcome::Solved { guarantee, .. } => {
                set("guarantee", guarantee.clone().into());
            }
            Outcome::Unsolvable => {}
            Outcome::Stopped { why, lower_bound } => {
                set("why", why.name().into());
                set("lower_bound", (*lower_bound).into());
            }
            Outcome::Impossible(why) => {
                set("why", why.clone().into());
            }
        }
        set("effective_branching", json!(self.effective_branching()));
        set("h_start", json!(self.h_start));
        set("largest_branching", json!(self.largest_branching));
        if let Some(BranchingBound { formula, value }) = self.branching_bound {
            set("branching_bound", json!({ "formula": formula, "value": value }));
        }
        let stats = &self.stats;
        let mut counts = json!({
            "expanded": stats.expanded,
            "generated": stats.generated,
            "visited": self.visited(),
            "reopened": stats.reopened,
            "expanded_before_last_layer": stats.expanded_before_last_layer,
            "max_frontier": stats.max_frontier,
            "stored": stats.stored,
            "seconds": self.seconds,
            "peak_bytes": stats.peak_bytes,
        });
        mark_duplicates(stats, &mut counts);
        set("stats", counts);
        object
    }
}

/// Observes an experiment of many runs.
pub trait Watch: Observer {
    /// Called before each run with its number from 0, the number of runs and a title; `false` interrupts the rest.
    fn begin(&mut self, at: usize, of: usize, title: &str) -> bool;
}

/// Observes nothing.
impl Watch for () {
    fn begin(&mut self, _at: usize, _of: usize, _title: &str) -> bool {
        true
    }
}
