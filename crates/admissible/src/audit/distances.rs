//! The exact cost from every state of a ranking to its nearest goal.
//!
//! Dijkstra's algorithm, backward from all goals at once, with a bucket for each distance. It uses the predecessors of
//! a space that can list them ([`Backward`]). For other spaces it first stores all moves, reversed.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use super::{Interrupted, WATCH_EVERY, Watcher};
use crate::backward::Backward;
use crate::batch::Batch;
use crate::memory::{Work, for_this_processor};
use crate::ranking::Ranking;
use crate::space::{Cost, StateSpace};

/// The exact cost from each state to the nearest goal.
#[derive(Debug, Clone)]
pub struct Distances {
    /// By rank.
    of: Vec<Cost>,
}

/// The distance of states from which no goal can be reached; no path costs as much.
const NEVER: Cost = Cost::MAX;

impl Distances {
    /// Searches from the goals along the predecessors of each state.
    ///
    /// # Errors
    /// If the watcher stops it.
    pub fn backward<S: Backward, R: Ranking<S>>(
        space: &S,
        ranking: &R,
        watcher: &dyn Watcher,
    ) -> Result<Self, Interrupted> {
        Self::dijkstra(space, ranking, watcher, |rank, visit| {
            space.predecessors(&ranking.unrank(space, rank), |before, cost| {
                if let Some(before) = ranking.rank(space, &before) {
                    visit(before, cost);
                }
            });
        })
    }

    /// Breadth-first search from the goals along [`Ranking::predecessors`], for spaces in which every move costs 1.
    ///
    /// # Errors
    /// If the watcher stops it.
    pub fn by_layers<S: Backward, R: Ranking<S>>(
        space: &S,
        ranking: &R,
        watcher: &dyn Watcher,
    ) -> Result<Self, Interrupted> {
        for_this_processor(ByLayers { space, ranking, watcher })
    }

    /// Stores every move reversed and then searches from the goals, for spaces that cannot list predecessors. Takes 8
    /// bytes a move meanwhile.
    ///
    /// # Errors
    /// If the watcher stops it.
    pub fn by_moves<S: StateSpace, R: Ranking<S>>(
        space: &S,
        ranking: &R,
        watcher: &dyn Watcher,
    ) -> Result<Self, Interrupted> {
        let each_move = |visit: &mut dyn FnMut(usize, usize, Cost)| {
            for rank in 0..ranking.size() {
                let mut state = ranking.unrank(space, rank);
                for m in space.moves(&state) {
                    let cost = space.cost(&state, m);
                    let undo = space.apply(&mut state, m);
                    if let Some(to) = ranking.rank(space, &state) {
                        visit(rank, to, cost);
                    }
                    space.undo(&mut state, m, undo);
                }
            }
        };
        // By rank of the state that a move leads to: where the list of moves to it ends.
        let mut ends = vec![0; ranking.size() + 1];
        each_move(&mut |_, to, _| ends[to + 1] += 1);
        for at in 1..ends.len() {
            ends[at] += ends[at - 1];
        }
        let mut moves = vec![(0, 0); ends[ranking.size()]];
        let mut next = ends.clone();
        each_move(&mut |from, to, cost| {
            moves[next[to]] = (from as u32, cost);
            next[to] += 1;
        });
        Self::dijkstra(space, ranking, watcher, |rank, visit| {
            for &(from, cost) in &moves[ends[rank]..ends[rank + 1]] {
                visit(from as usize, cost);
            }
        })
    }

    fn dijkstra<S: StateSpace, R: Ranking<S>>(
        space: &S,
        ranking: &R,
        watcher: &dyn Watcher,
        predecessors: impl Fn(usize, &mut dyn FnMut(usize, Cost)),
    ) -> Result<Self, Interrupted> {
        let mut of = vec![NEVER; ranking.size()];
        let goals: Vec<u32> = (0..ranking.size())
            .filter(|&rank| space.is_goal(&ranking.unrank(space, rank)))
            .map(|rank| rank as u32)
            .collect();
        for &goal in &goals {
            of[goal as usize] = 0;
        }
        let mut buckets = BTreeMap::from([(0, goals)]);
        let mut settled = 0;
        while let Some((distance, bucket)) = buckets.pop_first() {
            // Almost all predecessors of a bucket go into the same next bucket.
            let mut last: (Cost, Vec<u32>) = (distance, Vec::new());
            for rank in bucket {
                if of[rank as usize] != distance {
                    continue;
                }
                settled += 1;
                if settled % WATCH_EVERY == 0 && watcher.watch(WATCH_EVERY) == ControlFlow::Break(()) {
                    return Err(Interrupted);
                }
                predecessors(rank as usize, &mut |before, cost| {
                    let through = distance.saturating_add(cost);
                    if through < of[before] {
                        of[before] = through;
                        if through != last.0 {
                            let other = buckets.remove(&through).unwrap_or_default();
                            let (key, full) = std::mem::replace(&mut last, (through, other));
                            if !full.is_empty() {
                                buckets.insert(key, full);
                            }
                        }
                        last.1.push(before as u32);
                    }
                });
            }
            if !last.1.is_empty() {
                buckets.insert(last.0, last.1);
            }
        }
        let _ = watcher.watch(settled % WATCH_EVERY + (ranking.size() as u64 - settled));
        Ok(Distances { of })
    }

    /// The distance of the state with this rank, or `None` if no goal can be reached from it.
    #[inline]
    pub fn get(&self, rank: usize) -> Option<Cost> {
        Some(self.of[rank]).filter(|&distance| distance != NEVER)
    }
}

/// The work of [`Distances::by_layers`]: breadth-first search from all goals at once. Whether a state is new is
/// unpredictable, so no branch depends on it.
struct ByLayers<'a, S, R> {
    space: &'a S,
    ranking: &'a R,
    watcher: &'a dyn Watcher,
}

impl<S: Backward, R: Ranking<S>> Work for ByLayers<'_, S, R> {
    type Out = Result<Distances, Interrupted>;

    #[inline(always)]
    fn run(self) -> Self::Out {
        let ByLayers { space, ranking, watcher } = self;
        let mut of = vec![NEVER; ranking.size()];
        let (mut layer, mut next) = (Batch::default(), Batch::default());
        ranking.goals(space, |goal| {
            of[goal] = 0;
            layer.push(goal as u32);
        });
        let (mut distance, mut settled) = (0, 0);
        while !layer.items().is_empty() {
            distance += 1;
            for &rank in layer.items() {
                settled += 1;
                if settled % WATCH_EVERY == 0 && watcher.watch(WATCH_EVERY) == ControlFlow::Break(()) {
                    return Err(Interrupted);
                }
                ranking.predecessors(space, rank as usize, |before| {
                    let known = of[before];
                    of[before] = known.min(distance);
                    next.push_if(before as u32, known == NEVER);
                });
            }
            std::mem::swap(&mut layer, &mut next);
            next.clear();
        }
        let _ = watcher.watch(settled % WATCH_EVERY + (ranking.size() as u64 - settled));
        Ok(Distances { of })
    }
}
