//! One instance of a puzzle with its types erased.
//!
//! Searches know their types; what goes around them (plans, stages, answers, certificates, traces, the page) does not
//! need to and is compiled once for all puzzles. To it, a state is its number ([`Puzzle::number_of`]), a move is its
//! index among the moves of its state, and a puzzle with such states is a space like any other ([`ErasedSpace`]).

use std::cell::OnceCell;
use std::collections::HashSet;
use std::ops::{ControlFlow, Range};

use admissible::audit::Interrupted;
use admissible::search::distributed::Processes;
use admissible::search::{
    Idastar, Limits, Observer, Outcome, Progress, Report, Search, Signal, Snapshot, Solution, Stats, Stop, Team,
    TieBreak, Visit, Weight, astar, astar_without_reopening, bfs, bidirectional, dfs, eager_astar, greedy, wastar,
};
use admissible::{AbilityVisitor, Backward, Cost, Erased, Estimate, Heuristic as _, Properties, StateSpace, has_keys};
use admissible_certificate::{Look, Number, Rules};
use serde_json::Value;

use crate::answer::SolvedAnswer;
use crate::atlas::consult;
use crate::audit::{Audit, AuditError, Auditor};
use crate::difficulty::{Picked, Picker};
use crate::error::PlanError;
use crate::explore::{Exploration, ExploreError, ExplorePlan, Explorer};
use crate::named::Named;
use crate::parts::{EraseScope, ErasedScope, FromStart};
use crate::plan::{Drawing, Plan};
use crate::puzzle::{Advice, BadState, Card, Claim, CourseRun, Puzzle, Referee, TableBytes};
use crate::sample::{SampleOf, Sampler};
use crate::scope::{REACHABLE, SAMPLE, ScopeError, check_name, parse_scope};
use crate::store::Store;
use crate::text::Faults;

/// A move: its index among the moves of the state before it.
pub(crate) type MoveIndex = u32;

/// A search with its types erased.
pub(crate) type AnySearch<'a> = dyn Search<ErasedSpace<'static>> + 'a;

