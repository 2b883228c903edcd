//! The other way to count: a move takes one piece any number of steps, so a run of one piece is one move.
//!
//! Players count like that, and the fewest moves and the fewest steps are often those of different solutions. A
//! breadth-first search by moves answers how few there can be: from each board every piece is followed wherever it can
//! get while the others stay.

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
    let mut layer = vec![klotski.start];
    let mut seen = FxHashSet::with_capacity_and_hasher(1 << 15, FxBuildHasher);
    seen.insert(klotski.pack(&klotski.start));
    let mut open = Vec::new();
    for depth in 0.. {
        if layer.iter().any(|board| klotski.is_goal(board)) {
            return Some(depth);
        }
        if layer.is_empty() || seen.len() > MOST_BOARDS {
            return None;
        }
        let mut next = Vec::new();
        for board in &layer {
            for_each_move(klotski, board, &mut open, |moved| {
                if seen.insert(klotski.pack(&moved)) {
                    next.push(moved);
                }
            });
        }
        layer = next;
    }
    unreachable!("the layers come to an end")
}

/// Calls `visit` with every board that one move leads to. `open` is a list to work with, empty before and after: the
/// boards from which the piece that moves may go on, and where it is there.
fn for_each_move<P: Planes>(
    klotski: &Klotski<P>,
    board: &Board,
    open: &mut Vec<(Board, u8)>,
    mut visit: impl FnMut(Board),
) {
    let mut tried = 0_u64;
    for first in klotski.moves(board) {
        if tried >> first.anchor & 1 == 1 {
            continue;
        }
        tried |= 1 << first.anchor;
        let mut visited = 1_u64 << first.anchor;
        open.push((*board, first.anchor));
        while let Some((from, anchor)) = open.pop() {
            for step in klotski.moves(&from).filter(|step| step.anchor == anchor) {
                let to = klotski.frame.neighbour(anchor, step.direction);
                if visited >> to & 1 == 0 {
                    visited |= 1 << to;
                    let mut moved = from;
                    klotski.apply(&mut moved, step);
                    visit(moved);
                    open.push((moved, to));
                }
            }
        }
    }
}
