//! Checkpoints of shards, at any point of a search.

use admissible::search::distributed::{Place, Shard, Worked, shard};
use admissible_oracle::Random;

use crate::estimates::Kind;
use crate::graph::Costs;
use crate::optimality::{About, Case};
use crate::packed_astar::{Setting, large};

type Shards<'a, const WORDS: usize> = Vec<Box<dyn Shard<WORDS> + 'a>>;

fn shards<const WORDS: usize, const CODE_BITS: u32>(
    setting: &Setting<WORDS, CODE_BITS>,
    of: usize,
    bytes: u64,
) -> Shards<'_, WORDS> {
    let Setting { space, table, case } = setting;
    let make = |worker| {
        let place = Place { worker, of };
        shard(space, &case.start, table, place, false, bytes).expect("the first tables fit")
    };
    (0..of).map(make).collect()
}

fn saved<const WORDS: usize>(shard: &dyn Shard<WORDS>) -> Vec<u8> {
    let mut bytes = Vec::new();
    shard.save(&mut bytes).expect("memory can be written to");
    bytes
}

/// New shards, loaded from checkpoints of the old ones.
fn reload<'a, const WORDS: usize, const CODE_BITS: u32>(
    setting: &'a Setting<WORDS, CODE_BITS>,
    old: &Shards<'_, WORDS>,
) -> Shards<'a, WORDS> {
    let mut new = shards(setting, old.len(), u64::MAX);
    for (new, old) in new.iter_mut().zip(old) {
        let bytes = saved(&**old);
        let mut rest = &bytes[..];
        new.load(&mut rest).expect("the checkpoint is valid");
        assert!(rest.is_empty());
        assert_eq!(saved(&**new).len(), bytes.len());
    }
    new
}

/// The result of a search: the cost of the path, which is retraced to the start, and the expansions.
#[derive(Debug, PartialEq)]
struct Found {
    cost: Option<u64>,
    expanded: u64,
}

/// Drives shards in turn, and reloads them from checkpoints whenever `again` returns true.
fn drive<const WORDS: usize, const CODE_BITS: u32>(
    setting: &Setting<WORDS, CODE_BITS>,
    of: usize,
    mut again: impl FnMut() -> bool,
) -> Found {
    let mut shards = shards(setting, of, u64::MAX);
    let expanded = |shards: &Shards<'_, WORDS>| shards.iter().map(|shard| shard.stats().expanded).sum();
    while let Some(layer) = shards.iter().filter_map(|shard| shard.least()).min() {
        shards.iter_mut().for_each(|shard| shard.begin_layer(layer));
        while shards.iter().any(|shard| shard.least() == Some(layer)) {
            for at in 0..of {
                if shards[at].least() != Some(layer) {
                    continue;
                }
                let worked = shards[at].work(5);
                if worked == Worked::Goal {
                    let (goal, cost) = shards[at].goal().expect("the shard found a goal");
                    let (mut state, mut owner, mut moves) = (goal, at, 0);
                    while let Some(before) = shards[owner].before(state) {
                        (state, owner, moves) = (before.key, before.owner, moves + 1);
                    }
                    assert_eq!(moves, cost);
                    return Found { cost: Some(cost.into()), expanded: expanded(&shards) };
                }
                for to in 0..of {
                    let entries = std::mem::take(&mut shards[at].outgoing()[to]);
                    shards[to].receive(&entries).expect("memory suffices");
                }
                if again() {
                    shards = reload(setting, &shards);
                }
            }
        }
    }
    Found { cost: None, expanded: expanded(&shards) }
}

#[test]
fn a_reloaded_search_gives_the_same_result() {
    fn drill<const WORDS: usize, const CODE_BITS: u32>() {
        for seed in 0..400 {
            let mut random = Random::new(seed);
            let case = Case::random(&mut random, 60, Costs::Unit);
            let kinds = [Kind::Blind, Kind::Perfect, Kind::Consistent, Kind::Inconsistent];
            let kind = kinds[random.below(kinds.len())];
            let _about = About((seed, kind));
            let setting = Setting::<WORDS, CODE_BITS>::new(case, kind, &mut random);
            for of in [1, 3] {
                let once = drive(&setting, of, || false);
                assert_eq!(once.cost, setting.case.optimum);
                let often = drive(&setting, of, || random.below(3) == 0);
                // Reloading changes the order of a table, but not the states expanded before the goal, unless some are
                // reopened.
                if kind == Kind::Inconsistent {
                    assert_eq!(often.cost, once.cost);
                } else {
                    assert_eq!(often, once);
                }
            }
        }
    }
    drill::<1, 24>();
    drill::<1, 23>();
    drill::<2, 24>();
}

#[test]
fn invalid_checkpoints_are_refused() {
    let setting = large::<24>(5, Kind::Blind);
    let mut one = shards(&setting, 1, u64::MAX).remove(0);
    let mut layer = 0;
    while one.stats().expanded < 20_000 {
        one.begin_layer(layer);
        while one.work(1000) == Worked::Used {}
        layer = one.least().expect("states are left");
    }
    let bytes = saved(&*one);
    let load = |bytes: &[u8], limit| {
        let mut fresh = shards(&setting, 1, limit).remove(0);
        fresh.load(&mut &bytes[..]).map_err(|error| error.kind())
    };
    assert_eq!(load(&bytes, u64::MAX), Ok(()));
    assert_eq!(load(&bytes, 200_000), Err(std::io::ErrorKind::OutOfMemory));
    for cut in [0, 7, 71, 80, bytes.len() - 1] {
        assert_eq!(load(&bytes[..cut], u64::MAX), Err(std::io::ErrorKind::UnexpectedEof), "{cut}");
    }
    let mut nonsense = bytes.clone();
    nonsense[..8].copy_from_slice(&[0xFF; 8]);
    assert_eq!(load(&nonsense, u64::MAX), Err(std::io::ErrorKind::InvalidData));
    let last = bytes.len() - 8;
    let mut nonsense = bytes;
    nonsense[last..].copy_from_slice(&[0; 8]);
    assert_eq!(load(&nonsense, u64::MAX), Err(std::io::ErrorKind::InvalidData));
}
