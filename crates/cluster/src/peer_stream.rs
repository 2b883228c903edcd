//! The connections during a run, and detection of lost processes.
//!
//! timely's network threads panic when a connection ends too early, and the workers panic with them. We first want to
//! report which process is lost, here and to the others. So timely gets our own streams: when one ends too early, it
//! records the loss in the [`RunStatus`], and its thread waits until the run is over.

use std::io::{self, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::panic::resume_unwind;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering::SeqCst};
use std::sync::{Arc, Condvar, Mutex};
use std::time::{Duration, Instant};

use timely::communication::allocator::zero_copy::stream::Stream;

use crate::UNPOISONED;

/// Bytes of the last message on a connection that timely closes in order: a header of zeros without content.
const CLOSING_HEADER: usize = 48;

/// The state of the run as this process knows it: its connections, a lost process, the proved bound.
#[derive(Debug, Default)]
pub(crate) struct RunStatus {
    state: Mutex<ConnectionState>,
    changed: Condvar,
    /// Whether the outcome is known here: from then on processes may leave.
    ended: AtomicBool,
    /// The lower bound proved so far.
    bound: AtomicU32,
}

#[derive(Debug, Default)]
struct ConnectionState {
    lost: Option<usize>,
    /// Whether threads of broken connections may end.
    is_over: bool,
    /// Directions of connections that are not closed yet: two for each connection.
    open: usize,
    /// Connections that broke, before or after the outcome was known.
    broken: usize,
}

impl RunStatus {
    pub(crate) fn new(peers: usize) -> Self {
        let state = ConnectionState { open: 2 * peers, ..ConnectionState::default() };
        RunStatus { state: Mutex::new(state), ..RunStatus::default() }
    }

    /// Records the loss of a process. Only the first one is kept: the others end as a consequence.
    pub(crate) fn lose(&self, process: usize) {
        if !self.ended.load(SeqCst) {
            self.lock().lost.get_or_insert(process);
        }
    }

    /// The process that is lost, if any.
    pub(crate) fn lost(&self) -> Option<usize> {
        self.lock().lost
    }

    /// Records that the outcome is known.
    pub(crate) fn end(&self) {
        self.ended.store(true, SeqCst);
    }

    /// Whether a connection broke.
    pub(crate) fn is_broken(&self) -> bool {
        self.lock().broken > 0
    }

    pub(crate) fn raise_bound(&self, bound: u32) {
        self.bound.fetch_max(bound, SeqCst);
    }

    pub(crate) fn bound(&self) -> u32 {
        self.bound.load(SeqCst)
    }

    /// Waits until every connection is closed in both directions, at most for `timeout`.
    pub(crate) fn await_closing(&self, timeout: Duration) {
        let deadline = Instant::now() + timeout;
        let mut state = self.lock();
        while state.open > 0 {
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return;
            }
            state = self.changed.wait_timeout(state, left).expect(UNPOISONED).0;
        }
    }

    /// Lets the threads of broken connections end.
    pub(crate) fn release(&self) {
        self.lock().is_over = true;
        self.changed.notify_all();
    }

    fn closed_one(&self) {
        let mut state = self.lock();
        state.open = state.open.saturating_sub(1);
        self.changed.notify_all();
    }

    /// Records a broken connection and blocks its thread until the run is over: timely's workers would panic with it.
    fn hold_broken(&self, process: usize) -> ! {
        self.lose(process);
        let mut state = self.lock();
        state.broken += 1;
        state.open = state.open.saturating_sub(1);
        self.changed.notify_all();
        while !state.is_over {
            state = self.changed.wait(state).expect(UNPOISONED);
        }
        drop(state);
        // Ends the thread without a panic message: the worker reports the loss.
        resume_unwind(Box::new("a connection broke"))
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, ConnectionState> {
        self.state.lock().expect(UNPOISONED)
    }
}

/// A connection to another process, in the form that timely takes.
#[derive(Debug)]
pub(crate) struct PeerStream {
    pub(crate) stream: TcpStream,
    pub(crate) peer: usize,
    pub(crate) status: Arc<RunStatus>,
    /// The number of zero bytes at the end of the input so far.
    pub(crate) zeros: usize,
}

impl Read for PeerStream {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            match self.stream.read(buffer) {
                Ok(0) if self.zeros >= CLOSING_HEADER => {
                    // The peer closed in order: at the end of the run, or because it knows of a lost process.
                    self.status.lose(self.peer);
                    self.status.closed_one();
                    return Ok(0);
                }
                Ok(0) => self.status.hold_broken(self.peer),
                Ok(read) => {
                    let zeros = buffer[..read].iter().rev().take_while(|&&byte| byte == 0).count();
                    self.zeros = if zeros == read { self.zeros + read } else { zeros };
                    return Ok(read);
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(_) => self.status.hold_broken(self.peer),
            }
        }
    }
}

impl Write for PeerStream {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self.stream.write(bytes) {
            Ok(written) if written > 0 => Ok(written),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => Err(error),
            // The peer is lost. Pretend success, so that timely's thread does not panic.
            _ => {
                self.status.lose(self.peer);
                Ok(bytes.len())
            }
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Stream for PeerStream {
    fn try_clone(&self) -> io::Result<Self> {
        Ok(PeerStream { stream: self.stream.try_clone()?, peer: self.peer, status: Arc::clone(&self.status), zeros: 0 })
    }

    fn set_nonblocking(&self, nonblocking: bool) -> io::Result<()> {
        self.stream.set_nonblocking(nonblocking)
    }

    fn shutdown(&self, how: Shutdown) -> io::Result<()> {
        // The other end may be closed already.
        let _ = self.stream.shutdown(how);
        self.status.closed_one();
        Ok(())
    }
}
