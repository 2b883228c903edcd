//! Enumerates all layouts of singles and dominoes around given 2x2 pieces.
//!
//! A backtracking search decides cell by cell in reading order: the first free cell stays empty or becomes the anchor
//! of a piece. So every layout occurs once. On large boards with many dominoes most branches fail, so the search bounds
//! the number of decisions as well as that of layouts.

use crate::board::{Board, Frame};

/// The empty cells of a board, and its pieces beside the 2x2 ones.
#[derive(Debug, Clone, Copy)]
pub struct PieceCounts {
    pub(crate) empties: u32,
    pub(crate) singles: u32,
    pub(crate) lying: u32,
    pub(crate) standing: u32,
}

impl PieceCounts {
    pub(crate) fn of(frame: &Frame, board: &Board) -> Self {
        PieceCounts {
            empties: frame.empty(board).count_ones(),
            singles: board.singles.count_ones(),
            lying: board.lying.count_ones(),
            standing: board.standing.count_ones(),
        }
    }
}

/// The most decisions for each layout of the bound.
const DECISIONS: usize = 16;

/// The layouts with 2x2 pieces at `big`, or `None` if there are more than `most` or finding them takes too long.
pub(crate) fn arrangements(frame: &Frame, counts: PieceCounts, big: u64, most: usize) -> Option<Vec<Board>> {
    let board = Board { big, ..Board::default() };
    let mut search = Backtracking { frame, most, decisions: most.saturating_mul(DECISIONS), found: Vec::new() };
    search.fill(board, frame.empty(&board), counts).ok()?;
    Some(search.found)
}

struct Backtracking<'a> {
    frame: &'a Frame,
    most: usize,
    /// The number of decisions left.
    decisions: usize,
    found: Vec<Board>,
}

struct TooMany;

impl Backtracking<'_> {
    /// Places the pieces that are left, which together with the empty cells fill the free cells exactly.
    fn fill(&mut self, board: Board, free: u64, left: PieceCounts) -> Result<(), TooMany> {
        // Without pieces left, all free cells stay empty.
        if left.singles + left.lying + left.standing == 0 {
            if self.found.len() == self.most {
                return Err(TooMany);
            }
            self.found.push(board);
            return Ok(());
        }
        self.decisions = self.decisions.checked_sub(1).ok_or(TooMany)?;
        let cell = free & free.wrapping_neg();
        let right = cell << 1 & free & self.frame.not_first_column;
        let below = cell << self.frame.width & free;
        if left.lying > 0 && right != 0 {
            let board = Board { lying: board.lying | cell, ..board };
            self.fill(board, free ^ cell ^ right, PieceCounts { lying: left.lying - 1, ..left })?;
        }
        if left.standing > 0 && below != 0 {
            let board = Board { standing: board.standing | cell, ..board };
            self.fill(board, free ^ cell ^ below, PieceCounts { standing: left.standing - 1, ..left })?;
        }
        if left.singles > 0 {
            let board = Board { singles: board.singles | cell, ..board };
            self.fill(board, free ^ cell, PieceCounts { singles: left.singles - 1, ..left })?;
        }
        if left.empties > 0 {
            self.fill(board, free ^ cell, PieceCounts { empties: left.empties - 1, ..left })?;
        }
        Ok(())
    }
}
