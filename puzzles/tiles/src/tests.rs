//! The board against the laws of state spaces, the oracle and published node counts.

mod files;
mod subtrees;
#[path = "../../../crates/front/tests/trial/mod.rs"]
mod trial;
mod walking_distance;

use std::any::Any;
use std::collections::HashMap;
use std::sync::LazyLock;

use admissible::Heuristic;
use admissible::laws::{check_backward, check_incremental, check_space};
use admissible::search::{Idastar, Limits, Search, TieBreak, astar, idastar, run};
use admissible_oracle::Random;
use admissible_oracle::tiles::distances;

use super::*;
use trial::Trial;

/// The gap goes up, left, right, down.
const ORDER: [Direction; 4] = [Direction::South, Direction::East, Direction::West, Direction::North];

type Size = (usize, usize);

/// The distance of every solvable 3x3 board.
static EIGHT: LazyLock<HashMap<Vec<u8>, u32>> = LazyLock::new(|| distances(3, 3, &gap_last(9)));

fn gap_last(cells: usize) -> Vec<u8> {
    (1..cells as u8).chain([0]).collect()
}

fn gap_first(cells: usize) -> Vec<u8> {
    (0..cells as u8).collect()
}

fn shuffle(random: &mut Random, tiles: &mut [u8]) {
    for last in (1..tiles.len()).rev() {
        tiles.swap(last, random.below(last + 1));
    }
}

fn shuffled(random: &mut Random, cells: usize) -> Vec<u8> {
    let mut tiles = gap_first(cells);
    shuffle(random, &mut tiles);
    tiles
}

fn puzzle<W: Word>((rows, columns): Size, start: &[u8], goal: &[u8]) -> Tiles<W> {
    Tiles::new(rows, columns, start, goal, ORDER)
}

/// All orders of `0..cells`.
fn permutations(cells: u8) -> Vec<Vec<u8>> {
    let Some(last) = cells.checked_sub(1) else { return vec![Vec::new()] };
    let insert = |tiles: Vec<u8>| {
        (0..=tiles.len()).map(move |at| {
            let mut longer = tiles.clone();
            longer.insert(at, last);
            longer
        })
    };
    permutations(last).into_iter().flat_map(insert).collect()
}

fn estimate<W: Word, H: Heuristic<Tiles<W>>>(space: &Tiles<W>, heuristic: &H, board: &Board<W>) -> u32 {
    heuristic.estimate(heuristic.evaluate(space, board)).units().expect("no board is a dead end")
}

fn check_laws<W: Word>(size: Size) {
    let cells = size.0 * size.1;
    for seed in 0..20 {
        let mut random = Random::new(seed);
        let (tiles, goal) = (shuffled(&mut random, cells), shuffled(&mut random, cells));
        let space = puzzle::<W>(size, &tiles, &goal);
        assert_eq!(space.list(&space.unpack(space.pack(&space.start))), tiles, "{size:?}, seed {seed}");
        let misplaced = Misplaced::new(&space, &space.start);
        let manhattan = Manhattan::new(&space, &space.start);
        let conflict = LinearConflict::new(&space, &space.start);
        let mut board = space.goal;
        for _ in 0..100 {
            check_space(&space, &board);
            check_backward(&space, &board);
            check_incremental(&space, &misplaced, &board);
            check_incremental(&space, &manhattan, &board);
            check_incremental(&space, &conflict, &board);
            assert_eq!(space.solvable(&board), Some(true), "{size:?}, seed {seed}: walked from the goal");
            let moves: Vec<Slide> = space.moves(&board).collect();
            space.apply(&mut board, moves[random.below(moves.len())]);
        }
        let mut tiles = space.list(&board);
        let two: Vec<usize> = (0..cells).filter(|&cell| tiles[cell] != 0).take(2).collect();
        tiles.swap(two[0], two[1]);
        assert_eq!(space.solvable(&space.unpack(W::of(&tiles))), Some(false), "{size:?}, seed {seed}: two swapped");
    }
}

#[test]
fn boards_obey_the_laws() {
    for size in [(2, 2), (2, 3), (3, 3), (3, 4), (4, 4), (2, 8), (8, 2)] {
        check_laws::<u64>(size);
    }
    check_laws::<u128>((5, 5));
    check_laws::<u128>((3, 7));
    check_laws::<[u64; 4]>((6, 6));
    check_laws::<[u64; 4]>((2, 20));
    check_laws::<[u64; 4]>((3, 3));
}

