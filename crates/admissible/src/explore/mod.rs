//! Whole spaces: how many states lie how far away, which are the farthest, and an atlas of every distance.
//!
//! Where the states of a space have numbers by arithmetic (a [`Ranking`](crate::Ranking)), two bits a state hold its distance modulo 3,
//! and another two which states are next: breadth-first search then walks over bitmaps, layer by layer, on every core
//! ([`Layers`]). The record of distances is the atlas: from any state the next one on a shortest way is the neighbour
//! whose distance is one less, modulo 3 ([`descend`]). Where they have no numbers, [`Reached`] lists the states that a
//! start can reach and numbers them as it goes; [`Explore`] is the door to that.
//!
//! Every move has to cost 1.
//!
//! ```
//! use admissible::Listed;
//! use admissible::example::Steps;
//! use admissible::explore::Layers;
//!
//! let space = Steps { goal: 100 };
//! let numbers = Listed::of(&space, 1..=100);
//! let layers = Layers::backward(&space, &numbers, 1, &()).expect("nobody interrupts");
//! assert_eq!(layers.states(), 100, "from every one there is a way");
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
