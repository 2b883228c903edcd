//! Packed A* against the true distances, and against eager A*.

use std::ops::Range;

use admissible::search::{
    Astar, Guarantee, Limits, Outcome, Progress, Report, Search, Stats, Stop, Team, TieBreak, Visit, astar,
    eager_astar, hdastar, run,
};
use admissible::{AbilityVisitor, Estimate, Heuristic, Keyed, Properties, StateSpace};
use admissible_oracle::Random;

use crate::closed_certificate::{check_certificate, h_of};
use crate::estimates::{Kind, Table};
use crate::graph::{Costs, Graph, Replay};
use crate::optimality::{About, Case};

/// A graph of unit costs with keys of `WORDS` words. A move is the number of an edge among all edges, so it can be
/// retraced. With at most 8 code bits the keys are dense; with an odd number of them successor keys come from keys.
#[derive(Debug)]
pub(crate) struct Numbered<const WORDS: usize, const CODE_BITS: u32 = 24> {
    graph: Graph,
    /// For each edge its two nodes, and its position among the edges of the first.
    edges: Vec<(usize, usize, usize)>,
    /// The edges of each node.
    leaving: Vec<Range<usize>>,
}

impl<const WORDS: usize, const CODE_BITS: u32> Numbered<WORDS, CODE_BITS> {
    fn new(graph: &Graph) -> Self {
        let mut edges = Vec::new();
        let mut leaving = Vec::new();
        for (from, ends) in graph.edges.iter().enumerate() {
            let first = edges.len();
            edges.extend(ends.iter().enumerate().map(|(at, &(to, _))| (from, to, at)));
            leaving.push(first..edges.len());
        }
        Numbered { graph: graph.clone(), edges, leaving }
    }
}

impl<const WORDS: usize, const CODE_BITS: u32> StateSpace for Numbered<WORDS, CODE_BITS> {
    type State = usize;
    type Packed = u32;
    type Move = usize;
    type Moves = Range<usize>;
    type Undo = ();

    fn pack(&self, state: &usize) -> u32 {
        self.graph.pack(state)
    }

    fn unpack(&self, packed: u32) -> usize {
        self.graph.unpack(packed)
    }

    fn is_goal(&self, state: &usize) -> bool {
        self.graph.is_goal(state)
    }

    fn moves(&self, state: &usize) -> Range<usize> {
        self.leaving[*state].clone()
    }

    fn apply(&self, state: &mut usize, m: usize) {
        *state = self.edges[m].1;
    }

    fn undo(&self, state: &mut usize, m: usize, (): ()) {
        self.retrace(state, m);
    }

    fn abilities<'a, V: AbilityVisitor<'a, Self>>(&'a self, visitor: V) -> V {
        visitor.keyed(self)
    }
}

impl<const WORDS: usize, const CODE_BITS: u32> Keyed for Numbered<WORDS, CODE_BITS> {
    const KEY_WORDS: usize = WORDS;
    const CODE_BITS: u32 = CODE_BITS;

    fn key(&self, state: &usize) -> [u64; 2] {
        let node = *state as u64;
        if WORDS == 1 { [node, 0] } else { [node % 5, node / 5] }
    }

    const DENSE_KEYS: bool = CODE_BITS <= 8;

    fn key_bound(&self) -> u64 {
        self.leaving.len() as u64
    }

    fn state_of_key(&self, [first, second]: [u64; 2]) -> usize {
        (if WORDS == 1 { first } else { second * 5 + first }) as usize
    }

    const SUCCESSORS_BY_KEY: bool = CODE_BITS % 2 == 1;
    const MAX_VISITS: usize = 1 << 12;

    fn code(&self, m: usize) -> u32 {
        m as u32
    }

    fn move_of_code(&self, code: u32) -> usize {
        code as usize
    }

    fn retrace(&self, state: &mut usize, m: usize) {
        assert_eq!(self.edges[m].1, *state, "a move is retraced from the state that it leads to");
        *state = self.edges[m].0;
    }
}

/// The estimates of a table, for the [`Numbered`] form of its graph.
#[derive(Debug)]
pub(crate) struct NumberedTable(pub(crate) Table);

