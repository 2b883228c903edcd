//! The source keeps to the limits that CONTRIBUTING.md states: 500 lines a file, 120 columns a line.

use std::fs;
use std::path::{Path, PathBuf};

const MOST_LINES: usize = 500;
const MOST_COLUMNS: usize = 120;

fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("the folder can be read") {
        let path = entry.expect("the entry can be read").path();
        if path.is_dir() && path.file_name().is_some_and(|name| name != "target" && name != "node_modules") {
            sources(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs" || extension == "py") {
            found.push(path);
        }
    }
}

#[test]
fn files_and_lines_are_short() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut files = Vec::new();
    for folder in ["crates", "puzzles", "examples", "python"] {
        sources(&root.join(folder), &mut files);
    }
    assert!(files.len() > 100, "only {} files were found", files.len());
    let mut faults = Vec::new();
    for path in files {
        let text = fs::read_to_string(&path).expect("the file can be read");
        let lines = text.lines().count();
        if lines > MOST_LINES {
            faults.push(format!("{}: {lines} lines", path.display()));
        }
        // A string may be longer, and so may the expected output of a test: they show what the program prints.
        let is_test = path.components().any(|part| part.as_os_str() == "tests");
        let is_long = |line: &str| line.chars().count() > MOST_COLUMNS && !is_test && !line.contains('"');
        let long = text.lines().enumerate().filter(|(_, line)| is_long(line));
        faults.extend(long.map(|(at, _)| format!("{}:{}: a long line", path.display(), at + 1)));
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}
