//! Work that can be resumed, described as data.
//!
//! A checkpoint names the kind of work, its target and the options that matter. [`KINDS`] and the parameters of the
//! puzzles are the complete list: whatever the file contains, no other command or option can come out of it. Names of
//! output files and addresses to connect to are left out on purpose; they are given again to `resume`.

use std::ffi::OsString;
use std::path::Path;

use admissible_front::{Purpose, Registry, Work};
use clap::parser::ValueSource;
use clap::{ArgMatches, FromArgMatches as _};

use crate::args::{Arguments, Command, parameter_names};
use crate::program;

/// A kind of work that writes checkpoints.
struct Kind {
    /// The command, with its subcommand.
    name: &'static str,
    /// The argument that names its target.
    target: &'static str,
    /// The options that a resumed run needs, separated by blanks.
    options: &'static str,
    /// The purpose of the parameters of puzzles that a resumed run needs as well.
    parameters: Option<Purpose>,
}

impl Kind {
    /// Every option that a resumed run needs.
    fn options(&self, puzzles: Registry) -> impl Iterator<Item = &'static str> {
        let parameters = self.parameters.map(|purpose| parameter_names(puzzles, purpose));
        self.options.split(' ').chain(parameters.into_iter().flatten())
    }
}

const KINDS: [Kind; 3] = [
    Kind {
        name: "solve",
        target: "file",
        options: "puzzle goal move-order metric algorithm heuristic threads weight depth-limit tie-break time-limit \
                  memory-limit node-limit move-limit no-parity counting format boards process processes connect-limit checkpoint-every",
        parameters: None,
    },
    Kind {
        name: "explore",
        target: "target",
        options: "puzzle goal move-order metric forward backward save scope components threads memory-limit \
                  time-limit format process processes connect-limit checkpoint-every",
        parameters: Some(Purpose::Explore),
    },
    Kind { name: "pdb build", target: "name", options: "threads again checkpoint-every", parameters: None },
];

/// Describes the work given on the command line, if it is of a kind that writes checkpoints.
pub(crate) fn describe(puzzles: Registry, typed: &ArgMatches) -> Option<Work> {
    KINDS.iter().find_map(|kind| {
        let typed = kind.name.split(' ').try_fold(typed, |typed, name| typed.subcommand_matches(name))?;
        let text = |id: &str| Some(typed.get_raw(id)?.next()?.to_string_lossy().into_owned());
        let options = kind.options(puzzles).filter_map(|name| {
            let id = name.replace('-', "_");
            let is_typed = typed.value_source(&id) == Some(ValueSource::CommandLine);
            let is_switch = typed.try_get_one::<bool>(&id).is_ok();
            is_typed.then(|| (name.to_string(), text(&id).filter(|_| !is_switch)))
        });
        Some(Work { kind: kind.name.into(), target: text(kind.target)?, text: None, options: options.collect() })
    })
}

/// The command that resumes the work of a checkpoint. `None` if [`describe`] cannot have written it.
pub(crate) fn command(puzzles: Registry, work: &Work, checkpoint: &Path) -> Option<Command> {
    let kind = KINDS.iter().find(|kind| kind.name == work.kind)?;
    let program = program(puzzles);
    let definition = kind.name.split(' ').try_fold(&program, |command, name| command.find_subcommand(name))?;
    let mut words: Vec<OsString> = ["admissible"].into_iter().chain(kind.name.split(' ')).map(OsString::from).collect();
    for (name, value) in &work.options {
        kind.options(puzzles).find(|option| option == name)?;
        let option = definition.get_arguments().find(|argument| argument.get_long() == Some(name))?;
        // An option without its value would take the next word as its value.
        words.push(match value {
            Some(value) if option.get_action().takes_values() => format!("--{name}={value}").into(),
            None if !option.get_action().takes_values() => format!("--{name}").into(),
            _ => return None,
        });
    }
    let mut file = OsString::from("--checkpoint=");
    file.push(checkpoint);
    words.extend([file, "--".into(), (&work.target).into()]);
    let typed = program.try_get_matches_from(words).ok()?;
    Arguments::from_arg_matches(&typed).ok().map(|arguments| arguments.command)
}

