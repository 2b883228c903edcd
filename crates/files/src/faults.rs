//! File operations that fail on purpose: a test has each of them fail in turn, as on a disk that is full or breaks.

use std::io::{self, Read, Write};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

static DONE: AtomicU64 = AtomicU64::new(0);
static FAILING: AtomicU64 = AtomicU64::new(u64::MAX);

/// Has the file operation of this number, counted from 0, fail.
pub fn fail_operation(number: u64) {
    FAILING.store(number, Relaxed);
}

/// The number of file operations of this process so far.
pub fn operations() -> u64 {
    DONE.load(Relaxed)
}

/// Counts a file operation. To be called before each one that opens, creates, reads, writes, renames or removes.
///
/// # Errors
/// If this operation is to fail.
pub fn operation() -> io::Result<()> {
    let is_to_fail = DONE.fetch_add(1, Relaxed) == FAILING.load(Relaxed);
    if is_to_fail { Err(io::ErrorKind::StorageFull.into()) } else { Ok(()) }
}

/// A file whose reads and writes are counted operations.
#[derive(Debug)]
pub struct Counted<F>(pub F);

impl<F: Read> Read for Counted<F> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        operation()?;
        self.0.read(bytes)
    }
}

impl<F: Write> Write for Counted<F> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        operation()?;
        self.0.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}
