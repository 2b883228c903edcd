//! Small random instances of four puzzles, and searches of them.

use admissible::Heuristic as _;
use admissible::search::distributed::Processes;
use admissible::search::{Limits, Outcome, Stats, Stop, Team, bfs, run};
use admissible_chexers::ChexersBoards;
use admissible_die::DieMazes;
use admissible_front::puzzle::{Family, Puzzle, ReadOptions, WithPuzzle};
use admissible_front::{Entry as _, Of, Parameters, Setting};
use admissible_front::{ExplorePlan, Registry};
use admissible_klotski::KlotskiBoards;
use admissible_tiles::SlidingTiles;
use rand::SeedableRng as _;
use rand_chacha::ChaCha8Rng;

pub(crate) struct Instance {
    pub(crate) puzzle: &'static str,
    pub(crate) heuristic: &'static str,
    pub(crate) text: String,
}

/// How a search ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Answer {
    /// The cost of the solution, which was replayed; `None` if there is none.
    pub(crate) cost: Option<u32>,
    pub(crate) stopped: Option<Stop>,
    pub(crate) lower_bound: u32,
    pub(crate) stats: Stats,
    /// Whether the heuristic is consistent: then all correct searches expand the same states before the last layer.
    pub(crate) is_consistent: bool,
}

/// Instances of each puzzle.
const EACH: u64 = 55;

/// The same list in every process.
pub(crate) fn instances() -> Vec<Instance> {
    let mut list = Vec::new();
    for seed in 0..EACH {
        let pick = |names: &[&'static str]| names[seed as usize % names.len()];
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        let side = 4 + seed as usize % 5;
        let die = Parameters::from([("size", Setting::Size(side, side + 1)), ("density", Setting::Share(0.25))]);
        // Every fourth board is 5x5, with keys of two words; it is near the goal, because that space is huge.
        let (rows, columns) = [(3, 3), (2, 4), (2, 3), (5, 5)][seed as usize % 4];
        let mut tiles = Parameters::from([("size", Setting::Size(rows, columns))]);
        if rows == 5 {
            tiles.set("scramble", Setting::Count(12));
        }
        let (rows, columns) = [(4, 4), (5, 4), (4, 3)][seed as usize % 3];
        let empties = Setting::Count(2 + seed as usize % 2);
        let klotski = Parameters::from([("size", Setting::Size(rows, columns)), ("empties", empties)]);
        let chexers =
            Parameters::from([("pieces", Setting::Count(1 + seed as usize % 3)), ("blocks", Setting::Count(9))]);
        let generated = [
            (
                "die",
                pick(&["manhattan", "die-roll", "open-board", "zero", "euclidean"]),
                Of::<DieMazes>::ROW.generate(&die, &mut random),
            ),
            (
                "tiles",
                pick(&["manhattan", "linear-conflict", "zero", "misplaced"]),
                Of::<SlidingTiles>::ROW
                    .generate(&tiles, &mut random)
                    .map(|text| if seed % 8 == 0 { unsolvable(&text) } else { text }),
            ),
            (
                "klotski",
                pick(&["manhattan", "without-singles", "zero"]),
                Of::<KlotskiBoards>::ROW.generate(&klotski, &mut random),
            ),
            (
                "chexers",
                pick(&["relaxed-jumps", "partnered-jumps", "zero"]),
                Of::<ChexersBoards>::ROW.generate(&chexers, &mut random),
            ),
        ];
        list.extend(generated.map(|(puzzle, heuristic, text)| Instance { puzzle, heuristic, text: text.unwrap() }));
    }
    list
}

/// Swaps two tiles of a board, which changes its parity.
fn unsolvable(board: &str) -> String {
    let swapped = |word: &str| match word {
        "1" => "2".to_string(),
        "2" => "1".to_string(),
        _ => word.to_string(),
    };
    let row = |line: &str| line.split_whitespace().map(swapped).collect::<Vec<_>>().join(" ");
    board.lines().map(row).collect::<Vec<_>>().join("\n")
}

/// Solves an instance by `processes`, or by HDA* on one thread.
pub(crate) struct Solve<'a> {
    pub(crate) heuristic: &'static str,
    pub(crate) processes: Option<&'a dyn Processes>,
}

pub(crate) fn solve(instance: &Instance, processes: Option<&dyn Processes>) -> Answer {
    let visitor = Solve { heuristic: instance.heuristic, processes };
    open(instance, visitor)
}

