//! Output files that the user names.
//!
//! A regular file appears under its name only when it is complete: [`Output`] writes a temporary file in the same
//! folder and renames it. A symbolic link stays a link: its target is replaced. Anything else under that name, a pipe,
//! a terminal or another device, is never replaced: [`Output`] writes straight to it.

#[cfg(all(test, unix))]
mod tests;

use std::fs::{self, File, Metadata, OpenOptions};
use std::io::{self, BufWriter, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

use crate::faults::operation;
use crate::unfinished;

/// The longest chain of symbolic links that is followed, as in Linux.
const MAX_LINKS: usize = 40;

/// The kind of file that a path names.
enum Target {
    /// A regular file, or nothing yet; the path has no symbolic link at its end.
    Regular(PathBuf),
    /// A pipe, a device or a socket.
    Special(Metadata),
}

impl Target {
    fn find(path: &Path) -> io::Result<Self> {
        match fs::metadata(path) {
            Ok(found) if found.is_dir() => Err(io::ErrorKind::IsADirectory.into()),
            // An open file, such as standard output: renaming another file over it would lose what is written there.
            Ok(found) if !found.is_file() || standard_stream(&found).is_some() || is_descriptor(path) => {
                Ok(Target::Special(found))
            }
            Ok(_) => follow_links(path).map(Target::Regular),
            Err(error) if error.kind() == io::ErrorKind::NotFound => follow_links(path).map(Target::Regular),
            Err(error) => Err(error),
        }
    }
}

/// The chain of symbolic links that begins at a path: the path itself, then each target.
fn links(path: &Path) -> impl Iterator<Item = PathBuf> {
    let next = |path: &PathBuf| Some(folder_of(path).join(fs::read_link(path).ok()?));
    std::iter::successors(Some(path.to_path_buf()), next).take(MAX_LINKS)
}

/// The path at the end of a chain of symbolic links. No file need exist there yet.
///
/// # Errors
/// If the links form a cycle.
pub fn follow_links(path: &Path) -> io::Result<PathBuf> {
    let end = links(path).last().filter(|end| !end.is_symlink());
    end.ok_or_else(|| io::Error::other("too many symbolic links"))
}

/// Whether a path names an open file descriptor of this process, as `/dev/fd/3` does.
fn is_descriptor(path: &Path) -> bool {
    links(path).any(|path| path.starts_with("/proc/self/fd") || path.starts_with("/dev/fd"))
}

/// Standard output or standard error, if `found` is one of them. The clone shares the position in the file.
#[cfg(unix)]
fn standard_stream(found: &Metadata) -> Option<File> {
    use std::os::fd::AsFd;
    use std::os::unix::fs::MetadataExt;

    let inode = |metadata: &Metadata| (metadata.dev(), metadata.ino());
    let streams = [io::stdout().as_fd().try_clone_to_owned(), io::stderr().as_fd().try_clone_to_owned()];
    let is_found = |stream: &File| stream.metadata().is_ok_and(|metadata| inode(&metadata) == inode(found));
    streams.into_iter().flatten().map(File::from).find(is_found)
}

#[cfg(not(unix))]
fn standard_stream(_found: &Metadata) -> Option<File> {
    None
}

fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Whether a path names standard output or standard error.
pub fn is_standard_stream(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|found| standard_stream(&found).is_some())
}

/// Whether a path names a file that [`Output`] writes straight to: a pipe, a terminal, another device.
pub fn is_special(path: &Path) -> bool {
    matches!(Target::find(path), Ok(Target::Special(_)))
}

/// A folder for temporary files: the folder of the output, or the system's where the output is not a regular file.
pub fn scratch_folder(path: &Path) -> PathBuf {
    match Target::find(path) {
        Ok(Target::Special(_)) => std::env::temp_dir(),
        Ok(Target::Regular(target)) => folder_of(&target).into(),
        Err(_) => folder_of(path).into(),
    }
}

/// Checks that a file can be written. Called before long work, so that an error does not come after it.
///
/// # Errors
/// If it is a folder, or its folder does not exist or cannot be written to.
pub fn check_writable(path: &Path) -> io::Result<()> {
    match Target::find(path)? {
        Target::Special(_) => Ok(()),
        Target::Regular(target) => temporary_file(folder_of(&target)).map(drop),
    }
}

/// A file that is removed unless it is renamed. Its permissions are those of any file that the user writes.
fn temporary_file(folder: &Path) -> io::Result<NamedTempFile> {
    // The dot distinguishes a folder from a file.
    fs::metadata(folder.join("."))?;
    operation()?;
    unfinished::register(folder);
    let prefix = unfinished::prefix();
    let mut builder = tempfile::Builder::new();
    builder.prefix(&prefix);
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    // The full error names the temporary file, which the user has never seen.
    let file = builder.tempfile_in(folder).map_err(|error| io::Error::from(error.kind()))?;
    // Held until the file is closed. Where there are no locks, age decides whether a file is abandoned.
    let _ = file.as_file().try_lock();
    Ok(file)
}

/// An output file that is being written.
#[derive(Debug)]
pub struct Output(Sink);

#[derive(Debug)]
enum Sink {
    /// Renamed to the target when it is complete.
    Temporary {
        file: NamedTempFile,
        target: PathBuf,
    },
    Straight(File),
}

impl Output {
    /// Opens an output file. Opening a pipe waits for its reader.
    ///
    /// # Errors
    /// If the folder does not exist or cannot be written to.
    pub fn create(path: &Path) -> io::Result<Self> {
        Ok(Output(match Target::find(path)? {
            Target::Regular(target) => Sink::Temporary { file: temporary_file(folder_of(&target))?, target },
            Target::Special(found) => {
                // Earlier output to the same stream stays in front.
                io::stdout().flush()?;
                let stream = standard_stream(&found);
                operation()?;
                Sink::Straight(stream.map_or_else(|| OpenOptions::new().write(true).open(path), Ok)?)
            }
        }))
    }

    /// Completes the file and gives it its name.
    ///
    /// # Errors
    /// If the disk is full, or the file cannot be renamed.
    pub fn finish(self) -> io::Result<()> {
        if let Sink::Temporary { file, target } = self.0 {
            operation()?;
            file.as_file().sync_all()?;
            operation()?;
            file.persist(target).map_err(|error| error.error)?;
        }
        Ok(())
    }

    fn file(&mut self) -> &mut File {
        match &mut self.0 {
            Sink::Temporary { file, .. } => file.as_file_mut(),
            Sink::Straight(file) => file,
        }
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        operation()?;
        self.file().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file().flush()
    }
}

impl Seek for Output {
    /// Fails on a pipe.
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        operation()?;
        self.file().seek(to)
    }
}

/// Writes a whole file. On failure, an existing regular file of that name stays as it was and no other file remains.
///
/// # Errors
/// If the disk is full, the folder cannot be written to, or `write` fails.
pub fn write_whole(path: &Path, write: impl FnOnce(&mut BufWriter<Output>) -> io::Result<()>) -> io::Result<()> {
    let mut writer = BufWriter::new(Output::create(path)?);
    write(&mut writer)?;
    writer.into_inner().map_err(io::IntoInnerError::into_error)?.finish()
}