impl<const WORDS: usize, const CODE_BITS: u32> Heuristic<Numbered<WORDS, CODE_BITS>> for NumberedTable {
    type Eval = usize;

    fn evaluate(&self, _space: &Numbered<WORDS, CODE_BITS>, state: &usize) -> usize {
        *state
    }

    fn estimate(&self, eval: usize) -> admissible::Estimate {
        self.0.estimates[eval]
    }

    fn properties(&self, _space: &Numbered<WORDS, CODE_BITS>) -> Properties {
        self.0.properties
    }
}

const CONSISTENT: [Kind; 3] = [Kind::Blind, Kind::Perfect, Kind::Consistent];

/// A case, its numbered graph and a table of estimates.
pub(crate) struct Setting<const WORDS: usize, const CODE_BITS: u32 = 24> {
    pub(crate) case: Case,
    pub(crate) space: Numbered<WORDS, CODE_BITS>,
    pub(crate) table: NumberedTable,
}

impl<const WORDS: usize, const CODE_BITS: u32> Setting<WORDS, CODE_BITS> {
    pub(crate) fn new(case: Case, kind: Kind, random: &mut Random) -> Self {
        let (table, _) = case.tables(kind, random);
        Setting { space: Numbered::new(&case.graph), case, table: NumberedTable(table) }
    }

    fn search(&self, limits: &Limits) -> Box<dyn Search<Numbered<WORDS, CODE_BITS>> + '_> {
        astar(&self.space, self.case.start, &self.table, TieBreak::LowH, limits)
    }

    fn run(&self, limits: &Limits) -> Report<usize> {
        run(&mut *self.search(limits), limits, &mut ())
    }

    fn eager(&self) -> Report<usize> {
        let limits = Limits::default();
        run(&mut eager_astar(&self.space, self.case.start, &self.table, TieBreak::LowH, &limits), &limits, &mut ())
    }

    /// Panics unless the solution is a cheapest path, and the counts that every correct A* shares are right.
    pub(crate) fn check(&self, report: &Report<usize>) {
        self.check_answer(report);
        let stats = report.stats;
        assert_eq!(stats.expanded_before_last_layer, self.case.certain_expansions(&self.table.0), "{stats:?}");
        assert_eq!(stats.reopened, 0, "{stats:?}");
        assert!(stats.expanded <= stats.stored && stats.bytes <= stats.peak_bytes, "{stats:?}");
        assert!(stats.max_frontier <= stats.generated + 1, "{stats:?}");
    }

    /// Panics unless the outcome is a cheapest path, or rightly unsolvable.
    pub(crate) fn check_answer(&self, report: &Report<usize>) {
        match &report.outcome {
            Outcome::Solved(solution) => {
                let mut solution = solution.clone();
                assert_eq!(solution.guarantee, Guarantee::Optimal);
                let walked =
                    solution.moves.windows(2).all(|two| self.space.edges[two[0]].1 == self.space.edges[two[1]].0);
                assert!(walked, "the moves follow each other: {solution:?}");
                solution.moves.iter_mut().for_each(|m| *m = self.space.edges[*m].2);
                let cost = u64::from(solution.cost);
                assert_eq!(self.case.graph.replay(self.case.start, &solution), Replay { ends_at_goal: true, cost });
                assert_eq!(Some(cost), self.case.optimum);
            }
            Outcome::Unsolvable => assert_eq!(self.case.optimum, None),
            Outcome::Stopped { .. } => panic!("the search has no limits: {report:?}"),
        }
    }
}

fn for_many_settings<const WORDS: usize, const CODE_BITS: u32>(
    seeds: Range<u64>,
    most_nodes: usize,
    check: impl Fn(&Setting<WORDS, CODE_BITS>),
) {
    for seed in seeds {
        let mut random = Random::new(seed);
        let case = Case::random(&mut random, most_nodes, Costs::Unit);
        let kind = CONSISTENT[random.below(3)];
        let setting = Setting::new(case, kind, &mut random);
        let _about = About((seed, kind));
        check(&setting);
    }
}

