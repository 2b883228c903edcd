//! The errors of an exploration.

use admissible::audit::Interrupted;
use admissible::search::Stop;
use admissible_files::FileError;
use thiserror::Error;

use crate::scope::ScopeError;

/// Why an exploration has no result.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ExploreError {
    /// The scope does not exist or does not fit.
    #[error(transparent)]
    Scope(ScopeError),
    /// The options of the plan do not fit together or do not fit the puzzle.
    #[error("{0}")]
    Plan(String),
    /// It does not fit into memory.
    #[error("{title}: {}", too_large(*states, *bytes, *most, *exact))]
    TooLarge {
        /// The scope, in words.
        title: String,
        /// The number of states, or a lower bound on it.
        states: u128,
        /// The bytes of the whole exploration, or of its next step.
        bytes: u128,
        /// The limit on bytes.
        most: u64,
        /// Whether the numbers are exact, or lower bounds.
        exact: bool,
    },
    /// An atlas could not be stored.
    #[error(transparent)]
    Store(FileError),
    /// The observer stopped it.
    #[error("interrupted")]
    Interrupted,
    /// A cluster was stopped.
    #[error("stopped {} after {} states, {whole} depths complete", why.phrase(), count_shown((*states).into()))]
    Stopped {
        /// Why.
        why: Stop,
        /// The number of complete depths.
        whole: usize,
        /// The number of states found.
        states: u64,
    },
}

impl From<Interrupted> for ExploreError {
    fn from(_: Interrupted) -> Self {
        ExploreError::Interrupted
    }
}

fn too_large(states: u128, bytes: u128, most: u64, exact: bool) -> String {
    let (states, [bytes, most]) = (count_shown(states), [bytes, most.into()].map(bytes_shown));
    if exact {
        format!("{states} states would take {bytes} of memory, and {most} is the limit")
    } else {
        format!("more than {states} states; to go on would take {bytes}, and {most} is the limit")
    }
}

/// A number in groups of three digits, or in scientific notation if it is very large.
pub(crate) fn count_shown(number: u128) -> String {
    match number {
        u128::MAX => "more than 10^38".into(),
        _ if number >= 10_u128.pow(18) => format!("{:.1e}", number as f64),
        _ => {
            let digits = number.to_string();
            let groups = digits.as_bytes().rchunks(3).rev().map(String::from_utf8_lossy);
            groups.collect::<Vec<_>>().join(",")
        }
    }
}

/// A size in bytes with a unit, or in scientific notation if it is very large.
fn bytes_shown(number: u128) -> String {
    let units = [(1_u128 << 50, "PiB"), (1 << 40, "TiB"), (1 << 30, "GiB"), (1 << 20, "MiB"), (1 << 10, "KiB")];
    match units.iter().find(|(size, _)| number >= *size) {
        Some(_) if number >= 10_u128.pow(18) => format!("{:.1e} bytes", number as f64),
        Some((size, unit)) => format!("{:.1} {unit}", number as f64 / *size as f64),
        None => format!("{number} bytes"),
    }
}
