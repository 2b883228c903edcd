//! A test harness for puzzles: checks every algorithm on an instance whose optimal cost is known. The tests of the
//! puzzles include it, each with the checks that it can afford.
#![allow(dead_code, reason = "no puzzle runs every check")]

use admissible::search::{
    Guarantee, Idastar, Limits, Outcome, Search, TieBreak, Weight, astar, astar_without_reopening, bfs, bidirectional,
    dfs, eager_astar, greedy, idastar, run, ucs, wastar,
};
use admissible::{Backward, Erased, Heuristic as _};

use admissible_front::puzzle::Puzzle;

/// Every tie-breaking rule.
pub(crate) const TIES: [TieBreak; 3] = [TieBreak::Fifo, TieBreak::Lifo, TieBreak::LowH];

/// An instance whose optimal cost is known.
pub(crate) struct Trial<P> {
    /// The seed or the board, for the message of a failure.
    pub(crate) label: String,
    /// The instance.
    pub(crate) puzzle: P,
    /// The cost of a cheapest solution; `None` if there is none.
    pub(crate) optimum: Option<u32>,
}

impl<P: Puzzle + Backward> Trial<P> {
    /// Checks that a search finds a solution if and only if there is one, that the solution has the guarantee, and that
    /// the referee replays it through the same states. Returns its cost.
    fn solve(&self, what: &str, search: &mut dyn Search<P>, guarantee: Guarantee) -> Option<u32> {
        let Trial { label, puzzle, optimum } = self;
        let report = run(search, &Limits::default(), &mut ());
        assert_eq!(report.outcome == Outcome::Unsolvable, optimum.is_none(), "{label}: {what}");
        let solution = report.outcome.solution()?;
        assert_eq!(solution.guarantee, guarantee, "{label}: {what}");
        assert_eq!(solution.cost as usize, solution.moves.len(), "{label}: {what}");
        let mut state = puzzle.start();
        let mut states = vec![puzzle.state_json(&state)];
        let mut actions = Vec::new();
        for &m in &solution.moves {
            actions.push(puzzle.move_name(&state, m));
            puzzle.apply(&mut state, m);
            states.push(puzzle.state_json(&state));
        }
        assert_eq!(puzzle.referee().replay(&actions), Ok(states), "{label}: {what}");
        Some(solution.cost)
    }

