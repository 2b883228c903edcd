//! From names to objects, in one place.
//!
//! The registry ([`puzzles`], [`ALGORITHMS`]) knows every name. [`open`] recognises a file and gives a [`Task`], one
//! instance with its types erased; a [`Plan`] says in words how to solve it, and an [`Answer`] says in words and
//! numbers what came of it. Whatever shows answers to people needs to know no puzzle.

mod answer;
mod atlas;
mod audit;
mod certify;
mod checkpoint;
mod classics;
mod crewed;
mod databases;
mod difficulty;
mod error;
mod explore;
mod expression;
mod generate;
mod hopeless;
mod instance;
mod keeping;
mod named;
mod plan;
mod play;
mod registry;
mod runner;
mod sample;
mod sets;
mod stages;
mod store;
mod task;
mod trace;
mod watch;

pub use admissible::audit::Watcher;
pub use admissible::memory::take_large_blocks_singly;
pub use admissible::search::{Limits, Observer, Processes, Stats, Stop, TieBreak, Weight};
pub use admissible_certificate::{Checked, Claim, Refusal, Resources, Written, read_claim};
pub use admissible_domains::text::{Fault, Faults};
pub use admissible_domains::{
    BadState, Card, FeatureCard, HeuristicCard, Illegal, ReadOptions, Recipe, ScopeCard, ScopeError, Shelf, Truth,
};
pub use admissible_files::{self as files, FileError};
pub use answer::{Answer, AnswerOutcome, Handover, SolvedAnswer, Verdict};
pub use audit::{
    Audit, AuditError, AuditObserver, AuditPlan, AuditReport, Dominance, InconsistencyShown, OverestimateShown,
};
pub use certify::{CERTIFYING, Certify, CertifyError, Proof, open_certificate, open_claimed};
pub use checkpoint::{Checkpoint, Command as CheckpointCommand, Keeper};
pub use classics::{Classic, classic, classics};
pub use databases::{BuildError, DatabaseSet, DatabaseTable, database_sets};
pub use difficulty::{Difficulty, Generated};
pub use error::{ExpressionError, OpenError, PlanError};
pub use explore::{Direction, Exploration, ExploreError, ExploreObserver, ExplorePlan};
pub use generate::{GenerateFailure, HardPlan, generate, generate_hard};
pub use instance::Band;
pub use plan::{Drawing, Plan};
pub use play::{Play, Position};
pub use registry::{ALGORITHMS, AlgorithmCard, Entry, entry, nearest, open, puzzles};
pub use sets::{BENCH_SETS, BenchInstance, BenchSet};
pub use store::{Kept, Store};
pub use task::{Solvability, Task};
pub use trace::{TraceEvent, Tracer};
pub use watch::{Moment, Place, Spectator};
