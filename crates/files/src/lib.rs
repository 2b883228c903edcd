//! The binary file formats of this program: their common header, and the errors of a file that cannot be used.
//!
//! Every file opens with a *header*: eight magic bytes, the version of the format, parameters (strings and numbers,
//! each with an upper limit, so that a damaged length takes no memory), and a checksum of the header. The format
//! defines the rest of the file, which has its own checksums. The messages of [`FileError`] tell a user whether to make
//! the file again (damaged, cut off, older), to get a newer program, or to look for another file.
//!
//! A file gets its name only when it is complete ([`write_whole`]).

mod faults;
mod output;
mod unfinished;

use std::fmt;
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

pub use faults::{Counted, fail_operation, operation, operations};
pub use output::{Output, check_writable, follow_links, is_special, is_standard_stream, scratch_folder, write_whole};
pub use unfinished::{remove_unfinished, temporary_folder};
use xxhash_rust::xxh3::{Xxh3, xxh3_64};

/// A file format.
#[derive(Debug, PartialEq, Eq)]
pub struct Format {
    /// Its name in messages, with an article.
    pub word: &'static str,
    /// The first bytes of every file.
    pub magic: &'static [u8; 8],
    /// The version, which changes with the content or meaning of the files.
    pub version: u32,
}

/// A pattern database.
pub static TABLE: Format = Format { word: "a table", magic: b"admissbl", version: 2 };
/// An atlas: the distance of every state of a space.
pub static ATLAS: Format = Format { word: "an atlas", magic: b"adm.atls", version: 1 };
/// A certificate: a proof that no solution is cheaper.
pub static CERTIFICATE: Format = Format { word: "a certificate", magic: b"adm.cert", version: 2 };
/// A checkpoint of long work, to resume it later.
pub static CHECKPOINT: Format = Format { word: "a checkpoint", magic: b"adm.ckpt", version: 4 };

/// Every format.
pub static FORMATS: &[&Format] = &[&TABLE, &ATLAS, &CERTIFICATE, &CHECKPOINT];

/// Why a file cannot be used.
#[derive(Debug)]
#[non_exhaustive]
pub enum FileError {
    /// It cannot be read or written.
    File(io::Error),
    /// It has another format.
    Foreign {
        /// The expected format, with an article.
        expected: &'static str,
        /// Its format, with an article, if it is one of [`FORMATS`].
        found: Option<&'static str>,
    },
    /// An older program wrote it.
    Older {
        /// The version of its format.
        found: u32,
        /// The version that this program reads.
        reads: u32,
    },
    /// A newer program wrote it.
    Newer {
        /// The version of its format.
        found: u32,
        /// The version that this program reads.
        reads: u32,
    },
    /// It ends too early.
    Truncated {
        /// Its length in bytes.
        found: u64,
        /// The expected length, if known.
        expected: Option<u64>,
    },
    /// It continues after its end.
    Overlong {
        /// Its length in bytes.
        found: u64,
        /// The expected length.
        expected: u64,
    },
    /// A checksum or a value is wrong; the text says in which part of the file.
    Damaged(String),
    /// It is intact, but its content has this name and not the name of the file.
    Name(String),
    /// It is a pipe, a device or a folder.
    NotRegular,
    /// Two passes over it read different bytes.
    Changed,
}

impl fmt::Display for FileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FileError::File(error) => error.fmt(f),
            FileError::Foreign { expected, found: None } => write!(f, "this is not {expected}"),
            FileError::Foreign { expected, found: Some(found) } => write!(f, "this is {found}, not {expected}"),
            FileError::Older { found, reads } => {
                write!(f, "an older version of this program wrote it (format {found}, and this one reads {reads})")
            }
            FileError::Newer { found, reads } => {
                write!(f, "a newer version of this program wrote it (format {found}, and this one reads {reads})")
            }
            FileError::Truncated { found, expected: None } => write!(f, "it is cut off after {found} bytes"),
            FileError::Truncated { found, expected: Some(expected) } => {
                write!(f, "it is cut off: it should have {expected} bytes and has {found}")
            }
            FileError::Overlong { found, expected } => {
                write!(f, "it goes on after its end: it should have {expected} bytes and has {found}")
            }
            FileError::Damaged(place) => write!(f, "it is damaged in {place}"),
            FileError::Name(name) => write!(f, "it holds '{name}'"),
            FileError::NotRegular => f.write_str("it is not a regular file"),
            FileError::Changed => f.write_str("it changed while it was read"),
        }
    }
}

