//! The board against the laws of state spaces, the oracle, the referee and the files of the course.

#[path = "../../../crates/front/tests/trial/mod.rs"]
mod trial;

use std::any::Any;
use std::path::Path;

use admissible::laws::{check_backward, check_incremental, check_space};
use admissible::search::{
    Guarantee, Limits, Outcome, Report, Search, Stats, Stop, TieBreak, astar, bfs, bidirectional, cheapest_move,
    idastar, run, ucs,
};
use admissible::{Backward as _, Estimate, Heuristic, Properties, StateSpace as _};
use admissible_oracle::Random;
use rand::SeedableRng as _;
use rand_chacha::ChaCha8Rng;

use super::*;
use admissible_front::Setting;
use admissible_front::puzzle::Truth;
use trial::Trial;

/// Returns the puzzle with its type erased.
struct Erase;

impl WithPuzzle for Erase {
    type Out = Box<dyn Any>;

    fn call<P: Puzzle>(self, puzzle: P) -> Box<dyn Any> {
        Box::new(puzzle)
    }
}

fn open_with(text: &str, options: &ReadOptions) -> Result<Chexers, Faults> {
    ChexersBoards::open(text, options, Erase).map(|puzzle| *puzzle.downcast().expect("the only type of the family"))
}

fn open(text: &str) -> Chexers {
    open_with(text, &ReadOptions::default()).unwrap()
}

fn random_hexes(random: &mut Random, count: usize, free: Hexes) -> Hexes {
    let mut hexes: Vec<Hex> = free.collect();
    (0..count).map(|_| hexes.swap_remove(random.below(hexes.len()))).collect()
}

fn random_board(random: &mut Random, pieces: usize, blocks: usize) -> Chexers {
    let colour = Colour::ALL[random.below(3)];
    let pieces = random_hexes(random, pieces, Hexes::BOARD);
    let blocks = random_hexes(random, blocks, Hexes::BOARD.without(pieces));
    Chexers::new(colour, pieces, blocks, ActionKind::ALL)
}

/// The coordinates as the oracle sorts them.
fn coordinates(hexes: Hexes) -> Vec<(i8, i8)> {
    let mut coordinates: Vec<_> = hexes.map(Hex::coordinates).collect();
    coordinates.sort_unstable();
    coordinates
}

fn oracle_cost(board: &Chexers) -> Option<u32> {
    let (pieces, blocks) = (coordinates(board.pieces), coordinates(board.blocks));
    admissible_oracle::chexers::cost(board.colour.name(), &pieces, &blocks)
}

fn finish(search: &mut dyn Search<Chexers>) -> Report<Action> {
    run(search, &Limits::default(), &mut ())
}

fn solve(board: &Chexers) -> Report<Action> {
    let heuristic = PartneredJumps::new(board);
    finish(&mut *astar(board, board.start(), &heuristic, TieBreak::LowH, &Limits::default()))
}

fn course(board: &Chexers, outcome: &Outcome<Action>) -> String {
    board.course(&CourseRun { heuristic: "partnered-jumps", outcome, stats: &Stats::default(), visited: &[] })
}

/// Checks that the course output of a solution is read back and passes the referee.
fn check_round_trip(board: &Chexers, report: &Report<Action>) {
    let solution = report.outcome.solution().expect("the board is solved");
    let Ok(Claim::Actions(actions)) = board.read_solution(&course(board, &report.outcome)) else {
        panic!("the course output is not read as a solution");
    };
    let mut pieces = board.start();
    let mut states = vec![board.state_json(&pieces)];
    let mut names = Vec::new();
    for &action in &solution.moves {
        names.push(board.move_name(&pieces, action));
        board.apply(&mut pieces, action);
        states.push(board.state_json(&pieces));
    }
    assert_eq!(actions, names);
    assert_eq!(board.referee().replay(&actions), Ok(states));
    assert_eq!(solution.cost as usize, actions.len());
}

#[test]
fn boards_obey_the_laws() {
    for seed in 0..2000 {
        let mut random = Random::new(seed);
        let (pieces, blocks) = (random.below(12), random.below(15));
        let board = random_board(&mut random, pieces, blocks);
        check_space(&board, &board.pieces);
        check_backward(&board, &board.pieces);
        check_incremental(&board, &RelaxedJumps::new(&board), &board.pieces);
        check_incremental(&board, &PartneredJumps::new(&board), &board.pieces);
        let fewer = board.pieces.skip(1).collect::<Hexes>();
        board.predecessors(&fewer, |before, _| {
            let joined = cheapest_move(&board, before.0, fewer.0);
            assert!(joined.is_some(), "seed {seed}: a move leads from every predecessor");
        });
    }
}

