//! The address of the cloud.

use std::fmt;
use std::io;
use std::str::FromStr;
use std::time::Duration;

use hyper::Uri;
use hyper::http::uri::{Authority, Scheme};
use tokio::net::TcpStream;

/// Longest time to find out whether somebody listens.
const GREETING: Duration = Duration::from_secs(5);

/// The address of the cloud.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Endpoint {
    /// The cloud itself, each service at the host of its region.
    Cloud,
    /// One address for everything, such as a simulator's.
    Url(Url),
}

/// An address such as `http://127.0.0.1:8080`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Url {
    scheme: Scheme,
    authority: Authority,
}

impl Url {
    /// Connects, and hangs up: whether somebody listens there. A host that does not answer at all is no error
    /// here.
    pub async fn greet(&self) -> io::Result<()> {
        let port = self.authority.port_u16().unwrap_or(if self.scheme == Scheme::HTTPS { 443 } else { 80 });
        let connecting = TcpStream::connect((self.authority.host().trim_matches(['[', ']']), port));
        match tokio::time::timeout(GREETING, connecting).await {
            Ok(Err(error)) => Err(error),
            Ok(Ok(_)) | Err(_) => Ok(()),
        }
    }
}

/// Why a text is no address of a cloud.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "`{0}` is no address of a cloud: it must have the form `http://HOST:PORT` or `https://HOST:PORT`, without a path"
)]
pub struct EndpointError(String);

impl Endpoint {
    /// The one address for everything, where there is one.
    pub(super) fn address(&self) -> Option<String> {
        match self {
            Self::Cloud => None,
            Self::Url(url) => Some(url.to_string()),
        }
    }
}

impl Url {
    /// `http` or `https`.
    pub fn scheme(&self) -> &Scheme {
        &self.scheme
    }

    /// Host and port.
    pub fn authority(&self) -> &Authority {
        &self.authority
    }

    /// Whether the address is one of this machine.
    pub fn is_loopback(&self) -> bool {
        let host = self.authority.host();
        let address = host.trim_start_matches('[').trim_end_matches(']').parse::<std::net::IpAddr>();
        address.map_or(host == "localhost", |address| address.is_loopback())
    }
}

impl fmt::Display for Url {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}://{}", self.scheme, self.authority)
    }
}

impl FromStr for Url {
    type Err = EndpointError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let invalid = || EndpointError(text.to_owned());
        let parts = text.parse::<Uri>().map_err(|_| invalid())?.into_parts();
        let at_root = parts.path_and_query.is_none_or(|path| path == "/");
        match (parts.scheme, parts.authority) {
            (Some(scheme), Some(authority))
                if at_root
                    && (scheme == Scheme::HTTP || scheme == Scheme::HTTPS)
                    && !authority.as_str().contains('@') =>
            {
                Ok(Self { scheme, authority })
            }
            _ => Err(invalid()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_read() {
        for (text, loopback) in [
            ("http://127.0.0.1:8080", true),
            ("http://localhost:1/", true),
            ("https://[::1]:8443", true),
            ("https://cloud.example", false),
            ("http://127.0.0.1.example", false),
        ] {
            let url: Url = text.parse().unwrap();
            assert_eq!((url.to_string(), url.is_loopback()), (text.trim_end_matches('/').to_owned(), loopback));
        }
    }

    #[test]
    fn what_is_no_address_is_refused() {
        for text in
            ["", "127.0.0.1:80", "ftp://a", "http://a/b", "http://a/?b", "http://u:p@a", "https://", "http:// a"]
        {
            assert_eq!(text.parse::<Url>(), Err(EndpointError(text.to_owned())));
        }
    }
}
