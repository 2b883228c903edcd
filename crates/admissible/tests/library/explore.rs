//! Whole spaces: depths, farthest states, ways downhill and components against Dijkstra's algorithm.

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

/// Every node is its own number.
struct Numbers<const REVERSIBLE: bool>(usize);

impl<const REVERSIBLE: bool> Ranking<Graph> for Numbers<REVERSIBLE> {
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

/// With every edge in both directions.
fn undirected(graph: &Graph) -> Graph {
    let edges = graph.edges.iter().zip(&graph.reversed).map(|(out, back)| [&out[..], back].concat()).collect();
    Graph::new(edges, graph.goals.clone())
}

/// How many nodes have each distance, and which have the greatest.
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
        let found = Layers::backward(graph, ranking, threads, &()).expect("nobody interrupts");
        let (depths, farthest) = layers(&to_goal);
        assert_eq!(found.depths(), depths, "{label}");
        assert_eq!(found.farthest().collect::<Vec<_>>(), farthest, "{label}");
        for (node, distance) in to_goal.iter().enumerate() {
            assert_eq!(found.has_met(node), distance.is_some(), "{label}, {node}");
            let way = descend(graph, ranking, node, |number| Ok::<_, Lost>(found.level(number)));
            let length = way.expect("the levels lead somewhere").map(|way| way.len() as u64);
            assert_eq!(length, *distance, "{label}, from {node}");
        }
        // What is written down is what was found.
        let written = Layers::backward(graph, ranking, threads, &()).expect("nobody interrupts").into_levels();
        let written = written.expect("nothing is far away");
        let packing = Packing::of::<Graph, R>();
        assert_eq!(written.len() as u64, packing.bytes(ranking.size() as u64), "{label}");
        for node in 0..ranking.size() {
            assert_eq!(packing.level(node, written[packing.place(node)]), found.level(node), "{label}, {node}");
        }
        for depth in 0..depths.len() {
            let part = Layers::backward_to(graph, ranking, depth, threads, &()).expect("nobody interrupts");
            assert_eq!(part.depths(), &depths[..=depth], "{label}");
            let at = (0..to_goal.len()).filter(|&node| to_goal[node] == Some(depth as u64));
            assert_eq!(part.farthest().collect::<Vec<_>>(), at.collect::<Vec<_>>(), "{label}, depth {depth}");
        }
        let start = ranking.size() / 2;
        let found = Layers::forward(graph, ranking, start, threads, &()).expect("nobody interrupts");
        let (depths, farthest) = layers(&distances(&graph.edges, &[start]));
        assert_eq!((found.depths(), found.farthest().collect()), (&depths[..], farthest), "{label}");
    }
}

#[test]
fn every_state_is_met_at_its_distance() {
    for seed in 0..200 {
        let mut random = Random::new(seed);
        let nodes = 1 + random.below(200);
        let graph = Graph::random(&mut random, nodes, Costs::Unit);
        check(&format!("seed {seed}"), &graph, &Numbers::<false>(nodes));
        check(&format!("seed {seed}, undirected"), &undirected(&graph), &Numbers::<true>(nodes));
    }
}

#[test]
fn what_a_start_can_reach_is_listed_layer_by_layer() {
    for seed in 0..200 {
        let mut random = Random::new(seed);
        let nodes = 1 + random.below(3000);
        let graph = Graph::random(&mut random, nodes, Costs::Unit);
        let start = random.below(nodes);
        let reached = Reached::from(&graph, &start, None, &()).expect("there is room");
        let from_start = distances(&graph.edges, &[start]);
        let (depths, farthest) = layers(&from_start);
        assert_eq!(reached.depths(), depths, "seed {seed}");
        let mut last: Vec<usize> = reached.farthest().map(|number| reached.unrank(&graph, number)).collect();
        last.sort_unstable();
        assert_eq!(last, farthest, "seed {seed}");
        for (node, distance) in from_start.iter().enumerate() {
            let number = reached.rank(&graph, &node);
            assert_eq!(number.is_some(), distance.is_some(), "seed {seed}, {node}");
            assert!(number.is_none_or(|number| reached.unrank(&graph, number) == node), "seed {seed}, {node}");
        }
        let moves: usize =
            (0..nodes).filter(|&node| from_start[node].is_some()).map(|node| graph.edges[node].len()).sum();
        assert_eq!(reached.edges(), moves as u64, "seed {seed}");
    }
}

#[test]
fn what_does_not_fit_is_told_with_what_it_would_take() {
    let chain = Graph::new((0..100_000).map(|node| vec![((node + 1) % 100_000, 1)]).collect(), vec![]);
    let Err(ReachError::TooLarge { states, bytes }) = Reached::from(&chain, &0, Some(100_000), &()) else {
        panic!("100,000 states do not fit into as many bytes");
    };
    assert!(states > 1000 && bytes > 100_000, "{states} states, {bytes} bytes");
    let reached = Reached::from(&chain, &0, Some(10_000_000), &()).expect("now they do");
    assert!(reached.depths().len() == 100_000 && reached.bytes() <= 10_000_000, "{}", reached.bytes());
}

#[test]
fn large_layers_are_shared_by_threads() {
    // A wheel of spokes: two layers of 200,000 states.
    let spokes = 200_000;
    let mut edges = vec![Vec::new(); 2 * spokes + 1];
    for spoke in 1..=spokes {
        edges[0].push((spoke, 1));
        edges[spoke].extend([(0, 1), (spoke + spokes, 1)]);
        edges[spoke + spokes].push((spoke, 1));
    }
    let wheel = Graph::new(edges, vec![0]);
    for threads in [1, 2, 4] {
        let layers =
            Layers::backward(&wheel, &Numbers::<true>(2 * spokes + 1), threads, &()).expect("nobody interrupts");
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
        assert_eq!(components(&graph, &Numbers::<false>(nodes), &()), Ok(sizes.clone()), "seed {seed}");
        assert_eq!(components(&both, &Numbers::<true>(nodes), &()), Ok(sizes), "seed {seed}");
    }
}

