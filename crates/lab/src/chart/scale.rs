//! Axis scales, and numbers as text.

use crate::numbers::grouped;

/// If a bar would be shorter than this part of the axis, the axis becomes logarithmic.
const TOO_SHORT: f64 = 1.0 / 50.0;

/// The distance between 0 and the first power of ten on a logarithmic axis, in decades. Zero is on the axis because
/// runs that expand nothing are common.
const ZERO_GAP: f64 = 0.4;

/// The least exponent of a logarithmic axis; smaller values lie between 0 and the first decade.
const SMALLEST_EXPONENT: f64 = -12.0;

/// Larger numbers are drawn as this one, so that differences do not overflow.
const LARGEST: f64 = 1e300;

/// A mapping from values to positions on an axis.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Scale {
    /// Ticks at every multiple of `step` between the ends, which are multiples themselves.
    Linear { low: f64, high: f64, step: f64 },
    /// 0, then after a gap the decades from `bottom` to `top`, which are decimal logarithms.
    Logarithmic { bottom: f64, top: f64 },
}

impl Scale {
    /// The scale that makes all these values readable.
    pub(crate) fn of(values: impl IntoIterator<Item = f64>) -> Scale {
        let values: Vec<f64> = values.into_iter().filter(|value| value.is_finite()).collect();
        let high = values.iter().copied().fold(0.0, f64::max).min(LARGEST);
        let low = values.iter().copied().fold(0.0, f64::min).max(-LARGEST);
        let least = values.iter().copied().filter(|&value| value > 0.0).fold(f64::INFINITY, f64::min);
        if low >= 0.0 && least < high * TOO_SHORT {
            let bottom = least.log10().floor().max(SMALLEST_EXPONENT);
            return Scale::Logarithmic { bottom, top: high.log10().max(bottom + 1.0) };
        }
        Scale::linear(low, high, values.iter().all(|value| value.fract() == 0.0))
    }

    /// A linear scale from `low` to `high` or a little beyond, with ticks at whole numbers if it is `whole`.
    pub(crate) fn linear(low: f64, high: f64, whole: bool) -> Scale {
        let high = if high > low { high } else { low + 1.0 };
        let step = nice((high - low) / 5.0).max(if whole { 1.0 } else { 0.0 });
        Scale::Linear { low: (low / step).floor() * step, high: (high / step).ceil() * step, step }
    }

    /// The position of a value: 0 at the beginning of the axis, 1 at its end.
    pub(crate) fn place(self, value: f64) -> f64 {
        let place = match self {
            Scale::Linear { low, high, .. } => (value - low) / (high - low),
            Scale::Logarithmic { bottom, top } => {
                let first = 10f64.powf(bottom);
                let decades = if value < first { value / first * ZERO_GAP } else { ZERO_GAP + value.log10() - bottom };
                decades / (ZERO_GAP + top - bottom)
            }
        };
        place.clamp(0.0, 1.0)
    }

    /// The values to label, in rising order.
    pub(crate) fn ticks(self) -> Vec<f64> {
        match self {
            Scale::Linear { low, high, step } => {
                let first = (low / step).round();
                let last = (high / step).round();
                (0..=(last - first) as u32).map(|i| (first + f64::from(i)) * step).collect()
            }
            Scale::Logarithmic { bottom, top } => {
                let decades = top - bottom;
                let between: &[f64] = if decades < 3.0 { &[1.0, 2.0, 5.0] } else { &[1.0] };
                let every = (decades / 8.0).ceil().max(1.0) as usize;
                let powers = (bottom as i32..=top.floor() as i32).step_by(every);
                let labelled = powers.flat_map(|power| between.iter().map(move |digit| digit * 10f64.powi(power)));
                std::iter::once(0.0).chain(labelled.filter(|tick| tick.log10() <= top + 1e-9)).collect()
            }
        }
    }

    /// The label of the axis, with a note if it is logarithmic.
    pub(crate) fn label(self, label: &str) -> String {
        match self {
            Scale::Linear { .. } => label.to_string(),
            Scale::Logarithmic { .. } if label.is_empty() => "logarithmic scale".to_string(),
            Scale::Logarithmic { .. } => format!("{label} (logarithmic scale)"),
        }
    }
}

/// The smallest of 1, 2 and 5 times a power of ten that is at least as large as `step`.
pub(crate) fn nice(step: f64) -> f64 {
    let power = 10f64.powf(step.log10().floor());
    let digit = [1.0, 2.0, 5.0].into_iter().find(|digit| digit * power >= step * (1.0 - 1e-9)).unwrap_or(10.0);
    digit * power
}

