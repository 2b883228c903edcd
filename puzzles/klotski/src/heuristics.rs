//! What is left to do, estimated from where the 2x2 pieces are and what lies in their way.
//!
//! A step moves one piece by one cell, so the distance of the 2x2 pieces to their places falls by at most 1. Counting
//! the pieces in the way as well ([`Blockers`]) says too much where the 2x2 piece can go around them, or where one step
//! clears a lying domino that counts 2.
//!
//! What can be trusted is a board with pieces taken away, for that is never harder. [`WithoutSingles`] takes the
//! singles away, looks up the exact distance of what is left, and adds the steps that the singles have to take
//! themselves: they were not counted yet.

use std::hint::select_unpredictable;

use admissible::{Estimate, Heuristic, Properties, StateSpace as _};

use super::arrange::{Loose, arrangements};
use super::board::{Board, Frame, Goal, Klotski, Step, members};
use super::distances::{Distances, Extent};
use super::planes::Planes;

/// The distance of every 2x2 piece to the nearest of some places, summed; 0 where there are none.
#[derive(Debug, Clone, Copy)]
pub struct Manhattan {
    /// By the cell where a 2x2 piece has its upper left corner.
    nearest: [u8; 64],
}

impl Manhattan {
    /// The distance to places given by their upper left cells.
    pub(super) fn to(frame: &Frame, places: u64) -> Self {
        let distance = |from: u8, to: u8| {
            let (row, column) = frame.place(from);
            let (to_row, to_column) = frame.place(to);
            (row.abs_diff(to_row) + column.abs_diff(to_column)) as u8
        };
        let mut nearest = [0; 64];
        for cell in members(frame.inside) {
            nearest[usize::from(cell)] = members(places).map(|place| distance(cell, place)).min().unwrap_or(0);
        }
        Manhattan { nearest }
    }

    #[inline]
    fn distance(&self, board: &Board) -> u32 {
        members(board.big).map(|cell| u32::from(self.nearest[usize::from(cell & 63)])).sum()
    }
}

impl<P: Planes> Heuristic<Klotski<P>> for Manhattan {
    type Eval = Estimate;

    #[inline]
    fn evaluate(&self, _klotski: &Klotski<P>, board: &Board) -> Estimate {
        Estimate::new(self.distance(board))
    }

    /// Nothing changes unless a 2x2 piece steps, and which piece does cannot be predicted.
    #[inline]
    fn advance(&self, klotski: &Klotski<P>, parent: Estimate, after: &Board, step: Step) -> Estimate {
        let (from, to) = (step.anchor & 63, klotski.frame.neighbour(step.anchor, step.direction) & 63);
        let is_big = after.big >> to & 1 == 1;
        let [before, now] = [from, to].map(|cell| u32::from(self.nearest[usize::from(cell)]));
        let changed = parent.units().unwrap_or(0).wrapping_add(now).wrapping_sub(before);
        select_unpredictable(is_big, Estimate::new(changed), parent)
    }

    #[inline]
    fn estimate(&self, eval: Estimate) -> Estimate {
        eval
    }

    #[inline]
    fn eval_from_h(&self, _klotski: &Klotski<P>, _board: &Board, units: u32) -> Estimate {
        Estimate::new(units)
    }

    fn properties(&self, _klotski: &Klotski<P>) -> Properties {
        Properties::CONSISTENT
    }
}

/// The distance of the 2x2 piece, and what lies below it, as it was published. It overestimates on boards with more
/// than two empty cells.
///
/// A single or a standing domino in the two cells below the 2x2 piece counts 1, a lying domino 2, however much of it
/// lies there. On the bottom row, but beside the goal, what lies on the goal's cells counts instead. With several 2x2
/// pieces, or none, nothing is defined to lie in the way.
#[derive(Debug, Clone, Copy)]
pub struct Blockers {
    manhattan: Manhattan,
    /// The place of the only 2x2 piece.
    place: Option<u64>,
}

impl Blockers {
    /// The way to places given by their upper left cells.
    pub(super) fn to(frame: &Frame, places: u64) -> Self {
        Blockers { manhattan: Manhattan::to(frame, places), place: places.is_power_of_two().then_some(places) }
    }

    #[inline]
    pub(super) fn in_the_way(&self, frame: &Frame, board: &Board) -> u32 {
        let Some(place) = self.place.filter(|&place| place != board.big) else { return 0 };
        let two_wide = |cell: u64| cell | cell << 1;
        let below = two_wide(board.big << (2 * frame.width)) & frame.inside;
        let watched = if below == 0 { two_wide(place) | two_wide(place << frame.width) } else { below };
        let singles = board.singles & watched;
        let standing = board.standing & (watched | watched >> frame.width);
        let lying = board.lying & (watched | watched >> 1);
        // No two pieces share an anchor, so the sets are disjoint and are counted together. A lying domino counts twice:
        // on most boards there is room for it in the upper half of the word as well.
        let pieces = singles | standing | lying;
        if frame.inside >> 32 == 0 {
            (pieces | lying << 32).count_ones()
        } else {
            pieces.count_ones() + lying.count_ones()
        }
    }
}

impl<P: Planes> Heuristic<Klotski<P>> for Blockers {
    type Eval = Estimate;

    #[inline]
    fn evaluate(&self, klotski: &Klotski<P>, board: &Board) -> Estimate {
        Estimate::new(self.manhattan.distance(board) + self.in_the_way(&klotski.frame, board))
    }

    #[inline]
    fn estimate(&self, eval: Estimate) -> Estimate {
        eval
    }

