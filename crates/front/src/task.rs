//! One opened instance with its types erased, written once for every puzzle. The names of the algorithms are matched
//! here and nowhere else.

use std::collections::HashMap;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::Instant;

use admissible::search::{
    Crew, Guarantee, Limits, Observer, Outcome, Report, Search, Solution, Stats, Stop, Team, TieBreak, Visit, Weight,
    astar, astar_without_reopening, bfs, bidirectional, cheapest_move, crewed_astar, dfs, eager_astar, greedy, hdastar,
    idastar, idastar_pruned, ucs, wastar,
};
use admissible::{Backward, Heuristic, StateSpace};
use admissible_domains::text::Faults;
use admissible_domains::{Card, Claim, CourseRun, Puzzle, WithBackward, WithHeuristic};

use rand::{Rng, RngExt as _};
use serde_json::Value;

use crate::answer::{Answer, AnswerOutcome, Handover, SolvedAnswer, Verdict};
use crate::atlas::consult;
use crate::audit::{Audit, AuditError, AuditObserver, AuditPlan, Auditor};
use crate::certify::Certify;
use crate::checkpoint::Keeper;
use crate::difficulty::{Cut, Difficulty, Generated, Picked, Picker};
use crate::error::PlanError;
use crate::explore::{Exploration, ExploreError, ExploreObserver, ExplorePlan, Explorer, Watching};
use crate::instance::{AtStart, Band, CountBand};
use crate::keeping::Standing;
use crate::named::Named;
use crate::play::Play;
use crate::registry::{ALGORITHMS, AlgorithmCard, nearest};
use crate::stages::left;
use crate::store::Store;
use crate::trace::{TraceEvent, Tracer};

/// How to solve an instance. The default leaves everything to the puzzle.
#[derive(Debug, Clone, Default)]
pub struct Plan {
    /// The algorithm; the puzzle's advice if there is none.
    pub algorithm: Option<String>,
    /// The heuristic, by name or as an expression; the puzzle's advice if there is none.
    pub heuristic: Option<String>,
    /// For `wastar`; 1.5 if there is none.
    pub weight: Option<Weight>,
    /// Which of equal nodes comes first.
    pub tie: Option<TieBreak>,
    /// For `dfs`.
    pub depth_limit: Option<u32>,
    /// What it may take.
    pub limits: Limits,
    /// How many threads share the work of the searches that can; one if there is none.
    pub threads: Option<usize>,
    /// The processes that search together, if more than this one do.
    pub crew: Option<Arc<dyn Crew>>,
    /// What to draw of it.
    pub drawing: Drawing,
    /// Where atlases are looked for if everything is left to the puzzle; nowhere if there is none.
    pub atlases: Option<Store>,
    /// Whether successors that were not closed are to be counted, which A* does not do where it is fastest.
    pub counts_not_closed: bool,
    /// Whether a search that runs out of memory hands over to one that needs none, where that goes on from what it has
    /// proved.
    pub hands_over: bool,
    /// Who keeps checkpoints, if anybody does.
    pub keeper: Option<Arc<Keeper>>,
    /// How far a checkpoint was, to go on from there.
    pub resumed: Option<Value>,
}

/// How much of an answer is drawn. A drawing of a large board takes longer than the search, so none is made unasked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Drawing {
    /// Nothing.
    #[default]
    Nothing,
    /// Start and goal, or the whole solution in one picture where the puzzle has such.
    Ends,
    /// The board after every step.
    EveryStep,
}

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
        crew: &dyn Crew,
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

/// A plan with its names looked up.
pub(crate) struct Choice {
    pub(crate) algorithm: &'static AlgorithmCard,
    pub(crate) heuristic: Named,
    pub(crate) chosen: Option<&'static str>,
    /// After how many expansions which heuristic takes over, and why.
    pub(crate) then: Option<(u64, String)>,
    pub(crate) then_why: Option<&'static str>,
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

/// The algorithms that are small enough to be written down, the best first.
const CAN_BE_KEPT: [&str; 2] = ["idastar-pruned", "idastar"];
const KEPT_WHY: &str = "a checkpoint was asked for, and IDA* is small enough to be written down";

impl<P: Puzzle> Opened<P> {
    pub(crate) fn choose(&self, plan: &Plan) -> Result<Choice, PlanError> {
        let advice = match plan.limits.bytes {
            Some(bytes) => self.puzzle.advice_within(bytes),
            None => self.puzzle.advice(),
        };
        let can_be_kept = |name: &str| plan.keeper.is_none() || CAN_BE_KEPT.contains(&name);
        let suggested = if can_be_kept(advice.algorithm) { advice.algorithm } else { CAN_BE_KEPT[0] };
        let name = plan.algorithm.as_deref().unwrap_or(suggested);
        if !can_be_kept(name) && ALGORITHMS.iter().any(|card| card.name == name) {
            return Err(PlanError::NoCheckpoint(name.into()));
        }
        let algorithm =
            ALGORITHMS.iter().find(|card| card.name == name).ok_or_else(|| PlanError::UnknownAlgorithm {
                name: name.into(),
                nearest: nearest(name, ALGORITHMS.iter().map(|card| card.name)),
            })?;
        if algorithm.name == "hdastar" && P::KEY_WORDS == 0 {
            return Err(PlanError::NotShared(self.card.name));
        }
        let asked = Named::parse(self.card, plan.heuristic.as_deref().unwrap_or(advice.heuristic))?;
        let heuristic = if algorithm.guided { asked } else { Named::Own("zero".into()) };
        heuristic.fits(&self.puzzle)?;
        let all_by_advice = plan.algorithm.is_none() && plan.heuristic.is_none();
        let chosen = all_by_advice.then_some(if name == advice.algorithm { advice.why } else { KEPT_WHY });
        let then = advice.then.filter(|_| all_by_advice);
        let then_why = then.map(|then| then.why);
        Ok(Choice {
            algorithm,
            heuristic,
            chosen,
            then: then.map(|then| (then.expansions, then.heuristic.into())),
            then_why,
        })
    }

