//! Shoots: the order in which their parts are judged (AWS-SHOOT).

use super::parts::{PARTS, Parts};
use super::{advice, control_plane, dns, infrastructure, infrastructure_update, networking, offers, workers};
use crate::gardener::checks::dns::check_dns;
use crate::gardener::checks::immutable::check_pools;
use crate::gardener::shoot::{Families, Manifest};
use crate::gardener::types::shoot::kubernetes_version;
use crate::policy::{Request, RequestError};
use crate::report::Report;

/// Judges a Shoot. One without workers has nothing on AWS.
pub fn shoot(request: &Request<'_>, report: &mut Report<'_>) -> Result<(), RequestError> {
    let manifest = Manifest::read(request.object)?;
    let old = request.old_object.map(Manifest::read_old).transpose()?;
    if !manifest.has_workers(report) {
        return Ok(());
    }
    let offered = offers::read(request, &manifest.shoot, report)?;
    let (new, old) = Parts::read(manifest, old, &PARTS, report);
    let shoot = &new.manifest.shoot;
    let before = old.as_ref().and_then(|old| old.infrastructure.as_ref());
    if let (Some(config), Some(offered)) = (&new.infrastructure, &offered) {
        offers::zones(config, before, shoot.spec.region, offered, report);
        if request.may_be_edited() {
            let mut changed = Report::new(request.object);
            offers::zones(config, None, shoot.spec.region, offered, &mut changed);
            report.open_if_changed(changed);
        }
    }
    if let Some(old) = &old {
        if let (Some(config), Some(before)) = (&new.infrastructure, before) {
            infrastructure_update::validate(config, before, old.manifest.object, report);
        }
        check_pools(&new.manifest, &old.manifest, &workers::POOLS, report);
    }
    let is_leaving = old.is_some() && shoot.metadata.deletion_timestamp.is_some();
    if let (Some(offered), false) = (&offered, is_leaving) {
        offers::workers(&new.manifest, old.as_ref().map(|old| &old.manifest), offered, report)?;
    }
    if let Some(networking) = &shoot.spec.networking {
        let families = Families::of(request.object);
        networking::validate(request.object, networking, families, report);
        if let Some(config) = &new.infrastructure {
            infrastructure::validate(config, networking, families, report);
        }
    } else {
        report.leaves_out("the network of a Shoot without spec.networking");
    }
    if let Some(config) = &new.control_plane {
        control_plane::validate(config, &kubernetes_version(request.object).0, report);
    }
    check_dns(request, shoot, &dns::DNS, report)?;
    let configs = workers::validate(&new.manifest, new.infrastructure.as_ref(), report);
    advice::shoot(&new, &configs, old.as_ref(), report);
    Ok(())
}
