//! A worker's place in the dataflow: where states arrive and leave, and where it is seen how far everybody is.
//!
//! The dataflow is one operator whose output comes back as its input, at the worker that owns a state. Times have the
//! layer `f` in their high half and the number of hops within it in the low half, so that a round trip is always later.
//! A worker that has states holds a capability for the least of their layers, and batches under way count as well. So
//! the frontier of the input is a lower bound for everything that anybody has or will get: a worker may expand states of a
//! layer once the frontier has come to it, and if the frontier is empty there are no states left anywhere.
//!
//! timely's operators own what they use, and a worker's part of a search borrows the puzzle. So the operator only passes
//! batches on; the part is driven outside, between two steps of the dataflow.

use std::cell::RefCell;
use std::rc::Rc;

use timely::container::NoopBuilder;
use timely::dataflow::channels::pact::DistributorPact;
use timely::dataflow::operators::generic::operator::Operator as _;
use timely::dataflow::operators::{Capability, ConnectLoop as _, Feedback as _};
use timely::scheduling::Activator;
use timely::worker::Worker;

use crate::batch::{Batch, Post};

/// Bits of a time that count hops.
const HOP_BITS: u32 = 32;

/// A time without a later one: nothing can come back from there. Whoever has no states holds on to it, so that the dataflow
/// does not end before everybody knows the outcome.
const NEVER: u64 = u64::MAX;

/// What the operator and whoever drives the part leave for each other.
#[derive(Debug)]
struct Trays<const N: usize> {
    arrived: Vec<Batch<N>>,
    leaving: Vec<Batch<N>>,
    /// The least layer that the part has states of.
    least: Option<u32>,
    frontier: Option<u64>,
    is_over: bool,
}

/// A worker's place in the dataflow.
pub(crate) struct Dataflow<const N: usize> {
    trays: Rc<RefCell<Trays<N>>>,
    activator: Activator,
}

impl<const N: usize> Dataflow<N> {
    /// Makes the dataflow of a worker whose part has states from some layer on.
    pub(crate) fn new(worker: &mut Worker, least: Option<u32>) -> Self {
        let trays = Trays { arrived: Vec::new(), leaving: Vec::new(), least, frontier: Some(0), is_over: false };
        let trays = Rc::new(RefCell::new(trays));
        let shared = Rc::clone(&trays);
        let activator = worker.dataflow::<u64, _, _>(|scope| {
            let (handle, cycle) = scope.feedback::<Batch<N>>(1);
            let mut activator = None;
            let by_owner = DistributorPact(|_workers| Post);
            let sent = cycle.unary_frontier::<NoopBuilder<Batch<N>>, _, _, _>(by_owner, "Part", |capability, info| {
                activator = Some(scope.activator_for(info.address));
                let mut held = Some(capability);
                move |(input, frontier), output| {
                    let trays = &mut *shared.borrow_mut();
                    input.for_each(|at, batch| {
                        trays.arrived.push(std::mem::take(batch));
                        if held.as_ref().is_none_or(|held| held.time() > at.time()) {
                            held = Some(at.retain(0));
                        }
                    });
                    if let Some(held) = &held {
                        let mut session = output.session_with_builder(held);
                        session.give_containers(trays.leaving.iter_mut());
                    }
                    trays.leaving.clear();
                    trays.settle(&mut held);
                    trays.frontier = frontier.frontier().first().copied();
                }
            });
            sent.connect_loop(handle);
            activator.expect("the operator was made")
        });
        Dataflow { trays, activator }
    }

    /// Takes the batches that have arrived.
    pub(crate) fn take(&self) -> Vec<Batch<N>> {
        std::mem::take(&mut self.trays.borrow_mut().arrived)
    }

    /// Puts down a batch for another worker, to leave with the next step.
    pub(crate) fn put(&self, batch: Batch<N>) {
        self.trays.borrow_mut().leaving.push(batch);
    }

    /// Says which is the least layer that the part has states of, all batches taken in.
    pub(crate) fn settle(&self, least: Option<u32>) {
        self.trays.borrow_mut().least = least;
        self.activator.activate();
    }

    /// The least layer that anybody has states of or may get; `None` if nobody has any.
    pub(crate) fn frontier(&self) -> Option<u32> {
        self.trays.borrow().frontier.map(|time| (time >> HOP_BITS) as u32)
    }

    /// Gives up whatever is held, so that the dataflow ends once everybody has.
    pub(crate) fn leave(&self) {
        self.trays.borrow_mut().is_over = true;
        self.activator.activate();
    }
}

impl<const N: usize> Trays<N> {
    /// Holds no more than what the part needs: the capability for its least layer.
    fn settle(&mut self, held: &mut Option<Capability<u64>>) {
        if self.is_over {
            self.arrived.clear();
            *held = None;
        } else if let Some(held) = held.as_mut().filter(|_| self.arrived.is_empty()) {
            let layer = self.least.map_or(NEVER, |least| u64::from(least) << HOP_BITS);
            let time = layer.max(*held.time());
            held.downgrade(&time);
        }
    }
}
