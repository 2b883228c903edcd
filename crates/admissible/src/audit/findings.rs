//! What an audit has seen: plain counts that can be added up over parts, and the smallest counterexamples.

use rustc_hash::FxHashMap;

use crate::heuristic::{Estimate, Heuristic};
use crate::space::{Cost, StateSpace};

/// What was seen of one heuristic.
#[derive(Debug, Clone)]
pub struct Findings<P> {
    /// How many units of an estimate make a cost of 1.
    pub scale: u32,
    /// States looked at.
    pub states: u64,
    /// Those from which a goal can be reached.
    pub solvable: u64,
    /// Those that are goals.
    pub goals: u64,
    /// Moves looked at.
    pub edges: u64,
    /// The largest distance to a goal.
    pub farthest: Cost,
    /// States with `h` above the distance.
    pub overestimates: u64,
    /// Those of them that the heuristic calls a dead end.
    pub false_dead_ends: u64,
    /// By how many units `h` is above the distance at the most, dead ends not counted.
    pub worst_overestimate: u64,
    /// Moves on which `h` falls by more than they cost.
    pub inconsistent_edges: u64,
    /// By how many units more, at the most.
    pub worst_fall: u64,
    /// A state with `h` above the distance, as near to the goal as there is one.
    pub overestimate: Option<Overestimate<P>>,
    /// A move on which `h` falls by more than it costs, as near to the goal as there is one.
    pub inconsistency: Option<Inconsistency<P>>,
    /// How many solvable states have that distance and that `h`, which is rounded up: `h` is above a distance exactly
    /// if it is above it when rounded up. Dead ends are not among them.
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
    /// What the heuristic says.
    pub h: Estimate,
    /// What is true.
    pub distance: Cost,
}

/// A counterexample to consistency.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Inconsistency<P> {
    /// The state before the move.
    pub before: P,
    /// The state after it.
    pub after: P,
    /// What the move costs.
    pub cost: Cost,
    /// What the heuristic says before.
    pub h_before: Estimate,
    /// And after.
    pub h_after: Estimate,
    /// The true distance before the move, if a goal can be reached.
    pub distance: Option<Cost>,
}

impl<P> Inconsistency<P> {
    /// How near the state before the move is to a goal; states from which there is no way come last.
    pub fn nearness(&self) -> Cost {
        self.distance.unwrap_or(Cost::MAX)
    }
}

impl<P: Copy> Findings<P> {
    /// Nothing seen yet of a heuristic with that many units to a cost of 1.
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

    /// Whether no state was seen with `h` above the distance.
    pub fn admissible(&self) -> bool {
        self.overestimates == 0
    }

    /// Whether no move was seen on which `h` falls by more than it costs, and no goal with an `h` of more than 0.
    pub fn consistent(&self) -> bool {
        self.inconsistent_edges == 0 && self.admissible()
    }

    /// Looks at a state, the true cost from it to a goal (`None` if there is no way) and at its moves.
    #[inline(always)]
    pub fn look<S: StateSpace<Packed = P>, H: Heuristic<S>>(
        &mut self,
        space: &S,
        heuristic: &H,
        state: &S::State,
        distance: Option<Cost>,
    ) {
        let ask = |state: &S::State| heuristic.estimate(heuristic.evaluate(space, state));
        let scale = u64::from(heuristic.scale());
        let h = ask(state);
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
            let h_after = ask(&walk);
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

    /// Adds what was seen of other states of the same space. Of two counterexamples the one nearer to the goal stays,
    /// and the first of two equally near.
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

    /// Adds the counts of another space. The counterexamples are left to whoever knows which space is the smaller one.
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

    /// How many states have `h`, rounded up, so much above or below the distance, from the lowest to the highest.
    pub fn errors(&self) -> Vec<(i64, u64)> {
        let mut by_error = std::collections::BTreeMap::<i64, u64>::new();
        for (&(distance, h), count) in &self.joint {
            *by_error.entry(i64::from(h) - i64::from(distance)).or_default() += count;
        }
        by_error.into_iter().collect()
    }

    /// The mean of `h` in whole costs over the states that have both an `h` and a distance.
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
