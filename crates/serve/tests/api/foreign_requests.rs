//! Foreign requests are refused, and responses have security headers.

use axum::body::Body;
use axum::http::{Method, Request, StatusCode};
use serde_json::json;

use crate::MAZE;
use crate::support::{HOST, Server, request};

#[tokio::test]
async fn other_hosts_and_origins_are_refused() {
    let server = Server::new();
    let own = format!("http://{HOST}");
    for (host, origin, expected) in [
        (Some(HOST), None, StatusCode::OK),
        (Some("localhost:7117"), None, StatusCode::OK),
        (Some(HOST), Some(own.as_str()), StatusCode::OK),
        (None, None, StatusCode::MISDIRECTED_REQUEST),
        (Some("evil.example"), None, StatusCode::MISDIRECTED_REQUEST),
        (Some("evil.example:7117"), None, StatusCode::MISDIRECTED_REQUEST),
        (Some("127.0.0.1:80"), None, StatusCode::MISDIRECTED_REQUEST),
        (Some(HOST), Some("http://evil.example"), StatusCode::FORBIDDEN),
        (Some(HOST), Some("https://127.0.0.1:7117"), StatusCode::FORBIDDEN),
        (Some(HOST), Some("http://127.0.0.1:7118"), StatusCode::FORBIDDEN),
        (Some(HOST), Some("null"), StatusCode::FORBIDDEN),
        (Some("evil.example"), Some("http://evil.example"), StatusCode::MISDIRECTED_REQUEST),
    ] {
        for path in ["/", "/api/puzzles", "/nowhere"] {
            let mut request = Request::builder().uri(path);
            if let Some(host) = host {
                request = request.header("host", host);
            }
            if let Some(origin) = origin {
                request = request.header("origin", origin);
            }
            let response = server.send(request.body(Body::empty()).expect("a request")).await;
            let found = (path == "/nowhere" && expected == StatusCode::OK).then_some(StatusCode::NOT_FOUND);
            assert_eq!(response.status(), found.unwrap_or(expected), "{path} {host:?} {origin:?}");
        }
    }
}

#[tokio::test]
async fn every_response_has_security_headers() {
    let server = Server::new();
    for path in ["/", "/page.css", "/app.js", "/api/puzzles", "/api/openapi.json", "/nowhere"] {
        let response = server.send(request(Method::GET, path, None)).await;
        let header =
            |name: &str| response.headers().get(name).and_then(|value| value.to_str().ok()).unwrap_or_default();
        assert_eq!(header("content-security-policy"), admissible_serve::guard::POLICY, "{path}");
        assert_eq!(header("x-content-type-options"), "nosniff");
        assert_eq!(header("cross-origin-resource-policy"), "same-origin");
    }
    assert!(!admissible_serve::guard::POLICY.contains("unsafe"));
}

/// Whatever the page asks for is part of the program, and nothing of it is inline or from elsewhere.
#[tokio::test]
async fn the_page_is_whole() {
    let server = Server::new();
    let page = server.post_text("/", &json!({})).await;
    assert!(page.contains("asked for in another way"), "{page}");
    let (_, page) = server.get("/").await;
    let page = page.as_str().expect("text").to_string();
    let attributes = ["src=\"", "href=\""].into_iter().flat_map(|attribute| page.split(attribute).skip(1));
    let named = attributes.filter_map(|rest| rest.split('"').next()).filter(|name| !name.starts_with('#'));
    let (_, catalogue) = server.get("/api/puzzles").await;
    let puzzles = catalogue["puzzles"].as_array().expect("a list");
    let modules =
        puzzles.iter().map(|puzzle| puzzle["module"].as_str().expect("ours have one").trim_start_matches('/'));
    // What the page names, and the modules of the puzzles, and what scripts import, and so on.
    let mut asked: Vec<String> = named.chain(modules).map(String::from).collect();
    let mut at = 0;
    while let Some(name) = asked.get(at).cloned() {
        at += 1;
        let (status, content) = server.get(&format!("/{name}")).await;
        assert_eq!(status, StatusCode::OK, "{name}");
        let folder = name.rsplit_once('/').map_or(String::new(), |(folder, _)| format!("{folder}/"));
        for import in content.as_str().unwrap_or_default().split(" from '").skip(1) {
            let path = import.split('\'').next().expect("there is a quote at the end");
            let (folder, path) = match path.strip_prefix("../") {
                Some(path) => ("", path),
                None => (folder.as_str(), path.strip_prefix("./").expect("nothing comes from elsewhere")),
            };
            let script = format!("{folder}{path}");
            if !asked.contains(&script) {
                asked.push(script);
            }
        }
    }
    assert!(asked.len() > 20, "{asked:?}");
    for inline in ["<style", "style=", "onclick", "<script>", "http:", "https:"] {
        assert!(!page.contains(inline), "{inline}");
    }
}

#[tokio::test]
async fn a_file_that_is_known_is_not_sent_again() {
    let server = Server::new();
    let first = server.send(request(Method::GET, "/app.js", None)).await;
    let tag = first.headers()["etag"].clone();
    let mut again = request(Method::GET, "/app.js", None);
    again.headers_mut().insert("if-none-match", tag);
    assert_eq!(server.send(again).await.status(), StatusCode::NOT_MODIFIED);
}

/// A form of another page can send text, and that is no request here.
#[tokio::test]
async fn only_json_is_understood() {
    let server = Server::new();
    let body = json!({ "text": MAZE }).to_string();
    let mut plain = request(Method::POST, "/api/open", None);
    *plain.body_mut() = Body::from(body);
    plain.headers_mut().insert("content-type", "text/plain".parse().expect("a header"));
    let response = server.send(plain).await;
    assert_eq!(response.status(), StatusCode::UNSUPPORTED_MEDIA_TYPE);
}
