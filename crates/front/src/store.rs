//! Tables on disk: a file each in the user's cache folder, mapped into memory when used.
//!
//! A file is a header and the bytes of the table. The header says what the file is, the name and size of the table, and a
//! checksum of every block of it; a checksum of the header closes it. A file is written under a temporary name and renamed
//! when it is whole. When a table is opened, the header is checked and so are some of the blocks; [`Store::verify`] checks
//! them all. What does not fit is not used.
//!
//! Atlases are kept in the same way beside the tables. Of an atlas a walk looks at a few hundred places and no more, so its
//! blocks are small, and every block is checked before anything in it is believed ([`Pages`]).

use std::fmt;
use std::fs::{self, File};
use std::io::{self, BufWriter, Read as _, Write as _};
use std::path::{Path, PathBuf};

use admissible_domains::Shelf;
use bytes::Bytes;
use xxhash_rust::xxh3::xxh3_64;

/// What the files of a store hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Kind {
    /// What they are called in messages.
    word: &'static str,
    /// The first bytes of every file.
    magic: &'static [u8; 8],
    /// The ending of its name.
    ending: &'static str,
    /// Bytes that a checksum is about.
    block: usize,
}

const TABLES: Kind = Kind { word: "table", magic: b"admissbl", ending: "table", block: 1 << 20 };
const ATLASES: Kind = Kind { word: "atlas", magic: b"adm.atls", ending: "atlas", block: 1 << 12 };

/// Changes whenever what a file means changes.
const VERSION: u32 = 1;
/// Blocks that are checked whenever a table is opened.
const SAMPLED: usize = 4;
/// Names and tables that are longer come from nothing that we wrote.
const LONGEST_NAME: u64 = 1 << 12;
const LARGEST_TABLE: u64 = 1 << 40;

/// A folder with tables.
#[derive(Debug, Clone)]
pub struct Store {
    folder: PathBuf,
    kind: Kind,
}

/// A table that is kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Kept {
    /// Its name.
    pub name: String,
    /// Its bytes, without the header.
    pub bytes: u64,
    /// Its file.
    pub file: PathBuf,
}

/// Files that cannot be used, and why.
type Unusable = Vec<(PathBuf, StoreError)>;

/// Why a file is not used.
#[derive(Debug)]
#[non_exhaustive]
pub enum StoreError {
    /// It cannot be read or written.
    File(io::Error),
    /// It is not one of ours.
    Foreign(&'static str),
    /// It was written by another version.
    Version(u32),
    /// It ends too early, or goes on for too long.
    Length {
        /// The bytes that the header announces.
        expected: u64,
        /// The bytes that are there.
        found: u64,
    },
    /// The header is not what was written.
    Header,
    /// A block is not what was written.
    Block {
        /// Its number.
        number: usize,
        /// The bytes in a block.
        bytes: usize,
    },
    /// It holds another table than its name says.
    Name(String),
}

impl fmt::Display for StoreError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            StoreError::File(error) => error.fmt(f),
            StoreError::Foreign(word) => write!(f, "this is no {word} of ours"),
            StoreError::Version(version) => write!(f, "it has the format {version}, and this program reads {VERSION}"),
            StoreError::Length { expected, found } => write!(f, "it should have {expected} bytes and has {found}"),
            StoreError::Header => f.write_str("its header is damaged"),
            StoreError::Block { number, bytes } => write!(f, "it is damaged in block {number} of {bytes} bytes"),
            StoreError::Name(name) => write!(f, "it holds '{name}'"),
        }
    }
}

impl std::error::Error for StoreError {}

impl From<io::Error> for StoreError {
    fn from(error: io::Error) -> Self {
        StoreError::File(error)
    }
}

/// What stands before the bytes of a table.
struct Header {
    name: String,
    table_bytes: u64,
    checksums: Vec<u64>,
}

impl Header {
    fn bytes(&self, kind: Kind) -> Vec<u8> {
        let mut bytes = Vec::from(kind.magic);
        bytes.extend(VERSION.to_le_bytes());
        bytes.extend((self.name.len() as u64).to_le_bytes());
        bytes.extend(self.name.as_bytes());
        bytes.extend(self.table_bytes.to_le_bytes());
        bytes.extend(self.checksums.iter().flat_map(|checksum| checksum.to_le_bytes()));
        let checksum = xxh3_64(&bytes);
        bytes.extend(checksum.to_le_bytes());
        bytes
    }

