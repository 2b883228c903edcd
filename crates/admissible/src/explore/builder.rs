//! [`Explore`]: a whole exploration from a space and a start.

use std::fmt;
use std::hash::Hash;

use super::{ReachError, Reached};
use crate::space::StateSpace;

/// Explores all states that can be reached from a start.
///
/// ```
/// use admissible::explore::Explore;
/// # use admissible::StateSpace;
/// # struct Dial;
/// # impl StateSpace for Dial {
/// #     type State = u8;
/// #     type Packed = u8;
/// #     type Move = u8;
/// #     type Moves = [u8; 2];
/// #     type Undo = u8;
/// #     fn pack(&self, state: &u8) -> u8 { *state }
/// #     fn unpack(&self, packed: u8) -> u8 { packed }
/// #     fn is_goal(&self, state: &u8) -> bool { *state == 0 }
/// #     fn moves(&self, _state: &u8) -> [u8; 2] { [1, 9] }
/// #     fn apply(&self, state: &mut u8, m: u8) -> u8 { let before = *state; *state = (*state + m) % 10; before }
/// #     fn undo(&self, state: &mut u8, _m: u8, before: u8) { *state = before; }
/// # }
/// // A dial with ten digits that turns either way.
/// let reached = Explore::new(&Dial).run(3).expect("ten states fit into memory");
/// assert_eq!(reached.depths(), [1, 2, 2, 2, 2, 1]);
/// assert!(reached.to_string().starts_with("10 states, 20 moves, depth 5"));
/// ```
#[derive(Debug)]
pub struct Explore<'a, S> {
    space: &'a S,
    bytes: Option<u64>,
}

impl<'a, S: StateSpace> Explore<'a, S> {
    /// An exploration without limits.
    pub fn new(space: &'a S) -> Self {
        Explore { space, bytes: None }
    }

    /// Limits the bytes that the list of states may take.
    #[must_use]
    pub fn bytes(self, most: u64) -> Self {
        Explore { bytes: Some(most), ..self }
    }

    /// Lists every state that can be reached from `start`; [`Reached::from`] does so with a watcher.
    ///
    /// # Errors
    /// If the states do not fit into the limit.
    pub fn run(&self, start: S::State) -> Result<Reached<S::Packed>, ReachError> {
        Reached::from(self.space, &start, self.bytes, &())
    }
}

impl<P: Copy + Eq + Hash> fmt::Display for Reached<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let depths = self.depths();
        let states: u64 = depths.iter().sum();
        write!(f, "{states} states, {} moves, depth {}", self.edges(), depths.len() - 1)?;
        for (depth, states) in depths.iter().enumerate() {
            write!(f, "\n{depth:>6} {states}")?;
        }
        Ok(())
    }
}
