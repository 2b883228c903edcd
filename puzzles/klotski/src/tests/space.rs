//! Moves, packing and goals, and every algorithm against a breadth-first search on strings.

#[path = "../../../../crates/front/tests/trial/mod.rs"]
mod trial;

use std::collections::{HashMap, HashSet};

use admissible::laws::{check_backward, check_incremental, check_space};
use admissible::search::{Guarantee, bfs, bidirectional, dfs, idastar};
use admissible::{Backward as _, Cost, Estimate, Heuristic as _, Properties, StateSpace as _};
use admissible_oracle::{Random, klotski as oracle};

use super::*;
use crate::ranking::{PieceCounts, arrangements};
use trial::Trial;

/// Board sizes: the smallest, narrow ones, and those that fill one or two words.
const SIZES: [(usize, usize); 9] = [(2, 2), (2, 3), (5, 4), (7, 3), (3, 7), (7, 6), (6, 7), (2, 21), (21, 2)];

/// Random boards of a size with all numbers of empty cells.
fn samples(size: (usize, usize), count: u64) -> impl Iterator<Item = String> {
    let room = size.0 * size.1 - 4;
    (0..count).map(move |seed| random_board(size, seed as usize % (room + 1), seed))
}

fn check_laws<P: Planes>(text: &str, random: &mut Random) {
    let klotski = puzzle::<P>(text);
    let manhattan = Manhattan::to(&klotski.frame, klotski.big_places());
    let blockers = Blockers::to(&klotski.frame, klotski.big_places());
    let without_singles = WithoutSingles::to_goal(&klotski, TABLE_SIZE);
    let mut board = klotski.start;
    for _ in 0..20 {
        assert_eq!(klotski.unpack(klotski.pack(&board)), board, "{text}");
        check_space(&klotski, &board);
        check_backward(&klotski, &board);
        check_incremental(&klotski, &manhattan, &board);
        check_incremental(&klotski, &blockers, &board);
        check_incremental(&klotski, &without_singles, &board);
        let steps: Vec<Step> = klotski.moves(&board).collect();
        if steps.is_empty() {
            break;
        }
        klotski.apply(&mut board, steps[random.below(steps.len())]);
    }
}

#[test]
fn the_laws_hold_on_random_walks() {
    let mut random = Random::new(1);
    for size in SIZES {
        for text in samples(size, 60) {
            if size.0 * size.1 <= u64::MOST_CELLS {
                check_laws::<u64>(&text, &mut random);
            }
            check_laws::<TwoWords>(&text, &mut random);
        }
    }
}

#[test]
fn steps_agree_with_the_referee_and_follow_the_move_order() {
    for text in SIZES.into_iter().flat_map(|size| samples(size, 60)) {
        let klotski = puzzle::<TwoWords>(&text);
        let place = |step: &Step| (ORDER.iter().position(|&d| d == step.direction), step.anchor);
        let steps: Vec<Step> = klotski.moves(&klotski.start).collect();
        assert!(steps.is_sorted_by_key(place), "{text}");
        let ours: HashMap<String, PlainBoard> = steps
            .iter()
            .map(|&step| {
                let mut board = klotski.start;
                klotski.apply(&mut board, step);
                (klotski.move_name(&klotski.start, step), klotski.plain(&board))
            })
            .collect();
        assert_eq!(ours, klotski.plain(&klotski.start).steps().into_iter().collect(), "{text}");
    }
}

#[test]
fn components_agree_with_the_oracle() {
    let small = samples((3, 4), 12).chain(samples((4, 3), 12)).chain((0..3).map(|seed| random_board((5, 4), 2, seed)));
    for text in small {
        let klotski = puzzle::<u64>(&text);
        let ours: HashMap<Vec<String>, Cost> = depths(&klotski, &[klotski.start])
            .into_iter()
            .map(|(packed, depth)| (rows(&klotski, &klotski.unpack(packed)), depth))
            .collect();
        assert!(ours == oracle::component(&rows(&klotski, &klotski.start)), "{text}");
    }
}

