//! A heuristic on a puzzle as an [`InstanceHeuristic`].

use std::cell::OnceCell;

use admissible::audit::Findings;
use admissible::search::distributed::Processes;
use admissible::search::{
    IdastarSettings, Limits, Observer, Report, Search, Team, TieBreak, Weight, astar, astar_without_reopening, bfs,
    bidirectional, dfs, eager_astar, greedy, wastar,
};
use admissible::{AbilityVisitor, Backward, Cost, Erased, Estimate, Heuristic as _, Properties};
use admissible_certificate::{Number, Rules, StateKind};

use super::search::TypedSearch;
use super::{ErasedSearch, Instance as _, InstanceHeuristic, MoveIndex, TypedInstance};
use crate::error::PlanError;
use crate::incumbent::ANYTIME;
use crate::plan::Plan;
use crate::puzzle::Puzzle;
use crate::sample::Sampled;

/// A heuristic on a puzzle.
pub(super) struct TypedHeuristic<'a, P: Puzzle> {
    pub(super) typed: &'a TypedInstance<'a, P>,
    pub(super) name: String,
    pub(super) heuristic: Erased<'static, P>,
    /// The heuristic of the backward half of a bidirectional search, made on demand.
    pub(super) from_start: OnceCell<Erased<'static, P>>,
    /// What guides the anytime search, made on demand.
    pub(super) guide: OnceCell<Option<Erased<'static, P>>>,
}

impl<P: Puzzle> TypedHeuristic<'_, P> {
    fn estimate_of(&self, state: &P::State) -> Estimate {
        self.heuristic.evaluate(&*self.typed.0, state)
    }

    fn bidirectional<'a>(&'a self, limits: &Limits) -> Result<Box<dyn Search<P> + 'a>, String> {
        struct MakeBidirectional<'a, 'l, P: Puzzle> {
            to_goal: &'a Erased<'static, P>,
            from_start: &'a Erased<'static, P>,
            limits: &'l Limits,
            search: Result<Box<dyn Search<P> + 'a>, String>,
        }
        impl<'a, P: Puzzle> AbilityVisitor<'a, P> for MakeBidirectional<'a, '_, P> {
            fn backward(self, space: &'a P) -> Self
            where
                P: Backward,
            {
                let search = match bidirectional(space, space.start(), self.to_goal, self.from_start, self.limits) {
                    Ok(search) => Ok(Box::new(search) as Box<dyn Search<P> + 'a>),
                    Err(no_goals) => Err(no_goals.to_string()),
                };
                MakeBidirectional { search, ..self }
            }
        }
        let puzzle = &*self.typed.0;
        let from_start = self.from_start.get_or_init(|| puzzle.heuristic_from_start(&self.name));
        let search = Err("its moves cannot be reversed".into());
        puzzle.abilities(MakeBidirectional { to_goal: &self.heuristic, from_start, limits, search }).search
    }
}

impl<P: Puzzle> InstanceHeuristic for TypedHeuristic<'_, P> {
    fn properties(&self) -> Properties {
        self.heuristic.properties(&*self.typed.0)
    }

    fn scale(&self) -> u32 {
        self.heuristic.scale()
    }

    fn h(&self, state: Number) -> Estimate {
        self.estimate_of(&self.typed.state(state))
    }

    fn audit(&self, sample: &[Sampled]) -> Findings<Number> {
        let puzzle = &*self.typed.0;
        let mut findings = Findings::new(self.heuristic.scale());
        for &(state, distance) in sample {
            findings.look(puzzle, &self.heuristic, &self.typed.state(state), Some(distance));
        }
        findings.map(|packed| self.typed.number(&puzzle.unpack(packed)))
    }

    fn search<'a>(
        &'a self,
        algorithm: &str,
        plan: &Plan,
        limits: &Limits,
    ) -> Result<Option<Box<ErasedSearch<'a>>>, PlanError> {
        let (puzzle, heuristic) = (&*self.typed.0, &self.heuristic);
        let (start, tie) = (puzzle.start(), plan.tie.unwrap_or_default());
        let team = Team::of(plan.threads.unwrap_or(1));
        let is_solvable = self.typed.solvable() == Some(true);
        let idastar = IdastarSettings { limits: *limits, team, is_pruned: false, is_solvable };
        let search: Box<dyn Search<P> + 'a> = match algorithm {
            "astar" if tie == TieBreak::LowH => heuristic.astar(puzzle, start, limits),
            "astar" => astar(puzzle, start, heuristic, tie, limits),
            "hdastar" => match heuristic.hdastar(puzzle, start, team, limits) {
                Some(search) => search,
                None => return Ok(None),
            },
            "idastar" => heuristic.idastar(puzzle, start, &idastar),
            "idastar-pruned" => heuristic.idastar(puzzle, start, &IdastarSettings { is_pruned: true, ..idastar }),
            "bidirectional" => self.bidirectional(limits).map_err(PlanError::NotBackward)?,
            "astar-no-reopen" => Box::new(astar_without_reopening(puzzle, start, heuristic, tie, limits)),
            // The heuristic of every uninformed algorithm is `zero`.
            "ucs" => Box::new(eager_astar(puzzle, start, heuristic, tie, limits)),
            "bfs" => Box::new(bfs(puzzle, start, limits)),
            "dfs" => Box::new(dfs(puzzle, start, plan.depth_limit, limits)),
            "greedy" => Box::new(greedy(puzzle, start, heuristic, tie, limits)),
            "wastar" => {
                let weight = plan.weight.or(Weight::new(3, 2)).expect("3/2 is a weight");
                Box::new(wastar(puzzle, start, heuristic, weight, tie, limits))
            }
            // Not in the registry: it runs beside another search.
            ANYTIME => {
                let guide = self.guide.get_or_init(|| puzzle.guide(&self.name));
                guide.as_ref().unwrap_or(heuristic).beam(puzzle, start, limits)
            }
            name => unreachable!("{name} is in the registry and has no match here"),
        };
        Ok(Some(Box::new(TypedSearch { typed: self.typed, search, outcome: OnceCell::new() })))
    }

    fn distributed_astar(
        &self,
        processes: &dyn Processes,
        limits: Limits,
        observer: &mut dyn Observer,
    ) -> Report<MoveIndex> {
        let puzzle = &*self.typed.0;
        let report = self.heuristic.distributed_astar(puzzle, &puzzle.start(), processes, limits, observer);
        let Report { outcome, stats } = report.expect("the space has keys");
        Report { outcome: self.typed.erase_outcome(&outcome), stats }
    }
}

impl<P: Puzzle> Rules for TypedHeuristic<'_, P> {
    fn start(&self) -> Number {
        self.typed.start()
    }

    fn estimate(&self, state: Number) -> Option<Cost> {
        self.h(state).rounded_up(self.scale())
    }

    fn expand(&self, state: Number, successor: &mut dyn FnMut(Number, Cost, Option<Cost>)) -> StateKind {
        let puzzle = &*self.typed.0;
        let Some(state) = puzzle.of_number(state.0) else { return StateKind::Invalid };
        for m in puzzle.moves(&state) {
            let mut next = state.clone();
            puzzle.apply(&mut next, m);
            // Evaluated from scratch: the check does not trust incremental evaluation.
            let h = self.estimate_of(&next).rounded_up(self.scale());
            successor(self.typed.number(&next), puzzle.cost(&state, m), h);
        }
        if puzzle.is_goal(&state) { StateKind::Goal } else { StateKind::NonGoal }
    }

    fn is_hopeless(&self) -> bool {
        self.typed.solvable() == Some(false)
    }
}
