//! Searches with threads on random instances of every puzzle: the costs of A* on one, and that there is none where
//! there is none.

use admissible::heuristic::RoundedUp;
use admissible::search::{
    Guarantee, Idastar, Limits, Outcome, Report, Search, Sharing, Team, TieBreak, astar, hdastar, run,
};
use admissible::{Erased, Heuristic, has_keys};
use admissible_chexers::ChexersBoards;
use admissible_die::DieMazes;
use admissible_front::puzzle::{Family, Puzzle, ReadOptions, Recipe, WithPuzzle};
use admissible_klotski::KlotskiBoards;
use admissible_tiles::SlidingTiles;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng as _;

/// Whether it pays or not, there are threads.
fn at_once(threads: usize, sharing: Sharing) -> Team {
    Team { threads, sharing, worth_it: 0 }
}

/// Solves an instance in every way with a heuristic; the cost, if there is a solution.
struct Solve<'a>(&'a str);

impl WithPuzzle for Solve<'_> {
    type Out = Option<u32>;

    fn call<P: Puzzle>(self, puzzle: P) -> Option<u32> {
        let heuristic = puzzle.heuristic(self.0).expect("the puzzle has the heuristic");
        let guided = Guided { puzzle: &puzzle, is_sharable: has_keys(&puzzle) };
        // HDA* rounds estimates up, so all searches do.
        guided.in_every_way(&Erased::new(&RoundedUp(heuristic)))
    }
}

struct Guided<'a, P> {
    puzzle: &'a P,
    is_sharable: bool,
}

/// The cost of an answer, which is proved.
fn cost<M: std::fmt::Debug>(report: &Report<M>) -> Option<u32> {
    match &report.outcome {
        Outcome::Solved(solution) => {
            assert_eq!(solution.guarantee, Guarantee::Optimal);
            Some(solution.cost)
        }
        Outcome::Unsolvable => None,
        Outcome::Stopped { .. } => panic!("nothing was limited: {report:?}"),
    }
}

impl<P: Puzzle> Guided<'_, P> {
    /// The answer of a search, whose moves lead to a goal.
    fn answer(&self, search: &mut dyn Search<P>) -> Report<P::Move> {
        let report = run(search, &Limits::default(), &mut ());
        if let Outcome::Solved(solution) = &report.outcome {
            let mut state = self.puzzle.start();
            for &m in &solution.moves {
                assert!(self.puzzle.moves(&state).into_iter().any(|legal| legal == m), "{m:?} is no move here");
                self.puzzle.apply(&mut state, m);
            }
            assert!(self.puzzle.is_goal(&state));
            assert_eq!(solution.moves.len(), solution.cost as usize);
        }
        report
    }
}

impl<P: Puzzle> Guided<'_, P> {
    fn in_every_way(&self, heuristic: &Erased<'_, P>) -> Option<u32> {
        let (puzzle, limits) = (self.puzzle, Limits::default());
        let start = || puzzle.start();
        let alone = self.answer(&mut astar(puzzle, start(), heuristic, TieBreak::LowH, &limits));
        let expected = cost(&alone);
        assert!(self.is_sharable, "every puzzle of this size has keys");
        for (threads, sharing) in [(1, Sharing::Together), (2, Sharing::Together), (4, Sharing::Scattered)] {
            let team = at_once(threads, sharing);
            let shared = self.answer(&mut *hdastar(puzzle, start(), heuristic, team, &limits).expect("it has keys"));
            assert_eq!(cost(&shared), expected, "{team:?}");
            if heuristic.properties(puzzle).consistent {
                let before = |report: &Report<P::Move>| report.stats.expanded_before_last_layer;
                assert_eq!(before(&shared), before(&alone), "{team:?}");
            }
        }
        // Iterative deepening takes long where there is no solution, and where there are many ways to the same state.
        if expected.is_some() && alone.stats.expanded < 300 {
            let team = at_once(2, Sharing::Together);
            let limits = Limits { expanded: Some(3_000_000), ..limits };
            let report = run(
                &mut Idastar::new(puzzle, heuristic).limits(limits).threads(team).search(start()),
                &limits,
                &mut (),
            );
            assert!(report.outcome.cost().is_none_or(|cost| Some(cost) == expected), "{report:?}");
        }
        expected
    }
}

/// Solves so many random instances; how many have a solution.
fn solve<F: Family>(seeds: std::ops::Range<u64>, recipe: &Recipe, heuristics: &[&str]) -> usize {
    let mut solved = 0;
    for seed in seeds {
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        let text = F::generate(recipe, &mut random).expect("there are such instances");
        let heuristic = heuristics[seed as usize % heuristics.len()];
        let cost = F::open(&text, &ReadOptions::default(), Solve(heuristic)).expect("what was written can be read");
        solved += usize::from(cost.is_some());
    }
    solved
}

#[test]
fn die_mazes_with_and_without_a_way() {
    let recipe = Recipe { size: Some((7, 8)), ..Recipe::default() };
    let solved = solve::<DieMazes>(0..80, &recipe, &["manhattan", "open-board", "die-roll", "euclidean"]);
    assert!((10..80).contains(&solved), "{solved} of 80: some of each");
}

#[test]
fn sliding_tiles() {
    let recipe = |rows, columns| Recipe { size: Some((rows, columns)), ..Recipe::default() };
    let solved = solve::<SlidingTiles>(0..60, &recipe(3, 3), &["manhattan", "linear-conflict", "misplaced"]);
    assert!(solved > 20, "{solved}");
    solve::<SlidingTiles>(60..66, &recipe(3, 4), &["linear-conflict"]);
}

#[test]
fn klotski_layouts() {
    let solved = solve::<KlotskiBoards>(0..40, &Recipe::default(), &["manhattan", "without-singles"]);
    assert!(solved > 5, "{solved}");
}

#[test]
fn chexers_boards() {
    let recipe = Recipe { pieces: Some(2), ..Recipe::default() };
    let solved = solve::<ChexersBoards>(0..40, &recipe, &["relaxed-jumps", "partnered-jumps"]);
    assert!(solved > 5, "{solved}");
}
