//! Instances of a chosen difficulty: the optimal length is known, not guessed.
//!
//! Where the whole space of an instance is small enough, it is explored from the goals up to the length that is wanted,
//! and a state of the last layer becomes the start. Where it is not, an instance is solved, and the start moved along the
//! shortest solution: what is left of a shortest way is one. If no search can tell, an upper bound is found too, and the
//! range is stated.

use std::cmp::Reverse;
use std::sync::Mutex;

use admissible::audit::Watcher;
use rand::{Rng, RngExt as _};

use crate::explore::{Direction, ExploreError, bytes_for, not_reached};
use crate::parts::{ErasedScope, Part, Parts, for_each_part};

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
    /// Picks a state of a space.
    pub(crate) fn pick(&mut self, scope: ErasedScope<'_>) -> Result<Picked, ExploreError> {
        match scope {
            ErasedScope::Ranked(parts) => self.pick_ranked(parts),
            ErasedScope::Reachable(title, reach) => {
                let most = self.most_bytes.unwrap_or(u64::MAX).min(MOST_EXPLORED as u64 * 32);
                let mut picked = None;
                let watcher = self.watcher;
                let unit = reach.unit();
                let reached = reach.reach(Some(most), watcher, &mut |part, _| {
                    picked = Some(self.pick_from(part, unit));
                });
                match reached.map_err(|error| not_reached(error, title, most)) {
                    Ok(()) => picked.expect("what was reached is handed over"),
                    Err(error @ ExploreError::TooLarge { .. }) => Ok(Picked::TooLarge(error)),
                    Err(error) => Err(error),
                }
            }
        }
    }

    fn pick_ranked(&mut self, scope: &dyn Parts) -> Result<Picked, ExploreError> {
        let most = self.most_bytes.unwrap_or(u64::MAX);
        // Whoever wants the hardest waits for it.
        let most_states = if self.difficulty == Difficulty::Hardest { 5 * MOST_EXPLORED } else { MOST_EXPLORED };
        for part in 0..scope.parts() {
            let states = scope.states(part);
            let bytes = bytes_for(scope.packing(), states, false);
            if bytes > most.into() || states > most_states {
                let error = ExploreError::TooLarge { title: scope.title(), states, bytes, most, exact: true };
                return Ok(Picked::TooLarge(error));
            }
        }
        let part = match scope.parts() {
            1 => 0,
            _ => self.deepest(scope)?,
        };
        let mut picked = None;
        scope.part(part, &mut |part| picked = Some(self.pick_from(part, scope.unit())));
        picked.expect("a scope hands its parts over")
    }

    /// The part with the farthest states; of several the first.
    fn deepest(&self, scope: &dyn Parts) -> Result<usize, ExploreError> {
        let deepest: Mutex<Option<(usize, Reverse<usize>)>> = Mutex::new(None);
        for_each_part::<ExploreError>(scope.parts(), self.threads.max(1), &|number| {
            let mut layers = None;
            scope.part(number, &mut |part| {
                layers = Some(part.layers(Direction::Backward, usize::MAX, 1, self.watcher, &()));
            });
            let depths = layers.expect("a scope hands its parts over")?.depths().len();
            let mut deepest = deepest.lock().expect("no worker has panicked");
            *deepest = (*deepest).max(Some((depths, Reverse(number))));
            Ok(())
        })?;
        Ok(deepest.into_inner().expect("no worker has panicked").map_or(0, |(_, Reverse(part))| part))
    }

    fn pick_from(&mut self, part: &dyn Part, unit: &'static str) -> Result<Picked, ExploreError> {
        let mut deepest = match self.difficulty {
            Difficulty::Between(least, most) => self.random.random_range(least..=most) as usize,
            Difficulty::Hardest => usize::MAX,
        };
        loop {
            let layers = part.layers(Direction::Backward, deepest, self.threads, self.watcher, &())?;
            let Some(depth) = layers.depths().len().checked_sub(1) else { return Ok(Picked::Nothing) };
            if depth < self.difficulty.least() as usize {
                return Ok(Picked::Nothing);
            }
            // From one of them on, around to the one before.
            let first = self.random.random_range(0..layers.depths()[depth]) as usize;
            let mut candidates = layers.farthest().skip(first).chain(layers.farthest().take(first));
            if let Some(text) = candidates.find_map(|number| part.file(number)) {
                return Ok(Picked::Found(Generated { text, least: depth as u32, most: depth as u32, unit }));
            }
            // No state here can be a start, as with a die that lies on its side; nearer ones may.
            match depth.checked_sub(1) {
                Some(nearer) => deepest = nearer,
                None => return Ok(Picked::Nothing),
            }
        }
    }
}
