//! Features of a state, for heuristics written as expressions.

use admissible::StateSpace as _;

use super::board::{Action, Chexers};
use super::hex::{Colour, Hex, Hexes, Step};
use admissible_front::puzzle::{Feature, FeatureCard};

pub(super) const CARDS: &[FeatureCard] = &[
    FeatureCard { name: "pieces", summary: "pieces on the board" },
    FeatureCard { name: "blocks", summary: "blocks on the board" },
    FeatureCard { name: "on_exit", summary: "pieces on an exit" },
    FeatureCard { name: "rows_left", summary: "rows between each piece and its exit side, summed" },
    FeatureCard { name: "farthest", summary: "rows between the last piece and its exit side" },
    FeatureCard { name: "pairs", summary: "pairs of pieces beside each other" },
    FeatureCard { name: "jumps", summary: "how many jumps are possible" },
];

pub(super) fn named(name: &str) -> Option<Feature<Chexers>> {
    let feature: fn(&Chexers, &Hexes) -> f64 = match name {
        "pieces" => |_, pieces| pieces.len().into(),
        "blocks" => |board, _| board.blocks.len().into(),
        "on_exit" => |board, pieces| pieces.intersection(board.exits).len().into(),
        "rows_left" => |board, pieces| pieces.map(|hex| f64::from(rows_left(board.colour, hex))).sum(),
        "farthest" => |board, pieces| pieces.map(|hex| rows_left(board.colour, hex)).max().unwrap_or(0).into(),
        "pairs" => |_, pieces| {
            let beside = |step: Step| pieces.intersection(pieces.moved(step)).len();
            // Each pair counts from both of its ends.
            f64::from(Step::ALL.into_iter().map(beside).sum::<u32>() / 2)
        },
        "jumps" => {
            |board, pieces| board.moves(pieces).filter(|action| matches!(action, Action::Jump { .. })).count() as f64
        }
        _ => return None,
    };
    Some(Box::new(feature))
}

/// The rows between a hex and the exit side of a colour.
fn rows_left(colour: Colour, hex: Hex) -> i8 {
    let (q, r) = hex.coordinates();
    match colour {
        Colour::Red => 3 - q,
        Colour::Green => 3 - r,
        Colour::Blue => 3 + q + r,
    }
}

#[cfg(test)]
mod tests {
    use admissible_oracle::Random;

    use super::super::board::ActionKind;
    use super::*;

    type Place = (i8, i8);

    /// The feature computed from the coordinates alone.
    fn by_hand(name: &str, exits: &[Place], pieces: &[Place], blocks: &[Place]) -> usize {
        let apart = |one: Place, other: Place| {
            let (q, r) = (one.0 - other.0, one.1 - other.1);
            usize::from(q.unsigned_abs().max(r.unsigned_abs()).max((q + r).unsigned_abs()))
        };
        // The number of rows is the distance to the line through the exits, extended beyond them.
        let along = (exits[1].0 - exits[0].0, exits[1].1 - exits[0].1);
        let line: Vec<Place> = (-9..9).map(|by| (exits[0].0 + by * along.0, exits[0].1 + by * along.1)).collect();
        let rows = |piece: Place| line.iter().map(|&there| apart(piece, there)).min().expect("the line is not empty");
        let taken = |place: Place| pieces.contains(&place) || blocks.contains(&place);
        let on_board = |(q, r): Place| q.abs() <= 3 && r.abs() <= 3 && (q + r).abs() <= 3;
        match name {
            "pieces" => pieces.len(),
            "blocks" => blocks.len(),
            "on_exit" => pieces.iter().filter(|piece| exits.contains(piece)).count(),
            "rows_left" => pieces.iter().map(|&piece| rows(piece)).sum(),
            "farthest" => pieces.iter().map(|&piece| rows(piece)).max().unwrap_or(0),
            "pairs" => {
                pieces.iter().map(|&one| pieces.iter().filter(|&&two| apart(one, two) == 1 && one < two).count()).sum()
            }
            "jumps" => {
                let lands = |&(q, r): &Place| {
                    [(-1, 0), (0, -1), (1, -1), (1, 0), (0, 1), (-1, 1)].into_iter().filter(move |(right, down)| {
                        let there = (q + 2 * right, r + 2 * down);
                        taken((q + right, r + down)) && on_board(there) && !taken(there)
                    })
                };
                pieces.iter().flat_map(lands).count()
            }
            other => panic!("the test has no rule for {other}"),
        }
    }

    #[test]
    fn features_agree_with_the_coordinates() {
        let mut random = Random::new(1);
        let places = |hexes: Hexes| hexes.map(Hex::coordinates).collect::<Vec<_>>();
        for round in 0..400 {
            let mut hexes: Vec<Hex> = Hexes::BOARD.collect();
            let mut some =
                |count: usize| -> Hexes { (0..count).map(|_| hexes.swap_remove(random.below(hexes.len()))).collect() };
            let (pieces, blocks) = (some(round % 8), some(round % 11));
            let board = Chexers::new(Colour::ALL[round % 3], pieces, blocks, ActionKind::ALL);
            for card in CARDS {
                let feature = named(card.name).unwrap_or_else(|| panic!("{} is on the card", card.name));
                let expected = by_hand(card.name, &places(board.exits), &places(pieces), &places(blocks));
                assert_eq!(feature(&board, &pieces), expected as f64, "{} {board:?}", card.name);
            }
        }
        assert!(named("relaxed-jumps").is_none());
    }
}
