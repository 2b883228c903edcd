//! Scopes with their types erased, so that audits and explorations are compiled once for all puzzles.
//!
//! A scope has parts: instances that no move connects. A part is an instance with its states ranked.

use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};

use admissible::audit::{Distances, Findings, Interrupted, Watcher, audit_some};
use admissible::explore::{LayerCheckpoints, Layers, Packing, ReachError, Reached, components};
use admissible::platform::together;
use admissible::{AbilityVisitor, Backward, Heuristic as _, Ranking};
use admissible_certificate::Number;
use serde_json::Value;

use crate::audit::AuditError;
use crate::counterexample::{CounterexampleRenderer, PuzzleRenderer, number};
use crate::explore::{ExploreDirection, ExploreError};
use crate::heuristic_spec::HeuristicSpec;
use crate::puzzle::Puzzle;
use crate::sample::{PuzzleSampler, Sampler};
use crate::scope::{Scope, ScopeVisitor};

/// Calls `work` with the number of every part, on several threads, until one call fails.
pub(crate) fn for_each_part<E: Send>(
    parts: usize,
    threads: usize,
    work: &(dyn Fn(usize) -> Result<(), E> + Sync),
) -> Result<(), E> {
    let next = AtomicUsize::new(0);
    let worked = in_parallel(threads, &|_| {
        loop {
            let part = next.fetch_add(1, Ordering::Relaxed);
            if part >= parts {
                return Ok(());
            }
            work(part).inspect_err(|_| next.store(parts, Ordering::Relaxed))?;
        }
    });
    worked.into_iter().collect()
}

/// Calls `work` on `threads` threads, each with its number, and returns the results.
fn in_parallel<R: Send>(threads: usize, work: &(dyn Fn(usize) -> R + Sync)) -> Vec<R> {
    together(|| work(0), (1..threads).map(|thread| move || work(thread)))
}

/// A scope with its types erased.
pub(crate) enum ErasedScope<'a> {
    /// A scope whose states have ranks.
    Ranked(&'a dyn Parts),
    /// The states that a start reaches, which have no ranks; with the title of the scope.
    Reachable(&'a str, &'a dyn Reach),
}

/// A [`Scope`] with its types erased.
pub(crate) trait Parts: Sync {
    fn title(&self) -> String;
    fn unit(&self) -> &'static str;
    fn parts(&self) -> usize;
    fn packing(&self) -> Packing;
    fn states(&self, part: usize) -> u128;
    fn atlas(&self, part: usize) -> Option<String>;
    fn cells(&self, part: usize) -> usize;
    /// Samples the states of a scope with one part.
    fn sampler(&self) -> Option<Box<dyn Sampler + '_>>;
    /// Makes a part and passes it to `user`.
    fn part(&self, part: usize, user: &mut dyn FnMut(&dyn Part));
}

/// The states that the start of an instance reaches.
pub(crate) trait Reach {
    fn unit(&self) -> &'static str;
    fn packing(&self) -> Packing;
    /// Lists the states and passes them to `user`.
    fn reach(
        &self,
        most_bytes: Option<u64>,
        watcher: &dyn Watcher,
        user: &mut dyn FnMut(&dyn Part, &dyn ReachedStates),
    ) -> Result<(), ReachError>;
}

/// The list of reachable states, in breadth-first order.
pub(crate) trait ReachedStates {
    fn bytes(&self) -> u64;
    fn depths(&self) -> Vec<u64>;
    fn edges(&self) -> u64;
    /// The first `most` states of the last layer, by rank.
    fn farthest(&self, most: usize) -> Vec<usize>;
}

impl<P: Copy + Eq + std::hash::Hash> ReachedStates for Reached<P> {
    fn bytes(&self) -> u64 {
        self.bytes()
    }

    fn depths(&self) -> Vec<u64> {
        self.depths()
    }

    fn edges(&self) -> u64 {
        self.edges()
    }

    fn farthest(&self, most: usize) -> Vec<usize> {
        self.farthest().take(most).collect()
    }
}

