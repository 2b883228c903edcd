//! Exploration: depths, farthest states, shortest paths by levels, and components, against Dijkstra's algorithm.

use std::cell::RefCell;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicU64, Ordering};

use admissible::audit::{Interrupted, Watcher};
use admissible::explore::{
    CompleteLayers, LayerCheckpoints, Layers, Lost, Packing, ReachError, Reached, SavedLayers, components, descend,
};
use admissible::{Listed, Ranking};
use admissible_oracle::Random;

use crate::graph::{Costs, Graph, distances};

/// The rank of a node is the node itself.
struct NodeRanking<const REVERSIBLE: bool>(usize);

impl<const REVERSIBLE: bool> Ranking<Graph> for NodeRanking<REVERSIBLE> {
    const REVERSIBLE: bool = REVERSIBLE;

    fn size(&self) -> usize {
        self.0
    }
    fn unrank(&self, _graph: &Graph, rank: usize) -> usize {
        rank
    }
    fn rank(&self, _graph: &Graph, state: &usize) -> Option<usize> {
        Some(*state)
    }
}

/// The graph with every edge in both directions.
fn undirected(graph: &Graph) -> Graph {
    let edges = graph.edges.iter().zip(&graph.reversed).map(|(out, back)| [&out[..], back].concat()).collect();
    Graph::new(edges, graph.goals.clone())
}

/// The number of nodes at each distance, and the nodes at the greatest.
fn layers(distances: &[Option<u64>]) -> (Vec<u64>, Vec<usize>) {
    let deepest = distances.iter().flatten().max();
    let count = |depth| distances.iter().filter(|&&distance| distance == Some(depth)).count() as u64;
    let depths = deepest.map_or(Vec::new(), |&deepest| (0..=deepest).map(count).collect());
    let farthest =
        (0..distances.len()).filter(|&node| distances[node].is_some() && distances[node].as_ref() == deepest);
    (depths, farthest.collect())
}

fn check<R: Ranking<Graph>>(label: &str, graph: &Graph, ranking: &R) {
    let to_goal = distances(&graph.reversed, &graph.goals);
    for threads in [1, 3] {
        let found = Layers::backward(graph, ranking, threads, &()).expect("the watcher never stops it");
        let (depths, farthest) = layers(&to_goal);
        assert_eq!(found.depths(), depths, "{label}");
        assert_eq!(found.farthest().collect::<Vec<_>>(), farthest, "{label}");
        for (node, distance) in to_goal.iter().enumerate() {
            assert_eq!(found.has_met(node), distance.is_some(), "{label}, {node}");
            let level = |&node: &usize| Ok::<_, Lost>(found.level(node));
            let path = descend(graph, Packing::of::<Graph, R>(), ranking.size(), node, level);
            let length = path.expect("the levels belong to this graph").map(|path| path.len() as u64);
            assert_eq!(length, *distance, "{label}, from {node}");
        }
        // The levels of the atlas are those of the search.
        let written = Layers::backward(graph, ranking, threads, &()).expect("the watcher never stops it").into_levels();
        let written = written.expect("every distance has a level");
        let packing = Packing::of::<Graph, R>();
        assert_eq!(written.len() as u64, packing.bytes(ranking.size() as u64), "{label}");
        for node in 0..ranking.size() {
            assert_eq!(packing.level(node, written[packing.place(node)]), found.level(node), "{label}, {node}");
        }
        for depth in 0..depths.len() {
            let part =
                Layers::backward_to(graph, ranking, depth, threads, &(), &()).expect("the watcher never stops it");
            assert_eq!(part.depths(), &depths[..=depth], "{label}");
            let at = (0..to_goal.len()).filter(|&node| to_goal[node] == Some(depth as u64));
            assert_eq!(part.farthest().collect::<Vec<_>>(), at.collect::<Vec<_>>(), "{label}, depth {depth}");
        }
        let start = ranking.size() / 2;
        let found = Layers::forward(graph, ranking, start, threads, &(), &()).expect("the watcher never stops it");
        let (depths, farthest) = layers(&distances(&graph.edges, &[start]));
        assert_eq!((found.depths(), found.farthest().collect()), (&depths[..], farthest), "{label}");
    }
}

#[test]
fn every_state_is_reached_at_its_distance() {
    for seed in 0..200 {
        let mut random = Random::new(seed);
        let nodes = 1 + random.below(200);
        let graph = Graph::random(&mut random, nodes, Costs::Unit);
        check(&format!("seed {seed}"), &graph, &NodeRanking::<false>(nodes));
        check(&format!("seed {seed}, undirected"), &undirected(&graph), &NodeRanking::<true>(nodes));
    }
}

