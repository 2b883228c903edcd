//! [`Audit`]: a whole audit from a space, a heuristic and a start.

use std::fmt;

use super::{Distances, Findings, Interrupted, Overestimate, audit};
use crate::explore::{ReachError, Reached};
use crate::heuristic::{Estimate, Heuristic};
use crate::space::StateSpace;

/// Audits a heuristic on every state that a start can reach.
///
/// ```
/// use admissible::audit::Audit;
/// # use admissible::{Estimate, Heuristic, StateSpace};
/// # struct Cups;
/// # impl StateSpace for Cups {
/// #     type State = u8;
/// #     type Packed = u8;
/// #     type Move = u8;
/// #     type Moves = std::ops::Range<u8>;
/// #     type Undo = ();
/// #     fn pack(&self, cups: &u8) -> u8 { *cups }
/// #     fn unpack(&self, packed: u8) -> u8 { packed }
/// #     fn is_goal(&self, cups: &u8) -> bool { *cups == 0 }
/// #     fn moves(&self, _cups: &u8) -> Self::Moves { 0..4 }
/// #     fn apply(&self, cups: &mut u8, left: u8) { *cups ^= 0b11 << left; }
/// #     fn undo(&self, cups: &mut u8, left: u8, (): ()) { *cups ^= 0b11 << left; }
/// # }
/// # struct OneEach;
/// # impl Heuristic<Cups> for OneEach {
/// #     type Eval = u32;
/// #     fn evaluate(&self, _cups: &Cups, state: &u8) -> u32 { state.count_ones() }
/// #     fn estimate(&self, eval: u32) -> Estimate { Estimate::new(eval) }
/// # }
/// // Five cups in a row. A move turns over two neighbours, but the heuristic counts a move for each cup.
/// let findings = Audit::new(&Cups, &OneEach).run(0b11).expect("sixteen rows fit into memory");
/// assert!(!findings.admissible());
/// assert!(findings.to_string().contains("inadmissible: h(3) = 2, distance 1"));
/// ```
#[derive(Debug)]
pub struct Audit<'a, S, H> {
    space: &'a S,
    heuristic: &'a H,
    bytes: Option<u64>,
}

impl<'a, S: StateSpace, H: Heuristic<S>> Audit<'a, S, H> {
    /// An audit without limits.
    pub fn new(space: &'a S, heuristic: &'a H) -> Self {
        Audit { space, heuristic, bytes: None }
    }

    /// Limits the bytes that the list of states may take.
    #[must_use]
    pub fn bytes(self, most: u64) -> Self {
        Audit { bytes: Some(most), ..self }
    }

    /// Audits the heuristic on every state that can be reached from `start`.
    ///
    /// # Errors
    /// If the states do not fit into the limit.
    pub fn run(&self, start: S::State) -> Result<Findings<S::Packed>, ReachError> {
        let states = Reached::from(self.space, &start, self.bytes, &())?;
        let distances = Distances::by_moves(self.space, &states, &())?;
        Ok(audit(self.space, &states, &distances, self.heuristic, &())?)
    }
}

impl From<Interrupted> for ReachError {
    fn from(_: Interrupted) -> Self {
        ReachError::Interrupted
    }
}

impl<P: fmt::Debug + Copy> fmt::Display for Findings<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let scale = self.scale;
        let costs = |units: u64| units as f64 / f64::from(scale);
        let h = |estimate: Estimate| match estimate.units() {
            Some(units) => costs(units.into()).to_string(),
            None => "dead end".to_string(),
        };
        writeln!(f, "{} states, {} of them solvable, {} moves", self.states, self.solvable, self.edges)?;
        match &self.overestimate {
            Some(Overestimate { state, h: estimate, distance }) => {
                writeln!(f, "inadmissible: h({state:?}) = {}, distance {distance}", h(*estimate))?;
                let worst = costs(self.worst_overestimate);
                writeln!(f, "  {} states overestimated, by at most {worst}", self.overestimates)?;
            }
            None => writeln!(f, "admissible")?,
        }
        match &self.inconsistency {
            Some(edge) => {
                let (before, after) = (h(edge.h_before), h(edge.h_after));
                writeln!(f, "inconsistent: h({:?}) = {before}, h({:?}) = {after}", edge.before, edge.after)?;
                write!(f, "  {} moves, h falls by at most {} too much", self.inconsistent_edges, costs(self.worst_fall))
            }
            None if self.consistent() => write!(f, "consistent"),
            None => write!(f, "inconsistent: a goal has an estimate above 0"),
        }
    }
}
