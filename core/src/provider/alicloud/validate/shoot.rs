//! Shoots: the order in which their parts are judged (ALI-SHOOT).

use super::parts::{PARTS, Parts};
use super::{advice, control_plane, infrastructure, infrastructure_update, networking, workers};
use crate::call::Known;
use crate::cidr::Cidr;
use crate::document::Path;
use crate::gardener::checks::immutable::check_pools;
use crate::gardener::shoot::{INFRASTRUCTURE, Manifest};
use crate::gardener::types::shoot::{Shoot, kubernetes_version};
use crate::policy::{Request, RequestError};
use crate::provider::alicloud::api::InfrastructureConfig;
use crate::provider::alicloud::queries::VSwitch;
use crate::provider::alicloud::rules::shoot as rules;
use crate::provider::alicloud::vswitches::vswitches;
use crate::report::{ErrorType, Report};

/// Judges a Shoot. One without workers has nothing on Alibaba Cloud.
pub fn shoot(request: &Request<'_>, report: &mut Report<'_>) -> Result<(), RequestError> {
    let manifest = Manifest::read(request.object)?;
    let old = request.old_object.map(Manifest::read_old).transpose()?;
    if !manifest.has_workers(report) {
        return Ok(());
    }
    let (new, old) = Parts::read(manifest, old, &PARTS, report);
    let shoot = &new.manifest.shoot;
    if let Some(old) = &old {
        if let (Some(new), Some(old)) = (&new.infrastructure, &old.infrastructure) {
            infrastructure_update::validate(new, old, report);
        }
        check_pools(&new.manifest, &old.manifest, &workers::POOLS, report);
        networking::validate_update(shoot, &old.manifest.shoot, report);
    }
    if let Some(config) = &new.infrastructure {
        infrastructure::validate(config, &shoot.spec, report);
    }
    workers::validate(&shoot.spec.provider.workers, new.infrastructure.as_ref(), report);
    if let Some(config) = &new.control_plane {
        control_plane::validate(config, &kubernetes_version(request.object).0, report);
    }
    match &old {
        None => networking::validate(shoot.spec.networking.as_ref(), report),
        Some(old) => {
            if let (Some(config), Some(old)) = (&new.infrastructure, &old.infrastructure) {
                vswitch_conflicts(request, shoot, config, old, report)?;
            }
        }
    }
    advice::shoot(&new, old.as_ref(), report);
    Ok(())
}

/// Compares the ranges of new zones with the VSwitches of a VPC that the person brings (ALI-SHOOT-008…011).
fn vswitch_conflicts(
    request: &Request<'_>,
    shoot: &Shoot<'_>,
    config: &InfrastructureConfig<'_>,
    old: &InfrastructureConfig<'_>,
    report: &mut Report<'_>,
) -> Result<(), RequestError> {
    let Some(vpc) = config.networks.vpc.id else { return Ok(()) };
    if config.networks.zones.len() <= old.networks.zones.len() {
        return Ok(());
    }
    if shoot.spec.secret_binding_name.is_none() && shoot.spec.credentials_binding_name.is_none() {
        let cause = "shoot has neither secretBindingName nor credentialsBindingName";
        let detail = format!("could not get Alicloud credentials: {cause}");
        report.error(&rules::SHOOT_009, &INFRASTRUCTURE, ErrorType::Internal, detail);
        return Ok(());
    }
    let vswitches: Vec<_> = match vswitches(request, shoot.spec.region, vpc)? {
        Known::Found(all) => {
            let ranges = all.into_iter().filter_map(|vswitch| Some((vswitch, Cidr::parse(vswitch.cidr)?)));
            ranges.collect()
        }
        Known::Failed((rule, detail)) => {
            report.error(rule, &INFRASTRUCTURE, ErrorType::Internal, detail);
            return Ok(());
        }
        Known::Unknown(query) => {
            let why = format!(
                "whether new zones collide with VSwitches of VPC {vpc} is checked on submit, by asking Alibaba Cloud"
            );
            report.undecided(&rules::SHOOT_008, why, Some(query));
            return Ok(());
        }
    };
    let zones = infrastructure::NETWORKS.key("zones");
    for (index, zone) in config.networks.zones.iter().enumerate().skip(old.networks.zones.len()) {
        let Some(cidr) = Cidr::parse(zone.cidr()) else { continue };
        let zone_path = zones.index(index);
        for (VSwitch { id, cidr: block, .. }, range) in &vswitches {
            if range.overlaps(&cidr) {
                let detail = format!("conflicts with existing vswitch {id} ({block}) in VPC {vpc}");
                // The existing extension prints `.workers`, also for a range that a person wrote as `worker`.
                let field = zone_path.key("workers").field();
                let pointer = zone_path.key(if zone.workers.is_empty() { "worker" } else { "workers" }).pointer();
                report.error(&rules::SHOOT_008, &Path::root(&field, &pointer), ErrorType::Invalid, detail);
            }
        }
    }
    Ok(())
}
