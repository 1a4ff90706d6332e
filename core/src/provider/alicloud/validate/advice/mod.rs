//! Advice that never rejects (ALI-ADV).

mod control_plane;
mod disks;
mod network;
mod rolling;
pub mod secret;

use super::parts::Parts;
use crate::report::Report;

/// Looks at a Shoot.
pub fn shoot(new: &Parts<'_>, old: Option<&Parts<'_>>, report: &mut Report<'_>) {
    let workers = &new.manifest.shoot.spec.provider.workers;
    if let Some(config) = &new.infrastructure {
        network::network(config, old.is_none(), workers, report);
    }
    disks::volumes(workers, old.is_none(), report);
    control_plane::control_plane(new, old, report);
    control_plane::version(new.manifest.object, report);
    if let Some(old) = old {
        if let (Some(config), Some(before)) = (&new.infrastructure, &old.infrastructure) {
            network::egress(config, before, report);
        }
        rolling::rolling(&new.manifest, &old.manifest, report);
    }
}
