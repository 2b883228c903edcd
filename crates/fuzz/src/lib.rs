//! Hostile input: a target for everything that reads what others wrote, and a runner that makes such input.
//!
//! A [`Target`] is a function of some bytes. It panics where a promise is broken: that what is read and written again
//! reads the same, that a message says where, that a proof proves what is so. It returns what was said, and the runner
//! ([`fuzz`]) keeps inputs that made it say something new and goes on from them. That steers it towards every message and
//! every way to be right without a compiler that counts branches; for one that does, the targets are plain functions to
//! call from elsewhere.
//!
//! Every puzzle of the registry has a target, which begins with the examples on its card. `corpus` has folders of further
//! inputs: examples of everything else that is read, and every input that was once a finding.

mod files;
mod mutate;
mod resume;
mod runner;
mod server;
mod texts;

use std::fs;
use std::panic::RefUnwindSafe;
use std::path::{Path, PathBuf};

use admissible_puzzles::PUZZLES;

pub use runner::{Budget, Finding, Outcome, fuzz, quietly, replay};

/// Reads some bytes, and tells what was said of them. It panics if something is wrong.
pub type Run = Box<dyn Fn(&[u8]) -> String + RefUnwindSafe>;

/// Something that reads.
pub struct Target {
    /// Its name, which its folder in the corpus has too.
    pub name: &'static str,
    /// What is read.
    pub summary: &'static str,
    /// What reads.
    pub run: Run,
    /// Words that mean something to it.
    pub words: Vec<&'static str>,
    /// Inputs to begin with, beside its folder in the corpus.
    pub examples: Vec<Vec<u8>>,
}

impl Target {
    fn new(name: &'static str, summary: &'static str, run: fn(&[u8]) -> String, words: &[&'static str]) -> Self {
        Target { name, summary, run: Box::new(run), words: words.to_vec(), examples: Vec::new() }
    }
}

/// Every target: a file of any puzzle, a file of each puzzle of the registry, and what else is read.
pub fn targets() -> Vec<Target> {
    let mut targets = vec![texts::any_target()];
    targets.extend(PUZZLES.cards().map(texts::board_target));
    let expressions = texts::expression_words();
    let (solutions, json) = (texts::SOLUTION_WORDS, texts::JSON_WORDS);
    targets.extend([
        Target::new("solution", "a solution in a course's words, or as JSON", texts::solution, solutions),
        Target::new("state", "a state as JSON", texts::state, json),
        Target::new("expression", "a heuristic as an expression", texts::expression, &expressions),
        Target::new("options", "ranges, lists of heuristics and of algorithms", texts::options, texts::OPTION_WORDS),
        Target::new("sealed", "a small file of ours", files::sealed, &[]),
        Target::new("checkpoint", "a checkpoint as it comes", resume::checkpoint, json),
        Target::new("resume", "a checkpoint whose checksums are right", resume::resume, &[]),
        Target::new("table", "a pattern database or an atlas on disk", files::table, &[]),
        Target::new("atlas", "an atlas whose checksums are right and whose distances are not", files::atlas, &[]),
        Target::new("certificate", "a certificate as it comes", files::certificate, json),
        Target::new("proof", "a certificate whose checksums are right", files::proof, &[]),
        Target::new("http", "a request to the server", server::request, server::WORDS),
    ]);
    targets
}

/// The folder of the corpus.
pub fn corpus_folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus")
}

impl Target {
    /// What it has to begin with: its examples, then its inputs in the corpus in the order of their names.
    ///
    /// # Panics
    /// If there is nothing, or the corpus, which is part of the repository, cannot be read.
    pub fn corpus(&self) -> Vec<Vec<u8>> {
        let mut files: Vec<PathBuf> = match fs::read_dir(corpus_folder().join(self.name)) {
            Ok(entries) => entries.map(|entry| entry.expect("it can be listed").path()).collect(),
            Err(_) => Vec::new(),
        };
        files.sort();
        let mut inputs = self.examples.clone();
        inputs.extend(files.iter().map(|file| fs::read(file).expect("it can be read")));
        assert!(!inputs.is_empty(), "{}: there is neither an example nor a corpus", self.name);
        inputs
    }
}
