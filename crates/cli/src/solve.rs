//! `admissible solve`.

use std::io::{self, Write as _};
use std::sync::Arc;
use std::time::Duration;

use admissible_front::{Answer, AnswerOutcome, Card, Plan, Solvability, Stats, Stop, Task, Tracer};
use admissible_lab::select::Heuristics;

use crate::args::{Format, SolveArguments, atlases};
use crate::ending::{self, GRACE, GRACE_TO_WRITE};
use crate::input::shown;
use crate::progress::{self, Progress, SolveNews};
use crate::session::{self, Session, resume_command};
use crate::trace::TraceFile;
use crate::{Exit, Failure, refuse, show, tell};

pub(crate) fn run(arguments: &SolveArguments, session: &Session) -> Result<Exit, Failure> {
    if arguments.cluster.is_wanted() {
        return crate::cluster::solve(arguments, session);
    }
    let (file, reading) = (&arguments.input.file, &arguments.input.reading);
    let (task, checkpoints) = session::open(session, file, reading, &arguments.checkpoint)?;
    reading.check_order(arguments.search.tuning.counting.as_deref())?;
    if arguments.format == Format::Course {
        return course(arguments, &task);
    }
    let heuristic = arguments.search.heuristic.as_deref().map(Heuristics::read);
    if matches!(heuristic, Some(Ok(Heuristics::Named(names))) if names.len() > 1) {
        let message = "--heuristic: expected one, found a list; use --format course, or: admissible compare";
        return Err(Failure::new(message));
    }
    let is_hdastar = arguments.search.algorithm.as_deref() == Some("hdastar");
    let from_beginning = "--trace: not with --checkpoint; only a search from beginning to end can be traced";
    refuse([
        (arguments.trace.is_some() && checkpoints.is_some(), from_beginning),
        (arguments.trace.is_some() && is_hdastar, "--trace: hdastar has no fixed expansion order; trace astar instead"),
    ])?;
    let mut trace = match &arguments.trace {
        Some(path) => Some(TraceFile::create(path, arguments.trace_limit)?),
        None => None,
    };
    let mut progress = Progress::new();
    let tracer = trace.as_mut().map(|trace| trace as &mut dyn Tracer);
    let resumed = session.resumed().map(|(_, checkpoint)| checkpoint.progress.clone());
    let is_reproducible = arguments.trace.is_some() || checkpoints.is_some();
    let threads =
        if is_reproducible { arguments.search.threads.map_or(1, usize::from) } else { arguments.search.threads() };
    let mut plan = Plan {
        drawing: arguments.drawing(),
        threads: Some(threads),
        atlases: atlases(),
        hands_over: true,
        checkpoints: checkpoints.clone(),
        resumed,
        anytime: arguments.trace.is_none() && arguments.certificate.is_none(),
        events: Some(Arc::new(SolveNews)),
        ..plan_of(arguments, &task)?
    };
    // The time limit holds for all runs together, and for all that the program does.
    let used = plan.resumed.as_ref().and_then(|progress| progress["seconds"].as_f64());
    let used = used.map_or(Duration::ZERO, |seconds| Duration::try_from_secs_f64(seconds).unwrap_or_default());
    let left = plan.limits.time.map(|time| time.saturating_sub(used));
    plan.limits.time = ending::time_left(left);
    let forced = ForcedAnswer::new(&task, &plan, arguments)?;
    let grace = if checkpoints.is_some() { GRACE_TO_WRITE } else { GRACE };
    progress::begin_search();
    ending::set_time_limit(left);
    ending::force_end_after(grace, move |why| forced.print(why));
    let (answer, certified) = match &arguments.certificate {
        Some(certificate) => crate::certificate::solve(&task, &plan, certificate, &mut progress)?,
        None => (task.solve(&plan, &mut progress, tracer)?, Ok(())),
    };
    ending::cancel_forced_end();
    progress.clear();
    let traced = trace.map_or(Ok(()), TraceFile::finish);
    ending::print_to_the_end();
    tell_notes(&answer);
    if arguments.format == Format::Text {
        for option in arguments.search.unused_by(answer.algorithm) {
            tell(format_args!("note: {} does not use {option}", answer.algorithm));
        }
    }
    print(arguments, &answer)?;
    // The answer is printed; a file that could not be written is an error nevertheless.
    certified.and(traced)?;
    if let Some(checkpoints) = checkpoints {
        let exit = exit_of(&answer.outcome);
        match exit {
            Exit::Answered | Exit::Refuted => checkpoints.remove(),
            _ => tell(format_args!("note: to continue: {}", resume_command(checkpoints.path()))),
        }
    }
    Ok(exit_within(&answer))
}

