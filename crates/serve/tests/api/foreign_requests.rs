//! Foreign requests are refused, and responses have security headers.

use axum::body::Body;
use axum::http::{Method, Request, StatusCode};
use http_body_util::BodyExt as _;
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
    for path in ["/", "/page.css", "/page.js", "/api/puzzles", "/api/openapi.json", "/nowhere"] {
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
    let named: Vec<&str> = named.collect();
    assert_eq!(named, ["page.js", "icon.svg", "icon.svg", "page.css"]);
    for name in named {
        assert_eq!(server.get(&format!("/{name}")).await.0, StatusCode::OK, "{name}");
    }
    // The script loads no other.
    let (_, script) = server.get("/page.js").await;
    let script = script.as_str().expect("text");
    assert!(script.lines().all(|line| !line.starts_with("import ") && !line.contains("import(")));
    for inline in ["<style", "style=", "onclick", "<script>", "http:", "https:"] {
        assert!(!page.contains(inline), "{inline}");
    }
}

#[tokio::test]
async fn a_file_that_is_known_is_not_sent_again() {
    let server = Server::new();
    let first = server.send(request(Method::GET, "/page.js", None)).await;
    let tag = first.headers()["etag"].clone();
    let mut again = request(Method::GET, "/page.js", None);
    again.headers_mut().insert("if-none-match", tag);
    assert_eq!(server.send(again).await.status(), StatusCode::NOT_MODIFIED);
}

#[tokio::test]
async fn a_host_is_named_once() {
    let server = Server::new();
    let mut twice = request(Method::GET, "/api/puzzles", None);
    twice.headers_mut().append("host", "evil.example".parse().expect("a header"));
    assert_eq!(server.send(twice).await.status(), StatusCode::BAD_REQUEST);
    let absolute = request(Method::GET, &format!("http://{HOST}/api/puzzles"), None);
    assert_eq!(server.send(absolute).await.status(), StatusCode::BAD_REQUEST);
}

#[tokio::test]
async fn files_are_compressed_for_those_who_can_read_it() {
    let server = Server::new();
    for (accepted, expected) in [("gzip, br", true), ("br, GZIP;q=0.5", true), ("gzip;q=0", false), ("identity", false)]
    {
        let mut asked = request(Method::GET, "/page.css", None);
        asked.headers_mut().insert("accept-encoding", accepted.parse().expect("a header"));
        let response = server.send(asked).await;
        let encoding = response.headers().get("content-encoding").cloned();
        assert_eq!(encoding.is_some(), expected, "{accepted}");
        assert_eq!(response.headers()["vary"], "accept-encoding");
        let content = response.into_body().collect().await.expect("a body").to_bytes();
        assert_eq!(content.starts_with(&[0x1f, 0x8b]), expected, "{accepted}");
    }
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
