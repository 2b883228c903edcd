//! Answers from an atlas: it has the distance of every state, so a shortest path follows decreasing distances.

use std::fmt;

use admissible::Ranking;
use admissible::explore::{Lost, Packing, descend};
use admissible_files::FileError;

use crate::puzzle::Puzzle;
use crate::scope::WithRanking;
use crate::store::{CheckedBlocks, Store};

/// Why an atlas gives no answer.
#[derive(Debug)]
pub(crate) enum AtlasError {
    /// The file cannot be used.
    Store(FileError),
    /// The file is intact, but its distances are not those of this space.
    Lost,
    /// The start has no rank in it.
    StartUnranked,
}

impl fmt::Display for AtlasError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            AtlasError::Store(error) => error.fmt(f),
            AtlasError::Lost => Lost.fmt(f),
            AtlasError::StartUnranked => f.write_str("the start is not in it"),
        }
    }
}

impl From<Lost> for AtlasError {
    fn from(_: Lost) -> Self {
        AtlasError::Lost
    }
}

impl From<FileError> for AtlasError {
    fn from(error: FileError) -> Self {
        AtlasError::Store(error)
    }
}

/// A shortest path from the start to a goal; `None` if there is no path.
pub(crate) type AtlasPath<M> = Option<Vec<M>>;

/// Looks the start up in the atlases of the puzzle; `None` if none of them has it. Adds a note to `notes` for each
/// atlas that cannot be used.
pub(crate) fn look_up<P: Puzzle>(puzzle: &P, store: &Store, notes: &mut Vec<String>) -> Option<AtlasPath<P::Move>> {
    for name in puzzle.atlases() {
        let path = match store.blocks(&name) {
            Ok(None) => continue,
            Ok(Some(blocks)) => puzzle.with_atlas(&name, Descent { puzzle, blocks })?,
            Err(error) => Err(error.into()),
        };
        match path {
            Ok(path) => return Some(path),
            Err(AtlasError::StartUnranked) => {}
            Err(error) => notes.push(format!("the atlas {} is not used: {error}", store.file(&name).display())),
        }
    }
    None
}

/// Descends from the start to a goal by the distances of an atlas.
struct Descent<'a, P> {
    puzzle: &'a P,
    blocks: CheckedBlocks,
}

impl<P: Puzzle> WithRanking<P> for Descent<'_, P> {
    type Out = Result<AtlasPath<P::Move>, AtlasError>;

    fn call<R: Ranking<P>>(mut self, ranking: &R) -> Self::Out {
        let start = self.puzzle.start();
        let packing = Packing::of::<P, R>();
        let expected = packing.bytes(ranking.size() as u64);
        FileError::check_length(self.blocks.len(), expected)?;
        ranking.rank(self.puzzle, &start).ok_or(AtlasError::StartUnranked)?;
        descend(self.puzzle, ranking, start, |rank| {
            let byte = self.blocks.byte(packing.place(rank))?;
            Ok(packing.level(rank, byte))
        })
    }
}
