//! Plans: how to solve an instance. A plan is resolved by looking its names up, and by the puzzle's advice where it
//! names nothing.

use std::fmt::Debug;
use std::sync::Arc;

use admissible::Cost;
#[cfg(doc)]
use admissible::search::Stop;
use admissible::search::distributed::Processes;
use admissible::search::{Limits, TieBreak, Weight};
use serde_json::Value;

use crate::answer::SolvedAnswer;
use crate::checkpoint::CheckpointWriter;
use crate::counting::{CountingRule, LITERATURE};
use crate::error::PlanError;
use crate::heuristic_spec::HeuristicSpec;
use crate::puzzle::{Fallback, TableBytes};
use crate::registry::{ALGORITHMS, AlgorithmCard, nearest};
use crate::store::Store;
use crate::task::Task;

/// How to solve an instance. The default leaves everything to the puzzle.
#[derive(Debug, Clone, Default)]
pub struct Plan {
    /// The algorithm; by default the puzzle's advice.
    pub algorithm: Option<String>,
    /// The heuristic, by name or as an expression; by default the puzzle's advice.
    pub heuristic: Option<String>,
    /// The weight of `wastar`; by default 1.5.
    pub weight: Option<Weight>,
    /// The tie-breaking rule.
    pub tie: Option<TieBreak>,
    /// The depth limit of `dfs`.
    pub depth_limit: Option<u32>,
    /// The limits on expansions, memory and time.
    pub limits: Limits,
    /// The most that a solution may cost. If the optimum costs more, the answer is stopped by [`Stop::MoveLimit`].
    pub move_limit: Option<Cost>,
    /// Whether to search even if the puzzle knows that there is no solution.
    pub searches_unsolvable: bool,
    /// Whether to find the largest branching of the expanded states after a search that was not stopped.
    pub finds_branching: bool,
    /// The number of threads of parallel searches; by default 1.
    pub threads: Option<usize>,
    /// The processes of a distributed search, if there are several.
    pub processes: Option<Arc<dyn Processes>>,
    /// What to draw of the answer.
    pub drawing: Drawing,
    /// The store of atlases, which are used if the plan names neither algorithm nor heuristic.
    pub atlases: Option<Store>,
    /// The counting rule, by name; by default that of the literature.
    pub counting: Option<String>,
    /// Whether a search that runs out of memory hands over to IDA*, which continues from its lower bound.
    pub hands_over: bool,
    /// The writer of checkpoints, if any are wanted.
    pub checkpoints: Option<Arc<CheckpointWriter>>,
    /// The progress of the checkpoint to resume.
    pub resumed: Option<Value>,
    /// Whether an anytime search runs beside the exact one after a second, so that a search that is stopped has a
    /// solution. Only if the plan names neither algorithm nor heuristic, and has no limit on expansions and no
    /// checkpoints.
    pub anytime: bool,
    /// What to call with news of the solve.
    pub events: Option<Arc<dyn SolveEvents>>,
}

/// Receives the events of a solve while it runs.
pub trait SolveEvents: Debug + Send + Sync {
    /// A solution better than all before was found. It is not proved optimal; the referee has replayed it.
    fn improved(&self, _best: &SolvedAnswer) {}
    /// The tables of a fallback heuristic are about to be built.
    fn building(&self, _tables: &TableBuilding<'_>) {}
}

/// What building tables takes.
#[derive(Debug, Clone, Copy)]
pub struct TableBuilding<'a> {
    /// The heuristic.
    pub heuristic: &'a str,
    /// Why it is used, as half a sentence.
    pub why: &'static str,
    /// About how many seconds it takes, on two cores.
    pub seconds: u32,
    /// The memory.
    pub bytes: TableBytes,
}

/// How much of an answer to draw. Drawing a large board can take longer than the search, so the default is nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Drawing {
    /// Nothing.
    #[default]
    Nothing,
    /// Start and goal, or the whole solution in one picture if the puzzle can draw it.
    Ends,
    /// The board after every step.
    EveryStep,
}

