//! The registry of puzzles ([`Registry`]) and the list of algorithms ([`ALGORITHMS`]), both by name.

use std::cmp::Reverse;
use std::fmt;
use std::marker::PhantomData;

use crate::parameters::{Parameters, Purpose};
use crate::puzzle::{Card, Family, ParameterError, Puzzle, ReadOptions, WithPuzzle};
use crate::text::{Faults, beginning};
use rand::Rng;

use crate::audit::{Audit, AuditError, AuditPlan, Auditor};
use crate::bench_sets::BenchSet;
use crate::databases::DatabaseSet;
use crate::difficulty::{Difficulty, InstancePicker, PickOutcome};
use crate::error::OpenError;
use crate::explore::{Exploration, ExploreError, ExplorePlan, Explorer};
use crate::instance::TypedInstance;
use crate::scope::{FamilyScope, Held, ScopeError, ScopeObserver, ScopeRequest};
use crate::task::Task;

/// The puzzles of a program. It is a value that the program passes to the command line, the page and the laboratory,
/// not a global, so a program can add its own puzzles.
#[derive(Clone, Copy)]
pub struct Registry(&'static [fn() -> &'static dyn Entry]);

impl fmt::Debug for Registry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.cards().map(|card| card.name)).finish()
    }
}

impl Registry {
    /// A registry of these puzzles, in the order in which `list` shows them. Their names must differ. The rows are
    /// functions, so that the searches of a puzzle are compiled only in its own crate.
    pub const fn new(puzzles: &'static [fn() -> &'static dyn Entry]) -> Self {
        Registry(puzzles)
    }

    /// The puzzles.
    pub fn entries(self) -> impl Iterator<Item = &'static dyn Entry> {
        self.0.iter().map(|puzzle| puzzle())
    }

    /// The cards of the puzzles.
    pub fn cards(self) -> impl Iterator<Item = &'static Card> {
        self.entries().map(Entry::card)
    }

    /// Whether a puzzle has this name.
    pub fn has(self, name: &str) -> bool {
        self.cards().any(|card| card.name == name)
    }

    /// The puzzle of that name.
    ///
    /// # Errors
    /// If there is none.
    pub fn entry(self, name: &str) -> Result<&'static dyn Entry, OpenError> {
        let found = self.entries().find(|entry| entry.card().name == name);
        found.ok_or_else(|| OpenError::UnknownPuzzle {
            name: name.to_string(),
            nearest: nearest(name, self.cards().map(|card| card.name)),
        })
    }

    /// Reads a file as an instance of `puzzle`, or of the one puzzle that recognises it.
    ///
    /// # Errors
    /// If no puzzle or several recognise it, or it has faults.
    pub fn open(self, text: &str, puzzle: Option<&str>, options: &ReadOptions) -> Result<Task, OpenError> {
        let entry = match puzzle {
            Some(name) => self.entry(name)?,
            None => self.recognise(text, options)?,
        };
        entry.open(text, options).map_err(|faults| OpenError::Faults { puzzle: entry.card().name, faults })
    }

    /// The one puzzle that recognises a file. Prefers a puzzle that reads the whole file, then one that refuses
    /// only an option, then the one whose first fault comes last in the file.
    fn recognise(self, text: &str, options: &ReadOptions) -> Result<&'static dyn Entry, OpenError> {
        let first = beginning(text);
        let fitting: Vec<&'static dyn Entry> = self.entries().filter(|entry| entry.recognises(first)).collect();
        if let [one] = fitting[..] {
            return Ok(one);
        }
        if text.trim_start_matches('\u{feff}').trim().is_empty() {
            return Err(OpenError::Empty);
        }
        // How far a puzzle reads: to its first fault, to a fault of an option, or to the end.
        const END: (u8, usize, usize) = (2, 0, 0);
        let reach = |entry: &'static dyn Entry| match entry.open(text, options) {
            Ok(_) => END,
            Err(faults) => {
                faults.iter().next().map_or(END, |first| (u8::from(first.line == 0), first.line, first.column))
            }
        };
        let mut read: Vec<_> = fitting.into_iter().map(|entry| (reach(entry), entry)).collect();
        read.sort_by_key(|&(reach, _)| Reverse(reach));
        match read[..] {
            [] => Err(OpenError::Unrecognised),
            [(END, _), (END, _), ..] => {
                let readers = read.iter().filter(|(reach, _)| *reach == END);
                Err(OpenError::Ambiguous(readers.map(|(_, entry)| entry.card().name).collect()))
            }
            [(_, first), ..] => Ok(first),
        }
    }

    /// Every set of benchmark instances.
    pub fn bench_sets(self) -> impl Iterator<Item = &'static BenchSet> {
        self.cards().flat_map(|card| card.bench_sets)
    }

    /// Every set of pattern databases that can be built.
    pub fn database_sets(self) -> Vec<DatabaseSet> {
        self.entries().flat_map(Entry::databases).collect()
    }
}

