//! The other processes of a cluster: this test program, with its assignment in an environment variable.

use std::io::Read as _;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use admissible_cluster::{Cluster, Handshake, Hosts, Links};

use crate::instances::{Answer, instances, solve};

/// A run that takes longer hangs.
pub(crate) const TIMEOUT: Duration = Duration::from_secs(120);
const VARIABLE: &str = "ADMISSIBLE_TEST_MEMBER";
const CONFIG_HASH: u64 = 0x5eed;

/// The work of one process.
#[derive(Debug, Clone)]
pub(crate) struct Assignment {
    pub(crate) process: usize,
    pub(crate) threads: usize,
    /// The range of instances; if it is empty, the process searches until another one is lost.
    pub(crate) first: usize,
    pub(crate) end: usize,
    pub(crate) hosts: Hosts,
}

impl Assignment {
    fn write(&self) -> String {
        let Assignment { process, threads, first, end, hosts } = self;
        format!("{process} {threads} {first} {end} {}", hosts.text().replace('\n', " "))
    }

    fn read(text: &str) -> Self {
        let mut words = text.split(' ');
        let mut number = || words.next().unwrap().parse().unwrap();
        let (process, threads, first, end) = (number(), number(), number(), number());
        let hosts = Hosts::read(&words.collect::<Vec<_>>().join("\n")).unwrap();
        Assignment { process, threads, first, end, hosts }
    }

    pub(crate) fn connect(&self, config_hash: u64) -> Links {
        let handshake = Handshake { process: self.process, config_hash, offers: [None; 2] };
        Links::connect(&self.hosts, handshake, TIMEOUT, &|| false).unwrap()
    }

    /// Prints one line for each instance.
    fn carry_out(&self) {
        if self.first == self.end {
            return crate::lost_process::search(self);
        }
        for (at, instance) in instances().iter().enumerate().take(self.end).skip(self.first) {
            let cluster = Cluster::new(self.connect(CONFIG_HASH + at as u64), self.threads);
            let answer = solve(instance, Some(&cluster));
            println!("answer {at} {}", shown(&answer));
        }
    }
}

/// The part of an answer on which all correct searches agree.
pub(crate) fn shown(answer: &Answer) -> String {
    let before = answer.is_consistent.then_some(answer.stats.expanded_before_last_layer);
    format!("{:?} {:?} {before:?}", answer.cost, answer.stopped)
}

#[test]
#[ignore = "the other tests run it as a process"]
fn member() {
    if let Ok(work) = std::env::var(VARIABLE) {
        Assignment::read(&work).carry_out();
    }
}

/// A process that is killed when the value is dropped.
pub(crate) struct Member(pub(crate) Child);

impl Drop for Member {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

impl Member {
    /// Starts this program; `prefix` is a command that runs it, if not empty.
    pub(crate) fn start(prefix: &[&str], assignment: &Assignment) -> Self {
        Self::start_with(prefix, assignment, Stdio::inherit())
    }

    pub(crate) fn start_with(prefix: &[&str], assignment: &Assignment, errors: Stdio) -> Self {
        let program = std::env::current_exe().unwrap();
        let mut command = match prefix {
            [] => Command::new(program),
            [first, rest @ ..] => {
                let mut command = Command::new(first);
                command.args(rest).arg(program);
                command
            }
        };
        command.args(["members::member", "--exact", "--ignored", "--nocapture"]).env(VARIABLE, assignment.write());
        Member(command.stdout(Stdio::piped()).stderr(errors).spawn().unwrap())
    }

    /// Waits for its end.
    pub(crate) fn ended(mut self, deadline: Instant) -> ExitStatus {
        loop {
            if let Some(status) = self.0.try_wait().unwrap() {
                return status;
            }
            assert!(Instant::now() < deadline, "a process hangs");
            std::thread::sleep(Duration::from_millis(10));
        }
    }

    /// Waits for its end, and returns its output.
    pub(crate) fn join(mut self, deadline: Instant) -> (ExitStatus, String) {
        // Read on another thread: a long output would block the process.
        let mut out = self.0.stdout.take().unwrap();
        let reader = std::thread::spawn(move || {
            let mut text = String::new();
            let _ = out.read_to_string(&mut text);
            text
        });
        let status = self.ended(deadline);
        (status, reader.join().unwrap())
    }
}

/// Runs all processes and returns the answers of each; `prefix` gives the command that runs each one, if any.
pub(crate) fn run_all(
    hosts: &Hosts,
    threads: usize,
    range: (usize, usize),
    prefix: &dyn Fn(usize) -> Vec<String>,
) -> Vec<Vec<String>> {
    let deadline = Instant::now() + TIMEOUT;
    let members: Vec<Member> = (0..hosts.count())
        .map(|process| {
            let assignment = Assignment { process, threads, first: range.0, end: range.1, hosts: hosts.clone() };
            let words = prefix(process);
            Member::start(&words.iter().map(String::as_str).collect::<Vec<_>>(), &assignment)
        })
        .collect();
    let answers = |(status, text): (ExitStatus, String)| {
        assert!(status.success(), "a process failed:\n{text}");
        text.lines().filter_map(|line| Some(line.split_once("answer ")?.1.to_string())).collect()
    };
    members.into_iter().map(|member| answers(member.join(deadline))).collect()
}
