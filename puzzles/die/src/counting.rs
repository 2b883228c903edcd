//! The counting rules of two published reports on rolling-die mazes.

use admissible_front::counting::{CountingRule, OpenRule};

/// The rules, in the order of the reports.
pub(super) const RULES: &[CountingRule] = &[
    CountingRule {
        name: "first-report",
        summary: "as the first report: its A*, with moves in the order S E N W and a list as the frontier",
        explanation: "generated is the start and every successor that is not closed, even if it is on the frontier \
                      already; visited is the states taken off the frontier, the goal included. Moves are tried in \
                      the order S E N W. The frontier is a list in order of arrival, and the first state of least f \
                      is taken. A state on the frontier that is reached more cheaply gets its new g and keeps its \
                      place. Closed states are not reopened",
        moves: &["S", "E", "N", "W"],
        open: OpenRule::ArrivalList,
    },
    CountingRule {
        name: "second-report",
        summary: "as the second report: its A*, with moves in the order N E S W and a heap as the frontier",
        explanation: "generated is what is put on the frontier, without the start: new states, and those on it that \
                      are reached more cheaply; visited is the states taken off the frontier, the goal included. Moves \
                      are tried in the order N E S W. The frontier is a binary heap by f alone, in which an entry also \
                      moves past others of equal f. Closed states are not reopened",
        moves: &["N", "E", "S", "W"],
        open: OpenRule::EqualSwappingHeap,
    },
];