/// The description of an algorithm for `list` and the help.
#[derive(Debug)]
pub struct AlgorithmCard {
    /// The name on the command line.
    pub name: &'static str,
    /// A one-line description.
    pub summary: &'static str,
    /// Whether it uses a heuristic.
    pub guided: bool,
}

/// Every algorithm; `instance/heuristic.rs` matches the names to the functions.
pub static ALGORITHMS: &[AlgorithmCard] = &[
    AlgorithmCard { name: "astar", summary: "A*: shortest with an admissible heuristic; reopens states", guided: true },
    AlgorithmCard {
        name: "astar-no-reopen",
        summary: "A* that never reopens a state: shortest only with a consistent heuristic",
        guided: true,
    },
    AlgorithmCard { name: "ucs", summary: "uniform-cost search: A* without a heuristic", guided: false },
    AlgorithmCard { name: "bfs", summary: "breadth-first search: fewest moves", guided: false },
    AlgorithmCard {
        name: "dfs",
        summary: "depth-first search with visited states pruned: some solution",
        guided: false,
    },
    AlgorithmCard { name: "greedy", summary: "greedy best-first search: some solution, soon", guided: true },
    AlgorithmCard { name: "wastar", summary: "weighted A*: at most --weight times the shortest", guided: true },
    AlgorithmCard { name: "idastar", summary: "iterative deepening A*: shortest, in almost no memory", guided: true },
    AlgorithmCard {
        name: "idastar-pruned",
        summary: "idastar that prunes move sequences with a shorter or equal transposition (tiles)",
        guided: true,
    },
    AlgorithmCard {
        name: "hdastar",
        summary: "A* on all cores: every state belongs to a thread, by a hash (HDA*); rounds h up to whole costs",
        guided: true,
    },
    AlgorithmCard { name: "bidirectional", summary: "from both ends at once (NBS): shortest", guided: true },
];

/// A row of a [`Registry`].
pub trait Entry: Sync {
    /// The card of the puzzle.
    fn card(&self) -> &'static Card;
    /// Whether a file looks like an instance of the puzzle.
    fn recognises(&self, text: &str) -> bool;
    /// Reads a file.
    ///
    /// # Errors
    /// Every fault of the file.
    fn open(&self, text: &str, options: &ReadOptions) -> Result<Task, Faults>;
    /// Writes a random instance, which need not be solvable.
    ///
    /// # Errors
    /// If the card does not declare the parameters, or no instance has them.
    fn generate(&self, parameters: &Parameters, random: &mut dyn Rng) -> Result<String, ParameterError>;
    /// The pattern databases that can be built for its boards.
    fn databases(&self) -> Vec<DatabaseSet>;
    /// The scope of a request where no file is given.
    ///
    /// # Errors
    /// If the scope is not on the card.
    fn scope(&self, request: &ScopeRequest) -> Result<FamilyScope, ScopeError>;
}

impl dyn Entry + '_ {
    /// Audits heuristics where no file is given.
    ///
    /// # Errors
    /// If the plan cannot be carried out, or the observer stopped it.
    pub fn audit(&self, plan: &AuditPlan, observer: &dyn ScopeObserver) -> Result<Audit, AuditError> {
        let auditor = Auditor { card: self.card(), plan, observer };
        let request = ScopeRequest::new(self.card(), Purpose::Audit);
        let request = ScopeRequest { name: plan.scope.clone(), seed: plan.seed, ..request };
        let FamilyScope(scope) = self.scope(&request).map_err(AuditError::Scope)?;
        let (scope, instance) = scope.scope().map_err(AuditError::Scope)?;
        auditor.audit(&scope, instance)
    }

    /// Explores a whole space where no file is given.
    ///
    /// # Errors
    /// If the space does not exist, or does not fit into memory.
    pub fn explore(
        &self,
        plan: &ExplorePlan,
        reading: &ReadOptions,
        observer: &dyn ScopeObserver,
    ) -> Result<Exploration, ExploreError> {
        check_options(self.card(), reading).map_err(|faults| ExploreError::Plan(faults.to_string()))?;
        let explorer = Explorer { card: self.card(), plan, observer, from_file: false };
        let FamilyScope(scope) = self.explored_scope(plan, reading)?;
        explorer.explore(&scope.scope().map_err(ExploreError::Scope)?.0)
    }

    /// Picks an instance of a chosen difficulty from a whole space where no file is given.
    pub(crate) fn pick(
        &self,
        plan: &ExplorePlan,
        reading: &ReadOptions,
        difficulty: Difficulty,
        random: &mut dyn Rng,
        observer: &dyn ScopeObserver,
    ) -> Result<PickOutcome, ExploreError> {
        let (threads, most_bytes) = (plan.threads, plan.most_bytes);
        let mut picker = InstancePicker { difficulty, random, threads, most_bytes, watcher: observer };
        let FamilyScope(scope) = self.explored_scope(plan, reading)?;
        picker.pick(&scope.scope().map_err(ExploreError::Scope)?.0)
    }

    fn explored_scope(&self, plan: &ExplorePlan, reading: &ReadOptions) -> Result<FamilyScope, ExploreError> {
        let request = ScopeRequest::new(self.card(), Purpose::Explore);
        let parameters = plan.parameters.complete(self.card(), request.purpose);
        let parameters = parameters.map_err(|error| ExploreError::Plan(error.to_string()))?;
        let request = ScopeRequest { name: plan.scope.clone(), parameters, reading: reading.clone(), ..request };
        self.scope(&request).map_err(ExploreError::Scope)
    }
}

