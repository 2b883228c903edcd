//! One search from its tables to its report. The names of the algorithms are matched here and nowhere else.

use std::ops::ControlFlow;

use crate::puzzle::{Puzzle, WithBackward, WithHeuristic};
use admissible::platform::Timestamp;
use admissible::search::{
    Idastar, Limits, Observer, Outcome, Report, Search, Solution, Stats, Stop, Team, TieBreak, Weight, astar,
    astar_without_reopening, bfs, bidirectional, dfs, distributed_astar, eager_astar, greedy, hdastar, packed_astar,
    ucs, wastar,
};
use admissible::{Backward, Erased, Heuristic, StateSpace};

use crate::error::PlanError;
use crate::hopeless::Hopeless;
use crate::keeping::Standing;
use crate::named::Erasing;
use crate::plan::{Choice, Plan};
use crate::stages::left;
use crate::task::{Opened, Ran, Solvability, Task as _};

impl<P: Puzzle> Opened<P> {
    /// Prepares a search and hands it to `drive`, with what is left of the limits by then.
    pub(crate) fn drive_choice(
        &self,
        choice: Choice,
        standing: &Standing,
        plan: &Plan,
        observer: &mut dyn Observer,
        drive: &mut Drive<'_, P>,
    ) -> Result<Ran<P>, PlanError> {
        let begin = Timestamp::now();
        let stopped = |choice, why| Ran::new(choice, stopped(why), begin.elapsed().as_secs_f64());
        let tables = self.puzzle.tables(choice.heuristic.text());
        if let Some(most) = plan.limits.bytes.filter(|&most| most < tables.peak) {
            let (name, need, most) = (choice.heuristic.text(), tables.peak.div_ceil(1 << 20), most >> 20);
            let note = format!("the tables of {name} take {need} MiB, and the limit is {most} MiB");
            return Ok(Ran { notes: vec![note], ..stopped(choice, Stop::Memory) });
        }
        let deadline = plan.limits.time.and_then(|time| begin.after(time));
        let mut why = Stop::Interrupted;
        let prepared = self.puzzle.prepare(choice.heuristic.text(), &mut |done, of| {
            if deadline.is_some_and(|deadline| Timestamp::now() >= deadline) {
                why = Stop::Time;
                return ControlFlow::Break(());
            }
            observer.preparing(done, of).map_break(|stop| why = stop)
        });
        if prepared.is_err() {
            return Ok(stopped(choice, why));
        }
        let limits = Limits {
            time: left(plan.limits.time, begin.elapsed().as_secs_f64()),
            bytes: plan.limits.bytes.map(|most| most - tables.held),
            ..plan.limits
        };
        let mut best = None;
        let runner = Runner {
            opened: self,
            algorithm: choice.algorithm.name,
            heuristic: choice.heuristic.text(),
            plan,
            limits,
            standing,
            observer,
            drive,
            best: &mut best,
        };
        let report = choice.heuristic.with(&self.puzzle, runner)??;
        let best = best.filter(|_| matches!(report.outcome, Outcome::Stopped { .. }));
        Ok(Ran { best, ..Ran::new(choice, report, begin.elapsed().as_secs_f64()) })
    }
}

/// A search that could not begin.
fn stopped<M>(why: Stop) -> Report<M> {
    Report { outcome: Outcome::Stopped { why, lower_bound: 0 }, stats: Stats::default() }
}

/// Carries out a plan with a heuristic whose type is known.
struct Runner<'a, P: Puzzle> {
    opened: &'a Opened<P>,
    algorithm: &'static str,
    heuristic: &'a str,
    plan: &'a Plan,
    limits: Limits,
    standing: &'a Standing,
    observer: &'a mut dyn Observer,
    drive: &'a mut Drive<'a, P>,
    best: &'a mut Option<Solution<P::Move>>,
}

/// Drives a search to its end, within limits.
pub(crate) type Drive<'a, P> =
    dyn FnMut(&mut dyn Search<P>, &Limits, &mut dyn Observer) -> Report<<P as StateSpace>::Move> + 'a;

impl<P: Puzzle> Runner<'_, P> {
    /// Searches together with other processes.
    fn by_processes<H: Heuristic<P>>(&mut self, heuristic: &H) -> Report<P::Move> {
        let (space, processes) =
            (&self.opened.puzzle, self.plan.processes.as_deref().expect("the plan names processes"));
        let report = distributed_astar(space, &space.start(), heuristic, processes, self.limits, self.observer);
        report.expect("the space has keys")
    }

    fn team(&self) -> Team {
        Team::of(self.plan.threads.unwrap_or(1))
    }

    fn tie(&self) -> TieBreak {
        self.plan.tie.unwrap_or_default()
    }

    fn drive(&mut self, search: &mut dyn Search<P>) -> Result<Report<P::Move>, PlanError> {
        match &self.standing.snapshot {
            Some(snapshot) if !search.restore(snapshot) => {
                return Err(PlanError::Checkpoint("it is one of another search".into()));
            }
            Some(_) => {}
            None => search.begin_at(self.standing.lower_bound),
        }
        let report = (self.drive)(search, &self.limits, self.observer);
        *self.best = search.best();
        Ok(report)
    }
}

