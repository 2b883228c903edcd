//! Scopes with their types erased: what an audit looks at and an exploration walks through, compiled once a puzzle.
//!
//! A scope has parts, instances between which no move leads. A part is an instance with its states numbered.

use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};

use admissible::audit::{Census, Distances, Findings, Inconsistency, Interrupted, Overestimate, Watcher, audit_some};
use admissible::explore::{Chart, LayerKeeper, Layers, Packing, ReachError, Reached, components};
use admissible::platform::together;
use admissible::search::{Guarantee, Limits, bfs, cheapest_move, run};
use admissible::{Backward, Cost, Heuristic as _};
use admissible_certificate::Number;
use serde_json::Value;

use crate::audit::{AuditError, AuditObserver, InconsistencyShown, OverestimateShown};
use crate::expanse::{Expanse, WithExpanse};
use crate::explore::{Direction, ExploreError};
use crate::named::Named;
use crate::puzzle::Puzzle;
use crate::sample::sample;
use crate::survey::{Territory, WithSurvey};

/// Calls `work` with the number of every part, on several threads, until one of them fails.
pub(crate) fn for_each_part<E: Send>(
    parts: usize,
    threads: usize,
    work: &(dyn Fn(usize) -> Result<(), E> + Sync),
) -> Result<(), E> {
    let next = AtomicUsize::new(0);
    let worked = in_parallel(threads, &|_| {
        loop {
            let part = next.fetch_add(1, Ordering::Relaxed);
            if part >= parts {
                return Ok(());
            }
            work(part).inspect_err(|_| next.store(parts, Ordering::Relaxed))?;
        }
    });
    worked.into_iter().collect()
}

/// Runs a function on some threads, with the number of the thread.
fn in_parallel<R: Send>(threads: usize, work: &(dyn Fn(usize) -> R + Sync)) -> Vec<R> {
    together(|| work(0), (1..threads).map(|thread| move || work(thread)))
}

/// A space to explore.
pub(crate) enum ExploreScope<'a> {
    /// Its states have numbers.
    Numbered(&'a dyn ExploreParts),
    /// They have none: what the start can reach has to be listed.
    Reachable(&'a str, &'a dyn Reach),
}

/// Some instances, and every state of each by number.
pub(crate) trait ExploreParts: Sync {
    fn title(&self) -> String;
    fn unit(&self) -> &'static str;
    fn parts(&self) -> usize;
    fn packing(&self) -> Packing;
    fn states(&self, part: usize) -> u128;
    /// The name of the atlas of a part.
    fn name(&self, part: usize) -> String;
    /// Makes a part and hands it over.
    fn part(&self, part: usize, user: &mut dyn FnMut(&dyn ExplorePart));
}

/// What the start of an instance can reach.
pub(crate) trait Reach {
    fn unit(&self) -> &'static str;
    fn packing(&self) -> Packing;
    /// Lists the states and hands them over.
    fn reach(
        &self,
        most_bytes: Option<u64>,
        watcher: &dyn Watcher,
        user: &mut dyn FnMut(&dyn ExplorePart, &dyn ReachedStates),
    ) -> Result<(), ReachError>;
}

/// States in the order in which they were reached.
pub(crate) trait ReachedStates {
    fn bytes(&self) -> u64;
    fn depths(&self) -> Vec<u64>;
    fn edges(&self) -> u64;
    /// The first numbers of the last layer.
    fn farthest(&self, most: usize) -> Vec<usize>;
}

impl<P: Copy + Eq + std::hash::Hash> ReachedStates for Reached<P> {
    fn bytes(&self) -> u64 {
        self.bytes()
    }

    fn depths(&self) -> Vec<u64> {
        self.depths()
    }

    fn edges(&self) -> u64 {
        self.edges()
    }

    fn farthest(&self, most: usize) -> Vec<usize> {
        self.farthest().take(most).collect()
    }
}

/// An instance with its states numbered, to be walked through.
pub(crate) trait ExplorePart {
    fn size(&self) -> usize;
    /// Breadth-first search up to a depth.
    fn layers(
        &self,
        direction: Direction,
        deepest: usize,
        threads: usize,
        watcher: &dyn Watcher,
        keeper: &dyn LayerKeeper,
    ) -> Result<Layers, ExploreError>;
    /// How many goals there are among those states that `is_met` accepts.
    fn count_goals(&self, is_met: &dyn Fn(usize) -> bool) -> u64;
    fn components(&self, watcher: &dyn Watcher) -> Result<Vec<u64>, Interrupted>;
    fn state_json(&self, number: usize) -> Value;
    fn draw(&self, number: usize) -> String;
    fn file(&self, number: usize) -> Option<String>;
}

