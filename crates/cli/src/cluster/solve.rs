//! `admissible solve` with several processes.

use admissible_front::{AnswerOutcome, Plan, Solvability};

use super::member::{Member, SharedConfig, resumed_config};
use crate::args::{Format, SolveArguments};
use crate::ending::{self, GRACE, GRACE_TO_SUM_UP, GRACE_TO_WRITE};
use crate::input::open_text;
use crate::progress::{self, Progress};
use crate::session::Session;
use crate::solve::{ForcedAnswer, exit_of, print, tell_notes};
use crate::{Exit, Failure, refuse};

/// The algorithm that runs on several processes.
const ALGORITHM: &str = "hdastar";

pub(crate) fn run(arguments: &SolveArguments, session: &Session) -> Result<Exit, Failure> {
    let other = arguments.search.algorithm.as_deref().is_some_and(|name| name != ALGORITHM);
    refuse([
        (
            arguments.move_limit.is_some() || arguments.no_parity,
            "--move-limit and --no-parity: not with several processes",
        ),
        (arguments.format == Format::Course, "--format course: not with several processes"),
        (arguments.trace.is_some(), "--trace: several processes have no fixed expansion order"),
        (arguments.certificate.is_some(), "--certificate: not with several processes"),
        (other, "--algorithm: several processes search with hdastar only"),
    ])?;
    let (file, reading) = (&arguments.input.file, &arguments.input.reading);
    let text = session.text(file)?;
    let task = open_text(file, &text, reading, session.puzzles)?;
    let resumed = resumed_config(session)?;
    let threads = arguments.cluster.threads(arguments.search.threads);
    let threads = resumed.as_ref().map_or(threads, |config| config.threads);
    let mut plan = Plan { algorithm: Some(ALGORITHM.into()), threads: Some(threads), ..arguments.search.plan() };
    plan.limits.bytes = arguments.cluster.bytes(arguments.search.tuning.limits.memory_limit, plan.limits.bytes);
    plan.drawing = arguments.drawing();
    if task.solvability() == Solvability::Unsolvable {
        // Every process proves this alone; fast processes would have left before slow ones connect.
        let answer = task.solve(&plan, &mut Progress::new(), None)?;
        if arguments.cluster.is_first() {
            print(arguments, &answer)?;
        }
        return Ok(exit_of(&answer.outcome));
    }
    if let Some(config) = resumed {
        plan.heuristic = Some(config.heuristic);
    }
    let (_, heuristic) = task.choice(&plan)?;
    // The default depends on the tables of a machine, but all processes have to choose the same.
    plan.heuristic = Some(heuristic.clone());
    let is_standard_input = file == "-" && session.resumed().is_none();
    let shared =
        SharedConfig { command: "solve", text: &text, heuristic: &heuristic, reading, threads, is_standard_input };
    let force_end_after = |grace| -> Result<(), Failure> {
        // The first process prints what is known; the others only end.
        let forced = arguments.cluster.is_first().then(|| ForcedAnswer::new(&task, &plan, arguments)).transpose()?;
        ending::force_end_after(grace, |why| match forced {
            Some(forced) => forced.print(why),
            None => ending::incomplete("the search was not finished", why),
        });
        Ok(())
    };
    // A checkpoint of a run that is stopped while its processes connect is worth the wait.
    let is_kept = arguments.checkpoint.checkpoint.is_some();
    force_end_after(if is_kept { GRACE_TO_WRITE } else { GRACE })?;
    let member = match Member::join(&arguments.cluster, &shared, session, &arguments.checkpoint)? {
        Ok(member) => member,
        Err(exit) => return Ok(exit),
    };
    let mut plan = Plan { processes: Some(member.cluster.clone()), ..plan.clone() };
    // The time limit holds for all runs together.
    let left = plan.limits.time.map(|time| time.saturating_sub(member.earlier()));
    plan.limits.time = ending::time_left(left);
    let mut progress = Progress::new();
    progress::begin_search();
    // The processes end together, which takes messages between them.
    ending::set_time_limit(left);
    force_end_after(if is_kept { GRACE_TO_WRITE } else { GRACE_TO_SUM_UP })?;
    let mut answer = task.solve(&plan, &mut progress, None)?;
    // Like the counts, the time is that of all runs together.
    answer.seconds += member.earlier().as_secs_f64();
    ending::cancel_forced_end();
    progress.clear();
    ending::print_to_the_end();
    tell_notes(&answer);
    member.report(&match &answer.outcome {
        AnswerOutcome::Solved(solved) => format!("solved in {} {}s", solved.cost, answer.unit),
        AnswerOutcome::Unsolvable { .. } => "there is no solution".into(),
        AnswerOutcome::Stopped { why, lower_bound } => {
            format!("stopped {}, every solution takes at least {lower_bound} {}s", why.phrase(), answer.unit)
        }
    });
    if member.is_first() {
        print(arguments, &answer)?;
    }
    let exit = match exit_of(&answer.outcome) {
        // The interruption came first; another process was lost because of it, or did not answer.
        Exit::Stopped if ending::is_interrupted() => Exit::Interrupted,
        exit => exit,
    };
    member.finish(matches!(exit, Exit::Answered | Exit::Refuted), "");
    Ok(exit)
}
