//! The parameters of random mazes.

use admissible_front::{Parameter, ParameterKind, Setting};

pub(super) const PARAMETERS: &[Parameter] = &[
    Parameter {
        name: "size",
        summary: "rows and columns",
        kind: ParameterKind::Size {
            least: (1, 2),
            // Larger mazes take minutes to generate and solve.
            cells: 25_000_000,
            too_small: "a maze needs at least two cells",
            too_large: "a random maze has at most 25000000 cells",
        },
        default: Some(Setting::Size(10, 10)),
        explored: None,
    },
    Parameter {
        name: "density",
        summary: "the density of obstacles",
        kind: ParameterKind::Share(0.0..1.0),
        default: Some(Setting::Share(0.2)),
        explored: None,
    },
];