#[test]
fn actions_agree_with_the_referee() {
    for seed in 0..40 {
        let mut random = Random::new(seed);
        let (pieces, blocks) = (1 + random.below(8), random.below(20));
        let board = random_board(&mut random, pieces, blocks);
        let offered: Vec<Action> = board.moves(&board.pieces).collect();
        let pairs = || Hexes::BOARD.flat_map(|from| Hexes::BOARD.map(move |to| (from, to)));
        let possible = Hexes::BOARD
            .map(|from| Action::Exit { from })
            .chain(pairs().map(|(from, to)| Action::Jump { from, to }))
            .chain(pairs().map(|(from, to)| Action::Move { from, to }));
        let referee = board.referee();
        // An action is legal if the referee accepts the first step.
        let legal: Vec<Action> = possible
            .filter(|action| referee.replay(&[action.to_string()]).map_or_else(|illegal| illegal.step > 1, |_| true))
            .collect();
        assert_eq!(offered.len(), legal.len(), "seed {seed}");
        assert!(legal.iter().all(|action| offered.contains(action)), "seed {seed}");
    }
}

/// Every placement of at most `most` pieces.
fn placements(free: Hexes, most: u32) -> Vec<Hexes> {
    let mut all = vec![Hexes::NONE];
    for hex in free {
        for at in 0..all.len() {
            if all[at].len() < most {
                all.push(all[at].toggled(hex));
            }
        }
    }
    all
}

/// Checks on every placement of at most `most` pieces that the heuristics are admissible and consistent, and that the
/// second dominates the first.
fn check_heuristics(colour: Colour, blocks: Hexes, most: u32) {
    let board = Chexers::new(colour, Hexes::NONE, blocks, ActionKind::ALL);
    let (relaxed, partnered) = (RelaxedJumps::new(&board), PartneredJumps::new(&board));
    let estimates = |pieces: &Hexes| {
        let relaxed = relaxed.estimate(relaxed.evaluate(&board, pieces));
        [relaxed, partnered.estimate(partnered.evaluate(&board, pieces))]
    };
    let costs = admissible_oracle::chexers::distances(colour.name(), &coordinates(blocks), most as usize);
    for pieces in placements(Hexes::BOARD.without(blocks), most) {
        let [relaxed, partnered] = estimates(&pieces);
        let place = || format!("{colour:?} {pieces:?} around {blocks:?}");
        let cost = costs.get(&coordinates(pieces)).map_or(Estimate::DEAD_END, |&cost| Estimate::new(cost));
        assert!(relaxed <= partnered && partnered <= cost, "{}: {relaxed:?} {partnered:?} {cost:?}", place());
        for action in board.moves(&pieces) {
            let mut after = pieces;
            board.apply(&mut after, action);
            for (before, after) in estimates(&pieces).into_iter().zip(estimates(&after)) {
                let most = after.units().map_or(Estimate::DEAD_END, |units| Estimate::new(units + 1));
                assert!(before <= most, "{}: {action}", place());
            }
        }
        let solved_soon = pieces.without(board.exits).is_empty();
        assert!(!solved_soon || estimates(&pieces) == [Estimate::new(pieces.len()); 2], "{}", place());
    }
}

#[test]
fn the_heuristics_are_admissible_and_consistent() {
    let mut random = Random::new(1);
    for (colour, round) in Colour::ALL.into_iter().flat_map(|colour| (0..8).map(move |round| (colour, round))) {
        check_heuristics(colour, random_hexes(&mut random, 3 * round, Hexes::BOARD), 3);
    }
}

#[test]
fn the_heuristics_are_admissible_and_consistent_with_four_pieces() {
    let mut random = Random::new(2);
    for (colour, blocks) in Colour::ALL.into_iter().zip([0, 5, 10]) {
        check_heuristics(colour, random_hexes(&mut random, blocks, Hexes::BOARD), 4);
    }
}

