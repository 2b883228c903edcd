//! Every puzzle through the front: the registry, real files, audits and whole spaces.

use admissible_front::{ParameterKind, Parameters, Setting};
use admissible_puzzles::PUZZLES;

mod audit;
mod data;
mod explore;
mod expressions;
mod instance;
mod instances;
mod long_texts;
mod numbers;
mod parameters;
mod play;
mod registry;
mod sets;
mod textbook;
mod threads;

/// Parameters of small instances, from the card alone: the defaults of `explore`, otherwise values near the least.
fn small_parameters(puzzle: &str) -> Parameters {
    let card = PUZZLES.entry(puzzle).expect("the registry has the puzzle").card();
    let near_the_least = |kind: &ParameterKind| match kind {
        ParameterKind::Count { range, .. } => Some(Setting::Count((range.start() + 3).min(*range.end()))),
        ParameterKind::Walk(most) => Some(Setting::Count(20.min(*most))),
        ParameterKind::Size { least: (rows, columns), .. } => Some(Setting::Size(rows + 1, columns + 1)),
        ParameterKind::Share(_) | ParameterKind::Word(_) => None,
    };
    let settings = card.parameters.iter().filter_map(|parameter| {
        let setting = parameter.explored.clone().or_else(|| near_the_least(&parameter.kind))?;
        Some((parameter.name.to_string(), setting))
    });
    settings.collect()
}
