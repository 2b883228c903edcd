//! Heuristics by their name, or as an expression over the features of a puzzle.
//!
//! Every heuristic of a puzzle is a feature too, under its own name. Nothing is vouched for in an expression, so no
//! search says `optimal` because of one; an audit tells what it is worth.

use crate::puzzle::{Card, Feature, Puzzle};
use admissible::{Erased, Estimate, Heuristic};

use crate::error::PlanError;
use crate::expression::Program;
use crate::registry::nearest;

/// A heuristic that was asked for.
#[derive(Debug, Clone)]
pub(crate) enum Named {
    /// One of the puzzle's own, perhaps with a choice after a colon.
    Own(String),
    /// An expression, as it was written.
    Written { text: String, program: Program },
}

impl Named {
    /// Looks up a name or reads an expression. An underscore may stand for the hyphen of a name.
    pub(crate) fn parse(card: &'static Card, text: &str) -> Result<Self, PlanError> {
        let text = text.trim();
        let names = || card.heuristics.iter().map(|card| card.name);
        let (name, choice) = text.split_once(':').map_or((text, None), |(name, choice)| (name, Some(choice)));
        if let Some(name) = names().find(|known| *known == name.replace('_', "-")) {
            return Ok(Named::Own(choice.map_or(name.into(), |choice| format!("{name}:{choice}"))));
        }
        let known: Vec<&'static str> = names().chain(card.features.iter().map(|card| card.name)).collect();
        match Program::parse(text, &known) {
            Ok(program) => Ok(Named::Written { text: text.into(), program }),
            // One word that is nothing at all is a name.
            Err(error) if (error.line, error.column) == (1, 1) && is_word(text) => Err(PlanError::UnknownHeuristic {
                puzzle: card.name,
                name: text.into(),
                nearest: nearest(text, known.into_iter()),
            }),
            Err(error) => Err(PlanError::Expression(error)),
        }
    }

    /// The name, or the expression.
    pub(crate) fn text(&self) -> &str {
        match self {
            Named::Own(name) => name,
            Named::Written { text, .. } => text,
        }
    }

    /// Whether it serves an instance; `lacks` is [`Puzzle::lacks`].
    ///
    /// # Errors
    /// If the instance lacks it, or a heuristic that the expression asks for.
    pub(crate) fn fits(&self, lacks: &dyn Fn(&str) -> Option<String>) -> Result<(), PlanError> {
        let names = match self {
            Named::Own(name) => vec![name.as_str()],
            Named::Written { program, .. } => program.features().to_vec(),
        };
        let lacking = names.into_iter().find_map(|name| Some((name, lacks(name)?)));
        lacking.map_or(Ok(()), |(name, why)| Err(PlanError::HeuristicLacks { name: name.into(), why }))
    }

    /// The heuristic on an instance.
    ///
    /// # Errors
    /// If it does not [fit](Named::fits).
    pub(crate) fn on<P: Puzzle>(&self, puzzle: &P) -> Result<Erased<'static, P>, PlanError> {
        self.fits(&|name| puzzle.lacks(name))?;
        match self {
            Named::Own(name) => puzzle.heuristic(name).ok_or_else(|| PlanError::HeuristicLacks {
                name: name.clone(),
                why: "it leaves nothing to choose after a colon".into(),
            }),
            Named::Written { program, .. } => Ok(Erased::new(Box::new(Expression::new(puzzle, program.clone())))),
        }
    }
}

fn is_word(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_alphabetic())
        && text.chars().all(|c| c.is_ascii_alphanumeric() || "-_".contains(c))
}

/// An expression with the features that it asks for.
struct Expression<P: Puzzle> {
    program: Program,
    features: Vec<Feature<P>>,
}

impl<P: Puzzle> Expression<P> {
    fn new(puzzle: &P, program: Program) -> Self {
        let feature = |name: &&'static str| {
            let own = puzzle.feature(name).or_else(|| puzzle.heuristic(name).map(as_feature));
            own.expect("the puzzle has what its card says")
        };
        Expression { features: program.features().iter().map(feature).collect(), program }
    }
}

/// The units of an expression: a multiple of every number up to 10, and of 100, so that halves, thirds and what has two
/// decimals are exact.
const SCALE: u32 = 100_800;

impl<P: Puzzle> Heuristic<P> for Expression<P> {
    type Eval = Estimate;

    #[inline]
    fn scale(&self) -> u32 {
        SCALE
    }

    #[inline]
    fn evaluate(&self, puzzle: &P, state: &P::State) -> Estimate {
        let mut values = [0.0; Program::MOST_FEATURES];
        for (value, feature) in values.iter_mut().zip(&self.features) {
            *value = feature(puzzle, state);
        }
        in_units(self.program.run(&values), SCALE)
    }

    #[inline]
    fn estimate(&self, eval: Estimate) -> Estimate {
        eval
    }
}

/// Fractions of a unit that are laid to the account of floating-point numbers: `0.1 * 3` is not less than 0.3.
const SLACK: f64 = 1.0 / 1024.0;

/// An estimate, rounded down. What is less than 0, or no number, is 0; infinity is a dead end.
#[inline]
fn in_units(value: f64, scale: u32) -> Estimate {
    if value == f64::INFINITY {
        return Estimate::DEAD_END;
    }
    // The conversion makes 0 of what is below it and of what is no number, and the greatest of what is above that.
    Estimate::new((value * f64::from(scale) + SLACK) as u32)
}

/// Makes a feature of a heuristic.
fn as_feature<P: Puzzle>(heuristic: Erased<'static, P>) -> Feature<P> {
    Box::new(move |puzzle, state| {
        heuristic.evaluate(puzzle, state).in_costs(heuristic.scale()).unwrap_or(f64::INFINITY)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_become_units() {
        let units = |value: f64| in_units(value, 100_800).units();
        for whole in [0_u32, 1, 7, 31, 40_000] {
            assert_eq!(units(whole.into()), Some(whole * 100_800));
        }
        assert_eq!(units(0.1 + 0.2), Some(30_240), "a little more than 0.3 as it is computed");
        assert_eq!(units(4.35 * 100.0), Some(435 * 100_800), "a little less than 435 as it is computed");
        assert_eq!([2.0, 3.0, 7.0, 100.0].map(|part| units(1.0 / part)), [50_400, 33_600, 14_400, 1_008].map(Some));
        assert_eq!(units(1.0 / 11.0), Some(9163), "rounded down");
        for nothing in [0.0, -0.0, -0.5, -1e300, f64::NAN, f64::NEG_INFINITY] {
            assert_eq!(units(nothing), Some(0), "{nothing}");
        }
        for much in [43_000.0, 1e20, f64::MAX] {
            assert_eq!(units(much), Estimate::MAX.units(), "{much}");
        }
        assert_eq!(units(f64::INFINITY), None);
    }
}
