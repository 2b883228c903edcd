//! The native part of the Python package `admissible-search`.
//!
//! States of a Python problem are interned once (`states`), every callback is called once a state (`graph`), and
//! audits and searches then run on the explicit graph without Python. The package in `package/admissible_search` has
//! everything that users see.

mod arrow;
mod audit;
mod distances;
mod graph;
mod native;
mod problem;
mod puzzle;
mod real;
mod sample;
mod search;
mod space;
mod states;
mod value;
mod watch;

use pyo3::prelude::*;

/// The extension module.
#[pymodule]
mod _native {
    #[pymodule_export]
    use crate::arrow::arrow_stream;
    #[pymodule_export]
    use crate::native::PyGraph;
    #[pymodule_export]
    use crate::problem::Node;
    #[pymodule_export]
    use crate::puzzle::{PyPuzzle, generate, puzzle_cards, run_program};

    #[pymodule_export]
    #[expect(non_upper_case_globals, reason = "Python's name")]
    const __version__: &str = env!("CARGO_PKG_VERSION");
}
