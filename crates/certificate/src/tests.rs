//! Tests on a puzzle whose solutions are known: a move doubles a number or adds 1 or 3.

use std::collections::BTreeMap;
use std::io::{self, Cursor, Read, Seek, SeekFrom};
use std::ops::ControlFlow;

use admissible_files::FileError;

use super::*;

/// From 1 to `goal` by `n + 1` and `n + 3` (which costs 2) and, below `top`, `2 n`.
struct Numbers {
    goal: u64,
    top: u64,
    /// The estimate for every number below the goal.
    h: Cost,
}

impl Numbers {
    fn next(&self, number: u64) -> Vec<(u64, Cost)> {
        [(number + 1, 1), (number + 3, 2), (2 * number, 1)].into_iter().filter(|&(next, _)| next <= self.top).collect()
    }

    fn h(&self, number: u64) -> Option<Cost> {
        // Numbers never get smaller, so those above the goal are dead ends.
        if number > self.goal { None } else { Some(if number == self.goal { 0 } else { self.h }) }
    }

    /// The cost of every number, by relaxation until nothing changes.
    fn costs(&self) -> BTreeMap<u64, Cost> {
        let mut costs = BTreeMap::from([(1, 0)]);
        loop {
            let before = costs.clone();
            for (&number, &g) in &before {
                for (next, cost) in self.next(number) {
                    let known = costs.entry(next).or_insert(Cost::MAX);
                    *known = (*known).min(g + cost);
                }
            }
            if costs == before {
                return costs;
            }
        }
    }

    fn claim(&self, cost: Option<Cost>) -> Claim {
        Claim {
            puzzle: "numbers".into(),
            metric: None,
            board: format!("1 {}\n", self.goal),
            heuristic: "at least".into(),
            cost,
            actions: Vec::new(),
            hopeless: false,
        }
    }
}

impl Rules for Numbers {
    fn start(&self) -> Number {
        1.into()
    }

    fn estimate(&self, state: Number) -> Option<Cost> {
        self.h(state.0[2])
    }

    fn expand(&self, state: Number, successor: &mut dyn FnMut(Number, Cost, Option<Cost>)) -> StateKind {
        let Number([0, 0, number]) = state else { return StateKind::Invalid };
        if number == 0 || number > self.top {
            return StateKind::Invalid;
        }
        for (next, cost) in self.next(number) {
            successor(next.into(), cost, self.h(next));
        }
        if number == self.goal { StateKind::Goal } else { StateKind::NonGoal }
    }
}

/// The bytes of a certificate with these states.
fn certificate_bytes(claim: &Claim, states: &BTreeMap<u64, Cost>) -> Vec<u8> {
    let header = claim.header();
    let mut bytes = header.clone();
    let mut entries = entries::EntryWriter::new(&mut bytes, &header);
    for (&number, &g) in states {
        entries.put(number.into(), g).unwrap();
    }
    entries.finish().unwrap();
    bytes
}

fn resources() -> Resources {
    Resources { memory: 0, folder: std::env::temp_dir() }
}

fn checked(bytes: &[u8], claim: &Claim, rules: &dyn Rules) -> Result<Checked, Refusal> {
    let mut certificate = Certificate::read(Cursor::new(bytes))?;
    assert_eq!(certificate.claim(), claim);
    certificate.check(rules, &resources(), &mut never_stop)
}

fn refusal(bytes: &[u8], claim: &Claim, rules: &dyn Rules) -> String {
    match checked(bytes, claim, rules) {
        Err(Refusal::Unproved(why)) => why,
        other => panic!("expected no proof, got {other:?}"),
    }
}

fn never_stop(_states: u64) -> ControlFlow<()> {
    ControlFlow::Continue(())
}

/// A valid certificate for the goal, written as a search would write it: the claim, the states, the bytes.
fn proof(rules: &Numbers) -> (Claim, BTreeMap<u64, Cost>, Vec<u8>) {
    let costs = rules.costs();
    let claim = rules.claim(costs.get(&rules.goal).copied());
    let folder = tempfile::tempdir().unwrap();
    let mut closed = Sorter::new(1 << 20, folder.path());
    for (&number, &g) in costs.iter().filter(|(number, _)| **number != rules.goal) {
        closed.push(number.into(), g).unwrap();
    }
    let path = folder.path().join("numbers.cert");
    let written = write(&path, &claim, closed.finish().unwrap(), rules, &mut never_stop).unwrap();
    let bytes = std::fs::read(&path).unwrap();
    assert_eq!(written.bytes, bytes.len() as u64);
    assert_eq!(Certificate::open(&path).unwrap().claim(), &claim);
    let needed = |number: u64, g: Cost| claim.cost.is_none_or(|cost| rules.h(number).is_some_and(|h| g + h < cost));
    let g_in_file = |g: Cost| if claim.cost.is_some() { g } else { 0 };
    let states = costs.into_iter().filter(|&(number, g)| number != rules.goal && needed(number, g));
    let states: BTreeMap<u64, Cost> = states.map(|(number, g)| (number, g_in_file(g))).collect();
    assert_eq!(written.states, states.len() as u64);
    (claim, states, bytes)
}

