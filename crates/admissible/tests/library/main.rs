//! The library against brute force, on random explicit graphs and an infinite plane.
//!
//! The true distances come from Dijkstra's algorithm over the edges ([`graph::distances`]), which shares no code with
//! the library. All random data comes from a seed, and every failure prints it.

mod algorithm;
mod arena;
mod audit;
mod beam;
mod closed_certificate;
mod depth_limit;
mod estimates;
mod explore;
mod fractions;
mod graph;
mod hdastar;
mod idastar;
mod idastar_threads;
mod idastar_trees;
mod laws;
mod limits;
mod optimality;
mod overflow;
mod packed_astar;
mod plane;
mod shards;
mod snapshot;
mod stepping;
mod transpositions;
