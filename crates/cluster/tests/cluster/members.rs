//! Other processes of a cluster: this test program once more, with the work in its environment.

use std::io::Read as _;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use admissible_cluster::{Cluster, Handshake, Hosts, Links};

use crate::instances::{Answer, instances, solve};

/// No run takes longer, on whatever machine: then something hangs.
pub(crate) const PATIENCE: Duration = Duration::from_secs(120);
const VARIABLE: &str = "ADMISSIBLE_TEST_MEMBER";
const CONFIG_HASH: u64 = 0x5eed;

/// What one process of several has to do.
#[derive(Debug, Clone)]
pub(crate) struct Assignment {
    pub(crate) process: usize,
    pub(crate) threads: usize,
    /// From which of the instances to which.
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
        Links::connect(&self.hosts, handshake, PATIENCE, &|| false).unwrap()
    }

    /// A line for each instance; without any, a search that one of the others outlives.
    fn carry_out(&self) {
        if self.first == self.end {
            return crate::deaths::search(self);
        }
        for (at, instance) in instances().iter().enumerate().take(self.end).skip(self.first) {
            let cluster = Cluster::new(self.connect(CONFIG_HASH + at as u64), self.threads);
            let answer = solve(instance, Some(&cluster));
            println!("answer {at} {}", shown(&answer));
        }
    }
}

/// What every process and every correct search has to say.
pub(crate) fn shown(answer: &Answer) -> String {
    let before = answer.is_consistent.then_some(answer.stats.expanded_before_last_layer);
    format!("{:?} {:?} {before:?}", answer.cost, answer.stopped)
}

#[test]
#[ignore = "a process of the other tests"]
fn member() {
    if let Ok(work) = std::env::var(VARIABLE) {
        Assignment::read(&work).carry_out();
    }
}

/// A process that ends with the test, whatever happens to that.
pub(crate) struct Member(pub(crate) Child);

impl Drop for Member {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

impl Member {
    /// Starts this program, or another one that starts it.
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

    /// Waits for its end, and says what it wrote.
    pub(crate) fn join(mut self, deadline: Instant) -> (ExitStatus, String) {
        // Read beside the waiting, or a long output would block it.
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

/// Runs all processes, with what is put before the name of the program for each: the answers of each.
pub(crate) fn run_all(
    hosts: &Hosts,
    threads: usize,
    range: (usize, usize),
    prefix: &dyn Fn(usize) -> Vec<String>,
) -> Vec<Vec<String>> {
    let deadline = Instant::now() + PATIENCE;
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
