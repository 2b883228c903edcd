//! Comparisons: every combination of heuristics and algorithms on every file, with a verdict on each cost.
//!
//! Names are checked before the first run. A run that reaches a limit does not stop the others; an interruption ends
//! the comparison with the runs so far.

use admissible_front::{AlgorithmCard, Card, Plan, PlanError, Task};
use serde_json::{Value, json};

use crate::run::{Combination, Outcome, Run, Watch};
use crate::select::Heuristics;
use crate::sheet::Sheet;

/// A file to compare on.
pub struct Subject {
    /// The name of the file.
    pub file: String,
    /// Its instance.
    pub task: Task,
}

/// The combinations to run on each file.
pub struct Design<'a> {
    parts: Vec<(&'a Subject, Vec<Combination>)>,
    /// The combinations that were left out, in words.
    pub notes: Vec<String>,
}

impl<'a> Design<'a> {
    /// Checks every name. A heuristic that only some of the puzzles have is used on those.
    ///
    /// # Errors
    /// If none of the puzzles has a heuristic of that name.
    pub fn new(
        subjects: &'a [Subject],
        heuristics: &Heuristics,
        algorithms: &[&'static AlgorithmCard],
    ) -> Result<Self, PlanError> {
        let mut used: Vec<Vec<String>> = vec![Vec::new(); subjects.len()];
        let mut notes = Vec::new();
        match heuristics {
            Heuristics::All => {
                for (subject, used) in subjects.iter().zip(&mut used) {
                    used.extend(subject.task.card().heuristics.iter().map(|card| card.name.to_string()));
                }
            }
            Heuristics::Named(names) => {
                for name in names {
                    let mut refusals = Vec::new();
                    for (subject, used) in subjects.iter().zip(&mut used) {
                        match subject.task.estimate(name) {
                            Ok(_) => used.push(name.clone()),
                            Err(error) => refusals.push((subject, error)),
                        }
                    }
                    if refusals.len() == subjects.len()
                        && let Some((_, error)) = refusals.pop()
                    {
                        return Err(error);
                    }
                    notes.extend(refusals.iter().map(|(subject, error)| format!("{}: {error}", subject.file)));
                }
            }
        }
        let of = |used: &Vec<String>| Combination::all(algorithms, used);
        Ok(Design { parts: subjects.iter().zip(used.iter().map(of)).collect(), notes })
    }

    /// Runs all combinations, each with the limits and tie-breaking of the plan.
    ///
    /// # Errors
    /// If the referee refuses a solution.
    pub fn run(&self, plan: &Plan, watch: &mut dyn Watch) -> Result<Comparison, PlanError> {
        if plan.counting.is_some() {
            // A rule that does not fit is refused before anything runs.
            for (subject, combinations) in &self.parts {
                for combination in combinations {
                    subject.task.choice(&combination.plan(plan))?;
                }
            }
        }
        let of = self.parts.iter().map(|(_, combinations)| combinations.len()).sum();
        let mut comparison = Comparison::default();
        let mut at = 0;
        for (subject, combinations) in &self.parts {
            let task = &subject.task;
            comparison.files.push(Compared {
                file: subject.file.clone(),
                card: task.card(),
                drawing: None,
                runs: Vec::new(),
            });
            for combination in combinations {
                if !watch.begin(at, of, &format!("{} {}", subject.file, combination.title())) {
                    comparison.interrupted = true;
                    return Ok(comparison);
                }
                at += 1;
                let run = combination.run(task, plan, watch)?;
                comparison.interrupted |= run.interrupted();
                let compared = comparison.files.last_mut().expect("one was just pushed");
                compared.runs.push(run);
                if comparison.interrupted {
                    return Ok(comparison);
                }
            }
        }
        Ok(comparison)
    }
}

/// The most lines of a drawn board, and the most bytes of a line, which are mostly escape codes.
const MOST_LINES: usize = 60;
const MOST_BYTES: usize = 2000;

/// The result of all runs.
#[derive(Debug, Clone, Default)]
pub struct Comparison {
    /// The runs of each file, up to an interruption.
    pub files: Vec<Compared>,
    /// Whether it was interrupted.
    pub interrupted: bool,
}

/// The runs on one file.
#[derive(Debug, Clone)]
pub struct Compared {
    /// The name of the file.
    pub file: String,
    /// The kind of puzzle that is in it.
    pub card: &'static Card,
    /// The start, drawn with terminal colours; set by [`Comparison::draw`].
    pub drawing: Option<String>,
    /// The runs in their order.
    pub runs: Vec<Run>,
}

/// The verdict on a run, given the other runs on the same file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RunVerdict {
    /// It proved its solution optimal.
    Optimal,
    /// It proved nothing, but another run proved this cost optimal.
    Confirmed,
    /// Another run proved that there is a cheaper solution.
    NotOptimal {
        /// The cost of a cheapest solution.
        optimum: u32,
    },
    /// It found a solution that no run proved optimal.
    Unproved,
    /// It proved that there is no solution.
    Unsolvable,
    /// It was stopped.
    Stopped,
    /// It could not start.
    Impossible,
}

