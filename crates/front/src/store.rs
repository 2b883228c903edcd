//! The store of tables: one file each in the user's cache folder.
//!
//! A file is a header ([`admissible_files`]) and the bytes of the table. The header has the name and size of the table,
//! and a checksum of every block. A table is read as a whole, and every block is checked: no search uses a damaged one.
//! Files are not mapped: a mapped file that another program shortens would end this one by a signal.
//!
//! Atlases are stored in the same way beside the tables. A descent needs a few hundred bytes of an atlas, so its blocks
//! are small, and only those are read ([`CheckedBlocks`]).

use std::collections::HashMap;
use std::fs::{self, File};
use std::io::{self, BufReader, Read as _, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use crate::table_cache::TableCache;
use admissible::memory::try_large_vec;
use admissible_files::{
    ATLAS, FileError, Format, HeaderReader, HeaderWriter, TABLE, open_regular, operation, write_whole,
};
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
}

const TABLES: FileKind = FileKind { format: &TABLE, extension: "table", block: 1 << 20 };
const ATLASES: FileKind = FileKind { format: &ATLAS, extension: "atlas", block: 1 << 12 };

/// The longest name and the largest table, in bytes. Larger numbers come from a damaged file.
const MAX_NAME_BYTES: u64 = 1 << 12;
const MAX_TABLE_BYTES: u64 = 1 << 40;

/// A folder of tables or of atlases.
#[derive(Debug, Clone)]
pub struct Store {
    folder: PathBuf,
    kind: FileKind,
    /// The tables read so far; `None` for one that cannot be used. A set of instances shares its tables, which are read
    /// once.
    opened: Arc<Mutex<HashMap<String, Option<Bytes>>>>,
    /// Called with a message for each table that cannot be used and is built again.
    complain: fn(&str),
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
#[derive(Debug)]
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

/// An open table whose header is checked.
#[derive(Debug)]
struct OpenTable {
    header: Header,
    /// The file, at the beginning of the table.
    file: File,
    block: usize,
}

impl OpenTable {
    /// Compares a block with its checksum.
    fn check_block(&self, number: usize, bytes: &[u8]) -> Result<(), FileError> {
        let damaged = || FileError::Damaged(format!("block {number} of {} bytes", self.block));
        if self.header.checksums.get(number) == Some(&xxh3_64(bytes)) { Ok(()) } else { Err(damaged()) }
    }

    /// Reads the next bytes of the file.
    fn read(&mut self, bytes: &mut [u8]) -> Result<(), FileError> {
        operation()?;
        self.file.read_exact(bytes).map_err(|error| match error.kind() {
            io::ErrorKind::UnexpectedEof => FileError::Changed,
            _ => error.into(),
        })
    }

    /// Calls `user` with each block in order, once it is checked.
    fn each_block(&mut self, mut user: impl FnMut(&[u8])) -> Result<(), FileError> {
        let mut left = self.header.table_bytes;
        let mut bytes = vec![0; left.min(self.block as u64) as usize];
        for number in 0..self.header.checksums.len() {
            let block = &mut bytes[..left.min(self.block as u64) as usize];
            self.read(block)?;
            self.check_block(number, block)?;
            user(block);
            left -= block.len() as u64;
        }
        Ok(())
    }
}

/// An atlas of which single blocks are read and checked.
#[derive(Debug)]
pub(crate) struct CheckedBlocks {
    table: OpenTable,
    /// The length of the header.
    begin: u64,
    /// The blocks read so far.
    read: HashMap<usize, Vec<u8>>,
}

impl CheckedBlocks {
    pub(crate) fn len(&self) -> u64 {
        self.table.header.table_bytes
    }