/// One instance of a puzzle, with states as numbers and moves as indices.
pub(crate) trait Instance: Send + Sync {
    fn unit(&self) -> &'static str;
    fn start(&self) -> Number;
    fn solvable(&self) -> Option<bool>;
    fn has_keys(&self) -> bool;
    fn is_goal(&self, state: Number) -> bool;
    fn count_moves(&self, state: Number) -> MoveIndex;
    /// The state after a move, and what the move costs.
    fn after(&self, state: Number, m: MoveIndex) -> (Number, Cost);
    /// Calls `visit` with every successor of a state, in the order of the moves.
    fn each_successor(&self, state: Number, visit: &mut dyn FnMut(Successor));
    fn move_name(&self, before: Number, m: MoveIndex) -> String;
    fn state_json(&self, state: Number) -> Value;
    fn board_json(&self) -> Value;
    fn beginning_at(&self, state: &Value) -> Result<Box<dyn Instance>, BadState>;
    fn draw(&self, state: Number) -> String;
    fn place(&self, state: Number) -> Option<(i64, i64)>;
    fn file(&self, state: Number) -> Option<String>;
    fn advice(&self, bytes: Option<u64>) -> Advice;
    fn tables(&self, heuristic: &str) -> TableBytes;
    fn prepare(&self, heuristic: &str, watch: &mut dyn FnMut(u64, u64) -> ControlFlow<()>) -> Result<(), Interrupted>;
    fn lacks(&self, heuristic: &str) -> Option<String>;
    /// A heuristic of the instance.
    fn guide(&self, heuristic: &Named) -> Result<Box<dyn Guide + '_>, PlanError>;
    /// A solution in words, after the referee has replayed it and come to the same states.
    fn replayed(&self, solution: &Solution<MoveIndex>, drawing: Drawing) -> Result<SolvedAnswer, PlanError>;
    fn course(&self, run: &CourseRun<'_, ErasedSpace<'static>>) -> String;
    fn read_solution(&self, text: &str) -> Result<Claim, Faults>;
    fn referee(&self) -> Box<dyn Referee>;
    /// A shortest way by an atlas, or that there is none; see [`consult`].
    fn consult(&self, store: &Store, refused: &mut Vec<String>) -> Option<Option<Vec<MoveIndex>>>;
    /// Whether at most so many states can be reached from the start.
    fn reaches_at_most(&self, most: u64, go_on: &mut dyn FnMut() -> bool) -> bool;
    fn audit(&self, auditor: &Auditor<'_>) -> Result<Audit, AuditError>;
    fn explore(&self, scope: Option<&str>, explorer: &Explorer<'_>) -> Result<Exploration, ExploreError>;
    fn pick(&self, picker: &mut Picker<'_>) -> Result<Picked, ExploreError>;
    fn explore_together(
        &self,
        puzzle: &'static str,
        processes: &dyn Processes,
        plan: &ExplorePlan,
        limits: Limits,
        observer: &mut dyn Observer,
    ) -> Result<Exploration, ExploreError>;
    fn ranked_scope(&self) -> Option<&'static str>;
}

/// The state after a move.
#[derive(Clone, Copy)]
pub(crate) struct Successor {
    pub(crate) state: Number,
    /// What the move costs.
    pub(crate) cost: Cost,
    /// Where the state is on the board; see [`Puzzle::place`].
    pub(crate) place: Option<(i64, i64)>,
}

/// A heuristic on an instance: what it says, and the searches that it guides.
pub(crate) trait Guide: Rules {
    fn properties(&self) -> Properties;
    fn scale(&self) -> u32;
    /// What the heuristic says of a state.
    fn h(&self, state: Number) -> Estimate;
    /// The search of a plan, ready to begin; `None` where its first tables do not fit. The names of the algorithms are
    /// matched here and nowhere else.
    fn search<'a>(
        &'a self,
        algorithm: &str,
        plan: &Plan,
        limits: &Limits,
    ) -> Result<Option<Box<AnySearch<'a>>>, PlanError>;
    /// A* together with other processes.
    fn search_together(
        &self,
        processes: &dyn Processes,
        limits: Limits,
        observer: &mut dyn Observer,
    ) -> Report<MoveIndex>;
}

/// An instance as a space. Every step ranks and unranks a state, so it is for what looks at a few states: a page, a
/// trace, a proof. The searches that users wait for run on the puzzle itself.
#[derive(Clone, Copy)]
pub(crate) struct ErasedSpace<'a>(pub(crate) &'a dyn Instance);

impl ErasedSpace<'_> {
    pub(crate) fn start(self) -> Number {
        self.0.start()
    }

    pub(crate) fn after(self, state: Number, m: MoveIndex) -> Number {
        self.0.after(state, m).0
    }
}

impl StateSpace for ErasedSpace<'_> {
    type State = Number;
    type Packed = Number;
    type Move = MoveIndex;
    type Moves = Range<MoveIndex>;
    type Undo = Number;

    fn pack(&self, state: &Number) -> Number {
        *state
    }

    fn unpack(&self, packed: Number) -> Number {
        packed
    }

    fn is_goal(&self, state: &Number) -> bool {
        self.0.is_goal(*state)
    }

    fn moves(&self, state: &Number) -> Range<MoveIndex> {
        0..self.0.count_moves(*state)
    }

    fn apply(&self, state: &mut Number, m: MoveIndex) -> Number {
        std::mem::replace(state, self.0.after(*state, m).0)
    }

    fn undo(&self, state: &mut Number, _m: MoveIndex, before: Number) {
        *state = before;
    }

    fn cost(&self, before: &Number, m: MoveIndex) -> Cost {
        self.0.after(*before, m).1
    }
}

/// A puzzle as an [`Instance`].
pub(crate) struct Typed<P>(pub(crate) P);

impl<P: Puzzle> Typed<P> {
    fn state(&self, number: Number) -> P::State {
        self.0.of_number(number.0).expect("it is the number of a state")
    }

    fn number(&self, state: &P::State) -> Number {
        Number(self.0.number_of(state))
    }

