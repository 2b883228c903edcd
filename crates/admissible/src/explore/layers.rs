//! Breadth-first search over ranks, a layer at a time.
//!
//! A layer takes two passes. The first expands every state of the layer and inserts neighbours without a level into the
//! next layer; it only reads levels, so threads need no locks. The second gives the states of the next layer their
//! level and counts them. Both passes go over the blocks of a bitmap that are not empty.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use super::bitmap::Bitmap;
use super::checkpoint::{CompleteLayers, LayerCheckpoints, SavedLayers};
use super::levels::{Levels, Packing};
use crate::audit::{Interrupted, Watcher};
use crate::backward::Backward;
use crate::platform::together;
use crate::ranking::Ranking;
use crate::space::StateSpace;

/// One thread does layers of fewer states: starting others takes longer.
const LEAST_PARALLEL: u64 = 30_000;
/// Scanning a block takes about as long as expanding this many states.
const STATES_A_BLOCK: u64 = 64;

/// The layers of a breadth-first search: every reachable state by its distance.
#[derive(Debug)]
pub struct Layers {
    levels: Levels,
    depths: Vec<u64>,
    edges: u64,
    /// The states of the last layer.
    last: Bitmap,
}

impl Layers {
    /// The approximate bytes that a search of `states` states takes.
    pub const fn bytes_for(packing: Packing, states: u64) -> u64 {
        packing.bytes(states) + 2 * Bitmap::bytes(states)
    }

    /// Searches backward from all goals at once: distances to the nearest goal.
    ///
    /// # Errors
    /// If the watcher stops it.
    pub fn backward<S: Backward, R: Ranking<S>>(
        space: &S,
        ranking: &R,
        threads: usize,
        watcher: &dyn Watcher,
    ) -> Result<Self, Interrupted> {
        Layers::backward_to(space, ranking, usize::MAX, threads, watcher, &())
    }

    /// Like [`Layers::backward`], up to a distance: the [farthest](Layers::farthest) states are then those at that
    /// distance, if it has any. Resumes from a checkpoint if one exists.
    ///
    /// # Errors
    /// If the watcher stops it.
    pub fn backward_to<S: Backward, R: Ranking<S>>(
        space: &S,
        ranking: &R,
        distance: usize,
        threads: usize,
        watcher: &dyn Watcher,
        checkpoints: &dyn LayerCheckpoints,
    ) -> Result<Self, Interrupted> {
        let search = LayerSearch::new(Packing::of::<S, R>(), ranking.size(), distance, threads, watcher);
        search.begin(&Backwards(space, ranking), checkpoints, |next| ranking.goals(space, |goal| next.insert(goal)))
    }

    /// Searches forward from one state, given its rank: distances from there. Resumes from a checkpoint if one exists.
    ///
    /// # Errors
    /// If the watcher stops it.
    pub fn forward<S: StateSpace, R: Ranking<S>>(
        space: &S,
        ranking: &R,
        start: usize,
        threads: usize,
        watcher: &dyn Watcher,
        checkpoints: &dyn LayerCheckpoints,
    ) -> Result<Self, Interrupted> {
        let search = LayerSearch::new(Packing::of::<S, R>(), ranking.size(), usize::MAX, threads, watcher);
        search.begin(&Forwards(space, ranking), checkpoints, |next| next.insert(start))
    }

    /// The number of states at each distance, from 0; empty if there was no state to start from.
    pub fn depths(&self) -> &[u64] {
        &self.depths
    }

    /// The number of states reached.
    pub fn states(&self) -> u64 {
        self.depths.iter().sum()
    }

    /// The number of moves generated.
    pub fn edges(&self) -> u64 {
        self.edges
    }

    /// Whether the state with this rank was reached.
    pub fn has_met(&self, rank: usize) -> bool {
        self.levels.is_known(rank)
    }

    /// The ranks of the states with the greatest distance, in ascending order.
    pub fn farthest(&self) -> impl Iterator<Item = usize> {
        self.last.blocks().into_iter().flat_map(|block| self.last.members(block))
    }

    /// The level of a state, for [`super::descend`].
    pub fn level(&self, rank: usize) -> Option<u8> {
        self.levels.get(rank)
    }

    /// The levels of all states for an atlas, or `None` if some distance does not fit into a level.
    pub fn into_levels(self) -> Option<Vec<u8>> {
        self.levels.into_bytes(self.depths.len().saturating_sub(1))
    }
}

/// The neighbours of a state by rank, in one of the two directions.
trait Neighbours: Sync {
    fn each(&self, rank: usize, visit: impl FnMut(usize));
}

struct Backwards<'a, S, R>(&'a S, &'a R);
struct Forwards<'a, S, R>(&'a S, &'a R);

impl<S: Backward, R: Ranking<S>> Neighbours for Backwards<'_, S, R> {
    #[inline]
    fn each(&self, rank: usize, visit: impl FnMut(usize)) {
        self.1.predecessors(self.0, rank, visit);
    }
}

impl<S: StateSpace, R: Ranking<S>> Neighbours for Forwards<'_, S, R> {
    #[inline]
    fn each(&self, rank: usize, visit: impl FnMut(usize)) {
        self.1.successors(self.0, rank, visit);
    }
}

