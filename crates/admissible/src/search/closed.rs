//! The states a search has met: an arena of nodes and an index by packed state.
//!
//! A node is the packed state, the cheapest known `g`, the parent and whether it is closed: 16 bytes for a state of 64
//! bits. Node ids count up in order of discovery. The index is an open-addressed table of 4-byte slots; a slot is the
//! node's id in its low bits, and whatever bits the ids do not need yet are filled with a part of the hash, so that
//! almost no probe has to look at a node in vain. When the table is full it is thrown away and made anew, half again
//! as large, from the arena: old and new never stand in memory together. A space with a perfect hash
//! ([`Ranked`](crate::Ranked)) has a plain array instead.

use std::hash::BuildHasher;

use rustc_hash::FxBuildHasher;

use super::report::Stop;
use super::signal::Signal;
use crate::rank::{rank, ranking_size};
use crate::space::{Cost, StateSpace};

pub(crate) type NodeId = u32;

/// The node that the start's parent field names.
const NO_PARENT: u32 = u32::MAX >> 1;
const CLOSED: u32 = 1 << 31;
const EMPTY: u32 = u32::MAX;
/// Plain arrays are used up to this many states: 256 MiB of address space, of which only the touched pages count.
const MOST_PLAIN: u32 = 1 << 26;
/// Nodes that are put into a new index between two looks at the signal: some milliseconds.
const LOOK_EVERY: usize = 1 << 16;

#[derive(Debug, Clone, Copy)]
struct Node<P> {
    packed: P,
    g: Cost,
    /// The parent's id, and the closed mark in the highest bit.
    parent: u32,
}

/// The memory limit does not allow the list to grow.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Full;

#[derive(Debug)]
pub(crate) struct Nodes<P> {
    nodes: Vec<Node<P>>,
    index: Index,
    limit: u64,
    signal: Signal,
}

#[derive(Debug)]
enum Index {
    /// `slots[rank]` is the id plus one, 0 where there is none.
    Plain(Vec<u32>),
    Hashed {
        slots: Vec<u32>,
        id_bits: u32,
        /// How many nodes fit before the table has to grow.
        room: usize,
    },
}

/// Whether a state was met before.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Met {
    Now(NodeId),
    Before(NodeId),
}

impl<P: Copy + Eq + std::hash::Hash> Nodes<P> {
    /// An empty list that will hold at most `limit` bytes.
    pub(crate) fn new<S: StateSpace<Packed = P>>(space: &S, limit: Option<u64>) -> Self {
        let limit = limit.unwrap_or(u64::MAX);
        let plain = ranking_size(space).filter(|&size| size <= MOST_PLAIN && u64::from(size) * 4 <= limit / 2);
        match plain {
            Some(size) => Self::with(Index::Plain(vec![0; size as usize]), limit),
            None => Self::with(Index::hashed(1024), limit),
        }
    }

    /// The same for a search that will not last: an array for all states would take longer to clear.
    pub(crate) fn few(limit: Option<u64>) -> Self {
        Self::with(Index::hashed(1024), limit.unwrap_or(u64::MAX))
    }

    fn with(index: Index, limit: u64) -> Self {
        Nodes { nodes: Vec::new(), index, limit, signal: Signal::default() }
    }

    /// Changes the bytes that the list may take from now on.
    #[inline]
    pub(crate) fn set_limit(&mut self, limit: u64) {
        self.limit = limit;
    }

    /// What the list looks at while it makes room.
    pub(crate) fn heed(&mut self, signal: &Signal) {
        self.signal = signal.clone();
    }

    /// Why there was no room.
    pub(crate) fn why_full(&self) -> Stop {
        self.signal.stop().unwrap_or(Stop::Memory)
    }

    #[inline]
    pub(crate) fn packed(&self, id: NodeId) -> P {
        self.nodes[id as usize].packed
    }

    #[inline]
    pub(crate) fn g(&self, id: NodeId) -> Cost {
        self.nodes[id as usize].g
    }

    #[inline]
    pub(crate) fn parent(&self, id: NodeId) -> Option<NodeId> {
        let parent = self.nodes[id as usize].parent & !CLOSED;
        (parent != NO_PARENT).then_some(parent)
    }

    #[inline]
    pub(crate) fn is_closed(&self, id: NodeId) -> bool {
        self.nodes[id as usize].parent & CLOSED != 0
    }

    #[inline]
    pub(crate) fn close(&mut self, id: NodeId) {
        self.nodes[id as usize].parent |= CLOSED;
    }

    /// Notes a cheaper way to a node, and opens it.
    #[inline]
    pub(crate) fn improve(&mut self, id: NodeId, g: Cost, parent: NodeId) {
        let node = &mut self.nodes[id as usize];
        node.g = g;
        node.parent = parent;
    }

    pub(crate) fn len(&self) -> usize {
        self.nodes.len()
    }

    pub(crate) fn bytes(&self) -> u64 {
        (self.nodes.capacity() * size_of::<Node<P>>()) as u64 + 4 * self.index.slots() as u64
    }

    /// The node of a state, if it was met.
    #[inline]
    pub(crate) fn find<S: StateSpace<Packed = P>>(&self, space: &S, packed: P) -> Option<NodeId> {
        match &self.index {
            Index::Plain(slots) => slots[place(space, packed)].checked_sub(1),
            Index::Hashed { slots, id_bits, .. } => {
                let hash = hash(packed);
                let tag = tag(hash, *id_bits);
                let mut at = home(hash, slots.len());
                loop {
                    let slot = slots[at];
                    if slot == EMPTY {
                        return None;
                    }
                    let id = slot & low_bits(*id_bits);
                    if slot ^ id == tag && self.nodes[id as usize].packed == packed {
                        return Some(id);
                    }
                    at = if at + 1 == slots.len() { 0 } else { at + 1 };
                }
            }
        }
    }

