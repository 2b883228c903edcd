//! Writing certificates.

use std::io::{self, Write as _};
use std::path::Path;

use admissible_files::{FileError, write_whole};

use crate::entries::EntryWriter;
use crate::{Claim, Cost, Number, Rules, Sorted};

/// What was written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Written {
    /// The states of the proof.
    pub states: u64,
    /// The bytes of the file.
    pub bytes: u64,
}

/// Writes a certificate: of the states that a search closed, with the cheapest `g` of each, those that the proof needs.
///
/// # Errors
/// If the disk is full, or the folder cannot be written to; the file is then as it was.
pub fn write(path: &Path, claim: &Claim, closed: Sorted, rules: &dyn Rules) -> Result<Written, FileError> {
    let header = claim.header();
    let mut states = 0;
    write_whole(path, |file| {
        file.write_all(&header)?;
        let mut entries = EntryWriter::new(file, &header);
        for entry in closed {
            let (state, g) = entry.map_err(|error| io::Error::other(error.to_string()))?;
            if let Some(g) = needed(claim.cost, state, g, rules) {
                entries.put(state, g)?;
            }
        }
        states = entries.finish()?;
        Ok(())
    })?;
    Ok(Written { states, bytes: std::fs::metadata(path)?.len() })
}

/// The `g` under which a closed state is part of the proof, if it is.
fn needed(cost: Option<Cost>, state: Number, g: Cost, rules: &dyn Rules) -> Option<Cost> {
    match cost {
        // The states of the last layer lead to nothing cheaper by themselves.
        Some(cost) => rules.estimate(state).is_some_and(|h| g.saturating_add(h) < cost).then_some(g),
        // That there is no goal does not depend on what it costs to find none.
        None => Some(0),
    }
}
