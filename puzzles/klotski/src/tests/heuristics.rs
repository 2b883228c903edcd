//! Values and properties of the heuristics on every layout of 4 by 5 cells.

use admissible::{Backward as _, Estimate, Heuristic as _, Properties, StateSpace as _};

use super::*;
use crate::board::{Frame, Notation};
use crate::heuristics::TableSize;
use crate::ranking::{PieceCounts, arrangements};
use crate::read::{Piece, Shape};

/// Tables of `without-singles` with every board, with the default size, and much smaller.
const TABLE_SIZES: [TableSize; 3] =
    [TableSize { least: usize::MAX, most: usize::MAX }, TABLE_SIZE, TableSize { least: 0, most: 300 }];

/// The largest consistent estimate one step before a board.
fn one_more(estimate: Estimate) -> Estimate {
    estimate.units().map_or(Estimate::DEAD_END, |units| Estimate::new(units + 1))
}

/// Totals over layouts of 4 by 5 cells with one 2x2 piece.
#[derive(Debug, Default, PartialEq, Eq)]
struct Totals {
    layouts: usize,
    solvable: usize,
    hardest: u32,
    steps: usize,
    /// Layouts that `blockers` overestimates.
    overestimated: usize,
    /// The largest overestimate of `blockers`.
    worst: u32,
    /// Steps on which `blockers` falls by more than 1.
    inconsistent: usize,
}

impl Totals {
    /// Adds the layouts of a set of pieces. Checks that `manhattan` and `without-singles` are consistent on them, and
    /// the latter at least as large.
    fn add(&mut self, counts: PieceCounts) {
        let frame = Frame::new(4, 5);
        let places = (0..4).flat_map(|row| (0..3).map(move |column| (row, column)));
        let boards: Vec<Board> = places
            .flat_map(|(row, column)| {
                arrangements(&frame, counts, 1 << frame.cell(row, column), usize::MAX).expect("there is no bound")
            })
            .collect();
        let Some(&start) = boards.first() else { return };
        let klotski: Klotski<u64> = Klotski::new(frame, start, Goal::BigAt(13), Notation::Symbols, ORDER);
        let goals: Vec<Board> = boards.iter().copied().filter(|board| klotski.is_goal(board)).collect();
        let distances = depths(&klotski, &goals);
        let manhattan = Manhattan::to(&frame, klotski.big_places());
        let blockers = Blockers::to(&frame, klotski.big_places());
        let tables = TABLE_SIZES.map(|size| WithoutSingles::to_goal(&klotski, size));
        let without_singles =
            |board: &Board| tables.each_ref().map(|table| table.estimate(table.evaluate(&klotski, board)));
        for board in &boards {
            let exacts = without_singles(board);
            let [distance_of_big, estimate] =
                [manhattan.evaluate(&klotski, board), blockers.evaluate(&klotski, board)].map(|h| h.units().unwrap());
            assert!(estimate >= distance_of_big);
            assert!(exacts.is_sorted_by(|larger, smaller| larger >= smaller));
            assert!(exacts.iter().all(|&exact| exact >= Estimate::new(distance_of_big)));
            if let Some(&distance) = distances.get(&klotski.pack(board)) {
                self.solvable += 1;
                self.hardest = self.hardest.max(distance);
                assert!(distance_of_big <= distance);
                assert!(exacts.iter().all(|&exact| exact <= Estimate::new(distance)));
                if estimate > distance {
                    self.overestimated += 1;
                    self.worst = self.worst.max(estimate - distance);
                }
            }
            klotski.predecessors(board, |next, _| {
                self.steps += 1;
                let after = [manhattan.evaluate(&klotski, &next), blockers.evaluate(&klotski, &next)];
                let [distance_after, estimate_after] = after.map(|h| h.units().unwrap());
                assert!(distance_of_big <= 1 + distance_after);
                self.inconsistent += usize::from(estimate > 1 + estimate_after);
                let exacts_after = without_singles(&next).map(one_more);
                assert!(exacts.iter().zip(exacts_after).all(|(&exact, after)| exact <= after));
            });
        }
        self.layouts += boards.len();
    }
}

/// Every set of pieces that leaves this many cells empty beside one 2x2 piece.
fn sets_with_empties(empties: u32) -> impl Iterator<Item = PieceCounts> {
    let dominoes = (0..=8).flat_map(|count| (0..=count).map(move |lying| (lying, count - lying)));
    dominoes.filter_map(move |(lying, standing)| {
        let singles = 16u32.checked_sub(empties + 2 * (lying + standing))?;
        Some(PieceCounts { empties, singles, lying, standing })
    })
}

