//! The promises about whole spaces: `cargo bench -p admissible-puzzles`. Every count is asserted before a time counts;
//! the best of a few rounds does, since whatever else the machine is doing can only add to it.

use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use admissible::audit::Census as _;
use admissible::explore::{Layers, Packing, Reached};
use admissible::{Backward, StateSpace as _};
use admissible_front::expanse::{Expanse, Region, WithExpanse};
use admissible_front::puzzle::{Family, Puzzle, ReadOptions, WithPuzzle};
use admissible_front::{Parameters, Setting};
use admissible_klotski::KlotskiBoards;
use admissible_tiles::SlidingTiles;

const CLASSIC: &str = "^11^\nv11v\n^<>^\nv22v\n2..2\n";

/// What a round found out.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
struct Found {
    states: u64,
    goals: u64,
    deepest: usize,
}

/// The component of a start.
struct Component;

impl WithExpanse for Component {
    type Out = Found;

    fn numbered<E: Expanse>(self, _expanse: &E) -> Found {
        unreachable!("a component has no numbers")
    }

    fn reachable<P: Puzzle + Backward>(self, _title: &str, puzzle: &P) -> Found {
        let reached = Reached::from(puzzle, &puzzle.start(), None, &()).expect("there is room");
        let depths = reached.depths();
        Found { states: depths.iter().sum(), goals: 0, deepest: depths.len() - 1 }
    }
}

impl WithPuzzle for Component {
    type Out = Found;

    fn call<P: Puzzle>(self, puzzle: P) -> Found {
        puzzle.expanse(None, self).expect("it has a component")
    }
}

/// Every state of every part, on all cores.
struct Enumeration;

impl WithExpanse for Enumeration {
    type Out = Found;

    fn numbered<E: Expanse>(self, expanse: &E) -> Found {
        let (next, states, goals) = (AtomicUsize::new(0), AtomicU64::new(0), AtomicU64::new(0));
        on_all_cores(|| {
            loop {
                let part = next.fetch_add(1, Ordering::Relaxed);
                if part >= expanse.parts() {
                    return;
                }
                expanse.part(part, |puzzle, chart| {
                    let solved =
                        (0..chart.size()).filter(|&number| puzzle.is_goal(&chart.state(puzzle, number))).count();
                    goals.fetch_add(solved as u64, Ordering::Relaxed);
                    states.fetch_add(chart.size() as u64, Ordering::Relaxed);
                });
            }
        });
        Found { states: states.into_inner(), goals: goals.into_inner(), deepest: 0 }
    }

    fn reachable<P: Puzzle + Backward>(self, _title: &str, _puzzle: &P) -> Found {
        unreachable!("these states have numbers")
    }
}

/// The distance of every state, parts shared by the cores.
struct Distances {
    most_bytes: u64,
}

impl WithExpanse for Distances {
    type Out = Found;

    fn numbered<E: Expanse>(self, expanse: &E) -> Found {
        let cores = cores();
        let (workers, inside) = if expanse.parts() == 1 { (1, cores) } else { (cores, 1) };
        let next = AtomicUsize::new(0);
        let (states, goals, deepest) = (AtomicU64::new(0), AtomicU64::new(0), AtomicUsize::new(0));
        let bytes = Layers::bytes_for(Packing::of::<E::Puzzle, E::Chart>(), expanse.states(0) as u64);
        assert!(bytes <= self.most_bytes, "{bytes} bytes");
        let work = || {
            loop {
                let part = next.fetch_add(1, Ordering::Relaxed);
                if part >= expanse.parts() {
                    return;
                }
                expanse.part(part, |puzzle, chart| {
                    let layers = Layers::backward(puzzle, chart, inside, &()).expect("nobody interrupts");
                    states.fetch_add(layers.states(), Ordering::Relaxed);
                    goals.fetch_add(layers.depths().first().copied().unwrap_or(0), Ordering::Relaxed);
                    deepest.fetch_max(layers.depths().len().saturating_sub(1), Ordering::Relaxed);
                });
            }
        };
        if workers == 1 {
            work();
        } else {
            on_all_cores(work);
        }
        Found { states: states.into_inner(), goals: goals.into_inner(), deepest: deepest.into_inner() }
    }

    fn reachable<P: Puzzle + Backward>(self, _title: &str, _puzzle: &P) -> Found {
        unreachable!("these states have numbers")
    }
}

fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

fn on_all_cores(work: impl Fn() + Sync) {
    std::thread::scope(|scope| (0..cores()).for_each(|_| drop(scope.spawn(&work))));
}

fn tiles(rows: usize, columns: usize) -> Found {
    let region = Region { parameters: Parameters::from([("size", Setting::Size(rows, columns))]), ..Region::default() };
    SlidingTiles::expanse(&region, Distances { most_bytes: 200 << 20 }).expect("there are such boards")
}

fn layouts<V: WithExpanse>(metric: &str, visitor: V) -> V::Out {
    let reading = ReadOptions { metric: Some(metric.into()), ..ReadOptions::default() };
    KlotskiBoards::expanse(&Region { reading, ..Region::default() }, visitor).expect("there are layouts")
}

/// Runs a few rounds, asserts what each finds, and says how long the best took beside what is promised.
fn promise(what: &str, rounds: usize, limit: Duration, expected: Found, round: impl Fn() -> Found) -> bool {
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
    // Cargo passes options of its own; any other word chooses the promises with it in their names.
    let wanted: Vec<String> = std::env::args().skip(1).filter(|word| !word.starts_with('-')).collect();
    let all = 28_913_089;
    let goals = 2_260_392;
    let millis = Duration::from_millis;
    let distances = || Distances { most_bytes: 200 << 20 };
    type Round = Box<dyn Fn() -> Found>;
    let promises: Vec<(&str, usize, Duration, Found, Round)> = vec![
        (
            "klotski: the classic component",
            // Two seconds, so that a disturbance does not last for all of them.
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
            Box::new(|| layouts("steps", Enumeration)),
        ),
        (
            "klotski: all distances in steps",
            3,
            millis(2500),
            Found { states: all, goals, deepest: 179 },
            Box::new(move || layouts("steps", distances())),
        ),
        (
            "klotski: all distances in moves",
            1,
            millis(15_000),
            Found { states: all, goals, deepest: 138 },
            Box::new(move || layouts("moves", distances())),
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
    for (what, rounds, limit, expected, round) in promises {
        if wanted.is_empty() || wanted.iter().any(|word| what.contains(word.as_str())) {
            kept &= promise(what, rounds, limit, expected, round);
        }
    }
    assert!(kept, "a promise is not kept");
}
