//! The page: a server on this machine, made of the same parts as the program.
//!
//! Everything that the page shows comes from a small JSON API (`/api/openapi.json` describes it), and everything that the
//! API says the program could say as well. Searches are jobs: a request is answered with a stream of server-sent events,
//! and the search ends when nobody reads the stream any more. Jobs are limited in number, time and memory; requests in
//! size; and what does not come from the page itself is refused (see [`guard`]).
//!
//! No puzzle is named here. What is particular to one is drawn by a JavaScript module on its card; a puzzle without one is
//! shown as text.
#![forbid(unsafe_code)]

mod assets;
mod audit;
mod boards;
mod compare;
mod error;
mod generate;
pub mod guard;
mod jobs;
mod openapi;
mod solve;
mod watch;

use std::future::IntoFuture as _;
use std::io;
use std::net::{SocketAddr, TcpListener};
use std::sync::Arc;
use std::time::Duration;

use admissible_front::{Registry, TableCache};
use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::middleware;
use axum::routing::{MethodRouter, get, post};
use tokio::sync::oneshot;

use assets::Assets;
use guard::Guard;
use jobs::Jobs;

/// How much the server may take.
#[derive(Debug, Clone)]
pub struct Settings {
    /// The puzzles.
    pub puzzles: Registry,
    /// How many searches may run at once.
    pub jobs: usize,
    /// How long one may last.
    pub time: Duration,
    /// How many bytes all of them together may hold.
    pub memory: u64,
    /// Where large tables are kept.
    pub table_cache: Option<Arc<dyn TableCache>>,
}

/// The largest body of a request: a maze of half a million cells.
pub const MOST_BODY: usize = 1 << 20;

/// What every request can see.
#[derive(Clone)]
struct Shared {
    settings: Arc<Settings>,
    assets: Arc<Assets>,
    jobs: Jobs,
}

/// Every path of the API with its handler. The description of the API has the same paths; a test compares them.
fn routes() -> Vec<(&'static str, MethodRouter<Shared>)> {
    vec![
        ("/api/openapi.json", get(openapi::description)),
        ("/api/puzzles", get(boards::puzzles)),
        ("/api/open", post(boards::open_board)),
        ("/api/generate", post(generate::generate_board)),
        ("/api/solve", post(solve::solve)),
        ("/api/trace", post(solve::trace)),
        ("/api/watch", post(watch::watch)),
        ("/api/compare", post(compare::compare)),
        ("/api/audit", post(audit::audit)),
    ]
}

/// The paths of the API.
pub fn paths() -> Vec<&'static str> {
    routes().into_iter().map(|(path, _)| path).collect()
}

/// The server without a socket, for whoever has one. `address` is where it is reached.
pub fn router(settings: Settings, address: SocketAddr) -> Router {
    let assets = Arc::new(Assets::new(settings.puzzles));
    let shared = Shared { jobs: Jobs::new(&settings), settings: Arc::new(settings), assets };
    let mut router = Router::new();
    for (path, handler) in routes() {
        router = router.route(path, handler);
    }
    router
        .fallback(assets::file)
        .method_not_allowed_fallback(error::method_not_allowed)
        .layer(DefaultBodyLimit::max(MOST_BODY))
        .layer(middleware::from_fn_with_state(shared.jobs.clone(), jobs::limit_requests))
        .layer(middleware::from_fn_with_state(Guard::new(address), guard::check))
        .with_state(shared)
}

/// A socket that is listened on.
#[derive(Debug)]
pub struct Bound {
    listener: TcpListener,
    address: SocketAddr,
}

impl Bound {
    /// Listens; port 0 takes any that is free.
    ///
    /// # Errors
    /// If the address is not one of this machine, or taken.
    pub fn new(address: SocketAddr) -> io::Result<Self> {
        let listener = TcpListener::bind(address)?;
        listener.set_nonblocking(true)?;
        let address = listener.local_addr()?;
        Ok(Bound { listener, address })
    }

    /// Where the page is.
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

    /// Serves until `wait` returns, which is called on a thread of its own.
    ///
    /// # Errors
    /// If threads or sockets cannot be had.
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
                served = axum::serve(listener, router).into_future() => served,
                _ = end => Ok(()),
            }
        });
        // Searches look whether anybody is listening every few thousand states; nobody waits for them to notice.
        runtime.shutdown_background();
        done
    }
}
