//! Searches over several processes and machines, on [timely dataflow](https://docs.rs/timely).
//!
//! Hash-distributed A* (Kishimoto, Fukunaga and Botea 2009): a hash assigns every state to one worker, whose
//! [shard](admissible::search::distributed::Shard) of the closed list alone decides whether the state is new. This
//! crate carries states between processes and detects the end of a layer: the frontier of timely's progress tracking
//! proves that no worker holds, and no message carries, a state of a lower layer. With an admissible heuristic the
//! frontier is therefore a lower bound on the solution cost, the same bound that A* on one core has at that point.
//!
//! - [`Hosts`]: the addresses of the processes;
//! - [`Links`]: the connections, made before any work begins, with a timeout and a hash of the configuration;
//! - [`Cluster`]: this process as a member, a [`Processes`](admissible::search::distributed::Processes) for
//!   [`distributed_astar`](admissible::search::distributed::distributed_astar) and
//!   [`distributed_layers`](admissible::search::distributed::distributed_layers).
//!
//! When a process is lost, the others report it and stop with the lower bound proved so far. With a
//! [`CheckpointStore`] the processes write checkpoints together, and a later run can resume from the last one.

mod batch;
mod checkpoint;
mod cluster;
mod coordinator;
mod dataflow;
mod handshake;
#[doc(hidden)]
pub mod hostile;
mod hosts;
mod message;
mod peer_stream;
mod sockets;
mod wire;
mod worker;

pub use checkpoint::{BEGINNING, CheckpointStore};
pub use cluster::{Cluster, Lost};
pub use handshake::{Handshake, Offers, config_hash};
pub use hosts::Hosts;
pub use sockets::{ConnectError, Links};

/// Why locking a mutex cannot fail.
const UNPOISONED: &str = "no thread panics while it holds the lock";
