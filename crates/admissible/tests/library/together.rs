//! IDA* with threads: the same cost, and the same states in every iteration but the last.

use std::ops::ControlFlow;

use admissible::heuristic::Zero;
use admissible::search::{
    Idastar, Limits, Observer, Outcome, Report, Search, Snapshot, Stats, Stop, Team, idastar, run,
};
use admissible_oracle::Random;

use crate::estimates::Kind;
use crate::graph::Costs;
use crate::optimality::{About, Case};
use crate::plane::{Plane, Steps};

/// Whether it pays or not, there are threads.
fn at_once(threads: usize) -> Team {
    Team { worth_it: 0, ..Team::of(threads) }
}

/// Notes what was expanded when each bound was proved, and interrupts after so many ticks if it is told to.
#[derive(Default)]
struct Notes {
    layers: Vec<(u32, u64)>,
    patience: Option<u64>,
    kept: Option<Snapshot>,
}

impl Observer for Notes {
    fn tick(&mut self, _stats: &Stats) -> ControlFlow<Stop> {
        let Some(patience) = &mut self.patience else { return ControlFlow::Continue(()) };
        *patience = patience.saturating_sub(1);
        if *patience == 0 { ControlFlow::Break(Stop::Interrupted) } else { ControlFlow::Continue(()) }
    }

    fn layer(&mut self, bound: u32, stats: &Stats) -> ControlFlow<Stop> {
        self.layers.push((bound, stats.expanded));
        ControlFlow::Continue(())
    }

    fn checkpoint_due(&mut self, why: Option<Stop>) -> bool {
        why == Some(Stop::Interrupted)
    }

    fn save_checkpoint(&mut self, snapshot: &Snapshot) {
        self.kept = Some(snapshot.clone());
    }
}

fn noted<M: Clone>(search: impl FnOnce(&mut Notes) -> Report<M>) -> (Report<M>, Vec<(u32, u64)>) {
    let mut notes = Notes::default();
    let report = search(&mut notes);
    (report, notes.layers)
}

const WIDE: Plane = Plane { goal: Some((7, 6)), step_cost: 3 };

#[test]
fn every_iteration_but_the_last_expands_the_same_states() {
    let limits = Limits::default();
    let (serial, layers) = noted(|notes| run(&mut idastar(&WIDE, (0, 0), &Steps, &limits), &limits, notes));
    let (blind, blind_layers) = noted(|notes| run(&mut idastar(&WIDE, (0, 0), &Zero, &limits), &limits, notes));
    assert!(blind.stats.expanded > 1_000_000, "{:?}", blind.stats);
    for threads in [2, 3, 4] {
        let search = || Idastar::new(&WIDE, &Steps).limits(limits).threads(at_once(threads)).search((0, 0));
        let (report, found) = noted(|notes| run(&mut search(), &limits, notes));
        assert_eq!((report.outcome.cost(), found), (serial.outcome.cost(), layers.clone()));
        let search = || Idastar::new(&WIDE, &Zero).limits(limits).threads(at_once(threads)).search((0, 0));
        let (report, found) = noted(|notes| run(&mut search(), &limits, notes));
        assert_eq!((report.outcome.cost(), found), (blind.outcome.cost(), blind_layers.clone()));
        assert_eq!(report.stats.expanded_before_last_layer, blind.stats.expanded_before_last_layer);
    }
}

#[test]
fn random_graphs_have_the_same_answers() {
    for seed in 0..600 {
        let mut random = Random::new(seed);
        let costs = [Costs::Unit, Costs::Small][random.below(2)];
        let case = Case::random(&mut random, 40, costs);
        let kind = Kind::ALL[random.below(Kind::ALL.len())];
        let (to_goal, _) = case.tables(kind, &mut random);
        let _about = About((seed, costs, kind));
        let limits = Limits { expanded: Some(40_000), ..Limits::default() };
        let serial = run(&mut idastar(&case.graph, case.start, &to_goal, &limits), &limits, &mut ());
        let team = at_once(2 + random.below(3));
        let shared = run(
            &mut Idastar::new(&case.graph, &to_goal).limits(limits).threads(team).search(case.start),
            &limits,
            &mut (),
        );
        let admissible = to_goal.properties.admissible;
        match (&serial.outcome, &shared.outcome) {
            (Outcome::Solved(one), Outcome::Solved(other)) if admissible => assert_eq!(one.cost, other.cost),
            (Outcome::Solved(_), Outcome::Solved(_)) => {}
            (one, other) => assert_eq!(one, other),
        }
    }
}

#[test]
fn a_node_limit_is_kept_to_the_state() {
    for expanded in [20_000, 777_777] {
        let limits = Limits { expanded: Some(expanded), ..Limits::default() };
        let report =
            run(&mut Idastar::new(&WIDE, &Zero).limits(limits).threads(at_once(3)).search((0, 0)), &limits, &mut ());
        let Outcome::Stopped { why: Stop::Nodes, .. } = report.outcome else { panic!("{report:?}") };
        assert_eq!(report.stats.expanded, expanded);
    }
}

#[test]
fn pieces_by_threads_make_a_whole() {
    let limits = Limits::default();
    let whole = run(&mut idastar(&WIDE, (0, 0), &Zero, &limits), &limits, &mut ());
    let mut pieces = 0;
    for seed in 0..6 {
        let mut random = Random::new(seed);
        let mut kept: Option<Snapshot> = None;
        let report = loop {
            // With another number of threads each time, and now and then with one.
            let mut search =
                Idastar::new(&WIDE, &Zero).limits(limits).threads(at_once(1 + random.below(4))).search((0, 0));
            if let Some(snapshot) = kept.take() {
                let read = Snapshot::from_words(&snapshot.words()).expect("what was written can be read");
                assert_eq!(read, snapshot);
                assert!(search.restore(&read), "{read:?}");
            }
            let mut notes = Notes { patience: Some(1 + random.below(3) as u64), ..Notes::default() };
            let report = run(&mut search, &limits, &mut notes);
            match report.outcome {
                Outcome::Stopped { why: Stop::Interrupted, .. } => kept = notes.kept,
                _ => break report,
            }
            pieces += 1;
        };
        assert_eq!(report.outcome.cost(), whole.outcome.cost());
        assert_eq!(report.stats.expanded_before_last_layer, whole.stats.expanded_before_last_layer, "{pieces} pieces");
    }
    assert!(pieces > 6, "{pieces}");
}
