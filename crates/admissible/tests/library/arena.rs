//! Arena A*: spaces without keys, heuristics with unknown properties, fractions, and states of any type.
//!
//! [`crate::optimality`] runs every algorithm on small graphs. The searches here are large enough to fill the queue and
//! to grow every table.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use admissible::search::{Astar, AstarFn, Guarantee, Limits, Observer, Outcome, Progress, Report, Stop, TieBreak};
use admissible::{Cost, Estimate, Heuristic, Properties};
use admissible_oracle::Random;

use crate::algorithm::Algorithm;
use crate::estimates::{Kind, Table};
use crate::graph::{Costs, Graph, distances};
use crate::optimality::{About, Case};

const LOW_H: Algorithm = Algorithm::Astar(TieBreak::LowH);

/// A connected graph of 60,000 nodes, with the goal farthest from the start.
fn large(seed: u64, costs: Costs) -> Case {
    let mut random = Random::new(seed);
    let nodes = 60_000;
    let mut edges = Graph::random(&mut random, nodes, costs).edges;
    for (node, leaving) in edges.iter_mut().enumerate() {
        let cost = leaving.first().map_or(1, |&(_, cost)| cost);
        leaving.extend([((node + 1) % nodes, cost), ((node * 7 + 3) % nodes, cost)]);
    }
    let far = distances(&edges, &[0]);
    let farthest = (0..nodes).max_by_key(|&node| far[node]).expect("there are nodes");
    Case::new(Graph::new(edges, vec![farthest]), 0)
}

fn solve(case: &Case, table: &Table, limits: Limits) -> Report<usize> {
    Astar::new(&case.graph, table).limits(limits).solve(case.start)
}

#[test]
fn large_searches_keep_their_guarantee_with_every_cost_and_estimate() {
    let (mut expanded, mut reopened) = (0, 0);
    for (seed, costs) in (0..).zip([Costs::Unit, Costs::Small, Costs::Large]) {
        let case = large(seed, costs);
        for kind in [Kind::Blind, Kind::Consistent, Kind::Inconsistent, Kind::Overestimating] {
            let _about = About((seed, costs, kind));
            let table = case.tables(kind, &mut Random::new(seed)).0;
            let report = solve(&case, &table, Limits::default());
            case.check(LOW_H, table.properties, &report);
            assert!(report.stats.frontier_duplicates);
            if table.properties.consistent {
                assert_eq!(report.stats.expanded_before_last_layer, case.certain_expansions(&table));
            }
            expanded = expanded.max(report.stats.expanded);
            reopened += u64::from(report.stats.reopened > 0);
        }
    }
    assert!(expanded > 40_000, "tables grow and the queue is full: {expanded}");
    assert!(reopened >= 3, "inconsistent estimates reopen states: {reopened}");
}

#[test]
fn a_heuristic_with_unknown_properties_gives_the_same_search_and_no_guarantee() {
    for seed in 0..3 {
        let case = large(seed, Costs::Small);
        for kind in [Kind::Consistent, Kind::Inconsistent] {
            let _about = About((seed, kind));
            let declared = case.tables(kind, &mut Random::new(seed)).0;
            let unknown = Table { properties: Properties::UNKNOWN, ..declared.clone() };
            let (known, found) =
                (solve(&case, &declared, Limits::default()), solve(&case, &unknown, Limits::default()));
            assert_eq!(found.outcome.cost().map(u64::from), case.optimum);
            assert_eq!(found.outcome.solution().map(|solution| solution.guarantee), Some(Guarantee::None));
            assert_eq!(known.outcome.solution().map(|solution| solution.guarantee), Some(Guarantee::Optimal));
            let counts =
                |report: &Report<usize>| (report.stats.expanded, report.stats.generated, report.stats.reopened);
            assert_eq!(counts(&known), counts(&found));
            assert_eq!(found.stats.reopened > 0, kind == Kind::Inconsistent, "{:?}", found.stats);
        }
    }
}

