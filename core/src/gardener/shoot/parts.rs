//! A Shoot with the parts that are the provider's own, before and after a change.

use super::{Manifest, ShootPart, control_plane_config, infrastructure_config};
use crate::document::decode::Mode;
use crate::gardener::provider_config::Config;
use crate::report::Report;

/// A Shoot with its readable configurations: `I` of the infrastructure, `C` of the control plane.
pub struct Parts<'v, I, C> {
    /// The Shoot.
    pub manifest: Manifest<'v>,
    /// The provider's configuration of the infrastructure.
    pub infrastructure: Option<I>,
    /// The provider's configuration of the control plane.
    pub control_plane: Option<C>,
}

/// How a cloud reads the parts of a Shoot.
pub struct PartRules {
    /// The infrastructure of the new Shoot.
    pub infrastructure: &'static ShootPart,
    /// That of the old Shoot.
    pub old_infrastructure: &'static ShootPart,
    /// The control plane of the new Shoot.
    pub control_plane: &'static ShootPart,
    /// That of the old Shoot; none where no rule asks whether there is one that somebody can read.
    pub old_control_plane: Option<&'static ShootPart>,
    /// Whether the new infrastructure is read before the old Shoot. Else the old Shoot comes first, because of the
    /// same mistake in both no fix of the new Shoot is certain.
    pub new_first: bool,
}

impl<'v, I: Config<'v>, C: Config<'v>> Parts<'v, I, C> {
    /// Reads the parts of the new Shoot and of the old one, in the order in which the existing extension does.
    pub fn read(
        new: Manifest<'v>,
        old: Option<Manifest<'v>>,
        rules: &PartRules,
        report: &mut Report<'_>,
    ) -> (Self, Option<Self>) {
        let read_new =
            |report: &mut Report<'_>| rules.infrastructure.read(infrastructure_config(new.object), report);
        let early = rules.new_first.then(|| read_new(report));
        let old = old.map(|manifest| Self {
            infrastructure: rules.old_infrastructure.read_old(infrastructure_config(manifest.object), report),
            control_plane: match (control_plane_config(manifest.object), rules.old_control_plane) {
                (config, Some(part)) => part.read_old(config, report),
                (config, None) => config.and_then(|config| C::read(config, Mode::Lenient).ok()),
            },
            manifest,
        });
        let infrastructure = early.unwrap_or_else(|| read_new(report));
        let control_plane = rules.control_plane.read(control_plane_config(new.object), report);
        (Self { manifest: new, infrastructure, control_plane }, old)
    }
}
