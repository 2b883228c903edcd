//! Whole spaces by name: how many states at each depth, which are the farthest, and atlases to keep.

mod checkpoint;
mod error;
mod report;

use std::sync::Arc;

use admissible::audit::Watcher;
use admissible::explore::{LayerCheckpoints, Layers, Packing, ReachError};
use admissible::platform::Timestamp;
use serde_json::Value;

use crate::checkpoint::{Checkpoint, CheckpointWriter};
use crate::parameters::Parameters;
use crate::parts::{ErasedScope, Part, Parts, Reach, ReachedStates, for_each_part};
use crate::puzzle::Card;
use crate::scope::ScopeObserver;
use crate::store::Store;
use checkpoint::{FoundParts, PartCheckpoints};
pub use error::ExploreError;
pub use report::Exploration;
pub(crate) use report::MOST_FARTHEST;

/// What to explore, and how.
#[derive(Debug, Clone, Default)]
pub struct ExplorePlan {
    /// From where; a file's start if there is one and nobody says.
    pub direction: Option<Direction>,
    /// One of the puzzle's scopes.
    pub scope: Option<String>,
    /// Sizes and pieces, where there is no file.
    pub parameters: Parameters,
    /// Whether to count the connected parts.
    pub components: bool,
    /// Where to keep the distances to the goals.
    pub save: Option<Store>,
    /// How many threads share the work.
    pub threads: usize,
    /// What it may take.
    pub most_bytes: Option<u64>,
    /// How many of the farthest states to draw.
    pub drawn: usize,
    /// Who keeps checkpoints, if anybody does.
    pub checkpoints: Option<Arc<CheckpointWriter>>,
    /// The checkpoint to go on from.
    pub resumed: Option<Arc<Checkpoint>>,
}

/// Where breadth-first search begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Direction {
    /// At the start, along the moves.
    Forward,
    /// At all goals, against the moves.
    Backward,
}

impl Direction {
    /// The word for it.
    pub fn name(self) -> &'static str {
        match self {
            Direction::Forward => "forward",
            Direction::Backward => "backward",
        }
    }
}

/// Explores what the puzzle hands over.
pub(crate) struct Explorer<'a> {
    pub(crate) card: &'static Card,
    pub(crate) plan: &'a ExplorePlan,
    pub(crate) observer: &'a dyn ScopeObserver,
    /// Whether there is a start.
    pub(crate) from_file: bool,
}

/// What was found out about one part.
#[derive(Clone)]
struct Found {
    depths: Vec<u64>,
    goals: u64,
    moves: u64,
    unmet: u64,
    farthest: Vec<Value>,
    boards: Vec<String>,
    components: Vec<u64>,
    saved: Option<(String, u64)>,
}

