//! One opened instance, whatever its puzzle: solved, printed for a course, verified, audited, explored.

use std::ops::ControlFlow;

use admissible::search::distributed::Processes;
use admissible::search::{Guarantee, Limits, Observer, Outcome, Report, Solution, Stats, Stop, Visit, run_traced};
use admissible_certificate::Number;
use rand::{Rng, RngExt as _};

use crate::answer::{Answer, AnswerOutcome, Handover, Verdict};
use crate::audit::{Audit, AuditError, AuditPlan, Auditor};
use crate::band::Band;
use crate::difficulty::{Cut, Difficulty, Generated, Picked, Picker};
use crate::error::PlanError;
use crate::explore::{Exploration, ExploreError, ExplorePlan, Explorer};
use crate::instance::{ErasedSpace, Guide, Instance, MoveIndex};
use crate::named::Named;
use crate::plan::{Choice, Drawing, Plan};
use crate::puzzle::{Card, Claim, CourseRun};
use crate::registry::AlgorithmCard;
use crate::scope::ScopeObserver;
use crate::solve_checkpoint::SolveProgress;
use crate::text::Faults;
use crate::trace::{Numbers, Tracer};
use admissible::platform::Timestamp;

/// Whether an instance has a solution, as far as that can be told without a search.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Solvability {
    /// It has.
    Solvable,
    /// It has not.
    Unsolvable,
    /// That takes a search.
    Unknown,
}

/// One opened instance of a puzzle.
pub struct Task {
    pub(crate) card: &'static Card,
    pub(crate) instance: Box<dyn Instance>,
}

/// A report beside the names and the time that go with it.
pub(crate) struct Ran {
    pub(crate) choice: Choice,
    pub(crate) report: Report<MoveIndex>,
    pub(crate) seconds: f64,
    /// What else should be known: atlases that were not used, and why.
    pub(crate) notes: Vec<String>,
    /// A solution that is not proved to be shortest, if the search was stopped with one in hand.
    pub(crate) best: Option<Solution<MoveIndex>>,
    /// Who handed over to the algorithm that ended it.
    pub(crate) handover: Option<Handover>,
}

impl Ran {
    pub(crate) fn new(choice: Choice, report: Report<MoveIndex>) -> Self {
        Ran { choice, report, seconds: 0.0, notes: Vec::new(), best: None, handover: None }
    }
}

/// What answers from an atlas go by. It is no algorithm that anybody could ask for: there has to be an atlas.
static ATLAS: AlgorithmCard =
    AlgorithmCard { name: "atlas", summary: "the way downhill by the distances of every state", guided: false };

impl Task {
    /// What is known of the puzzle.
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

    /// Whether there is a solution, without a search.
    pub fn solvability(&self) -> Solvability {
        match self.instance.solvable() {
            Some(true) => Solvability::Solvable,
            Some(false) => Solvability::Unsolvable,
            None => Solvability::Unknown,
        }
    }

    /// What a heuristic says of the start, in whole costs; `None` for a dead end.
    ///
    /// # Errors
    /// If the puzzle has no such heuristic.
    pub fn estimate(&self, heuristic: &str) -> Result<Option<f64>, PlanError> {
        let guide = self.guide(heuristic)?;
        Ok(guide.h(self.instance.start()).in_costs(guide.scale()))
    }

    /// How many states any correct A* with this heuristic takes off its frontier, given the cost of a cheapest solution
    /// or that there is none; `None` where the heuristic is not consistent. Keeps all those states in memory.
    ///
    /// # Errors
    /// If the puzzle has no such heuristic.
    pub fn band(&self, heuristic: &str, optimum: Option<u32>) -> Result<Option<Band>, PlanError> {
        Ok(Band::count(self.space(), &*self.guide(heuristic)?, optimum))
    }

    /// The algorithm and the heuristic that a plan begins with.
    ///
    /// # Errors
    /// If the plan names what does not exist.
    pub fn choice(&self, plan: &Plan) -> Result<(&'static str, String), PlanError> {
        let choice = self.choose(plan)?;
        Ok((choice.algorithm.name, choice.heuristic.text().into()))
    }

