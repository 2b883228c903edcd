//! One process of a cluster: starts its workers, waits for them and returns their result.

use std::net::Shutdown;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::Ordering::SeqCst;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use admissible::platform::Timestamp;
use admissible::search::distributed::{DistributedEnd, DistributedRun, Job, Processes};
use admissible::search::{Observer, Signal, Stats, Stop};
use timely::communication::Hooks;
use timely::communication::allocator::zero_copy::initialize::initialize_networking_from_sockets;
use timely::communication::allocator::{Allocator, ProcessBuilder};
use timely::worker::Worker;

use crate::UNPOISONED;
use crate::checkpoint::{CheckpointStore, SavedShards};
use crate::message::{Count, RunEnd, RunOutcome};
use crate::peer_stream::{Loss, PeerStream, RunStatus};
use crate::sockets::Links;
use crate::worker::{ShardWorker, Shared, stats};

/// How long a process waits, once the outcome is known, for the others to close their connections.
const CLOSING_TIMEOUT: Duration = Duration::from_secs(5);

/// A process that ended or lost its connection during the run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lost {
    /// Its number.
    pub process: usize,
    /// Its number and its address, for messages.
    pub named: String,
}

/// This process as a member of a cluster, for one job.
#[derive(Debug)]
pub struct Cluster {
    links: Mutex<Option<Links>>,
    threads: usize,
    store: Option<Arc<dyn CheckpointStore>>,
    lost: Mutex<Option<Lost>>,
    local_stats: Mutex<Stats>,
}

impl Cluster {
    /// A member with `links` to all other processes. Every process has to have the same number of threads.
    pub fn new(links: Links, threads: usize) -> Self {
        Cluster {
            links: Mutex::new(Some(links)),
            threads: threads.max(1),
            store: None,
            lost: Mutex::default(),
            local_stats: Mutex::default(),
        }
    }

    /// Writes checkpoints to `store`, and resumes from the one that it provides, if any.
    #[must_use]
    pub fn with_checkpoints(self, store: Arc<dyn CheckpointStore>) -> Self {
        Cluster { store: Some(store), ..self }
    }

    /// The process whose loss ended the job, if one did.
    pub fn lost(&self) -> Option<Lost> {
        self.lost.lock().expect(UNPOISONED).clone()
    }

    /// Statistics of this process, once the job is over.
    pub fn local_stats(&self) -> Stats {
        *self.local_stats.lock().expect(UNPOISONED)
    }

    fn run_job<const N: usize>(&self, job: &Job<'_, N>, observer: &mut dyn Observer) -> DistributedRun {
        let links = self.links.lock().expect(UNPOISONED).take();
        let Links { hosts, process, sockets, heartbeats, .. } = links.expect("a cluster runs one job");
        let peers = sockets.iter().flatten().count();
        let status = Arc::new(RunStatus::new(peers));
        let deadline = job.limits.time.and_then(|time| Timestamp::now().after(time));
        let saved_shards = SavedShards::new(self.threads);
        let workers = hosts.count() * self.threads;
        let resumed = match self.store.as_deref().map(CheckpointStore::resumed).transpose() {
            Ok(Some(Some(mut from))) => saved_shards.read(&mut from, job, process * self.threads, workers),
            Ok(_) => Ok(()),
            Err(error) => Err(error),
        };
        match resumed {
            Ok(()) => {}
            Err(error) if error.kind() == std::io::ErrorKind::OutOfMemory => return stopped(Stop::Memory, 0),
            Err(error) => {
                let named = format!("{} cannot read its checkpoint ({error}), and", hosts.named(process));
                *self.lost.lock().expect(UNPOISONED) = Some(Lost { process, named });
                return stopped(Stop::Lost, 0);
            }
        }
        let shared = Shared {
            job,
            store: self.store.as_deref(),
            saved_shards,
            status: &status,
            process,
            threads: self.threads,
            signal: Signal::new(observer.flag(), deadline),
            deadline,
        };
        // Our own handles, to close connections that timely would wait for.
        let handles: Vec<_> = sockets.iter().flatten().filter_map(|link| link.stream.try_clone().ok()).collect();
        let builders = ProcessBuilder::new_typed_vector(self.threads, Hooks::default().refill, None);
        let (builders, guard) = if peers == 0 {
            (builders.into_iter().map(Builder::Process).collect::<Vec<_>>(), None)
        } else {
            let wires = sockets.into_iter().enumerate().map(|(peer, stream)| {
                stream.map(|link| PeerStream::new(link.stream, link.writer, peer, Arc::clone(&status)))
            });
            let started =
                initialize_networking_from_sockets(builders, wires.collect(), process, self.threads, Hooks::default());
            match started {
                Ok((builders, guard)) => (builders.into_iter().map(Builder::Tcp).collect(), Some(guard)),
                Err(_) => return stopped(Stop::Memory, 0),
            }
        };
        let mut own = Count::default();
        let end = run_workers(builders, &shared, observer).map(|(end, count)| {
            own = count;
            *self.local_stats.lock().expect(UNPOISONED) = stats(&count, 0);
            end
        });
        if end.is_ok() {
            status.await_closing(if status.lost().is_some() { Duration::ZERO } else { CLOSING_TIMEOUT });
        }
        status.release();
        drop(heartbeats);
        for handle in &handles {
            let _ = handle.shutdown(Shutdown::Both);
        }
        // Dropping the guard would join the network threads, and panic if one ended with a broken connection.
        std::mem::forget(guard);
        match end {
            Ok(Some(end)) => ended::<N>(end),
            Ok(None) => {
                let (process, why) = status.lost().unwrap_or((process, Loss::Gone));
                let named = hosts.named(process) + why.words();
                *self.lost.lock().expect(UNPOISONED) = Some(Lost { process, named });
                // The work of the others as far as it is known here, and at least that of this process.
                let (total, bound) = (*status.total.lock().expect(UNPOISONED), status.bound.load(SeqCst));
                let count = if total.expanded > own.expanded { total } else { own };
                let mut lost = stopped(Stop::Lost, bound);
                lost.stats = stats(&count, bound);
                lost
            }
            Err(panic) => resume_unwind(panic),
        }
    }
}