#[test]
fn reachable_states_are_listed_layer_by_layer() {
    for seed in 0..200 {
        let mut random = Random::new(seed);
        let nodes = 1 + random.below(3000);
        let graph = Graph::random(&mut random, nodes, Costs::Unit);
        let start = random.below(nodes);
        let reached = Reached::from(&graph, &start, None, &()).expect("memory suffices");
        let from_start = distances(&graph.edges, &[start]);
        let (depths, farthest) = layers(&from_start);
        assert_eq!(reached.depths(), depths, "seed {seed}");
        let mut last: Vec<usize> = reached.farthest().map(|rank| reached.unrank(&graph, rank)).collect();
        last.sort_unstable();
        assert_eq!(last, farthest, "seed {seed}");
        for (node, distance) in from_start.iter().enumerate() {
            let rank = reached.rank(&graph, &node);
            assert_eq!(rank.is_some(), distance.is_some(), "seed {seed}, {node}");
            assert!(rank.is_none_or(|rank| reached.unrank(&graph, rank) == node), "seed {seed}, {node}");
        }
        let moves: usize =
            (0..nodes).filter(|&node| from_start[node].is_some()).map(|node| graph.edges[node].len()).sum();
        assert_eq!(reached.edges(), moves as u64, "seed {seed}");
    }
}

#[test]
fn too_large_reports_the_bytes_needed() {
    let chain = Graph::new((0..100_000).map(|node| vec![((node + 1) % 100_000, 1)]).collect(), vec![]);
    let Err(ReachError::TooLarge { states, bytes }) = Reached::from(&chain, &0, Some(100_000), &()) else {
        panic!("100,000 states do not fit into as many bytes");
    };
    assert!(states > 1000 && bytes > 100_000, "{states} states, {bytes} bytes");
    let reached = Reached::from(&chain, &0, Some(10_000_000), &()).expect("now they do");
    assert!(reached.depths().len() == 100_000 && reached.bytes() <= 10_000_000, "{}", reached.bytes());
}

#[test]
fn threads_share_large_layers() {
    // A hub with spokes of length two: two layers of 200,000 states.
    let spokes = 200_000;
    let mut edges = vec![Vec::new(); 2 * spokes + 1];
    for spoke in 1..=spokes {
        edges[0].push((spoke, 1));
        edges[spoke].extend([(0, 1), (spoke + spokes, 1)]);
        edges[spoke + spokes].push((spoke, 1));
    }
    let wheel = Graph::new(edges, vec![0]);
    for threads in [1, 2, 4] {
        let layers = Layers::backward(&wheel, &NodeRanking::<true>(2 * spokes + 1), threads, &())
            .expect("the watcher never stops it");
        assert_eq!(layers.depths(), [1, spokes as u64, spokes as u64], "{threads} threads");
        assert_eq!(layers.edges(), 4 * spokes as u64, "{threads} threads");
        assert_eq!(layers.farthest().collect::<Vec<_>>(), (spokes + 1..=2 * spokes).collect::<Vec<_>>());
    }
}

#[test]
fn components_are_those_of_the_undirected_graph() {
    for seed in 0..100 {
        let mut random = Random::new(seed);
        let nodes = 1 + random.below(100);
        let graph = Graph::random(&mut random, nodes, Costs::Unit);
        let both = undirected(&graph);
        let mut sizes = Vec::new();
        let mut seen = vec![false; nodes];
        for node in 0..nodes {
            let reached: Vec<bool> = distances(&both.edges, &[node]).iter().map(Option::is_some).collect();
            if !seen[node] {
                sizes.push(reached.iter().filter(|&&reached| reached).count() as u64);
            }
            seen.iter_mut().zip(reached).for_each(|(seen, reached)| *seen |= reached);
        }
        sizes.sort_unstable_by(|a, b| b.cmp(a));
        assert_eq!(components(&graph, &NodeRanking::<false>(nodes), &()), Ok(sizes.clone()), "seed {seed}");
        assert_eq!(components(&both, &NodeRanking::<true>(nodes), &()), Ok(sizes), "seed {seed}");
    }
}

/// Stops the work after this many states.
struct StopAfterStates(AtomicU64);

