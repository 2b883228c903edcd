//! Two processes of a cluster, in this program, with a proxy between them that delays, damages, loses, doubles,
//! exchanges, cuts or holds back what crosses it.
//!
//! Each run must end with the right answer, or with the loss of the other process and a valid lower bound, or without a
//! connection; never with another answer, a panic or a hang.

use std::io::{Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::SeqCst};
use std::sync::mpsc;
use std::thread::{sleep, spawn};
use std::time::{Duration, Instant};

use admissible_cluster::{Cluster, Handshake, Hosts, Links};
use admissible_front::{AnswerOutcome, Plan, ReadOptions, Stop};
use admissible_oracle::Random;
use admissible_puzzles::PUZZLES;

use crate::Tally;

/// Boards that two processes solve in a tenth of a second.
const BOARDS: [(&str, &str, &str); 3] = [
    ("tiles", "manhattan", "5 1 4 8\n9 6 3 12\n2 10 7 11\n13 14 15 0\n"),
    ("tiles", "misplaced", "1 6 2 4\n9 5 3 8\n13 11 7 12\n14 10 15 0\n"),
    ("die", "zero", "G*..\n....\n....\n..S.\n"),
];

/// How long the processes wait for each other.
const CONNECT: Duration = Duration::from_secs(5);
/// A run that takes longer hangs. A silent process counts as lost after ten seconds.
const HANG: Duration = Duration::from_secs(60);

/// What the proxy does to the bytes of one direction, once `at` bytes have crossed.
#[derive(Debug, Clone, Copy)]
enum Fault {
    None,
    /// Waits before each piece.
    Delay(Duration),
    /// Flips a bit.
    Flip(u64),
    /// Leaves out some bytes.
    Lose(u64, usize),
    /// Sends some bytes twice.
    Double(u64),
    /// Exchanges two pieces.
    Exchange(u64),
    /// Ends the connection.
    Cut(u64),
    /// Forwards nothing for a while, so that the pipe fills.
    Hold(u64, Duration),
    /// Forwards nothing any more.
    Silence(u64),
}

fn fault(random: &mut Random, brief: bool) -> Fault {
    // Log-uniform: the handshake, the start, and the work.
    let at = 2_f64.powf(random.below(1700) as f64 / 100.0) as u64;
    let milliseconds = |most: usize, random: &mut Random| Duration::from_millis(1 + random.below(most) as u64);
    match random.below(if brief { 8 } else { 9 }) {
        0 => Fault::None,
        1 => Fault::Delay(milliseconds(10, random)),
        2 => Fault::Flip(at),
        3 => Fault::Lose(at, 1 + random.below(100)),
        4 => Fault::Double(at),
        5 => Fault::Exchange(at),
        6 => Fault::Cut(at),
        7 => Fault::Hold(at, milliseconds(1500, random)),
        _ => Fault::Silence(at),
    }
}

/// Runs `count` searches through the proxy. A brief trial has no lasting silence, which takes ten seconds to notice.
pub fn run(seed: u64, count: u64, brief: bool) -> Tally {
    let (mut random, mut tally) = (Random::new(seed), Tally::default());
    let costs: Vec<Option<u32>> = BOARDS.iter().map(|board| solve(board, None).cost).collect();
    let panics = count_panics();
    for number in 0..count {
        let at = random.below(BOARDS.len());
        let faults = [fault(&mut random, brief), fault(&mut random, brief)];
        let before = panics.load(SeqCst);
        let (begin, (done, ends)) = (Instant::now(), mpsc::channel());
        spawn(move || {
            let _ = done.send(together(&BOARDS[at], faults, seed.wrapping_add(number)));
        });
        let what = format!("run {number}: {} with {faults:?}", BOARDS[at].0);
        tally.count("runs", 1);
        let Ok(ends) = ends.recv_timeout(HANG) else {
            tally.check(false, || format!("{what}: hangs"));
            continue;
        };
        for end in ends {
            let right = match &end {
                End { panicked: true, .. } => false,
                End { lost: Some(bound), .. } => costs[at].is_none_or(|cost| *bound <= cost),
                End { unconnected: true, .. } => true,
                End { cost, .. } => *cost == costs[at],
            };
            let kind = match &end {
                End { lost: Some(_), .. } => "processes that reported a loss",
                End { unconnected: true, .. } => "processes that did not connect",
                _ => "processes with the right answer",
            };
            tally.count(kind, u64::from(right));
            tally.check(right, || format!("{what}: {end:?}"));
        }
        let more = panics.load(SeqCst) - before;
        tally.check(more == 0, || format!("{what}: {more} threads panicked"));
        if begin.elapsed() > Duration::from_secs(5) {
            tally.count("runs of more than 5 s", 1);
        }
    }
    tally
}

