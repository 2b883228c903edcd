//! The maze against the laws of state spaces, the oracle and the figures of the reports.

mod counting;
mod files;
#[path = "../../../crates/front/tests/trial/mod.rs"]
mod trial;

use std::collections::HashSet;
use std::ops::RangeInclusive;

use admissible::laws::{check_backward, check_incremental, check_space};
use admissible::search::{
    Guarantee, Limits, Outcome, Report, Search, TieBreak, astar, astar_without_reopening, bfs, idastar, run,
};
use admissible::{Backward as _, Heuristic, Properties};
use admissible_oracle::die::{State, cost, distances, reachable};
use rand::{RngExt as _, SeedableRng as _};
use rand_chacha::ChaCha8Rng;

use super::*;
use admissible_front::Setting;
use trial::{TIES, Trial};

const P1: &str = "S...G\n.....\n";
const P1_TURNED: &str = "S.\n..\n..\nG.\n";
const P2: &str = "S....\n..***\n.*..G\n.....\n*....\n";
const P3: &str = "S.....\n.****.\n.*....\n.*....\n.....G\n";
const P4: &str = ".G*.S.\n...*..\n.*...*\n......\n...*..\n";
const P5: &str = "...........S\n............\n............\n............\n....*.......\n...*........\n..*.........\n\
                  ............\n....*.......\n...*........\n..*.........\nG...........\n";
const P3_OF_2018: &str = "..*.S \n...G*\n.*..*\n.*...\n.....";

fn open(text: &str) -> Maze {
    Layout::read(text).and_then(|layout| layout.maze(ORDER)).unwrap_or_else(|faults| panic!("{text}\n{faults}"))
}

fn grid(text: &str) -> Vec<&str> {
    text.lines().collect()
}

/// An open board with `around` cells on each side of the goal.
fn open_board(around: usize) -> String {
    let side = 2 * around + 1;
    let mut rows = vec![vec!['.'; side]; side];
    rows[around][around] = 'G';
    rows[0][0] = 'S';
    rows.into_iter().map(|row| row.into_iter().chain(['\n']).collect::<String>()).collect()
}

fn random_maze(seed: u64, sides: RangeInclusive<usize>) -> String {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let mut side = || random.random_range(sides.clone());
    let size = Setting::Size(side(), side());
    let parameters = Parameters::from([("size", size), ("density", Setting::Share(random.random_range(0.0..0.5)))]);
    entry().generate(&parameters, &mut random).expect("there are such mazes")
}

fn die(maze: &Maze, (row, column, up, north, east): State) -> Die {
    maze.die(maze.cell(row, column), Faces { up, north, east })
}

fn finish(search: &mut dyn Search<Maze>) -> Report<Direction> {
    run(search, &Limits::default(), &mut ())
}

/// The estimates of some dice, the scale of the heuristic, and its declared properties.
fn estimates(maze: &Maze, name: &str, dice: &[Die]) -> (Vec<u32>, u32, Properties) {
    let heuristic = maze.heuristic(name).expect("the heuristic is on the card");
    let units = |die: &Die| heuristic.evaluate(maze, die).units().expect("no dead ends");
    (dice.iter().map(units).collect(), heuristic.scale(), heuristic.properties(maze))
}

#[test]
fn mazes_obey_the_laws() {
    for seed in 0..200 {
        let text = random_maze(seed, 2..=9);
        let mut maze = open(&text);
        let target = maze.goal;
        let dice: Vec<Die> = reachable(&grid(&text)).into_iter().map(|state| die(&maze, state)).collect();
        for here in &dice {
            check_space(&maze, here);
            check_backward(&maze, here);
            check_incremental(&maze, &Euclidean { target }, here);
            check_incremental(&maze, &Manhattan::new(&maze, target), here);
            check_incremental(&maze, &DieRoll { target }, here);
            check_incremental(&maze, &DieRollAsRun { target }, here);
            check_incremental(&maze, &Oriented { target }, here);
            check_incremental(&maze, &OrientedAsRun { target }, here);
            check_incremental(&maze, &OpenBoard::new(&maze, target), here);
        }
        let packed: HashSet<u32> = dice.iter().map(|here| maze.pack(here)).collect();
        assert_eq!(packed.len(), dice.len(), "seed {seed}: packed states are distinct");
        assert_eq!(maze.goals().unwrap().iter().filter(|goal| maze.is_goal(goal)).count(), 4, "seed {seed}");
        // The rim is out of reach: with the goal there, a search visits every reachable state.
        maze.goal = 0;
        let report = finish(&mut bfs(&maze, maze.start(), &Limits::default()));
        assert_eq!(report.stats.stored as usize, dice.len(), "seed {seed}: the oracle reaches as many states");
    }
}

