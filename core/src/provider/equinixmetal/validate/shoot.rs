//! Shoots: their configurations, and the order in which they are judged (EQX-DEC, EQX-CHK).

use super::parts::{Parts, image_names};
use super::{advice, worker_images};
use crate::document::Value;
use crate::document::decode::{DecodeError, Mode};
use crate::gardener::provider_config::Config;
use crate::gardener::shoot::{
    CONTROL_PLANE, INFRASTRUCTURE, Manifest, ShootPart, WORKERS, control_plane_config, infrastructure_config,
    pool_config,
};
use crate::gardener::types::shoot::Shoot;
use crate::gardener::types::worker::Worker;
use crate::policy::{Request, RequestError};
use crate::provider::equinixmetal::api::{ControlPlaneConfig, InfrastructureConfig, WorkerConfig};
use crate::provider::equinixmetal::rules::{consistency, decoding as rules};
use crate::report::{ErrorType, Report, Rule};
use crate::text::join;

const INFRASTRUCTURE_PART: ShootPart =
    ShootPart { path: INFRASTRUCTURE, mode: Mode::Strict, missing: None, add: None, unreadable: without_fields };
const CONTROL_PLANE_PART: ShootPart =
    ShootPart { path: CONTROL_PLANE, mode: Mode::Strict, missing: None, add: None, unreadable: without_fields };

/// The finding for a configuration without fields that nobody can read.
fn without_fields(error: &DecodeError) -> (&'static Rule, ErrorType, String) {
    let rule = if matches!(error, DecodeError::Strict(_)) { &rules::DEC_002 } else { &rules::DEC_001 };
    (rule, ErrorType::Invalid, error.to_string())
}

/// Judges a Shoot. One without workers has nothing on Equinix Metal.
pub fn shoot(request: &Request<'_>, report: &mut Report<'_>) -> Result<(), RequestError> {
    let manifest = Manifest::read(request.object)?;
    let old = request.old_object.map(Manifest::read_old).transpose()?;
    if !manifest.has_workers(report) {
        return Ok(());
    }
    let Manifest { object, shoot } = manifest;
    infrastructure(object, report);
    CONTROL_PLANE_PART.read::<ControlPlaneConfig<'_>>(control_plane_config(object), report);
    let configs = worker_configs(object, &shoot, |index, config| {
        let path = WORKERS.index(index);
        WorkerConfig::read_reporting(config, Mode::Strict, &path.key("providerConfig"), report, |error| {
            (&rules::DEC_005, ErrorType::Invalid, format!("could not decode provider config: {error}"))
        })
    });
    let new = Parts { shoot, configs };
    let old = old.map(|Manifest { object, shoot }| {
        let configs = worker_configs(object, &shoot, |_, config| WorkerConfig::read(config, Mode::Lenient).ok());
        Parts { shoot, configs }
    });
    one_operating_system(&new.shoot.spec.provider.workers, report);
    worker_images::validate(request, &new.shoot, old.as_ref().map(|old| &old.shoot), report);
    advice::shoot(&new, old.as_ref(), report);
    Ok(())
}

fn infrastructure(object: &Value<'_>, report: &mut Report<'_>) {
    let config = infrastructure_config(object);
    if config.is_none() {
        let detail = "provider config is not set on the infrastructure resource";
        report.warn(&rules::DEC_004, &INFRASTRUCTURE, detail).fix_value(&Value::object([
            ("apiVersion", Value::string(InfrastructureConfig::API_VERSION)),
            ("kind", Value::string(InfrastructureConfig::KIND)),
        ]));
    }
    INFRASTRUCTURE_PART.read::<InfrastructureConfig<'_>>(config, report);
}

/// The configuration of each pool; a pool without one has the default.
fn worker_configs<'v>(
    object: &'v Value<'v>,
    shoot: &Shoot<'v>,
    mut read: impl FnMut(usize, &'v Value<'v>) -> Option<WorkerConfig<'v>>,
) -> Vec<Option<WorkerConfig<'v>>> {
    let pools = 0..shoot.spec.provider.workers.len();
    pools
        .map(|index| pool_config(object, index).map_or(Some(WorkerConfig::default()), |it| read(index, it)))
        .collect()
}

/// The existing extension sets up disks for one operating system only (EQX-CHK-001).
fn one_operating_system(workers: &[Worker<'_>], report: &mut Report<'_>) {
    let names = image_names(workers);
    if names.len() > 1 && workers.iter().any(|worker| worker.volume.is_some()) {
        let names: Vec<&str> = names.iter().collect();
        let detail = format!("multiple operatingsystems used: [{}]; Only one allowed", join(&names, " "));
        report.warn(&consistency::CHK_001, &WORKERS, detail);
    }
}
