//! Searches over several processes and machines, on [timely dataflow](https://docs.rs/timely).
//!
//! Hash-distributed A*: every state belongs to one worker, which alone knows whether it is new
//! ([`admissible::search::distributed::Shard`]). Here is what carries states from process to process, and what knows when nothing is
//! left of a layer anywhere: the frontier of timely's progress tracking, which is a proof and no guess. With an
//! admissible heuristic it is a lower bound for all solutions, the same that an A* on one core has at that moment.
//!
//! - [`Hosts`]: who takes part;
//! - [`Links`]: connections, with a deadline and a hash of the configuration, before any work begins;
//! - [`Cluster`]: this process as a member, a [`Processes`](admissible::search::distributed::Processes) for
//!   [`distributed_astar`](admissible::search::distributed::distributed_astar) and
//!   [`distributed_layers`](admissible::search::distributed::distributed_layers).
//!
//! When a process is gone, the others say so and end with the lower bound that was proved by then. With a [`CheckpointStore`]
//! all can go on from what they wrote down together.

mod batch;
mod checkpoint;
mod config_hash;
mod coordinator;
mod dataflow;
mod engine;
mod handshake;
mod hosts;
mod message;
mod sockets;
mod wire;
mod worker;

pub use checkpoint::{BEGINNING, CheckpointStore};
pub use config_hash::config_hash;
pub use engine::{Cluster, Here, Lost};
pub use handshake::{Handshake, Offers};
pub use hosts::{Hosts, HostsFault};
pub use sockets::{ConnectError, Links};
