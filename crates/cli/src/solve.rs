//! `admissible solve`.

use std::io::{self, Write as _};

use admissible_front::{AnswerOutcome, Drawing, Plan, Stop, Task, TieBreak, Tracer};

use crate::args::{Format, SolveArguments, atlases};
use crate::input::{open_task, shown};
use crate::progress::Progress;
use crate::trace::TraceFile;
use crate::{Exit, Failure, show, tell};

pub(crate) fn run(arguments: &SolveArguments) -> Result<Exit, Failure> {
    let task = open_task(&arguments.input.file, &arguments.input.reading)?;
    if arguments.format == Format::Course {
        return course(arguments, task.as_ref());
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
    let plan = Plan { drawing, atlases: atlases(), ..arguments.search.plan() };
    let answer = match &arguments.certificate {
        Some(certificate) => crate::certificate::solve(task.as_ref(), &plan, certificate, &mut progress)?,
        None => task.solve(&plan, &mut progress, tracer)?,
    };
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
            tell(format_args!("note: {} has no use for {option}", answer.algorithm));
        }
        show::answer(&mut anstream::stdout().lock(), &shown(&arguments.input.file), &answer, arguments.boards)?;
    }
    Ok(exit_of(&answer.outcome))
}

/// What the course asks for. Where it wants a report on several heuristics and none is named, a section each.
fn course(arguments: &SolveArguments, task: &dyn Task) -> Result<Exit, Failure> {
    if arguments.trace.is_some() {
        return Err(Failure::new("--trace: the course format shows the visited states itself, or has no use for them"));
    }
    if arguments.certificate.is_some() {
        return Err(Failure::new("--certificate: the course format has no room for it"));
    }
    let mut plan = Plan { atlases: atlases(), ..arguments.search.plan() };
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
