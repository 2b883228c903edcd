//! Every algorithm against its textbook version, over the whole reachable graph of small boards, with every heuristic.

use std::collections::HashMap;

use admissible::Heuristic as _;
use admissible_chexers::ChexersBoards;
use admissible_die::DieMazes;
use admissible_front::puzzle::{Family, Puzzle, ReadOptions, WithPuzzle};
use admissible_front::{
    Answer, AnswerOutcome, Entry as _, Of, Parameters, Plan, PlanError, Setting, Solvability, Task, TieBreak, Weight,
    generate,
};
use admissible_klotski::KlotskiBoards;
use admissible_oracle::reports::{Problem, ReportRun, arrival_list, equal_swapping_heap};
use admissible_oracle::textbook::{
    Counts, Estimates, Graph, Order, Tie, best_first, breadth_first, depth_first, iterative_deepening,
};
use admissible_pancake::PancakeStacks;
use admissible_tiles::SlidingTiles;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng as _;

/// The boards of each puzzle.
const BOARDS: usize = 200;
/// Larger graphs are skipped.
const MOST_STATES: usize = 2500;
/// IDA* searches that expand more states are skipped.
const MOST_DEEPENED: u64 = 5000;

/// A heuristic of a board.
struct Tabled {
    name: &'static str,
    estimates: Estimates,
    is_admissible: bool,
    is_consistent: bool,
}

/// The reachable graph of a board, with every heuristic.
struct Board {
    graph: Graph,
    /// The names of the moves of each state.
    moves: Vec<Vec<String>>,
    heuristics: Vec<Tabled>,
}

/// Numbers the states that a board can reach; the result is `None` if there are too many.
struct Intern(&'static admissible_front::Card);

impl WithPuzzle for Intern {
    type Out = Option<Board>;

    fn call<P: Puzzle>(self, puzzle: P) -> Option<Board> {
        let start = puzzle.start();
        let mut numbers = HashMap::from([(puzzle.pack(&start), 0)]);
        let mut states = vec![start];
        let mut graph = Graph { successors: Vec::new(), goals: Vec::new() };
        let mut moves = Vec::new();
        while graph.goals.len() < states.len() {
            let state = states[graph.goals.len()].clone();
            graph.goals.push(puzzle.is_goal(&state));
            let (mut successors, mut names) = (Vec::new(), Vec::new());
            for m in puzzle.moves(&state) {
                let mut next = state.clone();
                puzzle.apply(&mut next, m);
                let number = *numbers.entry(puzzle.pack(&next)).or_insert_with(|| {
                    states.push(next);
                    states.len() - 1
                });
                successors.push((number, puzzle.cost(&state, m).into()));
                names.push(puzzle.move_name(&state, m));
            }
            graph.successors.push(successors);
            moves.push(names);
            if states.len() > MOST_STATES {
                return None;
            }
        }
        let names = self.0.heuristics.iter().map(|card| card.name).filter(|name| puzzle.lacks(name).is_none());
        let heuristics = names.map(|name| {
            let heuristic = puzzle.heuristic(name).expect("the card has the heuristic");
            let estimate = |state| heuristic.estimate(heuristic.evaluate(&puzzle, state)).units().map(u64::from);
            let properties = heuristic.properties(&puzzle);
            let numerators = states.iter().map(estimate).collect();
            Tabled {
                name,
                estimates: Estimates { numerators, denominator: heuristic.scale().into() },
                is_admissible: properties.admissible,
                is_consistent: properties.consistent,
            }
        });
        let heuristics = heuristics.collect();
        Some(Board { graph, moves, heuristics })
    }
}

/// A board under test.
struct Trial<'a> {
    text: &'a str,
    task: &'a Task,
    board: &'a Board,
    /// The cost of a cheapest solution.
    optimum: Option<u64>,
}