/// Misplaced, manhattan and linear-conflict by definition; for conflicts, every subset of a line's tiles is tried.
fn by_definition(columns: usize, board: &[u8], goal: &[u8]) -> (u32, u32, u32) {
    let home = |tile: u8| goal.iter().position(|&t| t == tile).expect("every tile has a place");
    let row = |cell: usize| cell / columns;
    let column = |cell: usize| cell % columns;
    let tiles = || (0..board.len()).filter(|&cell| board[cell] != 0).map(|cell| (cell, home(board[cell])));
    let misplaced = tiles().filter(|(cell, home)| cell != home).count();
    let manhattan: usize =
        tiles().map(|(cell, home)| row(cell).abs_diff(row(home)) + column(cell).abs_diff(column(home))).sum();
    let leaving = |line: &dyn Fn(usize) -> usize| -> u32 {
        let in_line = |number| tiles().filter(move |&(cell, home)| line(cell) == number && line(home) == number);
        let least = |number| {
            let homes: Vec<usize> = in_line(number).map(|(_, home)| home).collect();
            let stays = |subset: u32| homes.iter().enumerate().filter(move |(at, _)| subset >> at & 1 == 1);
            let has_no_conflict = |subset: &u32| stays(*subset).map(|(_, home)| home).is_sorted();
            let most = (0..1 << homes.len()).filter(has_no_conflict).map(u32::count_ones).max();
            homes.len() as u32 - most.expect("the empty subset has no conflict")
        };
        (0..board.len()).map(least).sum()
    };
    let conflicts = leaving(&row) + leaving(&column);
    (misplaced as u32, manhattan as u32, manhattan as u32 + 2 * conflicts)
}

/// The goal with all tiles, each row or each column shuffled: on uniformly random boards, few lines hold two of their
/// own tiles.
fn mixed(random: &mut Random, columns: usize, goal: &[u8]) -> Vec<u8> {
    let mut board = goal.to_vec();
    match random.below(3) {
        0 => shuffle(random, &mut board),
        1 => board.chunks_mut(columns).for_each(|row| shuffle(random, row)),
        _ => {
            for column in 0..columns {
                let mut line: Vec<u8> = board.iter().skip(column).step_by(columns).copied().collect();
                shuffle(random, &mut line);
                board.iter_mut().skip(column).step_by(columns).zip(line).for_each(|(cell, tile)| *cell = tile);
            }
        }
    }
    board
}

fn check_definitions<W: Word>(size @ (rows, columns): Size) {
    let cells = rows * columns;
    let mut random = Random::new(1);
    let mut in_conflict = 0;
    for goal in [gap_last(cells), gap_first(cells), shuffled(&mut random, cells), shuffled(&mut random, cells)] {
        let space = puzzle::<W>(size, &goal, &goal);
        let misplaced = Misplaced::new(&space, &space.goal);
        let manhattan = Manhattan::new(&space, &space.goal);
        let conflict = LinearConflict::new(&space, &space.goal);
        for _ in 0..300 {
            let tiles = mixed(&mut random, columns, &goal);
            let board = space.unpack(W::of(&tiles));
            let found = (
                estimate(&space, &misplaced, &board),
                estimate(&space, &manhattan, &board),
                estimate(&space, &conflict, &board),
            );
            assert_eq!(found, by_definition(columns, &tiles, &goal), "{size:?}: {tiles:?} to {goal:?}");
            in_conflict += u32::from(found.2 > found.1);
        }
    }
    assert!(in_conflict > 100, "{size:?}: {in_conflict} boards have conflicts");
}

#[test]
fn heuristics_agree_with_their_definitions() {
    for size in [(2, 2), (2, 3), (3, 3), (3, 4), (4, 4), (2, 8), (8, 2)] {
        check_definitions::<u64>(size);
    }
    check_definitions::<u128>((5, 5));
    check_definitions::<u128>((3, 8));
    check_definitions::<[u64; 4]>((6, 6));
    check_definitions::<[u64; 4]>((3, 12));
}

