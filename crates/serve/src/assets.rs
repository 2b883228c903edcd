//! The files of the page, which are part of the program.

use std::sync::LazyLock;

use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE, ETAG, IF_NONE_MATCH};
use axum::http::{HeaderMap, Method, StatusCode, Uri};
use axum::response::{IntoResponse as _, Response};

use crate::error::ApiError;

macro_rules! files {
    ($($name:literal),* $(,)?) => {
        &[$((concat!("/", $name), include_str!(concat!("../assets/", $name)))),*]
    };
}

/// Path and content.
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
    "lab.js",
    "link.js",
    "play.js",
    "player.js",
    "replay.js",
    "search.js",
    "solve.js",
    "store.js",
    "watch.js",
    "puzzles/die.js",
    "puzzles/tiles.js",
    "puzzles/klotski.js",
    "puzzles/chexers.js",
    "puzzles/grid.js",
    "icon.svg",
];

/// The colours of the charts, from where the charts come from, and the page's own: the first paint waits for all of it, so
/// it comes at once.
static STYLE: LazyLock<String> = LazyLock::new(|| {
    [admissible_lab::page::STYLE, include_str!("../assets/style.css"), include_str!("../assets/board.css")].concat()
});

fn find(path: &str) -> Option<(&'static str, &'static str)> {
    match path {
        "/" => find("/index.html"),
        "/page.css" => Some(("/page.css", &STYLE)),
        path => FILES.iter().find(|(name, _)| *name == path).copied(),
    }
}

fn kind(name: &str) -> &'static str {
    match name.rsplit('.').next() {
        Some("html") => "text/html; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("svg") => "image/svg+xml",
        _ => "text/javascript; charset=utf-8",
    }
}

/// Whatever is no path of the API.
pub(crate) async fn file(method: Method, uri: Uri, headers: HeaderMap) -> Response {
    let Some((name, content)) = find(uri.path()) else {
        return ApiError::new(StatusCode::NOT_FOUND, "there is nothing here").into_response();
    };
    if method != Method::GET && method != Method::HEAD {
        return crate::error::method_not_allowed().await.into_response();
    }
    // A file changes with the program only, and within a version while it is worked on by its length at least.
    let tag = format!("\"{}-{}\"", env!("CARGO_PKG_VERSION"), fingerprint(content));
    if headers.get(IF_NONE_MATCH).is_some_and(|known| known.as_bytes() == tag.as_bytes()) {
        return (StatusCode::NOT_MODIFIED, [(ETAG, tag)]).into_response();
    }
    let kind = kind(name).to_string();
    ([(CONTENT_TYPE, kind), (ETAG, tag), (CACHE_CONTROL, "no-cache".into())], content).into_response()
}

/// FNV-1a: two versions of a file shall not have the same tag.
fn fingerprint(content: &str) -> String {
    let hash = content
        .bytes()
        .fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3));
    format!("{hash:016x}")
}
