//! Files of ours, as they come and with their checksums put right.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fs;
use std::io::Cursor;
use std::ops::ControlFlow;
use std::path::Path;

use admissible_certificate::{Certificate, Claim, Cost, Number, Rules, Sorter, StateKind, write};
use admissible_front::files::{ATLAS, CHECKPOINT, Format, HeaderWriter, TABLE, unseal};
use admissible_front::{AnswerOutcome, FileError, Limits, Plan, ReadOptions, Refusal, Resources, Store, open_claimed};
use admissible_puzzles::PUZZLES;
use xxhash_rust::xxh3::xxh3_64;

thread_local! {
    /// In memory where there is such a folder: a disk that is asked to keep every file for good is slow.
    static FOLDER: tempfile::TempDir =
        tempfile::tempdir_in("/dev/shm").or_else(|_| tempfile::tempdir()).expect("there is room for a folder");
}

pub(crate) fn in_folder<T>(run: impl FnOnce(&Path) -> T) -> T {
    FOLDER.with(|folder| run(folder.path()))
}

/// An error that says something.
pub(crate) fn told(error: &FileError) -> String {
    let words = error.to_string();
    assert!(!words.is_empty(), "an error without words");
    words
}

/// Bytes as they are, or behind a header whose checksum is right, by the first byte.
pub(crate) fn headed(bytes: &[u8], format: &Format) -> Vec<u8> {
    match bytes.split_first() {
        Some((choice, rest)) if choice % 2 == 1 => {
            let header = HeaderWriter::new(format).close();
            // A header without its checksum, then what comes, of which the first half is taken for the header.
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

pub(crate) fn sealed(bytes: &[u8]) -> String {
    let whole = headed(bytes, &CHECKPOINT);
    match unseal(&whole[..], whole.len() as u64, &CHECKPOINT) {
        Ok((parameters, body)) => {
            assert!(parameters.len() + body.len() < whole.len());
            "whole".into()
        }
        Err(error) => told(&error),
    }
}

/// The first byte chooses between tables and atlases too.
pub(crate) fn table(bytes: &[u8]) -> String {
    let is_atlas = bytes.first().is_some_and(|choice| choice & 2 != 0);
    let whole = headed(bytes, if is_atlas { &ATLAS } else { &TABLE });
    in_folder(|folder| {
        let store = if is_atlas { Store::at(folder).atlases() } else { Store::at(folder) };
        fs::write(store.file("t"), &whole).expect("there is room");
        let listed = store.list().expect("the folder can be read");
        assert_eq!(listed.0.len() + listed.1.len(), 1, "every file is listed");
        let said = match store.load("t").and_then(|table| store.verify("t").map(|()| table)) {
            Ok(table) => {
                assert!(table.len() < whole.len());
                "whole".into()
            }
            Err(error) => told(&error),
        };
        fs::remove_file(store.file("t")).expect("it is there");
        said
    })
}

/// Distances that nobody worked out: an answer may be missed, and what is answered is legal.
pub(crate) fn atlas(bytes: &[u8]) -> String {
    in_folder(|folder| {
        let store = Store::at(folder).atlases();
        let (name, board) = [("tiles-2x3-gap5", "2 1 3\n4 5 0\n"), ("tiles-2x2-gap3", "3 1\n2 0\n")]
            [usize::from(bytes.first().copied().unwrap_or(0)) % 2];
        store.save(name, &bytes.get(1..).unwrap_or_default().to_vec().into()).expect("there is room");
        let task = PUZZLES.open(board, None, &ReadOptions::default()).expect("a good board");
        let answer = task.solve(&Plan { atlases: Some(store.clone()), ..Plan::default() }, &mut (), None);
        store.remove(name).expect("it is there");
        // What the referee refuses is an error of ours, and no answer.
        let answer = answer.unwrap_or_else(|error| panic!("{error}"));
        format!("{} {:?}", answer.algorithm, answer.notes)
    })
}

pub(crate) fn certificate(bytes: &[u8]) -> String {
    match Certificate::read(Cursor::new(bytes)) {
        Ok(certificate) => checked(bytes, certificate.claim()),
        Err(error) => told(&error),
    }
}

/// Checks a certificate of whatever board it names.
fn checked(bytes: &[u8], claim: &Claim) -> String {
    // Tables take seconds to build.
    if claim.heuristic.contains("pdb") || claim.heuristic.contains("walking") || claim.heuristic.contains("without") {
        return String::new();
    }
    let task = match open_claimed(PUZZLES, claim, &ReadOptions::default()) {
        Ok(task) => task,
        Err(error) => return told(&error),
    };
    in_folder(|folder| {
        let path = folder.join("proof");
        fs::write(&path, bytes).expect("there is room");
        let resources = Resources { memory: 1 << 16, folder: folder.into() };
        let mut certificate = Certificate::open(&path).expect("it was read");
        match task.check(&mut certificate, &resources, &mut ()) {
            Ok(_) => {
                check_truth(claim);
                format!("proved {}", claim.puzzle)
            }
            Err(Refusal::File(error)) => told(&error),
            Err(Refusal::Unproved(why)) => why,
            Err(Refusal::Interrupted) => panic!("nobody stopped it"),
        }
    })
}

/// Boards with what was counted, and what they cost; nothing is known of those that take too long.
type Known = BTreeMap<(String, Option<String>), Option<Option<Cost>>>;

/// Whether what was proved is so, by a search of another kind.
fn check_truth(claim: &Claim) {
    thread_local! {
        static KNOWN: RefCell<Known> = const { RefCell::new(BTreeMap::new()) };
    }
    let cost = KNOWN.with_borrow_mut(|known| {
        *known.entry((claim.board.clone(), claim.metric.clone())).or_insert_with(|| {
            let task = open_claimed(PUZZLES, claim, &ReadOptions::default()).expect("it was opened");
            let limits = Limits { expanded: Some(100_000), ..Limits::default() };
            let plan = Plan { algorithm: Some("bfs".into()), limits, ..Plan::default() };
            let answer = task.solve(&plan, &mut (), None).expect("there is such an algorithm");
            match answer.outcome {
                AnswerOutcome::Solved(solved) => Some(Some(solved.cost)),
                AnswerOutcome::Unsolvable { .. } => Some(None),
                AnswerOutcome::Stopped { .. } => None,
            }
        })
    });
    assert!(cost.is_none_or(|cost| claim.cost == cost), "what was proved is not so: {cost:?}, {claim:?}");
}

/// The rules are not asked for anything that is written with an infinite cost or none.
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

/// Boards with true claims to begin with, each with its closed states in the corpus: the first byte chooses one, the
/// second changes the cost, the third the heuristic, and the others are the states.
pub(crate) fn proof(bytes: &[u8]) -> String {
    let [board, cost, heuristic, states @ ..] = bytes else { return String::new() };
    let (puzzle, text, optimum, actions, heuristics) = PROVED[usize::from(*board) % PROVED.len()];
    let wrong = i64::from(*cost as i8);
    let optimum: Option<Cost> = optimum;
    let claim = Claim {
        puzzle: puzzle.into(),
        metric: None,
        board: text.into(),
        heuristic: heuristics[usize::from(*heuristic) % heuristics.len()].into(),
        cost: if wrong == -128 { None } else { optimum.and_then(|cost| Cost::try_from(i64::from(cost) + wrong).ok()) },
        actions: if wrong == -128 { Vec::new() } else { actions.iter().map(|&action| action.into()).collect() },
        hopeless: false,
    };
    in_folder(|folder| {
        let mut sorter = Sorter::new(1 << 16, folder);
        for entry in states.chunks_exact(4) {
            let state = u64::from(entry[0]) | u64::from(entry[1]) << 8 | u64::from(entry[2]) << 16;
            sorter.push(state.into(), entry[3].into()).expect("there is room");
        }
        let path = folder.join("made");
        write(&path, &claim, sorter.finish().expect("it is in memory"), &NoRules, &mut |_| ControlFlow::Continue(()))
            .expect("there is room");
        let bytes = fs::read(&path).expect("it was written");
        checked(&bytes, &claim)
    })
}

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
