//! The other processes report a lost one.

use std::io::{BufRead as _, BufReader};
use std::ops::ControlFlow;
use std::process::Stdio;
use std::time::Instant;

use admissible::search::{Limits, Observer, Outcome, Stats, Stop};
use admissible_cluster::{Cluster, Hosts};
use admissible_front::puzzle::{Puzzle, WithPuzzle};

use crate::instances::{Instance, open};
use crate::members::{Assignment, Member, TIMEOUT};

/// An instance that takes far longer than the test.
fn endless() -> Instance {
    let board = "15 14 8 12\n10 11 9 13\n2 6 5 1\n3 7 4 0";
    let text = format!("{board}\n\n0 1 2 3\n4 5 6 7\n8 9 10 11\n12 13 14 15");
    Instance { puzzle: "tiles", heuristic: "zero", text }
}

/// The optimal cost of [`endless`].
const OPTIMUM: u32 = 80;

/// Prints a line when the search has begun.
struct PrintBegun(bool);

impl Observer for PrintBegun {
    fn layer(&mut self, bound: u32, _stats: &Stats) -> ControlFlow<Stop> {
        if bound >= 5 && !self.0 {
            self.0 = true;
            println!("begun");
        }
        ControlFlow::Continue(())
    }
}

struct Search<'a>(&'a Cluster);

impl WithPuzzle for Search<'_> {
    type Out = String;

    fn call<P: Puzzle>(self, puzzle: P) -> String {
        let limits = Limits { bytes: Some(1 << 29), ..Limits::default() };
        let zero = puzzle.heuristic("zero").expect("every puzzle has zero");
        let report = zero.distributed_astar(&puzzle, &puzzle.start(), self.0, limits, &mut PrintBegun(false));
        let report = report.expect("the board has keys");
        assert!(report.stats.expanded > 0, "the work that was done is reported");
        match report.outcome {
            Outcome::Stopped { why: Stop::Lost, lower_bound } => {
                let lost = self.0.lost().expect("a process is lost");
                format!("lost {} {lower_bound}", lost.process)
            }
            outcome => format!("{outcome:?}"),
        }
    }
}

/// Searches until another process is lost, and prints how the search ended.
pub(crate) fn search(assignment: &Assignment) {
    let cluster = Cluster::new(assignment.connect(7), assignment.threads);
    println!("end {}", open(&endless(), Search(&cluster)));
}

fn others_report(processes: usize, threads: usize, victim: usize) {
    let deadline = Instant::now() + TIMEOUT;
    let hosts = Hosts::on_loopback(processes).unwrap();
    let mut members: Vec<Member> = (0..processes)
        .map(|process| {
            let hosts = hosts.clone();
            Member::start_with(&[], &Assignment { process, threads, first: 0, end: 0, hosts }, Stdio::piped())
        })
        .collect();
    let mut readers: Vec<_> =
        members.iter_mut().map(|member| BufReader::new(member.0.stdout.take().unwrap()).lines()).collect();
    for lines in &mut readers {
        assert!(lines.any(|line| line.unwrap().contains("begun")), "every process begins");
    }
    members[victim].0.kill().unwrap();
    for (process, lines) in readers.into_iter().enumerate().filter(|(process, _)| *process != victim) {
        // Read to the last line: a process that cannot write would fail.
        let lines: Vec<String> = lines.map(Result::unwrap).collect();
        let end = lines.iter().find(|line| line.contains("end ")).expect("the process prints how it ended");
        let words: Vec<&str> = end.split_once("end ").unwrap().1.split(' ').collect();
        assert_eq!(words[..2], ["lost", &victim.to_string()], "process {process} reports the lost one");
        let bound: u32 = words[2].parse().unwrap();
        assert!((5..=OPTIMUM).contains(&bound), "a lower bound, and not less than the bound proved before");
    }
    for (process, member) in members.into_iter().enumerate() {
        assert_eq!(member.ended(deadline).success(), process != victim);
    }
}

#[test]
fn the_first_of_two_is_lost() {
    others_report(2, 1, 0);
}

#[test]
fn the_second_of_two_is_lost() {
    others_report(2, 2, 1);
}

#[test]
fn one_of_three_is_lost() {
    others_report(3, 1, 1);
}
