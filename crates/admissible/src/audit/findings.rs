//! The result of an audit: counts that can be added up over parts of a space, and the counterexamples nearest to the
//! goal.

use rustc_hash::FxHashMap;

use crate::heuristic::{Estimate, Heuristic};
use crate::space::{Cost, StateSpace};

/// The findings about one heuristic.
#[derive(Debug, Clone)]
pub struct Findings<P> {
    /// The units of an estimate that make a cost of 1.
    pub scale: u32,
    /// States checked.
    pub states: u64,
    /// States from which a goal can be reached.
    pub solvable: u64,
    /// Goals.
    pub goals: u64,
    /// Moves checked.
    pub edges: u64,
    /// The largest distance to a goal.
    pub farthest: Cost,
    /// States with `h` above the distance.
    pub overestimates: u64,
    /// Those among them that the heuristic calls a dead end.
    pub false_dead_ends: u64,
    /// The largest overestimate in units, not counting dead ends.
    pub worst_overestimate: u64,
    /// Moves on which `h` falls by more than they cost.
    pub inconsistent_edges: u64,
    /// The most units by which `h` falls more than a move costs.
    pub worst_fall: u64,
    /// The state nearest to a goal with `h` above the distance.
    pub overestimate: Option<Overestimate<P>>,
    /// The move nearest to a goal on which `h` falls by more than it costs.
    pub inconsistency: Option<Inconsistency<P>>,
    /// The number of solvable states by distance and `h`, without dead ends. `h` is rounded up: it exceeds a distance
    /// exactly if it does so rounded up.
    pub joint: FxHashMap<(Cost, Cost), u64>,
    /// The sum of `h` over the states in `joint`, in units.
    pub sum_of_estimates: u128,
    /// The sum of their distances.
    pub sum_of_distances: u128,
}

/// A counterexample to admissibility.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Overestimate<P> {
    /// The state.
    pub state: P,
    /// The estimate.
    pub h: Estimate,
    /// The true distance to the nearest goal.
    pub distance: Cost,
}

/// A counterexample to consistency.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Inconsistency<P> {
    /// The state before the move.
    pub before: P,
    /// The state after it.
    pub after: P,
    /// The cost of the move.
    pub cost: Cost,
    /// The estimate before the move.
    pub h_before: Estimate,
    /// The estimate after it.
    pub h_after: Estimate,
    /// The true distance before the move, if a goal can be reached.
    pub distance: Option<Cost>,
}

impl<P> Inconsistency<P> {
    /// The distance of the state before the move, for comparisons; dead ends come last.
    pub fn nearness(&self) -> Cost {
        self.distance.unwrap_or(Cost::MAX)
    }
}

impl<P: Copy> Findings<P> {
    /// Empty findings about a heuristic with this scale.
    pub fn new(scale: u32) -> Self {
        Findings {
            scale,
            states: 0,
            solvable: 0,
            goals: 0,
            edges: 0,
            farthest: 0,
            overestimates: 0,
            false_dead_ends: 0,
            worst_overestimate: 0,
            inconsistent_edges: 0,
            worst_fall: 0,
            overestimate: None,
            inconsistency: None,
            joint: FxHashMap::default(),
            sum_of_estimates: 0,
            sum_of_distances: 0,
        }
    }

    /// Whether no state has `h` above the distance.
    pub fn admissible(&self) -> bool {
        self.overestimates == 0
    }

    /// Whether on no move `h` falls by more than it costs, and `h` is 0 at the goals.
    pub fn consistent(&self) -> bool {
        self.inconsistent_edges == 0 && self.admissible()
    }