/// A number as text: thousands separators for whole numbers, three significant digits for others, and scientific
/// notation for very large and very small ones.
///
/// ```
/// use admissible_lab::chart::number;
/// assert_eq!(number(276_361_933.0), "276,361,933");
/// assert_eq!(number(0.012345), "0.0123");
/// assert_eq!(number(3.5e20), "3.5e20");
/// ```
pub fn number(value: f64) -> String {
    let size = value.abs();
    if !value.is_finite() {
        return "?".to_string();
    }
    if size >= 1e12 || (size > 0.0 && size < 1e-4) {
        let text = format!("{value:.2e}");
        let (digits, exponent) = text.split_once('e').expect("scientific notation has an exponent");
        return format!("{}e{exponent}", without_zeros(digits));
    }
    if value.fract() == 0.0 || size >= 100.0 {
        let sign = if value.round() < 0.0 { "\u{2212}" } else { "" };
        return sign.to_string() + &grouped(size.round() as u64);
    }
    let decimals = (2.0 - size.log10().floor()) as usize;
    without_zeros(&format!("{value:.decimals$}")).to_string()
}

/// Like [`number`], but at most five characters or so: millions and more are rounded to three digits.
pub(crate) fn compact(value: f64) -> String {
    let size = value.abs();
    let units = [(1e12, ""), (1e9, "G"), (1e6, "M")];
    match units.into_iter().find(|&(unit, _)| size >= unit) {
        Some((unit, suffix)) if !suffix.is_empty() => format!("{}{suffix}", number(value / unit)),
        _ => number(value),
    }
}

fn without_zeros(decimal: &str) -> &str {
    if decimal.contains('.') { decimal.trim_end_matches('0').trim_end_matches('.') } else { decimal }
}

#[cfg(test)]
mod tests {
    use super::*;

    impl Scale {
        fn is_logarithmic(self) -> bool {
            matches!(self, Scale::Logarithmic { .. })
        }
    }

    #[test]
    fn an_axis_is_logarithmic_only_where_a_bar_would_vanish() {
        assert!(!Scale::of([20.0, 1000.0]).is_logarithmic());
        assert!(Scale::of([19.9, 1000.0]).is_logarithmic());
        assert!(!Scale::of([0.0, 1000.0]).is_logarithmic(), "zero has no height on either scale");
        assert!(Scale::of([0.0, 1.0, 1000.0]).is_logarithmic());
        assert!(!Scale::of([-1.0, 1.0, 1000.0]).is_logarithmic(), "negative numbers have no logarithm");
        assert!(!Scale::of([]).is_logarithmic());
        assert!(!Scale::of([f64::NAN, f64::INFINITY, 3.0]).is_logarithmic());
    }

    #[test]
    fn places_rise_with_the_values_and_stay_on_the_axis() {
        for values in [
            vec![],
            vec![0.0],
            vec![5.0; 3],
            vec![-7.5, 3.25],
            vec![1.0, 1e18],
            vec![0.0, 1e-9, 3.0],
            vec![1e-300, 1e300],
            vec![f64::MAX, -f64::MAX],
            vec![0.00031, 0.0007],
            vec![1.0, 99.0, 100.0],
        ] {
            let scale = Scale::of(values.iter().copied());
            let mut sorted = values.clone();
            sorted.sort_by(f64::total_cmp);
            let places: Vec<f64> = sorted.iter().map(|&value| scale.place(value)).collect();
            assert!(places.iter().all(|place| (0.0..=1.0).contains(place)), "{values:?}: {places:?}");
            assert!(places.is_sorted(), "{values:?}: {places:?}");
            let ticks = scale.ticks();
            assert!((2..=12).contains(&ticks.len()), "{values:?}: {ticks:?}");
            let labels: Vec<String> = ticks.iter().map(|&tick| number(tick)).collect();
            assert!(labels.windows(2).all(|pair| pair[0] != pair[1]), "{values:?}: {labels:?}");
            assert!(ticks.is_sorted(), "{values:?}: {ticks:?}");
        }
    }

    #[test]
    fn decades_are_equally_far_apart() {
        let scale = Scale::of([1.0, 100_000.0]);
        let steps: Vec<f64> =
            (0..5).map(|power| scale.place(10f64.powi(power + 1)) - scale.place(10f64.powi(power))).collect();
        assert!(steps.iter().all(|step| (step - steps[0]).abs() < 1e-9), "{steps:?}");
        assert_eq!(scale.place(0.0), 0.0);
        assert_eq!(scale.place(100_000.0), 1.0);
    }

    #[test]
    fn counts_have_whole_ticks() {
        assert_eq!(Scale::of([1.0, 2.0]).ticks(), [0.0, 1.0, 2.0]);
        assert_eq!(Scale::of([40.0, 128.0]).ticks(), [0.0, 50.0, 100.0, 150.0]);
    }

    #[test]
    fn numbers_for_people() {
        let cases = [
            (0.0, "0"),
            (-4.0, "\u{2212}4"),
            (999.0, "999"),
            (1000.0, "1,000"),
            (29_334_498.0, "29,334,498"),
            (1234.56, "1,235"),
            (12.345, "12.3"),
            (1.5, "1.5"),
            (0.25, "0.25"),
            (0.000_02, "2e-5"),
            (1e12, "1e12"),
            (f64::NAN, "?"),
        ];
        for (value, text) in cases {
            assert_eq!(number(value), text);
        }
        assert_eq!(compact(999_999.0), "999,999");
        assert_eq!(compact(29_334_498.0), "29.3M");
        assert_eq!(compact(276_361_933.0), "276M");
        assert_eq!(compact(3e9), "3G");
    }
}
