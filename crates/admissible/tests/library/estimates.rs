//! Heuristics given by tables: perfect, consistent, inconsistent, overestimating, and with false dead ends.

use admissible::heuristic::{Max, Zero};
use admissible::{Cost, Estimate, Heuristic, Properties, StateSpace};
use admissible_oracle::Random;

use crate::graph::{Costs, Edges, Graph, distances, recosted};

/// The kind of a random table of estimates.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// 0 everywhere.
    Blind,
    /// The true distance.
    Perfect,
    /// The true distance in a graph with cheaper edges and a few more edges.
    Consistent,
    /// Anything up to the true distance.
    Inconsistent,
    /// Up to three times the true distance and a little more, with unknown properties.
    Overestimating,
    /// Calls random states dead ends, with unknown properties.
    FalseDeadEnds,
}

impl Kind {
    pub(crate) const ADMISSIBLE: [Kind; 4] = [Kind::Blind, Kind::Perfect, Kind::Consistent, Kind::Inconsistent];
    pub(crate) const ALL: [Kind; 6] =
        [Kind::Blind, Kind::Perfect, Kind::Consistent, Kind::Inconsistent, Kind::Overestimating, Kind::FalseDeadEnds];

    fn properties(self) -> Properties {
        match self {
            Kind::Blind | Kind::Perfect | Kind::Consistent => Properties::CONSISTENT,
            Kind::Inconsistent => Properties::ADMISSIBLE,
            Kind::Overestimating | Kind::FalseDeadEnds => Properties::UNKNOWN,
        }
    }
}

/// An estimate for every node.
#[derive(Debug, Clone)]
pub(crate) struct Table {
    pub(crate) estimates: Vec<Estimate>,
    pub(crate) properties: Properties,
}

impl Table {
    /// Estimates of the distance from the `sources` along `edges`; reversed edges give the distance to them.
    pub(crate) fn random(kind: Kind, random: &mut Random, edges: &Edges, sources: &[usize]) -> Self {
        let of = match kind {
            Kind::Consistent => distances(&relaxed(edges, random), sources),
            _ => distances(edges, sources),
        };
        let estimates = of.into_iter().map(|distance| estimate(kind, random, distance)).collect();
        Table { estimates, properties: kind.properties() }
    }

    /// Estimates of the cost from every state to a goal.
    pub(crate) fn to_goal(kind: Kind, random: &mut Random, graph: &Graph) -> Self {
        Table::random(kind, random, &graph.reversed, &graph.goals)
    }
}

fn relaxed(edges: &Edges, random: &mut Random) -> Edges {
    let mut cheaper = recosted(edges, |cost| random.below(cost as usize + 1) as Cost);
    for _ in 0..random.below(3) {
        let (from, to) = (random.below(edges.len()), random.below(edges.len()));
        cheaper[from].push((to, random.below(9) as Cost));
    }
    cheaper
}

fn estimate(kind: Kind, random: &mut Random, distance: Option<u64>) -> Estimate {
    let up_to = |random: &mut Random, most: u64| (random.next() % (most + 1)).min(u64::from(u32::MAX - 1));
    let units = match (kind, distance) {
        (Kind::Blind, _) => Some(0),
        (Kind::FalseDeadEnds, _) if random.below(3) == 0 => None,
        (Kind::Perfect | Kind::Consistent, distance) => distance,
        (Kind::Inconsistent | Kind::FalseDeadEnds, Some(distance)) => Some(up_to(random, distance)),
        (Kind::Overestimating, distance) => Some(up_to(random, distance.unwrap_or(9) * 3 + 5)),
        (Kind::Inconsistent | Kind::FalseDeadEnds, None) => (random.below(2) == 0).then(|| up_to(random, 50)),
    };
    units.map_or(Estimate::DEAD_END, |units| Estimate::new(units.min(u64::from(u32::MAX - 1)) as u32))
}

impl Heuristic<Graph> for Table {
    type Eval = usize;

    fn evaluate(&self, _space: &Graph, state: &usize) -> usize {
        *state
    }

    fn advance(&self, space: &Graph, parent: usize, after: &usize, m: usize) -> usize {
        assert_eq!(space.edges[parent][m].0, *after, "the parent evaluation is that of the state before the move");
        *after
    }

    fn estimate(&self, eval: usize) -> Estimate {
        self.estimates[eval]
    }

    fn properties(&self, _space: &Graph) -> Properties {
        self.properties
    }
}

fn h<H: Heuristic<Graph>>(heuristic: &H, graph: &Graph, node: usize) -> Estimate {
    heuristic.estimate(heuristic.evaluate(graph, &node))
}

#[test]
fn the_maximum_of_two_admissible_heuristics_is_admissible() {
    for seed in 0..500 {
        let mut random = Random::new(seed);
        let graph = Graph::random(&mut random, 20, Costs::Small);
        let to_goal = distances(&graph.reversed, &graph.goals);
        let pick = |random: &mut Random| Kind::ADMISSIBLE[random.below(Kind::ADMISSIBLE.len())];
        let (one, other) = (pick(&mut random), pick(&mut random));
        let larger = Max(Table::to_goal(one, &mut random, &graph), Table::to_goal(other, &mut random, &graph));
        for (node, &true_cost) in to_goal.iter().enumerate() {
            let expected = h(&larger.0, &graph, node).max(h(&larger.1, &graph, node));
            let found = h(&larger, &graph, node);
            assert_eq!(found, expected, "seed {seed}, {one:?} and {other:?}, node {node}");
            assert!(
                true_cost.is_none_or(|cost| found.units().is_some_and(|units| u64::from(units) <= cost)),
                "seed {seed}, {one:?} and {other:?}, node {node}: {found:?} for {true_cost:?}"
            );
            for m in graph.moves(&node) {
                let after = graph.edges[node][m].0;
                let eval = larger.advance(&graph, larger.evaluate(&graph, &node), &after, m);
                assert_eq!(larger.estimate(eval), h(&larger, &graph, after), "seed {seed}, node {node}, move {m}");
            }
        }
        assert_eq!(larger.properties(&graph), one.properties().and(other.properties()), "seed {seed}");
    }
}

#[test]
fn the_maximum_of_two_heuristics_has_the_properties_of_both() {
    let graph = Graph::new(vec![Vec::new()], Vec::new());
    let table = |properties| Table { estimates: vec![Estimate::new(0)], properties };
    let known = [Properties::UNKNOWN, Properties::ADMISSIBLE, Properties::CONSISTENT];
    for (less, &one) in known.iter().enumerate() {
        for &other in &known[less..] {
            assert_eq!(Max(table(one), table(other)).properties(&graph), one);
            assert_eq!(Max(table(other), table(one)).properties(&graph), one);
        }
        assert_eq!(Max(Zero, table(one)).properties(&graph), one);
    }
}

#[test]
fn a_dead_end_is_larger_than_every_estimate() {
    assert!(Estimate::new(u32::MAX - 1) < Estimate::DEAD_END);
    assert_eq!(Estimate::DEAD_END.units(), None);
    assert_eq!(Estimate::DEAD_END.rounded_up(65536), None);
    assert_eq!(Estimate::new(65537).rounded_up(65536), Some(2));
    assert_eq!(Estimate::new(u32::MAX - 1).rounded_up(1), Some(u32::MAX - 1));
}

#[test]
fn a_new_estimate_is_never_a_dead_end() {
    assert_eq!(Estimate::new(u32::MAX), Estimate::MAX);
    assert_eq!(Estimate::MAX.units(), Some(u32::MAX - 1));
}
