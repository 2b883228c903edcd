//! Whole spaces by name: how many states at each depth, which are the farthest, and atlases to keep.

use std::fmt;
use std::sync::{Arc, Mutex};

use crate::parameters::Parameters;
use crate::parts::{ExplorePart, ExploreParts, ExploreScope, Reach, ReachedStates, for_each_part};
use crate::survey::ScopeError;
use admissible::audit::{Interrupted, Watcher};
use admissible::explore::{KeptLayers, LayerKeeper, Layers, Packing, ReachError, WholeLayers};
use admissible::platform::Timestamp;
use admissible::search::Stop;
use admissible_files::FileError;
use serde_json::{Map, Value, json};

use crate::checkpoint::{Checkpoint, Keeper};
use crate::store::Store;

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
    pub keeper: Option<Arc<Keeper>>,
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

/// Watches an exploration.
pub trait ExploreObserver: Watcher {
    /// Called before any memory is taken, with what will be explored, how many states that may be and what it will
    /// take; where that is not known, how much it may grow to is not known either.
    fn begin(&self, _title: &str, _states: Option<u64>, _bytes: Option<u64>) {}
}

impl ExploreObserver for () {}

/// Why nothing was explored.
#[derive(Debug)]
#[non_exhaustive]
pub enum ExploreError {
    /// The scope does not exist or does not fit.
    Scope(ScopeError),
    /// The plan asks for what does not go together.
    Plan(String),
    /// It does not fit into memory.
    TooLarge {
        /// What was to be explored.
        title: String,
        /// How many states it has, or at least how many.
        states: u128,
        /// What it would take, or would have taken next.
        bytes: u128,
        /// What it may take.
        most: u64,
        /// Whether the numbers are exact or only so much is known.
        exact: bool,
    },
    /// An atlas could not be kept.
    Store(FileError),
    /// Somebody stopped it.
    Interrupted,
    /// A cluster was stopped.
    Stopped {
        /// By what.
        why: Stop,
        /// So many depths are whole.
        whole: usize,
        /// So many states were met.
        states: u64,
    },
}

impl fmt::Display for ExploreError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ExploreError::Scope(error) => error.fmt(f),
            ExploreError::Plan(why) => f.write_str(why),
            ExploreError::TooLarge { title, states, bytes, most, exact } => {
                let states = count_shown(*states);
                let [bytes, most] = [*bytes, (*most).into()].map(bytes_shown);
                if *exact {
                    write!(f, "{title}: {states} states would take {bytes} of memory, and {most} is the limit")
                } else {
                    write!(
                        f,
                        "{title}: more than {states} states; to go on would take {bytes}, and {most} is the limit"
                    )
                }
            }
            ExploreError::Store(error) => error.fmt(f),
            ExploreError::Interrupted => f.write_str("interrupted"),
            ExploreError::Stopped { why, whole, states } => {
                let states = count_shown((*states).into());
                write!(f, "stopped {} after {states} states, {whole} depths of them whole", why.phrase())
            }
        }
    }
}

impl std::error::Error for ExploreError {}

impl From<Interrupted> for ExploreError {
    fn from(_: Interrupted) -> Self {
        ExploreError::Interrupted
    }
}

/// A number in groups of three digits, or in scientific notation if it is very large.
fn count_shown(number: u128) -> String {
    match number {
        u128::MAX => "more than 10^38".into(),
        _ if number >= 10_u128.pow(18) => format!("{:.1e}", number as f64),
        _ => {
            let digits = number.to_string();
            let groups = digits.as_bytes().rchunks(3).rev().map(String::from_utf8_lossy);
            groups.collect::<Vec<_>>().join(",")
        }
    }
}

/// A size in a few characters, however large it is.
fn bytes_shown(number: u128) -> String {
    let units = [(1_u128 << 50, "PiB"), (1 << 40, "TiB"), (1 << 30, "GiB"), (1 << 20, "MiB"), (1 << 10, "KiB")];
    match units.iter().find(|(size, _)| number >= *size) {
        Some(_) if number >= 10_u128.pow(18) => format!("{:.1e} bytes", number as f64),
        Some((size, unit)) => format!("{:.1} {unit}", number as f64 / *size as f64),
        None => format!("{number} bytes"),
    }
}

