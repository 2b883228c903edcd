//! Limits: searches stop at the right state, for the right reason, with a true lower bound.

use std::ops::ControlFlow;
use std::time::Duration;

use admissible::heuristic::Zero;
use admissible::search::{Guarantee, Limits, Observer, Outcome, Report, Stats, Stop, TieBreak, bfs, run, ucs};
use admissible::{Cost, Estimate, Properties};
use admissible_oracle::Random;

use crate::algorithm::Algorithm;
use crate::estimates::{Kind, Table};
use crate::graph::{Costs, Graph};
use crate::optimality::{About, Case};
use crate::plane::{Direction, Plane, PlaneDistance};

const FAR: Plane = Plane { goal: Some((3000, 2000)), step_cost: 1 };

/// The reason why a search stopped, if it did; panics unless its lower bound holds.
fn sound_stop<M: std::fmt::Debug>(report: &Report<M>, optimum: Option<u64>) -> Option<Stop> {
    let Outcome::Stopped { why, lower_bound } = report.outcome else { return None };
    assert!(optimum.is_none_or(|optimum| u64::from(lower_bound) <= optimum), "{report:?} of {optimum:?}");
    Some(why)
}

fn of_plane(report: &Report<Direction>, plane: &Plane) -> Option<Stop> {
    sound_stop(report, plane.distance((0, 0)).map(u64::from))
}

#[test]
fn a_node_limit_stops_every_algorithm_at_exactly_that_many_expansions() {
    for seed in 0..400 {
        let mut random = Random::new(seed);
        let case = Case::random(&mut random, 60, Costs::Small);
        let kind = Kind::ALL[random.below(Kind::ALL.len())];
        let (to_goal, from_start) = case.tables(kind, &mut random);
        for algorithm in Algorithm::ALL {
            let _about = About((seed, kind, algorithm));
            let run = |limits| algorithm.run(&case.graph, case.start, &to_goal, &from_start, &limits);
            let whole = run(algorithm.limits());
            for most in [1, 2, 3, 4 + random.below(60) as u64].into_iter().filter(|&most| most < whole.stats.expanded) {
                let limited = run(Limits { expanded: Some(most), ..Limits::default() });
                assert_eq!(sound_stop(&limited, case.optimum), Some(Stop::Nodes));
                assert_eq!(limited.stats.expanded, most);
            }
            let enough = run(Limits { expanded: Some(whole.stats.expanded + 1), ..Limits::default() });
            assert!(enough == whole || algorithm == Algorithm::Idastar, "{enough:?} and {whole:?}");
        }
    }
}

#[test]
fn a_node_limit_of_zero_expands_nothing() {
    let limits = Limits { expanded: Some(0), ..Limits::default() };
    for algorithm in Algorithm::ALL {
        let report = algorithm.run(&FAR, (0, 0), &PlaneDistance, &Zero, &limits);
        assert_eq!(of_plane(&report, &FAR), Some(Stop::Nodes), "{algorithm:?}");
        assert_eq!(report.stats.expanded, 0, "{algorithm:?}");
    }
}

#[test]
fn a_memory_limit_stops_every_search_that_stores_states() {
    for bytes in [0, 1_000, 20_000, 100_000, 1_000_000] {
        let limits = Limits { bytes: Some(bytes), ..Limits::default() };
        for algorithm in Algorithm::ALL.into_iter().filter(|&algorithm| algorithm != Algorithm::Idastar) {
            let report = algorithm.run(&FAR, (0, 0), &Zero, &Zero, &limits);
            assert_eq!(of_plane(&report, &FAR), Some(Stop::Memory), "{algorithm:?}, {bytes} bytes");
            // The closed list checks the limit before it grows; open list and path are checked between ticks. The
            // smallest tables take a few thousand bytes.
            let most = if algorithm == Algorithm::Bfs { bytes } else { 3 * bytes };
            assert!(report.stats.peak_bytes <= most.max(8192), "{algorithm:?}, {bytes} bytes: {:?}", report.stats);
        }
    }
}

#[test]
fn the_lower_bound_holds_at_a_memory_limit() {
    for seed in 0..200 {
        let mut random = Random::new(seed);
        let nodes = 1000 + random.below(2000);
        let case = Case::new(Graph::random(&mut random, nodes, Costs::Small), 0);
        let bytes = 17_000 + random.below(20_000) as u64;
        let kind = Kind::ALL[random.below(Kind::ALL.len())];
        let (to_goal, from_start) = case.tables(kind, &mut random);
        for algorithm in Algorithm::ALL {
            let _about = About((seed, kind, algorithm));
            let limits = Limits { bytes: Some(bytes), ..algorithm.limits() };
            let report = algorithm.run(&case.graph, case.start, &to_goal, &from_start, &limits);
            if sound_stop(&report, case.optimum) != Some(Stop::Memory) {
                case.check(algorithm, to_goal.properties, &report);
            }
        }
    }
}

/// A node with a thousand expensive successors and a cheap one, the goal, which does not fit into memory.
#[test]
fn the_lower_bound_includes_successors_that_did_not_fit() {
    let mut edges = vec![(2..1100).map(|node| (node, 100)).chain([(1, 2)]).collect::<Vec<_>>()];
    edges.resize(1100, Vec::new());
    let graph = Graph::new(edges, vec![1]);
    let limits = Limits { bytes: Some(17_000), ..Limits::default() };
    let report = run(&mut ucs(&graph, 0, TieBreak::Fifo, &limits), &limits, &mut ());
    assert_eq!(sound_stop(&report, Some(2)), Some(Stop::Memory));
}

