//! Shoots: which parts are there and readable, and the order in which they are judged (ALI-SHOOT).

use super::parts::Parts;
use super::{advice, control_plane, infrastructure, infrastructure_update, networking, workers};
use crate::cidr::Cidr;
use crate::document::decode::Mode;
use crate::document::{Path, Value};
use crate::gardener::provider_config::mend;
use crate::gardener::shoot::{Shoot, kubernetes_version, provider_config};
use crate::policy::{Request, RequestError, read, read_old};
use crate::provider::alicloud::api::{Config, ControlPlaneConfig, InfrastructureConfig};
use crate::provider::alicloud::queries::VSwitch;
use crate::provider::alicloud::rules::shoot as rules;
use crate::provider::alicloud::vswitches::{VSwitches, vswitches};
use crate::report::{ErrorType, Report};

const INFRASTRUCTURE: Path<'_> =
    Path::root("spec.provider.infrastructureConfig", "/spec/provider/infrastructureConfig");
const CONTROL_PLANE: Path<'_> =
    Path::root("spec.provider.controlPlaneConfig", "/spec/provider/controlPlaneConfig");

/// Judges a Shoot.
pub fn shoot(request: &Request<'_>, report: &mut Report<'_>) -> Result<(), RequestError> {
    let shoot: Shoot<'_> = read(request.object)?;
    let old_shoot: Option<Shoot<'_>> = request.old_object.map(read_old).transpose()?;
    if shoot.spec.provider.workers.is_empty() {
        return Ok(());
    }
    let infrastructure = read_infrastructure(request.object, report);
    let old = request.old_object.zip(old_shoot).map(|(object, shoot)| Parts {
        object,
        shoot,
        infrastructure: read_old_infrastructure(object, report),
        control_plane: provider_config(object, "controlPlaneConfig")
            .and_then(|config| ControlPlaneConfig::read(config, Mode::Lenient).ok()),
    });
    let control_plane = read_control_plane(request.object, report);
    let new = Parts { object: request.object, shoot, infrastructure, control_plane };

    if let Some(old) = &old {
        if let (Some(new), Some(old)) = (&new.infrastructure, &old.infrastructure) {
            infrastructure_update::validate(new, old, report);
        }
        workers::validate_update(&new, old, report);
        networking::validate_update(&new.shoot, &old.shoot, report);
    }
    if let Some(config) = &new.infrastructure {
        infrastructure::validate(config, &new.shoot.spec, report);
    }
    workers::validate(&new, report);
    if let Some(config) = &new.control_plane {
        control_plane::validate(config, &kubernetes_version(request.object).0, report);
    }
    match &old {
        None => networking::validate(new.shoot.spec.networking.as_ref(), report),
        Some(old) => {
            if let (Some(config), Some(old)) = (&new.infrastructure, &old.infrastructure) {
                vswitch_conflicts(request, &new.shoot, config, old, report)?;
            }
        }
    }
    advice::shoot(&new, old.as_ref(), report);
    Ok(())
}

const MISSING: &str = "InfrastructureConfig must be set for Alicloud shoots";
const UNSUPPORTED: &str = "not allowed to configure an unsupported infrastructureConfig";

fn read_infrastructure<'v>(shoot: &'v Value<'v>, report: &mut Report<'_>) -> Option<InfrastructureConfig<'v>> {
    let Some(config) = provider_config(shoot, "infrastructureConfig") else {
        report.error(&rules::SHOOT_003, &INFRASTRUCTURE, ErrorType::Required, MISSING).hides_others();
        return None;
    };
    InfrastructureConfig::read_complaining(config, |error| {
        let pointer = format!("{}{}", INFRASTRUCTURE.pointer(), error.pointer());
        let path = Path::root("spec.provider.infrastructureConfig", &pointer);
        let entry = report.error(&rules::SHOOT_005, &path, ErrorType::Forbidden, UNSUPPORTED);
        mend::<InfrastructureConfig<'_>>(entry, error, config, &INFRASTRUCTURE.pointer());
    })
}

/// An unreadable old object has no place in the new one; the finding points at the whole configuration.
fn read_old_infrastructure<'v>(old: &'v Value<'v>, report: &mut Report<'_>) -> Option<InfrastructureConfig<'v>> {
    let Some(config) = provider_config(old, "infrastructureConfig") else {
        report.error(&rules::SHOOT_004, &INFRASTRUCTURE, ErrorType::Required, MISSING).hides_others();
        return None;
    };
    let config = InfrastructureConfig::read(config, Mode::Lenient).ok();
    if config.is_none() {
        report.error(&rules::SHOOT_006, &INFRASTRUCTURE, ErrorType::Forbidden, UNSUPPORTED).hides_others();
    }
    config
}

fn read_control_plane<'v>(shoot: &'v Value<'v>, report: &mut Report<'_>) -> Option<ControlPlaneConfig<'v>> {
    let config = provider_config(shoot, "controlPlaneConfig")?;
    match ControlPlaneConfig::read(config, Mode::Lenient) {
        Ok(config) => Some(config),
        Err(error) => {
            let pointer = format!("{}{}", CONTROL_PLANE.pointer(), error.pointer());
            let path = Path::root("spec.provider.controlPlaneConfig", &pointer);
            let entry = report.error(&rules::SHOOT_007, &path, ErrorType::Invalid, "isn't a supported version");
            mend::<ControlPlaneConfig<'_>>(entry, &error, config, &CONTROL_PLANE.pointer());
            None
        }
    }
}

/// The ranges of newly added zones against the VSwitches of an existing VPC (ALI-SHOOT-008…011).
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
        VSwitches::Known(all) => {
            let ranges = all.into_iter().filter_map(|vswitch| Some((vswitch, Cidr::parse(vswitch.cidr)?)));
            ranges.collect()
        }
        VSwitches::Failed(rule, detail) => {
            report.error(rule, &INFRASTRUCTURE, ErrorType::Internal, detail);
            return Ok(());
        }
        VSwitches::Unknown(query) => {
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
                // The field always ends in `.workers`, also where the range was written as `worker`.
                let field = zone_path.key("workers").field();
                let pointer = zone_path.key(if zone.workers.is_empty() { "worker" } else { "workers" }).pointer();
                report.error(&rules::SHOOT_008, &Path::root(&field, &pointer), ErrorType::Invalid, detail);
            }
        }
    }
    Ok(())
}
