//! Heuristics from relaxations in which pieces act alone, or in pairs.
//!
//! Pieces help each other only by being jumped over. In the relaxation of [`RelaxedJumps`] a piece may always jump, and
//! other pieces do not block it: each has a shortest path to an exit. An action moves one piece, so the sum of the
//! paths is a lower bound. An action changes the path of its piece by at most 1, so the sum is consistent.
//!
//! A jump needs a piece or a block to jump over. [`PartneredJumps`] keeps this rule for the first jump of one piece
//! over another one, its partner, which has to come beside it. The actions of the two beyond their shortest paths are a
//! *detour*; the longest detour of a piece is added to the sum.

use admissible::{Estimate, Heuristic, Properties};

use super::board::{Action, Chexers};
use super::hex::{Hex, Hexes, Step};

/// The actions of a piece that cannot reach an exit: more than those of all other pieces together, and small enough to
/// be summed over all hexes.
const UNREACHABLE: u32 = 1 << 16;

/// The sum over the pieces of the fewest actions to exit, if a piece may always jump and only blocks are in the way.
#[derive(Debug, Clone)]
pub struct RelaxedJumps {
    /// By hex: the fewest actions.
    actions: [u32; 64],
}

impl RelaxedJumps {
    /// Finds the shortest paths on a board by breadth-first search from its exits.
    pub fn new(board: &Chexers) -> Self {
        let mut actions = [UNREACHABLE; 64];
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

    /// The fewest actions of a piece alone; `None` if it cannot exit.
    pub(super) fn actions_from(&self, hex: Hex) -> Option<u32> {
        Some(self.actions[hex.index()]).filter(|&actions| actions < UNREACHABLE)
    }

    /// The moves and jumps of pieces on these hexes, hex by hex.
    fn leaps(&self, hexes: &[Hex], blocks: Hexes) -> Vec<Leap> {
        let mut leaps = Vec::with_capacity(12 * hexes.len());
        for &from in hexes {
            let mut add = |to: Hex, over: Option<Hex>| {
                if self.actions[to.index()] < UNREACHABLE {
                    let detour = 1 + self.actions[to.index()] - self.actions[from.index()];
                    let (from, to, over) = (from.index(), to.index(), over.map(Hex::index));
                    leaps.push(Leap { from, to, over, detour: detour as usize });
                }
            };
            for step in Step::ALL {
                let beside = from.after(step);
                if Hexes::BOARD.contains(beside) {
                    add(beside, None);
                    add(beside.after(step), (!blocks.contains(beside)).then_some(beside));
                }
            }
        }
        leaps
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
        if sum < UNREACHABLE { Estimate::new(sum) } else { Estimate::DEAD_END }
    }

    #[inline]
    fn eval_from_h(&self, _board: &Chexers, _pieces: &Hexes, units: u32) -> u32 {
        units
    }

    fn properties(&self, _board: &Chexers) -> Properties {
        Properties::CONSISTENT
    }
}

/// [`RelaxedJumps`] plus a detour: the longest that a piece needs for its first jump over another piece.
///
/// Every piece has its own relaxation. Until its first jump over a piece it only moves and jumps over blocks, and for
/// that jump some other piece has to be beside it. Afterwards it may always jump, as the others may from the start.
/// All legal actions are legal in the relaxation, so its optimal cost is consistent, and so is the maximum over the
/// pieces.
#[derive(Debug, Clone)]
pub struct PartneredJumps {
    paths: RelaxedJumps,
    /// By detour and hex: the hexes of a partner with which a piece on that hex can exit with this detour of the two
    /// together. All hexes of the board if the piece needs no partner.
    partners: Vec<[Hexes; 64]>,
}

/// In a set of partners: none is needed. No hex of the board has this bit.
const NO_PARTNER_NEEDED: Hexes = Hexes(1 << 63);

/// A move or a jump of a piece.
struct Leap {
    from: usize,
    to: usize,
    /// The hex that is jumped over, if it needs a piece.
    over: Option<usize>,
    /// The summand of the detour: the leap takes one action, and the path becomes shorter (0), stays (1) or becomes
    /// longer (2) by one.
    detour: usize,
}

impl PartneredJumps {
    /// Dynamic programming over the detours on a board, for all hexes at once, the shortest first.
    pub fn new(board: &Chexers) -> Self {
        let paths = RelaxedJumps::new(board);
        let mut hexes: Vec<Hex> = Hexes::BOARD.filter(|hex| paths.actions[hex.index()] < UNREACHABLE).collect();
        hexes.sort_by_key(|hex| paths.actions[hex.index()]);
        let leaps = paths.leaps(&hexes, board.blocks);

        // By detour and hex: the hexes from which a piece can reach it, and the partners of a piece on it.
        let mut origins = vec![[Hexes::NONE; 64]];
        let mut partners = vec![[Hexes::NONE; 64]];
        hexes.iter().for_each(|&hex| origins[0][hex.index()] = Hexes::from_iter([hex]));
        board.exits.without(board.blocks).for_each(|exit| partners[0][exit.index()] = NO_PARTNER_NEEDED);
        for detour in 0_usize.. {
            // A leap without a detour shortens the path. So origins are computed from the farthest hex to the nearest,
            // by inverse leaps, and partners from the nearest to the farthest.
            for leap in leaps.iter().rev() {
                if let Some(shorter) = detour.checked_sub(2 - leap.detour) {
                    origins[detour][leap.from] = origins[detour][leap.from].union(origins[shorter][leap.to]);
                }
            }
            for leap in &leaps {
                if let Some(shorter) = detour.checked_sub(leap.detour) {
                    let after = leap.over.map_or(partners[shorter][leap.to], |over| origins[shorter][over]);
                    partners[detour][leap.from] = partners[detour][leap.from].union(after);
                }
            }
            let is_complete = hexes.iter().all(|hex| !partners[detour][hex.index()].is_disjoint(NO_PARTNER_NEEDED));
            // A leap adds at most 2, so sets that are unchanged for two detours stay unchanged.
            let is_stable =
                detour >= 2 && origins[detour] == origins[detour - 2] && partners[detour] == partners[detour - 2];
            if is_complete || is_stable {
                break;
            }
            origins.push(origins[detour]);
            partners.push(partners[detour]);
        }
        for of_detour in &mut partners {
            for &hex in &hexes {
                let set = &mut of_detour[hex.index()];
                *set = if set.is_disjoint(NO_PARTNER_NEEDED) {
                    set.without(Hexes::from_iter([hex]))
                } else {
                    Hexes::BOARD
                };
            }
        }
        PartneredJumps { paths, partners }
    }
}

/// The evaluation of [`PartneredJumps`].
#[derive(Debug, Clone, Copy)]
pub struct Detoured {
    /// The sum of the shortest paths.
    actions: u32,
    /// The detour; `partners.len()` if there is none.
    detour: u32,
}

impl PartneredJumps {
    /// The piece that needs the longest detour, and that detour; `None` inside if it cannot exit.
    pub(super) fn longest_detour(&self, pieces: Hexes) -> Option<(Hex, Option<u32>)> {
        let needed = |hex: Hex| {
            let detour = self.partners.iter().position(|partners| !partners[hex.index()].is_disjoint(pieces));
            (hex, detour.map(|detour| detour as u32))
        };
        pieces.map(needed).max_by_key(|(_, detour)| detour.unwrap_or(u32::MAX))
    }