/// The heuristics as the specification defines them; euclidean is squared.
fn as_specified(name: &str, (row, column, up, north, east): State, goal: (usize, usize)) -> u64 {
    let (down, right) = (goal.0 as i64 - row as i64, goal.1 as i64 - column as i64);
    let (dx, dy) = (right.unsigned_abs(), down.unsigned_abs());
    let m = dx + dy;
    let (one_up, in_line, beside) = (up == 1, dx == 0 || dy == 0, dx == 1 || dy == 1);
    // The offset of the goal in the direction opposite to the 1.
    let a = match (north, east) {
        (1, _) => down,
        (6, _) => -down,
        (_, 1) => -right,
        (_, 6) => right,
        _ => 0,
    };
    let rules = match name {
        "euclidean" => return dx * dx + dy * dy,
        "die-roll" => vec![
            (m == 0 && one_up, 0),
            (m == 0, 4),
            (one_up && in_line, m + 2),
            (!one_up && beside, m),
            (one_up, m + 4),
            (true, m + 2),
        ],
        "oriented" => vec![
            (m == 0 && one_up, 0),
            (a < 0, m + 4),
            (one_up && in_line, m + 2),
            (one_up, m + 4),
            (a > 0 && in_line, m + 2),
            (a > 0 && beside, m),
            (true, m + 4),
        ],
        "die-roll-as-run" => vec![
            (m == 0 && one_up, 0),
            (m == 0, 4),
            (one_up && in_line, m + 2),
            (!one_up && (in_line || beside), m),
            (one_up, m + 4),
            (true, m + 2),
        ],
        "oriented-as-run" => vec![
            (a < 0, m),
            (one_up && in_line, m),
            (one_up, m + 4),
            (a > 0 && in_line, m + 2),
            (in_line, m + 4),
            (beside, m),
            (true, m + 2),
        ],
        "open-board" => vec![
            (m == 0 && one_up, 0),
            (one_up && in_line, m + 2),
            (one_up, m + 4),
            (a == 1, m),
            (a >= 2, m + 2),
            (true, m + 4),
        ],
        "manhattan" => vec![(true, m)],
        "zero" => vec![(true, 0)],
        _ => panic!("the specification has no {name}"),
    };
    rules.into_iter().find(|&(fits, _)| fits).expect("the last rule always fits").1
}

#[test]
fn heuristics_follow_the_specification_and_open_board_is_the_distance() {
    let (around, near) = (20, 10);
    let text = open_board(around);
    let maze = open(&text);
    let goal = (around, around);
    // Ten cells from the edge, the edge does not change any distance.
    let (states, costs): (Vec<State>, Vec<u32>) = distances(&grid(&text))
        .into_iter()
        .filter(|&((row, column, ..), _)| row.abs_diff(around) <= near && column.abs_diff(around) <= near)
        .unzip();
    assert_eq!(states.len(), 20 * (2 * near + 1).pow(2));
    let dice: Vec<Die> = states.iter().map(|&state| die(&maze, state)).collect();
    assert_eq!(estimates(&maze, "open-board", &dice).0, costs);
    for card in DieMazes::CARD.heuristics {
        let (units, scale, properties) = estimates(&maze, card.name, &dice);
        for ((&state, &units), &cost) in states.iter().zip(&units).zip(&costs) {
            let (units, scale, expected) = (u64::from(units), u64::from(scale), as_specified(card.name, state, goal));
            if card.name == "euclidean" {
                // The floor of 65536 times the root.
                let squared = expected * scale * scale;
                assert!(scale == 65536 && units * units <= squared && squared < (units + 1) * (units + 1), "{state:?}");
            } else {
                assert_eq!(units, expected * scale, "{} of {state:?}", card.name);
            }
            assert!(!properties.admissible || units <= u64::from(cost) * scale, "{} of {state:?}", card.name);
        }
    }
}

