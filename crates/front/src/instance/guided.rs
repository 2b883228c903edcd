//! A heuristic on a puzzle, and the searches that it guides.

use std::cell::OnceCell;

use admissible::search::distributed::Processes;
use admissible::search::{
    IdastarSettings, Limits, Observer, Report, Search, Team, TieBreak, Weight, astar, astar_without_reopening, bfs,
    bidirectional, dfs, eager_astar, greedy, wastar,
};
use admissible::{AbilityVisitor, Backward, Cost, Erased, Estimate, Heuristic as _, Properties};
use admissible_certificate::{Look, Number, Rules};

use super::running::Running;
use super::{AnySearch, Guide, Instance as _, MoveIndex, Typed};
use crate::error::PlanError;
use crate::plan::Plan;
use crate::puzzle::Puzzle;

/// A heuristic on a puzzle as a [`Guide`].
pub(super) struct Guided<'a, P: Puzzle> {
    pub(super) typed: &'a Typed<P>,
    pub(super) name: String,
    pub(super) heuristic: Erased<'static, P>,
    /// What estimates the cost from the start, once a bidirectional search asks for it.
    pub(super) from_start: OnceCell<Erased<'static, P>>,
}

impl<P: Puzzle> Guided<'_, P> {
    fn estimate_of(&self, state: &P::State) -> Estimate {
        self.heuristic.evaluate(&self.typed.0, state)
    }

    fn bidirectional<'a>(&'a self, limits: &Limits) -> Result<Box<dyn Search<P> + 'a>, String> {
        struct Make<'a, 'l, P: Puzzle> {
            to_goal: &'a Erased<'static, P>,
            from_start: &'a Erased<'static, P>,
            limits: &'l Limits,
            search: Result<Box<dyn Search<P> + 'a>, String>,
        }
        impl<'a, P: Puzzle> AbilityVisitor<'a, P> for Make<'a, '_, P> {
            fn backward(self, space: &'a P) -> Self
            where
                P: Backward,
            {
                let search = match bidirectional(space, space.start(), self.to_goal, self.from_start, self.limits) {
                    Ok(search) => Ok(Box::new(search) as Box<dyn Search<P> + 'a>),
                    Err(no_goals) => Err(no_goals.to_string()),
                };
                Make { search, ..self }
            }
        }
        let puzzle = &self.typed.0;
        let from_start = self.from_start.get_or_init(|| puzzle.heuristic_from_start(&self.name));
        let search = Err("its moves cannot be taken back".into());
        puzzle.abilities(Make { to_goal: &self.heuristic, from_start, limits, search }).search
    }
}

impl<P: Puzzle> Guide for Guided<'_, P> {
    fn properties(&self) -> Properties {
        self.heuristic.properties(&self.typed.0)
    }

    fn scale(&self) -> u32 {
        self.heuristic.scale()
    }

    fn h(&self, state: Number) -> Estimate {
        self.estimate_of(&self.typed.state(state))
    }

    fn search<'a>(
        &'a self,
        algorithm: &str,
        plan: &Plan,
        limits: &Limits,
    ) -> Result<Option<Box<AnySearch<'a>>>, PlanError> {
        let (puzzle, heuristic) = (&self.typed.0, &self.heuristic);
        let (start, tie) = (puzzle.start(), plan.tie.unwrap_or_default());
        let team = Team::of(plan.threads.unwrap_or(1));
        let is_solvable = self.typed.solvable() == Some(true);
        let idastar = IdastarSettings { limits: *limits, team, is_pruned: false, is_solvable };
        let search: Box<dyn Search<P> + 'a> = match algorithm {
            "astar" | "hdastar" if plan.counts_not_closed => {
                Box::new(eager_astar(puzzle, start, heuristic, tie, limits))
            }
            "astar" if tie == TieBreak::LowH => heuristic.astar(puzzle, start, limits),
            "astar" => Box::new(astar(puzzle, start, heuristic, tie, limits)),
            "hdastar" => match heuristic.hdastar(puzzle, start, team, limits) {
                Some(search) => search,
                None => return Ok(None),
            },
            "idastar" => heuristic.idastar(puzzle, start, &idastar),
            "idastar-pruned" => heuristic.idastar(puzzle, start, &IdastarSettings { is_pruned: true, ..idastar }),
            "bidirectional" => self.bidirectional(limits).map_err(PlanError::NotBackward)?,
            "astar-no-reopen" => Box::new(astar_without_reopening(puzzle, start, heuristic, tie, limits)),
            // Its heuristic is `zero`, as that of every algorithm that listens to none.
            "ucs" => Box::new(eager_astar(puzzle, start, heuristic, tie, limits)),
            "bfs" => Box::new(bfs(puzzle, start, limits)),
            "dfs" => Box::new(dfs(puzzle, start, plan.depth_limit, limits)),
            "greedy" => Box::new(greedy(puzzle, start, heuristic, tie, limits)),
            "wastar" => {
                let weight = plan.weight.or(Weight::new(3, 2)).expect("3/2 is a weight");
                Box::new(wastar(puzzle, start, heuristic, weight, tie, limits))
            }
            name => unreachable!("{name} is in the registry and has no match here"),
        };
        Ok(Some(Box::new(Running { typed: self.typed, search, outcome: OnceCell::new() })))
    }

    fn search_together(
        &self,
        processes: &dyn Processes,
        limits: Limits,
        observer: &mut dyn Observer,
    ) -> Report<MoveIndex> {
        let puzzle = &self.typed.0;
        let report = self.heuristic.distributed_astar(puzzle, &puzzle.start(), processes, limits, observer);
        let Report { outcome, stats } = report.expect("the space has keys");
        Report { outcome: self.typed.erase_outcome(&outcome), stats }
    }
}

impl<P: Puzzle> Rules for Guided<'_, P> {
    fn start(&self) -> Number {
        self.typed.start()
    }

    fn estimate(&self, state: Number) -> Option<Cost> {
        self.h(state).rounded_up(self.scale())
    }

    fn look(&self, state: Number, successor: &mut dyn FnMut(Number, Cost, Option<Cost>)) -> Look {
        let puzzle = &self.typed.0;
        let Some(state) = puzzle.of_number(state.0) else { return Look::Nothing };
        for m in puzzle.moves(&state) {
            let mut next = state.clone();
            puzzle.apply(&mut next, m);
            // From scratch: what searches carry along is not trusted here.
            let h = self.estimate_of(&next).rounded_up(self.scale());
            successor(self.typed.number(&next), puzzle.cost(&state, m), h);
        }
        if puzzle.is_goal(&state) { Look::Goal } else { Look::State }
    }

    fn is_hopeless(&self) -> bool {
        self.typed.solvable() == Some(false)
    }
}
