//! Processes in network namespaces: each has its own address, and a cable to a bridge.

use std::process::{Command, Stdio};

use admissible_cluster::Hosts;

use crate::members::run_all;
use crate::{all, check};

/// Namespaces connected by a bridge, deleted when the value is dropped.
struct Lan {
    /// Prefix of the names of the namespaces.
    tag: String,
    members: usize,
}

fn ip(words: &str) -> Result<(), String> {
    let output = Command::new("ip").args(words.split(' ')).stdin(Stdio::null()).output();
    let output = output.map_err(|error| format!("ip: {error}"))?;
    let message = || format!("ip {words}: {}", String::from_utf8_lossy(&output.stderr).trim());
    if output.status.success() { Ok(()) } else { Err(message()) }
}

impl Lan {
    fn new(members: usize) -> Result<Self, String> {
        // Names of devices have at most 15 characters.
        let tag = format!("a{}", std::process::id());
        let lan = Lan { tag, members };
        let tag = &lan.tag;
        ip(&format!("netns add {tag}-hub"))?;
        ip(&format!("-n {tag}-hub link add bridge type bridge"))?;
        ip(&format!("-n {tag}-hub link set bridge up"))?;
        for member in 0..members {
            ip(&format!("netns add {tag}-{member}"))?;
            ip(&format!("-n {tag}-{member} link add cable type veth peer name port{member} netns {tag}-hub"))?;
            ip(&format!("-n {tag}-hub link set port{member} master bridge up"))?;
            ip(&format!("-n {tag}-{member} addr add {}/24 dev cable", Self::address(member)))?;
            ip(&format!("-n {tag}-{member} link set cable up"))?;
            ip(&format!("-n {tag}-{member} link set lo up"))?;
        }
        Ok(lan)
    }

    fn address(member: usize) -> String {
        format!("10.231.7.{}", member + 1)
    }

    fn hosts(&self) -> Hosts {
        let lines: Vec<String> = (0..self.members).map(|member| format!("{}:2101", Self::address(member))).collect();
        Hosts::read(&lines.join("\n")).unwrap()
    }
}

impl Drop for Lan {
    fn drop(&mut self) {
        for member in 0..self.members {
            let _ = ip(&format!("netns del {}-{member}", self.tag));
        }
        let _ = ip(&format!("netns del {}-hub", self.tag));
    }
}

#[test]
fn processes_with_their_own_addresses() {
    let lan = match Lan::new(3) {
        Ok(lan) => lan,
        Err(why) => return println!("skipped, since there are no network namespaces here: {why}"),
    };
    let inside = |process: usize| {
        let namespace = format!("{}-{process}", lan.tag);
        ["ip", "netns", "exec"].into_iter().map(String::from).chain([namespace]).collect()
    };
    run_all(&lan.hosts(), 1, all(), &inside).iter().for_each(|answers| check(answers, all()));
}
