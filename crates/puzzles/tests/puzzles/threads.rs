//! HDA* on random instances of the puzzles: the same costs as A* on one thread, and the same proofs of unsolvability.

use admissible::Heuristic as _;
use admissible::search::{Guarantee, Limits, Outcome, Report, Team, run};
use admissible_chexers::ChexersBoards;
use admissible_die::DieMazes;
use admissible_front::puzzle::{Family, Puzzle, ReadOptions, WithPuzzle};
use admissible_front::{Answer, AnswerOutcome, Plan};
use admissible_front::{Entry as _, Of, Parameters, Setting};
use admissible_klotski::KlotskiBoards;
use admissible_puzzles::PUZZLES;
use admissible_tiles::SlidingTiles;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng as _;

/// Solves an instance by HDA* with a heuristic and compares it with `alone`, the answer of A*.
struct CompareHdaStar<'a> {
    heuristic: &'a str,
    alone: &'a Answer,
}

/// The optimal cost of an answer; `None` if the instance is unsolvable.
fn cost(answer: &Answer) -> Option<u32> {
    match &answer.outcome {
        AnswerOutcome::Solved(solution) => {
            assert_eq!(solution.guarantee, Guarantee::Optimal);
            Some(solution.cost)
        }
        AnswerOutcome::Unsolvable { .. } => None,
        other => panic!("nothing was limited: {other:?}"),
    }
}

impl WithPuzzle for CompareHdaStar<'_> {
    type Out = ();

    fn call<P: Puzzle>(self, puzzle: P) {
        let heuristic = puzzle.heuristic(self.heuristic).expect("the puzzle has the heuristic");
        let (start, limits) = (puzzle.start(), Limits::default());
        for threads in [1, 2, 4] {
            // Threads start at once, even if they do not pay.
            let team = Team { threads, worth_it: 0 };
            let mut search = heuristic.hdastar(&puzzle, start.clone(), team, &limits).expect("it has keys");
            let Report { outcome, stats } = run(&mut *search, &limits, &mut ());
            assert_eq!(outcome.cost(), cost(self.alone), "{team:?}");
            match &outcome {
                Outcome::Solved(solution) => {
                    let mut state = start.clone();
                    for &m in &solution.moves {
                        assert!(puzzle.moves(&state).into_iter().any(|legal| legal == m), "{m:?} is no move here");
                        puzzle.apply(&mut state, m);
                    }
                    assert!(puzzle.is_goal(&state));
                    assert_eq!(
                        (solution.moves.len(), solution.guarantee),
                        (solution.cost as usize, Guarantee::Optimal)
                    );
                }
                other => assert_eq!(*other, Outcome::Unsolvable, "{team:?}"),
            }
            // HDA* rounds estimates up, so its layers are those of A* only with whole ones. Parity needs no search.
            let is_searched = puzzle.solvable(&start) != Some(false);
            if is_searched && heuristic.properties(&puzzle).consistent && heuristic.scale() == 1 {
                let expected = self.alone.stats.expanded_before_last_layer;
                assert_eq!(stats.expanded_before_last_layer, expected, "{team:?}");
            }
        }
    }
}

/// Solves a random instance for each seed by A*, HDA* and IDA*; returns the number of solvable ones.
fn solve<F: Family>(seeds: std::ops::Range<u64>, parameters: &Parameters, heuristics: &[&str]) -> usize {
    let mut solved = 0;
    for seed in seeds {
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        let text = Of::<F>::ROW.generate(parameters, &mut random).expect("the parameters are in range");
        let (heuristic, options) = (heuristics[seed as usize % heuristics.len()], ReadOptions::default());
        let task = PUZZLES.open(&text, Some(F::CARD.name), &options).expect("a generated instance can be read");
        let plan = |algorithm: &str, limits| Plan {
            algorithm: Some(algorithm.into()),
            heuristic: Some(heuristic.into()),
            threads: Some(2),
            limits,
            ..Plan::default()
        };
        let answer = |plan| task.solve(&plan, &mut (), None).expect("the puzzle has the heuristic");
        let alone = answer(plan("astar", Limits::default()));
        F::open(&text, &options, CompareHdaStar { heuristic, alone: &alone })
            .expect("a generated instance can be read");
        // IDA* takes long on unsolvable instances and on spaces with many transpositions.
        if cost(&alone).is_some() && alone.stats.expanded < 300 {
            let limits = Limits { expanded: Some(3_000_000), ..Limits::default() };
            if let AnswerOutcome::Solved(solution) = answer(plan("idastar", limits)).outcome {
                assert_eq!(Some(solution.cost), cost(&alone), "{text}");
            }
        }
        solved += usize::from(cost(&alone).is_some());
    }
    solved
}

#[test]
fn die_mazes_solvable_and_unsolvable() {
    let parameters = Parameters::from([("size", Setting::Size(7, 8))]);
    let solved = solve::<DieMazes>(0..80, &parameters, &["manhattan", "open-board", "die-roll", "euclidean"]);
    assert!((10..80).contains(&solved), "{solved} of 80: some of each");
}

#[test]
fn sliding_tiles() {
    let parameters = |rows, columns| Parameters::from([("size", Setting::Size(rows, columns))]);
    let solved = solve::<SlidingTiles>(0..60, &parameters(3, 3), &["manhattan", "linear-conflict", "misplaced"]);
    assert!(solved > 20, "{solved}");
    solve::<SlidingTiles>(60..66, &parameters(3, 4), &["linear-conflict"]);
}

#[test]
fn klotski_layouts() {
    let solved = solve::<KlotskiBoards>(0..40, &Parameters::default(), &["manhattan", "without-singles"]);
    assert!(solved > 5, "{solved}");
}

#[test]
fn chexers_boards() {
    let parameters = Parameters::from([("pieces", Setting::Count(2))]);
    let solved = solve::<ChexersBoards>(0..40, &parameters, &["relaxed-jumps", "partnered-jumps"]);
    assert!(solved > 5, "{solved}");
}