impl Explorer<'_> {
    fn direction(&self) -> Result<Direction, ExploreError> {
        let plan = self.plan;
        let usual = if self.from_file && plan.save.is_none() { Direction::Forward } else { Direction::Backward };
        let direction = plan.direction.unwrap_or(usual);
        let wrong = |why: &str| Err(ExploreError::Plan(why.into()));
        match direction {
            Direction::Forward if !self.from_file => wrong("--forward: only a file has a start to begin at"),
            Direction::Forward if plan.save.is_some() => {
                wrong("--save: an atlas has the distances to the goals, not those from a start")
            }
            direction => Ok(direction),
        }
    }

    fn threads(&self) -> usize {
        self.plan.threads.clamp(1, 256)
    }

    /// Puts the parts together.
    fn together(
        &self,
        title: String,
        unit: &'static str,
        direction: Direction,
        parts: Vec<Found>,
        bytes: u64,
        begin: Timestamp,
    ) -> Exploration {
        let deepest = parts.iter().map(|part| part.depths.len()).max().unwrap_or(0);
        let mut depths = vec![0; deepest];
        for part in &parts {
            for (sum, states) in depths.iter_mut().zip(&part.depths) {
                *sum += states;
            }
        }
        let farthest = || parts.iter().filter(|part| part.depths.len() == deepest);
        let mut sizes: Vec<u64> = parts.iter().flat_map(|part| part.components.iter().copied()).collect();
        sizes.sort_unstable_by(|a, b| b.cmp(a));
        Exploration {
            puzzle: self.card.name,
            title,
            direction,
            unit,
            states: depths.iter().sum(),
            goals: parts.iter().map(|part| part.goals).sum(),
            depths,
            farthest: farthest().flat_map(|part| part.farthest.iter().cloned()).take(MOST_FARTHEST).collect(),
            boards: farthest().flat_map(|part| part.boards.iter().cloned()).take(self.plan.drawn).collect(),
            moves: parts.iter().map(|part| part.moves).sum(),
            unmet: Some(parts.iter().map(|part| part.unmet).sum()),
            components: self.plan.components.then_some(sizes),
            bytes,
            seconds: begin.elapsed().as_secs_f64(),
            saved: parts.iter().filter_map(|part| part.saved.as_ref().map(|(name, _)| name.clone())).collect(),
            saved_bytes: parts.iter().filter_map(|part| part.saved.as_ref().map(|(_, bytes)| bytes)).sum(),
        }
    }

    /// One part. The states of the last layer are `farthest`, and `goals` of those that were met are goals.
    fn found(
        &self,
        part: &dyn Part,
        depths: Vec<u64>,
        moves: u64,
        goals: u64,
        farthest: impl Iterator<Item = usize>,
    ) -> Found {
        let farthest: Vec<usize> = farthest.take(MOST_FARTHEST).collect();
        Found {
            depths,
            goals,
            moves,
            unmet: 0,
            boards: farthest.iter().take(self.plan.drawn).map(|&number| part.draw(number)).collect(),
            farthest: farthest.into_iter().map(|number| part.state_json(number)).collect(),
            components: Vec::new(),
            saved: None,
        }
    }

    fn walk(
        &self,
        part: &dyn Part,
        direction: Direction,
        threads: usize,
        name: Option<String>,
        checkpoints: &dyn LayerCheckpoints,
    ) -> Result<Found, ExploreError> {
        let watcher: &dyn Watcher = self.observer;
        let layers = part.layers(direction, usize::MAX, threads, watcher, checkpoints)?;
        let goals = part.count_goals(&|goal| layers.has_met(goal));
        let mut found = self.found(part, layers.depths().to_vec(), layers.edges(), goals, layers.farthest());
        found.unmet = part.size() as u64 - layers.states();
        if self.plan.components {
            found.components = part.components(watcher)?;
        }
        if let Some((store, name)) = self.plan.save.as_ref().zip(name) {
            let too_far = || ExploreError::Plan("--save: some states are too far away to be written down".into());
            let levels = layers.into_levels().ok_or_else(too_far)?;
            let bytes = levels.len() as u64;
            store.save(&name, &levels.into()).map_err(ExploreError::Store)?;
            found.saved = Some((name, bytes));
        }
        Ok(found)
    }

    fn fits(&self, title: &str, states: u128, bytes: u128) -> Result<u64, ExploreError> {
        let most = self.plan.most_bytes.unwrap_or(u64::MAX);
        let too_large = ExploreError::TooLarge { title: title.into(), states, bytes, most, exact: true };
        u64::try_from(bytes).ok().filter(|&bytes| bytes <= most).ok_or(too_large)
    }
}

/// What an exploration of so many states takes, and more if components are counted.
pub(crate) fn bytes_for(packing: Packing, states: u128, components: bool) -> u128 {
    match u64::try_from(states) {
        Ok(states) if states < 1 << 60 => {
            // A mark a state, and a list that holds most of them in the worst case.
            let more = if components { 9 * u128::from(states) } else { 0 };
            u128::from(Layers::bytes_for(packing, states)) + more
        }
        _ => states.saturating_mul(2) / 3,
    }
}

