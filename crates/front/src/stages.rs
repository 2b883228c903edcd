//! A solve in stages: the fallback heuristic if the first one takes too long, IDA* if memory runs out.

use std::ops::ControlFlow;
use std::time::Duration;

use admissible::platform::Timestamp;
use admissible::search::{Limits, Observer, Outcome, Report, Stats, Stop};

use crate::answer::Handover;
use crate::counting::CountingSearch;
use crate::error::PlanError;
use crate::heuristic_spec::HeuristicSpec;
use crate::instance::{ErasedSearch, KnownUnsolvable, MoveIndex};
use crate::plan::{Choice, Plan};
use crate::registry::ALGORITHMS;
use crate::solve_checkpoint::{CheckpointObserver, SolveProgress};
use crate::task::{SolveRun, Task};

/// The algorithms that can hand over: optimal ones, whose lower bound another algorithm can continue from.
const HANDOVER_FROM: [&str; 5] = ["astar", "hdastar", "ucs", "bfs", "bidirectional"];
/// The algorithm that continues, in almost no memory.
const HANDOVER_TO: &str = "idastar";

/// Drives a search to its end, within limits.
pub(crate) type Drive<'a> = dyn FnMut(&mut ErasedSearch<'_>, &Limits, &mut dyn Observer) -> Report<MoveIndex> + 'a;

impl Task {
    /// Carries out a plan by searching, and resumes a checkpoint if there is one.
    pub(crate) fn search(
        &self,
        plan: &Plan,
        observer: &mut dyn Observer,
        drive: &mut Drive<'_>,
    ) -> Result<SolveRun, PlanError> {
        let begin = Timestamp::now();
        let (mut choice, mut progress) = match &plan.resumed {
            None => (self.choose(plan)?, SolveProgress::default()),
            Some(progress) => {
                let progress = SolveProgress::from_json(progress)?;
                (self.resumed_choice(&progress)?, progress)
            }
        };
        let mut earlier: Option<SolveRun> = None;
        loop {
            let handed_over = earlier.as_ref().filter(|ran| ran.handover.is_some());
            let expanded = handed_over.map_or(0, |ran| ran.report.stats.expanded);
            let mut limits = Limits {
                expanded: plan.limits.expanded.map(|most| most.saturating_sub(expanded)),
                time: remaining(plan.limits.time, begin.elapsed()),
                ..plan.limits
            };
            let fallback = choice.fallback.clone();
            let fallback = fallback.filter(|(expansions, _)| limits.expanded.is_none_or(|most| most > *expansions));
            if let Some((expansions, _)) = fallback {
                limits.expanded = Some(expansions);
            }
            let mut ran = self.run_choice(choice, progress, &Plan { limits, ..plan.clone() }, observer, drive)?;
            if let Some(earlier) = earlier.take() {
                ran.add_earlier_stage(earlier);
            }
            let Outcome::Stopped { why, lower_bound } = ran.report.outcome else { return Ok(ran) };
            let from = ran.choice.algorithm.name;
            let (stats, seconds) = (ran.report.stats, ran.seconds);
            let hands_over = plan.hands_over && ran.choice.counting.is_none();
            match (why, fallback) {
                (Stop::Nodes, Some((_, heuristic))) => {
                    let heuristic = HeuristicSpec::parse(self.card, &heuristic)?;
                    let (algorithm, chosen) = (ran.choice.algorithm, ran.choice.fallback_why);
                    choice =
                        Choice { algorithm, heuristic, counting: None, chosen, fallback: None, fallback_why: None };
                }
                // Empty statistics mean that the tables did not fit, and IDA* needs the same tables.
                (Stop::Memory, _) if hands_over && HANDOVER_FROM.contains(&from) && stats != Stats::default() => {
                    ran.handover =
                        Some(Handover { from, to: HANDOVER_TO, lower_bound, expanded: ran.report.stats.expanded });
                    let algorithm = ALGORITHMS.iter().find(|card| card.name == HANDOVER_TO);
                    choice = Choice {
                        algorithm: algorithm.expect("idastar is in the registry"),
                        fallback: None,
                        ..ran.choice.clone()
                    };
                }
                _ => return Ok(ran),
            }
            progress = SolveProgress { lower_bound, seconds, ..SolveProgress::default() };
            earlier = Some(ran);
        }
    }