    /// How many bytes it takes.
    fn length(&self) -> u64 {
        (8 + 4 + 8 + self.name.len() + 8 + 8 * self.checksums.len() + 8) as u64
    }

    fn read(file: &mut File, kind: Kind) -> Result<Header, StoreError> {
        let mut seen = Vec::new();
        let mut take = |count: u64| -> Result<Vec<u8>, StoreError> {
            let mut bytes = Vec::new();
            file.take(count).read_to_end(&mut bytes)?;
            seen.extend(&bytes);
            if bytes.len() as u64 == count { Ok(bytes) } else { Err(StoreError::Header) }
        };
        let number = |bytes: Vec<u8>| u64::from_le_bytes(bytes.try_into().expect("eight were taken"));
        if take(8).is_ok_and(|magic| magic != kind.magic) {
            return Err(StoreError::Foreign(kind.word));
        }
        let version = u32::from_le_bytes(take(4)?.try_into().expect("four were taken"));
        if version != VERSION {
            return Err(StoreError::Version(version));
        }
        let name_bytes = Some(number(take(8)?)).filter(|&bytes| bytes <= LONGEST_NAME).ok_or(StoreError::Header)?;
        let name = String::from_utf8(take(name_bytes)?).map_err(|_| StoreError::Header)?;
        let table_bytes = Some(number(take(8)?)).filter(|&bytes| bytes <= LARGEST_TABLE).ok_or(StoreError::Header)?;
        let blocks = table_bytes.div_ceil(kind.block as u64);
        let checksums = take(8 * blocks)?.chunks(8).map(|bytes| number(bytes.into())).collect();
        let checksum = number(take(8)?);
        let header = Header { name, table_bytes, checksums };
        if xxh3_64(&seen[..seen.len() - 8]) == checksum { Ok(header) } else { Err(StoreError::Header) }
    }
}

/// A table in a file, and the checksums of its blocks.
#[derive(Debug)]
struct Opened {
    name: String,
    table: Bytes,
    checksums: Vec<u64>,
    block: usize,
}

impl Opened {
    fn check(&self, number: usize) -> Result<(), StoreError> {
        let bytes = self.table.chunks(self.block).nth(number).unwrap_or_default();
        let error = StoreError::Block { number, bytes: self.block };
        if xxh3_64(bytes) == self.checksums[number] { Ok(()) } else { Err(error) }
    }
}

/// A table of which every block is checked before it is first read.
#[derive(Debug)]
pub(crate) struct Pages {
    opened: Opened,
    checked: Vec<bool>,
}

impl Pages {
    pub(crate) fn len(&self) -> u64 {
        self.opened.table.len() as u64
    }

    /// The byte at a place that the table has.
    pub(crate) fn byte(&mut self, at: usize) -> Result<u8, StoreError> {
        let block = at / self.opened.block;
        if !self.checked[block] {
            self.opened.check(block)?;
            self.checked[block] = true;
        }
        Ok(self.opened.table[at])
    }
}

impl Store {
    /// The store in a folder, which need not exist yet.
    pub fn at(folder: impl Into<PathBuf>) -> Self {
        Store { folder: folder.into(), kind: TABLES }
    }

    /// The atlases in the same folder.
    #[must_use]
    pub fn atlases(&self) -> Self {
        Store { folder: self.folder.clone(), kind: ATLASES }
    }

    /// The store in the folder that `ADMISSIBLE_CACHE` names, or else in the user's cache folder.
    pub fn of_user() -> Option<Self> {
        let chosen = std::env::var_os("ADMISSIBLE_CACHE").filter(|folder| !folder.is_empty()).map(PathBuf::from);
        chosen.or_else(|| Some(dirs::cache_dir()?.join("admissible"))).map(Store::at)
    }

    /// The folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The file of a table.
    pub fn file(&self, name: &str) -> PathBuf {
        self.folder.join(format!("{name}.{}", self.kind.ending))
    }

    fn open(&self, file: &Path) -> Result<Opened, StoreError> {
        let mut file = File::open(file)?;
        let header = Header::read(&mut file, self.kind)?;
        let header_bytes = header.length();
        let (expected, found) = (header_bytes + header.table_bytes, file.metadata()?.len());
        if expected != found {
            return Err(StoreError::Length { expected, found });
        }
        let table = map(&file)?.slice(header_bytes as usize..);
        Ok(Opened { name: header.name, table, checksums: header.checksums, block: self.kind.block })
    }

