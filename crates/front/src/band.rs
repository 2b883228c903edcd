//! The states that every correct A* must expand, counted without A*.

use std::collections::{BTreeMap, HashSet};

use admissible::{Cost, StateSpace as _};

use crate::instance::{ErasedSpace, InstanceHeuristic};

/// The range of the number of states that A* takes off its open list, the goal included, under any tie-breaking.
///
/// With a consistent heuristic, A* expands every state with `g + h` below the optimum `C` once and then takes the goal
/// off; tie-breaking decides how many states with `g + h = C` it expands before (Dechter and Pearl 1985). Without a
/// solution it expands every reachable state.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Band {
    /// The states with `g + h < C`, and the goal.
    pub least: u64,
    /// The states with `g + h <= C`, and the goal.
    pub most: u64,
}

impl Band {
    /// Whether a correct A* can have visited this many states.
    pub fn contains(self, visited: u64) -> bool {
        (self.least..=self.most).contains(&visited)
    }

    /// Counts the states, given the cost of a cheapest solution or `None` if there is none. The result is `None` for a
    /// heuristic that is not known to be consistent.
    pub(crate) fn count(
        space: ErasedSpace<'_>,
        heuristic: &dyn InstanceHeuristic,
        optimum: Option<Cost>,
    ) -> Option<Band> {
        if !heuristic.properties().consistent {
            return None;
        }
        let scale = u64::from(heuristic.scale());
        let last = optimum.map_or(u64::MAX, |cost| u64::from(cost) * scale);
        let (mut below, mut within) = (0, 0);
        // Uniform-cost search, so the first `g` of a state is its least. Along a cheapest path f never decreases, so no
        // state with f <= C lies behind one with f > C.
        let mut open = BTreeMap::from([(0, vec![space.start()])]);
        let mut closed = HashSet::new();
        while let Some((g, states)) = open.pop_first() {
            for state in states {
                let h = heuristic.h(state).units();
                let f = h.map(|h| u64::from(g) * scale + u64::from(h)).filter(|&f| f <= last);
                let Some(f) = f.filter(|_| closed.insert(state) && !space.is_goal(&state)) else { continue };
                below += u64::from(f < last);
                within += 1;
                space.0.each_successor(state, &mut |next| {
                    let g: Cost = g + next.cost;
                    open.entry(g).or_default().push(next.state);
                });
            }
        }
        let goal = u64::from(optimum.is_some());
        Some(Band { least: below + goal, most: within + goal })
    }
}
