//! Connections between the processes, made before any work begins.
//!
//! Every process listens at its address for those with larger numbers, and calls those with smaller ones until they
//! answer. The caller sends a [`Handshake`]; the called process accepts or refuses it. Connections from other programs
//! are closed and do no harm.

use std::fmt;
use std::io::{self, Read as _, Write as _};
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};
use std::sync::{Arc, Mutex};
use std::thread::sleep;
use std::time::{Duration, Instant};

use socket2::{SockRef, TcpKeepalive};

use crate::UNPOISONED;
use crate::handshake::{HANDSHAKE_BYTES, Handshake, MAGIC, Offers, REPLY_BYTES, Verdict, read_reply};
use crate::hosts::Hosts;
use crate::peer_stream::READ_TIMEOUT;
use crate::wire::{FrameWriter, Heartbeats, SharedWriter};

/// Time between two polls for callers and answers.
const POLL_INTERVAL: Duration = Duration::from_millis(5);
/// How long the handshake and its reply may take.
const HANDSHAKE_TIMEOUT: Duration = Duration::from_secs(10);
/// How long one attempt to connect may take.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(2);
/// How long to retry when the own address is in use.
const BIND_TIMEOUT: Duration = Duration::from_secs(2);
/// TCP keepalive: probes begin after this idle time; the peer is lost after some probes without an answer.
const KEEPALIVE_IDLE: Duration = Duration::from_secs(5);
const KEEPALIVE_INTERVAL: Duration = Duration::from_secs(2);
const KEEPALIVE_PROBES: u32 = 4;
/// TCP user timeout: how long sent data may stay unacknowledged.
const USER_TIMEOUT: Duration = Duration::from_secs(20);

/// Why the processes did not connect.
#[derive(Debug)]
#[non_exhaustive]
pub enum ConnectError {
    /// The process cannot listen at its own address.
    Listen {
        /// The address.
        address: String,
        /// The reason.
        error: io::Error,
    },
    /// Some processes did not connect in time.
    Missing {
        /// The processes, each with the last error if there was one.
        missing: Vec<String>,
        /// How long this process waited.
        timeout: Duration,
    },
    /// A process has another configuration.
    OtherWork(String),
    /// A process speaks another version of the protocol.
    OtherProtocol(String),
    /// A process does not wait for one of this number.
    Unexpected(String),
    /// A process connected and left again.
    Gone(String),
    /// `give_up` returned true.
    Interrupted,
}

impl fmt::Display for ConnectError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ConnectError::Listen { address, error } => write!(f, "cannot listen at {address}: {error}"),
            ConnectError::Missing { missing, timeout } => {
                write!(f, "not connected after {:.0} s: {}", timeout.as_secs_f64(), missing.join(", "))
            }
            ConnectError::OtherWork(who) => {
                write!(f, "{who} works on something else: file, options and hosts have to be the same in all processes")
            }
            ConnectError::OtherProtocol(who) => write!(f, "{who} is another version of this program"),
            ConnectError::Unexpected(who) => {
                write!(f, "{who} does not expect this process: is its number given twice?")
            }
            ConnectError::Gone(who) => write!(f, "{who} is gone"),
            ConnectError::Interrupted => f.write_str("interrupted"),
        }
    }
}

impl std::error::Error for ConnectError {}

/// The connections of one process to all others.
#[derive(Debug)]
pub struct Links {
    pub(crate) hosts: Hosts,
    pub(crate) process: usize,
    /// One for each process; `None` for this one.
    pub(crate) sockets: Vec<Option<Link>>,
    /// The checkpoints that each process offers.
    pub(crate) offers: Vec<Offers>,
    /// Tell the others that this process is alive, while it reads a checkpoint, say.
    pub(crate) heartbeats: Heartbeats,
}

/// A connection to another process.
#[derive(Debug)]
pub(crate) struct Link {
    pub(crate) stream: TcpStream,
    pub(crate) writer: SharedWriter,
}

impl Links {
    /// The number of the last checkpoint that all processes have; `None` if there is none.
    pub fn agreed(&self) -> Option<u64> {
        let all_have = |number: &u64| self.offers.iter().all(|offers| offers.contains(&Some(*number)));
        self.offers[self.process].into_iter().flatten().filter(all_have).max()
    }

