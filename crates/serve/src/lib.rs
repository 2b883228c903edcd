//! The page: a local web server on top of the API.
//!
//! The page uses a small JSON API, described by `/api/openapi.json`; `admissible_api` answers it. Searches are jobs:
//! the response is a stream of server-sent events, and the search ends when the client closes it. Jobs are limited in
//! number, time and memory, requests in size and time, and requests of other pages are refused (see [`guard`]). The
//! page as a static site, without this server, is in [`site`].
//!
//! This crate names no puzzle. A JavaScript module on a puzzle's card draws its boards; otherwise the page shows text.
#![forbid(unsafe_code)]

mod assets;
mod calls;
mod connections;
mod error;
pub mod guard;
mod jobs;
mod openapi;
mod requests;

use std::io;
use std::net::{SocketAddr, TcpListener};
use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

use admissible_api::CALLS;
use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::middleware;
use axum::routing::{MethodRouter, get};
use tokio::sync::oneshot;

use assets::Assets;
#[doc(hidden)]
pub use connections::serve_one;
use guard::Guard;
use jobs::Jobs;
use requests::Requests;

pub use admissible_api::{MOST_BODY, Settings};
pub use assets::site;

/// A seed for a random board, from the clock.
pub fn seed() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_nanos() as u64) % 1_000_000
}

/// The state that all handlers share.
#[derive(Clone)]
struct Shared {
    settings: Arc<Settings>,
    assets: Arc<Assets>,
    jobs: Jobs,
}

/// Every path of the API with its handler. A test compares them with the description of the API.
fn routes() -> Vec<(&'static str, MethodRouter<Shared>)> {
    let description = ("/api/openapi.json", get(openapi::description));
    std::iter::once(description).chain(CALLS.iter().map(|call| (call.path, calls::handler(call)))).collect()
}

/// The paths of the API.
pub fn paths() -> Vec<&'static str> {
    routes().into_iter().map(|(path, _)| path).collect()
}

/// The router of the server. `address` is the address that clients connect to.
pub fn router(settings: Settings, address: SocketAddr) -> Router {
    let assets = Arc::new(Assets::new(settings.puzzles));
    let settings = Arc::new(settings);
    let shared = Shared { jobs: Jobs::new(&settings), settings, assets };
    let mut router = Router::new();
    for (path, handler) in routes() {
        router = router.route(path, handler);
    }
    router
        .fallback(assets::file)
        .method_not_allowed_fallback(error::method_not_allowed)
        .layer(DefaultBodyLimit::max(MOST_BODY))
        .layer(middleware::from_fn_with_state(Requests::new(), requests::limit))
        .layer(middleware::from_fn_with_state(Guard::new(address), guard::check))
        .with_state(shared)
}

/// A listening socket.
#[derive(Debug)]
pub struct Bound {
    listener: TcpListener,
    address: SocketAddr,
}

impl Bound {
    /// Listens at `address`; port 0 takes any free port.
    ///
    /// # Errors
    /// If the address is not local, or in use.
    pub fn new(address: SocketAddr) -> io::Result<Self> {
        let listener = TcpListener::bind(address)?;
        listener.set_nonblocking(true)?;
        let address = listener.local_addr()?;
        Ok(Bound { listener, address })
    }

    /// The URL of the page.
    pub fn url(&self) -> String {
        let mut address = self.address;
        if address.ip().is_unspecified() {
            address.set_ip(if address.is_ipv4() {
                [127, 0, 0, 1].into()
            } else {
                std::net::Ipv6Addr::LOCALHOST.into()
            });
        }
        format!("http://{address}/")
    }

    /// Serves until `wait`, which runs on its own thread, returns.
    ///
    /// # Errors
    /// If a thread cannot be started or the socket fails.
    pub fn run(self, settings: Settings, wait: impl FnOnce() + Send + 'static) -> io::Result<()> {
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build()?;
        let router = router(settings, self.address);
        let (ending, end) = oneshot::channel::<()>();
        std::thread::spawn(move || {
            wait();
            drop(ending);
        });
        let done = runtime.block_on(async move {
            let listener = tokio::net::TcpListener::from_std(self.listener)?;
            tokio::select! {
                served = connections::serve(listener, router) => served,
                _ = end => Ok(()),
            }
        });
        // Searches notice a closed stream only every few thousand states; do not wait for them.
        runtime.shutdown_background();
        done
    }
}
