//! What a step does to the number of a layout, worked out once for every skeleton.
//!
//! A single that steps from one free cell to another swaps two bits of the word that says which free cells hold singles.
//! A larger piece that steps leads to another skeleton, if the cells that it steps onto hold no single; the cells that stay
//! free are then in other places among the free ones, by two at the most, and the word is put together anew from its
//! parts that are shifted alike.

use super::board::{Frame, members};
use super::layouts::Skeleton;
use admissible_front::grid::Direction;

/// The steps of every skeleton.
#[derive(Debug)]
pub(super) struct Transitions {
    /// Two neighbouring free cells each.
    pairs: Vec<u16>,
    shifts: Vec<Shift>,
    /// Where the pairs and the shifts of a skeleton end.
    ends: Vec<(u32, u32)>,
}

/// A step of a piece that is part of the skeleton.
#[derive(Debug)]
struct Shift {
    /// The free cells that have to be empty.
    onto: u16,
    /// Those that stay free, by how far their place moves: two down, one down, not, one up, two up.
    stay: [u16; 5],
    /// The skeleton after it.
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
    pub(super) fn new(frame: &Frame, skeletons: &[Skeleton], number: impl Fn(&Skeleton) -> Option<u32>) -> Self {
        let mut transitions = Transitions { pairs: Vec::new(), shifts: Vec::new(), ends: vec![(0, 0)] };
        for skeleton in skeletons {
            transitions.add_pairs(frame, skeleton.free);
            for (direction, anchors) in Direction::ALL.into_iter().zip(frame.movable(&skeleton.board)) {
                for anchor in members(anchors) {
                    let mut board = skeleton.board;
                    board.carry(anchor, frame.neighbour(anchor, direction));
                    let after = Skeleton { board, free: frame.empty(&board) };
                    let skeleton_after = number(&after).expect("pieces that step are the same pieces");
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
    pub(super) fn for_each(&self, skeleton: usize, singles: u16, mut visit: impl FnMut(usize, u16)) {
        let (begin, end) = (self.ends[skeleton], self.ends[skeleton + 1]);
        let pairs = &self.pairs[begin.0 as usize..end.0 as usize];
        for_each_that(
            pairs,
            |&pair| (singles & pair != 0) & (singles & pair != pair),
            |&pair| {
                visit(skeleton, singles ^ pair);
            },
        );
        let shifts = &self.shifts[begin.1 as usize..end.1 as usize];
        for_each_that(
            shifts,
            |shift| singles & shift.onto == 0,
            |shift| {
                visit(shift.skeleton as usize, shift.apply(singles));
            },
        );
    }
}

/// Calls `visit` with the few that are wanted. Which these are cannot be predicted, so they are found without a branch.
/// There are at most 64: 16 cells have 24 pairs of neighbours, and dominoes on them fewer steps than that.
#[inline(always)]
fn for_each_that<T>(all: &[T], is_wanted: impl Fn(&T) -> bool, mut visit: impl FnMut(&T)) {
    let mut wanted = 0_u64;
    for (at, one) in all.iter().enumerate() {
        wanted |= u64::from(is_wanted(one)) << (at & 63);
    }
    while wanted != 0 {
        visit(&all[wanted.trailing_zeros() as usize]);
        wanted &= wanted - 1;
    }
}

/// The place of a cell among the free ones.
fn place(free: u64, cell: u8) -> u32 {
    (free & ((1 << cell) - 1)).count_ones()
}

fn shift(before: u64, after: u64, skeleton: u32) -> Shift {
    let onto = members(before & !after).map(|cell| 1 << place(before, cell)).sum();
    let mut stay = [0; 5];
    for cell in members(before & after) {
        let (old, new) = (place(before, cell), place(after, cell));
        stay[(new + 2 - old) as usize] |= 1 << old;
    }
    Shift { onto, stay, skeleton }
}