#[test]
fn the_classic_layout_has_its_known_counts() {
    let klotski = puzzle::<u64>(&file(CLASSIC));
    assert_eq!(solve(&klotski).cost(), Some(116));
    let from_start = depths(&klotski, &[klotski.start]);
    assert_eq!(from_start.len(), 25_955);
    assert_eq!(from_start.values().max(), Some(&167));
    let boards: Vec<Board> = from_start.keys().map(|&packed| klotski.unpack(packed)).collect();
    assert_eq!(boards.iter().map(|board| klotski.moves(board).count()).sum::<usize>(), 2 * 41_948);
    let goals: Vec<Board> = boards.into_iter().filter(|board| klotski.is_goal(board)).collect();
    assert_eq!(goals.len(), 964);
    let to_goal = depths(&klotski, &goals);
    let farthest = to_goal.values().filter(|&&depth| depth == 126).count();
    assert_eq!((to_goal.values().max(), farthest), (Some(&126), 4));

    let blockers = Blockers::to(&klotski.frame, klotski.big_places());
    assert_eq!(blockers.properties(&klotski), Properties::ADMISSIBLE);
    assert!(to_goal.iter().all(|(&packed, &distance)| {
        blockers.evaluate(&klotski, &klotski.unpack(packed)) <= Estimate::new(distance)
    }));
}

#[test]
fn the_goals_of_the_classic_pieces_are_listed_once_each() {
    let klotski = puzzle::<u64>(&file(CLASSIC));
    assert_eq!(klotski.goals().map(|goals| goals.len()), Some(6_795));
    let mut distinct = HashSet::new();
    for lying in 0..=5 {
        let counts = PieceCounts { empties: 2, singles: 4, lying, standing: 5 - lying };
        let goals = arrangements(&klotski.frame, counts, klotski.big_places(), 10_000).expect("the goals are few");
        assert!(goals.iter().all(|goal| klotski.is_goal(goal) && klotski.frame.empty(goal).count_ones() == 2));
        distinct.extend(goals.iter().map(|goal| klotski.pack(goal)));
        assert!(arrangements(&klotski.frame, counts, klotski.big_places(), goals.len() - 1).is_none());
    }
    assert_eq!(distinct.len(), 24_780);
    assert!(puzzle::<TwoWords>(&random_board((6, 7), 6, 1)).goals().is_none());
}

/// Checks the answer of every algorithm; of IDA* only for short solutions.
fn check_algorithms<P: Planes>(text: &str, expected: Option<Cost>) {
    let klotski = puzzle::<P>(text);
    let (start, limits) = (klotski.start, Limits::default());
    let manhattan = Manhattan::to(&klotski.frame, klotski.big_places());
    let blockers = Blockers::to(&klotski.frame, klotski.big_places());
    let from_start = Manhattan::to(&klotski.frame, start.big);
    let without_singles = WithoutSingles::to_goal(&klotski, TABLE_SIZE);
    let exact_from_start = WithoutSingles::from_start(&klotski, TABLE_SIZE);
    let tie = TieBreak::LowH;
    let mut answers = vec![
        ("bfs", finish(&mut bfs(&klotski, start, &limits))),
        ("zero", finish(&mut *astar(&klotski, start, &Zero, tie, &limits))),
        ("manhattan", finish(&mut *astar(&klotski, start, &manhattan, tie, &limits))),
        ("without-singles", finish(&mut *astar(&klotski, start, &without_singles, tie, &limits))),
        ("bidirectional", finish(&mut bidirectional(&klotski, start, &manhattan, &from_start, &limits).unwrap())),
        (
            "bidirectional without singles",
            finish(&mut bidirectional(&klotski, start, &without_singles, &exact_from_start, &limits).unwrap()),
        ),
    ];
    if blockers.properties(&klotski).admissible {
        answers.push(("blockers", finish(&mut *astar(&klotski, start, &blockers, tie, &limits))));
    }
    if expected.is_some_and(|cost| cost <= 14) {
        answers.push(("idastar", finish(&mut *idastar(&klotski, start, &manhattan, &limits))));
    }
    for (name, report) in answers {
        assert_eq!(report.outcome.cost(), expected, "{name}\n{text}");
        match report.outcome.solution() {
            Some(solution) => assert_eq!(solution.guarantee, Guarantee::Optimal, "{name}\n{text}"),
            None => assert_eq!(report.outcome, Outcome::Unsolvable, "{name}\n{text}"),
        }
        assert!(report.stats.reopened == 0 || name == "blockers", "{name}\n{text}");
    }
    if klotski.frame.inside.count_ones() <= 20 {
        let some = finish(&mut dfs(&klotski, start, None, &limits)).outcome;
        assert_eq!(some.cost().is_some(), expected.is_some(), "{text}");
    }
}

