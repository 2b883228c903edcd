//! The store of tables: one file each in the user's cache folder, memory-mapped when used.
//!
//! A file is a header ([`admissible_files`]) and the bytes of the table. The header has the name and size of the table,
//! and a checksum of every block. Opening a table checks the header and some of the blocks; [`Store::verify`] checks
//! all blocks.
//!
//! Atlases are stored in the same way beside the tables. A descent reads a few hundred bytes of an atlas, so its blocks
//! are small, and every block is checked before it is first read ([`CheckedBlocks`]).

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

/// The kind of files in a store.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct FileKind {
    format: &'static Format,
    /// The extension of the file name.
    extension: &'static str,
    /// Bytes per checksum.
    block: usize,
    /// Whether searches read enough of it for huge pages to pay.
    large_pages: bool,
}

const TABLES: FileKind = FileKind { format: &TABLE, extension: "table", block: 1 << 20, large_pages: true };
const ATLASES: FileKind = FileKind { format: &ATLAS, extension: "atlas", block: 1 << 12, large_pages: false };

/// The number of blocks that are checked whenever a table is opened.
const SAMPLED_BLOCKS: usize = 4;
/// The longest name and the largest table, in bytes. Larger numbers come from a damaged file.
const MAX_NAME_BYTES: u64 = 1 << 12;
const MAX_TABLE_BYTES: u64 = 1 << 40;

/// A folder of tables or of atlases.
#[derive(Debug, Clone)]
pub struct Store {
    folder: PathBuf,
    kind: FileKind,
    /// The tables opened so far. A set of instances shares its tables, which are opened and checked once.
    opened: Arc<Mutex<HashMap<String, Bytes>>>,
}

/// A table in a store.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredTable {
    /// Its name.
    pub name: String,
    /// Its bytes, without the header.
    pub bytes: u64,
    /// Its file.
    pub file: PathBuf,
}

/// Files that cannot be used, and why.
type Unusable = Vec<(PathBuf, FileError)>;

/// The header of a table's file.
struct Header {
    name: String,
    table_bytes: u64,
    checksums: Vec<u64>,
}

impl Header {
    fn bytes(&self, kind: FileKind) -> Vec<u8> {
        let header = HeaderWriter::new(kind.format).text(&self.name).number(self.table_bytes);
        self.checksums.iter().fold(header, |header, &checksum| header.number(checksum)).close()
    }

    /// Reads a header. Returns it with its length in bytes.
    fn read(file: &File, kind: FileKind) -> Result<(Header, u64), FileError> {
        let mut header = HeaderReader::new(BufReader::new(file), kind.format)?;
        let name = header.text(MAX_NAME_BYTES)?;
        let table_bytes = header.number(MAX_TABLE_BYTES)?;
        let checksums = header.numbers(table_bytes.div_ceil(kind.block as u64))?;
        let (_, length) = header.close()?;
        Ok((Header { name, table_bytes, checksums }, length))
    }
}

/// A memory-mapped table, and the checksums of its blocks.
#[derive(Debug)]
struct MappedTable {
    name: String,
    bytes: Bytes,
    checksums: Vec<u64>,
    block: usize,
}

impl MappedTable {
    fn check_block(&self, number: usize) -> Result<(), FileError> {
        let bytes = self.bytes.chunks(self.block).nth(number).unwrap_or_default();
        let damaged = || FileError::Damaged(format!("block {number} of {} bytes", self.block));
        if xxh3_64(bytes) == self.checksums[number] { Ok(()) } else { Err(damaged()) }
    }
}

/// A table that checks every block before it is first read.
#[derive(Debug)]
pub(crate) struct CheckedBlocks {
    table: MappedTable,
    checked: Vec<bool>,
}

impl CheckedBlocks {
    pub(crate) fn len(&self) -> u64 {
        self.table.bytes.len() as u64
    }

