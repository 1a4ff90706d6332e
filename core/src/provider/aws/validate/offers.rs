//! What a Shoot chooses of its CloudProfile: zones, machine types and images (AWS-INFP, AWS-WRKP).

use crate::call::Known;
use crate::collections::{NameMap, NameSet};
use crate::document::decode::{Mode, decode};
use crate::document::{Path, Value};
use crate::gardener::images::{CapabilityOffers, ImageError, MachineOffers, RequestedImage};
use crate::gardener::shoot::{
    INFRASTRUCTURE, Manifest, WORKERS, blame_profile, cloud_profile_reference, named_profile, old_pools,
};
use crate::gardener::types::cloud_profile::{no_zones, offering, region_zones};
use crate::gardener::types::shoot::Shoot;
use crate::gardener::types::worker::Worker;
use crate::policy::{Request, RequestError};
use crate::provider::aws::api::{CloudProfileConfig, Config, InfrastructureConfig, Zone};
use crate::provider::aws::rules::offers as rules;
use crate::provider::aws::rules::shoot as shoot_rules;
use crate::provider::aws::validate::infrastructure::ZONES;
use crate::report::{ErrorType, Report, Severity};
use crate::text::Supported;

/// What the CloudProfile of a Shoot offers.
pub struct Offered<'r> {
    profile: &'r Value<'r>,
    machines: MachineOffers<'r>,
    /// The provider's part; none where it is not known here, or nobody can read it.
    config: Option<CloudProfileConfig<'r>>,
}

/// Reads the CloudProfile of a Shoot; none where nobody knows it.
pub fn read<'r>(
    request: &Request<'r>,
    shoot: &Shoot<'_>,
    report: &mut Report<'_>,
) -> Result<Option<Offered<'r>>, RequestError> {
    let place = cloud_profile_reference(shoot).pointer();
    let profile = match named_profile(request, shoot) {
        Known::Found(profile) => profile,
        Known::Failed(message) => {
            report.deny(&shoot_rules::SHOOT_002, &place, message).hides_others();
            return Ok(None);
        }
        Known::Unknown(query) => {
            let why = "the CloudProfile is not known here; what the Shoot chooses of it is checked on submit";
            report.undecided(&shoot_rules::SHOOT_002, why, Some(query));
            return Ok(None);
        }
    };
    let Some(spec) = offering(profile) else {
        let why =
            "the CloudProfile is known here without its offers; what the Shoot chooses of it is checked on submit";
        report.undecided(&shoot_rules::SHOOT_002, why, None);
        return Ok(None);
    };
    let machines: MachineOffers<'r> = decode(spec, Mode::Lenient).map_err(|error| RequestError::Malformed {
        message: format!("context.cloudProfile: {error}"),
        pointer: None,
    })?;
    let config = match spec.get("providerConfig").map(|config| CloudProfileConfig::read(config, Mode::Strict)) {
        Some(Ok(config)) => Some(config),
        Some(Err(error)) => {
            let entry = report.deny(&shoot_rules::SHOOT_002, &place, error.to_string()).hides_others();
            blame_profile(entry, shoot, &error);
            None
        }
        None => {
            let why = "the CloudProfile is known here without providerConfig, which says which images there are";
            report.undecided(&rules::WRKP_003, why, None);
            None
        }
    };
    Ok(Some(Offered { profile, machines: machines.normalize()?, config }))
}

/// The zones of a Shoot are zones of its region, each listed once. One that the old Shoot has there may stay.
pub fn zones(
    config: &InfrastructureConfig<'_>,
    old: Option<&InfrastructureConfig<'_>>,
    region: &str,
    offered: &Offered<'_>,
    report: &mut Report<'_>,
) {
    let Some(zones) = region_zones(offered.profile, region) else { return };
    let known: NameSet<'_> = zones.collect();
    let mut used = NameSet::new();
    for (index, zone) in config.networks.zones.iter().enumerate() {
        if report.is_full(Severity::Error) {
            return;
        }
        let is_new = used.insert(zone.name);
        let before: Option<&Zone<'_>> = old.and_then(|old| old.networks.zones.get(index));
        if before == Some(zone) {
            continue;
        }
        // The existing extension prints `network` here.
        let (pointer, field) = (ZONES.index(index).key("name").pointer(), INFRASTRUCTURE.key("network"));
        let field = field.key("zones").index(index).key("name").field();
        let path = Path::root(&field, &pointer);
        if !known.contains(zone.name) {
            let mut supported = Supported::default();
            known.iter().for_each(|name| supported.add(name));
            let entry = report
                .error(&rules::INFP_001, &path, ErrorType::NotSupported, supported.words())
                .choices(known.iter());
            if known.is_empty() {
                entry.remedy(no_zones(region));
            }
        }
        if !is_new {
            report.error(&rules::INFP_002, &path, ErrorType::Duplicate, "");
        }
    }
}

/// The machine type and the image of each worker pool are offered. An old Shoot that lacks an image may lack it
/// further.
pub fn workers<'r>(
    new: &Manifest<'r>,
    old: Option<&Manifest<'_>>,
    offered: &Offered<'r>,
    report: &mut Report<'_>,
) -> Result<(), RequestError> {
    let region = new.shoot.spec.region;
    let nothing = CloudProfileConfig::default();
    let config = offered.config.as_ref().unwrap_or(&nothing);
    let mut offers = CapabilityOffers::of(&offered.machines, config, region)?;
    let old: NameMap<'_, (usize, &Worker<'_>)> = old.map_or_else(NameMap::new, |old| old_pools(&old.shoot));
    for (index, worker) in new.shoot.spec.provider.workers.iter().enumerate() {
        if report.is_full(Severity::Error) {
            return Ok(());
        }
        let machine = &worker.machine;
        let lacked_one = old.get(worker.name).is_some_and(|(_, old)| old.machine.image.is_none());
        if machine.image.is_none() && lacked_one {
            continue;
        }
        let path = WORKERS.index(index);
        let path = path.key("machine");
        if !offers.has_machine_type(machine.machine_type) {
            let path = path.key("type");
            report.error(&rules::WRKP_001, &path, ErrorType::Invalid, " not found in cloud profile");
            continue;
        }
        let (Some(image), Some(_)) = (machine.image, &offered.config) else { continue };
        let wanted = RequestedImage { name: image.name, version: image.version.unwrap_or_default() };
        if let Some(Err(error)) = offers.image_id(wanted, machine.machine_type, machine.architecture) {
            report.error(&rules::WRKP_003, &path.key("image"), ErrorType::Invalid, words(&error));
        }
    }
    Ok(())
}

/// The existing extension prints the cause alone, where there is one.
fn words(error: &ImageError) -> String {
    match error {
        ImageError::NoFlavor { cause: Some(cause), .. } => format!("could not determine best flavor: {cause}"),
        other => other.to_string(),
    }
}