impl RunVerdict {
    /// The name in JSON.
    pub fn name(self) -> &'static str {
        match self {
            RunVerdict::Optimal => "optimal",
            RunVerdict::Confirmed => "confirmed",
            RunVerdict::NotOptimal { .. } => "not optimal",
            RunVerdict::Unproved => "unproved",
            RunVerdict::Unsolvable => "unsolvable",
            RunVerdict::Stopped => "stopped",
            RunVerdict::Impossible => "impossible",
        }
    }

    /// Whether the run answered with a cost that is not known to be optimal.
    pub fn is_alarming(self) -> bool {
        matches!(self, RunVerdict::NotOptimal { .. } | RunVerdict::Unproved)
    }

    /// Whether the run came to its end.
    pub(crate) fn has_ended(self) -> bool {
        !matches!(self, RunVerdict::Stopped | RunVerdict::Impossible)
    }
}

impl Compared {
    /// The cost of a cheapest solution, if some run proved it.
    pub fn optimum(&self) -> Option<u32> {
        self.runs.iter().find_map(Run::proved_optimum)
    }

    /// The verdict on one of its runs.
    pub fn verdict(&self, run: &Run) -> RunVerdict {
        match &run.outcome {
            Outcome::Solved { .. } if run.proved_optimum().is_some() => RunVerdict::Optimal,
            Outcome::Solved { cost, .. } => match self.optimum() {
                Some(optimum) if optimum == *cost => RunVerdict::Confirmed,
                Some(optimum) => RunVerdict::NotOptimal { optimum },
                None => RunVerdict::Unproved,
            },
            Outcome::Unsolvable => RunVerdict::Unsolvable,
            Outcome::Stopped { .. } => RunVerdict::Stopped,
            Outcome::Impossible(_) => RunVerdict::Impossible,
        }
    }

    /// The verdict in words.
    pub fn note(&self, run: &Run) -> String {
        match (self.verdict(run), &run.outcome) {
            (RunVerdict::NotOptimal { optimum }, Outcome::Solved { cost, .. }) => {
                format!("NOT OPTIMAL: {} more than the optimum {optimum}", cost - optimum)
            }
            (RunVerdict::Unproved, Outcome::Solved { guarantee, .. }) if guarantee.starts_with("within") => {
                format!("NOT PROVED optimal, only {guarantee} times the optimum")
            }
            (RunVerdict::Unproved, _) => "NOT PROVED optimal".into(),
            (RunVerdict::Confirmed, _) => "optimal, not proved by this run".into(),
            (RunVerdict::Unsolvable, _) => "no solution, proved".into(),
            (_, Outcome::Stopped { why, lower_bound: 0 }) => format!("stopped {}", why.phrase()),
            (_, Outcome::Stopped { why, lower_bound }) => {
                format!("stopped {}, cost at least {lower_bound}", why.phrase())
            }
            (_, Outcome::Impossible(why)) => format!("not possible: {why}"),
            _ => "optimal".into(),
        }
    }
}

impl Comparison {
    /// Every run with its file.
    pub fn runs(&self) -> impl Iterator<Item = (&Compared, &Run)> {
        self.files.iter().flat_map(|compared| compared.runs.iter().map(move |run| (compared, run)))
    }

    /// Draws the start of every file, except boards of several screens. This is separate since a large board can take
    /// longer to draw than to search.
    pub fn draw(&mut self, subjects: &[Subject]) {
        for (compared, subject) in self.files.iter_mut().zip(subjects) {
            let drawing = subject.task.draw();
            let fits = drawing.lines().count() <= MOST_LINES && drawing.lines().all(|line| line.len() <= MOST_BYTES);
            compared.drawing = fits.then_some(drawing);
        }
    }

    /// An array with an object for each run.
    pub fn json(&self) -> Value {
        let object = |(compared, run): (&Compared, &Run)| {
            let mut object = serde_json::Map::new();
            object.insert("puzzle".into(), compared.card.name.into());
            object.insert("file".into(), compared.file.clone().into());
            object.extend(run.json());
            object.insert("optimum".into(), json!(compared.optimum()));
            object.insert("relative_error".into(), json!(run.relative_error(compared.optimum())));
            object.insert("verdict".into(), compared.verdict(run).name().into());
            Value::Object(object)
        };
        self.runs().map(object).collect()
    }

