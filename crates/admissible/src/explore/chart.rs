//! States by number, and the numbers beside a number.

use std::ops::ControlFlow;

use crate::audit::{Census, Interrupted, Listed, WATCH_EVERY, Watcher};
use crate::backward::Backward;
use crate::space::StateSpace;

/// A [`Census`] that can be walked without a list of its states.
///
/// What is given here goes by way of the states. A census that knows how the number changes with a move says so itself,
/// which may be ten times as fast.
pub trait Chart<S: Backward>: Census<S> {
    /// Whether every move is taken back by a move. Then the distances of neighbours differ by at most 1, and two bits
    /// tell which of them is nearer.
    const REVERSIBLE: bool;

    /// Calls `visit` with the number of every goal.
    fn goals(&self, space: &S, mut visit: impl FnMut(usize)) {
        match space.goals() {
            Some(goals) => goals.iter().filter_map(|goal| self.number(space, goal)).for_each(visit),
            None => (0..self.size()).filter(|&number| space.is_goal(&self.state(space, number))).for_each(&mut visit),
        }
    }

    /// Calls `visit` with every number that has a move to this one.
    #[inline]
    fn before(&self, space: &S, number: usize, mut visit: impl FnMut(usize)) {
        space.predecessors(&self.state(space, number), |before, _| {
            if let Some(before) = self.number(space, &before) {
                visit(before);
            }
        });
    }

    /// Calls `visit` with every number that this one has a move to.
    #[inline]
    fn after(&self, space: &S, number: usize, mut visit: impl FnMut(usize)) {
        let mut state = self.state(space, number);
        for m in space.moves(&state) {
            let undo = space.apply(&mut state, m);
            if let Some(after) = self.number(space, &state) {
                visit(after);
            }
            space.undo(&mut state, m, undo);
        }
    }
}

impl<P, S> Chart<S> for Listed<P>
where
    P: Copy + Eq + std::hash::Hash + Sync,
    S: Backward + StateSpace<Packed = P>,
{
    /// Nothing is known of the space.
    const REVERSIBLE: bool = false;
}

/// How many states each connected part of a chart has, the largest first. Moves count in both directions.
///
/// # Errors
/// If the watcher stops it.
pub fn components<S: Backward, C: Chart<S>>(
    space: &S,
    chart: &C,
    watcher: &dyn Watcher,
) -> Result<Vec<u64>, Interrupted> {
    let mut seen = vec![false; chart.size()];
    let mut sizes = Vec::new();
    let mut open = Vec::new();
    let mut unwatched = 0;
    for first in 0..chart.size() {
        if std::mem::replace(&mut seen[first], true) {
            continue;
        }
        open.push(first);
        let mut size = 0;
        while let Some(number) = open.pop() {
            size += 1;
            unwatched += 1;
            if unwatched == WATCH_EVERY {
                unwatched = 0;
                if watcher.watch(WATCH_EVERY) == ControlFlow::Break(()) {
                    return Err(Interrupted);
                }
            }
            let mut meet = |beside: usize| {
                if !std::mem::replace(&mut seen[beside], true) {
                    open.push(beside);
                }
            };
            chart.before(space, number, &mut meet);
            if !C::REVERSIBLE {
                chart.after(space, number, &mut meet);
            }
        }
        sizes.push(size);
    }
    sort_largest_first(&mut sizes);
    Ok(sizes)
}

/// Apart, so that it is compiled once for all charts.
fn sort_largest_first(sizes: &mut [u64]) {
    sizes.sort_unstable_by_key(|&size| std::cmp::Reverse(size));
}
