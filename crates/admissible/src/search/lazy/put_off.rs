//! The closed states that have moves which lead to later layers and are not made yet.
//!
//! Where a state has many moves, most of them lead to layers beyond the last: what they lead to is put onto the open list, and
//! nobody ever takes it off. So where a heuristic knows which moves these are ([`Heuristic::each_rising`](crate::Heuristic)), a
//! state makes only those at first that stay in its layer, and waits here to make the others when their layer comes: partial
//! expansion, Yoshizumi, Miura and Ishida (2000) and, without a look at the moves that wait, Goldenberg et al. (2014).

use super::key::Key;
use super::open::Open;
use crate::search::closed::Full;

/// States by the layer that they wait for and by the least estimate that what they lead to there has.
#[derive(Debug)]
pub(super) struct PutOff<const N: usize> {
    /// In place of an estimate: twice that, and 1 more for those moves by which `f` rises by 2 and not by 1. Nothing where no move is
    /// put off.
    states: Option<Open<Key<N>>>,
}

/// The part of its moves that a state waits to make.
#[derive(Debug, Clone, Copy)]
pub(super) struct Waiting {
    /// The estimate of the state.
    pub(super) h: u32,
    /// By how much `f` rises, 1 or 2.
    pub(super) rise: u32,
}

impl Waiting {
    /// The estimate of what it leads to.
    fn leads_to(self) -> u32 {
        self.h + self.rise - 1
    }

    fn from_number(number: u32) -> Self {
        let rise = 1 + number % 2;
        Waiting { h: number / 2 + 1 - rise, rise }
    }

    fn number(self) -> u32 {
        2 * self.leads_to() + self.rise - 1
    }
}

impl<const N: usize> PutOff<N> {
    /// An empty list from some `f` on, where `h` is a typical one.
    pub(super) fn new(f: u64, h: u32) -> Self {
        PutOff { states: Some(Open::new(f, 2 * h)) }
    }

    /// For a search in which no move is put off.
    pub(super) fn none() -> Self {
        PutOff { states: None }
    }

    pub(super) fn bytes(&self) -> u64 {
        self.states.as_ref().map_or(0, Open::bytes)
    }

    /// The least layer that a state waits for.
    pub(super) fn least(&self) -> Option<u64> {
        self.states.as_ref()?.least()
    }

    /// Takes states that wait for a layer from now on, below which there are none.
    pub(super) fn go_to(&mut self, f: u64) {
        if let Some(states) = &mut self.states {
            states.go_to(f);
        }
    }

    /// Has a state of the present layer wait, or one that waited for it: for the layer that the rest of its moves lead to.
    #[inline]
    pub(super) fn push(&mut self, key: Key<N>, waiting: Waiting, later: u64, most_bytes: u64) -> Result<(), Full> {
        let states = self.states.as_mut().expect("moves are put off");
        states.push(states.f() + later, waiting.number(), key, most_bytes)
    }

    /// The least estimate of what those lead to that wait for the present layer.
    #[inline]
    pub(super) fn least_h(&mut self) -> Option<u32> {
        self.states.as_mut()?.least_h().map(|number| number / 2)
    }

    /// Takes up to so many of those that lead to the least estimate, all of which wait for the same.
    #[inline]
    pub(super) fn take_some(&mut self, most: u32, mut visit: impl FnMut(Key<N>)) -> Option<Waiting> {
        let states = self.states.as_mut()?;
        let number = states.least_h()?;
        for _ in 0..most {
            let Some((key, _)) = states.pop() else { break };
            visit(key);
            if states.least_h() != Some(number) {
                break;
            }
        }
        Some(Waiting::from_number(number))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn states_wait_for_their_layers_in_the_order_of_what_they_lead_to() {
        let mut put_off = PutOff::<1>::new(10, 5);
        let mut push = |state: u64, h, rise| {
            put_off.push(Key([state]), Waiting { h, rise }, rise.into(), u64::MAX).expect("nothing is limited");
        };
        push(1, 5, 1);
        push(2, 4, 1);
        push(3, 3, 2);
        push(4, 0, 2);
        push(5, 5, 1);
        push(6, 5, 1);
        assert_eq!((put_off.least(), put_off.least_h()), (Some(11), None));
        let mut of_layer = |f| {
            put_off.go_to(f);
            let mut all = Vec::new();
            while let Some(least) = put_off.least_h() {
                let mut states = Vec::new();
                let waiting = put_off.take_some(2, |key| states.push(key.0[0]));
                all.push((least, states, waiting.map(|Waiting { h, rise }| (h, rise))));
            }
            all
        };
        let first = [(4, vec![2], Some((4, 1))), (5, vec![6, 5], Some((5, 1))), (5, vec![1], Some((5, 1)))];
        assert_eq!(of_layer(11), first);
        assert_eq!(of_layer(12), [(1, vec![4], Some((0, 2))), (4, vec![3], Some((3, 2)))]);
        assert_eq!(put_off.least(), None);
    }
}
