//! Every algorithm on thousands of random graphs, against the true distances.

use admissible::search::{Guarantee, Limits, Outcome, Report, Solution, Stats, Stop};
use admissible::{Estimate, Heuristic, Properties};
use admissible_oracle::Random;

use crate::algorithm::{Algorithm, in_halves};
use crate::estimates::{Kind, Table};
use crate::graph::{Costs, Graph, Replay, distances, recosted};

/// A graph with a start, and its true distances.
#[derive(Debug)]
pub(crate) struct Case {
    pub(crate) graph: Graph,
    pub(crate) start: usize,
    pub(crate) from_start: Vec<Option<u64>>,
    /// The cost of a cheapest solution.
    pub(crate) optimum: Option<u64>,
    /// The moves of a shortest solution.
    fewest: Option<u64>,
}

impl Case {
    pub(crate) fn new(graph: Graph, start: usize) -> Self {
        let nearest = |distances: &[Option<u64>]| graph.goals.iter().filter_map(|&goal| distances[goal]).min();
        let from_start = distances(&graph.edges, &[start]);
        let optimum = nearest(&from_start);
        let fewest = nearest(&distances(&recosted(&graph.edges, |_| 1), &[start]));
        Case { graph, start, from_start, optimum, fewest }
    }

    pub(crate) fn random(random: &mut Random, most_nodes: usize, costs: Costs) -> Self {
        let nodes = 5 + random.below(most_nodes - 4);
        let graph = Graph::random(random, nodes, costs);
        let start = random.below(nodes);
        Case::new(graph, start)
    }

    /// Estimates of the cost to the goals and of the cost from the start.
    pub(crate) fn tables(&self, kind: Kind, random: &mut Random) -> (Table, Table) {
        let to_goal = Table::to_goal(kind, random, &self.graph);
        (to_goal, Table::random(kind, random, &self.graph.edges, &[self.start]))
    }

    /// Panics unless a solution is a legal path with the right cost, and its guarantee is right.
    pub(crate) fn check_solution(&self, algorithm: Algorithm, admissible: bool, solution: &Solution<usize>) {
        let cost = u64::from(solution.cost);
        let optimum = self.optimum.expect("an unsolvable graph has no solution");
        assert_eq!(self.graph.replay(self.start, solution), Replay { ends_at_goal: true, cost });
        let expected = match algorithm {
            Algorithm::Ucs(_) => Guarantee::Optimal,
            Algorithm::Astar(_) | Algorithm::Idastar | Algorithm::Bidirectional if admissible => Guarantee::Optimal,
            Algorithm::Wastar(halves, _) if admissible => Guarantee::Within(in_halves(halves)),
            Algorithm::Bfs => {
                assert_eq!(Some(solution.moves.len() as u64), self.fewest, "breadth-first paths are short");
                self.bfs_guarantee(solution.guarantee)
            }
            _ => Guarantee::None,
        };
        assert_eq!(solution.guarantee, expected);
        match expected {
            Guarantee::Optimal => assert_eq!(cost, optimum),
            Guarantee::Within(weight) => assert!(cost * weight.denominator() <= optimum * weight.numerator()),
            Guarantee::None => assert!(cost >= optimum),
        }
    }

    /// The right guarantee of breadth-first search: optimal if all moves cost 1, none if it must have generated a more
    /// expensive move. In between, `given` is right: it depends on what the search generated in the last layer.
    fn bfs_guarantee(&self, given: Guarantee) -> Guarantee {
        let depths = distances(&recosted(&self.graph.edges, |_| 1), &[self.start]);
        let all_unit = |most: u64| {
            let near = depths.iter().zip(&self.graph.edges).filter(|(depth, _)| depth.is_some_and(|d| d < most));
            near.flat_map(|(_, leaving)| leaving).all(|&(_, cost)| cost == 1)
        };
        let last = self.fewest.expect("there is a solution");
        if all_unit(last) {
            Guarantee::Optimal
        } else if all_unit(last.saturating_sub(1)) {
            given
        } else {
            Guarantee::None
        }
    }