#[test]
fn keys_of_graphs_keep_the_laws() {
    for_many_settings::<1, 6>(0..20, 12, |setting| {
        (0..setting.space.leaving.len()).for_each(|node| admissible::laws::check_space(&setting.space, &node));
    });
    for_many_settings::<1, 24>(0..20, 60, |setting| {
        (0..setting.space.leaving.len()).for_each(|node| admissible::laws::check_space(&setting.space, &node));
    });
    for_many_settings::<2, 23>(0..20, 60, |setting| {
        (0..setting.space.leaving.len()).for_each(|node| admissible::laws::check_space(&setting.space, &node));
    });
}

#[test]
fn packed_astar_finds_cheapest_paths_on_thousands_of_graphs() {
    let check = |setting: &Setting<1>| setting.check(&setting.run(&Limits::default()));
    for_many_settings(0..3000, 60, check);
    for_many_settings(0..1500, 8, check);
    for_many_settings::<1, 6>(0..1500, 12, |setting| {
        setting.check(&setting.run(&Limits::default()));
    });
    for_many_settings::<2, 24>(0..1500, 60, |setting| {
        setting.check(&setting.run(&Limits::default()));
    });
}

#[test]
fn successors_by_key_give_cheapest_paths_on_thousands_of_graphs() {
    for_many_settings::<1, 23>(0..3000, 60, |setting| {
        setting.check(&setting.run(&Limits::default()));
    });
    for_many_settings::<1, 7>(0..1500, 12, |setting| {
        setting.check(&setting.run(&Limits::default()));
    });
    for_many_settings::<2, 23>(0..1500, 60, |setting| {
        setting.check(&setting.run(&Limits::default()));
    });
}

#[test]
fn a_goal_is_found_although_its_estimate_is_not_zero() {
    fn check<const CODE_BITS: u32>(setting: &Setting<1, CODE_BITS>) {
        let more = |estimate: &Estimate| estimate.units().map_or(*estimate, |units| Estimate::new(units + 1));
        let estimates = setting.table.0.estimates.iter().map(more).collect();
        // It falls by no more than a move costs, but it is not admissible.
        let properties = Properties { admissible: false, consistent: true };
        let (table, limits) = (NumberedTable(Table { estimates, properties }), Limits::default());
        let (space, start) = (&setting.space, setting.case.start);
        let mut single = astar(space, start, &table, TieBreak::LowH, &limits);
        let mut parallel = hdastar(space, start, &table, Team::of(2), &limits).expect("the space has keys");
        for search in [&mut *single as &mut dyn Search<_>, &mut *parallel] {
            let outcome = run(search, &limits, &mut ()).outcome;
            assert_eq!(outcome.cost().map(u64::from), setting.case.optimum);
            assert!(outcome.solution().is_none_or(|found| found.guarantee == Guarantee::None), "{outcome:?}");
        }
    }
    for_many_settings::<1, 24>(0..300, 60, check);
    for_many_settings::<1, 23>(0..300, 60, check);
}

/// A graph in which a blind search expands tens of thousands of nodes.
pub(crate) fn large<const CODE_BITS: u32>(seed: u64, kind: Kind) -> Setting<1, CODE_BITS> {
    let mut random = Random::new(seed);
    let nodes = 60_000;
    let mut graph = Graph::random(&mut random, nodes, Costs::Unit);
    for node in 0..nodes {
        graph.edges[node].extend([((node + 1) % nodes, 1), ((node * 7 + 3) % nodes, 1)]);
    }
    let far = crate::graph::distances(&graph.edges, &[0]);
    let farthest = far.iter().enumerate().max_by_key(|(_, distance)| **distance).map(|(node, _)| node);
    let case = Case::new(Graph::new(graph.edges, farthest.into_iter().collect()), 0);
    Setting::new(case, kind, &mut random)
}

#[test]
fn both_engines_agree_on_large_graphs_while_tables_grow() {
    engines_agree_on_large_graphs::<24>();
    engines_agree_on_large_graphs::<23>();
}

