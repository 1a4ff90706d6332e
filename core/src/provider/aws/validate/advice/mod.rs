//! Advice that never rejects (AWS-ADV).

pub mod backup;
pub mod credentials;
mod network;
pub mod profiles;
mod rolling;
mod workers;

use super::parts::Parts;
use crate::gardener::checks::feature_gates::warn_of_gates;
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
    let manager = new.control_plane.as_ref().and_then(|config| config.cloud_controller_manager.as_ref());
    let gates = manager.map(|manager| &manager.feature_gates);
    warn_of_gates(&rules::ADV_006, gates, &new.manifest.shoot, report);
    check_is_text(&rules::ADV_015, new.manifest.object, report);
    workers::workers(workers, configs, report);
    if let Some(old) = old {
        if let (Some(config), Some(before)) = (&new.infrastructure, &old.infrastructure) {
            network::egress(config, before, report);
        }
        rolling::rolling(configs, &new.manifest, &old.manifest, report);
    }
}
