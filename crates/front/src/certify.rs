//! Certificates: a search that writes a proof of its answer, and the check of such a proof.
//!
//! [`admissible_certificate`], which knows neither puzzles nor searches, defines certificates and has the proof. This
//! module collects the closed states of a search. [`InstanceHeuristic`](crate::instance::InstanceHeuristic) implements
//! the rules that the checker needs.

use std::fs::File;
use std::io;
use std::path::Path;

use crate::puzzle::{Card, ReadOptions, Truth};
use admissible::search::{Guarantee, Observer, Outcome, Stats, run};
use admissible_certificate::{
    Certificate, Checked, Claim as CertificateClaim, Refusal, Resources, Sorter, Written, write,
};
use admissible_files::{FileError, check_writable, scratch_folder};
use thiserror::Error;

use crate::answer::Answer;
use crate::error::PlanError;
use crate::heuristic_spec::HeuristicSpec;
use crate::plan::{Choice, Plan};
use crate::registry::Registry;
use crate::solve_checkpoint::SolveProgress;
use crate::task::Task;

/// The algorithms whose closed states are a proof of optimality.
pub const CERTIFYING: [&str; 3] = ["astar", "ucs", "bfs"];

/// Memory for sorting the closed states, in addition to the memory of the search.
const SORT_BYTES: u64 = 64 << 20;

/// Why there is no certificate.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum CertifyError {
    /// The plan cannot be carried out.
    #[error(transparent)]
    Plan(#[from] PlanError),
    /// No result of this plan would be a proof; the text says why.
    #[error("no certificate: {0}")]
    NoProof(String),
    /// The file cannot be written.
    #[error(transparent)]
    File(#[from] FileError),
}

/// A valid certificate.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Proof {
    /// The claim that it proves.
    pub claim: CertificateClaim,
    /// The unit of the cost.
    pub unit: &'static str,
    /// The counts of the check.
    pub checked: Checked,
    /// What the proof assumes beside the rules of the puzzle; empty if nothing.
    pub given: String,
}

/// Opens a certificate and the instance of its claim.
///
/// # Errors
/// If the file or the board in it cannot be read.
pub fn open_certificate(
    registry: Registry,
    path: &Path,
    reading: &ReadOptions,
) -> Result<(Certificate<File>, Task), FileError> {
    let certificate = Certificate::open(path)?;
    let task = open_claimed(registry, certificate.claim(), reading)?;
    Ok((certificate, task))
}

/// Opens the instance of a claim.
///
/// # Errors
/// If its board cannot be read.
pub fn open_claimed(registry: Registry, claim: &CertificateClaim, reading: &ReadOptions) -> Result<Task, FileError> {
    let options = ReadOptions { goal: None, metric: claim.metric.clone(), ..reading.clone() };
    let task = registry
        .open(&claim.board, Some(&claim.puzzle), &options)
        .map_err(|error| FileError::Damaged(format!("what it says of its board: {error}")))?;
    if claim.metric.is_none() && !task.card().metrics.is_empty() {
        return Err(FileError::Damaged("what it says of its cost: it names no metric".into()));
    }
    Ok(task)
}

impl Task {
    /// Chooses algorithm and heuristic as the plan says, and an algorithm that keeps closed states if it names none.
    fn choose_certifying(&self, plan: &Plan) -> Result<Choice, CertifyError> {
        let advised = self.instance.advice(None).algorithm;
        match &plan.algorithm {
            Some(name) => {
                let choice = self.choose(plan)?;
                if CERTIFYING.contains(&name.as_str()) {
                    return Ok(choice);
                }
                let why = format!(
                    "it consists of the closed states of an optimal search, and {name} has no such states \
                     (try --algorithm {})",
                    CERTIFYING.join(", ")
                );
                Err(CertifyError::NoProof(why))
            }
            None if CERTIFYING.contains(&advised) => Ok(Choice { fallbacks: Vec::new(), ..self.choose(plan)? }),
            None => {
                let choice = self.choose(&Plan { algorithm: Some("astar".into()), ..plan.clone() })?;
                let why = "a certificate consists of closed states, and the usual algorithm for this board keeps none";
                Ok(Choice { chosen: Some(why), ..choice })
            }
        }
    }
}

