//! Exploration of whole spaces: the number of states at each distance, the farthest states, and an atlas of distances.
//!
//! [`Explore`] lists all states that can be reached from a start, for any space; its result, [`Reached`], numbers them.
//!
//! [`Layers`] is for spaces whose states have computed numbers (a [`Ranking`](crate::Ranking)): breadth-first search
//! over bitmaps, layer by layer, on every core. It stores no states: two bits a state hold its distance modulo 3, and
//! two more the current and the next layer. The distances are an atlas: from any state, a neighbour whose distance is
//! one less, modulo 3, is the next state on a shortest path ([`descend`]).
//!
//! Every move must cost 1.
//!
//! ```
//! use admissible::Listed;
//! use admissible::example::Steps;
//! use admissible::explore::Layers;
//!
//! let space = Steps { goal: 100 };
//! let ranking = Listed::of(&space, 1..=100);
//! let layers = Layers::backward(&space, &ranking, 1, &()).expect("the watcher never stops it");
//! assert_eq!(layers.states(), 100, "the goal can be reached from every state");
//! assert_eq!(layers.depths()[..3], [1, 2, 3], "100; 50 and 99; 25, 49 and 98");
//! ```

mod bitmap;
mod builder;
mod checkpoint;
mod components;
mod layers;
mod levels;
mod reached;

pub use builder::Explore;
pub use checkpoint::{CompleteLayers, LayerCheckpoints, SavedLayers};
pub use components::components;
pub use layers::Layers;
pub use levels::{Lost, Packing, descend};
pub use reached::{ReachError, Reached};
