//! The states of a part of a space, numbered.

use std::fmt;

use crate::search::closed::{Full, Met, Nodes};
use crate::space::StateSpace;

/// Every state of a part of a space, numbered from 0 without holes. No way to a goal may lead out of the part and back:
/// then distances inside it are true distances.
///
/// A space that can compute the number of a state and the state of a number implements this itself and holds nothing;
/// for all others there is [`Listed`].
pub trait Census<S: StateSpace>: Sync {
    /// How many states there are.
    fn size(&self) -> usize;
    /// The state of a number below [`Census::size`].
    fn state(&self, space: &S, number: usize) -> S::State;
    /// The number of a state, or `None` if it is not among them.
    fn number(&self, space: &S, state: &S::State) -> Option<usize>;
}

/// There are more states than were allowed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TooMany {
    /// How many were allowed.
    pub most: usize,
}

impl fmt::Display for TooMany {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "there are more than {} states", self.most)
    }
}

impl std::error::Error for TooMany {}

/// A census that holds its states, for spaces that cannot number them.
#[derive(Debug)]
pub struct Listed<P> {
    nodes: Nodes<P>,
}

impl<P: Copy + Eq + std::hash::Hash> Listed<P> {
    /// The states that can be reached from some states, those included, if they are at most `most`.
    ///
    /// # Errors
    /// If there are more.
    pub fn reachable<S: StateSpace<Packed = P>>(
        space: &S,
        starts: impl IntoIterator<Item = S::State>,
        most: usize,
    ) -> Result<Self, TooMany> {
        let mut listed = Listed { nodes: Nodes::new(space, None) };
        for start in starts {
            listed.add(space, &start, most)?;
        }
        let mut next = 0;
        while next < listed.nodes.len() {
            let mut state = space.unpack(listed.nodes.packed(next as u32));
            for m in space.moves(&state) {
                let undo = space.apply(&mut state, m);
                listed.add(space, &state, most)?;
                space.undo(&mut state, m, undo);
            }
            next += 1;
        }
        Ok(listed)
    }

    /// These states, each counted once.
    ///
    /// # Panics
    /// If there are two billion of them.
    pub fn of<S: StateSpace<Packed = P>>(space: &S, states: impl IntoIterator<Item = S::State>) -> Self {
        let mut listed = Listed { nodes: Nodes::new(space, None) };
        for state in states {
            listed.add(space, &state, usize::MAX).expect("a list of states can be numbered in 31 bits");
        }
        listed
    }

    fn add<S: StateSpace<Packed = P>>(&mut self, space: &S, state: &S::State, most: usize) -> Result<(), TooMany> {
        match self.nodes.meet(space, space.pack(state), 0, None) {
            Ok(Met::Now(_)) if self.nodes.len() > most => Err(TooMany { most }),
            Ok(_) => Ok(()),
            Err(Full) => Err(TooMany { most: self.nodes.len() }),
        }
    }
}

impl<P, S> Census<S> for Listed<P>
where
    P: Copy + Eq + std::hash::Hash + Sync,
    S: StateSpace<Packed = P>,
{
    fn size(&self) -> usize {
        self.nodes.len()
    }

    #[inline]
    fn state(&self, space: &S, number: usize) -> S::State {
        space.unpack(self.nodes.packed(number as u32))
    }

    #[inline]
    fn number(&self, space: &S, state: &S::State) -> Option<usize> {
        self.nodes.find(space, space.pack(state)).map(|id| id as usize)
    }
}
