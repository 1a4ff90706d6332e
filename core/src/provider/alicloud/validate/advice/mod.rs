//! Advice that never rejects (ALI-ADV).

mod control_plane;
mod disks;
mod network;
mod rolling;
pub mod secret;

use super::parts::Parts;
use crate::gardener::checks::kubernetes_version::check_is_text;
use crate::provider::alicloud::rules::advice as rules;
use crate::report::Report;

/// Looks at a Shoot.
pub fn shoot(new: &Parts<'_>, old: Option<&Parts<'_>>, report: &mut Report<'_>) {
    let workers = &new.manifest.shoot.spec.provider.workers;
    if let Some(config) = &new.infrastructure {
        network::network(config, old.is_none(), workers, report);
    }
    disks::volumes(workers, old.is_none(), report);
    control_plane::control_plane(new, old, report);
    check_is_text(&rules::ADV_014, new.manifest.object, report);
    if let Some(old) = old {
        if let (Some(config), Some(before)) = (&new.infrastructure, &old.infrastructure) {
            network::egress(config, before, report);
        }
        rolling::rolling(&new.manifest, &old.manifest, report);
    }
}
