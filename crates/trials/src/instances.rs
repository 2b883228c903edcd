//! Random instances of every puzzle of the registry, with parameters that follow from its card.

use admissible_front::{Card, Entry, Parameter, ParameterKind, Parameters, Setting};
use admissible_oracle::Random;
use admissible_puzzles::PUZZLES;
use rand::SeedableRng as _;
use rand_chacha::ChaCha8Rng;

/// The most moves of a random walk from the goal.
const LONGEST_WALK: usize = 40;

/// A random instance of a random puzzle, which need not be solvable.
pub(crate) fn random_instance(seed: u64, random: &mut Random) -> (&'static dyn Entry, String) {
    let entries: Vec<&dyn Entry> = PUZZLES.entries().collect();
    let entry = entries[random.below(entries.len())];
    loop {
        // Values that are in range may contradict each other, as more pieces than cells do.
        let parameters = random_parameters(entry.card(), random);
        if let Ok(text) = entry.generate(&parameters, &mut ChaCha8Rng::seed_from_u64(seed)) {
            return (entry, text);
        }
    }
}

/// A random value for every parameter of a card, small enough for most searches to end soon.
///
/// A walk has no default, so half of the boards take one; boards above the size that is explored by default always do,
/// since random ones of that size are too hard.
fn random_parameters(card: &Card, random: &mut Random) -> Parameters {
    let mut parameters = Parameters::default();
    let mut is_large = false;
    for parameter in card.parameters {
        let is_walk = matches!(parameter.kind, ParameterKind::Walk(_));
        if is_walk && !is_large && random.below(2) == 0 {
            continue;
        }
        let setting = random_setting(parameter, random);
        if let (Setting::Size(rows, columns), Some(Setting::Size(most_rows, most_columns))) =
            (&setting, &parameter.explored)
        {
            is_large = rows * columns > most_rows * most_columns;
        }
        parameters.set(parameter.name, setting);
    }
    parameters
}

/// A random value: counts and shares up to twice their default, sizes up to one row and one column more than theirs.
fn random_setting(parameter: &Parameter, random: &mut Random) -> Setting {
    let mut between = |least: usize, most: usize| least + random.below(most.max(least) - least + 1);
    match (&parameter.kind, &parameter.default) {
        (ParameterKind::Count { range, .. }, default) => {
            let most = if let Some(Setting::Count(count)) = default { 2 * count } else { *range.end() };
            Setting::Count(between(*range.start(), most.min(*range.end())))
        }
        (ParameterKind::Walk(most), _) => Setting::Count(between(0, LONGEST_WALK.min(*most))),
        (ParameterKind::Share(range), default) => {
            let most = if let Some(Setting::Share(share)) = default { 2.0 * share } else { range.end };
            let share = between(0, 99) as f64 / 100.0;
            Setting::Share(range.start + share * (most.min(range.end) - range.start))
        }
        (ParameterKind::Size { least, .. }, default) => {
            let &(rows, columns) =
                if let Some(Setting::Size(rows, columns)) = default { &(*rows, *columns) } else { least };
            Setting::Size(between(least.0, rows + 1), between(least.1, columns + 1))
        }
        (ParameterKind::Word(words), _) => Setting::Word(words[between(0, words.len() - 1)].into()),
    }
}
