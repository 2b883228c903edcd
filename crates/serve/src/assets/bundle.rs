//! One script from many modules, so that the page loads with one request.
//!
//! Each module becomes a block, after the modules that it imports: its imports read from the table `modules`, its
//! exports are written there. Only the forms that the page uses are known, each at the beginning of a line:
//! `import { a, b } from './c.js'`, `export const`, `function`, `async function`, `class`, and `export default`.

use std::collections::BTreeMap;
use std::fmt::Write as _;

/// The sources of modules by path.
pub(crate) type Modules = BTreeMap<String, String>;

/// The script of `entry` and all modules that it imports.
///
/// # Panics
/// If a module is missing, or if modules import each other: the files are part of the program.
pub(crate) fn bundle(modules: &Modules, entry: &str) -> String {
    let mut script = String::from("const modules = {};\n");
    add(modules, entry, &mut Vec::new(), &mut Vec::new(), &mut script);
    script
}

/// Adds a module after its imports. `open` are the modules that wait for it.
fn add(modules: &Modules, path: &str, open: &mut Vec<String>, done: &mut Vec<String>, script: &mut String) {
    if done.iter().any(|known| known == path) {
        return;
    }
    assert!(!open.iter().any(|waiting| waiting == path), "{path} imports itself through {open:?}");
    let source = modules.get(path).unwrap_or_else(|| panic!("there is no module {path}, imported by {open:?}"));
    open.push(path.into());
    let mut body = String::new();
    let mut exports = Vec::new();
    let mut rest = source.as_str();
    while !rest.is_empty() {
        if rest.starts_with("import ") {
            let (statement, after) = rest.split_once(";\n").expect("an import ends with its line");
            let (names, from) = statement.split_once(" from '").expect("an import names its module");
            let from = resolve(path, from.trim_end_matches('\''));
            add(modules, &from, open, done, script);
            let names = names["import ".len()..].replace(" as ", ": ").replace('\n', " ");
            let names = if names.starts_with('{') { names } else { format!("{{ default: {names} }}") };
            let _ = writeln!(body, "const {names} = modules['{from}'];");
            rest = after;
            continue;
        }
        let (line, after) = rest.split_once('\n').unwrap_or((rest, ""));
        body += &exported(line, &mut exports);
        body.push('\n');
        rest = after;
    }
    let _ = writeln!(script, "// {path}\n{{\n{body}modules['{path}'] = {{ {} }};\n}}", exports.join(", "));
    open.pop();
    done.push(path.into());
}

/// A line without `export`; its name goes to `exports`.
fn exported(line: &str, exports: &mut Vec<String>) -> String {
    let Some(line) = line.strip_prefix("export ") else { return line.into() };
    if let Some(value) = line.strip_prefix("default ") {
        exports.push("default: whole".into());
        return format!("const whole = {value}");
    }
    let name = ["const ", "async function ", "function ", "class "].iter().find_map(|kind| line.strip_prefix(kind));
    let name = name.unwrap_or_else(|| panic!("this form of export is not known: {line}"));
    let end = name.find(|letter: char| !letter.is_alphanumeric() && letter != '_').unwrap_or(name.len());
    exports.push(name[..end].into());
    line.into()
}

/// The path of a module that another one imports.
fn resolve(importer: &str, path: &str) -> String {
    let mut parts: Vec<&str> = importer.split('/').collect();
    parts.pop();
    for part in path.split('/') {
        match part {
            "." => {}
            ".." => {
                parts.pop();
            }
            part => parts.push(part),
        }
    }
    parts.join("/")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn modules(sources: &[(&str, &str)]) -> Modules {
        sources.iter().map(|&(path, source)| (path.into(), source.into())).collect()
    }

    #[test]
    fn a_module_comes_once_and_after_its_imports() {
        let all = modules(&[
            ("app.js", "import { a,\n  b as c } from './one.js';\nimport two from './puzzles/two.js';\na(c, two);\n"),
            ("one.js", "export const a = (x) => x;\nexport async function b() {}\n"),
            ("puzzles/two.js", "import { a } from '../one.js';\nexport default {\n  a,\n};\n"),
        ]);
        let expected = "const modules = {};\n\
            // one.js\n{\nconst a = (x) => x;\nasync function b() {}\nmodules['one.js'] = { a, b };\n}\n\
            // puzzles/two.js\n{\nconst { a } = modules['one.js'];\nconst whole = {\n  a,\n};\n\
            modules['puzzles/two.js'] = { default: whole };\n}\n\
            // app.js\n{\nconst { a,   b: c } = modules['one.js'];\n\
            const { default: two } = modules['puzzles/two.js'];\na(c, two);\nmodules['app.js'] = {  };\n}\n";
        assert_eq!(bundle(&all, "app.js"), expected);
    }

    #[test]
    #[should_panic(expected = "imports itself")]
    fn a_circle_is_refused() {
        let all = modules(&[
            ("a.js", "import { b } from './b.js';\nexport const a = 1;\n"),
            ("b.js", "import { a } from './a.js';\nexport const b = 1;\n"),
        ]);
        bundle(&all, "a.js");
    }
}
