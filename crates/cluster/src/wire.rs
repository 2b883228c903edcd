//! The frames that carry all bytes between two processes.
//!
//! A frame has a header (the length of its content and a checksum) and its content. The checksum covers the number of
//! the frame, so that a frame that is changed, lost, doubled or out of order is noticed before its content is used. A
//! frame without content is a heartbeat: a thread for each connection sends one whenever nothing else was sent for
//! [`HEARTBEAT`]. A process that is alive is therefore never silent for long, however long it computes.

use std::io::{self, Read, Write};
use std::net::TcpStream;
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};
use std::sync::{Arc, Mutex};
use std::thread::sleep;
use std::time::{Duration, Instant};

use xxhash_rust::xxh3::xxh3_64_with_seed;

/// The longest time without a frame.
pub(crate) const HEARTBEAT: Duration = Duration::from_millis(200);
/// The most bytes in a frame. A greater length comes from a damaged header.
const MAX_CONTENT: usize = 1 << 16;
/// Bytes of a header: the length and the checksum.
const HEADER: usize = 4 + 8;

/// The checksum of a frame with this number.
fn checksum(number: u64, length: [u8; 4], content: &[u8]) -> u64 {
    xxh3_64_with_seed(content, number ^ u64::from(u32::from_le_bytes(length)) << 40)
}

/// The sending half of a connection.
#[derive(Debug)]
pub(crate) struct FrameWriter<W> {
    to: W,
    /// The number of frames sent.
    sent: u64,
    frame: Vec<u8>,
    last: Instant,
}

impl<W: Write> FrameWriter<W> {
    pub(crate) fn new(to: W) -> Self {
        FrameWriter { to, sent: 0, frame: Vec::new(), last: Instant::now() }
    }

    /// Where the frames went.
    pub(crate) fn into_inner(self) -> W {
        self.to
    }

    /// Sends the first of these bytes in a frame; returns their number.
    pub(crate) fn send(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let content = &bytes[..bytes.len().min(MAX_CONTENT)];
        let length = (content.len() as u32).to_le_bytes();
        self.frame.clear();
        self.frame.extend(length);
        self.frame.extend(checksum(self.sent, length, content).to_le_bytes());
        self.frame.extend(content);
        self.to.write_all(&self.frame)?;
        self.sent += 1;
        self.last = Instant::now();
        Ok(content.len())
    }
}

/// Why no more frames can be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Broken {
    /// The connection ended between two frames.
    Closed,
    /// The connection ended within a frame, or failed.
    Gone,
    /// A frame is not what the other process sent.
    Damaged,
    /// `is_too_quiet` returned true.
    Silent,
}

/// The receiving half of a connection.
#[derive(Debug)]
pub(crate) struct FrameReader {
    /// The number of frames received.
    received: u64,
    /// The content of the last frame.
    content: Vec<u8>,
    /// The number of its bytes that were handed out.
    used: usize,
    /// The number of reads in a row that timed out.
    quiet: u32,
}

impl FrameReader {
    pub(crate) fn new() -> Self {
        FrameReader { received: 0, content: Vec::new(), used: 0, quiet: 0 }
    }

    /// Fills `bytes` as far as content has arrived, at least with one byte. `is_too_quiet` gets the number of reads
    /// that timed out in a row, and may end the wait.
    pub(crate) fn read(
        &mut self,
        from: &mut impl Read,
        bytes: &mut [u8],
        is_too_quiet: &mut dyn FnMut(u32) -> bool,
    ) -> Result<usize, Broken> {
        while self.used == self.content.len() {
            self.next(from, is_too_quiet)?;
        }
        let count = bytes.len().min(self.content.len() - self.used);
        bytes[..count].copy_from_slice(&self.content[self.used..][..count]);
        self.used += count;
        Ok(count)
    }

    /// Reads the next frame.
    fn next(&mut self, from: &mut impl Read, is_too_quiet: &mut dyn FnMut(u32) -> bool) -> Result<(), Broken> {
        let mut header = [0; HEADER];
        self.fill(from, &mut header, Broken::Closed, is_too_quiet)?;
        let length: [u8; 4] = header[..4].try_into().expect("four bytes");
        let expected = u64::from_le_bytes(header[4..].try_into().expect("eight bytes"));
        let count = u32::from_le_bytes(length) as usize;
        if count > MAX_CONTENT {
            return Err(Broken::Damaged);
        }
        let mut content = std::mem::take(&mut self.content);
        content.resize(count, 0);
        let filled = self.fill(from, &mut content, Broken::Gone, is_too_quiet);
        (self.content, self.used) = (content, 0);
        filled?;
        if checksum(self.received, length, &self.content) != expected {
            self.content.clear();
            return Err(Broken::Damaged);
        }
        self.received += 1;
        Ok(())
    }

