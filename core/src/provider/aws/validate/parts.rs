//! The parts of a Shoot that rules judge, and the findings where a part is missing or nobody can read it.

use crate::document::decode::{DecodeError, Mode};
use crate::gardener::shoot::{
    CONTROL_PLANE, INFRASTRUCTURE, Manifest, ShootPart, control_plane_config, infrastructure_config,
};
use crate::provider::aws::api::{ControlPlaneConfig, InfrastructureConfig};
use crate::provider::aws::rules::shoot as rules;
use crate::report::{ErrorType, Report, Rule};

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
        let control_plane = NEW_CONTROL_PLANE.read(control_plane_config(new.object), report);
        (Self { manifest: new, infrastructure, control_plane }, old)
    }
}
