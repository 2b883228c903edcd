//! The parts of each heuristic on a board: the distance of the 2x2 piece, the pieces that block it, the table without
//! singles.

use admissible_front::{Explanation, Part};

use crate::board::{Board, Goal, Klotski, Planes, members};
use crate::heuristics::{Blockers, TABLE_SIZE, WithoutSingles};

/// Explains a heuristic of the card other than `zero`.
pub(crate) fn explain<P: Planes>(klotski: &Klotski<P>, heuristic: &str, board: &Board) -> Option<Explanation> {
    let parts = match heuristic {
        "manhattan" => distances(klotski, board),
        "blockers" => {
            let blocking = Blockers::to(&klotski.frame, klotski.big_places()).pieces(&klotski.frame, board);
            let kinds = [
                (blocking.singles, "the single", 1),
                (blocking.standing, "the standing domino", 1),
                (blocking.lying, "the lying domino", 2),
            ];
            let part = |cell: u8, name: &str, value: u32| {
                let (row, column) = klotski.frame.place(cell);
                Part::new(format!("{name} at ({row},{column}) blocks"), value)
            };
            let blockers = kinds
                .into_iter()
                .flat_map(|(anchors, name, value)| members(anchors).map(move |cell| part(cell, name, value)));
            distances(klotski, board).into_iter().chain(blockers).collect()
        }
        "without-singles" => return Some(without_singles(klotski, board)),
        _ => return None,
    };
    let rule = match (heuristic, parts.len()) {
        ("manhattan", _) => "the distance of the 2x2 piece to its place",
        (_, ..=1) => "manhattan; no piece blocks the 2x2 piece",
        _ => "manhattan, and 1 or 2 for each piece that blocks the 2x2 piece",
    };
    Some(Explanation::new(rule, parts))
}

/// The distance of each 2x2 piece to the nearest place of one.
fn distances<P: Planes>(klotski: &Klotski<P>, board: &Board) -> Vec<Part> {
    let part = |cell: u8| {
        let (row, column) = klotski.frame.place(cell);
        let offset = |place: u8| {
            let (to_row, to_column) = klotski.frame.place(place);
            (row.abs_diff(to_row), column.abs_diff(to_column), (to_row, to_column))
        };
        let nearest = members(klotski.big_places()).map(offset).min_by_key(|(rows, columns, _)| rows + columns);
        let Some((rows, columns, (to_row, to_column))) = nearest else {
            return Part::new(format!("the 2x2 piece at ({row},{column}) has no place"), 0);
        };
        let count = |number: usize, word: &str| format!("{number} {word}{}", if number == 1 { "" } else { "s" });
        let what = format!(
            "the 2x2 piece at ({row},{column}) is {} and {} from ({to_row},{to_column})",
            count(rows, "row"),
            count(columns, "column")
        );
        Part::new(what, (rows + columns) as u32)
    };
    members(board.big).map(part).collect()
}

fn without_singles<P: Planes>(klotski: &Klotski<P>, board: &Board) -> Explanation {
    let (others, singles, is_in_table) = WithoutSingles::to_goal(klotski, TABLE_SIZE).explained(klotski, board);
    let of_others = match (is_in_table, others.units()) {
        (true, _) => "the exact distance of the board without its singles",
        (false, Some(_)) => {
            "the board without its singles is not in the table: the least distance beyond the table, or \
                             the distance of the 2x2 piece if that is more"
        }
        (false, None) => "the board without its singles leads to no goal",
    };
    let of_singles = match klotski.goal {
        Goal::BigAt(_) => "singles on the goal cells of the 2x2 piece, which must leave them",
        Goal::Board(_) => "the steps of singles across the lines between rows and columns",
    };
    let parts = [Part::new(of_others, others.units().map_or(f64::INFINITY, f64::from)), Part::new(of_singles, singles)];
    Explanation::new("the distance of the board without its singles, and the steps of the singles", parts)
}

/// The exact rules of the heuristics, for the card.
pub(crate) mod rules {
    pub(crate) const MANHATTAN: &str = "\
h = the rows plus the columns between the 2x2 piece and its place.
With several 2x2 pieces, the sum of their distances, each to the nearest place of one.";
    pub(crate) const BLOCKERS: &str = "\
h = manhattan + what the pieces in the watched cells count, even if only half of a piece is there:
  a single 1, a standing domino 1, a lying domino 2.
The watched cells are the two cells below the 2x2 piece; on the bottom row, the four goal cells of the 2x2 piece.
At the goal, and with several 2x2 pieces or none, no piece counts.";
    pub(crate) const WITHOUT_SINGLES: &str = "\
h = the distance of the board without its singles + the steps of the singles.
A table has the distances without singles, by breadth-first search from the goals. A board outside the table counts as
the least distance beyond it, or as the distance of its 2x2 pieces if that is more; a board that leads to no goal is a
dead end.
The steps of the singles: if the goal is a place of the 2x2 piece, the singles on its goal cells. If the goal is a
board, for each line between two rows or two columns, the difference between the singles on one side now and in the goal.";
}

#[cfg(test)]
mod tests {
    use admissible::StateSpace as _;
    use admissible_front::check_explanation;
    use admissible_front::puzzle::Puzzle as _;
    use admissible_oracle::Random;

    use super::*;
    use crate::read::Layout;
    use crate::{ORDER, TwoWords};

    const BOARDS: [&str; 5] = [
        "^11^\nv11v\n^<>^\nv22v\n2..2\n",
        "222^\n11^v\n11v^\n.<>v\n.2<>\n",
        "....\n....\n<>22\n2112\n.11.\n",
        "....\n.112\n.11.\n<><>\n2.^.\n..v.\n\n2...\n.11.\n.112\n<><>\n..^.\n..v.\n",
        "11.11\n11.11\n.2^..\n<>v..\n\n11.11\n11.11\n2.^..\n<>v..\n",
    ];

    #[test]
    fn parts_add_up_on_random_walks() {
        let mut random = Random::new(1);
        for text in BOARDS {
            let klotski: Klotski<TwoWords> = Layout::read(text).expect("is a board").puzzle(ORDER);
            let mut board = klotski.start;
            for step in 0..1000 {
                ["manhattan", "blockers"].into_iter().for_each(|name| check_explanation(&klotski, name, &board));
                // Every check makes a table.
                if step % 100 == 0 {
                    check_explanation(&klotski, "without-singles", &board);
                }
                let steps: Vec<_> = klotski.moves(&board).collect();
                klotski.apply(&mut board, steps[random.below(steps.len())]);
            }
        }
    }

    #[test]
    fn blockers_are_named() {
        let klotski: Klotski<u64> = Layout::read(BOARDS[0]).expect("is a board").puzzle(ORDER);
        let explained = klotski.explain("blockers", &klotski.start).expect("an explanation");
        let parts: Vec<_> = explained.parts.iter().map(|part| (part.what.as_str(), part.value)).collect();
        let expected = [
            ("the 2x2 piece at (0,1) is 3 rows and 0 columns from (3,1)", 3.0),
            ("the lying domino at (2,1) blocks", 2.0),
        ];
        assert_eq!(parts, expected);
    }
}