    /// Carries out a plan.
    ///
    /// # Errors
    /// If the plan names what does not exist.
    pub fn solve(
        &self,
        plan: &Plan,
        observer: &mut dyn Observer,
        tracer: Option<&mut dyn Tracer>,
    ) -> Result<Answer, PlanError> {
        let ran = match tracer {
            None => self.run(plan, observer, &mut |_| ControlFlow::Break(()))?,
            Some(tracer) => {
                let mut numbers = Numbers::default();
                let mut trace = |visit: Visit<Number>| {
                    let goes_on = tracer.event(&numbers.event(&*self.instance, &visit));
                    if goes_on { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
                };
                // One search is traced, not a try and another.
                let choice = self.choose(plan)?;
                self.run_choice(choice, SolveProgress::default(), plan, observer, &mut |search, limits, observer| {
                    run_traced(search, limits, observer, &mut trace)
                })?
            }
        };
        self.answer(ran, plan.drawing)
    }

    /// Carries out a plan and prints it as the course wants it, with the answer it is made from.
    ///
    /// # Errors
    /// If the plan names what does not exist.
    pub fn course(&self, plan: &Plan, observer: &mut dyn Observer) -> Result<(String, Answer), PlanError> {
        let mut visited = Vec::new();
        // Only courses that name heuristics to report on want to see the states that were visited.
        let wanted = !self.card.course_heuristics.is_empty();
        let plan = &Plan { counts_not_closed: true, ..plan.clone() };
        let ran = self.run(plan, observer, &mut |visit| {
            if !wanted {
                return ControlFlow::Break(());
            }
            visited.push(visit);
            ControlFlow::Continue(())
        })?;
        let text = self.instance.course(&CourseRun {
            heuristic: ran.choice.heuristic.text(),
            outcome: &ran.report.outcome,
            stats: &ran.report.stats,
            visited: &visited,
        });
        Ok((text, self.answer(ran, Drawing::Nothing)?))
    }

    /// Judges a solution in the course's format, or the actions of a JSON answer.
    ///
    /// # Errors
    /// If it cannot be read, or the plan names what does not exist.
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
        let ours = match (claimed, &illegal) {
            (_, Some(_)) => None,
            // That there is no solution is refuted without a search where that is known.
            (None, None) if solvable => None,
            _ => Some(self.solve(plan, observer, None)?),
        };
        Ok(Ok(Verdict { claimed, illegal, solvable, ours }))
    }

    /// Audits heuristics on this instance.
    ///
    /// # Errors
    /// If the plan names what does not exist.
    pub fn audit(&self, plan: &AuditPlan, observer: &dyn ScopeObserver) -> Result<Audit, AuditError> {
        self.instance.audit(&Auditor { card: self.card, plan, observer })
    }

    /// Explores the whole space of this instance.
    ///
    /// # Errors
    /// If there is no such space, or it does not fit.
    pub fn explore(&self, plan: &ExplorePlan, observer: &dyn ScopeObserver) -> Result<Exploration, ExploreError> {
        if let Some(name) = plan.parameters.names().next() {
            return Err(ExploreError::Plan(format!("--{name}: the file says that already")));
        }
        let explorer = Explorer { card: self.card, plan, observer, from_file: true };
        // An atlas needs ranks.
        let ranked = self.instance.ranked_scope().filter(|_| plan.save.is_some());
        self.instance.explore(plan.scope.as_deref().or(ranked), &explorer)
    }

    /// Explores what the start can reach, together with other processes.
    ///
    /// # Errors
    /// If the plan asks for something else, or it was stopped.
    pub fn explore_together(
        &self,
        processes: &dyn Processes,
        plan: &ExplorePlan,
        limits: Limits,
        observer: &mut dyn Observer,
    ) -> Result<Exploration, ExploreError> {
        self.instance.explore_together(self.card.name, processes, plan, limits, observer)
    }

    /// Picks a state of the whole space of this instance.
    pub(crate) fn pick(
        &self,
        plan: &ExplorePlan,
        difficulty: Difficulty,
        random: &mut dyn Rng,
        observer: &dyn ScopeObserver,
    ) -> Result<Picked, ExploreError> {
        let (threads, most_bytes) = (plan.threads, plan.most_bytes);
        self.instance.pick(&mut Picker { difficulty, random, threads, most_bytes, watcher: observer })
    }

