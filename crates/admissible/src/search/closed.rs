//! The nodes of a search: an arena, and an index by packed state.
//!
//! A node is the packed state, the least known `g`, the parent and a closed flag: 16 bytes for a state of 64 bits. Node
//! ids count up in order of discovery. The index is an open-addressed hash table of 4-byte slots. The low bits of a
//! slot are a node id; the bits that ids do not need yet hold a tag, a part of the hash, so that almost no probe reads
//! the wrong node. A full table is dropped and rebuilt from the arena, twice as large (half again as large near the
//! memory limit), so the peak is one table and not two. A space with a perfect hash ([`crate::Indexed`]) has a plain
//! array instead.

use std::hash::{BuildHasher, Hash};

use rustc_hash::FxBuildHasher;

use super::Visit;
use super::report::Stop;
use super::signal::Signal;
use crate::heuristic::Estimate;
use crate::indexed::{index, index_bound};
use crate::memory::{prefetch, try_large_vec};
use crate::space::{Cost, StateSpace};

pub(crate) type NodeId = u32;

/// The parent field of the start.
pub(crate) const NO_PARENT: NodeId = u32::MAX >> 1;
const CLOSED: u32 = 1 << 31;
const EMPTY: u32 = u32::MAX;
/// The most states for a plain array: 256 MiB of address space, of which only the touched pages take memory.
const MOST_PLAIN: u32 = 1 << 26;
/// Nodes that are indexed between two polls of the signal: some milliseconds.
const POLL_EVERY: usize = 1 << 16;
/// Nodes whose slots are prefetched together while an index is filled; a divisor of [`POLL_EVERY`].
const AT_ONCE: usize = 64;
/// The slots of the first index.
const LEAST_SLOTS: usize = 1024;

#[derive(Debug, Clone, Copy)]
struct Node<P> {
    packed: P,
    g: Cost,
    /// The parent's id, and the closed flag in the highest bit.
    parent: u32,
}

/// A list cannot grow: it has reached the memory limit, or the signal stopped it.
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
    /// `slots[index]` is the id plus one, or 0.
    Plain(Vec<u32>),
    Hashed {
        slots: Vec<u32>,
        id_bits: u32,
        /// The number of nodes at which the table must grow.
        room: usize,
    },
}

/// The node of a state, and whether it is new.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Lookup {
    New(NodeId),
    Known(NodeId),
}

impl<P: Copy + Eq + Hash> Nodes<P> {
    /// An empty list that will hold at most `limit` bytes.
    pub(crate) fn new<S: StateSpace<Packed = P>>(space: &S, limit: Option<u64>) -> Self {
        Self::with_indexes(index_bound(space), limit.unwrap_or(u64::MAX))
    }

    #[inline]
    pub(crate) fn packed(&self, id: NodeId) -> P {
        self.nodes[id as usize].packed
    }

    /// The node of a state, if it has one.
    #[inline]
    pub(crate) fn find<S: StateSpace<Packed = P>>(&self, space: &S, packed: P) -> Option<NodeId> {
        match &self.index {
            Index::Plain(slots) => slots[index_of(space, packed) as usize].checked_sub(1),
            Index::Hashed { slots, id_bits, .. } => probe(slots, *id_bits, &self.nodes, hash(&packed), &packed).ok(),
        }
    }

    /// Finds the node of a state, or inserts an open one with this `g` and parent.
    #[inline]
    pub(crate) fn find_or_insert<S: StateSpace<Packed = P>>(
        &mut self,
        space: &S,
        packed: P,
        g: Cost,
        parent: Option<NodeId>,
    ) -> Result<Lookup, Full> {
        let spot = self.spot(&packed, |packed| index_of(space, *packed));
        self.find_or_insert_at(spot, packed, g, parent.unwrap_or(NO_PARENT))
    }

    /// Calls `visit` with the state and `g` of each selected node.
    pub(crate) fn each(&self, which: impl Fn(&Self, NodeId) -> bool, visit: &mut dyn FnMut(P, Cost)) {
        for id in (0..self.nodes.len() as NodeId).filter(|&id| which(self, id)) {
            visit(self.packed(id), self.g(id));
        }
    }

    /// The visit of a node.
    pub(crate) fn visit(&self, id: NodeId, estimate: Estimate, scale: u32) -> Visit<P> {
        let (state, parent) = (self.packed(id), self.parent(id).map(|parent| self.packed(parent)));
        Visit { state, parent, g: self.g(id), h: estimate.units().unwrap_or(0), scale, backward: false }
    }

