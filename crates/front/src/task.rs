//! One opened instance with its types erased, written once for every puzzle.

use std::ops::ControlFlow;

use crate::puzzle::{Card, Claim, CourseRun, Puzzle, WithHeuristic};
use crate::text::Faults;
use admissible::platform::Timestamp;
use admissible::search::{Guarantee, Limits, Observer, Outcome, Processes, Report, Solution, Stats, Stop, Visit};

use rand::{Rng, RngExt as _};

use crate::answer::{Answer, AnswerOutcome, Handover, SolvedAnswer, Verdict};
use crate::atlas::consult;
use crate::audit::{Audit, AuditError, AuditObserver, AuditPlan, Auditor};
use crate::certify::Certify;
use crate::difficulty::{Cut, Difficulty, Generated, Picked, Picker};
use crate::error::PlanError;
use crate::explore::{Exploration, ExploreError, ExploreObserver, ExplorePlan, Explorer, Watching};
use crate::instance::{AtStart, Band, CountBand};
use crate::keeping::Standing;
use crate::named::Named;
use crate::plan::{Choice, Drawing, Plan};
use crate::play::Play;
use crate::registry::AlgorithmCard;
use crate::trace::{Numbers, Tracer};

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

/// One opened instance.
pub trait Task: Play + Certify + Send + Sync {
    /// What is known of the puzzle.
    fn card(&self) -> &'static Card;
    /// The start, drawn.
    fn draw(&self) -> String;
    /// Whether there is a solution, without a search.
    fn solvability(&self) -> Solvability;
    /// What a heuristic says of the start, in whole costs; `None` for a dead end.
    ///
    /// # Errors
    /// If the puzzle has no such heuristic.
    fn estimate(&self, heuristic: &str) -> Result<Option<f64>, PlanError>;
    /// How many states any correct A* with this heuristic takes off its frontier, given the cost of a cheapest solution
    /// or that there is none; `None` where the heuristic is not consistent. Keeps all those states in memory.
    ///
    /// # Errors
    /// If the puzzle has no such heuristic.
    fn band(&self, heuristic: &str, optimum: Option<u32>) -> Result<Option<Band>, PlanError>;
    /// The algorithm and the heuristic that a plan begins with.
    ///
    /// # Errors
    /// If the plan names what does not exist.
    fn choice(&self, plan: &Plan) -> Result<(&'static str, String), PlanError>;
    /// Carries out a plan.
    ///
    /// # Errors
    /// If the plan names what does not exist.
    fn solve(
        &self,
        plan: &Plan,
        observer: &mut dyn Observer,
        tracer: Option<&mut dyn Tracer>,
    ) -> Result<Answer, PlanError>;
    /// Carries out a plan and prints it as the course wants it, with the answer it is made from.
    ///
    /// # Errors
    /// If the plan names what does not exist.
    fn course(&self, plan: &Plan, observer: &mut dyn Observer) -> Result<(String, Answer), PlanError>;
    /// Judges a solution in the course's format, or the actions of a JSON answer.
    ///
    /// # Errors
    /// If it cannot be read, or the plan names what does not exist.
    fn verify(
        &self,
        claim: &str,
        plan: &Plan,
        observer: &mut dyn Observer,
    ) -> Result<Result<Verdict, Faults>, PlanError>;
    /// Audits heuristics on this instance.
    ///
    /// # Errors
    /// If the plan names what does not exist.
    fn audit(&self, plan: &AuditPlan, observer: &dyn AuditObserver) -> Result<Audit, AuditError>;
    /// Explores the whole space of this instance.
    ///
    /// # Errors
    /// If there is no such space, or it does not fit.
    fn explore(&self, plan: &ExplorePlan, observer: &dyn ExploreObserver) -> Result<Exploration, ExploreError>;
    /// Explores what the start can reach, together with other processes.
    ///
    /// # Errors
    /// If the plan asks for something else, or it was stopped.
    fn explore_together(
        &self,
        processes: &dyn Processes,
        plan: &ExplorePlan,
        limits: Limits,
        observer: &mut dyn Observer,
    ) -> Result<Exploration, ExploreError>;
    /// Picks a state of the whole space of this instance.
    ///
    /// # Errors
    /// If it was stopped.
    #[doc(hidden)]
    fn pick(
        &self,
        plan: &ExplorePlan,
        difficulty: Difficulty,
        random: &mut dyn Rng,
        observer: &dyn ExploreObserver,
    ) -> Result<Picked, ExploreError>;
    /// Solves the instance and picks a state on its shortest solution.
    #[doc(hidden)]
    fn cut(&self, difficulty: Difficulty, plan: &Plan, random: &mut dyn Rng, observer: &mut dyn Observer) -> Cut;
}

pub(crate) struct Opened<P> {
    pub(crate) card: &'static Card,
    pub(crate) puzzle: P,
}

/// A report beside the names and the time that go with it.
pub(crate) struct Ran<P: Puzzle> {
    pub(crate) choice: Choice,
    pub(crate) report: Report<P::Move>,
    pub(crate) seconds: f64,
    /// What else should be known: atlases that were not used, and why.
    pub(crate) notes: Vec<String>,
    /// A solution that is not proved to be shortest, if the search was stopped with one in hand.
    pub(crate) best: Option<Solution<P::Move>>,
    /// Who handed over to the algorithm that ended it.
    pub(crate) handover: Option<Handover>,
}

impl<P: Puzzle> Ran<P> {
    pub(crate) fn new(choice: Choice, report: Report<P::Move>, seconds: f64) -> Self {
        Ran { choice, report, seconds, notes: Vec::new(), best: None, handover: None }
    }
}

/// What answers from an atlas go by. It is no algorithm that anybody could ask for: there has to be an atlas.
static ATLAS: AlgorithmCard =
    AlgorithmCard { name: "atlas", summary: "the way downhill by the distances of every state", guided: false };

impl<P: Puzzle> Opened<P> {
    /// Carries out a plan. Where everything is left to the puzzle and its first choice takes too long, its second one
    /// is tried.
    fn run(
        &self,
        plan: &Plan,
        observer: &mut dyn Observer,
        trace: &mut dyn FnMut(Visit<P::Packed>) -> ControlFlow<()>,
    ) -> Result<Ran<P>, PlanError> {
        let mut notes = Vec::new();
        if let Some(ran) = self.by_atlas(plan, &mut notes) {
            return Ok(Ran { notes, ..ran });
        }
        let ran = self.search(plan, observer, trace)?;
        Ok(Ran { notes, ..ran })
    }

