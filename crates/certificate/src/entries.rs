//! States with their `g`, in increasing order, as a stream of bytes: the format of certificates and of the runs of the
//! external sort.
//!
//! An entry is the difference to the previous state and the `g` of the state, both in LEB128 (seven bits a byte).
//! Entries are packed into blocks, each with its length and a checksum. A block of length 0 ends the stream; the number
//! of states and a checksum of the whole file, header included, follow it.

use std::io::{self, Read, Write};

use admissible_files::FileError;
use xxhash_rust::xxh3::{Xxh3, xxh3_64};

use crate::{Cost, Number, Written};

/// A block is written once it has at least this many bytes.
const BLOCK_BYTES: usize = 1 << 16;
/// An entry has at most 33 bytes.
const MAX_BLOCK_BYTES: usize = BLOCK_BYTES + 64;

/// Writes entries.
pub(crate) struct EntryWriter<W> {
    out: W,
    whole: Xxh3,
    block: Vec<u8>,
    last: Number,
    entries: u64,
    bytes: u64,
}

impl<W: Write> EntryWriter<W> {
    /// Continues after `header`, which was already written.
    pub(crate) fn new(out: W, header: &[u8]) -> Self {
        let mut whole = Xxh3::new();
        whole.update(header);
        let (block, bytes) = (Vec::with_capacity(MAX_BLOCK_BYTES), header.len() as u64);
        EntryWriter { out, whole, block, last: Number::default(), entries: 0, bytes }
    }

    /// Adds a state that is greater than the last one.
    pub(crate) fn put(&mut self, state: Number, g: Cost) -> io::Result<()> {
        debug_assert!(self.entries == 0 || state > self.last, "states come in increasing order");
        state.minus(self.last).put(&mut self.block);
        Number::from(u64::from(g)).put(&mut self.block);
        self.last = state;
        self.entries += 1;
        if self.block.len() >= BLOCK_BYTES { self.close_block() } else { Ok(()) }
    }

    fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.whole.update(bytes);
        self.bytes += bytes.len() as u64;
        self.out.write_all(bytes)
    }

    fn close_block(&mut self) -> io::Result<()> {
        if self.block.is_empty() {
            return Ok(());
        }
        let block = std::mem::take(&mut self.block);
        self.write(&(block.len() as u32).to_le_bytes())?;
        self.write(&xxh3_64(&block).to_le_bytes())?;
        self.write(&block)?;
        self.block = block;
        self.block.clear();
        Ok(())
    }

    /// Writes the end of the stream. The bytes that it returns include the header.
    pub(crate) fn finish(mut self) -> io::Result<Written> {
        self.close_block()?;
        self.write(&0_u32.to_le_bytes())?;
        self.write(&self.entries.to_le_bytes())?;
        let whole = self.whole.digest();
        self.write(&whole.to_le_bytes())?;
        self.out.flush()?;
        Ok(Written { states: self.entries, bytes: self.bytes })
    }
}

/// Reads entries. Holds at most one block in memory, whatever lengths the file states.
pub(crate) struct EntryReader<R> {
    source: R,
    whole: Xxh3,
    offset: u64,
    block: Vec<u8>,
    at: usize,
    blocks: u64,
    last: Number,
    entries: u64,
    ended: bool,
}

impl<R: Read> EntryReader<R> {
    /// Continues after `header`, which was already read.
    pub(crate) fn new(source: R, header: &[u8]) -> Self {
        let mut whole = Xxh3::new();
        whole.update(header);
        EntryReader {
            source,
            whole,
            offset: header.len() as u64,
            block: Vec::new(),
            at: 0,
            blocks: 0,
            last: Number::default(),
            entries: 0,
            ended: false,
        }
    }

    /// The underlying reader.
    pub(crate) fn into_source(self) -> R {
        self.source
    }

    fn damaged(&self) -> FileError {
        FileError::Damaged(format!("block {} of its states", self.blocks))
    }

    fn take<const N: usize>(&mut self) -> Result<[u8; N], FileError> {
        let mut bytes = [0; N];
        self.fill(&mut bytes)?;
        Ok(bytes)
    }

    fn fill(&mut self, bytes: &mut [u8]) -> Result<(), FileError> {
        match self.source.read_exact(bytes) {
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => {
                Err(FileError::Truncated { found: self.offset, expected: None })
            }
            Err(error) => Err(error.into()),
            Ok(()) => {
                self.offset += bytes.len() as u64;
                Ok(())
            }
        }
    }

    /// The next entry; `None` after the last one, once every checksum was verified.
    pub(crate) fn next(&mut self) -> Result<Option<(Number, Cost)>, FileError> {
        if self.ended {
            return Ok(None);
        }
        if self.at == self.block.len() && !self.next_block()? {
            self.ended = true;
            return Ok(None);
        }
        let mut rest = &self.block[self.at..];
        let entry = Number::take(&mut rest).zip(Number::take(&mut rest));
        self.at = self.block.len() - rest.len();
        let valid = entry.and_then(|(difference, g)| {
            let increases = self.entries == 0 || difference > Number::default();
            let Number([0, 0, g]) = g else { return None };
            Some((self.last.plus(difference).filter(|_| increases)?, Cost::try_from(g).ok()?))
        });
        let (state, g) = valid.ok_or_else(|| self.damaged())?;
        self.last = state;
        self.entries += 1;
        Ok(Some((state, g)))
    }

    fn next_block(&mut self) -> Result<bool, FileError> {
        self.blocks += 1;
        let length: [u8; 4] = self.take()?;
        self.whole.update(&length);
        let length = u32::from_le_bytes(length) as usize;
        if length == 0 {
            self.check_end()?;
            return Ok(false);
        }
        if length > MAX_BLOCK_BYTES {
            return Err(self.damaged());
        }
        let checksum: [u8; 8] = self.take()?;
        let mut block = std::mem::take(&mut self.block);
        block.resize(length, 0);
        self.fill(&mut block)?;
        self.whole.update(&checksum);
        self.whole.update(&block);
        (self.block, self.at) = (block, 0);
        if xxh3_64(&self.block) == u64::from_le_bytes(checksum) { Ok(true) } else { Err(self.damaged()) }
    }

    fn check_end(&mut self) -> Result<(), FileError> {
        let entries: [u8; 8] = self.take()?;
        self.whole.update(&entries);
        let expected = self.whole.digest();
        let whole: [u8; 8] = self.take()?;
        if u64::from_le_bytes(entries) != self.entries || u64::from_le_bytes(whole) != expected {
            return Err(FileError::Damaged("its end, or blocks of it are missing".into()));
        }
        let more = io::copy(&mut self.source, &mut io::sink())?;
        FileError::check_length(self.offset + more, self.offset)
    }
}
