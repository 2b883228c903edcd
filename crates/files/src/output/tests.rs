use std::os::unix::fs::{FileTypeExt as _, symlink};
use std::process::Command;
use std::thread;

use super::*;

fn write(path: &Path, text: &str) -> io::Result<()> {
    write_whole(path, |out| out.write_all(text.as_bytes()))
}

fn names(folder: &Path) -> Vec<String> {
    let name = |entry: io::Result<fs::DirEntry>| entry.unwrap().file_name().to_string_lossy().into_owned();
    let mut names: Vec<String> = fs::read_dir(folder).unwrap().map(name).collect();
    names.sort();
    names
}

#[test]
fn a_pipe_is_written_to_and_stays_a_pipe() {
    let folder = tempfile::tempdir().unwrap();
    let pipe = folder.path().join("pipe");
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    assert!(check_writable(&pipe).is_ok(), "the check does not wait for a reader");
    assert!(is_special(&pipe));
    assert_ne!(scratch_folder(&pipe), folder.path());
    let reader = thread::spawn({
        let pipe = pipe.clone();
        move || fs::read_to_string(pipe).unwrap()
    });
    write(&pipe, "through the pipe").unwrap();
    // Without its pipe the reader would wait forever.
    assert!(fs::symlink_metadata(&pipe).unwrap().file_type().is_fifo());
    assert_eq!(reader.join().unwrap(), "through the pipe");
    assert_eq!(names(folder.path()), ["pipe"]);
}

#[test]
fn a_link_stays_a_link_and_its_target_is_replaced() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    fs::create_dir(at("elsewhere")).unwrap();
    fs::write(at("elsewhere/old"), "old").unwrap();
    symlink("elsewhere/old", at("link")).unwrap();
    symlink("link", at("link-to-link")).unwrap();
    symlink("elsewhere/none-yet", at("dangling")).unwrap();
    symlink("circle", at("circle")).unwrap();
    write(&at("link-to-link"), "new").unwrap();
    write(&at("dangling"), "first").unwrap();
    write(&at("circle"), "nowhere").unwrap_err();
    assert_eq!(fs::read_to_string(at("elsewhere/old")).unwrap(), "new");
    assert_eq!(fs::read_to_string(at("elsewhere/none-yet")).unwrap(), "first");
    for link in ["link", "link-to-link", "dangling"] {
        assert!(fs::symlink_metadata(at(link)).unwrap().is_symlink(), "{link}");
    }
    assert_eq!(scratch_folder(&at("link")), at("elsewhere"));
    assert_eq!(names(folder.path()), ["circle", "dangling", "elsewhere", "link", "link-to-link"]);
    assert_eq!(names(&at("elsewhere")), ["none-yet", "old"]);
}

#[cfg(target_os = "linux")]
#[test]
fn an_open_file_is_written_to_and_not_replaced() {
    use std::os::fd::AsRawFd;
    use std::os::unix::fs::MetadataExt;

    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("log");
    let open = File::create(&path).unwrap();
    for name in ["/dev/fd", "/proc/self/fd"] {
        let descriptor = Path::new(name).join(open.as_raw_fd().to_string());
        write(&descriptor, name).unwrap();
        assert!(fs::read_to_string(&path).unwrap().starts_with(name));
        assert_eq!(fs::metadata(&path).unwrap().ino(), open.metadata().unwrap().ino());
    }
}

#[test]
fn a_failed_write_leaves_only_the_old_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("file");
    write(&path, "old").unwrap();
    let failed = write_whole(&path, |out| {
        out.write_all(b"half of it")?;
        Err(io::Error::other("the disk is full"))
    });
    assert_eq!(failed.unwrap_err().to_string(), "the disk is full");
    assert_eq!(fs::read_to_string(&path).unwrap(), "old");
    assert!(check_writable(&path).is_ok());
    assert!(check_writable(folder.path()).is_err(), "a folder is not a file");
    assert!(write(folder.path(), "text").is_err());
    assert!(check_writable(&folder.path().join("none/file")).is_err());
    assert!(check_writable(&path.join("file")).is_err(), "a file is not a folder");
    assert_eq!(names(folder.path()), ["file"]);
}
