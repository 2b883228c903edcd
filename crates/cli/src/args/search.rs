//! The arguments that choose an algorithm, a heuristic and limits.

use std::num::NonZeroU64;
use std::time::Duration;

use admissible_front::{ALGORITHMS, Limits, Plan, Weight};
use clap::Args;

use super::values::{Tie, parse_count, parse_size, parse_time, parse_weight};
use crate::ending::time_left;
use crate::machine;

#[derive(Debug, Args)]
pub(crate) struct SearchArguments {
    /// The algorithm [default: chosen for the instance]
    #[arg(long, short, value_name = "ALGORITHM", help = algorithm_help())]
    pub(crate) algorithm: Option<String>,
    /// The heuristic, or an expression (names: admissible list PUZZLE) [default: the strongest admissible one]; solve
    /// --format course takes a list
    #[arg(long, short = 'H', allow_hyphen_values = true, value_name = "HEURISTIC")]
    pub(crate) heuristic: Option<String>,
    /// The number of threads of hdastar, idastar and idastar-pruned. It does not change the answer, only the counts of
    /// the last layer or iteration [default: one for each core for hdastar, and for long searches without --algorithm;
    /// one with --algorithm, --node-limit, --checkpoint or --trace, so that counts are reproducible]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(crate) threads: Option<u16>,
    #[command(flatten)]
    pub(crate) tuning: TuningArguments,
}

/// Options of the search beside algorithm and heuristic.
#[derive(Debug, Args)]
pub(crate) struct TuningArguments {
    /// wastar: the weight of h; a solution costs at most this many times the optimum [default: 1.5]
    #[arg(long, allow_hyphen_values = true, value_name = "W", value_parser = parse_weight)]
    pub(crate) weight: Option<Weight>,
    /// dfs: the depth limit
    #[arg(long, value_name = "N")]
    pub(crate) depth_limit: Option<u32>,
    /// Which of the states with the same priority is expanded first [default: low-h]
    #[arg(long, value_enum)]
    pub(crate) tie_break: Option<Tie>,
    /// The counting rule: literature, or that of a report, which includes its search and needs astar (names and
    /// explanations: admissible list PUZZLE) [default: literature]
    #[arg(long, value_name = "RULE")]
    pub(crate) counting: Option<String>,
    #[command(flatten)]
    pub(crate) limits: LimitArguments,
}

#[derive(Debug, Clone, Args)]
pub(crate) struct LimitArguments {
    /// Stop after this time: 500ms, 30s, 5m, 2h
    #[arg(long, allow_hyphen_values = true, value_name = "TIME", value_parser = parse_time)]
    pub(crate) time_limit: Option<Duration>,
    /// Use at most this much memory: 500M, 4G. At the limit A* and its variants hand over to idastar, which needs
    /// almost none, with the bound proved so far; others stop [default: the free memory of the machine]
    #[arg(long, allow_hyphen_values = true, value_name = "SIZE", value_parser = parse_size)]
    pub(crate) memory_limit: Option<NonZeroU64>,
    /// Stop after expanding this many states: 1000000, 20M
    #[arg(long, allow_hyphen_values = true, value_name = "N", value_parser = parse_count)]
    pub(crate) node_limit: Option<u64>,
}

impl LimitArguments {
    /// The limits of a search that begins now. Memory that the program holds already, beyond [`ALLOWANCE`], counts
    /// against the memory limit.
    pub(crate) fn limits(&self) -> Limits {
        let bytes = self.memory_limit.map(|limit| {
            let held = machine::resident().unwrap_or(0).saturating_sub(ALLOWANCE);
            limit.get().saturating_sub(held)
        });
        let bytes = bytes.or_else(free_memory);
        Limits { expanded: self.node_limit, bytes, time: self.time_limit }
    }

    /// The limits of a search in a program that has one time limit for all that it does.
    pub(crate) fn limits_left(&self) -> Limits {
        Limits { time: time_left(self.time_limit), ..self.limits() }
    }
}

impl TuningArguments {
    /// The options given that the algorithm ignores.
    pub(crate) fn unused_by(&self, algorithm: &str) -> Vec<&'static str> {
        let ordered = ["astar", "astar-no-reopen", "ucs", "wastar", "greedy"].contains(&algorithm);
        let options = [
            ("--weight", self.weight.is_some() && algorithm != "wastar"),
            ("--depth-limit", self.depth_limit.is_some() && algorithm != "dfs"),
            ("--tie-break", self.tie_break.is_some() && !ordered),
        ];
        options.into_iter().filter(|(_, unused)| *unused).map(|(name, _)| name).collect()
    }

    /// A plan without algorithm and heuristic.
    pub(crate) fn plan(&self) -> Plan {
        Plan {
            weight: self.weight,
            tie: self.tie_break.map(Tie::value),
            depth_limit: self.depth_limit,
            counting: self.counting.clone(),
            limits: self.limits.limits(),
            ..Plan::default()
        }
    }
}

impl SearchArguments {
    /// The options given that the algorithm ignores.
    pub(crate) fn unused_by(&self, algorithm: &str) -> Vec<&'static str> {
        let guided = ALGORITHMS.iter().any(|card| card.name == algorithm && card.guided);
        let heuristic = (self.heuristic.is_some() && !guided).then_some("--heuristic");
        heuristic.into_iter().chain(self.tuning.unused_by(algorithm)).collect()
    }

    pub(crate) fn plan(&self) -> Plan {
        let (algorithm, heuristic) = (self.algorithm.clone(), self.heuristic.clone());
        Plan { algorithm, heuristic, threads: self.threads.map(usize::from), ..self.tuning.plan() }
    }

    /// The number of threads, by default one for each core; one if the counts should be reproducible.
    pub(crate) fn threads(&self) -> usize {
        let left_open = self.algorithm.as_deref().is_none_or(|name| name == "hdastar");
        let repeatable = self.tuning.limits.node_limit.is_some() || !left_open;
        if repeatable { self.threads.map_or(1, usize::from) } else { threads(self.threads) }
    }
}

/// The number of threads, by default one for each core.
pub(crate) fn threads(given: Option<u16>) -> usize {
    given.map_or_else(|| std::thread::available_parallelism().map_or(1, usize::from), usize::from)
}

pub(super) fn algorithm_names() -> String {
    ALGORITHMS.iter().map(|card| card.name).collect::<Vec<_>>().join(", ")
}

fn algorithm_help() -> String {
    format!("The algorithm: {} [default: chosen for the instance]", algorithm_names())
}

/// Nine tenths of the free memory; `None` where the system does not report it.
pub(crate) fn free_memory() -> Option<u64> {
    machine::free().map(|bytes| bytes / 10 * 9)
}

/// Memory of the program itself, which does not count against a limit.
const ALLOWANCE: u64 = 32 << 20;
