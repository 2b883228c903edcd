//! The requests of the API: the same way to an answer for all of them.

use admissible_api::{Call, Prepared, Takes};
use axum::Json;
use axum::body::Bytes;
use axum::extract::State;
use axum::http::header::CONTENT_TYPE;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse as _, Response};
use axum::routing::{MethodRouter, get, post};

use crate::Shared;
use crate::error::ApiError;

/// The handler of a kind of request.
pub(crate) fn handler(call: &'static Call) -> MethodRouter<Shared> {
    match call.takes {
        Takes::Nothing => get(move |State(shared): State<Shared>| answer(call, shared, Bytes::new())),
        Takes::Reading | Takes::Job => {
            post(move |State(shared): State<Shared>, headers: HeaderMap, body: Bytes| async move {
                // Other pages cannot send this type without the leave of this server.
                if !headers.get(CONTENT_TYPE).is_some_and(|kind| is_json(kind.as_bytes())) {
                    let message = "expected a body of the type application/json";
                    return Err(ApiError::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, message));
                }
                answer(call, shared, body).await
            })
        }
    }
}

fn is_json(kind: &[u8]) -> bool {
    let end = kind.iter().position(|&byte| byte == b';').unwrap_or(kind.len());
    kind[..end].trim_ascii().eq_ignore_ascii_case(b"application/json")
}

async fn answer(call: &'static Call, shared: Shared, body: Bytes) -> Result<Response, ApiError> {
    let permit = if call.takes == Takes::Job { Some(shared.jobs.permit()?) } else { None };
    let settings = shared.settings;
    let prepared = match call.takes {
        Takes::Nothing => call.prepare(&settings, &body)?,
        Takes::Reading | Takes::Job => shared.jobs.read(move || call.prepare(&settings, &body)).await??,
    };
    match (prepared, permit) {
        (Prepared::Answer(value), _) => Ok(Json(value).into_response()),
        (Prepared::Quiet(work), Some(permit)) => Ok(Json(permit.wait(work).await?).into_response()),
        (Prepared::Events(last, work), Some(permit)) => Ok(permit.stream(last, work)),
        (_, None) => Err(ApiError::internal()),
    }
}
