//! `explain`: the value of every heuristic at one state with its rule and its parts, and the true distance beside it.

use admissible::search::{Guarantee, Observer, Stop};
use admissible::{Estimate, Heuristic as _};
use serde_json::{Value, json};

use crate::answer::AnswerOutcome;
use crate::error::PlanError;
use crate::heuristic_spec::HeuristicSpec;
use crate::instance::InstanceHeuristic;
use crate::plan::{Drawing, Plan};
use crate::puzzle::{Puzzle, ZERO_CARD};
use crate::task::Task;

/// Why a heuristic has its value at a state. The values of the parts add up to the estimate.
#[derive(Debug, Clone, PartialEq)]
pub struct Explanation {
    /// The rule that applies, in words.
    pub rule: String,
    /// The summands.
    pub parts: Vec<Part>,
}

impl Explanation {
    /// A rule with its summands.
    pub fn new(rule: impl Into<String>, parts: impl IntoIterator<Item = Part>) -> Self {
        Explanation { rule: rule.into(), parts: parts.into_iter().collect() }
    }

    /// The sum of the parts; infinite for a dead end.
    pub fn total(&self) -> f64 {
        self.parts.iter().map(|part| part.value).sum()
    }
}

/// A summand of an estimate.
#[derive(Debug, Clone, PartialEq)]
pub struct Part {
    /// What it stands for.
    pub what: String,
    /// Its value in units of cost; infinite if it makes the state a dead end.
    pub value: f64,
}

impl Part {
    /// A summand.
    pub fn new(what: impl Into<String>, value: impl Into<f64>) -> Self {
        Part { what: what.into(), value: value.into() }
    }

    /// The value for people: `infinity`, or with at most three decimals.
    pub fn value_text(&self) -> String {
        number_text(self.value)
    }
}

/// Checks that the parts of an explanation add up to the estimate of the heuristic. Call it from the tests of your
/// puzzle.
///
/// # Panics
/// If they do not, or the heuristic is unknown, or has no explanation.
pub fn check_explanation<P: Puzzle>(puzzle: &P, heuristic: &str, state: &P::State) {
    let explanation = puzzle.explain(heuristic, state).unwrap_or_else(|| panic!("{heuristic} has an explanation"));
    let erased = puzzle.heuristic(heuristic).unwrap_or_else(|| panic!("{heuristic} is a heuristic"));
    let h = erased.evaluate(puzzle, state).in_costs(erased.scale()).unwrap_or(f64::INFINITY);
    let json = puzzle.state_json(state);
    assert!(!explanation.rule.is_empty(), "{heuristic} names a rule");
    let total = explanation.total();
    assert!(total == h || (total - h).abs() < 1e-4, "{heuristic} of {json} is {h}, its parts: {explanation:?}");
}

/// A heuristic at one state.
#[derive(Debug, Clone)]
pub struct ExplainedHeuristic {
    /// Its name, or an expression.
    pub heuristic: String,
    /// Its value; `None` for a dead end.
    pub h: Option<f64>,
    /// The rule that applies, and its parts.
    pub explanation: Explanation,
    /// `(h* - h) / h*`; `None` if the distance is unknown, infinite or 0.
    pub relative_error: Option<f64>,
    /// Whether `h <= h*`; `None` if the search could not decide it.
    pub admissible: Option<bool>,
    /// The move by which the value falls most beyond the cost of the move, if there is one.
    pub inconsistent: Option<Inconsistency>,
}

/// A move that lets the value of a heuristic fall by more than the cost of the move.
#[derive(Debug, Clone)]
pub struct Inconsistency {
    /// The move.
    pub action: String,
    /// The cost of the move.
    pub cost: u32,
    /// The value after it.
    pub h: f64,
    /// The state after it, as in the JSON output.
    pub state: Value,
}

/// The distance of a state from the nearest goal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Distance {
    /// Proved.
    Exactly(u32),
    /// No goal can be reached: proved.
    Unsolvable,
    /// The search was stopped.
    Between {
        /// Why it was stopped.
        why: Stop,
        /// The proved lower bound.
        least: u32,
        /// The cost of the best solution, if one was found.
        most: Option<u32>,
    },
}