    /// The heuristic of that name.
    pub(crate) fn heuristic(&self, name: &str) -> Erased<'static, P> {
        self.puzzle.heuristic(name).expect("the heuristic is on the card")
    }

    /// Checks that a search ends with an optimal solution.
    pub(crate) fn check_optimal(&self, what: &str, search: &mut dyn Search<P>) {
        assert_eq!(self.solve(what, search, Guarantee::Optimal), self.optimum, "{}: {what}", self.label);
    }

    /// Checks the uninformed algorithms.
    pub(crate) fn check_blind(&self) {
        let limits = Limits::default();
        for tie in TIES {
            self.check_optimal("ucs", &mut ucs(&self.puzzle, self.puzzle.start(), tie, &limits));
        }
        self.check_optimal("bfs", &mut bfs(&self.puzzle, self.puzzle.start(), &limits));
        self.solve("dfs", &mut dfs(&self.puzzle, self.puzzle.start(), None, &limits), Guarantee::None);
    }

    /// Checks A*, weighted A* and greedy search with an admissible heuristic.
    pub(crate) fn check_best_first(&self, name: &str, heuristic: &Erased<'_, P>) {
        let (label, puzzle, limits) = (&self.label, &self.puzzle, Limits::default());
        let consistent = heuristic.properties(puzzle).consistent;
        for tie in TIES {
            let mut search = astar(puzzle, puzzle.start(), heuristic, tie, &limits);
            self.check_optimal(&format!("astar {name} {tie:?}"), &mut *search);
            assert!(!consistent || search.stats().reopened == 0, "{label}: {name} is consistent and reopens");
            let mut search = astar_without_reopening(puzzle, puzzle.start(), heuristic, tie, &limits);
            let what = format!("astar-no-reopen {name} {tie:?}");
            if consistent {
                self.check_optimal(&what, &mut search);
            } else {
                self.solve(&what, &mut search, Guarantee::None);
            }
        }
        if consistent {
            self.check_engines(name, heuristic);
        }
        for (over, under) in [(3, 2), (5, 1)] {
            let what = format!("wastar {name} {over}/{under}");
            let weight = Weight::new(over, under).expect("it is above 1");
            let mut search = wastar(puzzle, puzzle.start(), heuristic, weight, TieBreak::LowH, &limits);
            let found = self.solve(&what, &mut search, Guarantee::Within(weight));
            let within = found.zip(self.optimum).is_none_or(|(found, least)| found * under <= least * over);
            assert!(within, "{label}: {what} answers {found:?}");
        }
        let mut search = greedy(puzzle, puzzle.start(), heuristic, TieBreak::LowH, &limits);
        self.solve(&format!("greedy {name}"), &mut search, Guarantee::None);
    }

    /// Checks that the engines of A* agree with the eager one in cost and in the expansions before the last layer. One
    /// is compiled for the type of the heuristic, the other evaluates it through a pointer.
    pub(crate) fn check_engines(&self, name: &str, heuristic: &Erased<'_, P>) {
        let (label, puzzle, limits) = (&self.label, &self.puzzle, Limits::default());
        let mut eager = eager_astar(puzzle, puzzle.start(), heuristic, TieBreak::LowH, &limits);
        self.check_optimal(&format!("eager astar {name}"), &mut eager);
        let mut chosen = astar(puzzle, puzzle.start(), heuristic, TieBreak::LowH, &limits);
        let mut compiled = heuristic.astar(puzzle, puzzle.start(), &limits);
        let engines: [&mut dyn Search<P>; 2] = [&mut *chosen, &mut *compiled];
        let before = |search: &dyn Search<P>| search.stats().expanded_before_last_layer;
        let counts = |search: &dyn Search<P>| (search.stats().expanded, search.stats().generated);
        for engine in engines {
            self.check_optimal(&format!("astar {name}"), engine);
            assert_eq!(before(engine), before(&eager), "{label}: astar {name}");
            if self.optimum.is_none() {
                assert_eq!(counts(engine), counts(&eager), "{label}: astar {name}");
            }
        }
    }

    /// Checks bidirectional search with a heuristic and its counterpart from the start.
    pub(crate) fn check_bidirectional(&self, name: &str, to_goal: &Erased<'_, P>) {
        let from_start = &self.puzzle.heuristic_from_start(name);
        let search = bidirectional(&self.puzzle, self.puzzle.start(), to_goal, from_start, &Limits::default());
        self.check_optimal(&format!("bidirectional {name}"), &mut search.expect("the goals can be listed"));
    }

    /// Checks IDA* without limits.
    pub(crate) fn check_idastar(&self, name: &str, heuristic: &Erased<'_, P>) {
        let (puzzle, start) = (&self.puzzle, self.puzzle.start());
        let is_solvable = puzzle.solvable(&start) == Some(true);
        let mut search = Idastar::new(puzzle, heuristic).solvable(is_solvable).search(start);
        self.check_optimal(&format!("idastar {name}"), &mut *search);
    }

    /// Checks IDA* with a limit on expansions: its answer or, if it stops at the limit, its lower bound.
    pub(crate) fn check_idastar_within(&self, expanded: u64, name: &str, heuristic: &Erased<'_, P>) {
        let Trial { label, puzzle, optimum } = self;
        let limits = Limits { expanded: Some(expanded), ..Limits::default() };
        let report = run(&mut *idastar(puzzle, puzzle.start(), heuristic, &limits), &limits, &mut ());
        match report.outcome {
            Outcome::Stopped { lower_bound, .. } => {
                assert!(optimum.is_none_or(|least| lower_bound <= least), "{label}: idastar {name}, {lower_bound}");
            }
            ended => assert_eq!(ended.cost(), *optimum, "{label}: idastar {name}"),
        }
    }
}
