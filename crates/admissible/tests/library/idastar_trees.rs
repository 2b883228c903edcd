//! IDA* that cuts its search tree into subtrees and reorders them: it loses no solution.

use admissible::heuristic::Zero;
use admissible::search::{Idastar, Limits, Outcome, Report, Search, Stats, Team, idastar, run};
use admissible_oracle::Random;

use crate::estimates::{Kind, Table};
use crate::graph::{Costs, Graph};
use crate::optimality::{About, Case};

/// A random tree of `nodes` nodes, with few leaves or many.
fn tree(random: &mut Random, nodes: usize, goals: Vec<usize>) -> Graph {
    let window = 2 + random.below(nodes / 4);
    let mut edges = vec![Vec::new(); nodes];
    for node in 1..nodes {
        let parent = node.saturating_sub(1 + random.below(window));
        edges[parent].push((node, 1 + random.below(3) as u32));
    }
    Graph::new(edges, goals)
}

fn stepped(mut search: Box<dyn Search<Graph> + '_>) -> (Option<Outcome<usize>>, Stats) {
    let mut expanded = 0;
    while search.outcome().is_none() {
        search.advance(1);
        let stats = search.stats();
        assert!(stats.expanded <= expanded + 1, "a step expands at most one state");
        if stats.expanded > expanded && search.outcome().is_none() {
            assert!(search.last_visit().is_some(), "every expansion is a visit");
        }
        expanded = stats.expanded;
    }
    (search.outcome().cloned(), search.stats())
}

/// Solves a case with and without cuts, in steps and with threads.
fn check(case: &Case, table: &Table, limits: &Limits) -> Report<usize> {
    let make = || Idastar::new(&case.graph, table).pruned().limits(*limits).search(case.start);
    let report = run(&mut *make(), limits, &mut ());
    let plain = run(&mut *idastar(&case.graph, case.start, table, limits), limits, &mut ());
    assert_eq!(report.outcome.cost(), plain.outcome.cost());
    assert_eq!(report.outcome == Outcome::Unsolvable, plain.outcome == Outcome::Unsolvable);
    let (outcome, stats) = stepped(make());
    assert_eq!(outcome.as_ref(), Some(&report.outcome));
    assert_eq!(stats.expanded, report.stats.expanded);
    let team = Team { worth_it: 0, ..Team::of(3) };
    let parallel = Idastar::new(&case.graph, table).pruned().limits(*limits).threads(team).search(case.start);
    let parallel = run(&mut *{ parallel }, limits, &mut ());
    assert_eq!(parallel.outcome.cost(), report.outcome.cost());
    assert_eq!(parallel.stats.expanded_before_last_layer, report.stats.expanded_before_last_layer);
    report
}

#[test]
fn random_trees_are_searched_completely() {
    let limits = Limits::default();
    let (mut solved, mut unsolvable) = (0, 0);
    for seed in 0..60 {
        let mut random = Random::new(seed);
        let nodes = 1000 + random.below(4000);
        let goals = if random.below(3) == 0 { vec![0; 0] } else { vec![nodes - 1 - random.below(nodes / 8)] };
        let case = Case::new(tree(&mut random, nodes, goals), 0);
        let (table, _) = case.tables(Kind::ALL[random.below(Kind::ALL.len())], &mut random);
        let _about = About((seed, nodes));
        match check(&case, &table, &limits).outcome {
            Outcome::Unsolvable => unsolvable += 1,
            Outcome::Solved(_) => solved += 1,
            Outcome::Stopped { .. } => {}
        }
    }
    assert!(solved > 10 && unsolvable > 10, "{solved} {unsolvable}");
}

