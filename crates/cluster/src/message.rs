//! What workers tell each other beside states: goals, counts, the way back, the end.

use std::io::Write;

use admissible::search::Stop;
use serde::{Deserialize, Serialize};
use timely::bytes::arc::Bytes;
use timely::communication::Bytesable;

/// Something that one worker tells another. Worker 0 decides when the search is over.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Message {
    /// To worker 0: so much was done so far.
    Count { worker: usize, count: Count },
    /// To a sender of batches: so many of its states were taken in.
    Taken { states: u64 },
    /// To worker 0: a goal was come upon.
    Goal { worker: usize, state: Vec<u64> },
    /// To worker 0: one cannot go on, or is not to.
    Stop { why: Why },
    /// To all: nobody expands states until all are told to go on.
    Pause,
    /// To worker 0, from one that pauses, whenever it changes: so many states it has sent and taken in, in all.
    /// `is_whole` unless it has lost some, or a goal.
    Paused { worker: usize, sent: u64, taken: u64, is_whole: bool },
    /// To all, when nothing is under way: write down what you have, and why you are about to stop, if you are.
    Write { number: u64, why: Option<Why> },
    /// To worker 0: a process has written down what it has.
    Written { process: usize, is_good: bool },
    /// To all: go on; and if everybody has written, what they wrote is what counts.
    GoOn { is_written: bool },
    /// To all: nobody expands states any more.
    Halt,
    /// To worker 0, after the halt: what it took, and all that is known of the layers.
    Final { worker: usize, found: Box<Found> },
    /// To the owner of a state: how was it reached? The moves after it are known, last to first.
    Trace { state: Vec<u64>, codes: Vec<u32> },
    /// To worker 0: the moves of a path, last to first.
    Path { codes: Vec<u32> },
    /// To all: the outcome.
    End(Box<End>),
    /// To all: a process is gone.
    Gone { process: usize },
}

/// Counts of one worker, or of all.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Count {
    pub(crate) expanded: u64,
    pub(crate) generated: u64,
    pub(crate) stored: u64,
    pub(crate) max_frontier: u64,
    pub(crate) bytes: u64,
    pub(crate) peak_bytes: u64,
}

impl Count {
    pub(crate) fn add(&mut self, other: &Count) {
        self.expanded += other.expanded;
        self.generated += other.generated;
        self.stored += other.stored;
        self.max_frontier += other.max_frontier;
        self.bytes += other.bytes;
        self.peak_bytes += other.peak_bytes;
    }
}

/// What one worker found in the end, or all of them.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Found {
    pub(crate) count: Count,
    /// The layers in which states were expanded, and how many.
    pub(crate) layers: Vec<(u32, u64)>,
    /// The first states of the last of these.
    pub(crate) samples: Vec<Vec<u64>>,
    pub(crate) goals: u64,
    pub(crate) dead_ends: bool,
}

/// How a search ended, for all.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct End {
    pub(crate) outcome: Ending,
    /// The lower bound that is proved.
    pub(crate) bound: u32,
    pub(crate) workers: usize,
    pub(crate) found: Found,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Ending {
    /// The moves, first to last.
    Path(Vec<u32>),
    /// Everything that can be reached was expanded.
    Exhausted,
    Stopped(Why),
}

/// Why a search is to stop.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Why {
    Nodes,
    Time,
    Memory,
    Interrupted,
}

impl From<Why> for Stop {
    fn from(why: Why) -> Stop {
        match why {
            Why::Nodes => Stop::Nodes,
            Why::Time => Stop::Time,
            Why::Memory => Stop::Memory,
            Why::Interrupted => Stop::Interrupted,
        }
    }
}

/// Message as they are carried.
pub(crate) struct Envelope(Vec<u8>);

impl Envelope {
    pub(crate) fn seal(message: &Message) -> Self {
        Envelope(serde_json::to_vec(message).expect("messages have no maps, and so are JSON"))
    }

    /// `None` for what is no message: then another program is at the other end.
    pub(crate) fn open(&self) -> Option<Message> {
        serde_json::from_slice(&self.0).ok()
    }
}

impl Bytesable for Envelope {
    fn from_bytes(bytes: Bytes) -> Self {
        Envelope(bytes.to_vec())
    }

    fn length_in_bytes(&self) -> usize {
        self.0.len()
    }

    fn into_bytes<W: Write>(&self, writer: &mut W) {
        writer.write_all(&self.0).expect("there is room for the whole envelope");
    }
}