impl Trial<'_> {
    fn solve(&self, plan: Plan) -> Answer {
        let plan = Plan { searches_unsolvable: true, ..plan };
        let answer = self.task.solve(&plan, &mut (), None);
        answer.unwrap_or_else(|error| panic!("{plan:?}: {error}\n{}", self.text))
    }

    /// Everything that the library counted.
    fn counted(answer: &Answer) -> Counts {
        let cost = match &answer.outcome {
            AnswerOutcome::Solved(solved) => Some(solved.cost.into()),
            _ => None,
        };
        let stats = &answer.stats;
        Counts {
            cost,
            expanded: stats.expanded,
            generated: stats.generated,
            reopened: stats.reopened,
            before_last_layer: stats.expanded_before_last_layer,
            frontier: stats.max_frontier,
            stored: stats.stored,
        }
    }

    /// Compares all counts of a search with a defined order.
    fn compare(&self, algorithm: &str, heuristic: &str, tie: Option<TieBreak>, expected: Counts) {
        let weight = Weight::new(5, 2);
        let (algorithm, heuristic) = (Some(algorithm.to_string()), Some(heuristic.to_string()));
        let plan = Plan { algorithm, heuristic, tie, weight, ..Plan::default() };
        let answer = self.solve(plan.clone());
        assert_eq!(Self::counted(&answer), expected, "{plan:?}\n{}", self.text);
        assert!(!answer.stats.frontier_duplicates, "{plan:?}");
    }

    fn compare_best_first(&self) {
        let ties = [(TieBreak::Fifo, Tie::Fifo), (TieBreak::Lifo, Tie::Lifo), (TieBreak::LowH, Tie::LowH)];
        for Tabled { name, estimates, .. } in &self.board.heuristics {
            for (tie, textbook_tie) in ties {
                let best_first = |order| best_first(&self.board.graph, estimates, order, textbook_tie);
                // With `low-h`, A* has other engines.
                if tie != TieBreak::LowH {
                    self.compare("astar", name, Some(tie), best_first(Order::Astar));
                }
                if *name == "zero" {
                    self.compare("ucs", name, Some(tie), best_first(Order::Astar));
                }
                self.compare("astar-no-reopen", name, Some(tie), best_first(Order::AstarWithoutReopening));
                self.compare("wastar", name, Some(tie), best_first(Order::Weighted(5, 2)));
                self.compare("greedy", name, Some(tie), best_first(Order::Greedy));
            }
        }
    }

    fn compare_uninformed(&self) {
        self.compare("bfs", "zero", None, breadth_first(&self.board.graph));
        self.compare("dfs", "zero", None, depth_first(&self.board.graph));
    }

    /// Returns how many searches were short enough.
    fn compare_idastar(&self) -> usize {
        let mut compared = 0;
        for Tabled { name, estimates, .. } in &self.board.heuristics {
            let expected = iterative_deepening(&self.board.graph, estimates, MOST_DEEPENED);
            let Some(expected) = expected.filter(|counts| counts.cost.is_some()) else { continue };
            self.compare("idastar", name, None, expected);
            // Pruning omits states of every iteration, and the last one searches its subtrees in another order.
            let (algorithm, heuristic) = (Some("idastar-pruned".to_string()), Some((*name).to_string()));
            let plan = Plan { algorithm, heuristic, ..Plan::default() };
            let pruned = Self::counted(&self.solve(plan.clone()));
            assert_eq!(pruned.cost, expected.cost, "{plan:?}\n{}", self.text);
            assert!(pruned.before_last_layer <= expected.before_last_layer, "{plan:?}\n{}", self.text);
            compared += 1;
        }
        compared
    }

    /// Compares what every A* with a consistent heuristic has in common, and the costs of all others.
    fn compare_engines(&self) {
        for Tabled { name, estimates, is_admissible, is_consistent } in &self.board.heuristics {
            for (algorithm, threads) in [("astar", 1), ("hdastar", 1), ("hdastar", 2), ("bidirectional", 1)] {
                let (algorithm_name, heuristic) = (Some(algorithm.to_string()), Some((*name).to_string()));
                let plan = Plan { algorithm: algorithm_name, heuristic, threads: Some(threads), ..Plan::default() };
                let plan = Plan { searches_unsolvable: true, ..plan };
                let answer = match self.task.solve(&plan, &mut (), None) {
                    Err(PlanError::NotBackward(_)) if algorithm == "bidirectional" => continue,
                    Err(PlanError::NotShared(_)) if algorithm == "hdastar" => continue,
                    answer => answer.unwrap_or_else(|error| panic!("{plan:?}: {error}\n{}", self.text)),
                };
                let counts = Self::counted(&answer);
                if *is_admissible || self.optimum.is_none() {
                    assert_eq!(counts.cost, self.optimum, "{plan:?}\n{}", self.text);
                }
                assert_eq!(answer.stats.frontier_duplicates, algorithm != "bidirectional", "{plan:?}");
                if *is_consistent && algorithm != "bidirectional" {
                    // HDA* searches with whole estimates.
                    let estimates = if algorithm == "hdastar" { &estimates.rounded_up() } else { estimates };
                    let expected = best_first(&self.board.graph, estimates, Order::Astar, Tie::Fifo);
                    assert_eq!(counts.before_last_layer, expected.before_last_layer, "{plan:?}\n{}", self.text);
                }
            }
        }
    }

    /// Compares every counting rule of the puzzle with the search of its report.
    fn compare_rules(&self) {
        let Board { graph, moves, heuristics } = self.board;
        for rule in self.task.card().counting_rules {
            let search: fn(&Problem<'_, usize>) -> ReportRun<usize> = match rule.name {
                "first-report" => arrival_list,
                "second-report" => equal_swapping_heap,
                name => panic!("the oracle has no rule {name}"),
            };
            for Tabled { name, estimates, .. } in heuristics {
                let estimate =
                    |node: usize| estimates.numerators[node].map(|h| h as f64 / estimates.denominator as f64);
                let successors = |node: usize| {
                    let edges = || moves[node].iter().zip(&graph.successors[node]);
                    let ordered = rule.moves.iter().flat_map(|m| edges().filter(move |(name, _)| name == m));
                    ordered.map(|(_, &(next, _))| next).filter(|&next| estimate(next).is_some()).collect()
                };
                let expected = search(&Problem {
                    start: 0,
                    successors: &successors,
                    estimate: &|node| estimate(node).expect("dead ends are left out"),
                    is_goal: &|node| graph.goals[node],
                });
                let (counting, heuristic) = (Some(rule.name.to_string()), Some((*name).to_string()));
                let plan = Plan { counting, heuristic, ..Plan::default() };
                let counts = Self::counted(&self.solve(plan.clone()));
                let visited = counts.expanded + u64::from(counts.cost.is_some());
                assert_eq!(counts.cost, expected.cost.map(u64::from), "{plan:?}\n{}", self.text);
                assert_eq!(
                    (visited, counts.generated, counts.frontier),
                    (expected.visited.len() as u64, expected.generated, expected.frontier as u64),
                    "{plan:?}\n{}",
                    self.text
                );
            }
        }
    }
}