    /// The states from the root to a node.
    pub(crate) fn path_to(&self, id: NodeId) -> Vec<P> {
        self.ids_to(id).into_iter().map(|id| self.packed(id)).collect()
    }
}

impl<P: Eq + Hash> Nodes<P> {
    /// An empty list that will hold at most `limit` bytes. If an index bound is given, all states have indexes below
    /// it.
    pub(crate) fn with_indexes(index_bound: Option<u32>, limit: u64) -> Self {
        let plain = index_bound.filter(|&size| size <= MOST_PLAIN && u64::from(size) * 4 <= limit / 2);
        let index = match plain {
            Some(size) => Index::Plain(vec![0; size as usize]),
            None => Index::hashed(LEAST_SLOTS).expect("a small table fits into memory"),
        };
        Nodes { nodes: Vec::new(), index, limit, signal: Signal::default() }
    }

    /// Changes the limit on bytes.
    #[inline]
    pub(crate) fn set_limit(&mut self, limit: u64) {
        self.limit = limit;
    }

    /// Sets the signal that the list polls while it grows.
    pub(crate) fn set_signal(&mut self, signal: &Signal) {
        self.signal = signal.clone();
    }

    /// The reason for [`Full`].
    pub(crate) fn why_full(&self) -> Stop {
        self.signal.stop().unwrap_or(Stop::Memory)
    }

    #[inline]
    pub(crate) fn get(&self, id: NodeId) -> &P {
        &self.nodes[id as usize].packed
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

    /// Records a cheaper path to a node, and opens it.
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

    /// The index or the hash of a state: where its lookup begins, independent of the size of the table.
    #[inline]
    pub(crate) fn spot(&self, packed: &P, index: impl FnOnce(&P) -> u32) -> u64 {
        match self.index {
            Index::Plain(_) => index(packed).into(),
            Index::Hashed { .. } => hash(packed),
        }
    }

    /// Prefetches the slot of a state.
    #[inline]
    pub(crate) fn prefetch_slot(&self, spot: u64) {
        match &self.index {
            Index::Plain(slots) => prefetch(slots, spot as usize),
            Index::Hashed { slots, .. } => prefetch(slots, home(spot, slots.len())),
        }
    }

    /// Prefetches the node whose tag matches the state, once the slot is in the cache; for most new states there is
    /// none.
    #[inline]
    pub(crate) fn prefetch_candidate(&self, spot: u64) {
        match &self.index {
            Index::Plain(slots) => prefetch(&self.nodes, slots[spot as usize].wrapping_sub(1) as usize),
            Index::Hashed { slots, id_bits, .. } => {
                let tag = tag(spot, *id_bits);
                let mut at = home(spot, slots.len());
                while slots[at] != EMPTY {
                    let id = slots[at] & low_bits(*id_bits);
                    if slots[at] ^ id == tag {
                        return prefetch(&self.nodes, id as usize);
                    }
                    at = if at + 1 == slots.len() { 0 } else { at + 1 };
                }
            }
        }
    }

    /// Prefetches a node.
    #[inline]
    pub(crate) fn prefetch_node(&self, id: NodeId) {
        prefetch(&self.nodes, id as usize);
    }

    /// Finds the node of a state, given its spot, or inserts an open one with this `g` and parent.
    #[inline]
    pub(crate) fn find_or_insert_at(&mut self, spot: u64, packed: P, g: Cost, parent: NodeId) -> Result<Lookup, Full> {
        if self.nodes.len() == self.nodes.capacity() {
            self.grow_arena()?;
        }
        if let Index::Hashed { room, .. } = self.index
            && self.nodes.len() == room
        {
            self.grow_index()?;
        }
        let new = self.nodes.len() as NodeId;
        match &mut self.index {
            Index::Plain(slots) => {
                let slot = &mut slots[spot as usize];
                if let Some(id) = slot.checked_sub(1) {
                    return Ok(Lookup::Known(id));
                }
                *slot = new + 1;
            }
            Index::Hashed { slots, id_bits, .. } => match probe(slots, *id_bits, &self.nodes, spot, &packed) {
                Ok(id) => return Ok(Lookup::Known(id)),
                Err(free) => slots[free] = tag(spot, *id_bits) | new,
            },
        }
        self.nodes.push(Node { packed, g, parent });
        Ok(Lookup::New(new))
    }

    /// The nodes from the root to this one.
    pub(crate) fn ids_to(&self, id: NodeId) -> Vec<NodeId> {
        let mut path: Vec<NodeId> = std::iter::successors(Some(id), |&id| self.parent(id)).collect();
        path.reverse();
        path
    }

    /// Grows by a quarter: the system remaps the pages of large blocks instead of copying them, so small steps are
    /// cheap and waste little.
    #[cold]
    fn grow_arena(&mut self) -> Result<(), Full> {
        let more = (self.nodes.len() / 4).max(1024);
        if self.bytes() + (more * size_of::<Node<P>>()) as u64 > self.limit
            || self.nodes.len() + more >= NO_PARENT as usize
        {
            return Err(Full);
        }
        self.nodes.try_reserve_exact(more).map_err(|_| Full)
    }

    /// Rebuilds the index with more slots. If the signal stops it, lookups no longer work, but paths do.
    #[cold]
    fn grow_index(&mut self) -> Result<(), Full> {
        let old = self.index.slots();
        let fits = |new: &usize| self.bytes() + 4 * (new - old) as u64 <= self.limit;
        let new = [2 * old, old + old / 2].into_iter().find(fits).ok_or(Full)?;
        self.index = Index::Plain(Vec::new());
        self.index = Index::hashed(new).ok_or(Full)?;
        let Index::Hashed { slots, id_bits, .. } = &mut self.index else { unreachable!("just made") };
        let mut first = 0;
        for some in self.nodes.chunks(AT_ONCE) {
            if first % POLL_EVERY == 0 && self.signal.stop().is_some() {
                return Err(Full);
            }
            // Slots are scattered over memory: prefetch all of them before the first is used.
            let mut hashes = [0; AT_ONCE];
            for (spot, node) in hashes.iter_mut().zip(some) {
                *spot = hash(&node.packed);
                prefetch(slots, home(*spot, slots.len()));
            }
            for (id, &spot) in (first..).zip(&hashes[..some.len()]) {
                let mut at = home(spot, slots.len());
                while slots[at] != EMPTY {
                    at = if at + 1 == slots.len() { 0 } else { at + 1 };
                }
                slots[at] = tag(spot, *id_bits) | id as u32;
            }
            first += some.len();
        }
        Ok(())
    }
}

impl Index {
    /// An empty table; `None` if the system has no memory for it.
    fn hashed(slots: usize) -> Option<Self> {
        let room = slots / 4 * 3;
        // One more bit pattern than ids, so that no slot in use looks empty.
        let id_bits = usize::BITS - (room + 1).leading_zeros();
        let mut empty = try_large_vec(slots)?;
        empty.resize(slots, EMPTY);
        Some(Index::Hashed { slots: empty, id_bits, room })
    }

