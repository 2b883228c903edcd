//! The metric of moves, and whole spaces in both metrics.

use admissible::Ranking;
use admissible::explore::{Layers, Reached};
use admissible::laws::{check_backward, check_space};
use admissible::search::bfs;
use admissible_oracle::{Random, klotski as oracle};

use super::*;
use crate::board::members;
use crate::ranking::{LayoutRanking, PieceCounts, PieceSets, ranked, ranked_by_moves};

fn by_moves<P: Planes>(text: &str) -> ByMoves<P> {
    ByMoves(puzzle(text))
}

#[test]
fn the_laws_hold_on_random_walks() {
    let mut random = Random::new(1);
    for (at, size) in [(5, 4), (4, 4), (3, 7), (7, 6), (2, 2)].into_iter().enumerate() {
        for seed in 0..40 {
            let empties = (2 + seed as usize % 6).min(size.0 * size.1 - 4);
            let puzzle = by_moves::<TwoWords>(&random_board(size, empties, seed + 100 * at as u64));
            let mut board = puzzle.0.start;
            for _ in 0..10 {
                check_space(&puzzle, &board);
                check_backward(&puzzle, &board);
                let slides: Vec<Slide> = puzzle.moves(&board).collect();
                if slides.is_empty() {
                    break;
                }
                puzzle.apply(&mut board, slides[random.below(slides.len())]);
            }
        }
    }
}

#[test]
fn moves_agree_with_brute_force() {
    let mut boards: Vec<String> = (0..40).map(|seed| random_board((5, 4), 2 + seed as usize % 3, seed)).collect();
    boards.extend((0..20).map(|seed| random_board((4, 4), 2 + seed as usize % 2, seed)));
    for text in boards {
        let puzzle = by_moves::<u64>(&text);
        let Ok(reached) = Reached::from(&puzzle, &puzzle.0.start, Some(2 << 20), &()) else { continue };
        if reached.depths().iter().sum::<u64>() > 3000 {
            continue;
        }
        let expected = oracle::component_in_moves(&text.lines().map(String::from).collect::<Vec<_>>());
        let mut depths = vec![0; expected.values().max().map_or(0, |&depth| depth as usize + 1)];
        expected.values().for_each(|&depth| depths[depth as usize] += 1);
        assert_eq!(reached.depths(), depths, "{text}");
    }
}

/// Checks that breadth-first search finds a solution of `expected` moves, and that the referee accepts it.
fn check_solution(text: &str, expected: Option<u32>) {
    let puzzle = by_moves::<u64>(text);
    let report = run(&mut bfs(&puzzle, puzzle.0.start, &Limits::default()), &Limits::default(), &mut ());
    assert_eq!(report.outcome.cost(), expected, "{text}");
    let Some(solution) = report.outcome.solution() else { return };
    let mut board = puzzle.0.start;
    let mut states = vec![puzzle.state_json(&board)];
    let mut actions = Vec::new();
    for &slide in &solution.moves {
        actions.push(puzzle.move_name(&board, slide));
        puzzle.apply(&mut board, slide);
        states.push(puzzle.state_json(&board));
    }
    assert_eq!(puzzle.referee().replay(&actions), Ok(states), "{text}");
    // Read back, and read from the course output in steps, the solution has as many moves.
    assert_eq!(puzzle.read_solution(&actions.join("\n")), Ok(Claim::Actions(actions.clone())), "{text}");
    let visited = Vec::new();
    let run = CourseRun { heuristic: "zero", outcome: &report.outcome, stats: &report.stats, visited: &visited };
    let Ok(Claim::Actions(read)) = puzzle.read_solution(&puzzle.course(&run)) else { panic!("{text}") };
    assert_eq!(read.len(), actions.len(), "{text}");
    if !actions.is_empty() {
        assert!(puzzle.referee().replay(&actions[1..]).is_err(), "without its first move the solution is illegal");
    }
}

#[test]
fn layouts_with_names_take_their_known_moves() {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data/klotski/named.txt");
    let shared = std::fs::read_to_string(path).unwrap_or_default();
    let lines: Vec<&str> = shared.lines().collect();
    for layout in lines.chunks(6) {
        let words: Vec<&str> = layout[0].split(' ').collect();
        let text = layout[1..].join("\n");
        check_solution(&text, words[3].parse().ok());
        assert_eq!(solve(&puzzle::<u64>(&text)).cost(), words[2].parse().ok(), "{}", layout[0]);
    }
    check_solution(&file(CLASSIC), Some(81));
    check_solution(&file("11.. 11.. .... .... ...."), Some(1));
}

