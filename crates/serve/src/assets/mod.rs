//! The files of the page as the server sends them.

mod bundle;
mod page;
pub mod site;

use std::io::Write as _;

use admissible_front::Registry;
use axum::body::Bytes;
use axum::extract::State;
use axum::http::header::{ACCEPT_ENCODING, CACHE_CONTROL, CONTENT_ENCODING, CONTENT_TYPE, ETAG, IF_NONE_MATCH, VARY};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, Uri};
use axum::response::{IntoResponse as _, Response};
use flate2::Compression;
use flate2::write::GzEncoder;

use crate::Shared;
use crate::error::ApiError;
use page::{fingerprint, icon, index, modules, script, style};

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
        let tag = format!("\"{}-{}\"", env!("CARGO_PKG_VERSION"), fingerprint([content.as_bytes()]));
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
    match path {
        "/" => Some(index()),
        "/icon.svg" => Some(icon()),
        "/page.js" => Some(script(&modules(puzzles))),
        "/page.css" => Some(style(puzzles)),
        _ => None,
    }
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
