//! Addresses as Go writes them.

use std::net::{Ipv4Addr, Ipv6Addr, SocketAddr};

/// A text is no address to listen at.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "`{0}` is not an address to listen at; `:8080`, `127.0.0.1:8080` and `[::1]:8080` are, and `0` disables it"
)]
pub struct AddressError(String);

impl AddressError {
    /// This text is none.
    pub fn of(text: &str) -> Self {
        Self(text.chars().take(100).collect())
    }
}

/// The address that a flag says, such as `:8080` for all addresses of this machine, `127.0.0.1:0` for any free
/// port, or `0` for none.
pub fn address(text: &str) -> Result<Option<SocketAddr>, AddressError> {
    let refused = || AddressError::of(text);
    if text == "0" {
        return Ok(None);
    }
    let (host, port) = text.rsplit_once(':').ok_or_else(refused)?;
    // Digits alone, because a number may have a sign.
    if !port.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(refused());
    }
    let port = port.parse().map_err(|_| refused())?;
    Ok(Some(match host {
        // Connections to IPv4 addresses arrive there too.
        "" => SocketAddr::from((Ipv6Addr::UNSPECIFIED, port)),
        "localhost" => SocketAddr::from((Ipv4Addr::LOCALHOST, port)),
        _ => text.parse().map_err(|_| refused())?,
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_forms_of_go_are_read() {
        for (text, expected) in [
            (":8080", Some("[::]:8080")),
            (":0", Some("[::]:0")),
            ("127.0.0.1:0", Some("127.0.0.1:0")),
            ("0.0.0.0:8081", Some("0.0.0.0:8081")),
            ("[::]:8080", Some("[::]:8080")),
            ("[::1]:1", Some("[::1]:1")),
            ("localhost:8080", Some("127.0.0.1:8080")),
            ("0", None),
        ] {
            let expected = expected.map(|address| address.parse().unwrap());
            assert_eq!(address(text), Ok(expected), "{text}");
        }
    }

    #[test]
    fn other_texts_are_refused() {
        for text in
            ["", "8080", "1", ":", ":65536", ":+80", ":-1", "::1:8080", "example.org:80", "127.0.0.1", ":8080 "]
        {
            assert_eq!(address(text), Err(AddressError(text.to_owned())), "{text}");
        }
        assert!(
            AddressError("a".to_owned()).to_string().starts_with("`a` is not an address to listen at; `:8080`")
        );
    }
}
