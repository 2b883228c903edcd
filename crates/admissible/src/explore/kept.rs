//! Layers that are written down, so that an exploration can go on another time.

use std::io::{self, Read, Write};

use super::bitmap::Bitmap;
use super::levels::{Levels, Packing};

/// Keeps layers while a space is explored. `()` keeps nothing.
pub trait LayerKeeper {
    /// What was kept the last time, if the exploration is to go on from there, for levels of so many states.
    fn kept(&self, _packing: Packing, _states: usize) -> Option<KeptLayers> {
        None
    }
    /// Whether the layers are to be kept now; `stopping` if this is the last time that it is asked.
    fn is_due(&self, _stopping: bool) -> bool {
        false
    }
    /// Keeps them.
    fn keep(&self, _layers: &WholeLayers<'_>) {}
}

impl LayerKeeper for () {}

/// Every state up to some distance, and those that have it: all that there is to know between two layers.
#[derive(Debug)]
pub struct WholeLayers<'a> {
    pub(super) depths: &'a [u64],
    pub(super) edges: u64,
    pub(super) levels: &'a Levels,
    pub(super) layer: &'a Bitmap,
}

/// The same as it comes back.
#[derive(Debug)]
pub struct KeptLayers {
    pub(super) depths: Vec<u64>,
    pub(super) edges: u64,
    pub(super) levels: Vec<u8>,
    pub(super) layer: Vec<usize>,
}

impl WholeLayers<'_> {
    /// How many layers there are.
    pub fn count(&self) -> usize {
        self.depths.len()
    }

    /// Writes them down.
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

impl KeptLayers {
    /// Reads layers that were [written down](WholeLayers::write), with levels of so many states.
    ///
    /// # Errors
    /// If reading fails, or they are layers of something else.
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
        if depths.iter().try_fold(0_u64, |sum, &more| sum.checked_add(more)).is_none_or(|sum| sum > states as u64) {
            return Err(wrong());
        }
        let layer = (0..last).map(|_| number(input)).collect::<io::Result<Vec<u64>>>()?;
        if layer.iter().any(|&member| member >= states as u64) {
            return Err(wrong());
        }
        let layer = layer.into_iter().map(|member| member as usize).collect();
        Ok(KeptLayers { depths, edges, levels, layer })
    }
}