    /// Finds the node of a state, or makes an open one with this `g` and parent.
    #[inline]
    pub(crate) fn meet<S: StateSpace<Packed = P>>(
        &mut self,
        space: &S,
        packed: P,
        g: Cost,
        parent: Option<NodeId>,
    ) -> Result<Met, Full> {
        if self.nodes.len() == self.nodes.capacity() {
            self.grow_arena()?;
        }
        let new = self.nodes.len() as NodeId;
        match &mut self.index {
            Index::Plain(slots) => {
                let slot = &mut slots[place(space, packed)];
                if let Some(id) = slot.checked_sub(1) {
                    return Ok(Met::Before(id));
                }
                *slot = new + 1;
            }
            Index::Hashed { room, .. } if self.nodes.len() == *room => {
                self.grow_index()?;
                return self.meet(space, packed, g, parent);
            }
            Index::Hashed { slots, id_bits, .. } => {
                let hash = hash(packed);
                let tag = tag(hash, *id_bits);
                let mut at = home(hash, slots.len());
                loop {
                    let slot = slots[at];
                    if slot == EMPTY {
                        slots[at] = tag | new;
                        break;
                    }
                    let id = slot & low_bits(*id_bits);
                    if slot ^ id == tag && self.nodes[id as usize].packed == packed {
                        return Ok(Met::Before(id));
                    }
                    at = if at + 1 == slots.len() { 0 } else { at + 1 };
                }
            }
        }
        self.nodes.push(Node { packed, g, parent: parent.unwrap_or(NO_PARENT) });
        Ok(Met::Now(new))
    }

    /// Calls `visit` with the states of some nodes, and their `g`.
    pub(crate) fn each(&self, which: impl Fn(&Self, NodeId) -> bool, visit: &mut dyn FnMut(P, Cost)) {
        for id in (0..self.nodes.len() as NodeId).filter(|&id| which(self, id)) {
            visit(self.packed(id), self.g(id));
        }
    }

    /// The states from the root to a node.
    pub(crate) fn path_to(&self, id: NodeId) -> Vec<P> {
        let mut path: Vec<P> =
            std::iter::successors(Some(id), |&id| self.parent(id)).map(|id| self.packed(id)).collect();
        path.reverse();
        path
    }

    /// Grows by a quarter: large blocks move by remapping pages and not by copying, so small steps are cheap and leave
    /// little unused.
    #[cold]
    fn grow_arena(&mut self) -> Result<(), Full> {
        let more = (self.nodes.len() / 4).max(1024);
        if self.bytes() + (more * size_of::<Node<P>>()) as u64 > self.limit
            || self.nodes.len() + more >= NO_PARENT as usize
        {
            return Err(Full);
        }
        self.nodes.reserve_exact(more);
        Ok(())
    }

    /// If the signal comes meanwhile there is no room, and the list is of no use any more but for its paths.
    #[cold]
    fn grow_index(&mut self) -> Result<(), Full> {
        let old = self.index.slots();
        let new = old + old / 2;
        if self.bytes() + 4 * (new - old) as u64 > self.limit {
            return Err(Full);
        }
        self.index = Index::Plain(Vec::new());
        self.index = Index::hashed(new);
        let Index::Hashed { slots, id_bits, .. } = &mut self.index else { unreachable!("just made") };
        for (id, node) in self.nodes.iter().enumerate() {
            if id.is_multiple_of(LOOK_EVERY) && self.signal.stop().is_some() {
                return Err(Full);
            }
            let hash = hash(node.packed);
            let mut at = home(hash, slots.len());
            while slots[at] != EMPTY {
                at = if at + 1 == slots.len() { 0 } else { at + 1 };
            }
            slots[at] = tag(hash, *id_bits) | id as u32;
        }
        Ok(())
    }
}

impl Index {
    fn hashed(slots: usize) -> Self {
        let room = slots / 4 * 3;
        // One more bit pattern than there are ids, so that no slot in use looks empty.
        let id_bits = usize::BITS - (room + 1).leading_zeros();
        Index::Hashed { slots: vec![EMPTY; slots], id_bits, room }
    }

    fn slots(&self) -> usize {
        match self {
            Index::Plain(slots) | Index::Hashed { slots, .. } => slots.len(),
        }
    }
}

/// Where a plain index has a state.
#[inline]
fn place<S: StateSpace>(space: &S, packed: S::Packed) -> usize {
    rank(space, packed).expect("only ranked spaces have plain indexes") as usize
}

#[inline]
fn hash<P: std::hash::Hash>(packed: P) -> u64 {
    let hash = FxBuildHasher.hash_one(packed);
    (hash ^ hash >> 32).wrapping_mul(0x9E37_79B9_7F4A_7C15)
}

/// The slot where the search for a hash begins: the hash scaled down to `0..slots`, which works for any size.
#[inline]
fn home(hash: u64, slots: usize) -> usize {
    ((u128::from(hash) * slots as u128) >> 64) as usize
}

/// Middle bits of the hash, moved above the bits of the id. The high bits have chosen the slot already.
#[inline]
fn tag(hash: u64, id_bits: u32) -> u32 {
    (hash >> 8) as u32 & !low_bits(id_bits)
}

#[inline]
fn low_bits(bits: u32) -> u32 {
    if bits >= u32::BITS { u32::MAX } else { (1 << bits) - 1 }
}
