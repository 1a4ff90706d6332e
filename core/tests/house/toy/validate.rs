//! What is valid.

use trellis_core::document::Path;
use trellis_core::document::decode::Mode;
use trellis_core::gardener::checks::cidr::PlacedRange;
use trellis_core::gardener::checks::immutable;
use trellis_core::gardener::shoot::{INFRASTRUCTURE, Manifest, ShootPart, WORKERS, infrastructure_config};
use trellis_core::gardener::types::worker::Worker;
use trellis_core::policy::{Request, RequestError};
use trellis_core::report::{ErrorType, Report};

use super::api::InfrastructureConfig;
use super::rules;

const NETWORK: ShootPart = ShootPart {
    path: INFRASTRUCTURE,
    mode: Mode::Strict,
    missing: Some((&rules::TOY_001, ErrorType::Required, "must be set")),
    add: None,
    unreadable: |error| (&rules::TOY_002, ErrorType::Invalid, error.to_string()),
};

/// Judges a Shoot.
pub fn shoot(request: &Request<'_>, report: &mut Report<'_>) -> Result<(), RequestError> {
    let new = Manifest::read(request.object)?;
    let old = request.old_object.map(Manifest::read_old).transpose()?;
    let config: Option<InfrastructureConfig<'_>> = NETWORK.read(infrastructure_config(new.object), report);
    let before: Option<InfrastructureConfig<'_>> =
        old.and_then(|old| NETWORK.read_old(infrastructure_config(old.object), report));
    let cidr = INFRASTRUCTURE.key("cidr");
    if let Some(config) = config {
        network(config.cidr, &cidr, report);
    }
    if let (Some(new), Some(old)) = (config, before)
        && new.cidr != old.cidr
    {
        immutable::changed(&rules::TOY_009, &cidr, report);
    }
    for (index, worker) in new.shoot.spec.provider.workers.iter().enumerate() {
        pool(worker, &WORKERS.index(index), report);
    }
    Ok(())
}

fn network(cidr: Option<&str>, path: &Path<'_>, report: &mut Report<'_>) {
    let Some(text) = cidr else {
        report.error(&rules::TOY_003, path, ErrorType::Required, "must be set");
        return;
    };
    let range = PlacedRange::new(*path, text);
    range.parses(&rules::TOY_004, report);
    range.is_canonical(&rules::TOY_005, report);
}

fn pool(worker: &Worker<'_>, path: &Path<'_>, report: &mut Report<'_>) {
    if worker.zones.is_empty() {
        report.error(&rules::TOY_006, &path.key("zones"), ErrorType::Required, "must have a zone");
    }
    if worker.minimum > worker.maximum {
        report.error(&rules::TOY_007, &path.key("minimum"), ErrorType::Invalid, "must not exceed maximum");
    }
    if worker.volume.is_none() {
        report.error(&rules::TOY_008, &path.key("volume"), ErrorType::Required, "must be set");
    }
}
