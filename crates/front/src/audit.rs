//! The audit of a puzzle's heuristics by their names: which states are looked at, on how many threads, and what came of
//! it in words and boards.

use std::collections::BTreeMap;
use std::fmt;
use std::ops::ControlFlow;
use std::sync::Mutex;

use crate::parts::{AuditPart, AuditParts, AuditScope, Sampler, Shows, for_each_part};
use crate::puzzle::{Card, HeuristicCard};
use crate::survey::ScopeError;
use admissible::Cost;
use admissible::audit::{Findings, Interrupted, Watcher};
use admissible::platform::Timestamp;
use admissible_certificate::Number;
use serde_json::{Map, Value, json};

use crate::error::PlanError;
use crate::named::Named;

/// What to audit, and how.
#[derive(Debug, Clone, Default)]
pub struct AuditPlan {
    /// The heuristics; all of the puzzle's if there are none.
    pub heuristics: Vec<String>,
    /// What to look at; the puzzle's default if there is none.
    pub scope: Option<String>,
    /// Leads to the same random instances and samples every time.
    pub seed: u64,
    /// Whether to compare every two heuristics on every state.
    pub dominance: bool,
    /// How many threads share the work.
    pub threads: usize,
}

/// Watches an audit.
pub trait AuditObserver: Watcher {
    /// Called once before the work begins, with what is looked at and how many states will be reported to
    /// [`Watcher::watch`] in all.
    fn begin(&self, _looked_at: &str, _states: u64) {}
}

impl AuditObserver for () {}

/// Why there is no audit.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum AuditError {
    /// The plan has a heuristic that is neither a name nor an expression.
    Plan(PlanError),
    /// The scope does not exist or does not fit.
    Scope(ScopeError),
    /// Somebody stopped it.
    Interrupted,
}

impl fmt::Display for AuditError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            AuditError::Plan(error) => error.fmt(f),
            AuditError::Scope(error) => write!(f, "--scope: {error}"),
            AuditError::Interrupted => f.write_str("interrupted"),
        }
    }
}

impl std::error::Error for AuditError {}

impl From<PlanError> for AuditError {
    fn from(error: PlanError) -> Self {
        AuditError::Plan(error)
    }
}

impl From<Interrupted> for AuditError {
    fn from(_: Interrupted) -> Self {
        AuditError::Interrupted
    }
}

/// A finished audit.
#[derive(Debug, Clone)]
pub struct Audit {
    /// The puzzle.
    pub puzzle: &'static str,
    /// What was looked at, in words.
    pub looked_at: String,
    /// Whether that was every state, or a sample.
    pub exhaustive: bool,
    /// A report on each heuristic.
    pub reports: Vec<AuditReport>,
    /// How the heuristics compare with each other, if that was asked for.
    pub dominance: Option<Dominance>,
    /// How long it took.
    pub seconds: f64,
}

/// What an audit found out about one heuristic. Estimates are in whole costs.
#[derive(Debug, Clone)]
pub struct AuditReport {
    /// The puzzle.
    pub puzzle: &'static str,
    /// The heuristic.
    pub heuristic: String,
    /// What its source claims, if it is one of the puzzle's.
    pub claim: Option<&'static str>,
    /// What was looked at, in words.
    pub looked_at: String,
    /// Whether that was every state, or a sample.
    pub exhaustive: bool,
    /// States looked at.
    pub states: u64,
    /// Those from which a goal can be reached.
    pub solvable: u64,
    /// Those that are goals.
    pub goals: u64,
    /// Moves looked at.
    pub edges: u64,
    /// The largest distance to a goal.
    pub farthest: Cost,
    /// States with `h` above the distance.
    pub overestimates: u64,
    /// Those of them that the heuristic calls a dead end.
    pub false_dead_ends: u64,
    /// How far `h` is above the distance at the most, dead ends not counted.
    pub worst_overestimate: f64,
    /// Moves on which `h` falls by more than they cost.
    pub inconsistent_edges: u64,
    /// By how much more, at the most.
    pub worst_fall: f64,
    /// The smallest counterexample to admissibility.
    pub overestimate: Option<OverestimateShown>,
    /// The smallest counterexample to consistency.
    pub inconsistency: Option<InconsistencyShown>,
    /// How many states have `h`, rounded up, so much above the distance.
    pub errors: Vec<(i64, u64)>,
    /// How many states have that distance and that `h`, rounded up.
    pub joint: Vec<(Cost, Cost, u64)>,
    /// The mean of `h`.
    pub mean_estimate: f64,
    /// The mean distance.
    pub mean_distance: f64,
}