    /// The byte at an index, which must be within the table.
    pub(crate) fn byte(&mut self, at: usize) -> Result<u8, FileError> {
        let block = at / self.table.block;
        if !self.checked[block] {
            self.table.check_block(block)?;
            self.checked[block] = true;
        }
        Ok(self.table.bytes[at])
    }
}

impl Store {
    /// The store of tables in a folder, which need not exist yet.
    pub fn at(folder: impl Into<PathBuf>) -> Self {
        Store { folder: folder.into(), kind: TABLES, opened: Arc::default() }
    }

    /// The store of atlases in the same folder.
    #[must_use]
    pub fn atlases(&self) -> Self {
        Store { folder: self.folder.clone(), kind: ATLASES, opened: Arc::default() }
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
        self.folder.join(format!("{name}.{}", self.kind.extension))
    }

    fn open(&self, file: &Path) -> Result<MappedTable, FileError> {
        let file = open_regular(file)?;
        let (header, header_bytes) = Header::read(&file, self.kind)?;
        FileError::check_length(file.metadata()?.len(), header_bytes + header.table_bytes)?;
        let bytes = map(&file, self.kind)?.slice(header_bytes as usize..);
        Ok(MappedTable { name: header.name, bytes, checksums: header.checksums, block: self.kind.block })
    }

    /// Opens a table whose blocks are checked when they are first read; `None` if there is no file.
    ///
    /// # Errors
    /// If its header is damaged.
    pub(crate) fn blocks(&self, name: &str) -> Result<Option<CheckedBlocks>, FileError> {
        let table = match self.open(&self.file(name)) {
            Err(FileError::File(error)) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            table => table?,
        };
        if table.name != name {
            return Err(FileError::Name(table.name));
        }
        Ok(Some(CheckedBlocks { checked: vec![false; table.checksums.len()], table }))
    }

    /// Opens a table after checking its header and some of its blocks.
    ///
    /// # Errors
    /// If the file is missing or damaged.
    pub fn load(&self, name: &str) -> Result<Bytes, FileError> {
        let table = self.open(&self.file(name))?;
        if table.name != name {
            return Err(FileError::Name(table.name));
        }
        let blocks = table.checksums.len();
        // Different blocks each time, so that any damage is found eventually.
        let random = RandomState::new();
        for sample in 0..SAMPLED_BLOCKS.min(blocks) {
            let block = random.hash_one(sample) as usize % blocks;
            table.check_block(block)?;
        }
        Ok(table.bytes)
    }

    /// Checks every block of a table.
    ///
    /// # Errors
    /// If the file is missing or damaged.
    pub fn verify(&self, name: &str) -> Result<(), FileError> {
        let table = self.open(&self.file(name))?;
        if table.name != name {
            return Err(FileError::Name(table.name));
        }
        (0..table.checksums.len()).try_for_each(|block| table.check_block(block))
    }

    /// Writes a table, reads it back and checks it.
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
        // Then the check reads the disk and not the page cache, and the table comes back on huge pages where the system
        // supports them for files.
        drop_from_page_cache(&self.file(name));
        self.verify(name)
    }

    /// Removes a table.
    ///
    /// # Errors
    /// If there is no such file.
    pub fn remove(&self, name: &str) -> Result<(), FileError> {
        Ok(fs::remove_file(self.file(name))?)
    }

    /// The tables whose headers can be read, by name, and the files that cannot be used.
    ///
    /// # Errors
    /// If the folder cannot be read. A folder that does not exist counts as empty.
    pub fn list(&self) -> Result<(Vec<StoredTable>, Unusable), FileError> {
        let mut stored = Vec::new();
        let mut unusable = Unusable::new();
        let entries = match fs::read_dir(&self.folder) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok((stored, unusable)),
            entries => entries?,
        };
        for entry in entries {
            let file = entry?.path();
            if file.extension().is_some_and(|extension| extension == self.kind.extension) {
                match self.open(&file) {
                    Ok(table) => stored.push(StoredTable { name: table.name, bytes: table.bytes.len() as u64, file }),
                    Err(error) => unusable.push((file, error)),
                }
            }
        }
        stored.sort_by(|a, b| a.name.cmp(&b.name));
        Ok((stored, unusable))
    }
}

