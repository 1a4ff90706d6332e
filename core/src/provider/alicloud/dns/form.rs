//! What a DNSRecord must have. Gardener's API server refuses most of what is refused here; a manifest in a file has not
//! been there.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use super::input::{Input, MOST_VALUES};
use crate::document::{Path, Value};
use crate::policy::PlanOperation;
use crate::provider::alicloud::rules::dns_record_plan as rules;
use crate::report::{ErrorType, Finding, Report};

/// The types of records that Gardener has.
const TYPES: [&str; 4] = ["A", "AAAA", "CNAME", "TXT"];
/// The longest time that Alidns lets answers be kept, in seconds. Editions have shortest times of their own.
const MOST_TTL: u32 = 86_400;

const SPEC: Path<'_> = Path::root("spec", "/spec");

/// Checks the form of a record; a deletion needs no values. `recorded` is the name and type that a run made before.
pub fn check(input: &Input<'_>, object: &Value<'_>, recorded: Option<&str>) -> Vec<Finding> {
    let mut report = Report::new(object);
    for (member, text) in [("name", input.name), ("recordType", input.record_type)] {
        if text.is_empty() {
            let detail = format!("a DNS record needs `{member}`");
            report.error(&rules::DNS_001, &SPEC.key(member), ErrorType::Required, detail);
        }
    }
    if input.name.ends_with('.') {
        report.error(&rules::DNS_001, &SPEC.key("name"), ErrorType::Invalid, "must not end with a dot");
    }
    if input.name.strip_prefix("*.").unwrap_or(input.name).contains('*') {
        let detail = "must have `*` as its whole first part, and nowhere else";
        report.error(&rules::DNS_001, &SPEC.key("name"), ErrorType::Invalid, detail);
    }
    for member in ["zone", "region"] {
        if !matches!(object.at(&["spec", member]), None | Some(Value::Null | Value::String(_))) {
            report.error(&rules::DNS_001, &SPEC.key(member), ErrorType::Invalid, "must be a text");
        }
    }
    let is_whole = !input.name.is_empty() && !input.record_type.is_empty();
    let is_type = TYPES.contains(&input.record_type);
    if is_whole && !is_type {
        let detail = "supported values: \"A\", \"AAAA\", \"CNAME\", \"TXT\"";
        report.error(&rules::DNS_001, &SPEC.key("recordType"), ErrorType::NotSupported, detail);
    }
    if let Some(recorded) = recorded.filter(|recorded| is_whole && *recorded != input.title()) {
        let detail = format!("the state is of {recorded}, and name and type of a record are immutable");
        let member = if recorded.starts_with(&format!("{} ", input.name)) { "recordType" } else { "name" };
        report.error(&rules::DNS_007, &SPEC.key(member), ErrorType::Invalid, detail);
    }
    if input.request.operation != PlanOperation::Delete {
        values(input, object, &mut report);
        ttl(object, &mut report);
    }
    report.into_parts().0
}

fn values(input: &Input<'_>, object: &Value<'_>, report: &mut Report<'_>) {
    let place = SPEC.key("values");
    let values = object.at(&["spec", "values"]).unwrap_or(&Value::Null);
    let wrong = match values {
        Value::Array(values) if values.len() > MOST_VALUES => {
            Some((ErrorType::TooMany, format!("must have at most {MOST_VALUES} items")))
        }
        Value::Null | Value::Array(_) if values.items().is_empty() => {
            Some((ErrorType::Required, "a DNS record needs `values`".to_owned()))
        }
        Value::Array(_) => None,
        _ => Some((ErrorType::Invalid, "must be a list of texts".to_owned())),
    };
    if let Some((error, detail)) = wrong {
        report.error(&rules::DNS_001, &place, error, detail);
        return;
    }
    if input.record_type == "CNAME" && input.values.len() > 1 {
        let detail = "a CNAME record has one value";
        report.error(&rules::DNS_001, &place, ErrorType::Invalid, detail);
    }
    for (index, value) in values.items().iter().enumerate() {
        let text = value.as_str().unwrap_or_default();
        let wrong = match input.record_type {
            _ if text.is_empty() => "must be a text that is not empty",
            "A" if text.parse::<Ipv4Addr>().is_err() => "must be an IPv4 address",
            "CNAME" if text.parse::<IpAddr>().is_ok() => "must be a name, not an address",
            "AAAA" if text.parse::<Ipv6Addr>().is_err() => "must be an IPv6 address",
            _ => continue,
        };
        report.error(&rules::DNS_001, &place.index(index), ErrorType::Invalid, wrong);
    }
}

fn ttl(object: &Value<'_>, report: &mut Report<'_>) {
    let is_right = match object.at(&["spec", "ttl"]) {
        None | Some(Value::Null) => true,
        Some(Value::Number(seconds)) => {
            seconds.parse::<u32>().is_ok_and(|seconds| (1..=MOST_TTL).contains(&seconds))
        }
        Some(_) => false,
    };
    if !is_right {
        let detail = format!("must be a number of seconds from 1 to {MOST_TTL}");
        report.error(&rules::DNS_001, &SPEC.key("ttl"), ErrorType::Invalid, detail);
    }
}
