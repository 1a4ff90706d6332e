//! Advice on the control plane.

use crate::gardener::shoot::CONTROL_PLANE;
use crate::provider::alicloud::rules::advice as rules;
use crate::provider::alicloud::validate::parts::Parts;
use crate::report::Report;

/// Looks at the settings of the control plane.
pub fn control_plane(new: &Parts<'_>, old: Option<&Parts<'_>>, report: &mut Report<'_>) {
    let Some(config) = &new.control_plane else { return };
    let gates = config.cloud_controller_manager.as_ref().is_some_and(|manager| !manager.feature_gates.is_empty());
    if gates && new.manifest.shoot.spec.purpose == Some("production") {
        let manager = CONTROL_PLANE.key("cloudControllerManager");
        let detail = "feature gates are not recommended for production";
        report.warn(&rules::ADV_012, &manager.key("featureGates"), detail);
    }
    let enabled = |parts: &Parts<'_>| {
        let csi = parts.control_plane.as_ref()?.csi?;
        csi.enable_ad_controller
    };
    if enabled(new) == Some(true) && old.is_some_and(|old| enabled(old) != Some(true)) {
        let csi = CONTROL_PLANE.key("csi");
        let detail = "volumes from before 2021 may fail to mount afterwards";
        report.warn(&rules::ADV_011, &csi.key("enableADController"), detail);
    }
}
