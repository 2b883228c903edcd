//! The audit of a puzzle's heuristics by name. It divides a scope among threads, audits every part or a sample, and
//! sums the findings up in a report.

mod report;

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::Mutex;

use admissible::Cost;
use admissible::audit::{Distances, Findings, Interrupted, Watcher};
use admissible::explore::ReachError;
use admissible::platform::{Timestamp, for_each};
use admissible_certificate::Number;
use thiserror::Error;

use crate::error::PlanError;
use crate::explore::count_shown;
use crate::heuristic_spec::HeuristicSpec;
use crate::instance::Instance;
use crate::part::ErasedPart;
use crate::puzzle::{Card, HeuristicCard};
use crate::sample::{Sampled, sample};
use crate::scope::{Scope, ScopeError, ScopeObserver, ScopePart, ScopeStates};
pub use report::{Audit, AuditReport, Dominance, InconsistencyShown, OverestimateShown, StateShown, Zeros};

/// The heuristics and the states to audit.
#[derive(Debug, Clone, Default)]
pub struct AuditPlan {
    /// The heuristics; all of the puzzle's if empty.
    pub heuristics: Vec<String>,
    /// The scope; the puzzle's default if `None`.
    pub scope: Option<String>,
    /// The seed of random instances and samples.
    pub seed: u64,
    /// Whether to compare every two heuristics on every state.
    pub dominance: bool,
    /// The number of threads.
    pub threads: usize,
}

/// Why there is no audit.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum AuditError {
    /// The plan has a heuristic that is neither a name nor an expression.
    #[error(transparent)]
    Plan(#[from] PlanError),
    /// The scope does not exist or does not fit.
    #[error("--scope: {0}")]
    Scope(ScopeError),
    /// A part of the scope has at least this many states: too many to audit them all.
    #[error("--scope: {} states or more are too many: choose fewer, or sample:N for a file", count_shown(*.0))]
    TooMany(u128),
    /// The observer stopped it.
    #[error("interrupted")]
    Interrupted,
}

/// The most states of a part: its distances take 4 bytes a state.
const MAX_RANKED: u128 = 30_000_000;
/// The most bytes for a list of reachable states, enough for about as many states.
const MAX_REACHED_BYTES: u64 = 2 << 30;
/// The number of states of a sample.
const SAMPLE_STATES: usize = 5_000;

impl From<Interrupted> for AuditError {
    fn from(_: Interrupted) -> Self {
        AuditError::Interrupted
    }
}

/// Carries out an [`AuditPlan`] on a scope of a puzzle.
pub(crate) struct Auditor<'a> {
    pub(crate) card: &'static Card,
    pub(crate) plan: &'a AuditPlan,
    pub(crate) observer: &'a dyn ScopeObserver,
}