/// A state on which a heuristic says too much.
#[derive(Debug, Clone)]
pub struct OverestimateShown {
    /// The board that it is a state of, as [`board_json`](crate::puzzle::Puzzle::board_json) has it.
    pub instance: Value,
    /// The state as the JSON output has it.
    pub state: Value,
    /// What the heuristic says; `None` for a dead end.
    pub h: Option<f64>,
    /// What is true.
    pub distance: Cost,
    /// A solution that proves it.
    pub actions: Vec<String>,
    /// The boards from the state to the goal, drawn.
    pub boards: Vec<String>,
}

/// A move on which a heuristic falls by more than it costs.
#[derive(Debug, Clone)]
pub struct InconsistencyShown {
    /// The board that they are states of, as [`board_json`](crate::puzzle::Puzzle::board_json) has it.
    pub instance: Value,
    /// The states before and after, as the JSON output has them.
    pub states: [Value; 2],
    /// The move.
    pub action: String,
    /// What it costs.
    pub cost: Cost,
    /// What the heuristic says before and after; `None` for a dead end.
    pub h: [Option<f64>; 2],
    /// The boards before and after, drawn.
    pub boards: [String; 2],
}

/// How heuristics compare on every state that was looked at.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Dominance {
    /// The heuristics.
    pub heuristics: Vec<String>,
    /// By the numbers of two heuristics: on how many states the first says less than the second.
    pub less: Vec<Vec<u64>>,
}

impl Dominance {
    /// Whether the first is at least as large as the second on every state.
    pub fn dominates(&self, first: usize, second: usize) -> bool {
        self.less[first][second] == 0
    }

    /// The object of `--format json`.
    pub fn json(&self) -> Value {
        json!({ "heuristics": self.heuristics, "states_where_row_is_less_than_column": self.less })
    }
}

impl AuditReport {
    /// Whether no state was found on which it says too much.
    pub fn admissible(&self) -> bool {
        self.overestimates == 0
    }

    /// Whether no move was found on which it falls too much, and it is admissible.
    pub fn consistent(&self) -> bool {
        self.admissible() && self.inconsistent_edges == 0
    }

    /// The verdict in words. A sample proves nothing but a fault.
    pub fn verdict(&self) -> String {
        match (self.exhaustive, self.admissible(), self.inconsistent_edges == 0) {
            (true, true, true) => "admissible and consistent".into(),
            (true, true, false) => "admissible, NOT consistent".into(),
            (false, true, true) => format!("sampled, no counterexample found in {}", self.states),
            (false, true, false) => "NOT consistent; no overestimate found in the sample".into(),
            (_, false, _) => "NOT admissible, NOT consistent".into(),
        }
    }

    /// The object of `--format json`.
    pub fn json(&self) -> Value {
        let mut object = Map::new();
        let mut set = |key: &str, value: Value| object.insert(key.into(), value);
        set("puzzle", self.puzzle.into());
        set("heuristic", self.heuristic.clone().into());
        set("scope", if self.exhaustive { "exhaustive" } else { "sampled" }.into());
        set("states", self.states.into());
        set("edges", self.edges.into());
        set("admissible", self.admissible().into());
        set("consistent", self.consistent().into());
        set("overestimates", self.overestimates.into());
        set("worst_overestimate", number(self.worst_overestimate));
        set("inconsistent_edges", self.inconsistent_edges.into());
        let overestimate = self.overestimate.as_ref().map(OverestimateShown::json);
        let inconsistency = self.inconsistency.as_ref().map(InconsistencyShown::json);
        set("counterexample", overestimate.or(inconsistency.clone()).unwrap_or(Value::Null));
        set("inconsistency", inconsistency.unwrap_or(Value::Null));
        set("verdict", self.verdict().into());
        set("claim", self.claim.into());
        set("looked_at", self.looked_at.clone().into());
        set("solvable", self.solvable.into());
        set("goals", self.goals.into());
        set("farthest", self.farthest.into());
        set("false_dead_ends", self.false_dead_ends.into());
        set("worst_fall", number(self.worst_fall));
        set("mean_h", number(self.mean_estimate));
        set("mean_distance", number(self.mean_distance));
        set("errors", json!(self.errors));
        Value::Object(object)
    }
}

impl OverestimateShown {
    fn json(&self) -> Value {
        json!({
            "kind": "overestimate",
            "instance": self.instance,
            "state": self.state,
            "h": self.h.map(number),
            "distance": self.distance,
            "actions": self.actions,
            "board": self.boards.first().map(|board| plain_lines(board)),
        })
    }
}

impl InconsistencyShown {
    fn json(&self) -> Value {
        json!({
            "kind": "inconsistency",
            "instance": self.instance,
            "before": self.states[0],
            "after": self.states[1],
            "action": self.action,
            "cost": self.cost,
            "h_before": self.h[0].map(number),
            "h_after": self.h[1].map(number),
            "board": plain_lines(&self.boards[0]),
        })
    }
}

