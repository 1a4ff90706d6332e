//! The parts of a Shoot that rules judge, and the findings where a part is missing or nobody can read it.

use crate::document::decode::Mode;
use crate::gardener::shoot::{self, CONTROL_PLANE, INFRASTRUCTURE, PartRules, ShootPart};
use crate::provider::alicloud::api::{ControlPlaneConfig, InfrastructureConfig};
use crate::provider::alicloud::rules::shoot as rules;
use crate::report::ErrorType;

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

/// How the parts are read.
pub const PARTS: PartRules = PartRules {
    infrastructure: &NEW_INFRASTRUCTURE,
    old_infrastructure: &OLD_INFRASTRUCTURE,
    control_plane: &NEW_CONTROL_PLANE,
    old_control_plane: None,
    new_first: true,
};

/// A Shoot with its readable configurations.
pub type Parts<'v> = shoot::Parts<'v, InfrastructureConfig<'v>, ControlPlaneConfig<'v>>;
