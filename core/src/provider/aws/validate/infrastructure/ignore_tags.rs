//! Tags that nobody removes from the resources of a Shoot (AWS-INF-041…047).

use crate::gardener::shoot::IN_INFRASTRUCTURE;
use crate::provider::aws::api::IgnoreTags;
use crate::provider::aws::rules::infrastructure as rules;
use crate::report::{ErrorType, Report, Severity};
use crate::text::TextRule;

/// The key of a tag.
const TAG_KEY: TextRule = TextRule::pattern(r"^[\w +\-=\.:/@]+$").required("cannot be empty").length(0, 128);
/// The tag that Gardener names resources by.
const NAME: &str = "Name";
/// Beginnings of the tags that Gardener finds its resources by.
const RESERVED: [&str; 2] = ["kubernetes.io", "gardener.cloud"];

/// Judges the keys, and the beginnings of keys.
pub fn validate(tags: &IgnoreTags<'_>, report: &mut Report<'_>) {
    let tags_path = IN_INFRASTRUCTURE.key("ignoreTags");
    let path = tags_path.key("keys");
    for (index, key) in tags.keys.iter().enumerate() {
        if report.is_full(Severity::Error) {
            return;
        }
        let path = path.index(index);
        if !TAG_KEY.faults(key).is_empty() {
            report.text(&rules::INF_041, &path, key, &TAG_KEY);
            continue;
        }
        if *key == NAME {
            let detail = "must not ignore reserved key \"Name\"";
            report.error(&rules::INF_042, &path, ErrorType::Invalid, detail);
        }
        if let Some(reserved) = RESERVED.iter().find(|reserved| key.starts_with(**reserved)) {
            let detail = format!("must not ignore key with reserved prefix \"{reserved}\"");
            report.error(&rules::INF_043, &path, ErrorType::Invalid, detail);
        }
    }
    let path = tags_path.key("keyPrefixes");
    for (index, prefix) in tags.key_prefixes.iter().enumerate() {
        if report.is_full(Severity::Error) {
            return;
        }
        let path = path.index(index);
        if !TAG_KEY.faults(prefix).is_empty() {
            report.text(&rules::INF_044, &path, prefix, &TAG_KEY);
            continue;
        }
        if NAME.starts_with(prefix) {
            let detail = "must not include reserved key \"Name\"";
            report.error(&rules::INF_045, &path, ErrorType::Invalid, detail);
        }
        for reserved in RESERVED {
            let (rule, detail) = if prefix.starts_with(reserved) {
                (&rules::INF_046, format!("must not include reserved key prefix \"{reserved}\""))
            } else if reserved.starts_with(prefix) {
                (&rules::INF_047, format!("must not have reserved key prefix \"{reserved}\""))
            } else {
                continue;
            };
            report.error(rule, &path, ErrorType::Invalid, detail);
            break;
        }
    }
}
