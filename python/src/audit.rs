//! The audit of a heuristic over the explicit graph: compares every estimate with the exact distance, and every move
//! with the fall of the estimate along it.

use std::cmp::Ordering;

use crate::distances::{Distances, INFINITE, Key, Scale};
use crate::graph::{Estimate, Graph};
use crate::states::Id;
use crate::value::{Value, compare};

/// What is wrong with single estimates, beyond their size.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Oddity {
    Nan,
    Missing,
    Negative,
    PositiveAtGoal,
}

pub(crate) const ODDITIES: [(Oddity, &str); 4] = [
    (Oddity::Nan, "not a number"),
    (Oddity::Missing, "None"),
    (Oddity::Negative, "negative"),
    (Oddity::PositiveAtGoal, "positive at a goal"),
];

/// The findings of an audit.
#[derive(Default)]
pub(crate) struct Findings {
    /// States with an estimate and, unless this is a sample, all states.
    pub(crate) states: u64,
    pub(crate) edges: u64,
    pub(crate) goals: u64,
    /// States from which a goal can be reached.
    pub(crate) solvable: u64,
    /// States whose distance is proved.
    pub(crate) proved: u64,
    pub(crate) farthest: Key,
    pub(crate) overestimates: u64,
    pub(crate) false_dead_ends: u64,
    /// Overestimates and falls within the rounding bound or the tolerance, which do not count.
    pub(crate) within_tolerance: u64,
    /// The smallest counterexample: least distance, then first found.
    pub(crate) counterexample: Option<(Key, Id)>,
    pub(crate) worst_overestimate: f64,
    pub(crate) inconsistent_edges: u64,
    /// The first inconsistent move: the state before it and the edge.
    pub(crate) inconsistency: Option<(Id, u32)>,
    pub(crate) worst_fall: f64,
    /// Their number and the first state, in the order of `ODDITIES`.
    pub(crate) oddities: [(u64, Id); 4],
    /// Sums over solvable states with a finite estimate that are no goals.
    pub(crate) compared: u64,
    pub(crate) sum_of_estimates: f64,
    pub(crate) sum_of_distances: f64,
    pub(crate) sum_of_relative_errors: f64,
    /// Distances, with the number of states and the least, mean and greatest estimate.
    pub(crate) by_distance: Vec<(Key, u64, f64, f64, f64)>,
}

/// The data that an audit compares.
pub(crate) struct Audit<'a> {
    pub(crate) graph: &'a Graph,
    pub(crate) scale: &'a Scale,
    pub(crate) distances: &'a Distances,
    /// Distances to the states without known successors; `None` if every state has been expanded.
    pub(crate) exits: Option<&'a Distances>,
    pub(crate) estimates: &'a [Estimate],
    /// The absolute tolerance.
    pub(crate) tolerance: Value,
    /// The relative rounding error of distances.
    pub(crate) rounding: f64,
}

