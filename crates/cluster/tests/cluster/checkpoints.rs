//! Searches and explorations resumed from checkpoints.

use std::io::{self, Read, Write};
use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use admissible::search::Stop;
use admissible::search::distributed::Processes;
use admissible_cluster::{CheckpointStore, Cluster, Handshake, Hosts, Links};

use crate::instances::{Instance, PlainExplore, explore, instances, open, solve};
use crate::members::{TIMEOUT, shown};

/// The most checkpoints of a run.
const MAX_CHECKPOINTS: usize = 6;

/// The checkpoints that a process has written, with their numbers.
type Written = Vec<(u64, Vec<u8>)>;

/// Keeps all checkpoints in memory.
#[derive(Debug, Default)]
struct Memory {
    asked: AtomicUsize,
    written: Mutex<Written>,
    committed: AtomicUsize,
    resumed: Option<Vec<u8>>,
}

impl CheckpointStore for Memory {
    fn is_due(&self) -> bool {
        self.asked.fetch_add(1, SeqCst).is_multiple_of(3) && self.written.lock().unwrap().len() < MAX_CHECKPOINTS
    }

    fn write(&self, number: u64, why: Option<Stop>, body: &mut dyn FnMut(&mut dyn Write) -> io::Result<()>) -> bool {
        assert_eq!(why, None, "there is no limit");
        let mut bytes = Vec::new();
        body(&mut bytes).unwrap();
        self.written.lock().unwrap().push((number, bytes));
        true
    }

    fn commit(&self) {
        self.committed.fetch_add(1, SeqCst);
    }

    fn resumed(&self) -> io::Result<Option<Box<dyn Read + '_>>> {
        Ok(self.resumed.as_ref().map(|bytes| Box::new(&bytes[..]) as Box<dyn Read>))
    }
}

/// Runs processes, from their checkpoints if these are given. Returns the result and the checkpoints of each.
fn run<T: Send>(
    processes: usize,
    threads: usize,
    resumed: Option<&[Vec<u8>]>,
    work: impl Fn(&dyn Processes) -> T + Sync,
) -> Vec<(T, Written)> {
    let hosts = &Hosts::on_loopback(processes).unwrap();
    let member = |process: usize| {
        let resumed = resumed.map(|all| all[process].clone());
        let store = Arc::new(Memory { resumed, ..Memory::default() });
        let handshake = Handshake { process, config_hash: 1, offers: [None; 2] };
        let cluster = Cluster::new(Links::connect(hosts, handshake, TIMEOUT, &|| false).unwrap(), threads);
        let found = work(&cluster.with_checkpoints(store.clone()));
        let written = store.written.lock().unwrap().clone();
        assert_eq!(store.committed.load(SeqCst), written.len(), "every checkpoint is committed");
        (found, written)
    };
    std::thread::scope(|scope| {
        let members: Vec<_> = (0..processes).map(|process| scope.spawn(move || member(process))).collect();
        members.into_iter().map(|member| member.join().unwrap()).collect()
    })
}

/// Checks that a run from each checkpoint has the same result. Returns the number of checkpoints.
fn check_resuming<T: Send + PartialEq + std::fmt::Debug>(
    processes: usize,
    threads: usize,
    expected: &T,
    work: impl Fn(&dyn Processes) -> T + Sync,
) -> usize {
    let first = run(processes, threads, None, &work);
    let times = first[0].1.len();
    assert!(times > 0, "there is a checkpoint before the end");
    for (found, written) in &first {
        assert_eq!(found, expected);
        assert_eq!(written.len(), times, "all processes write the same checkpoints");
    }
    for time in 0..times {
        let number = first[0].1[time].0;
        assert!(first.iter().all(|(_, written)| written[time].0 == number), "with the same numbers");
        let resumed: Vec<Vec<u8>> = first.iter().map(|(_, written)| written[time].1.clone()).collect();
        for (found, _) in run(processes, threads, Some(&resumed), &work) {
            assert_eq!(&found, expected, "resumed from checkpoint {time}");
        }
    }
    times
}

#[test]
fn a_search_resumes_from_each_checkpoint() {
    for (at, instance) in instances().iter().enumerate().step_by(3) {
        let (processes, threads) = [(1, 1), (1, 3), (2, 1), (2, 2)][at % 4];
        let expected = shown(&solve(instance, None));
        check_resuming(processes, threads, &expected, |processes| shown(&solve(instance, Some(processes))));
    }
}

#[test]
fn an_exploration_resumes_from_each_checkpoint() {
    let board = Instance { puzzle: "tiles", heuristic: "zero", text: "1 2 3\n4 5 6\n7 8 0\n".into() };
    let expected = open(&board, PlainExplore);
    assert_eq!(expected.0.iter().sum::<u64>(), 181_440);
    for (processes, threads) in [(1, 1), (1, 2), (2, 1), (3, 2)] {
        let times = check_resuming(processes, threads, &expected, |processes| explore(&board, processes));
        assert!(times > 1, "181,440 states take several checkpoints");
    }
}

/// The time that a checkpoint takes on a slow disk.
const SLOW: Duration = Duration::from_millis(50);

/// Always wants another checkpoint, which takes long.
#[derive(Debug, Default)]
struct SlowDisk(AtomicUsize);

impl CheckpointStore for SlowDisk {
    fn is_due(&self) -> bool {
        true
    }

    fn write(&self, _number: u64, _why: Option<Stop>, _body: &mut dyn FnMut(&mut dyn Write) -> io::Result<()>) -> bool {
        std::thread::sleep(SLOW);
        self.0.fetch_add(1, SeqCst);
        true
    }

    fn commit(&self) {}

    fn resumed(&self) -> io::Result<Option<Box<dyn Read + '_>>> {
        Ok(None)
    }
}

#[test]
fn slow_checkpoints_take_at_most_half_of_the_time() {
    let board = Instance { puzzle: "tiles", heuristic: "zero", text: "1 2 3\n4 5 6\n7 8 0\n".into() };
    let store = Arc::new(SlowDisk::default());
    let begin = Instant::now();
    let found = explore(&board, &crate::alone(1).with_checkpoints(store.clone()));
    let (taken, times) = (begin.elapsed(), store.0.load(SeqCst) as u32);
    assert_eq!(found.0.iter().sum::<u64>(), 181_440);
    assert!(times > 0, "there is a checkpoint");
    // Each pause is followed by as much work, but for the last one.
    assert!(2 * times * SLOW <= taken + SLOW, "{times} checkpoints in {taken:?}");
}
