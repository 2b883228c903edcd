//! All algorithms against each other, on random instances of all puzzles.
//!
//! The front replays every solution with the puzzle's referee. Beyond that, this trial checks: all solutions that are
//! called optimal cost the same, no other one is cheaper, bounded ones keep their bound, no lower bound exceeds the
//! optimum, and no algorithm proves an instance unsolvable that another one solves.

use std::time::{Duration, Instant};

use admissible_front::{
    ALGORITHMS, Answer, AnswerOutcome, Limits, Plan, PlanError, ReadOptions, Task, TieBreak, Weight,
};
use admissible_oracle::Random;

use crate::Tally;
use crate::instances::random_instance;

/// The most expansions of a run; enough for small instances.
const EXPANSIONS: u64 = 200_000;
/// The time between two lines of progress.
const PROGRESS_EVERY: Duration = Duration::from_secs(60);

/// Runs until `instances` were tried or the time is up.
pub fn run(seed: u64, instances: u64, time: Duration) -> Tally {
    let (begin, mut tally, mut reported) = (Instant::now(), Tally::default(), Instant::now());
    for number in 0..instances {
        if begin.elapsed() >= time {
            break;
        }
        compare_algorithms(seed.wrapping_add(number), &mut tally);
        if reported.elapsed() >= PROGRESS_EVERY {
            reported = Instant::now();
            let (count, runs) = (tally.figure("instances"), tally.figure("runs"));
            eprintln!("{:.0} s: {count} instances, {runs} runs", begin.elapsed().as_secs_f64());
        }
    }
    tally
}

/// Solves one random instance with every algorithm and compares the answers.
fn compare_algorithms(seed: u64, tally: &mut Tally) {
    let random = &mut Random::new(seed);
    let (entry, text) = random_instance(seed, random);
    let (puzzle, metrics) = (entry.card().name, entry.card().metrics);
    let metric = (!metrics.is_empty()).then(|| metrics[random.below(metrics.len())].to_string());
    let reading = ReadOptions { metric, ..ReadOptions::default() };
    let opened = entry.open(&text, &reading);
    tally.check(opened.is_ok(), || format!("{puzzle}, seed {seed}: the instance cannot be read"));
    let Ok(task) = opened else { return };
    tally.count("instances", 1);
    tally.count(&format!("instances of {puzzle}"), 1);
    let about = format!("{puzzle}, seed {seed}:\n{text}");
    let answers = answers(&task, random, tally, &about);
    judge(&answers, tally, &about);
}

/// The answers of the default plan and of every algorithm, guided ones with two random heuristics.
fn answers(task: &Task, random: &mut Random, tally: &mut Tally, about: &str) -> Vec<Answer> {
    // Building tables for large boards would take most of the time.
    let too_large = |name: &str| name == "pdb" && task.board()["goal"].as_array().is_some_and(|goal| goal.len() > 9);
    let names = task.card().heuristics.iter().map(|card| card.name);
    let heuristics: Vec<&str> = names.filter(|name| task.lacks(name).is_none() && !too_large(name)).collect();
    let mut plans = vec![(None, None)];
    for algorithm in ALGORITHMS {
        for _ in 0..if algorithm.guided { 2 } else { 1 } {
            plans.push((Some(algorithm.name), Some(heuristics[random.below(heuristics.len())])));
        }
    }
    let mut answers = Vec::new();
    for (algorithm, heuristic) in plans {
        // Little memory for some, so that they hand over to another algorithm.
        let bytes = (random.below(4) == 0).then(|| 40_000 + random.below(400_000) as u64);
        let plan = Plan {
            algorithm: algorithm.map(String::from),
            heuristic: heuristic.map(String::from),
            weight: Weight::new(1000 + random.below(2000) as u32, 1000),
            tie: Some([TieBreak::Fifo, TieBreak::Lifo, TieBreak::LowH][random.below(3)]),
            limits: Limits { expanded: Some(EXPANSIONS), bytes, time: None },
            hands_over: true,
            threads: Some(1 + random.below(3)),
            ..Plan::default()
        };
        tally.count("runs", 1);
        match task.solve(&plan, &mut (), None) {
            Ok(answer) => {
                tally.count("handovers", u64::from(answer.handover.is_some()));
                answers.push(answer);
            }
            Err(PlanError::NotBackward(_) | PlanError::NotShared(_)) => {}
            Err(error) => tally.check(false, || format!("{algorithm:?} with {heuristic:?}: {error}\n{about}")),
        }
    }
    answers
}

/// Checks that the answers agree.
fn judge(answers: &[Answer], tally: &mut Tally, about: &str) {
    let optimal = answers.iter().find_map(|answer| match &answer.outcome {
        AnswerOutcome::Solved(solved) if solved.guarantee_text() == "optimal" => Some(solved.cost),
        _ => None,
    });
    let solved = answers.iter().any(|answer| matches!(answer.outcome, AnswerOutcome::Solved(_)));
    tally.count("instances with a proved optimum", u64::from(optimal.is_some()));
    for answer in answers {
        let right = match &answer.outcome {
            AnswerOutcome::Solved(ours) => {
                tally.count("solutions replayed", 1);
                let cost = f64::from(ours.cost);
                optimal.is_none_or(|optimum| match ours.guarantee_text().as_str() {
                    "optimal" => ours.cost == optimum,
                    "none" => ours.cost >= optimum,
                    within => {
                        let factor: f64 = within.trim_start_matches("within ").parse().unwrap_or(0.0);
                        ours.cost >= optimum && cost <= factor * f64::from(optimum) + 1e-9
                    }
                })
            }
            AnswerOutcome::Unsolvable { .. } => {
                tally.count("proofs of unsolvability", 1);
                !solved
            }
            AnswerOutcome::Stopped { lower_bound, .. } => {
                tally.count("stopped at a limit", 1);
                let best = answer.best.as_ref().is_none_or(|best| optimal.is_none_or(|optimum| best.cost >= optimum));
                best && optimal.is_none_or(|optimum| *lower_bound <= optimum)
            }
        };
        tally.check(right, || {
            let (algorithm, heuristic, outcome) = (answer.algorithm, &answer.heuristic, &answer.outcome);
            format!("{algorithm} with {heuristic}: {outcome:?}, but the optimum is {optimal:?}\n{about}")
        });
    }
}
