//! Reading requests: limits on the size and the time of a body, and on the number of requests that are answered.
//!
//! A request of the API takes one of a few slots once its body is there. Bodies that are still being read share a
//! budget of bytes, taken as they arrive, so a client that sends nothing takes nothing. Files of the page need neither.

use std::sync::Arc;
use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::extract::{Request, State};
use axum::http::header::CONNECTION;
use axum::http::{HeaderValue, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio_stream::StreamExt as _;

use crate::MOST_BODY;
use crate::error::ApiError;

/// The most concurrent requests of the API.
const MOST_REQUESTS: usize = 64;
/// The most bytes of all bodies together.
const MOST_BYTES: usize = 64 * MOST_BODY;
/// The longest time for a body.
const BODY_TIME: Duration = Duration::from_secs(10);

/// The slots and the bytes that are left.
#[derive(Debug, Clone)]
pub(crate) struct Requests {
    slots: Arc<Semaphore>,
    bytes: Arc<Semaphore>,
}

impl Requests {
    pub(crate) fn new() -> Self {
        Requests { slots: Arc::new(Semaphore::new(MOST_REQUESTS)), bytes: Arc::new(Semaphore::new(MOST_BYTES)) }
    }

    /// Reads a body, and keeps its part of the budget.
    async fn read(&self, body: Body) -> Result<(Bytes, Option<OwnedSemaphorePermit>), ApiError> {
        let mut parts = body.into_data_stream();
        let mut content = Vec::new();
        let mut held: Option<OwnedSemaphorePermit> = None;
        while let Some(part) = parts.next().await {
            let part = part.map_err(|error| ApiError::new(StatusCode::BAD_REQUEST, error.to_string()))?;
            if content.len() + part.len() > MOST_BODY {
                let message = format!("expected a body of at most {MOST_BODY} bytes");
                return Err(ApiError::new(StatusCode::PAYLOAD_TOO_LARGE, message));
            }
            let taken = Arc::clone(&self.bytes).try_acquire_many_owned(part.len() as u32).map_err(|_| too_many())?;
            match &mut held {
                Some(held) => held.merge(taken),
                None => held = Some(taken),
            }
            content.extend_from_slice(&part);
        }
        Ok((content.into(), held))
    }
}

fn too_many() -> ApiError {
    let message = format!("{MOST_REQUESTS} requests are being answered, which is the limit: try again");
    ApiError::new(StatusCode::TOO_MANY_REQUESTS, message)
}

/// Reads the body of a request of the API and waits for nothing: beyond the limits it is refused.
pub(crate) async fn limit(State(requests): State<Requests>, request: Request, next: Next) -> Response {
    if !request.uri().path().starts_with("/api/") {
        return next.run(request).await;
    }
    let (head, body) = request.into_parts();
    let read = tokio::time::timeout(BODY_TIME, requests.read(body)).await.unwrap_or_else(|_| {
        let message = format!("the body of the request took more than {} s", BODY_TIME.as_secs());
        Err(ApiError::new(StatusCode::REQUEST_TIMEOUT, message))
    });
    let (body, _held) = match read {
        Ok(read) => read,
        Err(refusal) => {
            let mut response = refusal.into_response();
            response.headers_mut().insert(CONNECTION, HeaderValue::from_static("close"));
            return response;
        }
    };
    match requests.slots.try_acquire() {
        Ok(_slot) => next.run(Request::from_parts(head, body.into())).await,
        Err(_) => too_many().into_response(),
    }
}