impl fmt::Debug for dyn Entry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.card().name)
    }
}

/// The registry row of a family. The macro [`entry!`](crate::entry!) makes it in the puzzle's crate, so that the
/// puzzle's searches are compiled there.
pub struct Of<F>(PhantomData<fn() -> F>);

impl<F: Family> Of<F> {
    /// The row.
    pub const ROW: Of<F> = Of(PhantomData);
    const CARD: &'static Card = &F::CARD;
}

impl<F: Family> Entry for Of<F> {
    fn card(&self) -> &'static Card {
        Self::CARD
    }

    fn recognises(&self, text: &str) -> bool {
        F::recognises(text)
    }

    fn open(&self, text: &str, options: &ReadOptions) -> Result<Task, Faults> {
        struct Boxed(&'static Card);
        impl WithPuzzle for Boxed {
            type Out = Task;
            fn call<P: Puzzle>(self, puzzle: P) -> Task {
                Task { card: self.0, instance: Box::new(TypedInstance(Held::Owned(puzzle))) }
            }
        }
        check_options(Self::CARD, options)?;
        F::open(text, options, Boxed(Self::CARD))
    }

    fn generate(&self, parameters: &Parameters, random: &mut dyn Rng) -> Result<String, ParameterError> {
        F::generate(&parameters.complete(Self::CARD, Purpose::Generate)?, random)
    }

    fn databases(&self) -> Vec<DatabaseSet> {
        F::databases()
    }

    fn scope(&self, request: &ScopeRequest) -> Result<FamilyScope, ScopeError> {
        F::scope(request)
    }
}

/// Defines the registry row of a family: a function `entry`. It is never inlined, so that the searches are compiled
/// only in the crate of the puzzle.
#[macro_export]
macro_rules! entry {
    ($family:ty) => {
        /// The row of the registry.
        #[inline(never)]
        pub fn entry() -> &'static dyn $crate::Entry {
            &$crate::Of::<$family>::ROW
        }
    };
}

/// Whether the puzzle has the metric, and a choice of move orders, where an option asks for one.
fn check_options(card: &Card, options: &ReadOptions) -> Result<(), Faults> {
    if options.move_order.is_some() && card.moves.is_empty() {
        return Err(Faults::option(format!("--move-order: {} tries moves in one order only", card.name)));
    }
    if options.goal.is_some() && !card.fixed_goal.is_empty() {
        return Err(Faults::option(format!("--goal: {}", card.fixed_goal)));
    }
    match &options.metric {
        Some(metric) if card.metrics.is_empty() => {
            Err(Faults::option(format!("--metric: {} counts in one way only, not in '{metric}'", card.name)))
        }
        Some(metric) if !card.metrics.contains(&metric.as_str()) => {
            Err(Faults::option(format!("--metric: expected {}, found '{metric}'", card.metrics.join(" or "))))
        }
        _ => Ok(()),
    }
}

/// The known name that is nearest to a misspelt one, if one is near.
pub fn nearest(name: &str, known: impl Iterator<Item = &'static str>) -> Option<&'static str> {
    let close = known.map(|candidate| (strsim::damerau_levenshtein(&name.to_lowercase(), candidate), candidate));
    close.filter(|&(distance, candidate)| distance <= 1 + candidate.len() / 3).min().map(|(_, candidate)| candidate)
}
