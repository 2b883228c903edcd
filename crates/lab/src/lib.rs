//! Experiments: many searches, and their tables, charts and reports. This crate knows puzzles, heuristics and
//! algorithms only by name.
//!
//! [`compare`] runs every combination of heuristics and algorithms on files, [`sweep`] runs them on random instances
//! over a range of parameters, and [`reproduce`] repeats the counts of published tables. Results are plain data: a
//! [`sheet::Sheet`] of figures, JSON, and text.
#![forbid(unsafe_code)]

pub mod chart;
pub mod compare;
mod findings;
mod latex;
pub mod numbers;
pub mod page;
pub mod pivot;
pub mod report;
pub mod reproduce;
pub mod run;
pub mod select;
pub mod sheet;
pub mod sweep;
pub mod vary;