/// Passes the part of a number to a visitor.
pub(crate) type WithPart<'a> = dyn Fn(usize, &mut dyn FnMut(&dyn Part)) + Sync + 'a;

/// An instance with its states ranked, with its types erased.
pub(crate) trait Part: Sync {
    fn size(&self) -> usize;
    fn state_json(&self, rank: usize) -> Value;
    fn draw(&self, rank: usize) -> String;
    fn file(&self, rank: usize) -> Option<String>;
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
    /// The renderer of counterexamples.
    fn renderer(&self) -> Box<dyn CounterexampleRenderer + '_>;
}

/// A puzzle and its ranking as a [`Part`].
struct RankedPart<'a, P, R, const UNIT_COSTS: bool> {
    puzzle: &'a P,
    ranking: &'a R,
}

/// Why a forward exploration has no start.
const UNRANKED: &str = "no goal can be reached from the start, and only states from which one can be reached have \
                        ranks: --backward explores those";
/// Why there is no backward exploration.
const FORWARD_ONLY: &str = "this puzzle cannot list predecessors, so it is explored from its start only";

/// The result of work that a watcher may stop.
type Interruptible<T> = Result<T, Interrupted>;

/// The functions that need predecessors, for a puzzle that can list them ([`Backward`]).
struct ByPredecessors<P, R, const UNIT_COSTS: bool> {
    layers: fn(&P, &R, usize, &dyn Watcher, &dyn LayerCheckpoints) -> Interruptible<Layers>,
    layers_to: fn(&P, &R, usize, usize, &dyn Watcher) -> Interruptible<Layers>,
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
                    layers: Layers::backward_checkpointed,
                    layers_to: Layers::backward_to,
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

impl<P: Puzzle, R: Ranking<P>, const UNIT_COSTS: bool> Part for RankedPart<'_, P, R, UNIT_COSTS> {
    fn size(&self) -> usize {
        self.ranking.size()
    }

    fn state_json(&self, rank: usize) -> Value {
        self.puzzle.state_json(&self.ranking.unrank(self.puzzle, rank))
    }

    fn draw(&self, rank: usize) -> String {
        self.puzzle.draw(&self.ranking.unrank(self.puzzle, rank))
    }

    fn file(&self, rank: usize) -> Option<String> {
        self.puzzle.file(&self.ranking.unrank(self.puzzle, rank))
    }

    fn layers(
        &self,
        direction: ExploreDirection,
        deepest: usize,
        threads: usize,
        watcher: &dyn Watcher,
        checkpoints: &dyn LayerCheckpoints,
    ) -> Result<Layers, ExploreError> {
        let RankedPart { puzzle, ranking } = *self;
        match direction {
            ExploreDirection::Backward => {
                let work = ByPredecessors::<P, R, UNIT_COSTS>::required(puzzle)?;
                Ok(match deepest {
                    usize::MAX => (work.layers)(puzzle, ranking, threads, watcher, checkpoints)?,
                    deepest => (work.layers_to)(puzzle, ranking, deepest, threads, watcher)?,
                })
            }
            ExploreDirection::Forward => {
                let start = ranking.rank(puzzle, &puzzle.start());
                let start = start.ok_or_else(|| ExploreError::Plan(UNRANKED.into()))?;
                Ok(Layers::forward_checkpointed(puzzle, ranking, start, threads, watcher, checkpoints)?)
            }
        }
    }

    fn count_goals(&self, is_met: &dyn Fn(usize) -> bool) -> u64 {
        let mut goals = 0;
        self.ranking.goals(self.puzzle, |goal| goals += u64::from(is_met(goal)));
        goals
    }

    fn components(&self, watcher: &dyn Watcher) -> Result<Vec<u64>, ExploreError> {
        let work = ByPredecessors::<P, R, UNIT_COSTS>::required(self.puzzle)?;
        Ok((work.components)(self.puzzle, self.ranking, watcher)?)
    }

