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

use serde::{Deserialize, Serialize};
use timely::communication::allocator::zero_copy::stream::Stream;

use crate::UNPOISONED;
use crate::message::Count;
use crate::wire::{Broken, FrameReader, HEARTBEAT, SharedWriter};

/// How long a read waits before it counts as a silence.
pub(crate) const READ_TIMEOUT: Duration = Duration::from_millis(250);
/// The number of silences in a row after which a process counts as lost: ten seconds without a heartbeat. A process
/// that was stopped itself counts a single one for all that time.
const MOST_QUIET: u32 = 40;
/// The same once the run is to stop: two seconds.
const MOST_QUIET_AT_STOP: u32 = 8;
const _: () = assert!(HEARTBEAT.as_millis() < READ_TIMEOUT.as_millis());

/// Why a process counts as lost.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Loss {
    /// Its connection ended.
    Gone,
    /// Its heartbeats do not arrive.
    Silent,
    /// A frame has a wrong checksum.
    Damaged,
}

impl Loss {
    /// The words between the name of the process and "is gone".
    pub(crate) fn words(self) -> &'static str {
        match self {
            Loss::Gone => "",
            Loss::Silent => " does not answer any more, and",
            Loss::Damaged => " sent data that arrived damaged, and",
        }
    }
}

/// Bytes of the last message on a connection that timely closes in order: a header of zeros without content.
const CLOSING_HEADER: usize = 48;

/// The state of the run as this process knows it: its connections, a lost process, the proved bound.
#[derive(Debug, Default)]
pub(crate) struct RunStatus {
    state: Mutex<ConnectionState>,
    changed: Condvar,
    /// Whether the outcome is known here: from then on processes may leave.
    pub(crate) ended: AtomicBool,
    /// Whether a stop was requested: from then on nobody waits long for a silent process.
    pub(crate) is_stopping: AtomicBool,
    /// The lower bound proved so far.
    pub(crate) bound: AtomicU32,
    /// The counts of all workers as last reported to the coordinator, in its process; 0 in the others.
    pub(crate) total: Mutex<Count>,
}

#[derive(Debug, Default)]
struct ConnectionState {
    lost: Option<(usize, Loss)>,
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
    pub(crate) fn lose(&self, process: usize, why: Loss) {
        if !self.ended.load(SeqCst) {
            self.lock().lost.get_or_insert((process, why));
        }
    }

    /// The process that is lost, if any, and why.
    pub(crate) fn lost(&self) -> Option<(usize, Loss)> {
        self.lock().lost
    }

    /// Whether so many silences in a row mean that a process is lost.
    fn is_too_quiet(&self, quiet: u32) -> bool {
        let most = if self.is_stopping.load(SeqCst) { MOST_QUIET_AT_STOP } else { MOST_QUIET };
        // A thread that waits for a lost process has no reason to wait on.
        quiet >= most || quiet > 0 && self.lock().is_over
    }

    /// Whether a connection broke.
    pub(crate) fn is_broken(&self) -> bool {
        self.lock().broken > 0
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
    fn hold_broken(&self, process: usize, why: Loss) -> ! {
        self.lose(process, why);
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
    pub(crate) writer: SharedWriter,
    pub(crate) peer: usize,
    pub(crate) status: Arc<RunStatus>,
    /// Only one clone is read from.
    reader: FrameReader,
    /// The number of zero bytes at the end of the input so far.
    zeros: usize,
}

impl PeerStream {
    pub(crate) fn new(stream: TcpStream, writer: SharedWriter, peer: usize, status: Arc<RunStatus>) -> Self {
        PeerStream { stream, writer, peer, status, reader: FrameReader::new(), zeros: 0 }
    }
}

impl Read for PeerStream {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let status = &self.status;
        match self.reader.read(&mut self.stream, buffer, &mut |quiet| status.is_too_quiet(quiet)) {
            Ok(read) => {
                let zeros = buffer[..read].iter().rev().take_while(|&&byte| byte == 0).count();
                self.zeros = if zeros == read { self.zeros + read } else { zeros };
                Ok(read)
            }
            Err(Broken::Closed) if self.zeros >= CLOSING_HEADER => {
                // The peer closed in order: at the end of the run, or because it knows of a lost process.
                self.status.lose(self.peer, Loss::Gone);
                self.status.closed_one();
                Ok(0)
            }
            Err(Broken::Closed | Broken::Gone) => self.status.hold_broken(self.peer, Loss::Gone),
            Err(Broken::Silent) => self.status.hold_broken(self.peer, Loss::Silent),
            Err(Broken::Damaged) => self.status.hold_broken(self.peer, Loss::Damaged),
        }
    }
}

impl Write for PeerStream {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if bytes.is_empty() {
            return Ok(0);
        }
        self.writer.lock().expect(UNPOISONED).send(bytes).or_else(|_| {
            // The peer is lost. Pretend success, so that timely's thread does not panic.
            self.status.lose(self.peer, Loss::Gone);
            Ok(bytes.len())
        })
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Stream for PeerStream {
    fn try_clone(&self) -> io::Result<Self> {
        let (writer, status) = (Arc::clone(&self.writer), Arc::clone(&self.status));
        Ok(PeerStream::new(self.stream.try_clone()?, writer, self.peer, status))
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
