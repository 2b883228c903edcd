//! Stacks against the laws, and every answer against a plain breadth-first search.

use std::collections::{HashMap, VecDeque};

use admissible::audit::Audit;
use admissible::laws::{check_backward, check_incremental, check_space};
use admissible::search::{Astar, Guarantee, Idastar};
use admissible_front::{AnswerOutcome, Plan};

use super::heuristics::Gap;
use super::*;

/// The distance of every order of some pancakes, by lists and nothing else.
fn distances(count: usize) -> HashMap<Vec<usize>, u32> {
    let sorted: Vec<usize> = (1..=count).collect();
    let (mut known, mut queue) = (HashMap::from([(sorted.clone(), 0)]), VecDeque::from([sorted]));
    while let Some(stack) = queue.pop_front() {
        let distance = known[&stack];
        for flipped in 2..=count {
            let mut next = stack.clone();
            next[..flipped].reverse();
            known.entry(next).or_insert_with_key(|next| {
                queue.push_back(next.clone());
                distance + 1
            });
        }
    }
    known
}

fn pancakes(sizes: &[usize]) -> Pancakes {
    Pancakes::new(sizes).expect("a stack")
}

#[test]
fn every_answer_is_the_shortest() {
    for count in 2..=6 {
        for (sizes, distance) in distances(count) {
            let space = pancakes(&sizes);
            let astar = Astar::new(&space, &Gap::<true>).solve(space.start);
            let idastar = Idastar::new(&space, &Gap::<false>).solve(space.start);
            for report in [astar, idastar] {
                let solution = report.outcome.solution().expect("every stack can be sorted");
                assert_eq!((solution.cost, solution.guarantee), (distance, Guarantee::Optimal), "{sizes:?}");
                let actions: Vec<String> = solution.moves.iter().map(|&m| space.move_name(&space.start, m)).collect();
                assert_eq!(space.referee().replay(&actions).map(|states| states.len()), Ok(distance as usize + 1));
            }
        }
    }
}

#[test]
fn the_laws_hold() {
    for (sizes, _) in distances(5).into_iter().chain([((1..=16).rev().collect(), 0)]) {
        let space = pancakes(&sizes);
        check_space(&space, &space.start);
        check_backward(&space, &space.start);
        check_incremental(&space, &Gap::<false>, &space.start);
        check_incremental(&space, &Gap::<true>, &space.start);
        assert_eq!(space.of_number(space.number_of(&space.start)), Some(space.start));
        ["gap", "top-gap"].into_iter().for_each(|name| admissible_front::check_explanation(&space, name, &space.start));
    }
}

#[test]
fn both_heuristics_are_consistent_and_the_second_is_no_weaker() {
    let space = pancakes(&[1, 2, 3, 4, 5, 6, 7, 8]);
    let gap = Audit::new(&space, &Gap::<false>).run(space.start).expect("40,320 stacks fit");
    let top_gap = Audit::new(&space, &Gap::<true>).run(space.start).expect("40,320 stacks fit");
    for findings in [&gap, &top_gap] {
        assert_eq!((findings.states, findings.farthest), (40_320, 9));
        assert!(findings.admissible() && findings.consistent(), "{findings}");
    }
    assert!(top_gap.mean_estimate() > gap.mean_estimate());
}

#[test]
fn pancake_numbers_are_those_that_are_known() {
    for (count, states, flips) in [(4, 24, 4), (7, 5_040, 8), (8, 40_320, 9)] {
        let parameters = Parameters::from([("pancakes", admissible_front::Setting::Count(count))]);
        let plan = admissible_front::ExplorePlan { parameters, threads: 2, ..Default::default() };
        let explored = entry().explore(&plan, &ReadOptions::default(), &()).expect("it fits");
        assert_eq!((explored.states, explored.max_depth()), (states, Some(flips)));
    }
}

#[test]
fn files_are_read_or_their_faults_named() {
    let solve = |text: &str| {
        let task = entry().open(text, &ReadOptions::default()).expect("it can be read");
        match task.solve(&Plan::default(), &mut (), None).expect("the advice can be followed").outcome {
            AnswerOutcome::Solved(solved) => solved.cost,
            other => panic!("{other:?}"),
        }
    };
    let known = distances(5)[&vec![3, 1, 2, 5, 4]];
    assert_eq!((solve("3 1 2 5 4\n"), solve("2 1"), solve("1 2 3")), (known, 1, 0));
    for (text, fault) in [
        ("3 1 2 2", "1:7: expected each size from 1 to 4 once, found '2'"),
        ("3 1 x", "1:5: expected each size from 1 to 3 once, found 'x'"),
        ("1", "1:1: expected 2 to 16 pancakes, found 1"),
        ("", "1:1: expected 2 to 16 pancakes, found 0"),
        ("1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17", "1:1: expected 2 to 16 pancakes, found 17"),
    ] {
        let faults = entry().open(text, &ReadOptions::default()).err().expect("it has a fault");
        assert!(faults.to_string().contains(fault), "{faults}");
    }
}

#[test]
fn the_referee_refuses_what_is_no_flip() {
    let referee = pancakes(&[2, 3, 1]).referee();
    for (actions, step) in
        [(vec!["flip 1"], 1), (vec!["flip 2", "flip 4"], 2), (vec!["turn 2"], 1), (vec!["flip 2"], 2)]
    {
        let actions: Vec<String> = actions.into_iter().map(String::from).collect();
        assert_eq!(referee.replay(&actions).expect_err("it is illegal").step, step, "{actions:?}");
    }
}