    /// Opens a table whose blocks are checked when they are looked at; `None` if it is not there.
    ///
    /// # Errors
    /// If its header is not what was written.
    pub(crate) fn pages(&self, name: &str) -> Result<Option<Pages>, StoreError> {
        let opened = match self.open(&self.file(name)) {
            Err(StoreError::File(error)) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            opened => opened?,
        };
        if opened.name != name {
            return Err(StoreError::Name(opened.name));
        }
        Ok(Some(Pages { checked: vec![false; opened.checksums.len()], opened }))
    }

    /// Opens a table after looking at its header and at some of its blocks.
    ///
    /// # Errors
    /// If it is not there, or not what was written.
    pub fn load(&self, name: &str) -> Result<Bytes, StoreError> {
        let opened = self.open(&self.file(name))?;
        if opened.name != name {
            return Err(StoreError::Name(opened.name));
        }
        let blocks = opened.checksums.len();
        // Others each time, so that damage is found sooner or later wherever it is.
        let seed = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).map_or(0, |time| time.as_nanos());
        for sample in 0..SAMPLED.min(blocks) {
            let block = xxh3_64(&(seed + sample as u128).to_le_bytes()) as usize % blocks;
            opened.check(block)?;
        }
        Ok(opened.table)
    }

    /// Checks every block of a table.
    ///
    /// # Errors
    /// If it is not there, or not what was written.
    pub fn verify(&self, name: &str) -> Result<(), StoreError> {
        let opened = self.open(&self.file(name))?;
        if opened.name != name {
            return Err(StoreError::Name(opened.name));
        }
        (0..opened.checksums.len()).try_for_each(|block| opened.check(block))
    }

    /// Writes a table, and checks what was written.
    ///
    /// # Errors
    /// If the disk is full, or the folder cannot be written to.
    pub fn save(&self, name: &str, table: &Bytes) -> Result<(), StoreError> {
        fs::create_dir_all(&self.folder)?;
        let checksums = table.chunks(self.kind.block).map(xxh3_64).collect();
        let header = Header { name: name.into(), table_bytes: table.len() as u64, checksums };
        // Removed by itself unless it gets its name.
        let mut file = tempfile::Builder::new().prefix(".unfinished-").tempfile_in(&self.folder)?;
        let mut writer = BufWriter::new(&mut file);
        writer.write_all(&header.bytes(self.kind))?;
        writer.write_all(table)?;
        writer.flush()?;
        drop(writer);
        file.as_file().sync_all()?;
        file.persist(self.file(name)).map_err(|error| error.error)?;
        self.verify(name)
    }

    /// Removes a table.
    ///
    /// # Errors
    /// If it is not there.
    pub fn remove(&self, name: &str) -> Result<(), StoreError> {
        Ok(fs::remove_file(self.file(name))?)
    }

    /// The tables by name, as far as their headers can be read, and the files that cannot be used.
    ///
    /// # Errors
    /// If the folder cannot be read; one that does not exist is empty.
    pub fn list(&self) -> Result<(Vec<Kept>, Unusable), StoreError> {
        let mut kept = Vec::new();
        let mut unusable = Unusable::new();
        let entries = match fs::read_dir(&self.folder) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok((kept, unusable)),
            entries => entries?,
        };
        for entry in entries {
            let file = entry?.path();
            if file.extension().is_some_and(|ending| ending == self.kind.ending) {
                match self.open(&file) {
                    Ok(opened) => kept.push(Kept { name: opened.name, bytes: opened.table.len() as u64, file }),
                    Err(error) => unusable.push((file, error)),
                }
            }
        }
        kept.sort_by(|a, b| a.name.cmp(&b.name));
        Ok((kept, unusable))
    }
}

/// The bytes of a file without reading it: pages come when they are looked at.
#[allow(unsafe_code)]
fn map(file: &File) -> Result<Bytes, StoreError> {
    // Sound as long as nobody changes the file while it is mapped. We never do: tables are written under another name and
    // renamed, so that a new one is a new file. A map makes a 15-puzzle with tables at hand start in milliseconds, where
    // reading 33 MB takes ten times that and 977 MB for the 24-puzzle a second.
    let map = unsafe { memmap2::Mmap::map(file)? };
    Ok(Bytes::from_owner(map))
}

impl Shelf for Store {
    fn find(&self, name: &str, size: usize) -> Option<Bytes> {
        self.load(name).ok().filter(|table| table.len() == size)
    }

