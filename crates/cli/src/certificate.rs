//! Certificates: `solve --certificate` and `verify --certificate`.

use std::io::{self, Write as _};
use std::path::Path;

use admissible_front::files::{is_standard_stream, scratch_folder};
use admissible_front::{
    Answer, AnswerOutcome, CertifyError, Plan, Proof, Refusal, Registry, Resources, Stop, Task, open_certificate,
};
use admissible_lab::numbers::{bytes, grouped};
use serde_json::json;

use crate::args::{PlainFormat, VerifyArguments};
use crate::ending::{GRACE, force_end_after, incomplete, print_to_the_end};
use crate::input::{open_task, shown};
use crate::progress::Progress;
use crate::show::{BAD, GOOD};
use crate::{Exit, Failure, tell};

/// The memory limit of a check without --memory-limit.
const DEFAULT_MEMORY: u64 = 256 << 20;

/// Solves a puzzle and writes the certificate. If that fails after the search, the answer holds nevertheless.
pub(crate) fn solve(
    task: &Task,
    plan: &Plan,
    certificate: &Path,
    progress: &mut Progress,
) -> Result<(Answer, Result<(), Failure>), Failure> {
    if is_standard_stream(certificate) {
        let name = certificate.display();
        return Err(Failure::new(format!("--certificate: the answer goes to {name}, name another file")));
    }
    let (answer, written) = task.certify(plan, certificate, progress).map_err(|error| match error {
        CertifyError::Plan(error) => error.into(),
        CertifyError::File(error) => Failure::at(certificate, error),
        other => Failure::new(other),
    })?;
    progress.clear();
    let written = match written {
        Ok(written) => written,
        Err(error) => return Ok((answer, Err(Failure::at(certificate, error)))),
    };
    match written {
        Some(written) => {
            let each = if written.states == 0 { 0.0 } else { written.bytes as f64 / written.states as f64 };
            let (states, size) = (grouped(written.states), bytes(written.bytes));
            tell(format_args!(
                "certificate: {}, {states} states in {size} ({each:.1} bytes each)",
                certificate.display()
            ));
        }
        None if matches!(answer.outcome, AnswerOutcome::Stopped { .. }) => {
            tell("note: no certificate was written, since nothing was proved");
        }
        None => tell("note: no certificate was written, since writing was interrupted"),
    }
    Ok((answer, Ok(())))
}

const UNCHECKED: &str = "the certificate was not checked to its end";

/// Checks a certificate.
pub(crate) fn run(certificate: &Path, arguments: &VerifyArguments, puzzles: Registry) -> Result<Exit, Failure> {
    let name = certificate.display().to_string();
    let (mut opened, task) = open_certificate(puzzles, certificate, &arguments.reading.options())
        .map_err(|error| Failure::at(certificate, error))?;
    let claim = opened.claim().clone();
    if let Some(puzzle) = arguments.reading.puzzle.as_ref().filter(|&puzzle| *puzzle != claim.puzzle) {
        return Err(Failure::new(format!(
            "{name}: it is a certificate of {}, not of {puzzle} (--puzzle)",
            claim.puzzle
        )));
    }
    if arguments.reading.goal.is_some() && arguments.file.is_none() {
        return Err(Failure::new(
            "--goal: a certificate contains the goal of its board; name the board's file to compare it",
        ));
    }
    if let Some(asked) = arguments.reading.metric.as_deref().filter(|&asked| claim.metric.as_deref() != Some(asked)) {
        return Err(Failure::new(match &claim.metric {
            Some(certified) => format!("{name}: it certifies a cost in {certified}, not in {asked} (--metric)"),
            None => format!("--metric: {} counts in one way only, not in '{asked}'", claim.puzzle),
        }));
    }
    if let Some(file) = &arguments.file {
        let board = open_task(file, &arguments.reading, puzzles)?;
        if (board.card().name, board.file()) != (task.card().name, task.file()) {
            return Err(Failure::new(format!("{name}: it is a certificate of another board than {}", shown(file))));
        }
    }
    let memory = arguments.limits.memory_limit.map_or(DEFAULT_MEMORY, Into::into);
    let resources = Resources { memory, folder: scratch_folder(certificate) };
    let mut progress = Progress::new();
    force_end_after(GRACE, |why| incomplete(UNCHECKED, why));
    let checked = task.check(&mut opened, &resources, &mut progress);
    progress.clear();
    print_to_the_end();
    let (holds, why) = match &checked {
        Ok(_) => (true, None),
        Err(Refusal::Unproved(why)) => (false, Some(why)),
        Err(Refusal::File(error)) => return Err(Failure::at(certificate, error)),
        Err(Refusal::Interrupted) => {
            return Ok(incomplete(UNCHECKED, Stop::Interrupted));
        }
    };
    if arguments.format == PlainFormat::Json {
        let proof = checked.as_ref().ok();
        let object = json!({
            "certificate": name,
            "puzzle": claim.puzzle,
            "claim": if claim.cost.is_some() { "optimal" } else { "unsolvable" },
            "metric": claim.metric,
            "cost": claim.cost,
            "heuristic": claim.heuristic,
            "holds": holds,
            "why": why,
            "states": proof.map(|proof| proof.checked.states),
            "given": proof.map(|proof| proof.given.clone()),
        });
        writeln!(io::stdout().lock(), "{object}")?;
    } else {
        let mut out = anstream::stdout().lock();
        match checked {
            Ok(proof) => writeln!(out, "{}", in_words(&proof, &task.draw()))?,
            Err(_) => {
                let why = why.map_or("", String::as_str);
                writeln!(out, "{BAD}Not proved{BAD:#}: {why}.")?;
            }
        }
    }
    Ok(if holds { Exit::Answered } else { Exit::Refuted })
}

fn in_words(proof: &Proof, board: &str) -> String {
    let Proof { claim, unit, checked, given } = proof;
    let given = if given.is_empty() { String::new() } else { format!("\nThis is so given that {given}.") };
    let states = grouped(checked.states);
    let verdict = match claim.cost {
        Some(cost) => {
            let units = if cost == 1 { (*unit).to_string() } else { format!("{unit}s") };
            format!(
                "{GOOD}Optimal{GOOD:#}: {cost} {units}. The solution was replayed, and none of the \
                 {states} states from which a shorter one would have to come leads to any.{given}"
            )
        }
        None if claim.hopeless => format!("{GOOD}Unsolvable{GOOD:#}: parity forbids it."),
        None => format!("{GOOD}Unsolvable{GOOD:#}: none of the {states} states in reach is a goal.{given}"),
    };
    format!("{board}\n{verdict}")
}
