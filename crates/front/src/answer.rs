//! The answer to a plan as plain data: text and numbers.

use crate::counting::CountingRule;
use crate::puzzle::Illegal;
use admissible::search::{Guarantee, Stats, Stop};
use serde_json::{Map, Value, json};

/// A finished search with its types erased.
#[derive(Debug, Clone)]
pub struct Answer {
    /// The puzzle.
    pub puzzle: &'static str,
    /// The algorithm that ran.
    pub algorithm: &'static str,
    /// The heuristic that it used; `zero` for uninformed algorithms.
    pub heuristic: String,
    /// The counting rule of the statistics; `None` for that of the literature.
    pub counting: Option<&'static CountingRule>,
    /// Why the puzzle's advice chose algorithm and heuristic, if the plan named neither and there is a solution.
    pub chosen: Option<&'static str>,
    /// The unit of the cost.
    pub unit: &'static str,
    /// Notes for the user, such as why an atlas was not used.
    pub notes: Vec<String>,
    /// The handover to another algorithm, if one took place.
    pub handover: Option<Handover>,
    /// The best solution found, not proved optimal, if the search was stopped after it found one.
    pub best: Option<SolvedAnswer>,
    /// How the search ended.
    pub outcome: AnswerOutcome,
    /// The statistics of the search.
    pub stats: Stats,
    /// The most successors of an expanded state, if the plan asks for it and the search kept its expanded states.
    pub largest_branching: Option<u32>,
    /// The move limit of the plan.
    pub move_limit: Option<u32>,
    /// The time in seconds.
    pub seconds: f64,
    /// The drawing of the start; empty unless the plan asks for drawings.
    pub start: String,
}

/// A search ran out of memory, and another algorithm continued from its lower bound.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Handover {
    /// The algorithm that began.
    pub from: &'static str,
    /// The algorithm that continued.
    pub to: &'static str,
    /// The lower bound on the cost of every solution at the handover.
    pub lower_bound: u32,
    /// The states expanded before the handover.
    pub expanded: u64,
}

/// How a search ended.
#[derive(Debug, Clone)]
pub enum AnswerOutcome {
    /// With a solution that the referee has replayed.
    Solved(SolvedAnswer),
    /// With a proof that there is no solution.
    Unsolvable {
        /// How the puzzle knew it without a search; `None` if a search proved it.
        at_once: Option<&'static str>,
    },
    /// With neither.
    Stopped {
        /// Why it stopped.
        why: Stop,
        /// Every solution costs at least this much.
        lower_bound: u32,
    },
}

/// A solution as text.
#[derive(Debug, Clone)]
pub struct SolvedAnswer {
    /// The cost.
    pub cost: u32,
    /// The proven quality of the cost.
    pub guarantee: Guarantee,
    /// The actions.
    pub actions: Vec<String>,
    /// The states from start to goal.
    pub states: Vec<Value>,
    /// Further numbers about the solution, by name.
    pub extras: Vec<(&'static str, u64)>,
    /// The drawn states, first to last.
    pub boards: Vec<String>,
    /// The whole solution in one picture, if the plan asks for it and the puzzle can draw it.
    pub picture: Option<String>,
}

impl Answer {
    /// The actions of the solution; none if there is no solution.
    pub fn actions(&self) -> &[String] {
        match &self.outcome {
            AnswerOutcome::Solved(solved) => &solved.actions,
            _ => &[],
        }
    }

