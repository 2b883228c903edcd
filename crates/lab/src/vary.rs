//! The parameter that a sweep varies and its values, written as `pieces=1..5` or `size=3x3,3x4`.

use admissible_front::{Card, Parameter, ParameterKind, Purpose, Setting};

/// A numeric parameter or a size, and its values.
#[derive(Debug, Clone)]
pub struct Varied {
    /// The parameter.
    pub parameter: &'static Parameter,
    /// The values in their order, without repetitions.
    pub settings: Vec<Setting>,
}

/// The most values; more would take too long.
const MOST_VALUES: usize = 1000;

impl Varied {
    /// Reads `NAME=RANGE` for a puzzle, where a range is a list of values and of `FIRST..LAST` or `FIRST..LAST/STEP`.
    ///
    /// # Errors
    /// What was expected.
    pub fn read(text: &str, card: &Card) -> Result<Self, String> {
        let split = text.split_once('=');
        let (name, range) = split.ok_or("--vary: expected NAME=RANGE, such as pieces=1..5 or size=3x3,3x4")?;
        let parameter = card.parameter(Purpose::Generate, name.trim()).map_err(|error| error.to_string())?;
        if let ParameterKind::Word(_) = parameter.kind {
            return Err(format!("--vary: {name} is a word, and only numbers and sizes can be varied"));
        }
        let mut settings = Vec::new();
        for part in range.split(',') {
            let part = read_part(parameter, part.trim()).map_err(|why| format!("--vary {text}: {why}"))?;
            for setting in part {
                if !settings.contains(&setting) {
                    settings.push(setting);
                }
            }
            if settings.len() > MOST_VALUES {
                return Err(format!("--vary {text}: expected at most {MOST_VALUES} values"));
            }
        }
        Ok(Varied { parameter, settings })
    }

    /// The step that trends refer to, in words, and its size.
    pub(crate) fn unit(&self) -> (&'static str, f64) {
        match self.parameter.kind {
            ParameterKind::Size { .. } => ("a row and column", 1.0),
            ParameterKind::Share(_) => ("for each 0.1", 0.1),
            ParameterKind::Walk(_) => ("a move", 1.0),
            ParameterKind::Count { unit, .. } => (unit, 1.0),
            ParameterKind::Word(_) => unreachable!("words are not varied"),
        }
    }
}

/// A value as a number: for a size, the side of the square with as many cells.
pub(crate) fn numeric(setting: &Setting) -> f64 {
    match *setting {
        Setting::Size(rows, columns) => ((rows * columns) as f64).sqrt(),
        Setting::Share(share) => share,
        Setting::Count(count) => count as f64,
        Setting::Word(_) => unreachable!("words are not varied"),
    }
}

fn read_part(parameter: &Parameter, text: &str) -> Result<Vec<Setting>, String> {
    let Some((first, rest)) = text.split_once("..") else {
        return Ok(vec![read_setting(parameter, text)?]);
    };
    let (last, step) = match rest.split_once('/') {
        Some((last, step)) => (last, Some(step)),
        None => (rest, None),
    };
    let out_of_order = || format!("expected FIRST..LAST/STEP with FIRST up to LAST and a STEP above 0, found '{text}'");
    if let ParameterKind::Share(_) = parameter.kind {
        let step = step.ok_or("a range of shares needs a step, such as 0..0.4/0.1")?;
        let [first, last, step] = [first, last, step].map(read_share);
        let (first, last, step) = (first?, last?, step?);
        if !(step > 0.0 && first <= last) {
            return Err(out_of_order());
        }
        // Multiples of the step, rounded, so that three steps of 0.1 are 0.3.
        let steps = ((last - first) / step + 1e-9).floor().min(MOST_VALUES as f64) as u32;
        let at = |number: u32| ((first + f64::from(number) * step) * 1e9).round() / 1e9;
        return Ok((0..=steps).map(|number| Setting::Share(at(number))).collect());
    }
    let [first, last, step] = [first, last, step.unwrap_or("1")].map(read_count);
    let (first, last, step) = (first?, last?, step?);
    if step == 0 || first > last {
        return Err(out_of_order());
    }
    let numbers = (first..=last).step_by(step).take(MOST_VALUES + 1);
    Ok(numbers.map(|number| of_count(parameter, number)).collect())
}