#[test]
fn euclidean_is_capped_at_the_largest_estimate() {
    let maze = open(&format!("G{}S\n", ".".repeat(70_000)));
    let row: Vec<Die> = (0..70_000).map(|column| die(&maze, (0, column, 1, 2, 3))).collect();
    let units = estimates(&maze, "euclidean", &row).0;
    assert!(units.is_sorted());
    assert!(units.iter().zip(0..).all(|(&units, column)| units == (column << 16).min(u64::from(u32::MAX - 1)) as u32));
}

/// The number of overestimates and inconsistencies of a heuristic.
#[derive(Debug, Default, Clone, Copy)]
struct Violations {
    overestimates: u64,
    inconsistencies: u64,
}

#[test]
fn heuristics_are_admissible_and_consistent_where_the_card_says_so() {
    let mut violations = vec![Violations::default(); DieMazes::CARD.heuristics.len()];
    for seed in 0..400 {
        let text = random_maze(seed, 2..=9);
        let (maze, costs) = (open(&text), distances(&grid(&text)));
        let elsewhere = reachable(&grid(&text)).into_iter().filter(|state| !costs.contains_key(state));
        let all = costs.iter().map(|(&state, &cost)| (state, cost)).chain(elsewhere.map(|state| (state, u32::MAX)));
        for (state, cost) in all {
            let here = die(&maze, state);
            let mut dice = vec![here];
            maze.predecessors(&here, |before, _| dice.push(before));
            for (card, violations) in DieMazes::CARD.heuristics.iter().zip(&mut violations) {
                let (units, scale, _) = estimates(&maze, card.name, &dice);
                violations.overestimates += u64::from(u64::from(units[0]) > u64::from(cost) * u64::from(scale));
                let inconsistent = units[1..].iter().filter(|&&before| before > units[0] + scale);
                violations.inconsistencies += inconsistent.count() as u64;
            }
        }
    }
    let maze = open(P1);
    for (card, violations) in DieMazes::CARD.heuristics.iter().zip(violations) {
        let (admissible, consistent) = (violations.overestimates == 0, violations.inconsistencies == 0);
        let truth = Properties { admissible, consistent };
        assert_eq!(truth.admissible, card.admissible == Truth::Yes, "{}: {violations:?}", card.name);
        assert_eq!(truth.consistent, card.consistent == Truth::Yes, "{}: {violations:?}", card.name);
        assert_eq!(truth, estimates(&maze, card.name, &[]).2, "{}: {violations:?}", card.name);
    }
}

/// The costs that A* finds with and without reopening.
fn both_astars(maze: &Maze, name: &str, tie: TieBreak) -> (Option<u32>, Option<u32>) {
    let (heuristic, limits) = (maze.heuristic(name).expect("it is on the card"), Limits::default());
    let with = finish(&mut *astar(maze, maze.start(), &heuristic, tie, &limits));
    let without = finish(&mut astar_without_reopening(maze, maze.start(), &heuristic, tie, &limits));
    (with.outcome.cost(), without.outcome.cost())
}

#[test]
fn inconsistent_heuristics_need_reopening_for_the_optimum() {
    // The last column: the cost without reopening, by tie-break.
    for (name, text, optimum, otherwise) in [
        ("die-roll", "G*...\n.S...\n..*..\n", 16, [16, 20, 20]),
        ("oriented", "G*..\n....\n....\n..S.\n", 9, [11, 11, 11]),
        ("open-board", "G*..\n....\n....\n..S.\n", 9, [9, 9, 9]),
    ] {
        let maze = open(text);
        assert_eq!(cost(&grid(text)), Some(optimum), "{name}");
        for (tie, otherwise) in TIES.into_iter().zip(otherwise) {
            assert_eq!(both_astars(&maze, name, tie), (Some(optimum), Some(otherwise)), "{name}, {tie:?}");
        }
    }
}