/// A search under way.
struct LayerSearch<'a> {
    levels: Levels,
    /// The layer that is expanded, and the next one.
    now: Bitmap,
    next: Bitmap,
    /// The depth of the last layer to search.
    deepest: usize,
    threads: usize,
    watcher: &'a dyn Watcher,
}

impl<'a> LayerSearch<'a> {
    fn new(packing: Packing, size: usize, deepest: usize, threads: usize, watcher: &'a dyn Watcher) -> Self {
        let [now, next] = [Bitmap::new(size), Bitmap::new(size)];
        LayerSearch { levels: Levels::new(packing, size), now, next, deepest, threads, watcher }
    }

    /// Resumes from a checkpoint, or else begins with the states that `first` inserts.
    fn begin(
        mut self,
        neighbours: &impl Neighbours,
        checkpoints: &dyn LayerCheckpoints,
        first: impl FnOnce(&Bitmap),
    ) -> Result<Layers, Interrupted> {
        let Some(saved) = checkpoints.load(self.levels.packing(), self.levels.len()) else {
            first(&self.next);
            return self.run(neighbours, checkpoints, Vec::new(), 0);
        };
        let SavedLayers { depths, mut edges, levels, layer } = saved;
        self.levels.fill(levels);
        layer.into_iter().for_each(|rank| self.now.insert(rank));
        edges += self.expand_checkpointed(neighbours, checkpoints, &depths, edges)?;
        self.run(neighbours, checkpoints, depths, edges)
    }

    /// Searches on from the states in `next`.
    fn run(
        mut self,
        neighbours: &impl Neighbours,
        checkpoints: &dyn LayerCheckpoints,
        mut depths: Vec<u64>,
        mut edges: u64,
    ) -> Result<Layers, Interrupted> {
        loop {
            let reached = self.set_levels(depths.len());
            if reached == 0 {
                return Ok(Layers { levels: self.levels, depths, edges, last: self.now });
            }
            depths.push(reached);
            let finished = self.now.blocks();
            finished.into_iter().for_each(|block| self.now.clear(block));
            std::mem::swap(&mut self.now, &mut self.next);
            if depths.len() > self.deepest {
                return Ok(Layers { levels: self.levels, depths, edges, last: self.now });
            }
            edges += self.expand_checkpointed(neighbours, checkpoints, &depths, edges)?;
        }
    }

    /// Expands a layer. Saves a checkpoint before that if one is due, or after it if the watcher stops the expansion:
    /// an expansion changes nothing that a checkpoint holds.
    fn expand_checkpointed(
        &self,
        neighbours: &impl Neighbours,
        checkpoints: &dyn LayerCheckpoints,
        depths: &[u64],
        edges: u64,
    ) -> Result<u64, Interrupted> {
        let complete = CompleteLayers { depths, edges, levels: &self.levels, layer: &self.now };
        if checkpoints.is_due(false) {
            checkpoints.save(&complete);
        }
        let expanded = self.expand(depths.last().copied().unwrap_or(0), neighbours);
        if expanded.is_err() && checkpoints.is_due(true) {
            checkpoints.save(&complete);
        }
        expanded
    }

    /// Gives the states of the next layer their level, and counts them.
    fn set_levels(&self, distance: usize) -> u64 {
        let blocks = self.next.blocks();
        let states = self.sum_over_blocks(blocks.len() as u64 * STATES_A_BLOCK, &blocks, &|block| {
            let mut count = 0;
            for rank in self.next.members(block) {
                self.levels.set(rank, distance);
                count += 1;
            }
            Ok(count)
        });
        states.expect("setting levels is never stopped")
    }

    /// Inserts the neighbours of the layer that have no level into the next layer. Counts the moves.
    fn expand(&self, states: u64, neighbours: &impl Neighbours) -> Result<u64, Interrupted> {
        self.sum_over_blocks(states, &self.now.blocks(), &|block| {
            let (mut states, mut edges) = (0, 0);
            for rank in self.now.members(block) {
                states += 1;
                neighbours.each(rank, |neighbour| {
                    edges += 1;
                    if !self.levels.is_known(neighbour) {
                        self.next.insert(neighbour);
                    }
                });
            }
            if self.watcher.watch(states) == ControlFlow::Break(()) { Err(Interrupted) } else { Ok(edges) }
        })
    }

    /// The sum of `each` over all blocks, in parallel if the work is worth it.
    fn sum_over_blocks(
        &self,
        work: u64,
        blocks: &[usize],
        each: &(dyn Fn(usize) -> Result<u64, Interrupted> + Sync),
    ) -> Result<u64, Interrupted> {
        if self.threads <= 1 || work < LEAST_PARALLEL || blocks.len() < 2 * self.threads {
            return blocks.iter().map(|&block| each(block)).sum();
        }
        let next = AtomicUsize::new(0);
        let worker = || -> Result<u64, Interrupted> {
            let mut sum = 0;
            // Neighbouring blocks go to one thread, for its caches.
            while let Some(some) = blocks.chunks(8).nth(next.fetch_add(1, Relaxed)) {
                for &block in some {
                    sum += each(block).inspect_err(|_| next.store(blocks.len(), Relaxed))?;
                }
            }
            Ok(sum)
        };
        together(worker, (1..self.threads).map(|_| worker)).into_iter().sum()
    }
}
