//! Answers from an atlas: it has the distance of every state, so a shortest path follows decreasing distances.

use admissible::explore::{Lost, descend};
use admissible_files::FileError;
use thiserror::Error;

use crate::instance::{ErasedSpace, Instance, MoveIndex};
use crate::scope::Scope;
use crate::store::{CheckedBlocks, Store};

/// Why an atlas gives no answer.
#[derive(Debug, Error)]
pub(crate) enum AtlasError {
    /// The file cannot be used.
    #[error(transparent)]
    Store(#[from] FileError),
    /// The file is intact, but its distances are not those of this space.
    #[error(transparent)]
    Lost(#[from] Lost),
    /// The start has no rank in it.
    #[error("the start is not in it")]
    StartUnranked,
}

/// A shortest path from the start to a goal; `None` if there is no path.
pub(crate) type AtlasPath = Option<Vec<MoveIndex>>;

/// Looks the start up in the atlases of the instance; `None` if none of them has it. Adds a note to `notes` for each
/// atlas that cannot be used.
pub(crate) fn look_up(instance: &dyn Instance, store: &Store, notes: &mut Vec<String>) -> Option<AtlasPath> {
    for name in instance.atlases() {
        let path = match store.blocks(&name) {
            Ok(None) => continue,
            Ok(Some(blocks)) => descend_from_start(instance, &instance.atlas(&name)?, blocks),
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
fn descend_from_start(
    instance: &dyn Instance,
    scope: &Scope<'_>,
    mut blocks: CheckedBlocks,
) -> Result<AtlasPath, AtlasError> {
    let part = scope.first_part().expect("an atlas has ranks").maker.make();
    FileError::check_length(blocks.len(), scope.packing.bytes(part.size() as u64))?;
    let start = instance.start();
    part.rank(start).ok_or(AtlasError::StartUnranked)?;
    descend(&ErasedSpace(instance), scope.packing, part.size(), start, |&state| {
        let Some(rank) = part.rank(state) else { return Ok(None) };
        Ok(scope.packing.level(rank, blocks.byte(scope.packing.place(rank))?))
    })
}
