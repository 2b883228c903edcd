//! IDA* with threads: the same cost, and the same states in every iteration but the last.

use std::ops::ControlFlow;

use admissible::heuristic::Zero;
use admissible::search::{Idastar, Limits, Observer, Outcome, Report, Snapshot, Stats, Stop, Team, idastar, run};
use admissible_oracle::Random;

use crate::estimates::Kind;
use crate::graph::Costs;
use crate::optimality::{About, Case};
use crate::plane::{Plane, PlaneDistance};

/// A team that starts its threads even for few states.
fn forced_team(threads: usize) -> Team {
    Team { worth_it: 0, ..Team::of(threads) }
}

/// Records the expansions before each bound, and may stop the search after a number of ticks.
#[derive(Default)]
struct Recorder {
    layers: Vec<(u32, u64)>,
    ticks_left: Option<u64>,
    saved: Option<Snapshot>,
}

impl Observer for Recorder {
    fn tick(&mut self, _stats: &Stats) -> ControlFlow<Stop> {
        let Some(left) = &mut self.ticks_left else { return ControlFlow::Continue(()) };
        *left = left.saturating_sub(1);
        if *left == 0 { ControlFlow::Break(Stop::Interrupted) } else { ControlFlow::Continue(()) }
    }

    fn layer(&mut self, bound: u32, stats: &Stats) -> ControlFlow<Stop> {
        self.layers.push((bound, stats.expanded));
        ControlFlow::Continue(())
    }

    fn checkpoint_due(&mut self, why: Option<Stop>) -> bool {
        why == Some(Stop::Interrupted)
    }

    fn save_checkpoint(&mut self, snapshot: &Snapshot) {
        self.saved = Some(snapshot.clone());
    }
}

fn recorded<M: Clone>(search: impl FnOnce(&mut Recorder) -> Report<M>) -> (Report<M>, Vec<(u32, u64)>) {
    let mut recorder = Recorder::default();
    let report = search(&mut recorder);
    (report, recorder.layers)
}

const WIDE: Plane = Plane { goal: Some((7, 6)), step_cost: 3 };

#[test]
fn every_iteration_but_the_last_expands_the_same_states() {
    let limits = Limits::default();
    let (serial, layers) =
        recorded(|recorder| run(&mut *idastar(&WIDE, (0, 0), &PlaneDistance, &limits), &limits, recorder));
    let (blind, blind_layers) =
        recorded(|recorder| run(&mut *idastar(&WIDE, (0, 0), &Zero, &limits), &limits, recorder));
    assert!(blind.stats.expanded > 1_000_000, "{:?}", blind.stats);
    for threads in [2, 3, 4] {
        let search = || Idastar::new(&WIDE, &PlaneDistance).limits(limits).threads(forced_team(threads)).search((0, 0));
        let (report, found) = recorded(|recorder| run(&mut *search(), &limits, recorder));
        assert_eq!((report.outcome.cost(), found), (serial.outcome.cost(), layers.clone()));
        let search = || Idastar::new(&WIDE, &Zero).limits(limits).threads(forced_team(threads)).search((0, 0));
        let (report, found) = recorded(|recorder| run(&mut *search(), &limits, recorder));
        assert_eq!((report.outcome.cost(), found), (blind.outcome.cost(), blind_layers.clone()));
        assert_eq!(report.stats.expanded_before_last_layer, blind.stats.expanded_before_last_layer);
    }
}

#[test]
fn threads_give_the_same_costs_on_random_graphs() {
    for seed in 0..600 {
        let mut random = Random::new(seed);
        let costs = [Costs::Unit, Costs::Small][random.below(2)];
        let case = Case::random(&mut random, 40, costs);
        let kind = Kind::ALL[random.below(Kind::ALL.len())];
        let (to_goal, _) = case.tables(kind, &mut random);
        let _about = About((seed, costs, kind));
        let limits = Limits { expanded: Some(40_000), ..Limits::default() };
        let serial = run(&mut *idastar(&case.graph, case.start, &to_goal, &limits), &limits, &mut ());
        let team = forced_team(2 + random.below(3));
        let parallel = run(
            &mut *Idastar::new(&case.graph, &to_goal).limits(limits).threads(team).search(case.start),
            &limits,
            &mut (),
        );
        let admissible = to_goal.properties.admissible;
        match (&serial.outcome, &parallel.outcome) {
            (Outcome::Solved(one), Outcome::Solved(other)) if admissible => assert_eq!(one.cost, other.cost),
            (Outcome::Solved(_), Outcome::Solved(_)) => {}
            (one, other) => assert_eq!(one, other),
        }
    }
}

#[test]
fn a_node_limit_is_exact_with_threads() {
    for expanded in [20_000, 777_777] {
        let limits = Limits { expanded: Some(expanded), ..Limits::default() };
        let report = run(
            &mut *Idastar::new(&WIDE, &Zero).limits(limits).threads(forced_team(3)).search((0, 0)),
            &limits,
            &mut (),
        );
        let Outcome::Stopped { why: Stop::Nodes, .. } = report.outcome else { panic!("{report:?}") };
        assert_eq!(report.stats.expanded, expanded);
    }
}

#[test]
fn a_search_with_threads_can_be_restored() {
    let limits = Limits::default();
    let whole = run(&mut *idastar(&WIDE, (0, 0), &Zero, &limits), &limits, &mut ());
    let mut restored = 0;
    for seed in 0..6 {
        let mut random = Random::new(seed);
        let mut saved: Option<Snapshot> = None;
        let report = loop {
            // With a random number of threads each time.
            let mut search =
                Idastar::new(&WIDE, &Zero).limits(limits).threads(forced_team(1 + random.below(4))).search((0, 0));
            if let Some(snapshot) = saved.take() {
                let read = Snapshot::from_words(&snapshot.words()).expect("the words of a snapshot are valid");
                assert_eq!(read, snapshot);
                assert!(search.restore(&read), "{read:?}");
            }
            let mut recorder = Recorder { ticks_left: Some(1 + random.below(3) as u64), ..Recorder::default() };
            let report = run(&mut *search, &limits, &mut recorder);
            match report.outcome {
                Outcome::Stopped { why: Stop::Interrupted, .. } => saved = recorder.saved,
                _ => break report,
            }
            restored += 1;
        };
        assert_eq!(report.outcome.cost(), whole.outcome.cost());
        assert_eq!(
            report.stats.expanded_before_last_layer, whole.stats.expanded_before_last_layer,
            "{restored} restores"
        );
    }
    assert!(restored > 6, "{restored}");
}
