//! The networks of a Shoot (GDN-NET).

use super::Check;
use crate::cidr::{Cidr, Family};
use crate::document::Path;
use crate::document::Value;
use crate::gardener::checks::cidr::PlacedRange;
use crate::gardener::shoot::NETWORKING;
use crate::kube::names::qualified_faults;
use crate::provider::gardener::fields::{items, supported, text, texts};
use crate::provider::gardener::rules::networking as rules;
use crate::report::{ErrorType, Report, Reported, Rule};
use crate::text::join;

/// The ranges, with their rules.
pub const RANGES: [(&str, &Rule); 3] =
    [("nodes", &rules::GDN_NET_007), ("pods", &rules::GDN_NET_008), ("services", &rules::GDN_NET_009)];

/// Judges the networks of a Shoot.
pub fn judge(check: &Check<'_>, report: &mut Report<'_>) {
    let Some(networking) = check.shoot.at(&["spec", "networking"]) else { return };
    if check.workers().is_empty() {
        for &key in &["type", "providerConfig", "pods", "nodes"] {
            if networking.get(key).is_some() {
                check.forbid_without_workers(&rules::GDN_NET_001, &NETWORKING.key(key), report);
            }
        }
    } else {
        plug_in(text(networking, &["type"]), &NETWORKING.key("type"), report);
    }
    let families = items(networking, &["ipFamilies"]);
    if !are_families(families, report) {
        return;
    }
    // With two families, a range may be of either.
    let family = match families {
        [] => Some(Family::IPv4),
        [one] => Some(if one.as_str() == Some("IPv6") { Family::IPv6 } else { Family::IPv4 }),
        _ => None,
    };
    for (key, rule) in RANGES {
        if let Some(range) = networking.get(key).and_then(Value::as_str) {
            judge_range(rule, key, range, family, report);
        }
    }
}

fn plug_in(plug_in: &str, path: &Path<'_>, report: &mut Report<'_>) {
    if plug_in.is_empty() {
        report.error(&rules::GDN_NET_003, path, ErrorType::Required, "networking type must be provided");
    } else if !qualified_faults(&join(&["networking.extensions.gardener.cloud/", plug_in], "")).is_empty() {
        report.error(&rules::GDN_NET_004, path, ErrorType::Invalid, "type must be a valid label name");
    }
}

/// Judges the families. Where one is wrong, nobody judges ranges.
fn are_families(families: &[Value<'_>], report: &mut Report<'_>) -> bool {
    let path = NETWORKING.key("ipFamilies");
    let (mut seen, mut are_right) = (Vec::new(), true);
    for (index, family) in texts(families).enumerate() {
        if !["IPv4", "IPv6"].contains(&family) {
            let detail = supported(["IPv4", "IPv6"].into_iter());
            report.error(&rules::GDN_NET_005, &path.index(index), ErrorType::NotSupported, detail);
            are_right = false;
        }
        if seen.contains(&family) {
            report.error(&rules::GDN_NET_006, &path.index(index), ErrorType::Duplicate, "");
            are_right = false;
        }
        seen.push(family);
    }
    are_right
}

fn judge_range(
    rule: &'static Rule,
    key: &'static str,
    text: &str,
    family: Option<Family>,
    report: &mut Report<'_>,
) {
    let path = NETWORKING.key(key);
    let range = PlacedRange::new(path, text);
    let unreadable = range.parses(rule, report);
    if let (Some(entry), Some(Family::IPv6)) = (unreadable, family) {
        leave_out(key, entry);
    }
    if let Some(wanted) = family
        && Cidr::parse(text).is_some_and(|range| range.family() != wanted)
    {
        let detail = match wanted {
            Family::IPv4 => "must be a valid IPv4 address",
            Family::IPv6 => "must be a valid IPv6 address",
        };
        let entry = report.error(rule, &path, ErrorType::Invalid, detail);
        if wanted == Family::IPv6 {
            leave_out(key, entry);
        }
    }
    range.is_canonical(rule, report);
}

/// Fixes a range of a Shoot with IPv6 alone, because the clouds that have such Shoots choose the ranges
/// themselves.
fn leave_out(key: &str, entry: Reported<'_>) {
    let what = [
        "Remove `",
        key,
        "`: the cloud gives a Shoot with IPv6 alone its ranges. Write an IPv6 range only where your cloud gives none.",
    ];
    entry.remedy(join(&what, "")).fix_removal();
}