    fn nth(&self, state: &P::State, m: MoveIndex) -> P::Move {
        self.0.moves(state).into_iter().nth(m as usize).expect("it is the index of a move")
    }

    /// The moves of a path from the start by their indices.
    fn indices(&self, moves: &[P::Move]) -> Vec<MoveIndex> {
        let mut state = self.0.start();
        let mut indices = Vec::with_capacity(moves.len());
        for &m in moves {
            let index = self.0.moves(&state).into_iter().position(|offered| offered == m);
            indices.push(index.expect("a path is made of moves") as MoveIndex);
            self.0.apply(&mut state, m);
        }
        indices
    }

    /// The moves of a path from the start, given by their indices.
    fn moves(&self, indices: &[MoveIndex]) -> Vec<P::Move> {
        let mut state = self.0.start();
        let mut moves = Vec::with_capacity(indices.len());
        for &index in indices {
            let m = self.nth(&state, index);
            self.0.apply(&mut state, m);
            moves.push(m);
        }
        moves
    }

    /// Hands over a scope: what the start reaches if that is asked for by name, else one of the puzzle's own.
    fn with_scope<Out>(
        &self,
        card: &Card,
        name: Option<&str>,
        user: &mut dyn FnMut(ErasedScope<'_>) -> Out,
    ) -> Result<Out, ScopeError> {
        check_name(name, card.scopes)?;
        if name == Some(REACHABLE.name) {
            return Ok(user(ErasedScope::Reachable(REACHABLE.summary, &FromStart(&self.0))));
        }
        self.0.scope(name, EraseScope(user))
    }

    fn erase_solution(&self, solution: &Solution<P::Move>) -> Solution<MoveIndex> {
        let &Solution { cost, guarantee, ref moves } = solution;
        Solution { cost, guarantee, moves: self.indices(moves) }
    }

    fn erase_outcome(&self, outcome: &Outcome<P::Move>) -> Outcome<MoveIndex> {
        match outcome {
            Outcome::Solved(solution) => Outcome::Solved(self.erase_solution(solution)),
            Outcome::Unsolvable => Outcome::Unsolvable,
            &Outcome::Stopped { why, lower_bound } => Outcome::Stopped { why, lower_bound },
        }
    }
}

impl<P: Puzzle> Instance for Typed<P> {
    fn unit(&self) -> &'static str {
        P::UNIT
    }

    fn start(&self) -> Number {
        self.number(&self.0.start())
    }

    fn solvable(&self) -> Option<bool> {
        self.0.solvable(&self.0.start())
    }

    fn has_keys(&self) -> bool {
        has_keys(&self.0)
    }

    fn is_goal(&self, state: Number) -> bool {
        self.0.is_goal(&self.state(state))
    }

    fn count_moves(&self, state: Number) -> MoveIndex {
        self.0.moves(&self.state(state)).into_iter().count() as MoveIndex
    }

    fn after(&self, state: Number, m: MoveIndex) -> (Number, Cost) {
        let mut state = self.state(state);
        let m = self.nth(&state, m);
        let cost = self.0.cost(&state, m);
        self.0.apply(&mut state, m);
        (self.number(&state), cost)
    }

    fn each_successor(&self, state: Number, visit: &mut dyn FnMut(Successor)) {
        let mut state = self.state(state);
        for m in self.0.moves(&state) {
            let cost = self.0.cost(&state, m);
            let undo = self.0.apply(&mut state, m);
            visit(Successor { state: self.number(&state), cost, place: self.0.place(&state) });
            self.0.undo(&mut state, m, undo);
        }
    }

    fn move_name(&self, before: Number, m: MoveIndex) -> String {
        let before = self.state(before);
        self.0.move_name(&before, self.nth(&before, m))
    }

    fn state_json(&self, state: Number) -> Value {
        self.0.state_json(&self.state(state))
    }

    fn board_json(&self) -> Value {
        self.0.board_json()
    }