    /// Carries out a plan. Where everything is left to the puzzle and its first choice takes too long, its second one is
    /// tried.
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
        let begin = Instant::now();
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

    /// Prepares a search and hands it to `drive`, with what is left of the limits by then.
    pub(crate) fn drive_choice(
        &self,
        choice: Choice,
        standing: &Standing,
        plan: &Plan,
        observer: &mut dyn Observer,
        drive: &mut Drive<'_, P>,
    ) -> Result<Ran<P>, PlanError> {
        let begin = Instant::now();
        let stopped = |choice, why| Ran::new(choice, stopped(why), begin.elapsed().as_secs_f64());
        let tables = self.puzzle.tables(choice.heuristic.text());
        if let Some(most) = plan.limits.bytes.filter(|&most| most < tables.peak) {
            let (name, need, most) = (choice.heuristic.text(), tables.peak.div_ceil(1 << 20), most >> 20);
            let note = format!("the tables of {name} take {need} MiB, and the limit is {most} MiB");
            return Ok(Ran { notes: vec![note], ..stopped(choice, Stop::Memory) });
        }
        let deadline = plan.limits.time.and_then(|time| begin.checked_add(time));
        let mut why = Stop::Interrupted;
        let prepared = self.puzzle.prepare(choice.heuristic.text(), &mut |done, of| {
            if deadline.is_some_and(|deadline| Instant::now() >= deadline) {
                why = Stop::Time;
                return ControlFlow::Break(());
            }
            observer.preparing(done, of).map_break(|stop| why = stop)
        });
        if prepared.is_err() {
            return Ok(stopped(choice, why));
        }
        let limits = Limits {
            time: left(plan.limits.time, begin.elapsed().as_secs_f64()),
            bytes: plan.limits.bytes.map(|most| most - tables.held),
            ..plan.limits
        };
        let mut best = None;
        let runner = Runner {
            opened: self,
            algorithm: choice.algorithm.name,
            heuristic: choice.heuristic.text(),
            plan,
            limits,
            standing,
            observer,
            drive,
            best: &mut best,
        };
        let report = choice.heuristic.with(&self.puzzle, runner)??;
        let best = best.filter(|_| matches!(report.outcome, Outcome::Stopped { .. }));
        Ok(Ran { best, ..Ran::new(choice, report, begin.elapsed().as_secs_f64()) })
    }

    /// Hands a heuristic that somebody asked for to a visitor.
    fn with_named<U: WithHeuristic<P>>(&self, heuristic: &str, user: U) -> Result<U::Out, PlanError> {
        Named::parse(self.card, heuristic)?.with(&self.puzzle, user)
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
        crew: &dyn Crew,
        plan: &ExplorePlan,
        limits: Limits,
        observer: &mut dyn Observer,
    ) -> Result<Exploration, ExploreError> {
        self.by_crew(crew, plan, limits, observer)
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

/// A search that could not begin.
fn stopped<M>(why: Stop) -> Report<M> {
    Report { outcome: Outcome::Stopped { why, lower_bound: 0 }, stats: Stats::default() }
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

/// Carries out a plan with a heuristic whose type is known.
struct Runner<'a, P: Puzzle> {
    opened: &'a Opened<P>,
    algorithm: &'static str,
    heuristic: &'a str,
    plan: &'a Plan,
    limits: Limits,
    standing: &'a Standing,
    observer: &'a mut dyn Observer,
    drive: &'a mut Drive<'a, P>,
    best: &'a mut Option<Solution<P::Move>>,
}

/// Drives a search to its end, within limits.
pub(crate) type Drive<'a, P> =
    dyn FnMut(&mut dyn Search<P>, &Limits, &mut dyn Observer) -> Report<<P as StateSpace>::Move> + 'a;

impl<P: Puzzle> Runner<'_, P> {
    /// Searches together with other processes, unless the answer is known without a search.
    fn by_crew<H: Heuristic<P>>(&mut self, heuristic: &H) -> Report<P::Move> {
        let (space, crew) = (&self.opened.puzzle, self.plan.crew.as_deref().expect("there is a crew"));
        if self.opened.solvability() == Solvability::Unsolvable {
            return Report { outcome: Outcome::Unsolvable, stats: Stats::default() };
        }
        let report = crewed_astar(space, &space.start(), heuristic, crew, self.limits, self.observer);
        report.expect("the space has keys")
    }

    fn drive(&mut self, search: &mut dyn Search<P>) -> Result<Report<P::Move>, PlanError> {
        match &self.standing.snapshot {
            Some(snapshot) if !search.restore(snapshot) => {
                return Err(PlanError::Checkpoint("it is one of another search".into()));
            }
            Some(_) => {}
            None => search.begin_at(self.standing.lower_bound),
        }
        let report = (self.drive)(search, &self.limits, self.observer);
        *self.best = search.best();
        Ok(report)
    }
}

impl<P: Puzzle> WithHeuristic<P> for Runner<'_, P> {
    type Out = Result<Report<P::Move>, PlanError>;