/// On boards with enough empty cells for transpositions.
#[test]
fn both_engines_of_astar_expand_the_same_boards() {
    fn check<P: Planes>(size: (usize, usize), empties: usize, seed: u64) {
        let text = random_board(size, empties, seed);
        let klotski = puzzle::<P>(&text);
        let optimum = finish(&mut bfs(&klotski, klotski.start, &Limits::default())).outcome.cost();
        let trial = Trial { label: text, puzzle: klotski, optimum };
        for name in ["zero", "manhattan", "without-singles"] {
            trial.check_engines(name, &trial.heuristic(name));
        }
    }
    for seed in 0..60 {
        check::<u64>((5, 4), 1 + seed as usize % 6, seed);
        check::<u64>((3, 4), 2 + seed as usize % 3, seed);
        check::<TwoWords>((4, 3), 1 + seed as usize % 4, seed);
    }
    check::<TwoWords>((6, 4), 3, 1);
}

#[test]
fn every_algorithm_finds_the_optimum_on_random_boards() {
    for seed in 0..30 {
        let text = random_board((5, 4), 1 + seed as usize % 2, seed);
        let rows: Vec<String> = text.lines().map(String::from).collect();
        check_algorithms::<u64>(&text, oracle::cost(&rows, None));
    }
}

#[test]
fn every_algorithm_finds_the_optimum_to_a_goal_board() {
    let mut random = Random::new(2);
    for (size, empties) in [((3, 3), 3), ((3, 4), 2), ((5, 4), 2), ((4, 6), 2), ((2, 11), 5), ((7, 4), 2)] {
        for seed in 0..8 {
            let start = random_board(size, empties, seed);
            let klotski = puzzle::<TwoWords>(&start);
            let mut board = klotski.start;
            for _ in 0..16 {
                let steps: Vec<Step> = klotski.moves(&board).collect();
                let Some(last) = steps.len().checked_sub(1) else { break };
                klotski.apply(&mut board, steps[random.below(last + 1)]);
            }
            let goal = rows(&klotski, &board);
            let cost = oracle::cost(&rows(&klotski, &klotski.start), Some(&goal));
            assert!(cost.is_some(), "the goal was reached\n{start}");
            let text = format!("{start}\n{}\n", goal.join("\n"));
            check_algorithms::<TwoWords>(&text, cost);
            if size.0 * size.1 <= u64::MOST_CELLS {
                check_algorithms::<u64>(&text, cost);
            }
        }
    }
}

#[test]
fn several_2x2_pieces_and_none_have_goal_boards_too() {
    for (boards, cost) in [
        ("1111 1111 .... 2... / .... 1111 1111 2...", Some(2)),
        ("1111 1111 .... / .... 1111 1111", Some(2)),
        ("22. .<> / .22 <>.", Some(3)),
        ("^. v2 / ^. v2", Some(0)),
        ("^2 v2 / 2^ 2v", None),
    ] {
        let text = file(boards);
        let start_and_goal: Vec<Vec<String>> =
            text.split("\n\n").map(|board| board.lines().map(String::from).collect()).collect();
        assert_eq!(oracle::cost(&start_and_goal[0], Some(&start_and_goal[1])), cost, "{boards}");
        check_algorithms::<u64>(&text, cost);
    }
}

#[test]
fn a_full_board_is_solved_or_it_is_not() {
    check_algorithms::<u64>("22\n11\n11\n", Some(0));
    check_algorithms::<u64>("11\n11\n22\n", None);
}

#[test]
fn runs_of_one_piece_are_one_move() {
    let klotski = puzzle::<u64>("11..\n11..\n....\n....\n....\n");
    let steps = solve(&klotski).solution().expect("it is solved").moves.clone();
    assert_eq!(klotski.solution_extras(&steps), [("moves", 1), ("fewest_moves", 1)]);
    let moves = |steps: &[Step]| klotski.solution_extras(steps)[0];
    assert_eq!(moves(&[]), ("moves", 0));
    let step = |anchor, direction| Step { anchor, direction };
    let (right, down) = (Direction::East, Direction::South);
    // Two steps of one piece, one of another, one more of the first.
    assert_eq!(moves(&[step(0, right), step(1, down), step(10, down), step(5, down)]), ("moves", 3));
}
