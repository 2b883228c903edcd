//! Distances over the explicit graph, by Dijkstra's algorithm against the moves.
//!
//! A distance is a *key*: a whole number of units of `1 / denominator`, or the bits of a float that is not negative.
//! Keys of either kind are ordered like the distances, so one algorithm serves both.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};

use crate::graph::Graph;
use crate::states::Id;
use crate::value::Value;

/// A distance; see the module.
pub(crate) type Key = u64;

/// No path.
pub(crate) const INFINITE: Key = u64::MAX;

/// No edge.
pub(crate) const NO_EDGE: u32 = u32::MAX;

/// The costs of a graph as keys.
pub(crate) struct Scale {
    /// The units that make a cost of 1; `None` for floats.
    pub(crate) denominator: Option<u64>,
    costs: Vec<Key>,
}

/// A sum of costs does not fit into 63 bits.
#[derive(Debug)]
pub(crate) struct TooLarge;

impl Scale {
    pub(crate) fn of(graph: &Graph) -> Result<Scale, TooLarge> {
        let denominator = graph.denominator();
        if denominator.is_none() && !graph.has_float_costs() {
            return Err(TooLarge);
        }
        let costs = graph.costs.values.iter().map(|&value| match denominator {
            Some(denominator) => value.scaled_up(denominator).filter(|&units| units < 1 << 62).ok_or(TooLarge),
            // Adding 0 makes a negative zero positive, whose bits are smallest.
            None => Ok((value.approximate() + 0.0).to_bits()),
        });
        Ok(Scale { denominator, costs: costs.collect::<Result<_, _>>()? })
    }

    /// The sum of a distance and a cost.
    #[inline]
    pub(crate) fn add(&self, key: Key, cost: u32) -> Key {
        match self.denominator {
            Some(_) => key.saturating_add(self.costs[cost as usize]).min(INFINITE - 1),
            None => (f64::from_bits(key) + f64::from_bits(self.costs[cost as usize])).to_bits(),
        }
    }

    /// The distance of a key.
    pub(crate) fn value(&self, key: Key) -> Value {
        match self.denominator {
            Some(1) => Value::Exact(key as i64, 1),
            Some(denominator) => Value::ratio(key as i64, denominator as i64),
            None => Value::of_float(f64::from_bits(key)),
        }
    }

    /// The least cost, and whether all costs are equal and positive.
    pub(crate) fn least(&self) -> (Key, bool) {
        let least = self.costs.iter().copied().min().unwrap_or(0);
        (least, least > 0 && self.costs.iter().all(|&cost| cost == least))
    }

    /// A bound on the relative rounding error of any distance up to `farthest`, by the standard analysis of sums: a
    /// path of `n` moves has an error of at most `(n - 1) u / (1 - (n - 1) u)`, with `u = 2^-53`. Zero for exact costs.
    pub(crate) fn rounding(&self, farthest: Key, states: usize) -> f64 {
        if self.denominator.is_some() {
            return 0.0;
        }
        let (farthest, least) = (f64::from_bits(farthest), f64::from_bits(self.least().0));
        let most = states.saturating_sub(1) as f64;
        let moves = if least > 0.0 { (farthest / least + 2.0).min(most) } else { most };
        let errors = (moves - 1.0).max(0.0) * (f64::EPSILON / 2.0);
        errors / (1.0 - errors)
    }
}

/// The moves into every state.
pub(crate) struct Predecessors {
    /// The first entry of every state, and the end.
    begin: Vec<u32>,
    /// The state before, and the edge.
    entries: Vec<(Id, u32)>,
}

impl Predecessors {
    pub(crate) fn of(graph: &Graph) -> Predecessors {
        let states = graph.len();
        let mut begin = vec![0_u32; states + 1];
        for edge in &graph.edges {
            begin[edge.to as usize + 1] += 1;
        }
        for at in 0..states {
            begin[at + 1] += begin[at];
        }
        let mut next = begin.clone();
        let mut entries = vec![(0, 0); graph.edges.len()];
        for id in 0..states as Id {
            for edge in graph.range(id).unwrap_or(0..0) {
                let slot = &mut next[graph.edges[edge as usize].to as usize];
                entries[*slot as usize] = (id, edge);
                *slot += 1;
            }
        }
        Predecessors { begin, entries }
    }

    pub(crate) fn of_state(&self, id: Id) -> &[(Id, u32)] {
        &self.entries[self.begin[id as usize] as usize..self.begin[id as usize + 1] as usize]
    }
}

/// The distance of every state to the nearest of some states, and the first edge of a shortest path.
pub(crate) struct Distances {
    pub(crate) keys: Vec<Key>,
    pub(crate) edges: Vec<u32>,
}

impl Distances {
    /// Distances to the states that `is_target` names.
    pub(crate) fn to(
        graph: &Graph,
        scale: &Scale,
        predecessors: &Predecessors,
        is_target: impl Fn(Id) -> bool,
    ) -> Distances {
        let mut found = Distances { keys: vec![INFINITE; graph.len()], edges: vec![NO_EDGE; graph.len()] };
        let targets = (0..graph.len() as Id).filter(|&id| is_target(id));
        let (_, is_uniform) = scale.least();
        if is_uniform {
            let mut queue: VecDeque<Id> = targets.collect();
            queue.iter().for_each(|&id| found.keys[id as usize] = 0);
            while let Some(id) = queue.pop_front() {
                for &(before, edge) in predecessors.of_state(id) {
                    if found.keys[before as usize] == INFINITE {
                        found.keys[before as usize] =
                            scale.add(found.keys[id as usize], graph.edges[edge as usize].cost);
                        found.edges[before as usize] = edge;
                        queue.push_back(before);
                    }
                }
            }
            return found;
        }
        let mut open: BinaryHeap<Reverse<(Key, Id)>> = targets.map(|id| Reverse((0, id))).collect();
        open.iter().for_each(|&Reverse((_, id))| found.keys[id as usize] = 0);
        while let Some(Reverse((key, id))) = open.pop() {
            if key > found.keys[id as usize] {
                continue;
            }
            for &(before, edge) in predecessors.of_state(id) {
                let longer = scale.add(key, graph.edges[edge as usize].cost);
                if longer < found.keys[before as usize] {
                    found.keys[before as usize] = longer;
                    found.edges[before as usize] = edge;
                    open.push(Reverse((longer, before)));
                }
            }
        }
        found
    }

    /// The edges of a shortest path from a state.
    pub(crate) fn path(&self, graph: &Graph, from: Id) -> Vec<u32> {
        let mut path = Vec::new();
        let mut at = from;
        while self.edges[at as usize] != NO_EDGE {
            path.push(self.edges[at as usize]);
            at = graph.edges[self.edges[at as usize] as usize].to;
        }
        path
    }
}
