//! What a certificate says of itself.

use std::io::{BufReader, Read};

use admissible_files::{CERTIFICATE, FileError, HeaderReader, HeaderWriter};
use serde::{Deserialize, Serialize};

use crate::Cost;
use crate::entries::EntryReader;

/// The longest claim that is read: a solution has a few hundred actions, and a board some dozen lines.
const LONGEST: u64 = 64 << 20;

/// What a certificate proves.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Claim {
    /// The name of the puzzle.
    pub puzzle: String,
    /// What the cost counts, such as moves; `None` only for a puzzle that counts in one way.
    pub metric: Option<String>,
    /// The board, as a file of the puzzle.
    pub board: String,
    /// The name of the heuristic that it rests on.
    pub heuristic: String,
    /// What a cheapest solution costs; `None` if there is none.
    pub cost: Option<Cost>,
    /// A solution of that cost.
    pub actions: Vec<String>,
    /// Whether there is no solution for a reason that can be seen without a search, as by parity: then no states
    /// follow.
    pub hopeless: bool,
}

impl Claim {
    /// The header of a certificate.
    pub(crate) fn header(&self) -> Vec<u8> {
        let text = serde_json::to_string(self).expect("a claim is texts and numbers");
        HeaderWriter::new(&CERTIFICATE).text(&text).close()
    }
}

/// Reads what a certificate claims, and goes on to its states.
pub(crate) fn open<R: Read>(source: R) -> Result<(Claim, EntryReader<BufReader<R>>), FileError> {
    let mut header = HeaderReader::new(BufReader::with_capacity(1 << 16, source), &CERTIFICATE)?;
    let text = header.text(LONGEST)?;
    let (source, length) = header.close()?;
    let claim: Claim = serde_json::from_str(&text).map_err(|_| FileError::header())?;
    let seen = claim.header();
    // What was read is what would be written: the checksum of the whole begins with it.
    if seen.len() as u64 != length {
        return Err(FileError::header());
    }
    Ok((claim, EntryReader::new(source, &seen)))
}
