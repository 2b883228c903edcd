//! Parts of a scope: instances with their states ranked, whose types are erased.

use std::ops::Range;

use admissible::audit::{Distances, Findings, Interrupted, Watcher, audit_some};
use admissible::explore::{LayerCheckpoints, Layers, Reached, components};
use admissible::platform::together;
use admissible::{AbilityVisitor, Backward, Heuristic as _, Ranking};
use admissible_certificate::Number;

use crate::audit::AuditError;
use crate::explore::{ExploreDirection, ExploreError};
use crate::heuristic_spec::HeuristicSpec;
use crate::instance::{Instance, TypedInstance};
use crate::puzzle::Puzzle;

/// An instance with its states ranked, with its types erased.
pub(crate) trait ErasedPart: Send + Sync {
    fn instance(&self) -> &dyn Instance;
    /// The number of states.
    fn size(&self) -> usize;
    fn rank(&self, state: Number) -> Option<usize>;
    fn unrank(&self, rank: usize) -> Number;
    /// Breadth-first search up to a depth.
    fn layers(
        &self,
        direction: ExploreDirection,
        deepest: usize,
        threads: usize,
        watcher: &dyn Watcher,
        checkpoints: &dyn LayerCheckpoints,
    ) -> Result<Layers, ExploreError>;
    /// The number of goals among the states that `is_met` accepts.
    fn count_goals(&self, is_met: &dyn Fn(usize) -> bool) -> u64;
    fn components(&self, watcher: &dyn Watcher) -> Result<Vec<u64>, ExploreError>;
    /// The exact distance of every state.
    fn distances(&self, watcher: &dyn Watcher) -> Result<Distances, Interrupted>;
    /// Audits a heuristic on every state.
    fn audit(
        &self,
        heuristic: &HeuristicSpec,
        distances: &Distances,
        threads: usize,
        watcher: &dyn Watcher,
    ) -> Result<Findings<Number>, AuditError>;
    /// The estimates of a heuristic for states, in units of cost; infinity for a dead end.
    fn estimates(&self, heuristic: &HeuristicSpec, ranks: Range<usize>) -> Result<Vec<f64>, AuditError>;
}

/// A part that lists the states that its start reaches, in breadth-first order.
pub(crate) trait ListedPart: ErasedPart {
    /// The bytes of the list.
    fn bytes(&self) -> u64;
    fn depths(&self) -> Vec<u64>;
    fn edges(&self) -> u64;
    /// The first `most` states of the last layer, by rank.
    fn farthest(&self, most: usize) -> Vec<usize>;
}

impl<P: Puzzle> ListedPart for RankedPart<'_, P, Reached<P::Packed>, false> {
    fn bytes(&self) -> u64 {
        self.ranking.bytes()
    }

    fn depths(&self) -> Vec<u64> {
        self.ranking.depths()
    }

    fn edges(&self) -> u64 {
        self.ranking.edges()
    }

    fn farthest(&self, most: usize) -> Vec<usize> {
        self.ranking.farthest().take(most).collect()
    }
}

/// A puzzle and its ranking as an [`ErasedPart`].
pub(crate) struct RankedPart<'a, P, R, const UNIT_COSTS: bool> {
    pub(crate) instance: TypedInstance<'a, P>,
    pub(crate) ranking: R,
}

impl<P, R, const UNIT_COSTS: bool> RankedPart<'_, P, R, UNIT_COSTS> {
    fn puzzle(&self) -> &P {
        &self.instance.0
    }
}

/// Why a forward exploration has no start.
const UNRANKED: &str = "no goal can be reached from the start, and only states from which one can be reached have \
                        ranks: --backward explores those";
/// Why there is no backward exploration.
const FORWARD_ONLY: &str = "this puzzle cannot list predecessors, so it is explored from its start only";

/// The result of work that a watcher may stop.
type Interruptible<T> = Result<T, Interrupted>;

/// A breadth-first search from the goals up to a depth, on some threads.
type LayersBackward<P, R> = fn(&P, &R, usize, usize, &dyn Watcher, &dyn LayerCheckpoints) -> Interruptible<Layers>;

/// The functions that need predecessors, for a puzzle that can list them ([`Backward`]).
struct ByPredecessors<P, R, const UNIT_COSTS: bool> {
    layers: LayersBackward<P, R>,
    components: fn(&P, &R, &dyn Watcher) -> Interruptible<Vec<u64>>,
    distances: fn(&P, &R, &dyn Watcher) -> Interruptible<Distances>,
}