/// A typed part.
struct Part<'a, P, C> {
    puzzle: &'a P,
    census: &'a C,
}

/// Why nothing is known of what a start can reach.
const UNNUMBERED: &str = "no goal can be reached from the start, and only states from which one can be reached have \
                          numbers: --backward explores those";

impl<P: Puzzle + Backward, C: Chart<P>> ExplorePart for Part<'_, P, C> {
    fn size(&self) -> usize {
        self.census.size()
    }

    fn layers(
        &self,
        direction: Direction,
        deepest: usize,
        threads: usize,
        watcher: &dyn Watcher,
        keeper: &dyn LayerKeeper,
    ) -> Result<Layers, ExploreError> {
        let Part { puzzle, census } = *self;
        Ok(match direction {
            Direction::Backward if deepest < usize::MAX => {
                Layers::backward_to(puzzle, census, deepest, threads, watcher)?
            }
            Direction::Backward => Layers::backward_kept(puzzle, census, threads, watcher, keeper)?,
            Direction::Forward => {
                let start = census.number(puzzle, &puzzle.start());
                let start = start.ok_or_else(|| ExploreError::Plan(UNNUMBERED.into()))?;
                Layers::forward_kept(puzzle, census, start, threads, watcher, keeper)?
            }
        })
    }

    fn count_goals(&self, is_met: &dyn Fn(usize) -> bool) -> u64 {
        let mut goals = 0;
        self.census.goals(self.puzzle, |goal| goals += u64::from(is_met(goal)));
        goals
    }

    fn components(&self, watcher: &dyn Watcher) -> Result<Vec<u64>, Interrupted> {
        components(self.puzzle, self.census, watcher)
    }

    fn state_json(&self, number: usize) -> Value {
        self.puzzle.state_json(&self.census.state(self.puzzle, number))
    }

    fn draw(&self, number: usize) -> String {
        self.puzzle.draw(&self.census.state(self.puzzle, number))
    }

    fn file(&self, number: usize) -> Option<String> {
        self.puzzle.file(&self.census.state(self.puzzle, number))
    }
}

struct Numbered<'a, E>(&'a E);

impl<E: Expanse> ExploreParts for Numbered<'_, E> {
    fn title(&self) -> String {
        self.0.title()
    }

    fn unit(&self) -> &'static str {
        E::Puzzle::UNIT
    }

    fn parts(&self) -> usize {
        self.0.parts()
    }

    fn packing(&self) -> Packing {
        Packing::of::<E::Puzzle, E::Chart>()
    }

    fn states(&self, part: usize) -> u128 {
        self.0.states(part)
    }

    fn name(&self, part: usize) -> String {
        self.0.name(part)
    }

    fn part(&self, part: usize, user: &mut dyn FnMut(&dyn ExplorePart)) {
        self.0.part(part, |puzzle, census| user(&Part { puzzle, census }));
    }
}

struct FromStart<'a, P>(&'a P);

impl<P: Puzzle + Backward> Reach for FromStart<'_, P> {
    fn unit(&self) -> &'static str {
        P::UNIT
    }

    fn packing(&self) -> Packing {
        Packing::of::<P, Reached<P::Packed>>()
    }

    fn reach(
        &self,
        most_bytes: Option<u64>,
        watcher: &dyn Watcher,
        user: &mut dyn FnMut(&dyn ExplorePart, &dyn ReachedStates),
    ) -> Result<(), ReachError> {
        let reached = Reached::from(self.0, &self.0.start(), most_bytes, watcher)?;
        user(&Part { puzzle: self.0, census: &reached }, &reached);
        Ok(())
    }
}

/// Erases the types of a space to explore.
pub(crate) struct EraseExplore<'u, R>(pub(crate) &'u mut dyn FnMut(ExploreScope<'_>) -> R);

impl<R> WithExpanse for EraseExplore<'_, R> {
    type Out = R;

    fn numbered<E: Expanse>(self, expanse: &E) -> R {
        (self.0)(ExploreScope::Numbered(&Numbered(expanse)))
    }

    fn reachable<P: Puzzle + Backward>(self, title: &str, puzzle: &P) -> R {
        (self.0)(ExploreScope::Reachable(title, &FromStart(puzzle)))
    }
}

