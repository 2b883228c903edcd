//! The boards of an audit without a file.

use rand::Rng;
use rand::RngExt as _;
use rand::seq::SliceRandom as _;

use super::board::{ActionKind, Chexers};
use super::hex::{Colour, Hex, Hexes};
use super::ranking::Placements;
use admissible_front::scope::{InstanceOf, Scope, ScopeError};

/// The number of random sets of blocks for each colour, beside the empty set.
const BLOCK_SETS: usize = 8;
/// The most pieces on boards with random blocks.
const PIECES: usize = 3;
const MOST_BOARDS: usize = 100_000;

/// Every placement of up to `most` pieces of each colour, without blocks and with random ones.
pub(super) fn placements(most: usize, random: &mut dyn Rng) -> Scope<'static> {
    let mut recipes = Vec::new();
    for colour in Colour::ALL {
        recipes.push((colour, Hexes::NONE, most));
        recipes.extend((0..BLOCK_SETS).map(|_| (colour, random_blocks(random), most)));
    }
    let title = format!(
        "every placement of up to {most} pieces of each colour, without blocks and with {BLOCK_SETS} sets of random \
         ones"
    );
    boards(title, recipes)
}

/// Boards with random colours and blocks.
pub(super) fn random_boards(count: usize, random: &mut dyn Rng) -> Result<Scope<'static>, ScopeError> {
    if count > MOST_BOARDS {
        return Err(ScopeError(format!("the scope 'random' takes at most {MOST_BOARDS} boards")));
    }
    let recipe = |_| (Colour::ALL[random.random_range(0..3)], random_blocks(random), PIECES);
    let title = format!("every placement of up to {PIECES} pieces on {count} boards with random blocks");
    Ok(boards(title, (0..count).map(recipe).collect()))
}

/// Boards by colour, blocks and the most pieces.
fn boards(title: String, boards: Vec<(Colour, Hexes, usize)>) -> Scope<'static> {
    let instance = |from: (Colour, Hexes, usize)| {
        let states = subsets(Hexes::BOARD.without(from.1).len().into(), from.2);
        InstanceOf { cells: 0, states: states.into(), atlas: None, from }
    };
    Scope::several(title, boards.into_iter().map(instance), ranked)
}

fn random_blocks(random: &mut dyn Rng) -> Hexes {
    let mut hexes: Vec<Hex> = Hexes::BOARD.collect();
    let count = random.random_range(1..=16);
    hexes.partial_shuffle(random, count).0.iter().copied().collect()
}

fn ranked(&(colour, blocks, most): &(Colour, Hexes, usize)) -> (Chexers, Placements) {
    let pieces = Hexes::BOARD.without(blocks).take(most).collect();
    let board = Chexers::new(colour, pieces, blocks, ActionKind::ALL);
    let placements = Placements::new(&board, most);
    (board, placements)
}

/// The number of subsets with at most `most` members.
pub(super) fn subsets(things: u64, most: usize) -> u64 {
    let mut ways = 1;
    let mut total = 1;
    for taken in 1..=most as u64 {
        ways = ways * (things + 1).saturating_sub(taken) / taken;
        total += ways;
    }
    total
}
