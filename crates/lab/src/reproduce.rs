//! Published tables of node counts, and our own counts under the same counting rules.
//!
//! The tables are data (`published/*.json`): their source, and the counting rule of their report, which includes its
//! search. The [`Band`] gives the range of counts that a correct A* can have.

use admissible_front::counting::{LITERATURE, LITERATURE_SUMMARY};
use admissible_front::{Band, Plan, PlanError, ReadOptions, Registry};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::run::Combination;
use crate::sheet::Sheet;

/// The tables.
static TABLES: &[&str] = &[include_str!("../published/first.json"), include_str!("../published/second.json")];

/// A published table.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PublishedTable {
    /// The name on the command line.
    pub name: String,
    /// The title, one line.
    pub title: String,
    /// Where it was published.
    pub source: String,
    /// The name of its counting rule.
    pub counting: String,
    /// What the comparison found, in a sentence.
    pub found: String,
    puzzles: Vec<TableInstance>,
    rows: Vec<TableRow>,
}

/// A column of a published table.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
struct TableInstance {
    name: String,
    puzzle: String,
    file: String,
    cost: Option<u32>,
}

impl TableInstance {
    /// The content of its file, which is an example of its puzzle.
    fn text(&self, registry: Registry) -> Option<&'static str> {
        let card = registry.cards().find(|card| card.name == self.puzzle)?;
        card.examples.iter().find(|example| example.file == self.file).map(|example| example.text)
    }
}

/// A row of a published table: generated and visited for each puzzle.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
struct TableRow {
    /// The heuristic as the report names it.
    heuristic: String,
    /// The heuristic that its program runs, if that is another one.
    as_run: Option<String>,
    cells: Vec<(u64, u64)>,
}

/// The two figures of a cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Counts {
    /// States generated.
    pub generated: u64,
    /// States visited.
    pub visited: u64,
}

impl Counts {
    /// As the reports print them.
    pub fn text(self) -> String {
        format!("{}/{}", self.generated, self.visited)
    }
}

/// A cell of a published table with our counts.
#[derive(Debug, Clone)]
pub struct ReproducedCell {
    /// The puzzle's name in the table.
    pub puzzle: String,
    /// The heuristic as the report names it.
    pub heuristic: String,
    /// The heuristic that ran.
    pub ran: String,
    /// The published counts.
    pub published: Counts,
    /// Our counts.
    pub ours: Counts,
    /// The cost of our solution.
    pub cost: Option<u32>,
    /// The visited counts that a correct A* can have; `None` if the heuristic is inconsistent.
    pub band: Option<Band>,
}

impl ReproducedCell {
    /// Whether both figures agree.
    pub fn matches(&self) -> bool {
        self.published == self.ours
    }

    /// Whether a correct A* can have the published count of visited states; `None` without a band.
    pub fn possible(&self) -> Option<bool> {
        self.band.map(|band| band.contains(self.published.visited))
    }
}

/// A published table with our counts.
#[derive(Debug, Clone)]
pub struct Reproduction {
    /// The published table.
    pub table: PublishedTable,
    /// The name of the counting rule of our counts.
    pub counting: String,
    /// That rule in words.
    pub rule: &'static str,
    /// The cells, row by row.
    pub cells: Vec<ReproducedCell>,
}

/// Every published table.
pub fn tables() -> Vec<PublishedTable> {
    TABLES.iter().map(|text| serde_json::from_str(text).expect("the tables are part of the program")).collect()
}

impl PublishedTable {
    /// The names of its puzzles.
    pub fn puzzles(&self) -> impl Iterator<Item = &str> {
        self.puzzles.iter().map(|instance| instance.name.as_str())
    }

    /// Whether a program with these puzzles has every instance of the table.
    pub fn is_known_to(&self, registry: Registry) -> bool {
        self.puzzles.iter().all(|instance| instance.text(registry).is_some())
    }

    /// Counts every cell again by a counting rule, by default that of the table's report.
    ///
    /// # Errors
    /// If there is no such rule, or the referee refuses a solution.
    ///
    /// # Panics
    /// If the table is not [known](PublishedTable::is_known_to) to the program.
    pub fn reproduce(self, registry: Registry, counting: Option<&str>) -> Result<Reproduction, PlanError> {
        let counting = counting.unwrap_or(&self.counting).to_string();
        let plan = Plan { counting: Some(counting.clone()), ..Plan::default() };
        let mut rule = LITERATURE_SUMMARY;
        let mut cells = Vec::new();
        for row in &self.rows {
            let ran = row.as_run.as_ref().unwrap_or(&row.heuristic);
            for (instance, &(generated, visited)) in self.puzzles.iter().zip(&row.cells) {
                let text = instance.text(registry).expect("it is among the examples of its puzzle");
                let task = registry.open(text, Some(&instance.puzzle), &ReadOptions::default());
                let task = task.expect("our own instances can be read");
                let combination = Combination { algorithm: "astar", heuristic: Some(ran.clone()) };
                let run = combination.run(&task, &plan, &mut ())?;
                if let Some(counted) = run.counting {
                    rule = counted.explanation;
                }
                cells.push(ReproducedCell {
                    puzzle: instance.name.clone(),
                    heuristic: row.heuristic.clone(),
                    ran: ran.clone(),
                    published: Counts { generated, visited },
                    ours: Counts { generated: run.stats.generated, visited: run.visited() },
                    cost: run.cost(),
                    band: task.band(ran, instance.cost)?,
                });
            }
        }
        Ok(Reproduction { table: self, counting, rule, cells })
    }
}

