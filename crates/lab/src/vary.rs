//! What a sweep varies: a field of a [`Recipe`] and the values it takes, as `pieces=1..5` or `size=3x3,3x4` says.

use admissible_front::Recipe;

/// A field of a recipe that can be varied.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Parameter {
    /// Rows and columns.
    Size,
    /// The share of obstacles.
    Density,
    /// Random moves from the goal.
    Scramble,
    /// Pieces.
    Pieces,
    /// Blocks.
    Blocks,
    /// Empty cells.
    Empties,
}

impl Parameter {
    /// All of them.
    pub const ALL: [Parameter; 6] = [
        Parameter::Size,
        Parameter::Density,
        Parameter::Scramble,
        Parameter::Pieces,
        Parameter::Blocks,
        Parameter::Empties,
    ];

    /// Its name in a recipe.
    pub fn name(self) -> &'static str {
        match self {
            Parameter::Size => "size",
            Parameter::Density => "density",
            Parameter::Scramble => "scramble",
            Parameter::Pieces => "pieces",
            Parameter::Blocks => "blocks",
            Parameter::Empties => "empties",
        }
    }

    /// What it grows by, in words, and by how much that is.
    pub fn unit(self) -> (&'static str, f64) {
        match self {
            Parameter::Size => ("a row and column", 1.0),
            Parameter::Density => ("for each 0.1", 0.1),
            Parameter::Scramble => ("a move", 1.0),
            Parameter::Pieces => ("a piece", 1.0),
            Parameter::Blocks => ("a block", 1.0),
            Parameter::Empties => ("an empty cell", 1.0),
        }
    }
}

/// A value of a parameter.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Setting {
    /// Rows and columns.
    Size(usize, usize),
    /// A share.
    Share(f64),
    /// A number of things.
    Count(u32),
}

impl Setting {
    /// As it is written on the command line.
    pub fn label(self) -> String {
        match self {
            Setting::Size(rows, columns) => format!("{rows}x{columns}"),
            Setting::Share(share) => share.to_string(),
            Setting::Count(count) => count.to_string(),
        }
    }

    /// Its place on a line: for sizes the side of a square of as many cells.
    pub fn place(self) -> f64 {
        match self {
            Setting::Size(rows, columns) => ((rows * columns) as f64).sqrt(),
            Setting::Share(share) => share,
            Setting::Count(count) => count.into(),
        }
    }

    fn fill(self, parameter: Parameter, recipe: &mut Recipe) {
        match (parameter, self) {
            (Parameter::Size, Setting::Size(rows, columns)) => recipe.size = Some((rows, columns)),
            (Parameter::Density, Setting::Share(share)) => recipe.density = Some(share),
            (Parameter::Scramble, Setting::Count(count)) => recipe.scramble = Some(count),
            (Parameter::Pieces, Setting::Count(count)) => recipe.pieces = Some(count as usize),
            (Parameter::Blocks, Setting::Count(count)) => recipe.blocks = Some(count as usize),
            (Parameter::Empties, Setting::Count(count)) => recipe.empties = Some(count as usize),
            _ => unreachable!("a parameter is read with settings of its own kind"),
        }
    }
}

/// A parameter and the values that it takes.
#[derive(Debug, Clone, PartialEq)]
pub struct Varied {
    /// What is varied.
    pub parameter: Parameter,
    /// The values, each once, in the order in which they were written.
    pub settings: Vec<Setting>,
}

/// More values would take longer than anybody waits.
const MOST: usize = 1000;

impl Varied {
    /// Reads `NAME=RANGE`, where a range is a list of values and of `FIRST..LAST` or `FIRST..LAST/STEP`.
    ///
    /// # Errors
    /// What was expected instead.
    pub fn read(text: &str) -> Result<Self, String> {
        let names: Vec<&str> = Parameter::ALL.iter().map(|parameter| parameter.name()).collect();
        let (name, range) = text.split_once('=').ok_or("expected NAME=RANGE, such as pieces=1..5 or size=3x3,3x4")?;
        let parameter = Parameter::ALL.into_iter().find(|parameter| parameter.name() == name.trim());
        let parameter =
            parameter.ok_or_else(|| format!("expected one of {} before the '=', found '{name}'", names.join(", ")))?;
        let mut settings = Vec::new();
        for part in range.split(',') {
            for setting in read_part(parameter, part.trim())? {
                if !settings.contains(&setting) {
                    settings.push(setting);
                }
            }
            if settings.len() > MOST {
                return Err(format!("expected at most {MOST} values"));
            }
        }
        Ok(Varied { parameter, settings })
    }

    /// Fills the parameter of a recipe in.
    pub fn fill(&self, setting: Setting, recipe: &mut Recipe) {
        setting.fill(self.parameter, recipe);
    }
}

