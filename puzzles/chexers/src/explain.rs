//! The parts of each heuristic on a board: the fewest actions of each piece, and the longest detour.

use admissible_front::{Explanation, Part};

use super::board::Chexers;
use super::heuristics::{PartneredJumps, RelaxedJumps};
use super::hex::Hexes;

/// Explains a heuristic of the card other than `zero`.
pub(super) fn explain(board: &Chexers, heuristic: &str, pieces: Hexes) -> Option<Explanation> {
    let paths = RelaxedJumps::new(board);
    let alone = pieces.map(|hex| match paths.actions_from(hex) {
        Some(actions) => Part::new(format!("the piece on {hex}"), actions),
        None => Part::new(format!("the piece on {hex} cannot reach an exit"), f64::INFINITY),
    });
    let mut parts: Vec<Part> = alone.collect();
    let rule = match heuristic {
        "relaxed-jumps" => "the fewest actions of each piece alone, if it could always jump",
        "partnered-jumps" => match PartneredJumps::new(board).longest_detour(pieces) {
            None | Some((_, Some(0))) => "relaxed-jumps; no piece needs a detour",
            Some((hex, detour)) => {
                let what = match detour {
                    Some(_) => format!("detour: the piece on {hex} needs a piece to jump over"),
                    None => format!("the piece on {hex} cannot exit, with any piece to jump over"),
                };
                parts.push(Part::new(what, detour.map_or(f64::INFINITY, f64::from)));
                "relaxed-jumps, and the longest detour that a piece needs for its first jump over another one"
            }
        },
        _ => return None,
    };
    Some(Explanation::new(rule, parts))
}

/// The exact rules of the heuristics, for the card.
pub(super) mod rules {
    pub(crate) const RELAXED_JUMPS: &str = "\
A piece alone on the board may move to each neighbour and jump over each neighbour, whether something is there or not.
Only blocks are in the way: it may not stop on one. On an exit hex it needs 1 action, the exit.
h = the sum over the pieces of the fewest actions to be off the board; infinite if a piece cannot reach an exit.";
    pub(crate) const PARTNERED_JUMPS: &str = "\
Each piece has a relaxation of its own. Until its first jump over another piece it moves, jumps over blocks, and may
jump over a piece only if one stands there. Afterwards it may always jump, as the other pieces may from the start.
Its detour is the cost of this relaxation beyond relaxed-jumps: actions of the piece and of one partner together.
h = relaxed-jumps + the longest detour of a piece; infinite if a piece cannot exit.";
}

#[cfg(test)]
mod tests {
    use admissible_front::check_explanation;
    use admissible_front::puzzle::Puzzle as _;
    use admissible_oracle::Random;

    use super::super::board::ActionKind;
    use super::super::hex::{Colour, Hex};
    use super::*;

    #[test]
    fn parts_add_up_on_random_boards() {
        let mut random = Random::new(1);
        let (mut dead_ends, mut detours) = (0, 0);
        for round in 0..600 {
            let hexes: Vec<Hex> = Hexes::BOARD.collect();
            let mut some = |count: usize| -> Hexes { (0..count).map(|_| hexes[random.below(hexes.len())]).collect() };
            let pieces = some(1 + round % 4);
            let blocks = some(round / 20).without(pieces);
            let board = Chexers::new(Colour::ALL[round % 3], pieces, blocks, ActionKind::ALL);
            ["relaxed-jumps", "partnered-jumps"].into_iter().for_each(|name| check_explanation(&board, name, &pieces));
            let explained = board.explain("partnered-jumps", &pieces).expect("an explanation");
            dead_ends += usize::from(explained.total().is_infinite());
            detours += usize::from(explained.parts.len() > pieces.len() as usize);
        }
        assert!(dead_ends > 0 && detours > 0, "{dead_ends} dead ends, {detours} detours");
    }
}
