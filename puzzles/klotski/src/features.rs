//! Features of a board, for heuristics written as expressions.

use admissible::StateSpace as _;

use crate::board::{Board, Klotski, Planes, members};
use crate::heuristics::Blockers;
use admissible_front::puzzle::{Feature, FeatureCard};

pub(crate) const CARDS: &[FeatureCard] = &[
    FeatureCard { name: "big_row", summary: "the upper row of the (first) 2x2 piece, from 0" },
    FeatureCard { name: "big_column", summary: "the left column of the (first) 2x2 piece, from 0" },
    FeatureCard { name: "in_the_way", summary: "1 or 2 for every piece below the 2x2 piece: blockers - manhattan" },
    FeatureCard { name: "empties_below", summary: "empty cells right below the 2x2 piece" },
    FeatureCard { name: "empties", summary: "empty cells" },
    FeatureCard { name: "singles", summary: "pieces of one cell" },
    FeatureCard { name: "lying", summary: "lying dominoes" },
    FeatureCard { name: "standing", summary: "standing dominoes" },
    FeatureCard { name: "steps", summary: "how many steps are possible" },
];

pub(crate) fn named<P: Planes>(klotski: &Klotski<P>, name: &str) -> Option<Feature<Klotski<P>>> {
    let feature: fn(&Klotski<P>, &Board) -> f64 = match name {
        "big_row" => |klotski, board| big_place(klotski, board).0 as f64,
        "big_column" => |klotski, board| big_place(klotski, board).1 as f64,
        "in_the_way" => {
            let blockers = Blockers::to(&klotski.frame, klotski.big_places());
            return Some(Box::new(move |klotski, board| blockers.in_the_way(&klotski.frame, board).into()));
        }
        "empties_below" => |klotski, board| {
            let below = board.big << (2 * klotski.frame.width);
            (klotski.frame.empty(board) & (below | below << 1)).count_ones().into()
        },
        "empties" => |klotski, board| klotski.frame.empty(board).count_ones().into(),
        "singles" => |_, board| board.singles.count_ones().into(),
        "lying" => |_, board| board.lying.count_ones().into(),
        "standing" => |_, board| board.standing.count_ones().into(),
        "steps" => |klotski, board| klotski.moves(board).count() as f64,
        _ => return None,
    };
    Some(Box::new(feature))
}

/// Row and column of the first 2x2 piece; 0 and 0 without one.
fn big_place<P: Planes>(klotski: &Klotski<P>, board: &Board) -> (usize, usize) {
    members(board.big).next().map_or((0, 0), |cell| klotski.frame.place(cell))
}

#[cfg(test)]
mod tests {
    use admissible::{Estimate, Heuristic as _};
    use admissible_oracle::Random;

    use super::*;
    use crate::heuristics::Manhattan;
    use crate::read::Layout;
    use crate::{ORDER, TwoWords};

    const BOARDS: [&str; 4] = [
        "^11^\nv11v\n^<>^\nv22v\n2..2\n",
        "222^\n11^v\n11v^\n.<>v\n.2<>\n",
        "....\n.112\n.11.\n<><>\n2.^.\n..v.\n\n2...\n.11.\n.112\n<><>\n..^.\n..v.\n",
        "11.11\n11.11\n.2^..\n<>v..\n\n11.11\n11.11\n2.^..\n<>v..\n",
    ];

    /// The feature computed from the rows of symbols alone.
    fn by_hand(name: &str, rows: &[Vec<char>]) -> usize {
        let count = |symbol: char| rows.iter().flatten().filter(|&&other| other == symbol).count();
        let first = rows.iter().enumerate().find_map(|(row, line)| Some((row, line.iter().position(|&c| c == '1')?)));
        let at = |row: usize, column: usize| rows.get(row).and_then(|line| line.get(column)).copied();
        match name {
            "big_row" => first.expect("there is a 2x2 piece").0,
            "big_column" => first.expect("there is a 2x2 piece").1,
            "empties_below" => {
                let below = |row: usize, column: usize| {
                    at(row, column) == Some('.') && row > 0 && at(row - 1, column) == Some('1')
                };
                let cells = (0..rows.len()).flat_map(|row| (0..rows[0].len()).map(move |column| (row, column)));
                cells.filter(|&(row, column)| below(row, column)).count()
            }
            "empties" => count('.'),
            "singles" => count('2'),
            "lying" => count('<'),
            "standing" => count('^'),
            other => panic!("the test has no rule for {other}"),
        }
    }

    #[test]
    fn features_agree_with_the_rows_of_symbols() {
        let mut random = Random::new(1);
        for text in BOARDS {
            let klotski: Klotski<TwoWords> = Layout::read(text).expect("is a board").puzzle(ORDER);
            let (frame, places) = (&klotski.frame, klotski.big_places());
            let (manhattan, blockers) = (Manhattan::to(frame, places), Blockers::to(frame, places));
            let units = |estimate: Estimate| estimate.units().map(f64::from).expect("is no dead end");
            let mut board = klotski.start;
            for _ in 0..300 {
                let rows = klotski.frame.symbols(&board);
                let steps: Vec<_> = klotski.moves(&board).collect();
                for card in CARDS {
                    let feature = named(&klotski, card.name).unwrap_or_else(|| panic!("{} is on the card", card.name));
                    let expected = match card.name {
                        "in_the_way" => {
                            units(blockers.evaluate(&klotski, &board)) - units(manhattan.evaluate(&klotski, &board))
                        }
                        "steps" => steps.len() as f64,
                        name => by_hand(name, &rows) as f64,
                    };
                    assert_eq!(feature(&klotski, &board), expected, "{} {rows:?}", card.name);
                }
                klotski.apply(&mut board, steps[random.below(steps.len())]);
            }
            assert!(named(&klotski, "manhattan").is_none());
        }
    }
}
