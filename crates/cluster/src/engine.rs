//! A run from its first thread to its last.

use std::net::Shutdown;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use admissible::platform::Timestamp;
use admissible::search::distributed::{DistributedEnd, DistributedRun, Job, Processes};
use admissible::search::{Observer, Signal, Stop};
use timely::communication::Hooks;
use timely::communication::allocator::zero_copy::initialize::initialize_networking_from_sockets;
use timely::communication::allocator::{Allocator, ProcessBuilder};
use timely::worker::Worker;

use crate::checkpoint::{CheckpointStore, SavedShards};
use crate::hosts::Hosts;
use crate::message::{Count, End, Ending};
use crate::sockets::Links;
use crate::wire::{Fate, Wire};
use crate::worker::{ShardWorker, Shared, stats};

/// How long a process waits for the others to close their connections, once all know the outcome.
const CLOSING: Duration = Duration::from_secs(5);

/// A process that is gone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lost {
    /// Its number.
    pub process: usize,
    /// Its number and its address, in words.
    pub named: String,
}

/// This process as a member of a cluster. It is there for one job.
#[derive(Debug)]
pub struct Cluster {
    links: Mutex<Option<Links>>,
    threads: usize,
    log: Option<Arc<dyn CheckpointStore>>,
    lost: Mutex<Option<Lost>>,
    here: Mutex<Here>,
}

/// What this process has done.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Here {
    /// States expanded.
    pub expanded: u64,
    /// The most bytes held in open and closed lists.
    pub peak_bytes: u64,
}

impl Cluster {
    /// With connections to all others, and so many threads in this process as in every other.
    pub fn new(links: Links, threads: usize) -> Self {
        Cluster {
            links: Mutex::new(Some(links)),
            threads: threads.max(1),
            log: None,
            lost: Mutex::default(),
            here: Mutex::default(),
        }
    }

    /// This process alone.
    pub fn alone(threads: usize) -> Self {
        let links = Links { hosts: Hosts::here(), process: 0, sockets: vec![None], offers: vec![[None; 2]] };
        Cluster::new(links, threads)
    }

    /// Has the work written down now and then; and goes on from what was written, if that is not the beginning.
    #[must_use]
    pub fn with_log(self, log: Arc<dyn CheckpointStore>) -> Self {
        Cluster { log: Some(log), ..self }
    }

    /// The process whose loss ended the job, if that is what did.
    pub fn lost(&self) -> Option<Lost> {
        self.lost.lock().expect("nobody panics with it").clone()
    }

    /// What this process has done, once the job is over.
    pub fn here(&self) -> Here {
        *self.here.lock().expect("nobody panics with it")
    }

    fn carry<const N: usize>(&self, job: &Job<'_, N>, observer: &mut dyn Observer) -> DistributedRun {
        let links = self.links.lock().expect("nobody panics with it").take();
        let Links { hosts, process, sockets, .. } = links.expect("a cluster is there for one job");
        let peers = sockets.iter().flatten().count();
        let fate = Arc::new(Fate::new(peers));
        let deadline = job.limits.time.and_then(|time| Timestamp::now().after(time));
        let saved_shards = SavedShards::new(self.threads);
        let workers = hosts.count() * self.threads;
        let resumed = match self.log.as_deref().map(CheckpointStore::resumed).transpose() {
            Ok(Some(Some(mut from))) => saved_shards.read(&mut from, job, process * self.threads, workers),
            Ok(_) => Ok(()),
            Err(error) => Err(error),
        };
        match resumed {
            Ok(()) => {}
            Err(error) if error.kind() == std::io::ErrorKind::OutOfMemory => return stopped(Stop::Memory, 0),
            Err(error) => {
                let named = format!("{} cannot read its checkpoint ({error}), and", hosts.named(process));
                *self.lost.lock().expect("nobody panics with it") = Some(Lost { process, named });
                return stopped(Stop::Lost, 0);
            }
        }
        let shared = Shared {
            job,
            log: self.log.as_deref(),
            saved_shards,
            fate: &fate,
            process,
            threads: self.threads,
            signal: Signal::new(observer.flag(), deadline),
            deadline,
        };
        // Handles of our own, to close what timely would wait for.
        let handles: Vec<_> = sockets.iter().flatten().filter_map(|socket| socket.try_clone().ok()).collect();
        let builders = ProcessBuilder::new_typed_vector(self.threads, Hooks::default().refill, None);
        let (builders, guard) = if peers == 0 {
            (builders.into_iter().map(Builder::Process).collect::<Vec<_>>(), None)
        } else {
            let wires = sockets
                .into_iter()
                .enumerate()
                .map(|(peer, stream)| stream.map(|stream| Wire { stream, peer, fate: Arc::clone(&fate), zeros: 0 }));
            let started =
                initialize_networking_from_sockets(builders, wires.collect(), process, self.threads, Hooks::default());
            match started {
                Ok((builders, guard)) => (builders.into_iter().map(Builder::Tcp).collect(), Some(guard)),
                Err(_) => return stopped(Stop::Memory, 0),
            }
        };
        let end = processes(builders, &shared, observer).map(|(end, count)| {
            let here = Here { expanded: count.expanded, peak_bytes: count.peak_bytes };
            *self.here.lock().expect("nobody panics with it") = here;
            end
        });
        if end.is_ok() {
            fate.await_closing(if fate.gone().is_some() { Duration::ZERO } else { CLOSING });
        }
        fate.release();
        for handle in &handles {
            let _ = handle.shutdown(Shutdown::Both);
        }
        // It would join threads that may have ended with a broken connection, and panic for it.
        std::mem::forget(guard);
        match end {
            Ok(Some(end)) => ended::<N>(end),
            Ok(None) => {
                let process = fate.gone().unwrap_or(process);
                *self.lost.lock().expect("nobody panics with it") = Some(Lost { process, named: hosts.named(process) });
                stopped(Stop::Lost, fate.bound())
            }
            Err(panic) => resume_unwind(panic),
        }
    }
}

