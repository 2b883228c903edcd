//! The connected components of a space.

use std::ops::ControlFlow;

use crate::audit::{Interrupted, WATCH_EVERY, Watcher};
use crate::backward::Backward;
use crate::ranking::Ranking;

/// The sizes of the connected components, the largest first. Moves count in both directions.
///
/// # Errors
/// If the watcher stops it.
pub fn components<S: Backward, R: Ranking<S>>(
    space: &S,
    ranking: &R,
    watcher: &dyn Watcher,
) -> Result<Vec<u64>, Interrupted> {
    let mut seen = vec![false; ranking.size()];
    let mut sizes = Vec::new();
    let mut open = Vec::new();
    let mut unwatched = 0;
    for first in 0..ranking.size() {
        if std::mem::replace(&mut seen[first], true) {
            continue;
        }
        open.push(first);
        let mut size = 0;
        while let Some(rank) = open.pop() {
            size += 1;
            unwatched += 1;
            if unwatched == WATCH_EVERY {
                unwatched = 0;
                if watcher.watch(WATCH_EVERY) == ControlFlow::Break(()) {
                    return Err(Interrupted);
                }
            }
            let mut visit = |neighbour: usize| {
                if !std::mem::replace(&mut seen[neighbour], true) {
                    open.push(neighbour);
                }
            };
            ranking.predecessors(space, rank, &mut visit);
            if !R::REVERSIBLE {
                ranking.successors(space, rank, &mut visit);
            }
        }
        sizes.push(size);
    }
    sort_largest_first(&mut sizes);
    Ok(sizes)
}

/// A separate function, so that it is compiled once for all rankings.
fn sort_largest_first(sizes: &mut [u64]) {
    sizes.sort_unstable_by_key(|&size| std::cmp::Reverse(size));
}
