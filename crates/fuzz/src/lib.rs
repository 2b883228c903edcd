//! Fuzzing: a target for every reader of untrusted input, and a mutation-based runner.
//!
//! A [`Target`] is a function of some bytes. It panics if a property fails: a board that is written and read again is
//! the same, a message has a position, an accepted proof is true. Its output is a message or a summary, and the runner
//! ([`fuzz`]) keeps and mutates the inputs with new outputs. That guides it without branch coverage. With the feature
//! `coverage` there is also a harness for libFuzzer, which measures coverage (`covered.rs`).
//!
//! Every puzzle of the registry has a target, seeded with the examples of its card. `corpus` has a folder of further
//! inputs for each target: seeds, and every input that once was a finding.

mod files;
mod mutate;
mod reseal;
mod resume;
mod runner;
mod server;
mod texts;
mod wire;

use std::fs;
use std::panic::RefUnwindSafe;
use std::path::{Path, PathBuf};

use admissible_puzzles::PUZZLES;

pub use mutate::mutated;
pub use reseal::reseal;
pub use runner::{Budget, Finding, Outcome, collect_panics, fuzz, replay};

/// Reads some bytes and returns a message or a summary of what was read. It panics if a property fails.
pub type Run = Box<dyn Fn(&[u8]) -> String + RefUnwindSafe>;

/// A reader under test.
pub struct Target {
    /// Its name, and that of its folder in the corpus.
    pub name: &'static str,
    /// What it reads.
    pub summary: &'static str,
    /// The function that reads.
    pub run: Run,
    /// Tokens of its language, for mutations.
    pub dictionary: Vec<&'static str>,
    /// Seeds, in addition to its folder in the corpus.
    pub examples: Vec<Vec<u8>>,
    /// Where a file of ours begins in its inputs, for targets that read one: [`reseal`] repairs its checksums.
    pub file_at: Option<usize>,
}

impl Target {
    fn new(name: &'static str, summary: &'static str, run: fn(&[u8]) -> String, dictionary: &[&'static str]) -> Self {
        Target {
            name,
            summary,
            run: Box::new(run),
            dictionary: dictionary.to_vec(),
            examples: Vec::new(),
            file_at: None,
        }
    }

    fn with_file_at(self, begin: usize) -> Self {
        Target { file_at: Some(begin), ..self }
    }
}

/// Every target: a file of any puzzle, a file of each puzzle of the registry, and every other reader.
pub fn targets() -> Vec<Target> {
    let mut targets = vec![texts::any_target()];
    targets.extend(PUZZLES.cards().map(texts::board_target));
    let expressions = texts::expression_dictionary();
    let (solutions, json) = (texts::SOLUTION_DICTIONARY, texts::JSON_DICTIONARY);
    targets.extend([
        Target::new("solution", "a solution in a course's words, or as JSON", texts::solution, solutions),
        Target::new("state", "a state as JSON", texts::state, json),
        Target::new("expression", "a heuristic as an expression", texts::expression, &expressions),
        Target::new(
            "options",
            "ranges, lists of heuristics and of algorithms",
            texts::options,
            texts::OPTION_DICTIONARY,
        ),
        Target::new("checkpoint", "a checkpoint as raw bytes", resume::checkpoint, json).with_file_at(1),
        Target::new("resume", "a checkpoint with valid checksums and wrong contents", resume::resume, &[]),
        Target::new("work", "the description of the work of a checkpoint", resume::work, resume::WORK_DICTIONARY),
        Target::new("table", "a pattern database or an atlas on disk", files::table, &[]).with_file_at(1),
        Target::new("atlas", "an atlas with valid checksums and wrong distances", files::atlas, &[]),
        Target::new("certificate", "a certificate as raw bytes", files::certificate, json).with_file_at(0),
        Target::new("proof", "a certificate with valid checksums and wrong contents", files::proof, &[]),
        Target::new("wire", "what a process of a cluster reads from another one", wire::wire, wire::DICTIONARY),
        Target::new("http", "a request to the server", server::request, server::DICTIONARY),
        Target::new("connection", "all bytes of a connection to the server", server::connection, server::DICTIONARY),
    ]);
    targets
}

/// The folder of the corpus.
pub fn corpus_folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus")
}

impl Target {
    /// The seeds: its examples, then its inputs in the corpus in the order of their names.
    ///
    /// # Panics
    /// If it has no seed, or the corpus, which is part of the repository, cannot be read.
    pub fn corpus(&self) -> Vec<Vec<u8>> {
        let mut files: Vec<PathBuf> = match fs::read_dir(corpus_folder().join(self.name)) {
            Ok(entries) => entries.map(|entry| entry.expect("the corpus can be listed").path()).collect(),
            Err(_) => Vec::new(),
        };
        files.sort();
        let mut inputs = self.examples.clone();
        inputs.extend(files.iter().map(|file| fs::read(file).expect("the corpus can be read")));
        assert!(!inputs.is_empty(), "{}: neither an example nor a corpus", self.name);
        inputs
    }
}
