//! The searches of two published reports on rolling-die mazes, a second time: plain lists and floating-point estimates.

use std::collections::{HashMap, HashSet};
use std::hash::Hash;

use crate::die::{State, find, rolls, start};

/// A finished search of a report.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReportRun<S = State> {
    /// The states in the order in which they were taken off the frontier, the goal included.
    pub visited: Vec<S>,
    /// The states generated, as the report counts them.
    pub generated: u64,
    /// The largest size of the frontier.
    pub frontier: usize,
    /// The cost of the solution.
    pub cost: Option<u32>,
}

impl<S> ReportRun<S> {
    /// A search with the start on its frontier.
    fn begin(generated: u64) -> Self {
        ReportRun { visited: Vec::new(), generated, frontier: 1, cost: None }
    }
}

/// A problem for the search of a report.
pub struct Problem<'a, S> {
    /// The start.
    pub start: S,
    /// The successors of a state, in the order in which the report tries its moves.
    pub successors: &'a dyn Fn(S) -> Vec<S>,
    /// The estimate of a state.
    pub estimate: &'a dyn Fn(S) -> f64,
    /// Whether a state is a goal.
    pub is_goal: &'a dyn Fn(S) -> bool,
}

/// A heuristic of a report at a state, given the row and the column of the goal.
///
/// # Panics
///
/// If there is no heuristic of that name.
#[must_use]
pub fn estimate(name: &str, (row, column, up, north, east): State, goal: (usize, usize)) -> f64 {
    let (dy, dx) = (row.abs_diff(goal.0), column.abs_diff(goal.1));
    let m = dx + dy;
    let in_line = dx == 0 || dy == 0;
    let beside = dx == 1 || dy == 1;
    let is_up = up == 1;
    // Whether the 1 faces towards the goal, or away from it.
    let (northern, eastern) = (goal.0 < row, goal.1 > column);
    let (towards, away) = match (north, east) {
        (1, _) => (dy > 0 && northern, dy > 0 && !northern),
        (6, _) => (dy > 0 && !northern, dy > 0 && northern),
        (_, 1) => (dx > 0 && eastern, dx > 0 && !eastern),
        (_, 6) => (dx > 0 && !eastern, dx > 0 && eastern),
        _ => (false, false),
    };
    let whole = match name {
        "zero" => 0,
        "euclidean" => return ((dx * dx + dy * dy) as f64).sqrt(),
        "manhattan" => m,
        "die-roll" | "die-roll-as-run" => {
            let runs_otherwise = name == "die-roll-as-run" && in_line;
            match (m, is_up) {
                (0, true) => 0,
                (0, false) => 4,
                (_, true) if in_line => m + 2,
                (_, true) => m + 4,
                (_, false) if beside || runs_otherwise => m,
                (_, false) => m + 2,
            }
        }
        "oriented-as-run" => {
            if towards || is_up && in_line {
                m
            } else if is_up || in_line && !away {
                m + 4
            } else if in_line || !beside {
                m + 2
            } else {
                m
            }
        }
        _ => panic!("no report has a heuristic {name}"),
    };
    whole as f64
}

/// The successors of a state, in the order of some letters.
fn ordered(grid: &[&str], state: State, order: &str) -> Vec<State> {
    let successors = rolls(grid, state);
    let way = |&(row, column, ..): &State| match (row.cmp(&state.0), column.cmp(&state.1)) {
        (std::cmp::Ordering::Less, _) => 'N',
        (std::cmp::Ordering::Greater, _) => 'S',
        (_, std::cmp::Ordering::Less) => 'W',
        _ => 'E',
    };
    order.chars().flat_map(|letter| successors.iter().copied().filter(move |next| way(next) == letter)).collect()
}

