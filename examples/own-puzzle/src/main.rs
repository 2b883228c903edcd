//! Every command of `admissible`, with a puzzle of one's own and one of those that ship with it.

use std::process::ExitCode;

use admissible_front::Registry;

fn main() -> ExitCode {
    admissible_cli::run(Registry::new(&[own_puzzle::entry, admissible_pancake::entry]))
}
