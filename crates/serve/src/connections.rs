//! Connections with time limits, so that a slow client holds a connection for seconds and nothing else at all.
//!
//! [`HEADER_TIME`] limits the reading of a request's head and the time that a connection is idle, [`WRITE_TIME`] the
//! time that a client takes nothing of a response. The time for a body is limited in [`crate::requests`].

use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use axum::Router;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpListener;
use tokio::sync::Semaphore;
use tokio::time::Sleep;

/// The longest time for the head of a request, counted from the end of the response before.
const HEADER_TIME: Duration = Duration::from_secs(10);
/// The longest time that a client takes nothing of a response.
const WRITE_TIME: Duration = Duration::from_secs(10);
/// The most open connections; more wait in the queue of the system.
const MOST_CONNECTIONS: usize = 512;
/// The wait after a connection could not be accepted, for example for want of file descriptors.
const ACCEPT_PAUSE: Duration = Duration::from_millis(50);

/// Serves connections until it is dropped.
pub(crate) async fn serve(listener: TcpListener, router: Router) -> io::Result<()> {
    let slots = Arc::new(Semaphore::new(MOST_CONNECTIONS));
    loop {
        let slot = Arc::clone(&slots).acquire_owned().await.map_err(io::Error::other)?;
        let Ok((stream, _)) = listener.accept().await else {
            tokio::time::sleep(ACCEPT_PAUSE).await;
            continue;
        };
        let router = router.clone();
        tokio::spawn(async move {
            let _slot = slot;
            let _ = stream.set_nodelay(true);
            serve_one(stream, router).await;
        });
    }
}

/// Serves one connection to its end.
pub async fn serve_one(stream: impl AsyncRead + AsyncWrite + Unpin, router: Router) {
    let connection = TokioIo::new(Timed { stream, stalled: None });
    let mut server = http1::Builder::new();
    server.timer(TokioTimer::new()).header_read_timeout(HEADER_TIME);
    // An error is the client's: it sent no HTTP, was too slow, or left.
    let _ = server.serve_connection(connection, TowerToHyperService::new(router)).await;
}

/// A connection whose writes fail if the client takes nothing for [`WRITE_TIME`].
struct Timed<S> {
    stream: S,
    /// The end of the time of the write that waits.
    stalled: Option<Pin<Box<Sleep>>>,
}

impl<S> Timed<S> {
    fn limited<T>(&mut self, written: Poll<io::Result<T>>, cx: &mut Context<'_>) -> Poll<io::Result<T>> {
        if written.is_ready() {
            self.stalled = None;
            return written;
        }
        let end = self.stalled.get_or_insert_with(|| Box::pin(tokio::time::sleep(WRITE_TIME)));
        ready!(end.as_mut().poll(cx));
        Poll::Ready(Err(io::ErrorKind::TimedOut.into()))
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for Timed<S> {
    fn poll_read(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buffer: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(cx, buffer)
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for Timed<S> {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, content: &[u8]) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write(cx, content);
        self.limited(written, cx)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        parts: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write_vectored(cx, parts);
        self.limited(written, cx)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(cx)
    }
}