impl Watcher for StopAfterStates {
    fn watch(&self, states: u64) -> ControlFlow<()> {
        let left = self.0.fetch_sub(states.min(self.0.load(Ordering::Relaxed)), Ordering::Relaxed);
        if left <= states { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}

#[test]
fn a_watcher_can_stop_an_exploration() {
    let nodes = 300_000;
    let chain = |node: usize| vec![((node + 1) % nodes, 1), ((node + nodes - 1) % nodes, 1)];
    let ring = Graph::new((0..nodes).map(chain).collect(), vec![0]);
    let watcher = || StopAfterStates(AtomicU64::new(1000));
    assert_eq!(Layers::backward(&ring, &NodeRanking::<true>(nodes), 2, &watcher()).err(), Some(Interrupted));
    assert_eq!(components(&ring, &NodeRanking::<true>(nodes), &watcher()), Err(Interrupted));
    assert_eq!(Reached::from(&ring, &0, None, &watcher()).err(), Some(ReachError::Interrupted));
}

#[test]
fn distances_beyond_a_byte_are_counted_but_have_no_levels() {
    let nodes = 1000;
    let ring = Graph::new((0..nodes).map(|node| vec![((node + 1) % nodes, 1)]).collect(), vec![0]);
    let layers = Layers::backward(&ring, &NodeRanking::<false>(nodes), 1, &()).expect("the watcher never stops it");
    assert_eq!(layers.depths().len(), nodes);
    assert_eq!(layers.into_levels(), None);
    let listed = Listed::of(&ring, 0..nodes);
    let layers = Layers::backward(&ring, &listed, 1, &()).expect("the watcher never stops it");
    assert_eq!(layers.states(), nodes as u64, "a list of states is a ranking");
}

#[test]
fn levels_of_another_space_are_an_error() {
    let graph = Graph::new(vec![vec![(1, 1)], vec![(0, 1)], vec![(0, 1)]], vec![2]);
    let packing = Packing::of::<Graph, NodeRanking<true>>();
    let lost = descend(&graph, packing, 3, 0, |_| Ok::<_, Lost>(Some(1)));
    assert_eq!(lost, Err(Lost), "no neighbour is nearer");
    let ring = Graph::new((0..3).map(|node| vec![((node + 1) % 3, 1)]).collect(), vec![]);
    let around = descend(&ring, packing, 3, 0, |&node| Ok::<_, Lost>(Some([0, 2, 1][node])));
    assert_eq!(around, Err(Lost), "a cycle ends");
}

/// Saves a checkpoint of every layer in memory.
#[derive(Default)]
struct InMemory {
    saved: RefCell<Vec<u8>>,
    resumes: bool,
}

impl LayerCheckpoints for InMemory {
    fn load(&self, packing: Packing, states: usize) -> Option<SavedLayers> {
        let read = || SavedLayers::read(packing, states, &mut &self.saved.borrow()[..]);
        self.resumes.then(|| read().expect("a saved checkpoint can be read"))
    }

    fn is_due(&self, _stopping: bool) -> bool {
        true
    }

    fn save(&self, layers: &CompleteLayers<'_>) {
        let mut saved = self.saved.borrow_mut();
        saved.clear();
        layers.write(&mut *saved).expect("memory can be written to");
    }
}

/// Stops the work after this many blocks.
struct StopAfterBlocks(AtomicU64);

impl Watcher for StopAfterBlocks {
    fn watch(&self, _states: u64) -> ControlFlow<()> {
        match self.0.fetch_sub(1, Ordering::Relaxed) {
            0 | 1 => ControlFlow::Break(()),
            _ => ControlFlow::Continue(()),
        }
    }
}

#[test]
fn a_resumed_exploration_equals_an_uninterrupted_one() {
    for seed in 0..30 {
        let mut random = Random::new(seed);
        let nodes = 200 + random.below(20_000);
        let graph = undirected(&Graph::random(&mut random, nodes, Costs::Unit));
        let ranking = NodeRanking::<true>(nodes);
        let whole = Layers::backward(&graph, &ranking, 1, &()).expect("the watcher never stops it");
        let mut checkpoints = InMemory::default();
        let mut pieces = 1;
        let resumed = loop {
            let watcher = StopAfterBlocks((2 + random.below(12) as u64).into());
            match Layers::backward_to(&graph, &ranking, usize::MAX, 2, &watcher, &checkpoints) {
                Ok(layers) => break layers,
                Err(Interrupted) => pieces += 1,
            }
            checkpoints.resumes = true;
            assert!(pieces < 10_000, "every run makes progress");
        };
        assert_eq!((resumed.depths(), resumed.edges()), (whole.depths(), whole.edges()), "seed {seed}, {pieces} runs");
        assert!(resumed.farthest().eq(whole.farthest()));
        assert_eq!(resumed.into_levels(), whole.into_levels());
        let saved = checkpoints.saved.borrow();
        if saved.is_empty() {
            // The graph has no goal, and so no layer.
            continue;
        }
        assert!(SavedLayers::read(Packing::ModuloThree, nodes, &mut &saved[..saved.len() - 1]).is_err());
        assert!(SavedLayers::read(Packing::ModuloThree, 3, &mut &saved[..]).is_err());
        let mut forged = saved.clone();
        forged[8] += 1;
        assert!(SavedLayers::read(Packing::ModuloThree, nodes, &mut &forged[..]).is_err(), "the first layer grew");
    }
}
