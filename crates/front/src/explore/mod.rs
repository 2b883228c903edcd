//! Exploration of whole spaces by name: the number of states at each depth, the farthest states, and atlases to store.

mod checkpoint;
mod error;
mod report;

use std::sync::Arc;

use admissible::audit::Watcher;
use admissible::explore::{LayerCheckpoints, Layers, Packing, ReachError};
use admissible::platform::{Timestamp, for_each};
use admissible_certificate::Number;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::checkpoint::{Checkpoint, CheckpointWriter};
use crate::parameters::Parameters;
use crate::part::{ErasedPart, ListedPart};
use crate::puzzle::Card;
use crate::scope::{Reachable, Scope, ScopeObserver, ScopePart, ScopeStates};
use crate::store::Store;
use checkpoint::{PartCheckpoints, PartReports};
pub use error::ExploreError;
pub(crate) use error::count_shown;
pub use report::Exploration;
pub(crate) use report::MAX_FARTHEST;

/// The space to explore, and the options of the exploration.
#[derive(Debug, Clone, Default)]
pub struct ExplorePlan {
    /// The direction; by default forward from the start of a file, else backward.
    pub direction: Option<ExploreDirection>,
    /// One of the puzzle's scopes.
    pub scope: Option<String>,
    /// Sizes and pieces, where there is no file.
    pub parameters: Parameters,
    /// Whether to count the connected components.
    pub components: bool,
    /// The store for the distances to the goals, if they are to be saved.
    pub save: Option<Store>,
    /// The number of threads.
    pub threads: usize,
    /// The limit on bytes of memory.
    pub most_bytes: Option<u64>,
    /// How many of the farthest states to draw.
    pub drawn: usize,
    /// The writer of checkpoints, if any are wanted.
    pub checkpoints: Option<Arc<CheckpointWriter>>,
    /// The checkpoint to resume.
    pub resumed: Option<Arc<Checkpoint>>,
}

/// Where breadth-first search begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ExploreDirection {
    /// At the start, along the moves.
    Forward,
    /// At all goals, against the moves.
    Backward,
}

impl ExploreDirection {
    /// Its name in the JSON output.
    pub fn name(self) -> &'static str {
        match self {
            ExploreDirection::Forward => "forward",
            ExploreDirection::Backward => "backward",
        }
    }
}

/// Carries out an [`ExplorePlan`] on a scope of a puzzle.
pub(crate) struct Explorer<'a> {
    pub(crate) card: &'static Card,
    pub(crate) plan: &'a ExplorePlan,
    pub(crate) observer: &'a dyn ScopeObserver,
    /// Whether a file gives a start.
    pub(crate) from_file: bool,
}

/// The findings about one part.
#[derive(Clone, Serialize, Deserialize)]
struct PartReport {
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
    fn direction(&self) -> Result<ExploreDirection, ExploreError> {
        let plan = self.plan;
        let usual =
            if self.from_file && plan.save.is_none() { ExploreDirection::Forward } else { ExploreDirection::Backward };
        let direction = plan.direction.unwrap_or(usual);
        let wrong = |why: &str| Err(ExploreError::Plan(why.into()));
        match direction {
            ExploreDirection::Forward if !self.from_file => wrong("--forward: only a file has a start to begin at"),
            ExploreDirection::Forward if plan.save.is_some() => {
                wrong("--save: an atlas has the distances to the goals, not those from a start")
            }
            direction => Ok(direction),
        }
    }

    fn threads(&self) -> usize {
        self.plan.threads.clamp(1, 256)
    }

