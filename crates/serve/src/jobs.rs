//! Permits for jobs, and their streams of events.
//!
//! A job holds one of a few permits, and ends when its client disconnects.

use std::sync::Arc;
use std::time::Duration;

use admissible_api::{Client, Job, Settings, Work};
use axum::http::{HeaderValue, StatusCode};
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use serde_json::Value;
use tokio::runtime::Handle;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, mpsc};
use tokio_stream::StreamExt as _;
use tokio_stream::wrappers::ReceiverStream;

use crate::error::ApiError;

/// The most requests that are read at a time. Others wait, unless their clients disconnect.
const MOST_READERS: usize = 4;
/// The most events queued for a slow client.
const MOST_QUEUED: usize = 64;
/// The longest wait for room in the queue.
const SEND_TIMEOUT: Duration = Duration::from_secs(30);

/// The permits of a server.
#[derive(Debug, Clone)]
pub(crate) struct Jobs {
    permits: Arc<Semaphore>,
    readers: Arc<Semaphore>,
    settings: Arc<Settings>,
}

/// The right to run one job.
#[derive(Debug)]
pub(crate) struct Permit {
    _held: OwnedSemaphorePermit,
    settings: Arc<Settings>,
}

impl Jobs {
    pub(crate) fn new(settings: &Arc<Settings>) -> Self {
        Jobs {
            permits: Arc::new(Semaphore::new(settings.jobs.max(1))),
            readers: Arc::new(Semaphore::new(MOST_READERS)),
            settings: Arc::clone(settings),
        }
    }

    /// Reads a request on a blocking thread, once it is its turn. If the client disconnects before, nothing is read.
    pub(crate) async fn read<R: Send + 'static>(
        &self,
        work: impl FnOnce() -> R + Send + 'static,
    ) -> Result<R, ApiError> {
        let turn = Arc::clone(&self.readers).acquire_owned().await.map_err(|_| ApiError::internal())?;
        let read = tokio::task::spawn_blocking(move || {
            let read = work();
            drop(turn);
            read
        });
        read.await.map_err(|_| ApiError::internal())
    }

    /// A permit, if one is free.
    pub(crate) fn permit(&self) -> Result<Permit, ApiError> {
        let held = Arc::clone(&self.permits).try_acquire_owned().map_err(|_| {
            let message = match self.settings.jobs {
                0 | 1 => {
                    "another search is running, and this server runs one at a time: try again when it has ended".into()
                }
                count => format!("{count} searches are running, which is the limit: try again when one has ended"),
            };
            ApiError::new(StatusCode::SERVICE_UNAVAILABLE, message)
        })?;
        Ok(Permit { _held: held, settings: Arc::clone(&self.settings) })
    }
}

impl Permit {
    fn job(&self, events: mpsc::Sender<Event>) -> Job {
        Job::new(&self.settings, Connection { events, runtime: Handle::current() })
    }

    /// Runs a job on a blocking thread and responds with its events. The last one is `error` if it fails.
    pub(crate) fn stream(self, last: &'static str, work: Work) -> Response {
        let (events, receiver) = mpsc::channel(MOST_QUEUED);
        let job = self.job(events);
        tokio::task::spawn_blocking(move || {
            job.run(last, work);
            drop(self);
        });
        let events = ReceiverStream::new(receiver).map(Ok::<Event, std::convert::Infallible>);
        let mut response =
            Sse::new(events).keep_alive(KeepAlive::new().interval(Duration::from_secs(5))).into_response();
        response.headers_mut().insert("x-accel-buffering", HeaderValue::from_static("no"));
        response
    }

    /// Runs a short job and waits for it. If the client disconnects, the job ends.
    pub(crate) async fn wait(self, work: Work) -> Result<Value, ApiError> {
        let (events, receiver) = mpsc::channel(1);
        let job = self.job(events);
        let done = tokio::task::spawn_blocking(move || {
            let done = work(&job);
            drop(self);
            done
        });
        let answer = done.await;
        drop(receiver);
        Ok(answer.map_err(|_| ApiError::internal())??)
    }
}

/// The connection to the client of a job.
struct Connection {
    events: mpsc::Sender<Event>,
    runtime: Handle,
}

fn event(name: &str, data: &Value) -> Event {
    Event::default().event(name).data(data.to_string())
}

impl Client for Connection {
    fn send(&self, name: &str, data: &Value) -> bool {
        let sent = self.events.send(event(name, data));
        let sent = self.runtime.block_on(async { tokio::time::timeout(SEND_TIMEOUT, sent).await });
        matches!(sent, Ok(Ok(())))
    }

    fn offer(&self, name: &str, data: &Value) {
        let _ = self.events.try_send(event(name, data));
    }

    fn has_left(&self) -> bool {
        self.events.is_closed()
    }
}
