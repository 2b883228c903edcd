//! The lab: runs of many searches in, tables, charts and pages out. It knows puzzles, heuristics and algorithms by
//! their names only.
#![forbid(unsafe_code)]

pub mod chart;
pub mod page;
