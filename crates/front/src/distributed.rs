//! Whole spaces explored by several processes, each with a share of the states.

use crate::puzzle::Puzzle;
use admissible::platform::Timestamp;
use admissible::search::distributed::{DistributedLayers, Processes, distributed_layers};
use admissible::search::{Limits, Observer};

use crate::explore::{Exploration, ExploreDirection, ExploreError, ExplorePlan, MAX_FARTHEST};

/// Explores the states that the start can reach.
pub(crate) fn explore<P: Puzzle>(
    name: &'static str,
    puzzle: &P,
    processes: &dyn Processes,
    plan: &ExplorePlan,
    limits: Limits,
    observer: &mut dyn Observer,
) -> Result<Exploration, ExploreError> {
    let begin = Timestamp::now();
    let wrong = |why: &str| Err(ExploreError::Plan(why.into()));
    match plan {
        _ if plan.direction == Some(ExploreDirection::Backward) => {
            return wrong("--backward: a cluster begins at the start");
        }
        _ if plan.save.is_some() => {
            return wrong("--save: a cluster begins at the start, and an atlas at the goals");
        }
        _ if plan.components => return wrong("--components: a cluster explores one component only"),
        _ if plan.scope.is_some() => return wrong("--scope: a cluster explores what the start can reach"),
        _ => {}
    }
    let Some(found) = distributed_layers(puzzle, &puzzle.start(), processes, MAX_FARTHEST, limits, observer) else {
        return wrong("its states are too large to distribute");
    };
    let DistributedLayers { depths, goals, farthest, stopped, stats } = found;
    if let Some(why) = stopped {
        return Err(ExploreError::Stopped { why, whole: complete_depths(&depths), states: stats.expanded });
    }
    Ok(Exploration {
        puzzle: name,
        title: "every state that the start can reach".into(),
        direction: ExploreDirection::Forward,
        unit: P::UNIT,
        states: depths.iter().sum(),
        goals,
        depths,
        farthest: farthest.iter().map(|state| puzzle.state_json(state)).collect(),
        boards: farthest.iter().take(plan.drawn).map(|state| puzzle.draw(state)).collect(),
        moves: stats.generated,
        unmet: None,
        components: None,
        bytes: stats.peak_bytes,
        seconds: begin.elapsed().as_secs_f64(),
        saved: Vec::new(),
        saved_bytes: 0,
    })
}

/// The complete depths of an exploration that was stopped: all but the last.
fn complete_depths(depths: &[u64]) -> usize {
    depths.len().saturating_sub(1)
}