    /// Checked on every layout of 4 by 5 cells with one 2x2 piece and two empty cells; there are counterexamples with
    /// three.
    fn properties(&self, klotski: &Klotski<P>) -> Properties {
        let Klotski { frame, start, goal, .. } = klotski;
        let size_and_empties = (frame.width, frame.height, frame.empty(start).count_ones());
        match goal {
            Goal::BigAt(_) if size_and_empties == (4, 5, 2) => Properties::ADMISSIBLE,
            _ => Properties::UNKNOWN,
        }
    }
}

/// How many boards without singles are met at the least and at the most: the one takes a tenth of a millisecond, the
/// other a hundredth of a second.
pub(super) const EXTENT: Extent = Extent { fewest: 1_000, most: 50_000 };

/// The exact distance of the board without its singles, and the steps that the singles need themselves.
///
/// The one counts no step of a single and the other counts nothing else, so the sum is never too much. Where the boards
/// without singles are too many, those that are too far away to be met count as one step farther than the ones that
/// were met, or as far as their 2x2 pieces are.
#[derive(Debug)]
pub struct WithoutSingles<P> {
    distances: Distances<P>,
    manhattan: Manhattan,
    /// Sets of cells, and how many singles are to be on each. A step of a single changes one of the numbers, by 1.
    counts: Vec<(u64, u32)>,
}

/// The estimates for the two kinds of pieces.
#[derive(Debug, Clone, Copy)]
pub struct Parts {
    others: Estimate,
    singles: u32,
}

fn without_singles(board: &Board) -> Board {
    Board { singles: 0, ..*board }
}

impl<P: Planes> WithoutSingles<P> {
    /// The distance to the goal.
    pub(super) fn to_goal(klotski: &Klotski<P>, extent: Extent) -> Self {
        let start = without_singles(&klotski.start);
        match klotski.goal {
            Goal::Board(goal) => Self::to_board(klotski, &goal, extent, |board| *board == start),
            Goal::BigAt(cell) => {
                let (frame, big) = (&klotski.frame, 1 << cell);
                let goals = arrangements(frame, Loose::of(frame, &start), big, extent.most);
                let distances = goals.map_or_else(Distances::unknown, |goals| {
                    Distances::from(klotski, goals, extent, |board| *board == start)
                });
                // Every single has to leave the cells where the 2x2 piece will be.
                let goal_cells = frame.inside & !frame.empty(&Board { big, ..Board::default() });
                WithoutSingles { distances, manhattan: Manhattan::to(frame, big), counts: vec![(goal_cells, 0)] }
            }
        }
    }

    /// The distance from the start.
    pub(super) fn from_start(klotski: &Klotski<P>, extent: Extent) -> Self {
        Self::to_board(klotski, &klotski.start, extent, |board| match klotski.goal {
            Goal::Board(goal) => *board == without_singles(&goal),
            Goal::BigAt(cell) => board.big == 1 << cell,
        })
    }

    /// The distance to a board. A step of a single crosses one of the lines between two rows or two columns.
    fn to_board(klotski: &Klotski<P>, goal: &Board, extent: Extent, wanted: impl Fn(&Board) -> bool) -> Self {
        let Frame { width, height, .. } = klotski.frame;
        let first_column: u64 = (0..height).map(|row| 1 << (row * width)).sum();
        let above = (1..height).map(|rows| (1 << (rows * width)) - 1);
        let to_the_left = (1..width).map(|columns| (0..columns).map(|column| first_column << column).sum());
        let counts = above.chain(to_the_left).map(|cells: u64| (cells, (goal.singles & cells).count_ones())).collect();
        let distances = Distances::from(klotski, vec![without_singles(goal)], extent, wanted);
        WithoutSingles { distances, manhattan: Manhattan::to(&klotski.frame, goal.big), counts }
    }

    #[inline]
    fn others(&self, klotski: &Klotski<P>, board: &Board) -> Estimate {
        match self.distances.get(klotski.pack(&without_singles(board))) {
            Some(distance) => distance.into(),
            None => self.distances.beyond().max(Estimate::new(self.manhattan.distance(board))),
        }
    }

    #[inline]
    fn singles(&self, board: &Board) -> u32 {
        let steps = |(cells, count): &(u64, u32)| (board.singles & cells).count_ones().abs_diff(*count);
        match self.counts.as_slice() {
            // Most goals are a place of the 2x2 piece. A loop takes longer to begin and to end than to count once.
            [one] => steps(one),
            all => all.iter().map(steps).sum(),
        }
    }
}

impl<P: Planes> Heuristic<Klotski<P>> for WithoutSingles<P> {
    type Eval = Parts;

    #[inline]
    fn evaluate(&self, klotski: &Klotski<P>, board: &Board) -> Parts {
        Parts { others: self.others(klotski, board), singles: self.singles(board) }
    }

    #[inline]
    fn advance(&self, klotski: &Klotski<P>, parent: Parts, after: &Board, step: Step) -> Parts {
        let is_single = after.singles >> klotski.frame.neighbour(step.anchor, step.direction) & 1 == 1;
        if is_single {
            Parts { singles: self.singles(after), ..parent }
        } else {
            Parts { others: self.others(klotski, after), ..parent }
        }
    }

    #[inline]
    fn estimate(&self, Parts { others, singles }: Parts) -> Estimate {
        others.units().map_or(Estimate::DEAD_END, |others| Estimate::new(others + singles))
    }

    #[inline]
    fn eval_from_h(&self, _klotski: &Klotski<P>, board: &Board, units: u32) -> Parts {
        let singles = self.singles(board);
        Parts { others: Estimate::new(units - singles), singles }
    }

    fn properties(&self, _klotski: &Klotski<P>) -> Properties {
        Properties::CONSISTENT
    }
}
