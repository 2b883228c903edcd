//! The report of an exploration.

use admissible_front::{Exploration, ExploreDirection};
use serde_json::{Value, json};

use super::{Gallery, Report};
use crate::chart::{Histogram, Labels};
use crate::numbers::{bytes, grouped, seconds};
use crate::page::{Block, Board, Cell, Column, Page, Section, Table};
use crate::sheet::Sheet;

/// A report with the number of states at each depth, and the farthest states.
pub fn exploration(explored: &Exploration, target: &str) -> Report {
    let mut gallery = Gallery::default();
    let (from, verb) = match explored.direction {
        ExploreDirection::Forward => ("from the start", "reached"),
        ExploreDirection::Backward => ("from all goals at once", "leading to a goal"),
    };
    let unit = explored.unit;
    let histogram = Histogram {
        labels: Labels::new("States at each depth", format!("depth in {unit}s"), "states"),
        counts: explored.depths.iter().enumerate().map(|(depth, &states)| (depth as i64, states)).collect(),
        within: "states".into(),
        beyond: String::new(),
    };
    let caption = format!("How many states lie how many {unit}s away, {from}.");
    let figure = gallery.add(&[explored.puzzle, "depths"], &histogram, caption);
    let mut facts = vec![
        (format!("states {verb}"), grouped(explored.states)),
        ("goals".into(), grouped(explored.goals)),
        ("greatest depth".into(), explored.max_depth().map_or("none".into(), |depth| depth.to_string())),
        ("states at the greatest depth".into(), grouped(explored.farthest_states())),
        (format!("{unit}s a state (branching)"), format!("{:.3}", explored.branching())),
        ("mean depth".into(), format!("{:.2}", mean(&explored.depths))),
        ("memory".into(), bytes(explored.bytes)),
        ("time".into(), seconds(explored.seconds)),
    ];
    if let Some(unmet) = explored.unmet {
        let name = match explored.direction {
            ExploreDirection::Forward => "states out of reach",
            ExploreDirection::Backward => "states that cannot reach a goal",
        };
        facts.insert(1, (name.into(), grouped(unmet)));
    }
    if let Some(sizes) = &explored.components {
        facts.push(("connected parts".into(), grouped(sizes.len() as u64)));
    }
    let facts = Table {
        caption: String::new(),
        columns: vec![Column::text("figure"), Column::number("value")],
        rows: facts.into_iter().map(|(name, value)| vec![Cell::from(name), Cell::from(value)]).collect(),
    };
    let sheet = sheet(explored);
    let depths = Table {
        caption: "States at each depth".into(),
        columns: vec![Column::number("depth"), Column::number("states"), Column::number("states up to it")],
        rows: sheet
            .rows
            .iter()
            .map(|row| row.iter().map(|value| Cell::from(grouped(value.as_u64().unwrap_or(0)))).collect())
            .collect(),
    };
    let boards = explored.boards.iter().map(|board| Board { caption: String::new(), text: board.clone() }).collect();
    let deepest = explored.max_depth().unwrap_or(0);
    let some = if (explored.boards.len() as u64) < explored.farthest_states() {
        format!("{} of {} states", explored.boards.len(), grouped(explored.farthest_states()))
    } else {
        "All states".into()
    };
    let farthest = format!("{some} that are {deepest} {unit}s away.");
    let sections = vec![
        Section { heading: "At each depth".into(), blocks: vec![Block::Figure(figure), Block::Table(facts)] },
        Section {
            heading: "The farthest states".into(),
            blocks: vec![Block::Paragraph(farthest.clone()), Block::Boards(boards)],
        },
        Section { heading: "The figures".into(), blocks: vec![Block::Table(depths)] },
    ];
    let title = if target == explored.puzzle { target.to_string() } else { format!("{}: {target}", explored.puzzle) };
    let intro = format!("Every state there is: {}, {from}, by {unit}s.", explored.title);
    let markdown = format!("# {title}\n\n{intro}\n\n{farthest}\n\n{}", sheet.markdown());
    Report {
        page: Page { title, intro, sections },
        charts: gallery.0,
        csv: sheet.csv(),
        json: explored.json(),
        markdown,
    }
}

fn mean(depths: &[u64]) -> f64 {
    let states: u64 = depths.iter().sum();
    let sum: f64 = depths.iter().enumerate().map(|(depth, &states)| depth as f64 * states as f64).sum();
    if states == 0 { 0.0 } else { sum / states as f64 }
}

fn sheet(explored: &Exploration) -> Sheet {
    let mut so_far = 0;
    let row = |(depth, &states): (usize, &u64)| -> Vec<Value> {
        so_far += states;
        vec![json!(depth), json!(states), json!(so_far)]
    };
    Sheet {
        columns: vec!["depth", "states", "states_up_to_it"],
        rows: explored.depths.iter().enumerate().map(row).collect(),
    }
}