    fn beginning_at(&self, state: &Value) -> Result<Box<dyn Instance>, BadState> {
        Ok(Box::new(Typed(self.0.beginning_at(state)?)))
    }

    fn draw(&self, state: Number) -> String {
        self.0.draw(&self.state(state))
    }

    fn place(&self, state: Number) -> Option<(i64, i64)> {
        self.0.place(&self.state(state))
    }

    fn file(&self, state: Number) -> Option<String> {
        self.0.file(&self.state(state))
    }

    fn advice(&self, bytes: Option<u64>) -> Advice {
        bytes.map_or_else(|| self.0.advice(), |bytes| self.0.advice_within(bytes))
    }

    fn tables(&self, heuristic: &str) -> TableBytes {
        self.0.tables(heuristic)
    }

    fn prepare(&self, heuristic: &str, watch: &mut dyn FnMut(u64, u64) -> ControlFlow<()>) -> Result<(), Interrupted> {
        self.0.prepare(heuristic, watch)
    }

    fn lacks(&self, heuristic: &str) -> Option<String> {
        self.0.lacks(heuristic)
    }

    fn guide(&self, heuristic: &Named) -> Result<Box<dyn Guide + '_>, PlanError> {
        let erased = heuristic.on(&self.0)?;
        Ok(Box::new(Guided {
            typed: self,
            name: heuristic.text().into(),
            heuristic: erased,
            from_start: OnceCell::new(),
        }))
    }

    fn replayed(&self, solution: &Solution<MoveIndex>, drawing: Drawing) -> Result<SolvedAnswer, PlanError> {
        let puzzle = &self.0;
        let moves = self.moves(&solution.moves);
        let mut state = puzzle.start();
        let mut states = vec![puzzle.state_json(&state)];
        let mut boards = Vec::new();
        let mut actions = Vec::with_capacity(moves.len());
        for &m in &moves {
            if drawing == Drawing::EveryStep {
                boards.push(puzzle.draw(&state));
            }
            actions.push(puzzle.move_name(&state, m));
            puzzle.apply(&mut state, m);
            states.push(puzzle.state_json(&state));
        }
        let picture = if drawing == Drawing::Ends { puzzle.draw_path(&moves) } else { None };
        match drawing {
            Drawing::Nothing => {}
            Drawing::Ends if picture.is_some() => {}
            Drawing::Ends if moves.is_empty() => boards.push(puzzle.draw(&state)),
            Drawing::Ends => boards.extend([puzzle.draw(&puzzle.start()), puzzle.draw(&state)]),
            Drawing::EveryStep => boards.push(puzzle.draw(&state)),
        }
        match puzzle.referee().replay(&actions) {
            Ok(replayed) if replayed == states => {}
            Ok(_) => return Err(PlanError::Refused("the referee comes to other states than the search".into())),
            Err(illegal) => {
                let why = format!("the referee refuses action {}: {}", illegal.step, illegal.reason);
                return Err(PlanError::Refused(why));
            }
        }
        Ok(SolvedAnswer {
            cost: solution.cost,
            guarantee: solution.guarantee,
            actions,
            states,
            extras: puzzle.solution_extras(&moves),
            boards,
            picture,
        })
    }

    fn course(&self, run: &CourseRun<'_, ErasedSpace<'static>>) -> String {
        let &CourseRun { heuristic, outcome, stats, visited } = run;
        let outcome = &match outcome {
            &Outcome::Solved(Solution { cost, guarantee, ref moves }) => {
                Outcome::Solved(Solution { cost, guarantee, moves: self.moves(moves) })
            }
            Outcome::Unsolvable => Outcome::Unsolvable,
            &Outcome::Stopped { why, lower_bound } => Outcome::Stopped { why, lower_bound },
        };
        let packed = |state: Number| self.0.pack(&self.state(state));
        let visited: Vec<Visit<P::Packed>> = visited.iter().map(|visit| visit.map(packed)).collect();
        self.0.course(&CourseRun { heuristic, outcome, stats, visited: &visited })
    }

    fn read_solution(&self, text: &str) -> Result<Claim, Faults> {
        self.0.read_solution(text)
    }

    fn referee(&self) -> Box<dyn Referee> {
        self.0.referee()
    }

    fn consult(&self, store: &Store, refused: &mut Vec<String>) -> Option<Option<Vec<MoveIndex>>> {
        consult(&self.0, store, refused).map(|known| known.map(|moves| self.indices(&moves)))
    }

    fn reaches_at_most(&self, most: u64, go_on: &mut dyn FnMut() -> bool) -> bool {
        /// States between two questions whether to go on.
        const ASK_EVERY: u64 = 1 << 14;
        let puzzle = &self.0;
        let start = puzzle.pack(&puzzle.start());
        let (mut met, mut waiting) = (HashSet::from([start]), vec![start]);
        let mut expanded = 0_u64;
        while let Some(packed) = waiting.pop() {
            expanded += 1;
            if met.len() as u64 > most || expanded.is_multiple_of(ASK_EVERY) && !go_on() {
                return false;
            }
            let mut state = puzzle.unpack(packed);
            for m in puzzle.moves(&state) {
                let undo = puzzle.apply(&mut state, m);
                let next = puzzle.pack(&state);
                puzzle.undo(&mut state, m, undo);
                if met.insert(next) {
                    waiting.push(next);
                }
            }
        }
        true
    }

    fn audit(&self, auditor: &Auditor<'_>) -> Result<Audit, AuditError> {
        let scope = auditor.plan.scope.as_deref();
        let sampler: &dyn Sampler = &SampleOf(&self.0);
        if let Some(states) = sampled_states(auditor.card, scope).map_err(AuditError::Scope)? {
            return auditor.sample(sampler, states);
        }
        let fallback = scope.is_none().then_some(sampler);
        self.with_scope(auditor.card, scope, &mut |scope| auditor.audit(scope, fallback)).map_err(AuditError::Scope)?
    }

    fn explore(&self, scope: Option<&str>, explorer: &Explorer<'_>) -> Result<Exploration, ExploreError> {
        if sampled_states(explorer.card, scope).map_err(ExploreError::Scope)?.is_some() {
            return Err(ExploreError::Plan("--scope: a sample cannot be explored".into()));
        }
        self.with_scope(explorer.card, scope, &mut |scope| explorer.explore(scope)).map_err(ExploreError::Scope)?
    }

    fn pick(&self, picker: &mut Picker<'_>) -> Result<Picked, ExploreError> {
        let pick = EraseScope(&mut |scope| picker.pick(scope));
        self.0.scope(self.0.ranked_scope(), pick).map_err(ExploreError::Scope)?
    }

    fn explore_together(
        &self,
        puzzle: &'static str,
        processes: &dyn Processes,
        plan: &ExplorePlan,
        limits: Limits,
        observer: &mut dyn Observer,
    ) -> Result<Exploration, ExploreError> {
        crate::distributed::explore(puzzle, &self.0, processes, plan, limits, observer)
    }

    fn ranked_scope(&self) -> Option<&'static str> {
        self.0.ranked_scope()
    }
}

