//! The files of the page, compiled into the program: one script, one style sheet, the document and the icon.
//!
//! The script is put together from the modules in `assets` and those on the puzzles' cards ([`bundle`]). A debug build
//! reads the modules and styles from the source folder at every request, so that a change shows after a reload.

use std::borrow::Cow;

use admissible_front::{Card, Registry};

use super::bundle::{Modules, bundle};

macro_rules! files {
    ($($name:literal),* $(,)?) => {
        &[$(($name, include_str!(concat!("../../assets/", $name)))),*]
    };
}

/// Names and contents of the modules that all puzzles share.
const MODULES: &[(&str, &str)] = files![
    "api.js",
    "app.js",
    "audit.js",
    "board.js",
    "boards.js",
    "charts.js",
    "chinese.js",
    "compare.js",
    "dom.js",
    "drag.js",
    "edit.js",
    "engine.js",
    "explain.js",
    "files.js",
    "glossary.js",
    "grid.js",
    "keep.js",
    "lab.js",
    "language.js",
    "learnt.js",
    "lesson.js",
    "lessons.js",
    "link.js",
    "looks.js",
    "pane.js",
    "play.js",
    "player.js",
    "problem.js",
    "refusal.js",
    "replay.js",
    "score.js",
    "search.js",
    "solve.js",
    "store.js",
    "story.js",
    "text.js",
    "tips.js",
    "tree.js",
    "watch.js",
];

/// The styles that all puzzles share.
const STYLES: &[(&str, &str)] = files!["style.css", "views.css", "board.css"];

/// The lessons, in the order of the list on the page.
const LESSONS: &[(&str, &str)] = files![
    "lessons/break-this-heuristic.md",
    "lessons/break-this-heuristic.zh.md",
    "lessons/why-a-star.md",
    "lessons/why-a-star.zh.md",
    "lessons/admissible-and-consistent.md",
    "lessons/admissible-and-consistent.zh.md",
    "lessons/dominance.md",
    "lessons/dominance.zh.md",
    "lessons/idastar.md",
    "lessons/idastar.zh.md",
];

/// The document.
pub(super) fn index() -> String {
    current("assets/index.html", include_str!("../../assets/index.html")).into_owned()
}

/// The icon.
pub(super) fn icon() -> String {
    current("assets/icon.svg", include_str!("../../assets/icon.svg")).into_owned()
}

/// The files of a list: in a debug build those of the folder with the ending, if it is there.
fn listed(list: &'static [(&str, &str)], folder: &str, ending: &str) -> Vec<(String, Cow<'static, str>)> {
    let compiled = || list.iter().map(|&(name, text)| (name.to_string(), Cow::from(text))).collect();
    if !cfg!(debug_assertions) {
        return compiled();
    }
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/assets/");
    let Ok(entries) = std::fs::read_dir(format!("{root}{folder}")) else { return compiled() };
    let names = entries.filter_map(|entry| entry.ok()?.file_name().into_string().ok());
    let mut found: Vec<_> = names
        .filter(|name| name.ends_with(ending))
        .filter_map(|name| {
            Some((format!("{folder}{name}"), std::fs::read_to_string(format!("{root}{folder}{name}")).ok()?.into()))
        })
        .collect();
    // The order of the list; new files come last.
    found.sort_by_key(|(name, _)| list.iter().position(|(known, _)| known == name).unwrap_or(usize::MAX));
    found
}