/// A space that was explored.
#[derive(Debug, Clone)]
pub struct Exploration {
    /// The puzzle.
    pub puzzle: &'static str,
    /// What was explored, in words.
    pub title: String,
    /// From where.
    pub direction: Direction,
    /// What a move is called.
    pub unit: &'static str,
    /// The states that were met.
    pub states: u64,
    /// The goals among them.
    pub goals: u64,
    /// How many states there are at each depth.
    pub depths: Vec<u64>,
    /// Some of the farthest states, as the JSON output has them.
    pub farthest: Vec<Value>,
    /// The first of them, drawn.
    pub boards: Vec<String>,
    /// The moves that were looked at.
    pub moves: u64,
    /// The states of the space that were not met: no way leads from them to a goal, or from the start to them. `None`
    /// where they are not known.
    pub unmet: Option<u64>,
    /// The sizes of the connected parts, if they were asked for.
    pub components: Option<Vec<u64>>,
    /// What it took.
    pub bytes: u64,
    /// How long it took.
    pub seconds: f64,
    /// The atlases that were kept, and their bytes in all.
    pub saved: Vec<String>,
    /// The bytes of all atlases that were kept.
    pub saved_bytes: u64,
}

/// Farthest states that are listed at the most.
pub(crate) const MOST_FARTHEST: usize = 100;

impl Exploration {
    /// The greatest depth; `None` if there is no state.
    pub fn max_depth(&self) -> Option<usize> {
        self.depths.len().checked_sub(1)
    }

    /// How many states have the greatest depth.
    pub fn farthest_states(&self) -> u64 {
        self.depths.last().copied().unwrap_or(0)
    }

    /// Moves for each state.
    pub fn branching(&self) -> f64 {
        if self.states == 0 { 0.0 } else { self.moves as f64 / self.states as f64 }
    }

    /// The object of `--format json`.
    pub fn json(&self) -> Value {
        let mut object = Map::new();
        let mut set = |key: &str, value: Value| object.insert(key.into(), value);
        set("puzzle", self.puzzle.into());
        set("direction", self.direction.name().into());
        set("states", self.states.into());
        set("goals", self.goals.into());
        set("max_depth", json!(self.max_depth()));
        set("depths", json!(self.depths));
        set("farthest", json!(self.farthest));
        set("farthest_states", self.farthest_states().into());
        set("space", self.title.clone().into());
        set("metric", format!("{}s", self.unit).into());
        set("moves", self.moves.into());
        set("branching", json!(self.branching()));
        set("unmet", json!(self.unmet));
        set("components", json!(self.components));
        set("bytes", self.bytes.into());
        set("seconds", json!(self.seconds));
        set("saved", json!(self.saved));
        Value::Object(object)
    }
}

/// Explores what the puzzle hands over.
pub(crate) struct Explorer<'a> {
    pub(crate) puzzle: &'static str,
    pub(crate) plan: &'a ExplorePlan,
    pub(crate) observer: &'a dyn ExploreObserver,
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
            puzzle: self.puzzle,
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
        part: &dyn ExplorePart,
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
        part: &dyn ExplorePart,
        direction: Direction,
        threads: usize,
        name: Option<String>,
        keeper: &dyn LayerKeeper,
    ) -> Result<Found, ExploreError> {
        let watcher: &dyn Watcher = &Watching(self.observer);
        let layers = part.layers(direction, usize::MAX, threads, watcher, keeper)?;
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

/// An observer as a watcher.
pub(crate) struct Watching<'a>(pub(crate) &'a dyn ExploreObserver);

impl Watcher for Watching<'_> {
    fn watch(&self, states: u64) -> std::ops::ControlFlow<()> {
        self.0.watch(states)
    }
}

impl Found {
    fn json(&self) -> Value {
        json!({
            "depths": self.depths, "goals": self.goals, "moves": self.moves, "unmet": self.unmet,
            "farthest": self.farthest, "boards": self.boards, "components": self.components, "saved": self.saved,
        })
    }

    fn from_json(value: &Value) -> Option<Self> {
        let numbers = |name: &str| value[name].as_array()?.iter().map(Value::as_u64).collect::<Option<Vec<u64>>>();
        let text = |value: &Value| value.as_str().map(String::from);
        let saved = match &value["saved"] {
            Value::Null => None,
            saved => Some((text(&saved[0])?, saved[1].as_u64()?)),
        };
        Some(Found {
            depths: numbers("depths")?,
            goals: value["goals"].as_u64()?,
            moves: value["moves"].as_u64()?,
            unmet: value["unmet"].as_u64()?,
            farthest: value["farthest"].as_array()?.clone(),
            boards: value["boards"].as_array()?.iter().map(text).collect::<Option<_>>()?,
            components: numbers("components")?,
            saved,
        })
    }
}