/// The states of the sample that a scope asks for, if it does and the puzzle has samples.
fn sampled_states(card: &Card, scope: Option<&str>) -> Result<Option<usize>, ScopeError> {
    let has_samples = card.scopes.iter().any(|scope| scope.name == SAMPLE.name);
    Ok(match scope.map(parse_scope).transpose()? {
        Some(("sample", Some(states))) if has_samples => Some(states),
        _ => None,
    })
}

/// A heuristic on a puzzle as a [`Guide`].
struct Guided<'a, P: Puzzle> {
    typed: &'a Typed<P>,
    name: String,
    heuristic: Erased<'static, P>,
    /// What estimates the cost from the start, once a bidirectional search asks for it.
    from_start: OnceCell<Erased<'static, P>>,
}

impl<P: Puzzle> Guided<'_, P> {
    fn estimate_of(&self, state: &P::State) -> Estimate {
        self.heuristic.evaluate(&self.typed.0, state)
    }

    fn bidirectional<'a>(&'a self, limits: &Limits) -> Result<Box<dyn Search<P> + 'a>, String> {
        struct Make<'a, 'l, P: Puzzle> {
            to_goal: &'a Erased<'static, P>,
            from_start: &'a Erased<'static, P>,
            limits: &'l Limits,
            search: Result<Box<dyn Search<P> + 'a>, String>,
        }
        impl<'a, P: Puzzle> AbilityVisitor<'a, P> for Make<'a, '_, P> {
            fn backward(self, space: &'a P) -> Self
            where
                P: Backward,
            {
                let search = match bidirectional(space, space.start(), self.to_goal, self.from_start, self.limits) {
                    Ok(search) => Ok(Box::new(search) as Box<dyn Search<P> + 'a>),
                    Err(no_goals) => Err(no_goals.to_string()),
                };
                Make { search, ..self }
            }
        }
        let puzzle = &self.typed.0;
        let from_start = self.from_start.get_or_init(|| puzzle.heuristic_from_start(&self.name));
        let search = Err("its moves cannot be taken back".into());
        puzzle.abilities(Make { to_goal: &self.heuristic, from_start, limits, search }).search
    }
}

