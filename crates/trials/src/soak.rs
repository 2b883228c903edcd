//! Every algorithm against every other, on random instances of all puzzles.
//!
//! Every solution is replayed by the puzzle's referee before it is an answer at all. Beyond that: those that are said to be
//! optimal cost the same, no other is cheaper, a bounded one keeps its bound, no lower bound is above the optimum, and
//! nobody proves that there is no solution where another has one.

use std::time::{Duration, Instant};

use admissible_front::{
    ALGORITHMS, Answer, AnswerOutcome, Limits, Parameters, Plan, PlanError, ReadOptions, Setting, Task, TieBreak,
    Weight,
};
use admissible_oracle::Random;
use admissible_puzzles::PUZZLES;
use rand::SeedableRng as _;
use rand_chacha::ChaCha8Rng;

use crate::Tally;

/// What a run may expand: small instances are decided by then.
const EXPANSIONS: u64 = 200_000;
/// How often it is told how it goes.
const TELL_EVERY: Duration = Duration::from_secs(60);

/// Runs until so many instances were tried or the time is up.
pub fn run(seed: u64, instances: u64, time: Duration) -> Tally {
    let (begin, mut tally, mut told) = (Instant::now(), Tally::default(), Instant::now());
    let names: Vec<&str> = PUZZLES.cards().map(|card| card.name).collect();
    for number in 0..instances {
        if begin.elapsed() >= time {
            break;
        }
        let mut random = Random::new(seed.wrapping_add(number));
        let puzzle = names[random.below(names.len())];
        one(puzzle, seed.wrapping_add(number), &mut random, &mut tally);
        if told.elapsed() >= TELL_EVERY {
            told = Instant::now();
            let (count, runs) = (tally.figure("instances"), tally.figure("runs"));
            eprintln!("{:.0} s: {count} instances, {runs} runs", begin.elapsed().as_secs_f64());
        }
    }
    tally
}

/// Parameters of something small.
fn parameters(puzzle: &str, random: &mut Random) -> Parameters {
    match puzzle {
        "die" => {
            let size = Setting::Size(2 + random.below(9), 2 + random.below(9));
            Parameters::from([("size", size), ("density", Setting::Share(random.below(45) as f64 / 100.0))])
        }
        "tiles" => {
            let sizes = [(2, 2), (2, 3), (3, 2), (2, 4), (3, 3), (3, 3), (3, 4), (4, 4), (5, 5)];
            let (rows, columns) = sizes[random.below(sizes.len())];
            let mut parameters = Parameters::from([("size", Setting::Size(rows, columns))]);
            let large = rows * columns > 9;
            if large || random.below(2) == 0 {
                parameters.set("scramble", Setting::Count(random.below(if large { 30 } else { 60 })));
            }
            parameters
        }
        "klotski" => Parameters::from([("empties", Setting::Count(2 + random.below(7)))]),
        "chexers" => Parameters::from([
            ("pieces", Setting::Count(1 + random.below(4))),
            ("blocks", Setting::Count(random.below(12))),
            ("colour", Setting::Word(["red", "green", "blue"][random.below(3)].into())),
        ]),
        _ => Parameters::default(),
    }
}

fn one(puzzle: &str, seed: u64, random: &mut Random, tally: &mut Tally) {
    let entry = PUZZLES.entry(puzzle).expect("the registry has it");
    let parameters = parameters(puzzle, random);
    let Ok(text) = entry.generate(&parameters, &mut ChaCha8Rng::seed_from_u64(seed)) else { return };
    let metrics = entry.card().metrics;
    let metric = (!metrics.is_empty()).then(|| metrics[random.below(metrics.len())].to_string());
    let reading = ReadOptions { metric, ..ReadOptions::default() };
    let opened = entry.open(&text, &reading);
    tally.check(opened.is_ok(), || format!("{puzzle}, seed {seed}: what was written cannot be read"));
    let Ok(task) = opened else { return };
    tally.count("instances", 1);
    tally.count(&format!("instances of {puzzle}"), 1);
    let about = format!("{puzzle}, seed {seed}:\n{text}");
    let answers = answers(&task, random, tally, &about);
    judge(&answers, tally, &about);
}

/// Every algorithm with two heuristics, and what the puzzle would do by itself.
fn answers(task: &Task, random: &mut Random, tally: &mut Tally, about: &str) -> Vec<Answer> {
    // Tables for large boards take longer than everything else.
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
        // Some run out of memory and hand over.
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
                tally.count("proofs that there is none", 1);
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
            format!("{algorithm} with {heuristic}: {outcome:?}, where the optimum is {optimal:?}\n{about}")
        });
    }
}
