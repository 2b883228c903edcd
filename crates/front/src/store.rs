//! Tables on disk: a file each in the user's cache folder, mapped into memory when used.
//!
//! A file is a header ([`admissible_files`]) and the bytes of the table. The header has the name and size of the table,
//! and a checksum of every block of it. When a table is opened, the header is checked and so are some of the blocks;
//! [`Store::verify`] checks them all. What does not fit is not used.
//!
//! Atlases are kept in the same way beside the tables. Of an atlas a walk looks at a few hundred places and no more, so
//! its blocks are small, and every block is checked before anything in it is believed ([`Pages`]).

use std::collections::HashMap;
use std::fs::{self, File};
use std::hash::{BuildHasher as _, RandomState};
use std::io::{self, BufReader, Write as _};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use crate::table_cache::TableCache;
use admissible_files::{ATLAS, FileError, Format, HeaderReader, HeaderWriter, TABLE, open_regular, write_whole};
use bytes::Bytes;
use xxhash_rust::xxh3::xxh3_64;

/// What the files of a store hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Kind {
    format: &'static Format,
    /// The ending of its name.
    ending: &'static str,
    /// Bytes that a checksum is about.
    block: usize,
    /// Whether so many places are looked at that large pages pay.
    large_pages: bool,
}

const TABLES: Kind = Kind { format: &TABLE, ending: "table", block: 1 << 20, large_pages: true };
const ATLASES: Kind = Kind { format: &ATLAS, ending: "atlas", block: 1 << 12, large_pages: false };

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
    /// What was found already: a set of instances is solved with the same tables, which are opened and looked at once.
    found: Arc<Mutex<HashMap<String, Bytes>>>,
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
type Unusable = Vec<(PathBuf, FileError)>;

/// What stands before the bytes of a table.
struct Header {
    name: String,
    table_bytes: u64,
    checksums: Vec<u64>,
}

impl Header {
    fn bytes(&self, kind: Kind) -> Vec<u8> {
        let header = HeaderWriter::new(kind.format).text(&self.name).number(self.table_bytes);
        self.checksums.iter().fold(header, |header, &checksum| header.number(checksum)).close()
    }

