//! The specification of a heuristic: its name, or an expression over the features of a puzzle.
//!
//! Every heuristic of a puzzle is also a feature, under its own name. An expression is not known to be admissible, so
//! no search with one guarantees an optimal solution; an audit can check it.

use crate::puzzle::{Card, Feature, Puzzle};
use admissible::{Erased, Estimate, Heuristic};

use crate::error::{ExpressionError, PlanError};
use crate::expression::Program;
use crate::registry::nearest;

/// A heuristic that the user specified.
#[derive(Debug, Clone)]
pub(crate) enum HeuristicSpec {
    /// A heuristic of the puzzle, perhaps with a variant after a colon.
    Named(String),
    /// An expression.
    Expression { text: String, program: Program },
}

impl HeuristicSpec {
    /// Looks up a name or parses an expression. An underscore may stand for the hyphen of a name.
    pub(crate) fn parse(card: &'static Card, text: &str) -> Result<Self, PlanError> {
        let text = text.trim();
        let names = || card.heuristics.iter().map(|card| card.name);
        let (name, variant) = text.split_once(':').map_or((text, None), |(name, variant)| (name, Some(variant)));
        if let Some(name) = names().find(|known| *known == name.replace('_', "-")) {
            return Ok(HeuristicSpec::Named(variant.map_or(name.into(), |variant| format!("{name}:{variant}"))));
        }
        let known: Vec<&'static str> = names().chain(card.features.iter().map(|card| card.name)).collect();
        match Program::parse(text, &known) {
            Ok(_) if is_difference_of_numbers(text) => Err(PlanError::Expression(likely_variant(text))),
            Ok(program) => Ok(HeuristicSpec::Expression { text: text.into(), program }),
            // A single unknown word is reported as an unknown heuristic.
            Err(error) if (error.line, error.column) == (1, 1) && is_word(text) => Err(PlanError::UnknownHeuristic {
                puzzle: card.name,
                name: text.into(),
                nearest: nearest(text, known.into_iter()),
            }),
            Err(error) => Err(PlanError::Expression(error)),
        }
    }

    /// The name, or the text of the expression.
    pub(crate) fn text(&self) -> &str {
        match self {
            HeuristicSpec::Named(name) => name,
            HeuristicSpec::Expression { text, .. } => text,
        }
    }

    /// Checks that an instance supports it; `lacks` is [`Puzzle::lacks`].
    ///
    /// # Errors
    /// If the instance does not support it, or a heuristic in the expression.
    pub(crate) fn fits(&self, lacks: &dyn Fn(&str) -> Option<String>) -> Result<(), PlanError> {
        let names = match self {
            HeuristicSpec::Named(name) => vec![name.as_str()],
            HeuristicSpec::Expression { program, .. } => program.features().to_vec(),
        };
        let lacking = names.into_iter().find_map(|name| Some((name, lacks(name)?)));
        lacking.map_or(Ok(()), |(name, why)| Err(PlanError::HeuristicLacks { name: name.into(), why }))
    }

    /// Builds the heuristic for an instance.
    ///
    /// # Errors
    /// If it does not [fit](HeuristicSpec::fits).
    pub(crate) fn on<P: Puzzle>(&self, puzzle: &P) -> Result<Erased<'static, P>, PlanError> {
        self.fits(&|name| puzzle.lacks(name))?;
        match self {
            HeuristicSpec::Named(name) => puzzle.heuristic(name).ok_or_else(|| PlanError::HeuristicLacks {
                name: name.clone(),
                why: "it leaves nothing to choose after a colon".into(),
            }),
            HeuristicSpec::Expression { program, .. } => {
                Ok(Erased::new(Box::new(ExpressionHeuristic::new(puzzle, program.clone()))))
            }
        }
    }
}

/// The fault of an expression that is more likely the variant of a heuristic without its name.
fn likely_variant(text: &str) -> ExpressionError {
    ExpressionError {
        text: text.into(),
        line: 1,
        column: 1,
        length: text.len(),
        message: "expected a heuristic or a feature, found a constant".into(),
        note: Some(format!("a variant follows the name of its heuristic and a colon, as in NAME:{text}")),
    }
}

/// Whether a text is like `6-6-6-6`, with neither features nor blanks.
fn is_difference_of_numbers(text: &str) -> bool {
    text.contains('-') && text.split('-').all(|part| !part.is_empty() && part.bytes().all(|c| c.is_ascii_digit()))
}

fn is_word(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_alphabetic())
        && text.chars().all(|c| c.is_ascii_alphanumeric() || "-_".contains(c))
}

/// An expression as a heuristic: its program and its features.
struct ExpressionHeuristic<P: Puzzle> {
    program: Program,
    features: Vec<Feature<P>>,
}

impl<P: Puzzle> ExpressionHeuristic<P> {
    fn new(puzzle: &P, program: Program) -> Self {
        let feature = |name: &&'static str| {
            let own = puzzle.feature(name).or_else(|| puzzle.heuristic(name).map(as_feature));
            own.expect("the puzzle has every feature of its card")
        };
        ExpressionHeuristic { features: program.features().iter().map(feature).collect(), program }
    }
}

/// The units per cost of an expression: a multiple of every number up to 10 and of 100, so that halves, thirds and
/// numbers with two decimals are exact.
const SCALE: u32 = 100_800;

impl<P: Puzzle> Heuristic<P> for ExpressionHeuristic<P> {
    type Eval = Estimate;

    #[inline]
    fn scale(&self) -> u32 {
        SCALE
    }

    #[inline]
    fn evaluate(&self, puzzle: &P, state: &P::State) -> Estimate {
        let mut values = [0.0; Program::MAX_FEATURES];
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

/// The allowance for rounding errors, in units: `0.1 * 3` is to count as 0.3.
const SLACK: f64 = 1.0 / 1024.0;

/// A value as an estimate, rounded down. Negative values and NaN become 0, infinity a dead end.
#[inline]
fn in_units(value: f64, scale: u32) -> Estimate {
    if value == f64::INFINITY {
        return Estimate::DEAD_END;
    }
    // The cast saturates, and turns NaN into 0.
    Estimate::new((value * f64::from(scale) + SLACK) as u32)
}

/// A heuristic as a feature.
fn as_feature<P: Puzzle>(heuristic: Erased<'static, P>) -> Feature<P> {
    Box::new(move |puzzle, state| {
        heuristic.evaluate(puzzle, state).in_costs(heuristic.scale()).unwrap_or(f64::INFINITY)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_converted_to_units() {
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
