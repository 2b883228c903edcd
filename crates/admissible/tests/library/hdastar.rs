//! HDA*: the same costs and the same layers with any number of threads.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU64, Ordering};

use admissible::search::{Limits, Outcome, Progress, Report, Search, Stats, Stop, Team, hdastar, run};
use admissible::{Estimate, Heuristic, Properties};
use admissible_oracle::Random;

use crate::estimates::Kind;
use crate::graph::{Costs, Graph};
use crate::optimality::{About, Case};
use crate::packed_astar::{Numbered, Setting, large};

fn search<'a, const WORDS: usize, const CODE_BITS: u32>(
    setting: &'a Setting<WORDS, CODE_BITS>,
    team: Team,
    limits: &Limits,
) -> Box<dyn Search<Numbered<WORDS, CODE_BITS>> + 'a> {
    hdastar(&setting.space, setting.case.start, &setting.table, team, limits).expect("the space has keys")
}

fn answer<const WORDS: usize, const CODE_BITS: u32>(setting: &Setting<WORDS, CODE_BITS>, team: Team) -> Report<usize> {
    let limits = Limits::default();
    run(&mut *search(setting, team, &limits), &limits, &mut ())
}

/// A team that starts its threads even for few states.
fn forced_team(threads: usize) -> Team {
    Team { worth_it: 0, ..Team::of(threads) }
}

fn for_many<const WORDS: usize, const CODE_BITS: u32>(
    seeds: u64,
    kinds: &[Kind],
    check: impl Fn(&Setting<WORDS, CODE_BITS>, u64),
) {
    for seed in 0..seeds {
        let mut random = Random::new(seed);
        let case = Case::random(&mut random, 60, Costs::Unit);
        let kind = kinds[random.below(kinds.len())];
        let _about = About((seed, kind));
        check(&Setting::new(case, kind, &mut random), seed);
    }
}

#[test]
fn any_number_of_workers_finds_a_cheapest_path_with_the_same_layers() {
    fn drill<const WORDS: usize, const CODE_BITS: u32>() {
        for_many::<WORDS, CODE_BITS>(1500, &[Kind::Blind, Kind::Perfect, Kind::Consistent], |setting, seed| {
            for threads in [1, 2, 3, 5] {
                setting.check(&answer(setting, Team::of(threads)));
            }
            if seed % 10 == 0 {
                setting.check(&answer(setting, forced_team(2 + seed as usize % 3)));
            }
        });
    }
    drill::<1, 24>();
    drill::<1, 23>();
    drill::<2, 24>();
}

#[test]
fn inconsistent_heuristics_give_cheapest_paths() {
    fn drill<const CODE_BITS: u32>() {
        for_many::<1, CODE_BITS>(3000, &[Kind::Inconsistent], |setting, seed| {
            setting.check_answer(&answer(setting, Team::of(1 + seed as usize % 4)));
            if seed % 10 == 0 {
                setting.check_answer(&answer(setting, forced_team(2)));
            }
        });
    }
    drill::<24>();
    drill::<23>();
}

#[test]
fn a_heuristic_with_unknown_properties_gives_no_guarantee() {
    for_many::<1, 24>(1000, &[Kind::Overestimating, Kind::FalseDeadEnds], |setting, seed| {
        let report = answer(setting, Team::of(1 + seed as usize % 4));
        match report.outcome {
            Outcome::Solved(solution) => {
                assert_eq!(solution.guarantee, admissible::search::Guarantee::None);
                assert!(setting.case.optimum.is_some_and(|least| least <= u64::from(solution.cost)));
            }
            Outcome::Unsolvable => assert_eq!(setting.case.optimum, None),
            Outcome::Stopped { why, lower_bound } => assert_eq!((why, lower_bound), (Stop::Unproved, 0)),
        }
    });
}

#[test]
fn threads_share_large_layers() {
    let setting = large::<24>(3, Kind::Blind);
    for threads in [2, 4] {
        let team = Team { threads, worth_it: 500 };
        let report = answer(&setting, team);
        setting.check(&report);
        assert!(report.stats.expanded > 40_000, "{:?}", report.stats);
    }
}

#[test]
fn limits_hold_with_threads() {
    let setting = large::<23>(4, Kind::Blind);
    for expanded in [1, 700, 20_000] {
        let limits = Limits { expanded: Some(expanded), ..Limits::default() };
        let report = run(&mut *search(&setting, forced_team(2), &limits), &limits, &mut ());
        let Outcome::Stopped { why: Stop::Nodes, lower_bound } = report.outcome else { panic!("{report:?}") };
        assert!(report.stats.expanded <= expanded && u64::from(lower_bound) <= setting.case.optimum.unwrap());
    }
    let limits = Limits { bytes: Some(400_000), ..Limits::default() };
    let report = run(&mut *search(&setting, forced_team(2), &limits), &limits, &mut ());
    let Outcome::Stopped { why: Stop::Memory, lower_bound } = report.outcome else { panic!("{report:?}") };
    assert!(u64::from(lower_bound) <= setting.case.optimum.unwrap());
    assert!(report.stats.peak_bytes <= 400_000, "{:?}", report.stats);
}

#[test]
fn hdastar_refuses_spaces_without_keys() {
    let graph = Graph::new(vec![vec![(1, 1)], vec![]], vec![1]);
    let zero = admissible::heuristic::Zero;
    assert!(hdastar(&graph, 0, &zero, Team::of(2), &Limits::default()).is_none());
}

#[test]
fn one_worker_does_not_depend_on_the_size_of_its_steps() {
    fn drill<const CODE_BITS: u32>() {
        let (setting, limits) = (large::<CODE_BITS>(6, Kind::Consistent), Limits::default());
        // The largest frontier depends on how often it is measured.
        let counts = |stats: Stats| (stats.expanded, stats.generated, stats.stored);
        let whole = answer(&setting, Team::of(1));
        for slice in [1, 7, 100, 1000] {
            let mut search = search(&setting, Team::of(1), &limits);
            while search.advance(slice) != Progress::Ended {}
            assert_eq!(
                (search.outcome(), counts(search.stats())),
                (Some(&whole.outcome), counts(whole.stats)),
                "{slice}"
            );
        }
    }
    drill::<24>();
    drill::<23>();
}

/// The zero heuristic, which panics after some evaluations.
struct PanicsAfter(AtomicU64);

impl<const WORDS: usize, const CODE_BITS: u32> Heuristic<Numbered<WORDS, CODE_BITS>> for PanicsAfter {
    type Eval = ();

    fn evaluate(&self, _space: &Numbered<WORDS, CODE_BITS>, _state: &usize) {
        assert_ne!(self.0.fetch_sub(1, Ordering::Relaxed), 0, "no evaluations are left");
    }

    fn estimate(&self, (): ()) -> Estimate {
        Estimate::new(0)
    }

    fn properties(&self, _space: &Numbered<WORDS, CODE_BITS>) -> Properties {
        Properties::CONSISTENT
    }
}

#[test]
fn a_panic_of_one_worker_ends_the_others() {
    let setting = large::<24>(1, Kind::Blind);
    let heuristic = PanicsAfter(AtomicU64::new(20_000));
    let limits = Limits::default();
    let mut search =
        hdastar(&setting.space, setting.case.start, &heuristic, forced_team(3), &limits).expect("the space has keys");
    let ended = catch_unwind(AssertUnwindSafe(|| run(&mut *search, &limits, &mut ())));
    assert!(ended.is_err(), "the caller sees the panic");
}