    /// Waits until process 0 has closed its connection, at most for `timeout`; returns at once in process 0. A process
    /// that leaves while the others are still connecting would be reported as lost, instead of the true reason.
    pub fn await_first_exit(&self, timeout: Duration) {
        if let Some(link) = self.sockets.first().and_then(Option::as_ref) {
            let mut first = &link.stream;
            let deadline = Instant::now() + timeout;
            let _ = first.set_read_timeout(Some(timeout));
            // Process 0 sends nothing but heartbeats, until it closes.
            while first.read(&mut [0; 1 << 10]).is_ok_and(|read| read > 0) && Instant::now() < deadline {}
        }
    }

    /// Connects this process with all others. Fails after `timeout`, or as soon as `give_up` returns true.
    ///
    /// # Errors
    /// If a process is missing, refuses this one or leaves.
    ///
    /// # Panics
    /// If the hosts do not have a process of this number.
    pub fn connect(
        hosts: &Hosts,
        handshake: Handshake,
        timeout: Duration,
        give_up: &(dyn Fn() -> bool + Sync),
    ) -> Result<Self, ConnectError> {
        let me = handshake.process;
        assert!(me < hosts.count(), "the number of the process is below the number of hosts");
        let rendezvous = Rendezvous {
            hosts,
            handshake,
            deadline: Instant::now() + timeout,
            timeout,
            give_up,
            failed: AtomicBool::new(false),
            connected: Mutex::new((0..hosts.count()).map(|_| None).collect()),
        };
        let listener = if me + 1 < hosts.count() { Some(rendezvous.listen()?) } else { None };
        std::thread::scope(|scope| {
            let accepting = scope.spawn(|| listener.map_or(Ok(()), |listener| rendezvous.accept(&listener)));
            let called = rendezvous.connect_all();
            if called.is_err() {
                rendezvous.failed.store(true, SeqCst);
            }
            let accepted = accepting.join().expect("the accepting thread does not panic");
            // Accepting fails when calling has: the error of the caller has the reason.
            called.and(accepted)
        })?;
        let connected = rendezvous.connected.into_inner().expect(UNPOISONED);
        let (sockets, offers): (Vec<_>, Vec<_>) = connected.into_iter().map(Option::unzip).unzip();
        let heartbeats = Heartbeats::default();
        let link = |stream: TcpStream| {
            keep_alive(&stream);
            let failed = |error| ConnectError::Listen { address: hosts.address(me).into(), error };
            stream.set_read_timeout(Some(READ_TIMEOUT)).map_err(failed)?;
            let writer = Arc::new(Mutex::new(FrameWriter::new(stream.try_clone().map_err(failed)?)));
            heartbeats.begin(Arc::clone(&writer)).map_err(failed)?;
            Ok(Link { stream, writer })
        };
        let sockets = sockets.into_iter().map(|stream| stream.map(link).transpose()).collect::<Result<_, _>>()?;
        let offers = offers.into_iter().map(|offers| offers.unwrap_or(handshake.offers)).collect();
        Ok(Links { hosts: hosts.clone(), process: me, sockets, offers, heartbeats })
    }
}

/// Has the kernel detect a dead peer, where it supports that.
fn keep_alive(socket: &TcpStream) {
    let _ = socket.set_nodelay(true);
    let socket = SockRef::from(socket);
    let keep_alive = TcpKeepalive::new().with_time(KEEPALIVE_IDLE).with_interval(KEEPALIVE_INTERVAL);
    #[cfg(not(windows))]
    let keep_alive = keep_alive.with_retries(KEEPALIVE_PROBES);
    let _ = socket.set_tcp_keepalive(&keep_alive);
    #[cfg(target_os = "linux")]
    let _ = socket.set_tcp_user_timeout(Some(USER_TIMEOUT));
}

/// The state of [`Links::connect`].
struct Rendezvous<'a> {
    hosts: &'a Hosts,
    handshake: Handshake,
    deadline: Instant,
    timeout: Duration,
    give_up: &'a (dyn Fn() -> bool + Sync),
    failed: AtomicBool,
    connected: Mutex<Vec<Option<(TcpStream, Offers)>>>,
}

/// An incoming connection whose handshake is not complete.
struct Incoming {
    stream: TcpStream,
    received: Vec<u8>,
    until: Instant,
}