fn engines_agree_on_large_graphs<const CODE_BITS: u32>() {
    for seed in 0..6 {
        let kind = [Kind::Blind, Kind::Consistent][seed as usize % 2];
        let setting = large::<CODE_BITS>(seed, kind);
        let _about = About((seed, kind));
        let (packed, eager) = (setting.run(&Limits::default()), setting.eager());
        setting.check(&packed);
        setting.check(&eager);
        assert!(packed.stats.frontier_duplicates && !eager.stats.frontier_duplicates, "both engines ran");
        if kind == Kind::Blind {
            assert!(packed.stats.expanded > 40_000, "{:?}", packed.stats);
        }
    }
}

#[test]
fn only_fifo_and_lifo_ties_and_full_counts_use_the_eager_engine() {
    let mut random = Random::new(5);
    let graph = Graph::new(vec![vec![(1, 1)], vec![(2, 1)], vec![]], vec![2]);
    let mut setting = |kind| Setting::<1>::new(Case::new(graph.clone(), 0), kind, &mut random);
    let (consistent, inconsistent) = (setting(Kind::Blind), setting(Kind::Inconsistent));
    let is_eager = |stats: Stats| {
        assert_eq!(stats.generated, 2);
        !stats.frontier_duplicates
    };
    let limits = Limits::default();
    let tie = |tie| run(&mut *astar(&consistent.space, 0, &consistent.table, tie, &limits), &limits, &mut ()).stats;
    assert!(is_eager(tie(TieBreak::Fifo)) && is_eager(tie(TieBreak::Lifo)) && is_eager(consistent.eager().stats));
    assert!(!is_eager(tie(TieBreak::LowH)) && !is_eager(inconsistent.run(&limits).stats));
    let plain = Astar::new(&consistent.case.graph, &consistent.table.0).solve(0);
    assert!(!is_eager(plain.stats), "a space without keys");
}

#[test]
fn a_node_limit_stops_packed_astar_at_exactly_that_many_expansions() {
    node_limit_is_exact::<24>();
    node_limit_is_exact::<23>();
}

fn node_limit_is_exact<const CODE_BITS: u32>() {
    for_many_settings::<1, CODE_BITS>(0..300, 60, |setting| {
        let whole = setting.run(&Limits::default());
        for most in (0..whole.stats.expanded).step_by(3) {
            let limited = setting.run(&Limits { expanded: Some(most), ..Limits::default() });
            assert_eq!(limited.stats.expanded, most);
            let Outcome::Stopped { why: Stop::Nodes, lower_bound } = limited.outcome else { panic!("{limited:?}") };
            assert!(setting.case.optimum.is_none_or(|optimum| u64::from(lower_bound) <= optimum), "{limited:?}");
        }
        assert_eq!(setting.run(&Limits { expanded: Some(whole.stats.expanded + 1), ..Limits::default() }), whole);
    });
}

#[test]
fn packed_astar_keeps_a_memory_limit_with_a_true_lower_bound() {
    memory_limit_is_kept::<24>();
    memory_limit_is_kept::<23>();
}

fn memory_limit_is_kept<const CODE_BITS: u32>() {
    let mut stopped = 0;
    for seed in 0..60 {
        let mut random = Random::new(seed);
        let nodes = 20_000 + random.below(30_000);
        let mut graph = Graph::random(&mut random, nodes, Costs::Unit);
        graph.goals.truncate(1);
        let kind = [Kind::Blind, Kind::Consistent][random.below(2)];
        let setting = Setting::<1, CODE_BITS>::new(Case::new(graph, 0), kind, &mut random);
        let bytes = 100_000 + random.below(700_000) as u64;
        let _about = About((seed, kind, bytes));
        let report = setting.run(&Limits { bytes: Some(bytes), ..Limits::default() });
        assert!(report.stats.peak_bytes <= bytes, "{:?}", report.stats);
        match report.outcome {
            Outcome::Stopped { why, lower_bound } => {
                stopped += 1;
                assert_eq!(why, Stop::Memory);
                assert!(setting.case.optimum.is_none_or(|optimum| u64::from(lower_bound) <= optimum));
            }
            _ => setting.check(&report),
        }
    }
    assert!((5..55).contains(&stopped), "{stopped} of 60 ran out of memory");
}

#[test]
fn stepping_gives_the_report_that_running_gives_and_every_visit() {
    stepping_is_running::<24>();
    stepping_is_running::<23>();
}

