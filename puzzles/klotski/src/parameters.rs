//! The parameters of random boards.

use admissible_front::{Parameter, ParameterKind, Setting};

use super::{Planes as _, TwoWords};

pub(super) const PARAMETERS: &[Parameter] = &[
    Parameter {
        name: "size",
        summary: "rows and columns",
        kind: ParameterKind::Size {
            least: (2, 2),
            cells: TwoWords::MOST_CELLS,
            too_small: "a board needs at least two rows and two columns",
            too_large: "a board has at most 42 cells",
        },
        default: Some(Setting::Size(5, 4)),
        explored: None,
    },
    Parameter {
        name: "empties",
        summary: "the number of empty cells",
        // All but the four of the 2x2 piece.
        kind: ParameterKind::Count { range: 0..=TwoWords::MOST_CELLS - 4, unit: "an empty cell" },
        default: Some(Setting::Count(2)),
        explored: None,
    },
];