impl Auditor<'_> {
    /// The heuristics to audit, the puzzle's own if the plan names none.
    fn heuristics(&self) -> Result<Vec<HeuristicSpec>, AuditError> {
        if self.plan.heuristics.is_empty() {
            return Ok(self.card.heuristics.iter().map(|card| HeuristicSpec::Named(card.name.into())).collect());
        }
        let parse = |name: &String| HeuristicSpec::parse(self.card, name).map_err(AuditError::Plan);
        self.plan.heuristics.iter().map(parse).collect()
    }

    /// Audits a scope. If its states are too many, audits a sample of the states of `instance`, if one is given.
    pub(crate) fn audit(&self, scope: &Scope<'_>, instance: Option<&dyn Instance>) -> Result<Audit, AuditError> {
        let begin = Timestamp::now();
        let heuristics = self.heuristics()?;
        let listed;
        let parts = match &scope.states {
            ScopeStates::Ranked(parts) => parts,
            ScopeStates::Reachable(reachable) => {
                match reachable.list(Some(MAX_REACHED_BYTES), &StopOnly(self.observer)) {
                    Ok(part) => listed = [ScopePart::listed(part)],
                    Err(ReachError::Interrupted) => return Err(AuditError::Interrupted),
                    Err(ReachError::TooLarge { states, .. }) => return self.too_many(states.into(), instance),
                }
                &listed[..]
            }
        };
        if let Some(part) = parts.iter().find(|part| part.states > MAX_RANKED) {
            return self.too_many(part.states, instance);
        }
        let passes = 1 + heuristics.len() as u128 * (1 + u128::from(self.plan.dominance));
        let states: u128 = parts.iter().map(|part| part.states).sum();
        self.observer.begin(&scope.title, u64::try_from(states * passes).ok(), None);
        let threads = self.plan.threads.clamp(1, 256);
        // Each worker audits one part at a time. With fewer parts than threads, several threads share a part.
        let workers = threads.min(parts.len()).max(1);
        let threads_per_part = threads / workers;
        let total = Mutex::new(Total::new(&heuristics, self.plan.dominance));
        for_each(parts.len(), workers, |number| {
            let order = (parts[number].cells, number);
            let part = parts[number].maker.make();
            let distances = part.distances(self.observer)?;
            for (at, heuristic) in heuristics.iter().enumerate() {
                let findings = part.audit(heuristic, &distances, threads_per_part, self.observer)?;
                total.lock().expect("no worker has panicked").add(at, order, &findings, part.instance());
            }
            if self.plan.dominance { self.compare_on(&*part, order, &distances, &heuristics, &total) } else { Ok(()) }
        })?;
        let total = total.into_inner().expect("no worker has panicked");
        Ok(total.audit(self.card, &heuristics, scope.title.clone(), true, begin))
    }

    /// Audits a sample of the states of an instance because there are too many.
    fn too_many(&self, states: u128, instance: Option<&dyn Instance>) -> Result<Audit, AuditError> {
        match instance {
            Some(instance) => self.audit_sample(instance, SAMPLE_STATES),
            None => Err(AuditError::TooMany(states)),
        }
    }

    /// Compares the heuristics on every state of a part.
    fn compare_on(
        &self,
        part: &dyn ErasedPart,
        order: PartOrder,
        distances: &Distances,
        heuristics: &[HeuristicSpec],
        total: &Mutex<Total>,
    ) -> Result<(), AuditError> {
        for first in (0..part.size()).step_by(COMPARED_AT_ONCE) {
            let ranks = first..part.size().min(first + COMPARED_AT_ONCE);
            let estimate = |heuristic: &HeuristicSpec| {
                let values = part.estimates(heuristic, ranks.clone())?;
                self.count(ranks.len()).map(|()| values)
            };
            let values = heuristics.iter().map(estimate).collect::<Result<Vec<Vec<f64>>, AuditError>>()?;
            let is_goal: Vec<bool> = ranks.clone().map(|rank| distances.get(rank) == Some(0)).collect();
            let shown = |at: usize| shown(part.instance(), part.unrank(ranks.start + at));
            total.lock().expect("no worker has panicked").compare(order, &values, &is_goal, &shown);
        }
        Ok(())
    }

    /// Audits a sample of about `states` states of an instance.
    pub(crate) fn audit_sample(&self, instance: &dyn Instance, states: usize) -> Result<Audit, AuditError> {
        let begin = Timestamp::now();
        let mut heuristics = self.heuristics()?;
        if self.plan.heuristics.is_empty() {
            heuristics.retain(|heuristic| heuristic.fits(&|name| instance.lacks(name)).is_ok());
        }
        let looked_at = "a sample: random walks from the goal, and the states on shortest ways from there";
        let work = (states as u64).saturating_mul(1 + heuristics.len() as u64);
        self.observer.begin(looked_at, Some(work), None);
        let mut total = Total::new(&heuristics, self.plan.dominance);
        let sample = sample(instance, states, self.plan.seed, self.observer)?;
        let mut values = Vec::new();
        for (at, spec) in heuristics.iter().enumerate() {
            let heuristic = instance.heuristic(spec)?;
            let h = |&(state, _): &Sampled| heuristic.h(state).in_costs(heuristic.scale()).unwrap_or(f64::INFINITY);
            total.add(at, (0, 0), &heuristic.audit(&sample), instance);
            values.push(sample.iter().map(h).collect());
            self.count(sample.len())?;
        }
        let is_goal: Vec<bool> = sample.iter().map(|&(_, distance)| distance == 0).collect();
        total.compare((0, 0), &values, &is_goal, &|at| shown(instance, sample[at].0));
        Ok(total.audit(self.card, &heuristics, looked_at.into(), false, begin))
    }

    /// Reports audited states to the observer.
    fn count(&self, states: usize) -> Result<(), AuditError> {
        match self.observer.watch(states as u64) {
            ControlFlow::Continue(()) => Ok(()),
            ControlFlow::Break(()) => Err(AuditError::Interrupted),
        }
    }
}

fn shown(instance: &dyn Instance, state: Number) -> StateShown {
    StateShown { state: instance.state_json(state), board: instance.draw(state) }
}

/// Passes on a stop but no counts: the observer counts audited states, not listed ones.
struct StopOnly<'a>(&'a dyn ScopeObserver);