#[test]
fn the_cost_does_not_depend_on_the_order_of_subtrees() {
    let mut large = 0;
    for seed in 0..600 {
        let mut random = Random::new(seed);
        let costs = [Costs::Unit, Costs::Small, Costs::Large][random.below(3)];
        let case = Case::random(&mut random, 80, costs);
        let (table, _) = case.tables(Kind::Consistent, &mut random);
        let _about = About((seed, costs));
        let limits = Limits { expanded: Some(50_000), ..Limits::default() };
        // Skip graphs with long cycles, which take too long.
        if run(&mut *idastar(&case.graph, case.start, &table, &limits), &limits, &mut ()).stats.expanded < 50_000 {
            large += u32::from(check(&case, &table, &Limits::default()).stats.expanded > 300);
        }
    }
    assert!(large > 5, "{large}");
}

#[test]
fn subtrees_keep_the_memory_limit() {
    let nodes = (1 << 15) - 1;
    let below = |node: usize| [2 * node + 1, 2 * node + 2].into_iter().filter(|&to| to < nodes).map(|to| (to, 1));
    let graph = Graph::new((0..nodes).map(|node| below(node).collect()).collect(), vec![nodes - 1]);
    let solve =
        |limits: &Limits| run(&mut *Idastar::new(&graph, &Zero).pruned().limits(*limits).search(0), limits, &mut ());
    let free = solve(&Limits::default());
    let tight = Limits { bytes: Some(free.stats.peak_bytes / 2), ..Limits::default() };
    let bound = solve(&tight);
    assert!(free.outcome.cost().is_some());
    assert_eq!(bound.outcome.cost(), free.outcome.cost());
    assert!(bound.stats.peak_bytes > 0 && Some(bound.stats.peak_bytes) <= tight.bytes, "{:?}", bound.stats);
}

/// A corridor with a short branch at every step: the branches must not become subtrees along its whole length.
#[test]
fn a_long_corridor_is_not_cut_into_many_subtrees() {
    let steps = 1500;
    let edges = (0..2 * steps).map(|at| if at < steps { vec![(steps + at, 1), (at + 1, 1)] } else { Vec::new() });
    let mut edges: Vec<_> = edges.collect();
    edges[steps - 1] = vec![(2 * steps - 1, 1)];
    let graph = Graph::new(edges, vec![2 * steps - 1]);
    let limits = Limits::default();
    let report = run(&mut *Idastar::new(&graph, &Zero).pruned().limits(limits).search(0), &limits, &mut ());
    assert_eq!(report.outcome.cost(), Some(steps as u32));
    assert!((1..100_000).contains(&report.stats.peak_bytes), "{:?}", report.stats);
}

/// Two thousand short branches end before the last bound; a long one has the goal.
#[test]
fn the_last_iteration_begins_in_the_subtree_with_the_least_room() {
    let (branches, long) = (2000, 40);
    let mut edges = vec![(1..=branches).map(|branch| (branch, 1)).collect::<Vec<_>>()];
    // Each short branch forks, the long one is a chain.
    edges.resize(1 + branches, Vec::new());
    let mut add = |from: usize| {
        edges.push(Vec::new());
        let to = edges.len() - 1;
        edges[from].push((to, 1));
        to
    };
    for branch in 1..branches {
        let ends = (0..6).map(|_| add(branch)).collect::<Vec<_>>();
        // Branches of many lengths, so that every iteration has new states.
        let mut end = ends[branch % 6];
        for _ in 0..branch % 30 {
            end = add(end);
        }
    }
    let goal = (1..long).fold(branches, |at, _| add(at));
    let graph = Graph::new(edges, vec![goal]);
    let limits = Limits::default();
    let last = |stats: Stats| stats.expanded - stats.expanded_before_last_layer;
    let plain = run(&mut *idastar(&graph, 0, &Zero, &limits), &limits, &mut ());
    let ordered = run(&mut *Idastar::new(&graph, &Zero).pruned().limits(limits).search(0), &limits, &mut ());
    assert_eq!((plain.outcome.cost(), ordered.outcome.cost()), (Some(long as u32), Some(long as u32)));
    assert!(last(plain.stats) > 10_000, "{:?}", plain.stats);
    assert!(last(ordered.stats) < 100, "{:?}", ordered.stats);
}
