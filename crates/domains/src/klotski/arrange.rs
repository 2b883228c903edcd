//! Every way to lay out a set of pieces around 2x2 pieces that have their places already.
//!
//! The first free cell in reading order is left empty or becomes the upper left cell of a piece; then the next one.
//! So every layout comes out once. On large boards full of dominoes most attempts come to nothing, and what is bounded
//! is therefore the number of attempts as well as that of layouts.

use super::board::{Board, Frame};

/// Cells to decide about for each layout that may be found.
const ATTEMPTS: usize = 16;

/// The layouts with the singles and dominoes of `like` and 2x2 pieces at `big`, or `None` if there are more than `most`
/// or they are too hard to find.
pub(super) fn arrangements(frame: &Frame, like: &Board, big: u64, most: usize) -> Option<Vec<Board>> {
    let [singles, lying, standing, _] = like.counts();
    let empties = frame.inside.count_ones() - frame.occupied(like).count_ones();
    let board = Board { big, ..Board::default() };
    let mut arranging = Arranging { frame, most, attempts: most.saturating_mul(ATTEMPTS), found: Vec::new() };
    arranging.fill(board, frame.occupied(&board), Left { empties, singles, lying, standing }).ok()?;
    Some(arranging.found)
}

struct Arranging<'a> {
    frame: &'a Frame,
    most: usize,
    /// How many are left.
    attempts: usize,
    found: Vec<Board>,
}

/// What has to go into the free cells, and fills them exactly.
#[derive(Clone, Copy)]
struct Left {
    empties: u32,
    singles: u32,
    lying: u32,
    standing: u32,
}

struct TooMany;

impl Arranging<'_> {
    fn fill(&mut self, board: Board, taken: u64, left: Left) -> Result<(), TooMany> {
        let free = self.frame.inside & !taken;
        if free == 0 {
            if self.found.len() == self.most {
                return Err(TooMany);
            }
            self.found.push(board);
            return Ok(());
        }
        self.attempts = self.attempts.checked_sub(1).ok_or(TooMany)?;
        let cell = free & free.wrapping_neg();
        let right = cell << 1 & free & self.frame.not_first_column;
        let below = cell << self.frame.width & free;
        if left.lying > 0 && right != 0 {
            let board = Board { lying: board.lying | cell, ..board };
            self.fill(board, taken | cell | right, Left { lying: left.lying - 1, ..left })?;
        }
        if left.standing > 0 && below != 0 {
            let board = Board { standing: board.standing | cell, ..board };
            self.fill(board, taken | cell | below, Left { standing: left.standing - 1, ..left })?;
        }
        if left.singles > 0 {
            let board = Board { singles: board.singles | cell, ..board };
            self.fill(board, taken | cell, Left { singles: left.singles - 1, ..left })?;
        }
        if left.empties > 0 {
            self.fill(board, taken | cell, Left { empties: left.empties - 1, ..left })?;
        }
        Ok(())
    }
}

#[cfg(test)]
pub(super) fn go(frame: &Frame, n: [usize; 4], big: u64, most: usize) -> Option<Vec<Board>> {
    let [singles, lying, standing, empties] = n.map(|x| x as u32);
    let board = Board { big, ..Board::default() };
    let mut arranging = Arranging { frame, most, attempts: 16 * most, found: Vec::new() };
    arranging.fill(board, frame.occupied(&board), Left { empties, singles, lying, standing }).ok()?;
    Some(arranging.found)
}
