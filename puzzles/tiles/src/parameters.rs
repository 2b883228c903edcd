//! The parameters of random boards and of explorations.

use admissible_front::{Parameter, ParameterKind, Setting};

use super::MOST_CELLS;

pub(super) const PARAMETERS: &[Parameter] = &[
    Parameter {
        name: "size",
        summary: "rows and columns",
        kind: ParameterKind::Size {
            least: (2, 2),
            cells: MOST_CELLS,
            too_small: "a board has at least 2 x 2 and at most 40 cells",
            too_large: "a board has at least 2 x 2 and at most 40 cells",
        },
        default: Some(Setting::Size(4, 4)),
        explored: Some(Setting::Size(3, 3)),
    },
    Parameter {
        name: "scramble",
        summary: "random moves from the goal, instead of a random board",
        kind: ParameterKind::Walk(u32::MAX as usize),
        default: None,
        explored: None,
    },
];
