//! IDA* on unsolvable instances, where cycles would make it search for ever, and its pruning of moves back.

use admissible::StateSpace;
use admissible::heuristic::{Estimate, Heuristic, Zero};
use admissible::search::{Idastar, Limits, Outcome, Stats, Stop, Team, idastar, run};

use crate::graph::Graph;
use crate::plane::{Direction, Plane, PlaneDistance};

#[test]
fn idastar_proves_that_a_cycle_without_a_goal_is_unsolvable() {
    let circle = Graph::new(vec![vec![(1, 1)], vec![(2, 1), (0, 1)], vec![(0, 1)], vec![]], vec![3]);
    let report = run(&mut *idastar(&circle, 0, &Zero, &Limits::default()), &Limits::default(), &mut ());
    assert_eq!(report.outcome, Outcome::Unsolvable);
}

#[test]
fn idastar_needs_no_proof_without_cycles() {
    let fork = Graph::new(vec![vec![(1, 1), (2, 1)], vec![(3, 1)], vec![(3, 1)], vec![], vec![]], vec![4]);
    let report = run(&mut *idastar(&fork, 0, &Zero, &Limits::default()), &Limits::default(), &mut ());
    assert_eq!(report.outcome, Outcome::Unsolvable);
    assert!(report.stats.expanded < 20, "{:?}", report.stats);
}

#[test]
fn idastar_stops_at_a_node_limit_in_an_infinite_space_without_a_goal() {
    let plane = Plane { goal: None, step_cost: 3 };
    let limits = Limits { expanded: Some(200_000), ..Limits::default() };
    let report = run(&mut *idastar(&plane, (0, 0), &PlaneDistance, &limits), &limits, &mut ());
    assert!(matches!(report.outcome, Outcome::Stopped { why: Stop::Nodes, .. }), "{report:?}");
    assert_eq!(report.stats.expanded, 200_000);
}

#[test]
fn idastar_continues_when_the_proof_does_not_fit_into_memory() {
    let plane = Plane { goal: Some((100, 100)), step_cost: 3 };
    let limits = Limits { expanded: Some(6_000_000), bytes: Some(100_000), ..Limits::default() };
    let report = run(&mut *idastar(&plane, (0, 0), &Zero, &limits), &limits, &mut ());
    let Outcome::Stopped { why: Stop::Nodes, lower_bound } = report.outcome else { panic!("{report:?}") };
    assert!(lower_bound > 0 && Some(lower_bound) <= plane.distance((0, 0)), "{report:?}");
    assert_eq!(report.stats.expanded, 6_000_000);
    assert!(report.stats.peak_bytes <= 100_000, "{report:?}");
}

#[test]
fn idastar_omits_the_inverse_of_the_last_move() {
    let plane = Plane { goal: Some((3, 0)), step_cost: 1 };
    let report = run(&mut *idastar(&plane, (0, 0), &Zero, &Limits::default()), &Limits::default(), &mut ());
    assert_eq!(report.outcome.cost(), Some(3));
    // Each of four iterations expands the root. Those with bounds 1 and 2 expand 4 and 16 states below it; the last one
    // tries the path east first.
    assert_eq!((report.stats.iterations, report.stats.expanded), (4, 4 + 4 + 16 + 2));
}

/// A plane without abilities.
struct WithoutAbilities(Plane);

impl StateSpace for WithoutAbilities {
    type State = (i32, i32);
    type Packed = (i32, i32);
    type Move = Direction;
    type Moves = [Direction; 4];
    type Undo = ();

    fn pack(&self, state: &(i32, i32)) -> (i32, i32) {
        *state
    }

    fn unpack(&self, packed: (i32, i32)) -> (i32, i32) {
        packed
    }

    fn is_goal(&self, state: &(i32, i32)) -> bool {
        self.0.is_goal(state)
    }

    fn moves(&self, state: &(i32, i32)) -> [Direction; 4] {
        self.0.moves(state)
    }

    fn apply(&self, state: &mut (i32, i32), m: Direction) {
        self.0.apply(state, m);
    }

    fn undo(&self, state: &mut (i32, i32), m: Direction, (): ()) {
        self.0.undo(state, m, ());
    }
}

#[test]
fn idastar_recognises_the_grandparent_in_a_space_without_inverses() {
    for goal in [(0, 0), (3, 0), (-2, 4), (5, 5)] {
        let (invertible, limits) = (Plane { goal: Some(goal), step_cost: 1 }, Limits::default());
        let without = WithoutAbilities(invertible);
        for team in [1, 3].map(|threads| Team { worth_it: 0, ..Team::of(threads) }) {
            let by_inverse = Idastar::new(&invertible, &Zero).threads(team).search((0, 0));
            let by_grandparent = Idastar::new(&without, &Zero).threads(team).search((0, 0));
            let by_inverse = run(&mut *{ by_inverse }, &limits, &mut ());
            let by_grandparent = run(&mut *{ by_grandparent }, &limits, &mut ());
            assert_eq!(by_grandparent.outcome.cost(), by_inverse.outcome.cost());
            let before = |stats: Stats| stats.expanded_before_last_layer;
            assert_eq!(before(by_grandparent.stats), before(by_inverse.stats));
            if team.threads == 1 {
                assert_eq!(by_grandparent.outcome, by_inverse.outcome);
                assert_eq!(by_grandparent.stats.generated, by_inverse.stats.generated);
            }
        }
    }
}

/// Falsely calls node 2 a dead end.
struct WrongAboutTwo;

impl Heuristic<Graph> for WrongAboutTwo {
    type Eval = Estimate;

    fn evaluate(&self, _graph: &Graph, node: &usize) -> Estimate {
        if *node == 2 { Estimate::DEAD_END } else { Estimate::new(0) }
    }

    fn estimate(&self, eval: Estimate) -> Estimate {
        eval
    }
}

#[test]
fn idastar_ends_if_a_false_dead_end_hides_the_solution() {
    let line = Graph::new(vec![vec![(1, 1)], vec![(0, 1), (2, 1)], vec![(3, 1)], vec![]], vec![3]);
    let limits = Limits { expanded: Some(50_000_000), ..Limits::default() };
    let report = run(&mut *idastar(&line, 0, &WrongAboutTwo, &limits), &limits, &mut ());
    assert!(matches!(report.outcome, Outcome::Stopped { why: Stop::Unproved, .. }), "{report:?}");
}
