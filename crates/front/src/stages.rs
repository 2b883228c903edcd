//! A solve in stages: the fallback heuristic if the first one takes too long, IDA* if memory runs out.

use std::ops::ControlFlow;
use std::time::Duration;

use admissible::platform::Timestamp;
use admissible::search::{Guarantee, Limits, Observer, Outcome, Report, Solution, Stats, Stop};

use crate::answer::Handover;
use crate::counting::CountingSearch;
use crate::error::PlanError;
use crate::heuristic_spec::HeuristicSpec;
use crate::incumbent::{Accompanied, Incumbent};
use crate::instance::{ErasedSearch, MoveIndex};
use crate::plan::{Choice, Plan, TableBuilding};
use crate::puzzle::Fallback;
use crate::registry::ALGORITHMS;
use crate::solve_checkpoint::{SolveProgress, StageObserver};
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
        // The search of a counting rule runs alone.
        let mut incumbent = Incumbent::of(self, plan, begin).filter(|_| choice.counting.is_none());
        loop {
            let handed_over = earlier.as_ref().filter(|ran| ran.handover.is_some());
            let expanded = handed_over.map_or(0, |ran| ran.report.stats.expanded);
            let mut limits = Limits {
                expanded: plan.limits.expanded.map(|most| most.saturating_sub(expanded)),
                time: remaining(plan.limits.time, begin.elapsed()),
                ..plan.limits
            };
            let fits = |next: &Fallback| {
                limits.expanded.is_none_or(|most| most > next.expansions)
                    && limits.time.is_none_or(|time| time.as_secs() > next.seconds.into())
            };
            let fallback = choice.fallbacks.first().copied().filter(fits);
            if let Some(next) = fallback {
                limits.expanded = Some(next.expansions);
            }
            let mut ran = self.run_stage(
                choice,
                progress,
                &Plan { limits, ..plan.clone() },
                observer,
                drive,
                incumbent.as_mut(),
            )?;
            if let Some(earlier) = earlier.take() {
                ran.add_earlier_stage(earlier);
            }
            let Outcome::Stopped { why, lower_bound } = ran.report.outcome else { return Ok(ran) };
            let from = ran.choice.algorithm.name;
            let (stats, seconds) = (ran.report.stats, ran.seconds);
            let hands_over = plan.hands_over && ran.choice.counting.is_none();
            match (why, fallback) {
                (Stop::Nodes, Some(next)) => {
                    let heuristic = HeuristicSpec::parse(self.card, next.heuristic)?;
                    let (algorithm, chosen) = (ran.choice.algorithm, Some(next.why));
                    let fallbacks = ran.choice.fallbacks[1..].to_vec();
                    choice = Choice { algorithm, heuristic, counting: None, chosen, taken: Some(next), fallbacks };
                }
                // Empty statistics mean that the tables did not fit, and IDA* needs the same tables.
                (Stop::Memory, _)
                    if hands_over
                        && !plan.searches_unsolvable
                        && HANDOVER_FROM.contains(&from)
                        && stats != Stats::default() =>
                {
                    ran.handover =
                        Some(Handover { from, to: HANDOVER_TO, lower_bound, expanded: ran.report.stats.expanded });
                    let algorithm = ALGORITHMS.iter().find(|card| card.name == HANDOVER_TO);
                    choice = Choice {
                        algorithm: algorithm.expect("idastar is in the registry"),
                        fallbacks: Vec::new(),
                        ..ran.choice.clone()
                    };
                }
                _ => return Ok(ran),
            }
            let is_handover = why == Stop::Memory;
            progress = SolveProgress { lower_bound, is_handover, seconds, ..SolveProgress::default() };
            earlier = Some(ran);
        }
    }

    /// Runs one search from the given progress, with nothing beside it.
    pub(crate) fn run_choice(
        &self,
        choice: Choice,
        progress: SolveProgress,
        plan: &Plan,
        observer: &mut dyn Observer,
        drive: &mut Drive<'_>,
    ) -> Result<SolveRun, PlanError> {
        self.run_stage(choice, progress, plan, observer, drive, None)
    }

    /// Runs one search from the given progress. Builds the tables of its heuristic first, within the same limits.
    fn run_stage(
        &self,
        choice: Choice,
        progress: SolveProgress,
        plan: &Plan,
        observer: &mut dyn Observer,
        drive: &mut Drive<'_>,
        mut incumbent: Option<&mut Incumbent<'_>>,
    ) -> Result<SolveRun, PlanError> {
        let begin = Timestamp::now();
        let progress = SolveProgress {
            algorithm: choice.algorithm.name.into(),
            heuristic: choice.heuristic.text().into(),
            fallbacks: choice.fallbacks.iter().map(|next| (next.expansions, next.heuristic.to_string())).collect(),
            ..progress
        };
        let SolveProgress { lower_bound: known, seconds, .. } = progress;
        let mut after_search = Duration::ZERO;
        let observer = &mut StageObserver::begin(observer, plan, &progress)?;
        let mut ran = SolveRun::new(choice, stopped(Stop::Memory));
        let name = ran.choice.heuristic.text();
        let tables = self.instance.tables(name);
        if let Some(most) = plan.limits.bytes.filter(|&most| most < tables.peak) {
            let (need, most) = (tables.peak.div_ceil(1 << 20), most >> 20);
            ran.notes.push(format!("the tables of {name} take {need} MiB, and the limit is {most} MiB"));
        } else if let Err(why) = self.prepare_stage(&ran.choice, plan, observer, incumbent.as_deref_mut()) {
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
                _ if self.instance.solvable() == Some(false) && !plan.searches_unsolvable => {
                    ran.report = Report { outcome: Outcome::Unsolvable, stats: Stats::default() };
                    None
                }
                (_, Some(rule)) => Some(Box::new(CountingSearch::new(rule, &*self.instance, &*heuristic))),
                (Some(processes), None) if algorithm == "hdastar" => {
                    ran.report = heuristic.distributed_astar(&**processes, limits, &mut *observer.observer);
                    None
                }
                _ => heuristic.search(algorithm, plan, &limits)?,
            };
            if let Some(incumbent) = incumbent.as_deref_mut()
                && let Some(exact) = search.take()
            {
                let anytime = incumbent.search(&*heuristic);
                let bytes = limits.bytes;
                search = Some(Box::new(Accompanied { exact, anytime, incumbent, bound: known, bytes, proved: None }));
            }
            if let Some(search) = &mut search {
                match &progress.snapshot {
                    Some(snapshot) if !search.restore(snapshot) => {
                        return Err(PlanError::Checkpoint("it belongs to another search".into()));
                    }
                    Some(_) => {}
                    None if progress.is_handover => search.begin_at(known),
                    None => {}
                }
                ran.report = drive(&mut **search, &limits, observer);
                ran.best = search.best();
                // Skipped after a stop: counting may take long.
                if plan.finds_branching && !matches!(ran.report.outcome, Outcome::Stopped { .. }) {
                    let begin = Timestamp::now();
                    ran.largest_branching = self.largest_branching(&**search);
                    after_search = begin.elapsed();
                }
            }
        }
        // The lower bound of the searches before still holds.
        match &mut ran.report.outcome {
            Outcome::Stopped { lower_bound, .. } => *lower_bound = known.max(*lower_bound),
            _ => ran.best = None,
        }
        if let Some(incumbent) = incumbent {
            if let Some(refusal) = incumbent.take_refusal() {
                return Err(refusal);
            }
            incumbent.interim = Some(ran.choice.heuristic.clone());
            ran.take_incumbent(incumbent.best());
        }
        ran.seconds = seconds + begin.elapsed().saturating_sub(after_search).as_secs_f64();
        ran.limit_moves(plan.move_limit);
        Ok(ran)
    }

    /// The most moves of a state that a search expanded; `None` if it does not keep those states.
    fn largest_branching(&self, search: &ErasedSearch<'_>) -> Option<u32> {
        let mut largest = None;
        search.each_expanded(&mut |state| {
            // A goal that was taken off the open list was not expanded.
            if !self.instance.is_goal(state) {
                largest = largest.max(Some(self.instance.count_moves(state)));
            }
        });
        largest
    }

    /// Builds the tables of a choice. Meanwhile the anytime search uses the heuristic of the stage before.
    fn prepare_stage(
        &self,
        choice: &Choice,
        plan: &Plan,
        observer: &mut dyn Observer,
        mut incumbent: Option<&mut Incumbent<'_>>,
    ) -> Result<(), Stop> {
        let interim = incumbent.as_ref().and_then(|incumbent| incumbent.interim.as_ref());
        let interim = interim.and_then(|heuristic| self.instance.heuristic(heuristic).ok());
        let mut anytime = match (&incumbent, &interim) {
            (Some(incumbent), Some(heuristic)) => incumbent.search(&**heuristic),
            _ => None,
        };
        let mut announcement = choice.taken.zip(plan.events.as_ref());
        let heuristic = choice.heuristic.text();
        self.prepare(heuristic, plan.limits.time, observer, &mut || {
            if let Some((Fallback { why, seconds, .. }, events)) = announcement.take() {
                let bytes = self.instance.tables(heuristic);
                events.building(&TableBuilding { heuristic, why, seconds, bytes });
            }
            if let Some(incumbent) = incumbent.as_deref_mut() {
                incumbent.work(&mut anytime);
            }
        })
    }

    /// Builds the tables of a heuristic, and calls `meanwhile` now and then.
    pub(crate) fn prepare(
        &self,
        heuristic: &str,
        time: Option<Duration>,
        observer: &mut dyn Observer,
        meanwhile: &mut dyn FnMut(),
    ) -> Result<(), Stop> {
        let deadline = time.and_then(|time| Timestamp::now().after(time));
        let mut why = Stop::Interrupted;
        let prepared = self.instance.prepare(heuristic, &mut |done, of| {
            meanwhile();
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
        // The advice has the rest of each fallback, unless another version of the program wrote the checkpoint.
        let mut fallbacks = self.instance.advice(None).fallbacks;
        fallbacks.retain(|next| progress.fallbacks.iter().any(|(_, heuristic)| heuristic == next.heuristic));
        for next in &mut fallbacks {
            let saved = progress.fallbacks.iter().find(|(_, heuristic)| heuristic == next.heuristic);
            next.expansions = saved.map_or(next.expansions, |&(expansions, _)| expansions);
        }
        Ok(Choice { algorithm, heuristic, counting: None, chosen: None, taken: None, fallbacks })
    }
}

impl SolveRun {
    /// Takes the incumbent as the best solution of a stopped search. It is optimal if it costs no more than the bound.
    fn take_incumbent(&mut self, best: Option<&Solution<MoveIndex>>) {
        let Some(best) = best else { return };
        match &self.report.outcome {
            &Outcome::Stopped { lower_bound, .. } if best.cost <= lower_bound => {
                let guarantee = Guarantee::Optimal;
                self.report.outcome = Outcome::Solved(Solution { guarantee, ..best.clone() });
                self.best = None;
            }
            Outcome::Stopped { .. } => {
                let own = self.best.take().filter(|own| own.cost <= best.cost);
                self.best = Some(own.unwrap_or_else(|| best.clone()));
            }
            _ => {}
        }
    }

    /// Adds the results and the statistics of the stage before this one.
    fn add_earlier_stage(&mut self, earlier: SolveRun) {
        let stats = &mut self.report.stats;
        let before = &earlier.report.stats;
        self.largest_branching = self.largest_branching.max(earlier.largest_branching);
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
