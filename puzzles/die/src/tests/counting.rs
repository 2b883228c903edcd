//! The counting rules of the reports, against the published tables and the searches of the oracle.

use admissible_front::{Answer, AnswerOutcome, Plan, PlanError, TraceEvent, Tracer};
use admissible_oracle::reports::{self, ReportRun};

use super::*;

const COURSE: [&str; 5] = [P1, P2, P3, P4, P5];
const COSTS: [Option<u32>; 5] = [Some(6), Some(16), None, Some(21), Some(26)];

/// The visited states of a search.
#[derive(Default)]
struct Listing(Vec<State>);

impl Tracer for Listing {
    fn event(&mut self, event: &TraceEvent) -> bool {
        let number = |key: &str| event.state[key].as_u64().expect("a number");
        let face = |key: &str| number(key) as u8;
        let (row, column) = (number("row") as usize, number("col") as usize);
        self.0.push((row, column, face("top"), face("north"), face("east")));
        true
    }
}

fn solve(text: &str, plan: &Plan, tracer: Option<&mut dyn Tracer>) -> Result<Answer, PlanError> {
    let task = entry().open(text, &ReadOptions::default()).expect("it is a maze");
    task.solve(plan, &mut (), tracer)
}

fn plan(counting: &str, heuristic: &str) -> Plan {
    Plan { counting: Some(counting.into()), heuristic: Some(heuristic.into()), ..Plan::default() }
}

/// Generated, visited and cost by a rule.
fn counted(text: &str, counting: &str, heuristic: &str) -> (u64, u64, Option<u32>) {
    let answer = solve(text, &plan(counting, heuristic), None).expect("the rule fits");
    let cost = match &answer.outcome {
        AnswerOutcome::Solved(solved) => Some(solved.cost),
        _ => None,
    };
    (answer.stats.generated, answer.stats.expanded + u64::from(cost.is_some()), cost)
}

#[test]
fn both_published_tables_come_out_whole() {
    let die_roll = [(13, 9), (37, 31), (3, 3), (63, 51), (87, 49)];
    for (counting, heuristic, row) in [
        ("first-report", "euclidean", [(21, 14), (82, 59), (3, 3), (128, 103), (1637, 1072)]),
        ("first-report", "manhattan", [(21, 14), (79, 57), (3, 3), (128, 101), (1411, 875)]),
        ("first-report", "die-roll", die_roll),
        ("first-report", "die-roll-as-run", die_roll),
        ("second-report", "zero", [(32, 24), (95, 84), (2, 3), (161, 149), (1271, 1260)]),
        ("second-report", "manhattan", [(12, 9), (67, 50), (2, 3), (101, 82), (1080, 737)]),
        ("second-report", "oriented-as-run", [(22, 16), (38, 34), (2, 3), (81, 65), (163, 98)]),
    ] {
        for ((text, cost), (generated, visited)) in COURSE.into_iter().zip(COSTS).zip(row) {
            let expected = (generated, visited, cost);
            assert_eq!(counted(text, counting, heuristic), expected, "{counting}, {heuristic}\n{text}");
        }
    }
}

#[test]
fn the_printed_heuristic_of_the_second_report_gives_other_counts() {
    let found = COURSE.map(|text| counted(text, "second-report", "oriented"));
    let expected = [(10, 7, Some(6)), (35, 31, Some(18)), (2, 3, None), (67, 53, Some(21)), (303, 176, Some(26))];
    assert_eq!(found, expected);
}

fn assert_like_the_oracle(text: &str) {
    type ReportSearch = fn(&[&str], &str) -> ReportRun;
    let searches: [(&str, ReportSearch); 2] = [("first-report", reports::first), ("second-report", reports::second)];
    for (counting, search) in searches {
        for heuristic in ["zero", "euclidean", "manhattan", "die-roll", "die-roll-as-run", "oriented-as-run"] {
            let mut listing = Listing::default();
            let answer = solve(text, &plan(counting, heuristic), Some(&mut listing)).expect("the rule fits");
            let (cost, is_proved) = match &answer.outcome {
                AnswerOutcome::Solved(solved) => (Some(solved.cost), solved.guarantee == Guarantee::Optimal),
                _ => (None, true),
            };
            let (generated, frontier) = (answer.stats.generated, answer.stats.max_frontier as usize);
            let found = ReportRun { visited: listing.0, generated, frontier, cost };
            assert_eq!(found, search(&grid(text), heuristic), "{counting}, {heuristic}\n{text}");
            let is_consistent = ["zero", "euclidean", "manhattan"].contains(&heuristic);
            assert!(is_proved == is_consistent || cost.is_none(), "{counting}, {heuristic}\n{text}");
            assert!(!is_consistent || cost == super::cost(&grid(text)), "{counting}, {heuristic}\n{text}");
        }
    }
}

#[test]
fn the_rules_visit_the_states_of_the_oracle_in_its_order() {
    COURSE.into_iter().for_each(assert_like_the_oracle);
    for seed in 0..200 {
        assert_like_the_oracle(&random_maze(seed, 2..=9));
    }
}

#[test]
fn rules_refuse_what_their_search_does_not_have() {
    let literature = plan("literature", "manhattan");
    assert!(solve(P1, &literature, None).expect("the default").counting.is_none());
    for (plan, message) in [
        (plan("third-report", "manhattan"), "die has no counting rule 'third-report'"),
        (Plan { algorithm: Some("bfs".into()), ..plan("first-report", "zero") }, "which is astar and not bfs"),
        (Plan { tie: Some(TieBreak::Lifo), ..plan("first-report", "zero") }, "leave out --tie-break"),
    ] {
        let error = solve(P1, &plan, None).expect_err("it does not fit").to_string();
        assert!(error.starts_with("--counting: ") && error.contains(message), "{error}");
    }
}
