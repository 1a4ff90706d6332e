//! Address ranges of a Shoot (ALI-NET, ALI-NETU).

use crate::cidr::{Cidr, may_overlap};
use crate::document::Value;
use crate::gardener::checks::immutable::changed;
use crate::gardener::shoot::NETWORKING;
use crate::gardener::types::shoot::{Networking, Shoot};
use crate::provider::alicloud::rules::networking as rules;
use crate::report::{ErrorType, Report, Rule};

/// The range that Alibaba Cloud uses for its own services in every VPC.
pub const RESERVED: &str = "100.64.0.0/10";

/// Judges the ranges of a new Shoot.
pub fn validate(networking: Option<&Networking<'_>>, report: &mut Report<'_>) {
    let Some(networking) = networking else {
        return missing(&rules::NET_001, report);
    };
    if networking.nodes.is_none() {
        report.error(&rules::NET_002, &NETWORKING.key("nodes"), ErrorType::Required, "a CIDR must be provided");
    }
    for &(rule, key, range) in &[
        (&rules::NET_003, "nodes", networking.nodes),
        (&rules::NET_004, "pods", networking.pods),
        (&rules::NET_005, "services", networking.services),
    ] {
        if range.is_some_and(|range| may_overlap(range, RESERVED)) {
            let detail = format!("must not overlap with {RESERVED}, it is reserved by Alicloud");
            report.error(rule, &NETWORKING.key(key), ErrorType::Invalid, detail);
        }
    }
}

fn missing(rule: &'static Rule, report: &mut Report<'_>) {
    report.error(rule, &NETWORKING, ErrorType::Required, "networking field can't be empty");
}

/// Judges a change of the ranges.
pub fn validate_update(new: &Shoot<'_>, old: &Shoot<'_>, report: &mut Report<'_>) {
    let Some(networking) = &new.spec.networking else {
        return missing(&rules::NETU_001, report);
    };
    let old = old.spec.networking.unwrap_or_default();
    for &(rule, key, range, before) in &[
        (&rules::NETU_002, "nodes", networking.nodes, old.nodes),
        (&rules::NETU_003, "pods", networking.pods, old.pods),
        (&rules::NETU_004, "services", networking.services, old.services),
    ] {
        let Some(before) = before.filter(|before| Cidr::parse(before).is_some()) else { continue };
        if range != Some(before) {
            changed(rule, &NETWORKING.key(key), report)
                .remedy(format!("Restore `{before}`."))
                .fix_value(&Value::string(before.to_owned()));
        }
    }
}
