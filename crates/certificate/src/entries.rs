//! States with their `g`, in increasing order, as a stream of bytes.
//!
//! A state is the difference to the one before and its `g`, both seven bits a byte. They go into blocks: the length, a
//! checksum, the bytes. A block of length 0 ends them, and after it stand the number of states and a checksum of
//! everything, with what was before the first block. Certificates are kept like that, and so is what is sorted on disk.

use std::io::{self, Read, Write};

use admissible_files::FileError;
use xxhash_rust::xxh3::{Xxh3, xxh3_64};

use crate::{Cost, Number, Written};

/// A block is written when it has so many bytes; an entry has at most 33.
const BLOCK: usize = 1 << 16;
const LARGEST_BLOCK: usize = BLOCK + 64;

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
    /// Goes on after `before`, which was written already.
    pub(crate) fn new(out: W, before: &[u8]) -> Self {
        let mut whole = Xxh3::new();
        whole.update(before);
        let (block, bytes) = (Vec::with_capacity(LARGEST_BLOCK), before.len() as u64);
        EntryWriter { out, whole, block, last: Number::default(), entries: 0, bytes }
    }

    /// Adds a state that is greater than the last one.
    pub(crate) fn put(&mut self, state: Number, g: Cost) -> io::Result<()> {
        debug_assert!(self.entries == 0 || state > self.last, "states come in increasing order");
        state.minus(self.last).put(&mut self.block);
        Number::from(u64::from(g)).put(&mut self.block);
        self.last = state;
        self.entries += 1;
        if self.block.len() >= BLOCK { self.close_block() } else { Ok(()) }
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

    /// Writes the end. The bytes count with what was written before the first entry.
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

/// Reads entries. No more than a block is in memory, whatever the file says.
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
    /// Goes on after `before`, which was read already.
    pub(crate) fn new(source: R, before: &[u8]) -> Self {
        let mut whole = Xxh3::new();
        whole.update(before);
        EntryReader {
            source,
            whole,
            offset: before.len() as u64,
            block: Vec::new(),
            at: 0,
            blocks: 0,
            last: Number::default(),
            entries: 0,
            ended: false,
        }
    }

    /// What the entries were read from.
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

    /// The next entry; `None` after the last one, if all that was read is what was written.
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
        let good = entry.and_then(|(difference, g)| {
            let grows = self.entries == 0 || difference > Number::default();
            let Number([0, 0, g]) = g else { return None };
            Some((self.last.plus(difference).filter(|_| grows)?, Cost::try_from(g).ok()?))
        });
        let (state, g) = good.ok_or_else(|| self.damaged())?;
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
        if length > LARGEST_BLOCK {
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