/// The content of a file of this crate: in a debug build the one on disk, if it is there.
pub(super) fn current(path: &str, text: &'static str) -> Cow<'static, str> {
    if cfg!(debug_assertions)
        && let Ok(text) = std::fs::read_to_string(format!("{}/{path}", env!("CARGO_MANIFEST_DIR")))
    {
        return text.into();
    }
    text.into()
}

/// A file of a puzzle's folder.
fn of_puzzle(card: &Card, name: &str, text: &'static str) -> Cow<'static, str> {
    current(&format!("../../puzzles/{}/{name}", card.name), text)
}

/// All modules. Those of the puzzles and the lessons are in a module `content.js`.
pub(super) fn modules(puzzles: Registry) -> Modules {
    let shared = listed(MODULES, "", ".js");
    let mut modules: Modules = shared.into_iter().map(|(name, text)| (name, text.into())).collect();
    let mut content = String::new();
    let mut names = Vec::new();
    for card in puzzles.cards() {
        let Some(page) = card.page else { continue };
        modules.insert(format!("puzzles/{}.js", card.name), of_puzzle(card, "page.js", page.module).into());
        content += &format!("import puzzle{} from './puzzles/{}.js';\n", names.len(), card.name);
        names.push(format!("{}: puzzle{}", quoted(card.name), names.len()));
    }
    let lessons = listed(LESSONS, "lessons/", ".md").into_iter().map(|(name, text)| {
        format!("[{}, {}]", quoted(name.trim_start_matches("lessons/").trim_end_matches(".md")), quoted(&text))
    });
    content += &format!("export const PUZZLES = {{ {} }};\n", names.join(", "));
    content += &format!("export const LESSONS = [\n{}\n];\n", lessons.collect::<Vec<_>>().join(",\n"));
    modules.insert("content.js".into(), content);
    modules
}

/// All modules in one script.
pub(super) fn script(modules: &Modules) -> String {
    bundle(modules, "app.js")
}

/// A text as a literal of JavaScript, of which JSON is a part.
fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

/// One style sheet: the colours of the lab's charts, the styles of the page, and those of the puzzles.
pub(super) fn style(puzzles: Registry) -> String {
    let shared = STYLES.iter().map(|&(name, text)| current(&format!("assets/{name}"), text));
    let of_puzzles = puzzles.cards().filter_map(|card| Some(of_puzzle(card, "page.css", card.page?.style)));
    std::iter::once(Cow::from(admissible_lab::page::STYLE)).chain(shared).chain(of_puzzles).collect()
}

/// The FNV-1a hash of contents, so that two versions have different tags.
pub(super) fn fingerprint<'a>(contents: impl IntoIterator<Item = &'a [u8]>) -> String {
    let hash = contents
        .into_iter()
        .flatten()
        .fold(0xcbf2_9ce4_8422_2325_u64, |hash, &byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3));
    format!("{hash:016x}")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A debug build takes every file of the folders, a release build those of the lists: they must be the same.
    #[test]
    fn the_lists_name_every_file() {
        for (list, folder, ending) in [(MODULES, "", ".js"), (LESSONS, "lessons/", ".md"), (STYLES, "", ".css")] {
            let mut named: Vec<String> = list.iter().map(|(name, _)| (*name).to_string()).collect();
            let folder = format!("{}/assets/{folder}", env!("CARGO_MANIFEST_DIR"));
            let entries = std::fs::read_dir(folder).expect("the folder can be read");
            let names = entries.map(|entry| entry.expect("an entry").file_name().into_string().expect("a name"));
            let mut found: Vec<String> = names.filter(|name| name.ends_with(ending)).collect();
            named.iter_mut().for_each(|name| *name = name.rsplit('/').next().expect("a name").to_string());
            named.sort();
            found.sort();
            assert_eq!(named, found);
        }
    }

    /// What a lesson sets up and waits for: its options and boards, without its texts.
    fn settings(lesson: &str) -> Vec<&str> {
        let mut is_board = false;
        let mut found = Vec::new();
        for line in lesson.lines() {
            is_board ^= line.starts_with("```");
            if is_board || line.starts_with("- ") && !line.starts_with("- then: ") {
                found.push(line);
            }
        }
        found
    }

    #[test]
    fn every_lesson_is_translated_with_the_same_steps() {
        let find = |name: &str| LESSONS.iter().find(|(known, _)| *known == name).map(|(_, text)| *text);
        for (name, text) in LESSONS.iter().filter(|(name, _)| !name.ends_with(".zh.md")) {
            let translated = find(&name.replace(".md", ".zh.md")).expect("there is a translation");
            assert_eq!(settings(translated), settings(text), "{name}");
            let steps = |text: &str| text.lines().filter(|line| line.starts_with("## ")).count();
            assert_eq!(steps(translated), steps(text), "{name}");
        }
    }
}
