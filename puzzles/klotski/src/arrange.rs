//! Every way to lay out singles and dominoes around 2x2 pieces that have their places already.
//!
//! The first free cell in reading order is left empty or becomes the upper left cell of a piece; then the next one.
//! So every layout comes out once. On large boards full of dominoes most attempts come to nothing, and what is bounded
//! is therefore the number of attempts as well as that of layouts.

use super::board::{Board, Frame};

/// What lies around the 2x2 pieces of a board.
#[derive(Debug, Clone, Copy)]
pub(super) struct Loose {
    pub(super) empties: u32,
    pub(super) singles: u32,
    pub(super) lying: u32,
    pub(super) standing: u32,
}

impl Loose {
    pub(super) fn of(frame: &Frame, board: &Board) -> Self {
        Loose {
            empties: frame.empty(board).count_ones(),
            singles: board.singles.count_ones(),
            lying: board.lying.count_ones(),
            standing: board.standing.count_ones(),
        }
    }
}

/// Cells to decide about for each layout that may be found.
const ATTEMPTS: usize = 16;

/// The layouts with 2x2 pieces at `big`, or `None` if there are more than `most` or they are too hard to find.
pub(super) fn arrangements(frame: &Frame, loose: Loose, big: u64, most: usize) -> Option<Vec<Board>> {
    let board = Board { big, ..Board::default() };
    let mut arranging = Arranging { frame, most, attempts: most.saturating_mul(ATTEMPTS), found: Vec::new() };
    arranging.fill(board, frame.empty(&board), loose).ok()?;
    Some(arranging.found)
}

struct Arranging<'a> {
    frame: &'a Frame,
    most: usize,
    /// How many are left.
    attempts: usize,
    found: Vec<Board>,
}

struct TooMany;

impl Arranging<'_> {
    /// Lays out what is left, which fills the free cells exactly.
    fn fill(&mut self, board: Board, free: u64, left: Loose) -> Result<(), TooMany> {
        // Where nothing is left to lay out, all that is free stays empty.
        if left.singles + left.lying + left.standing == 0 {
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
            self.fill(board, free ^ cell ^ right, Loose { lying: left.lying - 1, ..left })?;
        }
        if left.standing > 0 && below != 0 {
            let board = Board { standing: board.standing | cell, ..board };
            self.fill(board, free ^ cell ^ below, Loose { standing: left.standing - 1, ..left })?;
        }
        if left.singles > 0 {
            let board = Board { singles: board.singles | cell, ..board };
            self.fill(board, free ^ cell, Loose { singles: left.singles - 1, ..left })?;
        }
        if left.empties > 0 {
            self.fill(board, free ^ cell, Loose { empties: left.empties - 1, ..left })?;
        }
        Ok(())
    }
}
