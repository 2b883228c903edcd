//! A state space and a heuristic as a problem of arena A*.

use super::ArenaProblem;
use crate::heuristic::{Estimate, Heuristic, Properties};
use crate::search::closed::{Full, NodeId, Nodes, index_of};
use crate::search::moves_along;
use crate::space::{Cost, StateSpace};

pub(crate) struct SpaceProblem<'a, S, H> {
    pub(crate) space: &'a S,
    pub(crate) heuristic: &'a H,
}

impl<S: StateSpace, H: Heuristic<S>> ArenaProblem for SpaceProblem<'_, S, H> {
    type Space = S;
    type Key = S::Packed;

    fn scale(&self) -> u32 {
        self.heuristic.scale()
    }

    fn properties(&self) -> Properties {
        self.heuristic.properties(self.space)
    }

    #[inline]
    fn index(&self, key: &S::Packed) -> u32 {
        index_of(self.space, *key)
    }

    #[inline]
    fn expand(
        &mut self,
        key: &S::Packed,
        h: u32,
        back: Option<&S::Packed>,
        mut visit: impl FnMut(S::Packed, Cost, Estimate) -> Result<(), Full>,
    ) -> Result<Option<u64>, Full> {
        let (space, heuristic) = (self.space, self.heuristic);
        let mut state = space.unpack(*key);
        if space.is_goal(&state) {
            return Ok(None);
        }
        let eval = match heuristic.scale() {
            1 => heuristic.eval_from_h(space, &state, h),
            // `h` has lost its fraction.
            _ => heuristic.evaluate(space, &state),
        };
        let mut count = 0;
        for m in space.moves(&state) {
            count += 1;
            let cost = space.cost(&state, m);
            let undo = space.apply(&mut state, m);
            let packed = space.pack(&state);
            if back != Some(&packed) {
                visit(packed, cost, heuristic.estimate(heuristic.advance(space, eval, &state, m)))?;
            }
            space.undo(&mut state, m, undo);
        }
        Ok(Some(count))
    }

    fn name(&self, _id: NodeId, key: &S::Packed) -> S::Packed {
        *key
    }

    fn estimate(&self, key: &S::Packed) -> Estimate {
        self.heuristic.estimate(self.heuristic.evaluate(self.space, &self.space.unpack(*key)))
    }

    fn moves(&self, nodes: &Nodes<S::Packed>, path: &[NodeId]) -> (Vec<S::Move>, Option<Cost>) {
        let states: Vec<S::Packed> = path.iter().map(|&id| *nodes.get(id)).collect();
        moves_along(self.space, &states)
    }
}
