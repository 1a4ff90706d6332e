//! Advice on the control plane.

use crate::gardener::shoot::CONTROL_PLANE;
use crate::provider::azure::rules::advice as rules;
use crate::provider::azure::validate::parts::Parts;
use crate::report::Report;

/// Looks at the settings of the control plane.
pub fn control_plane(new: &Parts<'_>, report: &mut Report<'_>) {
    let manager = new.control_plane.as_ref().and_then(|config| config.cloud_controller_manager.as_ref());
    let sets_gates = manager.is_some_and(|manager| !manager.feature_gates.is_empty());
    if sets_gates && new.manifest.shoot.spec.purpose == Some("production") {
        let path = CONTROL_PLANE.key("cloudControllerManager");
        let detail = "feature gates are set for a Shoot whose purpose is production";
        report.warn(&rules::ADV_006, &path.key("featureGates"), detail);
    }
}
