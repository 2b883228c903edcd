//! The program with every puzzle that ships with it.

use std::process::ExitCode;

fn main() -> ExitCode {
    admissible_cli::run(admissible_puzzles::PUZZLES)
}