impl<P: Puzzle> WithHeuristic<P> for Runner<'_, P> {
    type Out = Result<Report<P::Move>, PlanError>;

    /// Only packed A* and HDA* are compiled for every type of heuristic. IDA* spends its time in the subtree search of
    /// the heuristic, and the [`Others`] are there for comparison.
    fn call<H: Heuristic<P> + Sync + 'static>(mut self, heuristic: H) -> Self::Out {
        let space = &self.opened.puzzle;
        let start = space.start();
        let limits = &{ self.limits };
        if self.opened.solvability() == Solvability::Unsolvable {
            return self.drive(&mut Hopeless::new());
        }
        match self.algorithm {
            "astar" if !self.plan.counts_not_closed && self.tie() == TieBreak::LowH => {
                if let Some(mut search) = packed_astar(space, &start, &heuristic, limits) {
                    return self.drive(&mut *search);
                }
                Erasing(Others(self)).call(heuristic)
            }
            "hdastar" if !self.plan.counts_not_closed => match self.plan.processes {
                Some(_) => Ok(self.by_processes(&heuristic)),
                None => match hdastar(space, start, &heuristic, self.team(), limits) {
                    Some(mut search) => self.drive(&mut *search),
                    None => Ok(stopped(Stop::Memory)),
                },
            },
            "idastar" | "idastar-pruned" | "bidirectional" => self.in_whole_costs(&Erased::new(&heuristic)),
            _ => Erasing(Others(self)).call(heuristic),
        }
    }
}

impl<P: Puzzle> Runner<'_, P> {
    /// The algorithms that round estimates up to whole costs.
    fn in_whole_costs(mut self, heuristic: &Erased<'_, P>) -> Result<Report<P::Move>, PlanError> {
        let space = &self.opened.puzzle;
        let (start, limits) = (space.start(), self.limits);
        let is_solvable = self.opened.solvability() == Solvability::Solvable;
        let idastar = Idastar::new(space, heuristic).limits(limits).threads(self.team()).solvable(is_solvable);
        match self.algorithm {
            "idastar" => self.drive(&mut *idastar.search(start)),
            "idastar-pruned" => self.drive(&mut *idastar.pruned().search(start)),
            _ => {
                let (puzzle, name) = (self.opened.card.name, self.heuristic);
                let report = space.with_backward(name, BothWays { runner: self, to_goal: heuristic });
                report
                    .unwrap_or(Err("its moves cannot be taken back".into()))
                    .map_err(|why| PlanError::NotBackward { puzzle, why })?
            }
        }
    }
}

/// Carries out a plan by an algorithm that promises less than A*, counts more, or asks no heuristic.
struct Others<'a, P: Puzzle>(Runner<'a, P>);

impl<P: Puzzle> WithHeuristic<P> for Others<'_, P> {
    type Out = Result<Report<P::Move>, PlanError>;

    fn call<H: Heuristic<P> + Sync + 'static>(self, heuristic: H) -> Self::Out {
        let mut runner = self.0;
        let space = &runner.opened.puzzle;
        let (start, tie, limits) = (space.start(), runner.tie(), &{ runner.limits });
        match runner.algorithm {
            "astar" | "hdastar" if runner.plan.counts_not_closed => {
                runner.drive(&mut eager_astar(space, start, &heuristic, tie, limits))
            }
            "astar" => runner.drive(&mut astar(space, start, &heuristic, tie, limits)),
            "astar-no-reopen" => runner.drive(&mut astar_without_reopening(space, start, &heuristic, tie, limits)),
            "ucs" => runner.drive(&mut ucs(space, start, tie, limits)),
            "bfs" => runner.drive(&mut bfs(space, start, limits)),
            "dfs" => runner.drive(&mut dfs(space, start, runner.plan.depth_limit, limits)),
            "greedy" => runner.drive(&mut greedy(space, start, &heuristic, tie, limits)),
            "wastar" => {
                let weight = runner.plan.weight.or(Weight::new(3, 2)).expect("3/2 is a weight");
                runner.drive(&mut wastar(space, start, &heuristic, weight, tie, limits))
            }
            name => unreachable!("{name} is in the registry and has no match here"),
        }
    }
}

/// Carries out a bidirectional plan.
struct BothWays<'a, 'h, P: Puzzle> {
    runner: Runner<'a, P>,
    to_goal: &'h Erased<'h, P>,
}

impl<P: Puzzle> WithBackward<P> for BothWays<'_, '_, P> {
    type Out = Result<Result<Report<P::Move>, PlanError>, String>;

    fn call<B: Heuristic<P>>(self, space: &P, from_start: &B) -> Self::Out
    where
        P: Backward,
    {
        self.search(space, &Erased::new(from_start))
    }
}

impl<P: Puzzle + Backward> BothWays<'_, '_, P> {
    fn search(mut self, space: &P, from_start: &Erased<'_, P>) -> Result<Result<Report<P::Move>, PlanError>, String> {
        let limits = self.runner.limits;
        let mut search = bidirectional(space, space.start(), self.to_goal, from_start, &limits)
            .map_err(|no_goals| no_goals.to_string())?;
        Ok(self.runner.drive(&mut search))
    }
}
