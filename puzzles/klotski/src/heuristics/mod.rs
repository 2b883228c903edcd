//! Heuristics from the 2x2 pieces and the pieces in their way.
//!
//! A step moves one piece by one cell, so the distance of the 2x2 pieces to their places falls by at most 1. Counting
//! the pieces in the way as well ([`Blockers`]) overestimates where the 2x2 piece can go around them, or where one step
//! clears a lying domino that counts 2.
//!
//! A board with some pieces removed is a relaxation. [`WithoutSingles`] removes the singles, looks up the exact
//! distance of the other pieces, and adds the steps of the singles, which that distance does not count.

mod distances;

use std::hint::select_unpredictable;

use admissible::{Estimate, Heuristic, Properties, StateSpace as _};

use crate::board::{Board, Frame, Goal, Klotski, Planes, Step, members};
use crate::ranking::{PieceCounts, arrangements};
use distances::Distances;
pub(crate) use distances::TableSize;

/// The sum of the distances of the 2x2 pieces, each to the nearest of some places.
#[derive(Debug, Clone, Copy)]
pub struct Manhattan {
    /// By anchor of a 2x2 piece: its distance.
    nearest: [u8; 64],
}

impl Manhattan {
    /// The distance to places given by their anchors.
    pub(crate) fn to(frame: &Frame, places: u64) -> Self {
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

    /// The estimate changes only if a 2x2 piece steps, which is unpredictable.
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

/// The distance of the 2x2 piece plus the pieces below it, as published. It overestimates on boards with more than two
/// empty cells.
///
/// A single or a standing domino in the two cells below the 2x2 piece counts 1, a lying domino 2, even if only half of
/// it is there. If the 2x2 piece is on the bottom row beside the goal, the pieces on the goal's cells count instead.
/// With several 2x2 pieces, or none, no piece counts.
#[derive(Debug, Clone, Copy)]
pub struct Blockers {
    manhattan: Manhattan,
    /// The goal anchor of the only 2x2 piece.
    place: Option<u64>,
}

impl Blockers {
    /// The blockers of places given by their anchors.
    pub(crate) fn to(frame: &Frame, places: u64) -> Self {
        Blockers { manhattan: Manhattan::to(frame, places), place: places.is_power_of_two().then_some(places) }
    }

    /// The pieces that count, each by its anchor.
    #[inline]
    pub(crate) fn pieces(&self, frame: &Frame, board: &Board) -> Board {
        let Some(place) = self.place.filter(|&place| place != board.big) else { return Board::default() };
        let two_wide = |cell: u64| cell | cell << 1;
        let below = two_wide(board.big << (2 * frame.width)) & frame.inside;
        let watched = if below == 0 { two_wide(place) | two_wide(place << frame.width) } else { below };
        Board {
            singles: board.singles & watched,
            standing: board.standing & (watched | watched >> frame.width),
            lying: board.lying & (watched | watched >> 1),
            big: 0,
        }
    }

    #[inline]
    pub(crate) fn in_the_way(&self, frame: &Frame, board: &Board) -> u32 {
        let Board { singles, standing, lying, .. } = self.pieces(frame, board);
        // No two pieces share an anchor, so one count serves all sets. A lying domino counts twice: on boards of up to
        // 32 cells it appears in the upper half of the word as well.
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

    /// The tests check every layout of 4 by 5 cells with one 2x2 piece and two empty cells; there are counterexamples
    /// with three.
    fn properties(&self, klotski: &Klotski<P>) -> Properties {
        let Klotski { frame, start, goal, .. } = klotski;
        let size_and_empties = (frame.width, frame.height, frame.empty(start).count_ones());
        match goal {
            Goal::BigAt(_) if size_and_empties == (4, 5, 2) => Properties::ADMISSIBLE,
            _ => Properties::UNKNOWN,
        }
    }
}

/// The size of a table: the least takes a tenth of a millisecond to make, the most a hundredth of a second.
pub(crate) const TABLE_SIZE: TableSize = TableSize { least: 1_000, most: 50_000 };

/// The exact distance of the board without its singles, plus the steps that the singles need themselves.
///
/// The first counts no step of a single and the second no other step, so the sum is admissible. A board outside the
/// table counts as the least distance beyond it, or as the distance of its 2x2 pieces if that is more.
#[derive(Debug)]
pub struct WithoutSingles<P> {
    distances: Distances<P>,
    manhattan: Manhattan,
    /// Sets of cells, and the number of singles on each in the goal. A step of a single changes one number by 1.
    counts: Vec<(u64, u32)>,
}

/// The estimates of the other pieces and of the singles.
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
    pub(crate) fn to_goal(klotski: &Klotski<P>, size: TableSize) -> Self {
        let start = without_singles(&klotski.start);
        match klotski.goal {
            Goal::Board(goal) => Self::to_board(klotski, &goal, size, |board| *board == start),
            Goal::BigAt(cell) => {
                let (frame, big) = (&klotski.frame, 1 << cell);
                let goals = arrangements(frame, PieceCounts::of(frame, &start), big, size.most);
                let distances = goals.map_or_else(Distances::empty, |goals| {
                    Distances::from(klotski, goals, size, |board| *board == start)
                });
                // Every single has to leave the goal cells of the 2x2 piece.
                let goal_cells = frame.inside & !frame.empty(&Board { big, ..Board::default() });
                WithoutSingles { distances, manhattan: Manhattan::to(frame, big), counts: vec![(goal_cells, 0)] }
            }
        }
    }

    /// The distance from the start.
    pub(crate) fn from_start(klotski: &Klotski<P>, size: TableSize) -> Self {
        Self::to_board(klotski, &klotski.start, size, |board| match klotski.goal {
            Goal::Board(goal) => *board == without_singles(&goal),
            Goal::BigAt(cell) => board.big == 1 << cell,
        })
    }

    /// The distance to a board. A step of a single crosses one line between two rows or two columns.
    fn to_board(klotski: &Klotski<P>, goal: &Board, size: TableSize, wanted: impl Fn(&Board) -> bool) -> Self {
        let Frame { width, height, .. } = klotski.frame;
        let first_column: u64 = (0..height).map(|row| 1 << (row * width)).sum();
        let above = (1..height).map(|rows| (1 << (rows * width)) - 1);
        let to_the_left = (1..width).map(|columns| (0..columns).map(|column| first_column << column).sum());
        let counts = above.chain(to_the_left).map(|cells: u64| (cells, (goal.singles & cells).count_ones())).collect();
        let distances = Distances::from(klotski, vec![without_singles(goal)], size, wanted);
        WithoutSingles { distances, manhattan: Manhattan::to(&klotski.frame, goal.big), counts }
    }

    #[inline]
    fn others(&self, klotski: &Klotski<P>, board: &Board) -> Estimate {
        match self.distances.get(klotski.pack(&without_singles(board))) {
            Some(distance) => distance.into(),
            None => self.distances.beyond().max(Estimate::new(self.manhattan.distance(board))),
        }
    }

    /// The estimates of the other pieces and of the singles, and whether the table has the first.
    pub(crate) fn explained(&self, klotski: &Klotski<P>, board: &Board) -> (Estimate, u32, bool) {
        let Parts { others, singles } = self.evaluate(klotski, board);
        (others, singles, self.distances.get(klotski.pack(&without_singles(board))).is_some())
    }

    #[inline]
    fn singles(&self, board: &Board) -> u32 {
        let steps = |(cells, count): &(u64, u32)| (board.singles & cells).count_ones().abs_diff(*count);
        match self.counts.as_slice() {
            // Most goals are a place of the 2x2 piece; this avoids the overhead of a loop.
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
