//! Breadth-first search over numbers, a layer at a time.
//!
//! A layer takes two passes. In the first every state of it is expanded, and what has no level yet goes into the set of
//! those that are next; levels are only read, so threads need not wait for each other. In the second the states of that
//! set get their level and are counted. Both passes go over blocks of numbers that have something in them.

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

/// Layers of fewer states are done by one thread: starting others takes longer.
const FEWEST_SHARED: u64 = 30_000;
/// To look through a block for states takes as long as to expand so many.
const EACH_BLOCK: u64 = 64;

/// Every state that can be reached, by its distance.
#[derive(Debug)]
pub struct Layers {
    levels: Levels,
    depths: Vec<u64>,
    edges: u64,
    /// The states of the last layer.
    last: Bitmap,
}

impl Layers {
    /// About how much memory the search takes for so many states.
    pub const fn bytes_for(packing: Packing, states: u64) -> u64 {
        packing.bytes(states) + 2 * Bitmap::bytes(states)
    }

    /// From all goals at once against the moves: distances to the nearest goal.
    ///
    /// # Errors
    /// If the watcher stops it.
    pub fn backward<S: Backward, R: Ranking<S>>(
        space: &S,
        ranking: &R,
        threads: usize,
        watcher: &dyn Watcher,
    ) -> Result<Self, Interrupted> {
        Layers::backward_to(space, ranking, usize::MAX, threads, watcher)
    }

    /// The same with checkpoints: resumes from one if there is one.
    ///
    /// # Errors
    /// If the watcher stops it.
    pub fn backward_checkpointed<S: Backward, R: Ranking<S>>(
        space: &S,
        ranking: &R,
        threads: usize,
        watcher: &dyn Watcher,
        checkpoints: &dyn LayerCheckpoints,
    ) -> Result<Self, Interrupted> {
        let search = Search::new(Packing::of::<S, R>(), ranking.size(), threads, watcher);
        search.run_checkpointed(&Backwards(space, ranking), checkpoints, |next| {
            ranking.goals(space, |goal| next.insert(goal));
        })
    }

    /// The same up to a distance: then the [farthest](Layers::farthest) states are those that have it, if there are
    /// any.
    ///
    /// # Errors
    /// If the watcher stops it.
    pub fn backward_to<S: Backward, R: Ranking<S>>(
        space: &S,
        ranking: &R,
        distance: usize,
        threads: usize,
        watcher: &dyn Watcher,
    ) -> Result<Self, Interrupted> {
        let search = Search::new(Packing::of::<S, R>(), ranking.size(), threads, watcher);
        ranking.goals(space, |goal| search.next.insert(goal));
        Search { deepest: distance, ..search }.run(&Backwards(space, ranking), &(), Vec::new(), 0)
    }

    /// From one state along the moves: distances from there.
    ///
    /// # Errors
    /// If the watcher stops it.
    pub fn forward<S: StateSpace, R: Ranking<S>>(
        space: &S,
        ranking: &R,
        start: usize,
        threads: usize,
        watcher: &dyn Watcher,
    ) -> Result<Self, Interrupted> {
        Layers::forward_checkpointed(space, ranking, start, threads, watcher, &())
    }

    /// The same with checkpoints: resumes from one if there is one.
    ///
    /// # Errors
    /// If the watcher stops it.
    pub fn forward_checkpointed<S: StateSpace, R: Ranking<S>>(
        space: &S,
        ranking: &R,
        start: usize,
        threads: usize,
        watcher: &dyn Watcher,
        checkpoints: &dyn LayerCheckpoints,
    ) -> Result<Self, Interrupted> {
        let search = Search::new(Packing::of::<S, R>(), ranking.size(), threads, watcher);
        search.run_checkpointed(&Forwards(space, ranking), checkpoints, |next| next.insert(start))
    }

    /// How many states have each distance, from 0; nothing if there was none to begin with.
    pub fn depths(&self) -> &[u64] {
        &self.depths
    }

    /// How many states were met.
    pub fn states(&self) -> u64 {
        self.depths.iter().sum()
    }

    /// How many moves were looked at.
    pub fn edges(&self) -> u64 {
        self.edges
    }

    /// Whether a state was met.
    pub fn has_met(&self, number: usize) -> bool {
        self.levels.is_known(number)
    }

    /// The numbers of the states with the greatest distance, in rising order.
    pub fn farthest(&self) -> impl Iterator<Item = usize> {
        self.last.blocks().into_iter().flat_map(|block| self.last.members(block))
    }

    /// The level of a state, as [`super::descend`] wants it.
    pub fn level(&self, number: usize) -> Option<u8> {
        self.levels.get(number)
    }

    /// The levels of all states for an atlas, or `None` if they are too far away to be written down.
    pub fn into_levels(self) -> Option<Vec<u8>> {
        self.levels.into_bytes(self.depths.len().saturating_sub(1))
    }
}

/// The numbers beside a number, in one of the two directions.
trait Walk: Sync {
    fn beside(&self, number: usize, visit: impl FnMut(usize));
}

