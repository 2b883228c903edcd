//! The library against brute force, on spaces that are no puzzles: random graphs that are written down edge by edge,
//! and an endless plane.
//!
//! The answers come from Dijkstra's algorithm over the written edges ([`graph::distances`]), which shares nothing with
//! the library. Everything random is made from a seed, and every failure prints it.

mod algorithm;
mod arena;
mod audit;
mod closed;
mod depth_limit;
mod estimates;
mod explore;
mod fractions;
mod graph;
mod hdastar;
mod idastar;
mod laws;
mod limits;
mod optimality;
mod overflow;
mod packed_astar;
mod plane;
mod shards;
mod snapshot;
mod stepping;
mod together;
mod transpositions;
mod trees;