#[test]
fn properties_agree_with_the_card() {
    let board = random_board(&mut Random::new(1), 4, 6);
    for card in ChexersBoards::CARD.heuristics {
        let properties = board.heuristic(card.name).map(|heuristic| heuristic.properties(&board));
        let truth = Properties { admissible: card.admissible == Truth::Yes, consistent: card.consistent == Truth::Yes };
        assert_eq!(properties, Some(truth), "{}", card.name);
    }
    assert!(board.heuristic("manhattan").is_none());
    assert!(board.heuristic(board.advice().heuristic).is_some());
}

#[test]
fn every_algorithm_finds_the_cost_of_the_oracle() {
    let limits = Limits::default();
    let mut unsolvable = 0;
    for seed in 0..150 {
        let mut random = Random::new(seed);
        let (pieces, blocks) = (random.below(4), random.below(31));
        let board = random_board(&mut random, pieces, blocks);
        let (relaxed, heuristic) = (RelaxedJumps::new(&board), PartneredJumps::new(&board));
        let expected = oracle_cost(&board);
        let start = board.start();
        let blind = bidirectional(&board, start, &Zero, &Zero, &limits);
        let informed = bidirectional(&board, start, &heuristic, &Exits, &limits);
        let searches: [(&str, &mut dyn Search<Chexers>); 7] = [
            ("astar with relaxed-jumps", &mut *astar(&board, start, &relaxed, TieBreak::LowH, &limits)),
            ("astar", &mut *astar(&board, start, &heuristic, TieBreak::LowH, &limits)),
            ("ucs", &mut ucs(&board, start, TieBreak::Fifo, &limits)),
            ("bfs", &mut bfs(&board, start, &limits)),
            ("idastar", &mut *idastar(&board, start, &heuristic, &limits)),
            ("blind bidirectional", &mut blind.unwrap()),
            ("bidirectional", &mut informed.unwrap()),
        ];
        for (name, search) in searches {
            let report = finish(search);
            assert_eq!(report.outcome.cost(), expected, "seed {seed}, {name}");
            assert_eq!(report.stats.reopened, 0, "seed {seed}, {name}: a consistent heuristic reopens nothing");
            match report.outcome.solution() {
                Some(solution) => {
                    assert_eq!(solution.guarantee, Guarantee::Optimal, "seed {seed}, {name}");
                    check_round_trip(&board, &report);
                }
                None => assert_eq!(report.outcome, Outcome::Unsolvable, "seed {seed}, {name}"),
            }
        }
        unsolvable += u32::from(expected.is_none());
    }
    assert!((5..100).contains(&unsolvable), "{unsolvable} boards are unsolvable: both kinds were tried");
}

#[test]
fn both_engines_of_astar_expand_the_same_boards() {
    for seed in 0..80 {
        let mut random = Random::new(seed);
        let (pieces, blocks) = (1 + random.below(4), random.below(28));
        let puzzle = random_board(&mut random, pieces, blocks);
        let trial = Trial { label: format!("seed {seed}"), optimum: oracle_cost(&puzzle), puzzle };
        for name in ["zero", "relaxed-jumps", "partnered-jumps"] {
            trial.check_engines(name, &trial.heuristic(name));
        }
    }
}

#[test]
fn the_course_files_have_their_known_costs() {
    let folder = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/data/chexers"));
    let Ok(index) = std::fs::read_to_string(folder.join("INDEX.md")) else {
        eprintln!("skipped: there is no {}", folder.display());
        return;
    };
    let rows = index.lines().map(|line| line.split('|').map(str::trim).collect::<Vec<_>>());
    let mut tried = 0;
    for row in rows.filter(|row| row.len() > 3 && row[1].ends_with(".json")) {
        let (file, cost) = (row[1], row[3].parse().ok());
        assert!(cost.is_some() || row[3] == "no solution", "{file} has a cost in the index");
        let text = std::fs::read_to_string(folder.join(file)).unwrap();
        assert!(ChexersBoards::recognises(&text), "{file}");
        let board = open(&text);
        let report = solve(&board);
        assert_eq!(report.outcome.cost(), cost, "{file}");
        if cost.is_some() {
            check_round_trip(&board, &report);
        }
        tried += 1;
    }
    let files = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    assert_eq!(tried, files.filter(|path| path.extension().is_some_and(|extension| extension == "json")).count());
}

