//! The parts of a Shoot that rules judge, and the findings where a part is missing or nobody can read it.

use crate::document::decode::{DecodeError, Mode};
use crate::gardener::shoot::{self, CONTROL_PLANE, INFRASTRUCTURE, PartRules, ShootPart};
use crate::provider::aws::api::{ControlPlaneConfig, InfrastructureConfig};
use crate::provider::aws::rules::shoot as rules;
use crate::report::{ErrorType, Rule};

/// The words about a configuration that nobody can read.
pub const UNSUPPORTED: &str = "isn't a supported version";

fn unsupported(rule: &'static Rule) -> (&'static Rule, ErrorType, String) {
    (rule, ErrorType::Invalid, UNSUPPORTED.to_owned())
}

const NEW_INFRASTRUCTURE: ShootPart = ShootPart {
    path: INFRASTRUCTURE,
    mode: Mode::Strict,
    missing: Some((&rules::SHOOT_004, ErrorType::Required, "InfrastructureConfig must be set for AWS shoots")),
    add: Some("Add `spec.provider.infrastructureConfig` with `networks.vpc` and `networks.zones`."),
    unreadable: |_| unsupported(&rules::SHOOT_004),
};

const OLD_INFRASTRUCTURE: ShootPart = ShootPart {
    path: INFRASTRUCTURE,
    mode: Mode::Lenient,
    missing: Some((&rules::SHOOT_003, ErrorType::Internal, "InfrastructureConfig is not available on old shoot")),
    add: None,
    unreadable: |_| unsupported(&rules::SHOOT_003),
};

const NEW_CONTROL_PLANE: ShootPart = ShootPart {
    path: CONTROL_PLANE,
    mode: Mode::Strict,
    missing: None,
    add: None,
    unreadable: |_| unsupported(&rules::SHOOT_008),
};

/// What the existing extension says of a worker pool whose configuration nobody can read.
pub fn unreadable_pool(_: &DecodeError) -> (&'static Rule, ErrorType, String) {
    unsupported(&rules::SHOOT_008)
}

/// How the parts are read.
pub const PARTS: PartRules = PartRules {
    infrastructure: &NEW_INFRASTRUCTURE,
    old_infrastructure: &OLD_INFRASTRUCTURE,
    control_plane: &NEW_CONTROL_PLANE,
    old_control_plane: None,
    new_first: false,
};

/// A Shoot with its readable configurations.
pub type Parts<'v> = shoot::Parts<'v, InfrastructureConfig<'v>, ControlPlaneConfig<'v>>;
