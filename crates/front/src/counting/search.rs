//! A* as a report ran it: closed states are never reopened, and the open list follows the report's rule.

use std::collections::{BTreeMap, HashMap};

use admissible::search::{Guarantee, Outcome, Progress, Search, Solution, Stats, Stop, Visit};
use admissible::{Cost, Properties};
use admissible_certificate::Number;

use super::{CountingRule, OpenRule};
use crate::instance::{ErasedSpace, Instance, InstanceHeuristic, MoveIndex};

/// A state that was generated.
struct Node {
    state: Number,
    parent: Option<(usize, MoveIndex)>,
    g: Cost,
    h: u32,
    is_closed: bool,
}

/// The search of a counting rule, under way.
pub(crate) struct CountingSearch<'a> {
    rule: &'static CountingRule,
    instance: &'a dyn Instance,
    heuristic: &'a dyn InstanceHeuristic,
    properties: Properties,
    scale: u32,
    nodes: Vec<Node>,
    ids: HashMap<Number, usize>,
    /// The open nodes: a list in order of arrival, or a binary heap.
    open: Vec<usize>,
    /// The number of expanded nodes by `f`.
    layers: BTreeMap<u64, u64>,
    stats: Stats,
    has_dead_ends: bool,
    last: Option<usize>,
    outcome: Option<Outcome<MoveIndex>>,
}

/// Bytes of a node with its entries in the hash table and the open list.
const NODE_BYTES: u64 = 2 * (size_of::<Node>() + size_of::<(Number, usize)>() + size_of::<usize>()) as u64;

impl<'a> CountingSearch<'a> {
    /// The search of a rule from the start of an instance.
    pub(crate) fn new(
        rule: &'static CountingRule,
        instance: &'a dyn Instance,
        heuristic: &'a dyn InstanceHeuristic,
    ) -> Self {
        let mut search = CountingSearch {
            rule,
            instance,
            heuristic,
            properties: heuristic.properties(),
            scale: heuristic.scale(),
            nodes: Vec::new(),
            ids: HashMap::new(),
            open: Vec::new(),
            layers: BTreeMap::new(),
            stats: Stats::default(),
            has_dead_ends: false,
            last: None,
            outcome: None,
        };
        search.reach(instance.start(), None, 0);
        if rule.open == OpenRule::EqualSwappingHeap {
            // This rule does not count the start.
            search.stats.generated = 0;
        }
        search.measure();
        search
    }

    fn f(&self, id: usize) -> u64 {
        let node = &self.nodes[id];
        u64::from(node.g) * u64::from(self.scale) + u64::from(node.h)
    }

    /// The indices of the moves from a state, in the order of the rule.
    fn ordered_moves(&self, state: Number) -> Vec<MoveIndex> {
        let place = |&m: &MoveIndex| {
            let name = self.instance.move_name(state, m);
            self.rule.moves.iter().position(|&known| known == name)
        };
        let mut moves: Vec<MoveIndex> = (0..self.instance.count_moves(state)).collect();
        moves.sort_by_key(place);
        moves
    }

    /// Takes a node off the open list.
    fn pop(&mut self) -> Option<usize> {
        if self.open.is_empty() {
            return None;
        }
        match self.rule.open {
            OpenRule::ArrivalList => {
                // `min_by_key` returns the first of several minima.
                let (place, _) = self.open.iter().enumerate().min_by_key(|&(_, &id)| self.f(id))?;
                Some(self.open.remove(place))
            }
            OpenRule::EqualSwappingHeap => {
                let id = self.open.swap_remove(0);
                self.sift_down(0);
                Some(id)
            }
        }
    }

    fn sift_up(&mut self, mut at: usize) -> usize {
        while at > 0 {
            let parent = (at - 1) / 2;
            if self.f(self.open[parent]) < self.f(self.open[at]) {
                break;
            }
            self.open.swap(parent, at);
            at = parent;
        }
        at
    }

    fn sift_down(&mut self, mut at: usize) {
        loop {
            let (left, right) = (2 * at + 1, 2 * at + 2);
            let Some(&of_left) = self.open.get(left) else { return };
            let child = match self.open.get(right) {
                Some(&of_right) if self.f(of_right) <= self.f(of_left) => right,
                _ => left,
            };
            if self.f(self.open[at]) < self.f(self.open[child]) {
                return;
            }
            self.open.swap(at, child);
            at = child;
        }
    }