    /// The longest detour that a piece needs, given a lower bound.
    #[inline]
    fn detour(&self, pieces: Hexes, least: u32) -> u32 {
        let mut detour = least as usize;
        for hex in pieces {
            while self.partners.get(detour).is_some_and(|partners| partners[hex.index()].is_disjoint(pieces)) {
                detour += 1;
            }
        }
        detour.min(self.partners.len()) as u32
    }
}

impl Heuristic<Chexers> for PartneredJumps {
    type Eval = Detoured;

    #[inline]
    fn evaluate(&self, board: &Chexers, pieces: &Hexes) -> Detoured {
        Detoured { actions: self.paths.evaluate(board, pieces), detour: self.detour(*pieces, 0) }
    }

    /// The estimate falls by at most 1, which gives a lower bound of the detour.
    #[inline]
    fn advance(&self, board: &Chexers, parent: Detoured, after: &Hexes, action: Action) -> Detoured {
        let actions = self.paths.advance(board, parent.actions, after, action);
        let least = (parent.actions + parent.detour).saturating_sub(actions + 1);
        Detoured { actions, detour: self.detour(*after, least) }
    }

    #[inline]
    fn estimate(&self, Detoured { actions, detour }: Detoured) -> Estimate {
        if (detour as usize) < self.partners.len() { Estimate::new(actions + detour) } else { Estimate::DEAD_END }
    }

    #[inline]
    fn eval_from_h(&self, board: &Chexers, pieces: &Hexes, units: u32) -> Detoured {
        let actions = self.paths.evaluate(board, pieces);
        Detoured { actions, detour: units - actions }
    }

    fn properties(&self, _board: &Chexers) -> Properties {
        Properties::CONSISTENT
    }
}

/// A lower bound of the cost from the start, for backward searches: every missing piece has taken an exit.
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

    use super::super::board::ActionKind;
    use super::super::hex::Colour;
    use super::*;

    fn some_hexes(random: &mut Random, count: usize) -> Hexes {
        let hexes: Vec<Hex> = Hexes::BOARD.collect();
        (0..count).map(|_| hexes[random.below(hexes.len())]).collect()
    }

