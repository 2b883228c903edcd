//! Depth-first search with duplicate detection.
//!
//! Without a depth limit every state is expanded at most once, so the search of a finite space ends, and if it finds no
//! goal, none can be reached. With a limit, a state that is reached again by a shorter path is expanded again, since
//! its successors may now be within the limit.

use super::closed::{Full, Lookup, NodeId, Nodes};
use super::report::{Guarantee, Limits, Outcome, Solution, Stats, Stop};
use super::{Progress, Search, Signal, Visit, moves_along};
use crate::heuristic::Estimate;
use crate::space::{Cost, StateSpace};

/// Depth-first search, down to `depth_limit` moves if that is given. Finds some path, without a guarantee.
pub fn dfs<'a, S: StateSpace>(
    space: &'a S,
    start: S::State,
    depth_limit: Option<u32>,
    limits: &Limits,
) -> DfsSearch<'a, S> {
    let mut search = DfsSearch {
        space,
        nodes: Nodes::new(space, limits.bytes),
        depth_limit,
        limit: limits.bytes.unwrap_or(u64::MAX),
        cut_off: false,
        start: None,
        path: Vec::new(),
        stats: Stats::default(),
        outcome: None,
    };
    if search.nodes.find_or_insert(space, space.pack(&start), 0, None) == Err(Full) {
        search.stop(Stop::Memory);
    } else if space.is_goal(&start) {
        search.solved(0);
    } else {
        search.start = Some(start);
    }
    search.measure();
    search
}

/// A depth-first search under way; see [`dfs`].
pub struct DfsSearch<'a, S: StateSpace> {
    space: &'a S,
    /// `g` is the depth here; the cost is computed when the path is rebuilt.
    nodes: Nodes<S::Packed>,
    depth_limit: Option<u32>,
    /// Bytes that closed list and path may take together.
    limit: u64,
    cut_off: bool,
    /// The start, until the search has begun.
    start: Option<S::State>,
    path: Vec<DfsFrame<S>>,
    stats: Stats,
    outcome: Option<Outcome<S::Move>>,
}

/// A state on the current path.
struct DfsFrame<S: StateSpace> {
    id: NodeId,
    /// The cost of the path to it.
    g: Cost,
    /// The moves still to try.
    moves: <S::Moves as IntoIterator>::IntoIter,
}

impl<S: StateSpace> DfsSearch<'_, S> {
    /// Begins to expand a state, unless it is at the depth limit.
    fn enter(&mut self, id: NodeId, g: Cost, state: &S::State) -> Result<(), Full> {
        if self.depth_limit.is_some_and(|most| self.nodes.g(id) >= most) {
            self.cut_off = true;
            return Ok(());
        }
        if self.path.len() == self.path.capacity() {
            let more = (self.path.len() / 4).max(16);
            let path = ((self.path.len() + more) * size_of::<DfsFrame<S>>()) as u64;
            self.nodes.set_limit(self.limit.saturating_sub(path));
            if self.nodes.bytes() + path > self.limit {
                return Err(Full);
            }
            self.path.reserve_exact(more);
        }
        self.nodes.close(id);
        self.stats.expanded += 1;
        self.path.push(DfsFrame { id, g, moves: self.space.moves(state).into_iter() });
        self.stats.max_frontier = self.stats.max_frontier.max(self.path.len() as u64);
        Ok(())
    }

    fn measure(&mut self) {
        let path = (self.path.capacity() * size_of::<DfsFrame<S>>()) as u64;
        self.stats.hold(self.nodes.len(), self.nodes.bytes() + path);
    }

    #[cold]
    fn solved(&mut self, goal: NodeId) -> Progress {
        let (moves, cost) = moves_along(self.space, &self.nodes.path_to(goal));
        match cost {
            Some(cost) => {
                self.outcome = Some(Outcome::Solved(Solution { cost, moves, guarantee: Guarantee::None }));
            }
            None => self.stop(Stop::CostOverflow),
        }
        self.measure();
        Progress::Ended
    }
}

impl<S: StateSpace> Search<S> for DfsSearch<'_, S> {
    fn advance(&mut self, expansions: u64) -> Progress {
        if self.outcome.is_some() {
            return Progress::Ended;
        }
        let space = self.space;
        let until = self.stats.expanded + expansions;
        if self.start.take().is_some_and(|start| self.enter(0, 0, &start) == Err(Full)) {
            self.stop(Stop::Memory);
            return Progress::Ended;
        }
        while self.stats.expanded < until {
            let Some(DfsFrame { id, g, moves }) = self.path.last_mut() else {
                self.measure();
                self.outcome = Some(if self.cut_off {
                    Outcome::Stopped { why: Stop::Depth, lower_bound: 0 }
                } else {
                    Outcome::Unsolvable
                });
                return Progress::Ended;
            };
            let (id, g) = (*id, *g);
            let Some(m) = moves.next() else {
                self.path.pop();
                continue;
            };
            self.stats.generated += 1;
            let depth = self.nodes.g(id) + 1;
            let mut state = space.unpack(self.nodes.packed(id));
            let g = g.saturating_add(space.cost(&state, m));
            space.apply(&mut state, m);
            let entered = match self.nodes.find_or_insert(space, space.pack(&state), depth, Some(id)) {
                Err(Full) => Err(Full),
                Ok(Lookup::New(next)) => {
                    if space.is_goal(&state) {
                        return self.solved(next);
                    }
                    self.enter(next, g, &state)
                }
                Ok(Lookup::Known(next)) if self.depth_limit.is_some() && depth < self.nodes.g(next) => {
                    self.stats.reopened += u64::from(self.nodes.is_closed(next));
                    self.nodes.improve(next, depth, id);
                    self.enter(next, g, &state)
                }
                Ok(Lookup::Known(_)) => Ok(()),
            };
            if entered == Err(Full) {
                self.stop(self.nodes.why_full());
                return Progress::Ended;
            }
        }
        self.measure();
        Progress::Running
    }

    fn stats(&self) -> Stats {
        self.stats
    }

    fn outcome(&self) -> Option<&Outcome<S::Move>> {
        self.outcome.as_ref()
    }

    fn stop(&mut self, why: Stop) {
        if self.outcome.is_some() {
            return;
        }
        self.measure();
        self.outcome = Some(Outcome::Stopped { why, lower_bound: 0 });
    }

    fn set_signal(&mut self, signal: &Signal) {
        self.nodes.set_signal(signal);
    }

    fn last_visit(&self) -> Option<Visit<S::Packed>> {
        let &DfsFrame { id, g, .. } = self.path.last()?;
        Some(Visit { g, ..self.nodes.visit(id, Estimate::new(0), 1) })
    }
}