pub(crate) fn print(arguments: &SolveArguments, answer: &Answer) -> io::Result<()> {
    print_as(arguments.format, &arguments.input.file, answer, arguments.boards)
}

fn print_as(format: Format, file: &str, answer: &Answer, boards: bool) -> io::Result<()> {
    match format {
        Format::Json => writeln!(io::stdout().lock(), "{}", answer.json(file)),
        _ => show::answer(&mut anstream::stdout().lock(), &shown(file), answer, boards),
    }
}

pub(crate) fn tell_notes(answer: &Answer) {
    answer.notes.iter().for_each(|note| tell(format_args!("note: {note}")));
}

/// The exit code of an answer. A solution above the move limit that is not proved optimal answers nothing.
fn exit_within(answer: &Answer) -> Exit {
    match &answer.outcome {
        AnswerOutcome::Solved(solved) if answer.move_limit.is_some_and(|limit| solved.cost > limit) => Exit::Stopped,
        outcome => exit_of(outcome),
    }
}

/// The plan of the arguments, with --move-limit and --no-parity.
fn plan_of(arguments: &SolveArguments, task: &Task) -> Result<Plan, Failure> {
    let mut plan = Plan { move_limit: arguments.move_limit, ..arguments.search.plan() };
    if arguments.no_parity && task.solvability() == Solvability::Unsolvable {
        let named = plan.algorithm.get_or_insert_with(|| "astar".into());
        if named.starts_with("idastar") {
            let why = "never ends on a board without a solution: choose astar or bfs";
            return Err(Failure::new(format!("--no-parity: {named} {why}")));
        }
        plan.searches_unsolvable = true;
    }
    Ok(plan)
}

/// The answer of a search that does not stop in time, with the statistics of its last tick.
pub(crate) struct ForcedAnswer {
    answer: Answer,
    file: String,
    format: Format,
}

impl ForcedAnswer {
    pub(crate) fn new(task: &Task, plan: &Plan, arguments: &SolveArguments) -> Result<Self, Failure> {
        let (algorithm, heuristic) = task.choice(plan)?;
        let answer = Answer {
            puzzle: task.card().name,
            algorithm,
            heuristic,
            counting: None,
            chosen: None,
            unit: "step",
            notes: Vec::new(),
            handover: None,
            best: None,
            outcome: AnswerOutcome::Unsolvable { at_once: None },
            stats: Stats::default(),
            largest_branching: None,
            move_limit: None,
            seconds: 0.0,
            start: if arguments.format == Format::Text { task.draw() } else { String::new() },
        };
        Ok(ForcedAnswer { answer, file: arguments.input.file.clone(), format: arguments.format })
    }

    pub(crate) fn print(self, why: Stop) -> Exit {
        let (stats, seconds) = progress::latest();
        let outcome = AnswerOutcome::Stopped { why, lower_bound: stats.layer };
        let answer = Answer { stats, seconds, outcome, best: progress::best_so_far(), ..self.answer };
        // The program ends anyway, so a failed write is ignored.
        let _ = print_as(self.format, &self.file, &answer, false);
        exit_of(&answer.outcome)
    }
}

/// The beginning of a section of the course's format that names its heuristic.
const SECTION: &str = "Heuristic:";