#[test]
fn steps_and_moves_are_not_interchangeable() {
    let start = file("11.. 11.. .... .... ....");
    let (by_steps, by_moves) = (puzzle::<u64>(&start), by_moves::<u64>(&start));
    let run = vec!["(0,0) down down down right".to_string()];
    assert!(by_moves.referee().replay(&run).is_ok());
    let illegal = by_steps.referee().replay(&run).expect_err("that is four steps");
    assert_eq!(illegal.reason, "'(0,0) down down down right' is not a step like (3,1) down");
    let steps = "(0,0) down\n(1,0) down\n(2,0) down\n(3,0) right\n";
    assert_eq!(by_moves.read_solution(steps), Ok(Claim::Actions(run)));
    let wrong = by_moves.referee().replay(&["(0,0) down sideways".into()]).expect_err("'sideways' is no direction");
    assert_eq!(wrong.reason, "'(0,0) down sideways' is not a move like (3,1) down right");
}

/// States, goals, depth, farthest states and unsolvable states over all parts.
fn explore<P>(sets: &PieceSets, make: fn(&PieceCounts) -> (P, LayoutRanking)) -> (u64, u64, usize, u64, u64)
where
    P: admissible::Backward,
    LayoutRanking: Ranking<P>,
{
    let (mut states, mut goals, mut deepest, mut farthest, mut unsolvable) = (0, 0, 0, 0, 0);
    for (counts, count) in sets.sets() {
        let (puzzle, ranking) = make(counts);
        let layers = Layers::backward(&puzzle, &ranking, 2, &()).expect("the watcher never stops it");
        assert_eq!(ranking.size() as u64, *count);
        states += layers.states();
        unsolvable += ranking.size() as u64 - layers.states();
        goals += layers.depths().first().copied().unwrap_or(0);
        let depth = layers.depths().len().saturating_sub(1);
        let last = layers.depths().last().copied().unwrap_or(0);
        (deepest, farthest) = match depth.cmp(&deepest) {
            std::cmp::Ordering::Less => (deepest, farthest),
            std::cmp::Ordering::Equal => (deepest, farthest + last),
            std::cmp::Ordering::Greater => (depth, last),
        };
    }
    (states, goals, deepest, farthest, unsolvable)
}

#[test]
fn the_classic_pieces_have_their_known_counts() {
    let sets = PieceSets::dominoes_either_way(4, 5);
    let (states, goals, deepest, _, unsolvable) = explore(&sets, ranked);
    assert_eq!((states, goals, deepest, unsolvable), (267_115, 24_780, 179, 363_480 - 267_115));
    let (states, goals, deepest, _, unsolvable) = explore(&sets, ranked_by_moves);
    assert_eq!((states, goals, deepest, unsolvable), (267_115, 24_780, 138, 363_480 - 267_115));
}

#[test]
fn the_classic_component_has_its_known_counts() {
    let classic = puzzle::<u64>(&file(CLASSIC));
    let reached = Reached::from(&classic, &classic.start, None, &()).expect("there is room");
    assert_eq!((reached.depths().len() - 1, reached.edges()), (167, 2 * 41_948));
    let layers = Layers::backward(&classic, &reached, 2, &()).expect("the watcher never stops it");
    assert_eq!((layers.states(), layers.depths()[0]), (25_955, 964));
    assert_eq!((layers.depths().len() - 1, layers.farthest().count()), (126, 4));
    let moves = ByMoves(classic);
    let layers = Layers::backward(&moves, &reached, 2, &()).expect("the watcher never stops it");
    assert_eq!((layers.states(), layers.depths().len() - 1), (25_955, 93));
}

#[test]
fn predecessors_of_ranks_agree_with_the_board_in_both_metrics() {
    fn check<P: Puzzle<State = Board> + admissible::Backward>(puzzle: &P, layouts: &LayoutRanking)
    where
        LayoutRanking: Ranking<P>,
    {
        for rank in (0..layouts.size()).step_by(97) {
            let board = layouts.unrank(puzzle, rank);
            assert_eq!(layouts.rank(puzzle, &board), Some(rank));
            let mut found = Vec::new();
            layouts.predecessors(puzzle, rank, |before| found.push(before));
            let mut expected: Vec<usize> = Vec::new();
            puzzle.predecessors(&board, |before, _| expected.extend(layouts.rank(puzzle, &before)));
            found.sort_unstable();
            expected.sort_unstable();
            assert_eq!(found, expected);
            assert_eq!(members(board.big).count(), 1);
        }
    }
    let classic = puzzle::<TwoWords>(&file(CLASSIC));
    let layouts = LayoutRanking::new(&classic.frame, PieceCounts::of(&classic.frame, &classic.start));
    check(&classic, &layouts);
    check(&ByMoves(classic), &layouts);
}

#[test]
#[ignore = "29,334,498 layouts in both metrics take a minute"]
fn all_layouts_have_their_known_counts() {
    let sets = PieceSets::all();
    for (deepest, found) in [(179, explore(&sets, ranked)), (138, explore(&sets, ranked_by_moves))] {
        assert_eq!((found.0, found.1, found.2, found.4), (28_913_089, 2_260_392, deepest, 29_334_498 - 28_913_089));
    }
}