impl Audit<'_> {
    fn estimate(&self, id: Id) -> Estimate {
        self.estimates.get(id as usize).copied().unwrap_or(Estimate::Unknown)
    }

    /// What a sum may exceed another by: the tolerance and the rounding error of sums of this size.
    fn slack(&self, size: f64) -> Value {
        if self.rounding == 0.0 {
            return self.tolerance;
        }
        // Two more roundings: of the product here and of the caller's own last operation.
        Value::of_float(self.tolerance.approximate() + (self.rounding + 2.0 * f64::EPSILON) * size)
    }

    /// Whether `left` exceeds the sum of `right` beyond the slack; counts excesses within it.
    fn exceeds(&self, left: Value, right: [Value; 2], size: f64, within: &mut u64) -> bool {
        let [first, second] = right;
        if compare(left, &right) != Ordering::Greater {
            return false;
        }
        let slack = self.slack(size);
        let is_beyond = slack == Value::ZERO || compare(left, &[first, second, slack]) == Ordering::Greater;
        *within += u64::from(!is_beyond);
        is_beyond
    }

    pub(crate) fn run(&self) -> Findings {
        let mut findings = Findings::default();
        let mut by_distance = std::collections::BTreeMap::new();
        for id in 0..self.graph.len() as Id {
            self.look_at_state(id, &mut findings, &mut by_distance);
            self.look_at_moves(id, &mut findings);
        }
        let spread = |(key, (count, least, sum, most)): (Key, (u64, f64, f64, f64))| {
            (key, count, least, sum / count as f64, most)
        };
        findings.by_distance = by_distance.into_iter().map(spread).collect();
        findings
    }

    fn look_at_state(
        &self,
        id: Id,
        findings: &mut Findings,
        by_distance: &mut std::collections::BTreeMap<Key, (u64, f64, f64, f64)>,
    ) {
        let estimate = self.estimate(id);
        if estimate == Estimate::Unknown {
            return;
        }
        let key = self.distances.keys[id as usize];
        let is_goal = self.graph.goals[id as usize];
        findings.states += 1;
        findings.goals += u64::from(is_goal);
        let exit = self.exits.map_or(INFINITE, |exits| exits.keys[id as usize]);
        findings.proved += u64::from(key <= exit);
        if key != INFINITE {
            findings.solvable += 1;
            findings.farthest = findings.farthest.max(key);
        }
        let mut odd = |oddity: Oddity| {
            let (count, first) = &mut findings.oddities[oddity as usize];
            if *count == 0 {
                *first = id;
            }
            *count += 1;
        };
        let h = match estimate {
            Estimate::Unknown => return,
            Estimate::Nan => return odd(Oddity::Nan),
            Estimate::Missing => return odd(Oddity::Missing),
            Estimate::DeadEnd => None,
            Estimate::Number(h) => Some(h),
        };
        if h.is_some_and(Value::is_negative) {
            odd(Oddity::Negative);
        }
        if is_goal && h.is_none_or(|h| h.approximate() > 0.0) {
            odd(Oddity::PositiveAtGoal);
        }
        if key == INFINITE {
            return;
        }
        let distance = self.scale.value(key);
        let true_distance = distance.approximate();
        let is_over = match h {
            None => {
                findings.false_dead_ends += 1;
                true
            }
            Some(h) => {
                let estimate = h.approximate();
                let row = by_distance.entry(key).or_insert((0, f64::INFINITY, 0.0, f64::NEG_INFINITY));
                *row = (row.0 + 1, row.1.min(estimate), row.2 + estimate, row.3.max(estimate));
                if !is_goal && true_distance > 0.0 {
                    findings.compared += 1;
                    findings.sum_of_estimates += estimate;
                    findings.sum_of_distances += true_distance;
                    findings.sum_of_relative_errors += (true_distance - estimate) / true_distance;
                }
                let size = true_distance + estimate.abs();
                let over = self.exceeds(h, [distance, Value::ZERO], size, &mut findings.within_tolerance);
                if over {
                    findings.worst_overestimate = findings.worst_overestimate.max(estimate - true_distance);
                }
                over
            }
        };
        if is_over {
            findings.overestimates += 1;
            if findings.counterexample.is_none_or(|(least, _)| key < least) {
                findings.counterexample = Some((key, id));
            }
        }
    }

    fn look_at_moves(&self, id: Id, findings: &mut Findings) {
        let before = self.estimate(id);
        let Some(range) = self.graph.range(id) else { return };
        findings.edges += range.len() as u64;
        for at in range {
            let edge = self.graph.edges[at as usize];
            let fall = match (before, self.estimate(edge.to)) {
                (Estimate::Number(h), Estimate::Number(next)) => {
                    let cost = self.graph.costs.values[edge.cost as usize];
                    let size = h.approximate().abs() + next.approximate().abs() + cost.approximate();
                    let falls = self.exceeds(h, [next, cost], size, &mut findings.within_tolerance);
                    falls.then(|| h.approximate() - next.approximate() - cost.approximate())
                }
                (Estimate::DeadEnd, Estimate::Number(_)) => Some(0.0),
                _ => None,
            };
            if let Some(fall) = fall {
                findings.inconsistent_edges += 1;
                findings.worst_fall = findings.worst_fall.max(fall);
                findings.inconsistency.get_or_insert((id, at));
            }
        }
    }
}

/// A number for each pair of heuristics.
pub(crate) type Matrix = Vec<Vec<u64>>;

/// On how many states each heuristic is less than each other one, and on how many both are equal.
pub(crate) fn dominance(estimates: &[&[Estimate]]) -> (Matrix, Matrix) {
    let count = estimates.len();
    let (mut less, mut ties) = (vec![vec![0; count]; count], vec![vec![0; count]; count]);
    let states = estimates.iter().map(|estimates| estimates.len()).min().unwrap_or(0);
    for (first, row) in estimates.iter().enumerate() {
        for (second, column) in estimates.iter().enumerate() {
            for (&here, &there) in row[..states].iter().zip(&column[..states]) {
                match order(here, there) {
                    Some(Ordering::Less) => less[first][second] += 1,
                    Some(Ordering::Equal) => ties[first][second] += 1,
                    _ => {}
                }
            }
        }
    }
    (less, ties)
}

fn order(first: Estimate, second: Estimate) -> Option<Ordering> {
    match (first, second) {
        (Estimate::Number(first), Estimate::Number(second)) => Some(compare(first, &[second])),
        (Estimate::DeadEnd, Estimate::DeadEnd) => Some(Ordering::Equal),
        (Estimate::DeadEnd, Estimate::Number(_)) => Some(Ordering::Greater),
        (Estimate::Number(_), Estimate::DeadEnd) => Some(Ordering::Less),
        _ => None,
    }
}
