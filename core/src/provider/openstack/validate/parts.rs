//! The parts of a Shoot that rules judge, and the findings where a part is missing or nobody can read it.

use crate::document::decode::Mode;
use crate::gardener::shoot::{
    CONTROL_PLANE, INFRASTRUCTURE, Manifest, ShootPart, control_plane_config, infrastructure_config,
};
use crate::provider::openstack::api::{ControlPlaneConfig, InfrastructureConfig};
use crate::provider::openstack::rules::shoot as rules;
use crate::report::{ErrorType, Report};

const INFRASTRUCTURE_PART: ShootPart = ShootPart {
    path: INFRASTRUCTURE,
    mode: Mode::Strict,
    missing: Some((
        &rules::SHOOT_004,
        ErrorType::Required,
        "infrastructureConfig must be set for OpenStack shoots",
    )),
    add: Some("Add `spec.provider.infrastructureConfig` with `floatingPoolName` and `networks.workers`."),
    unreadable: |error| {
        (&rules::SHOOT_004, ErrorType::Denied, format!("error decoding infrastructureConfig: {error}"))
    },
};

const CONTROL_PLANE_PART: ShootPart = ShootPart {
    path: CONTROL_PLANE,
    mode: Mode::Strict,
    missing: Some((&rules::SHOOT_005, ErrorType::Required, "controlPlaneConfig must be set for OpenStack shoots")),
    add: Some("Add `spec.provider.controlPlaneConfig` with `loadBalancerProvider`."),
    unreadable: |error| {
        (&rules::SHOOT_005, ErrorType::Denied, format!("error decoding controlPlaneConfig: {error}"))
    },
};

/// A Shoot with its readable configurations.
pub struct Parts<'v> {
    /// The Shoot.
    pub manifest: Manifest<'v>,
    /// The provider's configuration of the infrastructure.
    pub infrastructure: Option<InfrastructureConfig<'v>>,
    /// The provider's configuration of the control plane.
    pub control_plane: Option<ControlPlaneConfig<'v>>,
}

impl<'v> Parts<'v> {
    /// Reads the parts of an old Shoot, and then those of the new one: of the same mistake in both, no fix of the
    /// new Shoot is certain.
    pub fn read(new: Manifest<'v>, old: Option<Manifest<'v>>, report: &mut Report<'_>) -> (Self, Option<Self>) {
        let old = old.map(|manifest| Self {
            infrastructure: INFRASTRUCTURE_PART.read_old(infrastructure_config(manifest.object), report),
            control_plane: CONTROL_PLANE_PART.read_old(control_plane_config(manifest.object), report),
            manifest,
        });
        let infrastructure = INFRASTRUCTURE_PART.read(infrastructure_config(new.object), report);
        let control_plane = CONTROL_PLANE_PART.read(control_plane_config(new.object), report);
        (Self { manifest: new, infrastructure, control_plane }, old)
    }
}
