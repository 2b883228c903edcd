//! A puzzle without a module for the page: die mazes under another name.

use admissible_die::DieMazes;
use admissible_front::puzzle::{Card, Family, ParameterError, ReadOptions, WithPuzzle};
use admissible_front::text::Faults;
use admissible_front::{Entry, Example, Of, Parameters, Registry};
use rand::Rng;

/// The maze in which one published heuristic overestimates.
const EXAMPLE: Example = Example::new("trap.txt", "trap", "G*..\n....\n....\n..S.\n");

struct OwnMazes;

impl Family for OwnMazes {
    const CARD: Card = Card { name: "own-mazes", examples: &[EXAMPLE], page: None, ..DieMazes::CARD };

    fn recognises(text: &str) -> bool {
        DieMazes::recognises(text)
    }

    fn open<V: WithPuzzle>(text: &str, options: &ReadOptions, visitor: V) -> Result<V::Out, Faults> {
        DieMazes::open(text, options, visitor)
    }

    fn generate(parameters: &Parameters, random: &mut dyn Rng) -> Result<String, ParameterError> {
        DieMazes::generate(parameters, random)
    }
}

fn own_mazes() -> &'static dyn Entry {
    &Of::<OwnMazes>::ROW
}

/// That puzzle, and one with a module.
pub(crate) const PUZZLES: Registry = Registry::new(&[own_mazes, admissible_tiles::entry]);
