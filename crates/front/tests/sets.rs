//! The sets that `bench` runs.

use admissible_domains::ReadOptions;
use admissible_front::{BENCH_SETS, open};

/// What several programs generate in all on Korf's hundred.
const NODES: u64 = 36_302_807_931;

#[test]
fn every_instance_can_be_opened() {
    for (set, count, total) in [(&BENCH_SETS[0], 100, 5_305), (&BENCH_SETS[1], 50, 5_039)] {
        let instances = set.instances();
        assert_eq!(instances.len(), count, "{}", set.name);
        assert_eq!(instances.iter().map(|instance| instance.cost).sum::<u32>(), total, "{}", set.name);
        let nodes: u64 = instances.iter().filter_map(|instance| instance.idastar_manhattan).sum();
        assert_eq!(nodes, if count == 100 { NODES } else { 0 }, "{}", set.name);
        for (at, instance) in instances.iter().enumerate() {
            assert_eq!(instance.number, at + 1);
            let options = ReadOptions { goal: set.goal.map(Into::into), ..ReadOptions::default() };
            let task = open(&instance.text, Some(set.puzzle), &options).expect("it can be read");
            assert_eq!(task.card().name, set.puzzle);
        }
    }
}