    /// The answer of an atlas, if everything is left to the puzzle and there is one.
    fn by_atlas(&self, plan: &Plan, notes: &mut Vec<String>) -> Option<Ran<P>> {
        let begin = Timestamp::now();
        let by_itself = plan.algorithm.is_none() && plan.heuristic.is_none() && plan.resumed.is_none();
        let store = plan.atlases.as_ref().filter(|_| by_itself)?;
        if self.solvability() == Solvability::Unsolvable {
            return None;
        }
        let outcome = match consult(&self.puzzle, store, notes)? {
            Some(moves) => Outcome::Solved(Solution { cost: moves.len() as u32, moves, guarantee: Guarantee::Optimal }),
            None => Outcome::Unsolvable,
        };
        let chosen = Some("an atlas with the distance of every state is at hand: no search was needed");
        let heuristic = Named::Own("zero".into());
        let choice = Choice { algorithm: &ATLAS, heuristic, chosen, then: None, then_why: None };
        let report = Report { outcome, stats: Stats::default() };
        Some(Ran::new(choice, report, begin.elapsed().as_secs_f64()))
    }

    /// Hands a heuristic that somebody asked for to a visitor.
    fn with_named<U: WithHeuristic<P>>(&self, heuristic: &str, user: U) -> Result<U::Out, PlanError> {
        Named::parse(self.card, heuristic)?.with_erased(&self.puzzle, user)
    }

