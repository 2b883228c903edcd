//! Whole spaces explored by several processes, each a share.

use crate::puzzle::Puzzle;
use admissible::platform::Timestamp;
use admissible::search::distributed::{DistributedLayers, Processes, distributed_layers};
use admissible::search::{Limits, Observer};

use crate::explore::{Direction, Exploration, ExploreError, ExplorePlan, MOST_FARTHEST};

/// Explores what the start of a puzzle can reach.
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
        _ if plan.direction == Some(Direction::Backward) => {
            return wrong("--backward: a cluster begins at the start");
        }
        _ if plan.save.is_some() => {
            return wrong("--save: a cluster begins at the start, and an atlas at the goals");
        }
        _ if plan.components => return wrong("--components: what a cluster explores is one part"),
        _ if plan.scope.is_some() => return wrong("--scope: a cluster explores what the start can reach"),
        _ => {}
    }
    let Some(found) = distributed_layers(puzzle, &puzzle.start(), processes, MOST_FARTHEST, limits, observer) else {
        return wrong("its states are too large to be shared out");
    };
    let DistributedLayers { depths, goals, farthest, stopped, stats } = found;
    if let Some(why) = stopped {
        return Err(ExploreError::Stopped { why, whole: whole(&depths), states: stats.expanded });
    }
    Ok(Exploration {
        puzzle: name,
        title: "every state that the start can reach".into(),
        direction: Direction::Forward,
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

/// The depths that are whole where it was stopped: all but the last.
fn whole(depths: &[u64]) -> usize {
    depths.len().saturating_sub(1)
}