    /// The figures of every run.
    pub fn sheet(&self) -> Sheet {
        type Column = (&'static str, fn(&Compared, &Run) -> Value);
        let columns: [Column; 18] = [
            ("puzzle", |compared, _| json!(compared.card.name)),
            ("file", |compared, _| json!(compared.file)),
            ("algorithm", |_, run| json!(run.combination.algorithm)),
            ("heuristic", |_, run| json!(run.combination.heuristic)),
            ("outcome", |_, run| json!(run.outcome_name())),
            ("cost", |_, run| json!(run.cost())),
            ("verdict", |compared, run| json!(compared.note(run))),
            ("generated", |_, run| json!(run.stats.generated)),
            ("visited", |_, run| json!(run.visited())),
            ("expanded", |_, run| json!(run.stats.expanded)),
            ("reopened", |_, run| json!(run.stats.reopened)),
            ("max_frontier", |_, run| json!(run.stats.max_frontier)),
            ("seconds", |_, run| json!(run.seconds)),
            ("peak_bytes", |_, run| json!(run.stats.peak_bytes)),
            ("effective_branching", |_, run| json!(run.effective_branching())),
            ("h_start", |_, run| json!(run.h_start)),
            ("relative_error", |compared, run| json!(run.relative_error(compared.optimum()))),
            ("largest_branching", |_, run| json!(run.largest_branching)),
        ];
        let row = |(compared, run)| columns.iter().map(|(_, value)| value(compared, run)).collect();
        Sheet { columns: columns.map(|(name, _)| name).into(), rows: self.runs().map(row).collect() }
    }
}

#[cfg(test)]
mod tests {
    use admissible_front::ReadOptions;
    use admissible_puzzles::PUZZLES;

    use super::*;
    use crate::select::read_algorithms;

    fn subject(file: &str, text: &str) -> Subject {
        Subject { file: file.into(), task: PUZZLES.open(text, None, &ReadOptions::default()).expect("it can be read") }
    }

    fn compared(subjects: &[Subject], heuristics: &str, algorithms: &str) -> Comparison {
        let heuristics = Heuristics::read(heuristics).expect("a list");
        let algorithms = read_algorithms(algorithms).expect("algorithms");
        let design = Design::new(subjects, &heuristics, &algorithms).expect("the names are known");
        design.run(&Plan::default(), &mut ()).expect("the referee agrees")
    }

    #[test]
    fn a_published_heuristic_that_overestimates_is_caught() {
        let subjects = [subject("trap", "G*..\n....\n....\n..S.\n")];
        let comparison = compared(&subjects, "oriented,open-board", "astar-no-reopen,bfs");
        let verdicts: Vec<(Option<u32>, RunVerdict)> =
            comparison.runs().map(|(file, run)| (run.cost(), file.verdict(run))).collect();
        let expected = [
            (Some(11), RunVerdict::NotOptimal { optimum: 9 }),
            (Some(9), RunVerdict::Optimal),
            (Some(9), RunVerdict::Optimal),
        ];
        assert_eq!(verdicts, expected);
        let (file, run) = comparison.runs().next().expect("three runs");
        assert_eq!(file.note(run), "NOT OPTIMAL: 2 more than the optimum 9");
        let alone = compared(&subjects, "oriented", "astar-no-reopen");
        let (file, run) = alone.runs().next().expect("one run");
        assert_eq!((file.verdict(run), file.note(run).as_str()), (RunVerdict::Unproved, "NOT PROVED optimal"));
    }

    #[test]
    fn heuristics_are_used_where_they_exist() {
        let subjects = [subject("maze", "S..\n..G\n"), subject("tiles", "1 2 3\n4 0 5\n7 8 6\n")];
        let algorithms = read_algorithms("astar").expect("it is known");
        let heuristics = Heuristics::read("manhattan,misplaced").expect("a list");
        let design = Design::new(&subjects, &heuristics, &algorithms).expect("each is known to one");
        assert_eq!(design.notes, ["maze: unknown heuristic 'misplaced' for die (see: admissible list die)"]);
        let counts: Vec<usize> = design.parts.iter().map(|(_, combinations)| combinations.len()).collect();
        assert_eq!(counts, [1, 2]);
        let unknown = Heuristics::read("manhatan").expect("a list");
        assert!(Design::new(&subjects, &unknown, &algorithms).is_err());
    }

    #[test]
    fn every_run_is_a_row() {
        let comparison = compared(&[subject("maze", "S..\n..G\n")], "all", "astar,ucs");
        let sheet = comparison.sheet();
        assert_eq!(sheet.rows.len(), comparison.runs().count());
        assert!(sheet.rows.iter().all(|row| row.len() == sheet.columns.len()));
        assert_eq!(comparison.json().as_array().map(Vec::len), Some(sheet.rows.len()));
    }
}
