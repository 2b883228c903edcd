//! Audits against counts taken directly from the edges of a graph.

use admissible::audit::{Distances, Findings, audit, audit_some};
use admissible::example::{Doublings, Steps};
use admissible::{Cost, Estimate, Listed, Ranking as _, StateSpace as _};
use admissible_oracle::Random;

use crate::estimates::{Kind, Table};
use crate::graph::{Costs, Graph, distances};

const ROUNDS: u64 = 300;

/// A random graph, its true distances if they fit into [`Cost`], and a table of estimates.
fn case(seed: u64) -> (Graph, Vec<Option<Cost>>, Table) {
    let mut random = Random::new(seed);
    let costs = [Costs::Unit, Costs::Small, Costs::Large, Costs::Huge][seed as usize % 4];
    let graph = Graph::random(&mut random, 40, costs);
    let fits = |distance: u64| Cost::try_from(distance).ok().filter(|&distance| distance != Cost::MAX);
    let truth = distances(&graph.reversed, &graph.goals).into_iter().map(|d| d.and_then(fits)).collect();
    let kind = Kind::ALL[random.below(Kind::ALL.len())];
    let table = Table::to_goal(kind, &mut random, &graph);
    (graph, truth, table)
}

/// The units of an estimate, with a dead end above all others.
fn units(h: Estimate) -> u64 {
    h.units().map_or(u64::MAX, u64::from)
}

#[test]
fn distances_are_those_of_dijkstra() {
    for seed in 0..ROUNDS {
        let (graph, truth, _) = case(seed);
        let states = Listed::of(&graph, 0..graph.edges.len());
        let backward = Distances::backward(&graph, &states, &()).unwrap();
        let by_moves = Distances::by_moves(&graph, &states, &()).unwrap();
        for (node, &distance) in truth.iter().enumerate() {
            let rank = states.rank(&graph, &node).expect("every node is listed");
            assert_eq!(backward.get(rank), distance, "seed {seed}, node {node}");
            assert_eq!(by_moves.get(rank), distance, "seed {seed}, node {node}");
        }
    }
}

#[test]
fn findings_agree_with_direct_counts() {
    let (mut overestimating, mut inconsistent) = (0, 0);
    for seed in 0..ROUNDS {
        let (graph, truth, table) = case(seed);
        let states = Listed::of(&graph, 0..graph.edges.len());
        let exact = Distances::backward(&graph, &states, &()).unwrap();
        let found = audit(&graph, &states, &exact, &table, &()).unwrap();

        let h = |node: usize| units(table.estimates[node]);
        let above = |node: &usize| truth[*node].is_some_and(|distance| h(*node) > distance.into());
        let too_high: Vec<usize> = (0..truth.len()).filter(above).collect();
        let edges =
            || graph.edges.iter().enumerate().flat_map(|(from, to)| to.iter().map(move |&(to, cost)| (from, to, cost)));
        let falls = |&(from, to, cost): &(usize, usize, Cost)| h(from) > h(to).saturating_add(cost.into());
        let steep: Vec<(usize, usize, Cost)> = edges().filter(falls).collect();

        assert_eq!(found.states, truth.len() as u64, "seed {seed}");
        assert_eq!(found.solvable, truth.iter().flatten().count() as u64, "seed {seed}");
        assert_eq!(found.goals, truth.iter().filter(|&&d| d == Some(0)).count() as u64, "seed {seed}");
        assert_eq!(found.farthest, truth.iter().copied().flatten().max().unwrap_or(0), "seed {seed}");
        assert_eq!(found.edges, edges().count() as u64, "seed {seed}");
        assert_eq!(found.overestimates, too_high.len() as u64, "seed {seed}");
        assert_eq!(found.inconsistent_edges, steep.len() as u64, "seed {seed}");
        assert_eq!(found.admissible(), too_high.is_empty(), "seed {seed}");
        assert_eq!(found.consistent(), too_high.is_empty() && steep.is_empty(), "seed {seed}");
        let finite = |node: &&usize| h(**node) != u64::MAX;
        let excess = |node: &usize| h(*node) - u64::from(truth[*node].unwrap());
        assert_eq!(found.worst_overestimate, too_high.iter().filter(finite).map(excess).max().unwrap_or(0));
        assert_eq!(found.false_dead_ends, too_high.iter().filter(|&&node| h(node) == u64::MAX).count() as u64);
        let excess = |&(from, to, cost): &(usize, usize, Cost)| h(from) - h(to) - u64::from(cost);
        let worst = steep.iter().filter(|(from, ..)| h(*from) != u64::MAX).map(excess).max();
        assert_eq!(found.worst_fall, worst.unwrap_or(0), "seed {seed}");

        // The counterexamples are real, and none is nearer to a goal.
        let nearest = too_high.iter().map(|&node| truth[node].unwrap()).min();
        assert_eq!(found.overestimate.map(|found| found.distance), nearest, "seed {seed}");
        if let Some(found) = found.overestimate {
            let node = graph.unpack(found.state);
            assert!(above(&node) && truth[node] == Some(found.distance) && table.estimates[node] == found.h);
        }
        let nearest = steep.iter().map(|&(from, ..)| truth[from].unwrap_or(Cost::MAX)).min();
        assert_eq!(found.inconsistency.map(|found| found.nearness()), nearest, "seed {seed}");
        if let Some(found) = found.inconsistency {
            let (from, to) = (graph.unpack(found.before), graph.unpack(found.after));
            assert!(steep.contains(&(from, to, found.cost)), "seed {seed}");
            assert_eq!((found.h_before, found.h_after), (table.estimates[from], table.estimates[to]));
        }

        let both = (0..truth.len()).filter_map(|node| Some((truth[node]?, table.estimates[node].units()?)));
        let mut errors: Vec<i64> = both.map(|(distance, h)| i64::from(h) - i64::from(distance)).collect();
        errors.sort_unstable();
        let listed = found.errors().into_iter().flat_map(|(error, count)| (0..count).map(move |_| error));
        assert_eq!(listed.collect::<Vec<i64>>(), errors, "seed {seed}");

        overestimating += usize::from(!too_high.is_empty());
        inconsistent += usize::from(!steep.is_empty());
    }
    assert!(overestimating > 20 && inconsistent > 40, "many cases have counterexamples");
}