impl Reproduction {
    /// The cells of each row, which has one heuristic.
    pub fn rows(&self) -> impl Iterator<Item = &[ReproducedCell]> {
        self.cells.chunk_by(|a, b| a.heuristic == b.heuristic)
    }

    /// The numbers of cells that agree and that lie within their bands, in a sentence.
    pub fn summary(&self) -> String {
        let agree = self.cells.iter().filter(|cell| cell.matches()).count();
        let mut text = format!("{agree} of {} cells agree", self.cells.len());
        let outside = self.cells.iter().filter(|cell| cell.possible() == Some(false)).count();
        let without = self.cells.iter().filter(|cell| cell.band.is_none()).count();
        let banded = self.cells.len() - without;
        text += &match outside {
            0 => format!("; all {banded} published counts with a band lie within it"),
            _ => format!("; {outside} of {banded} published counts lie outside the band of a correct A*"),
        };
        text
    }

    /// Whether our counts follow another rule than the published ones.
    pub fn is_by_another_rule(&self) -> bool {
        self.counting != self.table.counting
    }

    /// The rule of our counts in words, with its name.
    pub fn counted(&self) -> String {
        let rule = self.rule;
        match self.counting.as_str() {
            LITERATURE => format!("as in the literature, {rule}"),
            name => format!("by the rule {name}: {rule}"),
        }
    }

    /// The heuristics without a band.
    pub fn without_band(&self) -> Vec<&str> {
        let mut names: Vec<&str> =
            self.cells.iter().filter(|cell| cell.band.is_none()).map(|cell| cell.ran.as_str()).collect();
        names.dedup();
        names
    }

    /// An array with an object for each cell.
    pub fn json(&self) -> Vec<Value> {
        let object = |cell: &ReproducedCell| {
            json!({
                "table": self.table.name,
                "puzzle": cell.puzzle,
                "heuristic": cell.heuristic,
                "ran": cell.ran,
                "published": cell.published,
                "ours": cell.ours,
                "match": cell.matches(),
                "cost": cell.cost,
                "band": cell.band.map(|band| json!({ "visited": [band.least, band.most] })),
                "possible": cell.possible(),
                "counting": self.counting,
                "rule": self.rule,
            })
        };
        self.cells.iter().map(object).collect()
    }

    /// A row for each cell.
    pub fn sheet(&self) -> Sheet {
        let columns = vec!["heuristic", "puzzle", "published", "ours", "agree", "band"];
        let row = |cell: &ReproducedCell| {
            vec![
                json!(cell.heuristic),
                json!(cell.puzzle),
                json!(cell.published.text()),
                json!(cell.ours.text()),
                json!(if cell.matches() { "yes" } else { "no" }),
                json!(cell.band.map(|band| format!("{}-{}", band.least, band.most))),
            ]
        };
        Sheet { columns, rows: self.cells.iter().map(row).collect() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reproduced(name: &str) -> Reproduction {
        let table = tables().into_iter().find(|table| table.name == name).expect("the table exists");
        table.reproduce(admissible_puzzles::PUZZLES, None).expect("the referee agrees")
    }

    #[test]
    fn tables_are_complete() {
        for table in tables() {
            assert!(table.rows.iter().all(|row| row.cells.len() == table.puzzles.len()), "{}", table.name);
            for instance in &table.puzzles {
                assert!(instance.text(admissible_puzzles::PUZZLES).is_some(), "{}", instance.file);
            }
        }
    }

    #[test]
    fn both_tables_come_out_whole() {
        for name in ["first", "second"] {
            let reproduction = reproduced(name);
            assert_eq!(reproduction.cells.len(), 15);
            for cell in &reproduction.cells {
                assert_eq!(cell.ours, cell.published, "{name}: {} on {}", cell.ran, cell.puzzle);
                // Published counts with a consistent heuristic are those of a correct A*.
                assert_eq!(cell.possible(), cell.band.map(|_| true), "{cell:?}");
            }
            assert!(reproduction.summary().starts_with("15 of 15 cells agree"), "{}", reproduction.summary());
            let costs: Vec<Option<u32>> = reproduction.cells[..5].iter().map(|cell| cell.cost).collect();
            assert_eq!(costs, [Some(6), Some(16), None, Some(21), Some(26)]);
        }
        assert_eq!(reproduced("second").without_band(), ["oriented-as-run"]);
    }

    #[test]
    fn other_rules_give_other_counts() {
        let table = tables().into_iter().find(|table| table.name == "first").expect("the table exists");
        let reproduction = table.reproduce(admissible_puzzles::PUZZLES, Some(LITERATURE)).expect("a rule");
        assert!(reproduction.is_by_another_rule());
        // On an unsolvable instance only the start makes a difference.
        let cell = reproduction.cells.iter().find(|cell| cell.puzzle == "P3").expect("there is a P3");
        assert_eq!((cell.published.text(), cell.ours.visited), ("3/3".into(), 3));
        assert_ne!(reproduction.cells[0].ours, reproduction.cells[0].published);
    }
}
