//! Extrapolates the sizes of IDA*'s iterations.
//!
//! Every iteration of IDA* is several times as large as the one before, and the factor changes slowly. So the last two
//! complete iterations predict the size of the current one and of those after it.

use admissible_front::Stats;

/// The iterations of a search so far: the bound of each, and the states expanded before it began.
#[derive(Debug, Default)]
pub(crate) struct IterationGrowth(pub(crate) Vec<(u32, u64)>);

/// Smaller iterations are ignored: their growth is not typical.
const MIN_EXPANSIONS: u64 = 1000;

impl IterationGrowth {
    /// Records the begin of an iteration; a bound that is not larger than the last begins another search.
    pub(crate) fn begin(&mut self, bound: u32, stats: &Stats) {
        if self.0.last().is_some_and(|&(last, _)| bound <= last) {
            self.0.clear();
        }
        self.0.push((bound, stats.expanded));
    }

    /// The estimated share of the current iteration that is done, between 0 and 1.
    pub(crate) fn done(&self, expanded: u64) -> Option<f64> {
        let (factor, last) = self.factor()?;
        let begin = self.0.last()?.1;
        // The factor varies, so the estimate stays below 1 until the iteration ends.
        Some(((expanded - begin) as f64 / (last * factor)).min(0.99))
    }

    /// The estimated expansions until `share` of the iteration with the bound `cost` is done.
    pub(crate) fn left_until(&self, cost: u32, share: f64, expanded: u64) -> Option<f64> {
        let (factor, last) = self.factor()?;
        let &[.., (before, _), (bound, begin)] = &self.0[..] else { return None };
        let later = cost.saturating_sub(bound).div_ceil(bound - before) as i32;
        let whole: f64 = (1..=later).map(|number| last * factor.powi(number)).sum();
        Some((whole + share * last * factor.powi(1 + later) - (expanded - begin) as f64).max(0.0))
    }

    /// The growth factor between the last two complete iterations, and the size of the last one.
    fn factor(&self) -> Option<(f64, f64)> {
        let &[.., (_, first), (_, second), (_, third)] = &self.0[..] else { return None };
        let (before, last) = (second - first, third - second);
        (before >= MIN_EXPANSIONS).then(|| (last as f64 / before as f64, last as f64))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn after(iterations: &[(u32, u64)]) -> IterationGrowth {
        let mut growth = IterationGrowth::default();
        for &(bound, expanded) in iterations {
            let mut stats = Stats::default();
            stats.expanded = expanded;
            growth.begin(bound, &stats);
        }
        growth
    }

    #[test]
    fn the_next_iteration_grows_as_the_last_did() {
        let growth = after(&[(40, 0), (42, 2_000), (44, 12_000)]);
        // 2,000, then 10,000, so 50,000 now and 250,000 in the next.
        assert_eq!(growth.done(37_000), Some(0.5));
        assert_eq!(growth.done(1_000_000), Some(0.99));
        assert_eq!(growth.left_until(44, 1.0, 37_000), Some(25_000.0));
        assert_eq!(growth.left_until(46, 1.0, 12_000), Some(300_000.0));
        assert_eq!(growth.left_until(46, 0.5, 12_000), Some(175_000.0));
        assert_eq!(growth.left_until(44, 0.5, 60_000), Some(0.0));
    }

    #[test]
    fn short_searches_give_no_estimate() {
        assert_eq!(after(&[]).done(5), None);
        assert_eq!(after(&[(40, 0), (42, 2_000)]).done(5_000), None);
        assert_eq!(after(&[(40, 0), (42, 10), (44, 100)]).left_until(44, 1.0, 200), None);
        // Another search begins.
        assert_eq!(after(&[(40, 0), (42, 2_000), (44, 12_000), (41, 0)]).done(100), None);
    }
}
