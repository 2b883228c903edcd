//! The checker. It reads a certificate in order twice: once to note what the proof asks for, and once to see that it is
//! there. The head of the crate says why that is a proof.
//!
//! The proof holds only if both passes read the same bytes. So a certificate is opened once, and a keyed hash of each
//! pass is compared. The key is drawn at random for each check: a file that changes between the passes cannot be made
//! to fit it.

use std::fs::File;
use std::hash::{BuildHasher as _, DefaultHasher, Hasher as _, RandomState};
use std::io::{self, BufReader, Read, Seek};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use admissible_files::{FileError, open_regular};

use crate::claim::{self, Claim};
use crate::entries::EntryReader;
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

/// A certificate that was opened, and what it claims.
#[derive(Debug)]
pub struct Certificate<R> {
    claim: Claim,
    source: R,
}

impl Certificate<File> {
    /// Opens a certificate. It has to be a regular file, because it is read more than once.
    ///
    /// # Errors
    /// If it cannot be read, or is not a certificate.
    pub fn open(path: &Path) -> Result<Self, FileError> {
        Certificate::read(open_regular(path)?)
    }
}

/// Hashes all that is read through it. SipHash does not depend on how the bytes are divided into readings; if another
/// hash did, a file would only seem to have changed.
struct Hashed<R> {
    source: R,
    hash: DefaultHasher,
}

impl<R: Read> Read for Hashed<R> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        let count = self.source.read(bytes)?;
        self.hash.write(&bytes[..count]);
        Ok(count)
    }
}

/// One pass over the states of a certificate.
struct Pass<'a, R>(EntryReader<BufReader<Hashed<&'a mut R>>>);

impl<R: Read> Pass<'_, R> {
    /// The hash of the whole file, for a pass that has come to the end of it.
    fn hash(self) -> u64 {
        self.0.into_source().into_inner().hash.finish()
    }
}

impl<R: Read + Seek> Certificate<R> {
    /// Reads what a certificate claims.
    ///
    /// # Errors
    /// If it cannot be read, or is not a certificate.
    pub fn read(mut source: R) -> Result<Self, FileError> {
        source.rewind()?;
        let (claim, _) = claim::open(&mut source)?;
        Ok(Certificate { claim, source })
    }

    /// What it claims.
    pub fn claim(&self) -> &Claim {
        &self.claim
    }

    /// Begins a pass, which has to find the same claim.
    fn pass(&mut self, key: &RandomState) -> Result<Pass<'_, R>, FileError> {
        self.source.rewind()?;
        let (again, entries) = claim::open(Hashed { source: &mut self.source, hash: key.build_hasher() })?;
        if again == self.claim { Ok(Pass(entries)) } else { Err(FileError::Changed) }
    }

    /// Checks that no solution costs less than it claims. Whether the solution in it is one is not checked here.
    ///
    /// `watch` hears the number of states that were checked, and may stop it.
    ///
    /// # Errors
    /// If it does not hold, cannot be read, or was stopped.
    pub fn check(
        &mut self,
        rules: &dyn Rules,
        resources: &Resources,
        watch: &mut dyn FnMut(u64) -> ControlFlow<()>,
    ) -> Result<Checked, Refusal> {
        let key = RandomState::new();
        let Claim { cost, hopeless, .. } = self.claim;
        if hopeless {
            let no_states = self.pass(&key)?.0.next()?.is_none();
            return match rules.is_hopeless() && cost.is_none() && no_states {
                true => Ok(Checked { states: 0, demanded: 0 }),
                false => Err(Refusal::False("it can not be seen without a search that there is no solution".into())),
            };
        }
        let is_due = |g: Cost, h: Option<Cost>| match (h, cost) {
            (None, _) => false,
            (Some(_), None) => true,
            (Some(h), Some(cost)) => u64::from(g) + u64::from(h) < u64::from(cost),
        };

        // What the proof asks for: a state, and the largest `g` that it may have.
        let mut demands = Sorter::new(resources.memory, &resources.folder);
        let start = rules.start();
        if is_due(0, rules.estimate(start)) {
            demands.push(start, 0)?;
        }
        let mut first = self.pass(&key)?;
        let mut states = 0;
        while let Some((state, g)) = first.0.next()? {
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
        let hash = first.hash();

        let mut second = self.pass(&key)?;
        let mut present = second.0.next()?;
        let mut demanded = 0;
        for demand in demands.finish()? {
            let (state, most) = demand?;
            while present.is_some_and(|(there, _)| there < state) {
                present = second.0.next()?;
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
        // To the end of the file, where its checksum is.
        while present.is_some() {
            present = second.0.next()?;
        }
        if second.hash() == hash { Ok(Checked { states, demanded }) } else { Err(FileError::Changed.into()) }
    }
}

fn refuted(at: u64, why: &str) -> Refusal {
    Refusal::False(format!("state {} of it {why}", at + 1))
}
