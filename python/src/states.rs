//! The interned states: each Python state has a number, in order of discovery.
//!
//! A state is looked up by a key: the state itself if it is hashable, else a frozen copy of it. A state that a callback
//! could change is kept as a private copy, callbacks get copies of that, and changes are noticed.

use hashbrown::HashTable;
use pyo3::exceptions::{PyRuntimeError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyBytes, PyFloat, PyInt, PyString, PyTuple, PyType};
use rustc_hash::FxHashMap;

/// A state's number.
pub(crate) type Id = u32;

/// The most states; library searches keep numbers of 31 bits.
const MOST: usize = i32::MAX as usize - 1;

struct Entry {
    /// What is hashed and compared.
    key: Py<PyAny>,
    /// The state, if it is not the key.
    original: Option<Py<PyAny>>,
    /// Whether a callback could change the state.
    is_mutable: bool,
}

/// How states of a type are kept.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// Callbacks cannot change it.
    Immutable,
    /// A tuple: as its items.
    Tuple,
    /// Callbacks could change it.
    Mutable,
}

/// The helpers in Python that freeze and copy states.
pub(crate) struct Helpers {
    pub(crate) freeze: Py<PyAny>,
    pub(crate) copy: Py<PyAny>,
    pub(crate) kind: Py<PyAny>,
}

/// The hash of a state, if it has one, and the first state with that hash.
#[derive(Clone, Copy)]
pub(crate) struct Guess {
    hash: Option<isize>,
    id: Option<Id>,
}

impl Guess {
    pub(crate) const NONE: Guess = Guess { hash: None, id: None };
}

/// All states found so far.
pub(crate) struct States {
    /// A part of the hash, and the number of the state.
    table: HashTable<(u32, Id)>,
    entries: Vec<Entry>,
    kinds: FxHashMap<usize, (Kind, Py<PyType>)>,
    helpers: Helpers,
    copies: bool,
}

impl States {
    pub(crate) fn new(helpers: Helpers, copies: bool) -> Self {
        States { table: HashTable::new(), entries: Vec::new(), kinds: FxHashMap::default(), helpers, copies }
    }

    pub(crate) fn len(&self) -> usize {
        self.entries.len()
    }

    /// The number of a state, if it is known.
    pub(crate) fn find(&self, state: &Bound<'_, PyAny>) -> PyResult<Option<Id>> {
        let (key, hash) = match state.hash() {
            Ok(hash) => (state.clone(), hash),
            Err(_) => {
                let key = self.helpers.freeze.bind(state.py()).call1((state,))?;
                let hash = key.hash()?;
                (key, hash)
            }
        };
        self.lookup(&key, hash)
    }