/// Stops after so many states.
struct Impatient(AtomicU64);

impl Watcher for Impatient {
    fn watch(&self, states: u64) -> ControlFlow<()> {
        let left = self.0.fetch_sub(states.min(self.0.load(Ordering::Relaxed)), Ordering::Relaxed);
        if left <= states { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}

#[test]
fn a_watcher_can_stop_it() {
    let nodes = 300_000;
    let chain = |node: usize| vec![((node + 1) % nodes, 1), ((node + nodes - 1) % nodes, 1)];
    let ring = Graph::new((0..nodes).map(chain).collect(), vec![0]);
    let patience = || Impatient(AtomicU64::new(1000));
    assert_eq!(Layers::backward(&ring, &Numbers::<true>(nodes), 2, &patience()).err(), Some(Interrupted));
    assert_eq!(components(&ring, &Numbers::<true>(nodes), &patience()), Err(Interrupted));
    assert_eq!(Reached::from(&ring, &0, None, &patience()).err(), Some(ReachError::Interrupted));
}

#[test]
fn distances_beyond_a_byte_are_counted_and_not_written_down() {
    let nodes = 1000;
    let ring = Graph::new((0..nodes).map(|node| vec![((node + 1) % nodes, 1)]).collect(), vec![0]);
    let layers = Layers::backward(&ring, &Numbers::<false>(nodes), 1, &()).expect("nobody interrupts");
    assert_eq!(layers.depths().len(), nodes);
    assert_eq!(layers.into_levels(), None);
    let listed = Listed::of(&ring, 0..nodes);
    let layers = Layers::backward(&ring, &listed, 1, &()).expect("nobody interrupts");
    assert_eq!(layers.states(), nodes as u64, "a list of states will do");
}

#[test]
fn levels_of_another_space_lead_nowhere() {
    let graph = Graph::new(vec![vec![(1, 1)], vec![(0, 1)], vec![(0, 1)]], vec![2]);
    let ranking = Numbers::<true>(3);
    let lost = descend(&graph, &ranking, 0, |_| Ok::<_, Lost>(Some(1)));
    assert_eq!(lost, Err(Lost), "no neighbour is nearer");
    let ring = Graph::new((0..3).map(|node| vec![((node + 1) % 3, 1)]).collect(), vec![]);
    let around = descend(&ring, &ranking, 0, |number| Ok::<_, Lost>(Some([0, 2, 1][number])));
    assert_eq!(around, Err(Lost), "going in circles comes to an end");
}

/// Keeps every layer, and has them back the next time.
#[derive(Default)]
struct TableCache {
    kept: RefCell<Vec<u8>>,
    resumes: bool,
}

impl LayerCheckpoints for TableCache {
    fn load(&self, packing: Packing, states: usize) -> Option<SavedLayers> {
        let read = || SavedLayers::read(packing, states, &mut &self.kept.borrow()[..]);
        self.resumes.then(|| read().expect("what was written can be read"))
    }

    fn is_due(&self, _stopping: bool) -> bool {
        true
    }

    fn save(&self, layers: &CompleteLayers<'_>) {
        let mut kept = self.kept.borrow_mut();
        kept.clear();
        layers.write(&mut *kept).expect("memory can be written to");
    }
}

/// Lets so many blocks be expanded.
struct Patience(AtomicU64);

impl Watcher for Patience {
    fn watch(&self, _states: u64) -> ControlFlow<()> {
        match self.0.fetch_sub(1, Ordering::Relaxed) {
            0 | 1 => ControlFlow::Break(()),
            _ => ControlFlow::Continue(()),
        }
    }
}

#[test]
fn an_exploration_in_pieces_is_that_of_a_whole() {
    for seed in 0..30 {
        let mut random = Random::new(seed);
        let nodes = 200 + random.below(20_000);
        let graph = undirected(&Graph::random(&mut random, nodes, Costs::Unit));
        let ranking = Numbers::<true>(nodes);
        let whole = Layers::backward(&graph, &ranking, 1, &()).expect("nobody interrupts");
        let mut table_cache = TableCache::default();
        let mut pieces = 1;
        let pieced = loop {
            let patience = Patience((2 + random.below(12) as u64).into());
            match Layers::backward_checkpointed(&graph, &ranking, 2, &patience, &table_cache) {
                Ok(layers) => break layers,
                Err(Interrupted) => pieces += 1,
            }
            table_cache.resumes = true;
            assert!(pieces < 10_000, "it gets further every time");
        };
        assert_eq!((pieced.depths(), pieced.edges()), (whole.depths(), whole.edges()), "seed {seed}, {pieces} pieces");
        assert!(pieced.farthest().eq(whole.farthest()));
        assert_eq!(pieced.into_levels(), whole.into_levels());
        let kept = table_cache.kept.borrow();
        if kept.is_empty() {
            // There is no goal, and so no layer.
            continue;
        }
        assert!(SavedLayers::read(Packing::ModuloThree, nodes, &mut &kept[..kept.len() - 1]).is_err());
        assert!(SavedLayers::read(Packing::ModuloThree, 3, &mut &kept[..]).is_err());
    }
}
