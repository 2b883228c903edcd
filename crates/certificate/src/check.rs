//! The checker. Its first pass collects the states that the proof requires, its second pass finds each of them in the
//! file. The crate documentation has the proof.
//!
//! The proof holds only if both passes read the same bytes. So the file is opened once, and the keyed hashes of the two
//! passes must agree. Each check draws a new random key, so no file can be prepared to change between the passes
//! unnoticed.

use std::fs::File;
use std::hash::{BuildHasher as _, DefaultHasher, Hasher as _, RandomState};
use std::io::{self, BufReader, Read, Seek};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use admissible_files::{FileError, open_regular, operation};

use crate::claim::{self, Claim};
use crate::entries::EntryReader;
use crate::sort::Sorter;
use crate::{Cost, Number, Rules, StateKind};

/// The memory and the disk folder of a check.
#[derive(Debug, Clone)]
pub struct Resources {
    /// Bytes of memory for sorting.
    pub memory: u64,
    /// The folder for temporary files of the external sort.
    pub folder: PathBuf,
}

/// The counts of a valid certificate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Checked {
    /// States in the certificate.
    pub states: u64,
    /// States that the proof required to be among them.
    pub demanded: u64,
}

/// Why a certificate is rejected.
#[derive(Debug)]
pub enum Refusal {
    /// The file cannot be used.
    File(FileError),
    /// The file is intact but is no proof; the text says why.
    Unproved(String),
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

/// States between two calls of `watch`.
pub(crate) const TICK: u64 = 4096;

/// An opened certificate and its claim.
#[derive(Debug)]
pub struct Certificate<R> {
    claim: Claim,
    source: R,
}

impl Certificate<File> {
    /// Opens a certificate. It must be a regular file, because it is read more than once.
    ///
    /// # Errors
    /// If it cannot be read, or is not a certificate.
    pub fn open(path: &Path) -> Result<Self, FileError> {
        Certificate::read(open_regular(path)?)
    }
}

/// Hashes the bytes that are read through it. SipHash does not depend on how the reads divide the bytes; with a hash
/// that did, an unchanged file could seem to have changed.
struct HashingReader<R> {
    source: R,
    hash: DefaultHasher,
}

impl<R: Read> Read for HashingReader<R> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        operation()?;
        let count = self.source.read(bytes)?;
        self.hash.write(&bytes[..count]);
        Ok(count)
    }
}

/// One pass over the states of a certificate.
struct Pass<'a, R>(EntryReader<BufReader<HashingReader<&'a mut R>>>);

impl<R: Read> Pass<'_, R> {
    /// The hash of the whole file, for a pass that has reached its end.
    fn hash(self) -> u64 {
        self.0.into_source().into_inner().hash.finish()
    }
}

impl<R: Read + Seek> Certificate<R> {
    /// Reads the claim of a certificate.
    ///
    /// # Errors
    /// If it cannot be read, or is not a certificate.
    pub fn read(mut source: R) -> Result<Self, FileError> {
        source.rewind()?;
        let (claim, _) = claim::open(&mut source)?;
        Ok(Certificate { claim, source })
    }

    /// The claim.
    pub fn claim(&self) -> &Claim {
        &self.claim
    }

    /// Begins a pass, which must read the same claim again.
    fn pass(&mut self, key: &RandomState) -> Result<Pass<'_, R>, FileError> {
        self.source.rewind()?;
        let (again, entries) = claim::open(HashingReader { source: &mut self.source, hash: key.build_hasher() })?;
        if again == self.claim { Ok(Pass(entries)) } else { Err(FileError::Changed) }
    }

    /// Checks that no solution costs less than claimed. The caller checks the solution in the claim.
    ///
    /// `watch` is called with the number of states checked so far, and may stop the check.
    ///
    /// # Errors
    /// If the certificate is no proof or cannot be read, or the check was stopped.
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
                false => Err(Refusal::Unproved("unsolvability cannot be shown here without a search".into())),
            };
        }
        let is_required = |g: Cost, h: Option<Cost>| match (h, cost) {
            (None, _) => false,
            (Some(_), None) => true,
            (Some(h), Some(cost)) => u64::from(g) + u64::from(h) < u64::from(cost),
        };

        // The states that the proof requires, each with the largest `g` that it may have.
        let mut required = Sorter::new(resources.memory, &resources.folder);
        let start = rules.start();
        if is_required(0, rules.estimate(start)) {
            required.push(start, 0)?;
        }
        let mut first = self.pass(&key)?;
        let mut states = 0;
        while let Some((state, g)) = first.0.next()? {
            let mut pushed = Ok(());
            let kind = rules.expand(state, &mut |next: Number, cost: Cost, h: Option<Cost>| {
                let next_g = g.saturating_add(cost);
                if is_required(next_g, h) && pushed.is_ok() {
                    pushed = required.push(next, next_g);
                }
            });
            pushed?;
            match kind {
                StateKind::NonGoal => {}
                StateKind::Goal => return Err(refuted(states, "is a goal, and should have been the answer")),
                StateKind::Invalid => return Err(refuted(states, "is no state of this board")),
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
        for requirement in required.finish()? {
            let (state, max_g) = requirement?;
            while present.is_some_and(|(listed, _)| listed < state) {
                present = second.0.next()?;
            }
            match present {
                Some((listed, g)) if listed == state && g <= max_g => {}
                Some((listed, g)) if listed == state => {
                    let why = format!("a state that can be reached at a cost of {max_g} is listed only with {g}");
                    return Err(Refusal::Unproved(why));
                }
                _ => {
                    let why = format!("a state that can be reached at a cost of {max_g} was left out");
                    return Err(Refusal::Unproved(why));
                }
            }
            demanded += 1;
            if demanded % TICK == 0 && watch(states).is_break() {
                return Err(Refusal::Interrupted);
            }
        }
        // Read on to the checksum at the end of the file.
        while present.is_some() {
            present = second.0.next()?;
        }
        if second.hash() == hash { Ok(Checked { states, demanded }) } else { Err(FileError::Changed.into()) }
    }
}

fn refuted(at: u64, why: &str) -> Refusal {
    Refusal::Unproved(format!("state {} of it {why}", at + 1))
}
