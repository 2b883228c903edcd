//! The options for the parameters of the puzzles. The cards of the registry declare them, so they are added to the
//! definition of a command once the registry is known.

use admissible_front::{Card, Parameter, ParameterError, ParameterKind, Parameters, Purpose, Registry};
use clap::{Arg, ArgGroup, ArgMatches, Args, FromArgMatches, Id};

/// The group of all parameters, from which clap returns the names of those given.
const GROUP: &str = "parameters";

/// The parameters given, as names and values; they are checked once the puzzle is known.
#[derive(Debug, Clone, Default)]
pub(crate) struct ParameterArguments(Vec<(String, String)>);

impl ParameterArguments {
    /// The names.
    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(|(name, _)| name.as_str())
    }

    /// The values, read as the puzzle's card declares them.
    pub(crate) fn read(&self, card: &Card, purpose: Purpose) -> Result<Parameters, ParameterError> {
        Parameters::read(card, purpose, &self.0)
    }
}

impl FromArgMatches for ParameterArguments {
    fn from_arg_matches(typed: &ArgMatches) -> Result<Self, clap::Error> {
        // A registry without parameters has no group.
        let names = typed.try_get_many::<Id>(GROUP).ok().flatten().into_iter().flatten();
        let value = |name: &Id| Some((name.to_string(), typed.get_one::<String>(name.as_str())?.clone()));
        Ok(ParameterArguments(names.filter_map(value).collect()))
    }

    fn update_from_arg_matches(&mut self, typed: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(typed)?;
        Ok(())
    }
}

/// Adds nothing: [`with_parameters`] does.
impl Args for ParameterArguments {
    fn augment_args(command: clap::Command) -> clap::Command {
        command
    }

    fn augment_args_for_update(command: clap::Command) -> clap::Command {
        command
    }
}

/// The names of the parameters that serve a purpose, each once.
pub(crate) fn parameter_names(puzzles: Registry, purpose: Purpose) -> Vec<&'static str> {
    let mut names = Vec::new();
    for parameter in puzzles.cards().flat_map(|card| card.parameters).filter(|parameter| purpose.takes(parameter)) {
        if !names.contains(&parameter.name) {
            names.push(parameter.name);
        }
    }
    names
}

/// A command with an option for each parameter that serves a purpose.
pub(crate) fn with_parameters(command: clap::Command, puzzles: Registry, purpose: Purpose) -> clap::Command {
    let names = parameter_names(puzzles, purpose);
    if names.is_empty() {
        return command;
    }
    let group = ArgGroup::new(GROUP).multiple(true).args(&names);
    command.args(names.into_iter().map(|name| option(name, puzzles, purpose))).group(group)
}

fn option(name: &'static str, puzzles: Registry, purpose: Purpose) -> Arg {
    let find = |card: &'static Card| {
        let parameter = card.parameters.iter().find(|parameter| parameter.name == name && purpose.takes(parameter));
        Some((card.name, parameter?))
    };
    let declared: Vec<(&str, &'static Parameter)> = puzzles.cards().filter_map(find).collect();
    let placeholder = match declared[0].1.kind {
        ParameterKind::Size { .. } => "RxC".to_string(),
        ParameterKind::Share(_) => "SHARE".to_string(),
        ParameterKind::Count { .. } => "N".to_string(),
        ParameterKind::Walk(_) => "MOVES".to_string(),
        ParameterKind::Word(_) => name.to_uppercase(),
    };
    let help = help(&declared, purpose);
    // The puzzle is not known yet: accept a value that is valid for one of them.
    let parse = move |text: &str| {
        let parsed = declared.iter().map(|(_, parameter)| parameter.kind.parse(text).map(|_| text.to_string()));
        parsed.reduce(Result::or).expect("some puzzle declares it")
    };
    Arg::new(name)
        .long(name)
        .value_name(placeholder)
        .value_parser(parse)
        .allow_negative_numbers(true)
        .help(help)
        .help_heading("Parameters of the puzzle")
}

/// The puzzles with the parameter, its description, and the default of each.
fn help(declared: &[(&str, &'static Parameter)], purpose: Purpose) -> String {
    let puzzles: Vec<&str> = declared.iter().map(|(puzzle, _)| *puzzle).collect();
    let mut words: Vec<String> = match declared {
        [(_, parameter)] => vec![parameter.description()],
        several => several.iter().map(|(_, parameter)| parameter.summary.into()).collect(),
    };
    words.dedup();
    let defaults: Vec<Option<String>> =
        declared.iter().map(|(_, parameter)| purpose.default(parameter).map(ToString::to_string)).collect();
    let help = format!("{}: {}", puzzles.join(", "), words.join("; "));
    if defaults.iter().all(Option::is_none) {
        return help;
    }
    let defaults: Vec<String> = defaults.into_iter().map(|default| default.unwrap_or_else(|| "none".into())).collect();
    format!("{help} [default: {}]", defaults.join(", "))
}