    /// The definition on coordinates: every hex takes one action more than the best hex within its reach.
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
    fn relaxed_jumps_agrees_with_its_definition() {
        let mut random = Random::new(1);
        for round in 0..300 {
            let (colour, blocks) = (Colour::ALL[round % 3], some_hexes(&mut random, round / 6));
            let fewest = fewest_actions(colour, blocks);
            let board = Chexers::new(colour, Hexes::NONE, blocks, ActionKind::ALL);
            let heuristic = RelaxedJumps::new(&board);
            for hex in Hexes::BOARD.without(blocks) {
                let estimate = heuristic.estimate(heuristic.evaluate(&board, &Hexes::from_iter([hex])));
                assert_eq!(estimate.units(), fewest.get(&hex.coordinates()).copied(), "{colour:?} {hex} {blocks:?}");
            }
        }
    }

    /// The optimal cost of the relaxation of [`PartneredJumps`] for the first piece, by brute force on coordinates.
    fn relaxed_cost(board: &Chexers, pieces: &[Hex]) -> Option<u32> {
        let directions = [(-1, 0), (0, -1), (1, -1), (1, 0), (0, 1), (-1, 1)];
        let is_block = |(q, r)| Hex::new(q, r).is_some_and(|hex| board.blocks.contains(hex));
        let is_free = |(q, r)| Hex::new(q, r).is_some_and(|hex| !board.blocks.contains(hex));
        let start: Vec<Option<(i8, i8)>> = pieces.iter().map(|hex| Some(hex.coordinates())).collect();
        let mut depths = HashMap::from([((start.clone(), false), 0)]);
        let mut queue = VecDeque::from([(start, false)]);
        while let Some((places, has_jumped)) = queue.pop_front() {
            let depth = depths[&(places.clone(), has_jumped)];
            if places.iter().all(Option::is_none) {
                return Some(depth);
            }
            for (piece, (q, r)) in places.iter().enumerate().filter_map(|(piece, place)| Some((piece, (*place)?))) {
                let mut next = Vec::new();
                if board.exits.contains(Hex::new(q, r).expect("pieces are on the board")) {
                    next.push((None, has_jumped));
                }
                for (along_q, along_r) in directions {
                    let [beside, opposite] = [1, 2].map(|steps| (q + steps * along_q, r + steps * along_r));
                    if is_free(beside) {
                        next.push((Some(beside), has_jumped));
                    }
                    let always = piece > 0 || has_jumped || is_block(beside);
                    if is_free(opposite) && (always || places[1..].contains(&Some(beside))) {
                        next.push((Some(opposite), has_jumped || !always));
                    }
                }
                for (place, has_jumped) in next {
                    let mut after = places.clone();
                    after[piece] = place;
                    depths.entry((after.clone(), has_jumped)).or_insert_with(|| {
                        queue.push_back((after, has_jumped));
                        depth + 1
                    });
                }
            }
        }
        None
    }

    #[test]
    fn partnered_jumps_agrees_with_its_definition() {
        let mut random = Random::new(1);
        for round in 0..120 {
            // The state space of three pieces is about a thousand times larger than that of two.
            let pieces = some_hexes(&mut random, if round % 30 == 29 { 3 } else { 1 + round % 2 });
            let blocks = some_hexes(&mut random, round / 4).without(pieces);
            let board = Chexers::new(Colour::ALL[round % 3], pieces, blocks, ActionKind::ALL);
            let mut hexes: Vec<Hex> = pieces.collect();
            let mut most = Some(0);
            for _ in 0..hexes.len() {
                hexes.rotate_left(1);
                most = most.and_then(|most| Some(relaxed_cost(&board, &hexes)?.max(most)));
            }
            let heuristic = PartneredJumps::new(&board);
            let estimate = heuristic.estimate(heuristic.evaluate(&board, &pieces));
            assert_eq!(estimate.units(), most, "{pieces:?} around {blocks:?}");
        }
    }

    #[test]
    fn exits_is_admissible_and_consistent_from_the_start() {
        let mut random = Random::new(1);
        for _ in 0..5 {
            let pieces = some_hexes(&mut random, 2);
            let blocks = some_hexes(&mut random, 8).without(pieces);
            let board = Chexers::new(Colour::Green, pieces, blocks, ActionKind::ALL);
            let estimate = |state: &Hexes| Exits.evaluate(&board, state).units().expect("no state is a dead end");
            let mut depths = HashMap::from([(pieces.0, 0)]);
            let mut queue = VecDeque::from([pieces]);
            while let Some(state) = queue.pop_front() {
                let depth = depths[&state.0];
                assert!(estimate(&state) <= depth, "{state:?}");
                for action in board.moves(&state) {
                    let mut after = state;
                    board.apply(&mut after, action);
                    assert!(estimate(&after) <= estimate(&state) + 1, "{state:?} {action}");
                    depths.entry(after.0).or_insert_with(|| {
                        queue.push_back(after);
                        depth + 1
                    });
                }
            }
        }
    }
}