    /// Combines the reports of the parts.
    fn combine(
        &self,
        scope: &Scope<'_>,
        direction: ExploreDirection,
        parts: Vec<PartReport>,
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
            title: scope.title.clone(),
            direction,
            unit: scope.unit,
            states: depths.iter().sum(),
            goals: parts.iter().map(|part| part.goals).sum(),
            depths,
            farthest: farthest().flat_map(|part| part.farthest.iter().cloned()).take(MAX_FARTHEST).collect(),
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

    /// The report of a part. `farthest` are the states of the last layer, `goals` the number of goals found.
    fn part_report(
        &self,
        part: &dyn ErasedPart,
        depths: Vec<u64>,
        moves: u64,
        goals: u64,
        farthest: impl Iterator<Item = usize>,
    ) -> PartReport {
        let farthest: Vec<Number> = farthest.take(MAX_FARTHEST).map(|rank| part.unrank(rank)).collect();
        PartReport {
            depths,
            goals,
            moves,
            unmet: 0,
            boards: farthest.iter().take(self.plan.drawn).map(|&state| part.instance().draw(state)).collect(),
            farthest: farthest.into_iter().map(|state| part.instance().state_json(state)).collect(),
            components: Vec::new(),
            saved: None,
        }
    }

    /// Explores one part, and stores its atlas under `name` if the plan says so.
    fn explore_part(
        &self,
        part: &dyn ErasedPart,
        direction: ExploreDirection,
        threads: usize,
        name: Option<&str>,
        checkpoints: &dyn LayerCheckpoints,
    ) -> Result<PartReport, ExploreError> {
        let watcher: &dyn Watcher = self.observer;
        let layers = part.layers(direction, usize::MAX, threads, watcher, checkpoints)?;
        let goals = part.count_goals(&|goal| layers.has_met(goal));
        let mut report = self.part_report(part, layers.depths().to_vec(), layers.edges(), goals, layers.farthest());
        report.unmet = part.size() as u64 - layers.states();
        if self.plan.components {
            report.components = part.components(watcher)?;
        }
        if let Some((store, name)) = self.plan.save.as_ref().zip(name) {
            let too_far = || ExploreError::Plan("--save: some distances are too large for an atlas".into());
            let levels = layers.into_levels().ok_or_else(too_far)?;
            let bytes = levels.len() as u64;
            store.save(name, &levels.into()).map_err(ExploreError::Store)?;
            report.saved = Some((name.into(), bytes));
        }
        Ok(report)
    }

    /// Checks that an exploration fits into memory, and returns its bytes.
    fn check_fits(&self, title: &str, states: u128, bytes: u128) -> Result<u64, ExploreError> {
        let most = self.plan.most_bytes.unwrap_or(u64::MAX);
        let too_large = ExploreError::TooLarge { title: title.into(), states, bytes, most, exact: true };
        u64::try_from(bytes).ok().filter(|&bytes| bytes <= most).ok_or(too_large)
    }
}

/// The bytes that an exploration of `states` states takes, counting components or not.
pub(crate) fn bytes_for(packing: Packing, states: u128, components: bool) -> u128 {
    match u64::try_from(states) {
        Ok(states) if states < 1 << 60 => {
            // One mark per state, and a list that holds most states in the worst case.
            let more = if components { 9 * u128::from(states) } else { 0 };
            u128::from(Layers::bytes_for(packing, states)) + more
        }
        _ => states.saturating_mul(2) / 3,
    }
}

impl Explorer<'_> {
    /// Explores a scope.
    pub(crate) fn explore(&self, scope: &Scope<'_>) -> Result<Exploration, ExploreError> {
        let parts = match &scope.states {
            ScopeStates::Ranked(parts) => parts,
            ScopeStates::Reachable(reachable) => return self.explore_reachable(scope, &**reachable),
        };
        let begin = Timestamp::now();
        let direction = self.direction()?;
        // Each worker explores one part at a time. With fewer parts than threads, several threads share a part.
        let workers = self.threads().min(parts.len()).max(1);
        let bytes_of = |part: &ScopePart<'_>| bytes_for(scope.packing, part.states, self.plan.components);
        let mut needs: Vec<u128> = parts.iter().map(bytes_of).collect();
        needs.sort_unstable_by(|a, b| b.cmp(a));
        let bytes = needs.iter().take(workers).fold(0_u128, |sum, &need| sum.saturating_add(need));
        let states = parts.iter().fold(0_u128, |sum, part| sum.saturating_add(part.states));
        let bytes = self.check_fits(&scope.title, states, bytes)?;
        self.observer.begin(&scope.title, u64::try_from(states).ok(), Some(bytes));
        let reports = PartReports::new(self.plan)?;
        for_each::<ExploreError>(parts.len(), workers, |number| {
            let ScopePart { states, atlas, maker, .. } = &parts[number];
            if reports.has(number) {
                let _ = self.observer.watch(u64::try_from(*states).unwrap_or(0));
                return Ok(());
            }
            let threads_per_part = self.threads() / workers;
            let checkpoints = PartCheckpoints { parts: &reports, part: number };
            let report =
                self.explore_part(&*maker.make(), direction, threads_per_part, atlas.as_deref(), &checkpoints)?;
            reports.add(number, report);
            Ok(())
        })?;
        Ok(self.combine(scope, direction, reports.into_sorted(), bytes, begin))
    }

    fn explore_reachable(&self, scope: &Scope<'_>, reachable: &dyn Reachable) -> Result<Exploration, ExploreError> {
        let begin = Timestamp::now();
        let direction = self.direction()?;
        if self.plan.save.is_some() {
            let message = "--save: the states have no ranks, which an atlas needs";
            return Err(ExploreError::Plan(message.into()));
        }
        if self.plan.checkpoints.is_some() {
            let message = "--checkpoint: these states have no ranks, and lists of states are not saved \
                           (try --backward, or --scope)";
            return Err(ExploreError::Plan(message.into()));
        }
        self.observer.begin(&scope.title, None, None);
        let most = self.plan.most_bytes;
        let listed = reachable.list(most, self.observer);
        let listed = listed.map_err(|error| from_reach_error(error, &scope.title, most.unwrap_or(u64::MAX)))?;
        let (report, bytes) = self.explore_listed(scope, &*listed, direction)?;
        let explored = self.combine(scope, direction, vec![report], bytes, begin);
        Ok(Exploration { unmet: explored.unmet.filter(|_| direction == ExploreDirection::Backward), ..explored })
    }

    /// Explores a list of reachable states. Returns the report and the bytes that it took.
    fn explore_listed(
        &self,
        scope: &Scope<'_>,
        part: &dyn ListedPart,
        direction: ExploreDirection,
    ) -> Result<(PartReport, u64), ExploreError> {
        let size = part.size() as u64;
        let (mut report, bytes) = match direction {
            ExploreDirection::Backward => {
                let more = bytes_for(scope.packing, size.into(), false);
                let bytes = self.check_fits(&scope.title, size.into(), u128::from(part.bytes()) + more)?;
                (self.explore_part(part, direction, self.threads(), None, &())?, bytes)
            }
            ExploreDirection::Forward => {
                let goals = part.count_goals(&|_| true);
                let farthest = part.farthest(MAX_FARTHEST).into_iter();
                (self.part_report(part, part.depths(), part.edges(), goals, farthest), part.bytes())
            }
        };
        // The states that the start reaches are one component by definition.
        report.components = vec![size];
        Ok((report, bytes))
    }
}

/// The error of an exploration whose reachable states could not be listed.
pub(crate) fn from_reach_error(error: ReachError, title: &str, most: u64) -> ExploreError {
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
