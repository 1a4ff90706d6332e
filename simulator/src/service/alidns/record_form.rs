//! The form of records: their names, types and values.

use std::net::{Ipv4Addr, Ipv6Addr};

use crate::action::{CloudError, ErrorCode, Form, Rule};

pub(super) const BAD_NAME: ErrorCode =
    ErrorCode::new(400, "InvalidRR.Format", "The parameter value RR is invalid.");
pub(super) const BAD_VALUE: ErrorCode =
    ErrorCode::new(400, "SubDomainInvalid.Value", "The DNS record value is invalid.");

/// The types of records that are known, in any case.
pub(super) const TYPE: Form = Form::Text(&Rule {
    what: "one of A, AAAA, CNAME, MX, TXT, NS, SRV, CAA",
    check: |text| TYPES.iter().any(|known| known.eq_ignore_ascii_case(text)),
});

const TYPES: [&str; 8] = ["A", "AAAA", "CNAME", "MX", "TXT", "NS", "SRV", "CAA"];

/// Most characters of a text record.
const LONGEST: usize = 512;

/// Checks the name of a record within its domain: `@` for the domain itself, `*` for any label at its start.
pub(super) fn check_name(name: &str) -> Result<(), CloudError> {
    let rest = name.strip_prefix("*.").unwrap_or(name);
    if name == "@" || name == "*" || is_host(rest) { Ok(()) } else { Err((&BAD_NAME).into()) }
}

/// Whether a text is a name of labels with dots between them.
pub(super) fn is_host(name: &str) -> bool {
    let label = |label: &str| {
        (1..=63).contains(&label.chars().count())
            && !label.starts_with('-')
            && !label.ends_with('-')
            && label.chars().all(|letter| letter.is_alphanumeric() || "-_".contains(letter))
    };
    name.len() <= 253 && name.split('.').all(label)
}

/// Checks the value of a record.
pub(super) fn check_value(kind: &str, value: &str) -> Result<(), CloudError> {
    let host = |name: &str| is_host(name.strip_suffix('.').unwrap_or(name));
    let words: Vec<&str> = value.split_whitespace().collect();
    let small = |word: &str| word.parse::<u16>().is_ok();
    let good = match kind {
        "A" => value.parse::<Ipv4Addr>().is_ok(),
        "AAAA" => value.parse::<Ipv6Addr>().is_ok(),
        "CNAME" | "NS" | "MX" => host(value),
        "TXT" => value.chars().count() <= LONGEST && !value.chars().any(char::is_control),
        // Priority, weight, port, target.
        "SRV" => matches!(*words, [priority, weight, port, target]
            if small(priority) && small(weight) && small(port) && host(target)),
        // Flag, tag, quoted value.
        "CAA" => matches!(*words, [flag, "issue" | "issuewild" | "iodef", value]
            if flag.parse::<u8>().is_ok() && value.len() > 2 && value.starts_with('"') && value.ends_with('"')),
        _ => false,
    };
    if good { Ok(()) } else { Err((&BAD_VALUE).into()) }
}

/// Whether records of two types cannot have one name.
///
/// <https://www.alibabacloud.com/help/en/dns/pubz-resolve-record-conflict-rules>
pub(super) fn conflict(name: &str, one: &str, other: &str) -> bool {
    let coexists = |kind: &str| kind == "CNAME" || (name == "@" && ["MX", "TXT"].contains(&kind));
    match (one, other) {
        ("CNAME", kind) | (kind, "CNAME") => !coexists(kind),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_labels() {
        for (name, good) in [
            ("@", true),
            ("*", true),
            ("*.a", true),
            ("www", true),
            ("_acme-challenge.www", true),
            ("例子", true),
            ("", false),
            ("a..b", false),
            ("a.*", false),
            ("-a", false),
            ("a-", false),
            ("a b", false),
            ("@.a", false),
        ] {
            assert_eq!(check_name(name).is_ok(), good, "{name}");
        }
        assert!(check_name(&"a".repeat(64)).is_err());
        assert!(check_name(&["abcdefg"; 40].join(".")).is_err());
    }

    #[test]
    fn values_are_of_their_type() {
        for (kind, good, bad) in [
            ("A", "192.0.2.1", "2001:db8::1"),
            ("AAAA", "2001:db8::1", "192.0.2.1"),
            ("CNAME", "example.com.", "exa mple.com"),
            ("NS", "ns1.example.com", "ns1..example.com"),
            ("MX", "mx.example.com", "10 mx.example.com"),
            ("TXT", "v=spf1 -all", "line\nline"),
            ("SRV", "0 5 5060 sip.example.com", "5060 sip.example.com"),
            ("CAA", "0 issue \"ca.example.com\"", "0 issue ca.example.com"),
        ] {
            assert!(check_value(kind, good).is_ok(), "{kind} {good}");
            assert!(check_value(kind, bad).is_err(), "{kind} {bad}");
        }
        assert!(check_value("TXT", &"a".repeat(513)).is_err());
    }

    #[test]
    fn an_alias_stands_alone_but_at_the_domain_itself() {
        for (name, one, other, conflicting) in [
            ("www", "CNAME", "A", true),
            ("www", "TXT", "CNAME", true),
            ("www", "CNAME", "MX", true),
            ("www", "A", "AAAA", false),
            ("www", "CNAME", "CNAME", false),
            ("@", "CNAME", "MX", false),
            ("@", "TXT", "CNAME", false),
            ("@", "CNAME", "A", true),
        ] {
            assert_eq!(conflict(name, one, other), conflicting, "{name} {one} {other}");
        }
    }
}
