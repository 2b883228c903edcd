//! Checkpoints: the state of long work in a file, to resume it later.
//!
//! A file holds a description of the [`Work`], its progress, and for tables and whole spaces a body with all their
//! bytes, each with a checksum. A new checkpoint is written beside the old one and takes its name when it is complete,
//! so one of the two always exists.
//!
//! Checksums detect damage, not intent. A person who can write the file can state any bound as proved, so an answer
//! that rests on a checkpoint is only as trustworthy as the people who can write the file. The description of the work
//! is data: it names no file, no address and no command line, so a forged checkpoint cannot start anything else.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, BufReader, Read, Seek as _, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::Duration;

use admissible::platform::Timestamp;
use admissible_files::{CHECKPOINT, FileError, HeaderReader, HeaderWriter, follow_links, open_regular, write_whole};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use xxhash_rust::xxh3::Xxh3;

/// The longest description of work and progress, in bytes. A longer one comes from a damaged file.
const MAX_CONTENT_BYTES: u64 = 1 << 30;

/// The work that a checkpoint continues.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Work {
    /// The kind of work, such as `solve`.
    pub kind: String,
    /// The file, puzzle or partition that it works on, as the user named it. A file of that name is not read again.
    pub target: String,
    /// The text of that file.
    pub text: Option<String>,
    /// The relevant options by name: the value as it was typed, `None` for a switch.
    pub options: BTreeMap<String, Option<String>>,
}

/// The JSON at the head of a checkpoint.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Content {
    work: Work,
    progress: Value,
}

/// A checkpoint that was read and verified.
#[derive(Debug)]
pub struct Checkpoint {
    /// The work that it continues.
    pub work: Work,
    /// The progress of the work.
    pub progress: Value,
    file: File,
    body_begins: u64,
    body_bytes: u64,
}

impl Checkpoint {
    /// Reads a checkpoint and verifies every byte of it.
    ///
    /// # Errors
    /// If it cannot be read, or is damaged.
    pub fn read(path: &Path) -> Result<Self, FileError> {
        let file = open_regular(path)?;
        let length = file.metadata()?.len();
        let mut header = HeaderReader::new(BufReader::new(file), &CHECKPOINT)?;
        let text = header.text(MAX_CONTENT_BYTES)?;
        let (body_bytes, checksum) = (header.number(u64::MAX >> 1)?, header.number(u64::MAX)?);
        let (mut reader, body_begins) = header.close()?;
        FileError::check_length(length, body_begins + body_bytes)?;
        let mut seen = Xxh3::new();
        let mut buffer = vec![0; CHUNK];
        let mut left = body_bytes;
        while left > 0 {
            let chunk = &mut buffer[..left.min(CHUNK as u64) as usize];
            reader.read_exact(chunk)?;
            seen.update(chunk);
            left -= chunk.len() as u64;
        }
        if checksum != seen.digest() {
            return Err(FileError::Damaged("its body".into()));
        }
        let Content { work, progress } = serde_json::from_str(&text).map_err(|_| FileError::header())?;
        Ok(Checkpoint { work, progress, file: reader.into_inner(), body_begins, body_bytes })
    }

    /// Whether there is a body.
    pub fn has_body(&self) -> bool {
        self.body_bytes > 0
    }

    /// A reader of the body. It stays valid if a newer checkpoint replaces the file.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn body(&self) -> io::Result<impl Read + use<>> {
        let mut file = self.file.try_clone()?;
        file.seek(SeekFrom::Start(self.body_begins))?;
        Ok(BufReader::with_capacity(CHUNK, file.take(self.body_bytes)))
    }
}

/// Bytes that are read at once.
const CHUNK: usize = 1 << 16;

/// A writer that also computes a checksum.
struct ChecksumWriter<'a> {
    out: &'a mut dyn Write,
    seen: Xxh3,
    bytes: u64,
}

impl Write for ChecksumWriter<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.out.write(bytes)?;
        self.seen.update(&bytes[..written]);
        self.bytes += written as u64;
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

/// Writes the checkpoints of some work to one file.
pub struct CheckpointWriter {
    path: PathBuf,
    work: Work,
    every: Duration,
    /// When the next one is due; `None` for never.
    next: Mutex<Option<Timestamp>>,
    /// Called with a message if a checkpoint could not be written. The work continues, and the last checkpoint remains.
    on_failure: Box<dyn Fn(String) + Send + Sync>,
}

impl std::fmt::Debug for CheckpointWriter {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("CheckpointWriter").field("path", &self.path).finish_non_exhaustive()
    }
}