impl Task {
    /// The start as a puzzle file in canonical form; `None` for a start that no file can express.
    pub fn file(&self) -> Option<String> {
        self.instance.file(self.instance.start())
    }

    /// Carries out a plan and writes the proof of its answer, unless it is stopped first. The answer holds whether or
    /// not the file can be written; the inner result says what became of the file.
    ///
    /// # Errors
    /// If the plan cannot be carried out or cannot give a proof, or the file cannot be created before the search.
    pub fn certify(
        &self,
        plan: &Plan,
        certificate: &Path,
        observer: &mut dyn Observer,
    ) -> Result<(Answer, Result<Option<Written>, FileError>), CertifyError> {
        let no_file = || CertifyError::NoProof("no puzzle file can express this start".into());
        let board = self.file().ok_or_else(no_file)?;
        let choice = self.choose_certifying(plan)?;
        if let Some(rule) = choice.counting {
            let why = format!("the search of the counting rule {} does not reopen states", rule.name);
            return Err(CertifyError::NoProof(why));
        }
        let heuristic = choice.heuristic.clone();
        // An interrupt here is ignored: the observer repeats it when the search begins.
        let tables =
            self.instance.prepare(heuristic.text(), &mut |done, of| observer.preparing(done, of).map_break(drop));
        if tables.is_ok()
            && let Some(why) = self.why_not_certifiable(&heuristic)?
        {
            return Err(CertifyError::NoProof(why));
        }
        check_writable(certificate).map_err(FileError::from)?;

        let mut closed = Sorter::new(SORT_BYTES, &scratch_folder(certificate));
        let mut kept = true;
        let mut sorted = Ok(());
        let plan = &Plan { checkpoints: None, ..plan.clone() };
        let ran =
            self.run_choice(choice, SolveProgress::default(), plan, observer, &mut |search, limits, observer| {
                let report = run(search, limits, observer);
                if is_proved(&report.outcome) {
                    kept = search.each_closed(&mut |state, g| {
                        if sorted.is_ok() {
                            sorted = closed.push(state, g);
                        }
                    });
                }
                report
            })?;
        let proved = is_proved(&ran.report.outcome) && kept;
        let cost = ran.report.outcome.cost();
        let hopeless = self.instance.solvable() == Some(false);
        let answer = self.answer(ran, plan.drawing)?;
        if !proved {
            return Ok((answer, Ok(None)));
        }
        let actions = answer.actions().to_vec();
        let metric = (!self.card.metrics.is_empty()).then(|| format!("{}s", self.instance.unit()));
        let (name, text) = (self.card.name.into(), heuristic.text().into());
        let claim = CertificateClaim { puzzle: name, metric, board, heuristic: text, cost, actions, hopeless };
        let rules = self.instance.heuristic(&heuristic)?;
        let stats = answer.stats;
        let mut watch = |_: u64| observer.tick(&stats).map_break(drop);
        let sorted = sorted.map_err(FileError::from).and_then(|()| closed.finish());
        let written = match sorted.and_then(|closed| write(certificate, &claim, closed, &*rules, &mut watch)) {
            Ok(written) => Ok(Some(written)),
            Err(FileError::File(error)) if error.kind() == io::ErrorKind::Interrupted => Ok(None),
            Err(error) => Err(error),
        };
        Ok((answer, written))
    }

