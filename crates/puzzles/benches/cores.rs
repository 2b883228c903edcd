//! The speedup of threads: `cargo bench -p admissible-puzzles --bench cores`.
//!
//! One thread and all of them do the same work in turns, and the ratio of their best rates is compared with the
//! promised one. Each round asserts its answer and its counts. A number as argument sets the number of threads; words
//! select the benchmarks whose names contain one of them.

use std::ops::ControlFlow;
use std::time::Instant;

use admissible::search::{Idastar, Limits, Search, Stats, Team, run};
use admissible_front::puzzle::{Family, Puzzle, ReadOptions, WithPuzzle};
use admissible_front::{ExplorePlan, Parameters, Setting};
use admissible_tiles::SlidingTiles;
use admissible_tiles::pdb::{Building, Partition};

const KORF: &str = include_str!("../../../puzzles/tiles/instances/korf100.txt");

/// The answer, work and time of a round.
#[derive(Debug, Clone, Copy)]
struct Round {
    /// Answer and counts, which depend neither on the round nor on the number of threads.
    fixed: [u64; 2],
    /// The number of expansions; 1 where the whole round is the work.
    work: f64,
    seconds: f64,
}

impl Round {
    fn rate(&self) -> f64 {
        self.work / self.seconds
    }
}

/// The algorithm that solves an instance.
#[derive(Debug, Clone, Copy)]
enum Algorithm {
    Astar,
    Hdastar(Team),
    Idastar(usize),
}

struct Solve(Algorithm);

impl WithPuzzle for Solve {
    type Out = Round;

    fn call<P: Puzzle>(self, puzzle: P) -> Round {
        let heuristic = puzzle.heuristic("manhattan").expect("tiles have the heuristic");
        let (puzzle, start, limits) = (&puzzle, puzzle.start(), Limits::default());
        let timed = |search: &mut dyn Search<P>| {
            let begin = Instant::now();
            let report = run(search, &limits, &mut ());
            let cost = report.outcome.cost().expect("it has a solution");
            let Stats { expanded, expanded_before_last_layer, .. } = report.stats;
            let seconds = begin.elapsed().as_secs_f64();
            Round { fixed: [cost.into(), expanded_before_last_layer], work: expanded as f64, seconds }
        };
        match self.0 {
            Algorithm::Astar => timed(&mut *heuristic.astar(puzzle, start, &limits)),
            Algorithm::Hdastar(team) => {
                timed(&mut *heuristic.hdastar(puzzle, start, team, &limits).expect("tiles have keys"))
            }
            Algorithm::Idastar(threads) => timed(
                &mut *Idastar::new(puzzle, &heuristic)
                    .limits(limits)
                    .threads(Team::of(threads))
                    .solvable(true)
                    .search(start),
            ),
        }
    }
}

/// Solves one of Korf's boards.
fn korf(number: usize, algorithm: Algorithm) -> Round {
    let line = KORF.lines().find(|line| line.split_whitespace().next() == Some(&number.to_string()));
    let tiles: Vec<&str> = line.expect("the file has a hundred boards").split_whitespace().skip(2).collect();
    let rows: Vec<String> = tiles.chunks(4).map(|row| row.join(" ")).collect();
    let options = ReadOptions { goal: Some("blank-first".into()), ..ReadOptions::default() };
    SlidingTiles::open(&rows.join("\n"), &options, Solve(algorithm)).expect("it can be read")
}

/// Computes the distance of every 3x4 board.
fn explore(threads: usize) -> Round {
    let parameters = Parameters::from([("size", Setting::Size(3, 4))]);
    let plan = ExplorePlan { parameters, threads, ..ExplorePlan::default() };
    let begin = Instant::now();
    let explored = admissible_tiles::entry().explore(&plan, &ReadOptions::default(), &()).expect("it fits");
    let fixed = [explored.states, explored.depths.len() as u64];
    Round { fixed, work: 1.0, seconds: begin.elapsed().as_secs_f64() }
}

/// Builds a pattern database of seven tiles.
fn build(threads: usize) -> Round {
    let partition = Partition::named(4, 4, 15, Some("7-8")).expect("it is a preset");
    let pattern = partition.tables().into_iter().find(|pattern| pattern.tiles() == 7).expect("a part has seven tiles");
    let begin = Instant::now();
    let mut building = Building::new(&pattern);
    building.advance(threads, &mut |_| ControlFlow::Continue(())).expect("the callback never stops it");
    Round { fixed: [building.found(), 0], work: 1.0, seconds: begin.elapsed().as_secs_f64() }
}

/// Runs both in turns and prints the ratio of their best rates; returns whether it is at least `least`.
fn speedup(what: &str, rounds: usize, least: f64, one: &dyn Fn() -> Round, all: &dyn Fn() -> Round) -> bool {
    let mut best = [0.0_f64; 2];
    let mut seconds = [f64::MAX; 2];
    let mut fixed = None;
    for _ in 0..rounds {
        for (at, round) in [one(), all()].into_iter().enumerate() {
            assert_eq!(round.fixed, *fixed.get_or_insert(round.fixed), "{what}");
            best[at] = best[at].max(round.rate());
            seconds[at] = seconds[at].min(round.seconds);
        }
    }
    let ratio = best[1] / best[0];
    let verdict = if ratio >= least { "" } else { "  NOT KEPT" };
    println!("{what:<44} {:>8.2} s {:>8.2} s {ratio:>8.2}x {least:>8.2}x{verdict}", seconds[0], seconds[1]);
    ratio >= least
}

fn main() {
    let words: Vec<String> = std::env::args().skip(1).filter(|word| !word.starts_with('-')).collect();
    let number = words.iter().find_map(|word| word.parse().ok());
    let threads: usize = number.unwrap_or_else(|| std::thread::available_parallelism().map_or(1, usize::from));
    let wanted: Vec<&String> = words.iter().filter(|word| word.parse::<usize>().is_err()).collect();
    let team = Team::of(threads);
    type Work = Box<dyn Fn() -> Round>;
    let benchmarks: Vec<(&str, usize, f64, Work, Work)> = vec![
        (
            // More than ten seconds for one thread.
            "idastar: Korf's 88, states a second",
            2,
            1.8,
            Box::new(|| korf(88, Algorithm::Idastar(1))),
            Box::new(move || korf(88, Algorithm::Idastar(threads))),
        ),
        (
            "hdastar: Korf's 76, states a second",
            3,
            1.4,
            Box::new(|| korf(76, Algorithm::Astar)),
            Box::new(move || korf(76, Algorithm::Hdastar(team))),
        ),
        ("explore: tiles 3x4", 2, 1.7, Box::new(|| explore(1)), Box::new(move || explore(threads))),
        ("pdb build: seven tiles", 2, 1.7, Box::new(|| build(1)), Box::new(move || build(threads))),
    ];
    println!("{:<44} {:>10} {:>10} {:>9} {:>9}", "", "1 thread", format!("{threads} threads"), "ratio", "promised");
    let mut kept = true;
    for (what, rounds, least, one, all) in benchmarks {
        if wanted.is_empty() || wanted.iter().any(|word| what.contains(word.as_str())) {
            kept &= speedup(what, rounds, least, &one, &all);
        }
    }
    assert!(kept, "a promise is not kept");
}
