//! `admissible solve`.

use std::io::{self, Write as _};
use std::sync::Arc;
use std::time::Duration;

use admissible_front::{Answer, AnswerOutcome, Drawing, Plan, Stats, Stop, Task, TieBreak, Tracer};

use crate::args::{Format, SolveArguments, atlases};
use crate::input::shown;
use crate::progress::{self, GRACE, GRACE_TO_WRITE, Progress, SolveNews};
use crate::session::{self, Session, resume_command};
use crate::trace::TraceFile;
use crate::{Exit, Failure, show, tell};

pub(crate) fn run(arguments: &SolveArguments, session: &Session) -> Result<Exit, Failure> {
    if arguments.cluster.is_wanted() {
        return crate::cluster::solve(arguments, session);
    }
    let (file, reading) = (&arguments.input.file, &arguments.input.reading);
    let (task, checkpoints) = session::open(session, file, reading, &arguments.checkpoint)?;
    if arguments.format == Format::Course {
        return course(arguments, &task);
    }
    if checkpoints.is_some() && arguments.trace.is_some() {
        return Err(Failure::new("--trace: not with --checkpoint; only a search from beginning to end can be traced"));
    }
    if arguments.trace.is_some() && arguments.search.algorithm.as_deref() == Some("hdastar") {
        return Err(Failure::new("--trace: hdastar has no fixed expansion order; trace astar instead"));
    }
    let mut trace = match &arguments.trace {
        Some(path) => Some(TraceFile::create(path, arguments.trace_limit)?),
        None => None,
    };
    let mut progress = Progress::new();
    let tracer = trace.as_mut().map(|trace| trace as &mut dyn Tracer);
    let drawing = match arguments.format {
        Format::Text if arguments.boards => Drawing::EveryStep,
        Format::Text => Drawing::Ends,
        _ => Drawing::Nothing,
    };
    let resumed = session.resumed().map(|(_, checkpoint)| checkpoint.progress.clone());
    let is_reproducible = arguments.trace.is_some() || checkpoints.is_some();
    let threads =
        if is_reproducible { arguments.search.threads.map_or(1, usize::from) } else { arguments.search.threads() };
    let mut plan = Plan {
        drawing,
        threads: Some(threads),
        atlases: atlases(),
        hands_over: true,
        checkpoints: checkpoints.clone(),
        resumed,
        anytime: arguments.trace.is_none() && arguments.certificate.is_none(),
        events: Some(Arc::new(SolveNews)),
        ..arguments.search.plan()
    };
    if let Some(seconds) = plan.resumed.as_ref().and_then(|progress| progress["seconds"].as_f64()) {
        // The time limit holds for all runs together.
        let used = Duration::try_from_secs_f64(seconds).unwrap_or_default();
        plan.limits.time = plan.limits.time.map(|time| time.saturating_sub(used));
    }
    let forced = ForcedAnswer::new(&task, &plan, arguments)?;
    let grace = if checkpoints.is_some() { GRACE_TO_WRITE } else { GRACE };
    progress::force_end_after(grace, plan.limits.time, move |why| forced.print(why));
    let answer = match &arguments.certificate {
        Some(certificate) => crate::certificate::solve(&task, &plan, certificate, &mut progress)?,
        None => task.solve(&plan, &mut progress, tracer)?,
    };
    progress::cancel_forced_end();
    progress.clear();
    if let Some(trace) = trace {
        trace.finish()?;
    }
    for note in &answer.notes {
        tell(format_args!("note: {note}"));
    }
    if arguments.format == Format::Json {
        writeln!(io::stdout().lock(), "{}", answer.json(&arguments.input.file))?;
    } else {
        for option in arguments.search.unused_by(answer.algorithm) {
            tell(format_args!("note: {} does not use {option}", answer.algorithm));
        }
        show::answer(&mut anstream::stdout().lock(), &shown(&arguments.input.file), &answer, arguments.boards)?;
    }
    if let Some(checkpoints) = checkpoints {
        let exit = exit_of(&answer.outcome);
        match exit {
            Exit::Answered | Exit::Refuted => checkpoints.remove(),
            _ => tell(format_args!("note: to go on: {}", resume_command(checkpoints.path()))),
        }
    }
    Ok(exit_of(&answer.outcome))
}