/// The algorithm and heuristic of a plan, with their names looked up.
#[derive(Clone)]
pub(crate) struct Choice {
    pub(crate) algorithm: &'static AlgorithmCard,
    pub(crate) heuristic: HeuristicSpec,
    /// The counting rule, unless it is that of the literature.
    pub(crate) counting: Option<&'static CountingRule>,
    /// Why advice chose them, if it did.
    pub(crate) chosen: Option<&'static str>,
    /// The fallback that this is, if it is one.
    pub(crate) taken: Option<Fallback>,
    /// The heuristics to continue with, one after the other.
    pub(crate) fallbacks: Vec<Fallback>,
}

/// The algorithms that can write checkpoints, the best first.
const CHECKPOINTABLE: [&str; 2] = ["idastar-pruned", "idastar"];
const CHECKPOINTABLE_WHY: &str = "a checkpoint was asked for, and IDA* has little to save";
/// The algorithm that the counting rules of reports are defined for.
const COUNTED: &str = "astar";

impl Task {
    /// Looks up the names of a plan, and takes the puzzle's advice where it names nothing.
    pub(crate) fn choose(&self, plan: &Plan) -> Result<Choice, PlanError> {
        let advice = self.instance.advice(plan.limits.bytes);
        let is_allowed = |name: &str| plan.checkpoints.is_none() || CHECKPOINTABLE.contains(&name);
        let counting = self.counting_rule(plan)?;
        let suggested = match counting {
            Some(_) => COUNTED,
            None if is_allowed(advice.algorithm) => advice.algorithm,
            None => CHECKPOINTABLE[0],
        };
        let name = plan.algorithm.as_deref().unwrap_or(suggested);
        if !is_allowed(name) && ALGORITHMS.iter().any(|card| card.name == name) {
            return Err(PlanError::NoCheckpoint(name.into()));
        }
        let algorithm =
            ALGORITHMS.iter().find(|card| card.name == name).ok_or_else(|| PlanError::UnknownAlgorithm {
                name: name.into(),
                nearest: nearest(name, ALGORITHMS.iter().map(|card| card.name)),
            })?;
        if algorithm.name == "hdastar" && !self.instance.has_keys() {
            return Err(PlanError::NotShared(self.card.name));
        }
        let requested = HeuristicSpec::parse(self.card, plan.heuristic.as_deref().unwrap_or(advice.heuristic))?;
        let heuristic = if algorithm.guided { requested } else { HeuristicSpec::Named("zero".into()) };
        heuristic.fits(&|name| self.instance.lacks(name))?;
        let all_by_advice = plan.algorithm.is_none() && plan.heuristic.is_none();
        let chosen = all_by_advice.then_some(if name == advice.algorithm { advice.why } else { CHECKPOINTABLE_WHY });
        let fallbacks = if all_by_advice && counting.is_none() { advice.fallbacks } else { Vec::new() };
        Ok(Choice { algorithm, heuristic, counting, chosen, taken: None, fallbacks })
    }

    /// The counting rule of a plan, if the plan fits its search; `None` for that of the literature.
    fn counting_rule(&self, plan: &Plan) -> Result<Option<&'static CountingRule>, PlanError> {
        let Some(rule) = CountingRule::named(self.card, plan.counting.as_deref())? else { return Ok(None) };
        let refused = |why: &str| {
            let name = rule.name;
            Err(PlanError::Counting(format!(
                "{name} includes the search of its report, {why} (or count by {LITERATURE})"
            )))
        };
        match &plan.algorithm {
            Some(name) if name != COUNTED && ALGORITHMS.iter().any(|card| card.name == name) => {
                refused(&format!("which is {COUNTED} and not {name}"))
            }
            _ if plan.tie.is_some() => refused("which breaks ties in its own way: leave out --tie-break"),
            _ if plan.checkpoints.is_some() || plan.resumed.is_some() => refused("which has no checkpoints"),
            _ if plan.processes.is_some() => refused("which runs in one process"),
            _ => Ok(Some(rule)),
        }
    }
}
