//! The checker. It goes through a certificate in order, once to note what the proof asks for, and once to see that it is
//! there; why that is a proof stands at the head of the crate.

use std::io::{self, Read};
use std::ops::ControlFlow;
use std::path::PathBuf;

use admissible_files::FileError;

use crate::claim::{self, Claim};
use crate::sort::Sorter;
use crate::{Cost, Look, Number, Rules};

/// What a check may take.
#[derive(Debug, Clone)]
pub struct Resources {
    /// Bytes of memory for what is sorted.
    pub memory: u64,
    /// The folder for what does not fit.
    pub folder: PathBuf,
}

/// What a certificate that holds consists of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Checked {
    /// States that were looked at.
    pub states: u64,
    /// States that had to be among them.
    pub demanded: u64,
}

/// Why a certificate does not count.
#[derive(Debug)]
pub enum Refusal {
    /// The file cannot be used.
    File(FileError),
    /// It is whole, and proves nothing; why.
    False(String),
    /// The check was stopped.
    Interrupted,
}

impl From<FileError> for Refusal {
    fn from(error: FileError) -> Self {
        Refusal::File(error)
    }
}

impl From<io::Error> for Refusal {
    fn from(error: io::Error) -> Self {
        Refusal::File(error.into())
    }
}

/// States between two looks at whether to go on.
pub(crate) const TICK: u64 = 4096;

/// Checks that no solution costs less than `claim` says. That the solution in it is one is not looked at here.
///
/// `open` opens the certificate, twice; `watch` hears how many states were looked at, and may stop it.
///
/// # Errors
/// If it does not hold, or cannot be read, or was stopped.
pub fn check<R: Read>(
    open: impl Fn() -> io::Result<R>,
    claim: &Claim,
    rules: &dyn Rules,
    resources: &Resources,
    watch: &mut dyn FnMut(u64) -> ControlFlow<()>,
) -> Result<Checked, Refusal> {
    // What the proof asks for: a state, and the `g` that it may have at the most.
    let mut demands = Sorter::new(resources.memory, &resources.folder);
    let is_due = |g: Cost, h: Option<Cost>| match (h, claim.cost) {
        (None, _) => false,
        (Some(_), None) => true,
        (Some(h), Some(cost)) => u64::from(g) + u64::from(h) < u64::from(cost),
    };
    let reopen = || {
        let (again, entries) = claim::open(open()?)?;
        if again == *claim { Ok(entries) } else { Err(Refusal::File(FileError::header())) }
    };
    if claim.hopeless {
        let no_states = reopen()?.next()?.is_none();
        return match rules.is_hopeless() && claim.cost.is_none() && no_states {
            true => Ok(Checked { states: 0, demanded: 0 }),
            false => Err(Refusal::False("it can not be seen without a search that there is no solution".into())),
        };
    }

    let start = rules.start();
    if is_due(0, rules.estimate(start)) {
        demands.push(start, 0)?;
    }
    let mut entries = reopen()?;
    let mut states = 0;
    while let Some((state, g)) = entries.next()? {
        let mut pushed = Ok(());
        let look = rules.look(state, &mut |next: Number, cost: Cost, h: Option<Cost>| {
            let next_g = g.saturating_add(cost);
            if is_due(next_g, h) && pushed.is_ok() {
                pushed = demands.push(next, next_g);
            }
        });
        pushed?;
        match look {
            Look::State => {}
            Look::Goal => return Err(refuted(states, "is a goal, and should have been the answer")),
            Look::Nothing => return Err(refuted(states, "is no state of this board")),
        }
        states += 1;
        if states % TICK == 0 && watch(states).is_break() {
            return Err(Refusal::Interrupted);
        }
    }

    let mut entries = reopen()?;
    let mut present = entries.next()?;
    let mut demanded = 0;
    for demand in demands.finish()? {
        let (state, most) = demand?;
        while present.is_some_and(|(there, _)| there < state) {
            present = entries.next()?;
        }
        match present {
            Some((there, g)) if there == state && g <= most => {}
            Some((there, g)) if there == state => {
                let why = format!("a state that can be reached at a cost of {most} is only there with {g}");
                return Err(Refusal::False(why));
            }
            _ => {
                let why = format!("a state that can be reached at a cost of {most} was left out");
                return Err(Refusal::False(why));
            }
        }
        demanded += 1;
        if demanded % TICK == 0 && watch(states).is_break() {
            return Err(Refusal::Interrupted);
        }
    }
    // To the end of the file, which has the checksum of the whole.
    while present.is_some() {
        present = entries.next()?;
    }
    Ok(Checked { states, demanded })
}

fn refuted(at: u64, why: &str) -> Refusal {
    Refusal::False(format!("state {} of it {why}", at + 1))
}
