//! Snapshots of IDA*: a restored search has the same outcome and counts as an uninterrupted one.

use std::ops::ControlFlow;

use admissible::heuristic::Zero;
use admissible::search::{Idastar, Limits, Observer, Outcome, Report, Search, Snapshot, Stats, Stop, idastar, run};
use admissible::{Heuristic, StateSpace};
use admissible_oracle::Random;

use crate::estimates::Kind;
use crate::graph::{Costs, Graph};
use crate::optimality::{About, Case};
use crate::plane::Plane;

/// Stops a search after a number of ticks and layers, and keeps its snapshot.
struct Interrupter {
    calls_left: u64,
    saved: Option<Snapshot>,
}

impl Interrupter {
    fn count_down(&mut self) -> ControlFlow<Stop> {
        self.calls_left -= 1;
        if self.calls_left == 0 { ControlFlow::Break(Stop::Interrupted) } else { ControlFlow::Continue(()) }
    }
}

impl Observer for Interrupter {
    fn tick(&mut self, _stats: &Stats) -> ControlFlow<Stop> {
        self.count_down()
    }

    fn layer(&mut self, _bound: u32, _stats: &Stats) -> ControlFlow<Stop> {
        self.count_down()
    }

    fn checkpoint_due(&mut self, why: Option<Stop>) -> bool {
        why == Some(Stop::Interrupted)
    }

    fn save_checkpoint(&mut self, snapshot: &Snapshot) {
        self.saved = Some(snapshot.clone());
    }
}

/// Runs a search that is interrupted every few ticks and restored into a new one. Returns the report and the number of
/// runs.
fn run_with_restores<'a, S: StateSpace>(
    make: impl Fn() -> Box<dyn Search<S> + 'a>,
    limits: &Limits,
    random: &mut Random,
    most: usize,
) -> (Report<S::Move>, u32) {
    let mut saved: Option<Snapshot> = None;
    for runs in 1.. {
        let mut search = make();
        if let Some(snapshot) = saved.take() {
            let words = snapshot.words();
            let read = Snapshot::from_words(&words).expect("the words of a snapshot are valid");
            assert_eq!(read, snapshot);
            assert!(search.restore(&read), "{read:?}");
        }
        let mut observer = Interrupter { calls_left: 1 + random.below(most) as u64, saved: None };
        let report = run(&mut *search, limits, &mut observer);
        match report.outcome {
            Outcome::Stopped { why: Stop::Interrupted, .. } => saved = observer.saved,
            _ => return (report, runs),
        }
        assert!(saved.is_some(), "an interrupted search has a snapshot");
    }
    unreachable!("a search ends")
}

fn without_bytes<M>(mut report: Report<M>) -> Report<M> {
    (report.stats.bytes, report.stats.peak_bytes) = (0, 0);
    report
}

#[test]
fn restored_searches_of_random_graphs_give_the_same_report() {
    let mut most_runs = 0;
    for seed in 0..400 {
        let mut random = Random::new(seed);
        let costs = [Costs::Unit, Costs::Small, Costs::Large][random.below(3)];
        let case = Case::random(&mut random, 60, costs);
        let kind = Kind::ALL[random.below(Kind::ALL.len())];
        let (to_goal, _) = case.tables(kind, &mut random);
        let _about = About((seed, costs, kind));
        // IDA* may take exponential time.
        let limits = Limits { expanded: Some(50_000), ..Limits::default() };
        let make = || idastar(&case.graph, case.start, &to_goal, &limits);
        let whole = run(&mut *make(), &limits, &mut ());
        let (restored, runs) = run_with_restores(make, &limits, &mut random, 4);
        assert_eq!(without_bytes(restored), without_bytes(whole));
        most_runs = runs.max(most_runs);
    }
    assert!(most_runs > 5, "{most_runs}");
}

fn check_plane<H: Heuristic<Plane>>(plane: &Plane, heuristic: &H, limits: &Limits, seed: u64) {
    let whole = run(&mut *Idastar::new(plane, heuristic).pruned().limits(*limits).search((0, 0)), limits, &mut ());
    let make = || Idastar::new(plane, heuristic).pruned().limits(*limits).search((0, 0));
    let (restored, runs) = run_with_restores(make, limits, &mut Random::new(seed), 300);
    assert_eq!(without_bytes(restored), without_bytes(whole), "{runs} runs");
    assert!(runs > 3, "{runs}");
}

#[test]
fn restored_large_searches_give_the_same_report() {
    let limits = Limits { expanded: Some(3_000_000), ..Limits::default() };
    check_plane(&Plane { goal: Some((7, 6)), step_cost: 3 }, &Zero, &limits, 1);
    check_plane(&Plane { goal: Some((8, 5)), step_cost: 1 }, &Zero, &limits, 2);
}

/// The proof of unsolvability beside the search is restored as well.
#[test]
fn a_restored_proof_ends_at_the_same_state() {
    let mut edges: Vec<Vec<(usize, u32)>> =
        (0..3000).map(|at| vec![((at + 1) % 3000, 1), ((at + 7) % 3000, 1)]).collect();
    edges.push(Vec::new());
    let graph = Graph::new(edges, vec![3000]);
    let limits = Limits::default();
    let whole = run(&mut *idastar(&graph, 0, &Zero, &limits), &limits, &mut ());
    assert_eq!(whole.outcome, Outcome::Unsolvable);
    assert!(whole.stats.expanded > 1 << 22, "{:?}", whole.stats);
    let (restored, runs) = run_with_restores(|| idastar(&graph, 0, &Zero, &limits), &limits, &mut Random::new(5), 500);
    assert_eq!(without_bytes(restored), without_bytes(whole), "{runs} runs");
    assert!(runs > 3, "{runs}");
}

#[test]
fn invalid_snapshots_are_refused() {
    let limits = Limits { expanded: Some(30_000), ..Limits::default() };
    let plane = Plane { goal: Some((9, 40)), step_cost: 1 };
    let mut observer = Interrupter { calls_left: 12, saved: None };
    run(&mut *idastar(&plane, (0, 0), &Zero, &limits), &limits, &mut observer);
    let words = observer.saved.expect("the search was interrupted").words();
    for length in 0..words.len() {
        let short = Snapshot::from_words(&words[..length]);
        // The counts and the single tree alone are a valid snapshot between two iterations.
        assert_eq!(short.is_some(), length == 25, "{length}");
    }
    for at in 0..words.len() {
        let mut wrong = words.clone();
        wrong[at] = u64::MAX - 1;
        // It may be refused, or be the snapshot of another search; it must not panic.
        if let Some(snapshot) = Snapshot::from_words(&wrong) {
            idastar(&plane, (0, 0), &Zero, &limits).restore(&snapshot);
        }
    }
    let mut other = words.clone();
    *other.last_mut().expect("a snapshot has words") = 77;
    let other = Snapshot::from_words(&other).expect("the format is valid");
    assert!(!idastar(&plane, (0, 0), &Zero, &limits).restore(&other), "no state has 78 moves");
}
