//! What is measured, and the middle of many such values.

use serde_json::{Value, json};

use super::Sample;
use crate::chart::Quartiles;
use crate::numbers::{grouped, seconds};
use crate::run::Run;

/// What is measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Measure {
    /// States expanded.
    Expanded,
    /// Time.
    Seconds,
    /// Successors for each expanded state.
    Branching,
    /// The effective branching factor.
    EffectiveBranching,
    /// The cost of the solution.
    Depth,
    /// `(h* - h) / h*` at the start.
    RelativeError,
}

/// One value of a measure.
pub(super) struct Taken {
    /// It is this, or more.
    pub(super) at_least: f64,
    /// It is this.
    pub(super) exact: bool,
}

impl Measure {
    /// All of them.
    pub const ALL: [Measure; 6] = [
        Measure::Expanded,
        Measure::Seconds,
        Measure::Branching,
        Measure::EffectiveBranching,
        Measure::Depth,
        Measure::RelativeError,
    ];

    /// Its name for people.
    pub fn title(self) -> &'static str {
        match self {
            Measure::Expanded => "expanded",
            Measure::Seconds => "time",
            Measure::Branching => "branching",
            Measure::EffectiveBranching => "b*",
            Measure::Depth => "depth",
            Measure::RelativeError => "relative error",
        }
    }

    /// What it is, in half a sentence.
    pub fn words(self) -> &'static str {
        match self {
            Measure::Expanded => "states whose successors were produced",
            Measure::Seconds => "of a run",
            Measure::Branching => "successors for each expanded state",
            Measure::EffectiveBranching => "effective branching factor: generated = b* + b*^2 + ... + b*^depth",
            Measure::Depth => "cost of the solution",
            Measure::RelativeError => "(h* - h) / h* at the start, h* being the true distance",
        }
    }

    /// Its name for machines.
    pub fn key(self) -> &'static str {
        match self {
            Measure::Seconds => "seconds",
            Measure::EffectiveBranching => "effective_branching",
            Measure::RelativeError => "relative_error",
            other => other.title(),
        }
    }

    /// Whether it is something that a stopped run would have had more of.
    pub(super) fn is_work(self) -> bool {
        matches!(self, Measure::Expanded | Measure::Seconds)
    }

    pub(super) fn of(self, sample: &Sample, combination: usize, run: &Run) -> Option<Taken> {
        let exact = |value: f64| Taken { at_least: value, exact: true };
        match self {
            Measure::Expanded => Some(Taken { at_least: run.stats.expanded as f64, exact: !run.stopped() }),
            Measure::Seconds => Some(Taken { at_least: run.seconds, exact: !run.stopped() }),
            Measure::Branching => run.mean_branching().map(exact),
            Measure::EffectiveBranching => run.effective_branching().map(exact),
            Measure::Depth => run.cost().map(|cost| exact(cost.into())),
            Measure::RelativeError => sample.relative_error(combination).map(exact),
        }
    }

    /// A value in words.
    fn text(self, value: f64) -> String {
        match self {
            Measure::Expanded if value.fract() != 0.0 && value < 1000.0 => format!("{value:.1}"),
            Measure::Expanded => grouped(value.round() as u64),
            Measure::Seconds => seconds(value),
            Measure::Depth if value.fract() == 0.0 => format!("{value:.0}"),
            Measure::Depth => format!("{value:.1}"),
            Measure::Branching | Measure::RelativeError => format!("{value:.2}"),
            Measure::EffectiveBranching => format!("{value:.3}"),
        }
    }
}

/// What came of a measure at a point.
#[derive(Debug, Clone, Copy)]
pub struct Figures {
    /// Runs.
    pub runs: usize,
    /// Those with a solution.
    pub solved: usize,
    /// The middle of the values; `None` if there are none.
    pub middle: Option<Middle>,
}

impl Figures {
    /// Median and quartiles in words.
    pub fn text(&self, measure: Measure) -> String {
        let Some(middle) = self.middle else { return "-".into() };
        let Quartiles { low, high, .. } = middle.quartiles;
        format!("{} ({}..{})", middle.text(measure), measure.text(low), measure.text(high))
    }
}

/// The middle of many values.
#[derive(Debug, Clone, Copy)]
pub struct Middle {
    /// Median and quartiles; lower bounds where they rest on values that are.
    pub quartiles: Quartiles,
    /// Whether the median is only a lower bound.
    pub at_least: bool,
}

impl Middle {
    pub(super) fn of(values: &[Taken]) -> Option<Self> {
        let least: Vec<f64> = values.iter().map(|value| value.at_least).collect();
        // What is not known may be anything up to the end of the world: a median that stays the same is exact.
        let most: Vec<f64> = values.iter().map(|value| if value.exact { value.at_least } else { f64::MAX }).collect();
        let quartiles = Quartiles::of(&least)?;
        Some(Middle { quartiles, at_least: Quartiles::of(&most)?.median != quartiles.median })
    }

    /// The median in words.
    pub(super) fn text(&self, measure: Measure) -> String {
        let sign = if self.at_least { ">= " } else { "" };
        format!("{sign}{}", measure.text(self.quartiles.median))
    }

    pub(super) fn json(self) -> Value {
        let Quartiles { low, median, high } = self.quartiles;
        json!({ "lower_quartile": low, "median": median, "upper_quartile": high, "at_least": self.at_least })
    }
}
