//! What a heuristic says about one instance, without a search that is guided by it.

use std::collections::{BTreeMap, HashSet};

use crate::puzzle::{Puzzle, WithHeuristic};
use admissible::{Cost, Heuristic};

/// How many states A* takes off its frontier, the goal among them, whatever the order among equals.
///
/// With a consistent heuristic every state with `g + h` below the optimum `C` has to be expanded, each once, and then the
/// goal is taken off; those with `g + h = C` may be expanded before it or not, which only tie-breaking decides. Where
/// there is no solution, every state that can be reached is expanded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Band {
    /// The states with `g + h < C`, and the goal.
    pub least: u64,
    /// The states with `g + h <= C`, and the goal.
    pub most: u64,
}

impl Band {
    /// Whether a correct A* can have taken off so many.
    pub fn contains(self, visited: u64) -> bool {
        (self.least..=self.most).contains(&visited)
    }
}

/// Looks at the start: the estimate in whole costs, `None` for a dead end.
pub(crate) struct AtStart<'a, P>(pub(crate) &'a P);

impl<P: Puzzle> WithHeuristic<P> for AtStart<'_, P> {
    type Out = Option<f64>;

    fn call<H: Heuristic<P> + Sync + 'static>(self, heuristic: H) -> Option<f64> {
        let eval = heuristic.evaluate(self.0, &self.0.start());
        heuristic.estimate(eval).units().map(|units| f64::from(units) / f64::from(heuristic.scale()))
    }
}

/// Counts the states of a [`Band`]; `None` for a heuristic that is not known to be consistent.
pub(crate) struct CountBand<'a, P> {
    pub(crate) puzzle: &'a P,
    /// The cost of a cheapest solution; `None` if there is none.
    pub(crate) optimum: Option<Cost>,
}

impl<P: Puzzle> WithHeuristic<P> for CountBand<'_, P> {
    type Out = Option<Band>;

    fn call<H: Heuristic<P> + Sync + 'static>(self, heuristic: H) -> Option<Band> {
        let puzzle = self.puzzle;
        if !heuristic.properties(puzzle).consistent {
            return None;
        }
        let optimum = self.optimum.map_or(u64::MAX, |cost| u64::from(cost) * u64::from(heuristic.scale()));
        let (mut below, mut within) = (0, 0);
        // Cheapest first, so that the first `g` of a state is its least. Along a cheapest path g + h never falls, so
        // nothing within the optimum lies behind a state beyond it.
        let mut open = BTreeMap::from([(0, vec![puzzle.pack(&puzzle.start())])]);
        let mut closed = HashSet::new();
        while let Some((g, states)) = open.pop_first() {
            for packed in states {
                let mut state = puzzle.unpack(packed);
                let h = heuristic.estimate(heuristic.evaluate(puzzle, &state)).units();
                let f = h.map(|h| u64::from(g) * u64::from(heuristic.scale()) + u64::from(h)).filter(|&f| f <= optimum);
                let Some(f) = f.filter(|_| closed.insert(packed) && !puzzle.is_goal(&state)) else { continue };
                below += u64::from(f < optimum);
                within += 1;
                for m in puzzle.moves(&state) {
                    let next: Cost = g + puzzle.cost(&state, m);
                    let undo = puzzle.apply(&mut state, m);
                    open.entry(next).or_default().push(puzzle.pack(&state));
                    puzzle.undo(&mut state, m, undo);
                }
            }
        }
        let goal = u64::from(self.optimum.is_some());
        Some(Band { least: below + goal, most: within + goal })
    }
}