impl Explorer<'_> {
    /// Explores a scope.
    pub(crate) fn explore(&self, scope: ErasedScope<'_>) -> Result<Exploration, ExploreError> {
        match scope {
            ErasedScope::Ranked(parts) => self.ranked(parts),
            ErasedScope::Reachable(title, reach) => self.reachable(title, reach),
        }
    }

    fn ranked(&self, scope: &dyn Parts) -> Result<Exploration, ExploreError> {
        let begin = Timestamp::now();
        let direction = self.direction()?;
        let title = scope.title();
        let packing = scope.packing();
        let sizes: Vec<u128> = (0..scope.parts()).map(|part| scope.states(part)).collect();
        // Parts share the threads; where there are fewer parts than threads, a part is shared by several.
        let workers = self.threads().min(sizes.len()).max(1);
        let mut needs: Vec<u128> =
            sizes.iter().map(|&states| bytes_for(packing, states, self.plan.components)).collect();
        needs.sort_unstable_by(|a, b| b.cmp(a));
        let bytes = needs.iter().take(workers).fold(0_u128, |sum, &need| sum.saturating_add(need));
        let states = sizes.iter().fold(0_u128, |sum, &states| sum.saturating_add(states));
        let bytes = self.fits(&title, states, bytes)?;
        self.observer.begin(&title, u64::try_from(states).ok(), Some(bytes));
        let found = FoundParts::new(self.plan)?;
        for_each_part::<ExploreError>(sizes.len(), workers, &|part| {
            if found.has(part) {
                let _ = self.observer.watch(u64::try_from(sizes[part]).unwrap_or(0));
                return Ok(());
            }
            let inside = self.threads() / workers;
            let checkpoints = PartCheckpoints { parts: &found, part };
            let mut walked = None;
            scope.part(part, &mut |states| {
                walked = Some(self.walk(states, direction, inside, scope.atlas(part), &checkpoints));
            });
            found.add(part, walked.expect("a scope hands its parts over")?);
            Ok(())
        })?;
        Ok(self.together(title, scope.unit(), direction, found.into_sorted(), bytes, begin))
    }

    fn reachable(&self, title: &str, reach: &dyn Reach) -> Result<Exploration, ExploreError> {
        let begin = Timestamp::now();
        let direction = self.direction()?;
        if self.plan.save.is_some() {
            let message = "--save: the states have no numbers that would mean the same another time";
            return Err(ExploreError::Plan(message.into()));
        }
        if self.plan.checkpoints.is_some() {
            let message = "--checkpoint: these states have no numbers, and lists of them are not written down \
                           (try --backward, or --scope)";
            return Err(ExploreError::Plan(message.into()));
        }
        self.observer.begin(title, None, None);
        let watcher: &dyn Watcher = self.observer;
        let mut explored = None;
        let reached = reach.reach(self.plan.most_bytes, watcher, &mut |part, reached| {
            explored = Some(self.reached(title, reach, part, reached, direction));
        });
        reached.map_err(|error| not_reached(error, title, self.plan.most_bytes.unwrap_or(u64::MAX)))?;
        let (found, bytes) = explored.expect("what was reached is handed over")?;
        let explored = self.together(title.into(), reach.unit(), direction, vec![found], bytes, begin);
        Ok(Exploration { unmet: explored.unmet.filter(|_| direction == Direction::Backward), ..explored })
    }

    /// What was found out about states that were listed, and what that took.
    fn reached(
        &self,
        title: &str,
        reach: &dyn Reach,
        part: &dyn Part,
        reached: &dyn ReachedStates,
        direction: Direction,
    ) -> Result<(Found, u64), ExploreError> {
        let size = part.size() as u64;
        let (mut found, bytes) = match direction {
            Direction::Backward => {
                let more = bytes_for(reach.packing(), size.into(), false);
                let bytes = self.fits(title, size.into(), u128::from(reached.bytes()) + more)?;
                (self.walk(part, direction, self.threads(), None, &())?, bytes)
            }
            Direction::Forward => {
                let goals = part.count_goals(&|_| true);
                let farthest = reached.farthest(MOST_FARTHEST).into_iter();
                (self.found(part, reached.depths(), reached.edges(), goals, farthest), reached.bytes())
            }
        };
        // What hangs together with the start is one part by what it is.
        found.components = vec![size];
        Ok((found, bytes))
    }
}

/// Why the states that a start can reach were not listed.
pub(crate) fn not_reached(error: ReachError, title: &str, most: u64) -> ExploreError {
    match error {
        ReachError::Interrupted => ExploreError::Interrupted,
        ReachError::TooLarge { states, bytes } => ExploreError::TooLarge {
            title: title.into(),
            states: states.into(),
            bytes: bytes.into(),
            most,
            exact: false,
        },
    }
}
