//! The files of the page: one script, one style sheet, the document and the icon.
//!
//! The build script packs the folder `assets` into the program. The script of the page is put together from its
//! modules and those on the puzzles' cards ([`bundle`]). A debug build reads the folder at every request, so that a
//! change shows after a reload.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::io::Read as _;
use std::sync::LazyLock;

use admissible_front::{Card, Registry};
use flate2::read::ZlibDecoder;

use super::bundle::{Modules, bundle};

/// The files of the folder by name, as they were at the time of the build.
static FILES: LazyLock<BTreeMap<String, String>> = LazyLock::new(|| {
    let mut unpacked = String::new();
    let packed = include_bytes!(concat!(env!("OUT_DIR"), "/assets"));
    ZlibDecoder::new(&packed[..]).read_to_string(&mut unpacked).expect("the build script has packed texts");
    let parts: Vec<&str> = unpacked.split('\0').collect();
    parts.chunks_exact(2).map(|file| (file[0].into(), file[1].into())).collect()
});

/// The styles that all puzzles share.
const STYLES: [&str; 3] = ["style.css", "views.css", "board.css"];

/// The lessons in the order of the list on the page; each is also there in Chinese.
const LESSONS: [&str; 5] = ["break-this-heuristic", "why-a-star", "admissible-and-consistent", "dominance", "idastar"];

/// The document.
pub(super) fn index() -> String {
    file("index.html").into_owned()
}

/// The icon.
pub(super) fn icon() -> String {
    file("icon.svg").into_owned()
}

/// A file of the folder.
fn file(name: &str) -> Cow<'static, str> {
    let packed = FILES.get(name).unwrap_or_else(|| panic!("there is no file {name}"));
    current(&format!("assets/{name}"), packed)
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
    let shared = FILES.keys().filter(|name| name.ends_with(".js"));
    let mut modules: Modules = shared.map(|name| (name.clone(), file(name).into())).collect();
    let mut content = String::new();
    let mut names = Vec::new();
    for card in puzzles.cards() {
        let Some(page) = card.page else { continue };
        modules.insert(format!("puzzles/{}.js", card.name), of_puzzle(card, "page.js", page.module).into());
        content += &format!("import puzzle{} from './puzzles/{}.js';\n", names.len(), card.name);
        names.push(format!("{}: puzzle{}", quoted(card.name), names.len()));
    }
    let lessons = LESSONS
        .iter()
        .flat_map(|name| [(*name).to_string(), format!("{name}.zh")])
        .map(|name| format!("[{}, {}]", quoted(&name), quoted(&file(&format!("lessons/{name}.md")))));
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
    let shared = STYLES.into_iter().map(file);
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

    #[test]
    fn every_lesson_and_style_is_on_the_page() {
        let found = |ending: &str| FILES.keys().filter(|name| name.ends_with(ending)).count();
        assert_eq!((found(".md"), found(".css")), (2 * LESSONS.len(), STYLES.len()));
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
        for name in LESSONS {
            let [text, translated] = ["", ".zh"].map(|language| file(&format!("lessons/{name}{language}.md")));
            let (text, translated) = (&*text, &*translated);
            assert_eq!(settings(translated), settings(text), "{name}");
            let steps = |text: &str| text.lines().filter(|line| line.starts_with("## ")).count();
            assert_eq!(steps(translated), steps(text), "{name}");
        }
    }
}