/// Compares every algorithm on random boards, whose parameters depend on the seed.
fn compare<F: Family>(options: &ReadOptions, parameters: impl Fn(usize) -> Parameters) {
    let (mut boards, mut solvable, mut deepened) = (0, 0, 0);
    for seed in 0_usize.. {
        // Every other board is solvable.
        let (row, parameters) = (&Of::<F>::ROW, parameters(seed / 2));
        let text = if seed % 2 == 0 {
            row.generate(&parameters, &mut ChaCha8Rng::seed_from_u64(seed as u64)).ok()
        } else {
            generate(row, &parameters, seed as u64, &mut ()).ok()
        };
        let Some(text) = text else { continue };
        let Some(board) = F::open(&text, options, Intern(&F::CARD)).expect("a generated board can be read") else {
            continue;
        };
        let task = row.open(&text, options).expect("it was read before");
        let optimum = breadth_first(&board.graph).cost;
        let trial = Trial { text: &text, task: &task, board: &board, optimum };
        if task.solvability() != Solvability::Unknown {
            assert_eq!(task.solvability() == Solvability::Solvable, optimum.is_some(), "{text}");
        }
        trial.compare_best_first();
        trial.compare_uninformed();
        trial.compare_engines();
        trial.compare_rules();
        deepened += trial.compare_idastar();
        solvable += usize::from(optimum.is_some());
        boards += 1;
        if boards == BOARDS {
            break;
        }
    }
    assert!(solvable >= BOARDS / 2 && deepened >= BOARDS / 2, "{solvable} solvable boards, {deepened} deepened");
}

#[test]
fn die_mazes() {
    compare::<DieMazes>(&ReadOptions::default(), |seed| {
        Parameters::from([("size", Setting::Size(2 + seed % 5, 3 + seed % 4))])
    });
}

#[test]
fn sliding_tiles() {
    compare::<SlidingTiles>(&ReadOptions::default(), |seed| {
        Parameters::from([("size", Setting::Size(2, 2 + seed % 2))])
    });
}

fn compare_klotski(metric: &str) {
    let options = ReadOptions { metric: Some(metric.into()), ..ReadOptions::default() };
    compare::<KlotskiBoards>(&options, |seed| {
        let (rows, columns, empties) = [(3, 4, 2), (3, 4, 3), (4, 4, 2), (5, 3, 2), (5, 4, 1)][seed % 5];
        Parameters::from([("size", Setting::Size(rows, columns)), ("empties", Setting::Count(empties))])
    });
}

#[test]
fn klotski_boards_by_steps() {
    compare_klotski("steps");
}

#[test]
fn klotski_boards_by_moves() {
    compare_klotski("moves");
}

#[test]
fn chexers_boards() {
    compare::<ChexersBoards>(&ReadOptions::default(), |seed| {
        let colour = Setting::Word(["red", "green", "blue"][seed % 3].into());
        let (pieces, blocks) = (1 + seed % 2, 4 + seed % 12);
        Parameters::from([("pieces", Setting::Count(pieces)), ("blocks", Setting::Count(blocks)), ("colour", colour)])
    });
}

#[test]
fn pancake_stacks() {
    compare::<PancakeStacks>(&ReadOptions::default(), |seed| {
        Parameters::from([("pancakes", Setting::Count(2 + seed % 4))])
    });
}
