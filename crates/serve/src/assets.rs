//! The files of the page, compiled into the program: the shared ones, and the modules and styles of the puzzles' cards.

use admissible_front::{Card, Registry};
use axum::body::Bytes;
use axum::extract::State;
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE, ETAG, IF_NONE_MATCH};
use axum::http::{HeaderMap, Method, StatusCode, Uri};
use axum::response::{IntoResponse as _, Response};

use crate::Shared;
use crate::error::ApiError;

macro_rules! files {
    ($($name:literal),* $(,)?) => {
        &[$((concat!("/", $name), include_str!(concat!("../assets/", $name)))),*]
    };
}

/// Paths and contents of the files that all puzzles share.
const FILES: &[(&str, &str)] = files![
    "index.html",
    "app.js",
    "api.js",
    "audit.js",
    "board.js",
    "charts.js",
    "compare.js",
    "dom.js",
    "edit.js",
    "explain.js",
    "grid.js",
    "lab.js",
    "link.js",
    "play.js",
    "player.js",
    "replay.js",
    "search.js",
    "solve.js",
    "store.js",
    "text.js",
    "watch.js",
    "icon.svg",
];

/// The files of a page for some puzzles.
#[derive(Debug)]
pub(crate) struct Assets(Vec<Asset>);

#[derive(Debug)]
struct Asset {
    path: String,
    content: Bytes,
    /// The entity tag: the version of the program and a hash of the content.
    tag: String,
}

impl Asset {
    fn new(path: impl Into<String>, content: impl Into<Bytes>) -> Self {
        let content = content.into();
        let tag = format!("\"{}-{}\"", env!("CARGO_PKG_VERSION"), fingerprint(&content));
        Asset { path: path.into(), content, tag }
    }
}

impl Assets {
    /// The shared files, and a module for each puzzle that has one.
    pub(crate) fn new(puzzles: Registry) -> Self {
        let shared = FILES.iter().map(|&(path, content)| Asset::new(path, content));
        let modules = puzzles.cards().filter_map(|card| Some(Asset::new(module_path(card)?, card.page?.module)));
        Assets(shared.chain(modules).chain([Asset::new("/page.css", style(puzzles))]).collect())
    }

    fn find(&self, path: &str) -> Option<&Asset> {
        let path = if path == "/" { "/index.html" } else { path };
        self.0.iter().find(|asset| asset.path == path)
    }
}

/// The path of a puzzle's module, if it has one.
pub(crate) fn module_path(card: &Card) -> Option<String> {
    card.page.map(|_| format!("/puzzles/{}.js", card.name))
}

/// One style sheet: the colours of the lab's charts, the styles of the page, and those of the puzzles. The first paint
/// waits for all of them, so one request is fastest.
fn style(puzzles: Registry) -> String {
    let shared = [
        admissible_lab::page::STYLE,
        include_str!("../assets/style.css"),
        include_str!("../assets/views.css"),
        include_str!("../assets/board.css"),
    ];
    shared.into_iter().chain(puzzles.cards().filter_map(|card| Some(card.page?.style))).collect()
}

fn content_type(name: &str) -> &'static str {
    match name.rsplit('.').next() {
        Some("html") => "text/html; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("svg") => "image/svg+xml",
        _ => "text/javascript; charset=utf-8",
    }
}

/// Serves every path outside the API.
pub(crate) async fn file(State(shared): State<Shared>, method: Method, uri: Uri, headers: HeaderMap) -> Response {
    let Some(asset) = shared.assets.find(uri.path()) else {
        return ApiError::new(StatusCode::NOT_FOUND, "there is nothing here").into_response();
    };
    if method != Method::GET && method != Method::HEAD {
        return crate::error::method_not_allowed().await.into_response();
    }
    let tag = asset.tag.clone();
    if headers.get(IF_NONE_MATCH).is_some_and(|known| known.as_bytes() == tag.as_bytes()) {
        return (StatusCode::NOT_MODIFIED, [(ETAG, tag)]).into_response();
    }
    let content_type = content_type(&asset.path).to_string();
    ([(CONTENT_TYPE, content_type), (ETAG, tag), (CACHE_CONTROL, "no-cache".into())], asset.content.clone())
        .into_response()
}

/// The FNV-1a hash of a file, so that two versions have different tags.
fn fingerprint(content: &[u8]) -> String {
    let hash = content
        .iter()
        .fold(0xcbf2_9ce4_8422_2325_u64, |hash, &byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3));
    format!("{hash:016x}")
}
