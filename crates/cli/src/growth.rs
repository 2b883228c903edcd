//! How the iterations of a search grow, and what that says of those to come.
//!
//! Every iteration of IDA* is several times as large as the one before it, and the factor changes slowly. So the last two
//! whole ones tell about how large the one at hand will be, and those after it.

use admissible_front::Stats;

/// The iterations of a search so far: the bound of each, and what had been expanded before it began.
#[derive(Debug, Default)]
pub(crate) struct Growth(Vec<(u32, u64)>);

/// An iteration of fewer expansions says little.
const LEAST: u64 = 1000;

impl Growth {
    /// An iteration with that bound begins; a lower bound than before is another search.
    pub(crate) fn begin(&mut self, bound: u32, stats: &Stats) {
        if self.0.last().is_some_and(|&(last, _)| bound <= last) {
            self.0.clear();
        }
        self.0.push((bound, stats.expanded));
    }

    /// How much of the iteration at hand is done, between 0 and 1.
    pub(crate) fn done(&self, expanded: u64) -> Option<f64> {
        let (factor, last) = self.factor()?;
        let begin = self.0.last()?.1;
        // The factor varies, so an iteration is never said to be over before it is.
        Some(((expanded - begin) as f64 / (last * factor)).min(0.99))
    }

    /// The expansions still to come until the iteration with that bound ends, after such a share of it.
    pub(crate) fn left_until(&self, cost: u32, share: f64, expanded: u64) -> Option<f64> {
        let (factor, last) = self.factor()?;
        let &[.., (before, _), (bound, begin)] = &self.0[..] else { return None };
        let later = cost.saturating_sub(bound).div_ceil(bound - before) as i32;
        let whole: f64 = (1..=later).map(|number| last * factor.powi(number)).sum();
        Some((whole + share * last * factor.powi(1 + later) - (expanded - begin) as f64).max(0.0))
    }

    /// How many times as large as the one before the last whole iteration was, and how large that was.
    fn factor(&self) -> Option<(f64, f64)> {
        let &[.., (_, first), (_, second), (_, third)] = &self.0[..] else { return None };
        let (before, last) = (second - first, third - second);
        (before >= LEAST).then(|| (last as f64 / before as f64, last as f64))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn after(iterations: &[(u32, u64)]) -> Growth {
        let mut growth = Growth::default();
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
    fn little_is_said_after_little() {
        assert_eq!(after(&[]).done(5), None);
        assert_eq!(after(&[(40, 0), (42, 2_000)]).done(5_000), None);
        assert_eq!(after(&[(40, 0), (42, 10), (44, 100)]).left_until(44, 1.0, 200), None);
        // Another search begins.
        assert_eq!(after(&[(40, 0), (42, 2_000), (44, 12_000), (41, 0)]).done(100), None);
    }
}
