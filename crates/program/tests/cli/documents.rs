//! The commands of the README and the book. Each is run, and its output compared where the document shows it: times,
//! speeds and memory are masked, and a line `...` stands for any lines. Of commands that would take long, only the
//! arguments are checked. Commands in the tables of the README are checked in the same way.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::Command;

use assert_cmd::cargo::cargo_bin;

use crate::support::{Folder, TABLES, is_progress};

/// Parts of commands that take long, wait for other machines, or need a file that an earlier command leaves when it is
/// stopped.
const LONG: [&str; 12] = [
    " serve",
    " resume ",
    " audit klotski",
    " explore klotski",
    " explore tiles --size 3x4",
    " pdb build",
    " bench korf",
    " cluster ",
    "--hosts",
    "--processes",
    "--difficulty 40",
    "pdb:",
];

/// A command in a document.
struct Shown {
    /// The document and the line.
    place: String,
    command: String,
    /// The lines of output, if the document shows them.
    output: Option<Vec<String>>,
}

/// The commands in the tables of a document.
fn commands_in_tables(name: &str, text: &str) -> Vec<Shown> {
    let rows = text.lines().zip(1..).filter(|(line, _)| line.starts_with('|'));
    rows.flat_map(|(line, number)| line.split('`').skip(1).step_by(2).map(move |code| (code, number)))
        .filter(|(code, _)| code.starts_with("admissible "))
        .map(|(code, number)| Shown { place: format!("{name}:{number}"), command: code.into(), output: None })
        .collect()
}

/// The commands of a document: lines of its blocks that start with the name of the program, perhaps after a prompt.
/// A block of commands may be followed by one with the output of its last command.
fn commands(name: &str, text: &str) -> Vec<Shown> {
    let mut found: Vec<Shown> = Vec::new();
    let mut lines = text.lines().zip(1..);
    let mut output_may_follow = false;
    while let Some((fence, _)) = lines.next() {
        let Some(language) = fence.strip_prefix("```") else {
            output_may_follow &= fence.is_empty();
            continue;
        };
        let mut shows_output = language == "text" && output_may_follow;
        for (line, number) in lines.by_ref().take_while(|(line, _)| *line != "```") {
            let typed = match language {
                "text" => line.strip_prefix("$ ").map(String::from),
                "sh" if line.starts_with("admissible ") => Some(line.to_string()),
                "sh" => line.strip_prefix("cargo run --release -- ").map(|typed| format!("admissible {typed}")),
                _ => None,
            };
            if let Some(command) = typed {
                let output = (language == "text").then(Vec::new);
                found.push(Shown { place: format!("{name}:{number}"), command, output });
                shows_output = language == "text";
            } else if let Some(last) = found.last_mut().filter(|_| shows_output) {
                last.output.get_or_insert_default().push(line.to_string());
            }
        }
        output_may_follow = language == "sh";
    }
    found
}

/// A line without what differs between runs: numbers before a unit of time, speed or memory, the length of bars, and
/// spacing.
fn masked(line: &str) -> String {
    const UNITS: [&str; 12] = ["ns", "µs", "ms", "s", "/s", "k/s", "M/s", "B", "KiB", "MiB", "GiB", "%"];
    let words: Vec<&str> = line.split_whitespace().collect();
    let is_unit = |word: &&str| UNITS.contains(&word.trim_end_matches([')', ',', '.', ';', ':']));
    let is_number = |word: &str| word.trim_start_matches('(').starts_with(|first: char| first.is_ascii_digit());
    let mask = |(at, word): (usize, &&str)| match words.get(at + 1).filter(|_| is_number(word)) {
        Some(next) if is_unit(next) => "*".to_string(),
        _ => word.replace(|letter| ('▏'..='▉').contains(&letter), "█").trim_end_matches('█').to_string(),
    };
    words.iter().enumerate().map(mask).collect::<Vec<_>>().join(" ")
}

/// Whether lines are the expected ones, where `...` stands for any number of lines, or for the rest of a line.
fn fits(expected: &[String], got: &[String]) -> bool {
    let Some((first, rest)) = expected.split_first() else { return got.is_empty() };
    if first == "..." {
        return (0..=got.len()).any(|skipped| fits(rest, &got[skipped..]));
    }
    let fits_line = |line: &String| match first.strip_suffix("...") {
        Some(begin) => line.starts_with(begin),
        None => line == first,
    };
    got.split_first().is_some_and(|(line, others)| fits_line(line) && fits(rest, others))
}