    /// Runs one search from the given progress. Builds the tables of its heuristic first, within the same limits.
    pub(crate) fn run_choice(
        &self,
        choice: Choice,
        progress: SolveProgress,
        plan: &Plan,
        observer: &mut dyn Observer,
        drive: &mut Drive<'_>,
    ) -> Result<SolveRun, PlanError> {
        let begin = Timestamp::now();
        let progress = SolveProgress {
            algorithm: choice.algorithm.name.into(),
            heuristic: choice.heuristic.text().into(),
            fallback: choice.fallback.clone(),
            ..progress
        };
        let SolveProgress { lower_bound: known, seconds, .. } = progress;
        let mut with_checkpoints = match &plan.checkpoints {
            Some(checkpoints) => Some(CheckpointObserver::begin(&mut *observer, checkpoints, progress.clone())?),
            None => None,
        };
        let observer = match &mut with_checkpoints {
            Some(with_checkpoints) => with_checkpoints as &mut dyn Observer,
            None => observer,
        };
        let mut ran = SolveRun::new(choice, stopped(Stop::Memory));
        let name = ran.choice.heuristic.text();
        let tables = self.instance.tables(name);
        if let Some(most) = plan.limits.bytes.filter(|&most| most < tables.peak) {
            let (need, most) = (tables.peak.div_ceil(1 << 20), most >> 20);
            ran.notes.push(format!("the tables of {name} take {need} MiB, and the limit is {most} MiB"));
        } else if let Err(why) = self.prepare(name, plan.limits.time, observer) {
            ran.report = stopped(why);
        } else {
            let limits = Limits {
                time: remaining(plan.limits.time, begin.elapsed()),
                bytes: plan.limits.bytes.map(|most| most - tables.held),
                ..plan.limits
            };
            let heuristic = self.instance.heuristic(&ran.choice.heuristic)?;
            let algorithm = ran.choice.algorithm.name;
            let mut search: Option<Box<ErasedSearch<'_>>> = match (&plan.processes, ran.choice.counting) {
                _ if self.instance.solvable() == Some(false) => Some(Box::new(KnownUnsolvable)),
                (_, Some(rule)) => Some(Box::new(CountingSearch::new(rule, &*self.instance, &*heuristic))),
                (Some(processes), None) if algorithm == "hdastar" => {
                    ran.report = heuristic.distributed_astar(&**processes, limits, observer);
                    None
                }
                _ => heuristic.search(algorithm, plan, &limits)?,
            };
            if let Some(search) = &mut search {
                match &progress.snapshot {
                    Some(snapshot) if !search.restore(snapshot) => {
                        return Err(PlanError::Checkpoint("it belongs to another search".into()));
                    }
                    Some(_) => {}
                    None => search.begin_at(known),
                }
                ran.report = drive(&mut **search, &limits, observer);
                ran.best = search.best();
            }
        }
        // The lower bound of the searches before still holds.
        if let Outcome::Stopped { lower_bound, .. } = &mut ran.report.outcome {
            *lower_bound = known.max(*lower_bound);
        } else {
            ran.best = None;
        }
        ran.seconds = seconds + begin.elapsed().as_secs_f64();
        Ok(ran)
    }

    /// Builds the tables of a heuristic.
    fn prepare(&self, heuristic: &str, time: Option<Duration>, observer: &mut dyn Observer) -> Result<(), Stop> {
        let deadline = time.and_then(|time| Timestamp::now().after(time));
        let mut why = Stop::Interrupted;
        let prepared = self.instance.prepare(heuristic, &mut |done, of| {
            if deadline.is_some_and(|deadline| Timestamp::now() >= deadline) {
                why = Stop::Time;
                return ControlFlow::Break(());
            }
            observer.preparing(done, of).map_break(|stop| why = stop)
        });
        prepared.map_err(|_| why)
    }

    /// The algorithm and heuristic of a checkpoint.
    fn resumed_choice(&self, progress: &SolveProgress) -> Result<Choice, PlanError> {
        let unknown = || PlanError::Checkpoint(format!("there is no algorithm '{}'", progress.algorithm));
        let algorithm = ALGORITHMS.iter().find(|card| card.name == progress.algorithm).ok_or_else(unknown)?;
        let heuristic = HeuristicSpec::parse(self.card, &progress.heuristic)?;
        heuristic.fits(&|name| self.instance.lacks(name))?;
        let fallback_why = self.instance.advice(None).fallback.map(|fallback| fallback.why);
        let fallback = progress.fallback.clone();
        Ok(Choice { algorithm, heuristic, counting: None, chosen: None, fallback, fallback_why })
    }
}

impl SolveRun {
    /// Adds the results and the statistics of the stage before this one.
    fn add_earlier_stage(&mut self, earlier: SolveRun) {
        let stats = &mut self.report.stats;
        let before = &earlier.report.stats;
        if earlier.handover.is_some() {
            self.handover = earlier.handover;
            self.best = self.best.take().or(earlier.best);
            stats.expanded += before.expanded;
            stats.generated += before.generated;
            stats.reopened += before.reopened;
            stats.expanded_before_last_layer += before.expanded;
            stats.max_frontier = stats.max_frontier.max(before.max_frontier);
            stats.frontier_duplicates |= before.frontier_duplicates;
            stats.peak_bytes = stats.peak_bytes.max(before.peak_bytes);
        } else if *stats == Stats::default() {
            *stats = *before;
        }
    }
}

/// The report of a search that could not begin.
fn stopped(why: Stop) -> Report<MoveIndex> {
    Report { outcome: Outcome::Stopped { why, lower_bound: 0 }, stats: Stats::default() }
}

/// The time that remains.
fn remaining(time: Option<Duration>, spent: Duration) -> Option<Duration> {
    time.map(|time| time.saturating_sub(spent))
}
