//! The Kubernetes versions of a NamespacedCloudProfile together with those of its parent (ADM-NCP-003 to 005).

use super::extension::Extension;
use crate::collections::NameMap;
use crate::document::Value;
use crate::kube::time::Time;
use crate::provider::gardener::cloud_profile::SPEC;
use crate::provider::gardener::fields::{items, text};
use crate::provider::gardener::profile::NO_TIME;
use crate::provider::gardener::rules::namespaced_profile as rules;
use crate::provider::gardener::structure::nearest::{by_number, offer};
use crate::report::Report;
use crate::text::{join, quote};

const VERSIONS: &[&str] = &["kubernetes", "versions"];

/// Judges each version.
pub fn judge(extension: &Extension<'_>, report: &mut Report<'_>) {
    let of_parent: NameMap<'_, ()> =
        items(extension.parent, VERSIONS).iter().map(|version| (text(version, &["version"]), ())).collect();
    let (kubernetes, before) = (SPEC.key("kubernetes"), dates(extension.old_status, VERSIONS));
    let path = kubernetes.key("versions");
    for (index, version) in items(extension.spec, VERSIONS).iter().enumerate() {
        let (number, entry) = (text(version, &["version"]), path.index(index));
        if !of_parent.contains(number) {
            let detail = join(
                &[
                    "invalid kubernetes version specified: '",
                    number,
                    "' does not exist in parent CloudProfile and thus cannot be overridden",
                ],
                "",
            );
            let known: Vec<&str> = of_parent.names().collect();
            let entry = report.deny(&rules::ADM_NCP_003, &entry.key("version").pointer(), detail);
            offer(entry, number, &known, by_number);
        }
        let Some(date) = version.get("expirationDate").and_then(Value::as_str) else {
            let detail = join(&["specified version '", number, "' does not set expiration date"], "");
            report.deny(&rules::ADM_NCP_004, &entry.key("expirationDate").pointer(), detail);
            continue;
        };
        if extension.old.is_none() {
            continue;
        }
        match is_over(date, before.get(number).copied(), extension.check.expirable.now) {
            None => report.undecided(&rules::ADM_NCP_005, NO_TIME, None),
            Some(true) => {
                let detail = join(&["expiration date for version ", &quote(number), " is in the past"], "");
                report.deny(&rules::ADM_NCP_005, &entry.key("expirationDate").pointer(), detail);
            }
            Some(false) => {}
        }
    }
}

/// The expiration dates of versions by their numbers.
pub fn dates<'v>(object: &'v Value<'v>, path: &[&str]) -> NameMap<'v, &'v str> {
    let versions = items(object, path).iter();
    versions.map(|version| (text(version, &["version"]), text(version, &["expirationDate"]))).collect()
}

/// Whether a date is over, and not the one of before; none where that depends on the time, and no time is given.
pub fn is_over(date: &str, before: Option<&str>, now: Option<Time>) -> Option<bool> {
    let time = Time::parse(date);
    if before.is_some_and(|before| before == date || time.is_some() && Time::parse(before) == time) {
        return Some(false);
    }
    match time {
        Some(time) => now.map(|now| time < now),
        None => Some(false),
    }
}
