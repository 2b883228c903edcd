//! Breadth-first search: a path of fewest moves.
//!
//! The arena of nodes is the queue: nodes are expanded in the order of discovery. The goal test comes when a state is
//! generated, a layer before it would be expanded.

use super::closed::{Full, Lookup, NodeId, Nodes};
use super::report::{Guarantee, Limits, Outcome, Solution, Stats, Stop};
use super::{Progress, Search, Signal, Visit, moves_along};
use crate::heuristic::Estimate;
use crate::space::{Cost, StateSpace};

/// Breadth-first search. Its path is a cheapest one, and reported as optimal, if every move that it generated costs 1.
pub fn bfs<'a, S: StateSpace>(space: &'a S, start: S::State, limits: &Limits) -> BfsSearch<'a, S> {
    let mut search = BfsSearch {
        space,
        nodes: Nodes::new(space, limits.bytes),
        next: 0,
        layer_end: 0,
        unit_costs: true,
        expanded_in_earlier_layers: 0,
        stats: Stats::default(),
        outcome: None,
    };
    if search.nodes.find_or_insert(space, space.pack(&start), 0, None) == Err(Full) {
        search.stop(Stop::Memory);
    } else if space.is_goal(&start) {
        search.solved(0);
    }
    search.stats.max_frontier = 1;
    search.measure();
    search
}

/// A breadth-first search under way; see [`bfs`].
pub struct BfsSearch<'a, S: StateSpace> {
    space: &'a S,
    nodes: Nodes<S::Packed>,
    next: NodeId,
    /// Where the nodes of the next layer begin.
    layer_end: NodeId,
    unit_costs: bool,
    expanded_in_earlier_layers: u64,
    stats: Stats,
    outcome: Option<Outcome<S::Move>>,
}

impl<S: StateSpace> BfsSearch<'_, S> {
    fn measure(&mut self) {
        self.stats.hold(self.nodes.len(), self.nodes.bytes());
    }

    #[cold]
    fn solved(&mut self, goal: NodeId) -> Progress {
        let (moves, cost) = moves_along(self.space, &self.nodes.path_to(goal));
        let guarantee = if self.unit_costs { Guarantee::Optimal } else { Guarantee::None };
        self.stats.expanded_before_last_layer = self.stats.expanded;
        match cost {
            Some(cost) => self.outcome = Some(Outcome::Solved(Solution { cost, moves, guarantee })),
            None => self.stop(Stop::CostOverflow),
        }
        self.measure();
        Progress::Ended
    }
}

impl<S: StateSpace> Search<S> for BfsSearch<'_, S> {
    fn advance(&mut self, expansions: u64) -> Progress {
        if self.outcome.is_some() {
            return Progress::Ended;
        }
        let space = self.space;
        for _ in 0..expansions {
            if self.next as usize == self.nodes.len() {
                self.measure();
                self.stats.expanded_before_last_layer = self.stats.expanded;
                self.outcome = Some(Outcome::Unsolvable);
                return Progress::Ended;
            }
            let id = self.next;
            if id == self.layer_end {
                // All states up to this layer were generated and none is a goal; moves cost at least 1.
                self.layer_end = self.nodes.len() as NodeId;
                self.stats.layer += 1;
                self.expanded_in_earlier_layers = self.stats.expanded;
                self.measure();
                return Progress::Layer(self.stats.layer);
            }
            self.next += 1;
            self.nodes.close(id);
            self.stats.expanded += 1;
            let mut state = space.unpack(self.nodes.packed(id));
            for m in space.moves(&state) {
                self.stats.generated += 1;
                let cost = space.cost(&state, m);
                self.unit_costs &= cost == 1;
                let g = self.nodes.g(id).saturating_add(cost);
                let undo = space.apply(&mut state, m);
                let met = self.nodes.find_or_insert(space, space.pack(&state), g, Some(id));
                let goal = matches!(met, Ok(Lookup::New(_))) && space.is_goal(&state);
                space.undo(&mut state, m, undo);
                match met {
                    Err(Full) => {
                        self.stop(self.nodes.why_full());
                        return Progress::Ended;
                    }
                    Ok(Lookup::New(next)) if goal => return self.solved(next),
                    Ok(_) => {}
                }
            }
            let frontier = self.nodes.len() as u64 - u64::from(self.next);
            self.stats.max_frontier = self.stats.max_frontier.max(frontier);
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
        self.stats.expanded_before_last_layer = self.expanded_in_earlier_layers;
        self.outcome = Some(Outcome::Stopped { why, lower_bound: self.stats.layer });
    }

    fn set_signal(&mut self, signal: &Signal) {
        self.nodes.set_signal(signal);
    }

    fn last_visit(&self) -> Option<Visit<S::Packed>> {
        Some(self.nodes.visit(self.next.checked_sub(1)?, Estimate::new(0), 1))
    }

    /// The open states are no goals either, and their successors are no nearer than the solution.
    fn each_closed(&self, visit: &mut dyn FnMut(S::Packed, Cost)) -> bool {
        self.nodes.each(|_, _| true, visit);
        true
    }

    fn each_expanded(&self, visit: &mut dyn FnMut(S::Packed)) -> bool {
        self.nodes.each(Nodes::is_closed, &mut |packed, _| visit(packed));
        true
    }
}