pub(crate) fn open<V: WithPuzzle>(instance: &Instance, visitor: V) -> V::Out {
    let options = ReadOptions::default();
    let opened = match instance.puzzle {
        "die" => DieMazes::open(&instance.text, &options, visitor),
        "tiles" => SlidingTiles::open(&instance.text, &options, visitor),
        "klotski" => KlotskiBoards::open(&instance.text, &options, visitor),
        _ => ChexersBoards::open(&instance.text, &options, visitor),
    };
    opened.unwrap_or_else(|faults| panic!("{}\n{faults}", instance.text))
}

impl WithPuzzle for Solve<'_> {
    type Out = Answer;

    fn call<P: Puzzle>(self, puzzle: P) -> Answer {
        let heuristic = puzzle.heuristic(self.heuristic).expect("the puzzle has the heuristic");
        let (start, limits) = (puzzle.start(), Limits::default());
        // Shards round estimates up, as HDA* on one thread does, which the tests of the puzzles compare with A*.
        let report = match self.processes {
            None => {
                let search = heuristic.hdastar(&puzzle, start, Team::of(1), &limits);
                run(&mut *search.expect("all these boards have keys"), &limits, &mut ())
            }
            Some(processes) => heuristic
                .distributed_astar(&puzzle, &start, processes, limits, &mut ())
                .expect("all these boards have keys"),
        };
        let (mut stopped, mut lower_bound) = (None, 0);
        let cost = match &report.outcome {
            Outcome::Solved(solution) => {
                let mut state = puzzle.start();
                for &m in &solution.moves {
                    assert!(puzzle.moves(&state).into_iter().any(|legal| legal == m), "every move is legal");
                    puzzle.apply(&mut state, m);
                }
                assert!(puzzle.is_goal(&state), "the solution leads to a goal");
                Some(solution.cost)
            }
            Outcome::Unsolvable => None,
            Outcome::Stopped { why, lower_bound: bound } => {
                (stopped, lower_bound) = (Some(*why), *bound);
                None
            }
        };
        let is_consistent = heuristic.properties(&puzzle).consistent;
        Answer { cost, stopped, lower_bound, stats: report.stats, is_consistent }
    }
}

/// The states at each depth, the number of goals, and the number of farthest states listed.
pub(crate) type Explored = (Vec<u64>, u64, usize);

/// The most farthest states that an exploration lists.
const MOST_FARTHEST: usize = 100;

/// Explores with several processes.
pub(crate) fn explore(instance: &Instance, processes: &dyn Processes) -> Explored {
    let puzzles = Registry::new(&[
        admissible_die::entry,
        admissible_tiles::entry,
        admissible_klotski::entry,
        admissible_chexers::entry,
    ]);
    let task =
        puzzles.open(&instance.text, Some(instance.puzzle), &ReadOptions::default()).expect("the instance is valid");
    let found = task.explore_distributed(processes, &ExplorePlan::default(), Limits::default(), &mut ());
    let found = found.expect("there is no limit");
    (found.depths, found.goals, found.farthest.len())
}

/// Explores with a breadth-first search that shares no code with the library.
pub(crate) struct PlainExplore;

impl WithPuzzle for PlainExplore {
    type Out = Explored;

    fn call<P: Puzzle>(self, puzzle: P) -> Explored {
        let mut known = std::collections::HashSet::from([puzzle.pack(&puzzle.start())]);
        let mut layer: Vec<P::Packed> = known.iter().copied().collect();
        let (mut depths, mut goals, mut farthest) = (Vec::new(), 0, 0);
        while !layer.is_empty() {
            depths.push(layer.len() as u64);
            goals += layer.iter().filter(|&&state| puzzle.is_goal(&puzzle.unpack(state))).count() as u64;
            farthest = layer.len().min(MOST_FARTHEST);
            let mut next = Vec::new();
            for state in layer {
                let mut here = puzzle.unpack(state);
                for m in puzzle.moves(&here) {
                    let undo = puzzle.apply(&mut here, m);
                    let there = puzzle.pack(&here);
                    puzzle.undo(&mut here, m, undo);
                    if known.insert(there) {
                        next.push(there);
                    }
                }
            }
            layer = next;
        }
        (depths, goals, farthest)
    }
}

/// The cost by breadth-first search on one thread.
pub(crate) struct BfsCost;

impl WithPuzzle for BfsCost {
    type Out = Option<u32>;

    fn call<P: Puzzle>(self, puzzle: P) -> Self::Out {
        let limits = Limits::default();
        run(&mut bfs(&puzzle, puzzle.start(), &limits), &limits, &mut ()).outcome.cost()
    }
}
