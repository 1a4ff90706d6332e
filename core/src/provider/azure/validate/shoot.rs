//! Shoots: the order in which their parts are judged (AZ-SHOOT).

use super::parts::{PARTS, Parts};
use super::{
    advice, control_plane, dns, infrastructure, infrastructure_update, networking, worker_config, workers, zones,
};
use crate::gardener::checks::dns::check_dns;
use crate::gardener::checks::immutable::check_pools;
use crate::gardener::shoot::Manifest;
use crate::gardener::types::shoot::kubernetes_version;
use crate::policy::{Request, RequestError};
use crate::report::Report;

/// Judges a Shoot. One without workers has nothing on Azure.
pub fn shoot(request: &Request<'_>, report: &mut Report<'_>) -> Result<(), RequestError> {
    let manifest = Manifest::read(request.object)?;
    let old = request.old_object.map(Manifest::read_old).transpose()?;
    if !manifest.has_workers(report) {
        return Ok(());
    }
    let offered = zones::read(request, &manifest.shoot, report);
    let (new, old) = Parts::read(manifest, old, &PARTS, report);
    let shoot = &new.manifest.shoot;
    let before = old.as_ref().and_then(|old| old.infrastructure.as_ref());
    if let Some(old) = &old {
        if let (Some(config), Some(before)) = (&new.infrastructure, before) {
            infrastructure_update::validate(config, before, &old.manifest, report);
        }
        check_pools(&new.manifest, &old.manifest, &workers::POOLS, report);
    }
    networking::validate(request.object, shoot.spec.networking.as_ref(), report);
    if let Some(config) = &new.infrastructure {
        if let Some(offered) = &offered {
            zones::validate(config, before, offered, new.manifest.shoot.spec.region, report);
        }
        infrastructure::validate(config, &shoot.spec.networking.unwrap_or_default(), report);
    }
    if let Some(config) = &new.control_plane {
        control_plane::validate(config, &kubernetes_version(request.object).0, report);
    }
    check_dns(request, shoot, &dns::DNS, report)?;
    workers::validate(&shoot.spec.provider.workers, new.infrastructure.as_ref(), report);
    let configs = worker_config::validate(&new.manifest, report);
    advice::shoot(&new, &configs, old.as_ref(), report);
    Ok(())
}
