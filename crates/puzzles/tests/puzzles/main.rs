//! Every puzzle through the front: the registry, real files, audits and whole spaces.

mod audit;
mod data;
mod explore;
mod expressions;
mod instance;
mod instances;
mod numbers;
mod parameters;
mod play;
mod registry;
mod sets;
mod threads;