/// Checks that a heuristic is admissible on a board, and consistent on its moves.
fn check_estimate<H: Heuristic<Tiles<u64>>>(space: &Tiles<u64>, heuristic: &H, board: &Board<u64>, cost: u32) -> u32 {
    let here = estimate(space, heuristic, board);
    assert!(here <= cost, "{:?} takes {cost}, not {here}", space.list(board));
    let mut walk = *board;
    for m in space.moves(board) {
        let undo = space.apply(&mut walk, m);
        assert!(here <= 1 + estimate(space, heuristic, &walk), "{:?} and {m:?}", space.list(board));
        space.undo(&mut walk, m, undo);
    }
    here
}

fn check_estimates(size: Size, goal: &[u8], costs: &HashMap<Vec<u8>, u32>) {
    let space = puzzle::<u64>(size, goal, goal);
    let misplaced = Misplaced::new(&space, &space.goal);
    let manhattan = Manhattan::new(&space, &space.goal);
    let conflict = LinearConflict::new(&space, &space.goal);
    for (tiles, &cost) in costs {
        let board = space.unpack(u64::of(tiles));
        let weakest = check_estimate(&space, &misplaced, &board, cost);
        let middle = check_estimate(&space, &manhattan, &board, cost);
        let strongest = check_estimate(&space, &conflict, &board, cost);
        assert!(weakest <= middle && middle <= strongest, "{tiles:?}: {weakest}, {middle}, {strongest}");
    }
}

#[test]
fn heuristics_are_admissible_and_consistent_on_every_small_board() {
    check_estimates((3, 3), &gap_last(9), &EIGHT);
    for size @ (rows, columns) in [(2, 2), (2, 3), (3, 2), (2, 4)] {
        let cells = rows * columns;
        for goal in [gap_last(cells), gap_first(cells), shuffled(&mut Random::new(1), cells)] {
            check_estimates(size, &goal, &distances(rows, columns, &goal));
        }
    }
}

#[test]
fn parity_decides_solvability_of_every_3x3_board() {
    let all = permutations(9);
    assert_eq!((all.len(), EIGHT.len()), (362_880, 181_440));
    let mut random = Random::new(1);
    for goal in [gap_last(9), gap_first(9), shuffled(&mut random, 9), shuffled(&mut random, 9)] {
        let space = puzzle::<u64>((3, 3), &goal, &goal);
        for tiles in &all {
            // Moves are reversible, so two boards are connected exactly if both or neither reach a third one.
            let expected = EIGHT.contains_key(tiles) == EIGHT.contains_key(&goal);
            assert_eq!(space.solvable(&space.unpack(u64::of(tiles))), Some(expected), "{tiles:?} to {goal:?}");
        }
    }
}

fn trial(size: Size, tiles: &[u8], goal: &[u8], costs: &HashMap<Vec<u8>, u32>) -> Trial<Tiles<u64>> {
    let label = format!("{tiles:?} to {goal:?}");
    Trial { label, puzzle: puzzle(size, tiles, goal), optimum: costs.get(tiles).copied() }
}

/// Checks every algorithm with every heuristic.
fn check_searches(trial: &Trial<Tiles<u64>>) {
    trial.check_blind();
    for name in ["zero", "misplaced", "manhattan", "linear-conflict", "walking-distance"] {
        let heuristic = &trial.heuristic(name);
        trial.check_best_first(name, heuristic);
        trial.check_bidirectional(name, heuristic);
        trial.check_idastar_within(100_000, name, heuristic);
    }
}

#[test]
fn every_algorithm_finds_the_cost_of_the_oracle_on_every_board_of_2x2_and_2x3() {
    for size @ (rows, columns) in [(2, 2), (2, 3), (3, 2)] {
        let cells = rows * columns;
        for goal in [gap_last(cells), gap_first(cells)] {
            let costs = distances(rows, columns, &goal);
            for tiles in permutations(cells as u8) {
                check_searches(&trial(size, &tiles, &goal, &costs));
            }
        }
    }
}

/// Trials of every `step`-th solvable 3x3 board.
fn trials_of_3x3(step: usize) -> impl Iterator<Item = Trial<Tiles<u64>>> {
    let mut boards: Vec<&Vec<u8>> = EIGHT.keys().collect();
    boards.sort_unstable();
    boards.into_iter().step_by(step).map(|tiles| trial((3, 3), tiles, &gap_last(9), &EIGHT))
}

/// A heuristic for the goal of [`trials_of_3x3`].
fn eight(name: &str) -> Erased<'static, Tiles<u64>> {
    puzzle::<u64>((3, 3), &gap_last(9), &gap_last(9)).heuristic(name).expect("the heuristic is on the card")
}

