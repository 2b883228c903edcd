//! Files that are ours: how each begins, and what is said of one that cannot be used.
//!
//! Every file opens with a *header*: eight bytes that say what it is, the version of its format, parameters (texts and
//! numbers, each of them bounded when it is read, so that a damaged length takes no memory), and a checksum of all
//! that. What follows is the business of the format, and has checksums of its own. The writer and the reader of headers
//! live here, and so do the words for what can be wrong: a reader of these words knows whether to make the file anew
//! (damaged, cut off, older), to get a newer program, or to look for the right file.
//!
//! Small files are written and read whole ([`write_sealed`], [`read_sealed`]). A file gets its name only when it is
//! complete ([`write_whole`]).

mod output;
mod unfinished;

use std::fmt;
use std::fs::File;
use std::io::{self, Read, Write as _};
use std::path::Path;

pub use output::{Output, check_writable, follow_links, is_special, is_standard_stream, scratch_folder, write_whole};
pub use unfinished::remove_unfinished;
use xxhash_rust::xxh3::{Xxh3, xxh3_64};

/// A kind of file.
#[derive(Debug, PartialEq, Eq)]
pub struct Format {
    /// What it is called in messages, with its article.
    pub word: &'static str,
    /// The first bytes of every such file.
    pub magic: &'static [u8; 8],
    /// Changes whenever what a file means changes.
    pub version: u32,
}

/// A pattern database.
pub static TABLE: Format = Format { word: "a table", magic: b"admissbl", version: 2 };
/// The distance of every state of a space.
pub static ATLAS: Format = Format { word: "an atlas", magic: b"adm.atls", version: 1 };
/// A proof that nothing is cheaper.
pub static CERTIFICATE: Format = Format { word: "a certificate", magic: b"adm.cert", version: 2 };
/// Work that goes on later.
pub static CHECKPOINT: Format = Format { word: "a checkpoint", magic: b"adm.ckpt", version: 4 };

/// All of them, to tell one from another.
pub static FORMATS: &[&Format] = &[&TABLE, &ATLAS, &CERTIFICATE, &CHECKPOINT];

/// Why a file is not used.
#[derive(Debug)]
#[non_exhaustive]
pub enum FileError {
    /// It cannot be read or written.
    File(io::Error),
    /// It is not what was expected.
    Foreign {
        /// What was expected.
        expected: &'static str,
        /// What else of ours it is, if that.
        found: Option<&'static str>,
    },
    /// It was written by an older program.
    Older {
        /// The version of its format.
        found: u32,
        /// The version that is read.
        reads: u32,
    },
    /// It was written by a newer program.
    Newer {
        /// The version of its format.
        found: u32,
        /// The version that is read.
        reads: u32,
    },
    /// It ends too early.
    Truncated {
        /// The bytes that are there.
        found: u64,
        /// The bytes that should be, if that much is known.
        expected: Option<u64>,
    },
    /// It goes on after its end.
    Overlong {
        /// The bytes that are there.
        found: u64,
        /// The bytes that should be.
        expected: u64,
    },
    /// It is not what was written; where.
    Damaged(String),
    /// It is whole and holds something else than its name says.
    Name(String),
    /// It is a pipe, a device or a folder.
    NotRegular,
    /// Two readings of it found different bytes.
    Changed,
}

impl fmt::Display for FileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FileError::File(error) => error.fmt(f),
            FileError::Foreign { expected, found: None } => {
                let (_, noun) = expected.split_once(' ').unwrap_or(("", expected));
                write!(f, "this is no {noun} of ours")
            }
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
    /// That something is wrong in the header.
    pub fn header() -> Self {
        FileError::Damaged("its header".into())
    }

    /// Compares the length of a file with what its header says.
    ///
    /// # Errors
    /// If it is another.
    pub fn check_length(found: u64, expected: u64) -> Result<(), Self> {
        match found {
            _ if found < expected => Err(FileError::Truncated { found, expected: Some(expected) }),
            _ if found > expected => Err(FileError::Overlong { found, expected }),
            _ => Ok(()),
        }
    }
}