/// Estimates in thirds, up to two thirds below those of a table: a consistent table becomes inconsistent by a fraction.
struct Thirds(Table);

impl Heuristic<Graph> for Thirds {
    type Eval = Estimate;
    fn scale(&self) -> u32 {
        3
    }

    fn evaluate(&self, _space: &Graph, state: &usize) -> Estimate {
        let less = (*state * 7 % 3) as u32;
        self.0.estimates[*state].units().map_or(Estimate::DEAD_END, |h| Estimate::new((3 * h).saturating_sub(less)))
    }

    fn estimate(&self, eval: Estimate) -> Estimate {
        eval
    }

    fn properties(&self, _space: &Graph) -> Properties {
        Properties::ADMISSIBLE
    }
}

#[test]
fn estimates_that_are_inconsistent_by_a_fraction_reopen_states_and_lead_to_the_optimum() {
    let mut reopened = 0;
    for seed in 0..2000 {
        let mut random = Random::new(seed);
        let costs = [Costs::Unit, Costs::Small][random.below(2)];
        let case = Case::random(&mut random, 60, costs);
        let kind = [Kind::Perfect, Kind::Consistent, Kind::Inconsistent][random.below(3)];
        let _about = About((seed, costs, kind));
        let thirds = Thirds(case.tables(kind, &mut random).0);
        let report = Astar::new(&case.graph, &thirds).solve(case.start);
        case.check(LOW_H, Properties::ADMISSIBLE, &report);
        reopened += report.stats.reopened;
    }
    assert!(reopened > 20, "{reopened}");
}

#[test]
fn stepping_through_a_large_search_gives_the_same_report() {
    for (seed, kind) in [(1, Kind::Consistent), (2, Kind::Inconsistent)] {
        let case = large(seed, Costs::Small);
        let table = case.tables(kind, &mut Random::new(seed)).0;
        let whole = solve(&case, &table, Limits::default());
        for slice in [1, 7, 1000] {
            let mut search = Astar::new(&case.graph, &table).search(case.start);
            while search.advance(slice) != Progress::Ended {}
            let mut stats = search.stats();
            // The peak depends on how often memory is measured.
            stats.peak_bytes = whole.stats.peak_bytes;
            assert_eq!((search.outcome(), stats), (Some(&whole.outcome), whole.stats), "{kind:?} by {slice}");
        }
    }
}

#[test]
fn a_memory_limit_holds_and_so_does_the_lower_bound() {
    let mut stopped = 0;
    for seed in 0..40 {
        let mut random = Random::new(seed);
        let costs = [Costs::Unit, Costs::Small, Costs::Large][random.below(3)];
        let case = large(seed % 3, costs);
        let kind = [Kind::Blind, Kind::Consistent, Kind::Inconsistent][random.below(3)];
        let table = case.tables(kind, &mut random).0;
        let bytes = 30_000 + random.below(3_000_000) as u64;
        let _about = About((seed, costs, kind, bytes));
        let report = solve(&case, &table, Limits { bytes: Some(bytes), ..Limits::default() });
        assert!(report.stats.peak_bytes <= bytes, "{:?}", report.stats);
        match report.outcome {
            Outcome::Stopped { why, lower_bound } => {
                stopped += 1;
                assert_eq!(why, Stop::Memory);
                assert!(case.optimum.is_none_or(|optimum| u64::from(lower_bound) <= optimum));
            }
            _ => case.check(LOW_H, table.properties, &report),
        }
    }
    assert!((5..40).contains(&stopped), "{stopped} of 40 ran out of memory");
}

/// A node as a word, which does not pack into a number.
fn word(node: usize) -> String {
    format!("node {node}")
}

fn node(word: &str) -> usize {
    word[5..].parse().expect("a word ends with its node")
}

fn successors(case: &Case) -> impl Fn(&String) -> Vec<(String, Cost)> {
    |from| case.graph.edges[node(from)].iter().map(|&(to, cost)| (word(to), cost)).collect()
}