fn read_setting(parameter: &Parameter, text: &str) -> Result<Setting, String> {
    match (&parameter.kind, text.split_once(['x', 'X', '×'])) {
        (ParameterKind::Size { .. }, Some((rows, columns))) => {
            Ok(Setting::Size(read_count(rows)?, read_count(columns)?))
        }
        (ParameterKind::Share(_), _) => Ok(Setting::Share(read_share(text)?)),
        _ => Ok(of_count(parameter, read_count(text)?)),
    }
}

/// A count, or for a size the square with that side.
fn of_count(parameter: &Parameter, number: usize) -> Setting {
    match parameter.kind {
        ParameterKind::Size { .. } => Setting::Size(number, number),
        _ => Setting::Count(number),
    }
}

fn read_count(text: &str) -> Result<usize, String> {
    // The product of rows and columns must not overflow.
    let number = text.trim().parse().ok().filter(|&number: &usize| number <= 1_000_000);
    number.ok_or_else(|| format!("expected a whole number up to 1000000, found '{text}'"))
}

fn read_share(text: &str) -> Result<f64, String> {
    let number: Option<f64> = text.trim().parse().ok().filter(|share: &f64| (0.0..=1.0).contains(share));
    number.ok_or_else(|| format!("expected a number from 0 to 1, found '{text}'"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(puzzle: &str, text: &str) -> Result<Varied, String> {
        Varied::read(text, admissible_puzzles::PUZZLES.entry(puzzle).expect("the registry has the puzzle").card())
    }

    fn labels(puzzle: &str, text: &str) -> Vec<String> {
        let varied = read(puzzle, text).unwrap_or_else(|error| panic!("{text}: {error}"));
        varied.settings.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn ranges_and_lists_are_read() {
        assert_eq!(labels("chexers", "pieces=1..4"), ["1", "2", "3", "4"]);
        assert_eq!(labels("chexers", "blocks=0..12/5"), ["0", "5", "10"]);
        assert_eq!(labels("tiles", "scramble=10, 20,20..40/10"), ["10", "20", "30", "40"]);
        assert_eq!(labels("die", "size=5..15/5"), ["5x5", "10x10", "15x15"]);
        assert_eq!(labels("tiles", "size=3x3,3x4"), ["3x3", "3x4"]);
        assert_eq!(labels("die", "density=0..0.4/0.1"), ["0", "0.1", "0.2", "0.3", "0.4"]);
        assert_eq!(labels("die", "density=0.25"), ["0.25"]);
    }

    #[test]
    fn malformed_ranges_are_refused() {
        for (puzzle, text, part) in [
            ("chexers", "pieces", "NAME=RANGE"),
            ("die", "piece=1..5", "--piece: die has no use for it, only for --size, --density"),
            ("chexers", "colour=red", "colour is a word"),
            ("chexers", "pieces=5..1", "FIRST up to LAST"),
            ("chexers", "pieces=1..5/0", "STEP above 0"),
            ("chexers", "pieces=", "whole number"),
            ("chexers", "pieces=1..", "whole number"),
            ("chexers", "pieces=-1..2", "whole number"),
            ("die", "density=0..0.4", "needs a step"),
            ("die", "density=0..2/0.1", "from 0 to 1"),
            ("die", "density=0..1/0", "STEP above 0"),
            ("die", "size=3x", "whole number"),
            ("tiles", "scramble=0..999999", "at most 1000 values"),
            ("die", "density=0..1/0.0000001", "at most 1000 values"),
        ] {
            let error = read(puzzle, text).expect_err(text);
            assert!(error.contains(part), "{text}: {error}");
        }
    }
}
