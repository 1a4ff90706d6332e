//! Addresses that this machine alone reaches, so that nobody has to log in to the page.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::str::FromStr;

/// An address with a port that only this machine reaches. Port 0 stands for one that is free.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Loopback(SocketAddr);

/// Why a text is no such address.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AddressError {
    /// The text is no address.
    #[error("write an IP address with a port, such as `127.0.0.1:8750` or `[::1]:8750`")]
    Malformed,
    /// Other machines reach it.
    #[error(
        "other machines reach `{0}`, and the page has no login; listen on `127.0.0.1`, and let a proxy that has one \
         ask there"
    )]
    NotLoopback(IpAddr),
}

impl Loopback {
    /// The address.
    pub fn address(self) -> SocketAddr {
        self.0
    }
}

impl FromStr for Loopback {
    type Err = AddressError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let address: SocketAddr = text.parse().map_err(|_| AddressError::Malformed)?;
        if address.ip().is_loopback() { Ok(Self(address)) } else { Err(AddressError::NotLoopback(address.ip())) }
    }
}

/// Whether a host that a browser asks for is an address or a name of loopback. Another name that resolves to this
/// machine may belong to anybody, who could then read the page's answers (DNS rebinding). Any port will do:
/// tunnels have others.
pub(super) fn names_this_machine(host: &str) -> bool {
    let Some((name, port)) = split_port(host) else { return false };
    let is_port = port.is_none_or(|port| port.parse::<u16>().is_ok());
    let is_local = match name.strip_prefix('[').and_then(|name| name.strip_suffix(']')) {
        Some(address) => address.parse().is_ok_and(|address: Ipv6Addr| address.is_loopback()),
        None => {
            name.eq_ignore_ascii_case("localhost")
                || name.parse().is_ok_and(|address: Ipv4Addr| address.is_loopback())
        }
    };
    is_port && is_local
}

/// The host and what follows its colon; none where brackets do not close.
fn split_port(host: &str) -> Option<(&str, Option<&str>)> {
    let end = if host.starts_with('[') { host.find(']')? + 1 } else { host.find(':').unwrap_or(host.len()) };
    let (name, rest) = host.split_at_checked(end)?;
    if rest.is_empty() { Some((name, None)) } else { Some((name, Some(rest.strip_prefix(':')?))) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_this_machine_is_listened_to() {
        for text in ["127.0.0.1:8750", "127.8.9.10:0", "[::1]:1"] {
            assert_eq!(
                text.parse::<Loopback>().map(|loopback| loopback.address().to_string()),
                Ok(text.to_owned())
            );
        }
        for text in ["0.0.0.0:8750", "192.168.1.2:8750", "[::]:8750", "[2001:db8::1]:8750", "[::ffff:127.0.0.1]:1"]
        {
            assert!(matches!(text.parse::<Loopback>(), Err(AddressError::NotLoopback(_))), "{text}");
        }
        for text in ["", "8750", ":8750", "127.0.0.1", "127.0.0.1:65536", "example.org:80", "127.0.0.1:80/x"] {
            assert_eq!(text.parse::<Loopback>(), Err(AddressError::Malformed), "{text}");
        }
    }

    #[test]
    fn a_name_that_anybody_may_own_is_not_this_machine() {
        for host in
            ["localhost", "LocalHost:8750", "127.0.0.1", "127.0.0.1:9", "127.1.2.3:65535", "[::1]", "[::1]:8750"]
        {
            assert!(names_this_machine(host), "{host}");
        }
        for host in [
            "",
            "example.org",
            "localhost.example.org",
            "127.0.0.1.example.org:8750",
            "192.168.1.2:8750",
            "0.0.0.0:8750",
            "[::]:8750",
            "[::1",
            "::1",
            "[::1]8750",
            "[127.0.0.1]:8750",
            "localhost:",
            "localhost:x",
            "localhost:80:80",
            "user@localhost",
            "localhost/",
        ] {
            assert!(!names_this_machine(host), "{host}");
        }
    }
}
