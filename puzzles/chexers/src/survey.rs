//! The boards that an audit looks at, and every placement of pieces on them.

use admissible::audit::Listed;
use rand::Rng;
use rand::RngExt as _;
use rand::seq::SliceRandom as _;

use super::board::{Chexers, Kind};
use super::hex::{Colour, Hex, Hexes};
use admissible_front::survey::{MOST_LISTED, Many, ScopeError};

/// Boards by colour, blocks and the most pieces.
type Boards = Many<(Colour, Hexes, usize), Chexers>;

/// Random sets of blocks for each colour beside the empty one, and the pieces on each.
const BLOCK_SETS: usize = 8;
const PIECES: usize = 3;
const MOST_BOARDS: usize = 100_000;

/// Every placement of up to so many pieces of each colour, without blocks and with random ones.
pub(super) fn placements(most: usize, random: &mut dyn Rng) -> Result<Boards, ScopeError> {
    let mut recipes = Vec::new();
    for colour in Colour::ALL {
        recipes.push((colour, Hexes::NONE, most));
        recipes.extend((0..BLOCK_SETS).map(|_| (colour, some_blocks(random), most)));
    }
    let title = format!(
        "every placement of up to {most} pieces of each colour, without blocks and with {BLOCK_SETS} sets of random ones"
    );
    boards(title, recipes)
}

/// Boards with random colours and blocks.
pub(super) fn random_boards(count: usize, random: &mut dyn Rng) -> Result<Boards, ScopeError> {
    if count > MOST_BOARDS {
        return Err(ScopeError(format!("the scope 'random' takes at most {MOST_BOARDS} boards")));
    }
    let recipe = |_| (Colour::ALL[random.random_range(0..3)], some_blocks(random), PIECES);
    let title = format!("every placement of up to {PIECES} pieces on {count} boards with random blocks");
    boards(title, (0..count).map(recipe).collect())
}

fn boards(title: String, recipes: Vec<(Colour, Hexes, usize)>) -> Result<Boards, ScopeError> {
    let sizes = recipes.iter().map(|&(_, blocks, most)| subsets(Hexes::BOARD.without(blocks).len().into(), most));
    let states: Vec<u64> = sizes.collect();
    if let Some(&largest) = states.iter().max().filter(|&&states| states > MOST_LISTED as u64) {
        return Err(ScopeError(format!("so many pieces have {largest} placements: choose fewer")));
    }
    let recipes = recipes.into_iter().map(|recipe| (0, recipe)).collect();
    Ok(Many { title, recipes, states: states.iter().sum(), make: every_state })
}

fn some_blocks(random: &mut dyn Rng) -> Hexes {
    let mut hexes: Vec<Hex> = Hexes::BOARD.collect();
    let count = random.random_range(1..=16);
    hexes.partial_shuffle(random, count).0.iter().copied().collect()
}

fn every_state(&(colour, blocks, most): &(Colour, Hexes, usize)) -> (Chexers, Listed<u64>) {
    let pieces = Hexes::BOARD.without(blocks).take(most).collect();
    let board = Chexers::new(colour, pieces, blocks, Kind::ALL);
    let states = Listed::of(&board, every_placement(&board).expect("the number was checked"));
    (board, states)
}

/// How many placements of as many pieces as a board has at its start, or fewer, there are.
pub(super) fn count_placements(board: &Chexers) -> u64 {
    subsets(Hexes::BOARD.without(board.blocks).len().into(), board.pieces.len() as usize)
}

/// The subsets of so many things with at most so many members.
fn subsets(things: u64, most: usize) -> u64 {
    let mut ways = 1;
    let mut total = 1;
    for taken in 1..=most as u64 {
        ways = ways * (things + 1).saturating_sub(taken) / taken;
        total += ways;
    }
    total
}

/// Every placement of as many pieces as a board has at its start, or fewer.
pub(super) fn every_placement(board: &Chexers) -> Result<impl Iterator<Item = Hexes>, ScopeError> {
    let placements = count_placements(board);
    if placements > MOST_LISTED as u64 {
        return Err(ScopeError(format!("so many pieces have {placements} placements: choose reachable or sample:N")));
    }
    let free: Vec<Hex> = Hexes::BOARD.without(board.blocks).collect();
    let most = board.pieces.len() as usize;
    // Subsets in the order of their members, each with the place of the next hex that may join.
    let mut open = vec![(Hexes::NONE, 0)];
    Ok(std::iter::from_fn(move || {
        let (pieces, next) = open.pop()?;
        if (pieces.len() as usize) < most {
            open.extend((next..free.len()).rev().map(|at| (pieces.toggled(free[at]), at + 1)));
        }
        Some(pieces)
    }))
}