impl<P: Puzzle> Guide for Guided<'_, P> {
    fn properties(&self) -> Properties {
        self.heuristic.properties(&self.typed.0)
    }

    fn scale(&self) -> u32 {
        self.heuristic.scale()
    }

    fn h(&self, state: Number) -> Estimate {
        self.estimate_of(&self.typed.state(state))
    }

    fn search<'a>(
        &'a self,
        algorithm: &str,
        plan: &Plan,
        limits: &Limits,
    ) -> Result<Option<Box<AnySearch<'a>>>, PlanError> {
        let (puzzle, heuristic) = (&self.typed.0, &self.heuristic);
        let (start, tie) = (puzzle.start(), plan.tie.unwrap_or_default());
        let team = Team::of(plan.threads.unwrap_or(1));
        let idastar = || {
            let is_solvable = self.typed.solvable() == Some(true);
            Idastar::new(puzzle, heuristic).limits(*limits).threads(team).solvable(is_solvable)
        };
        let search: Box<dyn Search<P> + 'a> = match algorithm {
            "astar" | "hdastar" if plan.counts_not_closed => {
                Box::new(eager_astar(puzzle, start, heuristic, tie, limits))
            }
            "astar" => {
                let packed = (tie == TieBreak::LowH).then(|| heuristic.packed_astar(puzzle, &start, limits)).flatten();
                packed.unwrap_or_else(|| Box::new(astar(puzzle, start, heuristic, tie, limits)))
            }
            "hdastar" => match heuristic.hdastar(puzzle, start, team, limits) {
                Some(search) => search,
                None => return Ok(None),
            },
            "idastar" => idastar().search(start),
            "idastar-pruned" => idastar().pruned().search(start),
            "bidirectional" => self.bidirectional(limits).map_err(PlanError::NotBackward)?,
            "astar-no-reopen" => Box::new(astar_without_reopening(puzzle, start, heuristic, tie, limits)),
            // Its heuristic is `zero`, as that of every algorithm that listens to none.
            "ucs" => Box::new(eager_astar(puzzle, start, heuristic, tie, limits)),
            "bfs" => Box::new(bfs(puzzle, start, limits)),
            "dfs" => Box::new(dfs(puzzle, start, plan.depth_limit, limits)),
            "greedy" => Box::new(greedy(puzzle, start, heuristic, tie, limits)),
            "wastar" => {
                let weight = plan.weight.or(Weight::new(3, 2)).expect("3/2 is a weight");
                Box::new(wastar(puzzle, start, heuristic, weight, tie, limits))
            }
            name => unreachable!("{name} is in the registry and has no match here"),
        };
        Ok(Some(Box::new(Running { typed: self.typed, search, outcome: OnceCell::new() })))
    }

    fn search_together(
        &self,
        processes: &dyn Processes,
        limits: Limits,
        observer: &mut dyn Observer,
    ) -> Report<MoveIndex> {
        let puzzle = &self.typed.0;
        let report = self.heuristic.distributed_astar(puzzle, &puzzle.start(), processes, limits, observer);
        let Report { outcome, stats } = report.expect("the space has keys");
        Report { outcome: self.typed.erase_outcome(&outcome), stats }
    }
}