/// Whether some work can be resumed; for fuzzing.
///
/// # Panics
/// If another command than one of `KINDS` came of it, or one that writes to a file or an address of its own.
pub fn is_resumable(puzzles: Registry, work: &Work) -> bool {
    match command(puzzles, work, Path::new("night")) {
        None => return false,
        Some(Command::Solve(solve)) => {
            assert!(solve.trace.is_none() && solve.certificate.is_none() && !solve.cluster.has_addresses());
        }
        Some(Command::Explore(explore)) => assert!(explore.report.is_none() && !explore.cluster.has_addresses()),
        Some(Command::Pdb(action)) => assert!(matches!(action, crate::pdb::Action::Build { .. })),
        Some(_) => panic!("this is no work to resume: {work:?}"),
    }
    true
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use admissible_puzzles::PUZZLES;

    use super::*;

    fn typed(line: &str) -> Option<Work> {
        let words = ["admissible"].into_iter().chain(line.split(' '));
        describe(PUZZLES, &program(PUZZLES).try_get_matches_from(words).expect("the line is valid"))
    }

    #[test]
    fn described_work_becomes_the_same_command() {
        let line = "solve a.txt --boards -H manhattan*2 --time-limit=8h --checkpoint night --trace x --processes 2";
        let work = typed(line).expect("it writes checkpoints");
        let some = |text: &str| Some(text.to_string());
        let expected = [
            ("boards", None),
            ("heuristic", some("manhattan*2")),
            ("processes", some("2")),
            ("time-limit", some("8h")),
        ];
        let options = expected.map(|(name, value)| (name.to_string(), value));
        let expected = Work { kind: "solve".into(), target: "a.txt".into(), text: None, options: options.into() };
        assert_eq!(work, expected);
        let Some(Command::Solve(solve)) = command(PUZZLES, &work, Path::new("-night")) else { panic!("it is a solve") };
        assert!(solve.boards && solve.trace.is_none() && solve.certificate.is_none());
        assert_eq!(solve.search.heuristic.as_deref(), Some("manhattan*2"));
        assert_eq!(solve.checkpoint.checkpoint.as_deref(), Some(Path::new("-night")));
        for line in ["explore tiles --size 2x3 --save", "pdb build 6-6-3 --again"] {
            let work = typed(line).expect("it writes checkpoints");
            assert!(command(PUZZLES, &work, Path::new("half")).is_some(), "{line}");
        }
        assert_eq!(typed("audit die"), None);
        assert_eq!(typed("pdb list"), None);
    }

    /// A new option has to be kept in checkpoints, or to be named here.
    #[test]
    fn every_option_is_kept_or_left_out_on_purpose() {
        let left_out =
            ["help", "color", "checkpoint", "trace", "trace-limit", "certificate", "hosts", "peers", "report"];
        let mut program = program(PUZZLES);
        program.build();
        for kind in KINDS {
            let definition = kind.name.split(' ').try_fold(&program, |command, name| command.find_subcommand(name));
            let arguments = definition.expect("there is such a command").get_arguments();
            for name in arguments.filter_map(clap::Arg::get_long) {
                let is_kept = kind.options(PUZZLES).any(|option| option == name);
                assert!(is_kept != left_out.contains(&name), "{}: --{name}", kind.name);
            }
        }
    }

    #[test]
    fn other_commands_and_options_are_refused() {
        let work = |kind: &str, target: &str, option: Option<(&str, Option<&str>)>| {
            let option = option.map(|(name, value)| (name.to_string(), value.map(String::from)));
            let options: BTreeMap<_, _> = option.into_iter().collect();
            Work { kind: kind.into(), target: target.into(), text: None, options }
        };
        let is_refused = |work: &Work| command(PUZZLES, work, Path::new("night")).is_none();
        for kind in ["serve", "resume", "bench", "audit", "pdb", "pdb remove", "cluster plan", "solve x", "", "--help"]
        {
            assert!(is_refused(&work(kind, "x", None)), "{kind}");
        }
        for (name, value) in [
            ("trace", Some("victim.jsonl")),
            ("certificate", Some("victim")),
            ("checkpoint", Some("victim")),
            ("hosts", Some("hosts")),
            ("peers", Some("host:1")),
            ("report", Some("victim")),
            ("help", None),
            ("boards --trace", Some("victim.jsonl")),
            ("threads", Some("1025")),
            ("threads", None),
            ("heuristic", None),
            ("format", None),
            ("boards", Some("yes")),
        ] {
            assert!(is_refused(&work("solve", "x", Some((name, value)))), "{name}");
            assert!(is_refused(&work("explore", "x", Some((name, value)))), "{name}");
        }
        // A target that looks like an option stays a target.
        let Some(Command::Solve(solve)) = command(PUZZLES, &work("solve", "--help", None), Path::new("night")) else {
            panic!("it is a solve")
        };
        assert_eq!(solve.input.file, "--help");
    }
}
