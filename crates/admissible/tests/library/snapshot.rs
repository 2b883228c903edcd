//! IDA* that is stopped, written down and taken up again: the same answer by the same counts.

use std::ops::ControlFlow;

use admissible::heuristic::Zero;
use admissible::search::{
    Limits, Observer, Outcome, Report, Search, Snapshot, Stats, Stop, idastar, idastar_pruned, run,
};
use admissible::{Heuristic, StateSpace};
use admissible_oracle::Random;

use crate::estimates::Kind;
use crate::graph::{Costs, Graph};
use crate::optimality::{About, Case};
use crate::plane::Plane;

/// Interrupts a search after so many ticks and layers, and keeps what it is told then.
struct Interrupter {
    patience: u64,
    kept: Option<Snapshot>,
}

impl Interrupter {
    fn lose_patience(&mut self) -> ControlFlow<Stop> {
        self.patience -= 1;
        if self.patience == 0 { ControlFlow::Break(Stop::Interrupted) } else { ControlFlow::Continue(()) }
    }
}

impl Observer for Interrupter {
    fn tick(&mut self, _stats: &Stats) -> ControlFlow<Stop> {
        self.lose_patience()
    }

    fn layer(&mut self, _bound: u32, _stats: &Stats) -> ControlFlow<Stop> {
        self.lose_patience()
    }

    fn checkpoint_due(&mut self, why: Option<Stop>) -> bool {
        why == Some(Stop::Interrupted)
    }

    fn save_checkpoint(&mut self, snapshot: &Snapshot) {
        self.kept = Some(snapshot.clone());
    }
}

/// Runs a search with an interruption every few ticks, each time with a new search that takes up the last one. How
/// often that was.
fn in_pieces<S: StateSpace, T: Search<S>>(
    make: impl Fn() -> T,
    limits: &Limits,
    random: &mut Random,
    most: usize,
) -> (Report<S::Move>, u32) {
    let mut kept: Option<Snapshot> = None;
    for pieces in 1.. {
        let mut search = make();
        if let Some(snapshot) = kept.take() {
            let words = snapshot.words();
            let read = Snapshot::from_words(&words).expect("what was written can be read");
            assert_eq!(read, snapshot);
            assert!(search.restore(&read), "{read:?}");
        }
        let mut observer = Interrupter { patience: 1 + random.below(most) as u64, kept: None };
        let report = run(&mut search, limits, &mut observer);
        match report.outcome {
            Outcome::Stopped { why: Stop::Interrupted, .. } => kept = observer.kept,
            _ => return (report, pieces),
        }
        assert!(kept.is_some(), "an interrupted search is written down");
    }
    unreachable!("a search ends")
}

fn without_bytes<M>(mut report: Report<M>) -> Report<M> {
    (report.stats.bytes, report.stats.peak_bytes) = (0, 0);
    report
}

#[test]
fn pieces_make_a_whole_on_random_graphs() {
    let mut most_pieces = 0;
    for seed in 0..400 {
        let mut random = Random::new(seed);
        let costs = [Costs::Unit, Costs::Small, Costs::Large][random.below(3)];
        let case = Case::random(&mut random, 60, costs);
        let kind = Kind::ALL[random.below(Kind::ALL.len())];
        let (to_goal, _) = case.tables(kind, &mut random);
        let _about = About((seed, costs, kind));
        // Some graphs have no goal in reach, and trees have many leaves.
        let limits = Limits { expanded: Some(50_000), ..Limits::default() };
        let make = || idastar(&case.graph, case.start, &to_goal, &limits);
        let whole = run(&mut make(), &limits, &mut ());
        let (pieced, pieces) = in_pieces(make, &limits, &mut random, 4);
        assert_eq!(without_bytes(pieced), without_bytes(whole));
        most_pieces = pieces.max(most_pieces);
    }
    assert!(most_pieces > 5, "{most_pieces}");
}

fn check_plane<H: Heuristic<Plane>>(plane: &Plane, heuristic: &H, limits: &Limits, seed: u64) {
    let whole = run(&mut idastar_pruned(plane, (0, 0), heuristic, limits), limits, &mut ());
    let make = || idastar_pruned(plane, (0, 0), heuristic, limits);
    let (pieced, pieces) = in_pieces(make, limits, &mut Random::new(seed), 300);
    assert_eq!(without_bytes(pieced), without_bytes(whole), "{pieces} pieces");
    assert!(pieces > 3, "{pieces}");
}

#[test]
fn pieces_make_a_whole_where_there_is_much_to_do() {
    let limits = Limits { expanded: Some(3_000_000), ..Limits::default() };
    check_plane(&Plane { goal: Some((7, 6)), step_cost: 3 }, &Zero, &limits, 1);
    check_plane(&Plane { goal: Some((8, 5)), step_cost: 1 }, &Zero, &limits, 2);
}

/// The proof beside the search is taken up as well.
#[test]
fn a_proof_ends_at_the_same_state_however_often_it_was_interrupted() {
    let mut edges: Vec<Vec<(usize, u32)>> =
        (0..3000).map(|at| vec![((at + 1) % 3000, 1), ((at + 7) % 3000, 1)]).collect();
    edges.push(Vec::new());
    let graph = Graph::new(edges, vec![3000]);
    let limits = Limits::default();
    let whole = run(&mut idastar(&graph, 0, &Zero, &limits), &limits, &mut ());
    assert_eq!(whole.outcome, Outcome::Unsolvable);
    assert!(whole.stats.expanded > 1 << 22, "{:?}", whole.stats);
    let (pieced, pieces) = in_pieces(|| idastar(&graph, 0, &Zero, &limits), &limits, &mut Random::new(5), 500);
    assert_eq!(without_bytes(pieced), without_bytes(whole), "{pieces} pieces");
    assert!(pieces > 3, "{pieces}");
}

#[test]
fn what_is_no_snapshot_of_a_search_is_not_taken_up() {
    let limits = Limits { expanded: Some(30_000), ..Limits::default() };
    let plane = Plane { goal: Some((9, 40)), step_cost: 1 };
    let mut observer = Interrupter { patience: 12, kept: None };
    run(&mut idastar(&plane, (0, 0), &Zero, &limits), &limits, &mut observer);
    let words = observer.kept.expect("it was interrupted").words();
    for length in 0..words.len() {
        let short = Snapshot::from_words(&words[..length]);
        // The counts and the one tree are one that stands between two iterations.
        assert_eq!(short.is_some(), length == 25, "{length}");
    }
    for at in 0..words.len() {
        let mut wrong = words.clone();
        wrong[at] = u64::MAX - 1;
        // It may be refused here or there, or be the snapshot of another search; it must not panic.
        if let Some(snapshot) = Snapshot::from_words(&wrong) {
            idastar(&plane, (0, 0), &Zero, &limits).restore(&snapshot);
        }
    }
    let mut other = words.clone();
    *other.last_mut().expect("it has words") = 77;
    let other = Snapshot::from_words(&other).expect("the form is right");
    assert!(!idastar(&plane, (0, 0), &Zero, &limits).restore(&other), "no state has so many moves");
}