impl<P: Puzzle, R: Ranking<P>, const UNIT_COSTS: bool> ByPredecessors<P, R, UNIT_COSTS> {
    fn of(puzzle: &P) -> Option<Self> {
        struct Find<P, R, const UNIT_COSTS: bool>(Option<ByPredecessors<P, R, UNIT_COSTS>>);
        impl<'a, P: Puzzle, R: Ranking<P>, const UNIT_COSTS: bool> AbilityVisitor<'a, P> for Find<P, R, UNIT_COSTS> {
            fn backward(self, _puzzle: &'a P) -> Self
            where
                P: Backward,
            {
                Find(Some(ByPredecessors {
                    layers: Layers::backward_to,
                    components,
                    distances: if const { UNIT_COSTS } { Distances::by_layers } else { Distances::backward },
                }))
            }
        }
        puzzle.abilities(Find(None)).0
    }

    /// The same for an exploration, which fails without it.
    fn required(puzzle: &P) -> Result<Self, ExploreError> {
        Self::of(puzzle).ok_or_else(|| ExploreError::Plan(FORWARD_ONLY.into()))
    }
}

impl<P: Puzzle, R: Ranking<P> + Send, const UNIT_COSTS: bool> ErasedPart for RankedPart<'_, P, R, UNIT_COSTS> {
    fn size(&self) -> usize {
        self.ranking.size()
    }

    fn instance(&self) -> &dyn Instance {
        &self.instance
    }

    fn rank(&self, state: Number) -> Option<usize> {
        self.ranking.rank(self.puzzle(), &self.instance.state(state))
    }

    fn unrank(&self, rank: usize) -> Number {
        self.instance.number(&self.ranking.unrank(self.puzzle(), rank))
    }

    fn layers(
        &self,
        direction: ExploreDirection,
        deepest: usize,
        threads: usize,
        watcher: &dyn Watcher,
        checkpoints: &dyn LayerCheckpoints,
    ) -> Result<Layers, ExploreError> {
        let (puzzle, ranking) = (self.puzzle(), &self.ranking);
        match direction {
            ExploreDirection::Backward => {
                let work = ByPredecessors::<P, R, UNIT_COSTS>::required(puzzle)?;
                Ok((work.layers)(puzzle, ranking, deepest, threads, watcher, checkpoints)?)
            }
            ExploreDirection::Forward => {
                let start = ranking.rank(puzzle, &puzzle.start());
                let start = start.ok_or_else(|| ExploreError::Plan(UNRANKED.into()))?;
                Ok(Layers::forward(puzzle, ranking, start, threads, watcher, checkpoints)?)
            }
        }
    }

    fn count_goals(&self, is_met: &dyn Fn(usize) -> bool) -> u64 {
        let mut goals = 0;
        self.ranking.goals(self.puzzle(), |goal| goals += u64::from(is_met(goal)));
        goals
    }

    fn components(&self, watcher: &dyn Watcher) -> Result<Vec<u64>, ExploreError> {
        let work = ByPredecessors::<P, R, UNIT_COSTS>::required(self.puzzle())?;
        Ok((work.components)(self.puzzle(), &self.ranking, watcher)?)
    }

    fn distances(&self, watcher: &dyn Watcher) -> Result<Distances, Interrupted> {
        let (puzzle, ranking) = (self.puzzle(), &self.ranking);
        let distances = match ByPredecessors::<P, R, UNIT_COSTS>::of(puzzle) {
            Some(work) => work.distances,
            None => Distances::by_moves,
        };
        distances(puzzle, ranking, watcher)
    }

    fn audit(
        &self,
        heuristic: &HeuristicSpec,
        distances: &Distances,
        threads: usize,
        watcher: &dyn Watcher,
    ) -> Result<Findings<Number>, AuditError> {
        let (puzzle, ranking) = (self.puzzle(), &self.ranking);
        let heuristic = &heuristic.on(puzzle)?;
        let share = ranking.size().div_ceil(threads).max(1);
        let share_of = |thread: usize| {
            let ranks = (thread * share).min(ranking.size())..((thread + 1) * share).min(ranking.size());
            let findings = audit_some(puzzle, ranking, ranks, distances, heuristic, watcher)?;
            Ok(findings.map(|packed| self.instance.number(&puzzle.unpack(packed))))
        };
        let shares = together(|| share_of(0), (1..threads).map(|thread| move || share_of(thread)));
        let mut all = Findings::new(heuristic.scale());
        for findings in shares {
            all.merge(&findings.map_err(|Interrupted| AuditError::Interrupted)?);
        }
        Ok(all)
    }

    fn estimates(&self, heuristic: &HeuristicSpec, ranks: Range<usize>) -> Result<Vec<f64>, AuditError> {
        let (puzzle, ranking) = (self.puzzle(), &self.ranking);
        let heuristic = heuristic.on(puzzle)?;
        let h = |rank| heuristic.evaluate(puzzle, &ranking.unrank(puzzle, rank)).in_costs(heuristic.scale());
        Ok(ranks.map(|rank| h(rank).unwrap_or(f64::INFINITY)).collect())
    }
}
