//! A solve in stages: another heuristic where the first one takes too long, another algorithm where memory runs out.

use std::ops::ControlFlow;
use std::time::Duration;

use crate::puzzle::{Puzzle, Then};
use admissible::search::{Limits, Outcome, Stats, Stop, Visit, run_traced};

use crate::answer::Handover;
use crate::error::PlanError;
use crate::keeping::{Keeping, Standing};
use crate::named::Named;
use crate::plan::{Choice, Plan};
use crate::registry::ALGORITHMS;
use crate::task::{Opened, Ran};
use admissible::search::Observer;

/// The algorithms whose lower bound another one can go on from: what they look for is a cheapest path.
const HANDING_OVER: [&str; 5] = ["astar", "hdastar", "ucs", "bfs", "bidirectional"];
/// The algorithm that goes on, in almost no memory.
const TAKING_OVER: &str = "idastar";

/// Hears of the states of a search.
type Trace<'a, P> = dyn FnMut(Visit<P>) -> ControlFlow<()> + 'a;

impl<P: Puzzle> Opened<P> {
    /// Carries out a plan by searching, from where a checkpoint stood if there is one.
    pub(crate) fn search(
        &self,
        plan: &Plan,
        observer: &mut dyn Observer,
        trace: &mut Trace<'_, P::Packed>,
    ) -> Result<Ran<P>, PlanError> {
        let (choice, standing) = match &plan.resumed {
            None => (self.choose(plan)?, Standing::default()),
            Some(progress) => {
                let standing = Standing::from_json(progress)?;
                (self.choice_of(&standing)?, standing)
            }
        };
        let patience = |then: &(u64, String)| plan.limits.expanded.is_none_or(|most| most > then.0);
        let Some((expansions, heuristic)) = choice.then.clone().filter(patience) else {
            return self.or_hand_over(choice, standing, plan, observer, trace);
        };
        let why = choice.then_why;
        let known = standing.lower_bound;
        let limits = Limits { expanded: Some(expansions), ..plan.limits };
        let first = self.run_choice(choice, standing, &Plan { limits, ..plan.clone() }, observer, trace)?;
        let Outcome::Stopped { why: Stop::Nodes, lower_bound } = first.report.outcome else { return Ok(first) };
        let known = known.max(lower_bound);
        let choice = Choice {
            heuristic: Named::parse(self.card, &heuristic)?,
            chosen: why,
            then: None,
            then_why: None,
            ..first.choice
        };
        let standing = Standing { lower_bound: known, seconds: first.seconds, ..Standing::default() };
        let limits = Limits { time: left(plan.limits.time, first.seconds), ..plan.limits };
        let mut second = self.or_hand_over(choice, standing, &Plan { limits, ..plan.clone() }, observer, trace)?;
        if second.report.stats == Stats::default() {
            second.report.stats = first.report.stats;
        }
        Ok(second)
    }

    /// Runs a search; if memory runs out, another one goes on from what it has proved.
    fn or_hand_over(
        &self,
        choice: Choice,
        standing: Standing,
        plan: &Plan,
        observer: &mut dyn Observer,
        trace: &mut Trace<'_, P::Packed>,
    ) -> Result<Ran<P>, PlanError> {
        let first = self.run_choice(choice, standing, plan, observer, trace)?;
        let Outcome::Stopped { why: Stop::Memory, lower_bound } = first.report.outcome else { return Ok(first) };
        let name = first.choice.algorithm.name;
        // Where it was the tables that do not fit, no other search can do with less.
        if !plan.hands_over || !HANDING_OVER.contains(&name) || first.report.stats == Stats::default() {
            return Ok(first);
        }
        let algorithm = ALGORITHMS.iter().find(|card| card.name == TAKING_OVER).expect("it is in the registry");
        let handover = Handover { from: name, to: TAKING_OVER, lower_bound, expanded: first.report.stats.expanded };
        let (stats, seconds) = (first.report.stats, first.seconds);
        let choice = Choice { algorithm, ..first.choice };
        let limits = Limits {
            time: left(plan.limits.time, seconds),
            expanded: plan.limits.expanded.map(|most| most.saturating_sub(stats.expanded)),
            ..plan.limits
        };
        let standing = Standing { lower_bound, seconds, ..Standing::default() };
        let second = self.run_choice(choice, standing, &Plan { limits, ..plan.clone() }, observer, trace)?;
        let mut ran = Ran { handover: Some(handover), best: second.best.or(first.best), ..second };
        add(&mut ran.report.stats, &stats);
        Ok(ran)
    }

    /// Runs one search from where it stands.
    pub(crate) fn run_choice(
        &self,
        choice: Choice,
        standing: Standing,
        plan: &Plan,
        observer: &mut dyn Observer,
        trace: &mut Trace<'_, P::Packed>,
    ) -> Result<Ran<P>, PlanError> {
        let standing = Standing {
            algorithm: choice.algorithm.name.into(),
            heuristic: choice.heuristic.text().into(),
            then: choice.then.clone(),
            ..standing
        };
        let Standing { lower_bound: known, seconds, .. } = standing;
        let mut keeping = match &plan.keeper {
            Some(keeper) => Some(Keeping::begin(&mut *observer, keeper, standing.clone())?),
            None => None,
        };
        let observer = match &mut keeping {
            Some(keeping) => keeping as &mut dyn Observer,
            None => observer,
        };
        let mut ran = self.drive_choice(choice, &standing, plan, observer, &mut |search, limits, observer| {
            run_traced(search, limits, observer, trace)
        })?;
        // What was proved before holds, however far this one came.
        if let Outcome::Stopped { lower_bound, .. } = &mut ran.report.outcome {
            *lower_bound = known.max(*lower_bound);
        }
        ran.seconds += seconds;
        Ok(ran)
    }

    /// What a checkpoint was at work with.
    fn choice_of(&self, standing: &Standing) -> Result<Choice, PlanError> {
        let unknown = || PlanError::Checkpoint(format!("there is no algorithm '{}'", standing.algorithm));
        let algorithm = ALGORITHMS.iter().find(|card| card.name == standing.algorithm).ok_or_else(unknown)?;
        let heuristic = Named::parse(self.card, &standing.heuristic)?;
        heuristic.fits(&self.puzzle)?;
        let then_why = self.puzzle.advice().then.map(|then: Then| then.why);
        Ok(Choice { algorithm, heuristic, chosen: None, then: standing.then.clone(), then_why })
    }
}

/// What is left of a time.
pub(crate) fn left(time: Option<Duration>, seconds: f64) -> Option<Duration> {
    time.map(|time| time.saturating_sub(Duration::from_secs_f64(seconds)))
}

/// Adds what a search before this one took.
fn add(stats: &mut Stats, before: &Stats) {
    stats.expanded += before.expanded;
    stats.generated += before.generated;
    stats.reopened += before.reopened;
    stats.expanded_before_last_layer += before.expanded;
    stats.max_frontier = stats.max_frontier.max(before.max_frontier);
    stats.frontier_duplicates |= before.frontier_duplicates;
    stats.peak_bytes = stats.peak_bytes.max(before.peak_bytes);
}