fn lines_of(text: &[String]) -> Vec<String> {
    let masked: Vec<String> = text.iter().map(|line| masked(line)).collect();
    let end = masked.iter().rposition(|line| !line.is_empty()).map_or(0, |last| last + 1);
    masked[..end].to_vec()
}

#[test]
fn commands_do_what_the_documents_show() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let folder = Folder::new();
    symlink(root.join("instances"), folder.path().join("instances")).expect("the folder is new");
    for (name, file) in [
        ("maze.txt", "die/course_puzzle2.txt"),
        ("p1.txt", "die/course_puzzle1.txt"),
        ("p2.txt", "die/course_puzzle2.txt"),
        ("board.txt", "tiles/hardest_3x3.txt"),
        ("hard.txt", "tiles/random_3x4.txt"),
        ("layout.txt", "klotski/classic.txt"),
    ] {
        folder.write(name, fs::read(root.join("instances").join(file)).expect("the instance exists"));
    }
    folder.write("small.txt", "G*..\n....\n....\n..S.\n");
    folder.write("unsolvable.txt", "1 2 3\n4 5 6\n8 7 0\n");
    let solution = folder.run("solve maze.txt --format course");
    folder.write("solution.txt", &solution.out);
    let books =
        fs::read_dir(root.join("docs")).expect("the folder exists").map(|entry| entry.expect("readable").path());
    let mut documents: Vec<_> = books.filter(|path| path.extension().is_some_and(|ending| ending == "md")).collect();
    documents.sort();
    documents.insert(0, root.join("README.md"));
    let (mut count, mut compared, mut faults) = (0, 0, Vec::new());
    for document in documents {
        let name = document.file_name().expect("it is a file").to_string_lossy().into_owned();
        let text = fs::read_to_string(&document).expect("readable");
        let in_tables = if name == "README.md" { commands_in_tables(&name, &text) } else { Vec::new() };
        for Shown { place, command, output } in commands(&name, &text).into_iter().chain(in_tables) {
            count += 1;
            let is_long = LONG.iter().any(|part| command.contains(part));
            // The figures of a plan depend on the speed of the machine.
            let output = output.filter(|_| !command.contains(" cluster plan "));
            let is_long = is_long && output.is_none();
            let typed = if is_long { format!("{} --help", command.split("  #").next().unwrap_or("")) } else { command };
            let (code, got) = run(&typed, folder.path());
            match output {
                Some(expected) => {
                    compared += 1;
                    if !fits(&lines_of(&expected), &lines_of(&got)) {
                        faults.push(format!("{place}: {typed}\n{}", got.join("\n")));
                    }
                }
                None if code > 1 => faults.push(format!("{place}: {typed}\nexit code {code}\n{}", got.join("\n"))),
                None => {}
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n\n"));
    assert!(count >= 45 && compared >= 9, "{count} commands were found, {compared} of them with output");
}

#[test]
fn the_chart_of_the_readme_is_what_its_command_draws() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let readme = fs::read_to_string(root.join("README.md")).expect("readable");
    let shown = commands("README.md", &readme).into_iter().find(|shown| shown.command.contains(" --report report"));
    let folder = Folder::new();
    symlink(root.join("instances"), folder.path().join("instances")).expect("the folder is new");
    let (code, got) = run(&shown.expect("the README has it").command, folder.path());
    assert_eq!(code, 0, "{}", got.join("\n"));
    let drawn = folder.path().join("report/charts/die-course-puzzle5-counts-linear.svg");
    let kept = root.join("docs/images/course_puzzle5.svg");
    assert!(fs::read(drawn).expect("it was drawn") == fs::read(&kept).expect("readable"), "{}", kept.display());
}

/// Runs a line in a shell. Returns the exit code, and all output without the lines of progress.
fn run(line: &str, folder: &Path) -> (i32, Vec<String>) {
    let program = Path::new(cargo_bin!("admissible")).parent().expect("it is in a folder");
    let path = format!("{}:{}", program.display(), std::env::var("PATH").unwrap_or_default());
    let mut shell = Command::new("sh");
    shell.args(["-c", &format!("{{ {line}\n}} 2>&1")]).current_dir(folder).env("PATH", path);
    let output = shell.env("ADMISSIBLE_CACHE", TABLES).output().expect("a shell can be started");
    let text = String::from_utf8(output.stdout).expect("the program prints UTF-8");
    let lines = text.lines().filter(|line| !is_progress(line)).map(String::from).collect();
    (output.status.code().unwrap_or(-1), lines)
}
