//! Connections between the processes, made before any work begins.
//!
//! Every process listens at its address for those with larger numbers, and calls those with smaller ones until they
//! answer. Whoever calls says what it is and what it works on; whoever is called says whether that is right. Something that
//! is no process of ours is not let in, and does no harm.

use std::fmt;
use std::io::{self, Read as _, Write as _};
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};
use std::thread::sleep;
use std::time::{Duration, Instant};

use socket2::{SockRef, TcpKeepalive};

use crate::handshake::{HANDSHAKE, Handshake, MAGIC, Offers, REPLY, Verdict, read_reply};
use crate::hosts::Hosts;

/// Between two looks at whether somebody called or answered.
const PAUSE: Duration = Duration::from_millis(5);
/// How long a caller may take for its handshake, and whoever is called for its reply.
const HANDSHAKE_TIME: Duration = Duration::from_secs(10);
/// How long one attempt at a connection may take.
const ATTEMPT: Duration = Duration::from_secs(2);
/// How long an address may be taken by somebody else.
const TAKEN: Duration = Duration::from_secs(2);
/// A peer that is silent so long is asked whether it is there, and after some such questions without an answer it is not.
const QUIET: Duration = Duration::from_secs(5);
const BETWEEN_QUESTIONS: Duration = Duration::from_secs(2);
const QUESTIONS: u32 = 4;
/// What was sent and is not acknowledged for so long will not arrive.
const UNACKNOWLEDGED: Duration = Duration::from_secs(20);

/// Why the processes did not come together.
#[derive(Debug)]
#[non_exhaustive]
pub enum ConnectError {
    /// One cannot listen at one's own address.
    Listen {
        /// The address.
        address: String,
        /// Why not.
        error: io::Error,
    },
    /// Some did not come in time.
    Missing {
        /// Who, and why as far as that is known.
        missing: Vec<String>,
        /// How long they were waited for.
        patience: Duration,
    },
    /// A process works on something else.
    OtherWork(String),
    /// A process is of another version.
    OtherProtocol(String),
    /// A process does not expect this one.
    Unexpected(String),
    /// A process was there and is gone.
    Gone(String),
    /// Somebody did not want to wait.
    Interrupted,
}

impl fmt::Display for ConnectError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ConnectError::Listen { address, error } => write!(f, "cannot listen at {address}: {error}"),
            ConnectError::Missing { missing, patience } => {
                write!(f, "not there after {:.0} s: {}", patience.as_secs_f64(), missing.join(", "))
            }
            ConnectError::OtherWork(who) => {
                write!(f, "{who} works on something else: file, options and hosts have to be the same everywhere")
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
    /// One for each process, but for this one.
    pub(crate) sockets: Vec<Option<TcpStream>>,
    /// What everybody can go on from.
    pub(crate) offers: Vec<Offers>,
}

impl Links {
    /// The number of the last thing that all have written down; `None` if there is nothing that all have.
    pub fn agreed(&self) -> Option<u64> {
        let all_have = |number: &u64| self.offers.iter().all(|offers| offers.contains(&Some(*number)));
        self.offers[self.process].into_iter().flatten().filter(all_have).max()
    }

    /// Waits, but not for ever, until the first process has left, if this is another one. Whoever leaves while the others are
    /// still coming together is one that is gone to them, and they would not find out the reason.
    pub fn outstay_first(&self, patience: Duration) {
        if let Some(mut first) = self.sockets.first().and_then(Option::as_ref) {
            let _ = first.set_read_timeout(Some(patience));
            // It has nothing to say any more.
            let _ = first.read(&mut [0]);
        }
    }

    /// Connects this process with all others, within some time, unless `give_up` says so before.
    ///
    /// # Errors
    /// If they do not come together.
    ///
    /// # Panics
    /// If there is no such process.
    pub fn connect(
        hosts: &Hosts,
        handshake: Handshake,
        patience: Duration,
        give_up: &(dyn Fn() -> bool + Sync),
    ) -> Result<Self, ConnectError> {
        let me = handshake.process;
        assert!(me < hosts.count(), "a process has a line among the hosts");
        let meeting = Meeting {
            hosts,
            handshake,
            deadline: Instant::now() + patience,
            patience,
            give_up,
            failed: AtomicBool::new(false),
            connected: Mutex::new((0..hosts.count()).map(|_| None).collect()),
        };
        let listener = if me + 1 < hosts.count() { Some(meeting.listen()?) } else { None };
        std::thread::scope(|scope| {
            let accepting = scope.spawn(|| listener.map_or(Ok(()), |listener| meeting.accept(&listener)));
            let called = meeting.call();
            if called.is_err() {
                meeting.failed.store(true, SeqCst);
            }
            let accepted = accepting.join().expect("accepting does not panic");
            // Whoever failed because the other did knows less.
            called.and(accepted)
        })?;
        let connected = meeting.connected.into_inner().expect("nobody panics with it");
        let (sockets, offers): (Vec<_>, Vec<_>) = connected.into_iter().map(Option::unzip).unzip();
        for socket in sockets.iter().flatten() {
            keep_alive(socket);
        }
        let offers = offers.into_iter().map(|offers| offers.unwrap_or(handshake.offers)).collect();
        Ok(Links { hosts: hosts.clone(), process: me, sockets, offers })
    }
}

