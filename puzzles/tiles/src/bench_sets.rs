//! Korf's instances, the field's standard benchmarks.

use admissible_front::BenchSet;

pub(crate) const KORF: &[BenchSet] = &[
    BenchSet {
        name: "korf100",
        summary: "Korf's 100 random 15-puzzles (1985)",
        puzzle: "tiles",
        goal: Some("blank-first"),
        lines: include_str!("../instances/korf100.txt"),
        nodes: include_str!("../instances/korf100_nodes.txt"),
    },
    BenchSet {
        name: "korf50",
        summary: "Korf and Felner's 50 random 24-puzzles (2002); most take minutes to hours",
        puzzle: "tiles",
        goal: Some("blank-first"),
        lines: include_str!("../instances/korf50.txt"),
        nodes: "",
    },
];
