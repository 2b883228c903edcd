//! Every combination of heuristics and algorithms on every file, and what to make of the costs.
//!
//! Names are looked up before anything runs. A run that reaches a limit is an outcome like any other, and the rest go
//! on; an interruption ends the whole with what is known so far.

use admissible_front::{AlgorithmCard, Card, Plan, PlanError, Task};
use serde_json::{Value, json};

use crate::run::{Combination, Outcome, Run, Watch};
use crate::select::Heuristics;
use crate::sheet::Sheet;

/// A file to compare on.
pub struct Subject {
    /// The name of the file.
    pub file: String,
    /// What is in it.
    pub task: Task,
}

/// What will be run on which file.
pub struct Design<'a> {
    parts: Vec<(&'a Subject, Vec<Combination>)>,
    /// What was left out, in words.
    pub notes: Vec<String>,
}

impl<'a> Design<'a> {
    /// Looks up every name. A heuristic that only some of the puzzles have is used on those.
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

    /// Runs all of it, each with the limits and orders of the plan.
    ///
    /// # Errors
    /// If the referee refuses a solution.
    pub fn run(&self, plan: &Plan, watch: &mut dyn Watch) -> Result<Comparison, PlanError> {
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

/// Larger boards are not drawn: lines, and bytes in a line, most of which are colours.
const MOST_LINES: usize = 60;
const MOST_BYTES: usize = 2000;

/// What came of all runs.
#[derive(Debug, Clone, Default)]
pub struct Comparison {
    /// File by file, as far as it came.
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
    /// The start, drawn with terminal colours, if that was asked for.
    pub drawing: Option<String>,
    /// In the order in which they ran.
    pub runs: Vec<Run>,
}

/// What to make of a run beside the others on the same file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mark {
    /// It proved its solution optimal.
    Optimal,
    /// It proved nothing, but another run proved this cost optimal.
    Confirmed,
    /// Another run proved that there is a cheaper solution.
    TooDear {
        /// What the cheapest costs.
        optimum: u32,
    },
    /// It found a solution that nobody proved optimal.
    Unproved,
    /// It proved that there is no solution.
    Unsolvable,
    /// It was stopped.
    Stopped,
    /// It could not begin.
    Impossible,
}

impl Mark {
    /// One word for machines.
    pub fn name(self) -> &'static str {
        match self {
            Mark::Optimal => "optimal",
            Mark::Confirmed => "confirmed",
            Mark::TooDear { .. } => "not optimal",
            Mark::Unproved => "unproved",
            Mark::Unsolvable => "unsolvable",
            Mark::Stopped => "stopped",
            Mark::Impossible => "impossible",
        }
    }

    /// Whether the run answered with a cost that is not known to be optimal.
    pub fn is_alarming(self) -> bool {
        matches!(self, Mark::TooDear { .. } | Mark::Unproved)
    }
}

impl Compared {
    /// The cost of a cheapest solution, if some run proved it.
    pub fn optimum(&self) -> Option<u32> {
        self.runs.iter().find_map(Run::proved_optimum)
    }

    /// What to make of one of its runs.
    pub fn mark(&self, run: &Run) -> Mark {
        match &run.outcome {
            Outcome::Solved { .. } if run.proved_optimum().is_some() => Mark::Optimal,
            Outcome::Solved { cost, .. } => match self.optimum() {
                Some(optimum) if optimum == *cost => Mark::Confirmed,
                Some(optimum) => Mark::TooDear { optimum },
                None => Mark::Unproved,
            },
            Outcome::Unsolvable => Mark::Unsolvable,
            Outcome::Stopped { .. } => Mark::Stopped,
            Outcome::Impossible(_) => Mark::Impossible,
        }
    }

    /// The mark in words.
    pub fn note(&self, run: &Run) -> String {
        match (self.mark(run), &run.outcome) {
            (Mark::TooDear { optimum }, Outcome::Solved { cost, .. }) => {
                format!("NOT OPTIMAL: {} more than the optimum {optimum}", cost - optimum)
            }
            (Mark::Unproved, Outcome::Solved { guarantee, .. }) if guarantee.starts_with("within") => {
                format!("NOT PROVED optimal, only {guarantee} times the optimum")
            }
            (Mark::Unproved, _) => "NOT PROVED optimal".into(),
            (Mark::Confirmed, _) => "optimal, not proved by this run".into(),
            (Mark::Unsolvable, _) => "no solution, proved".into(),
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

    /// Draws the start of every file, but for those that would fill many screens. Large boards take longer to draw than
    /// to search, so nobody does it unasked.
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
            object.insert("verdict".into(), compared.mark(run).name().into());
            Value::Object(object)
        };
        self.runs().map(object).collect()
    }

    /// The figures of every run.
    pub fn sheet(&self) -> Sheet {
        let columns = vec![
            "puzzle",
            "file",
            "algorithm",
            "heuristic",
            "outcome",
            "cost",
            "verdict",
            "generated",
            "visited",
            "expanded",
            "reopened",
            "max_frontier",
            "seconds",
            "peak_bytes",
            "effective_branching",
        ];
        let row = |(compared, run): (&Compared, &Run)| {
            vec![
                json!(compared.card.name),
                json!(compared.file),
                json!(run.combination.algorithm),
                json!(run.combination.heuristic),
                json!(run.outcome_name()),
                json!(run.cost()),
                json!(compared.note(run)),
                json!(run.stats.generated),
                json!(run.visited()),
                json!(run.stats.expanded),
                json!(run.stats.reopened),
                json!(run.stats.max_frontier),
                json!(run.seconds),
                json!(run.stats.peak_bytes),
                json!(run.effective_branching()),
            ]
        };
        Sheet { columns, rows: self.runs().map(row).collect() }
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
        let marks: Vec<(Option<u32>, Mark)> =
            comparison.runs().map(|(file, run)| (run.cost(), file.mark(run))).collect();
        let expected = [(Some(11), Mark::TooDear { optimum: 9 }), (Some(9), Mark::Optimal), (Some(9), Mark::Optimal)];
        assert_eq!(marks, expected);
        let (file, run) = comparison.runs().next().expect("three runs");
        assert_eq!(file.note(run), "NOT OPTIMAL: 2 more than the optimum 9");
        let alone = compared(&subjects, "oriented", "astar-no-reopen");
        let (file, run) = alone.runs().next().expect("one run");
        assert_eq!((file.mark(run), file.note(run).as_str()), (Mark::Unproved, "NOT PROVED optimal"));
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
