//! `admissible explore` by several processes.

use admissible_front::{Exploration, ExploreError, ExplorePlan, Limits, Stop};

use super::ClusterArguments;
use super::member::{Member, SharedConfig, terms};
use crate::args::{CheckpointArguments, ReadArguments};
use crate::input::open_text;
use crate::progress::{self, GRACE_TO_WRITE, Progress};
use crate::session::Session;
use crate::{Exit, Failure, tell};

/// What `admissible explore` was asked for, as far as it matters here.
pub(crate) struct Asked<'a> {
    pub(crate) cluster: &'a ClusterArguments,
    pub(crate) checkpoint: &'a CheckpointArguments,
    pub(crate) file: &'a str,
    pub(crate) reading: &'a ReadArguments,
    pub(crate) threads: Option<u16>,
    pub(crate) plan: ExplorePlan,
    pub(crate) limits: Limits,
    pub(crate) memory_limit: Option<std::num::NonZeroU64>,
    /// Options that `resume` needs once more.
    pub(crate) given_again: String,
}

/// Explores, and hands the result to `show` in the process that prints it.
pub(crate) fn run(
    asked: Asked<'_>,
    session: &Session,
    show: impl FnOnce(&Exploration) -> Result<(), Failure>,
) -> Result<Exit, Failure> {
    let Asked { cluster, file, reading, plan, mut limits, .. } = asked;
    let text = session.text(file)?;
    let task = open_text(file, &text, reading, session.puzzles)?;
    let threads = terms(session)?.map_or_else(|| cluster.threads(asked.threads), |terms| terms.threads);
    limits.bytes = cluster.bytes(asked.memory_limit, limits.bytes);
    let is_standard_input = file == "-" && session.resumed().is_none();
    let shared = SharedConfig { command: "explore", text: &text, heuristic: "", reading, threads, is_standard_input };
    let member = match Member::join(cluster, &shared, session, asked.checkpoint)? {
        Ok(member) => member,
        Err(exit) => return Ok(exit),
    };
    let mut progress = Progress::new();
    progress::insist(GRACE_TO_WRITE, limits.time, |_| Exit::Stopped);
    let explored = task.explore_distributed(&*member.cluster, &plan, limits, &mut progress);
    progress::speak();
    progress.clear();
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
            if why == Stop::Interrupted { Exit::Interrupted } else { Exit::Stopped }
        }
        Err(error) => return Err(Failure::new(error)),
    };
    member.part(exit == Exit::Answered, &asked.given_again);
    Ok(exit)
}
