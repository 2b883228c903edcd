//! The same answers from threads, from processes on one machine, and from processes with their own addresses.

mod checkpoints;
mod connect;
mod instances;
mod lost_process;
mod members;
mod namespaces;

use std::sync::OnceLock;
use std::time::Duration;

use admissible_cluster::{Cluster, Handshake, Hosts, Links};

use instances::{BfsCost, Instance, PlainExplore, explore, instances, open, solve};
use members::{run_all, shown};

/// The answers of HDA* on one thread.
fn expected() -> &'static [String] {
    static EXPECTED: OnceLock<Vec<String>> = OnceLock::new();
    EXPECTED.get_or_init(|| instances().iter().map(|instance| shown(&solve(instance, None))).collect())
}

fn check(answers: &[String], range: (usize, usize)) {
    let numbered = (range.0..range.1).map(|at| format!("{at} {}", expected()[at]));
    for (answer, expected) in answers.iter().zip(numbered) {
        let at: usize = expected.split(' ').next().unwrap().parse().unwrap();
        let instance = &instances()[at];
        assert_eq!(*answer, expected, "{} with {}\n{}", instance.puzzle, instance.heuristic, instance.text);
    }
    assert_eq!(answers.len(), range.1 - range.0);
}

/// A cluster of this process alone.
fn alone(threads: usize) -> Cluster {
    let handshake = Handshake { process: 0, config_hash: 0, offers: [None; 2] };
    let links = Links::connect(&Hosts::on_loopback(1).unwrap(), handshake, Duration::ZERO, &|| false);
    Cluster::new(links.unwrap(), threads)
}

fn all() -> (usize, usize) {
    (0, instances().len())
}

#[test]
fn the_instances_are_many_and_some_are_unsolvable() {
    let list = instances();
    assert!(list.len() >= 200);
    let unsolvable = |puzzle| {
        let of_puzzle = list.iter().zip(expected()).filter(|(instance, _)| instance.puzzle == puzzle);
        of_puzzle.filter(|(_, answer)| answer.starts_with("None None")).count()
    };
    for puzzle in ["die", "tiles", "klotski"] {
        assert!(unsolvable(puzzle) >= 3, "{puzzle} has instances without a solution");
    }
    for (instance, answer) in list.iter().zip(expected()) {
        let cost = open(instance, BfsCost);
        assert!(answer.starts_with(&format!("{cost:?} None")), "breadth-first search agrees on {}", instance.text);
    }
}

#[test]
fn threads_in_one_process() {
    for threads in [1, 2, 4] {
        let answer = |(at, instance)| {
            let cluster = alone(threads);
            format!("{at} {}", shown(&solve(instance, Some(&cluster))))
        };
        let list = instances();
        check(&list.iter().enumerate().map(answer).collect::<Vec<_>>(), all());
    }
}

#[test]
fn two_processes() {
    let hosts = Hosts::on_loopback(2).unwrap();
    run_all(&hosts, 1, all(), &|_| Vec::new()).iter().for_each(|answers| check(answers, all()));
}

#[test]
fn three_processes_with_two_threads_each() {
    let hosts = Hosts::on_loopback(3).unwrap();
    run_all(&hosts, 2, all(), &|_| Vec::new()).iter().for_each(|answers| check(answers, all()));
}

#[test]
fn exploration_counts_every_state_at_its_depth() {
    let list = instances();
    // The space of a 5 x 5 board is too large.
    let is_small = |instance: &&Instance| instance.puzzle != "tiles" || instance.text.lines().count() < 5;
    for instance in list.iter().filter(is_small).step_by(3) {
        let expected = open(instance, PlainExplore);
        for threads in [1, 3] {
            let cluster = alone(threads);
            let found = explore(instance, &cluster);
            assert_eq!(found, expected, "{}\n{}", instance.puzzle, instance.text);
        }
    }
}