impl<P: Puzzle> Rules for Guided<'_, P> {
    fn start(&self) -> Number {
        self.typed.start()
    }

    fn estimate(&self, state: Number) -> Option<Cost> {
        self.h(state).rounded_up(self.scale())
    }

    fn look(&self, state: Number, successor: &mut dyn FnMut(Number, Cost, Option<Cost>)) -> Look {
        let puzzle = &self.typed.0;
        let Some(state) = puzzle.of_number(state.0) else { return Look::Nothing };
        for m in puzzle.moves(&state) {
            let mut next = state.clone();
            puzzle.apply(&mut next, m);
            // From scratch: what searches carry along is not trusted here.
            let h = self.estimate_of(&next).rounded_up(self.scale());
            successor(self.typed.number(&next), puzzle.cost(&state, m), h);
        }
        if puzzle.is_goal(&state) { Look::Goal } else { Look::State }
    }

    fn is_hopeless(&self) -> bool {
        self.typed.solvable() == Some(false)
    }
}

/// A search on a puzzle with its types erased.
struct Running<'a, P: Puzzle> {
    typed: &'a Typed<P>,
    search: Box<dyn Search<P> + 'a>,
    outcome: OnceCell<Outcome<MoveIndex>>,
}

impl<P: Puzzle> Running<'_, P> {
    fn number(&self, packed: P::Packed) -> Number {
        self.typed.number(&self.typed.0.unpack(packed))
    }
}

impl<P: Puzzle> Search<ErasedSpace<'static>> for Running<'_, P> {
    fn advance(&mut self, expansions: u64) -> Progress {
        self.search.advance(expansions)
    }

    fn stats(&self) -> Stats {
        self.search.stats()
    }

    fn outcome(&self) -> Option<&Outcome<MoveIndex>> {
        let outcome = self.search.outcome()?;
        Some(self.outcome.get_or_init(|| self.typed.erase_outcome(outcome)))
    }

    fn stop(&mut self, why: Stop) {
        self.search.stop(why);
    }

    fn last_visit(&self) -> Option<Visit<Number>> {
        self.search.last_visit().map(|visit| visit.map(|packed| self.number(packed)))
    }

    fn each_closed(&self, visit: &mut dyn FnMut(Number, Cost)) -> bool {
        self.search.each_closed(&mut |packed, g| visit(self.number(packed), g))
    }

    fn heed(&mut self, signal: &Signal) {
        self.search.heed(signal);
    }

    fn best(&self) -> Option<Solution<MoveIndex>> {
        self.search.best().map(|solution| self.typed.erase_solution(&solution))
    }

    fn snapshot(&mut self) -> Option<Snapshot> {
        self.search.snapshot()
    }

    fn restore(&mut self, snapshot: &Snapshot) -> bool {
        self.search.restore(snapshot)
    }

    fn stride(&self) -> u64 {
        self.search.stride()
    }

    fn begin_at(&mut self, bound: Cost) {
        self.search.begin_at(bound);
    }
}

/// The search for an answer that is known without one: the puzzle knows that no goal can be reached.
pub(crate) struct Unreachable;

impl Search<ErasedSpace<'static>> for Unreachable {
    fn advance(&mut self, _expansions: u64) -> Progress {
        Progress::Ended
    }

    fn stats(&self) -> Stats {
        Stats::default()
    }

    fn outcome(&self) -> Option<&Outcome<MoveIndex>> {
        Some(&Outcome::Unsolvable)
    }

    fn stop(&mut self, _why: Stop) {}

    fn last_visit(&self) -> Option<Visit<Number>> {
        None
    }

    /// The proof needs no states.
    fn each_closed(&self, _visit: &mut dyn FnMut(Number, Cost)) -> bool {
        true
    }
}
