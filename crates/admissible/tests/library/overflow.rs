//! Costs near the largest [`Cost`]: a search gives the right answer or none, never a wrong one.

use admissible::search::{Limits, Outcome, Report, Stop};
use admissible::{Cost, Estimate, Properties};
use admissible_oracle::Random;

use crate::algorithm::Algorithm;
use crate::estimates::{Kind, Table};
use crate::graph::{Costs, Graph};
use crate::optimality::{About, Case};

/// Panics unless the outcome is right, or stopped because some path costs too much.
fn check(case: &Case, algorithm: Algorithm, report: &Report<usize>) {
    match &report.outcome {
        Outcome::Solved(solution) => case.check_solution(algorithm, true, solution),
        Outcome::Unsolvable => assert_eq!(case.optimum, None),
        &Outcome::Stopped { why, lower_bound } => {
            assert!(case.optimum.is_none_or(|optimum| u64::from(lower_bound) <= optimum), "bound {lower_bound}");
            if algorithm.is_limited(why) {
                return;
            }
            assert_eq!(why, Stop::CostOverflow);
            let ignores_costs = matches!(algorithm, Algorithm::Greedy(_) | Algorithm::Bfs | Algorithm::Dfs);
            let overflows = case.optimum.is_none_or(|optimum| optimum > u64::from(Cost::MAX));
            assert!(overflows || ignores_costs, "a cheapest path whose cost fits is found");
        }
    }
}

#[test]
fn overflow_never_gives_a_wrong_answer() {
    for seed in 0..2500 {
        let mut random = Random::new(seed);
        let case = Case::random(&mut random, 30, Costs::Huge);
        for kind in Kind::ADMISSIBLE {
            let (to_goal, from_start) = case.tables(kind, &mut random);
            for algorithm in Algorithm::ALL {
                let _about = About((seed, kind, algorithm));
                let report = algorithm.run(&case.graph, case.start, &to_goal, &from_start, &algorithm.limits());
                check(&case, algorithm, &report);
            }
        }
    }
}

/// A chain of edges at these costs, from the first node to the goal at the end.
fn chain(costs: &[Cost]) -> Case {
    let mut edges: Vec<_> = costs.iter().enumerate().map(|(node, &cost)| vec![(node + 1, cost)]).collect();
    edges.push(Vec::new());
    Case::new(Graph::new(edges, vec![costs.len()]), 0)
}

fn outcomes(case: &Case) -> impl Iterator<Item = (Algorithm, Outcome<usize>)> {
    let estimates = vec![Estimate::new(0); case.graph.edges.len()];
    let table = Table { estimates, properties: Properties::CONSISTENT };
    Algorithm::ALL.into_iter().map(move |algorithm| {
        (algorithm, algorithm.run(&case.graph, case.start, &table, &table, &Limits::default()).outcome)
    })
}

#[test]
fn a_solution_may_have_the_largest_cost() {
    for costs in [&[Cost::MAX][..], &[Cost::MAX - 1, 1], &[1, Cost::MAX - 1], &[Cost::MAX / 2, Cost::MAX / 2, 1]] {
        for (algorithm, outcome) in outcomes(&chain(costs)) {
            assert_eq!(outcome.cost(), Some(Cost::MAX), "{algorithm:?} on {costs:?}");
        }
    }
}

#[test]
fn every_algorithm_stops_beyond_the_largest_cost() {
    for costs in [&[Cost::MAX, 1][..], &[1, Cost::MAX], &[Cost::MAX, Cost::MAX, Cost::MAX], &[1 << 31, 1 << 31]] {
        for (algorithm, outcome) in outcomes(&chain(costs)) {
            let overflowed = matches!(outcome, Outcome::Stopped { why: Stop::CostOverflow, .. });
            assert!(overflowed, "{algorithm:?} on {costs:?}: {outcome:?}");
        }
    }
}
