//! Searches stepped one expansion at a time: the same report, and every expansion is visible.

use std::collections::HashSet;

use admissible::search::{Outcome, Progress, Report, Search, Visit};
use admissible_oracle::Random;

use crate::algorithm::Algorithm;
use crate::estimates::{Kind, Table};
use crate::graph::{Costs, Graph};
use crate::optimality::{About, Case};

/// Steps a search to its end; returns the visits of the steps that expanded a state.
fn step_through(search: &mut dyn Search<Graph>, most: u64) -> Vec<Visit<u32>> {
    let mut visits = Vec::new();
    let mut expanded = 0;
    while search.stats().expanded < most && search.advance(1) != Progress::Ended {
        if search.stats().expanded > expanded {
            visits.push(search.last_visit().expect("something was expanded"));
        }
        expanded = search.stats().expanded;
    }
    visits
}

fn for_many_searches(mut check: impl FnMut(&Case, Algorithm, &Table, &Table)) {
    for seed in 0..300 {
        let mut random = Random::new(seed);
        let costs = [Costs::Unit, Costs::Small, Costs::Large][random.below(3)];
        let case = Case::random(&mut random, 60, costs);
        let kind = Kind::ALL[random.below(Kind::ALL.len())];
        let (to_goal, from_start) = case.tables(kind, &mut random);
        for algorithm in Algorithm::ALL {
            let _about = About((seed, costs, kind, algorithm));
            check(&case, algorithm, &to_goal, &from_start);
        }
    }
}

#[test]
fn stepping_gives_the_report_that_running_gives() {
    for_many_searches(|case, algorithm, to_goal, from_start| {
        let limits = algorithm.limits();
        let mut expected = algorithm.run(&case.graph, case.start, to_goal, from_start, &limits);
        let mut search = algorithm.search(&case.graph, case.start, to_goal, from_start, &limits);
        step_through(&mut *search, limits.expanded.unwrap_or(u64::MAX));
        let Some(outcome) = search.outcome().cloned() else {
            assert!(expected.stats.expanded == search.stats().expanded);
            return;
        };
        // The peak depends on how often memory is measured.
        expected.stats.peak_bytes = search.stats().peak_bytes;
        assert_eq!(Report { outcome, stats: search.stats() }, expected);
    });
}

#[test]
fn every_visit_follows_a_visit_of_its_parent_with_the_right_g() {
    for_many_searches(|case, algorithm, to_goal, from_start| {
        let limits = algorithm.limits();
        let mut search = algorithm.search(&case.graph, case.start, to_goal, from_start, &limits);
        let mut seen = HashSet::new();
        for visit in step_through(&mut *search, limits.expanded.unwrap_or(u64::MAX)) {
            let (edges, roots) = match visit.backward {
                true => (&case.graph.reversed, &case.graph.goals[..]),
                false => (&case.graph.edges, &[case.start][..]),
            };
            let follows = |parent: u32| {
                let parallel = edges[parent as usize].iter().filter(|&&(to, _)| to == visit.state as usize);
                parallel
                    .filter_map(|&(_, cost)| visit.g.checked_sub(cost))
                    .any(|g| seen.contains(&(parent, g, visit.backward)))
            };
            let is_root = || visit.g == 0 && roots.contains(&(visit.state as usize));
            assert!(visit.parent.map_or_else(is_root, follows), "{visit:?}");
            seen.insert((visit.state, visit.g, visit.backward));
        }
    });
}

#[test]
fn every_visit_has_the_estimate_of_its_state() {
    for_many_searches(|case, algorithm, to_goal, from_start| {
        let limits = algorithm.limits();
        let mut search = algorithm.search(&case.graph, case.start, to_goal, from_start, &limits);
        for visit in step_through(&mut *search, limits.expanded.unwrap_or(u64::MAX)) {
            let table = if visit.backward { from_start } else { to_goal };
            let estimate = table.estimates[visit.state as usize].units();
            let expected = if algorithm.uses_heuristic() { estimate } else { Some(0) };
            assert_eq!((Some(visit.h), visit.scale), (expected, 1), "{visit:?}");
        }
    });
}

#[test]
fn every_expansion_is_a_visit() {
    for_many_searches(|case, algorithm, to_goal, from_start| {
        let limits = algorithm.limits();
        let mut search = algorithm.search(&case.graph, case.start, to_goal, from_start, &limits);
        let visits = step_through(&mut *search, limits.expanded.unwrap_or(u64::MAX));
        // The visits do not include the step that ended the search.
        assert!(search.stats().expanded - visits.len() as u64 <= 1, "{visits:?}");
    });
}

#[test]
fn expansions_before_the_last_layer_are_the_visits_with_f_below_the_cost() {
    for_many_searches(|case, algorithm, to_goal, from_start| {
        let mut search = algorithm.search(&case.graph, case.start, to_goal, from_start, &algorithm.limits());
        if !matches!(algorithm, Algorithm::Astar(_) | Algorithm::Ucs(_) | Algorithm::Wastar(..) | Algorithm::Greedy(_))
        {
            return;
        }
        let visits = step_through(&mut *search, u64::MAX);
        let cost = search.outcome().and_then(Outcome::cost);
        let below = visits.iter().filter(|visit| cost.is_none_or(|cost| visit.g + visit.h < cost)).count();
        assert_eq!(search.stats().expanded_before_last_layer, below as u64, "{visits:?}");
    });
}