    /// Panics unless a search with [`Algorithm::limits`] ended as it must.
    pub(crate) fn check(&self, algorithm: Algorithm, properties: Properties, report: &Report<usize>) {
        let admissible = properties.admissible || !algorithm.uses_heuristic();
        match &report.outcome {
            Outcome::Solved(solution) => self.check_solution(algorithm, admissible, solution),
            Outcome::Unsolvable => assert_eq!(self.optimum, None),
            &Outcome::Stopped { why, lower_bound } => {
                assert!(algorithm.is_limited(why) || (why == Stop::Unproved && !admissible), "{why:?}");
                assert!(self.optimum.is_none_or(|optimum| u64::from(lower_bound) <= optimum), "bound {lower_bound}");
            }
        }
        self.check_counts(algorithm, &report.stats);
        if properties.consistent && !matches!(algorithm, Algorithm::Wastar(..)) {
            assert_eq!(report.stats.reopened, 0, "a consistent heuristic reopens nothing");
        }
    }

    fn check_counts(&self, algorithm: Algorithm, stats: &Stats) {
        let roots = match algorithm {
            Algorithm::Idastar => stats.iterations,
            Algorithm::Bidirectional => 1 + self.graph.goals.len() as u64,
            _ => 1,
        };
        assert!(stats.expanded <= stats.generated + roots, "{stats:?}");
        assert!(stats.expanded_before_last_layer <= stats.expanded, "{stats:?}");
        assert!(stats.bytes <= stats.peak_bytes, "{stats:?}");
        if algorithm != Algorithm::Idastar {
            assert!(stats.expanded <= stats.stored + stats.reopened, "{stats:?}");
            let most = if stats.frontier_duplicates { stats.generated + 1 } else { stats.stored };
            assert!(stats.max_frontier <= most, "{stats:?}");
            assert_eq!(stats.iterations, 0, "{stats:?}");
        }
    }

    /// The number of states that A* must expand before the layer of the solution: those with `f` below its cost.
    pub(crate) fn certain_expansions<H: Heuristic<Graph>>(&self, heuristic: &H) -> u64 {
        let scale = u64::from(heuristic.scale());
        let certain = |node: &usize| {
            let h = heuristic.estimate(heuristic.evaluate(&self.graph, node)).units();
            let f = self.from_start[*node].zip(h).map(|(g, h)| g * scale + u64::from(h));
            f.is_some_and(|f| self.optimum.is_none_or(|optimum| f < optimum * scale))
        };
        (0..self.graph.edges.len()).filter(certain).count() as u64
    }
}

/// Prints the setting of a check that fails.
pub(crate) struct About<T: std::fmt::Debug>(pub(crate) T);

impl<T: std::fmt::Debug> Drop for About<T> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            eprintln!("failed with seed and setting {:?}", self.0);
        }
    }
}

fn check_all_algorithms(seed: u64, most_nodes: usize, costs: Costs) {
    let mut random = Random::new(seed);
    let case = Case::random(&mut random, most_nodes, costs);
    for kind in Kind::ALL {
        let (to_goal, from_start) = case.tables(kind, &mut random);
        for algorithm in Algorithm::ALL {
            let _about = About((seed, costs, kind, algorithm));
            let report = algorithm.run(&case.graph, case.start, &to_goal, &from_start, &algorithm.limits());
            case.check(algorithm, to_goal.properties, &report);
            if to_goal.properties.consistent && matches!(algorithm, Algorithm::Astar(_)) {
                assert_eq!(report.stats.expanded_before_last_layer, case.certain_expansions(&to_goal));
            }
        }
    }
}

#[test]
fn every_algorithm_keeps_its_guarantee_with_unit_costs() {
    (0..1500).for_each(|seed| check_all_algorithms(seed, 60, Costs::Unit));
}

#[test]
fn every_algorithm_keeps_its_guarantee_with_small_costs() {
    (0..1500).for_each(|seed| check_all_algorithms(seed, 60, Costs::Small));
}

#[test]
fn every_algorithm_keeps_its_guarantee_with_costs_too_large_for_buckets() {
    (0..500).for_each(|seed| check_all_algorithms(seed, 60, Costs::Large));
}

#[test]
fn every_algorithm_keeps_its_guarantee_on_tiny_graphs() {
    (0..1500).for_each(|seed| check_all_algorithms(seed, 8, Costs::Small));
}