/// The parts that are explored, and whoever keeps checkpoints of them.
struct Parts<'a> {
    found: Mutex<Vec<(usize, Found)>>,
    keeper: Option<&'a Keeper>,
    /// The part that was being explored when the checkpoint was written, with its layers.
    resumed: Option<(usize, &'a Checkpoint)>,
}

impl<'a> Parts<'a> {
    fn new(plan: &'a ExplorePlan) -> Result<Self, ExploreError> {
        let (mut found, mut resumed) = (Vec::new(), None);
        if let Some(checkpoint) = &plan.resumed {
            let wrong = || ExploreError::Plan("the checkpoint is one of another program".into());
            let part = |value: &Value| value.as_u64().map(|part| part as usize);
            for pair in checkpoint.progress["parts"].as_array().ok_or_else(wrong)? {
                found.push((part(&pair[0]).ok_or_else(wrong)?, Found::from_json(&pair[1]).ok_or_else(wrong)?));
            }
            resumed = part(&checkpoint.progress["part"]).filter(|_| checkpoint.has_body()).zip(Some(&**checkpoint));
        }
        Ok(Parts { found: Mutex::new(found), keeper: plan.keeper.as_deref(), resumed })
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Vec<(usize, Found)>> {
        self.found.lock().expect("no worker has panicked")
    }

    fn has(&self, part: usize) -> bool {
        self.lock().iter().any(|(known, _)| *known == part)
    }

    fn add(&self, part: usize, found: Found) {
        self.lock().push((part, found));
    }
}

/// Keeps the layers of one part beside what is known of the others.
struct PartKeeper<'a> {
    parts: &'a Parts<'a>,
    part: usize,
}

impl LayerKeeper for PartKeeper<'_> {
    fn kept(&self, packing: Packing, states: usize) -> Option<KeptLayers> {
        let (part, checkpoint) = self.parts.resumed?;
        // It was checked from end to end; if it is none of this space after all, there is nothing to go on from.
        let read = || KeptLayers::read(packing, states, &mut checkpoint.body().ok()?).ok();
        (part == self.part).then(read).flatten()
    }

    fn is_due(&self, stopping: bool) -> bool {
        self.parts.keeper.is_some_and(|keeper| stopping || keeper.is_due())
    }

    fn keep(&self, layers: &WholeLayers<'_>) {
        let Some(keeper) = self.parts.keeper else { return };
        // Held until it is written: one checkpoint at a time.
        let found = self.parts.lock();
        let parts: Vec<Value> = found.iter().map(|(part, found)| json!([part, found.json()])).collect();
        keeper.keep_with(&json!({ "parts": parts, "part": self.part }), &mut |out| layers.write(out));
    }
}

impl Explorer<'_> {
    /// Explores a space.
    pub(crate) fn explore(&self, scope: ExploreScope<'_>) -> Result<Exploration, ExploreError> {
        match scope {
            ExploreScope::Numbered(parts) => self.numbered(parts),
            ExploreScope::Reachable(title, reach) => self.reachable(title, reach),
        }
    }

    fn numbered(&self, scope: &dyn ExploreParts) -> Result<Exploration, ExploreError> {
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
        let found = Parts::new(self.plan)?;
        for_each_part::<ExploreError>(sizes.len(), workers, &|part| {
            if found.has(part) {
                let _ = self.observer.watch(u64::try_from(sizes[part]).unwrap_or(0));
                return Ok(());
            }
            let inside = self.threads() / workers;
            let keeper = PartKeeper { parts: &found, part };
            let mut walked = None;
            scope.part(part, &mut |states| {
                walked = Some(self.walk(states, direction, inside, Some(scope.name(part)), &keeper));
            });
            found.add(part, walked.expect("a scope hands its parts over")?);
            Ok(())
        })?;
        let mut found = found.found.into_inner().expect("no worker has panicked");
        found.sort_by_key(|(part, _)| *part);
        let parts = found.into_iter().map(|(_, found)| found).collect();
        Ok(self.together(title, scope.unit(), direction, parts, bytes, begin))
    }

    fn reachable(&self, title: &str, reach: &dyn Reach) -> Result<Exploration, ExploreError> {
        let begin = Timestamp::now();
        let direction = self.direction()?;
        if self.plan.save.is_some() {
            let message = "--save: the states have no numbers that would mean the same another time";
            return Err(ExploreError::Plan(message.into()));
        }
        if self.plan.keeper.is_some() {
            let message = "--checkpoint: these states have no numbers, and lists of them are not written down \
                           (try --backward, or --scope)";
            return Err(ExploreError::Plan(message.into()));
        }
        self.observer.begin(title, None, None);
        let watcher: &dyn Watcher = &Watching(self.observer);
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
        part: &dyn ExplorePart,
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