impl Distance {
    /// Whether an estimate is at most the distance; `None` if undecided.
    fn is_at_least(self, h: Estimate, scale: u32) -> Option<bool> {
        let is_at_most =
            |cost: u32| h.units().is_some_and(|units| u64::from(units) <= u64::from(cost) * u64::from(scale));
        match self {
            Distance::Unsolvable => Some(true),
            Distance::Exactly(distance) => Some(is_at_most(distance)),
            Distance::Between { least, .. } if is_at_most(least) => Some(true),
            Distance::Between { most: Some(most), .. } if !is_at_most(most) => Some(false),
            Distance::Between { .. } => None,
        }
    }
}

/// The start of an instance, explained.
#[derive(Debug, Clone)]
pub struct Explained {
    /// The puzzle's name.
    pub puzzle: &'static str,
    /// The unit of the cost.
    pub unit: &'static str,
    /// The state as in the JSON output.
    pub state: Value,
    /// The distance to the nearest goal.
    pub distance: Distance,
    /// The algorithm and the heuristic that found the distance.
    pub found_by: (&'static str, String),
    /// The heuristics.
    pub heuristics: Vec<ExplainedHeuristic>,
    /// The heuristics without a value, each with the reason.
    pub missing: Vec<(String, String)>,
}

impl Task {
    /// Explains the start by some heuristics, or by every heuristic of the puzzle that the instance supports. The
    /// search for the distance and the building of tables stay within the limits of the plan.
    ///
    /// # Errors
    /// If a heuristic is unknown, or the instance does not support it, or the plan cannot be carried out.
    pub fn explain(
        &self,
        heuristics: Option<&[String]>,
        plan: &Plan,
        observer: &mut dyn Observer,
    ) -> Result<Explained, PlanError> {
        let card = self.card();
        let mut missing = Vec::new();
        let named: Vec<String> = match heuristics {
            Some(named) => named.to_vec(),
            None => {
                let all = card.heuristics.iter().map(|card| card.name.to_string());
                all.filter(|name| match self.instance.lacks(name) {
                    Some(why) => {
                        missing.push((name.clone(), why));
                        false
                    }
                    None => true,
                })
                .collect()
            }
        };
        // Refuses unknown names before the search.
        for name in &named {
            HeuristicSpec::parse(card, name)?.fits(&|name| self.instance.lacks(name))?;
        }
        let answer = self.solve(&Plan { drawing: Drawing::Nothing, ..plan.clone() }, observer, None)?;
        let distance = match &answer.outcome {
            AnswerOutcome::Solved(solved) if solved.guarantee == Guarantee::Optimal => Distance::Exactly(solved.cost),
            AnswerOutcome::Solved(solved) => {
                Distance::Between { why: Stop::Unproved, least: 0, most: Some(solved.cost) }
            }
            AnswerOutcome::Unsolvable { .. } => Distance::Unsolvable,
            &AnswerOutcome::Stopped { why, lower_bound: least } => {
                Distance::Between { why, least, most: answer.best.as_ref().map(|best| best.cost) }
            }
        };
        let mut explained = Vec::new();
        for name in named {
            let spec = HeuristicSpec::parse(card, &name)?;
            let bytes = self.instance.tables(spec.text()).peak;
            if plan.limits.bytes.is_some_and(|most| most < bytes) {
                missing.push((name, format!("its tables take {} MiB, more than the limit", bytes.div_ceil(1 << 20))));
            } else if let Err(why) = self.prepare(spec.text(), plan.limits.time, observer, &mut || ()) {
                missing.push((name, format!("the building of its tables was stopped {}", why.phrase())));
            } else {
                explained.push(self.explain_one(&spec, distance)?);
            }
        }
        Ok(Explained {
            puzzle: card.name,
            unit: self.instance.unit(),
            state: self.instance.state_json(self.instance.start()),
            distance,
            found_by: (answer.algorithm, answer.heuristic),
            heuristics: explained,
            missing,
        })
    }

    fn explain_one(&self, spec: &HeuristicSpec, distance: Distance) -> Result<ExplainedHeuristic, PlanError> {
        let heuristic = self.instance.heuristic(spec)?;
        let (estimate, scale) = (heuristic.h(self.instance.start()), heuristic.scale());
        let h = estimate.in_costs(scale);
        let explanation = match spec {
            HeuristicSpec::Named(name) => self.explanation(name).unwrap_or_else(|| {
                let card = self.card().heuristics.iter().find(|card| name.split(':').next() == Some(card.name));
                Explanation::new(card.map_or("", |card| card.summary), [])
            }),
            HeuristicSpec::Expression { text, .. } => Explanation::new(format!("the expression {text}"), []),
        };
        let relative_error = match (distance, h) {
            (Distance::Exactly(distance @ 1..), Some(h)) => Some((f64::from(distance) - h) / f64::from(distance)),
            _ => None,
        };
        Ok(ExplainedHeuristic {
            heuristic: spec.text().into(),
            h,
            explanation,
            relative_error,
            admissible: distance.is_at_least(estimate, scale),
            inconsistent: self.inconsistency(&*heuristic, estimate),
        })
    }

