//! The measures of a sweep, and quartiles of samples with lower bounds.

use serde_json::{Value, json};

use super::Sample;
use crate::chart::{Quartiles, number};
use crate::numbers::{bytes, grouped, seconds};
use crate::run::Run;

/// A measure of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Measure {
    /// States expanded.
    Expanded,
    /// Wall time.
    Seconds,
    /// Successors for each expanded state.
    Branching,
    /// The effective branching factor.
    EffectiveBranching,
    /// The cost of the solution.
    Depth,
    /// `(h* - h) / h*` at the start.
    RelativeError,
    /// The most successors of an expanded state.
    LargestBranching,
    /// The largest size of the open and closed lists.
    Memory,
    /// The expansions that the formula `b^(d (h* - h) / h*)` predicts.
    Predicted,
}

/// One value of a measure, perhaps censored.
pub(super) struct Observation {
    /// The value, or a lower bound of it.
    pub(super) at_least: f64,
    /// Whether it is the value.
    pub(super) exact: bool,
}

impl Measure {
    /// All measures.
    pub const ALL: [Measure; 9] = [
        Measure::Expanded,
        Measure::Seconds,
        Measure::Branching,
        Measure::EffectiveBranching,
        Measure::Depth,
        Measure::RelativeError,
        Measure::LargestBranching,
        Measure::Memory,
        Measure::Predicted,
    ];

    /// The name in text.
    pub fn title(self) -> &'static str {
        match self {
            Measure::Expanded => "expanded",
            Measure::Seconds => "time",
            Measure::Branching => "branching",
            Measure::EffectiveBranching => "b*",
            Measure::Depth => "depth",
            Measure::RelativeError => "relative error",
            Measure::LargestBranching => "largest branching",
            Measure::Memory => "memory",
            Measure::Predicted => "predicted",
        }
    }

    /// The definition, in half a sentence.
    pub fn words(self) -> &'static str {
        match self {
            Measure::Expanded => "states whose successors were produced",
            Measure::Seconds => "of a run",
            Measure::Branching => "successors for each expanded state",
            Measure::EffectiveBranching => "effective branching factor: generated = b* + b*^2 + ... + b*^depth",
            Measure::Depth => "cost of the solution",
            Measure::RelativeError => "(h* - h) / h* at the start, h* being the true distance",
            Measure::LargestBranching => "most successors of an expanded state",
            Measure::Memory => "largest size of the open and closed lists",
            Measure::Predicted => "expanded by the formula b^(d (h* - h) / h*), b being the branching and d the depth",
        }
    }

    /// The key in JSON.
    pub fn key(self) -> &'static str {
        match self {
            Measure::Seconds => "seconds",
            Measure::EffectiveBranching => "effective_branching",
            Measure::RelativeError => "relative_error",
            Measure::LargestBranching => "largest_branching",
            Measure::Memory => "peak_bytes",
            other => other.title(),
        }
    }

    /// Whether it measures work, so that a stopped run gives a lower bound.
    pub(super) fn is_work(self) -> bool {
        matches!(self, Measure::Expanded | Measure::Seconds | Measure::Memory)
    }

    pub(super) fn of(self, sample: &Sample, combination: usize, run: &Run) -> Option<Observation> {
        let exact = |value: f64| Observation { at_least: value, exact: true };
        match self {
            Measure::Expanded => Some(Observation { at_least: run.stats.expanded as f64, exact: !run.stopped() }),
            Measure::Seconds => Some(Observation { at_least: run.seconds, exact: !run.stopped() }),
            Measure::Branching => run.mean_branching().map(exact),
            Measure::EffectiveBranching => run.effective_branching().map(exact),
            Measure::Depth => run.cost().map(|cost| exact(cost.into())),
            Measure::RelativeError => sample.relative_error(combination).map(exact),
            Measure::LargestBranching => run.largest_branching.map(|most| exact(most.into())),
            Measure::Memory => Some(Observation { at_least: run.stats.peak_bytes as f64, exact: !run.stopped() }),
            Measure::Predicted => sample.predicted(combination).map(exact),
        }
    }

    /// A value in words.
    fn text(self, value: f64) -> String {
        match self {
            Measure::Expanded | Measure::Predicted if value.fract() != 0.0 && value < 1000.0 => format!("{value:.1}"),
            Measure::Predicted => number(value.round()),
            Measure::Memory => bytes(value.round() as u64),
            Measure::Expanded => grouped(value.round() as u64),
            Measure::Seconds => seconds(value),
            Measure::Depth | Measure::LargestBranching if value.fract() == 0.0 => format!("{value:.0}"),
            Measure::Depth | Measure::LargestBranching => format!("{value:.1}"),
            Measure::Branching | Measure::RelativeError => format!("{value:.2}"),
            Measure::EffectiveBranching => format!("{value:.3}"),
        }
    }
}

/// The figures of a measure at a point.
#[derive(Debug, Clone, Copy)]
pub struct Figures {
    /// The number of runs.
    pub runs: usize,
    /// The number of runs with a solution.
    pub solved: usize,
    /// The quartiles of the values; `None` without values.
    pub quartiles: Option<CensoredQuartiles>,
}

impl Figures {
    /// Median and quartiles in words.
    pub fn text(&self, measure: Measure) -> String {
        let Some(quartiles) = self.quartiles else { return "-".into() };
        let Quartiles { low, high, .. } = quartiles.values;
        format!("{} ({}..{})", quartiles.text(measure), measure.text(low), measure.text(high))
    }
}

/// Quartiles of a sample in which some values are only lower bounds (censored).
#[derive(Debug, Clone, Copy)]
pub struct CensoredQuartiles {
    /// Median and quartiles; lower bounds where they depend on censored values.
    pub values: Quartiles,
    /// Whether the median is only a lower bound.
    pub at_least: bool,
}

impl CensoredQuartiles {
    pub(super) fn of(values: &[Observation]) -> Option<Self> {
        let least: Vec<f64> = values.iter().map(|value| value.at_least).collect();
        // The median is exact if it stays the same with every censored value at its greatest.
        let most: Vec<f64> = values.iter().map(|value| if value.exact { value.at_least } else { f64::MAX }).collect();
        let values = Quartiles::of(&least)?;
        Some(CensoredQuartiles { values, at_least: Quartiles::of(&most)?.median != values.median })
    }

    /// The median in words.
    pub(super) fn text(&self, measure: Measure) -> String {
        let sign = if self.at_least { ">= " } else { "" };
        format!("{sign}{}", measure.text(self.values.median))
    }

    pub(super) fn json(self) -> Value {
        let Quartiles { low, median, high } = self.values;
        json!({ "lower_quartile": low, "median": median, "upper_quartile": high, "at_least": self.at_least })
    }
}
