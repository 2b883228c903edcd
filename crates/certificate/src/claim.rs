//! The claim at the head of a certificate.

use std::io::{BufReader, Read};

use admissible_files::{CERTIFICATE, FileError, HeaderReader, HeaderWriter};
use serde::{Deserialize, Serialize};

use crate::Cost;
use crate::entries::EntryReader;

/// The longest claim, in bytes: a solution has a few hundred actions, and a board some dozen lines.
const MAX_CLAIM_BYTES: u64 = 64 << 20;

/// What a certificate proves.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Claim {
    /// The name of the puzzle.
    pub puzzle: String,
    /// The unit of the cost, such as moves; `None` only for a puzzle with one unit.
    pub metric: Option<String>,
    /// The board, as the text of a puzzle file.
    pub board: String,
    /// The name of the heuristic that the proof uses.
    pub heuristic: String,
    /// The cost of a cheapest solution; `None` if there is no solution.
    pub cost: Option<Cost>,
    /// A solution of that cost.
    pub actions: Vec<String>,
    /// Whether the instance is known to be unsolvable without a search, as by parity. Then no states follow.
    pub hopeless: bool,
}

impl Claim {
    /// The header of a certificate.
    pub(crate) fn header(&self) -> Vec<u8> {
        let text = serde_json::to_string(self).expect("a claim has strings and numbers only");
        HeaderWriter::new(&CERTIFICATE).text(&text).close()
    }
}

/// Reads the claim of a certificate. The reader that it returns continues with the states.
pub(crate) fn open<R: Read>(source: R) -> Result<(Claim, EntryReader<BufReader<R>>), FileError> {
    let mut header = HeaderReader::new(BufReader::with_capacity(1 << 16, source), &CERTIFICATE)?;
    let text = header.text(MAX_CLAIM_BYTES)?;
    let (source, length) = header.close()?;
    let claim: Claim = serde_json::from_str(&text).map_err(|_| FileError::header())?;
    // The checksum of the whole file begins with the header, which must be byte for byte the one that we would write.
    let expected = claim.header();
    if expected.len() as u64 != length {
        return Err(FileError::header());
    }
    Ok((claim, EntryReader::new(source, &expected)))
}