impl std::error::Error for FileError {}

impl From<io::Error> for FileError {
    fn from(error: io::Error) -> Self {
        FileError::File(error)
    }
}

impl FileError {
    /// A damaged header.
    pub fn header() -> Self {
        FileError::Damaged("its header".into())
    }

    /// Compares the length of a file with the expected one.
    ///
    /// # Errors
    /// If they differ.
    pub fn check_length(found: u64, expected: u64) -> Result<(), Self> {
        match found {
            _ if found < expected => Err(FileError::Truncated { found, expected: Some(expected) }),
            _ if found > expected => Err(FileError::Overlong { found, expected }),
            _ => Ok(()),
        }
    }
}

/// Writes a header.
#[derive(Debug)]
pub struct HeaderWriter(Vec<u8>);

impl HeaderWriter {
    /// A header with the magic bytes and the version of a format.
    pub fn new(format: &Format) -> Self {
        let mut bytes = Vec::from(format.magic);
        bytes.extend(format.version.to_le_bytes());
        HeaderWriter(bytes)
    }

    /// Adds a number.
    #[must_use]
    pub fn number(mut self, number: u64) -> Self {
        self.0.extend(number.to_le_bytes());
        self
    }

    /// Adds a string, preceded by its length.
    #[must_use]
    pub fn text(self, text: &str) -> Self {
        let mut header = self.number(text.len() as u64);
        header.0.extend(text.as_bytes());
        header
    }

    /// The bytes, with the checksum at their end.
    pub fn close(mut self) -> Vec<u8> {
        let checksum = xxh3_64(&self.0);
        self.0.extend(checksum.to_le_bytes());
        self.0
    }
}

/// Reads a header.
pub struct HeaderReader<R> {
    reader: R,
    seen: Xxh3,
    length: u64,
}

impl<R: Read> HeaderReader<R> {
    /// Reads the magic bytes and the version, and compares them with a format.
    ///
    /// # Errors
    /// If the file has another format or version, or ends here.
    pub fn new(reader: R, format: &Format) -> Result<Self, FileError> {
        let mut header = HeaderReader { reader, seen: Xxh3::new(), length: 0 };
        let mut magic = Vec::new();
        header.reader.by_ref().take(8).read_to_end(&mut magic)?;
        header.seen.update(&magic);
        header.length = magic.len() as u64;
        if !format.magic.starts_with(&magic) {
            let found = FORMATS.iter().find(|other| other.magic[..] == magic).map(|other| other.word);
            return Err(FileError::Foreign { expected: format.word, found });
        }
        if magic.len() < 8 {
            return Err(FileError::Truncated { found: header.length, expected: None });
        }
        let found = u32::from_le_bytes(header.take(4)?.try_into().expect("take returns four bytes"));
        let reads = format.version;
        match found {
            _ if found < reads => Err(FileError::Older { found, reads }),
            _ if found > reads => Err(FileError::Newer { found, reads }),
            _ => Ok(header),
        }
    }

    /// The next `count` bytes. Allocates no more than the file has, however large `count` is.
    fn take(&mut self, count: u64) -> Result<Vec<u8>, FileError> {
        let mut bytes = Vec::new();
        self.reader.by_ref().take(count).read_to_end(&mut bytes)?;
        self.seen.update(&bytes);
        self.length += bytes.len() as u64;
        if bytes.len() as u64 == count {
            Ok(bytes)
        } else {
            Err(FileError::Truncated { found: self.length, expected: None })
        }
    }

    /// The next number.
    ///
    /// # Errors
    /// If it is greater than `max`, the largest number that is ever written, or missing.
    pub fn number(&mut self, max: u64) -> Result<u64, FileError> {
        let number = u64::from_le_bytes(self.take(8)?.try_into().expect("take returns eight bytes"));
        if number <= max { Ok(number) } else { Err(FileError::header()) }
    }

    /// The next `count` numbers, of any size.
    ///
    /// # Errors
    /// If there are fewer.
    pub fn numbers(&mut self, count: u64) -> Result<Vec<u64>, FileError> {
        let number = |bytes: &[u8]| u64::from_le_bytes(bytes.try_into().expect("chunks of eight"));
        Ok(self.take(count.saturating_mul(8))?.chunks(8).map(number).collect())
    }

    /// The next string.
    ///
    /// # Errors
    /// If it has more than `max_bytes` bytes, is not UTF-8, or is missing.
    pub fn text(&mut self, max_bytes: u64) -> Result<String, FileError> {
        let length = self.number(max_bytes)?;
        String::from_utf8(self.take(length)?).map_err(|_| FileError::header())
    }

