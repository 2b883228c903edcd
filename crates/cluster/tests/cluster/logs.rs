//! Work that is written down and taken up again by processes that know nothing else of it.

use std::io::{self, Read, Write};
use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};
use std::sync::{Arc, Mutex};

use admissible::search::Stop;
use admissible::search::distributed::Processes;
use admissible_cluster::{CheckpointStore, Cluster, Handshake, Hosts, Links};

use crate::instances::{ByHand, Instance, explore, instances, open, solve};
use crate::members::{PATIENCE, shown};

/// How often a run is written down.
const TIMES: usize = 6;

/// What a process has written, each time under a number.
type Written = Vec<(u64, Vec<u8>)>;

/// Keeps all that is ever written.
#[derive(Debug, Default)]
struct Memory {
    asked: AtomicUsize,
    written: Mutex<Written>,
    settled: AtomicUsize,
    resumed: Option<Vec<u8>>,
}

impl CheckpointStore for Memory {
    fn is_due(&self) -> bool {
        self.asked.fetch_add(1, SeqCst).is_multiple_of(3) && self.written.lock().unwrap().len() < TIMES
    }

    fn write(&self, number: u64, why: Option<Stop>, body: &mut dyn FnMut(&mut dyn Write) -> io::Result<()>) -> bool {
        assert_eq!(why, None, "nothing stops it");
        let mut bytes = Vec::new();
        body(&mut bytes).unwrap();
        self.written.lock().unwrap().push((number, bytes));
        true
    }

    fn settle(&self) {
        self.settled.fetch_add(1, SeqCst);
    }

    fn resumed(&self) -> io::Result<Option<Box<dyn Read + '_>>> {
        Ok(self.resumed.as_ref().map(|bytes| Box::new(&bytes[..]) as Box<dyn Read>))
    }
}

/// Runs processes of some threads, from what each has written if that is given: what each finds, and has written.
fn run<T: Send>(
    processes: usize,
    threads: usize,
    resumed: Option<&[Vec<u8>]>,
    work: impl Fn(&dyn Processes) -> T + Sync,
) -> Vec<(T, Written)> {
    let hosts = &Hosts::on_loopback(processes).unwrap();
    let member = |process: usize| {
        let resumed = resumed.map(|all| all[process].clone());
        let log = Arc::new(Memory { resumed, ..Memory::default() });
        let cluster = if processes == 1 {
            Cluster::alone(threads)
        } else {
            let handshake = Handshake { process, config_hash: 1, offers: [None; 2] };
            Cluster::new(Links::connect(hosts, handshake, PATIENCE, &|| false).unwrap(), threads)
        };
        let found = work(&cluster.with_log(log.clone()));
        let written = log.written.lock().unwrap().clone();
        assert_eq!(log.settled.load(SeqCst), written.len(), "whatever all have written counts");
        (found, written)
    };
    std::thread::scope(|scope| {
        let members: Vec<_> = (0..processes).map(|process| scope.spawn(move || member(process))).collect();
        members.into_iter().map(|member| member.join().unwrap()).collect()
    })
}

/// Whatever was written on the way leads to the same end.
fn drill<T: Send + PartialEq + std::fmt::Debug>(
    processes: usize,
    threads: usize,
    expected: &T,
    work: impl Fn(&dyn Processes) -> T + Sync,
) -> usize {
    let first = run(processes, threads, None, &work);
    let times = first[0].1.len();
    assert!(times > 0, "it is written down before it is over");
    for (found, written) in &first {
        assert_eq!(found, expected);
        assert_eq!(written.len(), times, "all write at the same moments");
    }
    for time in 0..times {
        let number = first[0].1[time].0;
        assert!(first.iter().all(|(_, written)| written[time].0 == number), "and under the same numbers");
        let resumed: Vec<Vec<u8>> = first.iter().map(|(_, written)| written[time].1.clone()).collect();
        for (found, _) in run(processes, threads, Some(&resumed), &work) {
            assert_eq!(&found, expected, "from the one after {time}");
        }
    }
    times
}

#[test]
fn a_search_goes_on_where_it_was_written_down() {
    for (at, instance) in instances().iter().enumerate().step_by(3) {
        let (processes, threads) = [(1, 1), (1, 3), (2, 1), (2, 2)][at % 4];
        let expected = shown(&solve(instance, None));
        drill(processes, threads, &expected, |processes| shown(&solve(instance, Some(processes))));
    }
}

#[test]
fn an_exploration_goes_on_where_it_was_written_down() {
    let board = Instance { puzzle: "tiles", heuristic: "zero", text: "1 2 3\n4 5 6\n7 8 0\n".into() };
    let expected = open(&board, ByHand);
    assert_eq!(expected.0.iter().sum::<u64>(), 181_440);
    for (processes, threads) in [(1, 1), (1, 2), (2, 1), (3, 2)] {
        let times = drill(processes, threads, &expected, |processes| explore(&board, processes));
        assert!(times > 1, "so many states take a while");
    }
}
