//! Advice on the control plane.

use crate::gardener::shoot::CONTROL_PLANE;
use crate::provider::gcp::rules::advice as rules;
use crate::provider::gcp::validate::parts::Parts;
use crate::report::Report;

/// Looks at the settings of the control plane.
pub fn control_plane(new: &Parts<'_>, report: &mut Report<'_>) {
    let Some(config) = &new.control_plane else { return };
    let sets_gates =
        config.cloud_controller_manager.as_ref().is_some_and(|manager| !manager.feature_gates.is_empty());
    if sets_gates && new.manifest.shoot.spec.purpose == Some("production") {
        let path = CONTROL_PLANE.key("cloudControllerManager");
        let detail = "feature gates are set for a Shoot whose purpose is production";
        report.warn(&rules::ADV_006, &path.key("featureGates"), detail);
    }
    let storage = config.storage.unwrap_or_default();
    if storage.default_storage_class.is_some() && storage.managed_default_storage_class == Some(false) {
        let path = CONTROL_PLANE.key("storage");
        let detail = "has no effect beside `managedDefaultStorageClass: false`";
        report.warn(&rules::ADV_014, &path.key("defaultStorageClass"), detail).fix_removal();
    }
}
