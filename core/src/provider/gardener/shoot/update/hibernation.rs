//! When a Shoot may be sent to sleep (GDN-UPD-090 to 092).

use super::Change;
use crate::document::{Path, Value};
use crate::provider::gardener::fields::{flag, items, text};
use crate::provider::gardener::rules::update as rules;
use crate::provider::gardener::shoot::control_plane::encryption::resources;
use crate::report::{ErrorType, Report, Rule};
use crate::text::{join, quote};

const ENABLED: Path<'_> = Path::root("spec.hibernation.enabled", "/spec/hibernation/enabled");

/// Rotations with the phases in which a Shoot stays awake.
const ROTATIONS: [(&Rule, &str, &[&str]); 2] = [
    (&rules::GDN_UPD_090, "etcdEncryptionKey", &["Preparing", "Completing"]),
    (&rules::GDN_UPD_091, "serviceAccountKey", &["Preparing", "PreparingWithoutWorkersRollout", "Completing"]),
];

/// Judges whether a Shoot that is awake may go to sleep.
pub fn judge(change: &Change<'_>, report: &mut Report<'_>) {
    let is_enabled = |shoot| flag(shoot, &["spec", "hibernation", "enabled"]) == Some(true);
    if is_enabled(change.old) || !is_enabled(change.new) {
        return;
    }
    if change.check.lacks_status() {
        let why = "the Shoot's status says whether Gardener renews keys or encrypts resources now, and the old manifest has none";
        report.undecided(&rules::GDN_UPD_092, why, None);
        return;
    }
    let none = Value::Null;
    let status = change.check.status().unwrap_or(&none);
    for (rule, credential, phases) in ROTATIONS {
        let phase = text(status, &["credentials", "rotation", credential, "phase"]);
        if phases.contains(&phase) {
            let parts = [
                "shoot cannot be hibernated when .status.credentials.rotation.",
                credential,
                ".phase is ",
                &quote(phase),
            ];
            report.error(rule, &ENABLED, ErrorType::Forbidden, join(&parts, ""));
        }
    }
    let wanted = items(change.old, &["spec", "kubernetes", "kubeAPIServer", "encryptionConfig", "resources"]);
    let found = items(status, &["credentials", "encryptionAtRest", "resources"]);
    if resources(wanted) != resources(found) {
        let detail = "shoot cannot be hibernated when spec.kubernetes.kubeAPIServer.encryptionConfig.resources and \
                      status.credentials.encryptionAtRest.resources are not equal";
        report.error(&rules::GDN_UPD_092, &ENABLED, ErrorType::Forbidden, detail);
    }
}