/// How the search of one process ended.
#[derive(Debug, Default)]
struct End {
    cost: Option<u32>,
    /// The lower bound, if another process was lost.
    lost: Option<u32>,
    unconnected: bool,
    panicked: bool,
}

/// Solves a board, alone or as one of several processes.
fn solve(&(puzzle, heuristic, text): &(&str, &str, &str), cluster: Option<Arc<Cluster>>) -> End {
    let task = PUZZLES.open(text, Some(puzzle), &ReadOptions::default()).expect("the board is whole");
    let mut plan = Plan { heuristic: Some(heuristic.into()), threads: Some(1), ..Plan::default() };
    plan.algorithm = Some(if cluster.is_some() { "hdastar" } else { "astar" }.into());
    if let Some(cluster) = cluster {
        plan.processes = Some(cluster);
    }
    let answer = task.solve(&plan, &mut (), None).expect("the plan can be carried out");
    match answer.outcome {
        AnswerOutcome::Solved(solved) => End { cost: Some(solved.cost), ..End::default() },
        AnswerOutcome::Stopped { why: Stop::Lost, lower_bound } => End { lost: Some(lower_bound), ..End::default() },
        AnswerOutcome::Stopped { .. } => End { panicked: true, ..End::default() },
        AnswerOutcome::Unsolvable { .. } => End::default(),
    }
}

/// Solves a board with two processes and the proxy between them.
fn together(board: &'static (&'static str, &'static str, &'static str), faults: [Fault; 2], seed: u64) -> Vec<End> {
    // The second process calls the first, at the address of the proxy.
    let addresses = Hosts::on_loopback(3).expect("there are ports");
    let direct = format!("{}\n{}\n", addresses.address(0), addresses.address(1));
    let proxied = format!("{}\n{}\n", addresses.address(2), addresses.address(1));
    let is_over = Arc::new(AtomicBool::new(false));
    let proxy = Proxy { to: addresses.address(0).into(), faults, seed, is_over: Arc::clone(&is_over) };
    let listener = TcpListener::bind(addresses.address(2)).expect("the port is free");
    spawn(move || proxy.serve(&listener));
    let process = |process: usize, hosts: String| {
        spawn(move || {
            let work = || {
                let hosts = Hosts::read(&hosts).expect("two addresses");
                let handshake = Handshake { process, config_hash: 7, offers: [None; 2] };
                match Links::connect(&hosts, handshake, CONNECT, &|| false) {
                    Ok(links) => solve(board, Some(Arc::new(Cluster::new(links, 1)))),
                    Err(_) => End { unconnected: true, ..End::default() },
                }
            };
            catch_unwind(AssertUnwindSafe(work)).unwrap_or(End { panicked: true, ..End::default() })
        })
    };
    let processes = [process(0, direct), process(1, proxied)];
    let ends = processes.map(|process| process.join().expect("panics are caught")).into();
    is_over.store(true, SeqCst);
    ends
}

struct Proxy {
    to: String,
    /// From the caller to the called process, and back.
    faults: [Fault; 2],
    seed: u64,
    is_over: Arc<AtomicBool>,
}