#[test]
fn a_time_limit_stops_every_algorithm() {
    let limits = Limits { time: Some(Duration::from_millis(5)), ..Limits::default() };
    for algorithm in Algorithm::ALL {
        let report = algorithm.run(&FAR, (0, 0), &Zero, &Zero, &limits);
        assert_eq!(of_plane(&report, &FAR), Some(Stop::Time), "{algorithm:?}");
    }
}

#[test]
fn the_longest_time_limit_does_not_overflow() {
    let limits = Limits { time: Some(Duration::MAX), ..Limits::default() };
    let graph = Graph::new(vec![vec![(1, 1)], vec![]], vec![1]);
    let report = run(&mut ucs(&graph, 0, TieBreak::Fifo, &limits), &limits, &mut ());
    assert_eq!(report.outcome.cost(), Some(1));
}

/// Stops a search after a number of ticks or layers.
struct StopAfter {
    ticks: u32,
    layers: u32,
    bounds: Vec<Cost>,
}

impl StopAfter {
    fn count_down(left: &mut u32) -> ControlFlow<Stop> {
        *left -= 1;
        if *left == 0 { ControlFlow::Break(Stop::Interrupted) } else { ControlFlow::Continue(()) }
    }
}

impl Observer for StopAfter {
    fn tick(&mut self, _stats: &Stats) -> ControlFlow<Stop> {
        StopAfter::count_down(&mut self.ticks)
    }

    fn layer(&mut self, bound: Cost, stats: &Stats) -> ControlFlow<Stop> {
        assert_eq!(bound, stats.layer);
        self.bounds.push(bound);
        StopAfter::count_down(&mut self.layers)
    }
}

#[test]
fn an_observer_can_stop_every_algorithm_at_a_tick() {
    for algorithm in Algorithm::ALL {
        let mut observer = StopAfter { ticks: 3, layers: u32::MAX, bounds: Vec::new() };
        let mut search = algorithm.search(&FAR, (0, 0), &Zero, &Zero, &Limits::default());
        let report = run(&mut *search, &Limits::default(), &mut observer);
        assert_eq!(of_plane(&report, &FAR), Some(Stop::Interrupted), "{algorithm:?}");
        assert!(report.stats.expanded < 20_000, "{algorithm:?} ticked late: {:?}", report.stats);
    }
}

#[test]
fn an_observer_can_stop_at_a_layer_and_every_layer_is_a_bound() {
    let bounded = [
        Algorithm::Astar(TieBreak::Fifo),
        Algorithm::Ucs(TieBreak::LowH),
        Algorithm::Bfs,
        Algorithm::Idastar,
        Algorithm::Bidirectional,
    ];
    for algorithm in bounded {
        let mut observer = StopAfter { ticks: u32::MAX, layers: 5, bounds: Vec::new() };
        let mut search = algorithm.search(&FAR, (0, 0), &Zero, &Zero, &Limits::default());
        let report = run(&mut *search, &Limits::default(), &mut observer);
        assert_eq!(of_plane(&report, &FAR), Some(Stop::Interrupted), "{algorithm:?}");
        assert!(observer.bounds.len() == 5 && observer.bounds.is_sorted(), "{algorithm:?}: {:?}", observer.bounds);
    }
}

#[test]
fn the_closed_list_tells_three_hundred_thousand_states_apart() {
    let endless = Plane { goal: None, step_cost: 1 };
    let mut observer = StopAfter { ticks: u32::MAX, layers: 401, bounds: Vec::new() };
    let report = run(&mut bfs(&endless, (0, 0), &Limits::default()), &Limits::default(), &mut observer);
    assert_eq!(report.outcome, Outcome::Stopped { why: Stop::Interrupted, lower_bound: 401 });
    // All states within 400 steps, and no others.
    assert_eq!(report.stats.stored, 2 * 400 * 401 + 1);
}

#[test]
fn a_search_that_has_ended_does_not_change() {
    for seed in 0..200 {
        let mut random = Random::new(seed);
        let case = Case::random(&mut random, 60, Costs::Small);
        let (to_goal, from_start) = case.tables(Kind::Consistent, &mut random);
        for algorithm in Algorithm::ALL {
            let _about = About((seed, algorithm));
            let limits = Limits { expanded: Some(random.below(40) as u64), ..Limits::default() };
            let mut search = algorithm.search(&case.graph, case.start, &to_goal, &from_start, &limits);
            let report = run(&mut *search, &limits, &mut ());
            search.advance(100);
            search.stop(Stop::Interrupted);
            let after = Report { outcome: search.outcome().expect("it has ended").clone(), stats: search.stats() };
            assert_eq!(after, report);
        }
    }
}

#[test]
fn a_heuristic_with_unknown_properties_gives_no_bound() {
    let graph = Graph::new(vec![vec![(1, 1)], vec![(2, 1)], vec![]], vec![2]);
    let table = Table { estimates: [9, 9, 0].map(Estimate::new).to_vec(), properties: Properties::UNKNOWN };
    let limits = Limits { expanded: Some(1), ..Limits::default() };
    for algorithm in Algorithm::ALL.into_iter().filter(|algorithm| algorithm.uses_heuristic()) {
        let report = algorithm.run(&graph, 0, &table, &table, &limits);
        assert_eq!(report.outcome, Outcome::Stopped { why: Stop::Nodes, lower_bound: 0 }, "{algorithm:?}");
        let report = algorithm.run(&graph, 0, &table, &table, &Limits::default());
        let guarantee = report.outcome.solution().map(|solution| solution.guarantee);
        assert_eq!(guarantee, Some(Guarantee::None), "{algorithm:?}");
    }
}
