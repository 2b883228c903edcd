//! Checkpoints of an exploration: complete layers, written and read back.

use std::io::{self, Read, Write};

use super::bitmap::Bitmap;
use super::levels::{Levels, Packing};

/// Saves complete layers while a space is explored, and loads them to resume. `()` does neither.
pub trait LayerCheckpoints {
    /// The layers to resume from, if there are any, for this packing and number of states.
    fn load(&self, _packing: Packing, _states: usize) -> Option<SavedLayers> {
        None
    }
    /// Whether a checkpoint is due; `stopping` if the exploration is about to stop.
    fn is_due(&self, _stopping: bool) -> bool {
        false
    }
    /// Saves a checkpoint.
    fn save(&self, _layers: &CompleteLayers<'_>) {}
}

impl LayerCheckpoints for () {}

/// The layers up to some depth: what a checkpoint holds.
#[derive(Debug)]
pub struct CompleteLayers<'a> {
    pub(super) depths: &'a [u64],
    pub(super) edges: u64,
    pub(super) levels: &'a Levels,
    pub(super) layer: &'a Bitmap,
}

/// The layers read from a checkpoint.
#[derive(Debug)]
pub struct SavedLayers {
    pub(super) depths: Vec<u64>,
    pub(super) edges: u64,
    pub(super) levels: Vec<u8>,
    pub(super) layer: Vec<usize>,
}

impl CompleteLayers<'_> {
    /// The number of layers.
    pub fn count(&self) -> usize {
        self.depths.len()
    }

    /// Writes the layers.
    ///
    /// # Errors
    /// If writing fails.
    pub fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        let number = |out: &mut dyn Write, number: u64| out.write_all(&number.to_le_bytes());
        number(out, self.depths.len() as u64)?;
        self.depths.iter().try_for_each(|&states| number(out, states))?;
        number(out, self.edges)?;
        self.levels.write(out)?;
        let mut members = self.layer.blocks().into_iter().flat_map(|block| self.layer.members(block));
        members.try_for_each(|member| number(out, member as u64))
    }
}

impl SavedLayers {
    /// Reads layers that [`CompleteLayers::write`] wrote, for this packing and number of states.
    ///
    /// # Errors
    /// If reading fails, or the layers are those of another space.
    pub fn read(packing: Packing, states: usize, input: &mut dyn Read) -> io::Result<Self> {
        let wrong = || io::Error::new(io::ErrorKind::InvalidData, "these are layers of another space");
        let number = |input: &mut dyn Read| {
            let mut bytes = [0; 8];
            input.read_exact(&mut bytes).map(|()| u64::from_le_bytes(bytes))
        };
        let count = number(input)?;
        if count == 0 || count > states as u64 {
            return Err(wrong());
        }
        let depths = (0..count).map(|_| number(input)).collect::<io::Result<Vec<u64>>>()?;
        let edges = number(input)?;
        let mut levels = vec![0; packing.bytes(states as u64) as usize];
        input.read_exact(&mut levels)?;
        let last = *depths.last().expect("there is a layer");
        let has_level = |&rank: &usize| packing.level(rank, levels[packing.place(rank)]).is_some();
        let known = (0..states).filter(has_level).count() as u64;
        if depths.iter().try_fold(0_u64, |sum, &more| sum.checked_add(more)) != Some(known) {
            return Err(wrong());
        }
        let layer = (0..last).map(|_| number(input)).collect::<io::Result<Vec<u64>>>()?;
        if layer.iter().any(|&member| member >= states as u64) {
            return Err(wrong());
        }
        let layer = layer.into_iter().map(|member| member as usize).collect();
        Ok(SavedLayers { depths, edges, levels, layer })
    }
}