/// The states that an audit looks at.
pub(crate) enum AuditScope<'a> {
    /// Every state of some instances.
    Every(&'a dyn AuditParts),
    /// About so many states of one instance.
    Sample(&'a dyn Sampler, usize),
}

/// Some instances, and every state of each.
pub(crate) trait AuditParts: Sync {
    fn title(&self) -> String;
    fn parts(&self) -> usize;
    /// About how many states there are in all.
    fn states(&self) -> u64;
    fn cells(&self, part: usize) -> usize;
    /// Makes a part and hands it over.
    fn part(&self, part: usize, user: &mut dyn FnMut(&dyn AuditPart));
}

/// An instance whose counterexamples can be shown.
pub(crate) trait Shows {
    fn overestimate(&self, found: &Overestimate<Number>, scale: u32) -> OverestimateShown;
    fn inconsistency(&self, found: &Inconsistency<Number>, scale: u32) -> InconsistencyShown;
}

/// An instance with its states numbered, to be audited.
pub(crate) trait AuditPart {
    /// Shows its counterexamples.
    fn board(&self) -> Box<dyn Shows + '_>;
    fn size(&self) -> usize;
    fn distances(&self, watcher: &dyn Watcher) -> Result<Distances, Interrupted>;
    /// Looks at every state with a heuristic.
    fn look(
        &self,
        heuristic: &Named,
        distances: &Distances,
        threads: usize,
        watcher: &dyn Watcher,
    ) -> Result<Findings<Number>, AuditError>;
    /// What a heuristic says about states, in whole costs; infinity for a dead end.
    fn ask(&self, heuristic: &Named, numbers: Range<usize>) -> Result<Vec<f64>, AuditError>;
}

/// Draws states of an instance that has too many to look at all of them.
pub(crate) trait Sampler {
    /// Whether a heuristic serves the instance.
    fn fits(&self, heuristic: &Named) -> bool;
    /// Draws states and hands them over.
    fn sample(
        &self,
        states: usize,
        seed: u64,
        observer: &dyn AuditObserver,
        user: &mut dyn FnMut(&dyn Sample) -> Result<(), AuditError>,
    ) -> Result<(), AuditError>;
}

/// States with their distances.
pub(crate) trait Sample {
    /// Shows its counterexamples.
    fn board(&self) -> Box<dyn Shows + '_>;
    fn len(&self) -> usize;
    /// What a heuristic is found to be, and what it says about each state.
    fn look(&self, heuristic: &Named) -> Result<(Findings<Number>, Vec<f64>), AuditError>;
}

fn number<P: Puzzle>(puzzle: &P, packed: P::Packed) -> Number {
    Number(puzzle.number_of(&puzzle.unpack(packed)))
}

fn state<P: Puzzle>(puzzle: &P, number: Number) -> P::State {
    puzzle.of_number(number.0).expect("it is the number of a state")
}

/// Shows the counterexamples of a puzzle.
struct OnBoard<'a, P>(&'a P);

impl<P: Puzzle> Shows for OnBoard<'_, P> {
    /// Finds a shortest solution by plain breadth-first search, which owes nothing to any heuristic.
    fn overestimate(&self, found: &Overestimate<Number>, scale: u32) -> OverestimateShown {
        let (puzzle, limits) = (self.0, Limits::default());
        let start = state(puzzle, found.state);
        let report = run(&mut bfs(puzzle, start.clone(), &limits), &limits, &mut ());
        let solution = report.outcome.solution().expect("a state with a distance has a solution");
        debug_assert_eq!((solution.cost, solution.guarantee), (found.distance, Guarantee::Optimal));
        let mut state = start.clone();
        let mut boards = vec![puzzle.draw(&state)];
        let mut actions = Vec::new();
        for &m in &solution.moves {
            actions.push(puzzle.move_name(&state, m));
            puzzle.apply(&mut state, m);
            boards.push(puzzle.draw(&state));
        }
        OverestimateShown {
            instance: puzzle.board_json(),
            state: puzzle.state_json(&start),
            h: found.h.in_costs(scale),
            distance: found.distance,
            actions,
            boards,
        }
    }

    fn inconsistency(&self, found: &Inconsistency<Number>, scale: u32) -> InconsistencyShown {
        let puzzle = self.0;
        let [before, after] = [found.before, found.after].map(|number| state(puzzle, number));
        let (_, m) = cheapest_move(puzzle, puzzle.pack(&before), puzzle.pack(&after)).expect("a move led there");
        InconsistencyShown {
            instance: puzzle.board_json(),
            action: puzzle.move_name(&before, m),
            cost: found.cost,
            h: [found.h_before, found.h_after].map(|h| h.in_costs(scale)),
            boards: [puzzle.draw(&before), puzzle.draw(&after)],
            states: [puzzle.state_json(&before), puzzle.state_json(&after)],
        }
    }
}

/// A typed part of a territory.
struct Surveyed<'a, T: Territory> {
    territory: &'a T,
    part: Part<'a, T::Puzzle, T::Census>,
}

