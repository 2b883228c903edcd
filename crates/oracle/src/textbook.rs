//! Search algorithms as textbooks have them, over an explicit graph.
//!
//! They are short rather than fast, and count as they go: `expanded` states whose successors were produced, `generated`
//! successors produced, `frontier` the largest open list, `stored` the states kept at the end.

use std::collections::{BTreeMap, VecDeque};

/// A graph whose nodes are numbers; node 0 is the start.
#[derive(Clone, Debug)]
pub struct Graph {
    /// For every node its successors in the order of the moves, each with the cost of the move.
    pub successors: Vec<Vec<(usize, u64)>>,
    /// For every node whether it is a goal.
    pub goals: Vec<bool>,
}

/// A heuristic as a table of fractions.
#[derive(Clone, Debug)]
pub struct Estimates {
    /// For every node the numerator; `None` for a dead end.
    pub numerators: Vec<Option<u64>>,
    /// The denominator.
    pub denominator: u64,
}

impl Estimates {
    /// The same estimates, rounded up to whole numbers.
    #[must_use]
    pub fn rounded_up(&self) -> Estimates {
        let numerators = self.numerators.iter().map(|h| h.map(|h| h.div_ceil(self.denominator))).collect();
        Estimates { numerators, denominator: 1 }
    }
}

/// What a search counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// The cost of its solution; `None` if it proved that there is none.
    pub cost: Option<u64>,
    /// States whose successors were produced.
    pub expanded: u64,
    /// Successors produced.
    pub generated: u64,
    /// Closed states that were opened again.
    pub reopened: u64,
    /// Expanded states with `g + h` below the cost; for IDA*, the states expanded before the last iteration.
    pub before_last_layer: u64,
    /// The largest open list; for depth-first searches the longest path.
    pub frontier: u64,
    /// States kept at the end.
    pub stored: u64,
}

/// The order of a best-first search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// By `g + h`; closed states are reopened.
    Astar,
    /// By `g + h`; closed states stay closed.
    AstarWithoutReopening,
    /// By `g + w * h`, with the weight `w` as a numerator and a denominator.
    Weighted(u64, u64),
    /// By `h` alone. A state keeps the path by which it was found first.
    Greedy,
}

/// Which of several open states with the same key is taken first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tie {
    /// The first that was put on the open list.
    Fifo,
    /// The last.
    Lifo,
    /// The one with the least `h`, and of those the last.
    LowH,
}

/// The place of a state on the open list: its key, its place among equal keys, its turn.
type Place = (u64, u64, i64);

/// A state that was reached.
struct Reached {
    g: u64,
    /// Its place on the open list; `None` if it is closed.
    place: Option<Place>,
}

/// Best-first search: takes the state with the least key off the open list, ends if it is a goal, and looks up each
/// successor at once. A state that is reached more cheaply gets a new place on the open list.
#[must_use]
pub fn best_first(graph: &Graph, estimates: &Estimates, order: Order, tie: Tie) -> Counts {
    let mut counts = Counts::default();
    let mut turns = 0;
    let scale = estimates.denominator;
    let mut place = |g: u64, h: u64| -> Place {
        turns += 1;
        let key = match order {
            Order::Astar | Order::AstarWithoutReopening => g * scale + h,
            Order::Weighted(numerator, denominator) => g * scale * denominator + h * numerator,
            Order::Greedy => h,
        };
        match tie {
            Tie::Fifo => (key, 0, turns),
            Tie::Lifo => (key, 0, -turns),
            Tie::LowH => (key, h, -turns),
        }
    };
    let mut reached: BTreeMap<usize, Reached> = BTreeMap::new();
    let mut open: BTreeMap<Place, usize> = BTreeMap::new();
    let mut fs_expanded = Vec::new();
    counts.stored = 1;
    if let Some(h) = estimates.numerators[0] {
        let first = place(0, h);
        open.insert(first, 0);
        reached.insert(0, Reached { g: 0, place: Some(first) });
        counts.frontier = 1;
    }
    while let Some((_, node)) = open.pop_first() {
        let here = reached.get_mut(&node).expect("an open state was reached");
        here.place = None;
        let g = here.g;
        if graph.goals[node] {
            counts.cost = Some(g);
            break;
        }
        counts.expanded += 1;
        fs_expanded.push(g * scale + estimates.numerators[node].expect("an open state is no dead end"));
        for &(next, cost) in &graph.successors[node] {
            counts.generated += 1;
            let Some(h) = estimates.numerators[next] else { continue };
            let next_g = g + cost;
            match reached.get_mut(&next) {
                None => {
                    let at = place(next_g, h);
                    open.insert(at, next);
                    reached.insert(next, Reached { g: next_g, place: Some(at) });
                }
                Some(known) if next_g < known.g && order != Order::Greedy => {
                    match known.place {
                        Some(old) => drop(open.remove(&old)),
                        None if order == Order::AstarWithoutReopening => continue,
                        None => counts.reopened += 1,
                    }
                    let at = place(next_g, h);
                    open.insert(at, next);
                    *known = Reached { g: next_g, place: Some(at) };
                }
                Some(_) => {}
            }
        }
        counts.frontier = counts.frontier.max(open.len() as u64);
    }
    counts.stored = counts.stored.max(reached.len() as u64);
    let is_before = |&&f: &&u64| counts.cost.is_none_or(|cost| f < cost * scale);
    counts.before_last_layer = fs_expanded.iter().filter(is_before).count() as u64;
    counts
}