    /// The byte at an index, which must be within the table.
    pub(crate) fn byte(&mut self, at: usize) -> Result<u8, FileError> {
        let (number, block) = (at / self.table.block, self.table.block as u64);
        if !self.read.contains_key(&number) {
            let begin = number as u64 * block;
            let mut bytes = vec![0; (self.len() - begin).min(block) as usize];
            self.table.file.seek(SeekFrom::Start(self.begin + begin))?;
            self.table.read(&mut bytes)?;
            self.table.check_block(number, &bytes)?;
            self.read.insert(number, bytes);
        }
        Ok(self.read[&number][at % self.table.block])
    }
}

impl Store {
    /// The store of tables in a folder, which need not exist yet.
    pub fn at(folder: impl Into<PathBuf>) -> Self {
        Store { folder: folder.into(), kind: TABLES, opened: Arc::default(), complain: |_| () }
    }

    /// Has `complain` called with a message for each table that cannot be used and is built again.
    #[must_use]
    pub fn complaining(self, complain: fn(&str)) -> Self {
        Store { complain, ..self }
    }

    /// The store of atlases in the same folder.
    #[must_use]
    pub fn atlases(&self) -> Self {
        Store { kind: ATLASES, opened: Arc::default(), ..self.clone() }
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

    /// Opens a file and checks its header and its length. Returns it with the length of its header.
    fn open(&self, file: &Path) -> Result<(OpenTable, u64), FileError> {
        let mut file = open_regular(file)?;
        let (header, header_bytes) = Header::read(&file, self.kind)?;
        FileError::check_length(file.metadata()?.len(), header_bytes + header.table_bytes)?;
        file.seek(SeekFrom::Start(header_bytes))?;
        Ok((OpenTable { header, file, block: self.kind.block }, header_bytes))
    }

    /// Opens the file of a table, and checks that it holds this one.
    fn open_named(&self, name: &str) -> Result<(OpenTable, u64), FileError> {
        let (table, header_bytes) = self.open(&self.file(name))?;
        if table.header.name == name { Ok((table, header_bytes)) } else { Err(FileError::Name(table.header.name)) }
    }

    /// Opens an atlas whose blocks are read and checked one at a time; `None` if there is no file.
    ///
    /// # Errors
    /// If its header is damaged.
    pub(crate) fn blocks(&self, name: &str) -> Result<Option<CheckedBlocks>, FileError> {
        match self.open_named(name) {
            Err(FileError::File(error)) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            opened => opened.map(|(table, begin)| Some(CheckedBlocks { table, begin, read: HashMap::new() })),
        }
    }

    /// Reads a table and checks every block of it.
    ///
    /// # Errors
    /// If the file is missing or damaged.
    pub fn load(&self, name: &str) -> Result<Bytes, FileError> {
        let (mut table, _) = self.open_named(name)?;
        let size = usize::try_from(table.header.table_bytes).ok();
        let too_large = || io::Error::from(io::ErrorKind::OutOfMemory);
        let mut bytes = size.and_then(try_large_vec).ok_or_else(too_large)?;
        table.each_block(|block| bytes.extend_from_slice(block))?;
        Ok(bytes.into())
    }

    /// Checks every block of a table.
    ///
    /// # Errors
    /// If the file is missing or damaged.
    pub fn verify(&self, name: &str) -> Result<(), FileError> {
        self.open_named(name)?.0.each_block(|_| ())
    }

    /// Writes a table, reads it back and checks it.
    ///
    /// # Errors
    /// If the disk is full, or the folder cannot be written to.
    pub fn save(&self, name: &str, table: &Bytes) -> Result<(), FileError> {
        operation()?;
        fs::create_dir_all(&self.folder)?;
        let checksums = table.chunks(self.kind.block).map(xxh3_64).collect();
        let header = Header { name: name.into(), table_bytes: table.len() as u64, checksums };
        write_whole(&self.file(name), |file| {
            file.write_all(&header.bytes(self.kind))?;
            file.write_all(table)
        })?;
        // Then the check reads the disk and not the page cache.
        drop_from_page_cache(&self.file(name));
        self.verify(name)
    }

    /// Removes a table.
    ///
    /// # Errors
    /// If there is no such file.
    pub fn remove(&self, name: &str) -> Result<(), FileError> {
        operation()?;
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
                    Ok((OpenTable { header, .. }, _)) => {
                        stored.push(StoredTable { name: header.name, bytes: header.table_bytes, file });
                    }
                    Err(error) => unusable.push((file, error)),
                }
            }
        }
        stored.sort_by(|a, b| a.name.cmp(&b.name));
        Ok((stored, unusable))
    }
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
    fn has(&self, name: &str, size: usize) -> bool {
        match self.opened.lock().expect("no thread panics while reading a table").get(name) {
            Some(known) => known.as_ref().is_some_and(|table| table.len() == size),
            None => self.open_named(name).is_ok_and(|(table, _)| table.header.table_bytes == size as u64),
        }
    }

    fn find(&self, name: &str, size: usize) -> Option<Bytes> {
        let mut opened = self.opened.lock().expect("no thread panics while reading a table");
        let table = opened.entry(name.into()).or_insert_with(|| match self.load(name) {
            Ok(table) => Some(table),
            Err(FileError::File(error)) if error.kind() == io::ErrorKind::NotFound => None,
            Err(error) => {
                let file = self.file(name);
                (self.complain)(&format!("{}: {error}; the table is built again", file.display()));
                None
            }
        });
        table.clone().filter(|table| table.len() == size)
    }

    fn store(&self, name: &str, table: &Bytes) {
        self.opened.lock().expect("no thread panics while reading a table").insert(name.into(), Some(table.clone()));
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
            let again = Store::at(store.folder());
            assert!(again.has(&name, bytes) && !again.has(&name, bytes + 1));
            assert_eq!(again.find(&name, bytes), Some(table(bytes)));
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
            assert!(store.load("t").is_err(), "byte {at}");
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

    /// The messages of damaged tables.
    static COMPLAINTS: Mutex<Vec<String>> = Mutex::new(Vec::new());

    #[test]
    fn a_damaged_table_is_not_found_and_said_to_be_damaged_once() {
        let folder = tempfile::tempdir().unwrap();
        let whole = table(2 * BLOCK);
        Store::at(folder.path()).save("t", &whole).unwrap();
        let store = Store::at(folder.path()).complaining(|message| COMPLAINTS.lock().unwrap().push(message.into()));
        let mut bad = fs::read(store.file("t")).unwrap();
        *bad.last_mut().unwrap() ^= 1;
        fs::write(store.file("t"), bad).unwrap();
        assert!(store.has("t", whole.len()), "its header is intact");
        assert_eq!((store.find("t", whole.len()), store.find("t", whole.len())), (None, None));
        assert!(!store.has("t", whole.len()), "now it is known to be damaged");
        let file = store.file("t").display().to_string();
        let expected = format!("{file}: it is damaged in block 1 of 1048576 bytes; the table is built again");
        assert_eq!(*COMPLAINTS.lock().unwrap(), [expected]);
        assert_eq!(store.find("none", 1), None);
        assert_eq!(COMPLAINTS.lock().unwrap().len(), 1, "a missing table is no damage");
        TableCache::store(&store, "t", &whole);
        assert_eq!(store.find("t", whole.len()), Some(whole.clone()));
        assert_eq!(Store::at(folder.path()).find("t", whole.len()), Some(whole));
    }

    #[test]
    fn a_file_that_is_cut_short_while_it_is_read_is_an_error() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::at(folder.path()).atlases();
        store.save("a", &table(3 * ATLASES.block)).unwrap();
        let mut blocks = store.blocks("a").unwrap().expect("the atlas was saved");
        let file = fs::File::options().write(true).open(store.file("a")).unwrap();
        file.set_len(200).unwrap();
        assert!(matches!(blocks.byte(2 * ATLASES.block), Err(FileError::Changed)));
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
