//! Brute-force solvers for four puzzles, which the tests compare every algorithm and heuristic with.
//!
//! They share no code with the library: boards are plain vectors and strings, the rules are implemented a second time
//! from their description. The algorithm is breadth-first search, where every action costs 1; [`reports`] has the
//! searches of published reports, [`textbook`] the algorithms of textbooks. Instances must be well formed.

#![forbid(unsafe_code)]
#![warn(missing_docs)]

pub mod chexers;
pub mod die;
pub mod klotski;
mod random;
pub mod reports;
pub mod textbook;
pub mod tiles;

use std::collections::hash_map::Entry;
use std::collections::{HashMap, VecDeque};
use std::hash::Hash;

pub use random::Random;

/// Depth of every state that can be reached from `starts`.
fn depths<State: Clone + Eq + Hash>(
    starts: Vec<State>,
    neighbours: impl Fn(&State) -> Vec<State>,
) -> HashMap<State, u32> {
    breadth_first(starts, neighbours, |_| false).0
}

/// Least number of actions from `start` to a goal, if one can be reached.
fn distance<State: Clone + Eq + Hash>(
    start: State,
    neighbours: impl Fn(&State) -> Vec<State>,
    is_goal: impl Fn(&State) -> bool,
) -> Option<u32> {
    breadth_first(vec![start], neighbours, is_goal).1
}

/// Breadth-first search up to the first goal: the depths of the states seen, and the goal's depth.
fn breadth_first<State: Clone + Eq + Hash>(
    starts: Vec<State>,
    neighbours: impl Fn(&State) -> Vec<State>,
    is_goal: impl Fn(&State) -> bool,
) -> (HashMap<State, u32>, Option<u32>) {
    let mut depths = HashMap::new();
    let mut queue = VecDeque::new();
    for start in starts {
        depths.insert(start.clone(), 0);
        queue.push_back((start, 0));
    }
    while let Some((state, depth)) = queue.pop_front() {
        if is_goal(&state) {
            return (depths, Some(depth));
        }
        for next in neighbours(&state) {
            if let Entry::Vacant(vacant) = depths.entry(next) {
                queue.push_back((vacant.key().clone(), depth + 1));
                vacant.insert(depth + 1);
            }
        }
    }
    (depths, None)
}