/// What becomes an allocator on the thread that uses it.
enum Builder {
    Process(ProcessBuilder),
    Tcp(timely::communication::allocator::zero_copy::allocator::TcpBuilder),
}

impl Builder {
    fn build(self) -> Allocator {
        match self {
            Builder::Process(builder) => Allocator::Process(builder.build()),
            Builder::Tcp(builder) => Allocator::Tcp(builder.build()),
        }
    }
}

/// Runs the workers of this process, the first of them here: how it ended, nothing if a process is gone, or the panic
/// of a worker.
fn processes<const N: usize>(
    builders: Vec<Builder>,
    shared: &Shared<'_, '_, N>,
    observer: &mut dyn Observer,
) -> Result<(Option<End>, Count), Box<dyn std::any::Any + Send>> {
    let work = |builder: Builder, observer: Option<&mut dyn Observer>| {
        let run = || {
            // Without a clock it would never sleep.
            let worker = Worker::new(timely::WorkerConfig::default(), builder.build(), Some(Instant::now()));
            ShardWorker::new(worker, shared, observer).run()
        };
        let ran = catch_unwind(AssertUnwindSafe(run));
        if ran.is_err() && shared.fate.gone().is_none() {
            // The other workers of this process must not wait for it.
            shared.fate.lose(shared.process);
        }
        ran
    };
    let mut builders = builders.into_iter();
    let first = builders.next().expect("there is a worker at least");
    std::thread::scope(|scope| {
        let others: Vec<_> = builders.map(|builder| scope.spawn(|| work(builder, None))).collect();
        let mut ends = vec![work(first, Some(observer))];
        ends.extend(others.into_iter().map(|other| other.join().and_then(|ran| ran).map_or_else(Err, Ok)));
        // If a process is gone, a panic on the way out is no message.
        let is_ours = shared.fate.gone().is_none_or(|process| process == shared.process);
        let (mut end, mut total) = (None, Count::default());
        for ran in ends {
            match ran {
                Ok((ended, count)) => {
                    end = end.or(ended);
                    total.add(&count);
                }
                Err(panic) if is_ours => return Err(panic),
                Err(_) => {}
            }
        }
        Ok((end, total))
    })
}

fn stopped(why: Stop, lower_bound: u32) -> DistributedRun {
    let stats = stats(&Count::default(), lower_bound);
    let end = DistributedEnd::Stopped { why, lower_bound };
    DistributedRun { end, stats, layers: Vec::new(), samples: Vec::new(), goals: 0 }
}

fn ended<const N: usize>(end: End) -> DistributedRun {
    let End { outcome, bound, workers, found } = end;
    let mut stats = stats(&found.count, bound);
    stats.threads = workers as u64;
    stats.expanded_before_last_layer = match &outcome {
        Ending::Exhausted => stats.expanded,
        Ending::Path(codes) => expanded_below(&found.layers, codes.len() as u32),
        Ending::Stopped(_) => expanded_below(&found.layers, bound),
    };
    let samples = found.samples.iter().map(|words| {
        let mut key = [0; 2];
        key.iter_mut().zip(words.iter().take(N)).for_each(|(place, &word)| *place = word);
        key
    });
    DistributedRun {
        samples: samples.collect(),
        stats,
        layers: found.layers,
        goals: found.goals,
        end: match outcome {
            Ending::Path(codes) => DistributedEnd::Path(codes),
            Ending::Exhausted => DistributedEnd::Exhausted { dead_ends: found.dead_ends },
            Ending::Stopped(because) => DistributedEnd::Stopped { why: because.into(), lower_bound: bound },
        },
    }
}

/// States expanded in the layers below one.
fn expanded_below(layers: &[(u32, u64)], layer: u32) -> u64 {
    layers.iter().filter(|&&(below, _)| below < layer).map(|&(_, states)| states).sum()
}

impl Processes for Cluster {
    fn workers_here(&self) -> usize {
        self.threads
    }

    fn run_one_word(&self, job: &Job<'_, 1>, observer: &mut dyn Observer) -> DistributedRun {
        self.carry(job, observer)
    }

    fn run_two_words(&self, job: &Job<'_, 2>, observer: &mut dyn Observer) -> DistributedRun {
        self.carry(job, observer)
    }
}