    fn keep(&self, name: &str, table: &Bytes) {
        let _ = self.save(name, table);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BLOCK: usize = TABLES.block;

    fn table(bytes: usize) -> Bytes {
        (0..bytes).map(|at| (at * 7 % 251) as u8).collect::<Vec<u8>>().into()
    }

    #[test]
    fn what_is_kept_comes_back() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::at(folder.path().join("new"));
        assert_eq!(store.list().unwrap().0, []);
        for bytes in [0, 1, BLOCK - 1, BLOCK, 3 * BLOCK + 5] {
            let name = format!("some-{bytes}");
            assert!(store.find(&name, bytes).is_none());
            store.keep(&name, &table(bytes));
            assert_eq!(store.find(&name, bytes), Some(table(bytes)));
            assert_eq!(store.find(&name, bytes + 1), None, "another size is another table");
            store.verify(&name).unwrap();
        }
        let (kept, unusable) = store.list().unwrap();
        assert_eq!((kept.len(), unusable.len()), (5, 0));
        assert_eq!((kept[0].name.as_str(), kept[0].bytes), ("some-0", 0));
        store.remove("some-1").unwrap();
        assert!(store.remove("some-1").is_err());
        let names = fs::read_dir(store.folder()).unwrap().count();
        assert_eq!(names, 4, "nothing unfinished is left");
    }

    #[test]
    fn no_damage_goes_unnoticed() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::at(folder.path());
        let whole = table(2 * BLOCK + 100);
        store.save("t", &whole).unwrap();
        let file = store.file("t");
        let good = fs::read(&file).unwrap();
        let header = good.len() - whole.len();
        for at in (0..header).chain([header, header + BLOCK, good.len() - 1]) {
            let mut bad = good.clone();
            bad[at] ^= 0x10;
            fs::write(&file, bad).unwrap();
            assert!(store.verify("t").is_err(), "byte {at}");
            if at < header {
                assert!(store.load("t").is_err(), "byte {at} of the header");
            }
        }
        for length in [0, 5, 11, header - 1, header, good.len() - 1] {
            fs::write(&file, &good[..length]).unwrap();
            assert!(store.load("t").is_err(), "cut to {length}");
            assert_eq!(store.list().unwrap().1.len(), 1);
        }
        fs::write(&file, [&good[..], &[0]].concat()).unwrap();
        assert!(matches!(store.load("t"), Err(StoreError::Length { .. })));
        fs::write(&file, &good).unwrap();
        fs::rename(&file, store.file("u")).unwrap();
        assert!(matches!(store.load("u"), Err(StoreError::Name(name)) if name == "t"));
        let mut newer = good.clone();
        newer[8] = 9;
        fs::write(&file, newer).unwrap();
        assert!(matches!(store.load("t"), Err(StoreError::Version(9))));
        fs::write(&file, b"something else entirely").unwrap();
        assert!(matches!(store.load("t"), Err(StoreError::Foreign(_))));
    }

    #[test]
    fn every_block_of_an_atlas_is_checked_before_it_is_believed() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::at(folder.path()).atlases();
        let whole = table(3 * ATLASES.block + 100);
        assert!(store.pages("a").unwrap().is_none(), "it is not there yet");
        store.save("a", &whole).unwrap();
        let mut pages = store.pages("a").unwrap().expect("it is there now");
        for at in 0..whole.len() {
            assert_eq!(pages.byte(at).unwrap(), whole[at]);
        }
        let mut bytes = fs::read(store.file("a")).unwrap();
        let last = bytes.len() - 1;
        bytes[last] ^= 1;
        fs::write(store.file("a"), &bytes).unwrap();
        let mut pages = store.pages("a").unwrap().expect("its header is whole");
        assert_eq!(pages.byte(0).unwrap(), whole[0]);
        assert!(matches!(pages.byte(3 * ATLASES.block), Err(StoreError::Block { number: 3, .. })));
        bytes[20] ^= 1;
        fs::write(store.file("a"), &bytes).unwrap();
        assert!(matches!(store.pages("a"), Err(StoreError::Header)));
        fs::copy(store.file("a"), store.file("b")).unwrap();
        Store::at(folder.path()).save("a", &whole).unwrap();
        fs::copy(Store::at(folder.path()).file("a"), store.file("a")).unwrap();
        assert!(matches!(store.pages("a"), Err(StoreError::Foreign("atlas"))), "a table is no atlas");
    }
}
