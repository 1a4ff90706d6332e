//! The parts of a Shoot that rules judge, and the findings where a part is missing or nobody can read it.

use crate::document::decode::Mode;
use crate::gardener::shoot::{self, CONTROL_PLANE, INFRASTRUCTURE, PartRules, ShootPart};
use crate::provider::azure::api::{ControlPlaneConfig, InfrastructureConfig};
use crate::provider::azure::rules::shoot as rules;
use crate::report::ErrorType;

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

/// How the parts are read.
pub const PARTS: PartRules = PartRules {
    infrastructure: &NEW_INFRASTRUCTURE,
    old_infrastructure: &OLD_INFRASTRUCTURE,
    control_plane: &CONTROL_PLANE_PART,
    old_control_plane: None,
    new_first: false,
};

/// A Shoot with its readable configurations.
pub type Parts<'v> = shoot::Parts<'v, InfrastructureConfig<'v>, ControlPlaneConfig<'v>>;
