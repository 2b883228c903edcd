//! Times of whole spaces against the promised ones: `cargo bench -p admissible-puzzles --bench spaces`.
//!
//! Each round asserts its counts. The best time of a few rounds counts, since other load can only add to it.

use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use admissible::explore::Reached;
use admissible::{Ranking, StateSpace as _};
use admissible_front::puzzle::{Family, Puzzle, ReadOptions, WithPuzzle};
use admissible_front::{Entry, ExplorePlan, Parameters, Setting};
use admissible_klotski::ranking::{PieceSets, ranked};
use admissible_klotski::{Klotski, KlotskiBoards};

const CLASSIC: &str = "^11^\nv11v\n^<>^\nv22v\n2..2\n";

/// The counts of a round.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
struct Found {
    states: u64,
    goals: u64,
    deepest: usize,
}

/// Counts the states that the start can reach.
struct Component;

impl WithPuzzle for Component {
    type Out = Found;

    fn call<P: Puzzle>(self, puzzle: P) -> Found {
        let reached = Reached::from(&puzzle, &puzzle.start(), None, &()).expect("the memory is not limited");
        let depths = reached.depths();
        Found { states: depths.iter().sum(), goals: 0, deepest: depths.len() - 1 }
    }
}

/// Computes the distance of every state.
fn distances(entry: &dyn Entry, plan: ExplorePlan, metric: Option<&str>) -> Found {
    let reading = ReadOptions { metric: metric.map(String::from), ..ReadOptions::default() };
    let plan = ExplorePlan { threads: cores(), most_bytes: Some(200 << 20), ..plan };
    let explored = entry.explore(&plan, &reading, &()).expect("it fits");
    Found { states: explored.states, goals: explored.goals, deepest: explored.depths.len() - 1 }
}

fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

fn on_all_cores(work: impl Fn() + Sync) {
    std::thread::scope(|scope| (0..cores()).for_each(|_| drop(scope.spawn(&work))));
}

fn tiles(rows: usize, columns: usize) -> Found {
    let parameters = Parameters::from([("size", Setting::Size(rows, columns))]);
    distances(admissible_tiles::entry(), ExplorePlan { parameters, ..ExplorePlan::default() }, None)
}

/// Unranks every layout of every set of pieces, on all cores.
fn enumerated() -> Found {
    let sets = PieceSets::all();
    let (next, states, goals) = (AtomicUsize::new(0), AtomicU64::new(0), AtomicU64::new(0));
    on_all_cores(|| {
        while let Some((counts, _)) = sets.sets().get(next.fetch_add(1, Ordering::Relaxed)) {
            let (puzzle, ranking) = ranked(counts);
            let size = Ranking::<Klotski<u64>>::size(&ranking);
            let solved = (0..size).filter(|&rank| puzzle.is_goal(&ranking.unrank(&puzzle, rank))).count();
            goals.fetch_add(solved as u64, Ordering::Relaxed);
            states.fetch_add(size as u64, Ordering::Relaxed);
        }
    });
    Found { states: states.into_inner(), goals: goals.into_inner(), deepest: 0 }
}

fn layouts(metric: &str) -> Found {
    distances(admissible_klotski::entry(), ExplorePlan::default(), Some(metric))
}

/// Runs a few rounds, asserts their counts and prints the best time; returns whether it is within `limit`.
fn measure(what: &str, rounds: usize, limit: Duration, expected: Found, round: impl Fn() -> Found) -> bool {
    let mut best = Duration::MAX;
    for _ in 0..rounds {
        let begin = Instant::now();
        let found = round();
        let time = begin.elapsed();
        assert_eq!(found, expected, "{what}");
        best = best.min(time);
    }
    let millis = |time: Duration| time.as_secs_f64() * 1e3;
    let kept = best <= limit;
    let verdict = if kept { "" } else { "  NOT KEPT" };
    println!("{what:<48} {:>10.2} ms {:>9.0} ms{verdict}", millis(best), millis(limit));
    kept
}

fn main() {
    // Cargo passes options of its own; any other word selects the benchmarks whose names contain it.
    let wanted: Vec<String> = std::env::args().skip(1).filter(|word| !word.starts_with('-')).collect();
    let all = 28_913_089;
    let goals = 2_260_392;
    let millis = Duration::from_millis;
    type Round = Box<dyn Fn() -> Found>;
    let benchmarks: Vec<(&str, usize, Duration, Found, Round)> = vec![
        (
            "klotski: the classic component",
            // About two seconds, longer than most disturbances.
            2000,
            millis(1),
            Found { states: 25_955, goals: 0, deepest: 167 },
            Box::new(|| KlotskiBoards::open(CLASSIC, &ReadOptions::default(), Component).expect("it can be read")),
        ),
        (
            "klotski: all layouts enumerated",
            5,
            millis(300),
            Found { states: 29_334_498, goals, deepest: 0 },
            Box::new(enumerated),
        ),
        (
            "klotski: all distances in steps",
            3,
            millis(2500),
            Found { states: all, goals, deepest: 179 },
            Box::new(|| layouts("steps")),
        ),
        (
            "klotski: all distances in moves",
            1,
            millis(15_000),
            Found { states: all, goals, deepest: 138 },
            Box::new(|| layouts("moves")),
        ),
        ("tiles: 3x3", 50, millis(20), Found { states: 181_440, goals: 1, deepest: 31 }, Box::new(|| tiles(3, 3))),
        (
            "tiles: 3x4 in at most 200 MiB",
            1,
            millis(30_000),
            Found { states: 239_500_800, goals: 1, deepest: 53 },
            Box::new(|| tiles(3, 4)),
        ),
    ];
    println!("{:<48} {:>13} {:>12}", "", "best", "promised");
    let mut kept = true;
    for (what, rounds, limit, expected, round) in benchmarks {
        if wanted.is_empty() || wanted.iter().any(|word| what.contains(word.as_str())) {
            kept &= measure(what, rounds, limit, expected, round);
        }
    }
    assert!(kept, "a promise is not kept");
}