/// A header in the making.
#[derive(Debug)]
pub struct HeaderWriter(Vec<u8>);

impl HeaderWriter {
    /// What every file of the format begins with.
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

    /// Adds a text after its length.
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

/// A header that is being read.
pub struct HeaderReader<R> {
    reader: R,
    seen: Xxh3,
    length: u64,
}

impl<R: Read> HeaderReader<R> {
    /// Looks at what every file of the format begins with.
    ///
    /// # Errors
    /// If it is another format or another version of it, or ends here.
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
        let found = u32::from_le_bytes(header.take(4)?.try_into().expect("four were taken"));
        let reads = format.version;
        match found {
            _ if found < reads => Err(FileError::Older { found, reads }),
            _ if found > reads => Err(FileError::Newer { found, reads }),
            _ => Ok(header),
        }
    }

    /// The next bytes. No more memory is taken than there are bytes, whatever was announced.
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
    /// If it is greater than any that is ever written, or not there.
    pub fn number(&mut self, most: u64) -> Result<u64, FileError> {
        let number = u64::from_le_bytes(self.take(8)?.try_into().expect("eight were taken"));
        if number <= most { Ok(number) } else { Err(FileError::header()) }
    }

    /// The next numbers, any of them.
    ///
    /// # Errors
    /// If they are not there.
    pub fn numbers(&mut self, count: u64) -> Result<Vec<u64>, FileError> {
        let number = |bytes: &[u8]| u64::from_le_bytes(bytes.try_into().expect("chunks of eight"));
        Ok(self.take(count.saturating_mul(8))?.chunks(8).map(number).collect())
    }

    /// The next text.
    ///
    /// # Errors
    /// If it is longer than any that is ever written, no text, or not there.
    pub fn text(&mut self, longest: u64) -> Result<String, FileError> {
        let length = self.number(longest)?;
        String::from_utf8(self.take(length)?).map_err(|_| FileError::header())
    }

    /// Checks the whole header. The reader stands behind it now, so many bytes after the beginning of the file.
    ///
    /// # Errors
    /// If it is not what was written.
    pub fn close(mut self) -> Result<(R, u64), FileError> {
        let expected = self.seen.digest();
        if self.number(u64::MAX)? == expected { Ok((self.reader, self.length)) } else { Err(FileError::header()) }
    }
}

/// Opens a regular file for reading. A pipe would give its bytes only once, and opening it could wait forever.
///
/// # Errors
/// If it cannot be opened, or is not a regular file.
pub fn open_regular(path: &Path) -> Result<File, FileError> {
    let mut options = File::options();
    options.read(true);
    // Does not wait for the writer of a pipe; regular files ignore it.
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::custom_flags(&mut options, libc::O_NONBLOCK);
    let file = options.open(path)?;
    if file.metadata()?.is_file() { Ok(file) } else { Err(FileError::NotRegular) }
}

/// The longest parameters of a small file.
const LONGEST_PARAMETERS: u64 = 1 << 24;

/// Writes a small file: parameters and a body, both under checksums.
///
/// # Errors
/// If the disk is full, or the folder cannot be written to.
pub fn write_sealed(path: &Path, format: &Format, parameters: &str, body: &[u8]) -> Result<(), FileError> {
    let header = HeaderWriter::new(format).text(parameters).number(body.len() as u64).number(xxh3_64(body)).close();
    write_whole(path, |file| {
        file.write_all(&header)?;
        file.write_all(body)
    })?;
    Ok(())
}

/// Reads a file that [`write_sealed`] wrote: its parameters and its body.
///
/// # Errors
/// If it cannot be read, or is not what was written.
pub fn read_sealed(path: &Path, format: &Format) -> Result<(String, Vec<u8>), FileError> {
    let file = open_regular(path)?;
    unseal(&file, file.metadata()?.len(), format)
}

