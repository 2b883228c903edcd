//! The parameters of random boards and of explorations.

use std::borrow::Cow;

use admissible_front::{Parameter, ParameterKind, Setting};

use super::hex::{Colour, Hexes};

pub(super) const PARAMETERS: &[Parameter] = &[
    Parameter::count("pieces", "the number of pieces", 1..=HEXES, "a piece", [4, 4]),
    Parameter {
        name: "blocks",
        summary: "the number of blocks",
        kind: ParameterKind::Count { range: 0..=HEXES - 1, unit: "a block" },
        default: Some(Setting::Count(6)),
        explored: None,
    },
    Parameter {
        name: "clustering",
        summary: "the percentage of blocks next to another block",
        kind: ParameterKind::Count { range: 0..=100, unit: "a percent" },
        default: None,
        explored: None,
    },
    Parameter {
        name: "distance",
        summary: "the sum of relaxed-jumps at the start",
        kind: ParameterKind::Count { range: 1..=MOST_ACTIONS, unit: "an action" },
        default: None,
        explored: None,
    },
    Parameter {
        name: "colour",
        summary: "the colour",
        kind: ParameterKind::Word(&Colour::NAMES),
        default: Some(RED),
        explored: Some(RED),
    },
];

/// No sum of shortest paths is longer.
const MOST_ACTIONS: usize = HEXES * HEXES;
const HEXES: usize = Hexes::BOARD.len() as usize;
const RED: Setting = Setting::Word(Cow::Borrowed(Colour::NAMES[Colour::Red as usize]));