    /// Generates a state.
    fn reach(&mut self, state: Number, parent: Option<(usize, MoveIndex)>, g: Cost) {
        let Some(&id) = self.ids.get(&state) else {
            let Some(h) = self.heuristic.h(state).units() else {
                self.has_dead_ends = true;
                return;
            };
            let id = self.nodes.len();
            self.ids.insert(state, id);
            self.nodes.push(Node { state, parent, g, h, is_closed: false });
            self.open.push(id);
            if self.rule.open == OpenRule::EqualSwappingHeap {
                self.sift_up(self.open.len() - 1);
            }
            self.stats.generated += 1;
            return;
        };
        if self.nodes[id].is_closed {
            return;
        }
        let is_cheaper = g < self.nodes[id].g;
        if is_cheaper || self.rule.open == OpenRule::ArrivalList {
            self.stats.generated += 1;
        }
        if is_cheaper {
            (self.nodes[id].g, self.nodes[id].parent) = (g, parent);
            if self.rule.open == OpenRule::EqualSwappingHeap {
                let place = self.open.iter().position(|&open| open == id).expect("a node that is not closed is open");
                let place = self.sift_up(place);
                self.sift_down(place);
            }
        }
    }

    fn measure(&mut self) {
        self.stats.max_frontier = self.stats.max_frontier.max(self.open.len() as u64);
        self.stats.stored = self.nodes.len() as u64;
        self.stats.bytes = self.stats.stored * NODE_BYTES;
        self.stats.peak_bytes = self.stats.bytes;
        self.stats.layer = self.stats.layer.max(self.bound());
    }

    /// A lower bound on the cost of every solution. Closed states are not reopened, so only a consistent heuristic
    /// proves one.
    fn bound(&self) -> Cost {
        let least = self.open.iter().map(|&id| self.f(id)).min();
        let bound = least.filter(|_| self.properties == Properties::CONSISTENT).unwrap_or(0);
        bound.div_ceil(self.scale.into()).min(Cost::MAX.into()) as Cost
    }

    fn expanded_below(&self, cost: Cost) -> u64 {
        self.layers.range(..u64::from(cost) * u64::from(self.scale)).map(|(_, count)| count).sum()
    }

    fn solved(&mut self, goal: usize) {
        let cost = self.nodes[goal].g;
        let mut moves = Vec::new();
        let mut at = goal;
        while let Some((parent, m)) = self.nodes[at].parent {
            moves.push(m);
            at = parent;
        }
        moves.reverse();
        let is_proved = self.properties == Properties::CONSISTENT;
        let guarantee = if is_proved { Guarantee::Optimal } else { Guarantee::None };
        self.stats.expanded_before_last_layer = self.expanded_below(cost);
        self.outcome = Some(Outcome::Solved(Solution { cost, moves, guarantee }));
    }

    fn exhausted(&mut self) {
        self.stats.expanded_before_last_layer = self.stats.expanded;
        let is_proved = !self.has_dead_ends || self.properties.admissible;
        let unproved = Outcome::Stopped { why: Stop::Unproved, lower_bound: self.stats.layer };
        self.outcome = Some(if is_proved { Outcome::Unsolvable } else { unproved });
    }

    /// Takes a state off the open list and expands it, unless it is a goal.
    fn step(&mut self) {
        let Some(id) = self.pop() else { return self.exhausted() };
        self.last = Some(id);
        let Node { state, g, .. } = self.nodes[id];
        if self.instance.is_goal(state) {
            return self.solved(id);
        }
        self.nodes[id].is_closed = true;
        *self.layers.entry(self.f(id)).or_default() += 1;
        self.stats.expanded += 1;
        for m in self.ordered_moves(state) {
            let (next, cost) = self.instance.after(state, m);
            match g.checked_add(cost) {
                Some(next_g) => self.reach(next, Some((id, m)), next_g),
                None => return self.stop(Stop::CostOverflow),
            }
        }
        self.measure();
    }
}

impl Search<ErasedSpace<'static>> for CountingSearch<'_> {
    fn advance(&mut self, expansions: u64) -> Progress {
        for _ in 0..expansions {
            let layer = self.stats.layer;
            if self.outcome.is_none() {
                self.step();
            }
            if self.outcome.is_some() {
                return Progress::Ended;
            }
            if self.stats.layer > layer {
                return Progress::Layer(self.stats.layer);
            }
        }
        Progress::Running
    }

    fn stats(&self) -> Stats {
        self.stats
    }

    fn outcome(&self) -> Option<&Outcome<MoveIndex>> {
        self.outcome.as_ref()
    }

    fn stop(&mut self, why: Stop) {
        if self.outcome.is_none() {
            let lower_bound = self.stats.layer;
            self.stats.expanded_before_last_layer = self.expanded_below(lower_bound);
            self.outcome = Some(Outcome::Stopped { why, lower_bound });
        }
    }

    fn last_visit(&self) -> Option<Visit<Number>> {
        let Node { state, parent, g, h, .. } = self.nodes[self.last?];
        let parent = parent.map(|(parent, _)| self.nodes[parent].state);
        Some(Visit { state, parent, g, h, scale: self.scale, backward: false })
    }

    fn each_expanded(&self, visit: &mut dyn FnMut(Number)) -> bool {
        self.nodes.iter().filter(|node| node.is_closed).for_each(|node| visit(node.state));
        true
    }
}