#[test]
fn the_classic_pieces_have_their_known_counts() {
    let mut totals = Totals::default();
    for lying in 0..=5 {
        totals.add(PieceCounts { empties: 2, singles: 4, lying, standing: 5 - lying });
    }
    let known = Totals {
        layouts: 363_480,
        solvable: 267_115,
        hardest: 179,
        steps: 1_122_092,
        overestimated: 0,
        worst: 0,
        inconsistent: 10_131,
    };
    assert_eq!(totals, known);
}

#[test]
fn blockers_is_admissible_with_two_empty_cells() {
    let mut totals = Totals::default();
    sets_with_empties(2).for_each(|counts| totals.add(counts));
    assert_eq!((totals.layouts, totals.overestimated), (1_588_914, 0));
}

#[test]
#[ignore = "29 million layouts take a while"]
fn all_layouts_have_their_known_counts() {
    let mut totals = Totals::default();
    (2..=16).flat_map(sets_with_empties).for_each(|counts| totals.add(counts));
    assert_eq!((totals.layouts, totals.solvable, totals.hardest), (29_334_498, 28_913_089, 179));
    assert_eq!((totals.overestimated, totals.worst), (104_908, 1));
}

#[test]
fn blockers_counts_each_piece_once() {
    for (board, expected) in [
        // Two singles, one standing domino and a single, the halves of two lying dominoes, both halves of one.
        ("11.. 11.. 22.. .... ....", 4 + 2),
        ("11.. 11.. ^2.. v... ....", 4 + 2),
        (".11. .11. <><> .... ....", 3 + 4),
        (".11. .11. .<>. .... ....", 3 + 2),
        // A standing domino whose lower half lies below the 2x2 piece is beside the cells below.
        ("..^. 11v. 11.. .... ....", 3),
        // At the bottom, but beside the goal: the goal's cells count, its own do not.
        (".... .... .... 11^. 11v.", 1 + 1),
        (".... .... <>.. ..11 <>11", 1 + 2),
        ("^^^^ vvvv ..22 <>11 2.11", 1 + 2),
        // Solved.
        (".... .... .... .11. .11.", 0),
        ("2^^2 2vv2 ^<>^ v11v .11.", 0),
    ] {
        let klotski = puzzle::<u64>(&file(board));
        let blockers = Blockers::to(&klotski.frame, klotski.big_places());
        assert_eq!(blockers.evaluate(&klotski, &klotski.start).units(), Some(expected), "{board}");
    }
}

#[test]
fn blockers_claims_no_property_on_unchecked_boards() {
    let properties = |text: &str| {
        let klotski = puzzle::<u64>(text);
        Blockers::to(&klotski.frame, klotski.big_places()).properties(&klotski)
    };
    assert_eq!(properties(&file(CLASSIC)), Properties::ADMISSIBLE);
    for board in ["^^^^ vvvv ..22 <>11 2.11", "112 112 22. 22.", "11 11 22 ..", "^11^ v11v ^<>^ v22v 22.2"] {
        assert_eq!(properties(&file(board)), Properties::UNKNOWN, "{board}");
    }
    assert_eq!(properties(&file(&format!("{CLASSIC} / {CLASSIC}"))), Properties::UNKNOWN);
}

#[test]
fn with_a_goal_board_the_2x2_pieces_go_to_its_places() {
    let estimates = |boards: &str| {
        let klotski = puzzle::<u64>(&file(boards));
        let manhattan = Manhattan::to(&klotski.frame, klotski.big_places());
        let blockers = Blockers::to(&klotski.frame, klotski.big_places());
        let estimates = [manhattan.evaluate(&klotski, &klotski.start), blockers.evaluate(&klotski, &klotski.start)];
        estimates.map(|h| h.units().expect("no board is a dead end"))
    };
    assert_eq!(estimates("11. 11. 22. / .11 .11 22."), [1, 3]);
    assert_eq!(estimates("1111 1111 .... 2... / .... 1111 1111 2..."), [2, 2]);
    assert_eq!(estimates("22. .<> / .22 <>."), [0, 0]);
}