    /// Fills `bytes`; `at_once` is the reason if the connection ends before the first of them.
    fn fill(
        &mut self,
        from: &mut impl Read,
        bytes: &mut [u8],
        at_once: Broken,
        is_too_quiet: &mut dyn FnMut(u32) -> bool,
    ) -> Result<(), Broken> {
        let mut filled = 0;
        while filled < bytes.len() {
            match from.read(&mut bytes[filled..]) {
                Ok(0) if filled == 0 => return Err(at_once),
                Ok(0) => return Err(Broken::Gone),
                Ok(count) => (filled, self.quiet) = (filled + count, 0),
                Err(error) => match error.kind() {
                    io::ErrorKind::Interrupted => {}
                    io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut => self.quiet += 1,
                    _ => return Err(Broken::Gone),
                },
            }
            if is_too_quiet(self.quiet) {
                return Err(Broken::Silent);
            }
        }
        Ok(())
    }
}

/// The sending half of a connection, shared by its threads.
pub(crate) type SharedWriter = Arc<Mutex<FrameWriter<TcpStream>>>;

/// Sends heartbeats from the handshake to the end of the run.
#[derive(Debug, Default)]
pub(crate) struct Heartbeats(Arc<AtomicBool>);

impl Heartbeats {
    /// Starts a thread for a connection.
    ///
    /// # Errors
    /// If there can be no more threads.
    pub(crate) fn begin(&self, writer: SharedWriter) -> io::Result<()> {
        let is_over = Arc::clone(&self.0);
        let beat = move || {
            while !is_over.load(SeqCst) {
                // Whoever holds the lock sends a frame.
                let sent = writer.try_lock().map_or(Ok(0), |mut writer| match writer.last.elapsed() >= HEARTBEAT {
                    true => writer.send(&[]),
                    false => Ok(0),
                });
                // The thread that receives notices the end of the connection.
                if sent.is_err() {
                    return;
                }
                sleep(HEARTBEAT / 4);
            }
        };
        std::thread::Builder::new().name("heartbeat".into()).spawn(beat).map(drop)
    }
}

impl Drop for Heartbeats {
    fn drop(&mut self) {
        self.0.store(true, SeqCst);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sent(parts: &[&[u8]]) -> Vec<u8> {
        let mut writer = FrameWriter::new(Vec::new());
        for mut part in parts.iter().copied() {
            while writer.send(part).map(|count| part = &part[count..]).is_ok() && !part.is_empty() {}
        }
        writer.into_inner()
    }

    /// All content, and why it ended.
    fn received(mut bytes: &[u8]) -> (Vec<u8>, Broken) {
        let (mut reader, mut all, mut some) = (FrameReader::new(), Vec::new(), [0; 7]);
        loop {
            match reader.read(&mut bytes, &mut some, &mut |_| false) {
                Ok(count) => all.extend(&some[..count]),
                Err(broken) => return (all, broken),
            }
        }
    }

    #[test]
    fn content_survives_frames_of_every_size() {
        let long: Vec<u8> = (0..3 * MAX_CONTENT + 5).map(|at| (at % 251) as u8).collect();
        assert_eq!(received(&sent(&[&long])), (long, Broken::Closed));
        assert_eq!(received(&sent(&[b"a", b"", b"", b"bc", b""])), (b"abc".to_vec(), Broken::Closed));
        assert_eq!(received(b""), (Vec::new(), Broken::Closed));
    }

    #[test]
    fn every_changed_bit_and_every_cut_is_noticed_before_the_content_is_used() {
        let parts: [&[u8]; 4] = [b"first", b"", b"second", b"third"];
        let good = sent(&parts);
        let whole = parts.concat();
        for at in 0..good.len() {
            for bit in 0..8 {
                let mut bad = good.clone();
                bad[at] ^= 1 << bit;
                let (content, broken) = received(&bad);
                assert!(whole.starts_with(&content) && content.len() < whole.len(), "byte {at}");
                assert_ne!(broken, Broken::Closed, "byte {at}");
            }
            let (content, _) = received(&good[..at]);
            assert!(whole.starts_with(&content) && content.len() < whole.len(), "cut to {at}");
        }
    }

    #[test]
    fn lost_doubled_and_exchanged_frames_are_noticed() {
        let frames: Vec<Vec<u8>> = {
            let mut writer = FrameWriter::new(Vec::new());
            [b"one", b"two", b"six"].map(|part| (writer.send(part).unwrap(), std::mem::take(&mut writer.to)).1).into()
        };
        for order in [&[0, 2][..], &[1], &[0, 0], &[0, 1, 1], &[1, 0, 2], &[0, 2, 1]] {
            let bytes: Vec<u8> = order.iter().flat_map(|&at| frames[at].clone()).collect();
            assert_eq!(received(&bytes).1, Broken::Damaged, "{order:?}");
        }
        assert_eq!(received(&frames.concat()), (b"onetwosix".to_vec(), Broken::Closed));
    }

    /// A connection on which nothing arrives.
    struct Quiet;

    impl Read for Quiet {
        fn read(&mut self, _bytes: &mut [u8]) -> io::Result<usize> {
            Err(io::ErrorKind::WouldBlock.into())
        }
    }

    #[test]
    fn silence_is_counted() {
        let mut most = 0;
        let read = FrameReader::new().read(&mut Quiet, &mut [0], &mut |quiet| {
            most = quiet;
            quiet == 5
        });
        assert_eq!((read, most), (Err(Broken::Silent), 5));
    }
}