fn read_part(parameter: Parameter, text: &str) -> Result<Vec<Setting>, String> {
    let Some((first, rest)) = text.split_once("..") else {
        return Ok(vec![read_setting(parameter, text)?]);
    };
    let (last, step) = match rest.split_once('/') {
        Some((last, step)) => (last, Some(step)),
        None => (rest, None),
    };
    if parameter == Parameter::Density {
        let step = step.ok_or("a range of densities needs a step, such as 0..0.4/0.1")?;
        let [first, last, step] = [first, last, step].map(read_share);
        let (first, last, step) = (first?, last?, step?);
        if !(step > 0.0 && first <= last) {
            return Err(format!("expected FIRST..LAST/STEP with FIRST up to LAST and a STEP above 0, found '{text}'"));
        }
        // Counted in steps and rounded, so that 0.1 + 0.1 + 0.1 is 0.3.
        let steps = ((last - first) / step + 1e-9).floor().min(MOST as f64) as u32;
        let at = |number: u32| ((first + f64::from(number) * step) * 1e9).round() / 1e9;
        return Ok((0..=steps).map(|number| Setting::Share(at(number))).collect());
    }
    let [first, last, step] = [first, last, step.unwrap_or("1")].map(read_count);
    let (first, last, step) = (first?, last?, step?);
    if step == 0 || first > last {
        return Err(format!("expected FIRST..LAST/STEP with FIRST up to LAST and a STEP above 0, found '{text}'"));
    }
    let numbers = (first..=last).step_by(step as usize).take(MOST + 1);
    Ok(numbers.map(|number| of_count(parameter, number)).collect())
}

fn read_setting(parameter: Parameter, text: &str) -> Result<Setting, String> {
    match (parameter, text.split_once(['x', 'X', '×'])) {
        (Parameter::Size, Some((rows, columns))) => {
            Ok(Setting::Size(read_count(rows)? as usize, read_count(columns)? as usize))
        }
        (Parameter::Density, _) => Ok(Setting::Share(read_share(text)?)),
        _ => Ok(of_count(parameter, read_count(text)?)),
    }
}

/// A size that is one number is that of a square.
fn of_count(parameter: Parameter, number: u32) -> Setting {
    match parameter {
        Parameter::Size => Setting::Size(number as usize, number as usize),
        _ => Setting::Count(number),
    }
}

fn read_count(text: &str) -> Result<u32, String> {
    // Sizes are multiplied with each other, so none may be near the end of its type.
    let number = text.trim().parse().ok().filter(|&number: &u32| number <= 1_000_000);
    number.ok_or_else(|| format!("expected a whole number up to 1000000, found '{text}'"))
}

fn read_share(text: &str) -> Result<f64, String> {
    let number: Option<f64> = text.trim().parse().ok().filter(|share: &f64| (0.0..=1.0).contains(share));
    number.ok_or_else(|| format!("expected a number from 0 to 1, found '{text}'"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(text: &str) -> Vec<String> {
        let varied = Varied::read(text).unwrap_or_else(|error| panic!("{text}: {error}"));
        varied.settings.iter().map(|setting| setting.label()).collect()
    }

    #[test]
    fn ranges_and_lists_are_read() {
        assert_eq!(labels("pieces=1..4"), ["1", "2", "3", "4"]);
        assert_eq!(labels("blocks=0..12/5"), ["0", "5", "10"]);
        assert_eq!(labels("scramble=10, 20,20..40/10"), ["10", "20", "30", "40"]);
        assert_eq!(labels("size=5..15/5"), ["5x5", "10x10", "15x15"]);
        assert_eq!(labels("size=3x3,3x4"), ["3x3", "3x4"]);
        assert_eq!(labels("density=0..0.4/0.1"), ["0", "0.1", "0.2", "0.3", "0.4"]);
        assert_eq!(labels("density=0.25"), ["0.25"]);
    }

    #[test]
    fn what_is_no_range_is_told() {
        for (text, part) in [
            ("pieces", "NAME=RANGE"),
            ("piece=1..5", "expected one of size, density"),
            ("pieces=5..1", "FIRST up to LAST"),
            ("pieces=1..5/0", "STEP above 0"),
            ("pieces=", "whole number"),
            ("pieces=1..", "whole number"),
            ("pieces=-1..2", "whole number"),
            ("density=0..0.4", "needs a step"),
            ("density=0..2/0.1", "from 0 to 1"),
            ("density=0..1/0", "STEP above 0"),
            ("size=3x", "whole number"),
            ("scramble=0..999999", "at most 1000 values"),
            ("density=0..1/0.0000001", "at most 1000 values"),
        ] {
            let error = Varied::read(text).expect_err(text);
            assert!(error.contains(part), "{text}: {error}");
        }
    }
}