    /// Checks a state, given its true distance to a goal (`None` for a dead end), and its moves.
    #[inline(always)]
    pub fn look<S: StateSpace<Packed = P>, H: Heuristic<S>>(
        &mut self,
        space: &S,
        heuristic: &H,
        state: &S::State,
        distance: Option<Cost>,
    ) {
        let estimate = |state: &S::State| heuristic.estimate(heuristic.evaluate(space, state));
        let scale = u64::from(heuristic.scale());
        let h = estimate(state);
        self.states += 1;
        if let Some(distance) = distance {
            self.solvable += 1;
            self.goals += u64::from(distance == 0);
            self.farthest = self.farthest.max(distance);
            let truth = u64::from(distance) * scale;
            if let Some(units) = h.units() {
                *self.joint.entry((distance, units.div_ceil(heuristic.scale()))).or_default() += 1;
                self.sum_of_estimates += u128::from(units);
                self.sum_of_distances += u128::from(distance);
            }
            if units_of(h) > truth {
                self.overestimates += 1;
                match h.units() {
                    Some(units) => self.worst_overestimate = self.worst_overestimate.max(u64::from(units) - truth),
                    None => self.false_dead_ends += 1,
                }
                if self.overestimate.is_none_or(|known| distance < known.distance) {
                    self.overestimate = Some(Overestimate { state: space.pack(state), h, distance });
                }
            }
        }
        let mut walk = state.clone();
        for m in space.moves(state) {
            self.edges += 1;
            let cost = space.cost(state, m);
            let undo = space.apply(&mut walk, m);
            let h_after = estimate(&walk);
            let allowed = units_of(h_after).saturating_add(u64::from(cost) * scale);
            if units_of(h) > allowed {
                self.inconsistent_edges += 1;
                if let Some(units) = h.units() {
                    self.worst_fall = self.worst_fall.max(u64::from(units) - allowed);
                }
                if self.inconsistency.is_none_or(|known| distance.unwrap_or(Cost::MAX) < known.nearness()) {
                    let (before, after) = (space.pack(state), space.pack(&walk));
                    self.inconsistency = Some(Inconsistency { before, after, cost, h_before: h, h_after, distance });
                }
            }
            space.undo(&mut walk, m, undo);
        }
    }

    /// Adds the findings about other states of the same space. Of two counterexamples it keeps the one nearer to the
    /// goal, and of two equally near its own.
    pub fn merge(&mut self, other: &Findings<P>) {
        self.add_counts(other);
        if let Some(theirs) = &other.overestimate
            && self.overestimate.is_none_or(|ours| theirs.distance < ours.distance)
        {
            self.overestimate = Some(*theirs);
        }
        if let Some(theirs) = &other.inconsistency
            && self.inconsistency.is_none_or(|ours| theirs.nearness() < ours.nearness())
        {
            self.inconsistency = Some(*theirs);
        }
    }

    /// The same findings with the states in another form.
    pub fn map<Q: Copy>(self, form: impl Fn(P) -> Q) -> Findings<Q> {
        let overestimate = self.overestimate.map(|found| {
            let Overestimate { state, h, distance } = found;
            Overestimate { state: form(state), h, distance }
        });
        let inconsistency = self.inconsistency.map(|found| {
            let Inconsistency { before, after, cost, h_before, h_after, distance } = found;
            Inconsistency { before: form(before), after: form(after), cost, h_before, h_after, distance }
        });
        let mut findings = Findings { overestimate, inconsistency, ..Findings::new(self.scale) };
        findings.add_counts(&self);
        findings
    }

    /// Adds the counts of another space, but not its counterexamples: the caller chooses among those of several spaces.
    pub fn add_counts<Q>(&mut self, other: &Findings<Q>) {
        self.states += other.states;
        self.solvable += other.solvable;
        self.goals += other.goals;
        self.edges += other.edges;
        self.farthest = self.farthest.max(other.farthest);
        self.overestimates += other.overestimates;
        self.false_dead_ends += other.false_dead_ends;
        self.worst_overestimate = self.worst_overestimate.max(other.worst_overestimate);
        self.inconsistent_edges += other.inconsistent_edges;
        self.worst_fall = self.worst_fall.max(other.worst_fall);
        for (&place, count) in &other.joint {
            *self.joint.entry(place).or_default() += count;
        }
        self.sum_of_estimates += other.sum_of_estimates;
        self.sum_of_distances += other.sum_of_distances;
    }

    /// The number of states by `h`, rounded up, minus distance, in ascending order.
    pub fn errors(&self) -> Vec<(i64, u64)> {
        let mut by_error = std::collections::BTreeMap::<i64, u64>::new();
        for (&(distance, h), count) in &self.joint {
            *by_error.entry(i64::from(h) - i64::from(distance)).or_default() += count;
        }
        by_error.into_iter().collect()
    }

    /// The mean of `h`, as a cost, over the states that have both an `h` and a distance.
    pub fn mean_estimate(&self) -> f64 {
        self.sum_of_estimates as f64 / f64::from(self.scale) / self.counted()
    }

    /// The mean distance over the same states.
    pub fn mean_distance(&self) -> f64 {
        self.sum_of_distances as f64 / self.counted()
    }

    fn counted(&self) -> f64 {
        self.joint.values().sum::<u64>() as f64
    }
}

/// The units of an estimate, with a dead end above everything.
#[inline]
fn units_of(h: Estimate) -> u64 {
    h.units().map_or(u64::MAX, u64::from)
}