impl Watcher for StopOnly<'_> {
    fn watch(&self, _states: u64) -> ControlFlow<()> {
        self.0.watch(0)
    }
}

/// The order of a part among the others: the cells of its board, then its number.
type PartOrder = (usize, usize);

/// States whose estimates are held in memory at once for the comparison of heuristics.
const COMPARED_AT_ONCE: usize = 1 << 20;

/// The findings of all parts together.
struct Total {
    heuristics: Vec<Summary>,
    dominance: Option<Dominance>,
}

struct Summary {
    counts: Findings<()>,
    /// The smallest counterexample so far.
    overestimate: Option<(CounterexampleOrder, OverestimateShown)>,
    inconsistency: Option<(CounterexampleOrder, InconsistencyShown)>,
    /// The states with `h` = 0 that are no goals.
    zeros: u64,
    zero: Option<(PartOrder, StateShown)>,
}

/// Orders counterexamples: by the cells of the board, the distance to the goal, and the number of the part.
type CounterexampleOrder = (usize, Cost, usize);

impl Total {
    fn new(heuristics: &[HeuristicSpec], dominance: bool) -> Self {
        // The first findings set the scale.
        let summary =
            |_| Summary { counts: Findings::new(0), overestimate: None, inconsistency: None, zeros: 0, zero: None };
        let names: Vec<String> = heuristics.iter().map(|heuristic| heuristic.text().into()).collect();
        let zeros = vec![vec![0; names.len()]; names.len()];
        let none = Dominance { less: zeros.clone(), ties: zeros.clone(), goal_ties: zeros, heuristics: names };
        Total { heuristics: (0..heuristics.len()).map(summary).collect(), dominance: dominance.then_some(none) }
    }

    fn add(
        &mut self,
        heuristic: usize,
        (cells, part): PartOrder,
        findings: &Findings<Number>,
        instance: &dyn Instance,
    ) {
        let summary = &mut self.heuristics[heuristic];
        summary.counts.scale = findings.scale;
        summary.counts.add_counts(findings);
        if let Some(found) = &findings.overestimate {
            let order = (cells, found.distance, part);
            if summary.overestimate.as_ref().is_none_or(|(smallest, _)| order < *smallest) {
                summary.overestimate = Some((order, instance.overestimate(found, findings.scale)));
            }
        }
        if let Some(found) = &findings.inconsistency {
            let order = (cells, found.nearness(), part);
            if summary.inconsistency.as_ref().is_none_or(|(smallest, _)| order < *smallest) {
                summary.inconsistency = Some((order, instance.inconsistency(found, findings.scale)));
            }
        }
    }

    /// Counts the states on which each heuristic is less than each other one, the ties, and the estimates of 0 at
    /// states that are no goals.
    fn compare(
        &mut self,
        part_order: PartOrder,
        values: &[Vec<f64>],
        is_goal: &[bool],
        shown: &dyn Fn(usize) -> StateShown,
    ) {
        let Some(dominance) = &mut self.dominance else { return };
        for (first, ours) in values.iter().enumerate() {
            for (second, theirs) in values.iter().enumerate() {
                let pairs = || ours.iter().zip(theirs);
                let is_tie = |(ours, theirs): &(&f64, &f64)| ours == theirs;
                dominance.less[first][second] += pairs().filter(|(ours, theirs)| ours < theirs).count() as u64;
                dominance.ties[first][second] += pairs().filter(is_tie).count() as u64;
                let at_goals = pairs().zip(is_goal).filter(|(pair, goal)| **goal && is_tie(pair));
                dominance.goal_ties[first][second] += at_goals.count() as u64;
            }
            let summary = &mut self.heuristics[first];
            let mut zeros = (0..ours.len()).filter(|&at| ours[at] == 0.0 && !is_goal[at]);
            if let Some(at) = zeros.next() {
                summary.zeros += 1 + zeros.count() as u64;
                if summary.zero.as_ref().is_none_or(|(smallest, _)| part_order < *smallest) {
                    summary.zero = Some((part_order, shown(at)));
                }
            }
        }
    }

    fn audit(
        self,
        card: &'static Card,
        heuristics: &[HeuristicSpec],
        looked_at: String,
        exhaustive: bool,
        begin: Timestamp,
    ) -> Audit {
        let compared = self.dominance.is_some();
        let report = |(heuristic, summary): (&HeuristicSpec, Summary)| {
            let name = heuristic.text();
            let Summary { counts, overestimate, inconsistency, zeros, zero } = summary;
            let zeros = Zeros { count: zeros, example: zero.map(|(_, shown)| shown) };
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
                zeros: compared.then_some(zeros),
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