#[test]
fn astar_solves_every_fifth_3x3_board() {
    let heuristic = eight("linear-conflict");
    for trial in trials_of_3x3(5) {
        let space = &trial.puzzle;
        trial.check_optimal("astar", &mut *astar(space, space.start, &heuristic, TieBreak::LowH, &Limits::default()));
    }
}

#[test]
fn idastar_solves_every_fourth_3x3_board() {
    let heuristic = eight("linear-conflict");
    for trial in trials_of_3x3(4) {
        trial.check_idastar("linear-conflict", &heuristic);
    }
}

#[test]
fn bidirectional_search_solves_every_fifth_3x3_board() {
    let heuristic = eight("manhattan");
    for trial in trials_of_3x3(5) {
        trial.check_bidirectional("manhattan", &heuristic);
    }
}

#[test]
fn every_algorithm_solves_a_sample_of_3x3_boards() {
    for trial in trials_of_3x3(9001) {
        check_searches(&trial);
    }
}

/// Returns the puzzle with its type erased.
struct Erase;

impl WithPuzzle for Erase {
    type Out = Box<dyn Any>;

    fn call<P: Puzzle>(self, puzzle: P) -> Box<dyn Any> {
        Box::new(puzzle)
    }
}

/// A board of up to 16 cells.
fn open(text: &str, goal: Option<&str>) -> Tiles<u64> {
    let options = ReadOptions { goal: goal.map(String::from), ..ReadOptions::default() };
    let puzzle = SlidingTiles::open(text, &options, Erase).unwrap_or_else(|faults| panic!("{text}\n{faults}"));
    *puzzle.downcast().expect("it fits into 64 bits")
}

/// Korf's hundred instances with their optimal costs.
fn korf() -> impl Iterator<Item = (Tiles<u64>, u32)> {
    let text = include_str!("../instances/korf100.txt");
    text.lines().filter(|line| !line.starts_with('#')).map(|line| {
        let mut words = line.splitn(3, ' ').skip(1);
        let length = words.next().and_then(|word| word.parse().ok()).expect("the length comes second");
        (open(words.next().expect("then the board"), Some("blank-first")), length)
    })
}

#[test]
fn idastar_generates_as_many_nodes_as_korf_counted() {
    // Optimal cost, and generated nodes including the root.
    for (board, length, nodes) in [
        ("13 5 4 10 9 12 8 14 2 3 7 1 0 15 11 6", 55, 15_300_442),
        ("4 7 14 13 10 3 9 12 11 5 6 15 1 2 8 0", 56, 11_020_325),
        ("14 1 9 6 4 8 12 5 7 2 3 0 10 11 13 15", 45, 546_344),
        ("7 11 8 3 14 0 6 15 1 4 13 9 5 12 2 10", 46, 1_280_495),
    ] {
        let space = open(board, Some("blank-first"));
        let heuristic = Manhattan::new(&space, &space.goal);
        let limits = Limits::default();
        let mut search = Idastar::new(&space, &heuristic).solvable(true).search(space.start);
        let report = run(&mut *search, &limits, &mut ());
        assert_eq!((report.outcome.cost(), report.stats.generated + 1), (Some(length), nodes), "{board}");
    }
}

#[test]
fn hard_boards_get_the_small_tables_and_then_the_largest_that_fit() {
    let goal = gap_last(16);
    let board = Tiles::<u64>::new(4, 4, &goal, &goal, ORDER);
    let names = |bytes| -> Vec<&str> {
        board.advice_within(bytes).fallbacks.iter().map(|fallback| fallback.heuristic).collect()
    };
    assert_eq!(names(u64::MAX), ["pdb:6-6-3", "pdb:7-8"]);
    assert_eq!(names(500 << 20), ["pdb:6-6-3"], "7-8 alone has 577 MB");
    assert_eq!(names(1 << 20), [""; 0]);
    let after_small = board.worth_building("pdb:6-6-3", u64::MAX);
    assert_eq!(after_small.iter().map(|fallback| fallback.heuristic).collect::<Vec<_>>(), ["pdb:7-8"]);
    assert_eq!(board.worth_building("pdb:7-8", u64::MAX), []);
    let wide = Tiles::<u64>::new(2, 7, &gap_last(14), &gap_last(14), ORDER);
    assert_eq!(wide.advice().fallbacks, [], "there is no preset");
}
