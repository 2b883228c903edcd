//! Tables, atlases and certificates: as raw bytes, and with valid checksums and wrong contents.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fs;
use std::io::Cursor;
use std::ops::ControlFlow;
use std::path::Path;

use admissible_certificate::{Certificate, Claim, Cost, Number, Rules, Sorter, StateKind, write};
use admissible_front::files::{ATLAS, Format, HeaderWriter, TABLE};
use admissible_front::{AnswerOutcome, FileError, Limits, Plan, ReadOptions, Refusal, Resources, Store, open_claimed};
use admissible_puzzles::PUZZLES;
use xxhash_rust::xxh3::xxh3_64;

thread_local! {
    /// In memory if possible, since syncing every file to a disk is slow.
    static FOLDER: tempfile::TempDir =
        tempfile::tempdir_in("/dev/shm").or_else(|_| tempfile::tempdir()).expect("the disk has room");
}

/// Runs `run` with the temporary folder of this thread.
pub(crate) fn in_folder<T>(run: impl FnOnce(&Path) -> T) -> T {
    FOLDER.with(|folder| run(folder.path()))
}

/// The message of an error, which must not be empty.
pub(crate) fn message(error: &FileError) -> String {
    let message = error.to_string();
    assert!(!message.is_empty(), "an error without a message");
    message
}

/// By the first byte, the others as they are, or behind a header with a valid checksum.
pub(crate) fn with_header(bytes: &[u8], format: &Format) -> Vec<u8> {
    match bytes.split_first() {
        Some((choice, rest)) if choice % 2 == 1 => {
            let header = HeaderWriter::new(format).close();
            // The first half of the bytes goes into the header, before its checksum.
            let mut whole = header[..header.len() - 8].to_vec();
            let (more, body) = rest.split_at(rest.len() / 2);
            whole.extend(more);
            let checksum = xxh3_64(&whole);
            whole.extend(checksum.to_le_bytes());
            whole.extend(body);
            whole
        }
        Some((_, rest)) => rest.to_vec(),
        None => Vec::new(),
    }
}

/// The first byte also selects a table or an atlas.
pub(crate) fn table(bytes: &[u8]) -> String {
    let is_atlas = bytes.first().is_some_and(|choice| choice & 2 != 0);
    let whole = with_header(bytes, if is_atlas { &ATLAS } else { &TABLE });
    in_folder(|folder| {
        let store = if is_atlas { Store::at(folder).atlases() } else { Store::at(folder) };
        fs::write(store.file("t"), &whole).expect("the disk has room");
        let listed = store.list().expect("the folder can be read");
        assert_eq!(listed.0.len() + listed.1.len(), 1, "every file is listed");
        let output = match store.load("t").and_then(|table| store.verify("t").map(|()| table)) {
            Ok(table) => {
                assert!(table.len() < whole.len());
                "whole".into()
            }
            Err(error) => message(&error),
        };
        fs::remove_file(store.file("t")).expect("the file exists");
        output
    })
}

/// An atlas with arbitrary distances: it may miss a solution, but every answer is legal.
pub(crate) fn atlas(bytes: &[u8]) -> String {
    in_folder(|folder| {
        let store = Store::at(folder).atlases();
        let (name, board) = [("tiles-2x3-gap5", "2 1 3\n4 5 0\n"), ("tiles-2x2-gap3", "3 1\n2 0\n")]
            [usize::from(bytes.first().copied().unwrap_or(0)) % 2];
        store.save(name, &bytes.get(1..).unwrap_or_default().to_vec().into()).expect("the disk has room");
        let task = PUZZLES.open(board, None, &ReadOptions::default()).expect("a good board");
        let answer = task.solve(&Plan { atlases: Some(store.clone()), ..Plan::default() }, &mut (), None);
        store.remove(name).expect("the file exists");
        // An error means that the referee refuses an answer.
        let answer = answer.unwrap_or_else(|error| panic!("{error}"));
        format!("{} {:?}", answer.algorithm, answer.notes)
    })
}

pub(crate) fn certificate(bytes: &[u8]) -> String {
    match Certificate::read(Cursor::new(bytes)) {
        Ok(certificate) => checked(bytes, certificate.claim()),
        Err(error) => message(&error),
    }
}