/// Reads what [`write_sealed`] wrote from any source, of which the length is known.
///
/// # Errors
/// If it cannot be read, or is not what was written.
pub fn unseal(source: impl Read, length: u64, format: &Format) -> Result<(String, Vec<u8>), FileError> {
    let mut header = HeaderReader::new(io::BufReader::new(source), format)?;
    let parameters = header.text(LONGEST_PARAMETERS)?;
    let body_bytes = header.number(u64::MAX >> 1)?;
    let checksum = header.number(u64::MAX)?;
    let (mut source, header_bytes) = header.close()?;
    FileError::check_length(length, header_bytes + body_bytes)?;
    let mut body = Vec::new();
    source.read_to_end(&mut body)?;
    FileError::check_length(body.len() as u64, body_bytes)?;
    if xxh3_64(&body) == checksum { Ok((parameters, body)) } else { Err(FileError::Damaged("its body".into())) }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    fn sealed() -> (tempfile::TempDir, std::path::PathBuf, Vec<u8>) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("some.ckpt");
        write_sealed(&path, &CHECKPOINT, "{\"bound\":41}", b"what there is to know").unwrap();
        let bytes = fs::read(&path).unwrap();
        (folder, path, bytes)
    }

    fn said(bytes: &[u8]) -> String {
        unseal(bytes, bytes.len() as u64, &CHECKPOINT).expect_err("it is not what was written").to_string()
    }

    #[test]
    fn what_is_sealed_comes_back() {
        let (folder, path, bytes) = sealed();
        let (parameters, body) = read_sealed(&path, &CHECKPOINT).unwrap();
        assert_eq!((parameters.as_str(), &body[..]), ("{\"bound\":41}", &b"what there is to know"[..]));
        assert_eq!(unseal(&bytes[..], bytes.len() as u64, &CHECKPOINT).unwrap(), (parameters, body));
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "nothing unfinished is left");
    }

    #[test]
    fn each_fault_has_its_own_words() {
        let (_folder, path, good) = sealed();
        assert_eq!(said(b"P6 640 480"), "this is no checkpoint of ours");
        assert_eq!(said(b""), "it is cut off after 0 bytes");
        assert_eq!(said(&good[..20]), "it is cut off after 20 bytes");
        let cut = said(&good[..good.len() - 3]);
        assert_eq!(cut, format!("it is cut off: it should have {} bytes and has {}", good.len(), good.len() - 3));
        let longer = said(&[&good[..], b"!"].concat());
        assert!(longer.starts_with("it goes on after its end: it should have "), "{longer}");
        let mut bad = good.clone();
        bad[25] ^= 1;
        assert_eq!(said(&bad), "it is damaged in its header");
        let mut bad = good.clone();
        *bad.last_mut().unwrap() ^= 1;
        assert_eq!(said(&bad), "it is damaged in its body");
        let mut other = good.clone();
        other[8] = 0;
        assert_eq!(said(&other), "an older version of this program wrote it (format 0, and this one reads 4)");
        other[8] = 5;
        assert_eq!(said(&other), "a newer version of this program wrote it (format 5, and this one reads 4)");
        let atlas = HeaderWriter::new(&ATLAS).close();
        assert_eq!(said(&atlas), "this is an atlas, not a checkpoint");
        assert!(matches!(read_sealed(&path.with_extension("no"), &CHECKPOINT), Err(FileError::File(_))));
    }

    #[test]
    fn no_changed_byte_and_no_cut_goes_unnoticed() {
        let (_folder, _, good) = sealed();
        for at in 0..good.len() {
            for bit in 0..8 {
                let mut bad = good.clone();
                bad[at] ^= 1 << bit;
                said(&bad);
            }
            said(&good[..at]);
        }
    }

    #[test]
    fn a_huge_length_takes_no_memory() {
        let announced = HeaderWriter::new(&CHECKPOINT).number(u64::MAX / 2).close();
        assert_eq!(said(&announced), "it is damaged in its header");
        let announced = HeaderWriter::new(&CHECKPOINT).text("").number(u64::MAX >> 1).number(0).close();
        assert!(said(&announced).starts_with("it is cut off: "), "no such body is there");
    }

    #[test]
    fn formats_can_be_told_apart() {
        for (at, format) in FORMATS.iter().enumerate() {
            for other in &FORMATS[..at] {
                assert_ne!(format.magic, other.magic);
                assert_ne!(format.word, other.word);
            }
        }
    }
}
