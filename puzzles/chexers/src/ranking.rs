//! The ranking of placements of up to a number of pieces.
//!
//! Placements of fewer pieces come first. Free hexes are numbered in reading order; a placement on the hexes
//! `a < b < c < ...` has the rank `C(a, 1) + C(b, 2) + C(c, 3) + ...` among those with the same number of pieces (the
//! combinatorial number system).

use admissible::Ranking;

use super::board::Chexers;
use super::hex::{Hex, Hexes};

/// The free hexes of a board, and the numbers of their subsets.
#[derive(Debug)]
pub(super) struct Placements {
    free: Vec<Hex>,
    /// By index of a hex: its number among the free ones.
    numbers: [u8; 64],
    /// `choose[few][many]`: the number of subsets of `many` hexes with `few` members.
    choose: Vec<Vec<usize>>,
    /// By number of pieces: the first rank; the last entry is the number of all placements.
    begins: Vec<usize>,
}

impl Placements {
    /// The placements of at most `most` pieces.
    pub(super) fn new(board: &Chexers, most: usize) -> Self {
        let free: Vec<Hex> = Hexes::BOARD.without(board.blocks).collect();
        let mut numbers = [0; 64];
        for (number, hex) in free.iter().enumerate() {
            numbers[hex.index()] = number as u8;
        }
        let mut choose = vec![vec![1; free.len() + 1]];
        for few in 1..=most {
            let mut row = vec![0];
            for many in 1..=free.len() {
                row.push(row[many - 1] + choose[few - 1][many - 1]);
            }
            choose.push(row);
        }
        let mut begins = vec![0];
        for row in &choose {
            begins.push(begins[begins.len() - 1] + row[free.len()]);
        }
        Placements { free, numbers, choose, begins }
    }
}

/// Exits are not reversible.
impl Ranking<Chexers> for Placements {
    fn size(&self) -> usize {
        self.begins[self.begins.len() - 1]
    }

    #[inline]
    fn unrank(&self, _board: &Chexers, rank: usize) -> Hexes {
        let pieces = self.begins.iter().rposition(|&begin| begin <= rank).expect("the first rank is 0");
        let mut rank = rank - self.begins[pieces];
        let mut placed = Hexes::NONE;
        let mut below = self.free.len();
        for few in (1..=pieces).rev() {
            // The largest number whose coefficient does not exceed the rank.
            let row = &self.choose[few];
            below = row[..below].partition_point(|&ways| ways <= rank) - 1;
            rank -= row[below];
            placed = placed.toggled(self.free[below]);
        }
        placed
    }

    #[inline]
    fn rank(&self, _board: &Chexers, placed: &Hexes) -> Option<usize> {
        let pieces = placed.len() as usize;
        let begin = *self.begins[..self.begins.len() - 1].get(pieces)?;
        let ranked = placed.zip(1..).map(|(hex, few)| self.choose[few][usize::from(self.numbers[hex.index()])]);
        Some(begin + ranked.sum::<usize>())
    }
}

impl Chexers {
    /// The name of an atlas of the board with up to `most` pieces: its colour and blocks.
    pub(super) fn atlas_name(&self, most: usize) -> String {
        format!("chexers-{}-{:x}-{most}", self.colour.name(), self.blocks.0)
    }
}

#[cfg(test)]
mod tests {
    use admissible::explore::{Layers, Lost, Packing, descend};
    use admissible_oracle::Random;

    use super::super::board::ActionKind;
    use super::super::hex::Colour;
    use super::*;

    #[test]
    fn placements_are_ranked_without_gaps() {
        let mut random = Random::new(1);
        for most in 1..=4 {
            let hexes: Vec<Hex> = Hexes::BOARD.collect();
            let blocks: Hexes = hexes.iter().copied().filter(|_| random.below(2) == 0).collect();
            let board = Chexers::new(Colour::Red, Hexes::NONE, blocks, ActionKind::ALL);
            let placements = Placements::new(&board, most);
            for rank in 0..placements.size() {
                let placed = placements.unrank(&board, rank);
                assert!(placed.is_disjoint(blocks) && placed.len() as usize <= most);
                assert_eq!(placements.rank(&board, &placed), Some(rank));
            }
        }
    }

    #[test]
    fn distances_agree_with_brute_force() {
        let mut random = Random::new(2);
        for (colour, most) in [("red", 2), ("green", 3), ("blue", 2)] {
            let hexes: Vec<Hex> = Hexes::BOARD.collect();
            let blocks: Hexes = hexes.iter().copied().filter(|_| random.below(3) == 0).collect();
            let colour_of = Colour::named(colour).expect("a colour");
            let pieces = Hexes::BOARD.without(blocks).take(most).collect();
            let board = Chexers::new(colour_of, pieces, blocks, ActionKind::ALL);
            let placements = Placements::new(&board, most);
            let blocked: Vec<(i8, i8)> = blocks.map(Hex::coordinates).collect();
            let expected = admissible_oracle::chexers::distances(colour, &blocked, most);
            let layers = Layers::backward(&board, &placements, 2, &()).expect("the watcher never stops it");
            let mut depths = vec![0; expected.values().max().map_or(0, |&depth| depth as usize + 1)];
            expected.values().for_each(|&depth| depths[depth as usize] += 1);
            assert_eq!(layers.depths(), depths, "{colour}, {blocked:?}");
            for (placed, &distance) in &expected {
                let placed: Hexes = placed.iter().filter_map(|&(q, r)| Hex::new(q, r)).collect();
                let packing = Packing::of::<Chexers, Placements>();
                let level =
                    |pieces: &Hexes| Ok::<_, Lost>(placements.rank(&board, pieces).and_then(|rank| layers.level(rank)));
                let path = descend(&board, packing, placements.size(), placed, level);
                let length = path.expect("the levels lead to the goal").map(|path| path.len() as u32);
                assert_eq!(length, Some(distance), "{colour}, {blocked:?}");
            }
        }
    }
}