    /// Solves the instance and picks a state on its shortest solution.
    pub(crate) fn cut(
        &self,
        difficulty: Difficulty,
        plan: &Plan,
        random: &mut dyn Rng,
        observer: &mut dyn Observer,
    ) -> Cut {
        let solve = |plan: &Plan, observer: &mut dyn Observer| {
            let ran = self.run(plan, observer, &mut |_| ControlFlow::Break(()));
            ran.expect("the puzzle's own advice can be followed").report.outcome
        };
        let Difficulty::Between(least, most) = difficulty else { return Cut::TooEasy };
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
                found.map_or(Cut::TooEasy, |(text, length)| Cut::Found(exactly(text, length)))
            }
            Outcome::Stopped { why: Stop::Interrupted, .. } => Cut::Interrupted,
            Outcome::Stopped { lower_bound, .. } => {
                let greedy = Plan { algorithm: Some("greedy".into()), atlases: None, ..plan.clone() };
                match solve(&greedy, observer) {
                    Outcome::Solved(some) => {
                        let text = text(&[]).expect("the start is one");
                        let bounds = Generated { text, least: lower_bound, most: some.cost, unit };
                        let within = least <= lower_bound && some.cost <= most;
                        if within { Cut::Found(bounds) } else { Cut::Undecided(bounds) }
                    }
                    Outcome::Stopped { why: Stop::Interrupted, .. } => Cut::Interrupted,
                    _ => Cut::TooEasy,
                }
            }
            _ => Cut::TooEasy,
        }
    }
}

impl Task {
    pub(crate) fn space(&self) -> ErasedSpace<'_> {
        ErasedSpace(&*self.instance)
    }

    /// A heuristic that was asked for by name or as an expression.
    fn guide(&self, heuristic: &str) -> Result<Box<dyn Guide + '_>, PlanError> {
        self.instance.guide(&Named::parse(self.card, heuristic)?)
    }

    /// Carries out a plan: by an atlas if everything is left to the puzzle and there is one, else by a search.
    fn run(
        &self,
        plan: &Plan,
        observer: &mut dyn Observer,
        trace: &mut dyn FnMut(Visit<Number>) -> ControlFlow<()>,
    ) -> Result<Ran, PlanError> {
        let mut notes = Vec::new();
        let mut ran = match self.by_atlas(plan, &mut notes) {
            Some(ran) => ran,
            None => self
                .search(plan, observer, &mut |search, limits, observer| run_traced(search, limits, observer, trace))?,
        };
        notes.append(&mut ran.notes);
        Ok(Ran { notes, ..ran })
    }

    /// The answer of an atlas, if everything is left to the puzzle and there is one.
    fn by_atlas(&self, plan: &Plan, notes: &mut Vec<String>) -> Option<Ran> {
        let begin = Timestamp::now();
        let by_itself = plan.algorithm.is_none() && plan.heuristic.is_none() && plan.resumed.is_none();
        let store = plan.atlases.as_ref().filter(|_| by_itself)?;
        if self.solvability() == Solvability::Unsolvable {
            return None;
        }
        let outcome = match self.instance.consult(store, notes)? {
            Some(moves) => Outcome::Solved(Solution { cost: moves.len() as u32, moves, guarantee: Guarantee::Optimal }),
            None => Outcome::Unsolvable,
        };
        let chosen = Some("an atlas with the distance of every state is at hand: no search was needed");
        let heuristic = Named::Own("zero".into());
        let choice = Choice { algorithm: &ATLAS, heuristic, chosen, then: None, then_why: None };
        let ran = Ran::new(choice, Report { outcome, stats: Stats::default() });
        Some(Ran { seconds: begin.elapsed().as_secs_f64(), ..ran })
    }

    pub(crate) fn answer(&self, ran: Ran, drawing: Drawing) -> Result<Answer, PlanError> {
        let replayed = |solution: &Solution<_>, drawing| self.instance.replayed(solution, drawing);
        let outcome = match &ran.report.outcome {
            Outcome::Solved(solution) => AnswerOutcome::Solved(replayed(solution, drawing)?),
            Outcome::Unsolvable => AnswerOutcome::Unsolvable { at_once: self.solvability() == Solvability::Unsolvable },
            Outcome::Stopped { why, lower_bound } => AnswerOutcome::Stopped { why: *why, lower_bound: *lower_bound },
        };
        Ok(Answer {
            puzzle: self.card.name,
            // What was asked for; the handover says who went on.
            algorithm: ran.handover.map_or(ran.choice.algorithm.name, |handover| handover.from),
            heuristic: ran.choice.heuristic.text().into(),
            chosen: ran.choice.chosen,
            unit: self.instance.unit(),
            notes: ran.notes,
            handover: ran.handover,
            best: ran.best.map(|solution| replayed(&solution, Drawing::Nothing)).transpose()?,
            outcome,
            stats: ran.report.stats,
            seconds: ran.seconds,
            start: if drawing == Drawing::Nothing { String::new() } else { self.draw() },
        })
    }
}

/// Reads our own JSON, or what the course wants.
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