impl Rendezvous<'_> {
    fn listen(&self) -> Result<TcpListener, ConnectError> {
        let address = self.hosts.address(self.handshake.process);
        let fault = |error| ConnectError::Listen { address: address.into(), error };
        let own = self.hosts.resolve(self.handshake.process).map_err(fault)?;
        // Behind NAT, the address that others use is not one of this machine's own.
        let any = own.iter().map(|address| SocketAddr::from((Ipv4Addr::UNSPECIFIED, address.port())));
        let any: Vec<SocketAddr> = any.collect();
        let bind = || {
            TcpListener::bind(&own[..]).or_else(|error| match error.kind() {
                io::ErrorKind::AddrNotAvailable => TcpListener::bind(&any[..]),
                _ => Err(error),
            })
        };
        // Another program's connection may hold the port for a moment.
        let until = self.deadline.min(Instant::now() + BIND_TIMEOUT);
        let listener = loop {
            match bind() {
                Err(error) if error.kind() == io::ErrorKind::AddrInUse && Instant::now() < until => {
                    sleep(POLL_INTERVAL);
                }
                bound => break bound.map_err(fault)?,
            }
        };
        listener.set_nonblocking(true).map_err(fault)?;
        Ok(listener)
    }

    /// Whether the deadline is still ahead.
    ///
    /// # Errors
    /// If another thread failed, or `give_up` returns true.
    fn has_time_left(&self) -> Result<bool, ConnectError> {
        if self.failed.load(SeqCst) || (self.give_up)() {
            return Err(ConnectError::Interrupted);
        }
        Ok(Instant::now() < self.deadline)
    }

    fn missing(&self, reasons: &[(usize, String)]) -> ConnectError {
        let sockets = self.connected.lock().expect(UNPOISONED);
        let reason = |process| reasons.iter().find(|(of, _)| *of == process).map(|(_, why)| format!(": {why}"));
        let missing = (0..sockets.len())
            .filter(|&process| process != self.handshake.process && sockets[process].is_none())
            .map(|process| format!("{}{}", self.hosts.named(process), reason(process).unwrap_or_default()))
            .collect();
        ConnectError::Missing { missing, timeout: self.timeout }
    }

    fn is_connected(&self, process: usize) -> bool {
        self.connected.lock().expect(UNPOISONED)[process].is_some()
    }

    /// Fails if a connected process has left.
    fn check_connected(&self) -> Result<(), ConnectError> {
        let sockets = self.connected.lock().expect(UNPOISONED);
        for (process, socket) in sockets.iter().enumerate() {
            let Some((socket, _)) = socket else { continue };
            let is_closed = |error: io::Error| error.kind() != io::ErrorKind::WouldBlock;
            let _ = socket.set_nonblocking(true);
            let peeked = socket.peek(&mut [0]);
            let _ = socket.set_nonblocking(false);
            if peeked.map_or_else(is_closed, |bytes| bytes == 0) {
                return Err(ConnectError::Gone(self.hosts.named(process)));
            }
        }
        Ok(())
    }

    /// Calls all processes with smaller numbers, and waits until all others have called.
    fn connect_all(&self) -> Result<(), ConnectError> {
        let mut reasons: Vec<(usize, String)> = Vec::new();
        loop {
            for process in 0..self.handshake.process {
                if self.is_connected(process) {
                    continue;
                }
                match self.try_connect(process)? {
                    Ok(connection) => {
                        self.connected.lock().expect(UNPOISONED)[process] = Some(connection);
                    }
                    Err(why) => {
                        reasons.retain(|(of, _)| *of != process);
                        reasons.push((process, why));
                    }
                }
            }
            self.check_connected()?;
            let others = (0..self.hosts.count()).filter(|&process| process != self.handshake.process);
            if others.into_iter().all(|process| self.is_connected(process)) {
                return Ok(());
            }
            if !self.has_time_left()? {
                return Err(self.missing(&reasons));
            }
            sleep(POLL_INTERVAL);
        }
    }

    /// One attempt: the connection, or why it failed for now.
    ///
    /// # Errors
    /// If the process refuses this one.
    fn try_connect(&self, process: usize) -> Result<Result<(TcpStream, Offers), String>, ConnectError> {
        let who = || self.hosts.named(process);
        let attempt = || -> io::Result<(TcpStream, [u8; REPLY_BYTES])> {
            let mut last = io::Error::new(io::ErrorKind::NotFound, "the name has no address");
            for address in self.hosts.resolve(process)? {
                match TcpStream::connect_timeout(&address, CONNECT_TIMEOUT) {
                    Ok(mut stream) => {
                        stream.set_read_timeout(Some(HANDSHAKE_TIMEOUT))?;
                        stream.write_all(&self.handshake.encode(self.hosts.count()))?;
                        let mut reply = [0; REPLY_BYTES];
                        stream.read_exact(&mut reply)?;
                        stream.set_read_timeout(None)?;
                        return Ok((stream, reply));
                    }
                    Err(error) => last = error,
                }
            }
            Err(last)
        };
        let (stream, reply) = match attempt() {
            Ok(answered) => answered,
            Err(error) => return Ok(Err(error.to_string())),
        };
        match read_reply(&reply) {
            Some((Verdict::Welcome, offers)) => Ok(Ok((stream, offers))),
            Some((Verdict::OtherWork, _)) => Err(ConnectError::OtherWork(who())),
            Some((Verdict::OtherProtocol, _)) => Err(ConnectError::OtherProtocol(who())),
            Some((Verdict::Garbled, _)) => Ok(Err("the handshake arrived damaged".into())),
            Some((Verdict::Unexpected, _)) => Err(ConnectError::Unexpected(who())),
            None => Ok(Err("another program answers there".into())),
        }
    }

    /// Accepts the processes with larger numbers that have the same configuration.
    fn accept(&self, listener: &TcpListener) -> Result<(), ConnectError> {
        let mut callers: Vec<Incoming> = Vec::new();
        loop {
            let all_in = (self.handshake.process + 1..self.hosts.count()).all(|process| self.is_connected(process));
            // `connect_all` reports the missing processes.
            if all_in || !self.has_time_left()? {
                return Ok(());
            }
            while let Ok((stream, _)) = listener.accept() {
                if stream.set_nonblocking(true).is_ok() {
                    callers.push(Incoming { stream, received: Vec::new(), until: Instant::now() + HANDSHAKE_TIMEOUT });
                }
            }
            let mut at = 0;
            while at < callers.len() {
                match callers[at].read() {
                    Received::Incomplete => at += 1,
                    Received::Invalid => drop(callers.swap_remove(at)),
                    Received::Handshake(handshake) => self.answer(callers.swap_remove(at).stream, &handshake),
                }
            }
            sleep(POLL_INTERVAL);
        }
    }

    fn answer(&self, mut stream: TcpStream, received: &[u8; HANDSHAKE_BYTES]) {
        let (verdict, process, offers) = self.handshake.check(self.hosts.count(), received);
        let mut connected = self.connected.lock().expect(UNPOISONED);
        let is_awaited = process > self.handshake.process && connected.get(process).is_some_and(Option::is_none);
        let verdict = if verdict == Verdict::Welcome && !is_awaited { Verdict::Unexpected } else { verdict };
        let reply = self.handshake.reply(verdict);
        let replied = stream.set_nonblocking(false).and_then(|()| stream.write_all(&reply));
        if replied.is_ok() && verdict == Verdict::Welcome {
            connected[process] = Some((stream, offers));
        }
    }
}

enum Received {
    Incomplete,
    Invalid,
    Handshake([u8; HANDSHAKE_BYTES]),
}

impl Incoming {
    fn read(&mut self) -> Received {
        let mut bytes = [0; HANDSHAKE_BYTES];
        let most = HANDSHAKE_BYTES - self.received.len();
        match self.stream.read(&mut bytes[..most]) {
            Ok(0) => return Received::Invalid,
            Ok(read) => self.received.extend_from_slice(&bytes[..read]),
            Err(error) if matches!(error.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::Interrupted) => {}
            Err(_) => return Received::Invalid,
        }
        let known = self.received.len().min(MAGIC.len());
        if self.received[..known] != MAGIC[..known] || Instant::now() > self.until {
            return Received::Invalid;
        }
        self.received[..].try_into().map_or(Received::Incomplete, Received::Handshake)
    }
}
