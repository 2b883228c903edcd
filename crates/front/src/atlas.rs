//! Answers from an atlas: the distances of every state are known, and the way leads downhill.

use std::fmt;

use admissible::Ranking;
use admissible::explore::{Lost, Packing, descend};
use admissible_files::FileError;

use crate::puzzle::Puzzle;
use crate::scope::WithRanking;
use crate::store::{Pages, Store};

/// Why an atlas is not used.
#[derive(Debug)]
pub(crate) enum AtlasError {
    /// The file is not what was written.
    Store(FileError),
    /// It is whole, and of something else.
    Lost,
    /// It does not know the start.
    Unknown,
}

impl fmt::Display for AtlasError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            AtlasError::Store(error) => error.fmt(f),
            AtlasError::Lost => Lost.fmt(f),
            AtlasError::Unknown => f.write_str("the start is not in it"),
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

/// A shortest way, or that there is no way: what an atlas knows of an instance.
pub(crate) type Known<M> = Option<Vec<M>>;

/// Looks for an atlas that knows the start. Those that cannot be used are named with the reason.
pub(crate) fn consult<P: Puzzle>(puzzle: &P, store: &Store, refused: &mut Vec<String>) -> Option<Known<P::Move>> {
    for name in puzzle.atlases() {
        let walked = match store.pages(&name) {
            Ok(None) => continue,
            Ok(Some(pages)) => puzzle.with_atlas(&name, Walk { puzzle, pages })?,
            Err(error) => Err(error.into()),
        };
        match walked {
            Ok(known) => return Some(known),
            Err(AtlasError::Unknown) => {}
            Err(error) => refused.push(format!("the atlas {} is not used: {error}", store.file(&name).display())),
        }
    }
    None
}

/// Walks from the start downhill.
struct Walk<'a, P> {
    puzzle: &'a P,
    pages: Pages,
}

impl<P: Puzzle> WithRanking<P> for Walk<'_, P> {
    type Out = Result<Known<P::Move>, AtlasError>;

    fn call<R: Ranking<P>>(mut self, ranking: &R) -> Self::Out {
        let start = self.puzzle.start();
        let packing = Packing::of::<P, R>();
        let expected = packing.bytes(ranking.size() as u64);
        FileError::check_length(self.pages.len(), expected)?;
        ranking.rank(self.puzzle, &start).ok_or(AtlasError::Unknown)?;
        descend(self.puzzle, ranking, start, |rank| {
            let byte = self.pages.byte(packing.place(rank))?;
            Ok(packing.level(rank, byte))
        })
    }
}
