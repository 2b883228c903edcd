//! What searches close is a proof of their answer: it holds the start, no goal, and whatever it leads to that might still
//! be part of a cheaper solution.

use std::collections::HashMap;

use admissible::search::{Limits, Outcome, Search, TieBreak, astar, bfs, eager_astar, idastar, run, ucs};
use admissible::{Cost, StateSpace};
use admissible_oracle::Random;

use crate::estimates::{Kind, Table};
use crate::graph::{Costs, Graph};
use crate::optimality::{About, Case};

/// Runs a search, and panics unless what it closed proves its answer. Returns how many states the proof has.
pub(crate) fn check_proof<S: StateSpace<Packed = u32>>(
    case: &Case,
    search: &mut dyn Search<S>,
    h: &dyn Fn(usize) -> Option<u64>,
) -> usize {
    let limits = Limits::default();
    let cost = match run(search, &limits, &mut ()).outcome {
        Outcome::Solved(solution) => Some(u64::from(solution.cost)),
        Outcome::Unsolvable => None,
        Outcome::Stopped { .. } => panic!("nothing was limited"),
    };
    let mut closed: HashMap<usize, u64> = HashMap::new();
    let mut visit = |state: u32, g: Cost| {
        assert!(closed.insert(state as usize, g.into()).is_none(), "state {state} comes once");
    };
    assert!(search.each_closed(&mut visit));
    let is_due = |node: usize, g: u64| h(node).is_some_and(|h| cost.is_none_or(|cost| g + h < cost));
    closed.retain(|&node, g| is_due(node, *g));
    assert!(!is_due(case.start, 0) || closed.get(&case.start) == Some(&0));
    for (&node, &g) in &closed {
        assert!(!case.graph.goals.contains(&node), "{node} is a goal");
        assert!(case.from_start[node].is_some_and(|least| least <= g), "{node} was reached by some path");
        for &(next, cost) in &case.graph.edges[node] {
            let next_g = g + u64::from(cost);
            let there = closed.get(&next).is_some_and(|&g| g <= next_g);
            assert!(there || !is_due(next, next_g), "{node} leads to {next} at {next_g}: {:?}", closed.get(&next));
        }
    }
    closed.len()
}

/// What a table says, in whole costs.
pub(crate) fn whole(table: &Table) -> impl Fn(usize) -> Option<u64> {
    move |node| table.estimates[node].units().map(u64::from)
}

#[test]
fn what_is_closed_proves_the_answer_on_thousands_of_graphs() {
    let mut proved = 0;
    for seed in 0..3000 {
        let mut random = Random::new(seed);
        let costs = [Costs::Unit, Costs::Small, Costs::Large][random.below(3)];
        let case = Case::random(&mut random, 60, costs);
        let kind = [Kind::Blind, Kind::Perfect, Kind::Consistent, Kind::Inconsistent][random.below(4)];
        let (table, _) = case.tables(kind, &mut random);
        let tie = [TieBreak::LowH, TieBreak::Fifo, TieBreak::Lifo][random.below(3)];
        let _about = About((seed, kind, tie));
        let (graph, start, limits) = (&case.graph, case.start, Limits::default());
        proved += check_proof::<Graph>(&case, &mut astar(graph, start, &table, tie, &limits), &whole(&table));
        proved += check_proof::<Graph>(&case, &mut eager_astar(graph, start, &table, tie, &limits), &whole(&table));
        proved += check_proof::<Graph>(&case, &mut ucs(graph, start, tie, &limits), &|_| Some(0));
        if costs == Costs::Unit {
            proved += check_proof::<Graph>(&case, &mut bfs(graph, start, &limits), &|_| Some(0));
        }
    }
    assert!(proved > 40_000, "{proved} states");
}

#[test]
fn a_search_without_closed_states_says_so() {
    let case = Case::random(&mut Random::new(1), 20, Costs::Unit);
    let (table, _) = case.tables(Kind::Blind, &mut Random::new(2));
    let mut search = idastar(&case.graph, case.start, &table, &Limits::default());
    search.advance(10);
    assert!(!search.each_closed(&mut |_, _| panic!("there are none")));
}
