//! Depth-first search with a depth limit.

use admissible::search::{Limits, Outcome, Stop, dfs, run};
use admissible_oracle::Random;

use crate::graph::{Costs, distances, recosted};
use crate::optimality::Case;

#[test]
fn a_path_is_found_exactly_if_one_is_within_the_depth_limit() {
    for seed in 0..2000 {
        let mut random = Random::new(seed);
        let case = Case::random(&mut random, 30, Costs::Small);
        let depths = distances(&recosted(&case.graph.edges, |_| 1), &[case.start]);
        let fewest = case.graph.goals.iter().filter_map(|&goal| depths[goal]).min();
        for limit in 0..8 {
            let mut search = dfs(&case.graph, case.start, Some(limit), &Limits::default());
            match run(&mut search, &Limits::default(), &mut ()).outcome {
                Outcome::Solved(solution) => {
                    assert!(solution.moves.len() <= limit as usize, "seed {seed}, limit {limit}");
                    let replay = case.graph.replay(case.start, &solution);
                    assert!(replay.ends_at_goal && replay.cost == u64::from(solution.cost), "seed {seed}");
                }
                Outcome::Unsolvable => assert_eq!(fewest, None, "seed {seed}, limit {limit}"),
                Outcome::Stopped { why, lower_bound } => {
                    assert_eq!((why, lower_bound), (Stop::Depth, 0), "seed {seed}, limit {limit}");
                    assert!(fewest.is_none_or(|fewest| fewest > u64::from(limit)), "seed {seed}, limit {limit}");
                }
            }
        }
    }
}

#[test]
fn a_depth_limit_that_cuts_nothing_off_proves_unsolvability() {
    for seed in 0..500 {
        let mut random = Random::new(seed);
        let mut case = Case::random(&mut random, 30, Costs::Small);
        case.graph.goals.clear();
        let nodes = case.graph.edges.len() as u32;
        let mut search = dfs(&case.graph, case.start, Some(nodes), &Limits::default());
        let report = run(&mut search, &Limits::default(), &mut ());
        assert_eq!(report.outcome, Outcome::Unsolvable, "seed {seed}");
    }
}
