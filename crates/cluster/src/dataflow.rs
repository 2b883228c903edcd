//! A worker's end of the timely dataflow: batches of states in and out, and the frontier.
//!
//! The dataflow is one operator whose output feeds back into its input, at the worker that owns each state. A timestamp
//! has the layer `f` in its high half and the number of hops within the layer in its low half, so every round trip
//! increases it. A worker with open states holds a capability for their least layer, and batches in flight hold their
//! timestamps as well. The frontier of the input is therefore a lower bound on the layer of every state that a worker
//! has or will receive: a worker may expand states of a layer once the frontier reaches it, and an empty frontier means
//! that no open states are left.
//!
//! timely's operators own their data, but a shard borrows the puzzle. So the operator only moves batches; the worker
//! drives its shard outside, between two steps of the dataflow.

use std::cell::RefCell;
use std::rc::Rc;

use timely::container::NoopBuilder;
use timely::dataflow::channels::pact::DistributorPact;
use timely::dataflow::operators::generic::operator::Operator as _;
use timely::dataflow::operators::{Capability, ConnectLoop as _, Feedback as _};
use timely::scheduling::Activator;
use timely::worker::Worker;

use crate::batch::{Batch, RouteToReceiver};

/// Low bits of a timestamp, which count hops.
const HOP_BITS: u32 = 32;

/// The greatest timestamp: nothing sent at it can come back. A worker without open states holds a capability for it, so
/// that the dataflow outlives the search until every worker knows the outcome.
const NEVER: u64 = u64::MAX;

/// Buffers that the operator shares with the worker.
#[derive(Debug)]
struct Buffers<const N: usize> {
    inbox: Vec<Batch<N>>,
    outbox: Vec<Batch<N>>,
    /// The least layer with open states in the shard.
    least: Option<u32>,
    frontier: Option<u64>,
    is_over: bool,
}

/// A worker's end of the dataflow.
pub(crate) struct Dataflow<const N: usize> {
    buffers: Rc<RefCell<Buffers<N>>>,
    activator: Activator,
}

impl<const N: usize> Dataflow<N> {
    /// Builds the dataflow of a worker; `least` is the least layer with open states in its shard.
    pub(crate) fn new(worker: &mut Worker, least: Option<u32>) -> Self {
        let buffers = Buffers { inbox: Vec::new(), outbox: Vec::new(), least, frontier: Some(0), is_over: false };
        let buffers = Rc::new(RefCell::new(buffers));
        let shared = Rc::clone(&buffers);
        let activator = worker.dataflow::<u64, _, _>(|scope| {
            let (handle, cycle) = scope.feedback::<Batch<N>>(1);
            let mut activator = None;
            let by_owner = DistributorPact(|_workers| RouteToReceiver);
            let sent = cycle.unary_frontier::<NoopBuilder<Batch<N>>, _, _, _>(by_owner, "Shard", |capability, info| {
                activator = Some(scope.activator_for(info.address));
                let mut held = Some(capability);
                move |(input, frontier), output| {
                    let buffers = &mut *shared.borrow_mut();
                    input.for_each(|at, batch| {
                        buffers.inbox.push(std::mem::take(batch));
                        if held.as_ref().is_none_or(|held| held.time() > at.time()) {
                            held = Some(at.retain(0));
                        }
                    });
                    if let Some(held) = &held {
                        let mut session = output.session_with_builder(held);
                        session.give_containers(buffers.outbox.iter_mut());
                    }
                    buffers.outbox.clear();
                    buffers.downgrade(&mut held);
                    buffers.frontier = frontier.frontier().first().copied();
                }
            });
            sent.connect_loop(handle);
            activator.expect("the operator was made")
        });
        Dataflow { buffers, activator }
    }

    /// Takes the batches that have arrived.
    pub(crate) fn take(&self) -> Vec<Batch<N>> {
        std::mem::take(&mut self.buffers.borrow_mut().inbox)
    }

    /// Queues a batch for another worker; the next step sends it.
    pub(crate) fn put(&self, batch: Batch<N>) {
        self.buffers.borrow_mut().outbox.push(batch);
    }

    /// Sets the least layer with open states in the shard, once it has received all batches taken.
    pub(crate) fn set_least_layer(&self, least: Option<u32>) {
        self.buffers.borrow_mut().least = least;
        self.activator.activate();
    }

    /// The least layer that any worker has open states of or may receive; `None` if there are none left.
    pub(crate) fn frontier(&self) -> Option<u32> {
        self.buffers.borrow().frontier.map(|time| (time >> HOP_BITS) as u32)
    }

    /// Drops the capability. The dataflow ends once every worker has.
    pub(crate) fn leave(&self) {
        self.buffers.borrow_mut().is_over = true;
        self.activator.activate();
    }
}

impl<const N: usize> Buffers<N> {
    /// Downgrades the capability to the least layer of the shard.
    fn downgrade(&mut self, held: &mut Option<Capability<u64>>) {
        if self.is_over {
            self.inbox.clear();
            *held = None;
        } else if let Some(held) = held.as_mut().filter(|_| self.inbox.is_empty()) {
            let layer = self.least.map_or(NEVER, |least| u64::from(least) << HOP_BITS);
            let time = layer.max(*held.time());
            held.downgrade(&time);
        }
    }
}
