//! Advice that never rejects (AZ-ADV).

pub mod credentials;
mod network;
pub mod profiles;
mod rolling;
mod workers;

use super::parts::Parts;
use crate::gardener::checks::feature_gates::warn_of_gates;
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
    let manager = new.control_plane.as_ref().and_then(|config| config.cloud_controller_manager.as_ref());
    let gates = manager.map(|manager| &manager.feature_gates);
    warn_of_gates(&rules::ADV_006, gates, &new.manifest.shoot, report);
    check_is_text(&rules::ADV_007, new.manifest.object, report);
    workers::workers(&new.manifest.shoot.spec.provider.workers, configs, report);
    if let Some(old) = old {
        network::change(new, old, report);
        rolling::rolling(configs, &new.manifest, &old.manifest, report);
    }
}