/// Checks `without-singles` on every reachable board, to the goals and from the start.
fn check_without_singles<P: Planes>(text: &str) {
    let klotski = puzzle::<P>(text);
    let from_start = depths(&klotski, &[klotski.start]);
    let boards: Vec<Board> = from_start.keys().map(|&packed| klotski.unpack(packed)).collect();
    let goals: Vec<Board> = boards.iter().copied().filter(|board| klotski.is_goal(board)).collect();
    let to_goal = depths(&klotski, &goals);
    for size in TABLE_SIZES {
        let [forward, backward] = [WithoutSingles::to_goal(&klotski, size), WithoutSingles::from_start(&klotski, size)];
        let places = [(forward, klotski.big_places(), &to_goal), (backward, klotski.start.big, &from_start)];
        for (heuristic, places, distances) in places {
            let manhattan = Manhattan::to(&klotski.frame, places);
            let estimate = |board: &Board| heuristic.estimate(heuristic.evaluate(&klotski, board));
            for board in &boards {
                let distance = distances.get(&klotski.pack(board));
                assert!(estimate(board) <= distance.map_or(Estimate::DEAD_END, |&distance| Estimate::new(distance)));
                assert!(estimate(board) >= manhattan.evaluate(&klotski, board), "{text}");
                klotski.predecessors(board, |next, _| {
                    assert!(estimate(board) <= one_more(estimate(&next)), "{text}");
                });
            }
        }
    }
}

#[test]
fn without_singles_is_admissible_and_consistent_from_either_end() {
    let hardest = "222^ 11^v 11v^ .<>v .2<>";
    for boards in [CLASSIC, hardest, "112 112 22. 22.", "11 11 22 ..", "22 11 11"] {
        check_without_singles::<u64>(&file(boards));
    }
    for boards in [
        "^11^ v11v ^<>^ v22v 2..2 / 2^^2 2vv2 ^<>^ v11v .11.",
        "1111 1111 .... 2... / .... 1111 1111 2...",
        "1111 1111 22.. / 22.. 1111 1111",
        "22. .<> 2.2 / 2.2 <>. 22.",
        "^2 v2 / 2^ 2v",
        "2.22 22.2 / 222. 2.22",
    ] {
        check_without_singles::<TwoWords>(&file(boards));
    }
}

#[test]
fn without_singles_is_exact_where_there_are_none() {
    let klotski = puzzle::<u64>(&file("^11^ v11v ^<>^ v..v ...."));
    let goals = klotski.goals().expect("they are few");
    let heuristic = WithoutSingles::to_goal(&klotski, TABLE_SIZES[0]);
    let distances = depths(&klotski, &goals);
    assert_eq!(distances.len(), 4_392);
    let goal_cells = klotski.frame.board(&[(3, 1), (3, 2), (4, 1), (4, 2)].map(|(row, column)| Piece {
        shape: Shape::Single,
        row,
        column,
    }));
    for (packed, distance) in distances {
        let board = klotski.unpack(packed);
        let estimate = |board: &Board| heuristic.estimate(heuristic.evaluate(&klotski, board)).units();
        assert_eq!(estimate(&board), Some(distance));
        // With singles on all free cells, those on the goal cells have to leave.
        let full = Board { singles: klotski.frame.empty(&board), ..board };
        let in_the_way = (full.singles & goal_cells.singles).count_ones();
        assert_eq!(estimate(&full), Some(distance + in_the_way));
    }
}

#[test]
fn without_singles_finds_dead_ends_and_falls_back_to_manhattan() {
    let estimate = |text: &str| {
        let klotski = puzzle::<TwoWords>(text);
        let heuristic = WithoutSingles::to_goal(&klotski, TABLE_SIZE);
        heuristic.estimate(heuristic.evaluate(&klotski, &klotski.start)).units()
    };
    assert_eq!(estimate(&file("11 11 <> ..")), None, "the domino stays below");
    assert_eq!(estimate(&file("11<> 112. / <>11 2.11")), None, "the domino stays right of it");
    // There are too many goals without singles to list: the distance of the 2x2 piece remains.
    let mut wide = puzzle::<TwoWords>(&random_board((6, 7), 6, 1));
    wide.start.singles = 0;
    let heuristic = WithoutSingles::to_goal(&wide, TABLE_SIZE);
    let manhattan = Manhattan::to(&wide.frame, wide.big_places());
    let estimate = heuristic.estimate(heuristic.evaluate(&wide, &wide.start));
    assert_eq!(estimate, manhattan.evaluate(&wide, &wide.start));
    assert_ne!(estimate, Estimate::new(0));
}