#[test]
fn the_closed_states_of_a_search_are_a_proof() {
    for goal in [1, 2, 7, 64, 95, 300] {
        for h in [0, 1] {
            let rules = Numbers { goal, top: 1000, h };
            let (claim, states, bytes) = proof(&rules);
            let checked = checked(&bytes, &claim, &rules).unwrap();
            assert_eq!(checked.states, states.len() as u64);
            assert_eq!(checked.demanded, states.len() as u64, "every state is required");
        }
    }
}

#[test]
fn a_higher_cost_is_refuted_and_a_lower_one_holds() {
    let rules = Numbers { goal: 95, top: 1000, h: 1 };
    let (claim, states, _) = proof(&rules);
    let dearer = Claim { cost: claim.cost.map(|cost| cost + 1), ..claim.clone() };
    let why = refusal(&certificate_bytes(&dearer, &states), &dearer, &rules);
    assert_eq!(why, format!("a state that can be reached at a cost of {} was left out", claim.cost.unwrap() - 1));
    // With all states, the goal is among them; without the goal, a required state is missing.
    let mut all = rules.costs();
    let why = refusal(&certificate_bytes(&dearer, &all), &dearer, &rules);
    assert!(why.ends_with("is a goal, and should have been the answer"), "{why}");
    all.remove(&95);
    assert!(refusal(&certificate_bytes(&dearer, &all), &dearer, &rules).ends_with("was left out"));
    // A lower cost is a weaker lower bound and true; only the solution in the claim refutes it.
    let cheaper = Claim { cost: claim.cost.map(|cost| cost - 1), ..claim };
    checked(&certificate_bytes(&cheaper, &states), &cheaper, &rules).unwrap();
}

#[test]
fn every_state_and_every_g_is_checked() {
    let rules = Numbers { goal: 61, top: 1000, h: 1 };
    let (claim, states, _) = proof(&rules);
    for &number in states.keys() {
        let mut without = states.clone();
        let g = without.remove(&number).unwrap();
        assert!(refusal(&certificate_bytes(&claim, &without), &claim, &rules).ends_with("was left out"), "{number}");
        without.insert(number, g + 1);
        let why = refusal(&certificate_bytes(&claim, &without), &claim, &rules);
        assert!(why.ends_with(&format!("is listed only with {}", g + 1)), "{number}: {why}");
    }
    let mut foreign = states.clone();
    foreign.insert(5000, 0);
    let why = refusal(&certificate_bytes(&claim, &foreign), &claim, &rules);
    assert_eq!(why, format!("state {} of it is no state of this board", foreign.len()));
}

#[test]
fn all_reachable_states_prove_unsolvability() {
    // The goal is out of reach, and the heuristic does not detect it.
    let rules = Numbers { goal: 500, top: 40, h: 0 };
    let (claim, states, bytes) = proof(&rules);
    assert_eq!((claim.cost, states.len()), (None, 40));
    assert_eq!(checked(&bytes, &claim, &rules).unwrap().states, 40);
    let mut less = states.clone();
    less.remove(&17);
    assert!(refusal(&certificate_bytes(&claim, &less), &claim, &rules).ends_with("was left out"));
    let hopeless = Claim { hopeless: true, ..claim.clone() };
    let why = refusal(&certificate_bytes(&hopeless, &BTreeMap::new()), &hopeless, &rules);
    assert_eq!(why, "unsolvability cannot be shown here without a search");
}

#[test]
fn every_flipped_bit_and_every_truncation_is_detected() {
    let rules = Numbers { goal: 61, top: 1000, h: 1 };
    let (claim, _, good) = proof(&rules);
    checked(&good, &claim, &rules).unwrap();
    let is_file_error = |bytes: &[u8]| matches!(checked(bytes, &claim, &rules), Err(Refusal::File(_)));
    for at in 0..good.len() {
        for bit in 0..8 {
            let mut bad = good.clone();
            bad[at] ^= 1 << bit;
            assert!(is_file_error(&bad), "bit {bit} of byte {at}");
        }
        assert!(is_file_error(&good[..at]), "cut to {at} bytes");
    }
    assert!(is_file_error(&[&good[..], &[0]].concat()), "too long");
}

