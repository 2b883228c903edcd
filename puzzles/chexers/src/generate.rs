//! Random boards: the number of pieces and blocks, how far the blocks are clustered, how far the pieces are from the
//! exits.

use admissible_front::Parameters;
use admissible_front::Setting;
use admissible_front::puzzle::ParameterError;
use rand::Rng;
use rand::RngExt as _;
use rand::seq::{IndexedRandom as _, SliceRandom as _};

use super::board::{ActionKind, Chexers};
use super::heuristics::RelaxedJumps;
use super::hex::{Colour, Hex, Hexes};
use super::read::Layout;

/// The number of block placements that are tried for a sum of distances.
const TRIES: usize = 200;

/// A random board, which need not be solvable.
pub(super) fn layout(parameters: &Parameters, random: &mut dyn Rng) -> Result<Layout, ParameterError> {
    let (pieces, blocks) = (parameters.count("pieces"), parameters.count("blocks"));
    let colour = Colour::named(parameters.word("colour")).expect("a word of the card");
    let free = Hexes::BOARD.len() as usize - pieces;
    if blocks > free {
        return Err(ParameterError(format!("{pieces} pieces leave room for {free} blocks, not for {blocks}")));
    }
    let optional = |name| match parameters.get(name) {
        Some(&Setting::Count(count)) => Some(count),
        _ => None,
    };
    let (clustering, distance) = (optional("clustering"), optional("distance"));
    if clustering.is_none() && distance.is_none() {
        return Ok(anywhere(colour, pieces, blocks, random));
    }
    for _ in 0..TRIES {
        let blocks = match clustering {
            Some(clustering) => clustered(blocks, clustering, random),
            None => anywhere(colour, 0, blocks, random).blocks,
        };
        let placed = match distance {
            Some(distance) => {
                let board = Chexers::new(colour, Hexes::NONE, blocks, ActionKind::ALL);
                at_distance(&RelaxedJumps::new(&board), blocks, pieces, distance, random)
            }
            None => {
                let mut hexes: Vec<Hex> = Hexes::BOARD.without(blocks).collect();
                Some(hexes.partial_shuffle(random, pieces).0.iter().copied().collect())
            }
        };
        if let Some(pieces) = placed {
            return Ok(Layout { colour, pieces, blocks });
        }
    }
    let distance = distance.expect("pieces fit beside blocks without a distance");
    let blocks = if blocks == 1 { "1 block".into() } else { format!("{blocks} blocks") };
    Err(ParameterError(format!(
        "no start of {pieces} pieces with {blocks} was found that has a distance of {distance}"
    )))
}

/// Pieces and blocks on any hexes.
fn anywhere(colour: Colour, pieces: usize, blocks: usize, random: &mut dyn Rng) -> Layout {
    let mut hexes: Vec<Hex> = Hexes::BOARD.collect();
    let (chosen, _) = hexes.partial_shuffle(random, pieces + blocks);
    let (pieces, blocks) = chosen.split_at(pieces);
    let set = |hexes: &[Hex]| hexes.iter().copied().collect();
    Layout { colour, pieces: set(pieces), blocks: set(blocks) }
}

/// Blocks of which this percentage, the first aside, is placed next to an earlier one. The others are placed next to
/// none, as long as there is such a hex.
fn clustered(blocks: usize, percentage: usize, random: &mut dyn Rng) -> Hexes {
    let later = blocks.saturating_sub(1);
    let beside = (later * percentage + 50) / 100;
    let mut is_beside: Vec<bool> = (0..later).map(|at| at < beside).collect();
    is_beside.shuffle(random);
    let mut placed = Hexes::NONE;
    for wanted in std::iter::once(false).take(blocks).chain(is_beside) {
        let free: Vec<Hex> = Hexes::BOARD.without(placed).collect();
        let fitting: Vec<Hex> =
            free.iter().copied().filter(|&hex| placed.is_disjoint(hex.neighbours()) != wanted).collect();
        let hex = fitting.choose(random).or_else(|| free.choose(random)).expect("the blocks fit on the board");
        placed = placed.union(Hexes::from_iter([*hex]));
    }
    placed
}

