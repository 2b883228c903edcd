//! Connecting the processes of a cluster, and refusing others.

use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};
use std::time::{Duration, Instant};

use admissible_cluster::{ConnectError, Handshake, Hosts, Links};

use crate::members::TIMEOUT;

fn connect(hosts: &Hosts, process: usize, config_hash: u64, timeout: Duration) -> Result<Links, ConnectError> {
    Links::connect(hosts, Handshake { process, config_hash, offers: [None; 2] }, timeout, &|| false)
}

/// Connects, as soon as a process listens.
fn call(address: &str) -> TcpStream {
    let deadline = Instant::now() + TIMEOUT;
    loop {
        match TcpStream::connect(address) {
            Ok(stream) => return stream,
            Err(error) => assert!(Instant::now() < deadline, "{error}"),
        }
        std::thread::sleep(Duration::from_millis(5));
    }
}

#[test]
fn other_programs_are_refused_and_do_no_harm() {
    let hosts = &Hosts::on_loopback(3).unwrap();
    std::thread::scope(|scope| {
        let first = scope.spawn(|| connect(hosts, 0, 1, TIMEOUT));
        // One sends nothing, one something else, one half a handshake, one closes at once.
        let silent = call(hosts.address(0));
        let mut browser = call(hosts.address(0));
        browser.write_all(b"GET / HTTP/1.1\r\nHost: here\r\n\r\n").unwrap();
        let mut half = call(hosts.address(0));
        half.write_all(b"adm.clst\x01\x00").unwrap();
        drop(call(hosts.address(0)));
        // The connection is closed, with an error or without.
        let _ = browser.set_read_timeout(Some(TIMEOUT));
        assert_eq!(browser.read(&mut [0; 16]).unwrap_or(0), 0);
        let others: Vec<_> = [1, 2].map(|process| scope.spawn(move || connect(hosts, process, 1, TIMEOUT))).into();
        // All links are kept until all processes are connected.
        let links: Vec<Links> =
            std::iter::once(first).chain(others).map(|process| process.join().unwrap().unwrap()).collect();
        drop((links, silent, half));
    });
}

#[test]
fn another_configuration_is_refused() {
    let hosts = &Hosts::on_loopback(2).unwrap();
    let is_refused = &AtomicBool::new(false);
    std::thread::scope(|scope| {
        let handshake = Handshake { process: 0, config_hash: 1, offers: [None; 2] };
        let first = scope.spawn(move || Links::connect(hosts, handshake, TIMEOUT, &|| is_refused.load(SeqCst)));
        let refused = connect(hosts, 1, 2, TIMEOUT).unwrap_err();
        assert!(matches!(refused, ConnectError::OtherWork(_)), "{refused}");
        assert!(refused.to_string().starts_with(&hosts.named(0)), "{refused}");
        is_refused.store(true, SeqCst);
        assert!(matches!(first.join().unwrap(), Err(ConnectError::Interrupted)));
    });
}

#[test]
fn missing_processes_are_named() {
    let hosts = Hosts::on_loopback(3).unwrap();
    let missing = connect(&hosts, 1, 1, Duration::from_millis(300)).unwrap_err().to_string();
    assert!(missing.contains(&hosts.named(0)) && missing.contains(&hosts.named(2)), "{missing}");
}

#[test]
fn a_process_that_leaves_early_is_named() {
    let hosts = &Hosts::on_loopback(3).unwrap();
    std::thread::scope(|scope| {
        let first = scope.spawn(|| connect(hosts, 0, 1, TIMEOUT));
        // The second process connects and gives up; the third never starts.
        let second = connect(hosts, 1, 1, Duration::from_millis(300));
        assert!(matches!(second, Err(ConnectError::Missing { .. })));
        let gone = first.join().unwrap().unwrap_err();
        assert!(matches!(gone, ConnectError::Gone(_)), "{gone}");
        assert!(gone.to_string().contains(&hosts.named(1)), "{gone}");
    });
}

#[test]
fn an_address_in_use_is_named() {
    let hosts = Hosts::on_loopback(2).unwrap();
    let _taken = std::net::TcpListener::bind(hosts.address(0)).unwrap();
    let fault = connect(&hosts, 0, 1, TIMEOUT).unwrap_err();
    assert!(matches!(&fault, ConnectError::Listen { address, .. } if address == hosts.address(0)), "{fault}");
}

#[test]
fn all_resume_from_the_last_checkpoint_that_all_have() {
    let agreed = |offers: [[Option<u64>; 2]; 3]| -> Vec<Option<u64>> {
        let hosts = &Hosts::on_loopback(3).unwrap();
        std::thread::scope(|scope| {
            let connect = |process| {
                let handshake = Handshake { process, config_hash: 1, offers: offers[process] };
                scope.spawn(move || Links::connect(hosts, handshake, TIMEOUT, &|| false).unwrap())
            };
            let processes: Vec<_> = (0..3).map(connect).collect();
            // All links are kept until all processes are connected.
            let links: Vec<Links> = processes.into_iter().map(|process| process.join().unwrap()).collect();
            links.iter().map(Links::agreed).collect()
        })
    };
    assert_eq!(agreed([[Some(0), None]; 3]), [Some(0); 3]);
    assert_eq!(agreed([[Some(7), Some(9)], [Some(7), None], [Some(7), Some(9)]]), [Some(7); 3]);
    assert_eq!(agreed([[Some(7), Some(9)], [Some(9), None], [Some(7), Some(9)]]), [Some(9); 3]);
    assert_eq!(agreed([[Some(7), None], [Some(9), None], [Some(7), Some(9)]]), [None; 3]);
}
