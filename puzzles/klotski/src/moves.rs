//! The other way to count: a move takes one piece any number of steps, so a run of one piece is one move.
//!
//! Players count like that, and the fewest moves and the fewest steps are often those of different solutions. A
//! breadth-first search in the other count answers how few there can be.

use admissible::StateSpace as _;
use rustc_hash::{FxBuildHasher, FxHashSet};

use super::board::{Board, Klotski, Step};
use super::planes::Planes;

/// More boards than this are not looked at: it takes about as long as a blink.
const MOST_BOARDS: usize = 300_000;

/// The moves of a solution that is given in steps.
pub(super) fn count<P: Planes>(klotski: &Klotski<P>, steps: &[Step]) -> u64 {
    let goes_on = |pair: &[Step]| klotski.frame.neighbour(pair[0].anchor, pair[0].direction) == pair[1].anchor;
    let continued = steps.windows(2).filter(|pair| goes_on(pair)).count();
    (steps.len() - continued) as u64
}

/// The fewest moves of any solution, or `None` if too many boards come before it.
pub(super) fn fewest<P: Planes>(klotski: &Klotski<P>) -> Option<u64> {
    fewest_by(klotski, |board, visit| {
        for slide in klotski.frame.slides(board) {
            let mut moved = *board;
            moved.carry(slide.from, slide.to);
            visit(moved);
        }
    })
}

/// The fewest steps of any solution, or `None` if too many boards come before it.
pub(super) fn fewest_steps<P: Planes>(klotski: &Klotski<P>) -> Option<u64> {
    fewest_by(klotski, |board, visit| {
        for step in klotski.moves(board) {
            let mut moved = *board;
            klotski.apply(&mut moved, step);
            visit(moved);
        }
    })
}

fn fewest_by<P: Planes>(klotski: &Klotski<P>, for_each_beside: impl Fn(&Board, &mut dyn FnMut(Board))) -> Option<u64> {
    let mut layer = vec![klotski.start];
    let mut seen = FxHashSet::with_capacity_and_hasher(1 << 15, FxBuildHasher);
    seen.insert(klotski.pack(&klotski.start));
    for depth in 0.. {
        if layer.iter().any(|board| klotski.is_goal(board)) {
            return Some(depth);
        }
        if layer.is_empty() || seen.len() > MOST_BOARDS {
            return None;
        }
        let mut next = Vec::new();
        for board in &layer {
            for_each_beside(board, &mut |moved| {
                if seen.insert(klotski.pack(&moved)) {
                    next.push(moved);
                }
            });
        }
        layer = next;
    }
    unreachable!("the layers come to an end")
}