/// Maps a file into memory. The system reads its pages on first access.
#[allow(unsafe_code)]
fn map(file: &File, kind: FileKind) -> Result<Bytes, FileError> {
    // SAFETY: sound as long as no process changes the file while it is mapped. This program never does: it writes
    // tables under another name and renames them, so a new table is a new file. With a map, a 15-puzzle with stored
    // tables starts in milliseconds; reading its 33 MB takes ten times that, and 488 MB for the 24-puzzle half a
    // second.
    let map = unsafe { memmap2::Mmap::map(file)? };
    #[cfg(target_os = "linux")]
    if kind.large_pages {
        // Advice only: many systems have no huge pages for files.
        let _ = map.advise(memmap2::Advice::HugePage);
    }
    Ok(Bytes::from_owner(map))
}

/// Drops a file from the page cache of the system.
fn drop_from_page_cache(file: &Path) {
    #[cfg(target_os = "linux")]
    if let Ok(file) = File::open(file) {
        use nix::fcntl::{PosixFadviseAdvice, posix_fadvise};
        // Advice only: if the system ignores it, the check is weaker.
        let _ = posix_fadvise(&file, 0, 0, PosixFadviseAdvice::POSIX_FADV_DONTNEED);
    }
    #[cfg(not(target_os = "linux"))]
    let _ = file;
}

impl TableCache for Store {
    fn find(&self, name: &str, size: usize) -> Option<Bytes> {
        let mut opened = self.opened.lock().expect("no thread panics while opening a table");
        if let Some(table) = opened.get(name) {
            return Some(table.clone()).filter(|table| table.len() == size);
        }
        let table = self.load(name).ok().filter(|table| table.len() == size)?;
        opened.insert(name.into(), table.clone());
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
    fn tables_are_loaded_as_they_were_saved() {
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
        let (stored, unusable) = store.list().unwrap();
        assert_eq!((stored.len(), unusable.len()), (5, 0));
        assert_eq!((stored[0].name.as_str(), stored[0].bytes), ("some-0", 0));
        store.remove("some-1").unwrap();
        assert!(store.remove("some-1").is_err());
        let names = fs::read_dir(store.folder()).unwrap().count();
        assert_eq!(names, 4, "nothing unfinished is left");
    }

    #[test]
    fn every_damage_is_detected() {
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
    fn every_block_of_an_atlas_is_checked_before_it_is_read() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::at(folder.path()).atlases();
        let whole = table(3 * ATLASES.block + 100);
        assert!(store.blocks("a").unwrap().is_none(), "not saved yet");
        store.save("a", &whole).unwrap();
        let mut blocks = store.blocks("a").unwrap().expect("the atlas was saved");
        for at in 0..whole.len() {
            assert_eq!(blocks.byte(at).unwrap(), whole[at]);
        }
        let mut bytes = fs::read(store.file("a")).unwrap();
        let last = bytes.len() - 1;
        bytes[last] ^= 1;
        fs::write(store.file("a"), &bytes).unwrap();
        let mut blocks = store.blocks("a").unwrap().expect("its header is intact");
        assert_eq!(blocks.byte(0).unwrap(), whole[0]);
        assert!(
            matches!(blocks.byte(3 * ATLASES.block), Err(FileError::Damaged(place)) if place == "block 3 of 4096 bytes")
        );
        bytes[20] ^= 1;
        fs::write(store.file("a"), &bytes).unwrap();
        assert!(matches!(store.blocks("a"), Err(FileError::Damaged(place)) if place == "its header"));
        fs::copy(store.file("a"), store.file("b")).unwrap();
        Store::at(folder.path()).save("a", &whole).unwrap();
        fs::copy(Store::at(folder.path()).file("a"), store.file("a")).unwrap();
        assert!(
            matches!(store.blocks("a"), Err(FileError::Foreign { expected: "an atlas", found: Some("a table") })),
            "a table is no atlas"
        );
    }
}
