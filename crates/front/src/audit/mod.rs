//! The audit of a puzzle's heuristics by name. It divides a scope among threads, audits every part or a sample, and
//! sums the findings up in a report.

mod report;

use std::collections::BTreeMap;
use std::fmt;
use std::ops::ControlFlow;
use std::sync::Mutex;

use admissible::Cost;
use admissible::audit::{Findings, Interrupted, Watcher};
use admissible::explore::ReachError;
use admissible::platform::Timestamp;
use admissible_certificate::Number;

use crate::counterexample::CounterexampleRenderer;
use crate::erased_scope::{ErasedScope, Part, WithPart, for_each_part};
use crate::error::PlanError;
use crate::explore::count_shown;
use crate::heuristic_spec::HeuristicSpec;
use crate::puzzle::{Card, HeuristicCard};
use crate::sample::Sampler;
use crate::scope::{ScopeError, ScopeObserver};
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
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum AuditError {
    /// The plan has a heuristic that is neither a name nor an expression.
    Plan(PlanError),
    /// The scope does not exist or does not fit.
    Scope(ScopeError),
    /// A part of the scope has at least this many states: too many to audit them all.
    TooMany(u128),
    /// The observer stopped it.
    Interrupted,
}

/// The most states of a part: its distances take 4 bytes a state.
const MAX_RANKED: u128 = 30_000_000;
/// The most bytes for a list of reachable states, enough for about as many states.
const MAX_REACHED_BYTES: u64 = 2 << 30;
/// The number of states of a sample.
const SAMPLE_STATES: usize = 5_000;

