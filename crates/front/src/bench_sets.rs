//! Standard benchmark sets of the literature, with their optimal lengths.

use std::collections::HashMap;

/// A benchmark set.
#[derive(Debug)]
pub struct BenchSet {
    /// The name on the command line.
    pub name: &'static str,
    /// Its content and its source.
    pub summary: &'static str,
    /// The puzzle.
    pub puzzle: &'static str,
    /// The goal that its lengths refer to.
    pub goal: Option<&'static str>,
    /// One line per instance: number, optimal length, board.
    pub lines: &'static str,
    /// One line per instance: number, states that IDA* with Manhattan distance generates; empty if unknown.
    pub nodes: &'static str,
}

/// One instance of a set.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BenchInstance {
    /// Its number in the set.
    pub number: usize,
    /// The length of a shortest solution.
    pub cost: u32,
    /// The text of its file.
    pub text: String,
    /// The states that IDA* with Manhattan distance generates, if known.
    pub idastar_manhattan: Option<u64>,
}

impl BenchSet {
    /// Its instances in order.
    pub fn instances(&self) -> Vec<BenchInstance> {
        let nodes: HashMap<usize, u64> = data_lines(self.nodes)
            .map(|line| {
                let (number, nodes) = line.split_once(' ').expect("a number and a count");
                (number.parse().expect("the number comes first"), nodes.parse().expect("then the count"))
            })
            .collect();
        let instance = |line: &str| {
            let mut words = line.splitn(3, ' ');
            let mut word = || words.next().expect("a line has a number, a length and a board");
            let number = word().parse().expect("the number comes first");
            BenchInstance {
                number,
                cost: word().parse().expect("then the length"),
                text: format!("{}\n", word()),
                idastar_manhattan: nodes.get(&number).copied(),
            }
        };
        data_lines(self.lines).map(instance).collect()
    }
}

/// The lines that are neither empty nor comments.
fn data_lines(text: &'static str) -> impl Iterator<Item = &'static str> {
    text.lines().filter(|line| !line.starts_with('#') && !line.is_empty())
}