    /// Checks a certificate of this instance.
    ///
    /// # Errors
    /// If it is no proof or cannot be read, or the check was stopped.
    pub fn check(
        &self,
        certificate: &mut Certificate<File>,
        resources: &Resources,
        observer: &mut dyn Observer,
    ) -> Result<Proof, Refusal> {
        let claim = certificate.claim().clone();
        let unproved = |why: String| Refusal::Unproved(why);
        match claim.cost {
            Some(cost) => {
                let judged = self.instance.referee().replay(&claim.actions);
                judged.map_err(|illegal| unproved(format!("action {}: {}", illegal.step, illegal.reason)))?;
                if claim.actions.len() as u64 != u64::from(cost) {
                    return Err(unproved(format!("its solution costs {} and not {cost}", claim.actions.len())));
                }
            }
            None if !claim.actions.is_empty() => {
                return Err(unproved("it claims that there is no solution, and contains one".into()));
            }
            None => {}
        }
        let heuristic =
            HeuristicSpec::parse(self.card, &claim.heuristic).map_err(|error| FileError::Damaged(error.to_string()))?;
        self.fits(&heuristic).map_err(|error| unproved(error.to_string()))?;
        let prepared =
            self.instance.prepare(heuristic.text(), &mut |done, of| observer.preparing(done, of).map_break(drop));
        prepared.map_err(|_| Refusal::Interrupted)?;
        if let Some(why) = self.why_not_certifiable(&heuristic).map_err(|error| unproved(error.to_string()))? {
            return Err(unproved(why));
        }
        let rules = self.instance.heuristic(&heuristic).map_err(|error| unproved(error.to_string()))?;
        let mut watch = |states: u64| {
            let mut stats = Stats::default();
            stats.expanded = states;
            observer.tick(&stats).map_break(drop)
        };
        let checked = certificate.check(&*rules, resources, &mut watch)?;
        let given = if claim.hopeless { String::new() } else { given(self.card, heuristic.text()) };
        Ok(Proof { claim, unit: self.instance.unit(), checked, given })
    }

    fn fits(&self, heuristic: &HeuristicSpec) -> Result<(), PlanError> {
        heuristic.fits(&|name| self.instance.lacks(name))
    }

    /// Why a heuristic cannot be part of a proof; `None` if it can.
    fn why_not_certifiable(&self, heuristic: &HeuristicSpec) -> Result<Option<String>, PlanError> {
        self.fits(heuristic)?;
        let (name, card) = (heuristic.text(), card_of(self.card, heuristic.text()));
        let not_admissible = |why: &str| format!("it would rest on {name}, which is not admissible: {why}");
        Ok(match (card.map(|card| card.admissible), heuristic) {
            (Some(Truth::No(why)), _) => Some(not_admissible(why)),
            (_, HeuristicSpec::Expression { .. }) => {
                Some(format!("it would rest on '{name}', and nothing proves that this expression is admissible"))
            }
            (truth, _) if !self.instance.heuristic(heuristic)?.properties().admissible => {
                let why = if let Some(Truth::Sometimes(why)) = truth { why } else { "nothing proves it" };
                Some(format!("it would rest on {name}, which is not known to be admissible on this board: {why}"))
            }
            _ => None,
        })
    }
}

fn card_of(card: &'static Card, heuristic: &str) -> Option<&'static crate::puzzle::HeuristicCard> {
    let name = heuristic.split_once(':').map_or(heuristic, |(name, _)| name);
    card.heuristics.iter().find(|card| card.name == name)
}

/// The assumptions of a proof with a heuristic, as text.
fn given(card: &'static Card, heuristic: &str) -> String {
    if heuristic == "zero" {
        return String::new();
    }
    let audited = match card_of(card, heuristic).map(|card| card.admissible) {
        Some(Truth::Sometimes(whole)) => whole.split(',').next().unwrap_or(whole).to_string(),
        _ => format!("as an audit finds on {}", card.audited),
    };
    let tables = if heuristic.starts_with("pdb") { ", and that its tables are what was built" } else { "" };
    format!("{heuristic} is admissible ({audited}){tables}")
}

fn is_proved<M>(outcome: &Outcome<M>) -> bool {
    match outcome {
        Outcome::Solved(solution) => solution.guarantee == Guarantee::Optimal,
        Outcome::Unsolvable => true,
        Outcome::Stopped { .. } => false,
    }
}