/// Runs the search of a report on a maze, with moves in the order of some letters.
fn on_maze(grid: &[&str], heuristic: &str, order: &str, search: fn(&Problem<'_, State>) -> ReportRun) -> ReportRun {
    let goal = find(grid, 'G');
    search(&Problem {
        start: start(grid),
        successors: &|state| ordered(grid, state, order),
        estimate: &|state| estimate(heuristic, state, goal),
        is_goal: &|(row, column, up, ..)| (row, column) == goal && up == 1,
    })
}

/// The first report's search on a maze.
///
/// # Panics
///
/// If the grid has no `S` or no `G`, or no report has the heuristic.
#[must_use]
pub fn first(grid: &[&str], heuristic: &str) -> ReportRun {
    on_maze(grid, heuristic, "SENW", arrival_list)
}

/// The second report's search on a maze.
///
/// # Panics
///
/// If the grid has no `S` or no `G`, or no report has the heuristic.
#[must_use]
pub fn second(grid: &[&str], heuristic: &str) -> ReportRun {
    on_maze(grid, heuristic, "NESW", equal_swapping_heap)
}

/// The first report's search: the frontier is a list in order of arrival.
#[must_use]
pub fn arrival_list<S: Copy + Eq + Hash>(problem: &Problem<'_, S>) -> ReportRun<S> {
    let mut list = vec![(problem.start, 0_u32)];
    let mut closed = HashSet::new();
    let mut run = ReportRun::begin(1);
    loop {
        let mut best: Option<(usize, f64)> = None;
        for (at, &(state, g)) in list.iter().enumerate() {
            let f = f64::from(g) + (problem.estimate)(state);
            if best.is_none_or(|(_, least)| f < least) {
                best = Some((at, f));
            }
        }
        let Some((at, _)) = best else { return run };
        let (state, g) = list.remove(at);
        run.visited.push(state);
        if (problem.is_goal)(state) {
            return ReportRun { cost: Some(g), ..run };
        }
        closed.insert(state);
        for next in (problem.successors)(state) {
            if closed.contains(&next) {
                continue;
            }
            run.generated += 1;
            match list.iter_mut().find(|(known, _)| *known == next) {
                Some((_, known_g)) => *known_g = (*known_g).min(g + 1),
                None => list.push((next, g + 1)),
            }
        }
        run.frontier = run.frontier.max(list.len());
    }
}

/// The second report's frontier: a heap from place 1 on, in which an entry moves past others of equal `f`.
struct Heap<S>(Vec<(f64, S)>);

impl<S> Heap<S> {
    fn up(&mut self, mut at: usize) -> usize {
        while at > 1 && self.0[at / 2].0 >= self.0[at].0 {
            self.0.swap(at, at / 2);
            at /= 2;
        }
        at
    }

    fn down(&mut self, mut at: usize) {
        while 2 * at < self.0.len() {
            let mut child = 2 * at;
            if child + 1 < self.0.len() && self.0[child + 1].0 <= self.0[child].0 {
                child += 1;
            }
            if self.0[at].0 < self.0[child].0 {
                return;
            }
            self.0.swap(at, child);
            at = child;
        }
    }

    fn pop(&mut self) -> Option<S> {
        let last = self.0.len() - 1;
        if last == 0 {
            return None;
        }
        self.0.swap(1, last);
        let (_, state) = self.0.pop()?;
        self.down(1);
        Some(state)
    }
}

/// The second report's search: the frontier is a binary heap by `f`.
#[must_use]
pub fn equal_swapping_heap<S: Copy + Eq + Hash>(problem: &Problem<'_, S>) -> ReportRun<S> {
    let from = problem.start;
    let f = |g: u32, state: S| f64::from(g) + (problem.estimate)(state);
    // Place 0 is not used.
    let mut heap = Heap(vec![(0.0, from), (f(0, from), from)]);
    let mut costs = HashMap::from([(from, 0)]);
    let mut closed = HashSet::new();
    let mut run = ReportRun::begin(0);
    while let Some(state) = heap.pop() {
        let g = costs[&state];
        run.visited.push(state);
        if (problem.is_goal)(state) {
            return ReportRun { cost: Some(g), ..run };
        }
        closed.insert(state);
        for next in (problem.successors)(state) {
            let entry = (f(g + 1, next), next);
            if closed.contains(&next) {
                continue;
            }
            match heap.0.iter().skip(1).position(|(_, known)| *known == next) {
                None => {
                    heap.0.push(entry);
                    heap.up(heap.0.len() - 1);
                }
                Some(place) if entry.0 < heap.0[place + 1].0 => {
                    heap.0[place + 1] = entry;
                    let place = heap.up(place + 1);
                    heap.down(place);
                }
                Some(_) => continue,
            }
            costs.insert(next, g + 1);
            run.generated += 1;
        }
        run.frontier = run.frontier.max(heap.0.len() - 1);
    }
    run
}
