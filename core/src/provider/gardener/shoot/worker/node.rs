//! The settings of Kubernetes for the nodes of a pool, and of their kernel.

use crate::document::{Path, Value};
use crate::kube::names::{entries, label_value_faults, qualified_faults};
use crate::provider::gardener::fields::{items, supported, text};
use crate::provider::gardener::rules::workers as rules;
use crate::provider::gardener::shoot::metadata::{annotations, labels, too_long};
use crate::report::{ErrorType, Report};
use crate::text::join;

const EFFECTS: [&str; 3] = ["NoSchedule", "PreferNoSchedule", "NoExecute"];
/// The taint that Gardener sets itself.
const RESERVED: &str = "node.gardener.cloud/critical-components-not-ready";

/// Judges labels, annotations and taints.
pub fn judge(pool: &Value<'_>, path: &Path<'_>, report: &mut Report<'_>) {
    labels(&rules::GDN_WRK_017, pool.get("labels"), &path.key("labels"), report);
    annotations(&rules::GDN_WRK_018, pool.get("annotations"), &path.key("annotations"), report);
    let taints = path.key("taints");
    let mut seen: Vec<(&str, &str)> = Vec::new();
    for (index, taint) in items(pool, &["taints"]).iter().enumerate() {
        let entry = taints.index(index);
        let (key, effect) = (text(taint, &["key"]), text(taint, &["effect"]));
        let (at_key, at_effect) = (entry.key("key"), entry.key("effect"));
        for fault in qualified_faults(key) {
            report.error(&rules::GDN_WRK_020, &at_key, ErrorType::Invalid, fault);
        }
        if key == RESERVED {
            let detail = "taint key is reserved by gardener";
            report.error(&rules::GDN_WRK_021, &at_key, ErrorType::Forbidden, detail);
        }
        let faults = label_value_faults(text(taint, &["value"]));
        if !faults.is_empty() {
            report.error(&rules::GDN_WRK_022, &entry.key("value"), ErrorType::Invalid, join(&faults, ";"));
        }
        if effect.is_empty() {
            report.error(&rules::GDN_WRK_023, &at_effect, ErrorType::Required, "");
        } else if !EFFECTS.contains(&effect) {
            let detail = supported(EFFECTS.into_iter());
            report.error(&rules::GDN_WRK_024, &at_effect, ErrorType::NotSupported, detail);
        }
        if seen.contains(&(key, effect)) {
            let detail = "taints must be unique by key and effect pair";
            report.error(&rules::GDN_WRK_025, &entry, ErrorType::Duplicate, detail);
        }
        seen.push((key, effect));
    }
}

/// The longest key of a sysctl, and the longest part of one, in bytes: what is left of a path of Linux after
/// `/proc/sys/`.
const MOST_OF_SYSCTL: usize = 4_096 - 10;
const MOST_OF_PART: usize = 255;

/// Judges the settings of the kernel.
pub fn sysctls(pool: &Value<'_>, path: &Path<'_>, report: &mut Report<'_>) {
    let all = path.key("sysctls");
    for (key, value) in entries(pool.get("sysctls")) {
        // A field error prints an empty key in brackets.
        let path = if key.is_empty() { all.entry(key) } else { all.key(key) };
        if !is_sysctl(key) {
            let detail = "sysctl key must must match regex \"^(?:(?:[a-zA-Z0-9-][a-zA-Z0-9_/-]*|\\\\*)\\\\.)*[a-zA-Z0-9_/-]*[a-zA-Z0-9]$\"";
            report.error(&rules::GDN_WRK_070, &path, ErrorType::Invalid, detail);
        }
        if key.len() > MOST_OF_SYSCTL {
            too_long(&rules::GDN_WRK_071, MOST_OF_SYSCTL, &path, report);
        }
        if key.split('.').any(|part| part.len() > MOST_OF_PART) {
            let detail = "sub key of sysctl must not exceed 255 bytes";
            report.error(&rules::GDN_WRK_072, &path, ErrorType::Invalid, detail);
        }
        if value.as_str().unwrap_or_default().is_empty() {
            report.error(&rules::GDN_WRK_073, &path, ErrorType::Required, "sysctl requires a non-empty value");
        }
    }
}

fn is_sysctl(key: &str) -> bool {
    let is_inner =
        |text: &str| text.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'/' | b'-'));
    let is_part = |part: &str| {
        let begins = part.starts_with(|char: char| char.is_ascii_alphanumeric() || char == '-');
        part == "*" || begins && is_inner(part)
    };
    let (parts, last) = key.rsplit_once('.').map_or((None, key), |(parts, last)| (Some(parts), last));
    last.ends_with(|char: char| char.is_ascii_alphanumeric())
        && is_inner(last)
        && parts.is_none_or(|parts| parts.split('.').all(is_part))
}
