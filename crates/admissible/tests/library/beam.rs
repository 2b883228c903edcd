//! Beam search against the true distances.

use admissible::search::{Guarantee, Limits, Outcome, Progress, Search as _, Stop, beam_of_width};
use admissible_oracle::Random;

use crate::estimates::Kind;
use crate::graph::{Costs, Replay};
use crate::optimality::{About, Case};

/// Advances a beam search step by step, and checks its incumbents and its outcome.
fn check(seed: u64, costs: Costs, width: usize) {
    let mut random = Random::new(seed);
    let case = Case::random(&mut random, 60, costs);
    for kind in Kind::ALL {
        let (to_goal, _) = case.tables(kind, &mut random);
        let _about = About((seed, costs, kind, width));
        let mut search = beam_of_width(&case.graph, case.start, &to_goal, width, &Limits::default());
        let mut best = None;
        while search.advance(1) != Progress::Ended {
            let Some(found) = search.best() else { continue };
            assert_eq!(found.guarantee, Guarantee::None);
            let cost = u64::from(found.cost);
            assert_eq!(case.graph.replay(case.start, &found), Replay { ends_at_goal: true, cost });
            assert!(best.is_none_or(|best| cost <= best) && case.optimum.is_some_and(|optimum| optimum <= cost));
            best = Some(cost);
        }
        match search.outcome().expect("it has ended") {
            Outcome::Solved(solution) => {
                let cost = u64::from(solution.cost);
                assert_eq!(case.graph.replay(case.start, solution), Replay { ends_at_goal: true, cost });
                let optimum = case.optimum.expect("a solution was found");
                let is_proved = to_goal.properties.admissible || cost == 0;
                assert_eq!(solution.guarantee, if is_proved { Guarantee::Optimal } else { Guarantee::None });
                assert!(if is_proved { cost == optimum } else { cost >= optimum }, "{cost} {optimum}");
            }
            Outcome::Unsolvable => assert_eq!(case.optimum, None),
            Outcome::Stopped { why, lower_bound } => {
                assert!(*why == Stop::Unproved && !to_goal.properties.admissible && *lower_bound == 0, "{why:?}");
            }
        }
        let stats = search.stats();
        assert!(stats.bytes <= stats.peak_bytes, "{stats:?}");
    }
}

#[test]
fn beams_of_growing_width_end_with_the_optimum() {
    for seed in 0..300 {
        check(seed, Costs::Unit, 1);
        check(seed, Costs::Small, 2);
        check(seed, Costs::Large, 64);
    }
}

#[test]
fn a_beam_keeps_its_incumbent_within_little_memory() {
    let mut with_incumbent = 0;
    for seed in 0..100 {
        let mut random = Random::new(seed);
        let case = Case::random(&mut random, 2000, Costs::Small);
        let (to_goal, _) = case.tables(Kind::Consistent, &mut random);
        let limits = Limits { bytes: Some(20_000), ..Limits::default() };
        let mut search = beam_of_width(&case.graph, case.start, &to_goal, 1, &limits);
        while search.advance(7) != Progress::Ended {
            assert!(search.stats().bytes <= 20_000, "{:?}", search.stats());
        }
        if let &Outcome::Stopped { why, lower_bound } = search.outcome().expect("it has ended") {
            assert_eq!(why, Stop::Memory);
            assert!(case.optimum.is_none_or(|optimum| u64::from(lower_bound) <= optimum));
            if let Some(best) = search.best() {
                with_incumbent += 1;
                assert!(case.optimum.is_some_and(|optimum| optimum <= u64::from(best.cost)));
            }
        }
    }
    assert!(with_incumbent > 0);
}