/// Breadth-first search with the goal test when a state is generated.
#[must_use]
pub fn breadth_first(graph: &Graph) -> Counts {
    let mut counts = Counts { frontier: 1, stored: 1, ..Counts::default() };
    if graph.goals[0] {
        return Counts { cost: Some(0), ..counts };
    }
    let mut depths = BTreeMap::from([(0, 0)]);
    let mut queue = VecDeque::from([0]);
    while let Some(node) = queue.pop_front() {
        counts.expanded += 1;
        counts.before_last_layer += 1;
        for &(next, _) in &graph.successors[node] {
            counts.generated += 1;
            if depths.contains_key(&next) {
                continue;
            }
            let depth = depths[&node] + 1;
            depths.insert(next, depth);
            counts.stored += 1;
            if graph.goals[next] {
                return Counts { cost: Some(depth), ..counts };
            }
            queue.push_back(next);
        }
        counts.frontier = counts.frontier.max(queue.len() as u64);
    }
    counts
}

/// Depth-first search that enters each state once, with the goal test when a state is generated. Its frontier is the
/// longest path.
#[must_use]
pub fn depth_first(graph: &Graph) -> Counts {
    let mut counts = Counts { stored: 1, ..Counts::default() };
    if graph.goals[0] {
        return Counts { cost: Some(0), ..counts };
    }
    let mut is_known = vec![false; graph.goals.len()];
    is_known[0] = true;
    // The path, each state with the number of its next successor and its cost so far.
    let mut path = vec![(0, 0, 0)];
    (counts.expanded, counts.frontier) = (1, 1);
    while let Some((node, next_successor, g)) = path.last_mut() {
        let Some(&(next, cost)) = graph.successors[*node].get(*next_successor) else {
            path.pop();
            continue;
        };
        *next_successor += 1;
        let g = *g + cost;
        counts.generated += 1;
        if std::mem::replace(&mut is_known[next], true) {
            continue;
        }
        counts.stored += 1;
        if graph.goals[next] {
            counts.cost = Some(g);
            return counts;
        }
        counts.expanded += 1;
        path.push((next, 0, g));
        counts.frontier = counts.frontier.max(path.len() as u64);
    }
    counts
}

/// IDA* with whole estimates: depth-first searches with a growing bound on `g + h`, which do not go straight back to
/// the state before. The goal test comes when a state is generated. Its frontier is the length of its last path, and it
/// stores nothing. `None` if it expands more than `most` states.
#[must_use]
pub fn iterative_deepening(graph: &Graph, estimates: &Estimates, most: u64) -> Option<Counts> {
    let estimates = estimates.rounded_up();
    let mut search = Deepening { graph, h: &estimates.numerators, most, counts: Counts::default(), next_bound: None };
    let Some(mut bound) = estimates.numerators[0] else { return Some(search.counts) };
    if graph.goals[0] {
        search.counts.cost = Some(0);
        return Some(search.counts);
    }
    loop {
        search.counts.before_last_layer = search.counts.expanded;
        search.next_bound = None;
        if let Some((cost, length)) = search.below(0, None, 0, 0, bound)? {
            return Some(Counts { cost: Some(cost), frontier: length, ..search.counts });
        }
        let Some(next) = search.next_bound else { return Some(search.counts) };
        bound = next;
    }
}

/// The state of an IDA* search.
struct Deepening<'a> {
    graph: &'a Graph,
    h: &'a [Option<u64>],
    most: u64,
    counts: Counts,
    /// The least `f` above the bound.
    next_bound: Option<u64>,
}

impl Deepening<'_> {
    /// The cost and the length of the first path to a goal below a state, if there is one within the bound; the outer
    /// `None` if there were too many expansions.
    fn below(
        &mut self,
        node: usize,
        before: Option<usize>,
        g: u64,
        length: u64,
        bound: u64,
    ) -> Option<Option<(u64, u64)>> {
        if self.counts.expanded >= self.most {
            return None;
        }
        self.counts.expanded += 1;
        for &(next, cost) in &self.graph.successors[node] {
            if before == Some(next) {
                continue;
            }
            self.counts.generated += 1;
            let Some(h) = self.h[next] else { continue };
            let f = g + cost + h;
            if f > bound {
                self.next_bound = Some(self.next_bound.map_or(f, |least| least.min(f)));
                continue;
            }
            if self.graph.goals[next] {
                return Some(Some((g + cost, length + 1)));
            }
            let found = self.below(next, Some(node), g + cost, length + 1, bound)?;
            if found.is_some() {
                return Some(found);
            }
        }
        Some(None)
    }
}
