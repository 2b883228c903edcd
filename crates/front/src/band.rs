//! The states that every correct A* has to expand, counted without A*.

use std::collections::{BTreeMap, HashSet};

use admissible::{Cost, StateSpace as _};

use crate::instance::{ErasedSpace, Guide};

/// How many states A* takes off its frontier, the goal among them, whatever the order among equals.
///
/// With a consistent heuristic every state with `g + h` below the optimum `C` has to be expanded, each once, and then
/// the goal is taken off; those with `g + h = C` may be expanded before it or not, which only tie-breaking decides. Where
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

    /// Counts the states, given the cost of a cheapest solution or that there is none; `None` for a heuristic that is
    /// not known to be consistent.
    pub(crate) fn count(space: ErasedSpace<'_>, guide: &dyn Guide, optimum: Option<Cost>) -> Option<Band> {
        if !guide.properties().consistent {
            return None;
        }
        let scale = u64::from(guide.scale());
        let last = optimum.map_or(u64::MAX, |cost| u64::from(cost) * scale);
        let (mut below, mut within) = (0, 0);
        // Cheapest first, so that the first `g` of a state is its least. Along a cheapest path g + h never falls, so
        // nothing within the optimum lies behind a state beyond it.
        let mut open = BTreeMap::from([(0, vec![space.start()])]);
        let mut closed = HashSet::new();
        while let Some((g, states)) = open.pop_first() {
            for state in states {
                let h = guide.h(state).units();
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
