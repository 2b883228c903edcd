//! The connections while the work goes on, and what becomes of the processes at their other ends.
//!
//! timely's network threads panic when a connection ends too early, and take the workers with them. We want to say which
//! process is gone, and to tell the others first. So the streams that timely gets are ours: one that ends too early is
//! written down in the [`Fate`] of the run, and its thread waits until the run is over.

use std::io::{self, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::panic::resume_unwind;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering::SeqCst};
use std::sync::{Arc, Condvar, Mutex};
use std::time::{Duration, Instant};

use timely::communication::allocator::zero_copy::stream::Stream;

/// The bytes of timely's last words: the header of a message without content.
const LAST_WORDS: usize = 48;

/// What becomes of a run, as far as this process knows.
#[derive(Debug, Default)]
pub(crate) struct Fate {
    state: Mutex<State>,
    changed: Condvar,
    /// Whether the outcome is known here: from then on nobody is missed.
    ended: AtomicBool,
    /// The lower bound that was proved by then.
    bound: AtomicU32,
}

#[derive(Debug, Default)]
struct State {
    gone: Option<usize>,
    /// Whether threads that wait may leave.
    is_over: bool,
    /// Connections that were not closed in one direction yet.
    open: usize,
    /// Connections that broke off, be it after the end.
    broken: usize,
}

impl Fate {
    pub(crate) fn new(peers: usize) -> Self {
        let state = State { open: 2 * peers, ..State::default() };
        Fate { state: Mutex::new(state), ..Fate::default() }
    }

    /// That a process is gone; whoever is named first counts, since others go because of it.
    pub(crate) fn lose(&self, process: usize) {
        if !self.ended.load(SeqCst) {
            self.lock().gone.get_or_insert(process);
        }
    }

    /// Who is gone.
    pub(crate) fn gone(&self) -> Option<usize> {
        self.lock().gone
    }

    /// That the outcome is known.
    pub(crate) fn end(&self) {
        self.ended.store(true, SeqCst);
    }

    /// Whether a connection broke off.
    pub(crate) fn is_broken(&self) -> bool {
        self.lock().broken > 0
    }

    pub(crate) fn raise_bound(&self, bound: u32) {
        self.bound.fetch_max(bound, SeqCst);
    }

    pub(crate) fn bound(&self) -> u32 {
        self.bound.load(SeqCst)
    }

    /// Waits until every connection is closed in both directions, but not for ever.
    pub(crate) fn await_closing(&self, patience: Duration) {
        let deadline = Instant::now() + patience;
        let mut state = self.lock();
        while state.open > 0 {
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return;
            }
            state = self.changed.wait_timeout(state, left).expect("nobody panics with it").0;
        }
    }

    /// Lets all threads leave.
    pub(crate) fn release(&self) {
        self.lock().is_over = true;
        self.changed.notify_all();
    }

    fn closed_one(&self) {
        let mut state = self.lock();
        state.open = state.open.saturating_sub(1);
        self.changed.notify_all();
    }

    /// A connection broke off: its thread stays until the run is over, since timely's workers would panic with it.
    fn break_off(&self, process: usize) -> ! {
        self.lose(process);
        let mut state = self.lock();
        state.broken += 1;
        state.open = state.open.saturating_sub(1);
        self.changed.notify_all();
        while !state.is_over {
            state = self.changed.wait(state).expect("nobody panics with it");
        }
        drop(state);
        // Ends the thread without a word: what there is to say, somebody else says.
        resume_unwind(Box::new("a connection broke off"))
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, State> {
        self.state.lock().expect("nobody panics with it")
    }
}

/// A connection to another process, as timely gets it.
#[derive(Debug)]
pub(crate) struct Wire {
    pub(crate) stream: TcpStream,
    pub(crate) peer: usize,
    pub(crate) fate: Arc<Fate>,
    /// So many of the last bytes that were read are 0.
    pub(crate) zeros: usize,
}

impl Read for Wire {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            match self.stream.read(buffer) {
                Ok(0) if self.zeros >= LAST_WORDS => {
                    // It left in good order: at the end of the run, or because it knows of somebody who is gone.
                    self.fate.lose(self.peer);
                    self.fate.closed_one();
                    return Ok(0);
                }
                Ok(0) => self.fate.break_off(self.peer),
                Ok(read) => {
                    let zeros = buffer[..read].iter().rev().take_while(|&&byte| byte == 0).count();
                    self.zeros = if zeros == read { self.zeros + read } else { zeros };
                    return Ok(read);
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(_) => self.fate.break_off(self.peer),
            }
        }
    }
}

impl Write for Wire {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self.stream.write(bytes) {
            Ok(written) if written > 0 => Ok(written),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => Err(error),
            // Nobody is there to read it; that is known now, and the thread need not panic.
            _ => {
                self.fate.lose(self.peer);
                Ok(bytes.len())
            }
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Stream for Wire {
    fn try_clone(&self) -> io::Result<Self> {
        Ok(Wire { stream: self.stream.try_clone()?, peer: self.peer, fate: Arc::clone(&self.fate), zeros: 0 })
    }

    fn set_nonblocking(&self, nonblocking: bool) -> io::Result<()> {
        self.stream.set_nonblocking(nonblocking)
    }

    fn shutdown(&self, how: Shutdown) -> io::Result<()> {
        // Whether the other end is still there does not matter any more.
        let _ = self.stream.shutdown(how);
        self.fate.closed_one();
        Ok(())
    }
}
