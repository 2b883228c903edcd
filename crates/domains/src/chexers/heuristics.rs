//! What is left to do, estimated piece by piece.
//!
//! Pieces help each other only by being jumped over. Let a piece jump over anything, and let no other piece be in its
//! way: then each finds its shortest way out alone, and since an action moves one piece, the sum of these ways is a
//! lower bound. An action of one piece changes its own way by at most 1, so the sum is consistent.

use admissible::{Estimate, Heuristic, Properties};

use super::board::{Action, Chexers};
use super::hex::{Hexes, Step};

/// Stands for the actions of a piece that cannot get out: more than those of all the others together, and small enough
/// to be summed for every hex of the board.
const NEVER: u32 = 1 << 16;

/// The sum over the pieces of the fewest actions to get out, where a piece may always jump and only blocks are in the
/// way.
#[derive(Debug, Clone)]
pub struct RelaxedJumps {
    /// The fewest actions by hex.
    actions: [u32; 64],
}

impl RelaxedJumps {
    /// Works out the ways on a board, by breadth-first search from its exits.
    pub fn new(board: &Chexers) -> Self {
        let mut actions = [NEVER; 64];
        let mut unreached = Hexes::BOARD.without(board.blocks);
        let mut layer = board.exits.intersection(unreached);
        for distance in 1.. {
            if layer.is_empty() {
                break;
            }
            unreached = unreached.without(layer);
            layer.for_each(|hex| actions[hex.index()] = distance);
            layer = Step::ALL.into_iter().fold(Hexes::NONE, |next, step| {
                let beside = layer.moved(step).intersection(Hexes::BOARD);
                next.union(beside).union(beside.moved(step))
            });
            layer = layer.intersection(unreached);
        }
        RelaxedJumps { actions }
    }
}

impl Heuristic<Chexers> for RelaxedJumps {
    type Eval = u32;

    #[inline]
    fn evaluate(&self, _board: &Chexers, pieces: &Hexes) -> u32 {
        pieces.map(|hex| self.actions[hex.index()]).sum()
    }

    #[inline]
    fn advance(&self, _board: &Chexers, parent: u32, _after: &Hexes, action: Action) -> u32 {
        match action {
            Action::Exit { from } => parent - self.actions[from.index()],
            Action::Jump { from, to } | Action::Move { from, to } => {
                parent + self.actions[to.index()] - self.actions[from.index()]
            }
        }
    }

    #[inline]
    fn estimate(&self, sum: u32) -> Estimate {
        if sum < NEVER { Estimate::new(sum) } else { Estimate::DEAD_END }
    }

    fn properties(&self, _board: &Chexers) -> Properties {
        Properties::CONSISTENT
    }
}

/// From the start: every piece that is missing has taken an action to leave.
#[derive(Debug, Clone, Copy)]
pub struct Exits;

impl Heuristic<Chexers> for Exits {
    type Eval = Estimate;

    #[inline]
    fn evaluate(&self, board: &Chexers, pieces: &Hexes) -> Estimate {
        Estimate::new(board.pieces.len() - pieces.len())
    }

    #[inline]
    fn estimate(&self, eval: Estimate) -> Estimate {
        eval
    }

    fn properties(&self, _board: &Chexers) -> Properties {
        Properties::CONSISTENT
    }
}

#[cfg(test)]
mod tests {
    use std::collections::{HashMap, VecDeque};

    use admissible::StateSpace as _;
    use admissible_oracle::Random;

    use super::super::board::Kind;
    use super::super::hex::{Colour, Hex};
    use super::*;

    fn some_hexes(random: &mut Random, count: usize) -> Hexes {
        let hexes: Vec<Hex> = Hexes::BOARD.collect();
        (0..count).map(|_| hexes[random.below(hexes.len())]).collect()
    }

    /// The definition once more, on coordinates: every hex gets one action more than the best hex within its reach.
    fn fewest_actions(colour: Colour, blocks: Hexes) -> HashMap<(i8, i8), u32> {
        let directions = [(-1, 0), (0, -1), (1, -1), (1, 0), (0, 1), (-1, 1)];
        let reach = directions.into_iter().flat_map(|(q, r)| [(q, r), (2 * q, 2 * r)]);
        let free: Vec<(i8, i8)> = Hexes::BOARD.without(blocks).map(Hex::coordinates).collect();
        let exits = colour.exits().without(blocks);
        let mut fewest: HashMap<(i8, i8), u32> = exits.map(|exit| (exit.coordinates(), 1)).collect();
        for _ in 0..free.len() {
            for &(q, r) in &free {
                let best = reach.clone().filter_map(|(along_q, along_r)| fewest.get(&(q + along_q, r + along_r))).min();
                if let Some(actions) = best.map(|best| best + 1) {
                    let known = fewest.entry((q, r)).or_insert(actions);
                    *known = actions.min(*known);
                }
            }
        }
        fewest
    }

    #[test]
    fn relaxed_jumps_is_as_defined() {
        let mut random = Random::new(1);
        for round in 0..300 {
            let (colour, blocks) = (Colour::ALL[round % 3], some_hexes(&mut random, round / 6));
            let fewest = fewest_actions(colour, blocks);
            let board = Chexers::new(colour, Hexes::NONE, blocks, Kind::ALL);
            let heuristic = RelaxedJumps::new(&board);
            for hex in Hexes::BOARD.without(blocks) {
                let estimate = heuristic.estimate(heuristic.evaluate(&board, &Hexes::from_iter([hex])));
                assert_eq!(estimate.units(), fewest.get(&hex.coordinates()).copied(), "{colour:?} {hex} {blocks:?}");
            }
        }
    }

    #[test]
    fn exits_is_admissible_and_consistent_from_the_start() {
        let mut random = Random::new(1);
        for _ in 0..5 {
            let pieces = some_hexes(&mut random, 2);
            let blocks = some_hexes(&mut random, 8).without(pieces);
            let board = Chexers::new(Colour::Green, pieces, blocks, Kind::ALL);
            let estimate = |state: &Hexes| Exits.evaluate(&board, state).units().expect("no state is a dead end");
            let mut depths = HashMap::from([(pieces.bits(), 0)]);
            let mut queue = VecDeque::from([pieces]);
            while let Some(state) = queue.pop_front() {
                let depth = depths[&state.bits()];
                assert!(estimate(&state) <= depth, "{state:?}");
                for action in board.moves(&state) {
                    let mut after = state;
                    board.apply(&mut after, action);
                    assert!(estimate(&after) <= estimate(&state) + 1, "{state:?} {action}");
                    depths.entry(after.bits()).or_insert_with(|| {
                        queue.push_back(after);
                        depth + 1
                    });
                }
            }
        }
    }
}
