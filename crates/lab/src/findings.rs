//! What the figures of a comparison show, in sentences.

use crate::compare::Compared;
use crate::numbers::{grouped, rank_correlation};
use crate::pivot::combinations;
use crate::run::Combination;

/// The sums of one combination over some files.
struct Total {
    name: String,
    counts: [u64; 2],
}

/// Sentences about the files of one puzzle: which combination generates and visits the least and the most, whose
/// answers are not optimal, and how the counts go with the relative error.
pub(crate) fn findings(files: &[&Compared]) -> Vec<String> {
    let series = combinations(files);
    let names = Combination::names(&series);
    let ended = |compared: &&&Compared| {
        let runs = series.iter().map(|combination| compared.runs.iter().find(|run| run.combination == **combination));
        runs.into_iter().all(|run| run.is_some_and(|run| compared.verdict(run).has_ended()))
    };
    let whole: Vec<&&Compared> = files.iter().filter(ended).collect();
    let mut sentences = Vec::new();
    if series.len() > 1 {
        let total = |(combination, name): (&&Combination, &String)| {
            let runs = whole.iter().flat_map(|compared| &compared.runs).filter(|run| run.combination == **combination);
            let counts = runs
                .fold([0, 0], |[generated, visited], run| [generated + run.stats.generated, visited + run.visited()]);
            Total { name: name.clone(), counts }
        };
        let totals: Vec<Total> = series.iter().zip(&names).map(total).collect();
        let place = match (files.len(), whole.len()) {
            (1, 1) => String::new(),
            (all, some) if all == some => format!("on the {all} puzzles together, "),
            (all, some) => format!("on the {some} of {all} puzzles that every run finished, "),
        };
        if whole.is_empty() {
            sentences.push("No puzzle was finished by every run, so the counts cannot be compared.".into());
        } else {
            let [generated, visited] = [0, 1].map(|at| extremes(&totals, at));
            sentences.push(capital(&format!("{place}generated: {generated}; visited: {visited}.")));
        }
    }
    let alarming: Vec<&str> = series
        .iter()
        .zip(&names)
        .filter(|(combination, _)| {
            files.iter().any(|compared| {
                let mut runs = compared.runs.iter().filter(|run| run.combination == ***combination);
                runs.any(|run| compared.verdict(run).is_alarming())
            })
        })
        .map(|(_, name)| name.as_str())
        .collect();
    if !alarming.is_empty() {
        let have = if alarming.len() == 1 { "has" } else { "have" };
        sentences.push(format!(
            "{} {have} answers that are not optimal, or not proved to be, so these counts are not for the same task.",
            listed(&alarming)
        ));
    }
    sentences.extend(errors(&whole));
    sentences
}

/// Which combinations have the least and the most of a count.
fn extremes(totals: &[Total], at: usize) -> String {
    let least = totals.iter().map(|total| total.counts[at]).min().unwrap_or(0);
    let most = totals.iter().map(|total| total.counts[at]).max().unwrap_or(0);
    if least == most {
        return format!("{} by all", grouped(least));
    }
    let of = |count: u64| {
        let names: Vec<&str> =
            totals.iter().filter(|total| total.counts[at] == count).map(|total| total.name.as_str()).collect();
        listed(&names)
    };
    let share = 100.0 * least as f64 / most as f64;
    let share = if share < 1.0 { format!("{share:.2}") } else { format!("{share:.0}") };
    format!("least {} by {}, {share} % of the {} by {}", grouped(least), of(least), grouped(most), of(most))
}

/// Whether fewer states are visited where the relative error is smaller.
fn errors(files: &[&&Compared]) -> Option<String> {
    // Ranks among the runs of each file, so that easy and hard files can be taken together.
    let mut signs = (0, 0);
    let mut pairs = Vec::new();
    for compared in files {
        let of_file: Vec<(f64, f64)> = (compared.runs.iter())
            .filter_map(|run| Some((run.relative_error(compared.optimum())?, run.visited() as f64)))
            .collect();
        for (at, &(error, visited)) in of_file.iter().enumerate() {
            for &(other, by_other) in &of_file[..at] {
                match (error - other) * (visited - by_other) {
                    product if product > 0.0 => signs.0 += 1,
                    product if product < 0.0 => signs.1 += 1,
                    _ => {}
                }
            }
        }
        pairs.extend(of_file);
    }
    let (same, other) = signs;
    if same + other < 3 {
        return None;
    }
    let of = same + other;
    let correlation = match files {
        [_] => rank_correlation(&pairs).map_or(String::new(), |c| format!(" (rank correlation {c:.2})")),
        _ => String::new(),
    };
    Some(format!(
        "A smaller relative error at the start goes with fewer visited states in {same} of {of} pairs of runs{correlation}."
    ))
}

/// Names as in "a, b and c".
fn listed(names: &[&str]) -> String {
    match names {
        [] => String::new(),
        [one] => one.to_string(),
        [others @ .., last] => format!("{} and {last}", others.join(", ")),
    }
}

/// The sentence with a capital letter.
fn capital(sentence: &str) -> String {
    let mut letters = sentence.chars();
    letters.next().map_or(String::new(), |first| first.to_uppercase().chain(letters).collect())
}
