//! The guide of the anytime search: a mean of estimates.
//!
//! A beam search has to tell the better half of a layer from the worse. The maximum of several estimates hides all but
//! one of them. Their mean is admissible, too, and orders many states that have the same maximum.

use admissible::{Estimate, Heuristic, Properties};

use super::heuristic::{PatternSums, Sums};
use super::key::Key;
use super::{Partition, Table};
use crate::board::{Board, Slide, Tiles};
use crate::heuristics::LinearConflict;
use crate::word::Word;

/// The mean of the sums of the board, those of its mirror image, and linear conflict.
#[derive(Debug)]
pub(crate) struct MeanOfSums<const GROUPS: usize, K> {
    sums: PatternSums<GROUPS, K>,
    conflict: LinearConflict,
}

impl<const GROUPS: usize, K: Key> MeanOfSums<GROUPS, K> {
    /// The mean for a partition, given the tables of its canonical patterns.
    pub(super) fn new<W: Word>(space: &Tiles<W>, partition: &Partition, tables: &[Table]) -> Self {
        let sums = PatternSums::new(space, partition, tables);
        MeanOfSums { sums, conflict: LinearConflict::new(space, &space.goal) }
    }
}

impl<W: Word, const GROUPS: usize, K: Key> Heuristic<Tiles<W>> for MeanOfSums<GROUPS, K> {
    type Eval = (Sums<GROUPS, K>, u16);

    fn scale(&self) -> u32 {
        self.sums.views.len() as u32 + 1
    }

    fn evaluate(&self, space: &Tiles<W>, board: &Board<W>) -> Self::Eval {
        (self.sums.evaluate(space, board), self.conflict.evaluate(space, board))
    }

    #[inline]
    fn advance(&self, space: &Tiles<W>, (sums, conflict): Self::Eval, after: &Board<W>, slide: Slide) -> Self::Eval {
        (self.sums.advance(space, sums, after, slide), self.conflict.advance(space, conflict, after, slide))
    }

    #[inline]
    fn estimate(&self, (sums, conflict): Self::Eval) -> Estimate {
        let of_view = |view| sums.distance + 2 * u16::from(sums.total(view));
        Estimate::from((0..self.sums.views.len()).map(of_view).sum::<u16>() + conflict)
    }

    fn properties(&self, _space: &Tiles<W>) -> Properties {
        Properties::ADMISSIBLE
    }
}

#[cfg(test)]
mod tests {
    use std::ops::ControlFlow;

    use admissible::laws::check_incremental;
    use admissible_front::grid::Direction;
    use admissible_front::table_cache::NoTableCache;
    use admissible_oracle::tiles::distances;

    use super::*;
    use crate::pdb::tables;

    #[test]
    fn the_mean_is_admissible_and_incremental_on_every_3x3_board() {
        let goal: Vec<u8> = (1..9).chain([0]).collect();
        let space = Tiles::<u64>::new(3, 3, &goal, &goal, Direction::ALL);
        let partition = Partition::named(3, 3, 8, Some("aab/abb/cc.")).expect("a drawing of the goal");
        let tables =
            tables(&partition, &NoTableCache, 1, &mut |_| ControlFlow::Continue(())).expect("nothing stops it");
        let mean = MeanOfSums::<4, u32>::new(&space, &partition, &tables);
        assert_eq!(Heuristic::<Tiles<u64>>::scale(&mean), 3);
        for (tiles, distance) in distances(3, 3, &goal) {
            let board = space.board(&tiles);
            let estimate = Heuristic::<Tiles<u64>>::estimate(&mean, mean.evaluate(&space, &board));
            assert!(estimate.rounded_up(3).is_some_and(|h| h <= distance), "{tiles:?}: {estimate:?}, {distance}");
            check_incremental(&space, &mean, &board);
        }
    }
}
