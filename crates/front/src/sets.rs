//! Sets of instances that the field measures itself by, with their optimal lengths.

use std::collections::HashMap;

/// A set of instances.
#[derive(Debug)]
pub struct BenchSet {
    /// The name on the command line.
    pub name: &'static str,
    /// What it is and where it comes from.
    pub summary: &'static str,
    /// The puzzle.
    pub puzzle: &'static str,
    /// The goal that its lengths refer to.
    pub goal: Option<&'static str>,
    /// A line each: number, optimal length, board.
    pub lines: &'static str,
    /// A line each: number, and the states that idastar with manhattan generates; empty where nobody has counted.
    pub nodes: &'static str,
}

/// One instance of a set.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BenchInstance {
    /// Its number in the set.
    pub number: usize,
    /// The length of a shortest solution.
    pub cost: u32,
    /// The board as a file has it.
    pub text: String,
    /// The states that IDA* with manhattan generates, where that is known.
    pub idastar_manhattan: Option<u64>,
}

impl BenchSet {
    /// Its instances in order.
    pub fn instances(&self) -> Vec<BenchInstance> {
        let nodes: HashMap<usize, u64> = facts(self.nodes)
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
        facts(self.lines).map(instance).collect()
    }
}

/// The lines that are no comments.
fn facts(text: &'static str) -> impl Iterator<Item = &'static str> {
    text.lines().filter(|line| !line.starts_with('#') && !line.is_empty())
}
