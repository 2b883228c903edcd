//! The page with a puzzle that has no module, on any free port, until it is killed. The browser tests use it.

#[path = "../tests/api/own_puzzle.rs"]
mod own_puzzle;

use std::io;
use std::net::Ipv4Addr;
use std::thread;
use std::time::Duration;

use admissible_serve::{Bound, Settings, seed};

fn main() -> io::Result<()> {
    let bound = Bound::new((Ipv4Addr::LOCALHOST, 0).into())?;
    println!("{}", bound.url());
    let (puzzles, time) = (own_puzzle::PUZZLES, Duration::from_secs(60));
    bound.run(Settings { puzzles, jobs: 4, time, memory: 1 << 30, table_cache: None, seed }, || {
        loop {
            thread::park();
        }
    })
}
