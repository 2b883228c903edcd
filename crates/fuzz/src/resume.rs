//! Checkpoints: as raw bytes, and with valid checksums and wrong contents.

use std::fs;
use std::path::Path;
use std::sync::{Arc, LazyLock};
use std::time::Duration;

use admissible_cli::is_resumable;
use admissible_front::files::CHECKPOINT;
use admissible_front::{Checkpoint, CheckpointWriter, Limits, Plan, PlanError, Task, Work};
use admissible_puzzles::PUZZLES;
use serde_json::{Value, json};

use crate::files::{in_folder, message, with_header};
use crate::texts::BOARDS;

pub(crate) fn checkpoint(bytes: &[u8]) -> String {
    let whole = with_header(bytes, &CHECKPOINT);
    in_folder(|folder| {
        let path = folder.join("checkpoint");
        fs::write(&path, &whole).expect("the disk has room");
        match Checkpoint::read(&path) {
            Ok(checkpoint) => format!("whole {}", checkpoint.has_body()),
            Err(error) => message(&error),
        }
    })
}

fn plan(expanded: u64) -> Plan {
    Plan { limits: Limits { expanded: Some(expanded), ..Limits::default() }, ..Plan::default() }
}

fn writer(path: &Path) -> Arc<CheckpointWriter> {
    let fail = |message: String| panic!("{message}");
    Arc::new(CheckpointWriter::new(path.into(), Work::default(), Duration::ZERO, Box::new(fail)))
}

/// The progress of a search of each board after a few expansions.
static PROGRESS: LazyLock<Vec<Value>> = LazyLock::new(|| {
    let folder = tempfile::tempdir().expect("the disk has room");
    let progress = |(at, task): (usize, &Task)| {
        let path = folder.path().join(at.to_string());
        let plan = Plan { algorithm: Some("idastar".into()), checkpoints: Some(writer(&path)), ..plan(5) };
        task.solve(&plan, &mut (), None).expect("the algorithm exists");
        // A board that is solved at once leaves no checkpoint.
        Checkpoint::read(&path).map_or(Value::Null, |checkpoint| checkpoint.progress)
    };
    BOARDS.iter().enumerate().map(progress).collect()
});

/// The first byte selects the board; every ten bytes after it change a number or a field of its progress.
pub(crate) fn resume(bytes: &[u8]) -> String {
    let Some((&choice, changes)) = bytes.split_first() else { return String::new() };
    let at = usize::from(choice) % BOARDS.len();
    let mut progress = PROGRESS[at].clone();
    for change in changes.chunks_exact(10) {
        let number = u64::from_le_bytes(change[2..].try_into().expect("eight bytes"));
        let small = number >> (change[1] & 63);
        match change[0] {
            0 => progress["lower_bound"] = small.into(),
            1 => progress["seconds"] = json!(small as f64),
            2 => progress["then"] = json!([small, "zero"]),
            3 => progress["algorithm"] = ["astar", "idastar", "bfs", "x"][number as usize % 4].into(),
            4 => progress["heuristic"] = ["zero", "manhattan", "misplaced", "x"][number as usize % 4].into(),
            5 => progress["snapshot"] = Value::Null,
            6 => drop(progress["snapshot"].as_array_mut().and_then(Vec::pop)),
            7 => {
                if let Some(words) = progress["snapshot"].as_array_mut() {
                    words.push(small.into());
                }
            }
            place => {
                if let Some(words) = progress["snapshot"].as_array_mut().filter(|words| !words.is_empty()) {
                    let place = usize::from(place) % words.len();
                    words[place] = small.into();
                }
            }
        }
    }
    match BOARDS[at].solve(&Plan { resumed: Some(progress), ..plan(50) }, &mut (), None) {
        Ok(answer) => format!("{} {:?}", answer.algorithm, answer.actions().len()),
        Err(PlanError::Refused(why)) => panic!("the referee refuses the answer: {why}"),
        Err(error) => error.to_string(),
    }
}

pub(crate) const WORK_DICTIONARY: &[&str] = &[
    "{\"kind\":\"solve\",\"target\":\"a\",\"text\":null,\"options\":{",
    "\"kind\":\"explore\"",
    "\"kind\":\"pdb build\"",
    "\"heuristic\":\"zero\"",
    "\"time-limit\":\"8h\"",
    "\"memory-limit\":\"1G\"",
    "\"node-limit\":\"200k\"",
    "\"move-limit\":\"9\"",
    "\"weight\":\"1.5\"",
    "\"threads\":\"2\"",
    "\"processes\":\"2\"",
    "\"size\":\"3x3\"",
    "\"pieces\":\"3\"",
    "\"boards\":null",
    "\"save\":null",
    "\"trace\":\"x\"",
    "\"checkpoint-every\":\"1ms\"",
    ",",
    "}}",
    "--",
    "=",
    "9223372036854775807",
    "1e308",
    "-1",
];

/// The description of some work, which becomes a command line.
pub(crate) fn work(bytes: &[u8]) -> String {
    match serde_json::from_slice::<Work>(bytes) {
        Ok(work) => format!("resumable {}", is_resumable(PUZZLES, &work)),
        Err(error) => error.to_string(),
    }
}
