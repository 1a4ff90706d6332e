//! Shoots: which configurations are readable, and the order in which things are judged (EQX-DEC, EQX-CHK).

use super::{advice, images};
use crate::collections::NameSet;
use crate::document::decode::DecodeError;
use crate::document::{Path, Value};
use crate::gardener::provider_config::{Config, mend};
use crate::gardener::shoot::{Shoot, Worker, provider_config, worker_config};
use crate::policy::{Request, RequestError, read, read_old};
use crate::provider::equinixmetal::api::{ControlPlaneConfig, InfrastructureConfig, WorkerConfig};
use crate::provider::equinixmetal::rules::{consistency, decoding as rules};
use crate::report::{Report, Reported, Rule};

/// Where worker pools are.
pub const WORKERS: Path<'_> = Path::root("spec.provider.workers", "/spec/provider/workers");
const INFRASTRUCTURE: Path<'_> =
    Path::root("spec.provider.infrastructureConfig", "/spec/provider/infrastructureConfig");
const CONTROL_PLANE: Path<'_> =
    Path::root("spec.provider.controlPlaneConfig", "/spec/provider/controlPlaneConfig");

/// A Shoot with the configurations of its pools.
pub struct Parts<'v> {
    /// The Shoot.
    pub shoot: Shoot<'v>,
    /// The configuration of each pool; `None` where it cannot be read.
    pub configs: Vec<Option<WorkerConfig<'v>>>,
}

impl<'v> Parts<'v> {
    /// The worker pools with their configurations.
    pub fn pools(&self) -> impl Iterator<Item = (&Worker<'v>, Option<&WorkerConfig<'v>>)> {
        self.shoot.spec.provider.workers.iter().zip(self.configs.iter().map(Option::as_ref))
    }
}

/// Judges a Shoot. One without workers has nothing on Equinix Metal.
pub fn shoot(request: &Request<'_>, report: &mut Report<'_>) -> Result<(), RequestError> {
    let shoot: Shoot<'_> = read(request.object)?;
    let old: Option<Shoot<'_>> = request.old_object.map(read_old).transpose()?;
    if shoot.spec.provider.workers.is_empty() {
        return Ok(());
    }
    infrastructure(request.object, report);
    if let Some(config) = provider_config(request.object, "controlPlaneConfig") {
        ControlPlaneConfig::read_complaining(config, |error| {
            without_fields::<ControlPlaneConfig<'_>>(error, config, &CONTROL_PLANE, report);
        });
    }
    let configs = worker_configs(request.object, &shoot, |index, config, error| {
        let path = WORKERS.index(index);
        let path = path.key("providerConfig");
        let detail = format!("could not decode provider config: {error}");
        let entry = warn(&rules::DEC_005, error, &path, detail, report);
        mend::<WorkerConfig<'_>>(entry, error, config, &path.pointer());
    });
    let new = Parts { shoot, configs };
    let old = request.old_object.zip(old).map(|(object, shoot)| {
        let configs = worker_configs(object, &shoot, |_, _, _| {});
        Parts { shoot, configs }
    });
    one_operating_system(&new.shoot.spec.provider.workers, report);
    images::validate(request, &new.shoot, old.as_ref().map(|old| &old.shoot), report);
    advice::shoot(&new, old.as_ref(), report);
    Ok(())
}

fn infrastructure(object: &Value<'_>, report: &mut Report<'_>) {
    let Some(config) = provider_config(object, "infrastructureConfig") else {
        let detail = "provider config is not set on the infrastructure resource";
        report.warn(&rules::DEC_004, &INFRASTRUCTURE, detail).fix_value(&Value::object([
            ("apiVersion", Value::string(InfrastructureConfig::API_VERSION)),
            ("kind", Value::string(InfrastructureConfig::KIND)),
        ]));
        return;
    };
    InfrastructureConfig::read_complaining(config, |error| {
        without_fields::<InfrastructureConfig<'_>>(error, config, &INFRASTRUCTURE, report);
    });
}

/// Reports a configuration without fields that cannot be read as such.
fn without_fields<'v, C: Config<'v>>(
    error: &DecodeError,
    config: &Value<'_>,
    place: &Path<'_>,
    report: &mut Report<'_>,
) {
    let rule = if matches!(error, DecodeError::Strict(_)) { &rules::DEC_002 } else { &rules::DEC_001 };
    mend::<C>(warn(rule, error, place, error.to_string(), report), error, config, &place.pointer());
}

/// Warns at the cause of an error inside `place`.
fn warn<'r>(
    rule: &'static Rule,
    error: &DecodeError,
    place: &Path<'_>,
    detail: String,
    report: &'r mut Report<'_>,
) -> Reported<'r> {
    let pointer = format!("{}{}", place.pointer(), error.pointer());
    report.warn(rule, &Path::root(&place.field(), &pointer), detail)
}

fn worker_configs<'v>(
    object: &'v Value<'v>,
    shoot: &Shoot<'v>,
    mut complain: impl FnMut(usize, &Value<'_>, &DecodeError),
) -> Vec<Option<WorkerConfig<'v>>> {
    let read = |index| match worker_config(object, index) {
        None => Some(WorkerConfig::default()),
        Some(config) => WorkerConfig::read_complaining(config, |error| complain(index, config, error)),
    };
    (0..shoot.spec.provider.workers.len()).map(read).collect()
}

/// Disks are set up for one operating system only (EQX-CHK-001).
fn one_operating_system(workers: &[Worker<'_>], report: &mut Report<'_>) {
    let names = image_names(workers);
    if names.len() > 1 && workers.iter().any(|worker| worker.volume.is_some()) {
        let names: Vec<&str> = names.iter().collect();
        let detail = format!("multiple operatingsystems used: [{}]; Only one allowed", names.join(" "));
        report.warn(&consistency::CHK_001, &WORKERS, detail);
    }
}

/// Names of the images that the pools ask for.
pub fn image_names<'v>(workers: &[Worker<'v>]) -> NameSet<'v> {
    workers.iter().filter_map(|worker| Some(worker.machine.image?.name)).collect()
}
