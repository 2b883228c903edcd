//! Packed A* against eager A*: `cargo bench -p admissible-puzzles --bench engines`.
//!
//! The two solve the same instances in turns, and the best of a few rounds counts. Each round asserts that both find
//! the same cost with the same number of expansions before the last layer. Words as arguments select the instances
//! whose names contain one of them.

use std::time::Duration;

use admissible::search::{Limits, Search, TieBreak, eager_astar, run};
use admissible_chexers::ChexersBoards;
use admissible_die::DieMazes;
use admissible_front::puzzle::{Family, Puzzle, ReadOptions, WithPuzzle};
use admissible_front::{Entry as _, Of, Parameters, Setting};
use admissible_klotski::KlotskiBoards;
use nix::time::{ClockId, clock_gettime};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng as _;

/// The answer, counts and time of one engine.
#[derive(Debug, Clone, Copy)]
struct Round {
    cost: Option<u32>,
    before_last_layer: u64,
    expanded: u64,
    /// The processor time of one search.
    time: Duration,
}

impl Round {
    fn rate(&self) -> f64 {
        self.expanded as f64 / self.time.as_secs_f64()
    }
}

/// The processor time of this thread so far.
fn processor_time() -> Duration {
    clock_gettime(ClockId::CLOCK_THREAD_CPUTIME_ID).expect("the system has the clock of a thread").into()
}

/// The least time of a measurement: shorter searches are repeated, since the clock is too coarse for them.
const LEAST: Duration = Duration::from_millis(40);

fn measure<'a, P: Puzzle>(search: impl Fn() -> Box<dyn Search<P> + 'a>) -> Round {
    let begin = processor_time();
    for searches in 1.. {
        let report = run(&mut *search(), &Limits::default(), &mut ());
        let time = processor_time() - begin;
        if time >= LEAST {
            return Round {
                cost: report.outcome.cost(),
                before_last_layer: report.stats.expanded_before_last_layer,
                expanded: report.stats.expanded,
                time: time / searches,
            };
        }
    }
    unreachable!("the clock advances")
}

/// Solves an instance with one heuristic by both engines; returns the best round of eager and of packed A*.
#[derive(Debug, Clone, Copy)]
struct Engines<'a> {
    heuristic: &'a str,
    rounds: usize,
}

impl WithPuzzle for Engines<'_> {
    type Out = [Round; 2];

    fn call<P: Puzzle>(self, puzzle: P) -> [Round; 2] {
        let heuristic = puzzle.heuristic(self.heuristic).expect("the puzzle has the heuristic");
        let (puzzle, limits) = (&puzzle, Limits::default());
        let round = || {
            let eager = measure(|| Box::new(eager_astar(puzzle, puzzle.start(), &heuristic, TieBreak::LowH, &limits)));
            let packed = measure(|| heuristic.astar(puzzle, puzzle.start(), &limits));
            assert_eq!((packed.cost, packed.before_last_layer), (eager.cost, eager.before_last_layer));
            [eager, packed]
        };
        let faster = |a: Round, b: Round| if b.rate() > a.rate() { b } else { a };
        let rounds = (1..self.rounds).map(|_| round());
        rounds.fold(round(), |[eager, packed], [other_eager, other_packed]| {
            [faster(eager, other_eager), faster(packed, other_packed)]
        })
    }
}

/// An instance with the promised ratio of the two rates.
struct Instance {
    name: &'static str,
    board: Board,
    heuristic: &'static str,
    least: f64,
}

