//! Samples of spaces that are too large: states around the end of a path to a goal, where distances can be proved.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};
use std::time::{Duration, Instant};

use pyo3::prelude::*;

use crate::distances::{Distances, INFINITE, Predecessors, Scale};
use crate::graph::{Estimate, Graph};
use crate::states::Id;
use crate::watch::Pulse;

/// The number of proved distances that is enough.
const ENOUGH: usize = 1_000;

/// Follows the heuristic to a goal unless one is known, then explores breadth-first from the last states of the path,
/// until enough distances are proved.
pub(crate) fn around_goals(
    py: Python<'_>,
    graph: &mut Graph,
    heuristic: usize,
    more_states: usize,
    time: Duration,
    pulse: &mut Pulse<'_>,
) -> PyResult<()> {
    let begin = Instant::now();
    let most = graph.len() + more_states;
    let mut roots: VecDeque<Id> = (0..graph.len() as Id).filter(|&id| graph.goals[id as usize]).take(16).collect();
    if roots.is_empty() {
        let half = graph.len() + more_states / 2;
        roots = greedy_path(py, graph, heuristic, half, time / 2, pulse)?.into();
    }
    let mut next_look = graph.len() + 4096;
    let mut seen = vec![false; graph.len()];
    roots.iter().for_each(|&id| seen[id as usize] = true);
    while let Some(id) = roots.pop_front() {
        if graph.len() > most || begin.elapsed() > time {
            break;
        }
        if graph.len() >= next_look {
            if proved(graph) >= ENOUGH {
                break;
            }
            // Looking takes far less time than exploring a quarter more.
            next_look = graph.len() / 4 * 5;
        }
        pulse.beat(py, "states around a goal", graph.len() as u64, most as u64)?;
        graph.expand(py, id)?;
        seen.resize(graph.len(), false);
        for at in graph.range(id).unwrap_or(0..0) {
            let to = graph.edges[at as usize].to;
            if !std::mem::replace(&mut seen[to as usize], true) {
                roots.push_back(to);
            }
        }
    }
    Ok(())
}

/// The number of states whose distance is proved: no path through unknown states can be shorter.
fn proved(graph: &Graph) -> usize {
    let Ok(scale) = Scale::of(graph) else { return ENOUGH };
    let predecessors = Predecessors::of(graph);
    let inside = Distances::to(graph, &scale, &predecessors, |id| graph.goals[id as usize]);
    let exits = Distances::to(graph, &scale, &predecessors, |id| graph.range(id).is_none());
    inside.keys.iter().zip(&exits.keys).filter(|(inside, exit)| **inside != INFINITE && inside <= exit).count()
}

/// The states of a path to a goal that greedy search finds, the goal first; empty if it finds none in time.
fn greedy_path(
    py: Python<'_>,
    graph: &mut Graph,
    heuristic: usize,
    most_states: usize,
    time: Duration,
    pulse: &mut Pulse<'_>,
) -> PyResult<Vec<Id>> {
    const NONE: Id = Id::MAX;
    let begin = Instant::now();
    let h = |graph: &mut Graph, id: Id| -> PyResult<u64> {
        Ok(match graph.estimate(py, heuristic, id)? {
            // Non-negative floats are ordered like their bits.
            Estimate::Number(h) => h.approximate().max(0.0).to_bits(),
            _ => u64::MAX,
        })
    };
    let mut parents = vec![NONE; graph.len()];
    let mut seen = vec![false; graph.len()];
    let mut open = BinaryHeap::from([Reverse((h(graph, 0)?, 0, 0 as Id))]);
    seen[0] = true;
    let mut serial = 0_u64;
    while let Some(Reverse((_, _, id))) = open.pop() {
        if graph.goals[id as usize] {
            let mut path = vec![id];
            let mut at = id;
            while parents[at as usize] != NONE {
                at = parents[at as usize];
                path.push(at);
            }
            return Ok(path);
        }
        if graph.len() > most_states || begin.elapsed() > time {
            break;
        }
        pulse.beat(py, "on the way to a goal", graph.len() as u64, most_states as u64)?;
        graph.expand(py, id)?;
        parents.resize(graph.len(), NONE);
        seen.resize(graph.len(), false);
        for at in graph.range(id).unwrap_or(0..0) {
            let to = graph.edges[at as usize].to;
            if !std::mem::replace(&mut seen[to as usize], true) {
                parents[to as usize] = id;
                serial += 1;
                open.push(Reverse((h(graph, to)?, serial, to)));
            }
        }
    }
    Ok(Vec::new())
}
