//! Solutions in the other metric: steps, or moves, which are runs of steps of one piece.
//!
//! The fewest moves and the fewest steps often belong to different solutions. A breadth-first search in the other
//! metric finds its optimum.

use admissible::StateSpace;
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

/// The cost of a cheapest solution from a start, in moves or steps of cost 1; `None` if too many boards come before it.
pub(crate) fn fewest<S: StateSpace<State = Board>>(space: &S, start: Board) -> Option<u64> {
    let mut layer = vec![start];
    let mut seen = FxHashSet::with_capacity_and_hasher(1 << 15, FxBuildHasher);
    seen.insert(space.pack(&start));
    for depth in 0.. {
        if layer.iter().any(|board| space.is_goal(board)) {
            return Some(depth);
        }
        if layer.is_empty() || seen.len() > MOST_BOARDS {
            return None;
        }
        let mut next = Vec::new();
        for board in &layer {
            for m in space.moves(board) {
                let mut moved = *board;
                space.apply(&mut moved, m);
                if seen.insert(space.pack(&moved)) {
                    next.push(moved);
                }
            }
        }
        layer = next;
    }
    unreachable!("the loop returns")
}
