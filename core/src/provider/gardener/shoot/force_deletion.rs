//! The annotation that forces a deletion (GDN-FD).

use crate::document::{Path, Value};
use crate::provider::gardener::fields::{items, text, texts};
use crate::provider::gardener::rules::spec::GDN_FD_001;
use crate::report::{ErrorType, Report, Rule};

const ANNOTATION: &str = "confirmation.gardener.cloud/force-deletion";
/// The place of the annotation.
pub const PATH: Path<'_> = Path::root(
    "metadata.annotations[confirmation.gardener.cloud/force-deletion]",
    "/metadata/annotations/confirmation.gardener.cloud~1force-deletion",
);
/// What ails a Shoot that Gardener cannot delete without force.
const CODES: [&str; 5] = [
    "ERR_CLEANUP_CLUSTER_RESOURCES",
    "ERR_CONFIGURATION_PROBLEM",
    "ERR_INFRA_DEPENDENCIES",
    "ERR_INFRA_UNAUTHENTICATED",
    "ERR_INFRA_UNAUTHORIZED",
];

/// Whether a person forces the deletion.
pub fn is_forced(shoot: &Value<'_>) -> bool {
    let forced = text(shoot, &["metadata", "annotations", ANNOTATION]);
    matches!(forced, "1" | "t" | "T" | "TRUE" | "true" | "True")
}

/// Reports force on a Shoot that nobody deletes.
pub fn not_deleted(report: &mut Report<'_>) {
    let detail = "force-deletion annotation cannot be set when Shoot deletionTimestamp is nil";
    report.error(&GDN_FD_001, &PATH, ErrorType::Forbidden, detail).fix_removal();
}

/// Reports force where the status has no error that needs it.
pub fn not_needed(rule: &'static Rule, status: Option<&Value<'_>>, report: &mut Report<'_>) {
    let errors = status.map(|status| items(status, &["lastErrors"])).unwrap_or_default();
    let is_needed = |error| texts(items(error, &["codes"])).any(|code| CODES.contains(&code));
    if !errors.iter().any(is_needed) {
        let detail = "force-deletion annotation cannot be set when Shoot status does not contain one of these error \
                      codes: [ERR_CLEANUP_CLUSTER_RESOURCES ERR_CONFIGURATION_PROBLEM ERR_INFRA_DEPENDENCIES \
                      ERR_INFRA_UNAUTHENTICATED ERR_INFRA_UNAUTHORIZED]";
        report.error(rule, &PATH, ErrorType::Forbidden, detail).fix_removal();
    }
}
