//! One opened instance of any puzzle, and the operations on it: solve, verify, audit, explore.

use std::ops::ControlFlow;

use admissible::Cost;
use admissible::search::distributed::Processes;
use admissible::search::{
    Guarantee, Limits, Observer, Outcome, Report, Solution, Stats, Stop, Trace, Visit, run_traced,
};
use admissible_certificate::Number;
use rand::{Rng, RngExt as _};

use crate::answer::{Answer, AnswerOutcome, Handover, Verdict};
use crate::atlas::look_up;
use crate::audit::{Audit, AuditError, AuditPlan, Auditor};
use crate::band::Band;
use crate::difficulty::{Difficulty, Generated, InstancePicker, PathPickOutcome, PickOutcome};
use crate::error::PlanError;
use crate::explore::{Exploration, ExploreError, ExplorePlan, Explorer};
use crate::heuristic_spec::HeuristicSpec;
use crate::instance::{ErasedSpace, Instance, InstanceHeuristic, MoveIndex};
use crate::plan::{Choice, Drawing, Plan};
use crate::puzzle::{BranchingBound, Card, Claim, CourseRun};
use crate::registry::AlgorithmCard;
use crate::scope::{REACHABLE, SAMPLE, Scope, ScopeError, ScopeObserver, check_name, parse_scope};
use crate::solve_checkpoint::SolveProgress;
use crate::text::Faults;
use crate::trace::{StateIds, Tracer};
use admissible::platform::Timestamp;

/// Whether an instance has a solution, as far as the puzzle knows without a search.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Solvability {
    /// It has a solution.
    Solvable,
    /// It has no solution.
    Unsolvable,
    /// Only a search can tell.
    Unknown,
}

/// One opened instance of a puzzle.
pub struct Task {
    pub(crate) card: &'static Card,
    pub(crate) instance: Box<dyn Instance>,
}

/// A finished solve: the report of its last search, with the names, the time and the notes that the answer shows.
pub(crate) struct SolveRun {
    pub(crate) choice: Choice,
    pub(crate) report: Report<MoveIndex>,
    pub(crate) seconds: f64,
    /// Notes for the user, such as why an atlas was not used.
    pub(crate) notes: Vec<String>,
    /// The best solution found, not proved optimal, if the search was stopped after it found one.
    pub(crate) best: Option<Solution<MoveIndex>>,
    /// The handover to another algorithm, if one took place.
    pub(crate) handover: Option<Handover>,
    /// The most successors of an expanded state, if the plan asks for it.
    pub(crate) largest_branching: Option<u32>,
    /// The move limit of the plan.
    pub(crate) move_limit: Option<Cost>,
}

impl SolveRun {
    pub(crate) fn new(choice: Choice, report: Report<MoveIndex>) -> Self {
        SolveRun {
            choice,
            report,
            seconds: 0.0,
            notes: Vec::new(),
            best: None,
            handover: None,
            largest_branching: None,
            move_limit: None,
        }
    }

    /// Applies the move limit of a plan: an optimum above it proves that there is no solution within the limit.
    pub(crate) fn limit_moves(&mut self, limit: Option<Cost>) {
        self.move_limit = limit;
        if let (Some(limit), Outcome::Solved(solution)) = (limit, &self.report.outcome)
            && solution.cost > limit
        {
            let Solution { cost, guarantee, .. } = *solution;
            if guarantee == Guarantee::Optimal {
                self.report.outcome = Outcome::Stopped { why: Stop::MoveLimit, lower_bound: cost };
            } else {
                self.notes.push(format!("the solution costs {cost}, above the move limit {limit}, and is not optimal"));
            }
        }
    }
}

/// The algorithm of answers from an atlas. It is not in [`ALGORITHMS`](crate::ALGORITHMS), because it needs an atlas.
static ATLAS: AlgorithmCard =
    AlgorithmCard { name: "atlas", summary: "a shortest path by the stored distances of every state", guided: false };