    pub(crate) fn answer(&self, ran: Ran<P>, drawing: Drawing) -> Result<Answer, PlanError> {
        let outcome = match &ran.report.outcome {
            Outcome::Solved(solution) => AnswerOutcome::Solved(self.replayed(solution, drawing)?),
            Outcome::Unsolvable => AnswerOutcome::Unsolvable { at_once: self.solvability() == Solvability::Unsolvable },
            Outcome::Stopped { why, lower_bound } => AnswerOutcome::Stopped { why: *why, lower_bound: *lower_bound },
        };
        Ok(Answer {
            puzzle: self.card.name,
            // What was asked for; the handover says who went on.
            algorithm: ran.handover.map_or(ran.choice.algorithm.name, |handover| handover.from),
            heuristic: ran.choice.heuristic.text().into(),
            chosen: ran.choice.chosen,
            unit: P::UNIT,
            notes: ran.notes,
            handover: ran.handover,
            best: ran.best.map(|solution| self.replayed(&solution, Drawing::Nothing)).transpose()?,
            outcome,
            stats: ran.report.stats,
            seconds: ran.seconds,
            start: if drawing == Drawing::Nothing { String::new() } else { self.draw() },
        })
    }

    /// A solution in words, after the referee has replayed it and come to the same states.
    fn replayed(&self, solution: &Solution<P::Move>, drawing: Drawing) -> Result<SolvedAnswer, PlanError> {
        let puzzle = &self.puzzle;
        let mut state = puzzle.start();
        let mut states = vec![puzzle.state_json(&state)];
        let mut boards = Vec::new();
        let mut actions = Vec::with_capacity(solution.moves.len());
        for &m in &solution.moves {
            if drawing == Drawing::EveryStep {
                boards.push(puzzle.draw(&state));
            }
            actions.push(puzzle.move_name(&state, m));
            puzzle.apply(&mut state, m);
            states.push(puzzle.state_json(&state));
        }
        let picture = if drawing == Drawing::Ends { puzzle.draw_path(&solution.moves) } else { None };
        match drawing {
            Drawing::Nothing => {}
            Drawing::Ends if picture.is_some() => {}
            Drawing::Ends if solution.moves.is_empty() => boards.push(puzzle.draw(&state)),
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
            extras: puzzle.solution_extras(&solution.moves),
            boards,
            picture,
        })
    }
}