/// Builds timely's allocator on the thread that uses it.
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

/// Runs the workers of this process, the first of them on this thread. Returns the result of the run (`None` if a
/// process was lost) and the counts of this process.
///
/// # Errors
/// The panic of a worker.
fn run_workers<const N: usize>(
    builders: Vec<Builder>,
    shared: &Shared<'_, '_, N>,
    observer: &mut dyn Observer,
) -> Result<(Option<RunEnd>, Count), Box<dyn std::any::Any + Send>> {
    let work = |builder: Builder, observer: Option<&mut dyn Observer>| {
        let run = || {
            // Without a clock a worker would never park.
            let worker = Worker::new(timely::WorkerConfig::default(), builder.build(), Some(Instant::now()));
            ShardWorker::new(worker, shared, observer).run()
        };
        let ran = catch_unwind(AssertUnwindSafe(run));
        if ran.is_err() && shared.status.lost().is_none() {
            // The other workers of this process must not wait for this one.
            shared.status.lose(shared.process, Loss::Gone);
        }
        ran
    };
    let mut builders = builders.into_iter();
    let first = builders.next().expect("every process has at least one worker");
    std::thread::scope(|scope| {
        let others: Vec<_> = builders.map(|builder| scope.spawn(|| work(builder, None))).collect();
        let mut ends = vec![work(first, Some(observer))];
        ends.extend(others.into_iter().map(|other| other.join().and_then(|ran| ran).map_or_else(Err, Ok)));
        // After the loss of another process, panics of workers are a consequence and not reported.
        let is_ours = shared.status.lost().is_none_or(|(process, _)| process == shared.process);
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

fn ended<const N: usize>(end: RunEnd) -> DistributedRun {
    let RunEnd { outcome, bound, workers, found } = end;
    let mut stats = stats(&found.count, bound);
    stats.threads = workers as u64;
    stats.expanded_before_last_layer = match &outcome {
        RunOutcome::Exhausted => stats.expanded,
        RunOutcome::Path(codes) => expanded_below(&found.layers, codes.len() as u32),
        RunOutcome::Stopped(_) => expanded_below(&found.layers, bound),
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
            RunOutcome::Path(codes) => DistributedEnd::Path(codes),
            RunOutcome::Exhausted => DistributedEnd::Exhausted { dead_ends: found.dead_ends },
            RunOutcome::Stopped(because) => DistributedEnd::Stopped { why: because.into(), lower_bound: bound },
        },
    }
}

/// States expanded in the layers below `layer`.
fn expanded_below(layers: &[(u32, u64)], layer: u32) -> u64 {
    layers.iter().filter(|&&(below, _)| below < layer).map(|&(_, states)| states).sum()
}

impl Processes for Cluster {
    fn workers_here(&self) -> usize {
        self.threads
    }

    fn run_one_word(&self, job: &Job<'_, 1>, observer: &mut dyn Observer) -> DistributedRun {
        self.run_job(job, observer)
    }

    fn run_two_words(&self, job: &Job<'_, 2>, observer: &mut dyn Observer) -> DistributedRun {
        self.run_job(job, observer)
    }
}