/// The answer of a search that does not stop in time, with the statistics of its last tick.
struct ForcedAnswer {
    answer: Answer,
    file: String,
    format: Format,
}

impl ForcedAnswer {
    fn new(task: &Task, plan: &Plan, arguments: &SolveArguments) -> Result<Self, Failure> {
        let (algorithm, heuristic) = task.choice(plan)?;
        let answer = Answer {
            puzzle: task.card().name,
            algorithm,
            heuristic,
            chosen: None,
            unit: "step",
            notes: Vec::new(),
            handover: None,
            best: None,
            outcome: AnswerOutcome::Unsolvable { at_once: false },
            stats: Stats::default(),
            seconds: 0.0,
            start: if arguments.format == Format::Text { task.draw() } else { String::new() },
        };
        Ok(ForcedAnswer { answer, file: arguments.input.file.clone(), format: arguments.format })
    }

    fn print(self, why: Stop) -> Exit {
        let (stats, seconds) = progress::latest();
        let outcome = AnswerOutcome::Stopped { why, lower_bound: stats.layer };
        let answer = Answer { stats, seconds, outcome, best: progress::best_so_far(), ..self.answer };
        // The program ends anyway, so a failed write is ignored.
        let _ = match self.format {
            Format::Json => writeln!(io::stdout().lock(), "{}", answer.json(&self.file)),
            _ => show::answer(&mut anstream::stdout().lock(), &shown(&self.file), &answer, false),
        };
        exit_of(&answer.outcome)
    }
}

/// Prints the course's format: a section for each heuristic if the course wants several and none is named.
fn course(arguments: &SolveArguments, task: &Task) -> Result<Exit, Failure> {
    if arguments.checkpoint.checkpoint.is_some() {
        return Err(Failure::new("--checkpoint: not with the course format; solve, then: --format course"));
    }
    if arguments.trace.is_some() {
        return Err(Failure::new("--trace: not with the course format"));
    }
    if arguments.certificate.is_some() {
        return Err(Failure::new("--certificate: not with the course format"));
    }
    let mut plan = Plan {
        atlases: atlases(),
        hands_over: true,
        anytime: true,
        events: Some(Arc::new(SolveNews)),
        ..arguments.search.plan()
    };
    // The published tables of the course break ties first in, first out.
    plan.tie = plan.tie.or(Some(TieBreak::Fifo));
    let reported = task.card().course_heuristics;
    let heuristics: Vec<Option<String>> = match &plan.heuristic {
        None if !reported.is_empty() => reported.iter().map(|&name| Some(name.to_string())).collect(),
        named => vec![named.clone()],
    };
    let mut exit = Exit::Answered;
    for (at, heuristic) in heuristics.into_iter().enumerate() {
        plan.heuristic = heuristic;
        let mut progress = Progress::new();
        let (text, answer) = task.course(&plan, &mut progress)?;
        progress.clear();
        let mut out = io::stdout().lock();
        if at > 0 {
            writeln!(out)?;
        }
        out.write_all(text.as_bytes())?;
        if let (Some(best), AnswerOutcome::Stopped { lower_bound, .. }) = (&answer.best, &answer.outcome) {
            let cost = best.cost;
            tell(format_args!(
                "warning: the solution has a cost of {cost} and is not proved to be shortest; every solution has a \
                 cost of at least {lower_bound}"
            ));
        }
        exit = exit.max(exit_of(&answer.outcome));
        if exit == Exit::Interrupted {
            break;
        }
    }
    Ok(exit)
}

pub(crate) fn exit_of(outcome: &AnswerOutcome) -> Exit {
    match outcome {
        AnswerOutcome::Solved(_) => Exit::Answered,
        AnswerOutcome::Unsolvable { .. } => Exit::Refuted,
        AnswerOutcome::Stopped { why: Stop::Interrupted, .. } => Exit::Interrupted,
        AnswerOutcome::Stopped { .. } => Exit::Stopped,
    }
}