impl<P: Puzzle> Task for Opened<P> {
    fn card(&self) -> &'static Card {
        self.card
    }

    fn draw(&self) -> String {
        self.puzzle.draw(&self.puzzle.start())
    }

    fn solvability(&self) -> Solvability {
        match self.puzzle.solvable(&self.puzzle.start()) {
            Some(true) => Solvability::Solvable,
            Some(false) => Solvability::Unsolvable,
            None => Solvability::Unknown,
        }
    }

    fn estimate(&self, heuristic: &str) -> Result<Option<f64>, PlanError> {
        self.with_named(heuristic, AtStart(&self.puzzle))
    }

    fn band(&self, heuristic: &str, optimum: Option<u32>) -> Result<Option<Band>, PlanError> {
        self.with_named(heuristic, CountBand { puzzle: &self.puzzle, optimum })
    }

    fn choice(&self, plan: &Plan) -> Result<(&'static str, String), PlanError> {
        let choice = self.choose(plan)?;
        Ok((choice.algorithm.name, choice.heuristic.text().into()))
    }

    fn solve(
        &self,
        plan: &Plan,
        observer: &mut dyn Observer,
        tracer: Option<&mut dyn Tracer>,
    ) -> Result<Answer, PlanError> {
        let ran = match tracer {
            None => self.run(plan, observer, &mut |_| ControlFlow::Break(()))?,
            Some(tracer) => {
                let mut numbers = Numbers::default();
                // One search is traced, not a try and another.
                self.run_choice(self.choose(plan)?, Standing::default(), plan, observer, &mut |visit| {
                    if tracer.event(&numbers.event(&self.puzzle, &visit)) {
                        ControlFlow::Continue(())
                    } else {
                        ControlFlow::Break(())
                    }
                })?
            }
        };
        self.answer(ran, plan.drawing)
    }

    fn course(&self, plan: &Plan, observer: &mut dyn Observer) -> Result<(String, Answer), PlanError> {
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
        let text = self.puzzle.course(&CourseRun {
            heuristic: ran.choice.heuristic.text(),
            outcome: &ran.report.outcome,
            stats: &ran.report.stats,
            visited: &visited,
        });
        Ok((text, self.answer(ran, Drawing::Nothing)?))
    }

    fn verify(
        &self,
        claim: &str,
        plan: &Plan,
        observer: &mut dyn Observer,
    ) -> Result<Result<Verdict, Faults>, PlanError> {
        let claim = match read_claim(&self.puzzle, claim) {
            Ok(claim) => claim,
            Err(faults) => return Ok(Err(faults)),
        };
        let (claimed, illegal) = match claim {
            Claim::Unsolvable => (None, None),
            Claim::Actions(actions) => (Some(actions.len() as u32), self.puzzle.referee().replay(&actions).err()),
            Claim::Broken { actions, illegal } => (Some(actions), Some(illegal)),
        };
        let ours = match (claimed, &illegal) {
            (_, Some(_)) => None,
            // That there is no solution is refuted without a search where that is known.
            (None, None) if self.solvability() == Solvability::Solvable => None,
            _ => Some(self.solve(plan, observer, None)?),
        };
        let solvable = self.solvability() == Solvability::Solvable;
        Ok(Ok(Verdict { claimed, illegal, solvable, ours }))
    }

    fn audit(&self, plan: &AuditPlan, observer: &dyn AuditObserver) -> Result<Audit, AuditError> {
        let auditor = Auditor { card: self.card, plan, observer };
        self.puzzle.survey(plan.scope.as_deref(), auditor).map_err(AuditError::Scope)?
    }

    fn explore(&self, plan: &ExplorePlan, observer: &dyn ExploreObserver) -> Result<Exploration, ExploreError> {
        if let Some(name) = plan.recipe.given().first() {
            return Err(ExploreError::Plan(format!("--{name}: the file says that already")));
        }
        let explorer = Explorer { puzzle: self.card.name, plan, observer, from_file: true };
        // An atlas needs numbers.
        let charted = self.puzzle.charted_scope().filter(|_| plan.save.is_some());
        self.puzzle.expanse(plan.scope.as_deref().or(charted), explorer).map_err(ExploreError::Scope)?
    }

    fn explore_together(
        &self,
        processes: &dyn Processes,
        plan: &ExplorePlan,
        limits: Limits,
        observer: &mut dyn Observer,
    ) -> Result<Exploration, ExploreError> {
        self.by_processes(processes, plan, limits, observer)
    }

    fn pick(
        &self,
        plan: &ExplorePlan,
        difficulty: Difficulty,
        random: &mut dyn Rng,
        observer: &dyn ExploreObserver,
    ) -> Result<Picked, ExploreError> {
        let watcher = &Watching(observer);
        let picker = Picker { difficulty, random, threads: plan.threads, most_bytes: plan.most_bytes, watcher };
        self.puzzle.expanse(self.puzzle.charted_scope(), picker).map_err(ExploreError::Scope)?
    }

    fn cut(&self, difficulty: Difficulty, plan: &Plan, random: &mut dyn Rng, observer: &mut dyn Observer) -> Cut {
        let solve = |plan: &Plan, observer: &mut dyn Observer| {
            let ran = self.run(plan, observer, &mut |_| ControlFlow::Break(()));
            ran.expect("the puzzle's own advice can be followed").report.outcome
        };
        let Difficulty::Between(least, most) = difficulty else { return Cut::TooEasy };
        let text = |moves: &[P::Move]| {
            let mut state = self.puzzle.start();
            for &m in moves {
                self.puzzle.apply(&mut state, m);
            }
            self.puzzle.file(&state)
        };
        let exactly = |text: String, length: u32| Generated { text, least: length, most: length, unit: P::UNIT };
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
                        let bounds = Generated { text, least: lower_bound, most: some.cost, unit: P::UNIT };
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

/// Reads our own JSON, or what the course wants.
fn read_claim<P: Puzzle>(puzzle: &P, text: &str) -> Result<Claim, Faults> {
    if !text.trim_start_matches('\u{feff}').trim_start().starts_with('{') {
        return puzzle.read_solution(text);
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