/// Checks a certificate against the board in its claim.
fn checked(bytes: &[u8], claim: &Claim) -> String {
    // Tables take seconds to build.
    if claim.heuristic.contains("pdb") || claim.heuristic.contains("walking") || claim.heuristic.contains("without") {
        return String::new();
    }
    let task = match open_claimed(PUZZLES, claim, &ReadOptions::default()) {
        Ok(task) => task,
        Err(error) => return message(&error),
    };
    in_folder(|folder| {
        let path = folder.join("proof");
        fs::write(&path, bytes).expect("the disk has room");
        let resources = Resources { memory: 1 << 16, folder: folder.into() };
        let mut certificate = Certificate::open(&path).expect("the certificate was read before");
        match task.check(&mut certificate, &resources, &mut ()) {
            Ok(_) => {
                check_truth(claim);
                format!("proved {}", claim.puzzle)
            }
            Err(Refusal::File(error)) => message(&error),
            Err(Refusal::Unproved(why)) => why,
            Err(Refusal::Interrupted) => panic!("the observer never stops it"),
        }
    })
}

/// Costs by board and metric: `None` if the search takes too long, `Some(None)` if the board is unsolvable.
type Costs = BTreeMap<(String, Option<String>), Option<Option<Cost>>>;

/// Checks a proved claim by breadth-first search.
fn check_truth(claim: &Claim) {
    thread_local! {
        static COSTS: RefCell<Costs> = const { RefCell::new(BTreeMap::new()) };
    }
    let cost = COSTS.with_borrow_mut(|costs| {
        *costs.entry((claim.board.clone(), claim.metric.clone())).or_insert_with(|| {
            let task = open_claimed(PUZZLES, claim, &ReadOptions::default()).expect("the claim was opened before");
            let limits = Limits { expanded: Some(100_000), ..Limits::default() };
            let plan = Plan { algorithm: Some("bfs".into()), limits, ..Plan::default() };
            let answer = task.solve(&plan, &mut (), None).expect("the algorithm exists");
            match answer.outcome {
                AnswerOutcome::Solved(solved) => Some(Some(solved.cost)),
                AnswerOutcome::Unsolvable { .. } => Some(None),
                AnswerOutcome::Stopped { .. } => None,
            }
        })
    });
    assert!(cost.is_none_or(|cost| claim.cost == cost), "a false claim was proved: {cost:?}, {claim:?}");
}

/// Rules for writing a certificate, which asks them for nothing that matters here.
struct NoRules;

impl Rules for NoRules {
    fn start(&self) -> Number {
        Number::default()
    }

    fn estimate(&self, _state: Number) -> Option<Cost> {
        Some(0)
    }

    fn expand(&self, _state: Number, _successor: &mut dyn FnMut(Number, Cost, Option<Cost>)) -> StateKind {
        StateKind::Invalid
    }
}

/// A certificate of one of the boards of [`PROVED`]. The first byte selects the board, the second changes the cost, the
/// third selects the heuristic, and the others are the closed states; the corpus has the true ones.
pub(crate) fn proof(bytes: &[u8]) -> String {
    let [board, cost, heuristic, states @ ..] = bytes else { return String::new() };
    let (puzzle, text, optimum, actions, heuristics) = PROVED[usize::from(*board) % PROVED.len()];
    let offset = i64::from(*cost as i8);
    let optimum: Option<Cost> = optimum;
    let claim = Claim {
        puzzle: puzzle.into(),
        metric: None,
        board: text.into(),
        heuristic: heuristics[usize::from(*heuristic) % heuristics.len()].into(),
        cost: if offset == -128 {
            None
        } else {
            optimum.and_then(|cost| Cost::try_from(i64::from(cost) + offset).ok())
        },
        actions: if offset == -128 { Vec::new() } else { actions.iter().map(|&action| action.into()).collect() },
        hopeless: false,
    };
    in_folder(|folder| {
        let mut sorter = Sorter::new(1 << 16, folder);
        for entry in states.chunks_exact(4) {
            let state = u64::from(entry[0]) | u64::from(entry[1]) << 8 | u64::from(entry[2]) << 16;
            sorter.push(state.into(), entry[3].into()).expect("the disk has room");
        }
        let path = folder.join("written");
        write(&path, &claim, sorter.finish().expect("few states stay in memory"), &NoRules, &mut |_| {
            ControlFlow::Continue(())
        })
        .expect("the disk has room");
        let bytes = fs::read(&path).expect("it was written");
        checked(&bytes, &claim)
    })
}

/// Puzzle, board, optimal cost, solution and heuristics.
type Proved = (&'static str, &'static str, Option<Cost>, &'static [&'static str], &'static [&'static str]);

const PROVED: [Proved; 3] = [
    (
        "die",
        "S...G\n.....\n",
        Some(6),
        &["S", "E", "E", "E", "E", "N"],
        &["zero", "manhattan", "open-board", "oriented"],
    ),
    ("tiles", "1 2 3\n0 4 5\n", Some(2), &["LEFT", "LEFT"], &["zero", "manhattan", "misplaced", "manhattan*2"]),
    ("die", "S*\n*G\n", None, &[], &["zero", "manhattan"]),
];