    /// The puzzle's explanation of a heuristic at the start. The blind heuristic needs none.
    fn explanation(&self, name: &str) -> Option<Explanation> {
        let instance = &*self.instance;
        (name != ZERO_CARD.name).then(|| instance.explain(name, instance.start())).flatten()
    }

    /// The move from the start by which the estimate falls most beyond its cost.
    fn inconsistency(&self, heuristic: &dyn InstanceHeuristic, estimate: Estimate) -> Option<Inconsistency> {
        let (instance, start) = (&*self.instance, self.instance.start());
        let scale = u64::from(heuristic.scale());
        // A dead end counts more than every value that leads on.
        let h = estimate.units().map_or(u64::MAX, u64::from);
        let mut worst: Option<(u64, Inconsistency)> = None;
        for m in 0..instance.count_moves(start) {
            let (after, cost) = instance.after(start, m);
            let Some(units) = heuristic.h(after).units().map(u64::from) else { continue };
            let excess = h.saturating_sub(units + u64::from(cost) * scale);
            if excess > worst.as_ref().map_or(0, |(worst, _)| *worst) {
                let h = units as f64 / scale as f64;
                let (action, state) = (instance.move_name(start, m), instance.state_json(after));
                worst = Some((excess, Inconsistency { action, cost, h, state }));
            }
        }
        worst.map(|(_, found)| found)
    }
}

impl Explained {
    /// The object of `--format json`. Infinite values are `null`.
    pub fn json(&self) -> Value {
        let (distance, why, bounds) = match self.distance {
            Distance::Exactly(distance) => (json!(distance), "proved", Value::Null),
            Distance::Unsolvable => (Value::Null, "unsolvable", Value::Null),
            Distance::Between { why, least, most } => {
                (Value::Null, why.name(), json!({ "lower_bound": least, "upper_bound": most }))
            }
        };
        let heuristics: Vec<Value> = self.heuristics.iter().map(ExplainedHeuristic::json).collect();
        let missing = self.missing.iter().map(|(name, why)| json!({ "heuristic": name, "why": why }));
        json!({
            "puzzle": self.puzzle,
            "state": self.state,
            "distance": distance,
            "distance_is": why,
            "bounds": bounds,
            "unit": self.unit,
            "algorithm": self.found_by.0,
            "heuristics": heuristics,
            "missing": missing.collect::<Vec<Value>>(),
        })
    }
}

impl ExplainedHeuristic {
    /// The value for people: `infinity` for a dead end, else with at most three decimals.
    pub fn h_text(&self) -> String {
        number_text(self.h.unwrap_or(f64::INFINITY))
    }

    fn json(&self) -> Value {
        let parts = self.explanation.parts.iter();
        let parts = parts.map(|part| json!({ "what": part.what, "value": number(part.value) }));
        let inconsistent = self.inconsistent.as_ref().map(
            |found| json!({ "action": found.action, "cost": found.cost, "h": number(found.h), "state": found.state }),
        );
        json!({
            "heuristic": self.heuristic,
            "h": self.h.map(number),
            "dead_end": self.h.is_none(),
            "rule": self.explanation.rule,
            "parts": parts.collect::<Vec<Value>>(),
            "relative_error": self.relative_error,
            "admissible_here": self.admissible,
            "consistent_here": self.inconsistent.is_none(),
            "inconsistent_successor": inconsistent,
        })
    }
}

/// A number as JSON, an integer if it is whole.
pub(crate) fn number(value: f64) -> Value {
    if value.fract() == 0.0 && value.abs() < 9e15 { json!(value as i64) } else { json!(value) }
}

/// A number for people: `infinity`, or with at most three decimals.
fn number_text(value: f64) -> String {
    if value.is_infinite() {
        return "infinity".into();
    }
    let rounded = format!("{value:.3}");
    rounded.trim_end_matches('0').trim_end_matches('.').into()
}