/// Searches a graph by closures, with an estimate that has no dead ends.
fn solve_words(case: &Case, table: &Table, limits: Limits, observer: &mut dyn Observer) -> Report<String> {
    let h = |at: &String| table.estimates[node(at)].units().unwrap_or(0);
    AstarFn::new(successors(case), h, |at: &String| case.graph.goals.contains(&node(at)))
        .properties(table.properties)
        .limits(limits)
        .watch(word(case.start), observer)
}

#[test]
fn closures_find_what_brute_force_finds() {
    let mut reopened = 0;
    for seed in 0..1500 {
        let mut random = Random::new(seed);
        let costs = [Costs::Unit, Costs::Small, Costs::Large][random.below(3)];
        let case = Case::random(&mut random, 60, costs);
        let kind = Kind::ALL[random.below(5)];
        let _about = About((seed, costs, kind));
        let table = case.tables(kind, &mut random).0;
        let report = solve_words(&case, &table, Limits::default(), &mut ());
        reopened += report.stats.reopened;
        let Some(solution) = report.outcome.solution() else {
            assert_eq!((&report.outcome, case.optimum), (&Outcome::Unsolvable, None));
            continue;
        };
        let states = [word(case.start)].into_iter().chain(solution.moves.iter().cloned()).collect::<Vec<_>>();
        let walked: Option<u64> = states
            .windows(2)
            .map(|two| successors(&case)(&two[0]).iter().filter(|(to, _)| *to == two[1]).map(|&(_, cost)| cost).min())
            .map(|cost| cost.map(u64::from))
            .sum();
        assert_eq!(walked, Some(solution.cost.into()), "{solution:?}");
        assert!(case.graph.goals.contains(&node(&states[states.len() - 1])));
        let guarantee = if table.properties.admissible { Guarantee::Optimal } else { Guarantee::None };
        assert_eq!(solution.guarantee, guarantee);
        assert!(walked == case.optimum || !table.properties.admissible, "{walked:?} and {:?}", case.optimum);
    }
    assert!(reopened > 0, "inconsistent estimates reopen states");
}

/// Stops the search at the first tick, with its flag raised.
struct Raised;

impl Observer for Raised {
    fn tick(&mut self, _stats: &admissible::search::Stats) -> std::ops::ControlFlow<Stop> {
        std::ops::ControlFlow::Break(Stop::Interrupted)
    }
    fn flag(&self) -> Option<Arc<AtomicBool>> {
        Some(Arc::new(AtomicBool::new(true)))
    }
}

#[test]
fn closures_keep_limits_and_can_be_interrupted() {
    let case = large(1, Costs::Unit);
    let table = case.tables(Kind::Blind, &mut Random::new(1)).0;
    let why = |report: Report<String>| match report.outcome {
        Outcome::Stopped { why, lower_bound } => {
            assert!(case.optimum.is_some_and(|optimum| u64::from(lower_bound) <= optimum));
            Some((why, report.stats.expanded, report.stats.peak_bytes))
        }
        _ => None,
    };
    let limited = |limits| why(solve_words(&case, &table, limits, &mut ()));
    let nodes = limited(Limits { expanded: Some(1234), ..Limits::default() });
    assert!(matches!(nodes, Some((Stop::Nodes, 1234, _))), "{nodes:?}");
    let memory = limited(Limits { bytes: Some(1 << 20), ..Limits::default() });
    assert!(matches!(memory, Some((Stop::Memory, 1.., ..=0x10_0000))), "{memory:?}");
    let time = limited(Limits { time: Some(Duration::ZERO), ..Limits::default() });
    assert!(matches!(time, Some((Stop::Time, ..))), "{time:?}");
    let interrupted = why(solve_words(&case, &table, Limits::default(), &mut Raised));
    assert!(matches!(interrupted, Some((Stop::Interrupted, ..))), "{interrupted:?}");
    assert_eq!(limited(Limits::default()), None);
}