    fn distances(&self, watcher: &dyn Watcher) -> Result<Distances, Interrupted> {
        let RankedPart { puzzle, ranking } = *self;
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
        let RankedPart { puzzle, ranking } = *self;
        let heuristic = &heuristic.on(puzzle)?;
        let share = ranking.size().div_ceil(threads).max(1);
        let shares = in_parallel(threads, &|thread| {
            let ranks = (thread * share).min(ranking.size())..((thread + 1) * share).min(ranking.size());
            let findings = audit_some(puzzle, ranking, ranks, distances, heuristic, watcher)?;
            Ok(findings.map(|packed| number(puzzle, packed)))
        });
        let mut all = Findings::new(heuristic.scale());
        for findings in shares {
            all.merge(&findings.map_err(|Interrupted| AuditError::Interrupted)?);
        }
        Ok(all)
    }

    fn estimates(&self, heuristic: &HeuristicSpec, ranks: Range<usize>) -> Result<Vec<f64>, AuditError> {
        let RankedPart { puzzle, ranking } = *self;
        let heuristic = heuristic.on(puzzle)?;
        let h = |rank| heuristic.evaluate(puzzle, &ranking.unrank(puzzle, rank)).in_costs(heuristic.scale());
        Ok(ranks.map(|rank| h(rank).unwrap_or(f64::INFINITY)).collect())
    }

    fn renderer(&self) -> Box<dyn CounterexampleRenderer + '_> {
        Box::new(PuzzleRenderer(self.puzzle))
    }
}

/// A [`Scope`] as [`Parts`].
struct RankedScope<'a, S>(&'a S);

impl<S: Scope> Parts for RankedScope<'_, S> {
    fn title(&self) -> String {
        self.0.title()
    }

    fn unit(&self) -> &'static str {
        S::Puzzle::UNIT
    }

    fn parts(&self) -> usize {
        self.0.parts()
    }

    fn packing(&self) -> Packing {
        Packing::of::<S::Puzzle, S::Ranking>()
    }

    fn states(&self, part: usize) -> u128 {
        self.0.states(part)
    }

    fn atlas(&self, part: usize) -> Option<String> {
        self.0.atlas(part)
    }

    fn cells(&self, part: usize) -> usize {
        self.0.cells(part)
    }

    fn sampler(&self) -> Option<Box<dyn Sampler + '_>> {
        self.0.single().map(|puzzle| Box::new(PuzzleSampler(puzzle)) as Box<dyn Sampler + '_>)
    }

    fn part(&self, part: usize, user: &mut dyn FnMut(&dyn Part)) {
        self.0.part(part, |puzzle, ranking| user(&RankedPart::<_, _, true> { puzzle, ranking }));
    }
}

/// The states that the start of a puzzle reaches.
pub(crate) struct FromStart<'a, P>(pub(crate) &'a P);

impl<P: Puzzle> Reach for FromStart<'_, P> {
    fn unit(&self) -> &'static str {
        P::UNIT
    }

    fn packing(&self) -> Packing {
        Packing::of::<P, Reached<P::Packed>>()
    }

    fn reach(
        &self,
        most_bytes: Option<u64>,
        watcher: &dyn Watcher,
        user: &mut dyn FnMut(&dyn Part, &dyn ReachedStates),
    ) -> Result<(), ReachError> {
        let reached = Reached::from(self.0, &self.0.start(), most_bytes, watcher)?;
        user(&RankedPart::<_, _, false> { puzzle: self.0, ranking: &reached }, &reached);
        Ok(())
    }
}

/// Erases the types of a scope.
pub(crate) struct EraseScope<'u, Out>(pub(crate) &'u mut dyn FnMut(ErasedScope<'_>) -> Out);

impl<Out> ScopeVisitor for EraseScope<'_, Out> {
    type Out = Out;

    fn ranked<S: Scope>(self, scope: &S) -> Out {
        (self.0)(ErasedScope::Ranked(&RankedScope(scope)))
    }

    fn reachable<P: Puzzle>(self, title: &str, puzzle: &P) -> Out {
        (self.0)(ErasedScope::Reachable(title, &FromStart(puzzle)))
    }
}
