//! The hosts file: the address of every process, one `host:port` a line.

use std::net::{TcpListener, ToSocketAddrs as _};

/// The addresses of all processes, in the order of their numbers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hosts(Vec<String>);

impl Hosts {
    /// Parses a hosts file: one `host:port` a line; `#` begins a comment; empty lines are skipped.
    ///
    /// # Errors
    /// A message with the line, if a line is malformed, an address is repeated, or there is no address.
    pub fn read(text: &str) -> Result<Self, String> {
        let mut hosts: Vec<(usize, String)> = Vec::new();
        for (at, line) in text.trim_start_matches('\u{feff}').lines().enumerate() {
            let line_number = at + 1;
            let fault = |what: String| format!("{line_number}: {what}");
            let address = line.split('#').next().unwrap_or_default().trim();
            if address.is_empty() {
                continue;
            }
            let expected = |found: &str| fault(format!("expected host:port, found '{}'", found.escape_debug()));
            let (host, port) = address.rsplit_once(':').ok_or_else(|| expected(address))?;
            // IPv6 addresses contain colons, so they have to be in brackets.
            let bare = host.strip_prefix('[').and_then(|host| host.strip_suffix(']')).unwrap_or(host);
            let is_plain = !bare.is_empty() && !bare.contains(char::is_whitespace);
            if !is_plain || (bare.contains(':') && bare.len() == host.len()) {
                return Err(expected(address));
            }
            if port.parse::<u16>().ok().filter(|&port| port > 0).is_none() {
                return Err(fault(format!("expected a port from 1 to 65535, found '{}'", port.escape_debug())));
            }
            if let Some((first, _)) = hosts.iter().find(|(_, known)| known == address) {
                return Err(fault(format!("{address} is already in line {first}")));
            }
            hosts.push((line_number, address.into()));
        }
        if hosts.is_empty() {
            return Err("expected one host:port a line, found none".into());
        }
        Ok(Hosts(hosts.into_iter().map(|(_, address)| address).collect()))
    }

    /// Free addresses on the loopback interface.
    ///
    /// # Errors
    /// If no port is free.
    pub fn on_loopback(processes: usize) -> std::io::Result<Self> {
        // All listeners exist at once, so that the ports differ.
        let listeners: Vec<TcpListener> =
            (0..processes).map(|_| TcpListener::bind(("127.0.0.1", 0))).collect::<Result<_, _>>()?;
        let address = |listener: &TcpListener| listener.local_addr().map(|address| address.to_string());
        Ok(Hosts(listeners.iter().map(address).collect::<Result<_, _>>()?))
    }

    /// The number of processes.
    pub fn count(&self) -> usize {
        self.0.len()
    }

    /// The address of a process.
    pub fn address(&self, process: usize) -> &str {
        &self.0[process]
    }

    /// All addresses, one a line, as [`Hosts::read`] parses them.
    pub fn text(&self) -> String {
        self.0.join("\n")
    }

    /// The number and the address of a process, for messages.
    pub fn named(&self, process: usize) -> String {
        format!("process {process} ({})", self.0[process])
    }

    /// Resolves the address of a process.
    pub(crate) fn resolve(&self, process: usize) -> std::io::Result<Vec<std::net::SocketAddr>> {
        Ok(self.0[process].to_socket_addrs()?.collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_and_empty_lines_are_skipped() {
        let hosts = Hosts::read("# two\nalpha:2101 # the first\n\n  [::1]:2102  \n").unwrap();
        assert_eq!(hosts.count(), 2);
        assert_eq!(hosts.named(0), "process 0 (alpha:2101)");
        assert_eq!(hosts.address(1), "[::1]:2102");
        assert_eq!(Hosts::read(&hosts.text()).unwrap(), hosts);
    }

    #[test]
    fn faults_have_a_line() {
        let fault = |text: &str| Hosts::read(text).unwrap_err();
        assert_eq!(fault("a:1\nb\n"), "2: expected host:port, found 'b'");
        assert_eq!(fault("a:1\n\na:70000\n"), "3: expected a port from 1 to 65535, found '70000'");
        assert_eq!(fault("a:0"), "1: expected a port from 1 to 65535, found '0'");
        assert_eq!(fault("a:1\na:1"), "2: a:1 is already in line 1");
        assert_eq!(fault("::1:2101"), "1: expected host:port, found '::1:2101'");
        assert_eq!(fault("# empty\n"), "expected one host:port a line, found none");
        assert_eq!(fault("two words:1"), "1: expected host:port, found 'two words:1'");
    }
}
