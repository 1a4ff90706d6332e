//! Advice that never rejects (AWS-ADV).

pub mod backup;
mod control_plane;
pub mod credentials;
mod network;
pub mod profiles;
mod rolling;
mod workers;

use super::parts::Parts;
use crate::gardener::checks::kubernetes_version::check_is_text;
use crate::gardener::shoot::Families;
use crate::provider::aws::api::WorkerConfig;
use crate::provider::aws::rules::advice as rules;
use crate::report::Report;

/// Looks at a Shoot whose worker pools have `configs`.
pub fn shoot(
    new: &Parts<'_>,
    configs: &[Option<WorkerConfig<'_>>],
    old: Option<&Parts<'_>>,
    report: &mut Report<'_>,
) {
    let workers = &new.manifest.shoot.spec.provider.workers;
    if let Some(config) = &new.infrastructure {
        network::network(config, Families::of(new.manifest.object), old.is_none(), workers, report);
    }
    control_plane::control_plane(new, report);
    check_is_text(&rules::ADV_015, new.manifest.object, report);
    workers::workers(workers, configs, report);
    if let Some(old) = old {
        if let (Some(config), Some(before)) = (&new.infrastructure, &old.infrastructure) {
            network::egress(config, before, report);
        }
        rolling::rolling(configs, &new.manifest, &old.manifest, report);
    }
}
