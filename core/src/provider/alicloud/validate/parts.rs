//! The parts of a Shoot that rules judge, and the findings where a part is missing or nobody can read it.

use crate::document::decode::Mode;
use crate::gardener::provider_config::Config;
use crate::gardener::shoot::{
    CONTROL_PLANE, INFRASTRUCTURE, Manifest, ShootPart, control_plane_config, infrastructure_config,
};
use crate::provider::alicloud::api::{ControlPlaneConfig, InfrastructureConfig};
use crate::provider::alicloud::rules::shoot as rules;
use crate::report::{ErrorType, Report};

const MISSING: &str = "InfrastructureConfig must be set for Alicloud shoots";
const UNSUPPORTED: &str = "not allowed to configure an unsupported infrastructureConfig";

const NEW_INFRASTRUCTURE: ShootPart = ShootPart {
    path: INFRASTRUCTURE,
    mode: Mode::Strict,
    missing: Some((&rules::SHOOT_003, ErrorType::Required, MISSING)),
    add: None,
    unreadable: |_| (&rules::SHOOT_005, ErrorType::Forbidden, UNSUPPORTED.to_owned()),
};

const OLD_INFRASTRUCTURE: ShootPart = ShootPart {
    path: INFRASTRUCTURE,
    mode: Mode::Lenient,
    missing: Some((&rules::SHOOT_004, ErrorType::Required, MISSING)),
    add: None,
    unreadable: |_| (&rules::SHOOT_006, ErrorType::Forbidden, UNSUPPORTED.to_owned()),
};

const NEW_CONTROL_PLANE: ShootPart = ShootPart {
    path: CONTROL_PLANE,
    mode: Mode::Lenient,
    missing: None,
    add: None,
    unreadable: |_| (&rules::SHOOT_007, ErrorType::Invalid, "isn't a supported version".to_owned()),
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
    /// Reads the parts of a new Shoot, and then those of the old one, in the order in which the existing extension
    /// does.
    pub fn read(new: Manifest<'v>, old: Option<Manifest<'v>>, report: &mut Report<'_>) -> (Self, Option<Self>) {
        let infrastructure = NEW_INFRASTRUCTURE.read(infrastructure_config(new.object), report);
        let old = old.map(|manifest| Self {
            infrastructure: OLD_INFRASTRUCTURE.read_old(infrastructure_config(manifest.object), report),
            control_plane: control_plane_config(manifest.object)
                .and_then(|config| ControlPlaneConfig::read(config, Mode::Lenient).ok()),
            manifest,
        });
        let control_plane = NEW_CONTROL_PLANE.read(control_plane_config(new.object), report);
        (Self { manifest: new, infrastructure, control_plane }, old)
    }
}