#[test]
fn idastar_solves_most_graphs_within_its_limits() {
    let (mut solvable, mut solved) = (0, 0);
    for seed in 0..500 {
        let mut random = Random::new(seed);
        let case = Case::random(&mut random, 30, Costs::Small);
        let (to_goal, from_start) = case.tables(Kind::Consistent, &mut random);
        let algorithm = Algorithm::Idastar;
        let report = algorithm.run(&case.graph, case.start, &to_goal, &from_start, &algorithm.limits());
        solvable += u32::from(case.optimum.is_some());
        solved += u32::from(report.outcome.solution().is_some());
    }
    assert!(solvable > 200 && solved * 100 >= solvable * 95, "{solved} of {solvable}");
}

#[test]
fn repeated_runs_give_the_same_report() {
    for seed in 0..300 {
        let mut random = Random::new(seed);
        let case = Case::random(&mut random, 60, Costs::Small);
        let (to_goal, from_start) = case.tables(Kind::Inconsistent, &mut random);
        for algorithm in Algorithm::ALL {
            let run = || algorithm.run(&case.graph, case.start, &to_goal, &from_start, &algorithm.limits());
            assert_eq!(run(), run(), "seed {seed}, {algorithm:?}");
        }
    }
}

#[test]
fn a_perfect_hash_changes_only_the_memory() {
    for seed in 0..300 {
        let mut random = Random::new(seed);
        let mut case = Case::random(&mut random, 60, Costs::Small);
        let (to_goal, from_start) = case.tables(Kind::Inconsistent, &mut random);
        for algorithm in Algorithm::ALL {
            let [hashed, indexed] = [false, true].map(|indexed| {
                case.graph.indexed = indexed;
                let mut report = algorithm.run(&case.graph, case.start, &to_goal, &from_start, &algorithm.limits());
                (report.stats.bytes, report.stats.peak_bytes) = (0, 0);
                report
            });
            assert_eq!(hashed, indexed, "seed {seed}, {algorithm:?}");
        }
    }
}

#[test]
fn large_graphs_are_solved_while_tables_grow() {
    for (seed, costs) in [(1, Costs::Unit), (2, Costs::Small), (3, Costs::Large)] {
        let mut random = Random::new(seed);
        let nodes = 20_000;
        let mut graph = Graph::random(&mut random, nodes, costs);
        graph.indexed = false;
        graph.goals.clear();
        for node in 0..nodes {
            graph.edges[node].push(((node + 1) % nodes, 9));
        }
        let mut graph = Graph::new(graph.edges, graph.goals);
        let farthest = distances(&graph.edges, &[0]).into_iter().enumerate().max_by_key(|(_, distance)| *distance);
        graph.goals.extend(farthest.map(|(node, _)| node));
        let case = Case::new(graph, 0);
        let (to_goal, from_start) = case.tables(Kind::Blind, &mut random);
        for algorithm in Algorithm::ALL {
            let _about = About((seed, algorithm));
            let report = algorithm.run(&case.graph, case.start, &to_goal, &from_start, &algorithm.limits());
            case.check(algorithm, to_goal.properties, &report);
        }
    }
}

#[test]
fn a_start_that_is_a_goal_is_a_solution_of_no_moves() {
    let graph = Graph::new(vec![vec![(1, 3)], vec![(0, 3)]], vec![0, 1]);
    let table = Table { estimates: vec![Estimate::new(0); 2], properties: Properties::CONSISTENT };
    for algorithm in Algorithm::ALL {
        let report = algorithm.run(&graph, 0, &table, &table, &Limits::default());
        let solution = report.outcome.solution().unwrap_or_else(|| panic!("{algorithm:?}: {report:?}"));
        assert_eq!((solution.cost, solution.moves.len()), (0, 0), "{algorithm:?}");
        assert_eq!(report.stats.expanded, 0, "{algorithm:?}");
    }
}

#[test]
fn the_cheapest_of_parallel_edges_is_taken() {
    let graph = Graph::new(vec![vec![(1, 5), (1, 2), (1, 4)], vec![]], vec![1]);
    let table = Table { estimates: vec![Estimate::new(0); 2], properties: Properties::CONSISTENT };
    for algorithm in Algorithm::ALL {
        let report = algorithm.run(&graph, 0, &table, &table, &Limits::default());
        assert_eq!(report.outcome.solution().map(|solution| &solution.moves[..]), Some(&[1][..]), "{algorithm:?}");
    }
}
