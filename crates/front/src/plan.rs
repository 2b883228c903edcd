//! How to solve an instance, and what that comes to: the names of a plan looked up, and the puzzle's advice where it
//! says nothing.

use std::sync::Arc;

use admissible::search::distributed::Processes;
use admissible::search::{Limits, TieBreak, Weight};
use serde_json::Value;

use crate::checkpoint::CheckpointWriter;
use crate::error::PlanError;
use crate::named::Named;
use crate::registry::{ALGORITHMS, AlgorithmCard, nearest};
use crate::store::Store;
use crate::task::Task;

/// How to solve an instance. The default leaves everything to the puzzle.
#[derive(Debug, Clone, Default)]
pub struct Plan {
    /// The algorithm; the puzzle's advice if there is none.
    pub algorithm: Option<String>,
    /// The heuristic, by name or as an expression; the puzzle's advice if there is none.
    pub heuristic: Option<String>,
    /// For `wastar`; 1.5 if there is none.
    pub weight: Option<Weight>,
    /// Which of equal nodes comes first.
    pub tie: Option<TieBreak>,
    /// For `dfs`.
    pub depth_limit: Option<u32>,
    /// What it may take.
    pub limits: Limits,
    /// How many threads share the work of the searches that can; one if there is none.
    pub threads: Option<usize>,
    /// The processes that search together, if more than this one do.
    pub processes: Option<Arc<dyn Processes>>,
    /// What to draw of it.
    pub drawing: Drawing,
    /// Where atlases are looked for if everything is left to the puzzle; nowhere if there is none.
    pub atlases: Option<Store>,
    /// Whether successors that were not closed are to be counted, which A* does not do where it is fastest.
    pub counts_not_closed: bool,
    /// Whether a search that runs out of memory hands over to one that needs none, where that goes on from what it has
    /// proved.
    pub hands_over: bool,
    /// Who keeps checkpoints, if anybody does.
    pub checkpoints: Option<Arc<CheckpointWriter>>,
    /// How far a checkpoint was, to go on from there.
    pub resumed: Option<Value>,
}

/// How much of an answer is drawn. A drawing of a large board takes longer than the search, so none is made unasked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Drawing {
    /// Nothing.
    #[default]
    Nothing,
    /// Start and goal, or the whole solution in one picture where the puzzle has such.
    Ends,
    /// The board after every step.
    EveryStep,
}

/// A plan with its names looked up.
#[derive(Clone)]
pub(crate) struct Choice {
    pub(crate) algorithm: &'static AlgorithmCard,
    pub(crate) heuristic: Named,
    pub(crate) chosen: Option<&'static str>,
    /// After how many expansions which heuristic takes over, and why.
    pub(crate) then: Option<(u64, String)>,
    pub(crate) then_why: Option<&'static str>,
}

/// The algorithms that are small enough to be written down, the best first.
const CAN_BE_KEPT: [&str; 2] = ["idastar-pruned", "idastar"];
const KEPT_WHY: &str = "a checkpoint was asked for, and IDA* is small enough to be written down";

impl Task {
    pub(crate) fn choose(&self, plan: &Plan) -> Result<Choice, PlanError> {
        let advice = self.instance.advice(plan.limits.bytes);
        let can_be_kept = |name: &str| plan.checkpoints.is_none() || CAN_BE_KEPT.contains(&name);
        let suggested = if can_be_kept(advice.algorithm) { advice.algorithm } else { CAN_BE_KEPT[0] };
        let name = plan.algorithm.as_deref().unwrap_or(suggested);
        if !can_be_kept(name) && ALGORITHMS.iter().any(|card| card.name == name) {
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
        let asked = Named::parse(self.card, plan.heuristic.as_deref().unwrap_or(advice.heuristic))?;
        let heuristic = if algorithm.guided { asked } else { Named::Own("zero".into()) };
        heuristic.fits(&|name| self.instance.lacks(name))?;
        let all_by_advice = plan.algorithm.is_none() && plan.heuristic.is_none();
        let chosen = all_by_advice.then_some(if name == advice.algorithm { advice.why } else { KEPT_WHY });
        let then = advice.then.filter(|_| all_by_advice);
        let then_why = then.map(|then| then.why);
        Ok(Choice {
            algorithm,
            heuristic,
            chosen,
            then: then.map(|then| (then.expansions, then.heuristic.into())),
            then_why,
        })
    }
}
