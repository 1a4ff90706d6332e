//! The parts of a Shoot that rules judge, and the findings where a part is missing or nobody can read it.

use crate::document::decode::Mode;
use crate::gardener::shoot::{self, CONTROL_PLANE, INFRASTRUCTURE, PartRules, ShootPart};
use crate::provider::openstack::api::{ControlPlaneConfig, InfrastructureConfig};
use crate::provider::openstack::rules::shoot as rules;
use crate::report::ErrorType;

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

/// How the parts are read.
pub const PARTS: PartRules = PartRules {
    infrastructure: &INFRASTRUCTURE_PART,
    old_infrastructure: &INFRASTRUCTURE_PART,
    control_plane: &CONTROL_PLANE_PART,
    old_control_plane: Some(&CONTROL_PLANE_PART),
    new_first: false,
};

/// A Shoot with its readable configurations.
pub type Parts<'v> = shoot::Parts<'v, InfrastructureConfig<'v>, ControlPlaneConfig<'v>>;
