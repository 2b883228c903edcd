//! The closed states certify the outcome: they include the start, no goal, and every successor of a closed state with
//! an `f` below the cost of the solution.

use std::collections::HashMap;

use admissible::search::{Limits, Outcome, Search, TieBreak, astar, bfs, eager_astar, idastar, run, ucs};
use admissible::{Cost, StateSpace};
use admissible_oracle::Random;

use crate::estimates::{Kind, Table};
use crate::graph::{Costs, Graph};
use crate::optimality::{About, Case};

/// Runs a search, and panics unless its closed states certify its outcome. Returns the number of states needed.
pub(crate) fn check_certificate<S: StateSpace<Packed = u32>>(
    case: &Case,
    search: &mut dyn Search<S>,
    h: &dyn Fn(usize) -> Option<u64>,
) -> usize {
    let limits = Limits::default();
    let cost = match run(search, &limits, &mut ()).outcome {
        Outcome::Solved(solution) => Some(u64::from(solution.cost)),
        Outcome::Unsolvable => None,
        Outcome::Stopped { .. } => panic!("the search has no limits"),
    };
    let mut closed: HashMap<usize, u64> = HashMap::new();
    let mut visit = |state: u32, g: Cost| {
        assert!(closed.insert(state as usize, g.into()).is_none(), "state {state} comes once");
    };
    assert!(search.each_closed(&mut visit));
    let is_needed = |node: usize, g: u64| h(node).is_some_and(|h| cost.is_none_or(|cost| g + h < cost));
    closed.retain(|&node, g| is_needed(node, *g));
    assert!(!is_needed(case.start, 0) || closed.get(&case.start) == Some(&0));
    for (&node, &g) in &closed {
        assert!(!case.graph.goals.contains(&node), "{node} is a goal");
        assert!(case.from_start[node].is_some_and(|least| least <= g), "g({node}) is the cost of a path");
        for &(next, cost) in &case.graph.edges[node] {
            let next_g = g + u64::from(cost);
            let is_closed = closed.get(&next).is_some_and(|&g| g <= next_g);
            assert!(
                is_closed || !is_needed(next, next_g),
                "{node} leads to {next} at {next_g}: {:?}",
                closed.get(&next)
            );
        }
    }
    closed.len()
}

/// The estimates of a table as a function.
pub(crate) fn h_of(table: &Table) -> impl Fn(usize) -> Option<u64> {
    move |node| table.estimates[node].units().map(u64::from)
}

#[test]
fn closed_states_certify_the_outcome_on_thousands_of_graphs() {
    let mut states = 0;
    for seed in 0..3000 {
        let mut random = Random::new(seed);
        let costs = [Costs::Unit, Costs::Small, Costs::Large][random.below(3)];
        let case = Case::random(&mut random, 60, costs);
        let kind = [Kind::Blind, Kind::Perfect, Kind::Consistent, Kind::Inconsistent][random.below(4)];
        let (table, _) = case.tables(kind, &mut random);
        let tie = [TieBreak::LowH, TieBreak::Fifo, TieBreak::Lifo][random.below(3)];
        let _about = About((seed, kind, tie));
        let (graph, start, limits) = (&case.graph, case.start, Limits::default());
        states += check_certificate::<Graph>(&case, &mut *astar(graph, start, &table, tie, &limits), &h_of(&table));
        states +=
            check_certificate::<Graph>(&case, &mut eager_astar(graph, start, &table, tie, &limits), &h_of(&table));
        states += check_certificate::<Graph>(&case, &mut ucs(graph, start, tie, &limits), &|_| Some(0));
        if costs == Costs::Unit {
            states += check_certificate::<Graph>(&case, &mut bfs(graph, start, &limits), &|_| Some(0));
        }
    }
    assert!(states > 40_000, "{states} states");
}

#[test]
fn idastar_has_no_closed_states() {
    let case = Case::random(&mut Random::new(1), 20, Costs::Unit);
    let (table, _) = case.tables(Kind::Blind, &mut Random::new(2));
    let mut search = idastar(&case.graph, case.start, &table, &Limits::default());
    search.advance(10);
    assert!(!search.each_closed(&mut |_, _| panic!("IDA* has no closed states")));
}