#[test]
fn oriented_overestimates_and_guarantees_nothing_but_astar_finds_the_optimum_with_it() {
    // South of the goal with the 1 facing south, one roll is left.
    let (text, state) = ("G*..\n....\n....\n..S.\n", (1, 0, 2, 6, 3));
    let maze = open(text);
    assert_eq!(distances(&grid(text))[&state], 1);
    assert_eq!(estimates(&maze, "oriented", &[die(&maze, state)]).0, [3]);
    // The last state before the goal is overestimated by 2 on every path, and no state by more. So a cheapest path
    // is expanded first.
    for seed in 0..1000 {
        let text = random_maze(seed, 3..=7);
        let maze = open(&text);
        for tie in TIES {
            let oriented = maze.heuristic("oriented").expect("it is on the card");
            let report = finish(&mut *astar(&maze, maze.start(), &oriented, tie, &Limits::default()));
            assert_eq!(report.outcome.cost(), cost(&grid(&text)), "seed {seed}, {tie:?}");
            assert!(report.outcome.solution().is_none_or(|found| found.guarantee == Guarantee::None), "seed {seed}");
        }
    }
}

#[test]
fn every_algorithm_finds_the_cost_of_the_oracle() {
    let mut unsolvable = 0;
    for seed in 0..3000 {
        let text = random_maze(seed, 3..=7);
        let trial = Trial { label: format!("seed {seed}"), puzzle: open(&text), optimum: cost(&grid(&text)) };
        trial.check_blind();
        for name in ["zero", "euclidean", "manhattan", "die-roll", "die-roll-as-run", "open-board"] {
            let heuristic = &trial.heuristic(name);
            trial.check_best_first(name, heuristic);
            trial.check_bidirectional(name, heuristic);
            trial.check_idastar_within(2000, name, heuristic);
        }
        unsolvable += u32::from(trial.optimum.is_none());
    }
    assert!((500..2500).contains(&unsolvable), "{unsolvable} mazes are unsolvable: both kinds were tried");
}

#[test]
fn idastar_proves_a_maze_with_cycles_unsolvable() {
    let maze = open("S..*G\n...**\n...*.\n");
    let heuristic = OpenBoard::new(&maze, maze.goal);
    assert_eq!(finish(&mut *idastar(&maze, maze.start(), &heuristic, &Limits::default())).outcome, Outcome::Unsolvable);
}

/// Runs A*. Returns the cost, the visited states, and the states expanded before the last layer.
fn count(maze: &Maze, name: &str, tie: TieBreak) -> (Option<u32>, u64, u64) {
    let heuristic = maze.heuristic(name).expect("it is on the card");
    let Report { outcome, stats } = finish(&mut *astar(maze, maze.start(), &heuristic, tie, &Limits::default()));
    let visited = stats.expanded + u64::from(outcome.cost().is_some());
    (outcome.cost(), visited, stats.expanded_before_last_layer)
}

#[test]
fn every_tie_break_visits_as_many_states_as_a_correct_astar_may() {
    // Least and most for zero, euclidean and manhattan.
    for (text, bands) in [
        (P1, [(21, 28), (8, 15), (3, 15)]),
        (P1_TURNED, [(14, 19), (7, 12), (3, 12)]),
        (P2, [(74, 89), (49, 60), (40, 60)]),
        (P3, [(3, 3), (3, 3), (3, 3)]),
        (P4, [(137, 152), (85, 103), (54, 101)]),
        (P5, [(1256, 1272), (986, 1080), (243, 881)]),
        (P3_OF_2018, [(42, 54), (23, 31), (15, 31)]),
    ] {
        let maze = open(text);
        for (heuristic, (least, most)) in ["zero", "euclidean", "manhattan"].into_iter().zip(bands) {
            for tie in TIES {
                let (cost, visited, before) = count(&maze, heuristic, tie);
                assert!((least..=most).contains(&visited), "{heuristic}, {tie:?}: {visited}\n{text}");
                assert_eq!(before + u64::from(cost.is_some()), least, "{heuristic}, {tie:?}\n{text}");
            }
        }
    }
}