    /// The hashes of states and the numbers of states with these hashes. The lookups do not wait for each other, so the
    /// processor waits for memory about once a batch, not several times a state.
    pub(crate) fn guess<'a, 'py: 'a>(
        &self,
        py: Python<'py>,
        states: impl Iterator<Item = &'a Bound<'py, PyAny>>,
    ) -> Vec<Guess> {
        let hashes: Vec<Option<isize>> = states.map(|state| state.hash().ok()).collect();
        let of_hash = |hash: isize| {
            let part = part_of(hash);
            self.table.find(spread(part), |&(other, _)| other == part).map(|&(_, id)| id)
        };
        let guesses: Vec<Guess> = hashes.into_iter().map(|hash| Guess { hash, id: hash.and_then(of_hash) }).collect();
        // Reading its type brings a state into the cache, where it is compared soon.
        let known = guesses.iter().filter_map(|guess| guess.id);
        let types = known.map(|id| self.entries[id as usize].key.bind(py).get_type_ptr() as usize);
        std::hint::black_box(types.fold(0, usize::wrapping_add));
        guesses
    }

    /// As `intern`, for a state of which `guess` is known.
    pub(crate) fn intern_guessed(&mut self, state: &Bound<'_, PyAny>, guess: Guess) -> PyResult<(Id, bool)> {
        if let Some(id) = guess.id
            && self.entries[id as usize].key.bind(state.py()).eq(state)?
        {
            return Ok((id, false));
        }
        match guess.hash {
            Some(hash) => self.intern_hashed(state, hash),
            None => self.intern(state),
        }
    }

    /// The number of a state, and whether it is new.
    pub(crate) fn intern(&mut self, state: &Bound<'_, PyAny>) -> PyResult<(Id, bool)> {
        let py = state.py();
        match state.hash() {
            Ok(hash) => self.intern_hashed(state, hash),
            Err(error) if error.is_instance_of::<PyTypeError>(py) => {
                let key = self.helpers.freeze.bind(py).call1((state,))?;
                let hash = key.hash()?;
                if let Some(known) = self.lookup(&key, hash)? {
                    return Ok((known, false));
                }
                let original =
                    if self.copies { self.helpers.copy.bind(py).call1((state,))? } else { state.clone() }.unbind();
                let is_mutable = self.copies;
                let entry = Entry { key: key.unbind(), original: Some(original), is_mutable };
                Ok((self.insert(hash, entry)?, true))
            }
            Err(error) => Err(error),
        }
    }

    fn intern_hashed(&mut self, state: &Bound<'_, PyAny>, hash: isize) -> PyResult<(Id, bool)> {
        if let Some(known) = self.lookup(state, hash)? {
            return Ok((known, false));
        }
        let py = state.py();
        let is_mutable = self.copies && self.is_mutable(state)?;
        let kept = if is_mutable { self.helpers.copy.bind(py).call1((state,))? } else { state.clone() };
        let entry = Entry { key: kept.unbind(), original: None, is_mutable };
        Ok((self.insert(hash, entry)?, true))
    }

    fn lookup(&self, key: &Bound<'_, PyAny>, hash: isize) -> PyResult<Option<Id>> {
        let mut failure = None;
        let part = part_of(hash);
        let found = self.table.find(spread(part), |&(other, id)| {
            if other != part || failure.is_some() {
                return false;
            }
            let known = self.entries[id as usize].key.bind(key.py());
            known.is(key)
                || known.eq(key).unwrap_or_else(|error| {
                    failure = Some(error);
                    false
                })
        });
        match failure {
            Some(error) => Err(error),
            None => Ok(found.map(|&(_, id)| id)),
        }
    }

    fn insert(&mut self, hash: isize, entry: Entry) -> PyResult<Id> {
        if self.entries.len() >= MOST {
            return Err(PyRuntimeError::new_err("more than two billion states"));
        }
        let (id, part) = (self.entries.len() as Id, part_of(hash));
        self.table.insert_unique(spread(part), (part, id), |&(part, _)| spread(part));
        self.entries.push(entry);
        Ok(id)
    }

    /// A state, for reading only.
    pub(crate) fn get<'py>(&self, py: Python<'py>, id: Id) -> Bound<'py, PyAny> {
        let entry = &self.entries[id as usize];
        entry.original.as_ref().unwrap_or(&entry.key).bind(py).clone()
    }

    /// A state to pass to a callback, and whether it is a copy to be checked afterwards.
    pub(crate) fn lend<'py>(&self, py: Python<'py>, id: Id) -> PyResult<(Bound<'py, PyAny>, bool)> {
        let state = self.get(py, id);
        if !self.entries[id as usize].is_mutable {
            return Ok((state, false));
        }
        Ok((self.helpers.copy.bind(py).call1((state,))?, true))
    }

    /// Whether a callback could change a state.
    pub(crate) fn is_shared(&self, id: Id) -> bool {
        !self.entries[id as usize].is_mutable
    }

    /// Whether a copy that a callback had in its hands still equals the state.
    pub(crate) fn is_unchanged(&self, copy: &Bound<'_, PyAny>, id: Id) -> PyResult<bool> {
        let entry = &self.entries[id as usize];
        let key = match entry.original {
            Some(_) => self.helpers.freeze.bind(copy.py()).call1((copy,))?,
            None => copy.clone(),
        };
        let kept = entry.key.bind(copy.py());
        Ok(key.hash()? == kept.hash()? && key.eq(kept)?)
    }

    fn is_mutable(&mut self, state: &Bound<'_, PyAny>) -> PyResult<bool> {
        if is_plain(state) {
            return Ok(false);
        }
        match self.kind(&state.get_type())? {
            Kind::Immutable => Ok(false),
            Kind::Mutable => Ok(true),
            Kind::Tuple => {
                for item in state.cast::<PyTuple>()?.iter_borrowed() {
                    if !is_plain(&item) && self.is_mutable(&item)? {
                        return Ok(true);
                    }
                }
                Ok(false)
            }
        }
    }

    fn kind(&mut self, of: &Bound<'_, PyType>) -> PyResult<Kind> {
        if let Some((kind, _)) = self.kinds.get(&(of.as_ptr() as usize)) {
            return Ok(*kind);
        }
        let kind = match self.helpers.kind.bind(of.py()).call1((of,))?.extract::<u8>()? {
            0 => Kind::Immutable,
            1 => Kind::Tuple,
            _ => Kind::Mutable,
        };
        self.kinds.insert(of.as_ptr() as usize, (kind, of.clone().unbind()));
        Ok(kind)
    }

    pub(crate) fn traverse(&self, visit: &pyo3::PyVisit<'_>) -> Result<(), pyo3::PyTraverseError> {
        for entry in &self.entries {
            visit.call(&entry.key)?;
            if let Some(original) = &entry.original {
                visit.call(original)?;
            }
        }
        Ok(())
    }

    pub(crate) fn clear(&mut self) {
        self.table.clear();
        self.entries.clear();
    }
}

/// 32 bits of a hash. Python's hashes of small integers are the integers, so their bits are mixed.
fn part_of(hash: isize) -> u32 {
    ((hash as u64 ^ (hash as u64 >> 32)).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32) as u32
}

/// The hash of a part for the table, which takes the position from the lowest bits and a tag from the highest.
fn spread(part: u32) -> u64 {
    u64::from(part).wrapping_mul(0x1_0000_0001)
}

/// The most frequent immutable types.
fn is_plain(state: &Bound<'_, PyAny>) -> bool {
    state.is_exact_instance_of::<PyInt>()
        || state.is_exact_instance_of::<PyString>()
        || state.is_exact_instance_of::<PyFloat>()
        || state.is_exact_instance_of::<PyBool>()
        || state.is_exact_instance_of::<PyBytes>()
        || state.is_none()
}
