//! Packs the files of the page, so that the program holds them compressed.

use std::error::Error;
use std::fs::{self, File};
use std::io::Write as _;
use std::path::Path;

use flate2::Compression;
use flate2::write::ZlibEncoder;

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=assets");
    let output = Path::new(&std::env::var("OUT_DIR")?).join("assets");
    let mut packed = ZlibEncoder::new(File::create(output)?, Compression::best());
    // Names and contents in turns, each with a byte 0 after it.
    for folder in ["", "lessons/"] {
        for entry in fs::read_dir(format!("assets/{folder}"))? {
            let entry = entry?;
            if entry.file_type()?.is_file() {
                write!(packed, "{folder}{}\0", entry.file_name().to_string_lossy())?;
                packed.write_all(&fs::read(entry.path())?)?;
                packed.write_all(&[0])?;
            }
        }
    }
    packed.finish()?;
    Ok(())
}
