//! The files of the page, compiled into the program: one script, one style sheet, the document and the icon.
//!
//! The script is put together from the modules in `assets` and those on the puzzles' cards ([`bundle`]). A debug build
//! reads the modules and styles from the source folder at every request, so that a change shows after a reload.

mod bundle;

use std::borrow::Cow;
use std::io::Write as _;

use admissible_front::{Card, Registry};
use axum::body::Bytes;
use axum::extract::State;
use axum::http::header::{ACCEPT_ENCODING, CACHE_CONTROL, CONTENT_ENCODING, CONTENT_TYPE, ETAG, IF_NONE_MATCH, VARY};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, Uri};
use axum::response::{IntoResponse as _, Response};
use flate2::Compression;
use flate2::write::GzEncoder;

use crate::Shared;
use crate::error::ApiError;
use bundle::{Modules, bundle};

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
    "lessons/admissible-and-consistent.md",
    "lessons/dominance.md",
    "lessons/idastar.md",
];

/// The other files.
const OTHERS: &[(&str, &str)] = files!["index.html", "icon.svg"];

/// The files of a page for some puzzles.
#[derive(Debug)]
pub(crate) struct Assets {
    puzzles: Registry,
    files: Vec<Asset>,
}

#[derive(Debug, Clone)]
struct Asset {
    path: &'static str,
    content: Bytes,
    compressed: Bytes,
    /// The entity tag: the version of the program and a hash of the content.
    tag: String,
}

impl Asset {
    fn new(path: &'static str, content: String) -> Self {
        // A debug build compresses at every request.
        let level = if cfg!(debug_assertions) { Compression::fast() } else { Compression::best() };
        let mut encoder = GzEncoder::new(Vec::new(), level);
        let compressed = encoder.write_all(content.as_bytes()).and_then(|()| encoder.finish());
        let compressed = Bytes::from(compressed.expect("a vector takes all that is written"));
        let tag = format!("\"{}-{}\"", env!("CARGO_PKG_VERSION"), fingerprint(content.as_bytes()));
        Asset { path, content: content.into(), compressed, tag }
    }
}

impl Assets {
    /// The files for the puzzles of a registry.
    pub(crate) fn new(puzzles: Registry) -> Self {
        let files = ["/", "/page.js", "/page.css", "/icon.svg"];
        let files = files.map(|path| Asset::new(path, content(path, puzzles).expect("the path is known")));
        Assets { puzzles, files: files.into() }
    }

    fn find(&self, path: &str) -> Option<Asset> {
        let asset = self.files.iter().find(|asset| asset.path == path)?;
        if cfg!(debug_assertions) {
            return Some(Asset::new(asset.path, content(path, self.puzzles)?));
        }
        Some(asset.clone())
    }
}

fn content(path: &str, puzzles: Registry) -> Option<String> {
    let other = |name: &str| {
        let (name, text) = OTHERS.iter().find(|(known, _)| *known == name)?;
        Some(current(&format!("assets/{name}"), text).into_owned())
    };
    match path {
        "/" => other("index.html"),
        "/icon.svg" => other("icon.svg"),
        "/page.js" => Some(script(puzzles)),
        "/page.css" => Some(style(puzzles)),
        _ => None,
    }
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
fn current(path: &str, text: &'static str) -> Cow<'static, str> {
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

/// All modules in one script. The modules of the puzzles and the lessons are in a module `content.js`.
fn script(puzzles: Registry) -> String {
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
    bundle(&modules, "app.js")
}

/// A text as a literal of JavaScript, of which JSON is a part.
fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

/// One style sheet: the colours of the lab's charts, the styles of the page, and those of the puzzles.
fn style(puzzles: Registry) -> String {
    let shared = STYLES.iter().map(|&(name, text)| current(&format!("assets/{name}"), text));
    let of_puzzles = puzzles.cards().filter_map(|card| Some(of_puzzle(card, "page.css", card.page?.style)));
    std::iter::once(Cow::from(admissible_lab::page::STYLE)).chain(shared).chain(of_puzzles).collect()
}

fn content_type(path: &str) -> &'static str {
    match path.rsplit('.').next() {
        Some("js") => "text/javascript; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("svg") => "image/svg+xml",
        _ => "text/html; charset=utf-8",
    }
}

/// Serves every path outside the API.
pub(crate) async fn file(State(shared): State<Shared>, method: Method, uri: Uri, headers: HeaderMap) -> Response {
    let path = if uri.path() == "/index.html" { "/" } else { uri.path() };
    let Some(asset) = shared.assets.find(path) else {
        return ApiError::new(StatusCode::NOT_FOUND, "there is nothing here").into_response();
    };
    if method != Method::GET && method != Method::HEAD {
        return crate::error::method_not_allowed().await.into_response();
    }
    let fixed = [(CACHE_CONTROL, "no-cache"), (VARY, "accept-encoding")];
    if headers.get(IF_NONE_MATCH).is_some_and(|known| known.as_bytes() == asset.tag.as_bytes()) {
        return (StatusCode::NOT_MODIFIED, [(ETAG, asset.tag)], fixed).into_response();
    }
    let accepted = headers.get(ACCEPT_ENCODING).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let is_compressed = accepts_gzip(accepted);
    let content = if is_compressed { asset.compressed } else { asset.content };
    let mut response = ([(ETAG, asset.tag)], [(CONTENT_TYPE, content_type(path))], fixed, content).into_response();
    if is_compressed {
        response.headers_mut().insert(CONTENT_ENCODING, HeaderValue::from_static("gzip"));
    }
    response
}

/// Whether an `Accept-Encoding` header accepts gzip.
fn accepts_gzip(header: &str) -> bool {
    header.split(',').any(|part| {
        let mut words = part.split(';').map(str::trim);
        let refuses = |word: &str| word.strip_prefix("q=").is_some_and(|q| q.parse() == Ok(0.0));
        words.next().is_some_and(|name| name.eq_ignore_ascii_case("gzip")) && !words.any(refuses)
    })
}

/// The FNV-1a hash of a file, so that two versions have different tags.
fn fingerprint(content: &[u8]) -> String {
    let hash = content
        .iter()
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
}