impl fmt::Display for AuditError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            AuditError::Plan(error) => error.fmt(f),
            AuditError::Scope(error) => write!(f, "--scope: {error}"),
            AuditError::TooMany(states) => {
                let states = count_shown(*states);
                write!(f, "--scope: {states} states or more are too many: choose fewer, or sample:N for a file")
            }
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

    /// Audits a scope, or a sample of its states if they are too many and there is a sampler.
    pub(crate) fn audit(&self, scope: ErasedScope<'_>, sampler: Option<&dyn Sampler>) -> Result<Audit, AuditError> {
        let audited = match scope {
            ErasedScope::Ranked(parts) => {
                let sizes: Vec<u128> = (0..parts.parts()).map(|part| parts.states(part)).collect();
                let cells = |part| parts.cells(part);
                self.audit_parts(&parts.title(), &sizes, &cells, &|number, user| parts.part(number, user))
            }
            ErasedScope::Reachable(title, reach) => {
                let mut audited = None;
                let reached = reach.reach(Some(MAX_REACHED_BYTES), &StopOnly(self.observer), &mut |part, _| {
                    audited = Some(self.audit_parts(title, &[part.size() as u128], &|_| 0, &|_, user| user(part)));
                });
                match reached {
                    Ok(()) => audited.expect("reach calls its visitor"),
                    Err(ReachError::Interrupted) => Err(AuditError::Interrupted),
                    Err(ReachError::TooLarge { states, .. }) => Err(AuditError::TooMany(states.into())),
                }
            }
        };
        match (audited, sampler) {
            (Err(AuditError::TooMany(_)), Some(sampler)) => self.audit_sample(sampler, SAMPLE_STATES),
            (audited, _) => audited,
        }
    }

    /// Audits every state of every part, given the number of states and of board cells of each part.
    fn audit_parts(
        &self,
        title: &str,
        sizes: &[u128],
        cells: &(dyn Fn(usize) -> usize + Sync),
        with_part: &WithPart<'_>,
    ) -> Result<Audit, AuditError> {
        let begin = Timestamp::now();
        let heuristics = self.heuristics()?;
        if let Some(&states) = sizes.iter().find(|&&states| states > MAX_RANKED) {
            return Err(AuditError::TooMany(states));
        }
        let passes = 1 + heuristics.len() as u128 * (1 + u128::from(self.plan.dominance));
        self.observer.begin(title, u64::try_from(sizes.iter().sum::<u128>() * passes).ok(), None);
        let threads = self.plan.threads.clamp(1, 256);
        let workers = threads.min(sizes.len()).max(1);
        let total = Mutex::new(Total::new(&heuristics, self.plan.dominance));
        // Each worker audits one part at a time. With fewer parts than threads, several threads share a part.
        let threads_per_part = threads / workers;
        for_each_part(sizes.len(), workers, &|number| {
            let mut audited = Ok(());
            with_part(number, &mut |part| {
                audited = self.audit_part(part, (cells(number), number), threads_per_part, &heuristics, &total);
            });
            audited
        })?;
        let total = total.into_inner().expect("no worker has panicked");
        Ok(total.audit(self.card, &heuristics, title.into(), true, begin))
    }

    fn audit_part(
        &self,
        part: &dyn Part,
        part_order: PartOrder,
        threads: usize,
        heuristics: &[HeuristicSpec],
        total: &Mutex<Total>,
    ) -> Result<(), AuditError> {
        let total = || total.lock().expect("no worker has panicked");
        let distances = part.distances(self.observer)?;
        for (at, heuristic) in heuristics.iter().enumerate() {
            let findings = part.audit(heuristic, &distances, threads, self.observer)?;
            total().add(at, part_order, &findings, &*part.renderer());
        }
        if self.plan.dominance {
            for first in (0..part.size()).step_by(COMPARED_AT_ONCE) {
                let numbers = first..part.size().min(first + COMPARED_AT_ONCE);
                let estimate = |heuristic: &HeuristicSpec| {
                    let values = part.estimates(heuristic, numbers.clone())?;
                    self.count(numbers.len()).map(|()| values)
                };
                let values = heuristics.iter().map(estimate).collect::<Result<Vec<Vec<f64>>, AuditError>>()?;
                let is_goal: Vec<bool> = numbers.clone().map(|rank| distances.get(rank) == Some(0)).collect();
                let shown = |at: usize| {
                    let rank = numbers.start + at;
                    StateShown { state: part.state_json(rank), board: part.draw(rank) }
                };
                total().compare(part_order, &values, &is_goal, &shown);
            }
        }
        Ok(())
    }

    /// Audits a sample of about `states` states.
    pub(crate) fn audit_sample(&self, sampler: &dyn Sampler, states: usize) -> Result<Audit, AuditError> {
        let begin = Timestamp::now();
        let mut heuristics = self.heuristics()?;
        if self.plan.heuristics.is_empty() {
            heuristics.retain(|heuristic| sampler.fits(heuristic));
        }
        let looked_at = "a sample: random walks from the goal, and the states on shortest ways from there";
        let work = (states as u64).saturating_mul(1 + heuristics.len() as u64);
        self.observer.begin(looked_at, Some(work), None);
        let mut total = Total::new(&heuristics, self.plan.dominance);
        sampler.sample(states, self.plan.seed, self.observer, &mut |sample| {
            let mut values = Vec::new();
            for (at, heuristic) in heuristics.iter().enumerate() {
                let (findings, estimates) = sample.audit(heuristic)?;
                total.add(at, (0, 0), &findings, &*sample.renderer());
                values.push(estimates);
                self.count(sample.len())?;
            }
            let is_goal: Vec<bool> = (0..sample.len()).map(|at| sample.distance(at) == 0).collect();
            total.compare((0, 0), &values, &is_goal, &|at| sample.shown(at));
            Ok(())
        })?;
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
        renderer: &dyn CounterexampleRenderer,
    ) {
        let summary = &mut self.heuristics[heuristic];
        summary.counts.scale = findings.scale;
        summary.counts.add_counts(findings);
        if let Some(found) = &findings.overestimate {
            let order = (cells, found.distance, part);
            if summary.overestimate.as_ref().is_none_or(|(smallest, _)| order < *smallest) {
                summary.overestimate = Some((order, renderer.overestimate(found, findings.scale)));
            }
        }
        if let Some(found) = &findings.inconsistency {
            let order = (cells, found.nearness(), part);
            if summary.inconsistency.as_ref().is_none_or(|(smallest, _)| order < *smallest) {
                summary.inconsistency = Some((order, renderer.inconsistency(found, findings.scale)));
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
