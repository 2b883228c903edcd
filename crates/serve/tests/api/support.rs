//! A server without a socket.

use std::net::SocketAddr;
use std::time::Duration;

use admissible_puzzles::PUZZLES;
use admissible_serve::{Settings, router};
use axum::Router;
use axum::body::Body;
use axum::http::{Method, Request, Response, StatusCode};
use http_body_util::BodyExt as _;
use serde_json::Value;
use tower::ServiceExt as _;

pub(crate) const HOST: &str = "127.0.0.1:7117";

/// Longer than any test takes.
pub(crate) const TIMEOUT: Duration = Duration::from_secs(60);

pub(crate) fn settings() -> Settings {
    Settings { puzzles: PUZZLES, jobs: 4, time: TIMEOUT, memory: 1 << 30, table_cache: None, seed: || 1 }
}

pub(crate) struct Server(pub(crate) Router);

/// The events of a job.
pub(crate) struct Events(pub(crate) Vec<(String, Value)>);

impl Events {
    /// The data of the last event, which must have that name.
    pub(crate) fn last(mut self, name: &str) -> Value {
        let (found, data) = self.0.pop().expect("there are events");
        assert_eq!(found, name, "{data}");
        data
    }

    pub(crate) fn named(&self, name: &str) -> Vec<&Value> {
        self.0.iter().filter(|(found, _)| found == name).map(|(_, data)| data).collect()
    }
}

pub(crate) fn request(method: Method, path: &str, body: Option<&Value>) -> Request<Body> {
    let request = Request::builder().method(method).uri(path).header("host", HOST);
    match body {
        None => request.body(Body::empty()),
        Some(json) => request.header("content-type", "application/json").body(Body::from(json.to_string())),
    }
    .expect("a request")
}

impl Server {
    pub(crate) fn new() -> Self {
        Server::with(settings())
    }

    pub(crate) fn with(settings: Settings) -> Self {
        Server(router(settings, HOST.parse::<SocketAddr>().expect("an address")))
    }

    pub(crate) async fn send(&self, request: Request<Body>) -> Response<Body> {
        self.0.clone().oneshot(request).await.expect("the server answers")
    }

    pub(crate) async fn get(&self, path: &str) -> (StatusCode, Value) {
        read(self.send(request(Method::GET, path, None)).await).await
    }

    pub(crate) async fn post(&self, path: &str, body: &Value) -> (StatusCode, Value) {
        read(self.send(request(Method::POST, path, Some(body))).await).await
    }

    pub(crate) async fn post_text(&self, path: &str, body: &Value) -> String {
        text(self.send(request(Method::POST, path, Some(body))).await).await
    }

    /// Runs a job to its end.
    pub(crate) async fn job(&self, path: &str, body: &Value) -> Events {
        let response = self.send(request(Method::POST, path, Some(body))).await;
        assert_eq!(response.status(), StatusCode::OK, "{body}");
        let text = tokio::time::timeout(TIMEOUT, text(response)).await.expect("the job ends");
        let event = |event: &str| {
            let (name, data) = event.split_once('\n')?;
            let data = serde_json::from_str(data.strip_prefix("data: ")?).expect("JSON");
            Some((name.strip_prefix("event: ")?.to_string(), data))
        };
        Events(text.split("\n\n").filter_map(event).collect())
    }
}

async fn text(response: Response<Body>) -> String {
    let bytes = response.into_body().collect().await.expect("a body").to_bytes();
    String::from_utf8(bytes.to_vec()).expect("text")
}

async fn read(response: Response<Body>) -> (StatusCode, Value) {
    let status = response.status();
    let text = text(response).await;
    (status, serde_json::from_str(&text).unwrap_or(Value::String(text)))
}