fn stepping_is_running<const CODE_BITS: u32>() {
    for_many_settings::<1, CODE_BITS>(0..400, 60, |setting| {
        let mut expected = setting.run(&Limits::default());
        let mut search = setting.search(&Limits::default());
        let mut visits: Vec<Visit<u32>> = Vec::new();
        while search.advance(1) != Progress::Ended {
            if search.stats().expanded > visits.len() as u64 {
                visits.push(search.last_visit().expect("something was expanded"));
            }
        }
        expected.stats.peak_bytes = search.stats().peak_bytes;
        let outcome = search.outcome().expect("it has ended").clone();
        assert_eq!(Report { outcome, stats: search.stats() }, expected);
        assert_eq!(visits.len() as u64, expected.stats.expanded);
        for (at, visit) in visits.iter().enumerate() {
            let h = setting.table.0.estimates[visit.state as usize].units();
            assert_eq!((Some(visit.h), visit.scale, visit.backward), (h, 1, false));
            let before = |parent: u32| {
                let joined = setting.case.graph.edges[parent as usize].contains(&(visit.state as usize, 1));
                joined && visits[..at].iter().any(|other| other.state == parent && other.g + 1 == visit.g)
            };
            assert!(visit.parent.map_or(visit.g == 0, before), "{visit:?}");
        }
    });
}

#[test]
fn a_large_search_does_not_depend_on_the_size_of_its_steps() {
    for seed in 0..4 {
        let (setting, limits) = (large::<23>(seed, Kind::Blind), Limits::default());
        let search = || astar(&setting.space, setting.case.start, &setting.table, TieBreak::LowH, &limits);
        let whole = run(&mut *search(), &limits, &mut ());
        let mut stepped = search();
        while stepped.advance(1 + seed) != Progress::Ended {}
        let mut stats = stepped.stats();
        // The peak depends on how often memory is measured.
        stats.peak_bytes = whole.stats.peak_bytes;
        assert_eq!((stepped.outcome(), stats), (Some(&whole.outcome), whole.stats));
    }
}

#[test]
fn a_stopped_search_stays_stopped() {
    for_many_settings::<1, 24>(0..200, 60, |setting| {
        let limits = Limits { expanded: Some(10), ..Limits::default() };
        let mut search = setting.search(&limits);
        let report = run(&mut *search, &limits, &mut ());
        search.advance(100);
        search.stop(Stop::Interrupted);
        assert_eq!((search.outcome(), search.stats()), (Some(&report.outcome), report.stats));
    });
}

#[test]
fn the_closed_states_of_packed_astar_certify_its_outcome() {
    fn check<const WORDS: usize, const CODE_BITS: u32>(setting: &Setting<WORDS, CODE_BITS>) -> usize {
        let mut search = setting.search(&Limits::default());
        check_certificate(&setting.case, &mut *search, &h_of(&setting.table.0))
    }
    for_many_settings::<1, 24>(0..1000, 60, |setting| _ = check(setting));
    for_many_settings::<1, 6>(0..500, 12, |setting| _ = check(setting));
    for_many_settings::<2, 24>(0..500, 60, |setting| _ = check(setting));
    for_many_settings::<1, 23>(0..1000, 60, |setting| _ = check(setting));
    for_many_settings::<1, 7>(0..500, 12, |setting| _ = check(setting));
    // Large enough for the table to grow several times.
    let mut random = Random::new(3);
    let nodes = 60_000;
    let mut graph = Graph::random(&mut random, nodes, Costs::Unit);
    for node in 0..nodes {
        graph.edges[node].extend([((node + 1) % nodes, 1), ((node * 7 + 3) % nodes, 1)]);
    }
    let far = crate::graph::distances(&graph.edges, &[0]);
    let farthest = far.iter().enumerate().max_by_key(|(_, distance)| **distance).map(|(node, _)| node);
    let case = Case::new(Graph::new(graph.edges, farthest.into_iter().collect()), 0);
    let setting = Setting::<1>::new(case, Kind::Blind, &mut random);
    assert!(check(&setting) > 40_000);
}