/// Has the kernel look after a connection. Where it cannot, the connection works as well as any.
fn keep_alive(socket: &TcpStream) {
    let _ = socket.set_nodelay(true);
    let socket = SockRef::from(socket);
    let keep_alive = TcpKeepalive::new().with_time(QUIET).with_interval(BETWEEN_QUESTIONS);
    #[cfg(not(windows))]
    let keep_alive = keep_alive.with_retries(QUESTIONS);
    let _ = socket.set_tcp_keepalive(&keep_alive);
    #[cfg(target_os = "linux")]
    let _ = socket.set_tcp_user_timeout(Some(UNACKNOWLEDGED));
}

/// The processes while they come together.
struct Meeting<'a> {
    hosts: &'a Hosts,
    handshake: Handshake,
    deadline: Instant,
    patience: Duration,
    give_up: &'a (dyn Fn() -> bool + Sync),
    failed: AtomicBool,
    connected: Mutex<Vec<Option<(TcpStream, Offers)>>>,
}

/// Somebody who called and has not said everything.
struct Caller {
    stream: TcpStream,
    said: Vec<u8>,
    until: Instant,
}

impl Meeting<'_> {
    fn listen(&self) -> Result<TcpListener, ConnectError> {
        let address = self.hosts.address(self.handshake.process);
        let fault = |error| ConnectError::Listen { address: address.into(), error };
        let own = self.hosts.resolve(self.handshake.process).map_err(fault)?;
        // A machine may be known to others by an address that it does not have itself.
        let any = own.iter().map(|address| SocketAddr::from((Ipv4Addr::UNSPECIFIED, address.port())));
        let any: Vec<SocketAddr> = any.collect();
        let bind = || {
            TcpListener::bind(&own[..]).or_else(|error| match error.kind() {
                io::ErrorKind::AddrNotAvailable => TcpListener::bind(&any[..]),
                _ => Err(error),
            })
        };
        // A connection of somebody else may have the port for a moment.
        let until = self.deadline.min(Instant::now() + TAKEN);
        let listener = loop {
            match bind() {
                Err(error) if error.kind() == io::ErrorKind::AddrInUse && Instant::now() < until => sleep(PAUSE),
                bound => break bound.map_err(fault)?,
            }
        };
        listener.set_nonblocking(true).map_err(fault)?;
        Ok(listener)
    }

    /// Whether it goes on; and if not, with what word.
    fn patience(&self) -> Result<bool, ConnectError> {
        if self.failed.load(SeqCst) || (self.give_up)() {
            return Err(ConnectError::Interrupted);
        }
        Ok(Instant::now() < self.deadline)
    }

    fn missing(&self, reasons: &[(usize, String)]) -> ConnectError {
        let sockets = self.connected.lock().expect("nobody panics with it");
        let reason = |process| reasons.iter().find(|(of, _)| *of == process).map(|(_, why)| format!(": {why}"));
        let missing = (0..sockets.len())
            .filter(|&process| process != self.handshake.process && sockets[process].is_none())
            .map(|process| format!("{}{}", self.hosts.named(process), reason(process).unwrap_or_default()))
            .collect();
        ConnectError::Missing { missing, patience: self.patience }
    }

    fn is_connected(&self, process: usize) -> bool {
        self.connected.lock().expect("nobody panics with it")[process].is_some()
    }

    /// Whether somebody who was connected has left.
    fn check_connected(&self) -> Result<(), ConnectError> {
        let sockets = self.connected.lock().expect("nobody panics with it");
        for (process, socket) in sockets.iter().enumerate() {
            let Some((socket, _)) = socket else { continue };
            let nobody = |error: io::Error| error.kind() != io::ErrorKind::WouldBlock;
            let _ = socket.set_nonblocking(true);
            let peeked = socket.peek(&mut [0]);
            let _ = socket.set_nonblocking(false);
            if peeked.map_or_else(nobody, |bytes| bytes == 0) {
                return Err(ConnectError::Gone(self.hosts.named(process)));
            }
        }
        Ok(())
    }

    /// Calls everybody with a smaller number, and waits until all others have called.
    fn call(&self) -> Result<(), ConnectError> {
        let mut reasons: Vec<(usize, String)> = Vec::new();
        loop {
            for process in 0..self.handshake.process {
                if self.is_connected(process) {
                    continue;
                }
                match self.try_call(process)? {
                    Ok(connection) => {
                        self.connected.lock().expect("nobody panics with it")[process] = Some(connection);
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
            if !self.patience()? {
                return Err(self.missing(&reasons));
            }
            sleep(PAUSE);
        }
    }

    /// One attempt: the connection, or why there is none yet.
    fn try_call(&self, process: usize) -> Result<Result<(TcpStream, Offers), String>, ConnectError> {
        let who = || self.hosts.named(process);
        let attempt = || -> io::Result<(TcpStream, [u8; REPLY])> {
            let mut last = io::Error::new(io::ErrorKind::NotFound, "the name has no address");
            for address in self.hosts.resolve(process)? {
                match TcpStream::connect_timeout(&address, ATTEMPT) {
                    Ok(mut stream) => {
                        stream.set_read_timeout(Some(HANDSHAKE_TIME))?;
                        stream.write_all(&self.handshake.call(self.hosts.count()))?;
                        let mut reply = [0; REPLY];
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
            Some((Verdict::Unexpected, _)) => Err(ConnectError::Unexpected(who())),
            None => Ok(Err("something else answers there".into())),
        }
    }

    /// Lets in everybody with a larger number who works on the same.
    fn accept(&self, listener: &TcpListener) -> Result<(), ConnectError> {
        let mut callers: Vec<Caller> = Vec::new();
        loop {
            let all_in = (self.handshake.process + 1..self.hosts.count()).all(|process| self.is_connected(process));
            // `call` says who is missing.
            if all_in || !self.patience()? {
                return Ok(());
            }
            while let Ok((stream, _)) = listener.accept() {
                if stream.set_nonblocking(true).is_ok() {
                    callers.push(Caller { stream, said: Vec::new(), until: Instant::now() + HANDSHAKE_TIME });
                }
            }
            let mut at = 0;
            while at < callers.len() {
                match callers[at].listen() {
                    Heard::NotAll => at += 1,
                    Heard::Nonsense => drop(callers.swap_remove(at)),
                    Heard::Handshake(handshake) => self.judge(callers.swap_remove(at).stream, &handshake),
                }
            }
            sleep(PAUSE);
        }
    }

    fn judge(&self, mut stream: TcpStream, said: &[u8; HANDSHAKE]) {
        let (verdict, process, offers) = self.handshake.judge(self.hosts.count(), said);
        let mut connected = self.connected.lock().expect("nobody panics with it");
        let is_awaited = process > self.handshake.process && connected.get(process).is_some_and(Option::is_none);
        let verdict = if verdict == Verdict::Welcome && !is_awaited { Verdict::Unexpected } else { verdict };
        let reply = self.handshake.reply(verdict);
        let replied = stream.set_nonblocking(false).and_then(|()| stream.write_all(&reply));
        if replied.is_ok() && verdict == Verdict::Welcome {
            connected[process] = Some((stream, offers));
        }
    }
}

enum Heard {
    NotAll,
    Nonsense,
    Handshake([u8; HANDSHAKE]),
}

impl Caller {
    fn listen(&mut self) -> Heard {
        let mut bytes = [0; HANDSHAKE];
        let most = HANDSHAKE - self.said.len();
        match self.stream.read(&mut bytes[..most]) {
            Ok(0) => return Heard::Nonsense,
            Ok(read) => self.said.extend_from_slice(&bytes[..read]),
            Err(error) if matches!(error.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::Interrupted) => {}
            Err(_) => return Heard::Nonsense,
        }
        let known = self.said.len().min(MAGIC.len());
        if self.said[..known] != MAGIC[..known] || Instant::now() > self.until {
            return Heard::Nonsense;
        }
        self.said[..].try_into().map_or(Heard::NotAll, Heard::Handshake)
    }
}
