//! Writes the static site: `site ENGINE FOLDER` puts the page and the module of the engine into an empty folder, and
//! prints the size of each file, as it is and compressed.

use std::io::{self, Write as _};
use std::path::Path;
use std::{env, fs};

use admissible_puzzles::PUZZLES;
use admissible_serve::site;
use flate2::Compression;
use flate2::write::GzEncoder;

fn main() -> io::Result<()> {
    let mut words = env::args_os().skip(1);
    let (Some(engine), Some(folder), None) = (words.next(), words.next(), words.next()) else {
        return Err(io::Error::other("expected the module of the engine and a folder"));
    };
    let mut total = 0;
    for (name, content) in site::files(PUZZLES, fs::read(engine)?) {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
        encoder.write_all(&content)?;
        let compressed = encoder.finish()?.len();
        total += compressed;
        println!("{name:12} {:9} {compressed:9}", content.len());
        fs::write(Path::new(&folder).join(name), content)?;
    }
    println!("{:12} {:9} {total:9}", "total", "");
    Ok(())
}
