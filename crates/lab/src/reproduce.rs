//! Published tables of node counts, and our own counts under the same counting rules.
//!
//! The tables are data (`published/*.json`): their source, their counting rule, and the move order and tie-breaking of
//! their programs, if known. Where these are unknown, or a cell differs, the [`Band`] gives the range of counts that a
//! correct A* can have.

use admissible_front::{Band, Plan, PlanError, ReadOptions, Registry, TieBreak};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::run::{Combination, Run};
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
    algorithm: String,
    tie_break: TableTieBreak,
    move_order: String,
    /// Whether tie-breaking and move order are those of its program; otherwise they are our choice.
    pub order_known: bool,
    /// Its counting rule.
    pub rule: Rule,
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
    heuristic: String,
    cells: Vec<(u64, u64)>,
}

/// The tie-breaking of a published table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum TableTieBreak {
    Fifo,
}

/// The counting rule of a published table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rule {
    /// For generated states.
    pub generated: GeneratedRule,
    /// For visited states.
    pub visited: VisitedRule,
}

/// What a published table counts as generated.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum GeneratedRule {
    /// The start, and every successor that is not yet closed, even if it is on the frontier already.
    NotClosedWithStart,
    /// Insertions into the frontier, without the start: new states, and frontier states reached more cheaply.
    PushedWithoutStart,
}

/// What a published table counts as visited.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum VisitedRule {
    /// States taken off the frontier, the goal among them.
    TakenOffTheFrontier,
}

impl Rule {
    /// The rule in a sentence.
    pub fn words(self) -> String {
        let generated = match self.generated {
            GeneratedRule::NotClosedWithStart => {
                "generated is the start and every successor that is not yet closed, \
                 even if it is on the frontier already"
            }
            GeneratedRule::PushedWithoutStart => {
                "generated is what is put on the frontier, without the start: new states, \
                 and those on it that are reached more cheaply"
            }
        };
        let visited = match self.visited {
            VisitedRule::TakenOffTheFrontier => "visited is the states taken off the frontier, the goal included",
        };
        format!("{generated}; {visited}")
    }

    /// The counts of one of our runs under this rule.
    pub fn count(self, run: &Run) -> Counts {
        let stats = &run.stats;
        let generated = match self.generated {
            GeneratedRule::NotClosedWithStart => stats.generated_not_closed + 1,
            GeneratedRule::PushedWithoutStart => stats.stored - 1 + stats.improved,
        };
        let visited = match self.visited {
            VisitedRule::TakenOffTheFrontier => run.visited(),
        };
        Counts { generated, visited }
    }
}

/// The two figures of a cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
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

    fn json(self) -> Value {
        json!({ "generated": self.generated, "visited": self.visited })
    }
}

/// A cell of a published table with our counts.
#[derive(Debug, Clone)]
pub struct ReproducedCell {
    /// The puzzle's name in the table.
    pub puzzle: String,
    /// The heuristic.
    pub heuristic: String,
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

    /// The tie-breaking and move order of our counts, in words.
    pub fn order(&self) -> String {
        let ties = match self.tie_break {
            TableTieBreak::Fifo => "first in, first out",
        };
        let order = self.move_order.replace(',', " ");
        if self.order_known {
            format!("ties are broken {ties}, and moves are tried in the order {order}")
        } else {
            format!(
                "how its program breaks ties is not known; ours breaks them {ties} and tries moves in the order {order}"
            )
        }
    }

    /// Runs every cell again.
    ///
    /// # Errors
    /// If the referee refuses a solution.
    ///
    /// # Panics
    /// If the table is not [known](PublishedTable::is_known_to) to the program.
    pub fn reproduce(self, registry: Registry) -> Result<Reproduction, PlanError> {
        let tie = match self.tie_break {
            TableTieBreak::Fifo => TieBreak::Fifo,
        };
        let plan = Plan { tie: Some(tie), counts_not_closed: true, ..Plan::default() };
        let options = ReadOptions { move_order: Some(self.move_order.clone()), ..ReadOptions::default() };
        let algorithm = admissible_front::ALGORITHMS.iter().find(|card| card.name == self.algorithm);
        let algorithm = algorithm.expect("the tables name algorithms that exist").name;
        let mut cells = Vec::new();
        for row in &self.rows {
            for (instance, &(generated, visited)) in self.puzzles.iter().zip(&row.cells) {
                let text = instance.text(registry).expect("it is among the examples of its puzzle");
                let task =
                    registry.open(text, Some(&instance.puzzle), &options).expect("our own instances can be read");
                let combination = Combination { algorithm, heuristic: Some(row.heuristic.clone()) };
                let run = combination.run(&task, &plan, &mut ())?;
                cells.push(ReproducedCell {
                    puzzle: instance.name.clone(),
                    heuristic: row.heuristic.clone(),
                    published: Counts { generated, visited },
                    ours: self.rule.count(&run),
                    cost: run.cost(),
                    band: task.band(&row.heuristic, instance.cost)?,
                });
            }
        }
        Ok(Reproduction { table: self, cells })
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

    /// The heuristics without a band.
    pub fn without_band(&self) -> Vec<&str> {
        let mut names: Vec<&str> =
            self.cells.iter().filter(|cell| cell.band.is_none()).map(|cell| cell.heuristic.as_str()).collect();
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
                "published": cell.published.json(),
                "ours": cell.ours.json(),
                "match": cell.matches(),
                "cost": cell.cost,
                "band": cell.band.map(|band| json!({ "visited": [band.least, band.most] })),
                "possible": cell.possible(),
                "rule": self.table.rule.words(),
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
        table.reproduce(admissible_puzzles::PUZZLES).expect("the referee agrees")
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
    fn the_first_table_is_reproduced_except_for_one_cell() {
        let reproduction = reproduced("first");
        let different: Vec<(&str, &str, String, String)> = reproduction
            .cells
            .iter()
            .filter(|cell| !cell.matches())
            .map(|cell| (cell.heuristic.as_str(), cell.puzzle.as_str(), cell.published.text(), cell.ours.text()))
            .collect();
        assert_eq!(different, [("manhattan", "P5", "1411/875".into(), "1414/871".into())]);
        assert_eq!(reproduction.cells.len(), 15);
        let costs: Vec<Option<u32>> = reproduction.cells[..5].iter().map(|cell| cell.cost).collect();
        assert_eq!(costs, [Some(6), Some(16), None, Some(21), Some(26)]);
    }

    #[test]
    fn the_second_table_lies_within_its_bands() {
        let reproduction = reproduced("second");
        for cell in &reproduction.cells {
            let expected = (cell.heuristic != "oriented").then_some(true);
            assert_eq!(cell.possible(), expected, "{cell:?}");
            // Our A* is correct too.
            assert!(cell.band.is_none_or(|band| band.contains(cell.ours.visited)), "{cell:?}");
        }
        assert_eq!(reproduction.without_band(), ["oriented"]);
        // On an unsolvable instance the order does not matter.
        assert!(reproduction.cells.iter().filter(|cell| cell.puzzle == "P3").all(ReproducedCell::matches));
    }
}