impl Task {
    /// The card of the puzzle.
    pub fn card(&self) -> &'static Card {
        self.card
    }

    /// The start, drawn.
    pub fn draw(&self) -> String {
        self.instance.draw(self.instance.start())
    }

    /// The start, drawn in plain text.
    pub fn drawing(&self) -> String {
        anstream::adapter::strip_str(&self.draw()).to_string()
    }

    /// Whether there is a solution, as far as the puzzle knows without a search.
    pub fn solvability(&self) -> Solvability {
        match self.instance.solvable() {
            Some(true) => Solvability::Solvable,
            Some(false) => Solvability::Unsolvable,
            None => Solvability::Unknown,
        }
    }

    /// The estimate of the start by a heuristic, in units of cost; `None` for a dead end.
    ///
    /// # Errors
    /// If the puzzle has no such heuristic.
    pub fn estimate(&self, heuristic: &str) -> Result<Option<f64>, PlanError> {
        let heuristic = self.heuristic(heuristic)?;
        Ok(heuristic.h(self.instance.start()).in_costs(heuristic.scale()))
    }

    /// A published bound on the successors of every state of this instance, if the puzzle has one.
    pub fn branching_bound(&self) -> Option<BranchingBound> {
        self.instance.branching_bound()
    }

    /// The number of states that a correct A* with this heuristic takes off its open list, given the cost of a cheapest
    /// solution or `None` if there is none. The result is `None` if the heuristic is not consistent. Keeps all those
    /// states in memory.
    ///
    /// # Errors
    /// If the puzzle has no such heuristic.
    pub fn band(&self, heuristic: &str, optimum: Option<u32>) -> Result<Option<Band>, PlanError> {
        Ok(Band::count(self.space(), &*self.heuristic(heuristic)?, optimum))
    }

    /// The names of the algorithm and the heuristic that a plan begins with.
    ///
    /// # Errors
    /// If the plan cannot be carried out.
    pub fn choice(&self, plan: &Plan) -> Result<(&'static str, String), PlanError> {
        let choice = self.choose(plan)?;
        Ok((choice.algorithm.name, choice.heuristic.text().into()))
    }

    /// Carries out a plan.
    ///
    /// # Errors
    /// If the plan cannot be carried out.
    pub fn solve(
        &self,
        plan: &Plan,
        observer: &mut dyn Observer,
        tracer: Option<&mut dyn Tracer>,
    ) -> Result<Answer, PlanError> {
        let ran = match tracer {
            None => self.run(plan, observer, &mut |_, _| ControlFlow::Break(None))?,
            Some(tracer) => {
                let mut ids = StateIds::default();
                let mut trace = |visit: Visit<Number>, _: &Stats| {
                    let goes_on = tracer.event(&ids.event(&*self.instance, &visit));
                    if goes_on { ControlFlow::Continue(()) } else { ControlFlow::Break(None) }
                };
                // A trace shows one search, so there are no further stages.
                let choice = self.choose(plan)?;
                self.run_choice(choice, SolveProgress::default(), plan, observer, &mut |search, limits, observer| {
                    run_traced(search, limits, observer, &mut trace)
                })?
            }
        };
        self.answer(ran, plan.drawing)
    }

    /// Carries out a plan. Returns the text in the course's format, and the answer.
    ///
    /// # Errors
    /// If the plan cannot be carried out.
    pub fn course(&self, plan: &Plan, observer: &mut dyn Observer) -> Result<(String, Answer), PlanError> {
        let mut visited = Vec::new();
        // Only courses that report on heuristics list the visited states.
        let lists_visits = !self.card.course_heuristics.is_empty();
        let ran = self.run(plan, observer, &mut |visit, _| {
            if !lists_visits {
                return ControlFlow::Break(None);
            }
            visited.push(visit);
            ControlFlow::Continue(())
        })?;
        // The course has no words for a lower bound, so the best solution stands alone.
        let best = ran.best.clone().map(Outcome::Solved);
        let text = self.instance.course(&CourseRun {
            heuristic: ran.choice.heuristic.text(),
            outcome: best.as_ref().unwrap_or(&ran.report.outcome),
            stats: &ran.report.stats,
            visited: &visited,
        });
        Ok((text, self.answer(ran, Drawing::Nothing)?))
    }

    /// Judges a submitted solution: a text in the course's format, or a JSON answer. A solution above the move limit of
    /// the plan does not hold.
    ///
    /// # Errors
    /// If the plan cannot be carried out; inside, the faults of a text that cannot be read.
    pub fn verify(
        &self,
        claim: &str,
        plan: &Plan,
        observer: &mut dyn Observer,
    ) -> Result<Result<Verdict, Faults>, PlanError> {
        let claim = match read_claim(&*self.instance, claim) {
            Ok(claim) => claim,
            Err(faults) => return Ok(Err(faults)),
        };
        let (claimed, illegal) = match claim {
            Claim::Unsolvable => (None, None),
            Claim::Actions(actions) => (Some(actions.len() as u32), self.instance.referee().replay(&actions).err()),
            Claim::Broken { actions, illegal } => (Some(actions), Some(illegal)),
        };
        let solvable = self.solvability() == Solvability::Solvable;
        let too_long = plan.move_limit.filter(|&limit| claimed.is_some_and(|cost| cost > limit) && illegal.is_none());
        let plan = &Plan { move_limit: None, ..plan.clone() };
        let ours = match (claimed, &illegal) {
            (_, Some(_)) => None,
            _ if too_long.is_some() => None,
            // A claim of unsolvability is refuted without a search if the puzzle knows a solution exists.
            (None, None) if solvable => None,
            _ => Some(self.solve(plan, observer, None)?),
        };
        Ok(Ok(Verdict { claimed, illegal, too_long, solvable, ours }))
    }

    /// Audits heuristics on this instance.
    ///
    /// # Errors
    /// If the plan cannot be carried out, or the observer stopped it.
    pub fn audit(&self, plan: &AuditPlan, observer: &dyn ScopeObserver) -> Result<Audit, AuditError> {
        let auditor = Auditor { card: self.card, plan, observer };
        let name = plan.scope.as_deref();
        if let Some(states) = sampled_states(self.card, name).map_err(AuditError::Scope)? {
            return auditor.audit_sample(&*self.instance, states);
        }
        let scope = self.scope(name).map_err(AuditError::Scope)?;
        auditor.audit(&scope, name.is_none().then_some(&*self.instance))
    }

    /// Explores the whole space of this instance.
    ///
    /// # Errors
    /// If the space does not exist, or does not fit into memory.
    pub fn explore(&self, plan: &ExplorePlan, observer: &dyn ScopeObserver) -> Result<Exploration, ExploreError> {
        if let Some(name) = plan.parameters.names().next() {
            return Err(ExploreError::Plan(format!("--{name}: the file says that already")));
        }
        let explorer = Explorer { card: self.card, plan, observer, from_file: true };
        // An atlas needs ranks.
        let ranked = self.instance.ranked_scope().filter(|_| plan.save.is_some());
        let name = plan.scope.as_deref().or(ranked);
        if sampled_states(self.card, name).map_err(ExploreError::Scope)?.is_some() {
            return Err(ExploreError::Plan("--scope: a sample cannot be explored".into()));
        }
        explorer.explore(&self.scope(name).map_err(ExploreError::Scope)?)
    }

    /// Explores the states that the start can reach, together with other processes.
    ///
    /// # Errors
    /// If the plan has options that need one process, or it was stopped.
    pub fn explore_distributed(
        &self,
        processes: &dyn Processes,
        plan: &ExplorePlan,
        limits: Limits,
        observer: &mut dyn Observer,
    ) -> Result<Exploration, ExploreError> {
        self.instance.explore_distributed(self.card.name, processes, plan, limits, observer)
    }

    /// Picks an instance of a chosen difficulty from the whole space of this instance.
    pub(crate) fn pick(
        &self,
        plan: &ExplorePlan,
        difficulty: Difficulty,
        random: &mut dyn Rng,
        observer: &dyn ScopeObserver,
    ) -> Result<PickOutcome, ExploreError> {
        let (threads, most_bytes) = (plan.threads, plan.most_bytes);
        let mut picker = InstancePicker { difficulty, random, threads, most_bytes, watcher: observer };
        picker.pick(&self.instance.scope(self.instance.ranked_scope()).map_err(ExploreError::Scope)?)
    }

    /// Solves the instance and picks a start of the chosen difficulty on its shortest solution.
    pub(crate) fn pick_on_shortest_path(
        &self,
        difficulty: Difficulty,
        plan: &Plan,
        random: &mut dyn Rng,
        observer: &mut dyn Observer,
    ) -> PathPickOutcome {
        let solve = |plan: &Plan, observer: &mut dyn Observer| {
            let ran = self.run(plan, observer, &mut |_, _| ControlFlow::Break(None));
            ran.expect("the puzzle's own advice can be followed").report.outcome
        };
        let Difficulty::Between(least, most) = difficulty else { return PathPickOutcome::TooEasy };
        let text = |moves: &[MoveIndex]| {
            let start = self.instance.start();
            self.instance.file(moves.iter().fold(start, |state, &m| self.space().after(state, m)))
        };
        let unit = self.instance.unit();
        let exactly = |text: String, length: u32| Generated { text, least: length, most: length, unit };
        match solve(plan, observer) {
            Outcome::Solved(Solution { cost, moves, guarantee: Guarantee::Optimal }) if cost >= least => {
                let first = random.random_range(least..=most.min(cost));
                let lengths = (least..=first).rev().chain(first + 1..=most.min(cost));
                let found =
                    lengths.filter_map(|length| Some((text(&moves[..(cost - length) as usize])?, length))).next();
                found.map_or(PathPickOutcome::TooEasy, |(text, length)| PathPickOutcome::Found(exactly(text, length)))
            }
            Outcome::Stopped { why: Stop::Interrupted, .. } => PathPickOutcome::Interrupted,
            Outcome::Stopped { lower_bound, .. } => {
                let greedy = Plan { algorithm: Some("greedy".into()), atlases: None, ..plan.clone() };
                match solve(&greedy, observer) {
                    Outcome::Solved(some) => {
                        let text = text(&[]).expect("the start was read from a file");
                        let bounds = Generated { text, least: lower_bound, most: some.cost, unit };
                        let within = least <= lower_bound && some.cost <= most;
                        if within { PathPickOutcome::Found(bounds) } else { PathPickOutcome::Undecided(bounds) }
                    }
                    Outcome::Stopped { why: Stop::Interrupted, .. } => PathPickOutcome::Interrupted,
                    _ => PathPickOutcome::TooEasy,
                }
            }
            _ => PathPickOutcome::TooEasy,
        }
    }
}

