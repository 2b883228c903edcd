//! `admissible explore` with several processes.

use admissible_front::{Exploration, ExploreError, ExplorePlan, Limits, Stop};

use super::ClusterArguments;
use super::member::{Member, SharedConfig, resumed_config};
use crate::args::{CheckpointArguments, ReadArguments};
use crate::ending::{self, GRACE_TO_SUM_UP, GRACE_TO_WRITE};
use crate::input::open_text;
use crate::progress::Progress;
use crate::session::Session;
use crate::{Exit, Failure, tell};

/// The arguments of `admissible explore` that several processes take.
pub(crate) struct ExploreRequest<'a> {
    pub(crate) cluster: &'a ClusterArguments,
    pub(crate) checkpoint: &'a CheckpointArguments,
    pub(crate) file: &'a str,
    pub(crate) reading: &'a ReadArguments,
    pub(crate) threads: Option<u16>,
    pub(crate) plan: ExplorePlan,
    pub(crate) limits: Limits,
    pub(crate) memory_limit: Option<std::num::NonZeroU64>,
    /// Options to give again to `resume`.
    pub(crate) given_again: String,
}

/// Explores; the process that prints the result passes it to `show`.
pub(crate) fn run(
    request: ExploreRequest<'_>,
    session: &Session,
    show: impl FnOnce(&Exploration) -> Result<(), Failure>,
) -> Result<Exit, Failure> {
    let ExploreRequest { cluster, file, reading, plan, mut limits, .. } = request;
    let text = session.text(file)?;
    let task = open_text(file, &text, reading, session.puzzles)?;
    let threads = resumed_config(session)?.map_or_else(|| cluster.threads(request.threads), |config| config.threads);
    limits.bytes = cluster.bytes(request.memory_limit, limits.bytes);
    let is_standard_input = file == "-" && session.resumed().is_none();
    let shared = SharedConfig { command: "explore", text: &text, heuristic: "", reading, threads, is_standard_input };
    let grace = if request.checkpoint.checkpoint.is_some() { GRACE_TO_WRITE } else { GRACE_TO_SUM_UP };
    ending::force_end_after(grace, |why| ending::incomplete("exploration incomplete; no result", why));
    ending::set_time_limit(limits.time);
    let member = match Member::join(cluster, &shared, session, request.checkpoint)? {
        Ok(member) => member,
        Err(exit) => return Ok(exit),
    };
    let mut progress = Progress::new();
    limits.time = limits.time.map(|time| time.saturating_sub(ending::elapsed()));
    let explored = task.explore_distributed(&*member.cluster, &plan, limits, &mut progress);
    ending::cancel_forced_end();
    progress.clear();
    ending::print_to_the_end();
    let exit = match explored {
        Ok(explored) => {
            member.report(&format!("{} states in all", admissible_lab::numbers::grouped(explored.states)));
            if member.is_first() {
                show(&explored)?;
            }
            Exit::Answered
        }
        Err(error @ ExploreError::Stopped { why, .. }) => {
            member.report(&error.to_string());
            if member.is_first() {
                tell(&error);
            }
            if why == Stop::Interrupted || ending::is_interrupted() { Exit::Interrupted } else { Exit::Stopped }
        }
        Err(error) => return Err(Failure::new(error)),
    };
    member.finish(exit == Exit::Answered, &request.given_again);
    Ok(exit)
}