impl CheckpointWriter {
    /// A writer of one checkpoint every `every`.
    pub fn new(path: PathBuf, work: Work, every: Duration, on_failure: Box<dyn Fn(String) + Send + Sync>) -> Self {
        // The target of a symbolic link is written and, at the end, removed; the link stays.
        let path = follow_links(&path).unwrap_or(path);
        let next = Mutex::new(Timestamp::now().after(every));
        CheckpointWriter { path, work, every, next, on_failure }
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Whether it is time for the next one.
    pub fn is_due(&self) -> bool {
        self.next.lock().is_ok_and(|next| next.is_some_and(|next| Timestamp::now() >= next))
    }

    /// Writes a checkpoint without a body.
    ///
    /// # Errors
    /// If the disk is full, or the folder cannot be written to. The last checkpoint then remains.
    pub fn write(&self, progress: &Value) -> io::Result<()> {
        self.write_with(progress, &mut |_| Ok(()))
    }

    /// Writes a checkpoint with a body.
    ///
    /// # Errors
    /// If the disk is full, or the folder cannot be written to. The last checkpoint then remains.
    pub fn write_with(
        &self,
        progress: &Value,
        body: &mut dyn FnMut(&mut dyn Write) -> io::Result<()>,
    ) -> io::Result<()> {
        let content = json!({ "work": self.work, "progress": progress });
        let content = content.to_string();
        let header =
            |bytes, checksum| HeaderWriter::new(&CHECKPOINT).text(&content).number(bytes).number(checksum).close();
        let written = write_whole(&self.path, |out| {
            // The header's numbers are known once the body is written; its length does not depend on them.
            out.write_all(&header(0, 0))?;
            let mut checksum = ChecksumWriter { out, seen: Xxh3::new(), bytes: 0 };
            body(&mut checksum)?;
            let header = header(checksum.bytes, checksum.seen.digest());
            out.seek(SeekFrom::Start(0))?;
            out.write_all(&header)
        });
        // The interval begins after the write, so that slow writes leave time for the work.
        if let Ok(mut next) = self.next.lock() {
            *next = Timestamp::now().after(self.every);
        }
        written
    }

    /// Writes a checkpoint with a body, and reports a failure to the callback instead of returning it.
    pub fn save_with(&self, progress: &Value, body: &mut dyn FnMut(&mut dyn Write) -> io::Result<()>) {
        if let Err(error) = self.write_with(progress, body) {
            (self.on_failure)(format!("{}: the checkpoint was not written: {error}", self.path.display()));
        }
    }

    /// Removes the file, once the work is finished.
    pub fn remove(&self) {
        let _ = std::fs::remove_file(&self.path);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn checkpoints(path: PathBuf) -> CheckpointWriter {
        let options = BTreeMap::from([("heuristic".into(), Some("zero".into())), ("boards".into(), None)]);
        let text = Some("1 2\n3 0\n".into());
        let work = Work { kind: "solve".into(), target: "a b.txt".into(), text, options };
        CheckpointWriter::new(path, work, Duration::ZERO, Box::new(|message| panic!("{message}")))
    }

    #[test]
    fn checkpoints_are_read_as_they_were_written() {
        let folder = tempfile::tempdir().unwrap();
        let checkpoints = checkpoints(folder.path().join("some.checkpoint"));
        assert!(checkpoints.is_due());
        for body in [vec![], vec![7], (0..200_000).map(|at| at as u8).collect::<Vec<u8>>()] {
            checkpoints.save_with(&json!({ "bound": u64::MAX }), &mut |out| out.write_all(&body));
            let read = Checkpoint::read(checkpoints.path()).unwrap();
            assert_eq!((&read.work, read.progress["bound"].as_u64()), (&checkpoints.work, Some(u64::MAX)));
            assert_eq!(read.has_body(), !body.is_empty());
            // The next checkpoint does not affect the one that was read.
            checkpoints.save_with(&json!(null), &mut |_| Ok(()));
            let mut found = Vec::new();
            read.body().unwrap().read_to_end(&mut found).unwrap();
            assert!(found == body);
        }
        checkpoints.remove();
        assert!(matches!(Checkpoint::read(checkpoints.path()), Err(FileError::File(_))));
    }

    #[cfg(unix)]
    #[test]
    fn a_link_to_a_checkpoint_stays_a_link() {
        let folder = tempfile::tempdir().unwrap();
        let link = folder.path().join("link");
        std::os::unix::fs::symlink("target", &link).unwrap();
        let checkpoints = checkpoints(link.clone());
        checkpoints.save_with(&json!(null), &mut |_| Ok(()));
        assert!(Checkpoint::read(&folder.path().join("target")).is_ok());
        checkpoints.remove();
        assert!(link.is_symlink() && !link.exists(), "the target is gone, the link is not");
    }

    #[test]
    fn every_damage_is_detected() {
        let folder = tempfile::tempdir().unwrap();
        let checkpoints = checkpoints(folder.path().join("some.checkpoint"));
        checkpoints.save_with(&json!({ "bound": 41 }), &mut |out| out.write_all(b"the body"));
        let good = std::fs::read(checkpoints.path()).unwrap();
        for at in 0..good.len() {
            let mut bad = good.clone();
            bad[at] ^= 4;
            std::fs::write(checkpoints.path(), &bad).unwrap();
            Checkpoint::read(checkpoints.path()).expect_err("a bit is flipped");
            std::fs::write(checkpoints.path(), &good[..at]).unwrap();
            Checkpoint::read(checkpoints.path()).expect_err("it is cut off");
        }
        std::fs::write(checkpoints.path(), [&good[..], b"!"].concat()).unwrap();
        Checkpoint::read(checkpoints.path()).expect_err("it is too long");
    }
}
