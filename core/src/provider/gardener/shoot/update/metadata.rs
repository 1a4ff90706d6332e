//! What must not change in the metadata (GDN-UPD-001 to 004).

use super::Change;
use crate::document::{Path, Value};
use crate::gardener::checks::immutable::restored;
use crate::provider::gardener::fields::{integer, items, texts};
use crate::provider::gardener::rules::update as rules;
use crate::provider::gardener::same::{is_same, type_at};
use crate::report::{ErrorType, Report};
use crate::text::{join, quote};

const METADATA: Path<'_> = Path::root("metadata", "/metadata");

/// What the API server sets or takes from the address of the request, where a person leaves it out.
const FIXED: [&str; 6] =
    ["name", "namespace", "uid", "creationTimestamp", "deletionTimestamp", "deletionGracePeriodSeconds"];

/// Judges the change of the metadata.
pub fn judge(change: &Change<'_>, report: &mut Report<'_>) {
    if change.old.at(&["metadata", "deletionTimestamp"]).is_some() {
        let of = |shoot| texts(items(shoot, &["metadata", "finalizers"]));
        let mut added: Vec<String> =
            of(change.new).filter(|new| of(change.old).all(|old| old != *new)).map(quote).collect();
        added.sort_unstable();
        added.dedup();
        if !added.is_empty() {
            let detail = join(
                &[
                    "no new finalizers can be added if the object is being deleted, found new finalizers []string{",
                    &join(&added, ", "),
                    "}",
                ],
                "",
            );
            report.error(&rules::GDN_UPD_001, &METADATA.key("finalizers"), ErrorType::Forbidden, detail);
        }
    }
    if !change.check.request.is_sent() {
        counters(change, report);
    }
    for key in FIXED {
        // Of what a person sends, Trellis judges the identity before (GDN-META-022).
        if key == "uid" && change.check.request.is_sent() {
            continue;
        }
        let path = ["metadata", key];
        let (before, after) = change.at(&path);
        if after.is_some() && !is_same(type_at(&path), before, after) {
            restored(&rules::GDN_UPD_004, &METADATA.key(key), change.old, report);
        }
    }
}

/// Judges what the API server counts: of what a person sends, it takes the generation from the stored object, and
/// the version where none is written.
fn counters(change: &Change<'_>, report: &mut Report<'_>) {
    let (_, version) = change.at(&["metadata", "resourceVersion"]);
    if version.and_then(Value::as_str) == Some("") {
        let detail = "must be specified for an update";
        report
            .error(&rules::GDN_UPD_002, &METADATA.key("resourceVersion"), ErrorType::Invalid, detail)
            .fix_removal();
    }
    let generation = |shoot| integer(shoot, &["metadata", "generation"]);
    let is_written = change.new.at(&["metadata", "generation"]).is_some();
    if is_written && generation(change.new) < generation(change.old) {
        let detail = "must not be decremented";
        report.error(&rules::GDN_UPD_003, &METADATA.key("generation"), ErrorType::Invalid, detail).fix_removal();
    }
}
