//! Playing by hand and watching agree with solving.

use std::ops::ControlFlow;

use admissible_front::{
    AnswerOutcome, Moment, Parameters, Plan, ReadOptions, Setting, Spectator, Stats, Stop, Task, generate,
};
use admissible_puzzles::PUZZLES;

use crate::small_parameters;

fn instance(puzzle: &str, seed: u64) -> Task {
    let parameters = match puzzle {
        "die" => Parameters::from([("size", Setting::Size(5, 6))]),
        "tiles" => Parameters::from([("size", Setting::Size(2, 4))]),
        "chexers" => Parameters::from([("pieces", Setting::Count(2)), ("blocks", Setting::Count(5))]),
        "klotski" => Parameters::from([("empties", Setting::Count(3))]),
        _ => small_parameters(puzzle),
    };
    let entry = PUZZLES.entry(puzzle).expect("the registry has the puzzle");
    let text = generate(entry, &parameters, seed, &mut ()).expect("a solvable instance is found");
    PUZZLES.open(&text, None, &ReadOptions::default()).expect("a generated instance can be read")
}

/// Every state on a walk along the listed moves is a valid start.
#[test]
fn every_state_on_a_walk_can_be_a_start() {
    for puzzle in PUZZLES.entries().map(|entry| entry.card().name) {
        for seed in 0..4 {
            let task = instance(puzzle, seed);
            let mut state = task.position().state;
            for step in 0..40 {
                let here = task.beginning_at(&state).unwrap_or_else(|error| panic!("{puzzle} {state}: {error}"));
                let position = here.position();
                assert_eq!(position.state, state, "{puzzle}");
                if position.moves.is_empty() {
                    // Pieces of chexers leave the board, and moves of die, tiles and klotski can be undone.
                    assert!(!["die", "tiles", "klotski"].contains(&puzzle), "{puzzle} {state}");
                    assert!(puzzle != "chexers" || position.solved, "{puzzle} {state}");
                    break;
                }
                let number = (seed as usize * 7 + step * 3) % position.moves.len();
                state = position.moves[number].1.clone();
            }
        }
    }
}

#[test]
fn a_solved_start_takes_no_moves() {
    for puzzle in PUZZLES.entries().map(|entry| entry.card().name) {
        let task = instance(puzzle, 1);
        let answer = task.solve(&Plan::default(), &mut (), None).expect("the default plan runs");
        let AnswerOutcome::Solved(solved) = answer.outcome else { panic!("{puzzle} is solvable") };
        let end = task.beginning_at(solved.states.last().expect("a last state")).expect("it is a state");
        assert!(end.position().solved, "{puzzle}");
        let again = end.solve(&Plan::default(), &mut (), None).expect("the default plan runs");
        let AnswerOutcome::Solved(nothing) = again.outcome else { panic!("{puzzle} is solved") };
        assert_eq!((nothing.cost, nothing.states.len()), (0, 1));
    }
}

/// Bidirectional search agrees with breadth-first search for every orientation of the die at the start.
#[test]
fn bidirectional_search_handles_every_orientation_of_the_die() {
    let task = PUZZLES.open("S..*\n....\n.*..\n...G\n", None, &ReadOptions::default()).expect("a maze");
    let mut states = vec![task.position().state];
    let mut next = 0;
    while next < states.len() {
        let position = task.beginning_at(&states[next]).expect("a reached state is a valid start").position();
        for (_, state) in position.moves {
            if !states.contains(&state) {
                states.push(state);
            }
        }
        next += 1;
    }
    for state in &states {
        let here = task.beginning_at(state).expect("a reached state is a valid start");
        let cost = |algorithm: &str, heuristic: &str| {
            let plan = Plan { algorithm: Some(algorithm.into()), heuristic: Some(heuristic.into()), ..Plan::default() };
            match here.solve(&plan, &mut (), None).expect("the plan runs").outcome {
                AnswerOutcome::Solved(solved) => Some(solved.cost),
                _ => None,
            }
        };
        let expected = cost("bfs", "zero");
        for heuristic in ["manhattan", "die-roll", "open-board"] {
            assert_eq!(cost("bidirectional", heuristic), expected, "{state} {heuristic}");
        }
    }
}

/// Counts the expansions that it sees, and stops the search after `until` of them.
struct Count {
    visits: u64,
    until: u64,
}

impl Spectator for Count {
    fn moment(&mut self, moment: &Moment<'_>) -> ControlFlow<Stop> {
        self.visits += 1;
        assert_eq!(moment.stats.expanded, self.visits - u64::from(!moment.expanded));
        if self.visits == self.until { ControlFlow::Break(Stop::Interrupted) } else { ControlFlow::Continue(()) }
    }
}

#[test]
fn watching_a_search_does_not_change_it() {
    for puzzle in PUZZLES.entries().map(|entry| entry.card().name) {
        let task = instance(puzzle, 2);
        for algorithm in ["astar", "bfs", "greedy"] {
            let plan = Plan { algorithm: Some(algorithm.into()), ..Plan::default() };
            let plain = task.solve(&plan, &mut (), None).expect("the plan runs");
            let mut count = Count { visits: 0, until: u64::MAX };
            let watched = task.watch(&plan, &mut (), &mut count).expect("the plan runs");
            // The two sample memory at different times.
            let counts = |mut stats: Stats| {
                stats.peak_bytes = 0;
                stats
            };
            assert_eq!(counts(watched.stats), counts(plain.stats), "{puzzle} {algorithm}");
            let mut few = Count { visits: 0, until: 3 };
            let stopped = task.watch(&plan, &mut (), &mut few).expect("the plan runs");
            if plain.stats.expanded > 3 {
                assert!(matches!(stopped.outcome, AnswerOutcome::Stopped { why: Stop::Interrupted, .. }));
                assert_eq!(few.visits, 3);
            }
        }
    }
}

#[test]
fn counting_reachable_states_stops_at_the_limit() {
    let task = PUZZLES.open("1 2 3\n4 0 5\n7 8 6\n", None, &ReadOptions::default()).expect("a board");
    assert!(task.reaches_at_most(181_440, &mut || true));
    assert!(!task.reaches_at_most(181_439, &mut || true));
    assert!(!task.reaches_at_most(u64::MAX, &mut || false));
}
