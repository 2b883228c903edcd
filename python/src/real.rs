//! Searches on costs that the library does not hold: floats, zero, and sums beyond 32 bits.
//!
//! Costs are floats here. Whole numbers of units are exact up to 2^53; sums of other floats are rounded, and the report
//! says so. The searches are the textbook's, on the same graph.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::time::Instant;

use admissible::search::{Limits, Stats, Stop};
use pyo3::prelude::*;

use crate::graph::Graph;
use crate::space::usable;
use crate::states::Id;
use crate::value::Value;
use crate::watch::FreeMemory;

/// The order of the open list.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Order {
    /// By `g + weight * h`.
    Weighted(f64),
    /// By `h` alone.
    Greedy,
}

/// The end of such a search.
pub(crate) enum Ended {
    /// The edges of a path.
    Solved(Vec<u32>),
    Unsolvable,
    Stopped(Stop),
    /// A cost changed the scale: begin again.
    Rescale,
}

/// A search under way.
pub(crate) struct RealSearch<'g, 'w> {
    pub(crate) graph: &'g mut Graph,
    pub(crate) heuristic: Option<usize>,
    /// The units of a cost of 1; `None` if costs are floats.
    pub(crate) denominator: Option<u64>,
    pub(crate) limits: Limits,
    pub(crate) begin: Instant,
    pub(crate) stats: Stats,
    pub(crate) memory: FreeMemory,
    /// Called now and then; an error ends the search.
    pub(crate) tick: &'w mut dyn FnMut(&Stats) -> PyResult<()>,
}

/// A float that is not NaN, in order.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Real(f64);

impl Eq for Real {}

impl PartialOrd for Real {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Real {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.0.total_cmp(&other.0)
    }
}

const UNKNOWN: f64 = f64::INFINITY;

impl RealSearch<'_, '_> {
    fn h(&mut self, py: Python<'_>, id: Id) -> PyResult<Option<f64>> {
        let Some(heuristic) = self.heuristic else { return Ok(Some(0.0)) };
        let Some(h) = usable(py, self.graph, heuristic, id)? else { return Ok(None) };
        Ok(Some(match self.denominator {
            Some(denominator) => h.scaled_up(denominator).map_or(h.approximate().max(0.0), |units| units as f64),
            None => h.approximate().max(0.0),
        }))
    }

    /// A cost in units; `None` if it does not fit the scale.
    fn cost(&self, cost: u32) -> Option<f64> {
        let value = self.graph.costs.values[cost as usize];
        match (value, self.denominator) {
            (_, None) => Some(value.approximate()),
            (Value::Exact(_, parts), Some(denominator)) if denominator.is_multiple_of(parts as u64) => {
                value.scaled_up(denominator).filter(|&units| units < 1 << 53).map(|units| units as f64)
            }
            _ => None,
        }
    }

    fn limit(&mut self) -> PyResult<Option<Stop>> {
        if self.limits.expanded.is_some_and(|most| self.stats.expanded >= most) {
            return Ok(Some(Stop::Nodes));
        }
        if self.stats.expanded.is_multiple_of(64) {
            (self.tick)(&self.stats)?;
            if self.limits.time.is_some_and(|most| self.begin.elapsed() >= most) {
                return Ok(Some(Stop::Time));
            }
            if self.memory.is_low() {
                return Ok(Some(Stop::Memory));
            }
        }
        let is_full = self.limits.bytes.is_some_and(|most| self.stats.bytes > most);
        Ok(is_full.then_some(Stop::Memory))
    }