/// Prints the course's format: a section for each heuristic of a list or, if none is named, for those that the course
/// wants.
fn course(arguments: &SolveArguments, task: &Task) -> Result<Exit, Failure> {
    let checkpoint = "--checkpoint: not with the course format; solve, then: --format course";
    refuse([
        (arguments.checkpoint.checkpoint.is_some(), checkpoint),
        (arguments.trace.is_some(), "--trace: not with the course format"),
        (arguments.certificate.is_some(), "--certificate: not with the course format"),
    ])?;
    let mut plan = Plan {
        threads: Some(arguments.search.threads()),
        atlases: atlases(),
        hands_over: true,
        anytime: true,
        events: Some(Arc::new(SolveNews)),
        ..plan_of(arguments, task)?
    };
    plan.counting = plan.counting.or_else(|| course_counting(arguments, task.card()));
    let reported = task.card().course_heuristics;
    let heuristics: Vec<Option<String>> = match &plan.heuristic {
        None if !reported.is_empty() => reported.iter().map(|&name| Some(name.to_string())).collect(),
        None => vec![None],
        Some(list) => match Heuristics::read(list).map_err(|why| Failure::new(format!("--heuristic: {why}")))? {
            Heuristics::All => vec![Some(list.clone())],
            Heuristics::Named(names) => names.into_iter().map(Some).collect(),
        },
    };
    for heuristic in &heuristics {
        // A wrong name is reported before the first section.
        task.choice(&Plan { heuristic: heuristic.clone(), ..plan.clone() })?;
    }
    let several = heuristics.len() > 1;
    let limit = plan.limits.time;
    let mut exit = Exit::Answered;
    for (at, heuristic) in heuristics.into_iter().enumerate() {
        plan.heuristic = heuristic;
        let mut progress = Progress::new();
        plan.limits.time = ending::time_left(limit);
        progress::begin_search();
        ending::force_end_after(GRACE, unlisted);
        let (text, answer) = task.course(&plan, &mut progress)?;
        progress.clear();
        ending::print_to_the_end();
        tell_notes(&answer);
        let mut out = io::stdout().lock();
        if at > 0 {
            writeln!(out)?;
        }
        if several && !text.starts_with(SECTION) {
            writeln!(out, "# {SECTION} {}", answer.heuristic)?;
        }
        out.write_all(text.as_bytes())?;
        if let (Some(best), AnswerOutcome::Stopped { lower_bound, .. }) = (&answer.best, &answer.outcome) {
            let cost = best.cost;
            tell(format_args!(
                "warning: the solution has a cost of {cost} and is not proved to be shortest; every solution has a \
                 cost of at least {lower_bound}"
            ));
        }
        if let AnswerOutcome::Stopped { why: Stop::MoveLimit, lower_bound } = answer.outcome {
            let limit = answer.move_limit.unwrap_or(0);
            tell(format_args!(
                "note: no solution within {limit} moves, proved: every solution has {lower_bound} or more"
            ));
        }
        exit = exit.max(exit_within(&answer));
        if exit == Exit::Interrupted {
            break;
        }
    }
    Ok(exit)
}

/// The end of a search, or of the list of the states that it visited, that does not stop in time.
fn unlisted(why: Stop) -> Exit {
    let bound = progress::latest().0.layer;
    ending::incomplete(&format!("the output is incomplete; every solution has a cost of at least {bound}"), why)
}

/// The counting rule of the course's format, if the command names none. Says on standard error what is counted.
fn course_counting(arguments: &SolveArguments, card: &Card) -> Option<String> {
    let rule = card.counting_rules.iter().find(|rule| card.course_counting == Some(rule.name))?;
    let search = &arguments.search;
    let own_search = [
        (search.algorithm.as_deref().is_some_and(|name| name != "astar"), "--algorithm"),
        (search.tuning.tie_break.is_some(), "--tie-break"),
        (arguments.input.reading.move_order.is_some(), "--move-order"),
    ];
    if let Some((_, option)) = own_search.into_iter().find(|(is_given, _)| *is_given) {
        let name = rule.name;
        tell(format_args!(
            "note: counted as in the literature; the rule {name} has its own search, not that of {option}"
        ));
        return None;
    }
    tell(format_args!(
        "note: --format course is --counting {}, the search and the counts of that report (see: admissible list {})",
        rule.name, card.name
    ));
    Some(rule.name.into())
}

pub(crate) fn exit_of(outcome: &AnswerOutcome) -> Exit {
    match outcome {
        AnswerOutcome::Solved(_) => Exit::Answered,
        // The lower bound proves that there is no solution within the limit.
        AnswerOutcome::Unsolvable { .. } | AnswerOutcome::Stopped { why: Stop::MoveLimit, .. } => Exit::Refuted,
        AnswerOutcome::Stopped { why: Stop::Interrupted, .. } => Exit::Interrupted,
        AnswerOutcome::Stopped { .. } => Exit::Stopped,
    }
}
