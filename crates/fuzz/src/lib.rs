//! Hostile input: a target for everything that reads what others wrote, and a runner that makes such input.
//!
//! A [`Target`] is a function of some bytes. It panics where a promise is broken: that what is read and written again
//! reads the same, that a message says where, that a proof proves what is so. It returns what was said, and the runner
//! ([`fuzz`]) keeps inputs that made it say something new and goes on from them. That steers it towards every message and
//! every way to be right without a compiler that counts branches; for one that does, the targets are plain functions to
//! call from elsewhere.
//!
//! `corpus` has a folder of inputs for each target: examples of everything that is read, and every input that was once a
//! finding.

mod files;
mod mutate;
mod resume;
mod runner;
mod server;
mod texts;

use std::fs;
use std::path::{Path, PathBuf};

pub use runner::{Budget, Finding, Outcome, fuzz, quietly, replay};

/// Something that reads.
pub struct Target {
    /// Its name, which its folder in the corpus has too.
    pub name: &'static str,
    /// What is read.
    pub summary: &'static str,
    /// Reads some bytes, and tells what was said of them.
    ///
    /// # Panics
    /// If something is wrong.
    pub run: fn(&[u8]) -> String,
    /// Words that mean something to it.
    pub words: &'static [&'static str],
}

/// Every target.
pub static TARGETS: &[Target] = &[
    Target { name: "any", summary: "a file of any puzzle", run: texts::any, words: texts::ANY_WORDS },
    Target {
        name: "die",
        summary: "a maze",
        run: texts::die,
        words: &["S", "G", ".", "*", " ", "\n", "\r\n", "\u{feff}"],
    },
    Target { name: "tiles", summary: "a board of tiles, and its goal", run: texts::tiles, words: texts::NUMBERS },
    Target {
        name: "klotski",
        summary: "a board in three notations, and its goal",
        run: texts::klotski,
        words: texts::KLOTSKI_WORDS,
    },
    Target { name: "chexers", summary: "a board as JSON", run: texts::chexers, words: texts::CHEXERS_WORDS },
    Target {
        name: "solution",
        summary: "a solution in a course's words, or as JSON",
        run: texts::solution,
        words: texts::SOLUTION_WORDS,
    },
    Target { name: "state", summary: "a state as JSON", run: texts::state, words: texts::CHEXERS_WORDS },
    Target {
        name: "expression",
        summary: "a heuristic as an expression",
        run: texts::expression,
        words: texts::EXPRESSION_WORDS,
    },
    Target {
        name: "options",
        summary: "ranges, lists of heuristics and of algorithms",
        run: texts::options,
        words: texts::OPTION_WORDS,
    },
    Target { name: "sealed", summary: "a small file of ours", run: files::sealed, words: &[] },
    Target {
        name: "checkpoint",
        summary: "a checkpoint as it comes",
        run: resume::checkpoint,
        words: texts::CHEXERS_WORDS,
    },
    Target { name: "resume", summary: "a checkpoint whose checksums are right", run: resume::resume, words: &[] },
    Target { name: "table", summary: "a pattern database or an atlas on disk", run: files::table, words: &[] },
    Target {
        name: "atlas",
        summary: "an atlas whose checksums are right and whose distances are not",
        run: files::atlas,
        words: &[],
    },
    Target {
        name: "certificate",
        summary: "a certificate as it comes",
        run: files::certificate,
        words: texts::CHEXERS_WORDS,
    },
    Target { name: "proof", summary: "a certificate whose checksums are right", run: files::proof, words: &[] },
    Target { name: "http", summary: "a request to the server", run: server::request, words: server::WORDS },
];

/// The folder of the corpus.
pub fn corpus_folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus")
}

impl Target {
    /// The target of that name.
    pub fn named(name: &str) -> Option<&'static Target> {
        TARGETS.iter().find(|target| target.name == name)
    }

    /// Its inputs in the corpus, in the order of their names.
    ///
    /// # Panics
    /// If there are none: they are part of the repository.
    pub fn corpus(&self) -> Vec<Vec<u8>> {
        let folder = corpus_folder().join(self.name);
        let entries = fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
        let mut files: Vec<PathBuf> = entries.map(|entry| entry.expect("it can be listed").path()).collect();
        files.sort();
        files.iter().map(|file| fs::read(file).expect("it can be read")).collect()
    }
}