/// Whole numbers as whole numbers.
fn number(value: f64) -> Value {
    if value.fract() == 0.0 && value.abs() < 1e15 { json!(value as i64) } else { json!(value) }
}

fn plain_lines(drawing: &str) -> Vec<String> {
    anstream::adapter::strip_str(drawing).to_string().lines().map(String::from).collect()
}

/// Carries out the plan on what the puzzle hands over.
pub(crate) struct Auditor<'a> {
    pub(crate) card: &'static Card,
    pub(crate) plan: &'a AuditPlan,
    pub(crate) observer: &'a dyn AuditObserver,
}

impl Auditor<'_> {
    /// The heuristics to look at, the puzzle's own if none are named.
    fn heuristics(&self) -> Result<Vec<Named>, AuditError> {
        if self.plan.heuristics.is_empty() {
            return Ok(self.card.heuristics.iter().map(|card| Named::Own(card.name.into())).collect());
        }
        let named = |name: &String| Named::parse(self.card, name).map_err(AuditError::Plan);
        self.plan.heuristics.iter().map(named).collect()
    }
}

impl Auditor<'_> {
    /// Audits what the puzzle hands over.
    pub(crate) fn audit(&self, scope: AuditScope<'_>) -> Result<Audit, AuditError> {
        match scope {
            AuditScope::Every(parts) => self.every(parts),
            AuditScope::Sample(sampler, states) => self.sample(sampler, states),
        }
    }

    fn every(&self, scope: &dyn AuditParts) -> Result<Audit, AuditError> {
        let begin = Timestamp::now();
        let heuristics = self.heuristics()?;
        let passes = 1 + heuristics.len() as u64 * (1 + u64::from(self.plan.dominance));
        self.observer.begin(&scope.title(), scope.states() * passes);
        let threads = self.plan.threads.clamp(1, 256);
        let workers = threads.min(scope.parts());
        let total = Mutex::new(Total::new(&heuristics, self.plan.dominance));
        // Parts share the threads; where there are fewer parts than threads, a part is shared by several.
        let inside = threads / workers;
        for_each_part(scope.parts(), workers, &|number| {
            let mut audited = Ok(());
            scope.part(number, &mut |part| {
                audited = self.audit_part(part, (scope.cells(number), number), inside, &heuristics, &total);
            });
            audited
        })?;
        let total = total.into_inner().expect("no worker has panicked");
        Ok(total.audit(self.card, &heuristics, scope.title(), true, begin))
    }

    fn audit_part(
        &self,
        part: &dyn AuditPart,
        place: Place,
        threads: usize,
        heuristics: &[Named],
        total: &Mutex<Total>,
    ) -> Result<(), AuditError> {
        let total = || total.lock().expect("no worker has panicked");
        let distances = part.distances(self.observer)?;
        for (at, heuristic) in heuristics.iter().enumerate() {
            let findings = part.look(heuristic, &distances, threads, self.observer)?;
            total().add(at, place, &findings, &*part.board());
        }
        if self.plan.dominance {
            for first in (0..part.size()).step_by(COMPARED_AT_ONCE) {
                let numbers = first..part.size().min(first + COMPARED_AT_ONCE);
                let ask = |heuristic: &Named| {
                    let values = part.ask(heuristic, numbers.clone())?;
                    self.count(numbers.len()).map(|()| values)
                };
                let values = heuristics.iter().map(ask).collect::<Result<Vec<Vec<f64>>, AuditError>>()?;
                total().compare(&values);
            }
        }
        Ok(())
    }

    fn sample(&self, sampler: &dyn Sampler, states: usize) -> Result<Audit, AuditError> {
        let begin = Timestamp::now();
        let mut heuristics = self.heuristics()?;
        if self.plan.heuristics.is_empty() {
            heuristics.retain(|heuristic| sampler.fits(heuristic));
        }
        let looked_at = "a sample: random walks from the goal, and the states on shortest ways from there";
        self.observer.begin(looked_at, states as u64 * (1 + heuristics.len() as u64));
        let mut total = Total::new(&heuristics, self.plan.dominance);
        sampler.sample(states, self.plan.seed, self.observer, &mut |sample| {
            let mut values = Vec::new();
            for (at, heuristic) in heuristics.iter().enumerate() {
                let (findings, says) = sample.look(heuristic)?;
                total.add(at, (0, 0), &findings, &*sample.board());
                values.push(says);
                self.count(sample.len())?;
            }
            total.compare(&values);
            Ok(())
        })?;
        Ok(total.audit(self.card, &heuristics, looked_at.into(), false, begin))
    }

    /// Tells the observer that states were looked at.
    fn count(&self, states: usize) -> Result<(), AuditError> {
        match self.observer.watch(states as u64) {
            ControlFlow::Continue(()) => Ok(()),
            ControlFlow::Break(()) => Err(AuditError::Interrupted),
        }
    }
}

