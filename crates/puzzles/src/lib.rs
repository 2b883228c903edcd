//! Every puzzle that ships with the program: one line each.
#![forbid(unsafe_code)]

use admissible_front::Registry;

/// The puzzles, in the order in which `list` shows them.
pub const PUZZLES: Registry = Registry::new(&[
    admissible_die::entry,
    admissible_tiles::entry,
    admissible_klotski::entry,
    admissible_chexers::entry,
    admissible_pancake::entry,
]);