    fn call<H: Heuristic<P> + Sync + 'static>(mut self, heuristic: H) -> Self::Out {
        let space = &self.opened.puzzle;
        let start = space.start();
        let tie = self.plan.tie.unwrap_or_default();
        let limits = &{ self.limits };
        let team = Team::of(self.plan.threads.unwrap_or(1));
        match self.algorithm {
            "astar" | "hdastar" if self.plan.counts_not_closed => {
                self.drive(&mut eager_astar(space, start, &heuristic, tie, limits))
            }
            "astar" => self.drive(&mut astar(space, start, &heuristic, tie, limits)),
            "astar-no-reopen" => self.drive(&mut astar_without_reopening(space, start, &heuristic, tie, limits)),
            "ucs" => self.drive(&mut ucs(space, start, tie, limits)),
            "bfs" => self.drive(&mut bfs(space, start, limits)),
            "dfs" => self.drive(&mut dfs(space, start, self.plan.depth_limit, limits)),
            "greedy" => self.drive(&mut greedy(space, start, &heuristic, tie, limits)),
            "wastar" => {
                let weight = self.plan.weight.or(Weight::new(3, 2)).expect("3/2 is a weight");
                self.drive(&mut wastar(space, start, &heuristic, weight, tie, limits))
            }
            "hdastar" if self.plan.crew.is_some() => Ok(self.by_crew(&heuristic)),
            "hdastar" => match hdastar(space, start, &heuristic, team, limits) {
                Some(mut search) => self.drive(&mut *search),
                None => Ok(stopped(Stop::Memory)),
            },
            "idastar" => self.drive(&mut idastar(space, start, &heuristic, limits).with(team)),
            "idastar-pruned" => self.drive(&mut idastar_pruned(space, start, &heuristic, limits).with(team)),
            "bidirectional" => {
                let (puzzle, name) = (self.opened.card.name, self.heuristic);
                let both = BothWays { runner: self, to_goal: &heuristic };
                let report = space.with_backward(name, both);
                report
                    .unwrap_or(Err("its moves cannot be taken back".into()))
                    .map_err(|why| PlanError::NotBackward { puzzle, why })?
            }
            name => unreachable!("{name} is in the registry and has no match here"),
        }
    }
}

/// Carries out a bidirectional plan with two heuristics whose types are known.
struct BothWays<'a, 'h, P: Puzzle, H> {
    runner: Runner<'a, P>,
    to_goal: &'h H,
}

impl<P: Puzzle, H: Heuristic<P>> WithBackward<P> for BothWays<'_, '_, P, H> {
    type Out = Result<Result<Report<P::Move>, PlanError>, String>;

    fn call<B: Heuristic<P>>(mut self, space: &P, from_start: &B) -> Self::Out
    where
        P: Backward,
    {
        let limits = self.runner.limits;
        let mut search = bidirectional(space, space.start(), self.to_goal, from_start, &limits)
            .map_err(|no_goals| no_goals.to_string())?;
        Ok(self.runner.drive(&mut search))
    }
}

/// Numbers the states of a trace in the order in which they are first seen.
struct Numbers<K>(HashMap<K, u64>);

impl<K> Default for Numbers<K> {
    fn default() -> Self {
        Numbers(HashMap::new())
    }
}

impl<K: Copy + Eq + std::hash::Hash> Numbers<K> {
    fn number(&mut self, state: K) -> u64 {
        let next = self.0.len() as u64;
        *self.0.entry(state).or_insert(next)
    }

    fn event<P: Puzzle<Packed = K>>(&mut self, puzzle: &P, visit: &Visit<K>) -> TraceEvent {
        let parent = visit.parent.map(|parent| self.number(parent));
        let state = puzzle.unpack(visit.state);
        let action = visit.parent.filter(|_| !visit.backward).and_then(|parent| {
            let (_, m) = cheapest_move(puzzle, parent, visit.state)?;
            Some(puzzle.move_name(&puzzle.unpack(parent), m))
        });
        TraceEvent {
            id: self.number(visit.state),
            parent,
            action,
            g: visit.g,
            h: f64::from(visit.h) / f64::from(visit.scale),
            place: puzzle.place(&state),
            state: puzzle.state_json(&state),
            backward: visit.backward,
        }
    }
}
