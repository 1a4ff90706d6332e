//! The parts of a Shoot that rules judge, and the findings where a part is missing or nobody can read it.

use crate::document::decode::Mode;
use crate::gardener::shoot::{
    CONTROL_PLANE, INFRASTRUCTURE, Manifest, ShootPart, control_plane_config, infrastructure_config,
};
use crate::provider::azure::api::{ControlPlaneConfig, InfrastructureConfig};
use crate::provider::azure::rules::shoot as rules;
use crate::report::{ErrorType, Report};

const UNSUPPORTED: &str = "not allowed to configure an unsupported infrastructureConfig";

const NEW_INFRASTRUCTURE: ShootPart = ShootPart {
    path: INFRASTRUCTURE,
    mode: Mode::Strict,
    missing: Some((&rules::SHOOT_004, ErrorType::Required, "InfrastructureConfig must be set for Azure shoots")),
    add: None,
    unreadable: |_| (&rules::SHOOT_005, ErrorType::Forbidden, UNSUPPORTED.to_owned()),
};

const OLD_INFRASTRUCTURE: ShootPart = ShootPart {
    path: INFRASTRUCTURE,
    mode: Mode::Lenient,
    missing: Some((&rules::SHOOT_007, ErrorType::Internal, "InfrastructureConfig is not available on old shoot")),
    add: None,
    unreadable: |_| (&rules::SHOOT_008, ErrorType::Forbidden, UNSUPPORTED.to_owned()),
};

const CONTROL_PLANE_PART: ShootPart = ShootPart {
    path: CONTROL_PLANE,
    mode: Mode::Strict,
    missing: None,
    add: None,
    unreadable: |error| (&rules::SHOOT_006, ErrorType::Denied, error.to_string()),
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
            infrastructure: OLD_INFRASTRUCTURE.read_old(infrastructure_config(manifest.object), report),
            control_plane: None,
            manifest,
        });
        let infrastructure = NEW_INFRASTRUCTURE.read(infrastructure_config(new.object), report);
        let control_plane = CONTROL_PLANE_PART.read(control_plane_config(new.object), report);
        (Self { manifest: new, infrastructure, control_plane }, old)
    }
}
