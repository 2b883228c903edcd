//! From names to objects, in one place.
//!
//! A [`Registry`] has the puzzles of a program, [`ALGORITHMS`] has the algorithms. [`Registry::open`] reads a file and
//! returns a [`Task`]: one instance with its types erased. A [`Plan`] names algorithm, heuristic and limits, and an
//! [`Answer`] has the result as text and numbers. So the programs that show answers need to know no puzzle.
//!
//! A puzzle implements [`puzzle::Puzzle`] and [`puzzle::Family`], and makes its row of the registry with [`entry!`].

#![deny(clippy::disallowed_methods)]

mod answer;
mod atlas;
mod audit;
mod band;
mod bench_sets;
mod certify;
mod checkpoint;
mod classics;
mod counterexample;
pub mod counting;
mod databases;
mod difficulty;
mod distributed;
mod error;
mod explain;
mod explore;
mod expression;
mod generate;
pub mod grid;
mod heuristic_spec;
mod incumbent;
mod instance;
mod page;
mod parameters;
mod part;
mod plan;
mod play;
pub mod puzzle;
mod registry;
mod sample;
pub mod scope;
mod solution;
mod solve_checkpoint;
mod stages;
mod store;
pub mod table_cache;
mod task;
pub mod text;
mod trace;
mod watch;

pub use crate::page::{Example, Page};
pub use crate::puzzle::{BadState, BranchingBound, Card, FeatureCard, HeuristicCard, Illegal, ReadOptions, Truth};
pub use crate::scope::{ScopeCard, ScopeError, ScopeObserver};
pub use crate::table_cache::TableCache;
pub use crate::text::{Fault, Faults};
pub use admissible::audit::Watcher;
pub use admissible::memory::{on_exhaustion, take_large_blocks_singly};
pub use admissible::search::distributed::Processes;
pub use admissible::search::{Limits, Observer, Stats, Stop, TieBreak, Weight};
pub use admissible_certificate::{Certificate, Checked, Claim as CertificateClaim, Refusal, Resources, Written};
pub use admissible_files::{self as files, FileError};
pub use answer::{Answer, AnswerOutcome, Handover, SolvedAnswer, Verdict, mark_duplicates};
pub use audit::{
    Audit, AuditError, AuditPlan, AuditReport, Dominance, InconsistencyShown, OverestimateShown, StateShown, Zeros,
};
pub use band::Band;
pub use bench_sets::{BenchInstance, BenchSet};
pub use certify::{CERTIFYING, CertifyError, Proof, open_certificate, open_claimed};
pub use checkpoint::{Checkpoint, CheckpointWriter, Work};
pub use classics::{Classic, classic, classics};
pub use counting::{CountingRule, OpenRule};
pub use databases::{BuildError, Database, DatabaseSet};
pub use difficulty::{Difficulty, Generated};
pub use error::{ExpressionError, OpenError, PlanError};
pub use explain::{Distance, Explained, ExplainedHeuristic, Explanation, Inconsistency, Part, check_explanation};
pub use explore::{Exploration, ExploreDirection, ExploreError, ExplorePlan};
pub use generate::{GenerateFailure, HardPlan, generate, generate_hard};
pub use parameters::{Parameter, ParameterError, ParameterKind, Parameters, Purpose, Setting};
pub use plan::{Drawing, Plan, SolveEvents, TableBuilding};
pub use play::Position;
pub use registry::{ALGORITHMS, AlgorithmCard, Entry, Of, Registry, nearest};
pub use store::{Store, StoredTable};
pub use task::{Solvability, Task};
pub use trace::{TraceEvent, Tracer};
pub use watch::{Moment, Place, Spectator};
