//! The lab: runs of many searches in, tables, charts and pages out. It knows puzzles, heuristics and algorithms by
//! their names only.
//!
//! [`compare`] runs every combination of heuristics and algorithms on files, [`sweep`] runs them on random instances over
//! a range of parameters, and [`reproduce`] counts published tables again. What comes out is plain data: a [`sheet::Sheet`] of figures, JSON, words for people.
#![forbid(unsafe_code)]

pub mod chart;
pub mod compare;
pub mod numbers;
pub mod page;
pub mod report;
pub mod reproduce;
pub mod run;
pub mod select;
pub mod sheet;
pub mod sweep;
pub mod vary;