#[test]
fn an_outcome_without_solution_is_a_comment() {
    let board = open("{\"colour\": \"red\", \"pieces\": [[0, 0]], \"blocks\": [[3, -3], [3, -2], [3, -1], [3, 0]]}");
    let report = solve(&board);
    assert_eq!(course(&board, &report.outcome), "# no solution\n");
    assert_eq!(board.read_solution("# no solution\n"), Ok(Claim::Unsolvable));
    assert_eq!(
        course(&board, &Outcome::Stopped { why: Stop::Time, lower_bound: 7 }),
        "# stopped at the time limit: every solution has at least 7 actions\n"
    );
    let empty = open("{\"colour\": \"red\", \"pieces\": []}");
    assert_eq!(empty.solvable(&empty.start()), Some(true));
    assert_eq!(course(&empty, &solve(&empty).outcome), "");
}

#[test]
fn the_move_order_option_orders_the_actions() {
    let text = "{\"colour\": \"red\", \"pieces\": [[3, -1], [2, -1]]}";
    let kinds = |move_order: Option<&str>| {
        let options = ReadOptions { move_order: move_order.map(String::from), ..ReadOptions::default() };
        let board = open_with(text, &options).unwrap();
        let mut words: Vec<String> = board.moves(&board.start()).map(|action| action.to_string()[..4].into()).collect();
        words.dedup();
        words
    };
    assert_eq!(kinds(None), ["EXIT", "JUMP", "MOVE"]);
    assert_eq!(kinds(Some("move, exit, jump")), ["MOVE", "EXIT", "JUMP"]);
    assert_eq!(kinds(Some("jump,move,exit")), ["JUMP", "MOVE", "EXIT"]);
    for (goal, move_order, expected) in [
        (None, Some("move,jump"), "0:0: --move-order: expected each of exit,jump,move once, found 'move,jump'"),
        (Some("corner"), None, "0:0: --goal: the goal of Chexers is always the empty board"),
    ] {
        let options = ReadOptions {
            goal: goal.map(String::from),
            move_order: move_order.map(String::from),
            ..ReadOptions::default()
        };
        let faults = entry().open(text, &options).err().expect("the option is refused");
        assert_eq!(faults.to_string(), expected);
    }
}

#[test]
fn generated_boards_have_their_parameters() {
    let mut random = ChaCha8Rng::seed_from_u64(1);
    let mut generate = |pieces, blocks, colour: Option<&'static str>| {
        let count = |name, count: Option<usize>| Some((name, Setting::Count(count?)));
        let colour = colour.map(|colour| ("colour", Setting::Word(colour.into())));
        let given = [count("pieces", pieces), count("blocks", blocks), colour].into_iter().flatten();
        let parameters = given.map(|(name, setting)| (name.to_string(), setting)).collect();
        entry().generate(&parameters, &mut random)
    };
    for (pieces, blocks, colour) in [(1, 0, "red"), (4, 6, "green"), (37, 0, "blue"), (1, 36, "blue")] {
        let text = generate(Some(pieces), Some(blocks), Some(colour)).unwrap();
        let board = open(&text);
        assert_eq!((board.pieces.len() as usize, board.blocks.len() as usize), (pieces, blocks), "{text}");
        assert_eq!(board.colour.name(), colour);
        assert!(ChexersBoards::recognises(&text));
    }
    let usual = open(&generate(None, None, None).unwrap());
    assert_eq!((usual.colour, usual.pieces.len(), usual.blocks.len()), (Colour::Red, 4, 6));
    for (pieces, blocks, colour, reason) in [
        (Some(0), None, None, "the number of pieces lies between 1 and 37"),
        (Some(38), None, None, "the number of pieces lies between 1 and 37"),
        (Some(30), Some(8), None, "30 pieces leave room for 7 blocks, not for 8"),
        (None, None, Some("pink"), "the colour is red, green or blue, not 'pink'"),
    ] {
        assert_eq!(generate(pieces, blocks, colour), Err(ParameterError(reason.into())));
    }
}

#[test]
fn the_board_is_drawn_as_a_hexagon() {
    let board = open("{\"colour\": \"red\", \"pieces\": [[0, 0], [3, -1]], \"blocks\": [[3, 0], [-3, 3], [-1, 0]]}");
    let drawn = board.draw(&board.start());
    let mut plain = String::new();
    for (at, part) in drawn.split('\u{1b}').enumerate() {
        plain += if at == 0 { part } else { part.split_once('m').expect("a style ends with m").1 };
    }
    let expected =
        ["   . . . o", "  . . . . o", " . . . . . R", ". . # R . . #", " . . . . . .", "  . . . . .", "   # . . ."];
    assert_eq!(plain.lines().collect::<Vec<_>>(), expected);
}
