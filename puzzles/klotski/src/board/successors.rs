//! Successors without inverses and transpositions, for several boards at a time.
//!
//! Two independent steps commute. After a step, that of another piece with an earlier anchor is pruned if it was
//! possible before: the search generates the pair in the other order ([`Keyed::each_successor`]). The remaining pieces
//! follow from plain arithmetic on words, which the compiler vectorizes.

use admissible::Keyed;

use super::{Klotski, Planes, Step, each_member};
use admissible_front::grid::Direction;

/// The number of boards in a batch.
const LANES: usize = 16;
/// The unconditional visits for the steps along rows, or along columns; on larger boards, for those in each direction.
const UNCONDITIONAL: usize = 1;

/// The most visits of [`Keyed::each_successor`]: every piece in every direction, and the unconditional ones.
pub(super) const fn most_visits(cells: usize) -> usize {
    4 * (cells + UNCONDITIONAL)
}

/// A batch of boards: arrays by lane, or by direction and lane.
struct Lanes<P> {
    keys: [[u64; 2]; LANES],
    /// The anchor of the last piece before its step. Without a last step it is 0, and no piece comes before.
    from: [u64; LANES],
    /// The anchor of the last piece after its step.
    to: [u64; LANES],
    /// The direction of the inverse step; 4 without a last step.
    inverse: [u64; LANES],
    /// See [`Planes::pieces_of_key`].
    pieces: [P; LANES],
    /// By direction: the anchors of the pieces whose steps are not pruned.
    unpruned: [[u64; LANES]; 4],
    /// The number of steps of the board, pruned ones included.
    counts: [u32; LANES],
}

impl<P: Planes> Lanes<P> {
    fn new() -> Self {
        Lanes {
            keys: [[0; 2]; LANES],
            from: [0; LANES],
            to: [0; LANES],
            inverse: [0; LANES],
            pieces: [P::from_planes([0; 3]); LANES],
            unpruned: [[0; LANES]; 4],
            counts: [0; LANES],
        }
    }

    #[inline]
    fn set(&mut self, klotski: &Klotski<P>, at: usize, key: [u64; 2], came_by: Option<Step>) {
        self.keys[at] = key;
        let (from, to, inverse) = came_by.map_or((0, 0, 4), |Step { anchor, direction }| {
            // `^ 2` is the opposite direction.
            (anchor & 63, klotski.frame.neighbour(anchor, direction) & 63, direction as u64 ^ 2)
        });
        (self.from[at], self.to[at], self.inverse[at]) = (from.into(), to.into(), inverse);
    }

    /// Computes the pieces whose steps are not pruned.
    #[inline]
    fn prune(&mut self, klotski: &Klotski<P>) {
        let frame = &klotski.frame;
        for at in 0..LANES {
            let board = klotski.state_of_key(self.keys[at]);
            let (from, to) = (self.from[at], self.to[at]);
            let empty = frame.empty(&board);
            let all = frame.movable_into(&board, empty);
            let along_row = 1 | (board.lying | board.big) >> to << 1 & 2;
            let is_high = ((board.standing | board.big) >> to & 1).wrapping_neg();
            let cells_before = (along_row | (along_row & is_high) << frame.width) << from;
            let others_before = ((1 << from) - 1) & !(1 << to);
            let before = frame.movable_into(&board, empty & !cells_before);
            self.pieces[at] = P::pieces_of_key(self.keys[at], board.big);
            self.counts[at] = 0;
            for direction in 0..4 {
                let transpositions = before[direction] & others_before;
                let inverse = u64::from(self.inverse[at] == direction as u64) << to;
                self.unpruned[direction][at] = all[direction] & !transpositions & !inverse;
                self.counts[at] += all[direction].count_ones();
            }
        }
    }
}

impl<P: Planes> Klotski<P> {
    /// Implements [`Keyed::each_successor_of_many`].
    #[inline]
    pub(super) fn batched_successors(
        &self,
        count: usize,
        state: impl Fn(usize) -> ([u64; 2], Option<Step>),
        mut visit: impl FnMut(usize, Step, [u64; 2], bool),
    ) -> u64 {
        let mut lanes = Lanes::new();
        let mut steps = 0;
        for first in (0..count).step_by(LANES) {
            let used = LANES.min(count - first);
            for at in 0..used {
                let (key, came_by) = state(first + at);
                lanes.set(self, at, key, came_by);
            }
            lanes.prune(self);
            for at in 0..used {
                let (key, pieces) = (lanes.keys[at], lanes.pieces[at]);
                let mut step = |anchor: u8, direction: Direction, is_legal: bool| {
                    let to = self.frame.neighbour(anchor, direction);
                    visit(first + at, Step { anchor, direction }, pieces.key_after_move(key, anchor, to), is_legal);
                };
                // With up to 21 cells, a word holds the anchors of two directions.
                if P::MOST_CELLS <= 32 {
                    for (one, other) in [(Direction::North, Direction::South), (Direction::East, Direction::West)] {
                        let pair = lanes.unpruned[one as usize][at] | lanes.unpruned[other as usize][at] << 32;
                        each_member::<UNCONDITIONAL>(pair, |bit, is_legal| {
                            step(bit & 31, if bit < 32 { one } else { other }, is_legal);
                        });
                    }
                } else {
                    for direction in Direction::ALL {
                        let pieces = lanes.unpruned[direction as usize][at];
                        each_member::<UNCONDITIONAL>(pieces, |anchor, is_legal| step(anchor, direction, is_legal));
                    }
                }
                steps += u64::from(lanes.counts[at]);
            }
        }
        steps
    }
}