    /// Checks the checksum of the header. Returns the reader, which now stands behind the header, and the header's
    /// length.
    ///
    /// # Errors
    /// If the checksum is wrong.
    pub fn close(mut self) -> Result<(R, u64), FileError> {
        let expected = self.seen.digest();
        if self.number(u64::MAX)? == expected { Ok((self.reader, self.length)) } else { Err(FileError::header()) }
    }
}

/// Opens a regular file for reading. A pipe can be read only once, and opening it could wait forever.
///
/// # Errors
/// If it cannot be opened, or is not a regular file.
pub fn open_regular(path: &Path) -> Result<File, FileError> {
    operation()?;
    let mut options = File::options();
    options.read(true);
    // Does not wait for the writer of a pipe; regular files ignore it.
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::custom_flags(&mut options, libc::O_NONBLOCK);
    let file = options.open(path)?;
    if file.metadata()?.is_file() { Ok(file) } else { Err(FileError::NotRegular) }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A file with a header and a body of four bytes.
    fn good() -> Vec<u8> {
        [HeaderWriter::new(&CHECKPOINT).text("{\"bound\":41}").number(4).close(), b"body".to_vec()].concat()
    }

    fn read(bytes: &[u8]) -> Result<(String, Vec<u8>), FileError> {
        let mut header = HeaderReader::new(bytes, &CHECKPOINT)?;
        let (parameters, body_bytes) = (header.text(1 << 24)?, header.number(u64::MAX >> 1)?);
        let (body, header_bytes) = header.close()?;
        FileError::check_length(bytes.len() as u64, header_bytes + body_bytes)?;
        Ok((parameters, body.to_vec()))
    }

    fn message(bytes: &[u8]) -> String {
        read(bytes).expect_err("the file is damaged").to_string()
    }

    #[test]
    fn a_header_is_read_as_it_was_written() {
        assert_eq!(read(&good()).unwrap(), ("{\"bound\":41}".to_string(), b"body".to_vec()));
    }

    #[test]
    fn each_fault_has_its_own_message() {
        let good = good();
        assert_eq!(message(b"P6 640 480"), "this is not a checkpoint");
        assert_eq!(message(b""), "it is cut off after 0 bytes");
        assert_eq!(message(&good[..20]), "it is cut off after 20 bytes");
        let cut = message(&good[..good.len() - 3]);
        assert_eq!(cut, format!("it is cut off: it should have {} bytes and has {}", good.len(), good.len() - 3));
        let longer = message(&[&good[..], b"!"].concat());
        assert!(longer.starts_with("it goes on after its end: it should have "), "{longer}");
        let mut bad = good.clone();
        bad[25] ^= 1;
        assert_eq!(message(&bad), "it is damaged in its header");
        let mut other = good;
        other[8] = 0;
        assert_eq!(message(&other), "an older version of this program wrote it (format 0, and this one reads 4)");
        other[8] = 5;
        assert_eq!(message(&other), "a newer version of this program wrote it (format 5, and this one reads 4)");
        let atlas = HeaderWriter::new(&ATLAS).close();
        assert_eq!(message(&atlas), "this is an atlas, not a checkpoint");
        assert!(matches!(open_regular(Path::new("/no/such/file")), Err(FileError::File(_))));
    }

    #[test]
    fn every_flipped_bit_of_a_header_and_every_truncation_is_detected() {
        let good = good();
        for at in 0..good.len() {
            for bit in (0..8).filter(|_| at < good.len() - 4) {
                let mut bad = good.clone();
                bad[at] ^= 1 << bit;
                message(&bad);
            }
            message(&good[..at]);
        }
    }

    #[test]
    fn a_huge_length_allocates_nothing() {
        let announced = HeaderWriter::new(&CHECKPOINT).number(u64::MAX / 2).close();
        assert_eq!(message(&announced), "it is damaged in its header");
        let announced = HeaderWriter::new(&CHECKPOINT).text("").number(u64::MAX >> 1).close();
        assert!(message(&announced).starts_with("it is cut off: "), "the body is missing");
    }

    #[test]
    fn formats_have_different_magic_bytes_and_names() {
        for (at, format) in FORMATS.iter().enumerate() {
            for other in &FORMATS[..at] {
                assert_ne!(format.magic, other.magic);
                assert_ne!(format.word, other.word);
            }
        }
    }
}
