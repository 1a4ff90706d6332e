//! Address ranges in new fields of the Kubernetes API: a range has one spelling there.

use std::net::IpAddr;

use ipnet::IpNet;

use crate::text::{join, quote};

/// What is wrong with a range, in the words of Kubernetes, and the range as it is spelled if there is one.
#[derive(Debug, PartialEq, Eq)]
pub struct Fault {
    /// What is wrong.
    pub detail: String,
    /// The range in its one spelling.
    pub meant: Option<String>,
}

/// What is wrong with a text that must be a range in its one spelling. Only the first fault is reported.
pub fn fault(text: &str) -> Option<Fault> {
    let Some(range) = loose(text) else {
        let detail = "must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)".to_owned();
        return Some(Fault { detail, meant: None });
    };
    let strict: Option<IpAddr> = text.split_once('/').and_then(|(address, bits)| {
        let is_short = bits == "0" || !bits.starts_with('0');
        is_short.then(|| address.parse().ok())?
    });
    let is_mapped = matches!(range.addr(), IpAddr::V6(address) if address.to_ipv4_mapped().is_some());
    let meant = range.trunc().to_string();
    let detail = if strict.is_none() {
        "must not have leading 0s in IP or prefix length".to_owned()
    } else if is_mapped {
        "must not have an IPv4-mapped IPv6 address".to_owned()
    } else if range.addr() != range.network() {
        "must not have bits set beyond the prefix length".to_owned()
    } else if meant != text {
        join(&["must be in canonical form (", &quote(&meant), ")"], "")
    } else {
        return None;
    };
    Some(Fault { detail, meant: if is_mapped { None } else { Some(meant) } })
}

/// Reads a range whose numbers may have leading zeros.
fn loose(text: &str) -> Option<IpNet> {
    let (address, bits) = text.split_once('/')?;
    let mut plain = String::with_capacity(address.len());
    for part in address.split_inclusive(['.', ':']) {
        let number = part.trim_end_matches(['.', ':']);
        let is_zero = !number.is_empty() && number.bytes().all(|byte| byte == b'0');
        plain.push_str(if is_zero { part.get(number.len() - 1..)? } else { part.trim_start_matches('0') });
    }
    let is_number = !bits.is_empty() && bits.bytes().all(|byte| byte.is_ascii_digit());
    let bits = match bits.trim_start_matches('0') {
        _ if !is_number => return None,
        "" => 0,
        digits => digits.parse().ok()?,
    };
    IpNet::new(plain.parse().ok()?, bits).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_range_has_one_spelling() {
        let zeros = "must not have leading 0s in IP or prefix length";
        let bits = "must not have bits set beyond the prefix length";
        let mapped = "must not have an IPv4-mapped IPv6 address";
        for text in ["10.0.0.0/8", "0.0.0.0/0", "192.168.1.1/32", "2001:db8::/64", "::/0", "::1/128"] {
            assert_eq!(fault(text), None, "{text}");
        }
        for (text, detail, meant) in [
            ("010.0.0.0/8", zeros, Some("10.0.0.0/8")),
            ("10.000.0.00/8", zeros, Some("10.0.0.0/8")),
            ("10.0.0.0/08", zeros, Some("10.0.0.0/8")),
            ("10.0.0.0/00", zeros, Some("0.0.0.0/0")),
            ("00001::/16", zeros, Some("1::/16")),
            ("::ffff:10.0.0.0/104", mapped, None),
            ("10.1.2.3/8", bits, Some("10.0.0.0/8")),
            ("2001:db8::1/64", bits, Some("2001:db8::/64")),
            ("2001:DB8::/64", "must be in canonical form (\"2001:db8::/64\")", Some("2001:db8::/64")),
            ("0001::/16", "must be in canonical form (\"1::/16\")", Some("1::/16")),
        ] {
            let wanted = Fault { detail: detail.to_owned(), meant: meant.map(str::to_owned) };
            assert_eq!(fault(text), Some(wanted), "{text}");
        }
        for text in
            ["", "x", "10.0.0.0", "10.0.0.0/33", "10.0.0.0/+8", "10.0.0.0/", "10.0.0/8", "::/129", "..../8", "é/8"]
        {
            let detail = fault(text).map(|fault| fault.detail);
            assert!(detail.is_some_and(|detail| detail.starts_with("must be a valid CIDR value")), "{text}");
        }
    }
}
