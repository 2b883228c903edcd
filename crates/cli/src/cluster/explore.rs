//! `admissible explore` with several processes.

use std::num::NonZeroU64;

use admissible_front::{ExploreError, ExplorePlan, Limits, Stop};
use admissible_lab::numbers::grouped;
use admissible_lab::report::ReportFolder;

use super::member::{Member, SharedConfig, resumed_config};
use crate::ending::{self, GRACE_TO_SUM_UP, GRACE_TO_WRITE};
use crate::explore::{DRAWN, ExploreArguments, print, report_again, stopped};
use crate::input::open_text;
use crate::progress::Progress;
use crate::session::Session;
use crate::{Exit, Failure, refuse, tell};

pub(crate) fn run(
    arguments: &ExploreArguments,
    session: &Session,
    place: Option<&ReportFolder>,
) -> Result<Exit, Failure> {
    let ExploreArguments { cluster, checkpoint, target, reading, memory_limit, .. } = arguments;
    let why = "several processes explore the states reachable from the start of a file, not a whole puzzle";
    refuse([
        (session.puzzles.has(target), why),
        (arguments.backward, "--backward: several processes search from the start only"),
        (arguments.save, "--save: several processes search from the start, but an atlas needs distances to the goals"),
        (arguments.components, "--components: the states reachable from the start are one component"),
        (arguments.scope.is_some(), "--scope: several processes explore the states reachable from the start only"),
    ])?;
    let text = session.text(target)?;
    let task = open_text(target, &text, reading, session.puzzles)?;
    let threads = resumed_config(session)?.map_or_else(|| cluster.threads(arguments.threads), |config| config.threads);
    let is_standard_input = target == "-" && session.resumed().is_none();
    let shared = SharedConfig { command: "explore", text: &text, heuristic: "", reading, threads, is_standard_input };
    let bytes = cluster.bytes(*memory_limit, memory_limit.map(NonZeroU64::get));
    ending::force_end_after(if checkpoint.checkpoint.is_some() { GRACE_TO_WRITE } else { GRACE_TO_SUM_UP }, stopped);
    ending::set_time_limit(arguments.time_limit);
    let member = match Member::join(cluster, &shared, session, checkpoint)? {
        Ok(member) => member,
        Err(exit) => return Ok(exit),
    };
    let mut progress = Progress::new();
    let limits = Limits { time: ending::time_left(arguments.time_limit), bytes, expanded: None };
    let plan = ExplorePlan { drawn: DRAWN, ..ExplorePlan::default() };
    let explored = task.explore_distributed(&*member.cluster, &plan, limits, &mut progress);
    ending::cancel_forced_end();
    progress.clear();
    ending::print_to_the_end();
    let exit = match explored {
        Ok(explored) => {
            member.report(&format!("{} states in all", grouped(explored.states)));
            if member.is_first() {
                print(arguments, place, &explored)?;
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
    member.finish(exit == Exit::Answered, &report_again(arguments));
    Ok(exit)
}
