//! Control messages between workers: goals, counts, checkpoints, path reconstruction, the end.
//!
//! Worker 0 is the coordinator: it decides when the search is over.

use std::io::Write;

use admissible::search::Stop;
use serde::{Deserialize, Serialize};
use timely::bytes::arc::Bytes;
use timely::communication::Bytesable;

use crate::peer_stream::Loss;

/// A control message from one worker to another.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Message {
    /// To worker 0: the counts so far.
    Count { worker: usize, count: Count },
    /// To a sender of batches: the receiver has taken in this many of its states.
    Received { states: u64 },
    /// To worker 0: the worker expanded a goal state.
    Goal { worker: usize, state: Vec<u64> },
    /// To worker 0: a request to stop the search.
    Stop { why: StopReason },
    /// To all: expand no states until `Resume`.
    Pause,
    /// To worker 0, from a paused worker, whenever the numbers change: the states that it has sent and taken in since
    /// the start. `is_intact` unless it has lost states, or removed a goal from the open list.
    Paused { worker: usize, sent: u64, taken: u64, is_intact: bool },
    /// To all, when no batch is in flight: write a checkpoint, with the reason if the run is about to stop.
    Write { number: u64, why: Option<StopReason> },
    /// To worker 0: a process has written its checkpoint, or failed to.
    Written { process: usize, is_ok: bool },
    /// To all: go on expanding. `is_committed` if all processes have written a checkpoint, which replaces the last.
    Resume { is_committed: bool },
    /// To all: expand no more states.
    Halt,
    /// To worker 0, after `Halt`: the worker's final results.
    Final { worker: usize, found: Box<Results> },
    /// To the owner of a state: continue the path back from it. `codes` has the moves after the state, last to first.
    Trace { state: Vec<u64>, codes: Vec<u32> },
    /// To worker 0: the moves of a path, last to first.
    Path { codes: Vec<u32> },
    /// To all: the result of the run.
    End(Box<RunEnd>),
    /// To all: a process is lost.
    Lost { process: usize, why: Loss },
}

/// Counts of one worker, or their sum.
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

/// Final results of one worker, or of all together.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Results {
    pub(crate) count: Count,
    /// The layers in which states were expanded, each with their number.
    pub(crate) layers: Vec<(u32, u64)>,
    /// The first states expanded in the last of these layers.
    pub(crate) samples: Vec<Vec<u64>>,
    pub(crate) goals: u64,
    pub(crate) dead_ends: bool,
}

/// The result of the run, which every process receives.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct RunEnd {
    pub(crate) outcome: RunOutcome,
    /// The lower bound proved.
    pub(crate) bound: u32,
    pub(crate) workers: usize,
    pub(crate) found: Results,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum RunOutcome {
    /// The moves, first to last.
    Path(Vec<u32>),
    /// Every reachable state was expanded.
    Exhausted,
    Stopped(StopReason),
}

/// Why a search stops early.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum StopReason {
    Nodes,
    Time,
    Memory,
    Interrupted,
}

impl From<StopReason> for Stop {
    fn from(why: StopReason) -> Stop {
        match why {
            StopReason::Nodes => Stop::Nodes,
            StopReason::Time => Stop::Time,
            StopReason::Memory => Stop::Memory,
            StopReason::Interrupted => Stop::Interrupted,
        }
    }
}

/// A message as JSON, in the form that timely's channels carry.
pub(crate) struct EncodedMessage(Vec<u8>);

impl EncodedMessage {
    pub(crate) fn encode(message: &Message) -> Self {
        EncodedMessage(serde_json::to_vec(message).expect("a message has no maps with keys other than strings"))
    }

    /// What arrived.
    pub(crate) fn of(bytes: &[u8]) -> Self {
        EncodedMessage(bytes.to_vec())
    }

    /// `None` if the bytes are not a message.
    pub(crate) fn decode(&self) -> Option<Message> {
        serde_json::from_slice(&self.0).ok()
    }
}

impl Bytesable for EncodedMessage {
    fn from_bytes(bytes: Bytes) -> Self {
        EncodedMessage::of(&bytes)
    }

    fn length_in_bytes(&self) -> usize {
        self.0.len()
    }

    fn into_bytes<W: Write>(&self, writer: &mut W) {
        writer.write_all(&self.0).expect("timely reserves `length_in_bytes`");
    }
}