impl<T: Territory> AuditPart for Surveyed<'_, T> {
    fn board(&self) -> Box<dyn Shows + '_> {
        Box::new(OnBoard(self.part.puzzle))
    }

    fn size(&self) -> usize {
        self.part.census.size()
    }

    fn distances(&self, watcher: &dyn Watcher) -> Result<Distances, Interrupted> {
        self.territory.distances(self.part.puzzle, self.part.census, watcher)
    }

    fn look(
        &self,
        heuristic: &Named,
        distances: &Distances,
        threads: usize,
        watcher: &dyn Watcher,
    ) -> Result<Findings<Number>, AuditError> {
        let Part { puzzle, census } = self.part;
        let heuristic = &heuristic.on(puzzle)?;
        let share = census.size().div_ceil(threads).max(1);
        let shares = in_parallel(threads, &|thread| {
            let numbers = (thread * share).min(census.size())..((thread + 1) * share).min(census.size());
            let findings = audit_some(puzzle, census, numbers, distances, heuristic, watcher)?;
            Ok(findings.map(|packed| number(puzzle, packed)))
        });
        let mut all = Findings::new(heuristic.scale());
        for findings in shares {
            all.merge(&findings.map_err(|Interrupted| AuditError::Interrupted)?);
        }
        Ok(all)
    }

    fn ask(&self, heuristic: &Named, numbers: Range<usize>) -> Result<Vec<f64>, AuditError> {
        let Part { puzzle, census } = self.part;
        let heuristic = heuristic.on(puzzle)?;
        let says = |number| heuristic.evaluate(puzzle, &census.state(puzzle, number)).in_costs(heuristic.scale());
        Ok(numbers.map(|number| says(number).unwrap_or(f64::INFINITY)).collect())
    }
}

struct Every<'a, T>(&'a T);

impl<T: Territory> AuditParts for Every<'_, T> {
    fn title(&self) -> String {
        self.0.title()
    }

    fn parts(&self) -> usize {
        self.0.parts()
    }

    fn states(&self) -> u64 {
        self.0.states()
    }

    fn cells(&self, part: usize) -> usize {
        self.0.cells(part)
    }

    fn part(&self, part: usize, user: &mut dyn FnMut(&dyn AuditPart)) {
        let territory = self.0;
        territory.part(part, |puzzle, census| user(&Surveyed { territory, part: Part { puzzle, census } }));
    }
}

struct SampleOf<'a, P: Puzzle> {
    puzzle: &'a P,
    goals: Vec<P::State>,
}

impl<P: Puzzle> Sampler for SampleOf<'_, P> {
    fn fits(&self, heuristic: &Named) -> bool {
        heuristic.fits(&|name| self.puzzle.lacks(name)).is_ok()
    }

    fn sample(
        &self,
        states: usize,
        seed: u64,
        observer: &dyn AuditObserver,
        user: &mut dyn FnMut(&dyn Sample) -> Result<(), AuditError>,
    ) -> Result<(), AuditError> {
        let samples = sample(self.puzzle, self.goals.clone(), states, seed, observer)?;
        user(&Part { puzzle: self.puzzle, census: &samples })
    }
}

impl<P: Puzzle> Sample for Part<'_, P, Vec<(P::State, Cost)>> {
    fn board(&self) -> Box<dyn Shows + '_> {
        Box::new(OnBoard(self.puzzle))
    }

    fn len(&self) -> usize {
        self.census.len()
    }

    fn look(&self, heuristic: &Named) -> Result<(Findings<Number>, Vec<f64>), AuditError> {
        let heuristic = heuristic.on(self.puzzle)?;
        let mut findings = Findings::new(heuristic.scale());
        let mut says = Vec::with_capacity(self.census.len());
        for (state, distance) in self.census {
            findings.look(self.puzzle, &heuristic, state, Some(*distance));
            let h = heuristic.evaluate(self.puzzle, state).in_costs(heuristic.scale());
            says.push(h.unwrap_or(f64::INFINITY));
        }
        Ok((findings.map(|packed| number(self.puzzle, packed)), says))
    }
}

/// Erases the types of what an audit looks at.
pub(crate) struct EraseAudit<'u, R>(pub(crate) &'u mut dyn FnMut(AuditScope<'_>) -> R);

impl<R> WithSurvey for EraseAudit<'_, R> {
    type Out = R;

    fn every<T: Territory>(self, territory: &T) -> R {
        (self.0)(AuditScope::Every(&Every(territory)))
    }

    fn sample<P: Puzzle>(self, puzzle: &P, goals: Vec<P::State>, states: usize) -> R {
        (self.0)(AuditScope::Sample(&SampleOf { puzzle, goals }, states))
    }
}
