//! Instances of a chosen difficulty: the optimal length is known, not guessed.
//!
//! Where the whole space of an instance is small enough, it is explored from the goals up to the length that is wanted,
//! and a state of the last layer becomes the start. Where it is not, an instance is solved, and the start moved along the
//! shortest solution: what is left of a shortest way is one. If no search can tell, an upper bound is found too, and the
//! range is stated.

use std::cmp::Reverse;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::expanse::{Expanse, WithExpanse};
use crate::puzzle::Puzzle;
use admissible::Backward;
use admissible::audit::{Interrupted, Watcher};
use admissible::explore::{Chart, Layers, Packing, ReachError, Reached};
use rand::{Rng, RngExt as _};

use crate::audit::in_parallel;
use crate::explore::{ExploreError, bytes_for};

/// How hard an instance should be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Difficulty {
    /// A shortest solution has so many moves, from the first number to the second.
    Between(u32, u32),
    /// No other state of the space has a longer one.
    Hardest,
}

impl Difficulty {
    pub(crate) fn least(self) -> u32 {
        match self {
            Difficulty::Between(least, _) => least,
            Difficulty::Hardest => 0,
        }
    }
}

/// An instance, and what is proved about its length.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Generated {
    /// The instance as a file has it.
    pub text: String,
    /// Its shortest solution has at least so many moves.
    pub least: u32,
    /// And at most so many.
    pub most: u32,
    /// What a move is called.
    pub unit: &'static str,
}

/// Larger spaces are not explored for one instance: that would take minutes.
const MOST_EXPLORED: u128 = 60_000_000;

/// What came of a look at a whole space.
pub enum Picked {
    /// An instance.
    Found(Generated),
    /// No state is as far from the goal.
    Nothing,
    /// The space is too large to look at, whatever it would take.
    TooLarge(ExploreError),
}

/// What came of a search for an instance of some difficulty.
pub(crate) enum Cut {
    /// One was found.
    Found(Generated),
    /// The shortest solution is too short.
    TooEasy,
    /// No search can tell how long it is.
    Undecided(Generated),
    /// Somebody stopped it.
    Interrupted,
}

/// Picks a state of a whole space.
pub(crate) struct Picker<'a> {
    pub(crate) difficulty: Difficulty,
    pub(crate) random: &'a mut dyn Rng,
    pub(crate) threads: usize,
    pub(crate) most_bytes: Option<u64>,
    pub(crate) watcher: &'a dyn Watcher,
}

impl Picker<'_> {
    fn pick<P: Puzzle + Backward, C: Chart<P>>(
        &mut self,
        puzzle: &P,
        chart: &C,
    ) -> Result<Option<Generated>, ExploreError> {
        let mut deepest = match self.difficulty {
            Difficulty::Between(least, most) => self.random.random_range(least..=most) as usize,
            Difficulty::Hardest => usize::MAX,
        };
        loop {
            let layers = Layers::backward_to(puzzle, chart, deepest, self.threads, self.watcher)?;
            let Some(depth) = layers.depths().len().checked_sub(1) else { return Ok(None) };
            if depth < self.difficulty.least() as usize {
                return Ok(None);
            }
            // From one of them on, around to the one before.
            let first = self.random.random_range(0..layers.depths()[depth]) as usize;
            let candidates = layers.farthest().skip(first).chain(layers.farthest().take(first));
            let text = candidates.into_iter().find_map(|number| puzzle.file(&chart.state(puzzle, number)));
            if let Some(text) = text {
                return Ok(Some(Generated { text, least: depth as u32, most: depth as u32, unit: P::UNIT }));
            }
            // No state here can be a start, as with a die that lies on its side; nearer ones may.
            match depth.checked_sub(1) {
                Some(nearer) => deepest = nearer,
                None => return Ok(None),
            }
        }
    }
}

impl Picker<'_> {
    /// The part with the farthest states; of several the first.
    fn deepest<E: Expanse>(&self, expanse: &E) -> Result<usize, ExploreError> {
        let next = AtomicUsize::new(0);
        let watcher = self.watcher;
        let work = |_| -> Result<Option<(usize, Reverse<usize>)>, Interrupted> {
            let mut best = None;
            loop {
                let part = next.fetch_add(1, Ordering::Relaxed);
                if part >= expanse.parts() {
                    return Ok(best);
                }
                let layers = expanse.part(part, |puzzle, chart| Layers::backward(puzzle, chart, 1, watcher));
                let layers = layers.inspect_err(|_| next.store(expanse.parts(), Ordering::Relaxed))?;
                best = best.max(Some((layers.depths().len(), Reverse(part))));
            }
        };
        let found = in_parallel(self.threads.max(1), work).into_iter().collect::<Result<Vec<_>, Interrupted>>()?;
        Ok(found.into_iter().flatten().max().map_or(0, |(_, Reverse(part))| part))
    }
}

impl WithExpanse for Picker<'_> {
    type Out = Result<Picked, ExploreError>;

    fn numbered<E: Expanse>(mut self, expanse: &E) -> Self::Out {
        let most = self.most_bytes.unwrap_or(u64::MAX);
        // Whoever wants the hardest waits for it.
        let most_states = if self.difficulty == Difficulty::Hardest { 5 * MOST_EXPLORED } else { MOST_EXPLORED };
        for part in 0..expanse.parts() {
            let states = expanse.states(part);
            let bytes = bytes_for(Packing::of::<E::Puzzle, E::Chart>(), states, false);
            if bytes > most.into() || states > most_states {
                let error = ExploreError::TooLarge { title: expanse.title(), states, bytes, most, exact: true };
                return Ok(Picked::TooLarge(error));
            }
        }
        let part = match expanse.parts() {
            1 => 0,
            _ => self.deepest(expanse)?,
        };
        let found = expanse.part(part, |puzzle, chart| self.pick(puzzle, chart))?;
        Ok(found.map_or(Picked::Nothing, Picked::Found))
    }

    fn reachable<P: Puzzle + Backward>(mut self, title: &str, puzzle: &P) -> Self::Out {
        let most = self.most_bytes.unwrap_or(u64::MAX).min(MOST_EXPLORED as u64 * 32);
        match Reached::from(puzzle, &puzzle.start(), Some(most), self.watcher) {
            Ok(reached) => Ok(self.pick(puzzle, &reached)?.map_or(Picked::Nothing, Picked::Found)),
            Err(ReachError::Interrupted) => Err(ExploreError::Interrupted),
            Err(ReachError::TooLarge { states, bytes }) => Ok(Picked::TooLarge(ExploreError::TooLarge {
                title: title.into(),
                states: states.into(),
                bytes: bytes.into(),
                most,
                exact: false,
            })),
        }
    }
}