impl Task {
    pub(crate) fn space(&self) -> ErasedSpace<'_> {
        ErasedSpace(&*self.instance)
    }

    /// The scope of that name: the reachable states, or a scope of the puzzle.
    fn scope(&self, name: Option<&str>) -> Result<Scope<'_>, ScopeError> {
        check_name(name, self.card.scopes)?;
        if name == Some(REACHABLE.name) { Ok(self.instance.reachable()) } else { self.instance.scope(name) }
    }

    /// The heuristic of a name or an expression.
    pub(crate) fn heuristic(&self, heuristic: &str) -> Result<Box<dyn InstanceHeuristic + '_>, PlanError> {
        self.instance.heuristic(&HeuristicSpec::parse(self.card, heuristic)?)
    }

    /// Carries out a plan: by an atlas if there is one and the plan names neither algorithm nor heuristic, else by a
    /// search.
    fn run(
        &self,
        plan: &Plan,
        observer: &mut dyn Observer,
        trace: &mut Trace<'_, Number>,
    ) -> Result<SolveRun, PlanError> {
        let mut notes = Vec::new();
        let mut ran = match self.by_atlas(plan, &mut notes) {
            Some(mut ran) => {
                ran.limit_moves(plan.move_limit);
                ran
            }
            None => self
                .search(plan, observer, &mut |search, limits, observer| run_traced(search, limits, observer, trace))?,
        };
        notes.append(&mut ran.notes);
        Ok(SolveRun { notes, ..ran })
    }

    /// The answer of an atlas, if there is one and the plan names neither algorithm nor heuristic.
    fn by_atlas(&self, plan: &Plan, notes: &mut Vec<String>) -> Option<SolveRun> {
        let begin = Timestamp::now();
        let is_free = plan.algorithm.is_none() && plan.heuristic.is_none() && plan.counting.is_none();
        let store = plan.atlases.as_ref().filter(|_| is_free && plan.resumed.is_none())?;
        if self.solvability() == Solvability::Unsolvable {
            return None;
        }
        let outcome = match look_up(&*self.instance, store, notes)? {
            Some(moves) => Outcome::Solved(Solution { cost: moves.len() as u32, moves, guarantee: Guarantee::Optimal }),
            None => Outcome::Unsolvable,
        };
        let chosen = Some("an atlas with the distance of every state is at hand: no search was needed");
        let heuristic = HeuristicSpec::Named("zero".into());
        let (counting, taken, fallbacks) = (None, None, Vec::new());
        let choice = Choice { algorithm: &ATLAS, heuristic, counting, chosen, taken, fallbacks };
        let ran = SolveRun::new(choice, Report { outcome, stats: Stats::default() });
        Some(SolveRun { seconds: begin.elapsed().as_secs_f64(), ..ran })
    }

    /// The answer of a run, with its solution replayed by the referee.
    pub(crate) fn answer(&self, ran: SolveRun, drawing: Drawing) -> Result<Answer, PlanError> {
        let replayed = |solution: &Solution<_>, drawing| self.instance.replayed(solution, drawing);
        let outcome = match &ran.report.outcome {
            Outcome::Solved(solution) => AnswerOutcome::Solved(replayed(solution, drawing)?),
            Outcome::Unsolvable => {
                let is_known = self.solvability() == Solvability::Unsolvable && ran.report.stats.expanded == 0;
                AnswerOutcome::Unsolvable { at_once: is_known.then(|| self.instance.solvable_by()) }
            }
            Outcome::Stopped { why, lower_bound } => AnswerOutcome::Stopped { why: *why, lower_bound: *lower_bound },
        };
        Ok(Answer {
            puzzle: self.card.name,
            // The algorithm that began; the handover names the one that continued.
            algorithm: ran.handover.map_or(ran.choice.algorithm.name, |handover| handover.from),
            heuristic: ran.choice.heuristic.text().into(),
            counting: ran.choice.counting,
            // A proof that there is no solution needs no reason for its heuristic.
            chosen: ran.choice.chosen.filter(|_| !matches!(outcome, AnswerOutcome::Unsolvable { .. })),
            unit: self.instance.unit(),
            notes: self.instance.note().into_iter().chain(ran.notes).collect(),
            handover: ran.handover,
            best: ran.best.map(|solution| replayed(&solution, Drawing::Nothing)).transpose()?,
            outcome,
            stats: ran.report.stats,
            largest_branching: ran.largest_branching,
            move_limit: ran.move_limit,
            seconds: ran.seconds,
            start: if drawing == Drawing::Nothing { String::new() } else { self.draw() },
        })
    }
}

