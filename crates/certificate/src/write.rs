//! The writer of certificates.

use std::io::{self, Write as _};
use std::ops::ControlFlow;
use std::path::Path;

use admissible_files::{FileError, write_whole};

use crate::check::TICK;
use crate::entries::EntryWriter;
use crate::{Claim, Cost, Number, Rules, Sorted};

/// The size of a certificate that was written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Written {
    /// The states of the proof.
    pub states: u64,
    /// The bytes of the file.
    pub bytes: u64,
}

/// Writes a certificate with those of the closed states of a search, each with its least `g`, that the proof needs.
///
/// `watch` is called now and then with the number of states read so far, and may stop the writer.
///
/// # Errors
/// If the disk is full, the folder cannot be written to, or `watch` stopped it. An older file of that name is then
/// unchanged.
pub fn write(
    path: &Path,
    claim: &Claim,
    closed: Sorted,
    rules: &dyn Rules,
    watch: &mut dyn FnMut(u64) -> ControlFlow<()>,
) -> Result<Written, FileError> {
    let header = claim.header();
    let mut written = Written { states: 0, bytes: 0 };
    write_whole(path, |file| {
        file.write_all(&header)?;
        let mut entries = EntryWriter::new(file, &header);
        for (seen, entry) in (0_u64..).zip(closed) {
            if seen % TICK == 0 && watch(seen).is_break() {
                return Err(io::ErrorKind::Interrupted.into());
            }
            let (state, g) = entry.map_err(|error| io::Error::other(error.to_string()))?;
            if let Some(g) = needed(claim.cost, state, g, rules) {
                entries.put(state, g)?;
            }
        }
        written = entries.finish()?;
        Ok(())
    })?;
    Ok(written)
}

/// The `g` with which a closed state is part of the proof; `None` if the proof does not need the state.
fn needed(cost: Option<Cost>, state: Number, g: Cost, rules: &dyn Rules) -> Option<Cost> {
    match cost {
        // No solution through a state with f >= cost is cheaper.
        Some(cost) => rules.estimate(state).is_some_and(|h| g.saturating_add(h) < cost).then_some(g),
        // A proof of unsolvability needs no costs.
        None => Some(0),
    }
}