struct Backwards<'a, S, R>(&'a S, &'a R);
struct Forwards<'a, S, R>(&'a S, &'a R);

impl<S: Backward, R: Ranking<S>> Walk for Backwards<'_, S, R> {
    #[inline]
    fn beside(&self, number: usize, visit: impl FnMut(usize)) {
        self.1.predecessors(self.0, number, visit);
    }
}

impl<S: StateSpace, R: Ranking<S>> Walk for Forwards<'_, S, R> {
    #[inline]
    fn beside(&self, number: usize, visit: impl FnMut(usize)) {
        self.1.successors(self.0, number, visit);
    }
}

/// A search that goes on.
struct Search<'a> {
    levels: Levels,
    /// The layer that is expanded, and what comes after it.
    now: Bitmap,
    next: Bitmap,
    /// The last layer, though there may be more.
    deepest: usize,
    threads: usize,
    watcher: &'a dyn Watcher,
}

impl<'a> Search<'a> {
    fn new(packing: Packing, size: usize, threads: usize, watcher: &'a dyn Watcher) -> Self {
        let [now, next] = [Bitmap::new(size), Bitmap::new(size)];
        Search { levels: Levels::new(packing, size), now, next, deepest: usize::MAX, threads, watcher }
    }

    /// Resumes from a checkpoint, or else begins with the states that `begin` inserts.
    fn run_checkpointed(
        mut self,
        walk: &impl Walk,
        checkpoints: &dyn LayerCheckpoints,
        begin: impl FnOnce(&Bitmap),
    ) -> Result<Layers, Interrupted> {
        let Some(saved) = checkpoints.load(self.levels.packing(), self.levels.len()) else {
            begin(&self.next);
            return self.run(walk, checkpoints, Vec::new(), 0);
        };
        let SavedLayers { depths, mut edges, levels, layer } = saved;
        self.levels.fill(levels);
        layer.into_iter().for_each(|number| self.now.insert(number));
        edges += self.expand_checkpointed(walk, checkpoints, &depths, edges)?;
        self.run(walk, checkpoints, depths, edges)
    }

    /// Goes on from the states that are in the set of the next ones.
    fn run(
        mut self,
        walk: &impl Walk,
        checkpoints: &dyn LayerCheckpoints,
        mut depths: Vec<u64>,
        mut edges: u64,
    ) -> Result<Layers, Interrupted> {
        loop {
            let reached = self.settle(depths.len());
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
            edges += self.expand_checkpointed(walk, checkpoints, &depths, edges)?;
        }
    }

    /// Expands a layer. Saves a checkpoint before that if one is due, or after it if the watcher stops the expansion,
    /// which changes nothing that a checkpoint holds.
    fn expand_checkpointed(
        &self,
        walk: &impl Walk,
        checkpoints: &dyn LayerCheckpoints,
        depths: &[u64],
        edges: u64,
    ) -> Result<u64, Interrupted> {
        let whole = CompleteLayers { depths, edges, levels: &self.levels, layer: &self.now };
        if checkpoints.is_due(false) {
            checkpoints.save(&whole);
        }
        let expanded = self.expand(depths.last().copied().unwrap_or(0), walk);
        if expanded.is_err() && checkpoints.is_due(true) {
            checkpoints.save(&whole);
        }
        expanded
    }

    /// Gives the states that are next their level, and counts them.
    fn settle(&self, distance: usize) -> u64 {
        let blocks = self.next.blocks();
        let settled = self.share(blocks.len() as u64 * EACH_BLOCK, &blocks, &|block| {
            let mut count = 0;
            for number in self.next.members(block) {
                self.levels.set(number, distance);
                count += 1;
            }
            Ok(count)
        });
        settled.expect("nothing here is stopped")
    }

    /// Puts whatever is beside the layer and has no level into the set of the next ones. Counts the moves.
    fn expand(&self, states: u64, walk: &impl Walk) -> Result<u64, Interrupted> {
        self.share(states, &self.now.blocks(), &|block| {
            let (mut states, mut edges) = (0, 0);
            for number in self.now.members(block) {
                states += 1;
                walk.beside(number, |beside| {
                    edges += 1;
                    if !self.levels.is_known(beside) {
                        self.next.insert(beside);
                    }
                });
            }
            if self.watcher.watch(states) == ControlFlow::Break(()) { Err(Interrupted) } else { Ok(edges) }
        })
    }

    /// Has the threads do some work on every block, if there is enough of it, and adds up what it gives.
    fn share(
        &self,
        work: u64,
        blocks: &[usize],
        each: &(dyn Fn(usize) -> Result<u64, Interrupted> + Sync),
    ) -> Result<u64, Interrupted> {
        if self.threads <= 1 || work < FEWEST_SHARED || blocks.len() < 2 * self.threads {
            return blocks.iter().map(|&block| each(block)).sum();
        }
        let next = AtomicUsize::new(0);
        let worker = || -> Result<u64, Interrupted> {
            let mut sum = 0;
            // Neighbouring blocks go to one thread, which finds more in its caches then.
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
