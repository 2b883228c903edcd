//! What the heuristics say, and that it is true, on every layout of the board of the courses.

use admissible::{Backward as _, Heuristic as _, Properties, StateSpace as _};

use super::super::arrange::{Loose, arrangements};
use super::super::board::{Frame, Notation};
use super::*;

/// Totals over layouts of 4 by 5 cells with one 2x2 piece.
#[derive(Debug, Default, PartialEq, Eq)]
struct Totals {
    layouts: usize,
    solvable: usize,
    hardest: u32,
    steps: usize,
    /// Layouts for which `blockers` says too much, and how much at most.
    overestimated: usize,
    worst: u32,
    /// Steps on which `blockers` falls by more than 1.
    steep: usize,
}

impl Totals {
    /// Adds the layouts of a set of pieces; `manhattan` has to be consistent on them.
    fn add(&mut self, loose: Loose) {
        let frame = Frame::new(4, 5);
        let places = (0..4).flat_map(|row| (0..3).map(move |column| (row, column)));
        let boards: Vec<Board> = places
            .flat_map(|(row, column)| {
                arrangements(&frame, loose, 1 << frame.cell(row, column), usize::MAX).expect("nothing is too much")
            })
            .collect();
        let Some(&start) = boards.first() else { return };
        let klotski: Klotski<u64> = Klotski::new(frame, start, Goal::BigAt(13), Notation::Symbols, ORDER);
        let goals: Vec<Board> = boards.iter().copied().filter(|board| klotski.is_goal(board)).collect();
        let distances = depths(&klotski, &goals);
        let manhattan = Manhattan::to(&frame, klotski.big_places());
        let blockers = Blockers::to(&frame, klotski.big_places());
        for board in &boards {
            let [distance_of_big, estimate] =
                [manhattan.evaluate(&klotski, board), blockers.evaluate(&klotski, board)].map(|h| h.units().unwrap());
            assert!(estimate >= distance_of_big);
            if let Some(&distance) = distances.get(&klotski.pack(board)) {
                self.solvable += 1;
                self.hardest = self.hardest.max(distance);
                assert!(distance_of_big <= distance);
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
                self.steep += usize::from(estimate > 1 + estimate_after);
            });
        }
        self.layouts += boards.len();
    }
}

/// Every set of pieces that leaves so many cells empty beside one 2x2 piece.
fn sets_with_empties(empties: u32) -> impl Iterator<Item = Loose> {
    let dominoes = (0..=8).flat_map(|count| (0..=count).map(move |lying| (lying, count - lying)));
    dominoes.filter_map(move |(lying, standing)| {
        let singles = 16u32.checked_sub(empties + 2 * (lying + standing))?;
        Some(Loose { empties, singles, lying, standing })
    })
}

#[test]
fn the_classic_pieces_have_their_known_counts() {
    let mut totals = Totals::default();
    for lying in 0..=5 {
        totals.add(Loose { empties: 2, singles: 4, lying, standing: 5 - lying });
    }
    let known = Totals {
        layouts: 363_480,
        solvable: 267_115,
        hardest: 179,
        steps: 1_122_092,
        overestimated: 0,
        worst: 0,
        steep: 10_131,
    };
    assert_eq!(totals, known);
}

#[test]
fn blockers_is_admissible_with_two_empty_cells() {
    let mut totals = Totals::default();
    sets_with_empties(2).for_each(|loose| totals.add(loose));
    assert_eq!((totals.layouts, totals.overestimated), (1_588_914, 0));
}

#[test]
#[ignore = "29 million layouts take a while"]
fn blockers_overestimates_in_general() {
    let mut totals = Totals::default();
    (2..=16).flat_map(sets_with_empties).for_each(|loose| totals.add(loose));
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
fn blockers_claims_nothing_where_nothing_was_checked() {
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
        estimates.map(|h| h.units().expect("nothing is a dead end"))
    };
    assert_eq!(estimates("11. 11. 22. / .11 .11 22."), [1, 3]);
    assert_eq!(estimates("1111 1111 .... 2... / .... 1111 1111 2..."), [2, 2]);
    assert_eq!(estimates("22. .<> / .22 <>."), [0, 0]);
}