#[test]
fn findings_of_parts_add_up() {
    for seed in 0..ROUNDS {
        let (graph, _, table) = case(seed);
        let states = Listed::of(&graph, 0..graph.edges.len());
        let exact = Distances::backward(&graph, &states, &()).unwrap();
        let whole = audit(&graph, &states, &exact, &table, &()).unwrap();
        let mut sum = Findings::new(1);
        for ranks in [0..7, 7..8, 8..8, 8..graph.edges.len()] {
            sum.merge(&audit_some(&graph, &states, ranks, &exact, &table, &()).unwrap());
        }
        assert_eq!(
            format!("{:?}", (sum.errors(), sum.overestimate, sum.inconsistency)),
            format!("{:?}", (whole.errors(), whole.overestimate, whole.inconsistency)),
            "seed {seed}"
        );
        assert_eq!((sum.states, sum.edges, sum.overestimates), (whole.states, whole.edges, whole.overestimates));
        assert_eq!((sum.mean_estimate(), sum.mean_distance()).0.to_bits(), whole.mean_estimate().to_bits());
    }
}

#[test]
fn an_overestimate_by_a_fraction_is_found() {
    /// Too high by one half next to the goal, which rounding down would hide.
    struct HalfTooMuch;
    impl admissible::Heuristic<Steps> for HalfTooMuch {
        type Eval = Estimate;
        fn scale(&self) -> u32 {
            2
        }
        fn evaluate(&self, space: &Steps, state: &u32) -> Estimate {
            Estimate::new(if *state == space.goal - 1 { 3 } else { 0 })
        }
        fn estimate(&self, eval: Estimate) -> Estimate {
            eval
        }
    }
    let space = Steps { goal: 20 };
    let states = Listed::of(&space, 1..=20);
    let exact = Distances::backward(&space, &states, &()).unwrap();
    let found = audit(&space, &states, &exact, &HalfTooMuch, &()).unwrap();
    assert_eq!((found.overestimates, found.worst_overestimate, found.scale), (1, 1, 2));
    assert_eq!(found.overestimate.map(|found| (found.state, found.distance)), Some((19, 1)));
    assert_eq!(found.errors().last(), Some(&(1, 1)), "above the distance when rounded up");
    assert!((found.mean_estimate() - 1.5 / 20.0).abs() < 1e-12);
    let sound = audit(&space, &states, &exact, &Doublings, &()).unwrap();
    assert!(sound.consistent());
}

#[test]
fn a_watcher_counts_every_state_and_can_stop_an_audit() {
    use std::ops::ControlFlow;
    use std::sync::atomic::{AtomicU64, Ordering};

    struct UpTo(u64, AtomicU64);
    impl admissible::audit::Watcher for UpTo {
        fn watch(&self, states: u64) -> ControlFlow<()> {
            let done = self.1.fetch_add(states, Ordering::Relaxed) + states;
            if done > self.0 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        }
    }
    let space = Steps { goal: 100_000 };
    let states = Listed::of(&space, 1..=space.goal);
    let unlimited = UpTo(u64::MAX, 0.into());
    let exact = Distances::backward(&space, &states, &unlimited).unwrap();
    audit(&space, &states, &exact, &Doublings, &unlimited).unwrap();
    assert_eq!(unlimited.1.into_inner(), 200_000);
    assert!(Distances::backward(&space, &states, &UpTo(20_000, 0.into())).is_err());
    assert!(audit(&space, &states, &exact, &Doublings, &UpTo(20_000, 0.into())).is_err());
}