impl Proxy {
    /// Forwards every connection; the faults hit the first one.
    fn serve(&self, listener: &TcpListener) {
        let _ = listener.set_nonblocking(true);
        let mut faults = self.faults;
        while !self.is_over.load(SeqCst) {
            let Ok((from, _)) = listener.accept() else {
                sleep(Duration::from_millis(2));
                continue;
            };
            let _ = from.set_nonblocking(false);
            let Ok(to) = TcpStream::connect(&self.to) else { continue };
            let ends = [(from.try_clone(), to.try_clone()), (Ok(to), Ok(from))];
            for (direction, ((from, to), fault)) in ends.into_iter().zip(faults).enumerate() {
                if let (Ok(from), Ok(to)) = (from, to) {
                    let (is_over, seed) = (Arc::clone(&self.is_over), self.seed + direction as u64);
                    spawn(move || forward(from, to, fault, &mut Random::new(seed), &is_over));
                }
            }
            faults = [Fault::None; 2];
        }
    }
}

/// Forwards one direction of a connection.
fn forward(mut from: TcpStream, mut to: TcpStream, fault: Fault, random: &mut Random, is_over: &AtomicBool) {
    let _ = from.set_read_timeout(Some(Duration::from_millis(50)));
    let (mut crossed, mut buffer, mut is_done) = (0_u64, vec![0; 1 << 14], false);
    let mut held: Option<Vec<u8>> = None;
    while !is_over.load(SeqCst) {
        let count = match from.read(&mut buffer) {
            Ok(0) => break,
            Ok(count) => count,
            Err(error) if matches!(error.kind(), std::io::ErrorKind::WouldBlock | std::io::ErrorKind::TimedOut) => {
                // Nothing follows that could come first.
                if held.take().is_some_and(|piece| to.write_all(&piece).is_err()) {
                    break;
                }
                continue;
            }
            Err(_) => break,
        };
        let mut piece = buffer[..count].to_vec();
        let offset = |at: u64| (at.saturating_sub(crossed) as usize).min(count - 1);
        let reaches = |at: u64| crossed + count as u64 > at;
        match fault {
            Fault::Delay(time) => sleep(time),
            Fault::Flip(at) if !is_done && reaches(at) => {
                piece[offset(at)] ^= 1 << random.below(8);
                is_done = true;
            }
            Fault::Lose(at, bytes) if !is_done && reaches(at) => {
                let begin = offset(at);
                piece.drain(begin..(begin + bytes).min(count));
                is_done = true;
            }
            Fault::Double(at) if !is_done && reaches(at) => {
                piece.extend_from_within(offset(at)..);
                is_done = true;
            }
            Fault::Exchange(at) if !is_done && reaches(at) => {
                held = Some(piece);
                is_done = true;
                crossed += count as u64;
                continue;
            }
            Fault::Cut(at) if reaches(at) => {
                let _ = to.write_all(&piece[..offset(at)]);
                break;
            }
            Fault::Hold(at, time) if !is_done && reaches(at) => {
                sleep(time);
                is_done = true;
            }
            Fault::Silence(at) if reaches(at) => continue,
            _ => {}
        }
        crossed += count as u64;
        if to.write_all(&piece).is_err() || held.take().is_some_and(|held| to.write_all(&held).is_err()) {
            break;
        }
    }
    let _ = (to.shutdown(Shutdown::Both), from.shutdown(Shutdown::Both));
}

/// Counts the panics of all threads from now on, those of the network threads included.
fn count_panics() -> &'static AtomicU64 {
    static PANICS: AtomicU64 = AtomicU64::new(0);
    static ONCE: std::sync::Once = std::sync::Once::new();
    ONCE.call_once(|| {
        let show = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |info| {
            PANICS.fetch_add(1, SeqCst);
            show(info);
        }));
    });
    &PANICS
}