    /// Best-first search: A*, weighted A*, uniform-cost and greedy search.
    pub(crate) fn best_first(&mut self, py: Python<'_>, start: Id, order: Order, reopens: bool) -> PyResult<Ended> {
        let mut g: Vec<f64> = Vec::new();
        let mut came_by: Vec<(Id, u32)> = Vec::new();
        let mut closed: Vec<bool> = Vec::new();
        let mut open = BinaryHeap::new();
        let mut serial = 0_u64;
        let Some(h) = self.h(py, start)? else { return Ok(Ended::Unsolvable) };
        let key = |g: f64, h: f64| match order {
            Order::Weighted(weight) => g + weight * h,
            Order::Greedy => h,
        };
        let grow = |graph: &Graph, g: &mut Vec<f64>, came_by: &mut Vec<(Id, u32)>, closed: &mut Vec<bool>| {
            g.resize(graph.len(), UNKNOWN);
            came_by.resize(graph.len(), (start, u32::MAX));
            closed.resize(graph.len(), false);
        };
        grow(self.graph, &mut g, &mut came_by, &mut closed);
        g[start as usize] = 0.0;
        open.push(Reverse((Real(key(0.0, h)), Real(h), serial, start, Real(0.0))));
        while let Some(Reverse((_, _, _, id, Real(cost)))) = open.pop() {
            if cost > g[id as usize] || closed[id as usize] {
                continue;
            }
            if self.graph.goals[id as usize] {
                let mut path = Vec::new();
                let mut at = id;
                while came_by[at as usize].1 != u32::MAX {
                    path.push(came_by[at as usize].1);
                    at = came_by[at as usize].0;
                }
                path.reverse();
                return Ok(Ended::Solved(path));
            }
            if let Some(why) = self.limit()? {
                return Ok(Ended::Stopped(why));
            }
            closed[id as usize] = true;
            self.graph.expand(py, id)?;
            self.stats.expanded += 1;
            grow(self.graph, &mut g, &mut came_by, &mut closed);
            for at in self.graph.range(id).unwrap_or(0..0) {
                let edge = self.graph.edges[at as usize];
                let Some(step) = self.cost(edge.cost) else { return Ok(Ended::Rescale) };
                self.stats.generated += 1;
                let (next, longer) = (edge.to as usize, cost + step);
                if longer >= g[next] || (closed[next] && !reopens) || (g[next] != UNKNOWN && order == Order::Greedy) {
                    continue;
                }
                let Some(h) = self.h(py, edge.to)? else { continue };
                self.stats.reopened += u64::from(closed[next]);
                closed[next] = false;
                g[next] = longer;
                came_by[next] = (id, at);
                serial += 1;
                open.push(Reverse((Real(key(longer, h)), Real(h), serial, edge.to, Real(longer))));
            }
            self.stats.max_frontier = self.stats.max_frontier.max(open.len() as u64);
            self.stats.frontier_duplicates = true;
            self.stats.stored = self.graph.len() as u64;
            self.stats.bytes = (open.len() * 48 + g.len() * 24) as u64;
            self.stats.peak_bytes = self.stats.peak_bytes.max(self.stats.bytes);
        }
        Ok(Ended::Unsolvable)
    }

    /// IDA*, which never repeats a state on its path.
    pub(crate) fn idastar(&mut self, py: Python<'_>, start: Id) -> PyResult<Ended> {
        let Some(mut bound) = self.h(py, start)? else { return Ok(Ended::Unsolvable) };
        loop {
            self.stats.iterations += 1;
            let mut next_bound = UNKNOWN;
            let mut on_path = vec![start];
            // For each state of the path: its g, the next edge to try, and the end of its edges.
            let mut stack: Vec<(f64, u32, u32)> = Vec::new();
            let mut path = Vec::new();
            loop {
                let id = *on_path.last().expect("the path holds at least the start");
                if stack.len() < on_path.len() {
                    let g = match (stack.last(), path.last()) {
                        (Some((g, ..)), Some(&edge)) => {
                            let cost = self.cost(self.graph.edges[edge as usize].cost);
                            g + cost.expect("the cost was looked up when the edge was taken")
                        }
                        _ => 0.0,
                    };
                    if self.graph.goals[id as usize] {
                        return Ok(Ended::Solved(path));
                    }
                    if let Some(why) = self.limit()? {
                        return Ok(Ended::Stopped(why));
                    }
                    self.graph.expand(py, id)?;
                    self.stats.expanded += 1;
                    self.stats.max_frontier = self.stats.max_frontier.max(on_path.len() as u64);
                    let range = self.graph.range(id).unwrap_or(0..0);
                    stack.push((g, range.start, range.end));
                }
                let (g, at, end) = stack.last_mut().expect("every state of the path has an entry");
                if *at == *end {
                    stack.pop();
                    on_path.pop();
                    path.pop();
                    if on_path.is_empty() {
                        break;
                    }
                    continue;
                }
                let (g, edge_index) = (*g, *at);
                *at += 1;
                let edge = self.graph.edges[edge_index as usize];
                self.stats.generated += 1;
                if on_path.contains(&edge.to) {
                    continue;
                }
                let Some(step) = self.cost(edge.cost) else { return Ok(Ended::Rescale) };
                let Some(h) = self.h(py, edge.to)? else { continue };
                let f = g + step + h;
                if f > bound {
                    next_bound = next_bound.min(f);
                    continue;
                }
                on_path.push(edge.to);
                path.push(edge_index);
            }
            if next_bound == UNKNOWN {
                return Ok(Ended::Unsolvable);
            }
            bound = next_bound;
        }
    }
}
