//! The instance sets of `bench`, and the classic layouts.

use admissible_front::{ReadOptions, classic, classics};

use admissible_puzzles::PUZZLES;

/// The nodes that IDA* with the Manhattan distance generates on all of Korf's hundred instances.
const NODES: u64 = 36_302_807_931;

#[test]
fn every_instance_can_be_opened() {
    let sets: Vec<_> = PUZZLES.bench_sets().collect();
    for (set, count, total) in [(sets[0], 100, 5_305), (sets[1], 50, 5_039)] {
        let instances = set.instances();
        assert_eq!(instances.len(), count, "{}", set.name);
        assert_eq!(instances.iter().map(|instance| instance.cost).sum::<u32>(), total, "{}", set.name);
        let nodes: u64 = instances.iter().filter_map(|instance| instance.idastar_manhattan).sum();
        assert_eq!(nodes, if count == 100 { NODES } else { 0 }, "{}", set.name);
        for (at, instance) in instances.iter().enumerate() {
            assert_eq!(instance.number, at + 1);
            let options = ReadOptions { goal: set.goal.map(Into::into), ..ReadOptions::default() };
            let task = PUZZLES.open(&instance.text, Some(set.puzzle), &options).expect("it can be read");
            assert_eq!(task.card().name, set.puzzle);
        }
    }
}

#[test]
fn every_classic_layout_is_found_by_each_of_its_names() {
    let card = |name: &str| PUZZLES.entry(name).expect("the registry has the puzzle").card();
    let all = classics(card("klotski"));
    assert!(all.len() >= 27, "{}", all.len());
    for known in &all {
        assert_eq!(known.text.lines().count(), 5, "{}", known.name);
        for name in [known.name, known.chinese, known.english, &known.name.replace('-', "_")] {
            assert!(!name.is_empty(), "{}", known.name);
            assert_eq!(classic(card("klotski"), name).as_ref(), Ok(known), "{name}");
        }
    }
    assert_eq!(classic(card("klotski"), "heng-dao-li-na"), Err(Some("heng-dao-li-ma")));
    assert_eq!(classic(card("tiles"), "heng-dao-li-ma"), Err(None));
}