/// A placement of pieces, each as likely as the others, whose shortest paths add up to a distance; `None` if there is
/// none. Counts the placements hex by hex, then draws one by these counts.
fn at_distance(
    paths: &RelaxedJumps,
    blocks: Hexes,
    pieces: usize,
    distance: usize,
    random: &mut dyn Rng,
) -> Option<Hexes> {
    let with_actions = |hex: Hex| Some((hex, paths.actions_from(hex)? as usize));
    let hexes: Vec<(Hex, usize)> = Hexes::BOARD.without(blocks).filter_map(with_actions).collect();
    // By number of hexes, of pieces, and sum: the placements on the first of the hexes.
    let mut counts = vec![vec![vec![0_u64; distance + 1]; pieces + 1]];
    counts[0][0][0] = 1;
    for (at, &(_, actions)) in hexes.iter().enumerate() {
        let mut next = counts[at].clone();
        for count in 1..=pieces {
            for sum in actions..=distance {
                next[count][sum] += counts[at][count - 1][sum - actions];
            }
        }
        counts.push(next);
    }
    let (mut count, mut sum) = (pieces, distance);
    if counts[hexes.len()][count][sum] == 0 {
        return None;
    }
    let mut placed = Vec::new();
    for (at, &(hex, actions)) in hexes.iter().enumerate().rev() {
        let without = counts[at][count][sum];
        if random.random_range(0..counts[at + 1][count][sum]) >= without {
            placed.push(hex);
            (count, sum) = (count - 1, sum - actions);
        }
    }
    Some(placed.into_iter().collect())
}

#[cfg(test)]
mod tests {
    use admissible_oracle::Random;
    use rand::SeedableRng as _;
    use rand_chacha::ChaCha8Rng;

    use super::*;

    fn random(seed: usize) -> ChaCha8Rng {
        ChaCha8Rng::seed_from_u64(seed as u64)
    }

    #[test]
    fn clustering_is_the_percentage_of_blocks_beside_another() {
        let beside = |blocks: Hexes| blocks.filter(|&hex| !blocks.is_disjoint(hex.neighbours())).count();
        for seed in 0..50 {
            let alone = clustered(5, 0, &mut random(seed));
            assert_eq!((alone.len(), beside(alone)), (5, 0), "{alone:?}");
            let together = clustered(8, 100, &mut random(seed));
            assert_eq!((together.len(), beside(together)), (8, 8), "{together:?}");
            // Two of the four later blocks are placed beside earlier ones, which are then beside another block, too.
            let half = clustered(5, 50, &mut random(seed));
            assert!((3..=5).contains(&beside(half)), "{half:?}");
            assert_eq!(clustered(36, 0, &mut random(seed)).len(), 36, "no hex is left without a neighbour");
        }
    }

    #[test]
    fn pieces_have_the_distance() {
        let mut seeds = Random::new(1);
        for seed in 0..200 {
            let (pieces, blocks) = (1 + seeds.below(6), seeds.below(12));
            let blocks = anywhere(Colour::Red, 0, blocks, &mut random(seed)).blocks;
            let paths = RelaxedJumps::new(&Chexers::new(Colour::Red, Hexes::NONE, blocks, ActionKind::ALL));
            let distance = pieces * (1 + seeds.below(3));
            let Some(placed) = at_distance(&paths, blocks, pieces, distance, &mut random(seed)) else { continue };
            let sum: u32 = placed.map(|hex| paths.actions_from(hex).expect("pieces can exit")).sum();
            assert_eq!((placed.len() as usize, sum as usize), (pieces, distance), "{placed:?}");
            assert!(placed.is_disjoint(blocks));
        }
    }

    /// On an empty board a red piece is out after one action from four hexes.
    #[test]
    fn impossible_distances_are_refused() {
        let paths = RelaxedJumps::new(&Chexers::new(Colour::Red, Hexes::NONE, Hexes::NONE, ActionKind::ALL));
        let placed = |pieces, distance| at_distance(&paths, Hexes::NONE, pieces, distance, &mut random(1));
        assert_eq!(placed(4, 4), Some(Colour::Red.exits()));
        assert_eq!(placed(4, 3), None);
        assert_eq!(placed(5, 5), None);
        assert_eq!(placed(1, 5), None, "four actions are enough from everywhere");
    }
}