    fn slots(&self) -> usize {
        match self {
            Index::Plain(slots) | Index::Hashed { slots, .. } => slots.len(),
        }
    }
}

/// The node of a state in a hash table, or else the free slot where it belongs.
#[inline]
fn probe<P: Eq>(slots: &[u32], id_bits: u32, nodes: &[Node<P>], spot: u64, packed: &P) -> Result<NodeId, usize> {
    let tag = tag(spot, id_bits);
    let mut at = home(spot, slots.len());
    loop {
        let slot = slots[at];
        if slot == EMPTY {
            return Err(at);
        }
        let id = slot & low_bits(id_bits);
        if slot ^ id == tag && nodes[id as usize].packed == *packed {
            return Ok(id);
        }
        at = if at + 1 == slots.len() { 0 } else { at + 1 };
    }
}

/// The index of a state of an indexed space.
#[inline]
pub(crate) fn index_of<S: StateSpace>(space: &S, packed: S::Packed) -> u32 {
    index(space, packed).expect("only indexed spaces have plain arrays")
}

#[inline]
fn hash<P: Hash>(packed: &P) -> u64 {
    let hash = FxBuildHasher.hash_one(packed);
    (hash ^ hash >> 32).wrapping_mul(0x9E37_79B9_7F4A_7C15)
}

/// The slot where probing begins: the hash scaled down to `0..slots`, which works for any size.
#[inline]
fn home(hash: u64, slots: usize) -> usize {
    ((u128::from(hash) * slots as u128) >> 64) as usize
}

/// Middle bits of the hash, above the bits of the id. The high bits have already chosen the slot.
#[inline]
fn tag(hash: u64, id_bits: u32) -> u32 {
    (hash >> 8) as u32 & !low_bits(id_bits)
}

#[inline]
fn low_bits(bits: u32) -> u32 {
    if bits >= u32::BITS { u32::MAX } else { (1 << bits) - 1 }
}
