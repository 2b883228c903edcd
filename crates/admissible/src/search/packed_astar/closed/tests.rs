use std::collections::HashMap;

use super::*;

fn random(seed: u64) -> impl Iterator<Item = u64> {
    std::iter::successors(Some(seed), |x| Some(x.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407)))
        .map(|x| x ^ x >> 29)
}

fn drill<const N: usize>(code_bits: u32, states: impl Fn(u64) -> [u64; N]) {
    let mut closed = Closed::<N>::hashed(code_bits);
    let mut expected = HashMap::new();
    let mask = u64::MAX >> code_bits;
    let state_of = |mut words: [u64; N]| {
        words[0] &= mask;
        words
    };
    let keys: Vec<Key<N>> = random(7)
        .enumerate()
        .take(200_000)
        .map(|(turn, number)| {
            let mut words = state_of(states(number));
            words[0] |= (1 + turn as u64 % 3) << (64 - code_bits);
            Key(words)
        })
        .collect();
    // One by one, and several at a time.
    let mut left = &keys[..];
    for count in (1..=MOST_AT_ONCE).cycle() {
        let (some, others) = left.split_at(count.min(left.len()));
        left = others;
        if some.is_empty() {
            break;
        }
        if !closed.has_room(MOST_AT_ONCE) {
            let before = closed.len();
            closed.grow(u64::MAX, &Signal::default()).expect("memory suffices");
            assert_eq!(closed.len(), before);
        }
        let mut is_new = vec![false; some.len()];
        closed.insert_hashed(some, &mut is_new);
        for (key, is_new) in some.iter().zip(is_new) {
            assert_eq!(is_new, !expected.contains_key(&state_of(key.0)));
            closed.states += usize::from(is_new);
            expected.entry(state_of(key.0)).or_insert(key.0);
        }
    }
    assert_eq!(closed.len(), expected.len());
    assert_eq!((0..closed.places()).filter_map(|place| closed.at(place)).count(), expected.len());
    for (state, words) in &expected {
        assert_eq!(closed.find(Key(*state)).map(|key| key.0), Some(*words));
    }
    for number in random(8).take(1_000) {
        let state = state_of(states(number));
        assert_eq!(closed.find(Key(state)).map(|key| key.0), expected.get(&state).copied());
    }
}

#[test]
fn a_table_keeps_its_states_through_every_growth() {
    drill::<1>(4, |number| [number]);
    drill::<1>(12, |number| [number % 50_000]);
    drill::<2>(3, |number| [number % 300, number >> 40]);
}

#[test]
fn states_that_overflow_the_last_line_wrap_around() {
    let mut closed = Closed::<1>::hashed(4);
    let keys = |closed: &Closed<1>| -> Vec<Key<1>> {
        let last = closed.lines.len() - 1;
        let keys = (1..1_u64 << 40).map(|state| Key([state | 1 << 60]));
        keys.filter(|&key| closed.home(key) == last).take(3 * 8).collect()
    };
    let keys = keys(&closed);
    for _ in 0..2 {
        let mut is_new = vec![false; keys.len()];
        closed.insert_hashed(&keys, &mut is_new);
        assert!(keys.iter().all(|&key| closed.find(key) == Some(key)));
        closed.grow(u64::MAX, &Signal::default()).expect("memory suffices");
        assert!(keys.iter().all(|&key| closed.find(key) == Some(key)));
        assert_eq!((0..closed.places()).filter_map(|place| closed.at(place)).count(), keys.len());
    }
}

#[test]
fn a_table_grows_as_far_as_the_limit_allows() {
    let mut closed = Closed::<1>::hashed(4);
    let bytes = closed.bytes();
    let mut grow = |most| (closed.grow(most, &Signal::default()), closed.bytes());
    assert_eq!(grow(bytes), (Err(Full), bytes));
    assert_eq!(grow(bytes * 3 / 2), (Ok(()), bytes * 3 / 2));
    assert_eq!(grow(bytes * 3), (Ok(()), bytes * 3));
    assert_eq!(grow(u64::MAX), (Ok(()), bytes * 12));
    assert_eq!(grow(u64::MAX), (Ok(()), bytes * 24), "it is not small any more");
}

#[test]
fn the_signal_stops_the_growth_of_a_table() {
    let flag = std::sync::Arc::new(true.into());
    let mut closed = Closed::<1>::hashed(4);
    assert_eq!(closed.grow(u64::MAX, &Signal::new(Some(flag), None)), Err(Full));
}
