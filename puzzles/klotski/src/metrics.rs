//! Solutions in the other metric: steps, or moves, which are runs of steps of one piece.
//!
//! The fewest moves and the fewest steps often belong to different solutions. A breadth-first search in the other
//! metric finds its optimum.

use admissible::StateSpace as _;
use rustc_hash::{FxBuildHasher, FxHashSet};

use crate::board::{Board, Klotski, Planes, Step};

/// The search gives up beyond this many boards, after about a tenth of a second.
const MOST_BOARDS: usize = 300_000;

/// The number of moves of a solution in steps.
pub(crate) fn moves_of<P: Planes>(klotski: &Klotski<P>, steps: &[Step]) -> u64 {
    let is_same_piece = |pair: &[Step]| klotski.frame.neighbour(pair[0].anchor, pair[0].direction) == pair[1].anchor;
    let continued = steps.windows(2).filter(|pair| is_same_piece(pair)).count();
    (steps.len() - continued) as u64
}

/// The fewest moves of any solution, or `None` if too many boards come before it.
pub(crate) fn fewest_moves<P: Planes>(klotski: &Klotski<P>) -> Option<u64> {
    fewest_by(klotski, |board, visit| {
        for slide in klotski.frame.slides(board) {
            let mut moved = *board;
            moved.move_piece(slide.from, slide.to);
            visit(moved);
        }
    })
}

/// The fewest steps of any solution, or `None` if too many boards come before it.
pub(crate) fn fewest_steps<P: Planes>(klotski: &Klotski<P>) -> Option<u64> {
    fewest_by(klotski, |board, visit| {
        for step in klotski.moves(board) {
            let mut moved = *board;
            klotski.apply(&mut moved, step);
            visit(moved);
        }
    })
}

fn fewest_by<P: Planes>(
    klotski: &Klotski<P>,
    for_each_successor: impl Fn(&Board, &mut dyn FnMut(Board)),
) -> Option<u64> {
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
            for_each_successor(board, &mut |moved| {
                if seen.insert(klotski.pack(&moved)) {
                    next.push(moved);
                }
            });
        }
        layer = next;
    }
    unreachable!("the loop returns")
}