    /// Reads it, and how many bytes it takes.
    fn read(file: &File, kind: Kind) -> Result<(Header, u64), FileError> {
        let mut header = HeaderReader::new(BufReader::new(file), kind.format)?;
        let name = header.text(LONGEST_NAME)?;
        let table_bytes = header.number(LARGEST_TABLE)?;
        let checksums = header.numbers(table_bytes.div_ceil(kind.block as u64))?;
        let (_, length) = header.close()?;
        Ok((Header { name, table_bytes, checksums }, length))
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
    fn check(&self, number: usize) -> Result<(), FileError> {
        let bytes = self.table.chunks(self.block).nth(number).unwrap_or_default();
        let damaged = || FileError::Damaged(format!("block {number} of {} bytes", self.block));
        if xxh3_64(bytes) == self.checksums[number] { Ok(()) } else { Err(damaged()) }
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
    pub(crate) fn byte(&mut self, at: usize) -> Result<u8, FileError> {
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
        Store { folder: folder.into(), kind: TABLES, found: Arc::default() }
    }

    /// The atlases in the same folder.
    #[must_use]
    pub fn atlases(&self) -> Self {
        Store { folder: self.folder.clone(), kind: ATLASES, found: Arc::default() }
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

    fn open(&self, file: &Path) -> Result<Opened, FileError> {
        let file = open_regular(file)?;
        let (header, header_bytes) = Header::read(&file, self.kind)?;
        FileError::check_length(file.metadata()?.len(), header_bytes + header.table_bytes)?;
        let table = map(&file, self.kind)?.slice(header_bytes as usize..);
        Ok(Opened { name: header.name, table, checksums: header.checksums, block: self.kind.block })
    }

    /// Opens a table whose blocks are checked when they are looked at; `None` if it is not there.
    ///
    /// # Errors
    /// If its header is not what was written.
    pub(crate) fn pages(&self, name: &str) -> Result<Option<Pages>, FileError> {
        let opened = match self.open(&self.file(name)) {
            Err(FileError::File(error)) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            opened => opened?,
        };
        if opened.name != name {
            return Err(FileError::Name(opened.name));
        }
        Ok(Some(Pages { checked: vec![false; opened.checksums.len()], opened }))
    }

    /// Opens a table after looking at its header and at some of its blocks.
    ///
    /// # Errors
    /// If it is not there, or not what was written.
    pub fn load(&self, name: &str) -> Result<Bytes, FileError> {
        let opened = self.open(&self.file(name))?;
        if opened.name != name {
            return Err(FileError::Name(opened.name));
        }
        let blocks = opened.checksums.len();
        // Others each time, so that damage is found sooner or later wherever it is.
        let random = RandomState::new();
        for sample in 0..SAMPLED.min(blocks) {
            let block = random.hash_one(sample) as usize % blocks;
            opened.check(block)?;
        }
        Ok(opened.table)
    }

    /// Checks every block of a table.
    ///
    /// # Errors
    /// If it is not there, or not what was written.
    pub fn verify(&self, name: &str) -> Result<(), FileError> {
        let opened = self.open(&self.file(name))?;
        if opened.name != name {
            return Err(FileError::Name(opened.name));
        }
        (0..opened.checksums.len()).try_for_each(|block| opened.check(block))
    }

    /// Writes a table, and checks what was written.
    ///
    /// # Errors
    /// If the disk is full, or the folder cannot be written to.
    pub fn save(&self, name: &str, table: &Bytes) -> Result<(), FileError> {
        fs::create_dir_all(&self.folder)?;
        let checksums = table.chunks(self.kind.block).map(xxh3_64).collect();
        let header = Header { name: name.into(), table_bytes: table.len() as u64, checksums };
        write_whole(&self.file(name), |file| {
            file.write_all(&header.bytes(self.kind))?;
            file.write_all(table)
        })?;
        // What is checked is then what the disk has; and it comes back on large pages, where the system has them for
        // files.
        forget(&self.file(name));
        self.verify(name)
    }

    /// Removes a table.
    ///
    /// # Errors
    /// If it is not there.
    pub fn remove(&self, name: &str) -> Result<(), FileError> {
        Ok(fs::remove_file(self.file(name))?)
    }

    /// The tables by name, as far as their headers can be read, and the files that cannot be used.
    ///
    /// # Errors
    /// If the folder cannot be read; one that does not exist is empty.
    pub fn list(&self) -> Result<(Vec<Kept>, Unusable), FileError> {
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
fn map(file: &File, kind: Kind) -> Result<Bytes, FileError> {
    // SAFETY: sound as long as nobody changes the file while it is mapped. We never do: tables are written under
    // another name and renamed, so that a new one is a new file. A map makes a 15-puzzle with tables at hand start in
    // milliseconds, where reading 33 MB takes ten times that and 488 MB for the 24-puzzle half a second.
    let map = unsafe { memmap2::Mmap::map(file)? };
    #[cfg(target_os = "linux")]
    if kind.large_pages {
        // Advice only: many a system has no such thing for files.
        let _ = map.advise(memmap2::Advice::HugePage);
    }
    Ok(Bytes::from_owner(map))
}

/// Has the system give up what it remembers of a file that was written to the disk.
fn forget(file: &Path) {
    #[cfg(target_os = "linux")]
    if let Ok(file) = File::open(file) {
        use nix::fcntl::{PosixFadviseAdvice, posix_fadvise};
        // Advice only: if it is not taken, nothing is lost but time.
        let _ = posix_fadvise(&file, 0, 0, PosixFadviseAdvice::POSIX_FADV_DONTNEED);
    }
    #[cfg(not(target_os = "linux"))]
    let _ = file;
}

impl TableCache for Store {
    fn find(&self, name: &str, size: usize) -> Option<Bytes> {
        let mut found = self.found.lock().expect("nobody panics while opening a table");
        if let Some(table) = found.get(name) {
            return Some(table.clone()).filter(|table| table.len() == size);
        }
        let table = self.load(name).ok().filter(|table| table.len() == size)?;
        found.insert(name.into(), table.clone());
        Some(table)
    }

    fn store(&self, name: &str, table: &Bytes) {
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
            TableCache::store(&store, &name, &table(bytes));
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
        assert!(matches!(store.load("t"), Err(FileError::Overlong { .. })));
        fs::write(&file, &good).unwrap();
        fs::rename(&file, store.file("u")).unwrap();
        assert!(matches!(store.load("u"), Err(FileError::Name(name)) if name == "t"));
        let mut older = good.clone();
        older[8] = 1;
        fs::write(&file, older).unwrap();
        assert!(matches!(store.load("t"), Err(FileError::Older { found: 1, reads: 2 })));
        fs::write(&file, &good[..10]).unwrap();
        assert!(matches!(store.load("t"), Err(FileError::Truncated { found: 10, expected: None })));
        fs::write(&file, &good[..good.len() - 1]).unwrap();
        assert!(matches!(store.load("t"), Err(FileError::Truncated { expected: Some(_), .. })));
        let mut newer = good.clone();
        newer[8] = 9;
        fs::write(&file, newer).unwrap();
        assert!(matches!(store.load("t"), Err(FileError::Newer { found: 9, reads: 2 })));
        fs::write(&file, b"something else entirely").unwrap();
        assert!(matches!(store.load("t"), Err(FileError::Foreign { found: None, .. })));
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
        assert!(
            matches!(pages.byte(3 * ATLASES.block), Err(FileError::Damaged(place)) if place == "block 3 of 4096 bytes")
        );
        bytes[20] ^= 1;
        fs::write(store.file("a"), &bytes).unwrap();
        assert!(matches!(store.pages("a"), Err(FileError::Damaged(place)) if place == "its header"));
        fs::copy(store.file("a"), store.file("b")).unwrap();
        Store::at(folder.path()).save("a", &whole).unwrap();
        fs::copy(Store::at(folder.path()).file("a"), store.file("a")).unwrap();
        assert!(
            matches!(store.pages("a"), Err(FileError::Foreign { expected: "an atlas", found: Some("a table") })),
            "a table is no atlas"
        );
    }
}
