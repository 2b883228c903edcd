//! The audit of a puzzle's heuristics by their names: which states are looked at, on how many threads, and what came of
//! it in words and boards.

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

use crate::counterexample::Shows;
use crate::error::PlanError;
use crate::named::Named;
use crate::parts::{ErasedScope, Part, WithPart, for_each_part};
use crate::puzzle::{Card, HeuristicCard};
use crate::sample::Sampler;
use crate::scope::{ScopeError, ScopeObserver};
pub use report::{Audit, AuditReport, Dominance, InconsistencyShown, OverestimateShown};

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

/// Why there is no audit.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum AuditError {
    /// The plan has a heuristic that is neither a name nor an expression.
    Plan(PlanError),
    /// The scope does not exist or does not fit.
    Scope(ScopeError),
    /// A part of the scope has this many states, or more: too many to audit them all.
    TooMany(u128),
    /// The observer stopped it.
    Interrupted,
}

/// The largest part that is audited: its distances take 4 bytes a state.
const MOST_RANKED: u128 = 30_000_000;
/// The bytes that a list of the states that a start reaches may take: about as many states as that.
const MOST_REACHED_BYTES: u64 = 2 << 30;
/// The states of a sample.
const SAMPLED: usize = 5_000;

impl fmt::Display for AuditError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            AuditError::Plan(error) => error.fmt(f),
            AuditError::Scope(error) => write!(f, "--scope: {error}"),
            AuditError::TooMany(states) => {
                write!(f, "there are {states} states or more: choose a smaller scope, or sample:N for a file")
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

/// Carries out the plan on what the puzzle hands over.
pub(crate) struct Auditor<'a> {
    pub(crate) card: &'static Card,
    pub(crate) plan: &'a AuditPlan,
    pub(crate) observer: &'a dyn ScopeObserver,
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

    /// Audits a scope. Where it has too many states, a sample of them is audited if there is a sampler.
    pub(crate) fn audit(&self, scope: ErasedScope<'_>, sampler: Option<&dyn Sampler>) -> Result<Audit, AuditError> {
        let audited = match scope {
            ErasedScope::Ranked(parts) => {
                let sizes: Vec<u128> = (0..parts.parts()).map(|part| parts.states(part)).collect();
                let cells = |part| parts.cells(part);
                self.every(&parts.title(), &sizes, &cells, &|number, user| parts.part(number, user))
            }
            ErasedScope::Reachable(title, reach) => {
                let mut audited = None;
                let reached = reach.reach(Some(MOST_REACHED_BYTES), &StopOnly(self.observer), &mut |part, _| {
                    audited = Some(self.every(title, &[part.size() as u128], &|_| 0, &|_, user| user(part)));
                });
                match reached {
                    Ok(()) => audited.expect("what was reached is handed over"),
                    Err(ReachError::Interrupted) => Err(AuditError::Interrupted),
                    Err(ReachError::TooLarge { states, .. }) => Err(AuditError::TooMany(states.into())),
                }
            }
        };
        match (audited, sampler) {
            (Err(AuditError::TooMany(_)), Some(sampler)) => self.sample(sampler, SAMPLED),
            (audited, _) => audited,
        }
    }

    /// Audits every state of some parts, given the sizes of the parts and of their boards.
    fn every(
        &self,
        title: &str,
        sizes: &[u128],
        cells: &(dyn Fn(usize) -> usize + Sync),
        with_part: &WithPart<'_>,
    ) -> Result<Audit, AuditError> {
        let begin = Timestamp::now();
        let heuristics = self.heuristics()?;
        if let Some(&states) = sizes.iter().find(|&&states| states > MOST_RANKED) {
            return Err(AuditError::TooMany(states));
        }
        let passes = 1 + heuristics.len() as u128 * (1 + u128::from(self.plan.dominance));
        self.observer.begin(title, u64::try_from(sizes.iter().sum::<u128>() * passes).ok(), None);
        let threads = self.plan.threads.clamp(1, 256);
        let workers = threads.min(sizes.len());
        let total = Mutex::new(Total::new(&heuristics, self.plan.dominance));
        // Parts share the threads; where there are fewer parts than threads, a part is shared by several.
        let inside = threads / workers;
        for_each_part(sizes.len(), workers, &|number| {
            let mut audited = Ok(());
            with_part(number, &mut |part| {
                audited = self.audit_part(part, (cells(number), number), inside, &heuristics, &total);
            });
            audited
        })?;
        let total = total.into_inner().expect("no worker has panicked");
        Ok(total.audit(self.card, &heuristics, title.into(), true, begin))
    }

    fn audit_part(
        &self,
        part: &dyn Part,
        place: Place,
        threads: usize,
        heuristics: &[Named],
        total: &Mutex<Total>,
    ) -> Result<(), AuditError> {
        let total = || total.lock().expect("no worker has panicked");
        let distances = part.distances(self.observer)?;
        for (at, heuristic) in heuristics.iter().enumerate() {
            let findings = part.audit(heuristic, &distances, threads, self.observer)?;
            total().add(at, place, &findings, &*part.board());
        }
        if self.plan.dominance {
            for first in (0..part.size()).step_by(COMPARED_AT_ONCE) {
                let numbers = first..part.size().min(first + COMPARED_AT_ONCE);
                let ask = |heuristic: &Named| {
                    let values = part.estimates(heuristic, numbers.clone())?;
                    self.count(numbers.len()).map(|()| values)
                };
                let values = heuristics.iter().map(ask).collect::<Result<Vec<Vec<f64>>, AuditError>>()?;
                total().compare(&values);
            }
        }
        Ok(())
    }

    /// Audits a sample of about so many states.
    pub(crate) fn sample(&self, sampler: &dyn Sampler, states: usize) -> Result<Audit, AuditError> {
        let begin = Timestamp::now();
        let mut heuristics = self.heuristics()?;
        if self.plan.heuristics.is_empty() {
            heuristics.retain(|heuristic| sampler.fits(heuristic));
        }
        let looked_at = "a sample: random walks from the goal, and the states on shortest ways from there";
        let work = states as u64 * (1 + heuristics.len() as u64);
        self.observer.begin(looked_at, Some(work), None);
        let mut total = Total::new(&heuristics, self.plan.dominance);
        sampler.sample(states, self.plan.seed, self.observer, &mut |sample| {
            let mut values = Vec::new();
            for (at, heuristic) in heuristics.iter().enumerate() {
                let (findings, estimates) = sample.audit(heuristic)?;
                total.add(at, (0, 0), &findings, &*sample.board());
                values.push(estimates);
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

/// Hands on a stop, and no counts: listing states is not the work that the observer was announced.
struct StopOnly<'a>(&'a dyn ScopeObserver);

impl Watcher for StopOnly<'_> {
    fn watch(&self, _states: u64) -> ControlFlow<()> {
        self.0.watch(0)
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