/// Where a part stands among the others: the size of its board, its number.
type Place = (usize, usize);

/// States whose estimates are held at a time to be compared.
const COMPARED_AT_ONCE: usize = 1 << 20;

/// What all parts together came to.
struct Total {
    heuristics: Vec<Summary>,
    dominance: Option<Dominance>,
}

struct Summary {
    counts: Findings<()>,
    /// The smallest so far, with the size of the board, the distance and the part that make it so.
    overestimate: Option<(Rank, OverestimateShown)>,
    inconsistency: Option<(Rank, InconsistencyShown)>,
}

/// Smaller boards come first, then states nearer to the goal, then earlier parts.
type Rank = (usize, Cost, usize);

impl Total {
    fn new(heuristics: &[Named], dominance: bool) -> Self {
        // The scale is that of the first findings.
        let summary = |_| Summary { counts: Findings::new(0), overestimate: None, inconsistency: None };
        let names: Vec<String> = heuristics.iter().map(|heuristic| heuristic.text().into()).collect();
        let none = Dominance { less: vec![vec![0; names.len()]; names.len()], heuristics: names };
        Total { heuristics: (0..heuristics.len()).map(summary).collect(), dominance: dominance.then_some(none) }
    }

    fn add(&mut self, heuristic: usize, (cells, part): Place, findings: &Findings<Number>, board: &dyn Shows) {
        let summary = &mut self.heuristics[heuristic];
        summary.counts.scale = findings.scale;
        summary.counts.add_counts(findings);
        if let Some(found) = &findings.overestimate {
            let rank = (cells, found.distance, part);
            if summary.overestimate.as_ref().is_none_or(|(known, _)| rank < *known) {
                summary.overestimate = Some((rank, board.overestimate(found, findings.scale)));
            }
        }
        if let Some(found) = &findings.inconsistency {
            let rank = (cells, found.nearness(), part);
            if summary.inconsistency.as_ref().is_none_or(|(known, _)| rank < *known) {
                summary.inconsistency = Some((rank, board.inconsistency(found, findings.scale)));
            }
        }
    }

    fn compare(&mut self, values: &[Vec<f64>]) {
        let Some(dominance) = &mut self.dominance else { return };
        for (first, ours) in values.iter().enumerate() {
            for (second, theirs) in values.iter().enumerate() {
                let less = ours.iter().zip(theirs).filter(|(ours, theirs)| ours < theirs).count();
                dominance.less[first][second] += less as u64;
            }
        }
    }

    fn audit(
        self,
        card: &'static Card,
        heuristics: &[Named],
        looked_at: String,
        exhaustive: bool,
        begin: Timestamp,
    ) -> Audit {
        let report = |(heuristic, summary): (&Named, Summary)| {
            let name = heuristic.text();
            let Summary { counts, overestimate, inconsistency } = summary;
            let known: Option<&HeuristicCard> = card.heuristics.iter().find(|card| card.name == name);
            let in_costs = |units: u64| units as f64 / f64::from(counts.scale.max(1));
            let joint: BTreeMap<(Cost, Cost), u64> =
                counts.joint.iter().map(|(&place, &count)| (place, count)).collect();
            AuditReport {
                puzzle: card.name,
                heuristic: name.into(),
                claim: known.map(|card| card.claim),
                looked_at: looked_at.clone(),
                exhaustive,
                states: counts.states,
                solvable: counts.solvable,
                goals: counts.goals,
                edges: counts.edges,
                farthest: counts.farthest,
                overestimates: counts.overestimates,
                false_dead_ends: counts.false_dead_ends,
                worst_overestimate: in_costs(counts.worst_overestimate),
                inconsistent_edges: counts.inconsistent_edges,
                worst_fall: in_costs(counts.worst_fall),
                overestimate: overestimate.map(|(_, shown)| shown),
                inconsistency: inconsistency.map(|(_, shown)| shown),
                errors: counts.errors(),
                joint: joint.into_iter().map(|((distance, h), count)| (distance, h, count)).collect(),
                mean_estimate: counts.mean_estimate(),
                mean_distance: counts.mean_distance(),
            }
        };
        Audit {
            puzzle: card.name,
            reports: heuristics.iter().zip(self.heuristics).map(report).collect(),
            looked_at,
            exhaustive,
            dominance: self.dominance,
            seconds: begin.elapsed().as_secs_f64(),
        }
    }
}
