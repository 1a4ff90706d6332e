//! Advice that never rejects (AZ-ADV).

mod control_plane;
pub mod credentials;
mod network;
pub mod profiles;
mod rolling;
mod workers;

use super::parts::Parts;
use crate::gardener::checks::kubernetes_version::check_is_text;
use crate::provider::azure::api::WorkerConfig;
use crate::provider::azure::rules::advice as rules;
use crate::report::Report;

/// Looks at a Shoot whose worker pools have `configs`.
pub fn shoot(
    new: &Parts<'_>,
    configs: &[Option<WorkerConfig<'_>>],
    old: Option<&Parts<'_>>,
    report: &mut Report<'_>,
) {
    network::network(new, report);
    control_plane::control_plane(new, report);
    check_is_text(&rules::ADV_007, new.manifest.object, report);
    workers::workers(&new.manifest.shoot.spec.provider.workers, configs, report);
    if let Some(old) = old {
        network::change(new, old, report);
        rolling::rolling(configs, &new.manifest, &old.manifest, report);
    }
}