enum Board {
    Die { size: usize, seed: u64 },
    Klotski(&'static str),
    KlotskiRandom { empties: usize, seed: u64 },
    Chexers(&'static str),
    ChexersRandom { pieces: usize, blocks: usize, seed: u64 },
}

impl Board {
    fn solve(&self, engines: Engines<'_>) -> [Round; 2] {
        fn random<F: Family>(parameters: Parameters, seed: u64, engines: Engines<'_>) -> [Round; 2] {
            let board = Of::<F>::ROW
                .generate(&parameters, &mut ChaCha8Rng::seed_from_u64(seed))
                .expect("the parameters are in range");
            open::<F>(&board, engines)
        }
        fn open<F: Family>(board: &str, engines: Engines<'_>) -> [Round; 2] {
            F::open(board, &ReadOptions::default(), engines).expect("it can be read")
        }
        match *self {
            Board::Die { size, seed } => {
                let parameters =
                    Parameters::from([("size", Setting::Size(size, size)), ("density", Setting::Share(0.25))]);
                random::<DieMazes>(parameters, seed, engines)
            }
            Board::Klotski(board) => open::<KlotskiBoards>(board, engines),
            Board::KlotskiRandom { empties, seed } => {
                random::<KlotskiBoards>(Parameters::from([("empties", Setting::Count(empties))]), seed, engines)
            }
            Board::Chexers(board) => open::<ChexersBoards>(board, engines),
            Board::ChexersRandom { pieces, blocks, seed } => {
                let parameters =
                    Parameters::from([("pieces", Setting::Count(pieces)), ("blocks", Setting::Count(blocks))]);
                random::<ChexersBoards>(parameters, seed, engines)
            }
        }
    }
}

fn main() {
    let wanted: Vec<String> = std::env::args().skip(1).filter(|word| !word.starts_with('-')).collect();
    let classic = include_str!("../../../puzzles/klotski/instances/classic.txt");
    let start_and_goal = include_str!("../../../puzzles/klotski/instances/start_and_goal.txt");
    let tall = include_str!("../../../puzzles/klotski/instances/tall_7x4.txt");
    let eight = include_str!("../../../puzzles/chexers/instances/eight_pieces.json");
    let four = include_str!("../../../puzzles/chexers/instances/random_blue.json");
    let instance = |name, board, heuristic, least| Instance { name, board, heuristic, least };
    let instances = [
        instance("die: 4000x4000", Board::Die { size: 4000, seed: 1 }, "open-board", 5.0),
        instance("die: 4000x4000", Board::Die { size: 4000, seed: 1 }, "manhattan", 5.0),
        instance("die: 1000x1000", Board::Die { size: 1000, seed: 2 }, "open-board", 2.7),
        instance("die: 1000x1000", Board::Die { size: 1000, seed: 2 }, "manhattan", 2.9),
        instance("die: 1000x1000", Board::Die { size: 1000, seed: 2 }, "euclidean", 1.6),
        instance("die: 300x300", Board::Die { size: 300, seed: 1 }, "open-board", 2.6),
        instance("die: 300x300", Board::Die { size: 300, seed: 1 }, "manhattan", 2.8),
        instance("die: 30x30", Board::Die { size: 30, seed: 1 }, "open-board", 0.9),
        instance("klotski: classic", Board::Klotski(classic), "manhattan", 3.3),
        instance("klotski: classic", Board::Klotski(classic), "without-singles", 3.0),
        instance("klotski: 3 empties", Board::KlotskiRandom { empties: 3, seed: 3 }, "manhattan", 3.6),
        instance("klotski: 3 empties", Board::KlotskiRandom { empties: 3, seed: 3 }, "without-singles", 3.0),
        instance("klotski: 4 empties", Board::KlotskiRandom { empties: 4, seed: 7 }, "without-singles", 2.8),
        instance("klotski: 5 empties", Board::KlotskiRandom { empties: 5, seed: 7 }, "manhattan", 3.6),
        instance("klotski: 7x4", Board::Klotski(tall), "manhattan", 4.0),
        instance("klotski: start and goal", Board::Klotski(start_and_goal), "manhattan", 1.0),
        instance("chexers: 8 pieces", Board::Chexers(eight), "relaxed-jumps", 4.7),
        instance("chexers: 8 pieces", Board::Chexers(eight), "partnered-jumps", 3.9),
        instance(
            "chexers: 8 at random",
            Board::ChexersRandom { pieces: 8, blocks: 0, seed: 1 },
            "partnered-jumps",
            3.5,
        ),
        instance("chexers: 6 at random", Board::ChexersRandom { pieces: 6, blocks: 6, seed: 3 }, "relaxed-jumps", 4.2),
        instance(
            "chexers: 6 at random",
            Board::ChexersRandom { pieces: 6, blocks: 6, seed: 3 },
            "partnered-jumps",
            2.9,
        ),
        instance("chexers: 4 pieces", Board::Chexers(four), "zero", 2.9),
        instance("chexers: 4 pieces", Board::Chexers(four), "relaxed-jumps", 0.9),
    ];
    println!(
        "{:<24} {:<16} {:>6} {:>10} {:>11} {:>11} {:>8} {:>9}",
        "", "heuristic", "cost", "expanded", "eager", "packed", "ratio", "promised"
    );
    let mut kept = true;
    for Instance { name, board, heuristic, least } in instances {
        if !wanted.is_empty() && !wanted.iter().any(|word| name.contains(word.as_str())) {
            continue;
        }
        let [eager, packed] = board.solve(Engines { heuristic, rounds: 5 });
        let ratio = packed.rate() / eager.rate();
        kept &= ratio >= least;
        println!(
            "{name:<24} {heuristic:<16} {:>6} {:>10} {:>7.2} M/s {:>7.2} M/s {ratio:>7.2}x {least:>8.2}x{}",
            eager.cost.map_or("none".into(), |cost| cost.to_string()),
            eager.expanded,
            eager.rate() / 1e6,
            packed.rate() / 1e6,
            if ratio >= least { "" } else { "  NOT KEPT" },
        );
    }
    assert!(kept, "a promise is not kept");
}
