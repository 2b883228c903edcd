//! The steps that are left to try after a step, for several boards at a time.
//!
//! After a step of one piece, another one need not step if it could have done so before, and lies before it on the
//! board: that is found the other way round ([`Keyed::each_successor`]). Which pieces are left is arithmetic on words
//! and nothing else, so the compiler works it out for as many boards at once as a register has room for.

use admissible::Keyed;

use super::board::{Klotski, Step, each_member};
use super::planes::Planes;
use admissible_front::grid::Direction;

/// Boards that are looked at together.
const AT_ONCE: usize = 16;
/// The steps along rows, or along columns, that are tried whether there are any or not; on larger boards, those in each
/// direction.
const FEW: usize = 1;

/// How often [`Keyed::each_successor`] visits at the most: every piece in every direction, and those that are tried in
/// vain.
pub(super) const fn most_visits(cells: usize) -> usize {
    4 * (cells + FEW)
}

/// Some boards, and what is found of them: an element a board, or one by direction and board.
struct Lanes<P> {
    keys: [[u64; 2]; AT_ONCE],
    /// The anchor of the piece that stepped, before and after. If none did, no piece lies before the first cell.
    from: [u64; AT_ONCE],
    to: [u64; AT_ONCE],
    /// The direction in which it would step back, if there is one.
    back: [u64; AT_ONCE],
    /// See [`Planes::pieces_of_key`].
    pieces: [P; AT_ONCE],
    /// The anchors of the pieces that are left to try.
    onward: [[u64; AT_ONCE]; 4],
    /// How many steps the board has.
    counts: [u32; AT_ONCE],
}

impl<P: Planes> Lanes<P> {
    fn new() -> Self {
        Lanes {
            keys: [[0; 2]; AT_ONCE],
            from: [0; AT_ONCE],
            to: [0; AT_ONCE],
            back: [0; AT_ONCE],
            pieces: [P::from_planes([0; 3]); AT_ONCE],
            onward: [[0; AT_ONCE]; 4],
            counts: [0; AT_ONCE],
        }
    }

    #[inline]
    fn put(&mut self, klotski: &Klotski<P>, at: usize, key: [u64; 2], came_by: Option<Step>) {
        self.keys[at] = key;
        let (from, to, back) = came_by.map_or((0, 0, 4), |Step { anchor, direction }| {
            // The opposite of a direction is two on, either way.
            (anchor & 63, klotski.frame.neighbour(anchor, direction) & 63, direction as u64 ^ 2)
        });
        (self.from[at], self.to[at], self.back[at]) = (from.into(), to.into(), back);
    }

    /// Finds the pieces that are left to try.
    #[inline]
    fn find(&mut self, klotski: &Klotski<P>) {
        let frame = &klotski.frame;
        for at in 0..AT_ONCE {
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
                let back = u64::from(self.back[at] == direction as u64) << to;
                self.onward[direction][at] = all[direction] & !transpositions & !back;
                self.counts[at] += all[direction].count_ones();
            }
        }
    }
}

impl<P: Planes> Klotski<P> {
    /// What [`Keyed::each_successor_of_many`] asks for.
    #[inline]
    pub(super) fn steps_onward(
        &self,
        count: usize,
        state: impl Fn(usize) -> ([u64; 2], Option<Step>),
        mut visit: impl FnMut(usize, Step, [u64; 2], bool),
    ) -> u64 {
        let mut lanes = Lanes::new();
        let mut steps = 0;
        for first in (0..count).step_by(AT_ONCE) {
            let some = AT_ONCE.min(count - first);
            for at in 0..some {
                let (key, came_by) = state(first + at);
                lanes.put(self, at, key, came_by);
            }
            lanes.find(self);
            for at in 0..some {
                let (key, pieces) = (lanes.keys[at], lanes.pieces[at]);
                let mut step = |anchor: u8, direction: Direction, is_one: bool| {
                    let to = self.frame.neighbour(anchor, direction);
                    visit(first + at, Step { anchor, direction }, pieces.key_carried(key, anchor, to), is_one);
                };
                // Boards of 21 cells leave room for a second one in a word, so two directions go together.
                if P::MOST_CELLS <= 32 {
                    for (one, other) in [(Direction::North, Direction::South), (Direction::East, Direction::West)] {
                        let pair = lanes.onward[one as usize][at] | lanes.onward[other as usize][at] << 32;
                        each_member::<FEW>(pair, |bit, is_one| {
                            step(bit & 31, if bit < 32 { one } else { other }, is_one);
                        });
                    }
                } else {
                    for direction in Direction::ALL {
                        let pieces = lanes.onward[direction as usize][at];
                        each_member::<FEW>(pieces, |anchor, is_one| step(anchor, direction, is_one));
                    }
                }
                steps += u64::from(lanes.counts[at]);
            }
        }
        steps
    }
}