/// The number of states of a scope `sample:N`; `None` for another scope, or if the puzzle has no samples.
fn sampled_states(card: &Card, scope: Option<&str>) -> Result<Option<usize>, ScopeError> {
    let has_samples = card.scopes.iter().any(|scope| scope.name == SAMPLE.name);
    Ok(match scope.map(parse_scope).transpose()? {
        Some(("sample", Some(states))) if has_samples => Some(states),
        _ => None,
    })
}

/// Reads a submitted solution: a JSON answer of ours, or a text in the course's format.
fn read_claim(instance: &dyn Instance, text: &str) -> Result<Claim, Faults> {
    if !text.trim_start_matches('\u{feff}').trim_start().starts_with('{') {
        return instance.read_solution(text);
    }
    let answer: serde_json::Value = serde_json::from_str(text).map_err(|error| {
        let place = format!(" at line {} column {}", error.line(), error.column());
        let what = error.to_string().replace(&place, "");
        Faults::one(error.line(), error.column().max(1), format!("expected a JSON answer: {what}"))
    })?;
    if answer["outcome"] == "unsolvable" {
        return Ok(Claim::Unsolvable);
    }
    let actions = answer["actions"].as_array().and_then(|actions| {
        actions.iter().map(|action| action.as_str().map(String::from)).collect::<Option<Vec<String>>>()
    });
    let missing = || Faults::one(1, 1, "expected a JSON answer with \"actions\", an array of strings");
    actions.map(Claim::Actions).ok_or_else(missing)
}
