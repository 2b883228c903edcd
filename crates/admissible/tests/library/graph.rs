//! Explicit graphs, and the true distances in them.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::ops::Range;

use admissible::search::Solution;
use admissible::{AbilityVisitor, Backward, Cost, Indexed, StateSpace};
use admissible_oracle::Random;

/// For every node its edges: target and cost.
pub(crate) type Edges = Vec<Vec<(usize, Cost)>>;

/// The costs of the edges of a random graph.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Costs {
    Unit,
    Small,
    /// Too large for the buckets of an open list.
    Large,
    /// Paths of a few edges cost more than [`Cost`] can hold.
    Huge,
}

impl Costs {
    fn pick(self, random: &mut Random) -> Cost {
        let kind = random.below(4);
        let any = |random: &mut Random, most: Cost| 1 + random.below(most as usize) as Cost;
        match (self, kind) {
            (Costs::Unit, _) => 1,
            (Costs::Small, _) | (Costs::Huge, 0) => any(random, 9),
            (Costs::Large, _) => any(random, 1_000_000),
            (Costs::Huge, 1) => Cost::MAX - any(random, 9) + 1,
            (Costs::Huge, 2) => Cost::MAX / 2 - 4 + any(random, 9),
            (Costs::Huge, _) => any(random, Cost::MAX),
        }
    }
}

/// A directed graph as a space: a state is a node, a move is the position of an edge in its node's list.
#[derive(Debug, Clone)]
pub(crate) struct Graph {
    pub(crate) edges: Edges,
    pub(crate) reversed: Edges,
    pub(crate) goals: Vec<usize>,
    /// Whether the space has the ability [`Indexed`].
    pub(crate) indexed: bool,
}

impl Graph {
    pub(crate) fn new(edges: Edges, goals: Vec<usize>) -> Self {
        let mut reversed = vec![Vec::new(); edges.len()];
        for (from, leaving) in edges.iter().enumerate() {
            for &(to, cost) in leaving {
                reversed[to].push((from, cost));
            }
        }
        Graph { edges, reversed, goals, indexed: false }
    }

    /// A random graph of `nodes` nodes, with loops, parallel edges and unreachable goals, sometimes without a goal.
    pub(crate) fn random(random: &mut Random, nodes: usize, costs: Costs) -> Self {
        let mut edges = vec![Vec::new(); nodes];
        for _ in 0..nodes * (4 + random.below(9)) / 4 {
            edges[random.below(nodes)].push((random.below(nodes), costs.pick(random)));
        }
        let goals = (0..random.below(4)).map(|_| random.below(nodes)).collect();
        Graph { indexed: random.below(2) == 0, ..Graph::new(edges, goals) }
    }

    /// Applies the moves of a solution and adds up their costs.
    pub(crate) fn replay(&self, start: usize, solution: &Solution<usize>) -> Replay {
        let step = |(node, cost): (usize, u64), &m: &usize| {
            let (next, more) = self.edges[node][m];
            (next, cost + u64::from(more))
        };
        let (end, cost) = solution.moves.iter().fold((start, 0), step);
        Replay { ends_at_goal: self.goals.contains(&end), cost }
    }
}

#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Replay {
    pub(crate) ends_at_goal: bool,
    pub(crate) cost: u64,
}

impl StateSpace for Graph {
    type State = usize;
    type Packed = u32;
    type Move = usize;
    type Moves = Range<usize>;
    type Undo = usize;

    fn pack(&self, state: &usize) -> u32 {
        *state as u32
    }

    fn unpack(&self, packed: u32) -> usize {
        packed as usize
    }

    fn is_goal(&self, state: &usize) -> bool {
        self.goals.contains(state)
    }

    fn moves(&self, state: &usize) -> Range<usize> {
        0..self.edges[*state].len()
    }

    fn apply(&self, state: &mut usize, m: usize) -> usize {
        let before = *state;
        *state = self.edges[before][m].0;
        before
    }

    fn undo(&self, state: &mut usize, m: usize, before: usize) {
        assert_eq!(self.edges[before][m].0, *state, "only the last move is taken back");
        *state = before;
    }

    fn cost(&self, before: &usize, m: usize) -> Cost {
        self.edges[*before][m].1
    }

    fn abilities<'a, V: AbilityVisitor<'a, Self>>(&'a self, visitor: V) -> V {
        let visitor = visitor.backward(self);
        if self.indexed { visitor.indexed(self) } else { visitor }
    }
}

impl Indexed for Graph {
    fn index_bound(&self) -> u32 {
        self.edges.len() as u32
    }

    fn index(&self, packed: u32) -> u32 {
        assert!(self.indexed, "the space has no indexes");
        self.edges.len() as u32 - 1 - packed
    }
}

impl Backward for Graph {
    fn goals(&self) -> Option<Vec<usize>> {
        Some(self.goals.clone())
    }

    fn predecessors(&self, state: &usize, mut visit: impl FnMut(usize, Cost)) {
        for &(before, cost) in &self.reversed[*state] {
            visit(before, cost);
        }
    }
}

/// Dijkstra's algorithm: the least cost of a path from any of the `sources` to every node.
pub(crate) fn distances(edges: &Edges, sources: &[usize]) -> Vec<Option<u64>> {
    let mut found = vec![None; edges.len()];
    let mut queue: BinaryHeap<_> = sources.iter().map(|&node| Reverse((0, node))).collect();
    while let Some(Reverse((cost, node))) = queue.pop() {
        if found[node].is_some() {
            continue;
        }
        found[node] = Some(cost);
        queue.extend(edges[node].iter().map(|&(next, more)| Reverse((cost + u64::from(more), next))));
    }
    found
}

/// The same edges, with each cost mapped by `change`.
pub(crate) fn recosted(edges: &Edges, mut change: impl FnMut(Cost) -> Cost) -> Edges {
    let mut changed = edges.clone();
    for (_, cost) in changed.iter_mut().flatten() {
        *cost = change(*cost);
    }
    changed
}