#[test]
fn each_fault_has_its_own_message() {
    let rules = Numbers { goal: 61, top: 1000, h: 1 };
    let (claim, _, good) = proof(&rules);
    let message = |bytes: &[u8]| match checked(bytes, &claim, &rules) {
        Err(Refusal::File(error)) => error.to_string(),
        other => panic!("expected a damaged file, got {other:?}"),
    };
    let with = |at: usize, byte: u8| {
        let mut bad = good.clone();
        bad[at] = byte;
        bad
    };
    let header = claim.header().len();
    assert_eq!(message(b"%PDF-1.7"), "this is not a certificate");
    assert_eq!(message(b"adm.atls"), "this is an atlas, not a certificate");
    assert_eq!(message(&with(8, 0)), "an older version of this program wrote it (format 0, and this one reads 2)");
    assert_eq!(message(&with(8, 7)), "a newer version of this program wrote it (format 7, and this one reads 2)");
    assert_eq!(message(&with(40, b'#')), "it is damaged in its header");
    assert_eq!(message(&with(header + 12, 0xEE)), "it is damaged in block 1 of its states");
    assert_eq!(message(&with(header + 3, 0xEE)), "it is damaged in block 1 of its states", "a huge block");
    assert_eq!(message(&good[..header - 20]), format!("it is cut off after {} bytes", header - 20));
    assert!(message(&good[..good.len() - 1]).starts_with("it is cut off after "));
    let end = "it is damaged in its end, or blocks of it are missing";
    assert_eq!(message(&with(good.len() - 1, good[good.len() - 1] ^ 1)), end);
    assert!(message(&[&good[..], b"!"].concat()).starts_with("it goes on after its end"));
}

#[test]
fn a_check_can_be_stopped() {
    let rules = Numbers { goal: 100_000, top: 20_000, h: 0 };
    let states = (1..=20_000).map(|number| (number, 0)).collect();
    let claim = rules.claim(None);
    let bytes = certificate_bytes(&claim, &states);
    let mut reported = 0;
    let stopped = Certificate::read(Cursor::new(&bytes)).unwrap().check(&rules, &resources(), &mut |states| {
        reported = states;
        ControlFlow::Break(())
    });
    assert!(matches!(stopped, Err(Refusal::Interrupted)));
    assert_eq!(reported, 4096);
    assert_eq!(checked(&bytes, &claim, &rules).unwrap(), Checked { states: 20_000, demanded: 20_000 });
}

#[test]
fn a_stopped_writer_leaves_no_file() {
    let rules = Numbers { goal: 95, top: 1000, h: 1 };
    let folder = tempfile::tempdir().unwrap();
    let mut closed = Sorter::new(1 << 20, folder.path());
    closed.push(1.into(), 0).unwrap();
    let path = folder.path().join("numbers.cert");
    let stopped =
        write(&path, &rules.claim(Some(9)), closed.finish().unwrap(), &rules, &mut |_| ControlFlow::Break(()));
    assert!(matches!(stopped, Err(FileError::File(error)) if error.kind() == std::io::ErrorKind::Interrupted));
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
}

/// A file whose bytes change every time it is read from its beginning.
struct Changing {
    readings: Vec<Vec<u8>>,
    now: Cursor<Vec<u8>>,
}

impl Read for Changing {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        self.now.read(bytes)
    }
}

impl Seek for Changing {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        assert_eq!(to, SeekFrom::Start(0));
        self.now = Cursor::new(self.readings.remove(0));
        Ok(0)
    }
}

#[test]
fn a_file_that_changes_between_the_passes_proves_nothing() {
    let rules = Numbers { goal: 95, top: 1000, h: 1 };
    let (claim, states, good) = proof(&rules);
    let outcome = |readings: [&Vec<u8>; 3]| {
        let readings: Vec<Vec<u8>> = readings.into_iter().cloned().collect();
        let changing = Changing { readings, now: Cursor::default() };
        Certificate::read(changing).unwrap().check(&rules, &resources(), &mut never_stop)
    };
    // Each of these is intact. The first requires only the start, and the second contains it.
    let dearer = Claim { cost: claim.cost.map(|cost| cost + 1), ..claim.clone() };
    let requires_little = certificate_bytes(&dearer, &BTreeMap::new());
    let has_start = certificate_bytes(&dearer, &BTreeMap::from([(1, 0)]));
    let is_noticed = |readings| matches!(outcome(readings), Err(Refusal::File(FileError::Changed)));
    assert!(is_noticed([&has_start, &requires_little, &has_start]));
    // The claim must not change either, not even to a true one.
    assert!(is_noticed([&requires_little, &good, &good]));
    assert!(is_noticed([&good, &good, &requires_little]));
    assert_eq!(outcome([&good, &good, &good]).unwrap().states, states.len() as u64);
}

#[cfg(unix)]
#[test]
fn pipes_and_folders_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let pipe = folder.path().join("pipe");
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    for path in [pipe.as_path(), folder.path()] {
        assert!(matches!(Certificate::open(path), Err(FileError::NotRegular)), "{path:?}");
    }
}
