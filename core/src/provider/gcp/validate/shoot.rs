//! Shoots: the order in which their parts are judged (GCP-SHOOT).

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

/// Judges a Shoot. One without workers has nothing on GCP.
pub fn shoot(request: &Request<'_>, report: &mut Report<'_>) -> Result<(), RequestError> {
    let manifest = Manifest::read(request.object)?;
    let old = request.old_object.map(Manifest::read_old).transpose()?;
    if !manifest.has_workers(report) {
        return Ok(());
    }
    let (new, old) = Parts::read(manifest, old, &PARTS, report);
    let shoot = &new.manifest.shoot;
    if let Some(old) = &old {
        zones::read_old(request, shoot, &old.manifest.shoot, report);
    }
    let zones = zones::read(request, shoot, report);
    if let Some(old) = &old {
        if let (Some(config), Some(before)) = (&new.infrastructure, &old.infrastructure) {
            infrastructure_update::validate(config, before, old.manifest.object, report);
        }
        if let (Some(config), Some(before)) = (&new.control_plane, &old.control_plane) {
            control_plane::validate_update(config, before, old.manifest.object, report);
        }
        check_pools(&new.manifest, &old.manifest, &workers::POOLS, report);
    }
    if let Some(networks) = &shoot.spec.networking {
        networking::validate(request.object, networks, report);
        if let Some(config) = &new.infrastructure {
            infrastructure::validate(config, networks, report);
        }
    } else {
        report.leaves_out("the network of a Shoot without spec.networking");
    }
    workers::validate(&shoot.spec.provider.workers, report);
    if let Some(config) = &new.control_plane {
        let version = kubernetes_version(request.object);
        control_plane::validate(config, zones.as_deref(), &shoot.spec.provider.workers, &version.0, report);
    }
    check_dns(request, shoot, &dns::DNS, report)?;
    let configs = worker_config::validate(&new.manifest, report);
    advice::shoot(&new, &configs, old.as_ref(), report);
    Ok(())
}