    /// The object of `--format json`.
    pub fn json(&self, file: &str) -> Value {
        let mut object = Map::new();
        let mut set = |key: &str, value: Value| object.insert(key.into(), value);
        set("puzzle", self.puzzle.into());
        set("file", file.into());
        set("algorithm", self.algorithm.into());
        set("heuristic", self.heuristic.clone().into());
        if let Some(rule) = self.counting {
            set("counting", rule.name.into());
        }
        if self.unit != "step" {
            set("metric", format!("{}s", self.unit).into());
        }
        if let Some(limit) = self.move_limit {
            set("move_limit", limit.into());
        }
        match &self.outcome {
            AnswerOutcome::Solved(solved) => {
                set("outcome", "solved".into());
                set("cost", solved.cost.into());
                set("guarantee", guarantee_text(solved.guarantee).into());
                for &(name, value) in &solved.extras {
                    set(name, value.into());
                }
                set("actions", json!(solved.actions));
                set("states", json!(solved.states));
            }
            AnswerOutcome::Unsolvable { .. } => {
                set("outcome", "unsolvable".into());
                set("cost", Value::Null);
            }
            AnswerOutcome::Stopped { why, lower_bound } => {
                set("outcome", "stopped".into());
                set("cost", Value::Null);
                set("why", why.name().into());
                set("lower_bound", (*lower_bound).into());
                if let Some(best) = &self.best {
                    set("best", json!({ "cost": best.cost, "actions": best.actions }));
                }
            }
        }
        if let Some(Handover { from, to, lower_bound, expanded }) = self.handover {
            let handover = json!({
                "from": from, "to": to, "why": Stop::Memory.name(), "lower_bound": lower_bound, "expanded": expanded,
            });
            set("handover", handover);
        }
        let stats = &self.stats;
        if stats.threads > 1 {
            set("threads", stats.threads.into());
        }
        let mut counts = json!({
            "expanded": stats.expanded,
            "generated": stats.generated,
            "reopened": stats.reopened,
            "expanded_before_last_layer": stats.expanded_before_last_layer,
            "max_frontier": stats.max_frontier,
            "stored": stats.stored,
            "iterations": stats.iterations,
            "seconds": self.seconds,
            "peak_bytes": stats.peak_bytes,
        });
        mark_duplicates(stats, &mut counts);
        set("stats", counts);
        Value::Object(object)
    }
}

/// Adds to the JSON of statistics whether the open list may have held a state several times.
pub fn mark_duplicates(stats: &Stats, counts: &mut Value) {
    if stats.frontier_duplicates {
        counts["frontier_duplicates"] = true.into();
    }
}

/// A guarantee as text.
pub(crate) fn guarantee_text(guarantee: Guarantee) -> String {
    match guarantee {
        Guarantee::Optimal => "optimal".into(),
        Guarantee::Within(weight) => {
            format!("within {}", weight.numerator() as f64 / weight.denominator() as f64)
        }
        Guarantee::None => "none".into(),
    }
}

impl SolvedAnswer {
    /// The guarantee as text: `optimal`, `within` a factor, or `none`.
    pub fn guarantee_text(&self) -> String {
        guarantee_text(self.guarantee)
    }
}

/// The judgement on a submitted solution, by the referee and by our own search.
#[derive(Debug, Clone)]
pub struct Verdict {
    /// The cost of the submitted solution; `None` if it claims that there is no solution.
    pub claimed: Option<u32>,
    /// The first error in it.
    pub illegal: Option<Illegal>,
    /// The move limit, if the solution is legal and costs more.
    pub too_long: Option<u32>,
    /// Whether the instance is known to be solvable without a search.
    pub solvable: bool,
    /// Our own answer, if the submission needed a search to judge it.
    pub ours: Option<Answer>,
}

impl Verdict {
    /// Whether every action is legal, the last one reaches the goal and the move limit is kept or, for a claim of
    /// unsolvability, whether the claim is true; `None` if undecided.
    pub fn holds(&self) -> Option<bool> {
        match (&self.illegal, self.claimed, self.ours.as_ref().map(|answer| &answer.outcome)) {
            _ if self.too_long.is_some() => Some(false),
            (Some(_), ..) | (None, None, Some(AnswerOutcome::Solved(_))) => Some(false),
            (None, Some(_), _) | (None, None, Some(AnswerOutcome::Unsolvable { .. })) => Some(true),
            (None, None, _) if self.solvable => Some(false),
            (None, None, _) => None,
        }
    }

    /// Whether the solution is proved optimal (true), proved not optimal (false), or neither.
    pub fn is_shortest(&self) -> Option<bool> {
        let claimed = self.claimed.filter(|_| self.illegal.is_none())?;
        match &self.ours.as_ref()?.outcome {
            AnswerOutcome::Solved(ours) if ours.guarantee == Guarantee::Optimal => Some(claimed == ours.cost),
            AnswerOutcome::Solved(ours) if ours.cost < claimed => Some(false),
            AnswerOutcome::Stopped { lower_bound, .. } if *lower_bound >= claimed => Some(true),
            _ => None,
        }
    }

    /// The object of `--format json`.
    pub fn json(&self, file: &str) -> Value {
        let ours = self.ours.as_ref().map(|answer| &answer.outcome);
        let optimum = match ours {
            Some(AnswerOutcome::Solved(solved)) if solved.guarantee == Guarantee::Optimal => json!(solved.cost),
            _ => Value::Null,
        };
        let too_long = self.too_long.map(|limit| format!("it exceeds the limit of {limit}"));
        json!({
            "file": file,
            "claim": if self.claimed.is_some() { "solved" } else { "unsolvable" },
            "cost": self.claimed,
            "holds": self.holds(),
            "step": self.illegal.as_ref().map(|illegal| illegal.step),
            "why": self.illegal.as_ref().map(|illegal| illegal.reason.clone()).or(too_long),
            "shortest": self.is_shortest(),
            "optimal_cost": optimum,
        })
    }
}
