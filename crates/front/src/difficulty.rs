//! Instances of a chosen difficulty, that is, of a known optimal length.
//!
//! If the space is small enough, breadth-first search from the goals runs up to the wanted depth, and a state of the
//! last layer becomes the start. Otherwise an instance is solved, and the start moves along its shortest solution: the
//! rest of a shortest path is a shortest path. If the search does not end within its limits, greedy search adds an
//! upper bound, and the instance comes with a range of lengths.

use std::cmp::Reverse;
use std::sync::Mutex;

use admissible::audit::Watcher;
use admissible::platform::for_each;
use rand::{Rng, RngExt as _};

use crate::explore::{ExploreDirection, ExploreError, bytes_for, from_reach_error};
use crate::part::ErasedPart;
use crate::scope::{Scope, ScopePart, ScopeStates};

/// How hard an instance should be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Difficulty {
    /// A shortest solution has at least the first and at most the second number of moves.
    Between(u32, u32),
    /// No state of the space has a longer shortest solution.
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

/// An instance with proven bounds on its optimal length.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Generated {
    /// The text of the instance's file.
    pub text: String,
    /// The lower bound on its optimal length.
    pub least: u32,
    /// The upper bound on its optimal length.
    pub most: u32,
    /// The word for a move.
    pub unit: &'static str,
}

/// The largest space that is explored for one instance. A larger one would take minutes.
const MAX_EXPLORED: u128 = 60_000_000;

/// The result of picking an instance from a whole space.
pub(crate) enum PickOutcome {
    /// An instance of the wanted difficulty.
    Found(Generated),
    /// No state that can be a start is as far from the goal.
    Nothing,
    /// The space is too large to explore.
    TooLarge(ExploreError),
}

/// The result of picking an instance on a shortest solution.
pub(crate) enum PathPickOutcome {
    /// An instance of the wanted difficulty.
    Found(Generated),
    /// The shortest solution is too short.
    TooEasy,
    /// The optimal length is known only within bounds.
    Undecided(Generated),
    /// The observer stopped it.
    Interrupted,
}

/// Picks an instance of a chosen difficulty from a whole space.
pub(crate) struct InstancePicker<'a> {
    pub(crate) difficulty: Difficulty,
    pub(crate) random: &'a mut dyn Rng,
    pub(crate) threads: usize,
    pub(crate) most_bytes: Option<u64>,
    pub(crate) watcher: &'a dyn Watcher,
}

impl InstancePicker<'_> {
    /// Picks an instance from a scope.
    pub(crate) fn pick(&mut self, scope: &Scope<'_>) -> Result<PickOutcome, ExploreError> {
        match &scope.states {
            ScopeStates::Ranked(parts) => self.pick_ranked(scope, parts),
            ScopeStates::Reachable(reachable) => {
                let most = self.most_bytes.unwrap_or(u64::MAX).min(MAX_EXPLORED as u64 * 32);
                let listed = reachable.list(Some(most), self.watcher);
                match listed.map_err(|error| from_reach_error(error, &scope.title, most)) {
                    Ok(part) => self.pick_from(&*part, scope.unit),
                    Err(error @ ExploreError::TooLarge { .. }) => Ok(PickOutcome::TooLarge(error)),
                    Err(error) => Err(error),
                }
            }
        }
    }

    fn pick_ranked(&mut self, scope: &Scope<'_>, parts: &[ScopePart<'_>]) -> Result<PickOutcome, ExploreError> {
        let most = self.most_bytes.unwrap_or(u64::MAX);
        // A user who asks for the hardest instance accepts a longer wait.
        let most_states = if self.difficulty == Difficulty::Hardest { 5 * MAX_EXPLORED } else { MAX_EXPLORED };
        for &ScopePart { states, .. } in parts {
            let bytes = bytes_for(scope.packing, states, false);
            if bytes > most.into() || states > most_states {
                let title = scope.title.clone();
                return Ok(PickOutcome::TooLarge(ExploreError::TooLarge { title, states, bytes, most, exact: true }));
            }
        }
        let part = match parts {
            [_] => 0,
            _ => self.deepest(parts)?,
        };
        self.pick_from(&*parts[part].maker.make(), scope.unit)
    }

    /// The part with the greatest depth; the first of several.
    fn deepest(&self, parts: &[ScopePart<'_>]) -> Result<usize, ExploreError> {
        let deepest: Mutex<Option<(usize, Reverse<usize>)>> = Mutex::new(None);
        for_each::<ExploreError>(parts.len(), self.threads.max(1), |number| {
            let part = parts[number].maker.make();
            let layers = part.layers(ExploreDirection::Backward, usize::MAX, 1, self.watcher, &())?;
            let mut deepest = deepest.lock().expect("no worker has panicked");
            *deepest = (*deepest).max(Some((layers.depths().len(), Reverse(number))));
            Ok(())
        })?;
        Ok(deepest.into_inner().expect("no worker has panicked").map_or(0, |(_, Reverse(part))| part))
    }

    fn pick_from(&mut self, part: &dyn ErasedPart, unit: &'static str) -> Result<PickOutcome, ExploreError> {
        let mut deepest = match self.difficulty {
            Difficulty::Between(least, most) => self.random.random_range(least..=most) as usize,
            Difficulty::Hardest => usize::MAX,
        };
        loop {
            let layers = match part.layers(ExploreDirection::Backward, deepest, self.threads, self.watcher, &()) {
                // Without predecessors the space cannot be explored from its goals.
                Err(error @ ExploreError::Plan(_)) => return Ok(PickOutcome::TooLarge(error)),
                layers => layers?,
            };
            let Some(depth) = layers.depths().len().checked_sub(1) else { return Ok(PickOutcome::Nothing) };
            if depth < self.difficulty.least() as usize {
                return Ok(PickOutcome::Nothing);
            }
            // Every state of the layer, beginning at a random one.
            let first = self.random.random_range(0..layers.depths()[depth]) as usize;
            let mut candidates = layers.farthest().skip(first).chain(layers.farthest().take(first));
            if let Some(text) = candidates.find_map(|rank| part.instance().file(part.unrank(rank))) {
                return Ok(PickOutcome::Found(Generated { text, least: depth as u32, most: depth as u32, unit }));
            }
            // No state of this layer can be the start of a file, as with a die that lies on its side. Try the next
            // nearer layer.
            match depth.checked_sub(1) {
                Some(nearer) => deepest = nearer,
                None => return Ok(PickOutcome::Nothing),
            }
        }
    }
}
