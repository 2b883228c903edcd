//! Moves on ranks: the effect of every step, computed once for each skeleton.
//!
//! A word says which free cells hold singles. The step of a single swaps two bits of it. The step of a larger
//! piece leads to another skeleton, if no single is on the cells that it enters. The remaining free cells then shift
//! among the free ones, by at most two places: masks select the bits that shift alike.

use super::Skeleton;
use crate::board::{Frame, members};
use admissible_front::grid::Direction;

/// The steps of every skeleton.
#[derive(Debug)]
pub(crate) struct Transitions {
    /// Pairs of neighbouring free cells, as masks.
    pairs: Vec<u16>,
    shifts: Vec<Shift>,
    /// The ends of the pairs and of the shifts of each skeleton.
    ends: Vec<(u32, u32)>,
}

/// A step of a piece of the skeleton.
#[derive(Debug)]
struct Shift {
    /// The free cells that have to be empty.
    entered: u16,
    /// The cells that stay free, by the shift of their place: two down, one down, none, one up, two up.
    stay: [u16; 5],
    /// The skeleton after the step.
    skeleton: u32,
}

impl Shift {
    #[inline]
    fn apply(&self, singles: u16) -> u16 {
        let [two_down, down, same, up, two_up] = self.stay;
        (singles & two_down) >> 2
            | (singles & down) >> 1
            | singles & same
            | (singles & up) << 1
            | (singles & two_up) << 2
    }
}

impl Transitions {
    pub(crate) fn new(frame: &Frame, skeletons: &[Skeleton], number: impl Fn(&Skeleton) -> Option<u32>) -> Self {
        let mut transitions = Transitions { pairs: Vec::new(), shifts: Vec::new(), ends: vec![(0, 0)] };
        for skeleton in skeletons {
            transitions.add_pairs(frame, skeleton.free);
            for (direction, anchors) in Direction::ALL.into_iter().zip(frame.movable(&skeleton.board)) {
                for anchor in members(anchors) {
                    let mut board = skeleton.board;
                    board.move_piece(anchor, frame.neighbour(anchor, direction));
                    let after = Skeleton { board, free: frame.empty(&board) };
                    let skeleton_after = number(&after).expect("a step keeps the pieces");
                    transitions.shifts.push(shift(skeleton.free, after.free, skeleton_after));
                }
            }
            transitions.ends.push((transitions.pairs.len() as u32, transitions.shifts.len() as u32));
        }
        transitions
    }

    fn add_pairs(&mut self, frame: &Frame, free: u64) {
        for cell in members(free) {
            let right = (1_u64 << cell & frame.not_last_column) << 1;
            let below = 1_u64 << cell << frame.width;
            for other in members((right | below) & free) {
                self.pairs.push(1 << place(free, cell) | 1 << place(free, other));
            }
        }
    }

    /// Calls `visit` with the skeleton and the singles after every step.
    #[inline(always)]
    pub(crate) fn for_each(&self, skeleton: usize, singles: u16, mut visit: impl FnMut(usize, u16)) {
        let (begin, end) = (self.ends[skeleton], self.ends[skeleton + 1]);
        let pairs = &self.pairs[begin.0 as usize..end.0 as usize];
        for_each_matching(
            pairs,
            |&pair| (singles & pair != 0) & (singles & pair != pair),
            |&pair| {
                visit(skeleton, singles ^ pair);
            },
        );
        let shifts = &self.shifts[begin.1 as usize..end.1 as usize];
        for_each_matching(
            shifts,
            |shift| singles & shift.entered == 0,
            |shift| {
                visit(shift.skeleton as usize, shift.apply(singles));
            },
        );
    }
}

/// Calls `visit` with the matching items, found without unpredictable branches. There are at most 64 items: 16 cells
/// have 24 pairs of neighbours, and dominoes on them fewer steps than that.
#[inline(always)]
fn for_each_matching<T>(items: &[T], matches: impl Fn(&T) -> bool, mut visit: impl FnMut(&T)) {
    let mut matching = 0_u64;
    for (at, item) in items.iter().enumerate() {
        matching |= u64::from(matches(item)) << (at & 63);
    }
    while matching != 0 {
        visit(&items[matching.trailing_zeros() as usize]);
        matching &= matching - 1;
    }
}

/// The place of a cell among the free ones.
fn place(free: u64, cell: u8) -> u32 {
    (free & ((1 << cell) - 1)).count_ones()
}

fn shift(before: u64, after: u64, skeleton: u32) -> Shift {
    let entered = members(before & !after).map(|cell| 1 << place(before, cell)).sum();
    let mut stay = [0; 5];
    for cell in members(before & after) {
        let (old, new) = (place(before, cell), place(after, cell));
        stay[(new + 2 - old) as usize] |= 1 << old;
    }
    Shift { entered, stay, skeleton }
}
