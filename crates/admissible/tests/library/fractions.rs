//! A fractional heuristic: the straight-line distance, in fixed point.

use admissible::{Cost, Estimate, Heuristic, Properties};
use admissible_oracle::Random;

use crate::algorithm::Algorithm;
use crate::graph::{Edges, Graph};
use crate::optimality::{About, Case};

const WIDTH: usize = 12;

fn place(node: usize) -> (usize, usize) {
    (node % WIDTH, node / WIDTH)
}

/// The straight-line distance to the nearest of the places, in units of 1/65536, rounded down.
#[derive(Debug)]
struct StraightLine {
    places: Vec<usize>,
}

impl Heuristic<Graph> for StraightLine {
    type Eval = Estimate;

    fn scale(&self) -> u32 {
        65536
    }

    fn evaluate(&self, _space: &Graph, state: &usize) -> Estimate {
        let (x, y) = place(*state);
        let line = |&node: &usize| {
            let (left, top) = place(node);
            let square = (x.abs_diff(left).pow(2) + y.abs_diff(top).pow(2)) as u64;
            (square << 32).isqrt() as u32
        };
        self.places.iter().map(line).min().map_or(Estimate::DEAD_END, Estimate::new)
    }

    fn estimate(&self, eval: Estimate) -> Estimate {
        eval
    }

    fn properties(&self, _space: &Graph) -> Properties {
        Properties::CONSISTENT
    }
}

/// A square grid, some cells of which are walls; a move to a neighbour costs up to `most`.
fn grid(random: &mut Random, most: Cost) -> Graph {
    let cells = WIDTH * WIDTH;
    let open: Vec<bool> = (0..cells).map(|_| random.below(4) > 0).collect();
    let mut edges: Edges = vec![Vec::new(); cells];
    for (from, leaving) in edges.iter_mut().enumerate().filter(|&(from, _)| open[from]) {
        let (x, y) = place(from);
        let near = (0..cells).filter(|&to| place(to).0.abs_diff(x) + place(to).1.abs_diff(y) == 1 && open[to]);
        leaving.extend(near.map(|to| (to, 1 + random.below(most as usize) as Cost)));
    }
    let goals = (0..1 + random.below(2)).map(|_| random.below(cells)).collect();
    Graph::new(edges, goals)
}

#[test]
fn a_fractional_estimate_leads_to_the_optimum() {
    for seed in 0..300 {
        let mut random = Random::new(seed);
        let most = 1 + random.below(3) as Cost;
        let graph = grid(&mut random, most);
        let case = Case::new(graph, random.below(WIDTH * WIDTH));
        let to_goal = StraightLine { places: case.graph.goals.clone() };
        let from_start = StraightLine { places: vec![case.start] };
        for algorithm in Algorithm::ALL {
            let _about = About((seed, algorithm));
            let report = algorithm.run(&case.graph, case.start, &to_goal, &from_start, &algorithm.limits());
            case.check(algorithm, Properties::CONSISTENT, &report);
            if matches!(algorithm, Algorithm::Astar(_)) {
                assert_eq!(report.stats.expanded_before_last_layer, case.certain_expansions(&to_goal));
            }
        }
    }
}
