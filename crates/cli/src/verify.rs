//! `admissible verify`.

use std::io::{self, Write as _};

use admissible_front::{AnswerOutcome, Plan, Registry, Stop, Verdict};

use crate::args::{PlainFormat, VerifyArguments, atlases};
use crate::ending::print_to_the_end;
use crate::input::{faults_message, open_task, read, shown};
use crate::progress::Progress;
use crate::show::{BAD, GOOD, WARNING};
use crate::solve::exit_of;
use crate::{Exit, Failure};

pub(crate) fn run(arguments: &VerifyArguments, puzzles: Registry) -> Result<Exit, Failure> {
    match (&arguments.certificate, &arguments.file, &arguments.solution) {
        (Some(certificate), ..) => crate::certificate::run(certificate, arguments, puzzles),
        (None, Some(file), Some(solution)) => judge(file, solution, arguments, puzzles),
        (None, ..) => unreachable!("both are required without a certificate"),
    }
}

fn judge(file: &str, given: &str, arguments: &VerifyArguments, puzzles: Registry) -> Result<Exit, Failure> {
    if file == "-" && given == "-" {
        return Err(Failure::new("only one of FILE and SOLUTION can be standard input"));
    }
    let task = open_task(file, &arguments.reading, puzzles)?;
    let solution = read(given)?;
    let plan = Plan {
        limits: arguments.limits.limits_left(),
        move_limit: arguments.at_most,
        atlases: atlases(),
        hands_over: true,
        ..Plan::default()
    };
    let mut progress = Progress::new();
    let verdict = task.verify(&solution, &plan, &mut progress)?;
    progress.clear();
    print_to_the_end();
    let verdict =
        verdict.map_err(|faults| Failure::Message(faults_message(&shown(given), &solution, &faults, None)))?;
    if arguments.format == PlainFormat::Json {
        writeln!(io::stdout().lock(), "{}", verdict.json(file))?;
    } else {
        writeln!(anstream::stdout().lock(), "{}", in_words(&verdict))?;
    }
    Ok(exit_of_verdict(&verdict))
}

fn exit_of_verdict(verdict: &Verdict) -> Exit {
    match verdict.ours.as_ref().map(|answer| &answer.outcome) {
        _ if verdict.holds() == Some(false) => Exit::Refuted,
        Some(stopped @ AnswerOutcome::Stopped { .. }) if verdict.is_shortest().is_none() => exit_of(stopped),
        _ => Exit::Answered,
    }
}

fn in_words(verdict: &Verdict) -> String {
    let ours = verdict.ours.as_ref().map(|answer| &answer.outcome);
    let undecided = match ours {
        Some(AnswerOutcome::Stopped { why: Stop::Interrupted, .. }) => "was not decided before the interruption",
        Some(AnswerOutcome::Stopped { .. }) => "was not decided within the limits",
        _ => "was not decided",
    };
    match (verdict.claimed, &verdict.illegal) {
        (Some(cost), Some(illegal)) if illegal.step > cost as usize => {
            format!("{BAD}Not a solution{BAD:#}: after the last action {}.", illegal.reason)
        }
        (Some(cost), Some(illegal)) => {
            format!("{BAD}Not legal{BAD:#}: action {} of {cost}: {}.", illegal.step, illegal.reason)
        }
        (Some(cost), None) if let Some(limit) = verdict.too_long => {
            format!("{BAD}Too long{BAD:#}: legal, but {}; at most {limit} are allowed.", actions(cost))
        }
        (Some(cost), None) => match (verdict.is_shortest(), ours) {
            (Some(true), _) => format!("{GOOD}Legal and shortest{GOOD:#}: {}.", actions(cost)),
            (Some(false), Some(AnswerOutcome::Solved(better))) => {
                format!("{WARNING}Legal, not shortest{WARNING:#}: {}; the shortest has {}.", actions(cost), better.cost)
            }
            (_, Some(AnswerOutcome::Stopped { lower_bound, .. })) => format!(
                "{GOOD}Legal{GOOD:#}: {}. Whether it is shortest {undecided}; every solution has at least {lower_bound}.",
                actions(cost)
            ),
            _ => format!("{GOOD}Legal{GOOD:#}: {}. Whether it is shortest {undecided}.", actions(cost)),
        },
        (None, _) => match ours {
            Some(AnswerOutcome::Unsolvable { .. }) => format!("{GOOD}Right{GOOD:#}: there is no solution."),
            Some(AnswerOutcome::Solved(solved)) => {
                format!("{BAD}Wrong{BAD:#}: there is a solution of {}.", actions(solved.cost))
            }
            _ if verdict.solvable => format!("{BAD}Wrong{BAD:#}: parity says that there is a solution."),
            _ => format!("Whether there is a solution {undecided}."),
        },
    }
}

fn actions(count: u32) -> String {
    if count == 1 { "1 action".into() } else { format!("{count} actions") }
}
