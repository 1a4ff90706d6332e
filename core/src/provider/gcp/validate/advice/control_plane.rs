//! Advice on the control plane.

use crate::gardener::checks::feature_gates::warn_of_gates;
use crate::gardener::shoot::CONTROL_PLANE;
use crate::provider::gcp::rules::advice as rules;
use crate::provider::gcp::validate::parts::Parts;
use crate::report::Report;

/// Looks at the settings of the control plane.
pub fn control_plane(new: &Parts<'_>, report: &mut Report<'_>) {
    let Some(config) = &new.control_plane else { return };
    let gates = config.cloud_controller_manager.as_ref().map(|manager| &manager.feature_gates);
    warn_of_gates(&rules::ADV_006, gates, &new.manifest.shoot, report);
    let storage = config.storage.unwrap_or_default();
    if storage.default_storage_class.is_some() && storage.managed_default_storage_class == Some(false) {
        let path = CONTROL_PLANE.key("storage");
        let detail = "has no effect next to `managedDefaultStorageClass: false`";
        report.warn(&rules::ADV_014, &path.key("defaultStorageClass"), detail).fix_removal();
    }
}
